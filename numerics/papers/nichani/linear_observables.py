"""Averages over one draw of the linear memory whose expectations the papers state.

Serves App. B of arXiv 2412.06538 (proof of Theorem 1): margins, their squares, and the overlaps that
the second moment is split into. Every observable is bounded, and says by what.
"""

import math

import torch

from numerics.draws.linear_margin import embeddings_and_margins, failing_fractions
from numerics.expressions import Variable
from numerics.memories import linear
from numerics.memories.facts import replicate_facts
from numerics.observables import Bounded, averaged_over_rivals, picked, rivals
from numerics.random import Stream, replicate_spheres


def margin_observables(
    d: int, N: int, M: int, replicates: int, *, seed: int, start: int = 0, fault: str = ""
) -> dict[str, Bounded]:
    """Per draw, averages over pairs (x, y), y != f(x), of functions of gamma_xy.

    "inside" averages over y in the image of f (needs N >= 2), "outside" over the others (M > N).
    "mean" is gamma, "second" its square, "centred" (gamma - 1)^2, "failure" whether it is <= 0, and
    "cross" what the square has beyond its diagonal,
    gamma^2 - sum_z ((u_f(x) - u_y)^T u_f(z))^2 (e_z^T e_x)^2. The bound: |(u - u')^T u_f(z)| <= 2 and
    |e_z^T e_x| <= 1, so |gamma| <= 2N. `fault` names a slip to make in the weight; twice the weight
    has twice the reach.
    """
    inputs, outputs, gamma = embeddings_and_margins(
        d, N, M, replicates, seed=seed, start=start, fault=fault
    )
    # r draws, x and z inputs, y outputs; f(x) = x.
    overlaps = outputs @ outputs.mT
    keys = (inputs @ inputs.mT) ** 2
    differences = overlaps[:, :N, None, :N] - overlaps[:, None, :, :N]
    diagonal = torch.einsum("rxyz,rxz->rxy", differences**2, keys)
    reach = 2.0 * N * (2.0 if fault == "doubled" else 1.0)
    functions = {
        "mean": (gamma, -reach, reach),
        "second": (gamma**2, 0.0, reach**2),
        "centred": ((gamma - 1) ** 2, 0.0, (reach + 1) ** 2),
        "cross": (gamma**2 - diagonal, -4.0 * N, reach**2),
        # Where y = f(x), which is left out, 1 keeps the margin from being 0.
        "failure": ((gamma + torch.eye(N, M, dtype=gamma.dtype) <= 0).to(gamma.dtype), 0.0, 1.0),
    }
    return averaged_over_rivals(functions, N, M)


def overlap_observables(
    d: int, replicates: int, *, seed: int, start: int = 0
) -> dict[str, Bounded]:
    """Products of the overlaps of four inputs x, a, b, c and four outputs f(x), f(a), f(b), y.

    "signal" (u_f(x) - u_y)^T u_f(x) and its square, "generic" and "coincident" the squares of
    (u_f(x) - u_y)^T u_f(z) for f(z) other than y and equal to it, "key" e_z^T e_x with z != x and
    products of such keys, "triangle" the product of the three keys between a, b and x.
    """
    stream = Stream(seed, "linear-overlaps")
    e, u = replicate_facts(d, 4, 4, replicates, stream=stream, start=start)
    keys = e @ e.mT
    values = u @ u.mT
    x, a, b, c = range(4)
    y = 3
    signal = values[:, x, x] - values[:, y, x]
    generic = torch.stack([values[:, x, z] - values[:, y, z] for z in (a, b)])
    coincident = values[:, x, y] - values[:, y, y]
    near = torch.stack([keys[:, z, x] for z in (a, b, c)])
    return {
        "signal": Bounded(signal, 0.0, 2.0),
        "signal-squared": Bounded(signal**2, 0.0, 4.0),
        "generic-squared": Bounded((generic**2).mean(dim=0), 0.0, 4.0),
        "coincident-squared": Bounded(coincident**2, 0.0, 4.0),
        "key": Bounded(near.mean(dim=0), -1.0, 1.0),
        "key-squared": Bounded((near**2).mean(dim=0), 0.0, 1.0),
        "key-pair": Bounded(near[0] * near[1], -1.0, 1.0),
        "key-square-pair": Bounded(near[0] ** 2 * near[1] ** 2, 0.0, 1.0),
        "key-square-triple": Bounded((near**2).prod(dim=0), 0.0, 1.0),
        "triangle": Bounded(keys[:, a, x] * keys[:, b, x] * keys[:, a, b], -1.0, 1.0),
    }


def coordinate_observables(
    d: int, replicates: int, *, rate: float, seed: int, start: int = 0
) -> dict[str, Bounded]:
    """exp(rate g) and exp(rate t g) for independent first coordinates g, t of unit vectors in R^d."""
    stream = Stream(seed, "coordinates")
    coordinates = replicate_spheres(replicates, 2, d, stream=stream, start=start)[:, :, 0]
    g, t = coordinates.unbind(dim=1)
    low, high = math.exp(-abs(rate)), math.exp(abs(rate))
    return {
        "single": Bounded(torch.exp(rate * g), low, high),
        "product": Bounded(torch.exp(rate * t * g), low, high),
    }


def law_observables(
    d: int, replicates: int, *, beta: float, spread: float, n: int, seed: int, start: int = 0
) -> dict[str, Bounded]:
    """A (1 - beta g) + sqrt(spread A) sum_{j<=n} t_j g'_j, A = 1 - rho: its square, and whether <= 0.

    rho, g, t_j, g'_j are independent first coordinates of unit vectors in R^d.
    """
    stream = Stream(seed, "margin-law")
    rows = 2 + 2 * n
    coordinates = replicate_spheres(replicates, rows, d, stream=stream, start=start)[:, :, 0]
    rho, g = coordinates[:, 0], coordinates[:, 1]
    A = 1 - rho
    noise = (coordinates[:, 2 : 2 + n] * coordinates[:, 2 + n :]).sum(dim=1)
    gamma = A * (1 - beta * g) + torch.sqrt(spread * A) * noise
    reach = 2 * (1 + abs(beta)) + math.sqrt(2 * spread) * n
    return {
        "second": Bounded(gamma**2, 0.0, reach**2),
        "failure": Bounded((gamma <= 0).to(gamma.dtype), 0.0, 1.0),
    }


def tail_observables(
    d: int, N: int, replicates: int, *, cut: float, seed: int, start: int = 0
) -> dict[str, Bounded]:
    """The fraction of pairs with gamma <= 0, whole and cut off at *cut*.

    The cut one has a smaller mean and a far smaller range: it bounds a rare failure from below with
    few draws, the whole one bounds it from above.
    """
    fractions = failing_fractions(d, N, replicates, seed=seed, start=start)
    return {
        "whole": Bounded(fractions, 0.0, 1.0),
        "cut": Bounded(fractions.clamp(max=cut), 0.0, cut),
    }


def margin_variables(
    d: int, N: int, replicates: int, *, seed: int, start: int = 0, step: float | None = None
) -> dict[str, Variable]:
    """Margins gamma_xy ("gamma") and |u_f(x) - u_y| ("length") over the pairs y != f(x), M = N + 1.

    "gamma.inside" and so on over y in the image of f, "gamma.outside" over the other y: each
    (replicates, pairs). With a *step* the margins of W rounded to multiples of it too, "rounded".
    d >= 1, N >= 2, step > 0; InputError otherwise. Bounds: |gamma| <= 2 N, and rounding moves it by
    at most d step.
    """
    M = N + 1
    inputs, outputs, gamma = embeddings_and_margins(d, N, M, replicates, seed=seed, start=start)
    apart = (outputs[:, :N, None] - outputs[:, None]).square().sum(dim=3).sqrt()
    found = {"gamma": (gamma, 2.0 * N), "length": (apart.clamp(max=2.0), 2.0)}
    if step is not None:
        weight = linear.outer_product_weight(inputs, outputs, torch.arange(N))
        scores = linear.apply_weight(torch.round(weight / step) * step, inputs) @ outputs.mT
        rounded = scores.diagonal(dim1=1, dim2=2).unsqueeze(2) - scores
        found["rounded"] = (rounded, 2.0 * N + d * step)
    return {
        f"{name}.{where}": Variable(picked(values, mask), -reach, reach)
        for where, mask in rivals(N, M).items()
        for name, (values, reach) in found.items()
    }
