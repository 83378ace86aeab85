"""Rules of power series: two are compared coefficient by coefficient, for every order at once."""

from __future__ import annotations

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


@rule
def coordinate_mgf(rate: str = "r") -> Concluded:
    """E exp(r g) <= exp(r^2/(2 d)) for a coordinate g of a uniform unit vector of R^d and all real r.

    Both are even series in r that begin with 1; the ratio of one coefficient to the one before is
    E g^(2k+2)/E g^(2k)/((2k+1)(2k+2)) on the left and 1/((k+1) 2 d) on the right.
    """
    d, r = symbol("d"), symbol(rate)
    require_sign(
        1 / ((_K + 1) * 2 * d) - _moment_ratio(d) / ((2 * _K + 1) * (2 * _K + 2)),
        Region((whole("d", 1), whole("k", 0))),
        said="the ratios of coefficients",
    )
    statement = Compare(expectation(exp(r * coordinate("g", d))), "<=", exp(r**2 / (2 * d)))
    return Concluded(statement, Region((whole("d", 1), real(rate))), cites=(COORDINATE_LAW,))


@rule
def product_mgf(rate: str = "r") -> Concluded:
    """E exp(d r t g) <= exp(-log(1 - r^2)/2) for independent coordinates t, g of uniform unit vectors of
    R^d and -1 < r < 1.

    Both are even series in r that begin with 1; the ratios are d^2 (E g^(2k+2)/E g^(2k))^2 over
    (2k+1)(2k+2), and (2k+1)/(2k+2).
    """
    d, r = symbol("d"), symbol(rate)
    require_sign(
        (2 * _K + 1) / (2 * _K + 2) - d**2 * _moment_ratio(d) ** 2 / ((2 * _K + 1) * (2 * _K + 2)),
        Region((whole("d", 1), whole("k", 0))),
        said="the ratios of coefficients",
    )
    product = coordinate("t", d) * coordinate("g", d)
    statement = Compare(expectation(exp(d * r * product)), "<=", exp(-log(1 - r**2) / 2))
    inside = between(rate, -1, 1, "()")
    return Concluded(statement, Region((whole("d", 1), inside)), cites=(COORDINATE_LAW,))


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
