"""The verdicts of the mini-paper are as recorded, and no wrong statement nearby passes."""

from mini_paper import paper

from verify import check
from verify.auditing.power import power
from verify.catalogue import add_paper
from verify.claim import Registry
from verify.running.settings import Settings
from verify.verdict import Verdict


def claims() -> Registry:
    registry = Registry()
    add_paper(registry, paper())
    registry.validate()
    return registry


def test_every_verdict_is_as_recorded():
    registry = claims()
    for claim in registry:
        result = check(claim.id, registry=registry)
        assert result.verdict is claim.recorded, (claim.id, result.summary)


def test_the_wrong_line_falls_at_the_smallest_dimension_on_the_exact_road():
    result = check("mini.fourth", registry=claims())
    assert result.verdict is Verdict.REFUTED
    assert result.counterexample["at"] == {"d": 1}
    assert result.counterexample["exact"] == 1


def test_the_tail_rests_on_an_inequality_that_is_named():
    result = check("mini.tail", registry=claims())
    assert any("Markov's inequality" in text for text in result.assumptions)


def test_every_wrong_statement_nearby_is_refused():
    registry = claims()
    found = power(registry, list(registry), Settings().context(registry))
    assert found.ok
    assert found.mutants > 40
