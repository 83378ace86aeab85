"""Explicit conditions for the low-rank memory W = sum_z u_{f(z)} e_z^T G, G = sum_{i<=m} v_i v_i^T.

With r = <e_x, G e_x>/|G e_x|, gamma/|G e_x| has the law of the linear memory's margin less
(1 - r) A, so every bound holds at each r with r A for the signal A. The alignment r is independent
of the rest, and one for all competitors of x: the union over them stands inside the average over r.
Serves Theorem 1 of Nichani et al., last sentence.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import log, sqrt
from typing import Literal, get_args

from flint import arb

from proofs.algebra.balls import ball, precision, upper
from proofs.capacity.conditions import SufficientCondition, read_size, read_sizes
from proofs.capacity.linear import Linear, LinearClosedForm, fact_lost

#: "gaussian": v_i i.i.d. N(0, I_d); "orthonormal": a uniform orthonormal m-frame, m <= d.
Factors = Literal["gaussian", "orthonormal"]

#: Alignments are taken on a grid of this many steps in [0, 1].
_STEPS = 4096
#: Alignments whose density is smaller than at its largest by this power of e share one cell.
_NEGLIGIBLE = 50.0


class LowRank(SufficientCondition):
    """P(failure) <= N E_r min(1, sum over y of P(gamma_xy <= 0 | r)), where P(gamma <= 0 | r) is at
    most E_A inf_s exp(-s d r sqrt(A/2) + beta s^2 d A/4 - (n/2) log(1 - s^2)).

    r^2 has the Beta(m/2, (d-1)/2) law for Gaussian *factors*, Beta(m/2, (d-m)/2) for orthonormal
    ones (1 where m = d). Both expectations are bounded cell by cell, with r at the lower end.

    *cells* for A, *levels* for r: more of them come closer. *signal*, *noise* and *coincident* as
    for ``Linear``. Raises ValueError for factors of another name, and without a cell or a level.
    """

    def __init__(
        self,
        cells: int = 96,
        levels: int = 32,
        *,
        factors: Factors = "gaussian",
        signal: Fraction = Fraction(1),
        noise: Fraction = Fraction(1, 2),
        coincident: Fraction = Fraction(1, 4),
    ) -> None:
        if factors not in get_args(Factors):
            raise ValueError(f"factors: {factors!r} is not known; take 'gaussian' or 'orthonormal'")
        self.cells, self.levels = read_size("cells", cells), read_size("levels", levels)
        self.factors = factors
        self.signal, self.noise, self.coincident = signal, noise, coincident

    def failure_bound(self, d: int, N: int, M: int | None = None, *, m: int) -> Fraction:
        """Union over the inputs of the bound averaged over r; 1 for d = 1, where nothing is bounded
        this way. Raises ValueError for sizes out of range, m > d orthonormal factors among them.
        """
        d, N, M = read_sizes(d, N, M)
        m = read_size("m", m)
        if self.factors == "orthonormal" and m > d:
            raise ValueError(f"m: {m} orthonormal factors do not fit in d = {d}; take m <= {d}")
        if d == 1:
            return Fraction(1)
        with precision():
            lost = arb(0)
            for r, mass in alignment_cells(d, m, self.factors, self.levels):
                lost += mass * ball(fact_lost(d, N, M, self.at(r)))
            return min(N * upper(lost), Fraction(1))

    def at(self, r: Fraction) -> Linear:
        """The bound on one margin, given its alignment *r*."""
        return Linear(
            self.cells,
            signal=self.signal * r,
            noise=self.noise,
            coincident=self.coincident,
        )


@lru_cache(maxsize=16)
def alignment_cells(
    d: int, m: int, factors: Factors, levels: int
) -> tuple[tuple[Fraction, arb], ...]:
    """(lower end of r, ball around the probability of the cell), for cells that cover [0, 1]."""
    rest = d - 1 if factors == "gaussian" else d - m
    if rest == 0:
        return ((Fraction(1), arb(1)),)
    ends = _levels(m, rest, levels)
    with precision():
        below = [
            ball(r**2).beta_lower(arb(m) / 2, arb(rest) / 2, regularized=True) for r in ends[1:]
        ]
        return tuple(
            (r, b - a) for r, (a, b) in zip(ends, pairwise([arb(0), *below, arb(1)]), strict=True)
        )


def _levels(m: int, rest: int, levels: int) -> list[Fraction]:
    """0 and rationals in (0, 1) where r has its mass: any are valid, so floats choose them."""

    def log_density(k: int) -> float:
        r = k / _STEPS
        return (m - 1) * log(r) + (rest / 2 - 1) * log(1 - r * r)

    inner = range(1, _STEPS)
    top = max(inner, key=log_density)
    least = log_density(top) - _NEGLIGIBLE
    low = next(k for k in inner if log_density(k) >= least)
    mean = m / (m + rest)
    deviation = sqrt(2 * mean * (1 - mean) / (m + rest + 2))
    high = min(sqrt(mean + 2 * deviation), 1 - 1 / _STEPS) * _STEPS
    step = max(high - low, 0) / max(levels - 2, 1)
    chosen = {min(max(round(low + i * step), 1), _STEPS - 1) for i in range(levels - 1)}
    return [Fraction(0), *(Fraction(k, _STEPS) for k in sorted(chosen))]


def _kept(d: int, m: int) -> Fraction:
    """q = m/(m + 3d), below r^2 but for a rare draw."""
    return Fraction(m, m + 3 * d)


class LowRankClosedForm(SufficientCondition):
    """All N facts are recalled with probability >= 1 - delta, for Gaussian factors, if d >= 2 and,
    with L = log(NM/delta), l = L(1 + L/d) and q = m/(m + 3d): 8l <= d, (4l/d)^2 < q and
    q d^2 >= 4 l (d + (N-2)/(1 - (4l/d)^2/q)).

    The condition is the theorem, as for ``LinearClosedForm``, whose *lead*, *noise* and *pairs* are
    here 4, N - 2 and N M; *kept* is q. Others serve to show that a wrong one is found out.
    """

    def __init__(
        self,
        *,
        lead: Fraction = Fraction(4),
        noise: Callable[[int], Fraction] = lambda N: Fraction(N - 2),
        pairs: Callable[[int, int], Fraction] = lambda N, M: Fraction(N * M),
        kept: Callable[[int, int], Fraction] = _kept,
    ) -> None:
        self.form, self.kept = LinearClosedForm(lead=lead, noise=noise, pairs=pairs), kept

    def failure_bound(self, d: int, N: int, M: int | None = None, *, m: int) -> Fraction:
        d, N, M = read_sizes(d, N, M)
        return self.form.failure_bound_keeping(self.kept(d, read_size("m", m)), d, N, M)

    def _holds(self, delta: Fraction, d: int, N: int, M: int | None = None, *, m: int) -> bool:
        d, N, M = read_sizes(d, N, M)
        return self.form.holds_keeping(self.kept(d, read_size("m", m)), delta, d, N, M)
