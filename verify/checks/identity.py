"""Identities: printed formulas against quantities, exactly in their field and measured by intervals.

One call registers both roads; ``exactly`` and ``measured`` do the work.
"""

from __future__ import annotations

from collections.abc import Callable

from verify.checks import exactly
from verify.checks.measured import Tolerances, identity_cases
from verify.checks.trial import measured
from verify.claim import Cases, Evidence, Mutant, Printed, Registry, Road
from verify.measuring.context import Context
from verify.measuring.quantities import Factors, Pairs
from verify.verdict import Verdict


def identity(
    registry: Registry,
    claim_id: str,
    pairs: Pairs | Callable[[Printed], Pairs],
    *,
    factors: Factors | None = None,
    tolerances: Tolerances | None = None,
    group: str = "linear samples",
) -> None:
    """Register the checks that each formula named in *pairs* equals its quantities.

    Which quantities these are may depend on what is printed, such as the parity of a degree.
    *factors*: quantities that the printed formulas speak of by name. On the exact side they are
    derived, on the measured side they are measured. *tolerances*: how far a measurement may
    stray, where it is not left to the mutants.
    """
    claim = registry[claim_id]
    # The checks of a line that is false as printed are planned to tell its correction from the
    # correction's mutants.
    false = claim.recorded is Verdict.REFUTED and claim.correction in registry
    source = registry[claim.correction] if false and claim.correction else claim
    # What is printed is then one of the wrong statements.
    wrong = [*source.mutants(), *([Mutant("as printed", claim.formulas)] if false else [])]
    named = dict(factors or {})

    def of(printed: Printed) -> Pairs:
        return pairs(printed) if callable(pairs) else pairs

    def same(printed: Printed, other: Printed) -> str | None:
        known = {name: quantity.derived.value for name, quantity in named.items()}
        here = of(printed)
        if any(printed[name] != other[name] for name in printed if name not in here):
            return None  # nothing is said of a formula that is checked elsewhere
        if all(
            printed[name].field({**known, **quantity.names})
            == other[name].field({**known, **quantity.names})
            for name, quantities in here.items()
            for quantity in quantities
        ):
            return "the difference is 0 in the field of rational functions"
        return None

    @registry.check(claim_id, Road.PROOFS, method="exact identity", same=same, builds=True)
    def exact(printed: Printed, context: Context) -> Evidence:
        return exactly.compare(printed, of(printed), named, context.construction)

    def cases(printed: Printed, context: Context) -> Cases:
        return identity_cases(source, wrong, printed, of(printed), named, context, tolerances or {})

    measured(registry, claim_id, cases, method="interval", group=group)
