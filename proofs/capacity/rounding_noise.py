"""How much noise it makes to store Gaussian weights on few levels: a prediction, not a bound.

A rounded weight is a multiple of the weight plus noise that is not correlated with it (Bussgang
1952). What counts for recall is the variance of the noise over that multiple squared, here for
weights of variance one. Serves Nichani et al., Corollary 2, and coarser levels.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import ceil

from flint import arb

from proofs.algebra.balls import ball, upper

#: Up to this spacing, in standard deviations, the noise is that of a uniform error: the difference
#: is smaller than exp(-2 pi^2/spacing^2).
_FINE = Fraction(1, 2)
#: Weights beyond so many standard deviations do not occur.
_FARTHEST = 40


def step_noise(step: arb) -> arb:
    """Of rounding to the nearest multiple of *step* > 0, in standard deviations of a weight."""
    if step <= ball(_FINE):
        return step**2 / 12
    cells = max(1, ceil(upper(arb(_FARTHEST) / step)))
    lows = [arb(0), *(step * (2 * k - 1) / 2 for k in range(1, cells + 1))]
    return _noise(lows, [step * k for k in range(cells + 1)])


@lru_cache(maxsize=64)
def level_noise(bits: int, entries: int) -> arb:
    """Of *bits* a weight: signs for one, else equally spaced levels out to the largest weight.

    The largest of *entries* weights is taken at its median.
    """
    if bits == 1:
        return _noise([arb(0)], [arb(1)])
    spacing: arb = 2 * _largest(entries) / (2**bits - 1)
    if spacing <= ball(_FINE):
        return spacing**2 / 12
    cells = range(2 ** (bits - 1))
    return _noise([spacing * j for j in cells], [spacing * (2 * j + 1) / 2 for j in cells])


def _noise(lows: Sequence[arb], values: Sequence[arb]) -> arb:
    """E Q(g)^2/(E g Q(g))^2 - 1 for an odd Q with *values* on cells of [0, inf) that begin at *lows*."""
    density = [(-(low**2) / 2).exp() / (2 * arb.pi()).sqrt() for low in lows]
    beyond = [(low / arb(2).sqrt()).erfc() / 2 for low in lows]
    correlation, square = arb(0), arb(0)
    for q, here, after, p, rest in zip(
        values, density, [*density[1:], arb(0)], beyond, [*beyond[1:], arb(0)], strict=True
    ):
        correlation += 2 * q * (here - after)
        square += 2 * q**2 * (p - rest)
    noise: arb = square / correlation**2 - 1
    return noise


def _largest(entries: int) -> arb:
    """The median of the largest absolute value of *entries* standard Gaussians, to 2^-20."""
    share = arb(2).log() / entries
    low, high = 0, _FARTHEST << 20
    while high - low > 1:
        middle = (low + high) // 2
        reached = (arb(middle) / 2**20 / arb(2).sqrt()).erfc() <= share
        low, high = (low, middle) if reached else (middle, high)
    return arb(high) / 2**20
