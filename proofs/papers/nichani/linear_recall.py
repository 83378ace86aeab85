"""The explicit forms of Theorem 1 for the linear memory, by rules of the kernel.

From the moment generating functions of coordinates to the law of one margin, to its tail, to full
recall. What is chosen here is lambda = tau d/2 in Markov's inequality, tau = 4 l/d in the closed form,
and multipliers. Rounded weights share all of it (``rounded_recall``): their margins are smaller by a
multiple of |u_f(x) - u_y| at most.
"""

from __future__ import annotations

from dataclasses import dataclass
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
    square,
    times,
)
from proofs.kernel.laws import margin_law, union_of_margins
from proofs.kernel.probability import by_law, independent, markov, mixture
from proofs.kernel.regions import Range, Region, at_least, between, whole
from proofs.kernel.series import coordinate_mgf, log_series, product_mgf
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

_d, _N, _M, _tau, _r, _l, _L, _delta = symbols("d N M tau r l L delta")
#: <u_f(x), u_y>.
_RHO = coordinate("rho", _d)
_NOTHING = term(0)


@dataclass(frozen=True)
class Loss:
    """What the margin of another memory is less than that of the linear one by, *rate* |u_f(x) - u_y| at
    most, and how that is met; nothing for the linear memory itself. Choices but for the first.

    *ranges*: where its symbols range. *kept*: the part of d^2 that the condition has left, if not all.
    *shared*: the c of exp(c - (l + c) r^2/2), which bounds the tail where the length r is given.
    *squares*: multipliers and terms, with whose squares lambda rate r <= c (1 + r^2/2) is seen.
    """

    rate: Term = _NOTHING
    ranges: tuple[Range, ...] = ()
    kept: Term | None = None
    shared: Term = _NOTHING
    squares: tuple[tuple[Term, Term], ...] = ()


_NONE = Loss()


def _sizes(least: int, *, inside: bool) -> tuple[Range, ...]:
    """d from *least* on, and N where there is a margin."""
    return whole("d", least), whole("N", 2 if inside else 1)


def _plus(one: Term, other: Term) -> Term:
    """The sum, without a 0 in front."""
    return other if one == _NOTHING else one + other


def kappa(*, inside: bool) -> Term:
    """tau d/2 - beta tau^2 d/4 - n tau^2/(4(1 - tau^2)), with (beta, n) = (1, N-2) or (0, N-1)."""
    noise = (_N - 2 if inside else _N - 1) * _tau**2 / (4 * (1 - _tau**2))
    signal = _tau * _d / 2 - _tau**2 * _d / 4 if inside else _tau * _d / 2
    return signal - noise


@cache
def given_length(loss: Loss = _NONE, *, inside: bool) -> Theorem:
    """P(gamma - loss r <= 0) <= exp(-kappa r^2/2 + tau d/2 loss r) where |u_f(x) - u_y| = r is given,
    0 < tau < 1."""
    region = Region((*_sizes(1, inside=inside), *loss.ranges, between("tau", 0, 1, "()")))
    region = region.also(between("r", 0, 2))
    n = _N - 2 if inside else _N - 1
    rate, half = _tau * _d / 2, _r**2 / 2
    noise = _r * copies("S", n, coordinate("t", _d) * coordinate("h", _d))
    margin = half * (1 - coordinate("g", _d)) + noise if inside else half + noise
    x = (_tau * _r / 2) ** 2
    exponent, bound = -rate * half - n * log(1 - x) / 2, -kappa(inside=inside) * half
    if loss != _NONE:
        margin, lost = margin - loss.rate * _r, rate * loss.rate * _r
        exponent, bound = exponent + lost, bound + lost
    factors = [instantiate(product_mgf(), {"r": -_tau * _r / 2}, region)]
    if inside:
        exponent = exponent + (rate * half) ** 2 / (2 * _d)
        factors.append(instantiate(coordinate_mgf(), {"r": rate * half}, region))
    tail = chain(
        markov(margin, rate, region),
        independent(-(rate * margin), exponent, region, *factors),
    )
    series = instantiate(log_series(), {"x": x}, region)
    less = sign(Compare(exponent, "<=", bound), region, (n / 2, series))
    return chain(tail, exponential(less))


def _averaged(given: Theorem, law: Theorem, exponent: Term, certain: Term = _NOTHING) -> Theorem:
    """P(X <= 0) <= exp(c - e + e^2/(2d)) from exp(c - e r^2/2) where r is given, for X of that law; c is
    *certain*."""
    length = sqrt(2 - 2 * _RHO)
    average = mixture(given, "r", length)
    size = average.region
    factor = instantiate(coordinate_mgf(), {"r": exponent}, size)
    drawn = independent(
        _plus(certain, -exponent * length**2 / 2),
        _plus(certain, -exponent + exponent**2 / (2 * _d)),
        size,
        factor,
    )
    return chain(by_law(law, average), drawn)


@cache
def single_margin_tail(*, inside: bool) -> Theorem:
    """P(gamma <= 0) <= exp(-kappa + kappa^2/(2d)) for 0 < tau < 1."""
    law = margin_law(definition(), inside=inside)
    return _averaged(given_length(inside=inside), law, kappa(inside=inside))


def condition(ell: Term, kept: Term | None = None) -> Compare:
    """The condition of the closed form, where the part *kept* of d^2 is left, if not all."""
    share, whole = (4 * ell / _d) ** 2, _d**2
    if kept is not None:
        share, whole = share / kept, kept * whole
    return Compare(4 * ell * (_d + (_N - 2) / (1 - share)), "<=", whole)


def tail_under_condition(law: Theorem, loss: Loss = _NONE, *, inside: bool) -> Theorem:
    """P(X <= 0) <= exp(c - l' + l'^2/(2d)) for X of that law, under the condition at l <= d/8, where
    l' = l + c and c is *shared*."""
    region = Region((*_sizes(2, inside=inside), *loss.ranges, between("l", 0, _d / 8, "(]")))
    region = region.also(between("r", 0, 2))
    given = instantiate(given_length(loss, inside=inside), {"tau": 4 * _l / _d}, region)
    (reached,) = given.right.arguments
    half, exponent = _r**2 / 2, _plus(loss.shared, _l)
    enough = sign(
        Compare(reached, "<=", _plus(loss.shared, -exponent * half)),
        region,
        (half * _l / _d**2, assume(condition(_l, loss.kept), region)),
        *((by, square(base, region)) for by, base in loss.squares),
    )
    return _averaged(chain(given, exponential(enough)), law, exponent, loss.shared)


def tail_at_logarithm(tail: Theorem, loss: Loss = _NONE, *, inside: bool) -> Theorem:
    """P(X <= 0) <= exp(-L) under the condition at l = L (1 + L/d) <= d/8, from the tail at l."""
    region = Region((*_sizes(2, inside=inside), *loss.ranges, at_least("L", 0, above=True)))
    ell = _L * (1 + _L / _d)
    small = assume(Compare(ell, "<=", _d / 8), region)
    at = instantiate(tail, {"l": ell}, region, small)
    (reached,) = at.right.arguments
    enough = sign(Compare(reached, "<=", -_L), region, (2 * _L**2 / _d**2, small))
    return chain(at, exponential(enough))


def full_recall(
    inside: Theorem, outside: Theorem, loss: Loss = _NONE, *, rounded: bool = False
) -> Theorem:
    """Some fact is lost with probability delta at most, from tails exp(-L), L = log(N(M-1)/delta)."""
    sizes = (whole("d", 2), whole("M", 2), whole("N", 1, _M), *loss.ranges)
    pairs = _N * (_M - 1)
    some = union_of_margins(
        definition(),
        pairs * exp(-_L),
        Region((*sizes, at_least("L", 0, above=True))),
        inside,
        outside,
        rounded=rounded,
    )
    region = Region((*sizes, between("delta", 0, 1, "()")))
    many = pairs / _delta
    at = instantiate(some, {"L": log(many)}, region, log_above_zero(many, region))
    bound = chain(at, times(exp_of_log(many, -1, region), pairs))
    return restate(bound, Compare(bound.left, "<=", _delta))


@cache
def closed_form() -> Theorem:
    """Some fact is lost with probability delta at most, under the condition."""
    inside, outside = (
        tail_at_logarithm(
            tail_under_condition(margin_law(definition(), inside=it), inside=it), inside=it
        )
        for it in (True, False)
    )
    return full_recall(inside, outside)
