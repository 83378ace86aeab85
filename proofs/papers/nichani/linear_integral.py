"""The explicit form of Theorem 1 with a rate for each overlap of outputs, by rules of the kernel.

What is chosen here is lambda = s d/r in Markov's inequality, r = |u_f(x) - u_y|, for every s in (0, 1).
Rounded weights share all of it, with what their margins lose.
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
from proofs.papers.nichani.linear_recall import Loss

_d, _N, _M, _r, _s, _A = symbols("d N M r s A")
_NONE = Loss()


def _others(*, inside: bool) -> Term:
    """How many summands of the margin are noise."""
    return _N - 2 if inside else _N - 1


def _exponent(loss: Loss, root: Term, square: Term, *, inside: bool) -> Term:
    """-s d (root - loss) + beta s^2 d square/4 - n log(1 - s^2)/2, (beta, n) = (1, N-2) or (0, N-1)."""
    noise = _others(inside=inside) * log(1 - _s**2) / 2
    coincident = _s**2 * _d * square / 4 if inside else term(0)
    return -_s * _d * (root - loss.rate) + coincident - noise


def _margin(loss: Loss, length: Term, square: Term, *, inside: bool) -> Term:
    """A margin less its loss where |u_f(x) - u_y| and half its square are given."""
    noise = copies("S", _others(inside=inside), coordinate("t", _d) * coordinate("h", _d))
    signal = square * (1 - coordinate("g", _d)) if inside else square
    return signal + length * noise - loss.rate * length


def _sizes(loss: Loss, *, inside: bool) -> Region:
    sizes = whole("d", 1), whole("N", 2 if inside else 1)
    return Region((*sizes, *loss.ranges, between("s", 0, 1, "()")))


def _apart(loss: Loss, *, inside: bool) -> Theorem:
    """P(gamma - loss r <= 0) <= exp(...) at every s, where r > 0 is given."""
    region = _sizes(loss, inside=inside).also(at_least("r", 0, above=True))
    rate, margin = _s * _d / _r, _margin(loss, _r, _r**2 / 2, inside=inside)
    factors = [instantiate(product_mgf(), {"r": -_s}, region)]
    if inside:
        factors.append(instantiate(coordinate_mgf(), {"r": rate * _r**2 / 2}, region))
    bound = _exponent(loss, _r / 2, _r**2 / 2, inside=inside)
    tail = independent(-(rate * margin), bound, region, *factors)
    return chain(markov(margin, rate, region), tail)


def _at_zero(loss: Loss, *, inside: bool) -> Theorem:
    """The same where r = 0 is given: the bound is at least 1 there."""
    region, zero, one = _sizes(loss, inside=inside), term(0), term(1)
    nothing = log_of_quotient(one, one, region)
    small = logarithm(sign(Compare(1 - _s**2, "<=", one), region))
    bound, half = _exponent(loss, zero, zero, inside=inside), _others(inside=inside) / 2
    large = sign(Compare(zero, "<=", bound), region, (half, small), (half, nothing))
    some = markov(_margin(loss, zero, zero, inside=inside), 0, region)
    return chain(chain(some, certain(exp(zero), region)), exponential(large))


@cache
def given_overlap(loss: Loss = _NONE, *, inside: bool) -> Theorem:
    """P(gamma - loss sqrt(2 A) <= 0) <= inf over 0 < s < 1 of exp(...), where A in [0, 2] is given."""
    given = closed_below(_apart(loss, inside=inside), "r", _at_zero(loss, inside=inside))
    region = _sizes(loss, inside=inside).also(between("A", 0, 2))
    at = instantiate(given, {"r": sqrt(2 * _A)}, region)
    (reached,) = at.right.arguments
    stated = _exponent(loss, sqrt(_A / 2), _A, inside=inside)
    roots = root_of_square(2, _A / 2, region)
    halved = sign(Compare(reached, "<=", stated), region, (-_s * _d / 2, roots))
    return infimum(chain(at, exponential(halved)), "s")


def averaged(law: Theorem, loss: Loss = _NONE, *, inside: bool) -> Theorem:
    """P(X <= 0) <= E inf over 0 < s < 1 of exp(...) for X of that law, A = 1 - <u_f(x), u_y>."""
    given = given_overlap(loss, inside=inside)
    return by_law(law, mixture(given, "A", 1 - coordinate("rho", _d)))


def some_margin(
    inside: Theorem, outside: Theorem, loss: Loss = _NONE, *, rounded: bool = False
) -> Theorem:
    """Some margin is at most 0 with at most the probability of the union over the pairs."""
    sizes = Region((whole("d", 1), whole("M", 2), whole("N", 1, _M), *loss.ranges))
    bound = _N * (_N - 1) * inside.right + _N * (_M - _N) * outside.right
    return union_of_margins(definition(), bound, sizes, inside, outside, rounded=rounded)


@cache
def single_margin_average(*, inside: bool) -> Theorem:
    """That bound for a margin of the linear memory."""
    return averaged(margin_law(definition(), inside=inside), inside=inside)


@cache
def average_over_pairs() -> Theorem:
    """The bound on some margin of the linear memory."""
    inside, outside = (single_margin_average(inside=it) for it in (True, False))
    return some_margin(inside, outside)
