"""Lemma 2 and its proof: verdicts as recorded, mutants refuted, counterexamples by hand."""

from dataclasses import replace
from fractions import Fraction

import pytest

from verify.auditing.power import JUDGES
from verify.catalogue import catalogue
from verify.claim import Reading, Road, Severity
from verify.running.checking import run_check
from verify.running.runner import check_claim
from verify.running.settings import Settings
from verify.verdict import Verdict

REGISTRY = catalogue()
IDS = [claim.id for claim in REGISTRY.select(["nichani.lem2.*"])]
#: Measurements are shared by all tests of a process, as in a run.
CONTEXT = Settings().context(REGISTRY)
REFUTED = {
    "nichani.lem2.statement": Severity.GAP,
    "nichani.lem2.mean": Severity.CONSTANT,
    "nichani.lem2.cross-identity": Severity.CONSTANT,
    "nichani.lem2.cross-bound": Severity.CONSTANT,
    "nichani.lem2.omega-sq-first": Severity.CONSTANT,
    "nichani.lem2.second-moment": Severity.CONSTANT,
    "nichani.lem2.variance-identity": Severity.CONSTANT,
    "nichani.lem2.variance-order": Severity.GAP,
}
#: With a constant that is not named, or for all sizes: nothing to measure.
ARGUED = {
    f"nichani.lem2.{name}"
    for name in (
        "statement",
        "statement.corrected",
        "variance-order",
        "variance-order.corrected",
        "concentration",
    )
}


def test_the_statements_and_their_roads() -> None:
    assert len(IDS) == 25
    for id_ in IDS:
        expected = {Road.PROOFS} if id_ in ARGUED else set(JUDGES)
        assert {check.road for check in REGISTRY.checks(id_)} == expected, id_


@pytest.mark.parametrize("id_", IDS)
def test_the_record_is_the_one_found(id_: str) -> None:
    claim = REGISTRY[id_]
    expected = Verdict.REFUTED if id_ in REFUTED else Verdict.PROVED
    assert claim.recorded is expected
    assert claim.severity is REFUTED.get(id_)


@pytest.mark.parametrize("id_", sorted(REFUTED))
def test_what_is_refuted_can_be_checked_by_hand(id_: str) -> None:
    claim = REGISTRY[id_]
    assert claim.correction == f"{id_}.corrected"
    found = check_claim(id_, registry=REGISTRY, roads=(Road.PROOFS,)).counterexample
    assert found
    assert claim.by_hand
    text = " ".join(claim.by_hand)
    assert [name for name in ("exact", "printed") if str(found.get(name, "")) not in text] == []


def test_what_holds_for_different_tokens_only_says_so() -> None:
    ambiguous = {id_ for id_ in IDS if REGISTRY[id_].reading is Reading.AMBIGUOUS}
    names = ("mean-projected", "orthogonality", "omega-sq-final", "concentration")
    assert ambiguous == {f"nichani.lem2.{name}" for name in names}


@pytest.mark.parametrize(
    ("name", "exact", "printed"),
    [
        ("cross-bound", Fraction(3, 8), Fraction(1, 4)),
        ("omega-sq-first", Fraction(3, 8), Fraction(1, 3)),
        ("second-moment", Fraction(1, 2), Fraction(7, 16)),
    ],
)
def test_the_counterexamples_are_those_of_the_notes(
    name: str, exact: Fraction, printed: Fraction
) -> None:
    found = check_claim(f"nichani.lem2.{name}", registry=REGISTRY, roads=(Road.PROOFS,))
    assert found.counterexample["exact"] == exact
    assert found.counterexample["printed"] == printed
    assert found.counterexample["at"]["d"] == 2


def test_the_second_moment_is_exceeded_with_four_vectors_in_the_plane() -> None:
    found = check_claim("nichani.lem2.second-moment", registry=REGISTRY, roads=(Road.PROOFS,))
    assert found.counterexample["at"] == {"d": 2, "d_h": 4, "b": 0, "c": 0, "g": 1}


def test_the_lemma_fails_for_many_keys_in_few_dimensions() -> None:
    found = check_claim("nichani.lem2.statement", registry=REGISTRY, roads=(Road.PROOFS,))
    assert found.counterexample["head"] == "all keys hold the answer a alone"
    assert "n = t^1, d fixed" in found.counterexample["sizes"]


@pytest.mark.parametrize(
    ("id_", "fault"),
    [
        ("nichani.lem2.mean.corrected", "scale without d"),
        ("nichani.lem2.mean.corrected", "untied w"),
        ("nichani.lem2.cross-identity.corrected", "w on the whole sphere"),
        ("nichani.lem2.cross-identity.corrected", "untied w"),
        ("nichani.lem2.variance-identity.corrected", "untied w"),
    ],
)
def test_a_head_built_wrongly_is_noticed_on_both_roads(id_: str, fault: str) -> None:
    claim = REGISTRY[id_]
    building = [check for check in REGISTRY.checks(id_) if check.builds]
    assert {check.road for check in building} == set(JUDGES)
    for check in building:
        found = run_check(check, claim, replace(CONTEXT, construction=fault))
        assert found.verdict is Verdict.REFUTED, check.key


def test_w_on_the_whole_sphere_leaves_the_mean() -> None:
    """E w w^T = I/d there: the mean of a score does not tell the two laws apart, products do."""
    claim = REGISTRY["nichani.lem2.mean.corrected"]
    check = REGISTRY.checks(claim.id, [Road.PROOFS])[0]
    found = run_check(check, claim, replace(CONTEXT, construction="w on the whole sphere"))
    assert found.verdict is Verdict.PROVED
