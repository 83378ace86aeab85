"""Rules of power series: two are compared coefficient by coefficient, for every order at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from math import factorial
from operator import mul

import flint

from proofs.citations import COORDINATE_LAW
from proofs.concentration.overlaps import RATIO, overlap_moment, ratio_is_right
from proofs.kernel.definedness import require
from proofs.kernel.normal import as_term, normal
from proofs.kernel.regions import Range, Region, between, real, require_sign, whole
from proofs.kernel.terms import (
    ARITHMETIC,
    Term,
    coordinate,
    exp,
    expectation,
    log,
    power,
    substituted,
    symbol,
    term,
)
from proofs.kernel.theorem import Compare, Concluded, rule

#: The order of a coefficient.
_K = symbol("k")
#: Dimensions and orders at which the ratios of coefficients are compared with the coefficients.
_DIMENSIONS, _ORDERS = (1, 2, 3, 7), 8


@dataclass(frozen=True)
class _Series:
    """A power series in a rate: its sum, and the ratio of a coefficient to the one before, in the order
    k from *first* on; the first coefficient is 1. *step*: in the square of the rate it is 2.

    *coefficient*, of the order and the dimension, where it is no Taylor coefficient of the sum.
    """

    sum: Term
    ratio: Term
    first: int = 0
    step: int = 2
    coefficient: Callable[[int, int], Fraction] | None = None

    def require_ratio(self, rate: str) -> None:
        """Refused if the ratio is not that of the coefficients, at some dimensions and orders."""
        for d in _DIMENSIONS:
            found = [self._coefficient(self.first + i, d, rate) for i in range(_ORDERS + 1)]
            for k, (one, following) in enumerate(pairwise(found), start=self.first):
                stated = normal(self.ratio)(k=k, d=d).as_fraction()
                fits = following == stated * one and found[0] == 1
                require(fits, f"{self.ratio} is not the ratio of the coefficients of {self.sum}")

    def _coefficient(self, order: int, d: int, rate: str) -> Fraction:
        if self.coefficient is not None:
            return self.coefficient(order, d)
        cap, flint.ctx.cap = flint.ctx.cap, self.step * order + 1
        try:
            value = _expanded(self.sum, rate, d)[self.step * order]
        finally:
            flint.ctx.cap = cap
        return Fraction(int(value.p), int(value.q))


def _expanded(one: Term, rate: str, d: int) -> flint.fmpq_series:
    """The Taylor series of a term in the symbol *rate* in dimension d, as far as flint's cap."""
    if one.head == "number":
        return flint.fmpq_series(
            [flint.fmpq(one.value.numerator, one.value.denominator)],
        )
    if one.head == "symbol":
        return flint.fmpq_series([0, 1] if one.name == rate else [d])
    if one.head == "^":
        return _expanded(one.arguments[0], rate, d) ** int(one.arguments[1].value)
    sides = [_expanded(argument, rate, d) for argument in one.arguments]
    apply = getattr(flint.fmpq_series, one.head, None) or ARITHMETIC[one.head]
    found: flint.fmpq_series = apply(*sides)
    return found


def _termwise(left: _Series, right: _Series, rate: str, *others: Range) -> Compare:
    """No ratio on the left exceeds that on the right, and so no coefficient does, at any order.

    *others*: where the symbols range on which the ratios depend besides.
    """
    first, step = left.first, left.step
    require((right.first, right.step) == (first, step), "the series begin apart")
    where = Region((*others, whole("k", first)))
    for series in (left, right):
        series.require_ratio(rate)
    require_sign(right.ratio - left.ratio, where, said="the ratios of coefficients")
    return Compare(left.sum, "<=", right.sum)


@rule
def log_series(name: str = "x") -> Concluded:
    """-log(1 - x) <= x/(1 - x) for 0 <= x < 1."""
    x = symbol(name)
    left = _Series(-log(1 - x), _K / (_K + 1), first=1, step=1)
    right = _Series(x / (1 - x), term(1), first=1, step=1)
    statement = _termwise(left, right, name)
    return Concluded(statement, Region((between(name, 0, 1, "[)"),)))


# -- coordinates ----------------------------------------------------------------------------------

_D = symbol("d")
_SIZE = whole("d", 1)


def _moment_ratio() -> Term:
    """E g^(2k+2)/E g^(2k) of a coordinate g; the engine's moments to some order are compared with it."""
    require(ratio_is_right(_ORDERS), "the moments of a coordinate are not the engine's")
    return as_term(RATIO, {"j": _K, "d": _D})


def _generating(rate: str, scale: Term, *names: str) -> _Series:
    """E exp(scale rate X) of a product X of independent coordinates of those names."""
    variable = reduce(mul, (coordinate(name, _D) for name in names))
    many = len(names)

    def coefficient(k: int, d: int) -> Fraction:
        moment = overlap_moment(k)(d=d).as_fraction() ** many
        return normal(scale)(d=d).as_fraction() ** (2 * k) * moment / factorial(2 * k)

    ratio = scale**2 * _moment_ratio() ** many / ((2 * _K + 1) * (2 * _K + 2))
    rates = symbol(rate) if scale == term(1) else scale * symbol(rate)
    found = expectation(exp(rates * variable))
    return _Series(found, ratio, coefficient=coefficient)


@rule
def coordinate_mgf(rate: str = "r") -> Concluded:
    """E exp(r g) <= exp(r^2/(2 d)) for a coordinate g of a uniform unit vector of R^d and all real r."""
    region = Region((_SIZE, real(rate)))
    right = _Series(exp(symbol(rate) ** 2 / (2 * _D)), 1 / ((_K + 1) * (2 * _D)))
    statement = _termwise(_generating(rate, term(1), "g"), right, rate, _SIZE)
    return Concluded(statement, region, cites=(COORDINATE_LAW,))


@rule
def product_mgf(rate: str = "r") -> Concluded:
    """E exp(d r t g) <= exp(-log(1 - r^2)/2) for independent coordinates t, g of uniform unit vectors of
    R^d and -1 < r < 1."""
    region = Region((_SIZE, between(rate, -1, 1, "()")))
    right = _Series(exp(-log(1 - symbol(rate) ** 2) / 2), (2 * _K + 1) / (2 * _K + 2))
    statement = _termwise(_generating(rate, _D, "t", "g"), right, rate, _SIZE)
    return Concluded(statement, region, cites=(COORDINATE_LAW,))


@rule
def coordinate_moment(order: str = "p") -> Concluded:
    """E g^(2p+2) = (2p+1)/(d+2p) E g^(2p) for a coordinate g of a uniform unit vector of R^d."""
    p, square = symbol(order), coordinate("g", _D) ** 2
    ratio = substituted(_moment_ratio(), {"k": p})
    statement = Compare(
        expectation(power(square, p + 1)), "=", ratio * expectation(power(square, p))
    )
    return Concluded(statement, Region((_SIZE, whole(order, 0))), cites=(COORDINATE_LAW,))
