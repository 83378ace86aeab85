"""Cases of the rules of probability."""

from __future__ import annotations

from fractions import Fraction

from proofs.kernel import probability
from proofs.kernel.algebra import assume, chain, exponential, identity, instantiate, sign
from proofs.kernel.cases import Conclusions, Refusals, told
from proofs.kernel.laws import margin_law
from proofs.kernel.probability import by_law, independent, markov, mixture
from proofs.kernel.regions import Range, Region, at_least, between, real, whole
from proofs.kernel.series import coordinate_mgf, log_series, product_mgf
from proofs.kernel.terms import (
    Number,
    Term,
    at_most_zero,
    coordinate,
    copies,
    exp,
    expectation,
    log,
    random,
    sqrt,
    symbols,
    term,
)
from proofs.kernel.theorem import Compare, Theorem
from proofs.memories.linear import definition

d, n, q, r, x, y = symbols("d n q r x y")
g, h, t = (coordinate(name, d) for name in ["g", "h", "t"])
X = random("X of a definition")
SIZES = Region((whole("d", 1), whole("n", 0), real("x"), real("y")))
DIMENSION = Region((whole("d", 1),))


MGF, PRODUCT = coordinate_mgf(), product_mgf()


def factor(rate: Term | Number, region: Region = SIZES) -> Theorem:
    """E exp(rate g) <= exp(rate^2/(2 d))."""
    return instantiate(MGF, {"r": rate}, region)


def product_factor(rate: Term | Number, region: Region = SIZES) -> Theorem:
    """E exp(d rate t g) <= exp(-log(1 - rate^2)/2)."""
    return instantiate(PRODUCT, {"r": rate}, region)


def given_size(a: Term | Number, rate: Term | Number, low: int = -3, high: int = 3) -> Theorem:
    """A bound of P(a + q g <= 0) for q from *low* to *high*."""
    region = Region((whole("d", 1), between("q", low, high)))
    variable, a, rate = a + q * g, term(a), term(rate)
    bound = -rate * a + (rate * q) ** 2 / (2 * d)
    return chain(
        markov(variable, rate, region),
        independent(-(rate * variable), bound, region, factor(-rate * q, region)),
    )


ON_Q = given_size(term(1), term(1))
ROOT = given_size(term(1), term(1), 0, 2)
LOW = given_size(term(1), term(1), -1, 2)
PAIR = x * g + y * h
PAIR_BOUND = (x**2 + y**2) / (2 * d)
LAW = margin_law(definition(), inside=True)


def supposed(left: Term, right: Term, region: Region) -> Theorem:
    return assume(Compare(left, "<=", right), region)


def _mixed_factors() -> tuple[tuple[Term, Term], ...]:
    """What is supposed of two variables that stand beside each other, and of a third."""
    return (expectation(exp(MIXED)), exp(x)), (expectation(exp(t)), exp(term(1)))


def independent_of_q() -> Theorem:
    region = Region((whole("d", 1), between("q", -3, 3), whole("e", 1)))
    other = coordinate("g", symbols("e")[0])
    mgf = instantiate(MGF, {"d": symbols("e")[0], "r": -q}, region)
    bound = q**2 / (2 * symbols("e")[0]) - d
    return chain(
        markov(d + q * other, 1, region), independent(-(d + q * other), bound, region, mgf)
    )


def certain(region: Region, inside: Term, exponent: Term) -> Theorem:
    """P(...) <= exp(exponent) by Markov's inequality with the rate 0, where the exponent is above 0."""
    at = markov(inside, 0, region)
    flat = independent(-(0 * inside), term(0), region)
    more = exponential(sign(Compare(term(0), "<=", exponent), region))
    return chain(chain(at, flat), more)


RANGES = Region((whole("d", 1), whole("n", 1), between("q", 0, 1), between("x", q - 1, 1)))
PLAIN = Region((whole("d", 1), whole("n", 1), between("q", 0, 1)))


def given_length(region: Region, a: int = 2) -> Theorem:
    """P(q^2/2 + q S <= 0) <= 1 for the margin of a fact whose output is another one, a = 2."""
    noise = q * copies("S", symbols("N")[0] - 1, t * h)
    return certain(region, q**2 / a + noise, q)


def averaged(a: int = 2, name: str = "rho") -> Theorem:
    """The same where the length is that of the difference of two outputs, of an overlap so called."""
    region = Region((whole("d", 1), whole("N", 1), between("q", 0, 2)))
    return mixture(given_length(region, a), "q", sqrt(2 - 2 * coordinate(name, d)))


OUTSIDE = margin_law(definition(), inside=False)
#: That of a margin less q times a length, neither of which is told apart from other variables.
SHORT = margin_law(definition(), inside=False, less="q")


def flat_tail(law: Theorem, *others: Range) -> Theorem:
    """P(...) <= exp(1) for what has the law of such a margin, for every q."""
    return certain(law.region.also(*others), law.right, term(1))


def mixed(region: Region, inside: Term, exponent: Term, variable: Term) -> Theorem:
    """P(inside <= 0) <= exp(exponent) at the variable for q."""
    return mixture(certain(region, inside, exponent), "q", variable)


#: Half of 1 + h, with values from 0 to 1, and whether the ends belong to the range of q.
SHARE = (1 + h) / 2
OPEN, ABOVE, BELOW = (
    Region((whole("d", 1), between("q", 0, 1, ends))) for ends in ("()", "(]", "[)")
)
NEGATIVE, UPPER, FROM_0, UP_TO_0, UP_TO_1 = (
    Region((whole("d", 1), one))
    for one in (
        between("q", -3, -2),
        between("q", 1, 2),
        at_least("q", 0),
        Range("q", None, term(0)),
        Range("q", None, term(1)),
    )
)
BOUND_NAME = r"q: a random value has no place in "

REFUSED: Refusals = [
    (r"markov: the rate g\^2 - g\^2 \+ g is random", lambda: markov(g, g**2 - g**2 + g, DIMENSION)),
    (r"markov: the rate g\^2 is random", lambda: markov(h, g**2, DIMENSION)),
    (r"markov: x/x is defined", lambda: markov(g * (x / x), 1, SIZES)),
    (r"markov: y/y is defined", lambda: markov(g, y / y, SIZES)),
    (r"markov: the rate: x >= 0", lambda: markov(g, x, SIZES)),
    (r"markov: the rate: -1 >= 0", lambda: markov(g, -1, SIZES)),
    (r"markov: E.*: nothing is known of the size of X", lambda: markov(X, 1, DIMENSION)),
    (r"markov: 1/value_0 is defined", lambda: markov(1 / g, 1, DIMENSION)),
    (r"markov: d in .* has no range", lambda: markov(g, 1, Region())),
    (
        r"markov: the dimension of g: d is not known to be whole",
        lambda: markov(g, 1, Region((at_least("d", 1),))),
    ),
    (
        r"independent: no factor bounds E exp of .*h",
        lambda: independent(PAIR, PAIR_BOUND, SIZES, factor(x)),
    ),
    (
        r"independent: no factor bounds",
        lambda: independent(x * g + y * g, PAIR_BOUND, SIZES, factor(x), factor(y)),
    ),
    (
        r"independent: no factor bounds",
        lambda: independent(x * g + y * g * h, PAIR_BOUND, SIZES, factor(x), factor(y)),
    ),
    (
        r"independent: no factor bounds",
        lambda: independent(
            d * g * g / 2, -log(term(3) / 4) / 2, SIZES, product_factor(Fraction(1, 2))
        ),
    ),
    (
        r"independent: no factor bounds",
        lambda: independent(x * g + x * h, x**2 / d, SIZES, factor(2 * x)),
    ),
    (
        r"independent: no factor bounds",
        lambda: independent(x * coordinate("g", d + 1), x**2 / (2 * d), SIZES, factor(x)),
    ),
    (
        r"independent: .* bounds no summand",
        lambda: independent(x * g, x**2 / (2 * d), SIZES, factor(x), factor(y)),
    ),
    (
        r"independent: .* bounds no summand",
        lambda: independent(x * g, x**2 / (2 * d), SIZES, factor(x), factor(x)),
    ),
    (
        r"independent: the exponents add up to",
        lambda: independent(PAIR, PAIR_BOUND - 1, SIZES, factor(x), factor(y)),
    ),
    (
        r"independent: the exponents add up to",
        lambda: independent(1 + x * g, x**2 / (2 * d), SIZES, factor(x)),
    ),
    (
        r"independent: the exponents add up to",
        lambda: independent(copies("S", n, x * g), x**2 / (2 * d), SIZES, factor(x)),
    ),
    (
        r"independent: y/y is defined",
        lambda: independent(x * g, x**2 / (2 * d) * (y / y), SIZES, factor(x)),
    ),
    (
        r"independent: the range whole d >= 1 of what is used: d - 1 >= 0",
        lambda: independent(
            x * g, x**2 / (2 * (d + 1)), Region((whole("d", 0), real("x"))), factor(x)
        ),
    ),
    (
        r"independent: the range (whole )?q >= 0",
        lambda: independent(
            q * g,
            q**2 / (2 * d),
            Region((whole("d", 1), real("q"))),
            factor(q, Region((whole("d", 1), at_least("q", 0)))),
        ),
    ),
    (
        r"independent: E\[.*\] is no exponential|independent: .* is no exponential",
        lambda: independent(
            x * g,
            x**2 / (2 * d),
            SIZES,
            identity(expectation(exp(x * g)), expectation(exp(x * g)) + 0, SIZES),
        ),
    ),
    (
        r"independent: .* is no comparison by <= or =$",
        lambda: independent(
            x * g,
            term(1),
            SIZES,
            assume(Compare(expectation(exp(x * g)), "<", exp(term(1))), SIZES),
        ),
    ),
    (
        r"independent: no factor bounds",
        lambda: independent(
            x * g, term(1), SIZES, sign(Compare(-at_most_zero(x * g), "<=", term(0)), SIZES)
        ),
    ),
    (
        r"independent: .* has a random denominator",
        lambda: independent(x * g / (1 + h**2), x**2 / (2 * d), SIZES, factor(x)),
    ),
    (
        r"independent: X: nothing is known of how it depends",
        lambda: independent(x * g + X, x**2 / (2 * d), SIZES, factor(x)),
    ),
    (
        r"independent: exp\(.*g\): nothing is known of how it depends",
        lambda: independent(x * g + exp(g), x**2 / (2 * d), SIZES, factor(x)),
    ),
    (
        r"independent: .* mixes a sum of copies",
        lambda: independent(copies("S", n, x * g) * h, x**2 / (2 * d), SIZES, factor(x)),
    ),
    (
        r"independent: .* is no multiple of a sum of copies",
        lambda: independent(
            copies("S", n, x * g) * copies("S", n, x * g), x**2 / (2 * d), SIZES, factor(x)
        ),
    ),
    (
        r"independent: the number of copies in .*: n - 1 - 0 >= 0",
        lambda: independent(copies("S", n - 1, x * g), (n - 1) * x**2 / (2 * d), SIZES, factor(x)),
    ),
    (
        r"independent: the number of copies in .*: n/2 is not known to be whole",
        lambda: independent(copies("S", n / 2, x * g), n * x**2 / (4 * d), SIZES, factor(x)),
    ),
    (
        r"mixture: .* is no comparison by <=$",
        lambda: mixture(assume(Compare(at_most_zero(q * g), "<", exp(q)), ON_Q.region), "q", h),
    ),
    (
        r"mixture: E\[.*\] is no probability",
        lambda: mixture(instantiate(MGF, {"r": q}, ON_Q.region), "q", h),
    ),
    (r"mixture: x is no symbol of", lambda: mixture(ON_Q, "x", h)),
    (
        r"mixture: E\[.*\] is no exponential",
        lambda: mixture(markov(q * g, 1, ON_Q.region), "q", h),
    ),
    (
        r"mixture: P.* <= exp\(q\) is on q",
        lambda: mixture(supposed(at_most_zero(q * g), exp(q), ON_Q.region), "q", h),
    ),
    (r"mixture: g is in 1 \+ q \* g already", lambda: mixture(ON_Q, "q", g)),
    (
        r"mixture: g is in 1 \+ q \* g already",
        lambda: mixture(ON_Q, "q", (h + coordinate("g", 3)) / 2),
    ),
    (r"mixture: X is no coordinate", lambda: mixture(ON_Q, "q", X)),
    (
        r"mixture: sum_S\(2, h\) is no coordinate",
        lambda: mixture(ON_Q, "q", copies("S", 2, h)),
    ),
    (r"mixture: the values of 4 \* h lie in", lambda: mixture(ON_Q, "q", 4 * h)),
    (r"mixture: the values of h \+ h \* t - 2 lie in", lambda: mixture(ON_Q, "q", h + h * t - 2)),
    (r"mixture: the values of 3 \* h \+ t lie in", lambda: mixture(ON_Q, "q", 3 * h + t)),
    (
        r"mixture: the values of 3 \+ h lie in .*3 - \(3 \+ value_0\)",
        lambda: mixture(ON_Q, "q", 3 + h),
    ),
    (r"mixture: the values of h lie in the range 0 <= q <= 2", lambda: mixture(ROOT, "q", h)),
    (r"mixture: the values of sqrt\(3 - 2 \* h\)", lambda: mixture(ROOT, "q", sqrt(3 - 2 * h))),
    (r"mixture: sqrt\(1 - 2 \* value_0\)", lambda: mixture(ROOT, "q", sqrt(1 - 2 * h))),
    (r"mixture: 1/value_0 is defined", lambda: mixture(ROOT, "q", 1 / h)),
    (r"mixture: d is whole", lambda: mixture(independent_of_q(), "d", 2 + h)),
    (r"mixture: .*depends on q", lambda: mixed(RANGES, q + g, q, SHARE)),
    (r"mixture: exp\(t\^2\) is random", lambda: mixed(PLAIN, q + g, t**2, SHARE)),
    (r"mixture: gamma .* is not known", lambda: mixture(by_law(SHORT, flat_tail(SHORT)), "q", h)),
    (
        r"mixture: gamma .* is not known",
        lambda: mixture(by_law(OUTSIDE, flat_tail(OUTSIDE, real("q"))), "q", h),
    ),
    (r"mixture: .* lie in the range 1 <= q <= 2", lambda: mixed(UPPER, q + g, q, SHARE)),
    (r"mixture: .* lie in the range q <= 0", lambda: mixed(UP_TO_0, q + g, 1 - q, SHARE)),
    (
        rf"mixture: {BOUND_NAME}E\[exp\(q \* g\)\]",
        lambda: mixed(PLAIN, q + expectation(exp(q * g)), q, SHARE),
    ),
    (
        rf"mixture: {BOUND_NAME}sum_S\(n, q \* g\)",
        lambda: mixed(PLAIN, q + copies("S", n, q * g), q, SHARE),
    ),
    (
        rf"mixture: {BOUND_NAME}P\(q \* g <= 0\)",
        lambda: mixed(PLAIN, q + at_most_zero(q * g), q, SHARE),
    ),
    (
        rf"mixture: {BOUND_NAME}P\(q \* g <= 0\)",
        lambda: mixed(PLAIN, q + g, q + at_most_zero(q * g), SHARE),
    ),
    (r"mixture: h is in .* already", lambda: mixed(PLAIN, q + copies("S", n, g * h), q, SHARE)),
    (r"mixture: .* lie in the range 0 < q < 1", lambda: mixed(OPEN, q + g, q, h**2)),
    (r"mixture: .* lie in the range 0 < q < 1", lambda: mixed(OPEN, q + g, q, SHARE)),
    (r"mixture: .* lie in the range 0 < q < 1", lambda: mixed(OPEN, q + g, q, (1 - h) / 2 + 0)),
    (r"mixture: .* lie in the range 0 < q < 1", lambda: mixed(OPEN, q + g, q, sqrt(SHARE))),
    (r"mixture: .* lie in the range 0 < q <= 1", lambda: mixed(ABOVE, q + g, q, SHARE)),
    (r"mixture: .* lie in the range 0 <= q < 1", lambda: mixed(BELOW, q + g, q, sqrt(SHARE))),
    (r"mixture: .* lie in the range 0 <= q < 1", lambda: mixed(BELOW, q + g, q, SHARE)),
    (
        r"mixture: .* lie in the range -3 <= q <= -2",
        lambda: mixed(NEGATIVE, q + g, q + 3, sqrt(SHARE)),
    ),
    (
        r"by_law: .*does not say that two laws are the same",
        lambda: by_law(log_series(), averaged()),
    ),
    (r"by_law: .* is no comparison by <= or < or =$", lambda: by_law(OUTSIDE, OUTSIDE)),
    (r"by_law: .*is not the probability of", lambda: by_law(OUTSIDE, markov(g, 1, OUTSIDE.region))),
    (r"by_law: .*is not the probability of", lambda: by_law(OUTSIDE, averaged(3))),
    (r"by_law: the range whole N >= 2", lambda: by_law(LAW, averaged())),
    (r"by_law: .*is not the probability of", lambda: by_law(LAW, markov(g, 1, LAW.region))),
    (r"certain: g is random", lambda: probability.certain(g, SIZES)),
    (r"certain: 1/x is defined", lambda: probability.certain(1 / x, SIZES)),
]

MIXED = g * h + g + h

HOLDS: Conclusions = [
    (
        lambda: independent(
            MIXED + t, 1 + x, SIZES, *(supposed(*it, SIZES) for it in _mixed_factors())
        ),
        "E[exp(g * h + g + h + t)] <= exp(1 + x)",
    ),
    (
        lambda: independent(x * g + exp(y), x**2 / (2 * d) + exp(y), SIZES, factor(x)),
        "E[exp(x * g + exp(y))] <= exp(x^2/(2 * d) + exp(y))",
    ),
    (lambda: told(mixed(PLAIN, q + g, q, SHARE)), "From 1, by"),
    (lambda: mixed(FROM_0, q + g, q, sqrt(SHARE)), "P(sqrt((1 + h)/2) + g <= 0) <= E["),
    (lambda: mixed(UP_TO_1, q + g, 1 - q, sqrt(SHARE)), "P(sqrt((1 + h)/2) + g <= 0) <= E["),
    (
        lambda: independent(x * g / d + 1 / d, x**2 / (2 * d**3) + 1 / d, SIZES, factor(x / d)),
        "E[exp(x * g/d + 1/d)] <= exp(x^2/(2 * d^3) + 1/d)",
    ),
    (
        lambda: markov(x + g, x**2, SIZES),
        "whole d >= 1, whole n >= 0, x real, y real: P(x + g <= 0) <= E[exp(-x^2 * (x + g))]",
    ),
    (
        lambda: independent(PAIR + 1 - y, PAIR_BOUND + 1 - y, SIZES, factor(x), factor(y)),
        "E[exp(x * g + y * h + 1 - y)] <= exp((x^2 + y^2)/(2 * d) + 1 - y)",
    ),
    (
        lambda: independent(2 * copies("S", n, x * g), n * 2 * x**2 / d, SIZES, factor(2 * x)),
        "E[exp(2 * sum_S(n, x * g))] <= exp(n * 2 * x^2/d)",
    ),
    (lambda: mixed(OPEN, q + g, q, (h + 2) / 4), "P((h + 2)/4 + g <= 0) <= E[exp((h + 2)/4)]"),
    (lambda: mixed(BELOW, q + g, q, sqrt((2 + h) / 4)), "P(sqrt((2 + h)/4) + g <= 0) <= E["),
    (lambda: mixture(LOW, "q", sqrt(2 - 2 * h)), "P(1 + sqrt(2 - 2 * h) * g <= 0) <= E["),
    # The symbol is gone: its name is free.
    (lambda: averaged(name="q"), "for whole d >= 1, whole N >= 1: P(sqrt(2 - 2 * q)^2/2 + sqrt("),
    (lambda: averaged(), "for whole d >= 1, whole N >= 1: P(sqrt(2 - 2 * rho)^2/2 + sqrt("),
    (lambda: by_law(OUTSIDE, averaged()), "N >= 1: P(gamma (y outside the image) <= 0) <= E[exp("),
    (lambda: len(by_law(OUTSIDE, averaged()).uses), "2"),
    (lambda: probability.certain(x**2, SIZES), "y real: E[x^2] = x^2"),
]
