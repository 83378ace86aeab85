"""Values of expectations over one coordinate and of infima: balls that have the exact value in them."""

from fractions import Fraction

import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs.algebra.balls import ball, precision
from proofs.kernel import values
from proofs.kernel.derivatives import derivative, is_convex
from proofs.kernel.regions import Region, between, real
from proofs.kernel.terms import (
    coordinate,
    copies,
    exp,
    expectation,
    inf,
    log,
    power,
    sqrt,
    symbols,
    term,
)
from proofs.kernel.values import value

d, n, s, x, y = symbols("d n s x y")
g = coordinate("g", d)


EXACT = {
    "a sign at d = 1": (expectation(exp(g)), {"d": 1}, lambda: arb(1).cosh()),
    "uniform at d = 3": (expectation(exp(x * g)), {"d": 3, "x": 2}, lambda: arb(2).sinh() / 2),
    "a second moment": (expectation(g**2), {"d": 8}, lambda: arb(1) / 8),
    "a root at its end": (expectation(sqrt(1 - g)), {"d": 3}, lambda: arb(8).sqrt() / 3),
    "nothing random": (expectation(exp(x)), {"x": 1}, lambda: arb(1).exp()),
    "inside": (inf("s", 0, 1, exp(s**2 - s)), {}, lambda: (-arb(1) / 4).exp()),
    "at the lower end": (inf("s", 0, 1, exp(s + s**2)), {}, lambda: arb(1)),
    "at the upper end": (inf("s", 0, x, exp(-s)), {"x": 2}, lambda: arb(-2).exp()),
    "between a pole and an end": (
        inf("s", 0, 1, exp(-s - log(1 - s) / 2)),
        {},
        lambda: (-arb(1) / 2 + arb(2).log() / 2).exp(),
    ),
    "chosen for each value": (
        expectation(inf("s", 0, 1, exp(s**2 - s * (1 + g)))),
        {"d": 3},
        lambda: arb.pi().sqrt() / 2 * arb(1).erf(),
    ),
    "one in the other": (
        expectation(exp(g) * expectation(exp(g))),
        {"d": 3},
        lambda: arb(1).sinh() ** 2,
    ),
}


@pytest.mark.parametrize("name", EXACT)
def test_the_exact_value_is_in_a_thin_ball(name):
    one, at, expected = EXACT[name]
    with precision():
        found, exact = value(one, at), expected()
    assert found.overlaps(exact)
    assert found.rad() < abs(exact) / 50


@pytest.mark.parametrize(
    ("one", "message"),
    [
        (expectation(g * coordinate("h", d)), "of one coordinate only"),
        (expectation(copies("S", 2, g)), "of one coordinate only"),
        (inf("s", 0, 1, exp(-(s**2))), "convex"),
        (inf("s", 0, 1, exp((2 * s - 1) ** 4 - s**2)), "convex"),
        (inf("s", 0, 1, s**2), "convex"),
        (expectation(inf("s", 0, 1, exp(g * s**2))), "convex"),
        (expectation(coordinate("g", d / 2)), "no dimension"),
        (g, "a random variable has no value"),
    ],
)
def test_what_is_not_evaluated_says_why(one, message):
    with pytest.raises(ValueError, match=message):
        value(one, {"d": 3})


def test_a_symbol_without_a_value_is_named():
    with pytest.raises(KeyError, match="x"):
        value(expectation(inf("s", 0, 1, exp(x * s + g))), {"d": 3})


# -- derivatives ----------------------------------------------------------------------------------

FUNCTIONS = [
    x**3 - 2 * x,
    (1 + x) / (2 + x**2),
    3 / (1 + x) - x / 2,
    exp(x * y) * y,
    log(1 + x**2),
    sqrt(2 + x) * x,
    exp(-y / (1 + x)) ** 2,
    term(7),
    y * (x + y),
    (y + 2) ** -2 + x ** (-1),
]


@settings(max_examples=5)
@given(st.fractions(1, 3, max_denominator=8))
@pytest.mark.parametrize("one", FUNCTIONS, ids=str)
def test_a_derivative_is_the_limit_of_differences(one, a):
    step = Fraction(1, 10**12)
    with precision():
        above, below = (value(one, {"x": a + e, "y": 2}) for e in (step, -step))
        found = value(derivative(one, "x"), {"x": a, "y": 2})
        assert abs((above - below) / (2 * ball(step)) - found) < 1e-9


@pytest.mark.parametrize("one", [expectation(exp(x * g)), power(x, n), inf("s", 0, 1, exp(x * s))])
def test_a_derivative_that_is_not_known_is_not_made_up(one):
    with pytest.raises(ValueError, match="its derivative in x is not known"):
        derivative(one, "x")


def test_convex_functions_are_known_on_their_range_alone():
    assert is_convex(x**3, "x", Region((between("x", 0, 1),)))
    assert not is_convex(x**3, "x", Region((real("x"),)))
    assert is_convex(x * y, "x", Region((real("x"), real("y"))))


@pytest.mark.parametrize("cells", [1, 2, 5])
def test_coarse_cells_make_a_wide_ball_that_has_the_value_in_it(monkeypatch, cells):
    monkeypatch.setattr(values, "_CELLS", cells)
    monkeypatch.setattr(values, "_cells", values._cells.__wrapped__)
    one, at, expected = EXACT["chosen for each value"]
    with precision():
        found = value(one, at)
        assert found.contains(expected().mid())
        assert found.rad() > 1 / (20 * cells)


def test_of_a_coordinate_that_is_anywhere_in_a_ball_all_infima_are_in_the_ball():
    """At x = 0 the least value is exp(-1/4), where s = 1/2; at x = 1 it is at the end."""
    with precision():
        anywhere = arb(0).union(arb(1))
        end = Fraction(4, 5)
        found = value(inf("s", 0, end, exp(s**2 - s + (10 - s) * x)), {"x": anywhere})
        assert found.contains((-arb(1) / 4).exp().mid())
        assert found.contains(ball(end**2 - 2 * end + 10).exp().mid())
