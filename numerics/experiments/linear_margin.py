"""Margins and failures of the linear memory over independent draws of all embeddings.

Serves Sec. 3 of arXiv 2412.06538: the law of gamma_{xy} and the chance of imperfect recall.
"""

from torch import Tensor, arange

from numerics.checks import check_integer
from numerics.decoding import recall
from numerics.errors import InputError
from numerics.memories import linear
from numerics.random import Stream, replicate_spheres

__all__ = ["failures", "margin_replicates"]


def margin_replicates(
    d: int,
    N: int,
    M: int,
    replicates: int,
    *,
    seed: int,
    start: int = 0,
    name: str = "linear-margin",
) -> Tensor:
    """All margins of `replicates` independent memories: float64 (replicates, N, M).

    Entry [r, x, y] is (u_{f(x)} - u_y)^T W e_x of replicate start + r, hence zero at
    y = f(x), with f(x) = x: the outputs are exchangeable and independent of f, so every
    injective map gives the same law. Each W is the sum of outer products itself, applied to
    each e_x, not a formula derived from it.

    d >= 1, 1 <= N <= M, replicates >= 0, start a multiple of `random.REPLICATE_BLOCK`;
    InputError otherwise. Runs with other `name` or `seed` are independent.
    """
    check_integer("N", N, minimum=1)
    check_integer("M", M, minimum=1)
    if N > M:
        raise InputError(f"N = {N} exceeds M = {M}: the map is injective, raise M to {N}")
    stream = Stream(seed, name)
    inputs = replicate_spheres(replicates, N, d, stream=stream.child("inputs"), start=start)
    outputs = replicate_spheres(replicates, M, d, stream=stream.child("outputs"), start=start)
    association = arange(N)
    # Looked up in the module at call time: LinearMemory and this function share one definition.
    weight = linear.outer_product_weight(inputs, outputs, association)
    scores = linear.apply_weight(weight, inputs) @ outputs.mT
    target = scores[:, association, association]
    return target.unsqueeze(2) - scores


def failures(
    d: int,
    N: int,
    M: int,
    draws: int,
    *,
    seed: int,
    start: int = 0,
    name: str = "linear-failures",
) -> int:
    """How many of `draws` independent memories fail to recall at least one of their N facts.

    Draw number start + i depends on that number alone, so long runs can be split and added.
    d >= 1, 1 <= N <= M, draws >= 0, start >= 0; InputError otherwise.
    """
    check_integer("draws", draws, minimum=0)
    check_integer("start", start, minimum=0)
    stream = Stream(seed, name)
    failed = 0
    for draw in range(start, start + draws):
        result = recall(linear.LinearMemory.sample(d, N, M, seed=stream.child(draw)))
        failed += result.correct < result.total
    return failed
