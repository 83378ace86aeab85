"""What is computed of the task, the layer and the construction: known values, extremes, sabotage."""

import math

import pytest
import torch

from numerics import AttentionOnly, FactTable, FactualRecall, Stream, sample_sphere
from numerics.errors import InputError
from numerics.papers.nichani import attention_checks as checks

LAYER = {
    "scores": ("*", ("*", ("*", "X", "W_K_T"), "W_Q"), "x"),
    "attn": ("*", ("*", "W_V", "X_T"), "p"),
    "mhsa": ("*", "W_O_T", "attn"),
    "hidden": ("*", "W", "mhsa"),
    "out": ("+", "mhsa", ("*", "V_T", "h")),
}


@pytest.mark.parametrize("T", [3, 6])
def test_every_sampled_sequence_has_one_subject_and_one_relation(T):
    assert checks.sequence_counts(T, seed=1) == [
        {"subject": 1, "relation": 1, "noise": T - 3, "length": T + 1, "end": T}
    ]


def test_a_context_too_short_is_refused():
    with pytest.raises(InputError, match="T"):
        checks.sequence_counts(2, seed=1)


def test_drawn_datasets_meet_all_answers_as_often_as_counted():
    found = checks.drawn_answer_sets(2, 1, 2, 4000, seed=3)["attained"].values.double()
    assert float(found.mean()) == pytest.approx(0.5, abs=0.04)


def test_draws_do_not_depend_on_where_one_starts():
    whole = checks.drawn_answer_sets(3, 2, 2, 64, seed=3)["attained"].values
    part = checks.drawn_answer_sets(3, 2, 2, 32, seed=3, start=32)["attained"].values
    assert torch.equal(whole[32:], part)
    whole = checks.chord_cut(1, 3, 64, seed=3)["cut"].values
    assert torch.equal(whole[32:], checks.chord_cut(1, 3, 32, seed=3, start=32)["cut"].values)


def test_indicator_sums_need_assumption_1():
    assert checks.indicator_sums(disjoint=True, seed=2)["others"] == (0, 1)
    assert checks.indicator_sums(disjoint=False, seed=2)["others"][1] == 2


@pytest.mark.parametrize("k", [2, 4])
def test_demands_of_subsets(k):
    found = checks.subset_demands(k)
    assert found["star"] == (k, 2 * k)
    assert found["matching"] == (k, 2 * k)
    assert found["column"] == (k, k + 1)
    # F: the block twice, by subjects and by relations, the further subjects and their relation.
    facts = 3 * k * k + 1
    assert found["block and shared answer"] == (2 * k * k, max(k * (k * k + 1), facts))
    assert found["star and shared answer"] == (2 * k, (k + 1) ** 2)


def test_the_layer_is_what_its_formulas_say():
    lengths, deviation = checks.layer_columns(LAYER, seed=1)
    assert lengths == {"scores": 5, "attn": 3, "mhsa": 7, "hidden": 11, "out": 7}
    assert deviation < 1e-12


@pytest.mark.parametrize(
    "wrong",
    [{"attn": ("*", "W_V", "p")}, {"mhsa": ("*", "W_O", "attn")}, {"out": ("+", "mhsa", "attn")}],
)
def test_a_product_that_does_not_fit_is_named(wrong):
    with pytest.raises(InputError, match=next(iter(wrong))):
        checks.layer_columns({**LAYER, **wrong}, seed=1)


def test_another_layer_of_the_same_shapes_is_seen():
    exchanged = {**LAYER, "scores": ("*", ("*", ("*", "X", "W_Q_T"), "W_K"), "x")}
    assert checks.layer_columns(exchanged, seed=1)[1] > 1e-3


@pytest.mark.parametrize("G", [2, 4])
def test_identities_leave_eos_and_projections_do_not(G):
    plain = checks.group_output(G, projected=False, seed=1)
    assert plain["EOS"] == pytest.approx(G - 2, abs=1e-9)
    assert checks.group_output(G, projected=True, seed=1)["EOS"] == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(("k", "rest"), [(1, 3), (2, 2), (1, 9)])
def test_two_of_all_sets_are_cut_off_a_circle(k, rest):
    found = checks.chord_cut(k, rest, 20000, seed=1)["cut"].values.double().mean()
    assert float(found) == pytest.approx(2 / math.comb(k + rest, k), abs=0.02)


def test_one_head_separates_many_tokens_from_one():
    assert checks.one_sided_head(256, 1000, seed=1)
    assert not checks.one_sided_head(4, 1000, seed=1)


@pytest.mark.parametrize("one_hot", [True, False])
@pytest.mark.parametrize(("kind", "rank"), [("relation", 1), ("subject", 2)])
def test_one_head_recalls_any_number_of_facts_in_enough_dimensions(kind, rank, one_hot):
    recalled, sizes = checks.one_token_recall(kind, 12, seed=1, one_hot=one_hot)
    assert recalled
    assert (sizes["H"], sizes["d_h"]) == (1, rank)


def test_gaps_are_near_what_lemma_1_promises():
    found = checks.gaps(seed=1)
    assert 0.25 < found["absent"] < 0.26
    assert 0.25 < found["end"] < 0.26
    assert 0.5 < found["other"] < 0.52


def test_attention_is_hard_at_a_large_beta_and_not_at_a_small_one():
    assert checks.hard_weights(500.0, seed=1)["key"] == pytest.approx(1, abs=1e-9)
    assert checks.hard_weights(1.0, seed=1)["key"] < 0.9


def test_the_weights_at_a_finite_beta_are_the_least_and_the_largest():
    built = AttentionOnly.sample(
        FactualRecall(FactTable.structured(4, 2, 2), noise=3, T=5),
        d=256,
        seed=1,
        tokens_per_head=2,
        d_h=8,
        inverse_temperature=5.0,
    )
    weights = {"key": [], "other": [], "end": [], "rest": []}
    for s, r in built.task.facts.tolist():
        for context in built.task.contexts(s, r):
            attention = built.transformer.attention(built.embeddings[context].unsqueeze(0))[0]
            for keys, row in zip(built.heads, attention.tolist(), strict=True):
                held = [z for z in context.tolist() if z in keys]
                mine, others = ("key", "other") if held else ("end", "rest")
                target = context.tolist().index(held[0] if held else built.task.eos)
                weights[mine].append(row.pop(target))
                weights[others] += row
    for name, values in weights.items():
        wanted = (min if name in ("key", "end") else max)(values)
        assert checks.hard_weights(5.0, seed=1)[name] == pytest.approx(wanted)
        assert max(values) > 1.01 * min(values)


@pytest.mark.parametrize(("H", "T"), [(1, 3), (2, 5)])
def test_the_margin_changes_its_sign_where_the_bound_on_beta_says(H, T):
    edge = 2 * H * (T - 1) * 1e-3
    assert checks.finite_margin(H, T, mu=edge * 1.01, q=1e-3) > 0
    assert checks.finite_margin(H, T, mu=edge * 0.99, q=1e-3) < 0


def test_heads_annihilate_eos_and_nothing_else():
    least, most = checks.end_outputs(free=False, end=True, seed=1)
    assert max(-least, most) < 1e-12
    assert checks.end_outputs(free=True, end=True, seed=1)[1] > 0.1
    assert checks.end_outputs(free=False, end=False, seed=1)[1] > 0.1


@pytest.mark.parametrize("end", [True, False])
def test_outputs_are_those_of_the_value_matrix(end):
    found = []
    for number in range(32):
        stream = Stream(1, "end-outputs", number)
        phi = sample_sphere(10, 5, stream=stream.child("embeddings"))
        free = sample_sphere(3, 5, stream=stream.child("free"))
        # Two subjects, two relations, four answers, one noise token, EOS.
        table = FactTable.structured(2, 2, 2)
        weight = torch.zeros(5, 5, dtype=torch.float64)
        for s, answers in enumerate(table.answers.tolist()):
            for a in answers:
                weight += 5 / 3 * torch.outer(phi[4 + a], phi[s]) @ free.T @ free
        found.append(phi @ weight @ phi[9 if end else 8])
    least, most = checks.end_outputs(free=True, end=end, seed=1)
    values = torch.stack(found)
    assert (least, most) == pytest.approx((float(values.min()), float(values.max())))


def test_scores_deviate_by_more_than_a_sixth_within_lemma_2():
    assert 1 / 6 < checks.score_deviation(seed=1) <= 0.2


def test_extreme_logits_reach_the_ends_of_their_ranges():
    found = checks.extreme_logits(0.8, 1.2, 0.2, disjoint=True, seed=1)
    assert found["top"] == pytest.approx(1.6)
    assert found["largest other"] == pytest.approx(1.4)
    assert found["least other"] == pytest.approx(-0.4)
    assert checks.extreme_logits(0.8, 1.2, 0.2, disjoint=False, seed=1)["margin"] < 0


@pytest.mark.parametrize(("group", "S", "H"), [(None, 4, 2), (2, 6, 8)])
def test_groups_of_heads_recall_everything_where_there_is_room(group, S, H):
    arguments = {"S": S, "R": 3, "D": 2, "d_h": 128, "H": H, "group": group, "beta": 200.0}
    share, score = checks.grouped_recall(**arguments, d=512, seed=1)
    assert share == 1
    assert score == pytest.approx(1, abs=0.2)
    assert checks.grouped_recall(**{**arguments, "d_h": 2}, d=24, seed=1)[0] < 1


def test_sizes_that_do_not_fit_are_named():
    with pytest.raises(InputError, match="H = 1 is too small"):
        checks.grouped_recall(3, 2, 2, d=20, H=1, d_h=2, group=1, beta=1.0, seed=1)
    with pytest.raises(InputError, match="k = -1 is too small"):
        checks.chord_cut(-1, 2, 4, seed=1)


@pytest.mark.parametrize("seed", range(4))
def test_a_line_names_two_tokens_at_most(seed):
    assert checks.named_on_a_line(16, 5, seed=seed) == 2
    assert checks.named_on_a_line(1, 5, seed=seed) <= 2
