"""Upper bounds: a quantity below a printed formula, by the sign of the difference and measured.

Exactly: the difference is nonnegative for all sizes, or the sizes where it is not are the
counterexample. Measured: the whole interval lies below the printed bound at sizes near its edge, and
above the bounds that are known to be too small.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from proofs.algebra import RationalFunction, Violation, decide_nonnegative
from proofs.algebra.balls import enclosure
from proofs.argument import Argument, searching
from proofs.attacks import require_refusals
from verify.checks.argument import conclude
from verify.checks.exactly import by_size
from verify.checks.trial import measured
from verify.claim import Cases, Claim, Evidence, Mutant, Printed, Registry, Road
from verify.errors import UsageError
from verify.measuring.case import Case, nearest_first
from verify.measuring.context import Context
from verify.measuring.measure import Sizes
from verify.measuring.quantities import Quantity, in_words
from verify.printed.formula import Formula
from verify.statistics import AtMost
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
    group: str = "linear samples",
) -> None:
    """Register the checks that each of *quantities* is at most the printed *formula*.

    *edge*: where to measure, close enough to equality that the claim's mutants are contradicted.
    """
    claim = registry[claim_id]
    # A line that is false as printed is planned to tell its correction from the mutants.
    false = claim.recorded is Verdict.REFUTED and claim.correction in registry
    source = registry[claim.correction] if false and claim.correction else claim

    def same(printed: Printed, other: Printed) -> str | None:
        """A mutant that the printed bound implies is no wrong statement."""
        if any(printed[name] != other[name] for name in printed if name != formula):
            return None  # nothing is said of a formula that is checked elsewhere
        require_refusals()
        if all(
            not isinstance(
                decide_nonnegative(
                    other[formula].field(quantity.names) - printed[formula].field(quantity.names),
                    _domain(quantity),
                    beside=quantity.box.conditions,
                ),
                Violation,
            )
            for quantity in quantities
        ):
            return "it follows: this bound is nowhere below the printed one"
        return None

    @registry.check(claim_id, Road.PROOFS, method="sign of the difference", same=same, builds=True)
    def exact(printed: Printed, context: Context) -> Evidence:
        argument = Argument()
        for quantity in (quantity.of(context.construction) for quantity in quantities):
            value, bound = quantity.derived.value, printed[formula].field(quantity.names)
            beside = quantity.box.conditions
            decided = decide_nonnegative(bound - value, _domain(quantity), beside=beside)
            if isinstance(decided, Violation) and searching():
                found = _smallest(printed[formula], quantities) or (quantity, dict(decided.at))
                quantity, at = found
                if not quantity.admits(at):
                    return Evidence(
                        Verdict.INCONCLUSIVE,
                        "",
                        f"{quantity.symbol}: above the bound at {in_words(at)}, where there is no "
                        "such thing; nowhere else that was tried",
                    )
                value, bound = quantity.derived.value, printed[formula].field(quantity.names)
                counterexample = {
                    "quantity": quantity.symbol,
                    "at": at,
                    "exact": value(**at).as_fraction(),
                    "printed": bound(**at).as_fraction(),
                }
                return conclude(argument.refute(counterexample))
            argument.nonnegative(
                f"{quantity.symbol}: {bound} - {value}",
                bound - value,
                _domain(quantity),
                beside=beside,
            )
        return conclude(argument, scope=scope, summary=summary)

    def cases(printed: Printed, context: Context) -> Cases:
        def planned() -> list[dict[str, float]]:
            # What the printed bound implies is set aside: no measurement could exclude it.
            wrong = [m for m in registry.mutants(claim_id) if not m.construction]
            return _excluded(claim, wrong, formula, edge)

        each = context.once(("edges", claim_id), planned)
        return [
            _case(source, printed, formula, quantity.of(context.construction), sizes, excluded)
            for (quantity, sizes), excluded in zip(edge, each, strict=True)
        ]

    measured(registry, claim_id, cases, method="interval", group=group)


def _smallest(
    formula: Formula, quantities: Sequence[Quantity]
) -> tuple[Quantity, dict[str, int | Fraction]] | None:
    """The quantity and the smallest sizes at which it exists and exceeds the bound, the parameters
    being 1; None if there are none near the lower ends."""
    best: tuple[Quantity, dict[str, int | Fraction]] | None = None
    for quantity in quantities:
        value, bound = quantity.derived.value, formula.field(quantity.names)
        excess = (value - bound)(**dict.fromkeys(quantity.parameters, 1))
        if excess.radicals:
            continue
        for sizes in by_size(sorted(quantity.domain), quantity.domain):
            if best is not None and sum(sizes.values()) >= sum(best[1][n] for n in quantity.domain):
                break
            if quantity.admits(sizes) and excess(**sizes).as_fraction() > 0:
                occurring = {n for n in quantity.parameters if n in (value - bound).names}
                best = quantity, {**sizes, **dict.fromkeys(occurring, 1)}
                break
    return best


def _domain(quantity: Quantity) -> dict[str, int]:
    """The lower ends of the sizes, and 0 for parameters: the value must not depend on their signs."""
    value = quantity.derived.value
    for name in quantity.parameters:
        if value(**{name: -RationalFunction.symbol(name)}) != value:
            raise ValueError(f"parameters: the sign of {name} matters for {quantity.symbol}")
    return {**quantity.domain, **dict.fromkeys(quantity.parameters, 0)}


def _at(printed: Printed, formula: str, quantity: Quantity, sizes: Sizes) -> float:
    return float(printed[formula].between(quantity.names, **sizes, **quantity.parameters)[0])


def _excluded(
    claim: Claim,
    wrong: Sequence[Mutant],
    formula: str,
    edge: Sequence[tuple[Quantity, Sizes]],
) -> list[dict[str, float]]:
    """The mutants that each edge has to exclude, with their bounds: where the quantity exceeds a
    mutant most, relative to itself. Exact values serve to plan; raises UsageError for a mutant that
    no edge excludes.
    """
    exact = [float(enclosure(q.derived.value(**sizes, **q.parameters))[1]) for q, sizes in edge]
    found: list[dict[str, float]] = [{} for _ in edge]
    for mutant in wrong:
        bounds = [_at(mutant.formulas, formula, *place) for place in edge]
        best = max(range(len(edge)), key=lambda i: 1 - bounds[i] / exact[i])
        if bounds[best] >= exact[best]:
            raise UsageError(
                f"edge: the mutant {mutant.name!r} of {claim.id} is not exceeded at any of the sizes; "
                "add sizes nearer to equality"
            )
        found[best][mutant.name] = bounds[best]
    return found


def _case(
    source: Claim,
    printed: Printed,
    formula: str,
    quantity: Quantity,
    sizes: Sizes,
    excluded: dict[str, float],
) -> Case:
    bound, truth = (_at(p, formula, quantity, sizes) for p in (printed, source.formulas))
    floor = max(excluded.values(), default=-math.inf)

    return Case(
        quantity.symbol,
        sizes,
        quantity.measured.at(sizes),
        AtMost(bound, floor),
        truth=truth,
        gap=truth - floor if excluded else None,
        neighbours=nearest_first(truth, excluded),
    )
