"""Intervals that hold at every stopping time, and what they say of a claimed value.

| what is measured | interval | what it needs |
| --- | --- | --- |
| mean of a bounded statistic, a variance | ``BoundedMean`` | the bounds, checked on every value |
| probability, until a stop | ``Probability`` | values 0 and 1, checked |
| probability, at a fixed sample | ``clopper_pearson`` | nothing more |
| mean of a heavy-tailed statistic | ``HeavyTailedMean`` | a bound on a second moment, tested |
| rate, exponent, slope | ``slope`` of such intervals | nothing more |

All need replicates that are independent and have one law; nothing is taken for normal.
"""

from verify.statistics.claimed import UNDEFINED, UNKNOWN, AtLeast, AtMost, Between, Claimed
from verify.statistics.counts import clopper_pearson
from verify.statistics.interval import (
    Interval,
    difference,
    logarithm,
    product,
    slope,
    variance_about,
)
from verify.statistics.sequences import (
    AssumptionError,
    BoundedMean,
    ConfidenceSequence,
    HeavyTailedMean,
    Probability,
)

__all__ = [
    "UNDEFINED",
    "UNKNOWN",
    "AssumptionError",
    "AtLeast",
    "AtMost",
    "Between",
    "BoundedMean",
    "Claimed",
    "ConfidenceSequence",
    "HeavyTailedMean",
    "Interval",
    "Probability",
    "clopper_pearson",
    "difference",
    "logarithm",
    "product",
    "slope",
    "variance_about",
]
