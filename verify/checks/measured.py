"""The measured side of an identity: an interval that holds the printed value and no mutant.

The tolerance comes from the mutants: at every size each that differs there is excluded. It may use exact
values; what is measured is compared with what is printed and measured.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from proofs.algebra import RationalFunction
from proofs.algebra.balls import enclosure
from verify.claim import Claim, Mutant, Printed
from verify.errors import UsageError
from verify.measuring.case import Case, Neighbour, nearest_first
from verify.measuring.context import Context
from verify.measuring.measure import Sizes, View
from verify.measuring.quantities import Factors, Pairs, Quantity, formula_for, in_words
from verify.printed.formula import Formula, FormulaError
from verify.statistics import UNDEFINED, UNKNOWN, Between, Claimed

#: The part of the distance to the nearest mutant that a measurement may stray.
_PART = Fraction(3, 4)
#: Where there is no mutant at all, the part of the printed value (or of one) that it may stray.
_PLAIN = Fraction(1, 20)

#: Absolute tolerances by the name of a formula; where there is none, the mutants set it.
Tolerances = Mapping[str, Fraction]


@dataclass
class _Place:
    """A formula, a quantity it is printed for, and sizes; the values that it and its mutants have
    there, and the distance to the nearest mutant that differs. Once asked for, these stay."""

    name: str
    quantity: Quantity
    sizes: Sizes
    stated: Fraction | None
    mutants: dict[str, Fraction] = field(default_factory=dict)

    def distance(self, mutant: str) -> Fraction:
        """How far the mutant is off; 0 where it cannot be told from the statement."""
        if self.stated is None or mutant not in self.mutants:
            return Fraction(0)
        return abs(self.mutants[mutant] - self.stated)

    @cached_property
    def gap(self) -> Fraction | None:
        return min(filter(None, map(self.distance, self.mutants)), default=None)

    @cached_property
    def neighbours(self) -> tuple[Neighbour, ...]:
        """The mutants, those nearest to the statement first."""
        values = {name: float(value) for name, value in self.mutants.items()}
        return nearest_first(float(self.stated or 0), values)


def identity_cases(
    source: Claim,
    wrong: Sequence[Mutant],
    printed: Printed,
    pairs: Pairs,
    factors: Factors,
    context: Context,
    tolerances: Tolerances,
) -> list[Case]:
    """The cases that tell *printed* from the *wrong* statements, as planned for those of *source*.

    Raises UsageError for a tolerance that does not exclude a mutant, and for sizes at which a
    mutant cannot be told from the statement.
    """
    # By the pairs themselves: a false line and its correction are measured at their own sizes.
    key = ("places", source.id, *((name, q.name) for name, qs in pairs.items() for q in qs))
    cases = []
    for place in context.once(key, lambda: _places(source, wrong, pairs, factors)):
        formula = formula_for(printed, place.name, place.quantity)
        stated = float(place.stated or 0)
        cases.append(
            Case(
                place.quantity.symbol,
                place.sizes,
                place.quantity.of(context.construction).measured.at(place.sizes),
                _claimed(
                    formula,
                    place.quantity,
                    place.sizes,
                    factors,
                    float(_tolerance(place, tolerances)),
                ),
                truth=stated,
                gap=None if place.gap is None else float(place.gap),
                neighbours=place.neighbours,
                parts=1 + len(factors),
            )
        )
    return cases


def _tolerance(place: _Place, tolerances: Tolerances) -> Fraction:
    given = tolerances.get(place.name)
    if given is None:
        # A place has no mutant to exclude only where its formula has none at all.
        return _PLAIN * abs(place.stated or Fraction(1)) if place.gap is None else _PART * place.gap
    for mutant in place.mutants:
        distance = place.distance(mutant)
        if 0 < distance <= given:
            raise UsageError(
                f"tolerance: {float(given):g} for {place.quantity.symbol} at "
                f"{in_words(place.sizes)} does not exclude the mutant {mutant!r} at distance "
                f"{float(distance):.3g}; take less, or sizes where it is farther"
            )
    return given


def _claimed(
    formula: Formula, quantity: Quantity, sizes: Sizes, factors: Factors, tolerance: float
) -> Callable[[View], Claimed]:
    """The printed value, or its range if it speaks of measured factors."""
    named = formula.symbols() & set(factors)
    at: dict[str, int | Fraction] = {**sizes, **quantity.parameters}
    known = {name: (Fraction(size), Fraction(size)) for name, size in sizes.items()}
    known |= {name: enclosure(value(**at)) for name, value in quantity.names.items()}

    def between(values: Mapping[str, tuple[Fraction, Fraction]]) -> Claimed:
        try:
            low, high = formula.interval({**known, **values})
        except ZeroDivisionError:
            return UNKNOWN if named else UNDEFINED
        return Between(float(low), float(high), tolerance)

    def measured(name: str, view: View) -> tuple[Fraction, Fraction]:
        other = factors[name].measured
        found = view.interval(other.at({size: sizes[size] for size in other.sizes[0]}))
        return Fraction(found.low), Fraction(found.high)

    if named:
        return lambda view: between({name: measured(name, view) for name in named})
    settled = between({})
    return lambda _: settled


def _exact(factors: Factors) -> dict[str, RationalFunction]:
    return {name: quantity.derived.value for name, quantity in factors.items()}


def _value(
    formula: Formula, quantity: Quantity, sizes: Sizes, factors: Mapping[str, RationalFunction]
) -> Fraction | None:
    try:
        names = {**factors, **quantity.names}
        return formula.between(names, **sizes, **quantity.parameters)[0]
    except (ZeroDivisionError, FormulaError, ValueError):
        return None


def _places(source: Claim, wrong: Sequence[Mutant], pairs: Pairs, factors: Factors) -> list[_Place]:
    """Where the claim is measured, each place with all mutants that differ there.

    Exact values of factors serve to find the tolerances; what is measured is compared with
    measured factors.
    """
    exact = _exact(factors)
    places = []
    for name, quantities in pairs.items():
        for quantity in quantities:
            for sizes in quantity.measured.sizes:
                formula = formula_for(source.formulas, name, quantity)
                place = _Place(name, quantity, sizes, _value(formula, quantity, sizes, exact))
                for mutant in wrong:
                    other = formula_for(mutant.formulas, name, quantity)
                    value = _value(other, quantity, sizes, exact)
                    # A value that is not defined is nothing that could be measured.
                    if value is not None:
                        place.mutants[mutant.name] = value
                places.append(place)
    for mutant in wrong:
        unseen = not any(
            place.distance(mutant.name) or mutant.name not in place.mutants for place in places
        )
        if unseen and _differs(source, mutant, pairs, exact):
            raise UsageError(
                f"sizes: the mutant {mutant.name!r} of {source.id} cannot be told from the statement "
                "at any of them; add other sizes"
            )
    return places


def _differs(
    source: Claim, mutant: Mutant, pairs: Pairs, exact: Mapping[str, RationalFunction]
) -> bool:
    """Whether some formula that is measured is another function in the mutant."""
    try:
        return any(
            formula_for(mutant.formulas, name, quantity).field({**exact, **quantity.names})
            != formula_for(source.formulas, name, quantity).field({**exact, **quantity.names})
            for name, quantities in pairs.items()
            for quantity in quantities
        )
    except (ZeroDivisionError, FormulaError):
        return False  # no statement at all
