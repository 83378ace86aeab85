"""Rules of power series: two are compared coefficient by coefficient, for every order at once."""

from __future__ import annotations

from dataclasses import dataclass

from proofs.citations import COORDINATE_LAW
from proofs.concentration.overlaps import RATIO, ratio_is_right
from proofs.kernel.definedness import require
from proofs.kernel.normal import as_term
from proofs.kernel.regions import Region, between, real, require_sign, whole
from proofs.kernel.terms import Term, coordinate, exp, expectation, log, power, substituted, symbol
from proofs.kernel.theorem import Compare, Concluded, rule

#: Orders at which the moments of a coordinate are compared with those of the engine.
_ORDERS = 8
#: The order of a coefficient.
_K = symbol("k")


@rule
def log_series(name: str = "x") -> Concluded:
    """-log(1 - x) <= x/(1 - x) for 0 <= x < 1: sums over k >= 1 of x^k/k and of x^k."""
    require_sign(1 - 1 / _K, Region((whole("k", 1),)), said="the coefficients")
    x = symbol(name)
    return Concluded(Compare(-log(1 - x), "<=", x / (1 - x)), Region((between(name, 0, 1, "[)"),)))


def _moment_ratio(dimension: Term) -> Term:
    """E g^(2k+2)/E g^(2k) of a coordinate g; the engine's moments to some order are compared with it."""
    require(ratio_is_right(_ORDERS), "the moments of a coordinate are not the engine's")
    return as_term(RATIO, {"j": _K, "d": dimension})


@dataclass(frozen=True)
class _Even:
    """A power series in r^2 that begins with 1: its sum, and the ratio of one coefficient to the one
    before, in the order k."""

    sum: Term
    ratio: Term


def _exponential(rate: Term, divisor: Term) -> _Even:
    """exp(r^2/divisor)."""
    return _Even(exp(rate**2 / divisor), 1 / ((_K + 1) * divisor))


def _inverse_root(rate: Term) -> _Even:
    """(1 - r^2)^(-1/2), as an exponential."""
    return _Even(exp(-log(1 - rate**2) / 2), (2 * _K + 1) / (2 * _K + 2))


def _generating(rate: Term, moments: Term, variable: Term) -> _Even:
    """E exp(rate X) of a symmetric variable, *moments* being E X^(2k+2)/E X^(2k), in r^2 where *rate* is
    a multiple of r; the factor of that is in the moments."""
    return _Even(expectation(exp(rate * variable)), moments / ((2 * _K + 1) * (2 * _K + 2)))


def _termwise(left: _Even, right: _Even, region: Region) -> Concluded:
    """No ratio on the left exceeds that on the right, and so no coefficient does."""
    orders = Region((whole("d", 1), whole("k", 0)))
    require_sign(right.ratio - left.ratio, orders, said="the ratios of coefficients")
    return Concluded(Compare(left.sum, "<=", right.sum), region, cites=(COORDINATE_LAW,))


@rule
def coordinate_mgf(rate: str = "r") -> Concluded:
    """E exp(r g) <= exp(r^2/(2 d)) for a coordinate g of a uniform unit vector of R^d and all real r."""
    d, r = symbol("d"), symbol(rate)
    left = _generating(r, _moment_ratio(d), coordinate("g", d))
    return _termwise(left, _exponential(r, 2 * d), Region((whole("d", 1), real(rate))))


@rule
def product_mgf(rate: str = "r") -> Concluded:
    """E exp(d r t g) <= exp(-log(1 - r^2)/2) for independent coordinates t, g of uniform unit vectors of
    R^d and -1 < r < 1."""
    d, r = symbol("d"), symbol(rate)
    product = coordinate("t", d) * coordinate("g", d)
    left = _generating(d * r, d**2 * _moment_ratio(d) ** 2, product)
    region = Region((whole("d", 1), between(rate, -1, 1, "()")))
    return _termwise(left, _inverse_root(r), region)


@rule
def coordinate_moment(order: str = "p") -> Concluded:
    """E g^(2p+2) = (2p+1)/(d+2p) E g^(2p) for a coordinate g of a uniform unit vector of R^d."""
    d, p = symbol("d"), symbol(order)
    square = coordinate("g", d) ** 2
    ratio = substituted(_moment_ratio(d), {"k": p})
    statement = Compare(
        expectation(power(square, p + 1)), "=", ratio * expectation(power(square, p))
    )
    return Concluded(statement, Region((whole("d", 1), whole(order, 0))), cites=(COORDINATE_LAW,))
