"""Rules of probability: what they conclude holds at d = 1 and d = 3, wrong dependence is refused."""

from fractions import Fraction

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from proofs.kernel.algebra import chain, exponential, restate, sign
from proofs.kernel.cases.probability import (
    DIMENSION,
    ON_Q,
    OUTSIDE,
    SIZES,
    averaged,
    d,
    factor,
    g,
    given_size,
    h,
    n,
    product_factor,
    supposed,
    t,
    x,
)
from proofs.kernel.probability import by_law, independent, markov, mixture
from proofs.kernel.regions import Region, between, real, whole
from proofs.kernel.terms import at_most_zero, coordinate, copies, log, sqrt, term
from proofs.kernel.theorem import Compare

few = settings(max_examples=10, phases=[Phase.explicit, Phase.generate])
dimensions = st.sampled_from([1, 3])
numbers = st.fractions(-2, 2, max_denominator=3).filter(bool)
small = st.fractions(Fraction(-9, 10), Fraction(9, 10), max_denominator=10).filter(bool)
positive = st.fractions(0, 2, max_denominator=3).filter(bool)

#: What a grid over the values of two coordinates misses of a probability.
GRID = 0.08


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


def test_a_mixture_keeps_other_hypotheses():
    region = Region((whole("d", 1), between("q", -3, 3), real("x")))
    exponent = ON_Q.right.arguments[0]
    more = sign(Compare(exponent, "<=", exponent + x), region, (1, supposed(term(0), x, region)))
    theorem = mixture(chain(restate(ON_Q, ON_Q.statement, region), exponential(more)), "q", h)
    assert str(theorem).startswith("for whole d >= 1, x real: if 0 <= x, P(1 + h * g <= 0) <= E[")
    assert theorem.trust == ON_Q.trust


def test_by_law_replaces_one_variable_by_the_other():
    theorem = averaged()
    found = by_law(OUTSIDE, theorem)
    assert found.left == at_most_zero(OUTSIDE.left)
    assert found.right == theorem.right
    assert found.uses == (OUTSIDE, theorem)
    assert found.trust == OUTSIDE.trust | theorem.trust
