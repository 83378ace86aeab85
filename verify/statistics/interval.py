"""Confidence intervals, and intervals for what is computed from several of them.

A combination holds whenever all its parts hold, so their errors add up and nothing else is assumed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Interval:
    """A confidence interval [low, high] around an estimate from *replicates* independent draws.

    *error*: the probability that it misses, at most. Raises ValueError where the ends are NaN or
    the wrong way round.
    """

    low: float
    high: float
    estimate: float
    replicates: int
    error: float

    def __post_init__(self) -> None:
        if not self.low <= self.high:
            raise ValueError(f"low, high: [{self.low}, {self.high}] is no interval")

    @property
    def half_width(self) -> float:
        return (self.high - self.low) / 2

    def excludes(self, value: float) -> bool:
        """Whether *value* lies outside."""
        return not self.low <= value <= self.high

    def inside(self, low: float, high: float) -> bool:
        """Whether the whole interval lies in [low, high]."""
        return low <= self.low and self.high <= high

    def __str__(self) -> str:
        return f"[{self.low:.6g}, {self.high:.6g}]"


def variance_about(centre: float, mean: Interval, squares: Interval) -> Interval:
    """Var X from intervals for E X and E (X - centre)^2: E (X - centre)^2 - (E X - centre)^2.

    A *centre* near the mean costs least; any is valid.
    """
    offsets = (mean.low - centre, mean.high - centre)
    most = max(offset**2 for offset in offsets)
    least = 0.0 if offsets[0] <= 0 <= offsets[1] else min(offset**2 for offset in offsets)
    estimate = squares.estimate - (mean.estimate - centre) ** 2
    return _combined((mean, squares), squares.low - most, squares.high - least, estimate)


def difference(left: Interval, right: Interval) -> Interval:
    """An interval for the left quantity less the right one."""
    return _combined(
        (left, right),
        left.low - right.high,
        left.high - right.low,
        left.estimate - right.estimate,
    )


def product(left: Interval, right: Interval) -> Interval:
    """An interval for the product of two quantities that are not negative by their nature."""
    low, high = max(left.low, 0.0) * max(right.low, 0.0), left.high * right.high
    return _combined((left, right), low, high, left.estimate * right.estimate)


def logarithm(interval: Interval) -> Interval:
    """An interval for the natural logarithm of a quantity that is positive by its nature.

    Raises ValueError where the interval holds no positive value.
    """
    if interval.high <= 0:
        raise ValueError(f"interval: {interval} holds no positive value; it has no logarithm")
    low, high, estimate = (
        math.log(end) if end > 0 else -math.inf
        for end in (interval.low, interval.high, interval.estimate)
    )
    return _combined((interval,), low, high, estimate)


def slope(points: Sequence[tuple[float, Interval]]) -> Interval:
    """The slope of the least-squares line through (x, quantity) at two or more different x.

    Of ``logarithm`` against x it is an exponential rate, against log x the exponent of a power
    law. Exact for quantities on a line; otherwise it is the slope of the line that fits them best.
    Raises ValueError for an x that is not finite, and for fewer than two different x.
    """
    xs = [x for x, _ in points]
    if not all(map(math.isfinite, xs)):
        raise ValueError(f"points: x = {xs} are not all finite; a slope needs numbers")
    centre = math.fsum(xs) / max(len(xs), 1)
    spread = math.fsum((x - centre) ** 2 for x in xs)
    if len(set(xs)) < 2:
        raise ValueError(
            f"points: {len(points)} at {sorted(set(xs))}; a slope needs two different x"
        )
    low = high = estimate = 0.0
    for x, interval in points:
        weight = (x - centre) / spread
        if weight:
            ends = (weight * interval.low, weight * interval.high)
            low, high, estimate = (
                low + min(ends),
                high + max(ends),
                estimate + weight * interval.estimate,
            )
    return _combined([interval for _, interval in points], low, high, estimate)


def _combined(parts: Sequence[Interval], low: float, high: float, estimate: float) -> Interval:
    replicates, error = min(p.replicates for p in parts), math.fsum(p.error for p in parts)
    return Interval(low, high, estimate, replicates, error)
