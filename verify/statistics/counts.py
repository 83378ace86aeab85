"""The exact interval for a probability at a sample size fixed in advance."""

from __future__ import annotations

from verify.statistics.interval import Interval


def clopper_pearson(count: int, replicates: int, error: float) -> Interval:
    """Two-sided interval for a probability, *count* of *replicates* seen.

    Sharper than ``Probability`` where the number of draws is fixed, and valid only there
    (Clopper and Pearson 1934). Raises ValueError unless 0 <= count <= replicates, replicates >= 1.
    """
    # A third of a second that `verify list` need not wait.
    from scipy.special import betainccinv, betaincinv

    if not (replicates >= 1 and 0 <= count <= replicates):
        raise ValueError(f"count, replicates: {count} of {replicates} is no sample")
    low, high = 0.0, 1.0
    if count > 0:
        low = float(betaincinv(count, replicates - count + 1, error / 2))
    if count < replicates:
        high = float(betainccinv(count + 1, replicates - count, error / 2))
    return Interval(low, high, count / replicates, replicates, error)
