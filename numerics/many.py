"""Recall of many memories of one size at once: which keep all their facts, which lose one.

Serves Sec. 3 of arXiv 2412.06538 (the chance of imperfect recall): on a card one small memory at a time
leaves it idle, and on a CPU the calls take longer than the products.
"""

import math

import torch
from torch import Tensor

from numerics.decoding import score_error
from numerics.memories.base import Memory
from numerics.rounding import full_precision_products, lengths

#: A margin decides for every device that holds the same memory where it is so many times its bound:
#: the margins that two of them find differ by no more than both their bounds, and a bound by its own
#: rounding.
_SURELY = 3


@torch.no_grad()
def margins_of(memory: Memory, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """The margin of each fact of many memories and its bound, float64 (r, N); NaN where unknown.

    memory: inputs (r, N, d), outputs (r, M, d), association (N,) or (r, N). Scores are computed in
    `dtype`, images in float64; what is said of both is what `recall` says. Nothing waits for the device.
    """
    vectors = memory.inputs.double()
    with full_precision_products():
        images = memory.apply(vectors).to(dtype)
        outputs = memory.outputs.to(dtype)
        scores = images @ outputs.mT
    targets = memory.association.expand(scores.shape[:-1]).unsqueeze(-1)
    target = scores.gather(-1, targets).squeeze(-1)
    best = scores.scatter_(-1, targets, -math.inf).amax(dim=-1)
    sizes, largest = lengths(images), lengths(outputs).amax(dim=-1, keepdim=True)
    bounds = score_error(largest, sizes, memory.apply_error(vectors), outputs.shape[-1], dtype)
    # A partial sum that could overflow may leave any score infinite: nothing is known of such rows.
    known = largest * sizes < torch.finfo(dtype).max / 2
    return torch.where(known, target.double() - best.double(), math.nan), bounds


@torch.no_grad()
def decided(memory: Memory, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """Which of many memories surely recall all their facts, and which surely lose one: two masks (r,).

    memory, dtype: as for `margins_of`. The decision of `recall` is the same wherever one is taken here:
    every margin is positive by three times its bound, or one is negative beyond it. Nothing waits for
    the device.
    """
    margins, bounds = margins_of(memory, dtype)
    return (margins > _SURELY * bounds).all(dim=-1), (margins < -bounds).any(dim=-1)
