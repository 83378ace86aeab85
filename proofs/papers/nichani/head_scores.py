"""The value matrix of a head as a memory: what Lemma 2 and its proof give, and what they need.

gamma_az = phi(a)^T W phi(z), W = (d/d_h) sum_{z, a in A_z} phi(a) phi(z)^T sum_{i<=d_h} w_i w_i^T, the
w_i uniform on the unit sphere orthogonal to phi(EOS); keys, answers and EOS are different tokens.
n = |V(h)|, A = max |A_z|, L = log(|V|/delta). Serves Nichani et al., App. C.1.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil
from typing import TypeAlias

from flint import arb

from proofs.algebra import RationalFunction, leading
from proofs.algebra.balls import ball, precision, upper
from proofs.algebra.symbols import ONE, ZERO, symbols
from proofs.argument import Argument, Witness, search, searching
from proofs.attention import Head, Store, Token, Tokens, score_mean, score_variance
from proofs.papers.nichani.denoising import overlap_tail_log

_A, _d, _d_h, _n = symbols("A d d_h n")
_Size: TypeAlias = "RationalFunction | int"

#: Var(gamma) <= this times (A/d + n/d + n/d_h).
VARIANCE_CONSTANT = 5
#: The degree of gamma, and E f^4/(E f^2)^2 of a polynomial f of that degree, at most.
DEGREE = 6
KURTOSIS = 3 ** (2 * DEGREE)


def _store(b: _Size, c: _Size, g: _Size, stored: bool) -> Store:
    """b answers of z besides a, c other keys that hold a, g other pairs of other keys."""
    s = int(stored)
    return Store(b + s, s + b + c + g, c + s, stored=stored)


@lru_cache(maxsize=1)
def coefficients() -> tuple[RationalFunction, RationalFunction]:
    """E gamma^2 is the first times 1(a in A_z) + (the number of other answers of z)/d, plus the second
    times c + g/d for c other keys that hold a and g other pairs. From the engine."""
    own = score_variance(_d, _d_h, _store(0, 0, 0, stored=True)).value + 1
    rest = score_variance(_d, _d_h, _store(0, 1, 0, stored=False)).value
    return own, rest


# -- every token ----------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def token_moments() -> tuple[tuple[str, RationalFunction, RationalFunction], ...]:
    """Mean and variance of gamma_az for every kind of a that is no answer of z, a first that is in no
    A_z': in words, and in answers = |A_z|, facts = the sum of all |A_z'|, d and d_h."""
    answers, facts = symbols("answers facts")
    fresh = Store(answers, facts, holders=0, stored=False)
    known = Store(answers, facts, holders=0)
    others: tuple[tuple[Token, str, Store], ...] = (
        ("answer", "a in no set", fresh),
        ("self", "a = z", known),
        ("key", "a another key", known),
        ("eos", "a = EOS", known),
    )
    return tuple(
        (
            words,
            score_mean(_d, _d_h, store, token=token).value,
            score_variance(_d, _d_h, store, token=token).value,
        )
        for token, words, store in others
    )


def every_token() -> Argument:
    """A token that is no answer, be it z, another key or EOS, has the mean and variance of an answer
    that no key holds."""
    argument = Argument()
    (_, first, second), *others = token_moments()
    argument.equal("an answer in no set: the mean", first, ZERO)
    for words, centre, spread in others:
        argument.equal(f"{words}: the same mean", centre, first)
        argument.equal(f"{words}: the same variance", spread, second)
    return argument


# -- sums of bounds -------------------------------------------------------------------------------


def regrouped(own: RationalFunction, rest: RationalFunction) -> Argument:
    """sum over z', a' of ((d_h-1)/d_h) rho_aa' rho_zz' + (1/d_h) rho_aa' (1 + 2 rho_zz') is *own* times
    the sum of rho_aa' over A_z plus *rest* times that over the other sets."""
    argument = Argument()
    argument.infer(
        "the factor rho_aa' is common, and rho_zz' is 1 for z' = z, 1/d otherwise", "by definition"
    )
    for words, rho, stated in (
        ("z' = z", ONE, own),
        ("z' other than z", 1 / _d, rest),
    ):
        exact = (_d_h - 1) / _d_h * rho + (1 + 2 * rho) / _d_h
        for d, h in itertools.product(range(1, 9), repeat=2) if exact != stated else ():
            found = _value(stated, d, h)
            if searching() and found != exact(d=d, d_h=h):
                argument.witness = {
                    "summand": words,
                    "d": d,
                    "d_h": h,
                    "coefficient of rho_aa'": exact(d=d, d_h=h).as_fraction(),
                    "stated": "undefined" if found is None else str(found),
                }
                return argument
        argument.equal(f"{words}: the coefficient of rho_aa'", exact, stated)
    return argument


def _value(function: RationalFunction, d: int, d_h: int) -> RationalFunction | None:
    """The value at these sizes; None where a denominator vanishes."""
    try:
        return function(d=d, d_h=d_h)
    except ZeroDivisionError:
        return None


# -- the order of the variance --------------------------------------------------------------------


@dataclass(frozen=True)
class _Family:
    """Heads of one kind: their variance in A, n, d and d_h, and whether A or n stay at one."""

    text: str
    variance: RationalFunction
    alone: str = ""

    def restricted(self, function: RationalFunction) -> RationalFunction:
        """The function where the number that stays at one is one."""
        return function(**{self.alone: 1}) if self.alone else function


def _families() -> list[_Family]:
    own, rest = coefficients()
    return [
        _Family("all keys hold the answer a alone", own - 1 + rest * (_n - 1), "A"),
        _Family("one key, with A answers other than a", own * _A / _d, "n"),
        _Family(
            "n keys with A answers each, none of them a and all different",
            own * _A / _d + rest * (_n - 1) * _A / _d,
        ),
    ]


#: Exponents of t that are tried for the sizes.
_POWERS = range(5)


def _paths(allowed: Callable[[dict[str, int]], bool], family: _Family) -> Iterator[dict[str, int]]:
    for powers in itertools.product(_POWERS, repeat=4):
        path = dict(zip(("A", "n", "d", "d_h"), powers, strict=True))
        if any(powers) and not (family.alone and path[family.alone]) and allowed(path):
            yield path


def _in_words(path: dict[str, int], alone: str) -> str:
    words = [
        f"{name} = 1" if name == alone else f"{name} ~ t^{power}" if power else f"{name} fixed"
        for name, power in path.items()
    ]
    return f"{', '.join(words)}, t to infinity"


def variance_order(order: RationalFunction) -> Argument:
    """Var(gamma) <= C order, *order* in A, n, d and d_h, for all z in V(h), a in V, d >= A, d_h >= n."""
    for family in _families():
        exact, stated = family.variance, family.restricted(order)
        for path in _paths(lambda p: p["d"] >= p["A"] and p["d_h"] >= p["n"], family):
            above, below = leading(exact, path), leading(stated, path)
            if searching() and above.exponent > below.exponent:
                return Argument().refute(
                    {
                        "head": family.text,
                        "sizes": _in_words(path, family.alone),
                        "Var(gamma)": f"{above.term.factored()} ~ t^{above.exponent}",
                        "stated": f"C times {below.term.factored()} ~ t^{below.exponent}",
                    }
                )
    own, rest = coefficients()
    x = RationalFunction.symbol("x")
    argument = every_token()
    b, c, g, s = symbols("b c g s")
    whole = own * (s + b / _d) + rest * (c + g / _d) - s
    for stored in (True, False):
        argument.equal(
            f"a {'' if stored else 'not '}in A_z: Var(gamma) is own (s + b/d) + rest (c + g/d) - s",
            score_variance(_d, _d_h, _store(b, c, g, stored)).value,
            whole(s=int(stored)),
        )
    argument.infer(
        "s <= 1, b <= A and c + g/d <= (n - 1) (1 + A/d)",
        "each of the n - 1 other keys adds at most 1 + |A_z'|/d",
    )
    argument.nonnegative("own is at least one", own - 1, {"d": 2, "d_h": 1})
    argument.nonnegative("rest is not negative", rest, {"d": 2, "d_h": 1})
    # Var(gamma) rises in s, b, c and g, each of which is at most:
    worst = whole(s=1, b=_A, c=_n - 1, g=(_n - 1) * _A)
    argument.nonnegative(
        f"{VARIANCE_CONSTANT} times the order less that, A = d/(1 + x)",
        (VARIANCE_CONSTANT * order - worst)(A=_d / (1 + x)),
        {"d": 2, "d_h": 1, "n": 1, "x": 0},
    )
    return argument


# -- concentration --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Tail:
    """|gamma - centre| <= C Var(gamma)^spread L^(log spread), but with probability delta/(|V| |V(h)|).

    *stored* and *other* are the centres for a in A_z and not in it.
    """

    log: Fraction
    spread: Fraction
    stored: RationalFunction
    other: RationalFunction


def concentration_counterexample(tail: Tail) -> Witness | None:
    """A head for which the tail fails for every C; None if none is known."""
    if tail.log < 3:
        return {
            "head": "d_h = 1, two keys, A_z empty, A_z' = {a'}, a other than a'",
            "sqrt(d) gamma": "tends in law to a product of three independent standard Gaussians",
            "its quantile at delta'": "grows like ((2/3) log(1/delta'))^(3/2), |V| fixed",
            "stated": f"C log(1/delta')^({tail.log / 2})",
        }
    own, _ = coefficients()
    if tail.spread > Fraction(1, 2):
        return {
            "head": "one fact, d = d_h = t, t to infinity",
            "Var(gamma)": str(leading(own - 1, {"d": 1, "d_h": 1})),
            "|gamma - 1|": f"at least (Var/2)^(1/2) with probability 1/(4 {KURTOSIS}): "
            "Paley-Zygmund",
            "stated": f"C Var^({tail.spread}) L^({tail.log * tail.spread}), delta = 10^-7",
        }
    for centre, wanted, words in ((tail.stored, 1, "a in A_z"), (tail.other, 0, "a not in A_z")):
        off = (centre - wanted) ** 2
        spread = own - 1 if wanted else own / _d
        path = {"d": 1, "d_h": 2}
        if off != 0 and leading(off, path).exponent > leading(spread, path).exponent:
            return {
                "head": f"one fact, {words}, d = t, d_h = t^2, t to infinity",
                "(E gamma - centre)^2": str(leading(off, path)),
                "Var(gamma)": str(leading(spread, path)),
            }
    return None


def union(share: RationalFunction, factor: Fraction) -> Argument:
    """Failures of probability *share* for each of the |V| |V(h)| pairs add up to at most delta, and
    log(|V| |V(h)|/delta) <= factor log(|V|/delta). *share* in v = |V|, n = |V(h)| <= v and delta."""
    argument = Argument()
    v, delta, u, x = symbols("v delta u x")
    failures = (Fraction(1), Fraction(1, 2))
    for tokens, keys, failure in itertools.product((2, 3, 4, 16), (1, 2, 4, 16), failures):
        if keys > tokens:
            continue
        at = {"|V|": tokens, "|V(h)|": keys, "delta": failure}
        total = (v * _n * share)(v=tokens, n=keys, delta=failure).as_fraction()
        if searching() and total > failure:
            return argument.refute({**at, "total failure": total})
        with precision():
            left = ball(tokens * keys / failure).log()
            right = ball(factor) * ball(tokens / failure).log()
            if searching() and left > right:
                witness = {**at, "log(|V||V(h)|/delta)": left.str(5, radius=False)}
                return argument.refute(witness | {"stated": right.str(5, radius=False)})
    inside = {"delta": 1 / (1 + x), "v": _n + u}
    argument.nonnegative(
        "delta - |V| n times the share, delta = 1/(1 + x), |V| = n + u",
        (delta - v * _n * share)(**inside),
        {"n": 1, "u": 0, "x": 0},
    )
    argument.nonnegative(
        "(|V|/delta)^2 - |V| n/delta, whose logarithms are compared",
        ((v / delta) ** 2 - v * _n / delta)(**inside),
        {"n": 1, "u": 0, "x": 0},
    )
    argument.true("the factor is at least 2", factor >= 2, str(factor))
    return argument


# -- degree ---------------------------------------------------------------------------------------


def degree_counterexample(degree: int) -> Witness | None:
    """How gamma grows with all vectors, if that is faster than a polynomial of the *degree*."""
    formal = Head(tokens := Tokens(_d), _d_h).reading(tokens.phi[tokens.a]).degree()
    if degree >= formal:
        return None
    return {
        "degree": formal,
        "stated": degree,
        "why": f"with all vectors multiplied by t, gamma is multiplied by t^{formal}",
    }


# -- the statement --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Recall:
    """d >= constant dimension L^log and d_h >= constant head L^log imply |gamma - 1(a in A_z)| <= 1/5
    for all z and a with probability 1 - delta; *dimension* and *head* in A and n."""

    constant: Fraction
    dimension: RationalFunction
    head: RationalFunction
    log: Fraction


def recall(stated: Recall) -> Argument:
    """The statement for all heads with A >= 1, n >= 1, |V| >= 3, delta <= 1."""
    argument = Argument()
    witness = _too_spread(stated) or _tiny(stated) or _many_tokens(stated)
    if witness is not None:
        return argument.refute(witness)
    argument.define(f"Var(gamma) <= {VARIANCE_CONSTANT} (A/d + n/d + n/d_h), the corrected order")
    for words, asked, needed in (
        ("d", stated.dimension, _A + _n),
        ("d_h", stated.head, _n),
    ):
        argument.nonnegative(
            f"the condition on {words} asks for {needed} at least", asked - needed, {"A": 1, "n": 1}
        )
    argument.true(
        "with the power 6 of L >= log 3 > 1 at least", stated.log >= 6, f"L^({stated.log})"
    )
    argument.infer(
        f"d >= A, and Var(gamma) <= {2 * VARIANCE_CONSTANT}/(constant L^6)",
        "(A + n)/d and n/d_h are at most 1/(constant L^6) each",
    )
    argument.infer(
        "|gamma - 1(a in A_z)| <= 8 e L^3 Var(gamma)^(1/2) for all z and a with probability 1 - delta",
        "the concentration of gamma and the union bound",
    )
    with precision():
        largest = 8 * arb(1).exp() * (2 * VARIANCE_CONSTANT / ball(stated.constant)).sqrt()
        argument.at_most("8 e (10/constant)^(1/2) is at most 1/5", largest, ball(Fraction(1, 5)))
    return argument


@search
def _too_spread(stated: Recall) -> Witness | None:
    """Powers of t along which the conditions hold for every constant and log, and Var(gamma) grows."""
    for family in _families():
        asked = [family.restricted(f) for f in (stated.dimension, stated.head)]
        for path in _paths(lambda _: True, family):
            d_least, h_least = (leading(f, path).exponent for f in asked)
            # Strictly above, or d and d_h stand for the condition itself, a power of a logarithm more.
            if path["d"] < d_least or path["d_h"] < h_least:
                continue
            found = leading(family.variance, path)
            if found.exponent > 0:
                return {
                    "head": family.text,
                    "sizes": _in_words(path, family.alone).replace("~", "=")
                    + ", d and d_h times C L^6 besides",
                    "Var(gamma)": f"grows like {found.term.factored()}, up to powers of log t",
                    "delta": "10^-7",
                    "P(|gamma - E gamma|^2 >= Var/2)": f"at least 1/(4 {KURTOSIS}) > delta: "
                    "Paley-Zygmund, hypercontractivity at q = 4",
                    "conclusion": "|gamma - 1(a in A_z)| <= 1/5 fails with probability above delta",
                }
    return None


@search
def _tiny(stated: Recall) -> Witness | None:
    """One fact and three tokens at d = 2, d_h = 1, delta = 1/2, if the conditions allow them."""
    with precision():
        L = ball(6).log()
        power = ball(stated.constant) * L ** ball(stated.log)
        asked = [power * ball(f(A=1, n=1).as_fraction()) for f in (stated.dimension, stated.head)]
        if not (asked[0] <= 2 and asked[1] <= 1):
            return None
        failure = 1 - 2 / arb.pi() * ball(Fraction(1, 5)).asin()
        return {
            "V": "z, a and EOS; A_z = {a}",
            "d": 2,
            "d_h": 1,
            "delta": Fraction(1, 2),
            "gamma_az": "2 <phi(z), w>^2, twice the squared cosine of a uniform angle",
            "P(|gamma_az - 1| > 1/5)": failure.str(5, radius=False),
        }


#: log10 of log10 of the numbers of tokens at which a condition with too small a power is tried.
_SIZES = range(1, 13)


@search
def _many_tokens(stated: Recall) -> Witness | None:
    """One fact and very many tokens, where the power of L is too small: some token scores 1/5."""
    if stated.log >= 1:
        return None
    own, _ = coefficients()
    for size in _SIZES:
        with precision():
            # log |V|, and L at delta = 1/4.
            logs = ball(10**size) * ball(10).log()
            power = ball(stated.constant) * (logs + ball(4).log()) ** ball(stated.log)
            d, h = (
                ceil(upper(power * ball(f(A=1, n=1).as_fraction()))) + 1
                for f in (stated.dimension, stated.head)
            )
            # gamma_az = <phi(a), phi(a_1)> g with E g = 1, and g >= 1/2 by Chebyshev's inequality but
            # with probability 4 Var(g).
            seldom = 4 * ball((own - 1)(d=d, d_h=h).as_fraction())
            expected = overlap_tail_log(ball(Fraction(2, 5)), d) + logs - arb(2).log()
            # Then the failure is at least (1 - exp(-e^2))/2, above 1/4.
            if expected > 2 and seldom < ball(Fraction(1, 2)):
                return {
                    "head": "one fact, A_z = {a_1}",
                    "|V|": f"10^(10^{size})",
                    "d": d,
                    "d_h": h,
                    "delta": Fraction(1, 4),
                    "P(some gamma_az > 1/5, a other than a_1)": "above 1/4",
                }
    return None
