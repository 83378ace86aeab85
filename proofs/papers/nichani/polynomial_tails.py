"""Lemmas 13 and 14 of Nichani et al. (App. F) by rules of the kernel: norms and tails of polynomials.

What is chosen here is q = 2 log(1/delta), and 2 as the least q for hypercontractivity.
"""

from __future__ import annotations

from functools import cache, reduce

from proofs.kernel import (
    Compare,
    Region,
    Term,
    Theorem,
    above_minus_modulus,
    assume,
    at_least,
    between,
    by_cases,
    chain,
    exp,
    exp_of_log,
    exp_of_sum,
    expectation,
    exponential,
    first_moment,
    hypercontractivity,
    inclusion,
    instantiate,
    less_constant,
    log,
    log_above_zero,
    log_of_exp,
    log_of_quotient,
    logarithm,
    modulus,
    norm,
    norm_to_power,
    norms_grow,
    polynomial,
    polynomial_degree,
    power_of_exp,
    power_of_power,
    power_of_product,
    powers_exceed,
    raised,
    restate,
    sign,
    symbols,
    term,
    times,
    turned,
    variance,
    where_equal,
    whole,
)

_p, _q, _L, _mu, _v, _delta = symbols("p q L mu v delta")
_HALF = term(1) / 2
#: Any polynomial of total degree at most p; mu is its mean, v its variance.
POLYNOMIAL = polynomial("f", _p)
_DEGREE = whole("p", 0)
_MEAN, _ABOVE_ZERO = at_least("mu", 0), at_least("mu", 0, above=True)
_VARIANCE = at_least("v", 0)


def _chained(*steps: Theorem) -> Theorem:
    return reduce(chain, steps)


# -- logarithms -----------------------------------------------------------------------------------


def _log_of_one(region: Region) -> Theorem:
    """log(1) = 0."""
    return restate(log_of_exp(term(0), region), Compare(log(term(1)), "=", term(0)))


def log_of_inverse(number: Term, region: Region) -> Theorem:
    """log(1/a) = -log(a) for a above 0."""
    parts = log_of_quotient(1, number, region)
    return where_equal(parts, _log_of_one(region), Compare(parts.left, "=", -log(number)))


def log_of_double(number: Term, region: Region) -> Theorem:
    """log(2 a) = log(2) + log(a) for a above 0."""
    parts = log_of_quotient(2, 1 / number, region)
    stated = Compare(log(2 * number), "=", log(term(2)) + log(number))
    return where_equal(parts, log_of_inverse(number, region), stated)


# -- Lemma 13 and the central moments of Lemma 14 -------------------------------------------------


@cache
def norms() -> Theorem:
    """||f||_q <= (q-1)^(p/2) ||f||_2 for q >= 2."""
    region = Region((_DEGREE, at_least("q", 2)))
    return hypercontractivity(polynomial_degree(POLYNOMIAL, region), _q, region)


def central_norms(degree: Theorem) -> Theorem:
    """||X - E X||_q <= q^(p/2) Var(X)^(1/2) for X of degree at most p, and q >= 1."""
    variable, p = degree.statement.sides
    centred = less_constant(degree, expectation(variable))
    second, grown = norm(centred.left, 2), exp(p / 2 * log(_q))
    stated = Compare(norm(centred.left, _q), "<=", grown * modulus(variance(variable), _HALF))
    # Up to q = 2 the norms grow, and the factor is 1 at least.
    region = degree.region.also(between("q", 1, 2))
    above = chain(turned(_log_of_one(region)), logarithm(sign(Compare(term(1), "<=", _q), region)))
    larger = times(exponential(times(above, p / 2)), second)
    small = chain(norms_grow(centred.left, _q, 2, region), larger)
    # From there on q^(p/2) is more than hypercontractivity asks for.
    region = degree.region.also(at_least("q", 2))
    more = times(logarithm(sign(Compare(_q - 1, "<=", _q), region)), p / 2)
    large = chain(hypercontractivity(centred, _q, region), times(exponential(more), second))
    return by_cases("q", restate(small, stated), restate(large, stated))


@cache
def _least_exponent() -> Theorem:
    """1 <= 2 log(1/delta) for delta up to e^(-1/2)."""
    region = Region((between("delta", 0, exp(-_HALF), "(]"),))
    up_to = logarithm(sign(Compare(_delta, "<=", exp(-_HALF)), region))
    parts = ((2, up_to), (2, log_of_exp(-_HALF, region)), (-2, log_of_inverse(_delta, region)))
    return sign(Compare(term(1), "<=", 2 * log(1 / _delta)), region, *parts)


@cache
def central_moments() -> Theorem:
    """||f - E f||_q <= q^(p/2) Var(f)^(1/2) for q = 2 log(1/delta) and delta up to e^(-1/2)."""
    region = Region((_DEGREE, *_least_exponent().region.ranges))
    bound = central_norms(polynomial_degree(POLYNOMIAL, Region((_DEGREE,))))
    return instantiate(bound, {"q": 2 * log(1 / _delta)}, region, _least_exponent())


# -- Lemma 14 -------------------------------------------------------------------------------------


@cache
def links(*, positive: bool) -> tuple[Theorem, ...]:
    """P(f <= 0) <= P(|f - mu| >= mu) <= P(|f - mu|^q >= mu^q), and if mu is *positive*
    <= E|f - mu|^q/mu^q, for mu >= 0 and q > 0."""
    region = Region((_DEGREE, at_least("q", 0, above=True), _ABOVE_ZERO if positive else _MEAN))
    away = POLYNOMIAL - _mu
    near = sign(
        Compare(_mu - modulus(away), "<=", POLYNOMIAL),
        region,
        (1, above_minus_modulus(away, region)),
    )
    found = [inclusion(near), powers_exceed(_mu, away, _q, region)]
    if positive:
        found.append(first_moment(modulus(_mu, _q), modulus(away, _q), region))
    return tuple(found)


def condition(L: Term) -> Compare:
    """2^p e L^p v/mu^2 <= 1."""
    factor = exp(_p * log(term(2))) * exp(term(1)) * exp(_p * log(L))
    return Compare(factor * _v / _mu**2, "<=", term(1))


@cache
def _chosen() -> Theorem:
    """(q^p v/mu^2)^(q/2) <= e^(-L) under the condition, for q = 2 L and L > 0."""
    region = Region((_DEGREE, at_least("L", 0, above=True), _ABOVE_ZERO, _VARIANCE))
    joined = chain(
        exponential(times(log_of_double(_L, region), _p)),
        turned(exp_of_sum(_p * log(term(2)), _p * log(_L), region)),
    )
    ratio = exp(_p * log(2 * _L)) * _v / _mu**2
    scaled = times(joined, exp(term(1)) * _v / _mu**2)
    at_most_one = chain(scaled, assume(condition(_L), region))
    one = times(exp_of_sum(term(-1), term(1), region), ratio)
    small = chain(turned(one), times(at_most_one, exp(term(-1))))
    bound = chain(raised(restate(small, Compare(ratio, "<=", exp(term(-1)))), _L), _decay(region))
    return restate(bound, Compare(modulus(ratio, _L), "<=", exp(-_L)))


def _decay(region: Region) -> Theorem:
    return power_of_exp(term(-1), _L, region)


def _at_delta(theorem: Theorem, region: Region, known: Theorem) -> Theorem:
    """A bound e^(-L) at L = log(1/delta), where it is delta."""
    at = instantiate(theorem, {"L": log(1 / _delta)}, region, known)
    bound = chain(at, exp_of_log(1 / _delta, -1, region))
    return restate(bound, Compare(bound.left, "<=", _delta))


@cache
def choice_of_exponent() -> Theorem:
    """(q^p v/mu^2)^(q/2) <= delta under the condition, for q = 2 log(1/delta) and 0 < delta < 1."""
    region = Region((_DEGREE, between("delta", 0, 1, "()"), _ABOVE_ZERO, _VARIANCE))
    return _at_delta(_chosen(), region, log_above_zero(1 / _delta, region))


@cache
def tail() -> Theorem:
    """P(f <= 0) <= delta under the condition, mu > 0 the mean of f, v its variance, delta up to
    e^(-1/2)."""
    region = Region((_DEGREE, at_least("L", _HALF), _ABOVE_ZERO, _VARIANCE))
    q = 2 * _L
    steps = [instantiate(link, {"q": q}, region) for link in links(positive=True)]
    moment = times(_moment(q, region), 1 / modulus(_mu, q))
    bound = _chained(*steps, moment, _quotient(q, region), _chosen())
    delta = Region((_DEGREE, *_least_exponent().region.ranges, _ABOVE_ZERO, _VARIANCE))
    least = sign(Compare(_HALF, "<=", log(1 / _delta)), delta, (_HALF, _least_exponent()))
    return _at_delta(bound, delta, least)


def _moment(q: Term, region: Region) -> Theorem:
    """E|f - mu|^q <= |q^p v|^(q/2), mu the mean and v the variance of f."""
    general = central_norms(polynomial_degree(POLYNOMIAL, Region((_DEGREE,))))
    found = instantiate(general, {"q": q}, region)
    root = exp(_p / 2 * log(q)) * modulus(_v, _HALF)
    spread = assume(Compare(variance(POLYNOMIAL), "=", _v), region)
    found = where_equal(found, spread, Compare(found.left, "<=", root))
    mean = assume(Compare(expectation(POLYNOMIAL), "=", _mu), region)
    away = POLYNOMIAL - _mu
    found = where_equal(found, mean, Compare(norm(away, q), "<=", root))
    grown = exp(_p * log(q))
    split = where_equal(
        power_of_product(grown, _v, _HALF, region),
        power_of_exp(_p * log(q), _HALF, region),
        Compare(modulus(grown * _v, _HALF), "=", root),
    )
    return _chained(
        turned(norm_to_power(away, q, region)),
        raised(found, q),
        turned(raised(split, q)),
        power_of_power(grown * _v, _HALF, q, region),
    )


def _quotient(q: Term, region: Region) -> Theorem:
    """|q^p v|^(q/2)/mu^q = |q^p v/mu^2|^(q/2)."""
    ratio, mean = exp(_p * log(q)) * _v / _mu**2, modulus(_mu, q)
    square = restate(
        power_of_power(_mu, 2, q / 2, region), Compare(modulus(_mu**2, q / 2), "=", mean)
    )
    product = power_of_product(ratio, _mu**2, q / 2, region)
    found = where_equal(product, square, Compare(product.left, "=", modulus(ratio, q / 2) * mean))
    return times(found, 1 / mean)
