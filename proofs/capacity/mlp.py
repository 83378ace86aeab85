"""An explicit condition for the MLP memory in its linearised form, from exact moments of its margin.

P(gamma <= 0) <= E(gamma - E gamma)^4/(E gamma)^4 (Markov), the moments exact for every d, N and m; the
union runs over the N(M-1) pairs. Crude beside what the memory does, but sharper by many orders than the
route by hypercontractivity (Nichani et al., proof of Theorem 9), which ``hypercontractive_dimension``
prices.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import ceil

from flint import arb

from proofs.algebra import RationalFunction
from proofs.algebra.balls import ball, enclosure, precision, upper
from proofs.algebra.symbols import symbols
from proofs.capacity.conditions import SufficientCondition, read_delta, read_size, read_sizes
from proofs.memories import mlp

_ONE = Fraction(1)

#: Hermite coefficients of the activation h_3, the one with the least noise for features of degree 2.
H3 = (0, 0, 0, 1)


def read_activation(sigma: Sequence[int | Fraction], degree: int) -> tuple[int | Fraction, ...]:
    """Rational Hermite coefficients c_0, ..., c_q with c_degree not 0.

    Raises ValueError for anything else, ExactnessError for floats.
    """
    if isinstance(sigma, str) or not isinstance(sigma, Iterable):
        raise ValueError(
            f"sigma: {sigma!r} is no list of coefficients; give the numbers c_0, ..., c_q"
        )
    exact = mlp.activation(sigma)
    if len(exact) <= degree or exact[degree] == 0:
        raise ValueError(
            f"sigma: the coefficient c_{degree} is 0, so the memory stores nothing; give "
            f"c_0, ..., c_q with c_{degree} not 0"
        )
    return tuple(sigma)


class MLP(SufficientCondition):
    """P(failure) <= N(N-1) K_in + N(M-N) K_out, K the smaller of Var/(Var + (E gamma)^2) (Cantelli) and
    E(gamma - E gamma)^4/(E gamma)^4 (Markov), for y in and outside the image.

    *k*: even degree of the features; *sigma*: rational Hermite coefficients c_0, ..., c_q of the
    activation with c_{k+1} not 0 (the q_i are negated if it is negative). *scale* multiplies the
    bound, and *pairs*, 2 for all of them, says in which sizes the union runs (1: the inputs, 0: none);
    other values than 1 and 2 serve to show that a wrong statement is found out.

    Raises ValueError for an odd k and a sigma without that coefficient, ExactnessError for floats.
    """

    def __init__(
        self,
        k: int = 2,
        sigma: Sequence[int | Fraction] = H3,
        *,
        scale: Fraction = _ONE,
        pairs: int = 2,
    ) -> None:
        if isinstance(k, bool) or not isinstance(k, int) or k < 0 or k % 2:
            raise ValueError(f"k: {k!r} is no degree of the features here; take an even int >= 0")
        self.k, self.sigma, self.scale, self.pairs = k, read_activation(sigma, k + 1), scale, pairs

    def failure_bound(self, d: int, N: int, M: int | None = None, *, m: int) -> Fraction:
        """Union of the bounds on single margins, at most 1. Raises ValueError for sizes out of range."""
        d, N, M = read_sizes(d, N, M)
        m = read_size("m", m)
        total = Fraction(0)
        for competitors, inside in ((N - 1, True), (M - N, False)):
            if competitors:
                runs = N * competitors if self.pairs == 2 else N if self.pairs == 1 else 1
                total += runs * self.scale * self.margin_bound(d, N, m, inside)
        return min(total, _ONE)

    def margin_bound(self, d: int, N: int, m: int, inside: bool) -> Fraction:
        """The bound on P(gamma <= 0) for one margin."""
        mean, variance, fourth = (
            moment(d=d, N=N, m=m) for moment in _moments(self.k, self.sigma, inside)
        )
        square = (mean**2).as_fraction()
        cantelli, markov = variance / (variance + square), fourth / square**2
        return min(enclosure(cantelli)[1], enclosure(markov)[1], _ONE)


@lru_cache(maxsize=16)
def _moments(
    k: int, sigma: tuple[int | Fraction, ...], inside: bool
) -> tuple[RationalFunction, RationalFunction, RationalFunction]:
    """Mean, variance and fourth central moment of the margin, in d, N and m."""
    d, N, m = symbols("d N m")
    first = mlp.margin_mean(d, N, m, k=k, sigma=sigma, y_in_image=inside)
    second, fourth = (
        mlp.margin_central_moment(order, d, N, m, k=k, sigma=sigma, y_in_image=inside)
        for order in (2, 4)
    )
    return first.value, second.value, fourth.value


def hypercontractive_dimension(
    delta: object, N: int, M: int | None = None, *, k: int = 2, q: int = 3
) -> int:
    """A lower bound on the d for which the route of the paper's proof proves anything, whatever m is.

    It needs 2^p e log(N M/delta)^p Var(gamma) <= (E gamma)^2 with p = 2q + 2k + 4, and the variance is
    at least (E gamma)^2/d for y in the image, whatever the width.
    """
    exact = read_delta(delta)
    _, N, M = read_sizes(1, N, M)
    power = 2 * q + 2 * k + 4
    with precision():
        logarithm = ball(Fraction(N * M) / exact).log()
        return max(1, ceil(upper(arb(1).exp() * (2 * logarithm) ** power)) - 1)
