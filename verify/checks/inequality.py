"""Upper bounds: a quantity below a printed formula, by the sign of the difference and measured.

Exactly: the difference is nonnegative for all sizes, or the sizes where it is not are the
counterexample. Measured: the whole interval lies below the printed bound at sizes near its edge.
"""

from __future__ import annotations

from collections.abc import Sequence

from proofs.algebra import Violation, decide_nonnegative
from proofs.argument import Argument
from verify.checks.argument import conclude
from verify.checks.trial import Case, CaseList, measured, nearest_first
from verify.claim import Claim, Evidence, Printed, Registry, Road
from verify.context import Context
from verify.measure import Sizes, View
from verify.quantities import Quantity
from verify.statistics import AtMost


def bounded_above(
    registry: Registry,
    claim_id: str,
    formula: str,
    quantities: Sequence[Quantity],
    *,
    edge: Sequence[tuple[Quantity, Sizes]],
    scope: str,
    summary: str,
    group: str = "linear samples",
) -> None:
    """Register the checks that each of *quantities* is at most the printed *formula*.

    *edge*: where to measure, close enough to equality that the claim's mutants are contradicted.
    """
    claim = registry[claim_id]

    def same(printed: Printed, other: Printed) -> str | None:
        """A mutant that the printed bound implies is no wrong statement."""
        difference = other[formula].field() - printed[formula].field()
        if all(
            not isinstance(decide_nonnegative(difference, quantity.domain), Violation)
            for quantity in quantities
        ):
            return "it follows: this bound is nowhere below the printed one"
        return None

    @registry.check(claim_id, Road.PROOFS, method="sign of the difference", same=same, builds=True)
    def exact(printed: Printed, context: Context) -> Evidence:
        argument = Argument()
        bound = printed[formula].field()
        for quantity in (quantity.of(context.construction) for quantity in quantities):
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

    def cases(printed: Printed, context: Context) -> CaseList:
        return [
            _case(claim, printed, formula, quantity.of(context.construction), sizes)
            for quantity, sizes in edge
        ]

    measured(registry, claim_id, cases, method="interval", group=group)


def _case(claim: Claim, printed: Printed, formula: str, quantity: Quantity, sizes: Sizes) -> Case:
    def at(formulas: Printed) -> float:
        return float(formulas[formula].field()(**sizes).as_fraction())

    bound = at(printed)
    mutants = {mutant.name: at(mutant.formulas) for mutant in claim.mutants()}
    # A mutant is excluded at the edge where the quantity exceeds it; a larger one is no mutant here.
    lower = {name: value for name, value in mutants.items() if value < at(claim.formulas)}
    neighbours = nearest_first(bound, lower)
    gap = abs(neighbours[0].value - bound) if neighbours else None

    def claimed(view: View) -> AtMost:
        return AtMost(bound)

    return Case(
        quantity.symbol,
        sizes,
        quantity.measured.at(sizes),
        claimed,
        truth=at(claim.formulas),
        gap=gap,
        neighbours=neighbours,
    )
