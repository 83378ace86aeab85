"""Terms are exact trees; their text and their normal form have their values."""

from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from proofs.kernel.normal import normal, same
from proofs.kernel.terms import (
    at_most_zero,
    coordinate,
    copies,
    exp,
    expectation,
    random,
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


def test_a_variable_that_is_a_number_is_another_one_under_an_expectation():
    inner = expectation(g * h) + at_most_zero(g) + copies("S", n, g)
    assert given_number(g * h + inner, g, x) == x * h + inner
    assert given_number(inner, copies("S", n, g), x) == expectation(g * h) + at_most_zero(g) + x
