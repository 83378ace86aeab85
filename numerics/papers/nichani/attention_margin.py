"""Score gaps of one head and margins of one fact, over independent draws of all embeddings.

Serves App. C of arXiv 2412.06538 (Lemma 1 and Theorem 10): how rarely a head errs in its token, or
the two heads of a fact in its answer.
"""

from typing import Literal, get_args

import torch
from torch import Tensor

from numerics.checks import check_integer
from numerics.draws.low_rank_margin import replicate_factors
from numerics.errors import InputError
from numerics.observables import Bounded, Event, Observable
from numerics.random import Stream, replicate_spheres

#: Which token competes with a*(s, r): a further answer of s, one of r, or a token that is no answer.
Rival = Literal["subject", "relation", "other"]


def gap_observables(
    d: int, n: int, replicates: int, *, seed: int, start: int = 0, fault: str = ""
) -> dict[str, Observable]:
    """Whether a head of n keys ranks a key at or below EOS, or another token at or above it.

    v = sum of the keys + phi(EOS)/2. "inside": <v, phi(z) - phi(EOS)> <= 0 for one key z; "outside":
    <v, phi(EOS) - phi(z')> <= 0 for one other token. "inside-second", "outside-second": the squares
    of the gaps, at most (2n + 1)^2. The fault "whole EOS" adds phi(EOS) once instead of half, and
    leaves (2n + 2)^2.
    """
    check_integer("n", n, minimum=1)
    if fault not in ("", "whole EOS"):
        raise InputError(f"fault = {fault!r} is not known: take 'whole EOS'")
    weight = 1.0 if fault else 0.5
    drawn = replicate_spheres(replicates, n + 2, d, stream=Stream(seed, "gaps"), start=start)
    keys, eos, other = drawn[:, :n], drawn[:, n], drawn[:, n + 1]
    v = keys.sum(dim=1) + weight * eos
    gaps = {
        "inside": (v * (keys[:, 0] - eos)).sum(dim=1),
        "outside": (v * (eos - other)).sum(dim=1),
    }
    most = (2 * (n + weight)) ** 2
    return {
        **{name: Event((gap <= 0).to(gap.dtype)) for name, gap in gaps.items()},
        **{f"{name}-second": Bounded(gap**2, 0.0, most) for name, gap in gaps.items()},
    }


def margin_observables(
    d: int,
    R: int,
    D: int,
    d_h: int,
    others_s: int,
    others_r: int,
    replicates: int,
    *,
    rival: Rival,
    seed: int,
    start: int = 0,
    fault: str = "",
) -> dict[str, Observable]:
    """The margin of a = a*(s, r) over one rival, as the heads of s and of r answer it.

    W = (d/d_h) sum_{z, a in A_z} phi(a) phi(z)^T Pi in each head, Pi the projection on a uniform
    d_h-dimensional subspace of the complement of phi(EOS), d_h <= d - 1. The head of s has *others_s*
    further keys, all with the answers of s but for r, where they have another one (if D >= 2); the
    head of r has *others_r* < R further relations. "failure": whether the margin is <= 0; "second":
    its square, bounded since no weight of a token exceeds (d/d_h) times the number of keys.

    The fault "one head" leaves the head of r out. d >= 2, R, D >= 1, others_s >= 0; InputError for
    sizes outside these ranges, and for a rival that needs a further answer where there is none.
    """
    for name, size, least in (("d", d, 2), ("R", R, 1), ("D", D, 1), ("others_s", others_s, 0)):
        check_integer(name, size, minimum=least)
    _check(d, R, D, d_h, others_r, rival, fault)
    stream = Stream(seed, "attention-margin")
    # phi(EOS) is the last unit vector: by rotation invariance any fixed one will do.
    tokens = 2 + others_s + others_r + R * D + 1
    phi = replicate_spheres(replicates, tokens, d, stream=stream.child("tokens"), start=start)
    parts = torch.split(phi, [1 + others_s, 1 + others_r, R * D, 1], dim=1)
    keys_s, keys_r, answers, stranger = parts
    table_s, table_r = _answers(R, D, others_s, others_r)
    weights = torch.zeros(replicates, R * D, dtype=phi.dtype)
    for name, keys, table in (("s", keys_s, table_s), ("r", keys_r, table_r)):
        if name == "r" and fault == "one head":
            continue
        reading = keys[:, :, : d - 1]
        if d_h < d - 1:
            frames = replicate_factors(
                replicates,
                d - 1,
                d_h,
                stream=stream.child(f"frame-{name}"),
                start=start,
                factors="orthonormal",
            )
            reading = reading @ frames
        read = torch.einsum("bkf,bf,ka->ba", reading, reading[:, 0], table)
        weights = weights + (d / d_h) * read
    output = (weights.unsqueeze(1) @ answers).squeeze(1)
    competing = {
        "subject": answers[:, D % (R * D)],
        "relation": answers[:, 1 % (R * D)],
        "other": stranger[:, 0],
    }[rival]
    margin = (output * (answers[:, 0] - competing)).sum(dim=1)
    reach = 2.0 * (d / d_h) * ((1 + others_s) * R + (1 + others_r) * D)
    return {
        "failure": Event((margin <= 0).to(margin.dtype)),
        "second": Bounded(margin**2, 0.0, reach**2),
    }


def _answers(R: int, D: int, others_s: int, others_r: int) -> tuple[Tensor, Tensor]:
    """Which key has which answers, 0 or 1: (1 + others_s, R D) and (1 + others_r, R D).

    Answer j of relation q is column q D + j; s has answer 0 of each relation, and r is relation 0.
    """
    subjects = torch.zeros(1 + others_s, R, D, dtype=torch.float64)
    subjects[:, :, 0] = 1.0
    if D >= 2:
        subjects[1:, 0, 0], subjects[1:, 0, 1] = 0.0, 1.0
    relations = torch.zeros(1 + others_r, R, D, dtype=torch.float64)
    relations[torch.arange(1 + others_r), torch.arange(1 + others_r)] = 1.0
    return subjects.flatten(1), relations.flatten(1)


def _check(d: int, R: int, D: int, d_h: int, others_r: int, rival: Rival, fault: str) -> None:
    check_integer("d_h", d_h, minimum=1, maximum=d - 1)
    check_integer("others_r", others_r, minimum=0, maximum=R - 1)
    if rival not in get_args(Rival):
        raise InputError(
            f"rival = {rival!r} is not known: take one of {', '.join(get_args(Rival))}"
        )
    if (rival == "subject" and R < 2) or (rival == "relation" and D < 2):
        raise InputError(f"rival = {rival!r} needs a further answer: take R, D >= 2")
    if fault not in ("", "one head"):
        raise InputError(f"fault = {fault!r} is not known: take 'one head'")
