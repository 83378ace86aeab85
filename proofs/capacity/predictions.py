"""Predictions, not bounds: the probability that a memory loses a fact, from exact moments.

The margins of one fact are taken as S - T^(1/2) g_y with independent standard Gaussians g_y: S, the
score of its own output, has a gamma law (Pearson's type III, a Gaussian where it is not skewed) and
T = t + slope (S - E S), cut where a better score would make a loss likelier. The five numbers are
those for which, without the cut, all moments up to order three of the margins of one fact are exact.
Facts are taken as independent. Serves Nichani et al., Sec. 3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import ceil
from typing import Any

from flint import arb, ctx

from proofs.algebra.balls import ball, evaluate, precision, upper
from proofs.capacity.conditions import largest_where, read_delta, read_size, read_sizes
from proofs.capacity.low_rank import Factors
from proofs.capacity.quantized import read_step
from proofs.capacity.rounding_noise import level_noise, step_noise
from proofs.capacity.score_moments import ScoreMoments, linear_scores, mlp_scores

#: Nodes of the sums are so far apart, and reach so far, in standard deviations.
_SPACING, _REACH = Fraction(1, 4), 12
#: The fewest nodes of a gamma law.
_LEAST_NODES = 200
#: Beyond so many standard deviations below its mean, S is as good as never.
_FARTHEST = 220
#: A skewness below this is none.
_NO_SKEW = Fraction(1, 50)
#: Nodes in the angle of an alignment.
_ANGLES = 40

_Weighted = Iterator[tuple[arb, arb]]


@dataclass(frozen=True)
class _Scores:
    """The law of S and T: E S, Var S, skewness of S, E T and the slope of T."""

    mean: arb
    variance: arb
    skewness: arb
    noise: arb
    slope: arb

    @classmethod
    def of(cls, moments: ScoreMoments, **sizes: arb) -> _Scores:
        """Those that have the *moments* at these sizes."""
        shared = evaluate(moments.covariance, **sizes)
        joint = evaluate(moments.joint, **sizes)
        noise = evaluate(moments.variance - moments.covariance, **sizes)
        skewness = slope = arb(0)
        if shared > 0:
            skewness = joint / shared ** ball(Fraction(3, 2))
            slope = evaluate(moments.mixed - moments.joint, **sizes) / shared
        return cls(evaluate(moments.mean, **sizes), shared, skewness, noise, slope)

    def lost(self, competitors: int) -> arb:
        """The probability that one of so many competitors has a margin <= 0."""
        total = arb(0)
        for weight, value in self._own_scores():
            noise = self.noise + self.slope * (value - self.mean)
            # A better own score does not make a loss likelier.
            noise = min(noise, self.noise * max(value / self.mean, arb(1)) ** 2)
            total += weight * _some_negative(value, noise, competitors)
        return total

    def _own_scores(self) -> _Weighted:
        """Weights that add up to one, and values of S."""
        if not self.variance > 0:
            yield arb(1), self.mean
            return
        deviation = self.variance.sqrt()
        if abs(self.skewness) > ball(_NO_SKEW):
            side = 1 if self.skewness > 0 else -1
            nodes = _gamma_nodes(4 / self.skewness**2, side)
        else:
            nodes = _gaussian_nodes(self.mean / deviation)
        for weight, node in nodes:
            yield weight, self.mean + deviation * node


def _some_negative(mean: arb, variance: arb, count: int) -> arb:
    """P(the least of *count* independent N(mean, variance) is <= 0)."""
    if not variance > 0:
        return arb(0) if mean > 0 else arb(1)
    score = mean / (2 * variance).sqrt()
    # The logarithm of P(N(0, 1) <= score sqrt 2), without a loss of digits on either side.
    kept = (-score.erfc() / 2).log1p() if score > 0 else ((-score).erfc() / 2).log()
    return -(count * kept).expm1()


def _gaussian_nodes(mean: arb) -> _Weighted:
    """Of a standard Gaussian, down to where *mean* plus it is negative."""
    low = _REACH + _ceiling(min(mean, arb(_FARTHEST)))
    for step in range(-int(low / _SPACING), int(_REACH / _SPACING) + 1):
        yield _gaussian_node(step, ctx.prec)


@lru_cache(maxsize=2**11)
def _gaussian_node(step: int, _: int) -> tuple[arb, arb]:
    """The weight and the node after so many steps from 0, at the current precision."""
    node = ball(step * _SPACING)
    return ball(_SPACING) / (2 * arb.pi()).sqrt() * (-(node**2) / 2).exp(), node


def _gamma_nodes(shape: arb, side: int) -> _Weighted:
    """Of side (X - a)/sqrt(a), X of the gamma law with shape a, at X = a c^q for equally spaced c.

    The density in c is c^(q a - 1) exp(-a c^q); q >= 3 is such that it is bounded.
    """
    power = max(3, _ceiling(1 / shape))
    spread = 1 / (power * shape.sqrt())
    top = (1 + _REACH / shape.sqrt() + _REACH**2 / shape).root(power)
    count = max(_LEAST_NODES, _ceiling(top / spread / ball(_SPACING)))
    nodes, logs = [], []
    for step in range(count):
        c = top * (2 * step + 1) / (2 * count)
        nodes.append(c**power)
        logs.append((power * shape - 1) * c.log() - shape * nodes[-1])
    yield from (
        (weight, side * (node - 1) * shape.sqrt())
        for weight, node in zip(_weights(logs), nodes, strict=True)
    )


def _ceiling(value: arb) -> int:
    return ceil(upper(value))


def _weights(logs: Sequence[arb]) -> list[arb]:
    """Weights that add up to one, from the logarithms of their ratios."""
    largest = max(logs)
    found = [(value - largest).mid().exp() for value in logs]
    total = sum(found, arb(0))
    return [weight / total for weight in found]


class Prediction:
    """Base of the predictions: subclasses say how S and T depend on the number of facts."""

    def failure(self, N: int, M: int | None = None) -> Fraction:
        """The predicted probability that some of N facts is lost, M outputs (N if None).

        Raises ValueError for sizes out of range.
        """
        _, N, M = read_sizes(1, N, M)
        with precision():
            lost = arb(0)
            for weight, alignment in self._alignments():
                kept = arb(1)
                for competitors, inside in ((N - 1, True), (M - N, False)):
                    if competitors:
                        scores = self._scores(alignment, N, inside)
                        kept *= 1 - scores.lost(competitors)
                lost += weight * (1 - kept)
            if not lost < 1:
                return Fraction(1)
            return min(upper(-(N * (-lost).log1p()).expm1()), Fraction(1))

    def largest(self, *, delta: Any, M: int | None = None) -> int:
        """The largest N that is predicted to fit with failure probability *delta*; M = N if None."""
        exact = read_delta(delta)
        return largest_where(lambda n: (M is None or n <= M) and self.failure(n, M) <= exact)

    def _alignments(self) -> _Weighted:
        """Weights and alignments of a fact, if the memory has any."""
        yield arb(1), arb(1)

    def _scores(self, alignment: arb, N: int, inside: bool) -> _Scores:
        raise NotImplementedError


class LinearPrediction(Prediction):
    """The linear memory in dimension d."""

    def __init__(self, d: int) -> None:
        self.d = read_size("d", d)

    def _scores(self, alignment: arb, N: int, inside: bool) -> _Scores:
        return _Scores.of(linear_scores(inside), d=arb(self.d), N=arb(N), r=alignment)


class LowRankPrediction(LinearPrediction):
    """The low-rank memory with m factors, "gaussian" or "orthonormal": an average over the alignment
    r of a fact, of which r^2 has the Beta(m/2, (d-1)/2) or Beta(m/2, (d-m)/2) law.
    """

    def __init__(self, d: int, m: int, factors: Factors = "gaussian") -> None:
        super().__init__(d)
        self.m, self.factors = read_size("m", m), factors
        if factors == "orthonormal" and m > d:
            raise ValueError(f"m: {m} orthonormal factors do not fit in d = {d}; take m <= {d}")

    def _alignments(self) -> _Weighted:
        rest = self.d - (1 if self.factors == "gaussian" else self.m)
        if rest == 0:
            yield arb(1), arb(1)
            return
        # r = sin t has a density sin^(m-1) cos^(rest-1) in t, with its peak at a known angle and
        # a logarithm whose second derivative is at most -curvature.
        low, high, curvature = arb(0), arb.pi() / 2, self.m + rest - 2
        if curvature > 0:
            peak = (ball(Fraction(self.m - 1, curvature))).sqrt().asin()
            reach = _REACH / arb(curvature).sqrt()
            low, high = max(low, peak - reach), min(high, peak + reach)
        angles = [low + (high - low) * (2 * j + 1) / (2 * _ANGLES) for j in range(_ANGLES)]
        logs = [(self.m - 1) * t.sin().log() + (rest - 1) * t.cos().log() for t in angles]
        yield from zip(_weights(logs), (t.sin() for t in angles), strict=True)


class QuantizedPrediction(LinearPrediction):
    """The linear memory with weights rounded to multiples of *step* (1/(8 d) if None), or stored
    with *bits* each as ``numerics.memories.QuantizedMemory`` does.

    Weights are taken as Gaussian with their variance N/d^2, and rounding as noise of its own in each.
    """

    def __init__(self, d: int, step: Fraction | None = None, bits: int | None = None) -> None:
        super().__init__(d)
        self.step = read_step(step, d) if bits is None else None
        self.bits = bits

    def _scores(self, alignment: arb, N: int, inside: bool) -> _Scores:
        scores = super()._scores(alignment, N, inside)
        deviation = arb(N).sqrt() / self.d
        if self.step is not None:
            relative = step_noise(ball(self.step) / deviation)
        else:
            relative = level_noise(self.bits, self.d**2)
        # <u, R e_x> has the variance of an entry of R, in the own score and in each other.
        noise = relative * deviation**2
        joint = scores.skewness * scores.variance ** ball(Fraction(3, 2))
        shared = scores.variance + noise
        return replace(
            scores,
            variance=shared,
            skewness=joint / shared ** ball(Fraction(3, 2)),
            noise=scores.noise + noise,
            slope=scores.slope * scores.variance / shared,
        )


class MLPPrediction(Prediction):
    """The linearised MLP memory with m neurons, h_k in its features and the activation h_(k+1)."""

    def __init__(self, d: int, m: int, k: int = 2) -> None:
        self.d, self.m, self.k = read_size("d", d), read_size("m", m), read_size("k", k, 0)

    def _scores(self, alignment: arb, N: int, inside: bool) -> _Scores:
        moments = mlp_scores(self.k, inside)
        return _Scores.of(moments, d=arb(self.d), N=arb(N), m=arb(self.m))
