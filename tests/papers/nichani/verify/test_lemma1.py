"""Lemma 1 and its proof: counterexamples by hand, and key vectors built wrongly."""

import pytest

from verify.auditing.power import JUDGES
from verify.verdict import Verdict


def test_eos_is_no_key_and_no_other_token(judge):
    found = judge.counterexample("nichani.lem1.statement")
    assert found["P(it holds)"] == 0
    assert "EOS" in found["z'"]


def test_the_expansion_goes_wrong_in_the_smallest_head(judge):
    found = judge.counterexample("nichani.lem1.expansion")
    assert (found["d"], found["|V(h)|"]) == (1, 1)


def test_the_printed_statement_would_hold_for_tokens_other_than_eos(judge):
    """Nothing but the wording is wrong: with z' other than EOS the printed formulas are accepted."""
    assert judge("nichani.lem1.statement", eos="0").verdict.positive


@pytest.mark.parametrize("fault", ["EOS in full", "EOS left out"])
def test_a_key_vector_built_wrongly_is_noticed_on_both_roads(judge, fault):
    for found in judge.all("nichani.lem1.mean", JUDGES, fault=fault):
        assert found.verdict is Verdict.REFUTED, found.method
