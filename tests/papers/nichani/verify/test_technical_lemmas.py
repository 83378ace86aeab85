"""The claims of App. F: counterexamples by hand, and what is measured."""

from fractions import Fraction

import pytest

from verify.claim import Road
from verify.verdict import Verdict


def test_the_counterexample_to_the_tail_bound_is_a_gaussian(judge):
    found = judge.counterexample("nichani.lem14")
    assert found["f"] == "3/2 + g, g standard Gaussian"
    assert (found["p"], found["delta"]) == ("1", "1/20")


def test_the_counterexample_to_the_choice_is_that_of_the_note(judge):
    found = judge.counterexample("nichani.lem14.choose-q")
    assert (found["p"], found["delta"], found["Var(f)/(E f)^2"]) == ("1", "1/2", "1")


@pytest.mark.parametrize("name", ["basis", "contraction"])
def test_the_hermite_tensors_go_wrong_at_order_two(judge, name):
    found = judge.counterexample(f"nichani.lem16.{name}")
    assert (found["d"], found["k"]) == ("1", "2")


def test_the_range_of_delta_is_an_error_of_its_own(judge):
    """With the right power of e the tail bound still fails for delta near one."""
    found = judge("nichani.lem14.corrected", least="0")
    assert found.verdict is Verdict.REFUTED
    assert Fraction(found.counterexample["delta"]) == Fraction(17, 20)


def test_checks_of_a_tail_need_a_polynomial_within_the_hypothesis(judge):
    found = judge("nichani.lem14.corrected", Road.NUMERICS, power_of_e="9")
    assert found.verdict is Verdict.INCONCLUSIVE


@pytest.fixture
def quantities(judge):
    """What the intervals of a claim measure, with *formulas* in place of its own."""

    def named(id_, **formulas):
        [found] = judge.all(id_, [Road.NUMERICS], **formulas)
        return [case["quantity"] for case in found.detail["cases"]]

    return named


@pytest.mark.parametrize(
    ("id_", "words"),
    [
        ("nichani.lem13", "E |u on S^0|^(17/16) = 1, stated at most ((q - 1)^(1/2))^q = 0.229251"),
        ("nichani.lem14.moment", "E |u on S^0|^(1/16) = 1, stated at most (q^(1/2))^q = 0.917004"),
    ],
)
def test_a_moment_that_is_too_large_is_told_beside_what_is_stated(judge, id_, words):
    assert judge(id_, Road.NUMERICS).summary == words


def test_a_measured_quantity_has_no_factor_of_one(quantities):
    chain = quantities("nichani.lem14.markov")
    moment = "E |f - E f|^2/(E f)^2"
    assert f"P(|f - E f| >= E f) - {moment}, f = 2 + u_1, q = 2" in chain
    assert f"P(|f - E f|^2 >= (E f)^2) - {moment}, f = 4 + 2 u_1, q = 2" in chain
    stein = "nichani.lem16.stein.corrected"
    assert "E[f He_k] less E[f^(k)], f a sine" in quantities(stein)
    assert "E[f He_k] plus E[f^(k)], f a sine" in quantities(stein, sign="-1")
    assert "E[f He_k] less 2 E[f^(k)], f a sine" in quantities(stein, factor="2")
