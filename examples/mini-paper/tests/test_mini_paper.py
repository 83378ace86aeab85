"""The verdicts of the mini-paper are as recorded, and no wrong statement nearby passes."""

from mini_paper import register

from verify import check
from verify.auditing.power import power
from verify.claim import Registry
from verify.running.settings import Settings
from verify.verdict import Verdict


def paper() -> Registry:
    registry = Registry()
    register(registry)
    registry.validate()
    return registry


def test_every_verdict_is_as_recorded():
    registry = paper()
    for claim in registry:
        result = check(claim.id, registry=registry)
        assert result.verdict is claim.recorded, (claim.id, result.summary)


def test_the_wrong_line_falls_at_the_smallest_dimension_on_the_exact_road():
    result = check("mini.fourth", registry=paper())
    assert result.verdict is Verdict.REFUTED
    assert result.counterexample["at"] == {"d": 1}
    assert result.counterexample["exact"] == 1


def test_the_tail_rests_on_an_inequality_that_is_named():
    result = check("mini.tail", registry=paper())
    assert any("Markov's inequality" in text for text in result.assumptions)


def test_every_wrong_statement_nearby_is_refused():
    registry = paper()
    found = power(registry, list(registry), Settings().context(registry))
    assert found.ok
    assert found.mutants > 40
