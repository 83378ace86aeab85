"""The claims of Sec. 4.1 to 4.3: true neighbours, counterexamples."""

import pytest

from verify.claim import Road
from verify.verdict import Verdict


@pytest.mark.parametrize(
    ("id_", "formulas"),
    [
        ("nichani.task.sequence", {"least": "4"}),
        ("nichani.task.experiment-d.corrected", {"most": "D + 1"}),
        ("nichani.sketch.answer-set-size", {"both": "R + D - 1"}),
        ("nichani.fig3.superposition", {"others": "3/2"}),
        ("nichani.thm3.remark-product", {"facts": "S*R + R**2"}),
        ("nichani.remark.subset.corrected", {"least": "M"}),
        ("nichani.remark.filter-necessity.corrected", {"left": "5*H*d*d_h*b"}),
        ("nichani.sketch.superposition-bound.corrected", {"inside": "10", "factor": "3"}),
        ("nichani.thm3.statement", {"heads": "2*S + R"}),
    ],
)
def test_true_neighbours_are_not_accused(judge, id_, formulas):
    assert judge(id_, **formulas).verdict.positive


def test_a_power_of_facts_that_the_block_does_not_exceed_is_not_accused(judge):
    assert judge("nichani.remark.subset", power="2").verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize(("value", "verdict"), [("1", Verdict.PROVED), ("2", Verdict.REFUTED)])
def test_a_single_candidate_is_always_met(judge, value, verdict):
    assert judge("nichani.task.experiment-d", value=value).verdict is verdict


def test_the_subset_needs_what_the_variance_of_its_scores_asks_for(judge):
    k, at = 16, judge.counterexample("nichani.remark.subset")["k = 16"]
    assert at["M"] == 2 * k**2
    assert at["H d d_h at least"] > (at["M"] / 2) ** 1.5


def test_exchanged_keys_and_queries_are_well_typed_but_another_layer(judge):
    exchanged = {"scores": "X*Qt*K*x"}
    assert judge("nichani.model.shapes", Road.PROOFS, **exchanged).verdict.positive
    found = judge("nichani.model.shapes", Road.NUMERICS, **exchanged)
    assert found.verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    ("id_", "at"),
    [
        ("nichani.task.sequence", {"T": 1}),
        ("nichani.task.experiment-d", {"S": 1, "max |A_r|": 1}),
        ("nichani.sketch.identity-ov", {"G": 3}),
        ("nichani.remark.filter-necessity", {"R": 1, "H": 1, "d_h": 1}),
    ],
)
def test_counterexamples_are_small(judge, id_, at):
    found = judge.counterexample(id_)
    assert {name: found[name] for name in at} == at
