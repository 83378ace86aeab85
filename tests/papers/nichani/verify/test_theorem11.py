"""Theorem 11, Theorem 4 and the summary of parameters: verdicts, corrections, mutants."""

import math
from dataclasses import replace

import pytest

from verify.catalogue import catalogue
from verify.claim import Reading, Road, Severity
from verify.printed.formula import Formula
from verify.running.checking import run_check
from verify.running.settings import Settings
from verify.verdict import Verdict

REGISTRY = catalogue()
CONTEXT = Settings().context(REGISTRY)
IDS = [
    *(claim.id for claim in REGISTRY.select(["nichani.thm11.*"])),
    "nichani.thm4.statement",
    "summary.parameters",
]
REFUTED = {
    "dimensions": Severity.CONSTANT,
    "head-count": Severity.GAP,
    "failure-prob": Severity.WORDING,
}


def evidence(id_, road=Road.PROOFS):
    (check,) = REGISTRY.checks(id_, [road])
    return run_check(check, REGISTRY[id_], CONTEXT)


@pytest.mark.parametrize("id_", IDS)
def test_every_road_finds_what_is_recorded(id_):
    claim = REGISTRY[id_]
    refuted = claim.recorded is Verdict.REFUTED
    for check in REGISTRY.checks(id_):
        found = run_check(check, claim, CONTEXT)
        assert found.verdict.positive is not refuted, found.summary
        assert bool(found.counterexample) is refuted


@pytest.mark.parametrize(("name", "severity"), REFUTED.items())
def test_what_is_false_has_a_correction_that_holds(name, severity):
    claim = REGISTRY[f"nichani.thm11.{name}"]
    assert claim.severity is severity
    assert claim.correction == f"{claim.id}.corrected"
    assert evidence(claim.correction).verdict is Verdict.PROVED
    assert len(claim.consequence) > 40
    assert claim.by_hand


@pytest.mark.parametrize(
    ("name", "example"),
    [
        ("dimensions", {"d": 1, "dimension of P and Q": 1, "2n + 1": 3}),
        ("failure-prob", {"N_S + N_R": 2, "delta'": "3 delta", "bound": "3 delta' = 9 delta"}),
    ],
)
def test_the_smallest_counterexamples_can_be_checked_by_hand(name, example):
    assert dict(evidence(f"nichani.thm11.{name}").counterexample) == example


def test_the_printed_heads_outgrow_the_bound_whatever_the_constant():
    found = evidence("nichani.thm11.head-count").counterexample
    assert found["for a constant C"] == "M > C"
    assert found["heads"] > found["bound"]


def test_the_theorems_are_read_for_heads_that_are_not_larger_than_the_embedding():
    for id_ in ("nichani.thm11.statement", "nichani.thm4.statement"):
        claim = REGISTRY[id_]
        assert claim.reading is Reading.AMBIGUOUS
        assert r"$d_h \le d$" in claim.reading_note
        found = evidence(id_)
        assert found.verdict is Verdict.PROVED
        assert "d_h <= d" in found.scope
        assert any("Lemma 3" in line for line in found.assumptions)


def test_the_statement_rests_on_lemma_3_and_theorem_4_on_theorem_11():
    assert "nichani.lem3.statement" in REGISTRY["nichani.thm11.statement"].uses
    assert REGISTRY["nichani.thm4.statement"].uses == ("nichani.thm11.statement",)
    assert REGISTRY["summary.parameters"].uses == ("nichani.thm10.statement",)


def test_what_breaks_without_a_hypothesis_names_what_it_cites():
    mutants = {m.name: m for m in REGISTRY.mutants("nichani.thm11.statement")}
    (check,) = REGISTRY.checks("nichani.thm11.statement")
    claim = REGISTRY[check.claim]
    found = run_check(check, claim, CONTEXT, mutants["no condition on m d"])
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
def test_every_part_of_the_proof_is_in_the_evidence(id_, line):
    """Keys, groups, heads, Lemma 3, even dimensions, the scale of V."""
    assert sum(step.startswith(line) for step in evidence(id_).steps) == 1


@pytest.mark.parametrize(
    ("id_", "name"), [("nichani.lem3.statement", "least"), ("nichani.thm11.scaling", "square")]
)
def test_the_statement_reads_the_constants_of_what_it_uses(id_, name):
    changed = {**REGISTRY[id_].formulas, name: Formula.parse("3" if name == "least" else "7")}

    def formulas(of):
        return changed if of == id_ else REGISTRY[of].formulas

    (check,) = REGISTRY.checks("nichani.thm11.statement")
    context = replace(CONTEXT, formulas=formulas)
    found = run_check(check, REGISTRY["nichani.thm11.statement"], context)
    assert found.verdict is Verdict.INCONCLUSIVE


def test_mutants_that_break_a_step_alone_say_so():
    claim = REGISTRY["nichani.thm11.explicit.condition"]
    (check,) = REGISTRY.checks(claim.id)
    for mutant in REGISTRY.mutants(claim.id):
        assert "step" in mutant.why
        assert run_check(check, claim, CONTEXT, mutant).counterexample is None


def test_theorem_4_states_what_its_formal_version_adds():
    last = REGISTRY["nichani.thm4.statement"].hypotheses[-1]
    for part in (
        r"\epsilon \in (0, 1)",
        r"q > 2/\epsilon",
        r"S^\epsilon",
        r"R^\epsilon",
        r"d_h \le d",
    ):
        assert part in last


def test_the_mean_of_the_collisions_is_measured():
    found = evidence("nichani.thm11.collision-average", Road.NUMERICS)
    ((low, high),) = [case["interval"] for case in found.detail["cases"]]
    assert low < 5 / 2 < high
    assert high - low < 0.2


def test_the_scale_that_suffices_is_seen_to_be_sharp():
    found = evidence("nichani.thm11.scaling", Road.NUMERICS)
    (step,) = found.steps
    margin = float(step.rpartition(" ")[2])
    assert 0 < margin < 1e-6
    assert math.isclose(margin, math.sqrt(8) * 1e-9, rel_tol=0.1)
