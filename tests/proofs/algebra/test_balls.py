"""Balls: local precision, and exact end points that enclose."""

from fractions import Fraction

import flint
import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs.algebra.balls import ball, lower, precision, upper

rationals = st.fractions(max_denominator=10**6)


def test_precision_is_put_back():
    before = flint.ctx.prec
    with precision(300):
        assert flint.ctx.prec == 300
    assert flint.ctx.prec == before


def test_precision_is_put_back_after_an_exception():
    before = flint.ctx.prec

    def fail():
        with precision(300):
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert flint.ctx.prec == before


@given(rationals)
def test_end_points_enclose_a_rational(value):
    with precision(64):
        assert lower(ball(value)) <= value <= upper(ball(value))


@given(rationals)
def test_the_ball_of_a_rational_is_narrow(value):
    with precision(64):
        width = upper(ball(value)) - lower(ball(value))
    assert width * 2**60 <= abs(value)


@given(st.integers(1, 10**12))
def test_end_points_enclose_a_square_root(value):
    with precision(64):
        root = ball(value).sqrt()
        assert lower(root) ** 2 <= value <= upper(root) ** 2


@given(st.integers(1, 300))
def test_the_exponential_lies_between_its_partial_sums(k):
    x = Fraction(1, k)
    with precision():
        found = ball(-x).exp()
        assert lower(found) <= 1 - x + x**2 / 2
        assert upper(found) >= 1 - x + x**2 / 2 - x**3 / 6


@pytest.mark.parametrize("end", [upper, lower])
@pytest.mark.parametrize("value", ["nan", "inf", "[0 +/- inf]"])
def test_unbounded_balls_have_no_end_points(end, value):
    with pytest.raises(ArithmeticError, match="unbounded"):
        end(flint.arb(value))
