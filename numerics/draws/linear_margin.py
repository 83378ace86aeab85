"""Margins and failures of the linear memory over independent draws of all embeddings.

Serves Sec. 3 of arXiv 2412.06538: the law of gamma_{xy} and the chance of imperfect recall.
"""

from functools import partial

import torch
from torch import Tensor, arange, cat, eye, float64, tensor

from numerics.checks import check_integer
from numerics.draws.counting import failing
from numerics.errors import InputError
from numerics.memories import linear
from numerics.memories.facts import check_injective, replicate_facts
from numerics.observables import Event
from numerics.random import Stream, replicate_spheres

#: Memories whose scores are held at once.
_AT_ONCE = 32


def margin_replicates(
    d: int,
    N: int,
    M: int,
    replicates: int,
    *,
    seed: int,
    start: int = 0,
    name: str = "linear-margin",
    fault: str = "",
) -> Tensor:
    """All margins of `replicates` independent memories: float64 (replicates, N, M).

    Entry [r, x, y] is (u_{f(x)} - u_y)^T W e_x of replicate start + r, hence zero at
    y = f(x), with f(x) = x: the outputs are exchangeable and independent of f, so every
    injective map gives the same law. Each W is the sum of outer products itself, applied to
    each e_x, not a formula derived from it; `fault` names a slip to make in it (see
    `numerics.memories.linear`).

    d >= 1, 1 <= N <= M, replicates, start >= 0; InputError otherwise. Runs with other `name` or
    `seed` are independent.
    """
    *_, margins = embeddings_and_margins(
        d, N, M, replicates, seed=seed, start=start, name=name, fault=fault
    )
    return margins


def embeddings_and_margins(
    d: int,
    N: int,
    M: int,
    replicates: int,
    *,
    seed: int,
    start: int = 0,
    name: str = "linear-margin",
    fault: str = "",
) -> tuple[Tensor, Tensor, Tensor]:
    """The inputs (replicates, N, d) and outputs (replicates, M, d) of `margin_replicates` too."""
    stream = Stream(seed, name)
    inputs, outputs = replicate_facts(d, N, M, replicates, stream=stream, start=start)
    association = arange(N)
    # Looked up in the module at call time: LinearMemory and this function share one definition.
    if fault:
        signs = replicate_spheres(replicates, N, 1, stream=stream.child("signs"), start=start)
        weight = linear.faulty_weight(fault, inputs, outputs, association, signs.squeeze(-1))
    else:
        weight = linear.outer_product_weight(inputs, outputs, association)
    scores = linear.apply_weight(weight, inputs) @ outputs.mT
    target = scores[:, association, association]
    return inputs, outputs, target.unsqueeze(2) - scores


def failing_fractions(
    d: int, N: int, replicates: int, *, seed: int, start: int = 0, name: str = "linear-fractions"
) -> Tensor:
    """The fraction of the N (N-1) pairs with gamma <= 0 in each memory: float64 (replicates,).

    M = N and f(x) = x, so every y is in the image. As `margin_replicates`, but nothing of size
    replicates x N x N is kept. d >= 1, N >= 2, replicates, start >= 0; InputError otherwise.
    """
    check_integer("N", N, minimum=2)
    inputs, outputs = replicate_facts(d, N, N, replicates, stream=Stream(seed, name), start=start)
    fractions = []
    for first in range(0, replicates, _AT_ONCE):
        e, u = inputs[first : first + _AT_ONCE], outputs[first : first + _AT_ONCE]
        scores = linear.apply_weight(linear.outer_product_weight(e, u, arange(N)), e) @ u.mT
        margins = scores.diagonal(dim1=1, dim2=2).unsqueeze(2) - scores
        # The N margins at y = f(x) are 0, and 1 is added to them: they are not counted.
        lost = (margins + eye(N, dtype=float64) <= 0).sum(dim=(1, 2))
        fractions.append(lost.to(float64) / (N * (N - 1)))
    return cat(fractions) if fractions else tensor([], dtype=float64)


def margins_on_a_line(d: int, N: int, M: int, points: int, *, seed: int) -> list[float]:
    """gamma_{01} at t = 0, 1, ..., points - 1 along a line of embeddings, exactly: (points,).

    Inputs E + t E' and outputs U + t U' have small random integer coordinates, f(x) = x, so
    every product and sum is an integer below 2^53 and float64 makes no rounding.
    d >= 1, 2 <= N <= M, points >= 1; InputError otherwise, or if a value could leave that range.
    """
    check_integer("N", N, minimum=2)
    check_injective(N, M)
    check_integer("points", points, minimum=1)
    if N * (2 * d * (4 * points) ** 2) ** 2 >= 2**53:
        raise InputError(f"points = {points} makes integers too large for float64: lower it")
    draw = Stream(seed, "margins-on-a-line").generator()
    vectors = tensor(draw.integers(-3, 4, size=(2, N + M, d))).to(float64)
    values = []
    for t in range(points):
        at_t = vectors[0] + t * vectors[1]
        inputs, outputs = at_t[:N], at_t[N:]
        weight = linear.outer_product_weight(inputs, outputs, arange(N))
        image = linear.apply_weight(weight, inputs[:1])
        values.append(float((image @ (outputs[0] - outputs[1])).item()))
    return values


def failures(
    d: int,
    N: int,
    M: int,
    replicates: int,
    *,
    seed: int,
    start: int = 0,
    name: str = "linear-failures",
    device: torch.device | str = "cpu",
    fault: str = "",
) -> Event:
    """Whether each of `replicates` independent memories fails to recall one of its N facts.

    Draw number start + i depends on that number alone, so long runs can be split and joined;
    `device` is where products are made, the drawn numbers are the same on all. `fault` names a
    slip to make in the weight. d >= 1, 1 <= N <= M, replicates, start >= 0; InputError otherwise.
    """

    draw = partial(linear.LinearMemory.sample, d, N, M, fault=fault)
    return failing(draw, replicates, stream=Stream(seed, name), start=start, device=device)
