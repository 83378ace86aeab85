"""The record, statement by statement: the exact road alone bears it out, and a reader by hand."""

import pytest

from verify.catalogue import catalogue
from verify.claim import Road
from verify.running.runner import judged
from verify.verdict import Verdict

REGISTRY = catalogue()
REFUTED = [claim.id for claim in REGISTRY if claim.recorded is Verdict.REFUTED]
#: Claims whose exact road must come to the very word that is recorded.
WORDED = [
    claim.id
    for claim in REGISTRY.select(
        ["summary.*", *(f"nichani.{name}.*" for name in ("s3", "lem6", "thm9", "thm11"))]
    )
    if claim.id not in REFUTED and REGISTRY.checks(claim.id, [Road.PROOFS])
]


@pytest.mark.parametrize("id_", REFUTED)
def test_what_is_refuted_can_be_checked_by_hand_and_says_what_follows(judge, id_):
    claim = REGISTRY[id_]
    assert claim.correction == f"{id_}.corrected"
    assert claim.by_hand
    assert len(claim.consequence) > 30
    assert judge(id_).verdict is Verdict.REFUTED
    assert judge.counterexample(id_)


@pytest.mark.parametrize("id_", WORDED)
def test_the_exact_road_alone_comes_to_what_is_recorded(judge, id_):
    found = judge.all(id_)
    used = {other: REGISTRY[other].recorded for other in REGISTRY[id_].uses}
    verdict, _, _ = judged(found, used)
    assert verdict is REGISTRY[id_].recorded
    assert all(item.scope for item in found)
