"""Explicit conditions for the linear memory with weights rounded to the nearest multiple of a step.

Each entry moves by at most e/2, so no margin loses more than e d sqrt(A/2), A = 1 - <u_f(x), u_y>.
Serves Corollary 2 of Nichani et al., whose step is 1/(8 d).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from proofs.capacity.conditions import SufficientCondition, read_size, read_sizes
from proofs.capacity.linear import Linear, LinearClosedForm


def read_step(step: Fraction | None, d: int) -> Fraction:
    """The step as an exact fraction, 1/(8 d) where it is None. ValueError unless it is positive."""
    try:
        exact = Fraction(1, 8 * d) if step is None else Fraction(step)
    except (ValueError, TypeError, OverflowError, ZeroDivisionError):
        exact = Fraction(0)
    if exact <= 0:
        raise ValueError(f"step: {step!r} is no spacing; take a positive fraction")
    return exact


class Quantized(SufficientCondition):
    """P(gamma <= 0) is at most
    E_A inf_s exp(-s d (sqrt(A/2) - e d/2) + beta s^2 d A/4 - (n/2) log(1 - s^2)).

    *step*: e, 1/(8 d) unless it is given. *loss* is the 1/2 of the exponent; *cells*, *signal*,
    *noise* and *coincident* as for ``Linear``.
    """

    def __init__(
        self,
        step: Fraction | None = None,
        cells: int = 512,
        *,
        loss: Fraction = Fraction(1, 2),
        signal: Fraction = Fraction(1),
        noise: Fraction = Fraction(1, 2),
        coincident: Fraction = Fraction(1, 4),
    ) -> None:
        read_step(step, 1)
        self.step, self.cells, self.loss = step, read_size("cells", cells), loss
        self.signal, self.noise, self.coincident = signal, noise, coincident

    def failure_bound(self, d: int, N: int, M: int | None = None) -> Fraction:
        """Union of the single-margin bounds; 1 for d = 1, where nothing is bounded this way."""
        d, N, M = read_sizes(d, N, M)
        return self.at(d).failure_bound(d, N, M)

    def at(self, d: int) -> Linear:
        """The bound on one margin in dimension *d*."""
        return Linear(
            self.cells,
            signal=self.signal,
            noise=self.noise,
            coincident=self.coincident,
            loss=self.loss * read_step(self.step, d) * d,
        )


def _kept(d: int, e: Fraction) -> Fraction:
    """q = 1 - 3 e d/2."""
    return 1 - 3 * e * d / 2


class QuantizedClosedForm(SufficientCondition):
    """All N facts are recalled with probability >= 1 - delta if d >= 2, e d <= 1/8 and, with
    L = log(N(M-1)/delta), l = L(1 + L/d) and q = 1 - 3 e d/2: 8l <= d and
    q d^2 >= 4 l (d + (N-2)/(1 - (4l/d)^2/q)).

    The condition is the theorem, as for ``LinearClosedForm``, whose *lead*, *noise* and *pairs*
    these are; *kept* is q and *coarsest* the 1/8. *step*: e, 1/(8 d) unless it is given.
    """

    def __init__(
        self,
        step: Fraction | None = None,
        *,
        lead: Fraction = Fraction(4),
        noise: Callable[[int], Fraction] = lambda N: Fraction(N - 2),
        pairs: Callable[[int, int], Fraction] = lambda N, M: Fraction(N * (M - 1)),
        kept: Callable[[int, Fraction], Fraction] = _kept,
        coarsest: Fraction = Fraction(1, 8),
    ) -> None:
        read_step(step, 1)
        self.step, self.kept, self.coarsest = step, kept, coarsest
        self.form = LinearClosedForm(lead=lead, noise=noise, pairs=pairs)

    def failure_bound(self, d: int, N: int, M: int | None = None) -> Fraction:
        d, N, M = read_sizes(d, N, M)
        e = read_step(self.step, d)
        if e * d > self.coarsest:
            return Fraction(1)
        return self.form.failure_bound_keeping(self.kept(d, e), d, N, M)

    def _holds(self, delta: Fraction, d: int, N: int, M: int | None = None) -> bool:
        d, N, M = read_sizes(d, N, M)
        e = read_step(self.step, d)
        return e * d <= self.coarsest and self.form.holds_keeping(self.kept(d, e), delta, d, N, M)
