"""What is known of the arithmetic: a dot-product error factor, and full-precision products.

Serves every recall count: a fact counts as recalled only where rounding cannot have decided it.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor

from numerics.errors import InputError

# Bounds are themselves evaluated in float64, with a relative error of at most about
# (d^2 + 10) * 2**-53; this factor keeps them bounds for every d up to a million.
BOUND_SLACK = 1.0 + 2.0**-10
#: Lengths that are found without scaling, for up to 2**100 entries.
_PLAIN = 2.0**-400, 2.0**400


def dot_error_factor(d: int, dtype: torch.dtype) -> float:
    """gamma_d = d*u / (1 - d*u), u half the machine epsilon of `dtype`.

    |fl(a.b) - a.b| <= gamma_d * |a|.|b| for vectors of d entries, whatever the order of the
    additions and with or without fused multiply-adds, short of underflow. d >= 1; InputError
    where d*u > 1/16, beyond which the factor says little.
    Source: Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., Sec. 3.1.
    """
    growth = d * torch.finfo(dtype).eps / 2
    if growth > 1 / 16:
        raise InputError(f"d = {d} is too large for bounds in {dtype}: use torch.float64")
    return growth / (1 - growth)


def lengths(rows: Tensor) -> Tensor:
    """The 2-norms (...,), float64, of `rows` (..., d), d >= 1: to about d units of its rounding.

    Rows are scaled first, so that no square underflows or overflows and a bound made of them does
    not vanish: an entry of 1e-170 has the square 0. NaN for rows that are not finite. On a CPU, where
    it costs nothing to look, rows that need no scaling are not scaled.
    """
    exact = rows.detach().double()
    if exact.device.type == "cpu":
        plain: Tensor = torch.linalg.vector_norm(exact, dim=-1)
        # Squares that underflow are then less than a unit in the last place of the sum, all together.
        if ((plain > _PLAIN[0]) & (plain < _PLAIN[1])).all():
            return plain
    largest = exact.abs().amax(dim=-1)
    scaled = exact / torch.where(largest > 0, largest, 1.0).unsqueeze(-1)
    found: Tensor = largest * torch.linalg.vector_norm(scaled, dim=-1)
    return found


@contextmanager
def full_precision_products() -> Iterator[None]:
    """Keep float32 products in IEEE float32 inside the block (no TF32 or bfloat16), then restore.

    The error factor above holds only then. Needs torch >= 2.9 (per-backend fp32_precision).
    """
    # torch's stubs know only the first of the two.
    mkldnn_matmul = torch.backends.mkldnn.matmul  # type: ignore[attr-defined]
    backends = (torch.backends.cuda.matmul, mkldnn_matmul)
    previous = [backend.fp32_precision for backend in backends]
    try:
        for backend in backends:
            backend.fp32_precision = "ieee"
        yield
    finally:
        for backend, precision in zip(backends, previous, strict=True):
            backend.fp32_precision = precision
