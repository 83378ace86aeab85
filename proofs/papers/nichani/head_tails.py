"""The concentration of one score in Lemma 2 of Nichani et al. (App. C.1) by rules of the kernel.

What is chosen here is q = 2 log(|V|/delta), and the factor e over the norm.
"""

from __future__ import annotations

from functools import cache

from proofs.kernel import (
    Compare,
    Region,
    Theorem,
    between,
    chain,
    exp,
    exp_of_log,
    exp_of_sum,
    exponential,
    instantiate,
    log,
    log_of_exp,
    logarithm,
    modulus,
    norm,
    norm_tail,
    numeric,
    restate,
    score,
    score_degree,
    score_mean,
    sign,
    symbols,
    term,
    times,
    turned,
    variance,
    where_equal,
    whole,
)
from proofs.kernel.scores import Kind
from proofs.papers.nichani.polynomial_tails import central_norms, log_of_double

_v, _n, _delta = symbols("v n delta")
_MANY = _v / _delta
_REGION = Region(
    (
        whole("d", 2),
        whole("d_h", 1),
        whole("v", 3),
        whole("n", 1, _v),
        between("delta", 0, 1, "(]"),
    )
)


@cache
def _exponent() -> Theorem:
    """1 <= 2 log(v/delta), as v >= 3 > e."""
    e = exp(term(1))
    many = chain(
        numeric(Compare(e, "<=", term(3)), _REGION), sign(Compare(term(3), "<=", _MANY), _REGION)
    )
    above = chain(turned(log_of_exp(term(1), _REGION)), logarithm(many))
    return sign(Compare(term(1), "<=", 2 * log(_MANY)), _REGION, (2, above))


@cache
def _factor() -> Theorem:
    """exp(3 log(2 L)) = 8 exp(3 log(L)) for L = log(v/delta)."""
    L = log(_MANY)
    parts = exponential(times(log_of_double(L, _REGION), 3))
    split = turned(exp_of_sum(3 * log(term(2)), 3 * log(L), _REGION))
    return where_equal(
        chain(parts, split),
        exp_of_log(term(2), 3, _REGION),
        Compare(parts.left, "=", term(2) ** 3 * exp(3 * log(L))),
    )


@cache
def _enough() -> Theorem:
    """1 - delta/(v n) <= 1 - exp(-2 log(v/delta)), as n <= v and delta <= 1."""
    stated = Compare(1 - _delta / (_v * _n), "<=", 1 - exp(-2 * log(_MANY)))
    return sign(stated, _REGION, (1, exp_of_log(_MANY, -2, _REGION)))


@cache
def concentration(kind: Kind) -> Theorem:
    """|gamma - E gamma| <= 8 e Var(gamma)^(1/2) L^3 with probability 1 - delta/(v n) at least,
    L = log(v/delta)."""
    gamma, mean = score(kind), score_mean(kind)
    q = 2 * log(_MANY)
    bound = instantiate(central_norms(score_degree(kind)), {"q": q}, _REGION, _exponent())
    spread = modulus(variance(gamma), term(1) / 2)
    bound = chain(bound, times(_factor(), spread))
    away = gamma - mean.right
    bound = where_equal(bound, mean, Compare(norm(away, q), "<=", bound.right))
    kept = norm_tail(bound, 1)
    tail = restate(kept, Compare(1 - exp(-2 * log(_MANY)), "<=", kept.right))
    return chain(_enough(), tail)
