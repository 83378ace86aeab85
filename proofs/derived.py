"""What a derivation returns: the formula in the caller's symbols, where it holds, and how it came.

Every public function of ``proofs`` that derives a formula returns a Derived.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

import sympy

from proofs.algebra import Leading, RationalFunction, Regime, leading, regimes
from proofs.algebra.symbols import total


@dataclass(frozen=True)
class Step:
    """One line of a derivation: what is done, and what it gives."""

    text: str
    formula: RationalFunction | None = None
    #: Whether the formula is one summand of what the derivation adds up.
    is_summand: bool = False

    @property
    def value(self) -> RationalFunction:
        """The formula; ValueError for a step that is only text."""
        if self.formula is None:
            raise ValueError(f"the step {self.text!r} has no formula")
        return self.formula

    def __str__(self) -> str:
        return self.text if self.formula is None else f"{self.text} = {self.formula}"


@dataclass(frozen=True)
class Bound:
    """A size that must be an integer of at least *low* for the formula to speak of something that
    exists; where *integer* is False, a number of at least *low*."""

    size: RationalFunction
    low: int
    integer: bool = True

    def admits(self, value: Fraction) -> bool:
        """Whether the size may have this value."""
        return value >= self.low and (value.denominator == 1 or not self.integer)

    @property
    def kind(self) -> str:
        """What the size must be."""
        return f"{'an integer' if self.integer else 'a number'} >= {self.low}"

    def __str__(self) -> str:
        return f"{self.size} >= {self.low}"

    @staticmethod
    def text(bounds: Sequence[Bound]) -> str:
        """The bounds that say something, each size once, sorted."""
        lows: dict[str, Fraction] = {}
        for bound in bounds:
            if bound.size.names and not bound.size.denominator.names:
                # N - 2 >= 0 reads N >= 2, and d/2 >= 1/2 reads d >= 1.
                terms = bound.size.coefficients()
                constant = terms.pop((0,) * len(bound.size.names), Fraction(0))
                scale = max(map(abs, terms.values()))
                name, low = str((bound.size - constant) / scale), (bound.low - constant) / scale
                lows[name] = max(low, lows.get(name, low))
        names = sorted(lows, key=str.casefold)
        return ", ".join(f"{name} >= {lows[name]}" for name in names)


class Record(Protocol):
    """The whole computation as data, which ``proofs.replay`` confirms."""

    def to_json(self) -> str:
        """The record as JSON text."""


@dataclass(frozen=True, eq=False, repr=False)
class Derived:
    """An exact formula with its scope and derivation.

    ``value`` is the element of the field of rational functions, ``expr`` the same in SymPy and in
    the symbols of the caller, ``scope`` says in words for which sizes it holds, ``domain`` the
    bounds on sizes among it, ``record`` the whole computation for a replay.
    """

    value: RationalFunction
    scope: str
    derivation: tuple[Step, ...]
    symbols: Mapping[str, sympy.Symbol]
    domain: tuple[Bound, ...] = ()
    record: Record | None = None

    @property
    def expr(self) -> sympy.Expr:
        return self.value.to_sympy(self.symbols)

    def factored(self) -> str:
        """The formula with numerator and denominator factored."""
        return self.value.factored()

    def expanded(self) -> str:
        """The formula with numerator and denominator expanded."""
        return self.value.expanded()

    def latex(self, *, factored: bool = False) -> str:
        """The formula for a paper."""
        return str(sympy.latex(self.value.to_sympy(self.symbols, factored=factored)))

    def leading(self, **exponents: int | Fraction) -> Leading:
        """The leading order as the sizes grow like powers of one parameter t: ``d=1, N=2``."""
        for name in exponents:
            self._check_name(name)
        return leading(self.value, exponents)

    def regimes(self, size: Any, against: Any) -> tuple[Regime, ...]:
        """The leading orders as *size* ~ against^a, for every a > 0: ``regimes("d", "N")``.

        Names or symbols; ValueError for one that is none of the formula's sizes.
        """
        self._check_name(str(size))
        self._check_name(str(against))
        return regimes(self.value, str(size), str(against))

    @property
    def sizes(self) -> set[str]:
        """The sizes that the formula or its domain speaks of."""
        return {*self.value.names, *self.symbols, *(n for b in self.domain for n in b.size.names)}

    def _check_name(self, name: str) -> None:
        if name not in self.sizes:
            raise ValueError(f"{name}: no such size; there are {', '.join(sorted(self.sizes))}")

    def source(self, part: Any) -> tuple[Step, ...]:
        """Where a part of the formula comes from: the fewest steps of the derivation that add up to
        it, at most three.

        *part* is a formula in the symbols of ``value``. Raises ValueError, with what the steps do
        contribute, where none do.
        """
        wanted = RationalFunction.of(part, "part")
        steps = [step for step in self.derivation if step.formula is not None and step.is_summand]
        for size in (1, 2, 3):
            for chosen in itertools.combinations(steps, size):
                if total(s.value for s in chosen) == wanted:
                    return chosen
        listed = "\n".join(f"  {step}" for step in steps)
        raise ValueError(f"part: no three steps add up to {wanted}; the steps are\n{listed}")

    def __call__(self, **sizes: Any) -> RationalFunction:
        """The formula at explicit sizes (or other field elements).

        Raises ValueError for sizes outside the domain.
        """
        if self.record is not None:
            for name in sizes:
                self._check_name(name)
        for bound in self.domain:
            try:
                size = bound.size(**sizes)
            except ZeroDivisionError:
                size = RationalFunction.constant(bound.low - 1)
            if not size.names and not bound.admits(size.as_fraction()):
                raise ValueError(
                    f"{bound} is needed, {bound.size} = {size}"
                    f"{' is no integer' * (size.as_fraction() >= bound.low)} at "
                    f"{', '.join(f'{name}={value}' for name, value in sizes.items())}; "
                    f"the formula holds for {self.scope}"
                )
        return self.value(**sizes)

    def __eq__(self, other: object) -> bool:
        """Whether the formula is *other*, a number, symbol or formula: decided in the field."""
        if isinstance(other, Derived):
            return self.value == other.value
        return self.value == RationalFunction.of(other)

    def __hash__(self) -> int:
        return hash(self.value)

    def __str__(self) -> str:
        return f"{self.value}   ({self.scope})" if self.scope else str(self.value)

    def __repr__(self) -> str:
        return f"Derived({self})"

    def _repr_latex_(self) -> str:
        return f"${self.latex(factored=True)}$"
