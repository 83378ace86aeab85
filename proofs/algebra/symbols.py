"""Symbols by name: those of the field, with its 0 and 1, and the SymPy symbols of a caller."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import sympy

from proofs.algebra.errors import ExactnessError
from proofs.algebra.field import RationalFunction

ZERO, ONE = RationalFunction.constant(0), RationalFunction.constant(1)


def symbols(names: str) -> list[RationalFunction]:
    """Symbols of the field, from names between spaces."""
    return [RationalFunction.symbol(name) for name in names.split()]


def total(terms: Iterable[RationalFunction]) -> RationalFunction:
    """The sum, 0 of nothing."""
    return sum(terms, ZERO)


def inner(left: Sequence[RationalFunction], right: Sequence[RationalFunction]) -> RationalFunction:
    """The inner product of two vectors."""
    return total(a * b for a, b in zip(left, right, strict=True))


def image(
    rows: Sequence[Sequence[RationalFunction]], vector: Sequence[RationalFunction]
) -> list[RationalFunction]:
    """The matrix with these rows, times the vector."""
    return [inner(row, vector) for row in rows]


def caller_symbols(*arguments: Any) -> dict[str, sympy.Symbol]:
    """The SymPy symbols in the arguments of a call, by name.

    Raises ExactnessError for two different symbols that share a name.
    """
    found: dict[str, sympy.Symbol] = {}
    for argument in arguments:
        if isinstance(argument, sympy.Basic):
            for symbol in argument.free_symbols:
                if found.setdefault(symbol.name, symbol) != symbol:
                    raise ExactnessError(
                        f"two symbols are called {symbol.name!r} but differ in their assumptions; "
                        "use one of them throughout"
                    )
    return found
