"""The explicit forms of Theorem 1 for the linear memory, by rules of the kernel.

From the moment generating functions of coordinates to the law of one margin, to its tail, to full
recall. What is chosen here is lambda = tau d/2 in Markov's inequality, tau = 4 l/d in the closed form,
and multipliers.
"""

from __future__ import annotations

from functools import cache

from proofs.kernel.algebra import (
    assume,
    chain,
    exp_of_log,
    exponential,
    instantiate,
    log_above_zero,
    restate,
    sign,
    times,
)
from proofs.kernel.laws import margin_law, union_of_margins
from proofs.kernel.probability import by_law, independent, markov, mixture
from proofs.kernel.regions import Region, at_least, between, whole
from proofs.kernel.series import coordinate_mgf, log_series, product_mgf
from proofs.kernel.terms import (
    Term,
    coordinate,
    copies,
    exp,
    log,
    sqrt,
    substituted,
    symbols,
)
from proofs.kernel.theorem import Compare, Theorem
from proofs.memories.linear import definition

_d, _N, _M, _tau, _r, _l, _L, _delta = symbols("d N M tau r l L delta")
#: <u_f(x), u_y>.
_RHO = coordinate("rho", _d)


def kappa(*, inside: bool) -> Term:
    """tau d/2 - beta tau^2 d/4 - n tau^2/(4(1 - tau^2)), with (beta, n) = (1, N-2) or (0, N-1)."""
    noise = (_N - 2 if inside else _N - 1) * _tau**2 / (4 * (1 - _tau**2))
    signal = _tau * _d / 2 - _tau**2 * _d / 4 if inside else _tau * _d / 2
    return signal - noise


@cache
def given_length(*, inside: bool) -> Theorem:
    """P(gamma <= 0) <= exp(-kappa r^2/2) where |u_f(x) - u_y| = r is given, 0 < tau < 1."""
    region = Region((whole("d", 1), whole("N", 2 if inside else 1), between("tau", 0, 1, "()")))
    region = region.also(between("r", 0, 2))
    n = _N - 2 if inside else _N - 1
    rate, half = _tau * _d / 2, _r**2 / 2
    noise = _r * copies("S", n, coordinate("t", _d) * coordinate("h", _d))
    margin = half * (1 - coordinate("g", _d)) + noise if inside else half + noise
    x = (_tau * _r / 2) ** 2
    exponent = -rate * half - n * log(1 - x) / 2
    factors = [instantiate(product_mgf(), {"r": -_tau * _r / 2}, region)]
    if inside:
        exponent = exponent + (rate * half) ** 2 / (2 * _d)
        factors.append(instantiate(coordinate_mgf(), {"r": rate * half}, region))
    tail = chain(
        markov(margin, rate, region),
        independent(-(rate * margin), exponent, region, *factors),
    )
    series = instantiate(log_series(), {"x": x}, region)
    less = sign(Compare(exponent, "<=", -kappa(inside=inside) * half), region, (n / 2, series))
    return chain(tail, exponential(less))


def _averaged(given: Theorem, exponent: Term, *, inside: bool) -> Theorem:
    """P(gamma <= 0) <= exp(-e + e^2/(2d)) from exp(-e r^2/2) where r is given."""
    length = sqrt(2 - 2 * _RHO)
    average = mixture(given, "r", length)
    size = average.region
    rotated = by_law(margin_law(definition(), inside=inside), average)
    factor = instantiate(coordinate_mgf(), {"r": exponent}, size)
    bound = -exponent + exponent**2 / (2 * _d)
    return chain(rotated, independent(-exponent * length**2 / 2, bound, size, factor))


@cache
def single_margin_tail(*, inside: bool) -> Theorem:
    """P(gamma <= 0) <= exp(-kappa + kappa^2/(2d)) for 0 < tau < 1."""
    return _averaged(given_length(inside=inside), kappa(inside=inside), inside=inside)


def condition(ell: Term) -> Compare:
    """The condition of the closed form."""
    return Compare(4 * ell * (_d + (_N - 2) / (1 - (4 * ell / _d) ** 2)), "<=", _d**2)


def _tail_at(*, inside: bool) -> Theorem:
    """P(gamma <= 0) <= exp(-L) under the condition at l = L (1 + L/d) <= d/8."""
    sizes = (whole("d", 2), whole("N", 2 if inside else 1))
    region = Region((*sizes, between("l", 0, _d / 8, "(]"), between("r", 0, 2)))
    tau = 4 * _l / _d
    given = instantiate(given_length(inside=inside), {"tau": tau}, region)
    least = substituted(kappa(inside=inside), {"tau": tau})
    share = _r**2 / 2 * _l / _d**2
    enough = sign(
        Compare(-least * _r**2 / 2, "<=", -_l * _r**2 / 2),
        region,
        (share, assume(condition(_l), region)),
    )
    tail = _averaged(chain(given, exponential(enough)), _l, inside=inside)
    region = Region((*sizes, at_least("L", 0, above=True)))
    ell = _L * (1 + _L / _d)
    small = assume(Compare(ell, "<=", _d / 8), region)
    exponent = -ell + ell**2 / (2 * _d)
    enough = sign(Compare(exponent, "<=", -_L), region, (4 * _L**2 / _d**2, small))
    return chain(instantiate(tail, {"l": ell}, region, small), exponential(enough))


@cache
def closed_form() -> Theorem:
    """Some fact is lost with probability delta at most, under the condition; L = log(N(M-1)/delta)."""
    sizes = (whole("d", 2), whole("M", 2), whole("N", 1, _M))
    pairs = _N * (_M - 1)
    some = union_of_margins(
        definition(),
        pairs * exp(-_L),
        Region((*sizes, at_least("L", 0, above=True))),
        _tail_at(inside=True),
        _tail_at(inside=False),
    )
    region = Region((*sizes, between("delta", 0, 1, "()")))
    many = pairs / _delta
    at = instantiate(some, {"L": log(many)}, region, log_above_zero(many, region))
    bound = chain(at, times(exp_of_log(many, -1, region), pairs))
    return restate(bound, Compare(bound.left, "<=", _delta))
