"""The measured side of an identity: an interval that holds the printed value and no mutant.

Sizes and tolerances are planned from the mutants: each is excluded where it stands out most. The
plan may use exact values of factors; the judgement never does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from proofs.algebra import RationalFunction
from verify.checks.trial import Case, nearest_first
from verify.claim import Claim, Printed
from verify.context import Context
from verify.errors import UsageError
from verify.formula import Formula, FormulaError
from verify.measure import Sizes, View
from verify.quantities import Factors, Pairs, Quantity, formula_for, in_words
from verify.statistics import UNDEFINED, UNKNOWN, Between, Claimed

#: The part of the distance to the nearest mutant that a measurement may stray.
_PART = Fraction(3, 4)
#: Where no mutant sets the tolerance, it is the printed value (or one) divided by this.
_PLAIN = 20

#: Absolute tolerances by the name of a formula; where there is none, the mutants set it.
Tolerances = Mapping[str, Fraction]


@dataclass
class _Place:
    """A formula, a quantity it is printed for, and sizes; what its mutants are there."""

    name: str
    quantity: Quantity
    sizes: Sizes
    mutants: dict[str, Fraction] = field(default_factory=dict)
    gap: Fraction | None = None


def identity_cases(
    source: Claim,
    printed: Printed,
    pairs: Pairs,
    factors: Factors,
    context: Context,
    tolerances: Tolerances,
) -> list[Case]:
    """One case for each formula, each quantity it is printed for, and each of its sizes.

    The mutants of *source* are to be excluded: the claim itself, or its correction. Raises
    UsageError for a tolerance that does not exclude a mutant.
    """
    key = ("places", source.id, *pairs)
    if key not in context.store:
        context.store[key] = _places(source, pairs, factors)
    cases = []
    for place in context.store[key]:
        formula = formula_for(printed, place.name, place.quantity)
        tolerance = _tolerance(place, formula, tolerances)
        true = formula_for(source.formulas, place.name, place.quantity)
        stated = _value(true, place.sizes, _exact(factors))
        cases.append(
            Case(
                place.quantity.symbol,
                place.sizes,
                place.quantity.of(context.construction).measured.at(place.sizes),
                _claimed(formula, place.sizes, factors, float(tolerance)),
                truth=float(stated or 0),
                gap=None if place.gap is None else float(place.gap),
                neighbours=nearest_first(
                    float(stated or 0), {name: float(v) for name, v in place.mutants.items()}
                ),
                parts=1 + len(factors),
            )
        )
    return cases


def _tolerance(place: _Place, formula: Formula, tolerances: Tolerances) -> Fraction:
    given = tolerances.get(place.name)
    if given is None:
        if place.gap is not None:
            return _PART * place.gap
        # A place that no mutant needs (all of them, for a claim false as printed).
        return max(abs(_value(formula, place.sizes, {}) or Fraction(1)), Fraction(1)) / _PLAIN
    for mutant, value in place.mutants.items():
        distance = abs(value - (_value(formula, place.sizes, {}) or Fraction(0)))
        if 0 < distance <= given:
            raise UsageError(
                f"tolerance: {float(given):g} for {place.quantity.symbol} at "
                f"{in_words(place.sizes)} does not exclude the mutant {mutant!r} at distance "
                f"{float(distance):.3g}; take less, or sizes where it is farther"
            )
    return given


def _claimed(
    formula: Formula, sizes: Sizes, factors: Factors, tolerance: float
) -> Callable[[View], Claimed]:
    """The printed value, or its range if it speaks of measured factors."""
    named = formula.symbols() & set(factors)

    def claimed(view: View) -> Claimed:
        values = {name: (Fraction(size), Fraction(size)) for name, size in sizes.items()}
        for name in named:
            measured = factors[name].measured
            found = view.interval(measured.at({"d": sizes["d"]}))
            values[name] = (Fraction(found.low), Fraction(found.high))
        try:
            low, high = formula.interval(values)
        except ZeroDivisionError:
            return UNKNOWN if named else UNDEFINED
        return Between(float(low), float(high), tolerance)

    return claimed


def _exact(factors: Factors) -> dict[str, RationalFunction]:
    return {name: quantity.derived.value for name, quantity in factors.items()}


def _value(
    formula: Formula, sizes: Sizes, factors: Mapping[str, RationalFunction]
) -> Fraction | None:
    try:
        return formula.field(factors)(**sizes).as_fraction()
    except (ZeroDivisionError, FormulaError, ValueError):
        return None


def _places(source: Claim, pairs: Pairs, factors: Factors) -> Sequence[_Place]:
    """Where the claim is measured, each place with the mutants of *source* there.

    Every mutant is excluded where it stands out most, relative to the stated value: it narrows
    the gap of that place alone. Exact values of factors serve to plan, never to judge.
    """
    exact = _exact(factors)
    places = [
        _Place(name, quantity, sizes)
        for name, quantities in pairs.items()
        for quantity in quantities
        for sizes in quantity.measured.sizes
    ]
    for mutant in source.mutants():
        best: tuple[Fraction, Fraction, _Place] | None = None
        for place in places:
            stated, wrong = (
                _value(formula_for(formulas, place.name, place.quantity), place.sizes, exact)
                for formulas in (source.formulas, mutant.formulas)
            )
            if stated is None or wrong is None or stated == wrong:
                continue
            place.mutants[mutant.name] = wrong
            gap = abs(wrong - stated)
            relative = gap / max(abs(stated), Fraction(1, 10))
            if best is None or relative > best[0]:
                best = (relative, gap, place)
        if best is not None:
            _, gap, place = best
            place.gap = gap if place.gap is None else min(place.gap, gap)
    return places
