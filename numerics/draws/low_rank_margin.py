"""Margins and failures of the low-rank memory over independent draws of embeddings and factors.

Serves Sec. 3.1 of arXiv 2412.06538 (Theorem 1, last sentence): the law of gamma_{xy} at rank m.
"""

from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor, arange

from numerics.draws.counting import failing
from numerics.memories import low_rank
from numerics.memories.facts import replicate_facts
from numerics.memories.linear import faulty_weight
from numerics.memories.low_rank import Factors, LowRankMemory
from numerics.observables import Event
from numerics.random import Stream, replicate_gaussians, replicate_spheres


@dataclass(frozen=True)
class Replicates:
    """Drawn memories, float64: inputs e_x (r, N, d), outputs u_y (r, M, d), factors V (r, d, m).

    keys: G e_x with G = V V^T, (r, N, d). margins: (u_{f(x)} - u_y)^T W e_x, (r, N, M), hence
    zero at y = f(x) = x.
    """

    inputs: Tensor
    outputs: Tensor
    factors: Tensor
    keys: Tensor
    margins: Tensor


def replicate_factors(
    replicates: int, d: int, m: int, *, stream: Stream, start: int = 0, factors: Factors
) -> Tensor:
    """Independent sets of m factors in R^d: float64 (replicates, d, m), the factors as columns.

    Entry i is replicate number start + i, whose values depend on that number alone (for given d
    and m). d, m >= 1, m <= d where orthonormal, replicates, start >= 0; InputError otherwise.
    """
    low_rank.check_factors(d, m, factors)
    columns = replicate_gaussians(replicates, m, d, stream=stream, start=start).mT
    return low_rank.orthonormal_columns(columns) if factors == "orthonormal" else columns


def replicate_margins(
    d: int,
    N: int,
    M: int,
    m: int,
    replicates: int,
    *,
    seed: int,
    start: int = 0,
    name: str = "low-rank-margin",
    factors: Factors = "gaussian",
    fault: str = "",
) -> Replicates:
    """All margins of `replicates` independent memories, and what they are made of.

    f(x) = x, as for the linear memory: outputs are exchangeable, so every injective map gives
    the same law. Each W e_x is the product of the two thin factors; `fault` names a slip to make
    in sum_x u_{f(x)} e_x^T (see `numerics.memories.linear`).

    d, m >= 1, 1 <= N <= M, replicates >= 0, m <= d where the factors are orthonormal, start >= 0;
    InputError otherwise. Runs with other `name` or `seed`
    are independent.
    """
    stream = Stream(seed, name)
    e, u = replicate_facts(d, N, M, replicates, stream=stream, start=start)
    V = replicate_factors(
        replicates, d, m, stream=stream.child("factors"), start=start, factors=factors
    )
    association = arange(N)
    # Looked up in the module at call time: LowRankMemory and this function share one definition.
    if fault:
        signs = replicate_spheres(replicates, N, 1, stream=stream.child("signs"), start=start)
        left = faulty_weight(fault, e, u, association, signs.squeeze(-1)) @ V
    else:
        left = low_rank.left_factor(e, u, association, V)
    scores = low_rank.apply_factors(left, V, e) @ u.mT
    target = scores[:, association, association]
    keys = low_rank.apply_factors(V, V, e)
    return Replicates(e, u, V, keys, target.unsqueeze(2) - scores)


def failures(
    d: int,
    N: int,
    M: int,
    m: int,
    replicates: int,
    *,
    seed: int,
    start: int = 0,
    name: str = "low-rank-failures",
    device: torch.device | str = "cpu",
    factors: Factors = "gaussian",
    fault: str = "",
) -> Event:
    """Whether each of `replicates` independent memories fails to recall one of its N facts.

    Draw number start + i depends on that number alone, so long runs can be split and joined;
    `device` is where products are made, the drawn numbers are the same on all. `fault` names a
    slip to make in the weight. d, m >= 1, 1 <= N <= M, m <= d where the factors are orthonormal,
    replicates, start >= 0; InputError otherwise.
    """

    draw = partial(LowRankMemory.sample, d, N, M, m=m, factors=factors, fault=fault)
    return failing(draw, replicates, stream=Stream(seed, name), start=start, device=device)
