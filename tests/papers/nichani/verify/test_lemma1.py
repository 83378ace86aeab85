"""Lemma 1 and its proof: verdicts as recorded, mutants refuted, counterexamples by hand."""

from dataclasses import replace

import pytest

from verify.auditing.power import JUDGES
from verify.catalogue import catalogue
from verify.claim import Mutant, Road, Severity
from verify.printed.formula import Formula
from verify.running.checking import run_check
from verify.running.runner import check_claim
from verify.running.settings import Settings
from verify.verdict import Verdict

REGISTRY = catalogue()
IDS = [c.id for c in REGISTRY.select(["nichani.lem1.*"]) if ".explicit" not in c.id]
#: Measurements are shared by all tests of a process, as in a run.
CONTEXT = Settings().context(REGISTRY)
REFUTED = {
    "nichani.lem1.statement": Severity.WORDING,
    "nichani.lem1.expansion": Severity.CONSTANT,
}
MEASURED = {
    f"nichani.lem1.{n}" for n in ("mean", "expansion", "expansion.corrected", "subgaussian")
}


def test_the_statements_and_their_roads() -> None:
    assert len(IDS) == 7
    for id_ in IDS:
        expected = set(JUDGES) if id_ in MEASURED else {Road.PROOFS}
        assert {check.road for check in REGISTRY.checks(id_)} == expected, id_


@pytest.mark.parametrize("id_", IDS)
def test_the_record_is_the_one_found(id_: str) -> None:
    claim = REGISTRY[id_]
    expected = Verdict.REFUTED if id_ in REFUTED else Verdict.PROVED
    assert claim.recorded is expected
    assert claim.severity is REFUTED.get(id_)


def test_eos_is_no_key_and_no_other_token() -> None:
    found = check_claim("nichani.lem1.statement", registry=REGISTRY, roads=(Road.PROOFS,))
    assert found.counterexample["P(it holds)"] == 0
    assert "EOS" in found.counterexample["z'"]


def test_the_expansion_goes_wrong_in_the_smallest_head() -> None:
    found = check_claim("nichani.lem1.expansion", registry=REGISTRY, roads=(Road.PROOFS,))
    assert (found.counterexample["d"], found.counterexample["|V(h)|"]) == (1, 1)


def test_the_printed_statement_would_hold_for_tokens_other_than_eos() -> None:
    """Nothing but the wording is wrong: with z' other than EOS the printed formulas are accepted."""
    claim = REGISTRY["nichani.lem1.statement"]
    check = REGISTRY.checks(claim.id)[0]
    meant = Mutant("z' other than EOS", {**claim.formulas, "eos": Formula.parse("0")})
    assert run_check(check, claim, CONTEXT, meant).verdict is Verdict.PROVED


@pytest.mark.parametrize("fault", ["EOS in full", "EOS left out"])
def test_a_key_vector_built_wrongly_is_noticed_on_both_roads(fault: str) -> None:
    claim = REGISTRY["nichani.lem1.mean"]
    for check in REGISTRY.checks(claim.id):
        found = run_check(check, claim, replace(CONTEXT, construction=fault))
        assert found.verdict is Verdict.REFUTED, check.key
