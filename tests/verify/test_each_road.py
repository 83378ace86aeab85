"""What every judged claim has to stand: each road alone bears out its record and kills its mutants."""

import pytest

from verify.auditing.power import JUDGES, power_of
from verify.catalogue import catalogue
from verify.running.checking import run_check
from verify.running.settings import Settings

REGISTRY = catalogue()
#: Sections whose checks are quick enough to be attacked one claim at a time, road by road.
IDS = [
    claim.id
    for claim in REGISTRY.select(
        [
            *(f"nichani.{name}.*" for name in ("thm1", "cor2", "thm3", "thm4", "thm10", "thm11")),
            *(f"nichani.{name}.*" for name in ("lem1", "lem2", "lem3")),
            *(f"nichani.lem{number}*" for number in range(12, 17)),
            *(f"nichani.{name}.*" for name in ("task", "model", "fig3", "sketch", "remark")),
            *(f"nichani.{name}.*" for name in ("s5", "thm5", "thm6", "s6", "thm7", "cor1", "thm8")),
            *(f"nichani.lem{number}*" for number in range(4, 12)),
            *("nichani.cor3*", "nichani.fig5.*", "summary.plateau*"),
        ]
    )
]

#: The fewest mutants of a claim that holds, where more than four.
FEWEST = {"lem1": 6, "thm10": 5, **dict.fromkeys(("lem3", "lem12", "lem13", "lem14", "lem16"), 5)}

#: Measurements are shared by all tests of a process, as in a run.
CONTEXT = Settings().context(REGISTRY)


@pytest.mark.parametrize("id_", IDS)
def test_each_road_alone_bears_out_the_record(id_):
    claim = REGISTRY[id_]
    for check in REGISTRY.checks(id_, JUDGES):
        found = run_check(check, claim, CONTEXT)
        assert found.verdict.decided, f"{check.key}: {found.summary}"
        assert found.verdict.positive == claim.recorded.positive, f"{check.key}: {found.summary}"
        assert found.scope


@pytest.mark.slow
@pytest.mark.parametrize("id_", IDS)
def test_each_road_alone_kills_every_mutant_and_accepts_the_correction(id_):
    found = power_of(REGISTRY, REGISTRY[id_], CONTEXT)
    assert found.ok, (found.survivors, found.rejected)
    # What only breaks a proof says why it is false; in the lemmas every mutant is refuted outright.
    assert all(why for _, _, why in found.unproved)
    assert not (found.unproved and id_.startswith("nichani.lem"))
    # In the first and the technical lemmas no neighbour that was typed turned out to be true.
    assert not (found.set_aside and id_.startswith("nichani.lem1"))


@pytest.mark.parametrize("id_", IDS)
def test_every_claim_has_mutants_enough(id_):
    family = id_.split(".")[1]
    assert (
        len(REGISTRY.mutants(id_)) >= FEWEST.get(family, 4) or not REGISTRY[id_].recorded.positive
    )
