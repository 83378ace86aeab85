"""What every judged claim has to stand: each road alone bears out its record and kills its mutants."""

import json
from pathlib import Path

import pytest

from verify.auditing.power import JUDGES, power_of
from verify.auditing.trust import names, typed_lines
from verify.catalogue import catalogue
from verify.claim import Road
from verify.running.checking import run_check
from verify.running.settings import Settings
from verify.verdict import Verdict

REGISTRY = catalogue()
IDS = [claim.id for claim in REGISTRY if REGISTRY.checks(claim.id, JUDGES)]

#: The fewest mutants of a claim that holds, where it is not four.
FEWEST = {
    "nichani.thm9.statement.corrected": 3,
    "lem1": 6,
    "thm10": 5,
    **dict.fromkeys(("lem3", "lem12", "lem13", "lem14", "lem16"), 5),
}

#: What proofs may take on trust; see ``test_kept_trust``.
KEPT = json.loads(
    (Path(__file__).parents[2] / "baselines" / "trust.json").read_text(encoding="utf-8")
)
TRUSTED = KEPT["names"]

#: Measurements are shared by all tests of a process, as in a run.
CONTEXT = Settings().context(REGISTRY)
#: Both tests of a claim, one after the other: what the first derived the second need not derive again.
EACH = pytest.mark.parametrize("id_", IDS, scope="module")


@EACH
def test_each_road_alone_bears_out_the_record(id_):
    claim = REGISTRY[id_]
    for check in REGISTRY.checks(id_, JUDGES):
        found = run_check(check, claim, CONTEXT)
        assert found.verdict.decided, f"{check.key}: {found.summary}"
        assert found.verdict.positive == claim.recorded.positive, f"{check.key}: {found.summary}"
        assert found.scope
        if check.road is Road.PROOFS:
            other = [name for kind, name in names(found.assumptions) if name not in TRUSTED[kind]]
            assert not other, f"{check.key} rests on what no proof rested on: {found.assumptions}"
            assert typed_lines([found]) <= KEPT["typed lines"].get(id_, 0), "a kernel's theorem?"
            assert claim.recorded is not Verdict.PROVED or found.verdict is Verdict.PROVED


@pytest.mark.slow
@EACH
def test_each_road_alone_kills_every_mutant_and_accepts_the_correction(id_):
    found = power_of(REGISTRY, REGISTRY[id_], CONTEXT)
    assert found.ok, (found.survivors, found.rejected, found.blind)
    # What only breaks a proof says why it is false; in the lemmas every mutant is refuted outright.
    assert all(why for _, _, why in found.unproved)
    assert not (found.unproved and id_.startswith("nichani.lem"))
    # In the first and the technical lemmas no neighbour that was typed turned out to be true.
    assert not (found.set_aside and id_.startswith("nichani.lem1"))


@pytest.mark.parametrize("id_", [id_ for id_ in IDS if REGISTRY[id_].recorded.positive])
def test_every_claim_has_mutants_enough(id_):
    fewest = FEWEST.get(id_, FEWEST.get(id_.split(".")[1], 4))
    assert len(REGISTRY.mutants(id_)) >= fewest
