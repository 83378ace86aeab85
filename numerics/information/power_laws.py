"""Power laws in float64. Serves Corollary 1."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def powers(N: int, alpha: float) -> Floats:
    """x^-alpha for x = 1, ..., N."""
    found: Floats = np.arange(1, N + 1, dtype=np.float64) ** -alpha
    return found


def power_law(N: int, alpha: float) -> Floats:
    """p(x) proportional to x^-alpha on [N]; alpha = 0 is uniform."""
    weights = powers(N, alpha)
    law: Floats = weights / weights.sum()
    return law


def tail(k: int, n: int, alpha: float) -> float:
    """sum_{x=k}^n p(x)."""
    return float(power_law(n, alpha)[k - 1 :].sum())
