"""Power laws p(x) proportional to x^-alpha on [N]: rational for integer alpha, balls for others.

Serves Corollary 1 of Sec. 6.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from flint import arb

from proofs.algebra.balls import ball, precision


@cache
def power_law(N: int, alpha: int) -> tuple[Fraction, ...]:
    """p(1), ..., p(N) for an integer alpha >= 0; alpha = 0 is the uniform law.

    Raises ValueError unless N >= 1 and alpha >= 0.
    """
    if N < 1:
        raise ValueError(f"N = {N}: a law needs at least one value, N >= 1")
    if alpha < 0:
        raise ValueError(f"alpha = {alpha}: the values must be ordered by probability, alpha >= 0")
    weights = [Fraction(1, x**alpha) for x in range(1, N + 1)]
    total = sum(weights)
    return tuple(w / total for w in weights)


def power_sum(first: int, last: int, alpha: int) -> Fraction:
    """sum of x^-alpha, first <= x <= last, for an integer alpha."""
    return sum((Fraction(1, x**alpha) for x in range(first, last + 1)), Fraction(0))


def tail_mass(k: int, n: int, alpha: Fraction) -> arb:
    """A ball around sum_{x=k}^n p(x) for any alpha. Raises ValueError unless 1 <= k <= n."""
    if not 1 <= k <= n:
        raise ValueError(f"k = {k}, n = {n}: a tail needs 1 <= k <= n")
    with precision():
        powers = [(-ball(alpha) * arb(x).log()).exp() for x in range(1, n + 1)]
        return sum(powers[k - 1 :], arb(0)) / sum(powers, arb(0))
