"""Factorizations, on the CPU: what a library finds otherwise depends on the device.

Serves frames and keys, which then are the same bits wherever the memory or transformer lies that is made
of them.
"""

import torch
from torch import Tensor


def qr(matrix: Tensor) -> tuple[Tensor, Tensor]:
    """Q (..., d, k) and R (..., k, n) of a float32 or float64 matrix (..., d, n), k = min(d, n).

    Signs are those that LAPACK leaves; both factors lie where the matrix does.
    """
    factors = torch.linalg.qr(matrix.cpu())
    left, right = (factor.to(matrix.device) for factor in factors)
    return left, right
