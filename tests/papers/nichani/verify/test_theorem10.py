"""The claims of Theorem 10 and its proof: verdicts as recorded, mutants, true neighbours."""

import pytest

from verify.catalogue import catalogue
from verify.claim import Mutant, Road
from verify.measuring.context import Context
from verify.printed.formula import Formula
from verify.running.checking import run_check
from verify.running.runner import check_claim
from verify.running.settings import Settings
from verify.verdict import Verdict

REGISTRY = catalogue()
IDS = [
    claim.id
    for claim in REGISTRY.select(["nichani.thm10.*"])
    if not claim.id.startswith("nichani.thm10.explicit")
]

#: Measurements are shared by all tests of a process, as in a run.
CONTEXT = Settings().context(REGISTRY)

FALSE = {"remark", "budget", "gap-eos", "gap-subject", "one-sixth", "other-logit", "union"}


@pytest.mark.parametrize("id_", IDS)
def test_every_statement_has_a_record_and_an_exact_check(id_):
    name = id_.removeprefix("nichani.thm10.")
    expected = Verdict.REFUTED if name in FALSE else Verdict.PROVED
    assert REGISTRY[id_].recorded is expected
    assert REGISTRY.checks(id_, [Road.PROOFS])


def mutated(id_, **formulas):
    check = REGISTRY.checks(id_, [Road.PROOFS])[0]
    printed = {**REGISTRY[id_].formulas, **{k: Formula.parse(v) for k, v in formulas.items()}}
    return run_check(check, REGISTRY[id_], CONTEXT, Mutant("other", printed))


@pytest.mark.parametrize(
    ("id_", "formulas"),
    [
        ("nichani.thm10.heads", {"lower": "c*(S + R)*L/d_h"}),
        ("nichani.thm10.budget.corrected", {"factor": "6"}),
        ("nichani.thm10.gap-eos", {"gap": "1/5"}),
        ("nichani.thm10.gap-subject", {"end": "1/4", "others": "1/4"}),
        ("nichani.thm10.one-sixth", {"bound": "1/4"}),
        ("nichani.thm10.other-logit.corrected", {"bound": "3/2"}),
        ("nichani.thm10.argmax", {"off": "6/25", "low": "3/4", "high": "5/4"}),
        ("nichani.thm10.union.corrected", {"total": "2*S + 3*R"}),
        ("nichani.thm10.finite-beta", {"factor": "4"}),
        ("nichani.thm10.statement", {"heads": "S + R"}),
    ],
)
def test_true_neighbours_are_not_accused(id_, formulas):
    assert mutated(id_, **formulas).verdict.decided
    assert mutated(id_, **formulas).verdict is not Verdict.REFUTED


def test_the_measured_heads_say_which_constant_stands_for_any():
    check = REGISTRY.checks("nichani.thm10.budget", [Road.NUMERICS])[0]
    found = run_check(check, REGISTRY["nichani.thm10.budget"], CONTEXT)
    assert found.verdict is Verdict.REFUTED
    assert "C/c = 1000" in found.summary


@pytest.mark.parametrize("power", ["2", "5"])
def test_fewer_logarithms_are_not_proved_and_not_refuted(power):
    found = mutated("nichani.thm10.statement", width_power=power, heads_power=power)
    assert found.verdict is Verdict.INCONCLUSIVE


def test_the_theorem_takes_its_moments_from_lemma_13():
    def formulas(id_):
        printed = REGISTRY[id_].formulas
        worse = {"base": Formula.parse("2*q")}
        return {**printed, **worse} if id_ == "nichani.lem13.corrected" else printed

    id_ = "nichani.thm10.statement"
    check = REGISTRY.checks(id_, [Road.PROOFS])[0]
    found = run_check(check, REGISTRY[id_], Context(formulas=formulas))
    assert found.verdict is Verdict.INCONCLUSIVE


def test_factors_that_are_not_orthogonal_to_eos_are_noticed(monkeypatch):
    from numerics.papers.nichani import attention_checks

    original = attention_checks.value_factors

    def shifted(d_h, eos, factors, *, stream):
        return original(d_h, eos, factors, stream=stream) + 0.1 * eos

    monkeypatch.setattr(attention_checks, "value_factors", shifted)
    id_ = "nichani.thm10.eos-annihilated"
    check = REGISTRY.checks(id_, [Road.NUMERICS])[0]
    assert run_check(check, REGISTRY[id_], Context()).verdict is Verdict.REFUTED


def test_keys_without_eos_are_noticed(monkeypatch):
    from numerics.constructions import attention_only

    monkeypatch.setattr(
        attention_only, "denoising_vector", lambda group, eos, keys: group.sum(dim=0)
    )
    id_ = "nichani.thm10.key-query"
    check = REGISTRY.checks(id_, [Road.NUMERICS])[0]
    assert run_check(check, REGISTRY[id_], Context()).verdict is Verdict.REFUTED


def test_a_wrong_scale_of_the_groups_is_noticed(monkeypatch):
    """Each head scaled as if it were alone in its group: scores near 2 in place of 1."""
    from numerics.papers.nichani import attention_checks

    original = attention_checks.answer_sums
    monkeypatch.setattr(
        attention_checks, "answer_sums", lambda task, keys, phi: 2 * original(task, keys, phi)
    )
    id_ = "nichani.thm10.statement"
    check = REGISTRY.checks(id_, [Road.NUMERICS])[0]
    formulas = Settings().context(REGISTRY).formulas
    assert run_check(check, REGISTRY[id_], Context(formulas=formulas)).verdict is Verdict.REFUTED


def test_the_union_bound_fails_at_the_smallest_sizes():
    found = check_claim("nichani.thm10.union", registry=REGISTRY, roads=(Road.PROOFS,))
    assert (found.counterexample["S"], found.counterexample["R"]) == (1, 1)
