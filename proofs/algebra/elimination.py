"""What linear conditions say of some symbols, whatever the others are: Fourier's elimination."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

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
        below: list[RationalFunction] = []
        above: list[RationalFunction] = []
        kept: list[RationalFunction] = []
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


#: A linear condition: the numbers before symbols, by name, and a constant; their sum is nonnegative.
Line: TypeAlias = tuple[Mapping[str, Fraction], Fraction]
_Line: TypeAlias = tuple[tuple[tuple[str, Fraction], ...], Fraction]


def impossible(lines: Sequence[Line]) -> bool:
    """Whether linear conditions contradict each other: no real numbers fulfil them all."""
    if all(min(slopes.values(), default=constant) >= 0 for slopes, constant in lines):
        return False  # large numbers do
    left = {(tuple(sorted(slopes.items())), constant) for slopes, constant in lines}
    while True:
        if any(not slopes and constant < 0 for slopes, constant in left):
            return True
        signs = {(name, slope > 0) for slopes, _ in left for name, slope in slopes}
        # A symbol that nothing bounds on one side can have any value beyond.
        idle = {name for name, above in signs if (name, not above) not in signs}
        if idle:
            left = {line for line in left if not any(name in idle for name, _ in line[0])}
        elif signs:
            left = _without(left, min(signs)[0])
        else:
            return False


def _without(lines: set[_Line], name: str) -> set[_Line]:
    """Lines without a symbol that follow from these."""
    found, sides = set(), {True: list[_Line](), False: list[_Line]()}
    for line in lines:
        slope = dict(line[0]).get(name)
        if slope is None:
            found.add(line)
        else:
            scaled = tuple((n, v / abs(slope)) for n, v in line[0] if n != name)
            sides[slope > 0].append((scaled, line[1] / abs(slope)))
    for (low, below), (high, above) in itertools.product(sides[True], sides[False]):
        slopes = dict(low)
        for other, value in high:
            slopes[other] = slopes.get(other, Fraction(0)) + value
        found.add((tuple(sorted((n, v) for n, v in slopes.items() if v)), below + above))
    return found


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
