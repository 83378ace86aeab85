"""Argument checks shared by the sampling, memory and decoding modules.

Serves every measurement of the paper: each check raises InputError before any work is done.
"""

import errno
import os
import re
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import torch
from torch import Tensor

from numerics.errors import InputError

FLOAT_DTYPES = (torch.float32, torch.float64)
#: The largest size that torch can be asked for.
LARGEST_SIZE = 2**63 - 1
#: Where Linux says what it can put aside beside its main memory.
_MEMINFO = Path("/proc/meminfo")


def check_integer(name: str, value: int, *, minimum: int, maximum: int = LARGEST_SIZE) -> None:
    """Raise InputError unless `value` is an int (not a bool) with minimum <= value <= maximum."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputError(f"{name} = {value!r} is not an integer: pass a plain int")
    if value < minimum:
        raise InputError(f"{name} = {value} is too small: pass an int of at least {minimum}")
    if value > maximum:
        raise InputError(f"{name} = {value} is too large: pass an int of at most {maximum}")


def check_kind(name: str, value: object, kind: type | tuple[type, ...], remedy: str) -> None:
    """Raise InputError unless `value` is of the kind; remedy: what to pass."""
    if not isinstance(value, kind):
        raise InputError(f"{name} is a {type(value).__name__}: pass {remedy}")


def check_choice(name: str, value: object, choices: Sequence[str]) -> None:
    """Raise InputError unless `value` is one of the words `choices`."""
    if not isinstance(value, str) or value not in choices:
        raise InputError(f"{name} = {value!r} is not known: take one of {', '.join(choices)}")


def check_names(name: str, value: object) -> None:
    """Raise InputError unless `value` is a list or a tuple of strings."""
    if isinstance(value, str):
        raise InputError(f"{name} = {value!r} is one name: pass a list of names")
    if not isinstance(value, Sequence) or not all(isinstance(one, str) for one in value):
        raise InputError(f"{name} = {value!r} is no list of names: pass one, its items strings")


def checked_device(device: torch.device | str) -> torch.device:
    """The device; InputError for one that torch does not know or does not find here."""
    try:
        found = torch.device(device)
    except (RuntimeError, TypeError):
        raise InputError(f"device = {device!r} is none that torch knows: use cpu or cuda") from None
    if found.type == "cuda" and not torch.cuda.is_available():
        raise InputError(f"device = {str(found)!r}, but torch finds no CUDA device: use cpu")
    if found.type == "cuda" and 0 < torch.cuda.device_count() <= (found.index or 0):
        raise InputError(f"device = {str(found)!r}, but torch finds no such card: use cuda or cpu")
    return found


def file_content(path: Path) -> bytes:
    """The bytes of a file; OSError also for a pipe or a device, which could be waited for always."""
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise OSError(errno.EINVAL, "it is a pipe or a device, not a file", str(path))
    return path.read_bytes()


@contextmanager
def fitting(what: str) -> Iterator[None]:
    """InputError that names `what` where the block asks for more than the memory of the machine."""
    try:
        yield
    except (InputError, torch.OutOfMemoryError):  # of a card: who draws many draws fewer then
        raise
    except (MemoryError, RuntimeError, ValueError) as error:
        raise InputError(f"{what} do not fit into the memory: ask for fewer") from error


def device_memory(device: torch.device) -> int | None:
    """The bytes that a device can hold, all in all; None where nobody says so, and for "meta"."""
    if device.type == "cuda":
        return int(torch.cuda.mem_get_info(device)[1])
    if device.type != "cpu":
        return None
    try:
        main = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None
    try:
        aside = re.search(r"^SwapTotal:\s*(\d+) kB$", _MEMINFO.read_text(encoding="utf-8"), re.M)
    except OSError:
        aside = None
    return main + (1024 * int(aside[1]) if aside else 0)


def check_room(what: str, needed: int, device: torch.device) -> None:
    """Raise InputError where `what`, of so many bytes, cannot be in the memory of the device."""
    there = device_memory(device)
    if there is not None and needed > there:
        raise InputError(
            f"{what} take {needed / 2**30:.4g} GiB and do not fit into the memory of {device}, "
            f"{there / 2**30:.4g} GiB: ask for fewer"
        )


def check_tensor(name: str, value: object) -> None:
    """Raise InputError unless `value` is a torch tensor."""
    if not isinstance(value, Tensor):
        raise InputError(
            f"{name} is a {type(value).__name__}: pass a torch tensor, as torch.as_tensor makes one"
        )


def check_there(name: str, tensor: Tensor) -> None:
    """Raise InputError for a tensor on the device meta, which has a shape and no entries."""
    if tensor.device.type == "meta":
        raise InputError(
            f"{name} lies on the device meta, without entries: pass one on cpu or cuda"
        )


def check_float_dtype(name: str, dtype: torch.dtype) -> None:
    """Raise InputError unless `dtype` is float32 or float64, the precisions with proved bounds."""
    if not isinstance(dtype, torch.dtype) or dtype not in FLOAT_DTYPES:
        raise InputError(f"{name} = {dtype} is unsupported: use torch.float32 or torch.float64")


def check_matrix(name: str, matrix: Tensor) -> None:
    """Raise InputError unless `matrix` is a float32 or float64 (rows >= 1, d >= 1) matrix."""
    check_tensor(name, matrix)
    if matrix.dim() != 2 or 0 in matrix.shape:
        raise InputError(
            f"{name} has shape {tuple(matrix.shape)}: pass a matrix (rows, d), rows >= 1, d >= 1"
        )
    check_float_dtype(f"the dtype of {name}", matrix.dtype)


def check_rows(name: str, rows: Tensor) -> None:
    """Raise InputError unless `rows` are float32 or float64 rows (..., rows >= 1, d >= 1)."""
    check_tensor(name, rows)
    if rows.dim() < 2 or 0 in rows.shape[-2:]:
        raise InputError(
            f"{name} has shape {tuple(rows.shape)}: pass rows (..., rows, d), rows >= 1, d >= 1"
        )
    check_float_dtype(f"the dtype of {name}", rows.dtype)


def check_vectors(vectors: Tensor, mine: Tensor) -> None:
    """Raise InputError unless `vectors` (..., b, d), b >= 0, can be asked of a memory of rows `mine`.

    They are float32 or float64, have as many entries as those, lie on the same device, and of many
    memories are as many, or one batch for all.
    """
    check_tensor("vectors", vectors)
    d = mine.shape[-1]
    if vectors.dim() < 2 or vectors.shape[-1] != d:
        raise InputError(f"vectors have shape {tuple(vectors.shape)}: pass rows (..., b, {d})")
    check_float_dtype("the dtype of vectors", vectors.dtype)
    if vectors.device != mine.device:
        raise InputError(
            f"vectors lie on {vectors.device}: move them to {mine.device}, where the memory is"
        )
    asked, memories = vectors.shape[:-2], mine.shape[:-2]
    if any(a != b and 1 not in (a, b) for a, b in zip(asked[::-1], memories[::-1], strict=False)):
        raise InputError(
            f"vectors have shape {tuple(vectors.shape)}: for {tuple(memories)} memories pass "
            f"({', '.join(map(str, memories))}, b, {d}), or (b, {d}) for all"
        )


def check_like(name: str, tensor: Tensor, mine: Tensor) -> None:
    """Raise InputError unless `tensor` has the shape, dtype and device of `mine`."""
    check_tensor(name, tensor)
    if (tensor.shape, tensor.dtype, tensor.device) != (mine.shape, mine.dtype, mine.device):
        raise InputError(
            f"{name} is {tuple(tensor.shape)}, {tensor.dtype}, on {tensor.device}: "
            f"pass {tuple(mine.shape)}, {mine.dtype}, on {mine.device}"
        )


def check_finite_rows(name: str, matrix: Tensor) -> None:
    """Raise InputError naming the first row of `matrix` (..., rows, d) that holds a NaN or infinity."""
    check_there(name, matrix)
    # A sum is not finite where an entry is not; where it overflows, the entries decide.
    if torch.isfinite(matrix.sum()):
        return
    bad_rows = torch.nonzero(~torch.isfinite(matrix).all(dim=-1))
    if len(bad_rows):
        *first, row = bad_rows[0].tolist()
        of = f" of memory {', '.join(map(str, first))}" if first else ""
        raise InputError(
            f"{name}: row {row}{of} holds a NaN or an infinity "
            f"({len(bad_rows)} such rows): remove or repair those rows"
        )
