"""Explicit conditions for the linear memory W = sum_z u_{f(z)} e_z^T with sphere embeddings.

With A = 1 - <u_f(x), u_y> and independent coordinates g, t, g' of uniform unit vectors, one margin
has the law of A (1 - beta g) + sqrt(2A) sum_{j<=n} t_j g'_j, where (beta, n) = (1, N-2) for y in the
image of f and (0, N-1) outside. A Chernoff bound conditional on A, with
E exp(l g) <= exp(l^2/2d) and E exp(s t g') <= (1 - s^2/d^2)^(-1/2), gives all three conditions;
the union bound runs over the N(M-1) pairs. Any choice of the free parameters is valid, so floats
only choose them and balls evaluate.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache, partial
from itertools import pairwise
from math import sqrt

from flint import arb

from proofs.algebra.balls import ball, precision, upper
from proofs.capacity.conditions import SufficientCondition, read_size, read_sizes

_ONE = Fraction(1)

#: Steps of log(pairs/delta)/d in [0, 1] at which the closed form is tried.
_GRID = 2**24


def _union(d: int, N: int, M: int, single: _SingleBound) -> Fraction:
    """min(1, sum over the N inputs)."""
    return min(N * fact_lost(d, N, M, single), _ONE)


def fact_lost(d: int, N: int, M: int, single: _SingleBound) -> Fraction:
    """min(1, sum over the competitors of one fact), N-1 in the image and M-N others."""
    total = Fraction(0)
    for competitors, beta, n in ((N - 1, 1, N - 2), (M - N, 0, N - 1)):
        if competitors:
            total += competitors * single.bound(d, beta, n)
    return min(total, _ONE)


class _SingleBound:
    """An upper bound on P(gamma <= 0) for one margin."""

    def bound(self, d: int, beta: int, n: int) -> Fraction:
        raise NotImplementedError


class LinearChernoff(SufficientCondition, _SingleBound):
    """P(gamma <= 0) <= exp(-kappa + kappa^2/(2d)) for every tau in (0, 1), with
    kappa = tau d/2 - beta tau^2 d/4 - n tau^2/(4(1 - tau^2)), 0 < kappa <= d.
    """

    def failure_bound(self, d: int, N: int, M: int | None = None) -> Fraction:
        """Union of the single-margin bounds, each at its own tau."""
        d, N, M = read_sizes(d, N, M)
        return _union(d, N, M, self)

    def bound(self, d: int, beta: int, n: int) -> Fraction:
        kappa = max(
            (chernoff_exponent(Fraction(k, 64), d, beta, n) for k in range(1, 64)),
            default=Fraction(0),
        )
        if kappa <= 0:
            return _ONE
        kappa = min(kappa, Fraction(d))
        with precision():
            return min(upper(ball(-kappa + kappa**2 / (2 * d)).exp()), _ONE)


def chernoff_exponent(tau: Fraction, d: int, beta: int, n: int) -> Fraction:
    """kappa = tau d/2 - beta tau^2 d/4 - n tau^2/(4(1 - tau^2)), for 0 < tau < 1."""
    return tau * d / 2 - beta * tau**2 * d / 4 - n * tau**2 / (4 * (1 - tau**2))


class Linear(SufficientCondition, _SingleBound):
    """P(gamma <= 0) <= E_A inf_s exp(-s d sqrt(A/2) + beta s^2 d A/4 - (n/2) log(1 - s^2)).

    The expectation is bounded cell by cell: A/2 has the Beta((d-1)/2, (d-1)/2) law, and on a cell
    the exponent is at most its value with sqrt(A) at the lower and A at the upper end.

    *cells*: of equal width for A in [0, 2]; more cells come closer to the integral. *signal*,
    *noise* and *coincident* are the constants 1, 1/2 and 1/4 of the exponent; the bound is proved
    for these, other values serve to show that a wrong constant is found out. For memories that
    keep less of the signal: signal sqrt(A/2) - *loss* stands for sqrt(A/2). Raises ValueError
    unless there is a cell.
    """

    def __init__(
        self,
        cells: int = 512,
        *,
        signal: Fraction = Fraction(1),
        noise: Fraction = Fraction(1, 2),
        coincident: Fraction = Fraction(1, 4),
        loss: Fraction = Fraction(0),
    ) -> None:
        self.cells = read_size("cells", cells)
        self.signal, self.noise, self.coincident = signal, noise, coincident
        self.loss = loss

    def failure_bound(self, d: int, N: int, M: int | None = None) -> Fraction:
        """Union of the single-margin bounds; 1 for d = 1, where nothing is bounded this way."""
        d, N, M = read_sizes(d, N, M)
        return _ONE if d == 1 else _union(d, N, M, self)

    def bound(self, d: int, beta: int, n: int) -> Fraction:
        return over_cells(d, self.cells, partial(self._on_cell, d, beta, n))

    def _on_cell(self, d: int, beta: int, n: int, low: Fraction, high: Fraction) -> arb:
        a, root, most = cell_ends(low, high)
        s = _best_slope(
            d * (float(self.signal) * sqrt(a / 2) - float(self.loss)),
            4 * float(self.coincident) * d * beta * a,
            2 * float(self.noise) * n,
        )
        slope = ball(s)
        exponent = d * slope * (ball(self.loss) - ball(self.signal) * root)
        exponent += d * beta * ball(self.coincident) * slope**2 * most
        exponent -= n * ball(self.noise) * (1 - slope**2).log()
        return arb(1) if exponent > 0 else exponent.exp()


@lru_cache(maxsize=16)
def cell_masses(d: int, cells: int) -> tuple[arb, ...]:
    """Balls around P(A in cell) for A/2 ~ Beta((d-1)/2, (d-1)/2), d >= 2."""
    with precision():
        shape = arb(d - 1) / 2
        # The law is symmetric about 1/2: the lower half of the cells has the masses of the upper one.
        ends = [
            ball(Fraction(k, cells)).beta_lower(shape, shape, regularized=True)
            for k in range(cells // 2 + 1)
        ]
        masses = [b - a for a, b in pairwise(ends)]
        middle = [1 - 2 * ends[-1]] if cells % 2 else []
        return (*masses, *middle, *reversed(masses))


@lru_cache(maxsize=2**12)
def cell_ends(low: Fraction, high: Fraction) -> tuple[float, arb, arb]:
    """Of a cell of A: its lower end *low*, a ball around sqrt(low/2), and one around *high*."""
    with precision():
        return float(low), (ball(low) / 2).sqrt(), ball(high)


def over_cells(d: int, cells: int, bound: Callable[[Fraction, Fraction], arb]) -> Fraction:
    """The mean over A of *bound*, a function of the ends of a cell of A, at most 1, rounded up."""
    with precision():
        total = arb(0)
        for cell, mass in enumerate(cell_masses(d, cells)):
            total += mass * bound(Fraction(2 * cell, cells), Fraction(2 * (cell + 1), cells))
        return min(upper(total), _ONE)


def _best_slope(gain: float, curvature: float, n: float) -> Fraction:
    """A dyadic s in (0, 1) near the minimiser of -gain s + curvature s^2/4 - (n/2) log(1 - s^2).

    Any s is valid.
    """
    low, high = 1, 1023
    while high - low > 1:
        middle = (low + high) // 2
        s = middle / 1024
        slope = -gain + curvature * s / 2 + n * s / (1 - s * s)
        low, high = (middle, high) if slope < 0 else (low, middle)
    return Fraction(low, 1024)


class LinearClosedForm(SufficientCondition):
    """All N facts are recalled with probability >= 1 - delta if d >= 2 and, with
    L = log(N(M-1)/delta) and l = L(1 + L/d): 8l <= d and
    d^2 >= 4 l (d + (N-2)/(1 - (4l/d)^2)).

    The condition is the theorem; ``failure_bound`` is the smallest delta (to a fine grid of L) at
    which it holds. *lead*, *noise* and *pairs* are the 4, N - 2 and N(M-1) of the statement; the
    theorem is proved for these, others serve to show that a wrong constant is found out.
    """

    def __init__(
        self,
        *,
        lead: Fraction = Fraction(4),
        noise: Callable[[int], Fraction] = lambda N: Fraction(N - 2),
        pairs: Callable[[int, int], Fraction] = lambda N, M: Fraction(N * (M - 1)),
    ) -> None:
        self.lead, self.noise, self.pairs = lead, noise, pairs

    def failure_bound(self, d: int, N: int, M: int | None = None) -> Fraction:
        return self.failure_bound_keeping(_ONE, *read_sizes(d, N, M))

    def _holds(self, delta: Fraction, d: int, N: int, M: int | None = None) -> bool:
        return self.holds_keeping(_ONE, delta, *read_sizes(d, N, M))

    def failure_bound_keeping(self, kept: Fraction, d: int, N: int, M: int) -> Fraction:
        """The smallest delta at which the form holds that keeps the part *kept* of d^2:
        kept d^2 >= 4 l (d + (N-2)/(1 - (4l/d)^2/kept)) with (4l/d)^2 < kept.
        """
        if M == 1:
            return Fraction(0)
        # The condition is monotone in L: find the largest L on a grid at which it holds.
        low, high = 0, _GRID
        while high - low > 1:
            middle = (low + high) // 2
            holds = self._at(Fraction(middle * d, _GRID), d, N, kept)
            low, high = (middle, high) if holds else (low, middle)
        if low == 0:
            return _ONE
        with precision():
            reached = upper(ball(-Fraction(low * d, _GRID)).exp())
            return min(self.pairs(N, M) * reached, _ONE)

    def holds_keeping(self, kept: Fraction, delta: Fraction, d: int, N: int, M: int) -> bool:
        """That condition itself, with L enclosed in a ball and decided at its upper end."""
        if M == 1:
            return True
        with precision():
            L = upper(ball(self.pairs(N, M) / delta).log())
        return self._at(L, d, N, kept)

    def _at(self, L: Fraction, d: int, N: int, kept: Fraction = _ONE) -> bool:
        ell = L * (1 + L / d)
        if d < 2 or 8 * ell > d:
            return False
        share = (self.lead * ell / d) ** 2 / kept
        if share >= 1:
            return False
        return kept * d**2 >= self.lead * ell * (d + self.noise(N) / (1 - share))
