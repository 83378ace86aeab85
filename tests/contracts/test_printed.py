"""What the papers print does not change by accident: a digest of every statement with a check.

After a deliberate change `PRINTED=update pytest tests/contracts/test_printed.py` writes them anew;
their diff shows which statements were touched.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

from verify.catalogue import catalogue
from verify.claim import Claim

DIGESTS = Path(__file__).with_name("printed.json")


def _digest(claim: Claim) -> str:
    """Of the statement, its hypotheses and its formulas."""
    formulas = {name: str(formula) for name, formula in sorted(claim.formulas.items())}
    text = json.dumps([claim.statement, list(claim.hypotheses), formulas])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def test_printed_statements_are_those_that_were_checked() -> None:
    found = {
        claim.id: _digest(claim)
        for claim in catalogue()
        if claim.recorded is not None and not {"corrected", "explicit"} & set(claim.id.split("."))
    }
    if os.environ.get("PRINTED") == "update":
        DIGESTS.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    kept = json.loads(DIGESTS.read_text(encoding="utf-8"))
    changed = sorted(id_ for id_ in kept.keys() | found.keys() if kept.get(id_) != found.get(id_))
    assert not changed, f"printed statements that changed, came or went: {', '.join(changed)}"
