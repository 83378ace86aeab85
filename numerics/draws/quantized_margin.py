"""Failures of the quantised linear memory over independent draws of all embeddings.

Serves Corollary 2 of arXiv 2412.06538 (App. B.1): the chance of imperfect recall with rounded weights.
"""

from functools import partial

import torch

from numerics.draws.counting import failing
from numerics.memories.quantized import QuantizedMemory
from numerics.observables import Event
from numerics.random import Stream


def failures(
    d: int,
    N: int,
    M: int,
    replicates: int,
    *,
    seed: int,
    start: int = 0,
    name: str = "quantized-failures",
    device: torch.device | str = "cpu",
    step: float | None = None,
    bits: int | None = None,
    fault: str = "",
) -> Event:
    """Whether each of `replicates` independent memories fails to recall one of its N facts.

    Each is a linear memory whose weight is rounded as `QuantizedMemory` says, with exactly one
    of step and bits. Draw number start + i depends on that number alone, so long runs can be
    split and joined; the embeddings of a draw are those of `linear_margin.failures` under the
    same name. `device` is where products are made; `fault` names a slip to make in the weight
    before it is rounded. d >= 1, 1 <= N <= M, replicates, start >= 0; InputError otherwise.
    """

    draw = partial(QuantizedMemory.sample, d, N, M, step=step, bits=bits, fault=fault)
    return failing(draw, replicates, stream=Stream(seed, name), start=start, device=device)
