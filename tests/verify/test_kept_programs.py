"""The kept record of `verify power --proofs`: in each stratum enough changes are noticed.

The programs as they stand are attacked by a small sample in `test_programs.py`. Where rules, the engine
or the operators have changed much, make the record anew:
`verify power --proofs --sample 40 --json baselines/power-proofs.json`.
"""

import json
from pathlib import Path

import pytest

from verify.auditing.programs import carried_over
from verify.auditing.strata import DEMANDED, SCRIPTS
from verify.catalogue import catalogue

KEPT = Path(__file__).parents[2] / "baselines" / "power-proofs.json"
#: Fewest changes of a stratum that are judged.
SAMPLED = 40


@pytest.fixture(scope="module")
def record():
    return json.loads(KEPT.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", DEMANDED)
def test_of_each_stratum_enough_is_noticed(record, name):
    (found,) = (it for it in record["strata"] if it["stratum"] == name)
    assert found["judged"] >= min(SAMPLED, found["mutants"])
    assert found["judged"] == found["noticed"] + found["otherwise"] + len(found["survived"])
    assert found["rate"] >= found["demanded"] == DEMANDED[name], found["survived"]
    # Another proof of the same theorem counts in scripts alone.
    assert found["otherwise"] == 0 or name == SCRIPTS
    assert sum(found["ways"].values()) == found["noticed"]


def test_it_is_of_what_is_carried_over(record):
    assert not record["interrupted"]
    assert set(record["claims"]) == set(carried_over(catalogue()))
    assert not record["untried rules"]
    assert not record["in no stratum"]


def test_what_is_not_counted_has_a_reason(record):
    left = record["not counted"]
    assert all(it["reason"] for it in left["beside the proofs"] + left["exempt"])
    assert all(it["mutants"] > 0 for it in left["exempt"])
