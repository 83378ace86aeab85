"""Values of expectations over one coordinate and of infima: balls that have the exact value in them."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs.algebra.balls import ball, precision
from proofs.kernel.derivatives import derivative
from proofs.kernel.terms import (
    coordinate,
    exp,
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
