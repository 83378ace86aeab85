"""The largest values that rounding of weights can reach: extreme instances and random ones.

Serves Corollary 2 of arXiv 2412.06538 (App. B.1), whose proof bounds them one by one.
"""

import torch
from torch import Tensor, arange, float64, full, linspace, sign, tensor, zeros

from numerics.memories import linear
from numerics.memories.linear import LinearMemory
from numerics.memories.quantized import QuantizedMemory
from numerics.random import Stream, replicate_spheres, sample_gaussian, sample_sphere

#: Random instances beside each extreme one.
_DRAWS = 256
#: Side of a matrix of many entries; entries between two multiples of a step.
_SIDE, _PHASES = 16, 32


def largest_entry(d: int, N: int, *, seed: int) -> float:
    """max |W_ij| over random memories and one with all vectors equal to the first axis."""
    stream = Stream(seed, "largest-entry")
    inputs = replicate_spheres(_DRAWS, N, d, stream=stream.child("inputs"))
    outputs = replicate_spheres(_DRAWS, N, d, stream=stream.child("outputs"))
    axis = zeros(1, N, d, dtype=float64)
    axis[..., 0] = 1
    weights = [
        linear.outer_product_weight(e, u, arange(N)) for e, u in ((inputs, outputs), (axis, axis))
    ]
    return max(float(weight.abs().max()) for weight in weights)


def largest_movement(step: float, *, seed: int) -> float:
    """max |W_ij - W~_ij| over random entries and entries halfway between multiples of `step`."""
    random = sample_gaussian(_SIDE, _SIDE, stream=Stream(seed, "largest-movement"))
    halfway = (arange(_SIDE, dtype=float64) + 0.5) * step
    weight = torch.cat([random[1:], halfway.unsqueeze(0)])
    return float((_rounded(weight, step) - weight).abs().max())


def largest_score(d: int, step: float, *, seed: int) -> float:
    """max |u^T D v| over matrices with entries of size `step` and unit vectors in R^d.

    For each pair the signs of D are the worst ones; pairs are random, and one has equal entries.
    """
    pairs = sample_sphere(2 * _DRAWS, d, stream=Stream(seed, "largest-score"))
    equal = full((2, d), d**-0.5, dtype=float64)
    u, v = torch.cat([pairs, equal]).view(_DRAWS + 1, 2, d).unbind(dim=1)
    worst = step * sign(u.unsqueeze(2) * v.unsqueeze(1))
    return float(torch.einsum("bi,bij,bj->b", u, worst, v).abs().max())


def smallest_rounded_margin(d: int, step: float, *, seed: int) -> float:
    """min gamma~ over weights W with gamma >= 1/2, of one fact and one competitor -u_f(x).

    All vectors have equal entries, and so has W, at every phase of the rounding from the least
    entry that gives gamma = 1/2 on; and random W, scaled to gamma = 1/2.
    """
    unit = full((1, d), d**-0.5, dtype=float64)
    memory = LinearMemory(unit, torch.cat([unit, -unit]), tensor([0]))
    phases = 1 / (4 * d) + arange(_PHASES, dtype=float64) * step / _PHASES
    equal = phases.view(-1, 1, 1).expand(-1, d, d)
    random = sample_gaussian(
        d, d, stream=Stream(seed, "smallest-rounded-margin"), replicates=_DRAWS
    )
    random = random * (0.5 / _margins(memory, random)).view(-1, 1, 1)
    return float(_margins(memory, _rounded(torch.cat([equal, random]), step)).min())


def distinct_levels(d: int, N: int) -> int:
    """How many values entries in [-N, N] take after rounding to multiples of 1/(8 d)."""
    side = 16 * N * d
    entries = linspace(-N, N, side * side, dtype=float64).view(side, side)
    return len({*_rounded(entries, 1 / (8 * d)).flatten().tolist()})


def _rounded(weight: Tensor, step: float) -> Tensor:
    """The weights of a `QuantizedMemory` made of square ones `weight` (..., n, n)."""
    vectors = torch.eye(weight.shape[-1], dtype=float64).expand(weight.shape)
    association = arange(weight.shape[-1]).expand(weight.shape[:-1])
    memory = LinearMemory(vectors, vectors, association).with_weight(weight)
    return QuantizedMemory(memory, step=step).weight


def _margins(memory: LinearMemory, weight: Tensor) -> Tensor:
    """The margins of the one fact of `memory` with weights (b, d, d) in place of its own: (b,)."""
    image = linear.apply_weight(weight, memory.inputs)
    return (image @ (memory.outputs[0] - memory.outputs[1])).squeeze(1)
