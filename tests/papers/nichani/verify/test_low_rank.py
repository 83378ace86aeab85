"""The rank-m sentence of Theorem 1: what refutes it, what repairs it, and sabotage."""

import itertools

import pytest
import torch

from verify.claim import Road
from verify.running.settings import Settings
from verify.verdict import Verdict

PRINTED = "nichani.thm1.lowrank"
LAW = f"{PRINTED}.explicit.law"


def test_the_printed_sentence_fails_at_rank_one_and_three_facts(judge):
    assert judge.counterexample(PRINTED)["smallest"] == {"m": 1, "N": 3, "M": 3, "d": "any"}


def test_no_matrix_of_rank_one_names_three_outputs():
    """The counterexample on a grid: a, b in {-2, ..., 2}^3, all vectors the standard basis."""
    grid = list(itertools.product(range(-2, 3), repeat=3))
    for a, b in itertools.product(grid, repeat=2):
        scores = torch.outer(torch.tensor(b), torch.tensor(a))  # of x, for each y
        others = scores.masked_fill(torch.eye(3, dtype=torch.bool), -99)
        assert not bool((scores.diagonal() > others.amax(dim=1)).all())


def test_with_the_rank_in_its_condition_the_sentence_is_not_refuted(judge):
    """With m above a logarithm."""
    assert judge(PRINTED, rank_power="1").verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize("name", ["shape", "rest", "orthonormal_rest"])
def test_each_parameter_of_the_law_has_mutants(registry, name):
    named = [m for m in registry.mutants(LAW) if m.formulas[name] != registry[LAW].formulas[name]]
    assert len(named) >= 5


def test_a_frame_that_is_no_frame_is_noticed(monkeypatch, judge):
    """Columns that are only scaled have another alignment than an orthonormal frame."""
    from numerics.memories import low_rank

    def scaled(gaussian):
        return gaussian / torch.linalg.vector_norm(gaussian, dim=-2, keepdim=True)

    monkeypatch.setattr(low_rank, "orthonormal_columns", scaled)
    context = Settings(seed=1).context(judge.registry)
    found = judge(LAW, Road.NUMERICS, context=context)
    assert found.verdict is Verdict.REFUTED
