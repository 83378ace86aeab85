"""Which program draws values where.

Serves all draws: the programs give the same bits, so the choice is one of speed alone.
"""

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Protocol, cast

import torch
from torch import Tensor

from numerics.checks import checked_device
from numerics.compiling import compiled, numba_is_there
from numerics.errors import InputError
from numerics.random.law import Box

#: So many values are drawn by the reference while a compiled program is loaded, about a second: who has
#: drawn them already, or asks for them at once, gets that program from then on.
_WORTH_LOADING = 2**23


class Program(Protocol):
    """What a module of this package that draws offers."""

    def words(self, box: Box, device: torch.device) -> Tensor:
        """The words of a box, as int64 with the same bits: (replicates, rows, d) on the device."""

    def fill(self, box: Box, out: Tensor, *, unit: bool) -> None:
        """Writes the normal values of a box to out (replicates, rows, d), float64, contiguous.

        unit: each row divided by its length.
        """


def program_name(device: torch.device | str) -> str:
    """The program for many values on a device: "compiled" or "reference", "fused" or "tensors".

    The first of each pair wherever what compiles it is installed: numba, Triton. Raises InputError for a
    device of another type than "cpu", "cuda" and "meta", and for one that is not there.
    """
    kind = checked_device(device).type
    if kind == "cpu":
        return "compiled" if numba_is_there() else "reference"
    if kind == "cuda":
        return "fused" if triton_is_there() else "tensors"
    if kind == "meta":
        return "tensors"
    raise InputError(f"device = {kind!r} is not known to round float64 alike: use cpu or cuda")


def program(device: torch.device, values: int) -> Program:
    """The program that draws so many values on a device; InputError as for `program_name`."""
    name = program_name(device)
    if name == "compiled":
        _drawn.values += values
        if _drawn.values < _WORTH_LOADING:
            return _module("reference")
        return cast(Program, compiled("numerics.random.compiled") or _module("reference"))
    return _module(name)


def _module(name: str) -> Program:
    return cast(Program, import_module(f"numerics.random.{name}"))


@dataclass
class _Drawn:
    """How many values this process has drawn on a CPU."""

    values: int = 0


_drawn = _Drawn()


@cache
def triton_is_there() -> bool:
    """Whether a kernel for a CUDA device can be compiled; ROCm's rounding was not looked at."""
    return find_spec("triton") is not None and torch.version.hip is None
