"""What the proofs of Lemmas 1 and 2 say of one attention head, drawn by its definition.

Serves App. C of arXiv 2412.06538: scores of the key vector v = sum_{z in V(h)} phi(z) + phi(EOS)/2, and
the value matrix W = (d/d_h) sum_{z, a} phi(a) phi(z)^T sum_i w_i w_i^T, w_i orthogonal to phi(EOS).
Every observable is bounded, and says by what.
"""

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass

import torch
from torch import Tensor

from numerics.checks import check_integer
from numerics.errors import InputError
from numerics.expressions import Variable
from numerics.observables import Bounded
from numerics.random import Stream, replicate_gaussians, replicate_spheres

#: The weight of phi(EOS) in v, as it should be and with a slip.
_EOS_WEIGHT = {"": 0.5, "EOS in full": 1.0, "EOS left out": 0.0}
KEY_FAULTS = tuple(fault for fault in _EOS_WEIGHT if fault)
#: w_i on the whole sphere; 1/d_h in place of d/d_h; w_i w'_i^T with independent w'_i.
HEAD_FAULTS = ("w on the whole sphere", "scale without d", "untied w")
#: Exponents of the overlaps that are drawn.
_EXPONENTS = (1, 2)


# -- Lemma 1 --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class KeyScores:
    """Scores of the key vector, (draws, n + 2): n keys of the head, EOS, and a token outside.

    `scores` are <v, phi(z)>, `sums` are sum_{z' in V(h), z' != z} <phi(z), phi(z')>, and `eos` are
    <phi(EOS), phi(z)>.
    """

    scores: Tensor
    sums: Tensor
    eos: Tensor


def key_scores(
    d: int, n: int, replicates: int, *, seed: int, start: int = 0, fault: str = ""
) -> KeyScores:
    """Draw the scores of v for a head of n keys. d, n >= 1; `fault` one of KEY_FAULTS.

    InputError for other arguments.
    """
    check_integer("n", n, minimum=1)
    if fault not in _EOS_WEIGHT:
        raise InputError(f"fault = {fault!r} is not known: take one of {', '.join(KEY_FAULTS)}")
    phi = replicate_spheres(replicates, n + 2, d, stream=Stream(seed, "head-keys"), start=start)
    v = phi[:, :n].sum(dim=1) + _EOS_WEIGHT[fault] * phi[:, n]
    overlaps = phi @ phi.mT
    to_keys = overlaps[:, :, :n].clone()
    to_keys[:, range(n), range(n)] = 0.0
    return KeyScores((phi @ v.unsqueeze(2)).squeeze(2), to_keys.sum(dim=2), overlaps[:, :, n])


def key_observables(
    d: int, n: int, replicates: int, *, seed: int, start: int = 0, fault: str = ""
) -> dict[str, Bounded]:
    """<v, phi(z)> for z a key of the head ("inside", averaged over them), "eos", and "outside".

    At most n + 1/2 in absolute value. Arguments and errors as for `key_scores`.
    """
    found = key_scores(d, n, replicates, seed=seed, start=start, fault=fault).scores
    reach = n + _EOS_WEIGHT[fault]
    parts = {"inside": found[:, :n].mean(dim=1), "eos": found[:, n], "outside": found[:, n + 1]}
    return {
        name: Bounded(values.clamp(-reach, reach), -reach, reach) for name, values in parts.items()
    }


def overlap_exponentials(
    d: int, replicates: int, *, seed: int, start: int = 0
) -> dict[str, Bounded]:
    """ "single s" is exp(s t), "pair s" exp(s (t + t')), s = 1, 2, for overlaps t, t' of one token
    with two others. d >= 1."""
    phi = replicate_spheres(replicates, 3, d, stream=Stream(seed, "exponentials"), start=start)
    first = (phi[:, 0] * phi[:, 1]).sum(dim=1).clamp(-1.0, 1.0)
    second = (phi[:, 0] * phi[:, 2]).sum(dim=1).clamp(-1.0, 1.0)
    found = {}
    for s, (name, reach, values) in itertools.product(
        _EXPONENTS, (("single", 1, first), ("pair", 2, first + second))
    ):
        most = math.exp(s * reach)
        found[f"{name} {s}"] = Bounded((s * values).exp().clamp(max=most), 0.0, most)
    return found


# -- Lemma 2: single terms ------------------------------------------------------------------------

#: Two pairs (answer, key) that differ, as positions: answer 0 is a, key 0 is z.
CROSS: dict[str, tuple[tuple[int, int], tuple[int, int]]] = {
    "answers": ((0, 0), (1, 0)),
    "other answers": ((1, 1), (2, 1)),
    "keys": ((0, 0), (0, 1)),
    "other keys": ((1, 1), (1, 2)),
    "both": ((0, 0), (1, 1)),
    "both others": ((1, 1), (2, 2)),
}


def _orthogonal(gaussians: Tensor, eos: Tensor) -> Tensor:
    """Gaussian vectors (r, n, d) projected to the unit sphere orthogonal to eos (r, d)."""
    along = gaussians @ eos.unsqueeze(2)
    return _normalised(gaussians - along * eos.unsqueeze(1))


def _normalised(vectors: Tensor) -> Tensor:
    lengths: Tensor = torch.linalg.vector_norm(vectors, dim=2, keepdim=True)
    return vectors / lengths


def _drawn_w(
    d: int, count: int, replicates: int, eos: Tensor, stream: Stream, start: int, fault: str
) -> Tensor:
    gaussians = replicate_gaussians(replicates, count, d, stream=stream, start=start)
    if fault == "w on the whole sphere":
        return _normalised(gaussians)
    return _orthogonal(gaussians, eos)


def _both_w(
    d: int, count: int, replicates: int, eos: Tensor, stream: Stream, start: int, fault: str
) -> tuple[Tensor, Tensor]:
    """The w_i to the left and to the right of phi(z): the same ones, unless the fault unties them."""
    left, right = (
        _drawn_w(d, count, replicates, eos, stream.child(name), start, fault)
        for name in ("w", "w'" if fault == "untied w" else "w")
    )
    return left, right


def _check_head(d: int, fault: str) -> None:
    check_integer("d", d, minimum=2)
    if fault and fault not in HEAD_FAULTS:
        raise InputError(f"fault = {fault!r} is not known: take one of {', '.join(HEAD_FAULTS)}")


def term_observables(
    d: int, replicates: int, *, seed: int, start: int = 0, fault: str = ""
) -> dict[str, Bounded]:
    """Products of terms omega_{a'z'i} = <phi(a), phi(a')> <phi(z), w_i> <w_i, phi(z')> and factors.

    With A and K "same" (a' = a, z' = z) or "other":
      overlap.A     <phi(a), phi(a')>^2
      projected.K   <phi(z), P phi(z')>^2, P the projection on the complement of phi(EOS)
      square.A.K    omega_{a'z'i}^2
      pair.A.K      omega_{a'z'i} omega_{a'z'j}, i != j
    "length" is |P phi(z)|^2; "cross.C.I", for C in CROSS, is omega_{a1 z1 i} omega_{a2 z2 j} with
    i = j ("same") or not ("other"); "double.stored" and "double.other" are sum_{z'} sum_{a' in A_z}
    <phi(a), phi(a')> <phi(z), P phi(z')> over two keys, z among them, and two answers, a among them
    or not.

    d >= 2; `fault` one of HEAD_FAULTS ("scale without d" changes nothing here); InputError otherwise.
    """
    _check_head(d, fault)
    stream = Stream(seed, "head-terms")
    phi = replicate_spheres(replicates, 7, d, stream=stream.child("tokens"), start=start)
    answers, keys, eos = phi[:, :3], phi[:, 3:6], phi[:, 6]
    left, right = _both_w(d, 2, replicates, eos, stream, start, fault)
    # Letters: A answers, K keys, I vectors w.
    of_answers = (answers @ answers[:, 0].unsqueeze(2)).squeeze(2)
    shadow = keys - (keys @ eos.unsqueeze(2)) * eos.unsqueeze(1)
    of_keys = (shadow @ keys[:, 0].unsqueeze(2)).squeeze(2)
    read = (left @ keys[:, 0].unsqueeze(2)).squeeze(2)  # <phi(z), w_i>
    through = read.unsqueeze(1) * (keys @ right.mT)  # K, I
    omega = of_answers[:, :, None, None] * through.unsqueeze(1)  # A, K, I

    found: dict[str, Tensor] = {"length": (shadow[:, 0] ** 2).sum(dim=1)}
    for k, name in enumerate(("same", "other")):
        found[f"overlap.{name}"] = of_answers[:, k] ** 2
        found[f"projected.{name}"] = of_keys[:, k] ** 2
        for j, other in enumerate(("same", "other")):
            found[f"square.{name}.{other}"] = omega[:, k, j, 0] ** 2
            found[f"pair.{name}.{other}"] = omega[:, k, j, 0] * omega[:, k, j, 1]
    for case, (first, second) in CROSS.items():
        for name, j in (("same", 0), ("other", 1)):
            found[f"cross.{case}.{name}"] = omega[:, *first, 0] * omega[:, *second, j]
    bounded = {name: Bounded(v.clamp(-1.0, 1.0), -1.0, 1.0) for name, v in found.items()}
    both = of_keys[:, 0] + of_keys[:, 1]
    for name, pair in (("stored", (0, 1)), ("other", (1, 2))):
        double = (of_answers[:, list(pair)].sum(dim=1) * both).clamp(-4.0, 4.0)
        bounded[f"double.{name}"] = Bounded(double, -4.0, 4.0)
    return bounded


def fourth_moments(
    d: int, replicates: int, *, seed: int, start: int = 0, fault: str = ""
) -> dict[str, Bounded]:
    """Entries of w^{(x)4} for one w, phi(EOS) the last unit vector of R^d, d >= 3.

    "plain" is <w, x>^4 for a unit x orthogonal to phi(EOS), "slanted" <w, x>^4/|P x|^4 for
    x with <x, phi(EOS)> = 3/5, "mixed" 3 <w, x>^2 <w, y>^2 for x, y and phi(EOS) orthonormal.
    """
    check_integer("d", d, minimum=3)
    _check_head(d, fault)
    eos = torch.zeros(replicates, d, dtype=torch.float64)
    eos[:, -1] = 1.0
    w = _drawn_w(d, 1, replicates, eos, Stream(seed, "fourth"), start, fault)[:, 0]
    slanted = (0.8 * w[:, 1] + 0.6 * w[:, -1]) / 0.8
    # Outside the complement of EOS the quotient may reach (5/4)^4.
    most = 1.0 if fault != "w on the whole sphere" else 1.25**4
    return {
        "plain": Bounded((w[:, 0] ** 4).clamp(max=1.0), 0.0, 1.0),
        "slanted": Bounded((slanted**4).clamp(max=most), 0.0, most),
        "mixed": Bounded((3 * w[:, 0] ** 2 * w[:, 1] ** 2).clamp(max=0.75), 0.0, 0.75),
    }


# -- Lemma 2: scores ------------------------------------------------------------------------------


def pair_score(a: Tensor, z: Tensor, answers: Tensor, keys: Tensor, w: Tensor) -> Tensor:
    """phi(a)^T W phi(z): vectors a, z (d,), pairs (answers[k], keys[k]), each (pairs, d), w (d_h, d)."""
    d_h, d = w.shape
    return (d / d_h) * ((answers @ a) * (keys @ (w.mT @ (w @ z)))).sum()


def scores(
    d: int,
    d_h: int,
    b: int,
    c: int,
    g: int,
    replicates: int,
    *,
    stored: bool,
    seed: int,
    start: int = 0,
    fault: str = "",
    token: str = "answer",
) -> Tensor:
    """phi(a)^T W phi(z), (replicates,): a in A_z if *stored*, b further answers of z, c other keys
    with the answer a alone, and one more key with g answers that no other key has.

    *token*: "answer", or a is z itself ("self"), the last key ("key") or "eos", in no set then.
    d >= 2, d_h >= 1, b, c, g >= 0; `fault` one of HEAD_FAULTS; InputError otherwise.
    """
    _check_head(d, fault)
    check_integer("d_h", d_h, minimum=1)
    for name, value in (("b", b), ("c", c), ("g", g)):
        check_integer(name, value, minimum=0)
    stream = Stream(seed, "head-scores")

    def spheres(name: str, rows: int) -> Tensor:
        return replicate_spheres(replicates, rows, d, stream=stream.child(name), start=start)

    keys, answers, eos = spheres("keys", c + 2), spheres("answers", 1 + b + g), spheres("eos", 1)
    z, eos = keys[:, 0], eos[:, 0]
    tokens = {"answer": answers[:, 0], "self": z, "key": keys[:, -1], "eos": eos}
    if token not in tokens or (token != "answer" and (stored or c)):
        raise InputError(f"token = {token!r}, stored = {stored}, c = {c}: it is in no set")
    a = tokens[token]
    left, right = _both_w(d, d_h, replicates, eos, stream, start, fault)
    # phi(a)^T of the answers of each key: z first, then the c others, then the last one.
    overlaps = (answers @ a.unsqueeze(2)).squeeze(2)
    held = torch.cat(
        [
            (stored * overlaps[:, 0] + overlaps[:, 1 : 1 + b].sum(dim=1)).unsqueeze(1),
            overlaps[:, :1].expand(-1, c),
            overlaps[:, 1 + b :].sum(dim=1, keepdim=True),
        ],
        dim=1,
    )
    read = (right @ z.unsqueeze(2)).mT @ left  # (sum_i w_i w_i^T) phi(z), as a row
    through = (keys @ read.mT).squeeze(2)
    scale = (1 if fault == "scale without d" else d) / d_h
    return scale * (held * through).sum(dim=1)


def score_observables(
    d: int,
    d_h: int,
    b: int,
    c: int,
    g: int,
    replicates: int,
    *,
    stored: bool,
    seed: int,
    start: int = 0,
    fault: str = "",
) -> dict[str, Bounded]:
    """The score as "mean", its square as "second", and "centred", (score - 1(a in A_z))^2.

    The score is at most d times the number of pairs. Arguments and errors as for `scores`.
    """
    gamma = scores(d, d_h, b, c, g, replicates, stored=stored, seed=seed, start=start, fault=fault)
    reach = float(d * max(int(stored) + b + c + g, 1))
    gamma = gamma.clamp(-reach, reach)
    far = (reach + int(stored)) ** 2
    return {
        "mean": Bounded(gamma, -reach, reach),
        "second": Bounded(gamma**2, 0.0, reach**2),
        "centred": Bounded((gamma - int(stored)) ** 2, 0.0, far),
    }


def score_variables(
    names: Iterable[str],
    d: int,
    d_h: int,
    b: int,
    g: int,
    replicates: int,
    *,
    seed: int,
    start: int = 0,
) -> dict[str, Variable]:
    """Scores of tokens, by *names* of their kinds, each (replicates, 1).

    "stored" with z, "answer" of no key, "self" for z itself, "key" for the other one, "eos". Other
    arguments, bounds and errors as for `score_observables`, with c = 0.
    """
    found = {}
    for kind in names:
        stored = kind == "stored"
        token = "answer" if stored else kind
        gamma = scores(
            d, d_h, b, 0, g, replicates, stored=stored, token=token, seed=seed, start=start
        )
        reach = float(d * max(int(stored) + b + g, 1))
        found[kind] = Variable(gamma.clamp(-reach, reach).unsqueeze(1), -reach, reach)
    return found
