"""From a memory's name and its options to its construction, with errors that name the option."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proofs.capacity.conditions import read_size
from verify.capacity.construction import Construction
from verify.capacity.linear import LinearConstruction
from verify.capacity.low_rank import LowRankConstruction
from verify.capacity.mlp import MLPConstruction
from verify.capacity.quantized import QuantizedConstruction
from verify.errors import UsageError

MEMORIES = ("linear", "low-rank", "quantized", "mlp", "attention", "attention-mlp")

_CONSTRUCTIONS: dict[str, type[Construction]] = {
    kind.name: kind
    for kind in (LinearConstruction, LowRankConstruction, QuantizedConstruction, MLPConstruction)
}
_ARTICLES = {"mlp": "an MLP"}

#: The numbers of facts and outputs, which every memory has.
NUMBERS = ("N", "M")
#: More facts or outputs than that are not asked for.
LARGEST_NUMBER = 10**12


def construction(memory: str, options: Mapping[str, Any]) -> Construction:
    """The construction of *memory* at the sizes among *options*; N and M are left aside.

    Raises UsageError for an unknown memory, a missing or superfluous size, or sizes out of range.
    """
    if memory not in MEMORIES:
        raise UsageError(f"MEMORY: {memory!r} is not known; take one of {', '.join(MEMORIES)}")
    kind = _CONSTRUCTIONS.get(memory)
    if kind is None:
        available = ", ".join(_CONSTRUCTIONS)
        raise UsageError(f"MEMORY: no condition for {memory!r} yet; available: {available}")
    known = [*kind.needs, *kind.takes, *NUMBERS]
    for name in sorted(set(options) - set(known)):
        raise UsageError(
            f"--{name}: {_ARTICLES.get(memory, f'a {memory}')} memory has no size {name}; "
            f"it has {', '.join(known)}"
        )
    for name, value in options.items():
        most = LARGEST_NUMBER if name in NUMBERS else kind.largest_size
        if isinstance(value, int) and value > most:
            raise UsageError(f"--{name}: {value} is too large; take at most {most}")
    for name, example in kind.needs.items():
        if name not in options:
            raise UsageError(f"--{name}: missing; give {example}")
    try:
        return kind(**{name: value for name, value in options.items() if name not in NUMBERS})
    except ValueError as error:
        raise UsageError(f"--{error}") from None


def read_numbers(options: Mapping[str, Any]) -> tuple[int | None, int | None]:
    """N and M, None where they are left out; UsageError where no injective map fits them."""
    N, M = (options.get(name) for name in NUMBERS)
    try:
        for name, value in zip(NUMBERS, (N, M), strict=True):
            if value is not None:
                read_size(name, value)
    except ValueError as error:
        raise UsageError(f"--{error}") from None
    if N is not None and M is not None and N > M:
        raise UsageError(f"--N: {N} inputs have no injective map into M = {M} outputs; take N <= M")
    return N, M
