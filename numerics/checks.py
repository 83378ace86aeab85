"""Argument checks shared by the sampling, memory and decoding modules.

Serves every measurement of the paper: each check raises InputError before any work is done.
"""

import torch
from torch import Tensor

from numerics.errors import InputError

FLOAT_DTYPES = (torch.float32, torch.float64)


def check_integer(name: str, value: int, *, minimum: int, maximum: int | None = None) -> None:
    """Raise InputError unless `value` is an int (not a bool) with minimum <= value <= maximum."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputError(f"{name} = {value!r} is not an integer: pass a plain int")
    if value < minimum:
        raise InputError(f"{name} = {value} is too small: pass an int of at least {minimum}")
    if maximum is not None and value > maximum:
        raise InputError(f"{name} = {value} is too large: pass an int of at most {maximum}")


def check_float_dtype(name: str, dtype: torch.dtype) -> None:
    """Raise InputError unless `dtype` is float32 or float64, the precisions with proved bounds."""
    if dtype not in FLOAT_DTYPES:
        raise InputError(f"{name} = {dtype} is unsupported: use torch.float32 or torch.float64")


def check_matrix(name: str, matrix: Tensor) -> None:
    """Raise InputError unless `matrix` is a float32 or float64 (rows >= 1, d >= 1) matrix."""
    if matrix.dim() != 2 or 0 in matrix.shape:
        raise InputError(
            f"{name} has shape {tuple(matrix.shape)}: pass a matrix (rows, d), rows >= 1, d >= 1"
        )
    check_float_dtype(f"the dtype of {name}", matrix.dtype)


def check_rows(name: str, rows: Tensor) -> None:
    """Raise InputError unless `rows` are float32 or float64 rows (..., rows >= 1, d >= 1)."""
    if rows.dim() < 2 or 0 in rows.shape[-2:]:
        raise InputError(
            f"{name} has shape {tuple(rows.shape)}: pass rows (..., rows, d), rows >= 1, d >= 1"
        )
    check_float_dtype(f"the dtype of {name}", rows.dtype)


def check_like(name: str, tensor: Tensor, mine: Tensor) -> None:
    """Raise InputError unless `tensor` has the shape, dtype and device of `mine`."""
    if (tensor.shape, tensor.dtype, tensor.device) != (mine.shape, mine.dtype, mine.device):
        raise InputError(
            f"{name} is {tuple(tensor.shape)}, {tensor.dtype}, on {tensor.device}: "
            f"pass {tuple(mine.shape)}, {mine.dtype}, on {mine.device}"
        )


def check_finite_rows(name: str, matrix: Tensor) -> None:
    """Raise InputError naming the first row of `matrix` (..., rows, d) that holds a NaN or infinity."""
    bad_rows = torch.nonzero(~torch.isfinite(matrix).all(dim=-1))
    if len(bad_rows):
        *first, row = bad_rows[0].tolist()
        of = f" of memory {', '.join(map(str, first))}" if first else ""
        raise InputError(
            f"{name}: row {row}{of} holds a NaN or an infinity "
            f"({len(bad_rows)} such rows): remove or repair those rows"
        )
