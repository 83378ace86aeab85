"""Averages over Beta laws: they hold what is known exactly, and are thin."""

from fractions import Fraction

import pytest
from flint import arb

from proofs.algebra.balls import ball, precision
from verify.checks.averages import Beta, average, bounded

HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("first", "second"), [(4, 4), (12, Fraction(47, 2)), (HALF, 3), (90, HALF)]
)
def test_moments_of_the_law_lie_in_thin_balls(first, second):
    law = Beta(Fraction(first), Fraction(second))
    exact = Fraction(1)
    for order in (1, 2, 3):
        exact *= (law.first + order - 1) / (law.first + law.second + order - 1)
        with precision():
            found = average(lambda x, order=order: x**order, law)
            assert found.contains(ball(exact))
            assert float(found.rad()) < 0.1 * exact


def test_finer_cells_give_thinner_balls():
    law = Beta(Fraction(12), Fraction(20))
    with precision():
        coarse, fine = (average(lambda x: x, law, fine=n) for n in (4, 16))
        assert fine.rad() < coarse.rad() / 3


def test_independent_variables_have_the_product_of_their_means():
    laws = Beta(Fraction(3), Fraction(5)), Beta(Fraction(7), Fraction(2))
    with precision():
        found = average(lambda x, y: x * y, *laws, fine=8)
        assert found.contains(ball(Fraction(3, 8) * Fraction(7, 9)))
        assert not found.contains(ball(Fraction(3, 8) * Fraction(2, 9)))


def test_a_law_without_a_second_part_is_the_number_one():
    with precision():
        assert average(lambda x: x / 4, Beta(Fraction(4), Fraction(0))) == arb(1) / 4


@pytest.mark.parametrize(("logarithm", "low", "high"), [("0 +/- 300", 0, 1), ("5", 1, 1)])
def test_a_bound_on_a_probability_is_between_0_and_1(logarithm, low, high):
    found = bounded(arb(logarithm))
    assert found.contains(arb(low) if low else (arb(-300)).exp())
    assert found.contains(arb(high))
    assert found > -(10**-6)
    assert found < 1 + 10**-6


def test_a_bound_on_a_probability_is_the_exponential_below_1():
    with precision():
        assert abs(bounded(arb(-2)) - arb(-2).exp()) < 10**-30


@pytest.mark.parametrize("law", [Beta(Fraction(0), Fraction(1)), Beta(Fraction(1), Fraction(-1))])
def test_what_is_no_law_is_refused(law):
    with pytest.raises(ValueError, match="take a first above 0"):
        average(lambda x: x, law)
