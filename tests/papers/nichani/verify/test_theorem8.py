"""The claims of Theorem 8 and of Lemmas 8 to 11: records, counterexamples by hand, mutants enough."""

import re

import pytest

from verify.auditing.power import JUDGES
from verify.catalogue import catalogue
from verify.claim import Reading, Road, Severity
from verify.running.runner import check_claim
from verify.verdict import Verdict

REGISTRY = catalogue()
IDS = [
    claim.id
    for claim in REGISTRY.select(
        ["nichani.thm8.*", "nichani.lem8.*", "nichani.lem9.*", "nichani.lem10.*", "nichani.lem11"]
    )
]
REFUTED = {
    "nichani.thm8.chain-single": Severity.GAP,
    "nichani.thm8.lower-order": Severity.WORDING,
}


def test_every_claim_has_both_roads():
    assert len(IDS) == 23
    for id_ in IDS:
        assert {check.road for check in REGISTRY.checks(id_)} == set(JUDGES), id_


@pytest.mark.parametrize("id_", IDS)
def test_the_record_is_as_found(id_):
    expected = Verdict.REFUTED if id_ in REFUTED else Verdict.PROVED
    assert REGISTRY[id_].recorded is expected


@pytest.mark.parametrize("id_", sorted(REFUTED))
def test_what_is_refuted_can_be_checked_by_hand_and_says_what_follows(id_):
    claim = REGISTRY[id_]
    assert claim.severity is REFUTED[id_]
    assert claim.correction == f"{id_}.corrected"
    assert claim.by_hand
    assert claim.consequence
    assert check_claim(id_, registry=REGISTRY, roads=(Road.PROOFS,)).counterexample


def test_the_lines_by_hand_come_to_the_informations_that_the_check_encloses():
    id_ = "nichani.thm8.chain-single"
    found = check_claim(id_, registry=REGISTRY, roads=(Road.PROOFS,)).counterexample
    left, right = re.findall(r"\[(0\.\d+?)0* \+/-", found["in bits"])
    lines = " ".join(REGISTRY[id_].by_hand)
    assert f"~ {left}]]" in lines
    assert f"~ {right}]]" in lines


def test_the_theorem_is_read_for_facts_of_positive_probability():
    claim = REGISTRY["nichani.thm8.stmt"]
    assert claim.reading is Reading.AMBIGUOUS
    assert "$p > 0$" in claim.reading_note


def test_the_combined_bound_rests_on_the_lemmas():
    uses = set(REGISTRY["nichani.thm8.combined"].uses)
    assert {f"nichani.lem{n}.stmt" for n in ("8", "9", "10")} <= uses
    assert "nichani.thm8.chain-single" not in uses


def test_the_lower_order_term_is_refuted_only_without_the_condition_of_the_set_up():
    claim = REGISTRY["nichani.thm8.lower-order"]
    assert r"|V| \gg |S|" in claim.reading_note
    assert "16 D" in claim.consequence
