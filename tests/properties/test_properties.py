"""The properties beside the claims, under pytest: the same checks that `verify` runs."""

import pytest

from verify.catalogue import catalogue
from verify.claim import Road
from verify.running.checking import run_check
from verify.running.settings import Settings
from verify.verdict import Verdict

REGISTRY = catalogue()
PROPERTIES = [check for claim in REGISTRY for check in REGISTRY.checks(claim.id, [Road.PROPERTIES])]


def test_there_are_properties():
    assert PROPERTIES


@pytest.mark.parametrize("check", PROPERTIES, ids=lambda check: check.key)
def test_no_drawn_memory_breaks_the_property(check):
    found = run_check(check, REGISTRY[check.claim], Settings(seed=3).context(REGISTRY))
    assert found.verdict is Verdict.SUPPORTED, found.summary
