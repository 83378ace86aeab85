"""The explicit form of Theorem 1 with a rate for each overlap of outputs, by rules of the kernel.

What is chosen here is lambda = s d/r in Markov's inequality, r = |u_f(x) - u_y|, for every s in (0, 1).
"""

from __future__ import annotations

from functools import cache

from proofs.kernel.algebra import (
    chain,
    exponential,
    instantiate,
    log_of_quotient,
    logarithm,
    root_of_square,
    sign,
)
from proofs.kernel.intervals import closed_below, infimum
from proofs.kernel.laws import margin_law, union_of_margins
from proofs.kernel.probability import by_law, certain, independent, markov, mixture
from proofs.kernel.regions import Region, at_least, between, whole
from proofs.kernel.series import coordinate_mgf, product_mgf
from proofs.kernel.terms import (
    Term,
    coordinate,
    copies,
    exp,
    log,
    sqrt,
    symbols,
    term,
)
from proofs.kernel.theorem import Compare, Theorem
from proofs.memories.linear import definition

_d, _N, _M, _r, _s, _A = symbols("d N M r s A")


def _others(*, inside: bool) -> Term:
    """How many summands of the margin are noise."""
    return _N - 2 if inside else _N - 1


def _exponent(root: Term, square: Term, *, inside: bool) -> Term:
    """-s d root + beta s^2 d square/4 - n log(1 - s^2)/2, (beta, n) = (1, N-2) or (0, N-1)."""
    noise = _others(inside=inside) * log(1 - _s**2) / 2
    coincident = _s**2 * _d * square / 4 if inside else term(0)
    return -_s * _d * root + coincident - noise


def _margin(length: Term, square: Term, *, inside: bool) -> Term:
    """A margin where |u_f(x) - u_y| and half its square are given."""
    noise = copies("S", _others(inside=inside), coordinate("t", _d) * coordinate("h", _d))
    signal = square * (1 - coordinate("g", _d)) if inside else square
    return signal + length * noise


def _sizes(*, inside: bool) -> Region:
    return Region((whole("d", 1), whole("N", 2 if inside else 1), between("s", 0, 1, "()")))


def _apart(*, inside: bool) -> Theorem:
    """P(gamma <= 0) <= exp(...) at every s, where r > 0 is given."""
    region = _sizes(inside=inside).also(at_least("r", 0, above=True))
    rate, margin = _s * _d / _r, _margin(_r, _r**2 / 2, inside=inside)
    factors = [instantiate(product_mgf(), {"r": -_s}, region)]
    if inside:
        factors.append(instantiate(coordinate_mgf(), {"r": rate * _r**2 / 2}, region))
    bound = _exponent(_r / 2, _r**2 / 2, inside=inside)
    tail = independent(-(rate * margin), bound, region, *factors)
    return chain(markov(margin, rate, region), tail)


def _at_zero(*, inside: bool) -> Theorem:
    """The same where r = 0 is given: the bound is at least 1 there."""
    region = _sizes(inside=inside)
    one = term(1)
    nothing = log_of_quotient(one, one, region)
    small = logarithm(sign(Compare(1 - _s**2, "<=", one), region))
    zero, bound = term(0), _exponent(term(0), term(0), inside=inside)
    half = _others(inside=inside) / 2
    large = exponential(sign(Compare(zero, "<=", bound), region, (half, small), (half, nothing)))
    trivial = chain(
        markov(_margin(zero, zero, inside=inside), 0, region), certain(exp(zero), region)
    )
    return chain(trivial, large)


@cache
def given_overlap(*, inside: bool) -> Theorem:
    """P(gamma <= 0) <= inf over 0 < s < 1 of exp(...), where A in [0, 2] is given."""
    given = closed_below(_apart(inside=inside), "r", _at_zero(inside=inside))
    region = _sizes(inside=inside).also(between("A", 0, 2))
    length, root = sqrt(2 * _A), sqrt(_A / 2)
    at = instantiate(given, {"r": length}, region)
    roots = root_of_square(2, _A / 2, region)
    halved = sign(
        Compare(at.right.arguments[0], "<=", _exponent(root, _A, inside=inside)),
        region,
        (-_s * _d / 2, roots),
    )
    return infimum(chain(at, exponential(halved)), "s")


@cache
def averaged(*, inside: bool) -> Theorem:
    """P(gamma <= 0) <= E inf over 0 < s < 1 of exp(...), A = 1 - <u_f(x), u_y>."""
    average = mixture(given_overlap(inside=inside), "A", 1 - coordinate("rho", _d))
    return by_law(margin_law(definition(), inside=inside), average)


@cache
def some_margin() -> Theorem:
    """Some margin is at most 0 with at most the probability of the union over the pairs."""
    inside, outside = averaged(inside=True), averaged(inside=False)
    sizes = Region((whole("d", 1), whole("M", 2), whole("N", 1, _M)))
    bound = _N * (_N - 1) * inside.right + _N * (_M - _N) * outside.right
    return union_of_margins(definition(), bound, sizes, inside, outside)
