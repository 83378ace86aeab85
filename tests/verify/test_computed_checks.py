"""Checks of computed values: what an empty look, a wrong value and rounding make of a claim."""

import pytest

from verify.checks.computed import computed, within
from verify.papers.nichani.flow_sides import in_order
from verify.papers.nichani.flow_values import at_most, no_difference
from verify.verdict import Verdict


@pytest.mark.parametrize(
    "found",
    [
        computed([], None, "here"),
        within([], "here"),
        within(iter(()), "here"),
        at_most([], "here"),
        no_difference([], "here"),
        in_order([], "here"),
        in_order([("no numbers", [], [])], "here"),
    ],
)
def test_where_nothing_was_looked_at_nothing_is_said(found):
    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.summary == "nothing was looked at"
    assert found.scope == "here"


def test_a_value_beside_its_range_refutes_and_rounding_does_not():
    assert within([("a", 1.0, 1.0, 2.0), ("b", 2 + 1e-10, 1.0, 2.0)], "x").verdict.positive
    for wrong in (0.999, 2.001, float("nan")):
        found = within([("a", 1.0, 1.0, 2.0), ("b", wrong, 1.0, 2.0)], "x")
        assert found.verdict is Verdict.REFUTED
        assert found.counterexample["computed"].startswith("b: ")


def test_what_is_wrong_refutes_without_steps_as_well():
    assert computed([], "a: 2, stated 1", "here").verdict is Verdict.REFUTED
    assert computed(["a: 1, stated 1"], None, "here").summary == "a: 1, stated 1"
    assert computed(["a", "b"], None, "here").summary == "2 values agree"
