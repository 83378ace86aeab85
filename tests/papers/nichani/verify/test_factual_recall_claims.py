"""The claims of Sec. 4.1 to 4.3: verdicts as recorded, mutants, true neighbours, counterexamples."""

import pytest

from verify.catalogue import catalogue
from verify.claim import Mutant, Road
from verify.printed.formula import Formula
from verify.running.checking import run_check
from verify.running.runner import check_claim
from verify.running.settings import Settings
from verify.verdict import Verdict

REGISTRY = catalogue()
FALSE = [
    "nichani.task.sequence",
    "nichani.task.experiment-d",
    "nichani.remark.filter-necessity",
    "nichani.sketch.superposition-bound",
    "nichani.sketch.identity-ov",
    "nichani.remark.subset",
]
TRUE = [
    *(f"{id_}.corrected" for id_ in FALSE),
    "nichani.model.shapes",
    "nichani.model.param-count",
    "nichani.fig3.superposition",
    "nichani.thm3.statement",
    "nichani.thm3.remark-product",
    "nichani.sketch.answer-set-size",
]

#: Measurements are shared by all tests of a process, as in a run.
CONTEXT = Settings().context(REGISTRY)


@pytest.mark.parametrize("id_", [*FALSE, *TRUE])
def test_every_statement_has_a_record_and_an_exact_check(id_):
    assert REGISTRY[id_].recorded is (Verdict.REFUTED if id_ in FALSE else Verdict.PROVED)
    assert REGISTRY.checks(id_, [Road.PROOFS])


def mutated(id_, **formulas):
    check = REGISTRY.checks(id_, [Road.PROOFS])[0]
    printed = {**REGISTRY[id_].formulas, **{k: Formula.parse(v) for k, v in formulas.items()}}
    return run_check(check, REGISTRY[id_], CONTEXT, Mutant("other", printed))


@pytest.mark.parametrize(
    ("id_", "formulas"),
    [
        ("nichani.task.sequence", {"least": "4"}),
        ("nichani.task.experiment-d.corrected", {"most": "D + 1"}),
        ("nichani.sketch.answer-set-size", {"both": "R + D - 1"}),
        ("nichani.fig3.superposition", {"others": "3/2"}),
        ("nichani.thm3.remark-product", {"facts": "S*R + R**2"}),
        ("nichani.remark.subset.corrected", {"least": "M"}),
        ("nichani.remark.filter-necessity.corrected", {"left": "5*H*d*d_h*b"}),
        ("nichani.sketch.superposition-bound.corrected", {"inside": "10", "factor": "3"}),
        ("nichani.thm3.statement", {"heads": "2*S + R"}),
    ],
)
def test_true_neighbours_are_not_accused(id_, formulas):
    assert mutated(id_, **formulas).verdict is Verdict.PROVED


def test_a_power_of_facts_that_the_block_does_not_exceed_is_not_accused():
    assert mutated("nichani.remark.subset", power="2").verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize(("value", "verdict"), [("1", Verdict.PROVED), ("2", Verdict.REFUTED)])
def test_a_single_candidate_is_always_met(value, verdict):
    assert mutated("nichani.task.experiment-d", value=value).verdict is verdict


def test_the_subset_needs_what_the_variance_of_its_scores_asks_for():
    found = check_claim("nichani.remark.subset", registry=REGISTRY, roads=(Road.PROOFS,))
    k, at = 16, found.counterexample["k = 16"]
    assert at["M"] == 2 * k**2
    assert at["H d d_h at least"] > (at["M"] / 2) ** 1.5


def test_exchanged_keys_and_queries_are_well_typed_but_another_layer():
    exchanged = {"scores": "X*Qt*K*x"}
    assert mutated("nichani.model.shapes", **exchanged).verdict is Verdict.PROVED
    check = REGISTRY.checks("nichani.model.shapes", [Road.NUMERICS])[0]
    printed = {k: Formula.parse(v) for k, v in exchanged.items()}
    mutant = Mutant("other", {**REGISTRY["nichani.model.shapes"].formulas, **printed})
    found = run_check(check, REGISTRY["nichani.model.shapes"], CONTEXT, mutant)
    assert found.verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    ("id_", "at"),
    [
        ("nichani.task.sequence", {"T": 1}),
        ("nichani.task.experiment-d", {"S": 1, "max |A_r|": 1}),
        ("nichani.sketch.identity-ov", {"G": 3}),
        ("nichani.remark.filter-necessity", {"R": 1, "H": 1, "d_h": 1}),
    ],
)
def test_counterexamples_are_small(id_, at):
    found = check_claim(id_, registry=REGISTRY, roads=(Road.PROOFS,)).counterexample
    assert {name: found[name] for name in at} == at
