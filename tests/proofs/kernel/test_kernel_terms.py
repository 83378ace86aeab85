"""Terms are exact trees; their text and their normal form have their values."""

from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from proofs.algebra import ExactnessError
from proofs.kernel.normal import normal, opaque, same
from proofs.kernel.terms import (
    at_most_zero,
    coordinate,
    copies,
    exp,
    expectation,
    free,
    log,
    modulus,
    plus,
    random,
    randoms,
    replaced,
    sqrt,
    substituted,
    symbol,
    symbols,
    term,
)
from proofs.kernel.terms import given as given_number

d, n, x, y = symbols("d n x y")
g, h, t = (coordinate(name, d) for name in ["g", "h", "t"])
X = random("X of a definition")

numbers = st.fractions(-4, 4, max_denominator=4)


def _joined(parts):
    pairs = st.tuples(parts, parts)
    return st.one_of(
        pairs.map(lambda p: p[0] + p[1]),
        pairs.map(lambda p: p[0] - p[1]),
        pairs.map(lambda p: p[0] * p[1]),
        pairs.map(lambda p: p[0] / p[1]),
        parts.map(lambda p: -p),
        st.tuples(parts, st.integers(-2, 3)).map(lambda p: p[0] ** p[1]),
    )


rational = st.recursive(st.sampled_from([x, y]) | numbers.map(term), _joined, max_leaves=8)


def _exact(one, at):
    if one.head == "number":
        return one.value
    if one.head == "symbol":
        return at[one.name]
    left, right = (_exact(argument, at) for argument in one.arguments)
    if one.head == "^":
        return left ** int(right)
    if one.head == "/":
        return left / right
    return {"+": left + right, "-": left - right, "*": left * right}[one.head]


@settings(max_examples=50)
@given(rational, numbers, numbers)
def test_the_normal_form_has_the_value_of_the_term(one, a, b):
    at = {"x": a, "y": b}
    try:
        expected, found = _exact(one, at), normal(one)
    except ZeroDivisionError:
        assume(False)
    assert found(**{name: at[name] for name in found.names}) == expected


@settings(max_examples=50)
@given(rational, numbers, numbers)
def test_the_text_has_the_value_of_the_term(one, a, b):
    try:
        expected = _exact(one, {"x": a, "y": b})
    except ZeroDivisionError:
        assume(False)
    try:
        plain = "".join(f"F({c})" if c.isdigit() else c for c in _spaced(str(one)))
        found = eval(plain.replace("^", "**"), {"F": Fraction, "x": a, "y": b})
    except ZeroDivisionError:
        assume(False)
    assert found == expected


def _spaced(text):
    pieces, digits = [], ""
    for c in text:
        if c.isdigit():
            digits += c
            continue
        if digits:
            pieces.append(digits)
            digits = ""
        pieces.append(c)
    return [*pieces, digits] if digits else pieces


@settings(max_examples=50)
@given(rational, rational, numbers, numbers)
def test_terms_of_one_normal_form_have_one_value(one, other, a, b):
    at = {"x": a, "y": b}
    try:
        assert same(one, other) <= (_exact(one, at) == _exact(other, at))
    except ZeroDivisionError:
        assume(False)


@pytest.mark.parametrize("wrong", [0.5, True, "1", None, 1j])
def test_only_exact_numbers_are_terms(wrong):
    with pytest.raises(TypeError, match="no exact number"):
        term(wrong)
    with pytest.raises(TypeError, match="no exact number"):
        _ = x + wrong


@pytest.mark.parametrize("name", ["", "a b", "2", "__0", "é", "a-b"])
def test_only_plain_names_are_symbols(name):
    with pytest.raises(ValueError, match="no name of a symbol"):
        symbol(name)


def test_a_name_of_a_root_of_a_number_is_no_symbol():
    with pytest.raises(ExactnessError, match="reserved"):
        normal(symbol("sqrt2"))


@pytest.mark.parametrize("power", [Fraction(1, 2), True, n, 0.5])
def test_only_whole_numbers_are_exponents(power):
    with pytest.raises(TypeError, match="exponent"):
        _ = x**power


@pytest.mark.parametrize(
    ("one", "names", "variables"),
    [
        (x * g + exp(h), {"x", "d"}, {g, h}),
        (expectation(x * g), {"x", "d"}, set()),
        (at_most_zero(g), {"d"}, set()),
        (copies("S", n, g) + y, {"n", "d", "y"}, {copies("S", n, g)}),
        (X + expectation(X), set(), {X}),
    ],
)
def test_what_occurs_in_a_term(one, names, variables):
    assert free(one) == names
    assert randoms(one) == variables


@pytest.mark.parametrize(
    "one",
    [expectation(x * h), at_most_zero(x * h), copies("S", n, x * h), coordinate("h", x)],
    ids=str,
)
def test_a_random_value_has_no_place_where_variables_are_bound(one):
    with pytest.raises(ValueError, match="x: a random value has no place in"):
        substituted(1 + one, {"x": g})
    assert free(substituted(one, {"x": y})) >= {"y"}


def test_substitution_is_at_once():
    assert substituted(x - y, {"x": y, "y": x}) == y - x


def test_replacement_is_of_whole_trees():
    assert replaced(exp(g) + h * g, g, x) == exp(x) + h * x


@pytest.mark.parametrize(
    ("factor", "expected"), [(1, "x + y"), (-1, "x - y"), (2, "x + 2 * y"), (-2, "x - 2 * y")]
)
def test_plus_writes_signs_plainly(factor, expected):
    assert str(plus(x, factor, y)) == expected


@pytest.mark.parametrize(
    ("one", "text"),
    [
        (expectation(exp(-x * g)), "E[exp((-x) * g)]"),
        (at_most_zero(copies("S", n, g) - 1), "P(sum_S(n, g) - 1 <= 0)"),
        (sqrt(x) * X, "sqrt(x) * X"),
        (2 * modulus(x - y) ** 2, "2 * |x - y|^2"),
        (sqrt(x**3), "sqrt(x^3)"),
        ((x - y) ** 2 / (x * y), "(x - y)^2/(x * y)"),
        (x - (y - 1), "x - (y - 1)"),
        (term(Fraction(-1, 2)) * x, "(-1/2) * x"),
    ],
)
def test_text(one, text):
    assert str(one) == text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (expectation(g * h), expectation(t * h)),
        (expectation(exp(x * g)), expectation(exp(x * h))),
        (at_most_zero(copies("S", n, g * h) + t), at_most_zero(copies("T", n, h * t) + g)),
        (copies("S", n, g * h), copies("S", n, t * g)),
        (expectation(expectation(g) + h), expectation(expectation(t) + g)),
        (sqrt(x + y) ** 2, x + y),
        (sqrt(x) ** 3 / sqrt(x), x),
        (exp(g - g), term(1)),
        (exp(x + x), exp(2 * x)),
        (log(x * y / y), log(x)),
        (expectation(g - g + h), expectation(t)),
    ],
    ids=str,
)
def test_what_is_the_same(one, other):
    assert same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (g, h),
        (expectation(g * h), expectation(g * g)),
        (expectation(g * coordinate("h", n)), expectation(g * h)),
        (expectation(g), expectation(coordinate("g", n))),
        (expectation(x * g), x * expectation(g)),
        (expectation(exp(g)), exp(expectation(g))),
        (expectation(g), at_most_zero(g)),
        (at_most_zero(g), at_most_zero(-g)),
        (copies("S", n, g), copies("T", n, g)),
        (copies("S", n, g), copies("S", n + 1, g)),
        (copies("S", n, g), n * g),
        (expectation(copies("S", n, g) * copies("T", n, g)), expectation(copies("S", n, g) ** 2)),
        (expectation(g + expectation(g * h)), expectation(g + expectation(g * g))),
        (expectation(g + expectation(h * t)), expectation(g + expectation(h * h))),
        (expectation(g + copies("S", n, g * h)), expectation(g + copies("S", n, h * h))),
        (sqrt(x**2), x),
        (log(exp(x)), x),
        (exp(x) * exp(y), exp(x + y)),
        (expectation(term(1)), term(1)),
        (X, random("Y of a definition")),
        (expectation(X), expectation(random("Y"))),
        (coordinate("g", 1) ** 2, term(1)),
        (expectation(coordinate("g", d) + copies("g", n, h)), expectation(2 * coordinate("g", d))),
    ],
    ids=str,
)
def test_what_is_not_the_same(one, other):
    assert not same(one, other)


@given(st.permutations(["g", "h", "t", "u"]))
def test_bound_names_do_not_matter_where_they_stay_different(names):
    def term_of(a, b, c, e):
        one, two, three, four = (coordinate(name, d) for name in (a, b, c, e))
        return expectation(exp(one * two - x * three**2) + copies("S", n, four + one) * two)

    assert same(term_of("g", "h", "t", "u"), term_of(*names))


@given(st.lists(st.sampled_from(["g", "h", "t"]), min_size=4, max_size=4))
def test_bound_names_that_coincide_do_matter(names):
    def term_of(a, b, c, e):
        one, two, three, four = (coordinate(name, d) for name in (a, b, c, e))
        return expectation(one * two**2 * three**3 * four**4)

    expected = [names.index(name) for name in names]
    other = [0, 1, 2, 3]
    assert same(term_of(*names), term_of("g", "h", "t", "u")) == (expected == other)


def test_a_denominator_that_is_zero_has_no_normal_form():
    with pytest.raises(ZeroDivisionError):
        normal(1 / (x - x))


def test_what_stands_behind_a_symbol():
    (name,) = normal(exp(x)).names
    assert opaque(name) == exp(x)
    assert opaque("x") is None


def test_a_variable_that_is_a_number_is_another_one_under_an_expectation():
    inner = expectation(g * h) + at_most_zero(g) + copies("S", n, g)
    assert given_number(g * h + inner, g, x) == x * h + inner
    assert given_number(inner, copies("S", n, g), x) == expectation(g * h) + at_most_zero(g) + x
