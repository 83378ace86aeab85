"""The claims of Theorem 1: verdicts as recorded, mutants killed, sabotage noticed."""

import dataclasses
from fractions import Fraction

import pytest
import torch

from numerics.observables import Event
from verify.catalogue import catalogue
from verify.claim import Evidence, Mutant, Registry, Road
from verify.measuring.context import Context
from verify.printed.formula import Formula
from verify.running.checking import run_check
from verify.running.runner import check_claim, run
from verify.running.settings import Settings
from verify.verdict import Verdict

REGISTRY = catalogue()
CHECKED = [c for c in REGISTRY.select(["nichani.thm1.*"]) if REGISTRY.checks(c.id)]
IDS = [claim.id for claim in CHECKED]

#: Measurements are shared by all tests of a process, as in a run.
CONTEXT = Settings().context(REGISTRY)

#: The ids of the paper whose margin is that of the full-rank memory.
PRINTED = (
    "mean",
    "independence",
    "second-moment-split",
    "term-moments",
    "second-moment",
    "variance-bound",
    "degree",
    "tail",
    "union",
    "delta-form",
    "statement",
)

MEASURED = {
    "mean",
    "independence",
    "second-moment-split",
    "term-moments",
    "second-moment",
    "second-moment.corrected",
    "variance-bound",
    "degree",
    "explicit.mgf",
    "explicit.law",
    "explicit.integral",
    "explicit.closed-form",
}


@pytest.mark.parametrize("name", PRINTED)
def test_every_printed_statement_has_a_record_and_an_exact_check(name):
    id_ = f"nichani.thm1.{name}"
    assert REGISTRY[id_].recorded is not None
    assert REGISTRY[id_].recorded.decided
    assert REGISTRY.checks(id_, [Road.PROOFS])


@pytest.mark.parametrize("name", sorted(MEASURED))
def test_what_can_be_measured_is_measured(name):
    assert REGISTRY.checks(f"nichani.thm1.{name}", [Road.NUMERICS])


@pytest.mark.parametrize("id_", [i for i in IDS if REGISTRY[i].recorded is Verdict.REFUTED])
def test_what_is_refuted_shows_a_counterexample(id_):
    result = check_claim(id_, registry=REGISTRY, roads=(Road.PROOFS,))
    assert result.verdict is Verdict.REFUTED
    assert result.counterexample


def test_the_counterexample_to_the_second_moment_is_the_smallest():
    result = check_claim("nichani.thm1.second-moment", registry=REGISTRY, roads=(Road.PROOFS,))
    assert result.counterexample["at"] == {"N": 1, "d": 2}
    assert (result.counterexample["exact"], result.counterexample["printed"]) == (1.5, 1.75)


def test_a_conflict_shows_when_the_printed_formula_follows_a_broken_engine(monkeypatch):
    """A wrong derivation that agrees with a wrong print is caught by measurement."""
    id_ = "nichani.thm1.second-moment.corrected"
    claim = REGISTRY[id_]
    wrong = REGISTRY.mutants(id_)[0].formulas
    assert wrong != claim.formulas
    registry = Registry()
    registry.add(dataclasses.replace(claim, formulas=wrong, recorded=None))
    accepting = Evidence(Verdict.PROVED, "", "the engine was bent to agree")
    registry.check(id_, Road.PROOFS)(lambda printed, context: accepting)
    measured = REGISTRY.checks(id_, [Road.NUMERICS])[0]
    registry.check(id_, Road.NUMERICS)(measured.run)
    assert check_claim(id_, registry=registry).verdict is Verdict.CONFLICT


def _transposed(inputs, outputs, association):
    return inputs.mT @ outputs[..., association, :]


def _doubled(inputs, outputs, association):
    return 2 * outputs[..., association, :].mT @ inputs


def _last_fact_lost(inputs, outputs, association):
    return outputs[..., association[:-1], :].mT @ inputs[..., :-1, :]


def _rectified(inputs, outputs, association):
    return torch.relu(outputs[..., association, :].mT @ inputs)


@pytest.mark.parametrize("wrong", [_transposed, _doubled, _last_fact_lost, _rectified])
def test_a_wrong_construction_makes_the_run_fail(monkeypatch, wrong):
    from numerics.memories import linear

    monkeypatch.setattr(linear, "outer_product_weight", wrong)
    chosen = REGISTRY.select(["nichani.thm1.mean", "nichani.thm1.second-moment.corrected"])
    result = run(REGISTRY, chosen, Settings(workers=0, seed=1))
    assert not result.ok
    assert {r.verdict for r in result.results} <= {Verdict.CONFLICT, Verdict.ERROR}


@pytest.mark.parametrize("wrong", [_last_fact_lost, _transposed])
def test_a_wrong_construction_breaks_the_property(monkeypatch, wrong):
    from numerics.memories import linear

    monkeypatch.setattr(linear, "outer_product_weight", wrong)
    id_ = "nichani.thm1.explicit.closed-form"
    check = REGISTRY.checks(id_, [Road.PROPERTIES])[0]
    assert run_check(check, REGISTRY[id_], Settings().context(REGISTRY)).verdict is Verdict.REFUTED


@pytest.mark.parametrize("offset", [1, -1, 2])
def test_an_engine_off_in_one_pairing_count_is_caught_by_the_second_exact_road(monkeypatch, offset):
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
        registry = Registry()
        claim = REGISTRY["nichani.thm1.independence"]
        registry.add(dataclasses.replace(claim, uses=()))
        quantity = linear_memory.quantities()["triangle"]
        identity(registry, claim.id, {"squares": [quantity]})
        check = registry.checks(claim.id, [Road.PROOFS])[0]
        assert run_check(check, claim, Context()).verdict is Verdict.CONFLICT
    finally:
        setting.raw_margin_moments.cache_clear()


def test_an_instrument_that_never_sees_a_failure_is_an_error(monkeypatch):
    """The count beyond the frontier is a control: it must see recall fail."""
    from numerics.draws import linear_margin

    def blind(d, N, M, replicates, **options):
        return Event(torch.zeros(replicates, dtype=torch.float64))

    monkeypatch.setattr(linear_margin, "failures", blind)
    id_ = "nichani.thm1.explicit.closed-form"
    check = REGISTRY.checks(id_, [Road.NUMERICS])[0]
    found = run_check(check, REGISTRY[id_], Settings().context(REGISTRY))
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
def test_a_proof_takes_its_constants_from_the_claims_it_rests_on(name, wrong):
    """Other constants in a used claim, and the tail that rests on it can no longer be proved."""
    changed = {k: Formula.parse(v) for k, v in wrong.items()}

    def formulas(id_):
        printed = REGISTRY[id_].formulas
        return {**printed, **changed} if id_ == name else printed

    context = Context(formulas=formulas)
    id_ = "nichani.thm1.explicit.chernoff"
    check = REGISTRY.checks(id_, [Road.PROOFS])[0]
    assert run_check(check, REGISTRY[id_], context).verdict is Verdict.INCONCLUSIVE


def test_with_the_outputs_in_its_condition_the_theorem_is_not_refuted():
    id_ = "nichani.thm1.statement"
    check = REGISTRY.checks(id_, [Road.PROOFS])[0]
    repaired = Mutant("log M in the condition", {"outputs_power": Formula.parse("1")})
    assert run_check(check, REGISTRY[id_], Context(), repaired).verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize(
    ("wrong", "id_"),
    [
        ({"lead": Fraction(2)}, "nichani.thm1.explicit.closed-form"),
        ({"noise": lambda N: Fraction(N - 2, 2)}, "nichani.thm1.explicit.closed-form"),
    ],
)
def test_a_public_condition_other_than_the_printed_one_is_noticed(monkeypatch, wrong, id_):
    from proofs.capacity import LinearClosedForm
    from verify.papers.nichani import theorem1_explicit

    original = LinearClosedForm.__init__

    def changed(self, **options):
        original(self, **(options or wrong))

    monkeypatch.setattr(theorem1_explicit.LinearClosedForm, "__init__", changed)
    result = check_claim(id_, registry=REGISTRY, roads=(Road.PROOFS,))
    assert not result.ok
