"""Identities: printed formulas against quantities, exactly in their field and measured by intervals.

One call registers both roads; ``exactly`` and ``measured`` do the work.
"""

from __future__ import annotations

from verify.checks import exactly
from verify.checks.measured import Measurement
from verify.claim import Evidence, Printed, Registry, Road
from verify.context import Context
from verify.quantities import Factors, Pairs


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
        return exactly.compare(printed, pairs, named)

    @registry.check(
        claim_id, Road.NUMERICS, method="interval", seconds=240.0, group="linear samples"
    )
    def interval(printed: Printed, context: Context) -> Evidence:
        return Measurement(claim, printed, pairs, named, context).evidence()
