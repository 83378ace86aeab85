"""The claims of Theorem 1: the counterexample, and sabotage noticed."""

import dataclasses
from fractions import Fraction

import pytest
import torch

from numerics.observables import Event
from verify.claim import Evidence, Registry, Road
from verify.measuring.context import Context
from verify.running.checking import run_check
from verify.running.runner import check_claim, run
from verify.running.settings import Settings
from verify.verdict import Verdict


def test_the_counterexample_to_the_second_moment_is_the_smallest(judge):
    found = judge.counterexample("nichani.thm1.second-moment")
    assert found["at"] == {"N": 1, "d": 2}
    assert (found["exact"], found["printed"]) == (1.5, 1.75)


def test_a_conflict_shows_when_the_printed_formula_follows_a_broken_engine(registry):
    """A wrong derivation that agrees with a wrong print is caught by measurement."""
    id_ = "nichani.thm1.second-moment.corrected"
    claim = registry[id_]
    wrong = registry.mutants(id_)[0].formulas
    assert wrong != claim.formulas
    bent = Registry()
    bent.add(dataclasses.replace(claim, formulas=wrong, recorded=None))
    accepting = Evidence(Verdict.PROVED, "", "the engine was bent to agree")
    bent.check(id_, Road.PROOFS)(lambda printed, context: accepting)
    measured = registry.checks(id_, [Road.NUMERICS])[0]
    bent.check(id_, Road.NUMERICS)(measured.run)
    assert check_claim(id_, registry=bent).verdict is Verdict.CONFLICT


def _transposed(inputs, outputs, association):
    return inputs.mT @ outputs[..., association, :]


def _doubled(inputs, outputs, association):
    return 2 * outputs[..., association, :].mT @ inputs


def _last_fact_lost(inputs, outputs, association):
    return outputs[..., association[:-1], :].mT @ inputs[..., :-1, :]


def _rectified(inputs, outputs, association):
    return torch.relu(outputs[..., association, :].mT @ inputs)


@pytest.mark.parametrize("wrong", [_transposed, _doubled, _last_fact_lost, _rectified])
def test_a_wrong_construction_makes_the_run_fail(monkeypatch, registry, wrong):
    from numerics.memories import linear

    monkeypatch.setattr(linear, "outer_product_weight", wrong)
    chosen = registry.select(["nichani.thm1.mean", "nichani.thm1.second-moment.corrected"])
    result = run(registry, chosen, Settings(workers=0, seed=1))
    assert not result.ok
    assert {r.verdict for r in result.results} <= {Verdict.CONFLICT, Verdict.ERROR}


@pytest.mark.parametrize("wrong", [_last_fact_lost, _transposed])
def test_a_wrong_construction_breaks_the_property(monkeypatch, judge, wrong):
    from numerics.memories import linear

    monkeypatch.setattr(linear, "outer_product_weight", wrong)
    found = judge("nichani.thm1.explicit.closed-form", Road.PROPERTIES, context=judge.fresh())
    assert found.verdict is Verdict.REFUTED


@pytest.mark.parametrize("offset", [1, -1, 2])
def test_an_engine_off_in_one_pairing_count_is_caught_by_the_second_exact_road(
    monkeypatch, registry, offset
):
    """Flip one coefficient inside the engine: enumeration contradicts it, whatever is printed."""
    from proofs.memories import setting
    from proofs.moments import graphs, raw
    from verify.checks.identity import identity
    from verify.papers.nichani import linear_memory

    original = graphs.pairings

    def bent(degrees, closed=()):
        return tuple(
            (g, n + offset if degrees == (2,) else n) for g, n in original(degrees, closed)
        )

    monkeypatch.setattr(graphs, "pairings", bent)
    monkeypatch.setattr(raw, "_integrator", graphs.Integrator())
    setting.raw_margin_moments.cache_clear()
    try:
        bare = Registry()
        claim = registry["nichani.thm1.independence"]
        bare.add(dataclasses.replace(claim, uses=()))
        quantity = linear_memory.quantities()["triangle"]
        identity(bare, claim.id, {"squares": [quantity]})
        check = bare.checks(claim.id, [Road.PROOFS])[0]
        assert run_check(check, claim, Context()).verdict is Verdict.CONFLICT
    finally:
        setting.raw_margin_moments.cache_clear()


def test_an_instrument_that_never_sees_a_failure_is_an_error(monkeypatch, judge):
    """The count beyond the frontier is a control: it must see recall fail."""
    from numerics.draws import linear_margin

    def blind(d, N, M, replicates, **options):
        return Event(torch.zeros(replicates, dtype=torch.float64))

    monkeypatch.setattr(linear_margin, "failures", blind)
    found = judge("nichani.thm1.explicit.closed-form", Road.NUMERICS, context=judge.fresh())
    assert found.verdict is Verdict.ERROR
    assert "what must be seen is not seen" in found.summary


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("nichani.thm1.explicit.mgf", {"scale": "1"}),
        ("nichani.thm1.explicit.mgf", {"product": "1/2"}),
        ("nichani.thm1.explicit.law", {"spread": "4"}),
    ],
)
def test_a_proof_takes_its_constants_from_the_claims_it_rests_on(judge, name, wrong):
    """Other constants in a used claim, and the tail that rests on it can no longer be argued for; that
    which follows from the definition alone stays proved."""
    context = judge.fresh(**{name: wrong})
    found = judge("nichani.thm1.explicit.general-map", context=context)
    assert found.verdict is Verdict.INCONCLUSIVE
    assert judge("nichani.thm1.explicit.chernoff", context=context).verdict is Verdict.PROVED


def test_with_the_outputs_in_its_condition_the_theorem_is_not_refuted(judge):
    """With log M in the condition."""
    assert judge("nichani.thm1.statement", outputs_power="1").verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize("wrong", [{"lead": Fraction(2)}, {"noise": lambda N: Fraction(N - 2, 2)}])
def test_a_public_condition_other_than_the_printed_one_is_noticed(monkeypatch, registry, wrong):
    from proofs.capacity import LinearClosedForm
    from verify.papers.nichani import theorem1_explicit

    original = LinearClosedForm.__init__

    def changed(self, **options):
        original(self, **(options or wrong))

    monkeypatch.setattr(theorem1_explicit.LinearClosedForm, "__init__", changed)
    id_ = "nichani.thm1.explicit.closed-form"
    assert not check_claim(id_, registry=registry, roads=(Road.PROOFS,)).ok
