"""Lemma 12 of Nichani et al. (App. F) by rules of the kernel: even moments of an inner product."""

from __future__ import annotations

from functools import cache

from proofs.kernel import (
    Compare,
    Region,
    Term,
    Theorem,
    assume,
    certain,
    chain,
    coordinate,
    coordinate_moment,
    exp,
    exp_of_log,
    exp_of_sum,
    expectation,
    exponential,
    induction,
    instantiate,
    log,
    log_of_quotient,
    logarithm,
    power,
    restate,
    sign,
    symbols,
    term,
    times,
    turned,
    whole,
)

_d, _p = symbols("d p")
_REGION = Region((whole("d", 1), whole("p", 1)))


def moment(order: Term) -> Term:
    """E <u, v>^(2 order) of two independent uniform unit vectors."""
    return expectation(power(coordinate("g", _d) ** 2, order))


def exponent(order: Term) -> Term:
    """The logarithm of (2 p)^p d^-p at p = *order*."""
    return order * (log(2 * order) - log(_d))


def _as_exponential(number: Term, region: Region) -> Theorem:
    """a = exp(log a) for a above 0."""
    found = turned(exp_of_log(number, 1, region))
    return restate(found, Compare(number, "=", exp(log(number))))


@cache
def even_moments() -> Theorem:
    """E <u, v>^(2p) <= (2p)^p d^-p for all p >= 1, by induction on p."""
    stated = Compare(moment(_p), "<=", exp(exponent(_p)))
    return induction("p", _first(), _step(assume(stated, _REGION)))


def _first() -> Theorem:
    """E <u, v>^2 = 1/d <= exp(log 2 - log d)."""
    region = _REGION.without("p")
    second = instantiate(coordinate_moment(), {"p": 0}, region)
    one = certain(term(1), region)
    value = chain(second, times(restate(one, Compare(moment(term(0)), "=", term(1))), 1 / _d))
    larger = chain(sign(Compare(1 / _d, "<=", 2 / _d), region), _as_exponential(2 / _d, region))
    bound = chain(restate(value, Compare(value.left, "=", 1 / _d)), larger)
    parts = log_of_quotient(2, _d, region)
    split = exponential(parts)
    whole_ = chain(bound, split)
    return restate(whole_, Compare(moment(term(1)), "<=", exp(exponent(term(1)))))


def _step(supposed: Theorem) -> Theorem:
    """The next moment is (2p+1)/(d+2p) of one, and that factor at most (2p+2)/d."""
    following = instantiate(coordinate_moment(), {}, _REGION)
    ratio, larger = (2 * _p + 1) / (_d + 2 * _p), (2 * _p + 2) / _d
    own = exp(exponent(_p))
    bounded = times(supposed, ratio)
    whole_ = chain(following, restate(bounded, Compare(following.right, "<=", ratio * own)))
    factor = chain(sign(Compare(ratio, "<=", larger), _REGION), _as_exponential(larger, _REGION))
    product = restate(times(factor, own), Compare(ratio * own, "<=", exp(log(larger)) * own))
    joined = chain(product, exp_of_sum(log(larger), exponent(_p), _REGION))
    # log 2p grows with p, and the logarithm of the quotient is a difference.
    grows = logarithm(sign(Compare(2 * _p, "<=", 2 * _p + 2), _REGION))
    parts = log_of_quotient(2 * _p + 2, _d, _REGION)
    stated = Compare(log(larger) + exponent(_p), "<=", exponent(_p + 1))
    return chain(chain(whole_, joined), exponential(sign(stated, _REGION, (1, parts), (_p, grows))))
