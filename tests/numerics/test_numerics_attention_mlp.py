"""The steps of the construction with an MLP, built: subspaces, heads, scale, tables, failures."""

import math

import pytest
import torch

from numerics import Activation, FactTable
from numerics.constructions import AttentionMLP
from numerics.draws.attention_mlp_margin import failures
from numerics.errors import InputError
from numerics.papers.nichani.attention_mlp_checks import (
    collision_observables,
    column_collisions,
    group_deviation,
    room_beside,
    scaled_margin,
)
from numerics.tasks import FactualRecall

LINEAR = Activation.polynomial((0.0, 1.0))


# -- subspaces and heads --------------------------------------------------------------------------


@pytest.mark.parametrize("d", range(1, 8))
def test_there_is_room_for_two_subspaces_of_half_of_all_but_one_dimension(d):
    assert room_beside(d, seed=3) == (d - 1) // 2


@pytest.mark.parametrize(("d", "d_h"), [(2, 1), (5, 2), (5, 5), (8, 3)])
def test_heads_that_hold_a_basis_project_the_token_they_attend_to(d, d_h):
    needed = math.ceil((d - 1) / d_h)
    assert group_deviation(d, d_h, needed, orthogonal=True, seed=1) < 1e-12
    assert group_deviation(d, d_h, needed + 1, orthogonal=True, seed=1) < 1e-12


def test_fewer_heads_and_other_subspaces_are_seen():
    assert group_deviation(6, 1, 4, orthogonal=True, seed=1) > 0.01
    assert group_deviation(6, 1, 6, orthogonal=False, seed=1) > 0.01


@pytest.mark.parametrize("d", [81, 82])
@pytest.mark.parametrize("keys", ["sum", "interpolating"])
def test_the_heads_together_hand_over_the_projections_of_subject_and_relation(d, keys):
    task = FactualRecall(FactTable.injective(2, 2), noise=0, T=3)
    built = AttentionMLP.sample(task, d=d, tokens_per_head=1, d_h=7, m=4, keys=keys, seed=5)
    model, phi = built.transformer, built.embeddings
    values = torch.einsum("hkd,hke->hde", model.W_O, model.W_V).detach()
    halves = [values[[h for h, t in enumerate(built.heads) if t == (z,)]].sum(0) for z in (0, 2)]
    for half in halves:
        torch.testing.assert_close(half @ half, half, atol=1e-12, rtol=0)
        torch.testing.assert_close(half, half.mT, atol=1e-12, rtol=0)
        assert float(half.trace()) == pytest.approx((d - 1) // 2)
        assert float((half @ phi[task.eos]).norm()) < 1e-12
    assert float((halves[0] @ halves[1]).norm()) < 1e-12
    assert max(int(torch.linalg.matrix_rank(v)) for v in values) <= 7
    for s, r in task.facts.tolist():
        X = phi[task.contexts(s, r)]
        wanted = halves[0] @ phi[s] + halves[1] @ phi[2 + r]
        torch.testing.assert_close(model.mhsa(X).detach(), wanted.expand(len(X), -1))


# -- scale ----------------------------------------------------------------------------------------


def test_the_least_margin_is_that_of_a_hand_made_transformer():
    answer = torch.tensor([-1.0, 0.0, 0.0], dtype=torch.float64)
    margins = [
        scaled_margin(answer, -answer.unsqueeze(0), answer, activation=LINEAR, V=v)
        for v in (0.0, 0.5, 2.0)
    ]
    # F_MHSA = e_1 + e_2 gives -2, and V adds <answer - rival, V answer> = 2 V.
    assert margins == pytest.approx([-2.0, -1.0, 2.0])


# -- tables ---------------------------------------------------------------------------------------


def test_columns_are_counted_once_up_to_names():
    assert sorted(map(sorted, column_collisions(3))) == [[1, 1, 1], [1, 2], [1, 2], [1, 2], [3]]


def test_collisions_of_drawn_tables_are_binomial_and_do_not_depend_on_the_call():
    drawn = collision_observables(4, 2, 2, 2048, seed=7)["collisions"]
    assert (drawn.low, drawn.high) == (0.0, 4.0)
    counts = torch.bincount(drawn.values.long(), minlength=5) / 2048
    exact = torch.tensor([1, 4, 6, 4, 1]) / 16
    assert float((counts - exact).abs().max()) < 0.06  # five standard deviations
    later = collision_observables(4, 2, 2, 256, seed=7, start=1024)["collisions"]
    assert torch.equal(later.values, drawn.values[1024:1280])


def test_a_negative_start_is_refused():
    with pytest.raises(InputError, match="start = -3"):
        collision_observables(4, 2, 2, 8, seed=7, start=-3)


# -- failures -------------------------------------------------------------------------------------


def test_wide_memories_hold_their_facts_and_narrow_ones_lose_some():
    kept = failures(101, 2, 2, 2, 4096, 10, seed=1)
    lost = failures(17, 5, 5, 2, 64, 10, seed=1)
    assert float(kept.values.sum()) == 0
    assert float(lost.values.sum()) == 10


def test_a_draw_depends_on_its_number_alone():
    together = failures(17, 2, 3, 2, 128, 8, seed=2).values
    apart = torch.cat([failures(17, 2, 3, 2, 128, 4, seed=2, start=n).values for n in (0, 4)])
    assert torch.equal(together, apart)
    assert 0 < float(together.sum()) < 8
