"""What a derivation returns: the formula in the caller's symbols, where it holds, and how it came.

Every public function of ``proofs`` that derives a formula returns a Derived.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy

from proofs.algebra import ExactnessError, RationalFunction


@dataclass(frozen=True)
class Step:
    """One line of a derivation: what is done, and what it gives."""

    text: str
    formula: RationalFunction | None = None

    def __str__(self) -> str:
        return self.text if self.formula is None else f"{self.text} = {self.formula}"


@dataclass(frozen=True)
class Derived:
    """An exact formula with its scope and derivation.

    ``value`` is the element of the field of rational functions, ``expr`` the same in SymPy and in
    the symbols of the caller, ``scope`` says in words for which sizes it holds.
    """

    value: RationalFunction
    scope: str
    derivation: tuple[Step, ...]
    symbols: Mapping[str, sympy.Symbol]

    @property
    def expr(self) -> sympy.Expr:
        return self.value.to_sympy(self.symbols)

    def latex(self) -> str:
        """The formula for a paper."""
        return str(sympy.latex(self.expr))

    def __call__(self, **sizes: Any) -> RationalFunction:
        """The formula at explicit sizes (or other field elements)."""
        return self.value(**sizes)

    def __str__(self) -> str:
        return f"{self.value}   ({self.scope})"


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
