"""The printed bound for memories of rank m, evaluated from its formula: an average over alignments."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial

from flint import arb

from proofs.algebra.balls import ball, root
from verify.checks.averages import Beta, average, bounded

#: s is a multiple of one over this.
_STEPS = 512


@dataclass(frozen=True)
class RankAverage:
    """N E min(1, sum over y of b_y(r)), where b_y(r) = E inf over 0 < s < 1 of exp(-signal s d r
    sqrt(A/2) + coincident beta s^2 d A - noise n log(1 - s^2)), and r^2 has the law *alignment*.

    For the infimum stands what it is of, at an s for each cell: any bounds it from above.
    """

    signal: Fraction
    noise: Fraction
    coincident: Fraction
    alignment: Beta

    def __call__(self, *, d: int, N: int, M: int, **_: int) -> arb:
        """A ball around it; the rank enters by the law alone."""
        return N * average(partial(self._lost, d, N, M), self.alignment)

    def _lost(self, d: int, N: int, M: int, square: arb) -> arb:
        """min(1, sum over y of b_y(r)), *square* being r^2."""
        half = Fraction(d - 1, 2)  # A/2 has the law Beta(half, half)
        gain, total = ball(self.signal * d) * root(square), arb(0)
        for many, beta, n in ((N - 1, 1, N - 2), (M - N, 0, N - 1)):
            if many:
                fails = partial(self._fails, gain, 2 * self.coincident * beta * d, self.noise * n)
                total += many * average(fails, Beta(half, half))
        return total.min(arb(1))

    @staticmethod
    def _fails(gain: arb, square: Fraction, noise: Fraction, overlap: arb) -> arb:
        """The exponential, for A = 2 *overlap*, at an s that suits it."""
        gain *= root(overlap)
        s = _slope(float(gain.mid()), float(square) * float(overlap.mid()), float(noise))
        return bounded(ball(square * s**2) * overlap - gain * ball(s) - ball(noise) * _log(s))


@lru_cache(maxsize=_STEPS)
def _log(s: Fraction) -> arb:
    return ball(1 - s**2).log()


def _slope(gain: float, square: float, noise: float) -> Fraction:
    """Near the s at which -gain s + square s^2 - noise log(1 - s^2) is least."""
    low, high = 1, _STEPS - 1
    while high - low > 1:
        middle = (low + high) // 2
        s = middle / _STEPS
        falls = 2 * s * (square + noise / (1 - s * s)) < gain
        low, high = (middle, high) if falls else (low, middle)
    return Fraction(low, _STEPS)
