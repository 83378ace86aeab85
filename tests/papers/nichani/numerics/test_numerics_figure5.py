"""The stages of training: where the flow rests, how near it comes to p*(. | r), and the tables."""

import math

import numpy as np
import pytest

from numerics import InputError
from numerics.flow import Weights, balanced, equal, predictions
from numerics.papers.nichani import figure5
from numerics.papers.nichani.figure5 import Curves, Sizes

SMALL = Sizes(S=8, R=2, D=4, T=5)


def curves(total, at=None, relation=None, subject=None):
    total = np.asarray(total, dtype=float)
    at = np.arange(len(total), dtype=float) if at is None else np.asarray(at, dtype=float)
    zero = np.zeros_like(total)
    return Curves(
        at,
        total,
        zero if relation is None else np.asarray(relation),
        total if subject is None else np.asarray(subject),
    )


def test_the_entropy_is_that_of_a_table_counted_by_hand():
    # 9 subjects share one answer, 7 have one each, in every relation.
    by_hand = 9 / 16 * math.log(16 / 9) + 7 / 16 * math.log(16)
    assert figure5.entropy_given_relation(Sizes().uneven()) == pytest.approx(by_hand, rel=1e-12)
    assert figure5.entropy_given_relation(Sizes().balanced()) == pytest.approx(math.log(8))
    assert figure5.entropy_of_answers(Sizes().balanced()) == pytest.approx(math.log(32))


def test_the_uneven_table_has_all_answers_and_nine_subjects_of_one():
    world = Sizes().uneven()
    assert sorted(world.table.collisions.tolist()) == [1] * 28 + [9] * 4
    assert len({tuple(row) for row in world.answers.tolist()}) > 8


def test_the_model_that_outputs_the_law_of_a_relation_is_at_distance_zero():
    world = SMALL.world(1)
    law = np.maximum(world.relation_law(), 1e-12)
    ov = np.zeros((world.A, world.collapsed_tokens))
    ov[:, world.S : world.S + world.R] = np.log(law).T
    weights = Weights(ov, np.ones(world.collapsed_tokens))
    assert figure5.distances(world, [weights])[0] < 1e-9
    found = figure5.curves_of(world, [0.0], [weights])
    level = figure5.entropy_given_relation(world)
    assert found.total[0] == pytest.approx(level, abs=1e-8)
    assert found.subject_only[0] == pytest.approx(level, abs=1e-8)
    assert found.relation_only[0] == pytest.approx(0.0, abs=1e-8)


def test_the_distance_is_the_largest_of_all_sequences():
    world = SMALL.world(2)
    start = equal(world, 1e-5)
    law = world.relation_law()
    by_hand = max(
        math.dist(predictions(world, start)[s, r], law[r])
        for s in range(world.S)
        for r in range(world.R)
    )
    assert figure5.distances(world, [start])[0] == pytest.approx(by_hand, rel=1e-12)


@pytest.mark.parametrize("start", [equal, balanced])
def test_a_run_of_the_figure_rests_at_the_entropy_not_at_log_d(start):
    world = Sizes().world(7)
    found = figure5.flow(world, start(world, 1e-5), until=1000.0, samples=100, dense=1000.0)
    run = figure5.curves_of(world, found.times, found.weights)
    away = figure5.distances(world, found.weights)
    rest = figure5.longest_stretch(run.at, run.total)
    nearest = int(away.argmin())
    assert rest is not None
    assert rest.first <= nearest <= rest.last
    assert away[nearest] < 1 / 125
    assert run.total[nearest] == pytest.approx(figure5.entropy_given_relation(world), abs=0.01)
    assert run.total[nearest] < math.log(8) - 0.1


def test_the_longest_stretch_is_found_by_hand():
    at = [0, 1, 2, 3, 10, 11, 12]
    found = figure5.longest_stretch(
        np.asarray(at, float), np.asarray([3.0, 2.5, 2.0, 1.95, 1.91, 1.0, 0.01])
    )
    assert (found.first, found.last) == (2, 4)


def test_a_long_stretch_near_the_end_is_no_rest():
    at, loss = np.asarray([0.0, 1, 2, 4, 5, 6, 100]), np.asarray([3.0, 2.5, 2, 2, 0.19, 0.15, 0.11])
    found = figure5.longest_stretch(at, loss)
    assert (found.first, found.last) == (2, 3)
    loss[4:] += 0.1
    found = figure5.longest_stretch(at, loss)
    assert (found.first, found.last) == (4, 6)


@pytest.mark.parametrize("loss", [[1.0, 1.0, 1.0], [3.0, 0.01, 0.0], [3.0]])
def test_there_is_no_stretch_where_nothing_lies_between_start_and_end(loss):
    assert figure5.longest_stretch(np.arange(len(loss), dtype=float), np.asarray(loss)) is None


def test_the_stage_between_runs_from_its_first_to_its_last_point():
    run = curves([3, 2, 2, 2, 1], relation=[1, 0.04, 0.2, 0.01, 0.0], subject=[3, 2, 2, 2, 0.5])
    found = figure5.hallucination(run, most=0.05, least=1.0)
    assert (found.first, found.last) == (1, 3)
    assert figure5.hallucination(run, most=0.05, least=2.5) is None


def test_a_start_at_rest_stays_whatever_the_rounding():
    world = Sizes().world(0)
    assert figure5.end_of(world, 1e-5, 0.0, until=1e6) == pytest.approx(math.log(32))
    assert figure5.end_of(world, 0.0, 1e-5, until=1e4) < 1e-2


def test_levels_of_random_tables_do_not_depend_on_how_they_are_drawn():
    whole = figure5.random_levels(600, 5, S=16, D=8)["level"]
    parts = [
        figure5.random_levels(256, 5, S=16, D=8)["level"].values,
        figure5.random_levels(344, 5, start=256, S=16, D=8)["level"].values,
    ]
    assert whole.values.tolist() == [value for part in parts for value in part.tolist()]
    assert whole.high == pytest.approx(math.log(8))
    assert float(whole.values.mean()) == pytest.approx(1.826, abs=0.05)


def test_a_softmax_head_has_the_start_and_the_task_of_its_seed():
    first, again, other = (
        figure5.softmax_head(SMALL, d=32, d_h=4, rate=0.5, seed=seed, batch=32)
        for seed in (1, 1, 2)
    )
    assert first.embeddings.equal(again.embeddings)
    assert not first.embeddings.equal(other.embeddings)
    for training in (first, again, other):
        training.run(20)
    found = figure5.curves_of_training(first)
    assert found.at.tolist() == [0.0, 10.0, 20.0]
    assert first.history == again.history
    assert first.history != other.history
    with pytest.raises(InputError, match="rate"):
        figure5.softmax_head(SMALL, d=32, d_h=4, rate=-1.0, seed=1)
