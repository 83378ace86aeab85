"""The kept counts of what all claims rest on: citations, assumptions and words may only become fewer.

Where a new claim needs one, make the file anew: `verify run --json results.json`, then
`verify trust --results results.json --counts --json baselines/trust.json`.
"""

import json
from pathlib import Path

import pytest

from verify.auditing.trust import trust
from verify.catalogue import catalogue
from verify.claim import Road
from verify.running.runner import run
from verify.running.settings import Settings
from verify.verdict import Verdict

KEPT = Path(__file__).parents[2] / "baselines" / "trust.json"
COUNTED = ("citations", "assumptions", "words", "proved", "argued")


@pytest.fixture(scope="module")
def kept():
    found = json.loads(KEPT.read_text(encoding="utf-8"))
    assert list(found) == ["counts"]
    assert tuple(found["counts"]) == COUNTED
    return found["counts"]


def test_no_claim_fell_back_to_words(kept):
    recorded = [entry.recorded for entry in catalogue().entries()]
    assert recorded.count(Verdict.ARGUED) <= kept["argued"], __doc__
    assert kept["proved"] > 0


@pytest.mark.slow
def test_no_step_in_words_came_back(kept):
    registry = catalogue()
    found = run(registry, list(registry), Settings(roads=(Road.PROOFS,)))
    counts = trust(found.results, [claim.id for claim in registry]).counts()
    for name in ("citations", "assumptions", "words", "argued"):
        assert counts[name] <= kept[name], f"{name}: {__doc__}"
