"""The claims of Theorem 10 and its proof: true neighbours, sabotage."""

import pytest

from verify.claim import Road
from verify.verdict import Verdict


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
def test_true_neighbours_are_not_accused(judge, id_, formulas):
    assert judge(id_, **formulas).verdict.positive


def test_the_measured_heads_say_which_constant_stands_for_any(judge):
    found = judge("nichani.thm10.budget", Road.NUMERICS)
    assert found.verdict is Verdict.REFUTED
    assert "C/c = 1000" in found.summary


@pytest.mark.parametrize("power", ["2", "5"])
def test_fewer_logarithms_are_not_proved_and_not_refuted(judge, power):
    found = judge("nichani.thm10.statement", width_power=power, heads_power=power)
    assert found.verdict is Verdict.INCONCLUSIVE


def test_the_theorem_takes_its_moments_from_lemma_13(judge):
    worse = judge.fresh(**{"nichani.lem13.corrected": {"base": "2*q"}})
    assert judge("nichani.thm10.statement", context=worse).verdict is Verdict.INCONCLUSIVE


def measured_anew(judge, name):
    return judge(f"nichani.thm10.{name}", Road.NUMERICS, context=judge.fresh())


def test_factors_that_are_not_orthogonal_to_eos_are_noticed(monkeypatch, judge):
    from numerics.papers.nichani import attention_checks

    original = attention_checks.value_factors

    def shifted(d_h, eos, factors, *, stream):
        return original(d_h, eos, factors, stream=stream) + 0.1 * eos

    monkeypatch.setattr(attention_checks, "value_factors", shifted)
    assert measured_anew(judge, "eos-annihilated").verdict is Verdict.REFUTED


def test_keys_without_eos_are_noticed(monkeypatch, judge):
    from numerics.constructions import attention_only

    monkeypatch.setattr(
        attention_only, "denoising_vector", lambda group, eos, keys: group.sum(dim=0)
    )
    assert measured_anew(judge, "key-query").verdict is Verdict.REFUTED


def test_a_wrong_scale_of_the_groups_is_noticed(monkeypatch, judge):
    """Each head scaled as if it were alone in its group: scores near 2 in place of 1."""
    from numerics.papers.nichani import attention_checks

    original = attention_checks.answer_sums
    monkeypatch.setattr(
        attention_checks, "answer_sums", lambda task, keys, phi: 2 * original(task, keys, phi)
    )
    assert measured_anew(judge, "statement").verdict is Verdict.REFUTED


def test_the_union_bound_fails_at_the_smallest_sizes(judge):
    found = judge.counterexample("nichani.thm10.union")
    assert (found["S"], found["R"]) == (1, 1)
