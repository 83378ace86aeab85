"""Identities: a printed formula against a quantity, exactly in its field and measured by intervals.

One call registers both roads. Exactly: the difference is zero in the field of rational functions, or
the smallest sizes at which it is not are the counterexample; a second exact road enumerates tiny
sizes. Measured: the interval must exclude all mutants and hold the printed value.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from proofs.algebra import RationalFunction
from verify.claim import Claim, Evidence, Printed, Registry, Road
from verify.context import Context
from verify.formula import Formula, FormulaError, Range
from verify.measure import looks
from verify.quantities import Quantity, Sizes
from verify.statistics import Interval
from verify.verdict import Verdict

#: How far beyond its lower end each size is searched for the smallest counterexample.
_SEARCH = 12

#: Where no mutant sets the tolerance, it is the printed value (or one) divided by this.
_PLAIN = 10

Pairs = Mapping[str, Sequence[Quantity]]
Factors = Mapping[str, Quantity]


def identity(
    registry: Registry, claim_id: str, pairs: Pairs, *, factors: Factors | None = None
) -> None:
    """Register the checks that each formula named in *pairs* equals its quantities.

    *factors*: quantities that the printed formulas speak of by name. On the exact side they are
    derived, on the measured side they are measured.
    """
    claim = registry[claim_id]
    named = dict(factors or {})

    def same(left: Printed, right: Printed) -> bool:
        known = {name: quantity.derived.value for name, quantity in named.items()}
        return all(left[name].field(known) == right[name].field(known) for name in pairs)

    @registry.check(claim_id, Road.PROOFS, method="exact identity", same=same)
    def exact(printed: Printed, context: Context) -> Evidence:
        return _exact(printed, pairs, named)

    @registry.check(
        claim_id, Road.NUMERICS, method="interval", seconds=240.0, group="linear samples"
    )
    def interval(printed: Printed, context: Context) -> Evidence:
        return _Measurement(claim, printed, pairs, named, context).evidence()


# -- exact ---------------------------------------------------------------------------------------


def _exact(printed: Printed, pairs: Pairs, factors: Factors) -> Evidence:
    known = {name: quantity.derived.value for name, quantity in factors.items()}
    steps: list[str] = []
    scopes: list[str] = []
    shown: dict[str, str] = {}
    for name, quantities in pairs.items():
        for quantity in quantities:
            derived = quantity.derived
            contradiction = _enumerated_otherwise(quantity, derived.value)
            if contradiction:
                return Evidence(
                    Verdict.CONFLICT,
                    "",
                    f"engine and enumeration disagree on {quantity.name}",
                    detail=contradiction,
                )
            steps += [f"{quantity.symbol}:", *(f"  {step}" for step in derived.derivation)]
            steps.append(f"  printed: {printed[name]}")
            shown[quantity.name] = str(derived.value)
            found = _difference(printed[name].field(known), derived.value, quantity)
            if found is not None:
                steps.append(f"  they differ at {_at(found['at'])}: {found['exact']}, printed {found['printed']}")
                return Evidence(
                    Verdict.REFUTED,
                    "",
                    f"{quantity.symbol}: {found['exact']}, not {found['printed']}, at {_at(found['at'])}",
                    scope=f"counterexample at {_at(found['at'])}",
                    steps=tuple(steps),
                    detail={"derived": shown},
                    counterexample={"quantity": quantity.symbol, **found},
                )
            steps.append("  difference 0 in the field of rational functions")
            scopes.append(derived.scope)
    symbols = ", ".join(dict.fromkeys(q.symbol for qs in pairs.values() for q in qs))
    return Evidence(
        Verdict.PROVED,
        "",
        f"derived exactly, symbolic in the sizes ({len(shown)} quantities)",
        scope="; or ".join(dict.fromkeys(scopes)),
        steps=tuple(steps),
        detail={"derived": shown, "quantities": symbols},
    )


def _enumerated_otherwise(quantity: Quantity, value: RationalFunction) -> dict[str, str] | None:
    """Where enumeration at tiny sizes contradicts the engine, if anywhere."""
    for sizes in quantity.tiny:
        if any(sizes[name] < low for name, low in quantity.domain.items()):
            continue
        engine, enumerated = value(**sizes).as_fraction(), quantity.enumerate(sizes)
        if engine != enumerated:
            return {"at": _at(sizes), "engine": str(engine), "enumeration": str(enumerated)}
    return None


def _difference(
    printed: RationalFunction, exact: RationalFunction, quantity: Quantity
) -> dict[str, object] | None:
    """None if the two are one; otherwise the smallest sizes of the domain that tell them apart."""
    if printed == exact:
        return None
    names = sorted(set(quantity.domain) | set(printed.names))
    for sizes in _by_size(names, quantity.domain):
        right = exact(**sizes).as_fraction()
        try:
            stated = printed(**sizes).as_fraction()
        except ZeroDivisionError:
            return {"at": sizes, "exact": right, "printed": "undefined"}
        if stated != right:
            return {"at": sizes, "exact": right, "printed": stated}
    raise ArithmeticError(f"{printed} and {exact} differ as functions, yet at no size that was tried")


def _by_size(names: Sequence[str], domain: Mapping[str, int]) -> Iterator[dict[str, int]]:
    steps = sorted(itertools.product(range(_SEARCH), repeat=len(names)), key=lambda s: (sum(s), s))
    for offsets in steps:
        yield {n: domain.get(n, 1) + step for n, step in zip(names, offsets, strict=True)}


def _at(sizes: Mapping[str, object]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in sizes.items())


# -- measured ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Case:
    """A formula, a quantity it is printed for, the sizes, and how far off its mutants are there."""

    name: str
    quantity: Quantity
    sizes: Sizes
    gap: Fraction

    def __str__(self) -> str:
        return f"{self.quantity.symbol} at {_at(self.sizes)}"


class _Measurement:
    """One claim measured at all its sizes: the intervals, and what they say of the printed values."""

    def __init__(
        self, claim: Claim, printed: Printed, pairs: Pairs, factors: Factors, context: Context
    ) -> None:
        self.printed, self.factors, self.context = printed, factors, context
        places = [
            (name, quantity, sizes)
            for name, quantities in pairs.items()
            for quantity in quantities
            for sizes in quantity.measured.sizes
        ]
        self.error = context.share / (len(places) * (1 + len(factors)))
        key = ("gaps", claim.id)
        if key not in context.store:
            exact = {name: quantity.derived.value for name, quantity in factors.items()}
            context.store[key] = _gaps(claim, places, exact)
        gaps = context.store[key]
        self.cases = [_Case(*place, gap) for place, gap in zip(places, gaps, strict=True)]

    def evidence(self) -> Evidence:
        """Refuted at the first printed value outside its interval; supported if all are inside
        and every interval is narrower than the distance to the mutants; otherwise inconclusive.
        """
        records: list[dict[str, object]] = []
        steps: list[str] = []
        undecided: list[str] = []
        for case in self.cases:
            found, stated = self._look(case)
            shown = "undefined" if stated is None else _middle(stated)
            steps.append(
                f"{case}: {found} from {found.replicates} draws, printed {shown}, "
                f"nearest mutant at distance {float(case.gap):.3g}"
            )
            records.append(
                {
                    "quantity": case.quantity.symbol,
                    "at": dict(case.sizes),
                    "printed": shown,
                    "interval": [found.low, found.high],
                    "replicates": found.replicates,
                    "tolerance": float(case.gap / 2),
                    "detectable difference": 2 * found.half_width,
                    "error share": self.error,
                }
            )
            if stated is None or found.high < stated[0] or stated[1] < found.low:
                return Evidence(
                    Verdict.REFUTED,
                    "",
                    f"{case} in {found}, printed {shown}",
                    scope=f"measured at {_at(case.sizes)}",
                    steps=tuple(steps),
                    detail={"cases": records},
                    counterexample={
                        "quantity": case.quantity.symbol,
                        "at": dict(case.sizes),
                        "interval": str(found),
                        "printed": shown,
                    },
                )
            farthest = max(Fraction(found.high) - stated[0], stated[1] - Fraction(found.low))
            if farthest > case.gap / 2:
                undecided.append(str(case))
        scope = "measured at " + "; ".join(dict.fromkeys(_at(case.sizes) for case in self.cases))
        if undecided:
            return Evidence(
                Verdict.INCONCLUSIVE,
                "",
                f"the interval is too wide for {undecided[0]}; a larger profile would decide",
                scope=scope,
                steps=tuple(steps),
                detail={"cases": records},
            )
        draws = max(int(str(record["replicates"])) for record in records)
        return Evidence(
            Verdict.SUPPORTED,
            "",
            f"measured in {len(records)} cases, up to {draws} draws",
            scope=scope,
            steps=tuple(steps),
            detail={"cases": records},
        )

    def _look(self, case: _Case) -> tuple[Interval, Range | None]:
        """Look until the interval is well inside the tolerance, or the profile is used up."""
        for look in looks(self.context):
            found = case.quantity.measured.interval(self.context, case.sizes, self.error, look)
            stated = self._stated(case, look)
            width = 0 if stated is None else stated[1] - stated[0]
            if 2 * found.half_width + width <= case.gap / 2:
                break
        return found, stated

    def _stated(self, case: _Case, look: int) -> Range | None:
        """The printed value, or its range if it speaks of measured factors; None if undefined."""
        formula = self.printed[case.name]
        values = {name: (Fraction(size), Fraction(size)) for name, size in case.sizes.items()}
        for name in formula.symbols() & set(self.factors):
            sizes = {"d": case.sizes["d"]}
            measured = self.factors[name].measured
            found = measured.interval(self.context, sizes, self.error, look)
            values[name] = (Fraction(found.low), Fraction(found.high))
        try:
            return formula.interval(values)
        except ZeroDivisionError:
            return None


def _middle(stated: Range) -> float:
    return float(stated[0] + stated[1]) / 2


def _gaps(
    claim: Claim,
    places: Sequence[tuple[str, Quantity, Sizes]],
    factors: Mapping[str, RationalFunction],
) -> list[Fraction]:
    """For each place, the distance to the nearest mutant that this place has to exclude.

    Every mutant is excluded where it stands out most, relative to the printed value. Exact values
    of factors serve to plan the widths here, never to judge.
    """

    def value(formula: Formula, sizes: Sizes) -> Fraction | None:
        try:
            return formula.field(factors)(**sizes).as_fraction()
        except (ZeroDivisionError, FormulaError):
            return None

    gaps: list[list[Fraction]] = [[] for _ in places]
    for mutant in claim.mutants():
        for name in claim.formulas:
            if mutant.formulas[name] == claim.formulas[name]:
                continue
            best: tuple[Fraction, int, Fraction] | None = None
            for position, (place, _, sizes) in enumerate(places):
                if place != name:
                    continue
                stated, wrong = value(claim.formulas[name], sizes), value(mutant.formulas[name], sizes)
                if stated is None or wrong is None or stated == wrong:
                    continue
                gap = abs(wrong - stated)
                relative = gap / max(abs(stated), Fraction(1, 10))
                if best is None or relative > best[0]:
                    best = (relative, position, gap)
            if best is not None:
                gaps[best[1]].append(best[2])
    # A place that no mutant needs (all places, for a claim false as printed) is measured to a tenth.
    tenths = [
        max(abs(value(claim.formulas[name], sizes) or Fraction(1)), Fraction(1)) / _PLAIN
        for name, _, sizes in places
    ]
    return [min(found, default=tenth) for found, tenth in zip(gaps, tenths, strict=True)]
