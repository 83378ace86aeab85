"""Rules of norms and powers hold for polynomials in coordinates; what would say more is refused."""

from fractions import Fraction

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from proofs.algebra.symbols import symbols as field_symbols
from proofs.concentration import NormBound, fourth_moment
from proofs.kernel.algebra import assume, instantiate, restate, sign
from proofs.kernel.norms import (
    hypercontractivity,
    norm_tail,
    norm_to_power,
    norms_grow,
    polynomial_degree,
)
from proofs.kernel.powers import (
    above_minus_modulus,
    power_of_exp,
    power_of_power,
    power_of_product,
    raised,
)
from proofs.kernel.probability import first_moment, inclusion, powers_exceed
from proofs.kernel.regions import Region, at_least, real, whole
from proofs.kernel.terms import (
    coordinate,
    exp,
    expectation,
    log,
    modulus,
    polynomial,
    random,
    replaced,
    symbols,
    term,
)
from proofs.kernel.theorem import Compare

d, p, q, x, y = symbols("d p q x y")
g, h = coordinate("g", d), coordinate("h", d)
f = polynomial("f", p)
X = random("X of a definition")
SIZES = Region((whole("d", 1), whole("p", 0), real("x"), real("y")))
DEGREE = polynomial_degree(f, SIZES)

few = settings(max_examples=10, phases=[Phase.explicit, Phase.generate])
dimensions = st.sampled_from([1, 3])
numbers = st.fractions(-2, 2, max_denominator=3)
exponents = st.fractions(0, 4, max_denominator=4).filter(bool)
#: What a grid over the values of a coordinate misses of a probability.
GRID = 0.08


def holds_near(value_of, statement, at, margin=1e-9):
    left, right = (value_of(side, at) for side in statement.sides)
    if statement.relation == "=":
        return left == pytest.approx(right, rel=1e-9, abs=1e-12)
    return left <= right + 1e-9 * abs(right) + margin


def of_polynomial(statement, concrete):
    """A comparison of a polynomial f, for one in coordinates."""
    sides = (replaced(side, f, concrete) for side in statement.sides)
    left, right = sides
    return Compare(left, statement.relation, right)


# -- norms ----------------------------------------------------------------------------------------


@few
@given(dimensions, numbers, numbers, numbers)
def test_hypercontractivity_holds_at_four(value_of, dimension, a, b, c):
    theorem = hypercontractivity(DEGREE, 4, SIZES)
    concrete = a + b * g + c * g * h
    at = {"d": dimension, "p": 2}
    assert holds_near(value_of, of_polynomial(theorem.statement, concrete), at)


@few
@given(numbers, numbers, numbers, st.fractions(2, 9, max_denominator=3))
def test_hypercontractivity_holds_for_signs(value_of, a, b, c, exponent):
    theorem = hypercontractivity(DEGREE, exponent, SIZES)
    concrete = a + b * g + c * g * h
    assert holds_near(value_of, of_polynomial(theorem.statement, concrete), {"d": 1, "p": 2})


@pytest.mark.parametrize("k", range(1, 25))
def test_hypercontractivity_holds_for_hermite_polynomials_at_four(k):
    order, degree = field_symbols("q p")
    bound = NormBound(order - 1, degree / 2, Fraction(2))
    assert bound.admits(fourth_moment(k), k, Fraction(4), 4)


def test_a_sign_attains_the_bound_at_two():
    theorem = hypercontractivity(DEGREE, q, SIZES.also(at_least("q", 2)))
    at_two = instantiate(theorem, {"q": 2}, SIZES)
    second = modulus(expectation(f**2), term(1) / 2)
    assert restate(at_two, Compare(second, "<=", exp(p / 2 * log(term(1))) * second))


@few
@given(dimensions, numbers, numbers, exponents, exponents)
def test_norms_grow_with_the_exponent(value_of, dimension, a, b, one, other):
    low, high = sorted((one, other))
    theorem = norms_grow(a + b * g, low, high, SIZES)
    assert holds_near(value_of, theorem.statement, {"d": dimension})


@few
@given(dimensions, numbers, numbers, exponents)
def test_a_norm_to_its_power_is_a_moment(value_of, dimension, a, b, exponent):
    theorem = norm_to_power(a + b * g, exponent, SIZES)
    assert holds_near(value_of, theorem.statement, {"d": dimension})


@few
@given(dimensions, numbers, numbers, exponents, numbers)
def test_a_norm_bounds_both_tails(value_of, dimension, a, b, exponent, rate):
    variable = a + b * g
    theorem = norm_tail(norms_grow(variable, exponent, exponent, SIZES), rate)
    assert holds_near(value_of, theorem.statement, {"d": dimension}, GRID if dimension > 1 else 0)


def test_a_variable_without_variance_stays_where_it_is(value_of):
    """With b = 0 all the mass is at |X| <= 0."""
    theorem = norm_tail(norms_grow(term(0), 1, 2, SIZES), 1)
    assert value_of(theorem.right, {}) == 1


# -- tails ----------------------------------------------------------------------------------------


@few
@given(dimensions, numbers, numbers, exponents, exponents.filter(lambda e: e % 2))
def test_the_chain_of_tails_holds(value_of, dimension, a, b, least, exponent):
    variable = a + b * g
    near = sign(
        Compare(least - modulus(variable), "<=", least + variable),
        SIZES,
        (1, above_minus_modulus(variable, SIZES)),
    )
    raised_, least_ = modulus(variable, exponent), modulus(term(least), exponent)
    for theorem in (
        inclusion(near),
        powers_exceed(term(least), variable, exponent, SIZES),
        first_moment(least_, raised_, SIZES),
    ):
        assert holds_near(value_of, theorem.statement, {"d": dimension}, GRID)


# -- powers ---------------------------------------------------------------------------------------


@few
@given(numbers, numbers, exponents, exponents)
def test_powers_have_their_values(value_of, a, b, one, other):
    at = {"x": a, "y": b}
    for theorem in (
        power_of_exp(x, one, SIZES),
        power_of_power(x, one, other, SIZES),
        power_of_product(x, y, one, SIZES),
        above_minus_modulus(x, SIZES),
    ):
        assert holds_near(value_of, theorem.statement, at)


@few
@given(numbers, numbers, exponents)
def test_powers_keep_the_order_of_what_is_not_negative(value_of, a, b, exponent):
    region = Region((at_least("x", 0), at_least("y", 0)))
    theorem = raised(assume(Compare(x, "<=", x + y), region), exponent)
    assert holds_near(value_of, theorem.statement, {"x": abs(a), "y": abs(b)})
