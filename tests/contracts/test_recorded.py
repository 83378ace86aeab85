"""What the catalogue records does not change by accident: verdicts, severities, readings and roads.

After a deliberate change `RECORDED=update pytest tests/contracts/test_recorded.py` writes them anew;
their diff shows which statements were touched.
"""

import json
import os
from pathlib import Path

from verify.catalogue import catalogue

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
