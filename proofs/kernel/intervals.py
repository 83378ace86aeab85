"""Rules of a symbol that runs over an interval: its lower end alone, and the infimum over all of it."""

from __future__ import annotations

from proofs.kernel.definedness import require, require_defined
from proofs.kernel.regions import Refused
from proofs.kernel.terms import free, inf, substituted
from proofs.kernel.theorem import (
    Compare,
    Concluded,
    Theorem,
    comparison,
    range_alone,
    require_inside,
    rule,
)


@rule
def infimum(theorem: Theorem, name: str) -> Concluded:
    """a <= h(s) for every s of an interval gives a <= inf h(s), over the interval without its ends.

    Only h depends on s, no other range and no hypothesis. That the interval has an inside, and that h is
    not negative there, is what makes the infimum defined.
    """
    found = comparison(theorem, "<=", "<", "=")
    own = range_alone(theorem, name)
    if own.lower is None or own.upper is None:
        raise Refused(f"{own} has not two ends")
    require(not own.whole, f"{name} is whole")
    require(name not in free(found.left), f"{found.left} depends on {name}")
    statement = Compare(found.left, "<=", inf(name, own.lower, own.upper, found.right))
    return Concluded(statement, theorem.region.without(name), (theorem,))


@rule
def closed_below(theorem: Theorem, name: str, end: Theorem) -> Concluded:
    """What holds above the lower end of the range of a symbol, and there, holds from the end on.

    *end*: the statement with the lower end for the symbol.
    """
    found = comparison(theorem, "<=", "<", "=")
    own = range_alone(theorem, name)
    if own.lower is None:
        raise Refused(f"{own} has no lower end")
    region = theorem.region.ending(name, lower=own.lower)
    for side in found.sides:
        require_defined(side, region)
    left, right = (substituted(side, {name: own.lower}) for side in found.sides)
    there = Compare(left, found.relation, right)
    require(comparison(end, "<=", "<", "=").same(there), f"{end.statement} is not {there}")
    require_inside(theorem.region.without(name), end)
    return Concluded(found, region, (theorem, end))
