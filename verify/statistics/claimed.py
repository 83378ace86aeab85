"""What a statement claims of a measured number, and what an interval says of it.

An interval *contradicts* a claim if no value in it is claimed, and *meets* it if every value in it is
near enough: within a tolerance that excludes all mutants, or on the claimed side of a bound.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from verify.statistics.interval import Interval


@dataclass(frozen=True)
class Between:
    """The printed value, known to lie in [low, high] (one point unless it speaks of measured
    factors), and how far from it a measurement may stray."""

    relation: ClassVar[str] = "printed"

    low: float
    high: float
    tolerance: float

    @property
    def printed(self) -> float:
        """The middle; NaN where the value is not defined or not known."""
        return (self.low + self.high) / 2

    def contradicted_by(self, found: Interval) -> bool:
        return self.high < self.low or found.high < self.low or self.high < found.low

    def met_by(self, found: Interval) -> bool:
        defined = self.low <= self.high
        return defined and found.inside(self.high - self.tolerance, self.low + self.tolerance)


@dataclass(frozen=True)
class AtMost:
    """An upper bound, and the largest of the bounds that are known to be too small."""

    relation: ClassVar[str] = "printed at most"
    tolerance: ClassVar[None] = None
    printed: float
    too_small: float = -math.inf

    def contradicted_by(self, found: Interval) -> bool:
        return found.low > self.printed

    def met_by(self, found: Interval) -> bool:
        return self.too_small < found.low and found.high <= self.printed


@dataclass(frozen=True)
class AtLeast:
    """A lower bound."""

    relation: ClassVar[str] = "at least"
    tolerance: ClassVar[None] = None
    printed: float

    def contradicted_by(self, found: Interval) -> bool:
        return found.high < self.printed

    def met_by(self, found: Interval) -> bool:
        return found.low >= self.printed


#: A value that is not defined, since a printed denominator vanishes: everything contradicts it.
UNDEFINED = Between(math.inf, -math.inf, 0.0)
#: A value of which nothing is known yet: nothing contradicts it, nothing meets it.
UNKNOWN = Between(-math.inf, math.inf, 0.0)

Claimed: TypeAlias = Between | AtMost | AtLeast
