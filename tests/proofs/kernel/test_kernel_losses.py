"""What the steps of a proof lose: both sides at a place, against values that are known otherwise."""

from fractions import Fraction

import pytest
from scipy.stats import beta

from proofs.algebra.balls import ball, precision
from proofs.kernel import (
    Region,
    at_least,
    at_most_zero,
    chain,
    coordinate,
    coordinate_mgf,
    independent,
    instantiate,
    markov,
    symbols,
    whole,
)
from proofs.kernel.losses import losses
from proofs.kernel.values import value

d, t = symbols("d t")
SIZES = Region((whole("d", 1), at_least("t", 0)))
g = coordinate("g", d)


def tail():
    """P(g >= t) <= exp(-d t^2/2)."""
    factor = instantiate(coordinate_mgf(), {"r": d * t}, SIZES)
    bound = independent(-d * t * (t - g), -d * t**2 / 2, SIZES, factor)
    return chain(markov(t - g, d * t, SIZES), bound)


@pytest.mark.parametrize(("dimension", "place"), [(1, 0), (1, 1), (2, 0.25), (3, 0.5), (40, 0.25)])
def test_the_probability_of_one_coordinate_is_that_of_its_law(dimension, place):
    with precision():
        found = value(at_most_zero(t - g), {"d": dimension, "t": Fraction(place)})
        if dimension == 1:
            assert found.contains(ball(Fraction(1, 2)))
        else:
            half = (dimension - 1) / 2
            exact = 1 - beta(half, half).cdf((1 + place) / 2)
            assert abs(found - exact) < 0.02
        assert found <= 1
        assert found.rad() < 0.02


def test_the_probability_of_a_number_is_one_or_none():
    with precision():
        assert value(at_most_zero(t - 1), {"t": 1}) == 1
        assert value(at_most_zero(t - 1), {"t": 2}) == 0


def test_the_steps_with_values_are_told_in_order():
    at = {"d": 20, "t": Fraction(1, 2)}
    found = list(losses(tail(), at))
    assert [step.theorem.rule for step in found] == [
        "markov",
        "instantiate",
        "independent",
        "chain",
    ]
    first, _, middle, last = found
    assert first.right.overlaps(middle.left)
    assert last.factor.overlaps(first.factor * middle.factor)
    assert all(not step.left > step.right for step in found)
    assert str(last).startswith("0.0105 to 0.0821, 7.83 times   [chain: P(t - g <= 0)")


def test_more_numbers_tell_of_more_steps():
    at = {"d": 20, "t": Fraction(1, 2), "r": 1}
    assert "coordinate_mgf" in {step.theorem.rule for step in losses(tail(), at)}


def test_a_symbol_without_a_number_is_named():
    with pytest.raises(KeyError, match="at: t has no number"):
        list(losses(tail(), {"d": 20}))
