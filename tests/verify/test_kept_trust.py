"""The kept record of what all claims rest on: citations, assumptions, words, and lines about what was
typed, may only become fewer.

That no proof rests on another one is asked where each claim is judged (``test_each_road``). Where a new
claim needs one, make the file anew: `verify run --json results.json`, then
`verify trust --results results.json --counts --json baselines/trust.json`.
"""

import json
from pathlib import Path

import pytest

from verify.catalogue import catalogue
from verify.verdict import Verdict

KEPT = Path(__file__).parents[2] / "baselines" / "trust.json"
COUNTED = ("citations", "assumptions", "words", "granted", "typed lines", "proved", "argued")


@pytest.fixture(scope="module")
def kept():
    found = json.loads(KEPT.read_text(encoding="utf-8"))
    assert list(found) == ["counts", "names", "typed lines"]
    assert tuple(found["counts"]) == COUNTED
    return found


def test_what_is_counted_is_named(kept):
    for kind, names in kept["names"].items():
        assert len(names) == len(set(names)) == kept["counts"][kind]
    assert sum(kept["typed lines"].values()) == kept["counts"]["typed lines"]


def test_no_claim_fell_back_to_words(kept):
    recorded = [entry.recorded for entry in catalogue().entries()]
    assert recorded.count(Verdict.ARGUED) <= kept["counts"]["argued"], __doc__
    assert recorded.count(Verdict.PROVED) >= kept["counts"]["proved"] > 0, __doc__
