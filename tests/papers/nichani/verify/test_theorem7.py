"""Theorem 7 and Corollary 1: what refutes them, worked out again."""

import pytest

from verify.auditing.power import JUDGES
from verify.claim import Road
from verify.verdict import Verdict


def test_the_smallest_counterexample_of_theorem_7_stores_one_bit(judge):
    found = judge.counterexample("nichani.thm7.stmt")
    assert (found["N"], found["M"], found["B"]) == (1, 2, 1)
    assert found["loss of the posterior"] == "0 bits"
    assert found["stated"] == "1 bit"
    assert found["message F"] == "0 for f*(1) = 1, 1 for f*(1) = 2"


@pytest.mark.parametrize("road", JUDGES)
def test_floor_in_place_of_ceil_fails_where_a_token_does_not_fit(judge, road):
    for found in judge.all("nichani.thm7.proof-bound", [road], first="k + 1"):
        assert found.verdict is Verdict.REFUTED, found.summary
        assert "M = 3" in found.summary


@pytest.mark.parametrize(
    ("id_", "name", "within", "allowed"),
    [("nichani.cor1.tail", "reach", "2*k - 1", "k/2"), ("nichani.cor1.stmt", "tokens", "2*K", "K")],
)
def test_with_the_range_of_the_correction_some_constant_serves(judge, id_, name, within, allowed):
    for found in judge.all(id_, JUDGES, **{name: allowed}):
        assert found.verdict is Verdict.REFUTED, (found.method, found.summary)
    for found in judge.all(id_, JUDGES, **{name: within}):
        assert found.verdict is not Verdict.REFUTED, (found.method, found.summary)
        assert found.verdict.positive or found.road is not Road.PROOFS


@pytest.mark.parametrize(
    ("id_", "name", "text"),
    [("nichani.cor1.tail", "reach", "k + 1"), ("nichani.cor1.stmt", "tokens", "K + 1")],
)
def test_what_no_family_refutes_and_no_constant_proves_is_left_open(judge, id_, name, text):
    for found in judge.all(id_, **{name: text}):
        assert found.verdict is Verdict.INCONCLUSIVE
