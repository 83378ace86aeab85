"""Upper bounds: a quantity below a printed formula, by the sign of the difference and measured.

Exactly: the difference is nonnegative for all sizes, or the sizes where it is not are the
counterexample. Measured: the whole interval lies below the printed bound at sizes near its edge.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from proofs.algebra import Violation, decide_nonnegative
from proofs.argument import Argument
from verify.checks.argument import conclude
from verify.claim import Evidence, Printed, Registry, Road
from verify.context import Context
from verify.measure import looks
from verify.quantities import Quantity, Sizes, in_words
from verify.statistics import Interval
from verify.verdict import Verdict


def bounded_above(
    registry: Registry,
    claim_id: str,
    formula: str,
    quantities: Sequence[Quantity],
    *,
    edge: Sequence[tuple[Quantity, Sizes]],
    scope: str,
    summary: str,
) -> None:
    """Register the checks that each of *quantities* is at most the printed *formula*.

    *edge*: where to measure, close enough to equality that the claim's mutants are contradicted.
    """

    @registry.check(claim_id, Road.PROOFS, method="sign of the difference")
    def exact(printed: Printed, context: Context) -> Evidence:
        argument = Argument()
        bound = printed[formula].field()
        for quantity in quantities:
            value = quantity.derived.value
            decided = decide_nonnegative(bound - value, quantity.domain)
            if isinstance(decided, Violation):
                at = dict(decided.at)
                counterexample = {
                    "quantity": quantity.symbol,
                    "at": at,
                    "exact": value(**at).as_fraction(),
                    "printed": bound(**at).as_fraction(),
                }
                return conclude(argument, scope="", summary="", counterexample=counterexample)
            argument.nonnegative(
                f"{quantity.symbol}: {bound} - {value}", bound - value, quantity.domain
            )
        return conclude(argument, scope=scope, summary=summary)

    @registry.check(
        claim_id, Road.NUMERICS, method="interval", seconds=240.0, group="linear samples"
    )
    def measured(printed: Printed, context: Context) -> Evidence:
        return _measured(printed, formula, edge, context)


def _measured(
    printed: Printed, formula: str, edge: Sequence[tuple[Quantity, Sizes]], context: Context
) -> Evidence:
    bound = printed[formula].field()
    cases = [
        Case(
            quantity.symbol,
            sizes,
            partial(quantity.measured.interval, context, sizes),
            float(bound(**sizes).as_fraction()),
        )
        for quantity, sizes in edge
    ]
    return measured_below(cases, context)


@dataclass(frozen=True)
class Case:
    """A measured quantity, (error, look) to its interval, and what it should not exceed."""

    symbol: str
    sizes: Sizes
    interval: Callable[[float, int], Interval]
    bound: float


def measured_below(cases: Sequence[Case], context: Context) -> Evidence:
    """Supported if every interval lies below its bound; refuted where one surely lies above."""
    steps: list[str] = []
    records: list[dict[str, object]] = []
    error = context.share / len(cases)
    verdict, summary = Verdict.SUPPORTED, f"measured below the bound in {len(cases)} cases"
    for case in cases:
        for look in looks(context):
            found = case.interval(error, look)
            if found.excludes(case.bound):
                break
        steps.append(
            f"{case.symbol} at {in_words(case.sizes)}: {found} from {found.replicates} draws, "
            f"bound {case.bound:.6g}"
        )
        records.append(
            {
                "quantity": case.symbol,
                "at": dict(case.sizes),
                "printed": case.bound,
                "interval": [found.low, found.high],
                "replicates": found.replicates,
                "detectable difference": 2 * found.half_width,
                "error share": error,
            }
        )
        if found.low > case.bound:
            verdict, summary = Verdict.REFUTED, steps[-1]
            break
        if found.high > case.bound:
            verdict, summary = Verdict.INCONCLUSIVE, f"too wide: {steps[-1]}"
            break
    return Evidence(
        verdict,
        "",
        summary,
        scope="measured at " + "; ".join(dict.fromkeys(in_words(c.sizes) for c in cases)),
        steps=tuple(steps),
        detail={"cases": records},
        counterexample={"case": steps[-1]} if verdict is Verdict.REFUTED else None,
    )
