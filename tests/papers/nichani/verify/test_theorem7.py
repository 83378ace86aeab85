"""Theorem 7 and Corollary 1: verdicts as recorded, and what refutes them, worked out again."""

import pytest

from verify.auditing.power import JUDGES
from verify.catalogue import catalogue
from verify.claim import Mutant, Reading, Road, Severity
from verify.printed.formula import Formula
from verify.running.checking import run_check
from verify.running.runner import check_claim
from verify.running.settings import Settings
from verify.verdict import Verdict

REGISTRY = catalogue()
IDS = [
    claim.id
    for claim in REGISTRY.select(["nichani.thm7.*", "nichani.cor1.*", "nichani.s6.store-top"])
    if ".explicit." not in claim.id
]
CONTEXT = Settings().context(REGISTRY)
REFUTED = {
    "nichani.thm7.stmt": Severity.THEOREM,
    "nichani.thm7.minimiser": Severity.WORDING,
    "nichani.cor1.stmt": Severity.THEOREM,
    "nichani.cor1.normaliser": Severity.WORDING,
    "nichani.cor1.tail": Severity.THEOREM,
}


def test_every_statement_has_both_roads():
    assert len(IDS) == 18
    for id_ in IDS:
        assert {check.road for check in REGISTRY.checks(id_)} == set(JUDGES), id_


@pytest.mark.parametrize("id_", IDS)
def test_the_record(id_):
    expected = Verdict.REFUTED if id_ in REFUTED else Verdict.PROVED
    assert REGISTRY[id_].recorded is expected


@pytest.mark.parametrize("id_", sorted(REFUTED))
def test_what_is_refuted_has_a_severity_and_can_be_checked_by_hand(id_):
    claim = REGISTRY[id_]
    assert claim.severity is REFUTED[id_]
    assert claim.correction == f"{id_}.corrected"
    assert claim.by_hand
    assert check_claim(id_, registry=REGISTRY, roads=(Road.PROOFS,)).counterexample


def test_what_is_ambiguous_says_so():
    ambiguous = {id_ for id_ in IDS if REGISTRY[id_].reading is Reading.AMBIGUOUS}
    assert ambiguous == {
        "nichani.thm7.zero-loss",
        "nichani.thm7.minimiser",
        "nichani.cor1.stmt",
        "nichani.cor1.tail",
    }


def test_the_smallest_counterexample_of_theorem_7_stores_one_bit():
    found = check_claim("nichani.thm7.stmt", registry=REGISTRY, roads=(Road.PROOFS,)).counterexample
    assert (found["N"], found["M"], found["B"]) == (1, 2, 1)
    assert found["loss of the posterior"] == "0 bits"
    assert found["stated"] == "1 bit"
    assert found["message F"] == "0 for f*(1) = 1, 1 for f*(1) = 2"


@pytest.mark.parametrize("road", JUDGES)
def test_floor_in_place_of_ceil_fails_where_a_token_does_not_fit(road):
    claim = REGISTRY["nichani.thm7.proof-bound"]
    floor = Mutant("floor", {**claim.formulas, "first": Formula.parse("k + 1")})
    for check in REGISTRY.checks(claim.id, [road]):
        found = run_check(check, claim, CONTEXT, floor)
        assert found.verdict is Verdict.REFUTED, found.summary
        assert "M = 3" in found.summary


@pytest.mark.parametrize(
    ("id_", "name", "within", "allowed"),
    [
        ("nichani.cor1.tail", "reach", "2*k - 1", "k/2"),
        ("nichani.cor1.stmt", "tokens", "2*K", "K"),
    ],
)
def test_with_the_range_of_the_correction_some_constant_serves(id_, name, within, allowed):
    claim = REGISTRY[id_]
    for check in REGISTRY.checks(id_, JUDGES):
        for text, expected in ((within, True), (allowed, False)):
            mutant = Mutant(text, {**claim.formulas, name: Formula.parse(text)})
            found = run_check(check, claim, CONTEXT, mutant)
            assert (found.verdict is not Verdict.REFUTED) is expected, (check.method, found.summary)
        if check.road is Road.PROOFS:
            mutant = Mutant(within, {**claim.formulas, name: Formula.parse(within)})
            assert run_check(check, claim, CONTEXT, mutant).verdict is Verdict.PROVED


@pytest.mark.parametrize(
    ("id_", "name", "text"),
    [("nichani.cor1.tail", "reach", "k + 1"), ("nichani.cor1.stmt", "tokens", "K + 1")],
)
def test_what_no_family_refutes_and_no_constant_proves_is_left_open(id_, name, text):
    claim = REGISTRY[id_]
    mutant = Mutant(text, {**claim.formulas, name: Formula.parse(text)})
    for check in REGISTRY.checks(id_, [Road.PROOFS]):
        assert run_check(check, claim, CONTEXT, mutant).verdict is Verdict.INCONCLUSIVE
