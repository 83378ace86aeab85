"""Rules of norms and powers hold for polynomials in coordinates; what would say more is refused."""

from fractions import Fraction

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from proofs.algebra.symbols import symbols as field_symbols
from proofs.concentration import NormBound, fourth_moment
from proofs.kernel.algebra import assume, instantiate, restate, sign, weaken
from proofs.kernel.goals import Goal
from proofs.kernel.laws import margin_law
from proofs.kernel.normal import same
from proofs.kernel.norms import (
    hypercontractivity,
    less_constant,
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
from proofs.kernel.regions import Refused, Region, at_least, between, real, whole
from proofs.kernel.terms import (
    coordinate,
    copies,
    exp,
    expectation,
    log,
    modulus,
    norm,
    polynomial,
    random,
    replaced,
    sqrt,
    symbols,
    term,
    variance,
)
from proofs.kernel.theorem import Compare, OfDegree
from proofs.kernel.values import holds
from proofs.memories.linear import definition

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


def test_an_even_power_is_one_of_what_is_inside():
    assert same(modulus(x - y, 4), (x - y) ** 4)
    for exponent in (term(3), term(Fraction(2, 3)), 2 * p):
        assert not same(modulus(x, exponent), modulus(-x, exponent))


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        (Compare(modulus(term(-2), Fraction(1, 2)), "<=", term(2)), True),
        (Compare(modulus(term(0), Fraction(1, 2)), "<", term(Fraction(1, 100))), True),
        (Compare(modulus(term(-3), 1), "<=", term(2)), False),
    ],
    ids=str,
)
def test_powers_are_evaluated(statement, expected):
    assert holds(statement, {}) is expected


# -- degrees --------------------------------------------------------------------------------------


def test_a_degree_may_be_larger_and_not_smaller():
    assert Goal(OfDegree(f, p + 1), SIZES).reached(DEGREE).statement.right == p + 1
    for wrong in (OfDegree(f, p - 1), OfDegree(polynomial("h", p), p), Compare(f, "<=", p)):
        with pytest.raises(Refused):
            weaken(DEGREE, wrong, SIZES)


def test_a_degree_is_of_the_polynomial_at_its_sizes():
    found = instantiate(DEGREE, {"p": 6}, Region((whole("d", 1), real("x"), real("y"))))
    assert found.statement == OfDegree(polynomial("f", 6), term(6))


def test_a_degree_is_a_number():
    with pytest.raises(ValueError, match="the degree g is random"):
        OfDegree(f, g)


def test_less_its_mean_a_polynomial_has_its_degree():
    found = less_constant(DEGREE, expectation(f))
    assert str(found).endswith("f - E[f] is a polynomial of degree at most p")


# -- what is refused ------------------------------------------------------------------------------

ABOVE = SIZES.also(at_least("q", 0, above=True))
LAW = margin_law(definition(), inside=True)
SUPPOSED = assume(Compare(norm(f, 2), "<=", x), SIZES)

REFUSED = [
    ("polynomial_degree: .* no polynomial by its term", lambda: polynomial_degree(g, SIZES)),
    ("polynomial_degree: .* no polynomial by its term", lambda: polynomial_degree(X, SIZES)),
    (
        "polynomial_degree: the degree of f: p - 1",
        lambda: polynomial_degree(polynomial("f", p - 1), SIZES),
    ),
    (
        "polynomial_degree: the degree of f: x is not known to be whole",
        lambda: polynomial_degree(polynomial("f", x), SIZES),
    ),
    ("less_constant: g is random", lambda: less_constant(DEGREE, g)),
    ("less_constant: .* does not say of which degree", lambda: less_constant(SUPPOSED, x)),
    ("hypercontractivity: .* does not say of which", lambda: hypercontractivity(LAW, 2, SIZES)),
    (
        "hypercontractivity: the exponent is at least 2",
        lambda: hypercontractivity(DEGREE, q, ABOVE),
    ),
    (
        "hypercontractivity: the exponent .* random",
        lambda: hypercontractivity(DEGREE, 3 + g, SIZES),
    ),
    ("hypercontractivity: d in d has no range", lambda: hypercontractivity(DEGREE, 2, Region())),
    ("norms_grow: the order of the exponents", lambda: norms_grow(g, q, 2, ABOVE)),
    ("norms_grow: the exponent of", lambda: norms_grow(g, 0, 2, SIZES)),
    ("norms_grow: the exponent of .* is random", lambda: norms_grow(g, 1, 2 + h**2, SIZES)),
    ("norms_grow: E.*nothing is known of the size of X", lambda: norms_grow(exp(X), 1, 2, SIZES)),
    ("norms_grow: E.*nothing is known of the size of f", lambda: norms_grow(exp(f), 1, 2, SIZES)),
    ("norm_to_power: the exponent of", lambda: norm_to_power(f, x, SIZES)),
    (
        "norm_tail: .* is no norm",
        lambda: norm_tail(assume(Compare(variance(f), "<=", x), SIZES), 1),
    ),
    (
        "norm_tail: .* is no norm",
        lambda: norm_tail(
            assume(Compare(modulus(expectation(modulus(f, 3)), 1), "<=", x), SIZES), 1
        ),
    ),
    ("norm_tail: g is random", lambda: norm_tail(SUPPOSED, g)),
    (
        r"norm_tail: .* \+ g\^2 is random",
        lambda: norm_tail(sign(Compare(norm(term(1), 2), "<=", norm(term(1), 2) + g**2), SIZES), 1),
    ),
    ("inclusion: .* is no comparison", lambda: inclusion(LAW)),
    ("powers_exceed: what is exceeded", lambda: powers_exceed(x, g, 2, SIZES)),
    ("powers_exceed: the exponent of", lambda: powers_exceed(term(1), g, x, SIZES)),
    ("first_moment: the variable", lambda: first_moment(term(1), g, SIZES)),
    ("first_moment: what is exceeded", lambda: first_moment(x, g**2, SIZES)),
    ("first_moment: g\\^2 is random", lambda: first_moment(g**2, g**2, SIZES)),
    ("raised: what is raised", lambda: raised(assume(Compare(x, "<=", y), SIZES), 2)),
    ("raised: the exponent of", lambda: raised(assume(Compare(term(1), "<=", y), SIZES), x)),
    ("raised: .* no comparison", lambda: raised(LAW, 2)),
]


@pytest.mark.parametrize(("said", "derive"), REFUSED, ids=[said for said, _ in REFUSED])
def test_a_side_condition_is_decided(said, derive):
    with pytest.raises(Refused, match=f"^{said}"):
        derive()


@pytest.mark.parametrize(
    "what",
    [exp(f), 1 / (1 + f**2), sqrt(f), log(2 + X), copies("S", 2, f), exp(f - X), modulus(f, g)],
    ids=str,
)
def test_an_expectation_that_may_not_exist_is_refused(what):
    with pytest.raises(Refused):
        norm_to_power(what, 2, SIZES)


@pytest.mark.parametrize("what", [f**3 * X + g, modulus(f - X, 3) * f, 2 * f - exp(g) * f], ids=str)
def test_polynomials_have_all_moments(what):
    assert norm_to_power(what, 5, SIZES)


def test_polynomials_of_two_names_are_two(value_of):
    with pytest.raises(Refused):
        restate(
            norms_grow(f, 2, 4, SIZES),
            Compare(norm(f, 2), "<=", norm(polynomial("h", p), 4)),
        )


def test_one_name_has_one_degree():
    with pytest.raises(Refused, match="f is the name of two variables"):
        norm_to_power(f + polynomial("f", p + 1), 2, SIZES)


def test_a_random_value_has_no_place_in_a_norm():
    theorem = norm_to_power(x * f, 2, SIZES)
    with pytest.raises(Refused, match="a random value has no place"):
        instantiate(theorem, {"x": g}, SIZES)


def test_between_two_norms():
    region = SIZES.also(between("q", 1, 2))
    assert norms_grow(f, q, 2, region)
