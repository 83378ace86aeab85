"""What a derivation returns: the formula in the caller's symbols, where it holds, and how it came.

Every public function of ``proofs`` that derives a formula returns a Derived.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import lcm, prod
from typing import Any, Protocol

import sympy

from proofs.algebra import Leading, RationalFunction, Regime, leading, regimes
from proofs.algebra.symbols import total

_ONE = RationalFunction.constant(1)


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
    exists; where *integer* is False, a number of at least *low*. Nothing is asked where *unless* is
    given and 0. *what* says which size it is."""

    size: RationalFunction
    low: int
    integer: bool = True
    unless: RationalFunction | None = None
    what: str = field(default="a size or count", compare=False)

    def admits(self, value: Fraction) -> bool:
        """Whether the size may have this value."""
        return value >= self.low and (value.denominator == 1 or not self.integer)

    def refused(self, sizes: Mapping[str, Any]) -> str:
        """What is wrong at these sizes, in words; empty where nothing is, or that stays open.

        A pole is no size.
        """
        if self.unless is not None and self.unless(**sizes) == 0:
            return ""
        try:
            value = self.size(**sizes)
        except ZeroDivisionError:
            return f"{self.size} has a pole"
        if value.names or value.radicals or self.admits(value.as_fraction()):
            return ""
        whole = " is no integer" * (value.as_fraction() >= self.low)
        return f"{self.size} = {value}{whole}"

    def at(self, values: Mapping[str, Any]) -> Bound:
        """The bound with some symbols replaced by their values."""
        unless = None if self.unless is None else self.unless(**values)
        return replace(self, size=self.size(**values), unless=unless)

    @property
    def kind(self) -> str:
        """What the size must be."""
        return f"{'an integer' if self.integer else 'a number'} >= {self.low}"

    @property
    def names(self) -> set[str]:
        """The symbols that it speaks of."""
        return {*self.size.names, *(self.unless.names if self.unless is not None else ())}

    def __str__(self) -> str:
        unless = "" if self.unless is None else f" unless {self.unless.factored()} = 0"
        return f"{self.size} >= {self.low}{unless}"

    @staticmethod
    def text(bounds: Sequence[Bound]) -> str:
        """The bounds that say something, each size once, sorted; then which sizes are integers
        besides."""
        lows: dict[tuple[str, str, str], Fraction] = {}
        whole: list[str] = []
        for bound in bounds:
            if bound.size.names and not bound.size.denominator.names:
                # N - 2 >= 0 reads N >= 2, 2 - N >= 0 reads N <= 2, and d/2 >= 1/2 reads d >= 1.
                terms = bound.size.coefficients()
                constant = terms.pop((0,) * len(bound.size.names), Fraction(0))
                turned = max(terms.values()) < 0
                scale = max(map(abs, terms.values())) * (-1 if turned else 1)
                size, low = (bound.size - constant) / scale, (bound.low - constant) / scale
                unless = (
                    f" unless {bound.unless.factored()} = 0" if bound.unless is not None else ""
                )
                key = (str(size), "<=" if turned else ">=", unless)
                nearer = min if turned else max
                lows[key] = nearer(low, lows.get(key, low))
                if bound.integer:
                    whole += _divisibility(bound.size)
        lines = (f"{size} {sign} {low}{rest}" for (size, sign, rest), low in lows.items())
        return ", ".join([*sorted(lines, key=_reading_order), *dict.fromkeys(whole)])


def _reading_order(line: str) -> str:
    return line.partition("=")[0][:-2].casefold()


def _divisibility(size: RationalFunction) -> list[str]:
    """That a polynomial with fractions as coefficients is an integer, in words, if it has any."""
    powers = {p: c for p, c in size.coefficients().items() if c.denominator > 1}
    if not powers:
        return []
    symbols = [RationalFunction.symbol(name) for name in size.names]
    whole = lcm(*(c.denominator for c in powers.values()))
    sign = 1 if next(iter(powers.values())) > 0 else -1
    top = str(
        total(
            prod((s**n for s, n in zip(symbols, p, strict=True)), start=_ONE) * (c * whole * sign)
            for p, c in powers.items()
        )
    )
    return [f"{f'({top})' if ' ' in top else top}/{whole} an integer"]


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

    def within(self, bounds: Sequence[Bound]) -> Derived:
        """The same for fewer sizes: those that fulfil *bounds* besides."""
        said = self.scope.removeprefix(Bound.text(self.domain)).removeprefix("; ")
        domain = (*self.domain, *bounds)
        scope = "; ".join(part for part in (Bound.text(domain), said) if part)
        return replace(self, domain=domain, scope=scope)

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
            wrong = bound.refused(sizes)
            if wrong:
                at = ", ".join(f"{name}={value}" for name, value in sizes.items())
                raise ValueError(
                    f"{bound} is needed, {wrong} at {at}; the formula holds for {self.scope}"
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
