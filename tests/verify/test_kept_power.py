"""The kept record of `verify power`: no wrong statement survives, and it is of this catalogue."""

from pathlib import Path

import pytest

from verify.auditing.power import power
from verify.auditing.power_record import PowerRecord
from verify.catalogue import catalogue
from verify.running.settings import Settings

KEPT = Path(__file__).parents[2] / "baselines" / "power.json"


@pytest.fixture(scope="module")
def record():
    return PowerRecord.read(KEPT)


def test_every_wrong_statement_is_rejected_and_every_right_one_accepted(record):
    assert record.killed == record.mutants > 3000
    assert not record.survived
    assert not record.rejected


def test_it_counts_the_wrong_statements_of_this_catalogue(record):
    registry = catalogue()
    assert set(record.judged) <= {claim.id for claim in registry}
    counted = {id_: len(registry.sifted(id_).wrong) for id_ in record.judged}
    assert counted == record.judged
    assert record.mutants == sum(record.judged.values())


def test_the_readme_has_its_number(record):
    readme = (KEPT.parents[1] / "README.md").read_text(encoding="utf-8")
    assert f"which reject all {record.mutants} of them" in " ".join(readme.split())


def test_a_statement_that_the_record_does_not_have_yet_is_attacked_here(record):
    registry = catalogue()
    late = [claim for claim in registry if claim.id not in record.judged]
    found = power(registry, late, Settings().context(registry))
    assert found.ok, (found.survivors, found.rejected, found.blind)
