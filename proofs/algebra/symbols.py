"""The SymPy symbols of a caller, by name: the field itself knows only names."""

from __future__ import annotations

from typing import Any

import sympy

from proofs.algebra.errors import ExactnessError


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
