"""What Lemmas 13 and 14 say, as formal statements made of the printed formulas.

Each stands beside the theorem of the kernel from which it is to follow. f is any polynomial of total
degree at most p; mu stands for its mean, v for its variance where there is a quotient of them.
"""

from __future__ import annotations

from fractions import Fraction

from proofs.kernel import (
    Compare,
    Goal,
    Range,
    Region,
    Term,
    at_least,
    at_most_zero,
    between,
    exp,
    expectation,
    log,
    modulus,
    norm,
    polynomial,
    symbols,
    term,
    variance,
    whole,
)
from proofs.papers.nichani.polynomial_tails import (
    central_moments,
    choice_of_exponent,
    links,
    norms,
    tail,
)
from verify.checks.theorem import Goals
from verify.printed.formula import Formula

_p, _q, _mu, _v, _delta = symbols("p q mu v delta")
_f = polynomial("f", _p)
_DEGREE = whole("p", 0)
_HAS_MEAN = Compare(expectation(_f), "=", _mu)
_HAS_VARIANCE = Compare(variance(_f), "=", _v)
#: What is written for log(1/delta).
_LOG = log(1 / _delta)


def _up_to(least: Fraction) -> Range:
    """0 < delta <= exp(-least), and delta below 1."""
    return between("delta", 0, exp(term(-least)), "(]" if least else "()")


def norm_bounds(base: Formula, power: Formula, least: Fraction) -> Goals:
    """||f||_q <= base^power ||f||_2 from that q on."""
    factor = exp(power.term() * log(base.term()))
    stated = Compare(norm(_f, _q), "<=", factor * norm(_f, 2))
    yield Goal(stated, Region((_DEGREE, at_least("q", least)))), norms()


def central_moment_bounds(base: Formula, power: Formula, least: Fraction) -> Goals:
    """||f - E f||_q <= base^power Var(f)^(1/2) for q = 2 log(1/delta)."""
    q = 2 * _LOG
    factor = exp(power.term() * log(base.term(q=q)))
    bound = factor * modulus(variance(_f), Fraction(1, 2))
    stated = Compare(norm(_f - expectation(_f), q), "<=", bound)
    yield Goal(stated, Region((_DEGREE, _up_to(least)))), central_moments()


def markov_links(threshold: Fraction, strict: bool, event: Formula, quotient: Formula) -> Goals:
    """P(f <= 0) <= P(|f - E f| >= threshold E f) <= P(|f - E f|^q >= (E f)^event)
    <= E|f - E f|^q/(E f)^quotient, where E f = mu; > in place of the first >= if *strict*."""
    far = modulus(_f - _mu) - threshold * _mu
    powered = modulus(_f - _mu, _q)
    ends = (
        at_most_zero(_f),
        1 - at_most_zero(far) if strict else at_most_zero(-far),
        at_most_zero(modulus(_mu, event.term()) - powered),
        expectation(powered) / modulus(_mu, quotient.term()),
    )
    for positive in (False, True):
        region = Region((_DEGREE, at_least("q", 0, above=True), at_least("mu", 0, above=positive)))
        for left, right, link in zip(ends, ends[1:], links(positive=positive), strict=False):
            yield Goal(Compare(left, "<=", right), region, (_HAS_MEAN,)), link


def _condition(scale: Fraction, power_of_e: Fraction, power_of_log: Formula) -> Compare:
    """scale^p e^power_of_e log(1/delta)^power_of_log Var(f)/(E f)^2 <= 1."""
    factor = exp(_p * log(term(scale))) * exp(term(power_of_e))
    return Compare(factor * exp(power_of_log.term() * log(_LOG)) * _v / _mu**2, "<=", term(1))


def _sizes(delta: Range) -> Region:
    return Region((_DEGREE, delta, at_least("mu", 0, above=True), at_least("v", 0)))


def choices(
    scale: Fraction,
    power_of_e: Fraction,
    power_of_log: Formula,
    choice: Formula,
    exponent: Formula,
) -> Goals:
    """(q^p Var(f)/(E f)^2)^exponent <= delta under the condition, for that choice of q."""
    q: Term = choice.term(L=_LOG)
    left = modulus(exp(_p * log(q)) * _v / _mu**2, exponent.term(q=q))
    given = (_condition(scale, power_of_e, power_of_log),)
    region = _sizes(_up_to(Fraction(0)))
    yield Goal(Compare(left, "<=", _delta), region, given), choice_of_exponent()


def tails(
    scale: Fraction, power_of_e: Fraction, power_of_log: Formula, least: Fraction = Fraction(0)
) -> Goals:
    """P(f <= 0) <= delta under the condition."""
    given = (_HAS_MEAN, _HAS_VARIANCE, _condition(scale, power_of_e, power_of_log))
    yield Goal(Compare(at_most_zero(_f), "<=", _delta), _sizes(_up_to(least)), given), tail()
