"""Values of expectations over one coordinate and of infima: balls that have the exact value in them."""

from fractions import Fraction

import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs.algebra.balls import ball, precision
from proofs.kernel import values
from proofs.kernel.derivatives import derivative
from proofs.kernel.terms import (
    coordinate,
    exp,
    expectation,
    inf,
    log,
    sqrt,
    symbols,
    term,
)
from proofs.kernel.values import value

d, n, s, x, y = symbols("d n s x y")
g = coordinate("g", d)


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


@pytest.mark.parametrize("cells", [1, 2, 5])
def test_coarse_cells_make_a_wide_ball_that_has_the_value_in_it(monkeypatch, cells):
    monkeypatch.setattr(values, "_CELLS", cells)
    monkeypatch.setattr(values, "_cells", values._cells.__wrapped__)
    with precision():
        found = value(expectation(inf("s", 0, 1, exp(s**2 - s * (1 + g)))), {"d": 3})
        assert found.contains((arb.pi().sqrt() / 2 * arb(1).erf()).mid())
        assert found.rad() > 1 / (20 * cells)


def test_of_a_coordinate_that_is_anywhere_in_a_ball_all_infima_are_in_the_ball():
    """At x = 0 the least value is exp(-1/4), where s = 1/2; at x = 1 it is at the end."""
    with precision():
        anywhere = arb(0).union(arb(1))
        end = Fraction(4, 5)
        found = value(inf("s", 0, end, exp(s**2 - s + (10 - s) * x)), {"x": anywhere})
        assert found.contains((-arb(1) / 4).exp().mid())
        assert found.contains(ball(end**2 - 2 * end + 10).exp().mid())
