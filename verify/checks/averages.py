"""Averages over independent variables with Beta laws, as balls: a second evaluator of printed bounds.

Cells cover what each variable may be, and the average is the sum over them of their probability times
a ball around what the function is there. They are small where the variable mostly is, and grow with
the distance: floats choose them, and any will do.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise, product
from math import prod, sinh, sqrt
from typing import NamedTuple

from flint import arb, ctx

from proofs.algebra.balls import ball

#: Cells begin and end so many standard deviations below and above the mean, as the sinh of these.
_BELOW, _ABOVE = 5, 3
#: Ends of cells are multiples of one over this.
_GRID = 2**30
#: Of cells that are rarer than this the function is only known to lie between 0 and 1.
_RARE = Fraction(1, 2**120)


class Beta(NamedTuple):
    """The law Beta(first, second); the number 1 where the second is 0."""

    first: Fraction
    second: Fraction


def bounded(logarithm: arb) -> arb:
    """The smaller of 1 and the exponential: a ball between 0 and 1, however thick the one given is."""
    low, high = (end.exp().min(arb(1)) for end in (logarithm.lower(), logarithm.upper()))
    return low.union(high)


def average(of: Callable[..., arb], *laws: Beta, fine: int = 14) -> arb:
    """A ball around the mean of a function with values in [0, 1] of variables with these *laws*.

    It is given balls, and gives one around all its values there. *fine*: cells to a standard deviation.
    """
    total, rare, one = arb(0), ball(_RARE), arb(0).union(arb(1))
    for cells in product(*(_cells(law, fine, ctx.prec) for law in laws)):
        mass = prod((mass for _, mass in cells), start=arb(1))
        total += mass * (one if mass < rare else of(*(values for values, _ in cells)))
    return total


@lru_cache(maxsize=16)
def _cells(law: Beta, fine: int, bits: int) -> list[tuple[arb, arb]]:
    """Balls that cover [0, 1], with their probabilities, at a precision of so many *bits*."""
    if law.first <= 0 or law.second < 0:
        raise ValueError(
            f"{law.first}, {law.second}: take a first above 0 and a second of 0 or more"
        )
    if law.second == 0:
        return [(arb(1), arb(1))]
    mean = float(law.first / (law.first + law.second))
    deviation = sqrt(mean * (1 - mean) / (float(law.first + law.second) + 1))
    steps = (sinh(k / fine) for k in range(-_BELOW * fine, _ABOVE * fine + 1))
    inner = sorted({round((mean + deviation * step) * _GRID) for step in steps})
    ends = [Fraction(k, _GRID) for k in inner if 0 < k < _GRID]
    below = [arb(0), *(_below(law, end) for end in ends), arb(1)]
    edges = [arb(0), *map(ball, ends), arb(1)]
    masses = [after - before for before, after in pairwise(below)]
    return [
        (low.union(high), mass) for (low, high), mass in zip(pairwise(edges), masses, strict=True)
    ]


def _below(law: Beta, end: Fraction) -> arb:
    """The probability to be at most *end*."""
    first, second = map(ball, law)
    if end > Fraction(1, 2):
        return 1 - ball(1 - end).beta_lower(second, first, regularized=True)
    return ball(end).beta_lower(first, second, regularized=True)
