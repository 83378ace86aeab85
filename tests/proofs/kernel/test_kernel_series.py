"""Rules of power series hold at points; a ratio of coefficients that is too large is refused."""

from fractions import Fraction
from math import exp

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs.algebra.balls import precision
from proofs.kernel import series
from proofs.kernel import terms as of
from proofs.kernel.algebra import instantiate
from proofs.kernel.regions import Refused, Region, whole
from proofs.kernel.series import coordinate_mgf, log_series, product_mgf
from proofs.kernel.terms import symbol, symbols, term
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


@pytest.mark.parametrize(
    ("theorem", "text"),
    [
        (log_series(), "for 0 <= x < 1: -log(1 - x) <= x/(1 - x)"),
        (coordinate_mgf(), "for whole d >= 1, r real: E[exp(r * g)] <= exp(r^2/(2 * d))"),
        (
            product_mgf(),
            "for whole d >= 1, -1 < r < 1: E[exp(d * r * t * g)] <= exp((-log(1 - r^2))/2)",
        ),
    ],
)
def test_what_they_say(theorem, text):
    assert str(theorem) == text
    assert theorem.hypotheses == ()
    assert theorem.uses == ()


@pytest.mark.parametrize("rule", [coordinate_mgf, product_mgf])
def test_a_rate_is_no_other_symbol(rule):
    with pytest.raises(ValueError, match="d: has a range already"):
        rule("d")
    assert rule("k").region.names == {"d", "k"}


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


def test_series_that_are_no_larger_term_by_term_are_refused():
    smaller = series._Series(of.exp(R**2 / 3), 1 / (3 * K + 3))
    larger = series._Series(of.exp(R**2 / 2), 1 / (2 * K + 2))
    every = Region((whole("k", 0),))
    assert series._termwise(smaller, larger, "r", every).left == smaller.sum
    with pytest.raises(Refused, match="the ratios of coefficients: "):
        series._termwise(larger, smaller, "r", every)
    with pytest.raises(Refused, match="the series begin apart"):
        series._termwise(smaller, series._Series(R / (1 - R), term(1), 1, 1), "r", every)


@pytest.mark.parametrize(
    ("theorem", "values", "said"),
    [
        (log_series(), {"x": 1}, "the range 0 <= x < 1"),
        (log_series(), {"x": Fraction(-1, 2)}, "the range 0 <= x < 1"),
        (coordinate_mgf(), {"d": 0, "r": 1}, "the range whole d >= 1"),
        (coordinate_mgf(), {"d": Fraction(1, 2), "r": 1}, "the range whole d >= 1"),
        (coordinate_mgf(), {"d": Fraction(3, 2), "r": 1}, "not known to be whole"),
        (product_mgf(), {"d": 1, "r": 1}, "the range -1 < r < 1"),
        (product_mgf(), {"d": 1, "r": -1}, "the range -1 < r < 1"),
        (product_mgf(), {"d": 0, "r": 0}, "the range whole d >= 1"),
    ],
    ids=str,
)
def test_outside_their_regions_they_do_not_hold(theorem, values, said):
    with pytest.raises(Refused, match=said):
        instantiate(theorem, values, Region())


def test_the_bound_of_a_coordinate_is_false_for_a_smaller_constant(value_of):
    left = value_of(coordinate_mgf().left, {"d": 3, "r": 0.5})
    assert left > exp(0.5**2 / (2 * 3.2))


@pytest.mark.parametrize(
    ("total", "ratio", "more"),
    [
        (of.exp(R**2 / 2), 1 / (K + 1), {}),
        (of.exp(R**2 / 2), 1 / (2 * K + 1), {}),
        (2 * of.exp(R**2 / 2), 1 / (2 * K + 2), {}),
        (of.exp(-of.log(1 - R**2) / 3), (2 * K + 1) / (2 * K + 2), {}),
        (R / (1 - 2 * R), term(1), {"first": 1, "step": 1}),
        (-of.log(1 - R), K / (K + 2), {"first": 1, "step": 1}),
    ],
    ids=str,
)
def test_a_ratio_that_is_not_that_of_the_coefficients_is_refused(total, ratio, more):
    with pytest.raises(Refused, match="is not the ratio of the coefficients of"):
        series._Series(total, ratio, **more).require_ratio("r")


def test_the_ratios_are_those_of_the_coefficients():
    series._Series(of.exp(R**2 / 2), 1 / (2 * K + 2)).require_ratio("r")
    series._Series(R / (1 - R), term(1), first=1, step=1).require_ratio("r")
