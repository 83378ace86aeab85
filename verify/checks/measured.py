"""The measured side of an identity: an interval that holds the printed value and no mutant.

Sizes, replicates and tolerances are planned from the mutants: each is excluded at the sizes where it
stands out most. The plan may use exact values of factors; the judgement never does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from proofs.algebra import RationalFunction
from verify.claim import Claim, Evidence, Printed
from verify.context import Context
from verify.formula import Formula, FormulaError, Range
from verify.measure import looks
from verify.quantities import Factors, Pairs, Quantity, Sizes, in_words
from verify.statistics import Interval
from verify.verdict import Verdict

#: Where no mutant sets the tolerance, it is the printed value (or one) divided by this.
_PLAIN = 10


@dataclass(frozen=True)
class _Case:
    """A formula, a quantity it is printed for, the sizes, and how far off its mutants are there."""

    name: str
    quantity: Quantity
    sizes: Sizes
    gap: Fraction

    def __str__(self) -> str:
        return f"{self.quantity.symbol} at {in_words(self.sizes)}"


class Measurement:
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
                f"{case}: {found} from {found.replicates} draws, printed {_short(shown)}, "
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
                    f"{case} in {found}, printed {_short(shown)}",
                    scope=f"measured at {in_words(case.sizes)}",
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
        scope = "measured at " + "; ".join(
            dict.fromkeys(in_words(case.sizes) for case in self.cases)
        )
        verdict = Verdict.INCONCLUSIVE if undecided else Verdict.SUPPORTED
        draws = max(int(str(record["replicates"])) for record in records)
        summary = f"measured, up to {draws} draws"
        if undecided:
            summary = f"the interval is too wide for {undecided[0]}; a larger profile would decide"
        return Evidence(
            verdict, "", summary, scope=scope, steps=tuple(steps), detail={"cases": records}
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


def _short(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.6g}"


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
                stated, wrong = (
                    value(claim.formulas[name], sizes),
                    value(mutant.formulas[name], sizes),
                )
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
