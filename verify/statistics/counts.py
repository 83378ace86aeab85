"""The exact interval for a probability at a sample size fixed in advance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.statistics.interval import Interval

if TYPE_CHECKING:
    from flint import arb

#: Bits of the balls in which tails are enclosed: at an end a tail is known far beyond a float.
_BITS = 128
#: A term of a tail, as a part of it, with which the sum may end.
_NEGLIGIBLE = 2.0**-80


def clopper_pearson(count: int, replicates: int, error: float) -> Interval:
    """Two-sided interval for a probability, *count* of *replicates* seen.

    Sharper than ``Probability`` where the number of draws is fixed, and valid only there
    (Clopper and Pearson 1934). Its ends are rounded outwards. Raises ValueError unless
    0 <= count <= replicates, replicates >= 1.
    """
    if not (replicates >= 1 and 0 <= count <= replicates):
        raise ValueError(f"count, replicates: {count} of {replicates} is no sample")
    estimate = count / replicates
    low = _end(0.0, estimate, replicates, count, error / 2)
    high = _end(1.0, estimate, replicates, count, error / 2)
    return Interval(low, high, estimate, replicates, error)


def _end(edge: float, estimate: float, replicates: int, count: int, error: float) -> float:
    """The float nearest to *estimate*, from the *edge* 0 or 1 on, at which it is surely no likelier than
    *error* to see *count* or what lies farther from the edge; the edge where there is none."""
    # A tenth of a second that `verify list` need not wait.
    from flint import arb

    from proofs.algebra.balls import precision

    above = edge == 0.0
    seen = count if above else replicates - count
    outside, within = edge, estimate
    with precision(_BITS):
        while seen and (middle := (outside + within) / 2) not in (outside, within):
            chance = arb(middle) if above else 1 - arb(middle)
            if _tail(seen, replicates, chance) <= error:  # True only where all of the ball is
                outside = middle
            else:
                within = middle
    return outside


def _tail(seen: int, replicates: int, chance: arb) -> arb:
    """How likely it is to see *seen* or more of *replicates*, each with a *chance* below their share.

    The likelihood of *seen* times a sum whose terms fall, each by a smaller factor than the one before:
    what is left of it is below a geometric series.
    """
    term = total = (
        chance**seen * (1 - chance) ** (replicates - seen) * chance.bin_uiui(replicates, seen)
    )
    odds = chance / (1 - chance)
    for more in range(seen, replicates):
        factor = odds * (replicates - more) / (more + 1)
        term *= factor
        total += term
        if term < total * _NEGLIGIBLE:
            return total + (term * factor / (1 - factor)).union(0)
    return total
