"""What the catalogue records does not change by accident: verdicts, severities, readings and roads.

After a deliberate change `RECORDED=update pytest tests/contracts/test_recorded.py` writes them anew;
their diff shows which statements were touched.
"""

import json
import os
from pathlib import Path

import pytest

from verify.catalogue import catalogue
from verify.verdict import STRENGTH, Verdict

REGISTRY = catalogue()
KEPT = Path(__file__).with_name("recorded.json")


def said(claim):
    """The verdict, how bad it is, how the text was read, and on which roads it is judged."""
    roads = dict.fromkeys(check.road for check in REGISTRY.checks(claim.id))
    return " ".join(filter(None, (claim.recorded, claim.severity, claim.reading, *roads)))


def test_what_is_recorded_is_what_was_found():
    found = {claim.id: said(claim) for claim in REGISTRY if claim.recorded is not None}
    if os.environ.get("RECORDED") == "update":
        KEPT.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    changed = sorted(id_ for id_ in kept if kept[id_] != found.get(id_))
    assert not changed, f"statements whose record changed or went: {', '.join(changed)}"


@pytest.mark.parametrize("strong", [Verdict.PROVED, Verdict.ARGUED])
def test_no_record_is_stronger_than_those_of_the_claims_it_uses(strong):
    """Nothing but a proof gives these verdicts, and a proof is no stronger than what it uses."""
    enough = STRENGTH[STRENGTH.index(strong) :]
    entries = [entry for entry in REGISTRY.entries() if entry.recorded is strong]
    assert entries
    for entry in entries:
        weak = [id_ for id_ in entry.uses if REGISTRY.entry(id_).recorded not in enough]
        assert not weak, f"{entry.id} is recorded as {strong} and uses {', '.join(weak)}"
