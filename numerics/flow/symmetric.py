"""The flow of a balanced table as two decoupled variables, to any time and from any scale.

Serves Theorem 6 and Figure 5 of arXiv 2412.06538. The table is a*(s, r) = r D + (s mod D) with
S = copies D, all facts of equal chance, the start that of Assumption 2.

Exchanging the relations, the answers within them or the copies changes nothing. So noise and EOS
stay constant over the answers, and a relation moves along v = 1_(A_r) / D - 1_(rest) / ((R-1) D), a
subject along v = 1_(A_s) / R - 1_(rest) / (R (D-1)): each prefers one of n classes of m answers, R or D
classes, to the other n - 1, and has the chance p, 1/R or 1/S; |v|^2 = n / ((n-1) m). With what
Lemma 4 conserves, W_KQ = alpha sqrt(A+1) cosh(phi) and <W_OV, v> = |v| alpha sqrt(A+1) sinh(phi).
The logit of the class over another is x = c sinh(2 phi), c = alpha^2 (A+1) |v| / 2. The logits of
relation and subject add, so the probability of an answer is the product of those of its two classes,
P = e^x / (e^x + n - 1), and phi' = p |v| (1 - P). Hence the time is a quadrature,

    p |v| t = n/(n-1) phi + 1/(n-1) int_0^x (e^y - 1) / (2 sqrt(y^2 + c^2)) dy.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from numerics.checks import check_integer
from numerics.errors import InputError
from numerics.flow.arguments import check_number, converted

Array = NDArray[np.float64]

#: Below the first logit its integral is nothing beside phi; e^690 is near the end of floats.
_FIRST, _SPLIT, _LAST = 1e-20, 10.0, 690.0
_LONGEST = 1e280
_NODES, _GAUSS = np.polynomial.legendre.leggauss(24)
#: Enough steps of Newton's from the end of a panel, at most 0.1 wide, for the last digit.
_STEPS = 8


@dataclass(frozen=True)
class _Block:
    """One preference: n classes, the chance p of the token, m answers a class, log(alpha^2 (A+1))."""

    n: int
    p: float
    m: int
    log_square: float

    @property
    def length(self) -> float:
        """|v|; n >= 2."""
        return math.sqrt(self.n / ((self.n - 1) * self.m))

    @property
    def rate(self) -> float:
        """phi' at phi = 0, to within c."""
        return self.p * self.length * (self.n - 1) / self.n if self.n > 1 else 0.0

    @property
    def log_c(self) -> float:
        return self.log_square + math.log(self.length / 2)

    def angle(self, w: Array) -> Array:
        """phi where x = e^w."""
        ratio = w - self.log_c
        small = np.arcsinh(np.exp(np.minimum(ratio, 1.0)))
        large = np.log1p(np.sqrt(1 + np.exp(-2 * np.maximum(ratio, 0.0)))) + ratio
        found: Array = 0.5 * np.where(ratio < 1, small, large)
        return found

    def _integral(self, lower: Array, upper: Array) -> Array:
        """int (e^y - 1) / (2 sqrt(y^2 + c^2)) dy from e^lower to e^upper, narrow panels."""
        half = 0.5 * (upper - lower)
        w = (0.5 * (upper + lower))[:, None] + half[:, None] * _NODES
        y = np.exp(w)
        # y / sqrt(y^2 + c^2), without a quotient that overflows.
        share = 1 / np.sqrt(1 + np.exp(np.minimum(2 * (self.log_c - w), 700.0)))
        found: Array = half * ((0.5 * np.expm1(y) * share) @ _GAUSS)
        return found

    def _pace(self, w: Array) -> Array:
        """The slope of the clock where x = e^w: phi' = share / 2, and the integrand over y."""
        share = 1 / np.sqrt(1 + np.exp(np.minimum(2 * (self.log_c - w), 700.0)))
        n = self.n
        found: Array = 0.5 * share * (n + np.expm1(np.exp(w))) / ((n - 1) * self.p * self.length)
        return found

    @cached_property
    def _panels(self) -> tuple[Array, Array]:
        """Logarithms of logits, and the integral up to each."""
        w = np.arange(math.log(_FIRST), math.log(_SPLIT), 0.1)
        w = np.concatenate([w, np.log(np.arange(_SPLIT, _LAST, 0.5))])
        return w, np.concatenate([[0.0], np.cumsum(self._integral(w[:-1], w[1:]))])

    def _clock(self, w: Array, integral: Array) -> Array:
        n = self.n
        found: Array = (n * self.angle(w) + integral) / ((n - 1) * self.p * self.length)
        return found

    def time(self, x: float) -> float:
        """The time when the logit is x, 0 < x < 690."""
        edges, integrals = self._panels
        w = np.array([math.log(x)])
        j = np.searchsorted(edges, w, side="right") - 1
        integral = integrals[j] + self._integral(edges[j], w) if j[0] >= 0 else np.zeros(1)
        return float(self._clock(w, integral)[0])

    def state(self, times: Array) -> tuple[Array, Array]:
        """phi and x at `times`."""
        if self.n == 1:
            return np.zeros_like(times), np.zeros_like(times)
        edges, integrals = self._panels
        clock = self._clock(edges, integrals)
        j = np.minimum(np.searchsorted(clock, times, side="right") - 1, len(edges) - 2)
        # Before the first edge 1 - P is (n - 1) / n to the last digit.
        early = j < 0
        j = np.maximum(j, 0)
        low, high = edges[j], edges[j + 1]
        w = high
        for _ in range(_STEPS):
            late = self._clock(w, integrals[j] + self._integral(low, w)) - times
            w = np.clip(w - late / self._pace(w), low, high)
        linear = self.rate * times
        with np.errstate(divide="ignore"):
            log_sinh = 2 * linear + np.log(-np.expm1(-4 * linear)) - math.log(2)
        phi = np.where(early, linear, self.angle(w))
        x = np.exp(np.where(early, np.minimum(self.log_c + log_sinh, w), w))
        return phi, x

    def log_kq(self, phi: Array) -> Array:
        """log W_KQ."""
        found: Array = 0.5 * self.log_square + phi + np.log1p(np.exp(-2 * phi)) - math.log(2)
        return found

    def loss(self, x: Array) -> Array:
        """-log P."""
        found: Array = np.log1p((self.n - 1) * np.exp(-x))
        return found


@dataclass(frozen=True, eq=False)
class SymmetricFlow:
    """What the flow has reached at `times`: all arrays (n,).

    total = relation_only + subject_only, the losses of Figure 5; log W_KQ of a relation and of a
    subject; the logit of the answers of the relation over others, and of those of the subject.
    """

    times: Array
    total: Array
    relation_only: Array
    subject_only: Array
    log_kq_relation: Array
    log_kq_subject: Array
    relation_logit: Array
    subject_logit: Array


class SymmetricWorld:
    """Balanced table of R relations with D answers each and copies D subjects, scale e^log_scale.

    R, D, copies >= 1; log_scale in -1e12..100. InputError otherwise. With R = 1 (D = 1) there is
    nothing to learn of relations (subjects): that loss is 0 from the start.
    """

    def __init__(self, R: int, D: int, copies: int, log_scale: float) -> None:
        for name, value in (("R", R), ("D", D), ("copies", copies)):
            check_integer(name, value, minimum=1)
        log_scale = check_number("log_scale", log_scale, "pass the log of the scale")
        if not -1e12 <= log_scale <= 100:
            raise InputError(f"log_scale = {log_scale} is out of reach: pass one in -1e12..100")
        self.R, self.D, self.copies, self.log_scale = R, D, copies, log_scale
        log_square = 2 * self.log_scale + math.log(R * D + 1)
        self._relation = _Block(R, 1 / R, D, log_square)
        self._subject = _Block(D, 1 / (copies * D), R, log_square)

    def __repr__(self) -> str:
        return f"SymmetricWorld({self.R}, {self.D}, {self.copies}, log_scale={self.log_scale:g})"

    @property
    def rates(self) -> tuple[float, float]:
        """(relation, subject): W_KQ grows as cosh(rate t) while the predictions are uniform."""
        return self._relation.rate, self._subject.rate

    def escape_times(self, gain: float = 0.5) -> tuple[float, float]:
        """(relation, subject): when P is `gain` of its way from 1/n to 1; 0 where n = 1.

        0 < gain < 1; InputError otherwise.
        """
        gain = check_number("gain", gain, "pass one above 0, below 1")
        if not 0 < gain < 1:
            raise InputError(f"gain = {gain} is no part of the way: pass one above 0, below 1")
        relation, subject = (
            block.time(math.log1p(gain * (block.n - 1)) - math.log1p(-gain)) if block.n > 1 else 0.0
            for block in (self._relation, self._subject)
        )
        return relation, subject

    def at(self, times: Sequence[float] | Array) -> SymmetricFlow:
        """The flow at `times`, each in 0..1e280; InputError otherwise."""
        remedy = f"pass one row of numbers in 0..{_LONGEST:g}"
        t = np.atleast_1d(converted("times", times, remedy))
        if t.ndim != 1 or not ((t >= 0) & (t <= _LONGEST)).all():
            raise InputError(f"times are not numbers in 0..{_LONGEST:g}: {remedy}")
        phi, x = self._relation.state(t)
        psi, y = self._subject.state(t)
        relation_only, subject_only = self._relation.loss(x), self._subject.loss(y)
        return SymmetricFlow(
            t,
            relation_only + subject_only,
            relation_only,
            subject_only,
            self._relation.log_kq(phi),
            self._subject.log_kq(psi),
            x,
            y,
        )
