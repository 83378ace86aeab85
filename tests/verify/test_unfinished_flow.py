"""A flow that ends early concludes nothing: its trajectory is kept, and the check is inconclusive."""

import pytest

from numerics.errors import UnfinishedError
from numerics.flow import FlowWorld, balanced, balanced_log, integrate, integrate_log
from numerics.papers.nichani import relations_first
from verify.catalogue import catalogue
from verify.claim import Road
from verify.running.checking import run_check
from verify.running.settings import Settings
from verify.verdict import Verdict

WORLD = FlowWorld.balanced(2, 2, 1, T=3, noise=1)


@pytest.mark.parametrize(
    ("follow", "start"),
    [(integrate, balanced(WORLD, 0.1)), (integrate_log, balanced_log(WORLD, -2.0))],
)
def test_a_flow_is_whole_or_says_why_not(follow, start):
    assert follow(WORLD, start, until=5.0).whole().finished
    short = follow(WORLD, start, until=500.0, max_steps=3)
    with pytest.raises(UnfinishedError, match=r"^ended at t = .*: stiff") as caught:
        short.whole()
    assert caught.value.trajectory is short
    assert len(short) >= 2


def test_a_check_whose_flow_ends_early_is_inconclusive(monkeypatch):
    def three_steps(*arguments, **options):
        return integrate_log(*arguments, **options, max_steps=3)

    monkeypatch.setattr(relations_first, "integrate_log", three_steps)
    registry = catalogue()
    claim = registry["nichani.thm6.stmt.corrected"]
    context = Settings().context(registry)
    for check in registry.checks(claim.id):
        found = run_check(check, claim, context)
        if check.road is Road.NUMERICS:
            assert found.verdict is Verdict.INCONCLUSIVE
            assert found.summary.startswith("a flow ended at t = ")
        else:
            assert found.verdict.positive
