"""Indices drawn with given weights, from uniform numbers.

Serves Sec. 4.1 of arXiv 2412.06538: the distribution p over facts, and skewed tables of answers.
"""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from numerics.errors import InputError


def checked_weights(weights: Tensor | Sequence[float], count: int) -> NDArray[np.float64]:
    """`weights` as float64 (count,), scaled to a largest weight of 1.

    InputError unless there are `count` finite numbers >= 0, not all zero.
    """
    try:
        values = torch.as_tensor(weights, dtype=torch.float64).detach().cpu().numpy()
    except (TypeError, ValueError, RuntimeError, OverflowError):
        raise InputError(
            f"weights of type {type(weights).__name__} are not numbers: "
            f"pass {count}, one for each fact"
        ) from None
    if values.shape != (count,):
        raise InputError(
            f"weights has shape {values.shape}: pass {count} numbers, one for each fact"
        )
    bad = np.flatnonzero(~(np.isfinite(values) & (values >= 0)))
    if len(bad):
        raise InputError(
            f"weights[{bad[0]}] = {values[bad[0]]} is no weight: pass finite numbers >= 0"
        )
    if not values.any():
        raise InputError("weights are all zero: give at least one fact a weight above 0")
    # Only ratios matter, and scaled like this the sum cannot overflow.
    scaled: NDArray[np.float64] = values / values.max()
    return scaled


def cumulated(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Cumulated probabilities (n,) of weights (n,) >= 0, not all zero; the last one is exactly 1."""
    sums: NDArray[np.float64] = np.cumsum(weights)
    sums /= sums[-1]
    return sums


def drawn(cumulative: NDArray[np.float64], uniform: NDArray[np.float64]) -> NDArray[np.int64]:
    """One index for each uniform number in [0, 1): never one of weight zero."""
    return np.searchsorted(cumulative, uniform, side="right").astype(np.int64)
