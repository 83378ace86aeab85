"""The steps of the construction with an MLP, built: subspaces, heads that add up, a scaled MLP, tables.

Serves App. C.2 of arXiv 2412.06538 (Theorem 11).
"""

import itertools
import math

import torch
from torch import Tensor, float64

from numerics.checks import check_integer
from numerics.memories.activations import Activation
from numerics.memories.low_rank import orthonormal_columns
from numerics.observables import Bounded
from numerics.random import Stream, replicate_integers, sample_gaussian, sample_sphere
from numerics.tasks.tables import FactTable
from numerics.transformer import OneLayerTransformer


def room_beside(d: int, *, seed: int) -> int:
    """The largest n such that two orthogonal n-dimensional subspaces fit beside a unit vector of R^d:
    half the rank of vectors drawn in its complement, as computed."""
    check_integer("d", d, minimum=1)
    stream = Stream(seed, "room beside", d)
    eos = sample_sphere(1, d, stream=stream.child("eos"))
    rows = sample_gaussian(2 * d, d, stream=stream.child("rows"))
    beside = rows - (rows @ eos.mT) @ eos
    return int(torch.linalg.matrix_rank(beside)) // 2


def group_deviation(d: int, d_h: int, H: int, *, orthogonal: bool, seed: int) -> float:
    """How far H heads of one key are from Pi_P phi(s) and from 0, where s is in a context or not.

    P is a uniform (d-1)-dimensional subspace, orthogonal to phi(EOS) or, if not *orthogonal*, any.
    The heads hold as many vectors of an orthonormal basis of P as fit. The deviation is the largest
    length over the tokens s, d >= 2.
    """
    check_integer("d", d, minimum=2)
    stream = Stream(seed, "group deviation", d, H)
    tokens = sample_sphere(4, d, stream=stream.child("tokens"))
    eos = tokens[-1]
    rows = sample_gaussian(d - 1, d, stream=stream.child("rows"))
    if orthogonal:
        rows = rows - torch.outer(rows @ eos, eos)
    basis = orthonormal_columns(rows.mT).mT
    model = OneLayerTransformer(d, H, d_h, inverse_temperature=math.inf)
    largest = 0.0
    with torch.no_grad():
        for h, part in enumerate(torch.split(basis[: H * d_h], d_h)):
            model.W_V[h, : len(part)] = part
            model.W_O[h, : len(part)] = part
        model.W_Q[:, 0] = eos
        for token in tokens[:-1]:
            model.W_K[:, 0] = token - eos
            present, absent = (
                model.mhsa(torch.stack(context).unsqueeze(0)).squeeze(0)
                for context in ([token, eos], [eos])
            )
            wanted = basis.mT @ (basis @ token)
            largest = max(largest, float((present - wanted).norm()), float(absent.norm()))
    return largest


def scaled_margin(
    answer: Tensor,
    rivals: Tensor,
    readout: Tensor,
    *,
    activation: Activation,
    V: float = 1.0,
    W: float = 1.0,
) -> float:
    """The least margin of F_TF for one fact at d = 3, where s, r and EOS are the standard basis.

    One head hands over s and one r; one neuron has the weight W (1, 0, 0) and the *readout* (3,),
    times V. *answer* (3,) is the right one, *rivals* (n, 3) are all other tokens.
    """
    basis = torch.eye(3, dtype=float64)
    model = OneLayerTransformer(3, 2, 1, 1, activation=activation, inverse_temperature=math.inf)
    with torch.no_grad():
        for h in (0, 1):
            model.W_K[h, 0] = basis[h] + basis[2] / 2
            model.W_Q[h, 0] = basis[2]
            model.W_V[h, 0] = basis[h]
            model.W_O[h, 0] = basis[h]
        model.W[0] = W * basis[0]
        model.V[0] = V * readout
        output = model(basis.unsqueeze(0)).squeeze(0)
    return float(((answer - rivals) @ output).min())


def column_collisions(S: int) -> list[list[int]]:
    """For every column of answers of S subjects, up to their names: how often each answer occurs."""
    check_integer("S", S, minimum=1)
    found = []
    for column in itertools.product(range(S), repeat=S):
        if all(a <= max(column[:i], default=-1) + 1 for i, a in enumerate(column)):
            found.append(FactTable([[a] for a in column]).collisions.tolist())
    return found


def collision_observables(
    S: int, R: int, D: int, replicates: int, *, seed: int, start: int = 0
) -> dict[str, Bounded]:
    """C(a) in [0, S] for a = (R - 1) D, each a*(s, r) uniform in r D, ..., (r + 1) D - 1.

    S, R, D >= 1; replicates, start >= 0; InputError otherwise.
    """
    for name, size in (("S", S), ("R", R), ("D", D)):
        check_integer(name, size, minimum=1)
    stream = Stream(seed, "collision tables")
    drawn = replicate_integers(replicates, S, R, below=D, stream=stream, start=start)
    answers = drawn + D * torch.arange(R)
    counts = (answers == (R - 1) * D).sum(dim=(1, 2)).double()
    return {"collisions": Bounded(counts, 0.0, float(S))}
