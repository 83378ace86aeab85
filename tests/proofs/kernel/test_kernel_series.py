"""Rules of power series hold at points; a ratio of coefficients that is too large is refused."""

from fractions import Fraction
from math import exp

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs.algebra.balls import precision
from proofs.kernel import series
from proofs.kernel.regions import Refused
from proofs.kernel.series import coordinate_mgf, log_series, product_mgf
from proofs.kernel.terms import symbol, symbols
from proofs.kernel.values import holds

K, R = symbols("k r")
few = settings(max_examples=40)


@few
@given(st.fractions(0, 1, max_denominator=1000).filter(lambda x: x < 1))
def test_the_series_of_the_logarithm(x):
    with precision():
        assert holds(log_series().statement, {"x": x}) is not False


@few
@given(st.sampled_from([1, 3]), st.floats(-6, 6))
def test_a_coordinate(value_of, d, r):
    left, right = (value_of(side, {"d": d, "r": r}) for side in coordinate_mgf().statement.sides)
    assert left <= right * (1 + 1e-6)


@few
@given(st.sampled_from([1, 3]), st.floats(-0.99, 0.99))
def test_a_product_of_two(value_of, d, r):
    left, right = (value_of(side, {"d": d, "r": r}) for side in product_mgf().statement.sides)
    assert left <= right * (1 + 1e-6)


def test_at_small_rates_the_bounds_are_sharp(value_of):
    for d in (1, 3):
        for rule in (coordinate_mgf, product_mgf):
            at = {"d": d, "r": 0.1}
            left, right = (value_of(side, at) - 1 for side in rule().statement.sides)
            assert left == pytest.approx(right, rel=0.05)


@pytest.mark.parametrize("rule", [coordinate_mgf, product_mgf])
@pytest.mark.parametrize("larger", [Fraction(1001, 1000), 2])
def test_a_ratio_that_is_too_large_is_refused(rule, larger, monkeypatch):
    own = series._moment_ratio
    monkeypatch.setattr(series, "_moment_ratio", lambda: larger * own())
    with pytest.raises(Refused, match=f"^{rule.__name__}: .* is not the ratio of the coeff"):
        rule()


@pytest.mark.parametrize("rule", [coordinate_mgf, product_mgf])
def test_moments_that_are_not_the_engines_are_refused(rule, monkeypatch):
    monkeypatch.setattr(series, "ratio_is_right", lambda orders: orders < 4)
    with pytest.raises(Refused, match="the moments of a coordinate are not the engine's"):
        rule()


def test_coefficients_that_are_too_large_are_refused(monkeypatch):
    monkeypatch.setattr(series, "_K", symbol("k") / 2)
    with pytest.raises(Refused, match=r"log_series: .* is not the ratio of the coefficients"):
        log_series()


def test_the_bound_of_a_coordinate_is_false_for_a_smaller_constant(value_of):
    left = value_of(coordinate_mgf().left, {"d": 3, "r": 0.5})
    assert left > exp(0.5**2 / (2 * 3.2))
