"""What linear conditions say of some symbols, whatever the others are: Fourier's elimination."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from proofs.algebra.field import RationalFunction


def eliminated(
    conditions: Iterable[RationalFunction], names: Iterable[str]
) -> list[RationalFunction]:
    """What must be nonnegative so that real values of *names* exist with all *conditions* >= 0.

    Each name is taken out in turn, by adding what bounds it below to what bounds it above. A
    condition that is not linear in a name, with a number before it, says nothing any more.
    """
    left = list(dict.fromkeys(conditions))
    for name in names:
        below, above, kept = [], [], []
        for condition in left:
            slope = _slope(condition, name)
            if slope is None:
                continue
            if slope == 0:
                kept.append(condition)
            else:
                (below if slope > 0 else above).append(condition / abs(slope))
        left = list(dict.fromkeys([*kept, *(low + high for low in below for high in above)]))
    return left


def impossible(conditions: Iterable[RationalFunction]) -> bool:
    """Whether linear *conditions* >= 0 are decided to contradict each other."""
    left = list(dict.fromkeys(conditions))
    names = sorted({name for condition in left for name in condition.names})
    return any(
        not c.names and not c.radicals and c.as_fraction() < 0 for c in eliminated(left, names)
    )


def _slope(condition: RationalFunction, name: str) -> Fraction | None:
    """The number before a symbol in a condition that is linear in it; None if it is not."""
    if name not in condition.names:
        return Fraction(0)
    if name in condition.denominator.names:
        return None
    start = condition(**{name: 0})
    slope = condition(**{name: 1}) - start
    if slope.names or slope.radicals:
        return None
    linear = condition == start + slope * RationalFunction.symbol(name)
    return slope.as_fraction() if linear else None
