"""Checks of computed values: what an empty look, a wrong value and rounding make of a claim."""

import math
from functools import partial

import numpy as np
import pytest

from verify.checks.computed import (
    NAME,
    NOTHING,
    Comparison,
    Slack,
    at_least,
    at_most,
    compared,
    computed,
    deviation,
    in_order,
    no_difference,
    rounding,
    until_wrong,
    within,
)
from verify.report.text import allowed
from verify.verdict import Verdict

#: Each form of comparison, something that holds in it, and something that does not.
FORMS = {
    "within": (within, ("a", 1.0, 1.0, 2.0), ("b", 2.001, 1.0, 2.0)),
    "at least": (at_least, ("a", 2.0, 1.0), ("b", 0.999, 1.0)),
    "at most": (at_most, ("a", 1.0, 2.0), ("b", 1.001, 1.0)),
    "no difference": (no_difference, ("a", 0.0, 1.0), ("b", 1e-3, 1.0)),
    "in order": (in_order, ("a", 1.0, 2.0), ("b", [0.0, 1.001], 1.0)),
}
forms = pytest.mark.parametrize(("form", "right", "wrong"), FORMS.values(), ids=FORMS)


@pytest.mark.parametrize(
    "found",
    [
        computed([], None, "here"),
        compared([], "here"),
        until_wrong(iter(()), "here"),
        in_order([("no numbers", [], [])], "here", slack=NOTHING),
        *(form([], "here", slack=NOTHING) for form, _, _ in FORMS.values()),
    ],
)
def test_where_nothing_was_looked_at_nothing_is_said(found):
    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.summary == "nothing was looked at"
    assert found.scope == "here"
    assert not found.detail


@forms
def test_a_wrong_value_refutes_and_is_named(form, right, wrong):
    assert form([right], "here", slack=rounding(1e-9)).verdict is Verdict.SUPPORTED
    found = form([right, wrong], "here", slack=rounding(1e-9))
    assert found.verdict is Verdict.REFUTED
    assert found.counterexample["computed"].startswith("b: ")


@forms
def test_what_is_allowed_is_recorded_with_its_reason(form, right, wrong):
    slack = Slack("a reason", 0.25, 0.5)
    found = form([right, wrong], "here", slack=slack)
    assert found.verdict is Verdict.SUPPORTED
    for line in found.detail[NAME]:
        assert line["why"] == "a reason"
        assert line["rule"].startswith("0.25 of ")
        assert line["rule"].endswith(" and 0.5 absolute")
        assert line["slack"] >= 0.5
    (said,) = allowed(found.detail)
    assert said == f"Allowed: {found.detail[NAME][0]['rule']}, a reason"


@forms
def test_not_a_number_lies_nowhere(form, right, wrong):
    words, _, *stated = right
    found = form([(words, math.nan, *stated)], "here", slack=rounding(1e-9))
    assert found.verdict is Verdict.REFUTED


def test_an_infinite_value_is_not_excused_by_a_slack_relative_to_it():
    assert at_most([("a", math.inf, 1.0)], "here", slack=rounding(1e-9)).verdict is Verdict.REFUTED
    assert in_order([("a", math.inf, 1.0)], "x", slack=rounding(1e-9)).verdict is Verdict.REFUTED


def test_a_value_beside_its_range_refutes_and_rounding_does_not():
    look = partial(within, scope="x", slack=rounding(1e-9))
    assert look([("a", 1.0, 1.0, 2.0), ("b", 2 + 1e-10, 1.0, 2.0)]).verdict.positive
    for wrong in (0.999, 2.001):
        assert look([("b", wrong, 1.0, 2.0)]).verdict is Verdict.REFUTED


def test_a_slack_below_0_is_demanded():
    above = Slack("seen above 0", absolute=-1e-9)
    assert Comparison("a", 1e-8, 0.0, math.inf, above).holds
    assert not Comparison("a", 1e-10, 0.0, math.inf, above).holds


def test_a_step_holds_only_with_all_that_it_says():
    also = (Comparison("b", 2.0, 0.0, 1.0, NOTHING),)
    assert not Comparison("a", 1.0, 0.0, 1.0, NOTHING, also=also).holds
    found = compared([Comparison("a", 1.0, 0.0, 1.0, NOTHING, also=also)], "here")
    assert found.steps == ("a",)
    assert [line["what"] for line in found.detail[NAME]] == ["a", "b"]


def test_a_record_ends_with_what_is_wrong_or_goes_on():
    found = [Comparison(str(value), value, 0.0, 1.0, NOTHING) for value in (1.0, 2.0, 0.5)]
    assert until_wrong(found, "here").steps == ("1.0", "2.0")
    assert compared(found, "here").steps == ("1.0", "2.0", "0.5")
    assert compared(found, "here").summary == until_wrong(found, "here").summary == "2.0"


def test_of_arrays_the_place_nearest_to_being_wrong_is_recorded():
    found = in_order([("a", np.array([0.0, 3.0]), 4.0)], "here", slack=NOTHING)
    assert found.steps == ("a: 3, stated to be at most 4, the narrowest of 2 places",)


def test_a_single_deviation_is_named_in_its_own_words():
    found = deviation("off by much", 1.0, "here", slack=rounding(absolute=1e-9))
    assert found.verdict is Verdict.REFUTED
    assert found.counterexample == {"deviation": "off by much"}
    found = deviation("off by little", 0.0, "here", slack=rounding(absolute=1e-9))
    assert found.verdict is Verdict.SUPPORTED
    assert found.counterexample is None


def test_what_is_wrong_refutes_without_steps_as_well():
    assert computed([], "a: 2, stated 1", "here").verdict is Verdict.REFUTED
    assert computed(["a: 1, stated 1"], None, "here").summary == "a: 1, stated 1"
    assert computed(["a", "b"], None, "here").summary == "2 values agree"
