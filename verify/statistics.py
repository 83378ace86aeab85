"""Confidence intervals that hold at every look, for bounded statistics, and for counts.

No normal approximation: a verdict must be wrong with at most its error share at any sample size.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt


@dataclass(frozen=True)
class Interval:
    """A confidence interval [low, high] around an estimate from *replicates* independent draws."""

    low: float
    high: float
    estimate: float
    replicates: int
    error: float

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


def look_share(error: float, look: int) -> float:
    """The part of *error* spent at look 1, 2, ...; the parts add up to *error*."""
    return error / (look * (look + 1))


def bounded_mean(
    estimate: float, variance: float, replicates: int, span: float, error: float, look: int = 1
) -> Interval:
    """Empirical Bernstein interval for the mean of independent values in an interval of length *span*.

    Two-sided, valid for every sample size >= 2 (Maurer and Pontil 2009, Theorem 4, on both sides),
    at look number *look* of a schedule fixed in advance. *variance* is the unbiased sample
    variance. What it needs is the bound on the values, and nothing else.
    """
    if replicates < 2:
        raise ValueError(f"replicates: {replicates} is too few; an interval needs at least 2")
    weight = log(4 / look_share(error, look))
    half = sqrt(2 * variance * weight / replicates) + 7 * span * weight / (3 * (replicates - 1))
    return Interval(estimate - half, estimate + half, estimate, replicates, error)


def proportion(count: int, replicates: int, error: float) -> Interval:
    """Clopper-Pearson: exact two-sided interval for a probability, *count* of *replicates* seen."""
    from scipy.special import betaincinv  # a third of a second that `verify list` need not wait

    low, high = 0.0, 1.0
    if count > 0:
        low = float(betaincinv(count, replicates - count + 1, error / 2))
    if count < replicates:
        high = float(betaincinv(count + 1, replicates - count, 1 - error / 2))
    return Interval(low, high, count / replicates, replicates, error)
