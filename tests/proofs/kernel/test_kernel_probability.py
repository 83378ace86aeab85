"""Rules of probability: what they conclude holds at d = 1 and d = 3, wrong dependence is refused."""

from fractions import Fraction

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from proofs.kernel.algebra import (
    assume,
    chain,
    exponential,
    identity,
    instantiate,
    restate,
    sign,
)
from proofs.kernel.laws import margin_law
from proofs.kernel.probability import by_law, independent, markov, mixture
from proofs.kernel.regions import Refused, Region, at_least, between, real, whole
from proofs.kernel.series import coordinate_mgf, log_series, product_mgf
from proofs.kernel.terms import (
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
from proofs.kernel.theorem import Compare
from proofs.memories.linear import definition

d, n, q, r, x, y = symbols("d n q r x y")
g, h, t = (coordinate(name, d) for name in ["g", "h", "t"])
X = random("X of a definition")
SIZES = Region((whole("d", 1), whole("n", 0), real("x"), real("y")))
DIMENSION = Region((whole("d", 1),))

few = settings(max_examples=10, phases=[Phase.explicit, Phase.generate])
dimensions = st.sampled_from([1, 3])
numbers = st.fractions(-2, 2, max_denominator=3).filter(bool)
small = st.fractions(Fraction(-9, 10), Fraction(9, 10), max_denominator=10).filter(bool)
positive = st.fractions(0, 2, max_denominator=3).filter(bool)

#: What a grid over the values of two coordinates misses of a probability.
GRID = 0.08


def factor(rate, region=SIZES):
    return instantiate(coordinate_mgf(), {"r": rate}, region)


def product_factor(rate, region=SIZES):
    return instantiate(product_mgf(), {"r": rate}, region)


def holds_near(value_of, theorem, at, margin=1e-6):
    left, right = (value_of(side, at) for side in theorem.statement.sides)
    return left <= right * (1 + 1e-6) + margin


@few
@given(dimensions, numbers, numbers, numbers, positive)
def test_markov_holds(value_of, d, a, b, c, rate):
    theorem = markov(a + b * g + c * g * h, rate, DIMENSION)
    assert holds_near(value_of, theorem, {"d": d}, GRID if d == 3 else 1e-6)


@few
@given(dimensions, numbers, numbers, numbers, st.integers(0, 2), small)
def test_exponentials_of_independent_sums_are_bounded(value_of, dimension, a, b, c, k, rate):
    exponent = a + b * g + copies("S", n, c * h) + d * rate * (t * coordinate("u", d))
    bound = a + b**2 / (2 * d) + n * c**2 / (2 * d) - log(1 - term(rate) ** 2) / 2
    theorem = independent(exponent, bound, SIZES, factor(b), product_factor(rate), factor(c))
    assert holds_near(value_of, theorem, {"d": dimension, "n": k, "x": 0, "y": 0})


@few
@given(dimensions, numbers, st.integers(0, 2), small)
def test_a_multiple_of_copies_counts_as_often(value_of, dimension, b, k, rate):
    exponent = (d * rate) * copies("S", n, g * h) - b * g
    bound = b**2 / (2 * d) - n * log(1 - term(rate) ** 2) / 2
    theorem = independent(exponent, bound, SIZES, product_factor(rate), factor(-b))
    assert holds_near(value_of, theorem, {"d": dimension, "n": k, "x": 0, "y": 0})


def given_size(a, rate, low=-3, high=3):
    region = Region((whole("d", 1), between("q", low, high)))
    variable = a + q * g
    bound = -rate * a + (rate * q) ** 2 / (2 * d)
    return chain(
        markov(variable, rate, region),
        independent(-(rate * variable), bound, region, factor(-rate * q, region)),
    )


@few
@given(dimensions, positive, positive, st.fractions(-1, 1, max_denominator=2), small)
def test_mixtures_hold(value_of, dimension, a, rate, b, c):
    theorem = mixture(given_size(a, rate), "q", 1 + b * h + c * h**2)
    assert holds_near(value_of, theorem, {"d": dimension}, GRID if dimension == 3 else 1e-6)


@few
@given(dimensions, positive, positive)
def test_mixtures_over_a_root_hold(value_of, dimension, a, rate):
    theorem = mixture(given_size(a, rate, 0, 2), "q", sqrt(2 - 2 * h))
    assert holds_near(value_of, theorem, {"d": dimension}, GRID if dimension == 3 else 1e-6)


ON_Q = given_size(term(1), term(1))
ROOT = given_size(term(1), term(1), 0, 2)
PAIR = x * g + y * h
PAIR_BOUND = (x**2 + y**2) / (2 * d)
LAW = margin_law(definition(), inside=True)


def supposed(left, right, region):
    return assume(Compare(left, "<=", right), region)


REFUSED = [
    (r"markov: the rate g\^2 - g\^2 \+ g is random", lambda: markov(g, g**2 - g**2 + g, DIMENSION)),
    (r"markov: the rate g\^2 is random", lambda: markov(h, g**2, DIMENSION)),
    (r"markov: x/x is defined", lambda: markov(g * (x / x), 1, SIZES)),
    (r"markov: y/y is defined", lambda: markov(g, y / y, SIZES)),
    (r"markov: the rate: x >= 0", lambda: markov(g, x, SIZES)),
    (r"markov: the rate: -1 >= 0", lambda: markov(g, -1, SIZES)),
    (r"markov: E.*: nothing is known of the size of X", lambda: markov(X, 1, DIMENSION)),
    (r"markov: 1/value_0 is defined", lambda: markov(1 / g, 1, DIMENSION)),
    (r"markov: the dimension of g: d is not known to be whole", lambda: markov(g, 1, Region())),
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
        r"independent: the dimension of g: d - 1 >= 0",
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
        r"independent: .* is no comparison by <= or =",
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
        r"mixture: .* is no comparison by <=",
        lambda: mixture(assume(Compare(at_most_zero(q * g), "<", exp(q)), ON_Q.region), "q", h),
    ),
    (
        r"mixture: E\[.*\] is no probability",
        lambda: mixture(instantiate(coordinate_mgf(), {"r": q}, ON_Q.region), "q", h),
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
]


def independent_of_q():
    region = Region((whole("d", 1), between("q", -3, 3), whole("e", 1)))
    other = coordinate("g", symbols("e")[0])
    mgf = instantiate(coordinate_mgf(), {"d": symbols("e")[0], "r": -q}, region)
    bound = q**2 / (2 * symbols("e")[0]) - d
    return chain(
        markov(d + q * other, 1, region), independent(-(d + q * other), bound, region, mgf)
    )


@pytest.mark.parametrize(("said", "derive"), REFUSED, ids=[said for said, _ in REFUSED])
def test_what_does_not_follow(said, derive):
    with pytest.raises(Refused, match=f"^{said}"):
        derive()


def certain(region, inside, exponent):
    """P(...) <= exp(exponent) by Markov's inequality with the rate 0, where the exponent is above 0."""
    at = markov(inside, 0, region)
    flat = independent(-(0 * inside), term(0), region)
    more = exponential(sign(Compare(term(0), "<=", exponent), region))
    return chain(chain(at, flat), more)


RANGES = Region((whole("d", 1), whole("n", 1), between("q", 0, 1), between("x", q - 1, 1)))
PLAIN = Region((whole("d", 1), whole("n", 1), between("q", 0, 1)))


@pytest.mark.parametrize(
    ("inside", "exponent", "region", "said"),
    [
        (q + g, q, RANGES, "depends on q"),
        (
            q + expectation(exp(q * g)),
            q,
            PLAIN,
            r"q: a random value has no place in E\[exp\(q \* g\)\]",
        ),
        (
            q + copies("S", n, q * g),
            q,
            PLAIN,
            r"q: a random value has no place in sum_S\(n, q \* g\)",
        ),
        (q + at_most_zero(q * g), q, PLAIN, r"q: a random value has no place in P\(q \* g <= 0\)"),
        (
            q + g,
            q + at_most_zero(q * g),
            PLAIN,
            r"q: a random value has no place in P\(q \* g <= 0\)",
        ),
        (q + copies("S", n, g * h), q, PLAIN, "h is in .* already"),
    ],
    ids=str,
)
def test_what_does_not_mix(inside, exponent, region, said):
    theorem = certain(region, inside, exponent)
    with pytest.raises(Refused, match=f"^mixture: .*{said}"):
        mixture(theorem, "q", (h + 1) / 2)


def test_a_mixture_at_an_open_end_is_refused():
    region = Region((whole("d", 1), between("q", 0, 1, "()")))
    theorem = certain(region, q + g, q)
    assert mixture(theorem, "q", (h + 2) / 4)
    for variable in (h**2, (h + 1) / 2, (1 - h) / 2 + 0, sqrt((1 + h) / 2)):
        with pytest.raises(Refused, match="lie in the range 0 < q < 1"):
            mixture(theorem, "q", variable)
    above = Region((whole("d", 1), between("q", 0, 1, "(]")))
    with pytest.raises(Refused, match="lie in the range 0 < q <= 1"):
        mixture(certain(above, q + g, q), "q", (1 + h) / 2)
    below = Region((whole("d", 1), between("q", 0, 1, "[)")))
    with pytest.raises(Refused, match="lie in the range 0 <= q < 1"):
        mixture(certain(below, q + g, q), "q", sqrt((1 + h) / 2))
    with pytest.raises(Refused, match="lie in the range 0 <= q < 1"):
        mixture(certain(below, q + g, q), "q", (1 + h) / 2)
    assert mixture(certain(below, q + g, q), "q", sqrt((2 + h) / 4))


def test_a_root_below_a_negative_end_is_refused():
    region = Region((whole("d", 1), between("q", -3, -2)))
    with pytest.raises(Refused, match="lie in the range -3 <= q <= -2"):
        mixture(certain(region, q + g, q + 3), "q", sqrt((1 + h) / 2))


def test_a_mixture_keeps_other_hypotheses():
    region = Region((whole("d", 1), between("q", -3, 3), real("x")))
    exponent = ON_Q.right.arguments[0]
    more = sign(Compare(exponent, "<=", exponent + x), region, (1, supposed(term(0), x, region)))
    theorem = mixture(chain(restate(ON_Q, ON_Q.statement, region), exponential(more)), "q", h)
    assert str(theorem).startswith("for whole d >= 1, x real: if 0 <= x, P(1 + h * g <= 0) <= E[")
    assert theorem.trust == ON_Q.trust


def given_length(region, a=2):
    """P(q^2/2 + q S <= 0) <= 1 for the margin of a fact whose output is another one, a = 2."""
    noise = q * copies("S", symbols("N")[0] - 1, t * h)
    return certain(region, q**2 / a + noise, q)


def averaged(a=2):
    region = Region((whole("d", 1), whole("N", 1), between("q", 0, 2)))
    return mixture(given_length(region, a), "q", sqrt(2 - 2 * coordinate("rho", d)))


OUTSIDE = margin_law(definition(), inside=False)


def test_by_law_replaces_one_variable_by_the_other():
    theorem = averaged()
    found = by_law(OUTSIDE, theorem)
    assert found.left == at_most_zero(OUTSIDE.left)
    assert found.right == theorem.right
    assert found.uses == (OUTSIDE, theorem)
    assert found.trust == OUTSIDE.trust | theorem.trust


@pytest.mark.parametrize(
    ("law", "theorem", "said"),
    [
        (log_series(), averaged(), "does not say that two laws are the same"),
        (OUTSIDE, OUTSIDE, "no comparison"),
        (OUTSIDE, markov(g, 1, OUTSIDE.region), "is not the probability of"),
        (OUTSIDE, averaged(3), "is not the probability of"),
        (LAW, averaged(), "the range whole N >= 2"),
        (LAW, markov(g, 1, LAW.region), "is not the probability of"),
    ],
    ids=str,
)
def test_by_law_is_of_the_same_variable_in_the_region_of_the_law(law, theorem, said):
    with pytest.raises(Refused, match=f"^by_law: .*{said}"):
        by_law(law, theorem)
