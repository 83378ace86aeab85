"""Theorem 11, Theorem 4 and the summary of parameters: the parts of the proof, counterexamples."""

import math

import pytest

from verify.claim import Road
from verify.running.checking import run_check
from verify.verdict import Verdict


def test_what_refutes_shows_a_counterexample_and_nothing_else_does(judge, registry):
    ids = ("nichani.thm11.*", "nichani.thm4.statement", "summary.parameters")
    for claim in registry.select(ids):
        for found in judge.all(claim.id, tuple(Road)):
            assert bool(found.counterexample) is (claim.recorded is Verdict.REFUTED), claim.id


@pytest.mark.parametrize(
    ("name", "example"),
    [
        ("dimensions", {"d": 1, "dimension of P and Q": 1, "2n + 1": 3}),
        ("failure-prob", {"N_S + N_R": 2, "delta'": "3 delta", "bound": "3 delta' = 9 delta"}),
    ],
)
def test_the_smallest_counterexamples_can_be_checked_by_hand(judge, name, example):
    assert dict(judge.counterexample(f"nichani.thm11.{name}")) == example


def test_the_printed_heads_outgrow_the_bound_whatever_the_constant(judge):
    found = judge.counterexample("nichani.thm11.head-count")
    assert found["for a constant C"] == "M > C"
    assert found["heads"] > found["bound"]


def test_the_theorems_are_read_for_heads_that_are_not_larger_than_the_embedding(judge, registry):
    for id_ in ("nichani.thm11.statement", "nichani.thm4.statement"):
        assert r"$d_h \le d$" in registry[id_].reading_note
        found = judge(id_)
        assert found.verdict.positive
        assert "d_h <= d" in found.scope
        assert any("Lemma 3" in line for line in found.assumptions)


def test_the_statement_rests_on_lemma_3_and_theorem_4_on_theorem_11(registry):
    assert "nichani.lem3.statement" in registry["nichani.thm11.statement"].uses
    assert "nichani.thm11.statement" in registry["nichani.thm4.statement"].uses
    assert registry["summary.parameters"].uses == ("nichani.thm10.statement",)


def test_what_breaks_without_a_hypothesis_names_what_it_cites(judge, registry):
    mutants = {m.name: m for m in registry.mutants("nichani.thm11.statement")}
    (check,) = registry.checks("nichani.thm11.statement")
    claim = registry[check.claim]
    found = run_check(check, claim, judge.context, mutants["no condition on m d"])
    assert found.verdict is Verdict.REFUTED
    assert any("Warren" in line for line in found.assumptions)


@pytest.mark.parametrize("id_", ["nichani.thm11.statement", "nichani.thm4.statement"])
@pytest.mark.parametrize(
    "line",
    [
        "2 exp(-d/(32 |v|^2)) <= 2 exp(-4 L) for n <= d/(832 L)",
        "at most (S - 1)/n + 1 + (R - 1)/n + 1 <= 3 (S + R)/n groups",
        "a head of n <= d_h keys has W_O^T W_V phi(z) = target",
        "the degrees of sigma are among those of Lemma 3",
        "even d: E A^2p/(E A^p)^2",
        "4 times 2 is at most the square",
    ],
)
def test_every_part_of_the_proof_is_in_the_evidence(judge, id_, line):
    """Keys, groups, heads, Lemma 3, even dimensions, the scale of V."""
    assert sum(step.startswith(line) for step in judge(id_).steps) == 1


@pytest.mark.parametrize(
    ("id_", "name"), [("nichani.lem3.statement", "least"), ("nichani.thm11.scaling", "square")]
)
def test_the_statement_reads_the_constants_of_what_it_uses(judge, id_, name):
    context = judge.fresh(**{id_: {name: "3" if name == "least" else "7"}})
    (found,) = judge.all("nichani.thm11.statement", context=context)
    assert found.verdict is Verdict.INCONCLUSIVE


def test_mutants_that_break_a_step_alone_say_so(judge, registry):
    claim = registry["nichani.thm11.explicit.condition"]
    (check,) = registry.checks(claim.id)
    for mutant in registry.mutants(claim.id):
        assert "step" in mutant.why
        assert run_check(check, claim, judge.context, mutant).counterexample is None


def test_theorem_4_states_what_its_formal_version_adds(registry):
    last = registry["nichani.thm4.statement"].hypotheses[-1]
    for part in (
        r"\epsilon \in (0, 1)",
        r"q > 2/\epsilon",
        r"S^\epsilon",
        r"R^\epsilon",
        r"d_h \le d",
    ):
        assert part in last


def test_the_mean_of_the_collisions_is_measured(judge):
    found = judge("nichani.thm11.collision-average", Road.NUMERICS)
    ((low, high),) = [case["interval"] for case in found.detail["cases"]]
    assert low < 5 / 2 < high
    assert high - low < 0.2


def test_the_scale_that_suffices_is_seen_to_be_sharp(judge):
    found = judge("nichani.thm11.scaling", Road.NUMERICS)
    (step,) = found.steps
    margin = float(step.rpartition(" ")[2])
    assert 0 < margin < 1e-6
    assert math.isclose(margin, math.sqrt(8) * 1e-9, rel_tol=0.1)
