"""What the catalogue says does not change by accident: its printed statements, and what is recorded.

After a deliberate change `PRINTED=update pytest tests/contracts/test_printed.py` writes both anew;
their diff shows which statements were touched.
"""

import hashlib
import json
import os
from pathlib import Path

import pytest

from verify.catalogue import catalogue

REGISTRY = catalogue()


def _printed(claim):
    """A digest of the statement, its hypotheses and its formulas."""
    formulas = {name: str(formula) for name, formula in sorted(claim.formulas.items())}
    text = json.dumps([claim.statement, list(claim.hypotheses), formulas])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _recorded(claim):
    """The verdict, how bad it is, how the text was read, and on which roads it is judged."""
    roads = dict.fromkeys(check.road for check in REGISTRY.checks(claim.id))
    return " ".join(filter(None, (claim.recorded, claim.severity, claim.reading, *roads)))


@pytest.mark.parametrize(
    ("said", "ours"), [(_printed, {"corrected", "explicit"}), (_recorded, set())]
)
def test_what_the_catalogue_says_is_what_was_checked(said, ours):
    path = Path(__file__).with_name(f"{said.__name__.strip('_')}.json")
    claims = (c for c in REGISTRY if c.recorded is not None and not ours & set(c.id.split(".")))
    found = {claim.id: said(claim) for claim in claims}
    if os.environ.get("PRINTED") == "update":
        path.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    kept = json.loads(path.read_text(encoding="utf-8"))
    changed = sorted(id_ for id_ in kept.keys() | found.keys() if kept.get(id_) != found.get(id_))
    assert not changed, f"statements that changed, came or went: {', '.join(changed)}"
