"""Flows from tiny weights: what is read off them, against what is known by hand."""

import math

import numpy as np
import pytest

from numerics.papers.nichani.lopsided import nearest_while_light
from numerics.papers.nichani.relations_first import (
    answer_counts,
    balanced_losses,
    course,
    inverse_distance,
    predicts_relation_alone,
    relation_growth,
    tables,
)

TABLES = {table.name: table for table in tables()}


@pytest.fixture(scope="module")
def alone():
    return course(TABLES["one relation, S = 17, D = 2"], until=60000.0, samples=40)


def test_the_error_is_the_largest_over_sequences(alone):
    # At the start p-hat is uniform; at the end it is 1(a = a*), and the rarer answer is farther off.
    assert alone.error[0] == pytest.approx(math.sqrt(2) / 34, rel=1e-9)
    assert alone.error[-1] == pytest.approx(math.sqrt(2) * 9 / 17, rel=1e-2)


def test_means_hide_what_single_sequences_do(alone):
    assert alone.averaged[-1] < 1e-3
    assert alone.spread[-1] > 0.5


def test_weights_start_at_assumption_2(alone):
    start = -400 + 0.5 * math.log(3)
    for column in (alone.light, alone.relation, alone.eos):
        assert column[0] == pytest.approx(start, rel=1e-12)
    # EOS and the only relation are alike, and no subject is behind them.
    assert np.allclose(alone.eos, alone.relation)
    assert (alone.light >= alone.relation - 1e-6).all()


def test_a_single_noise_token_grows_like_eos():
    few = course(TABLES["one rare answer of two, S = 32, R = 2, a single noise token"], until=900.0)
    assert np.allclose(few.light, few.eos)


def test_every_table_is_one_of_its_kind():
    assert len(TABLES) == 10
    uneven = TABLES["answer sets of 2, 1 and 1, S = 48"].world
    assert (uneven.R, uneven.D, uneven.A) == (3, 2, 4)


def test_growth_is_read_at_the_times_asked_for():
    kq, missed = relation_growth(8, -100.0, [1.0, 50.0, 600.0])
    assert kq.shape == missed.shape == (3,)
    assert kq[0] < kq[1] < kq[2]
    # Rates at the start: |p*(.|r) - p0|^2/4 for each of two relations.
    distance = (7 / 8) ** 2 + (1 / 8) ** 2 - 1 / 4
    assert missed[0] == pytest.approx(2 * distance / 4, rel=1e-9)


def test_answers_are_counted():
    found = answer_counts(equal=False)
    assert (2, 2, 3) in found
    assert all(A == R * D for R, D, A in answer_counts(equal=True))


def test_the_uniform_law_is_nearest():
    assert inverse_distance(2, 4, seed=0) == pytest.approx(2.0)
    assert inverse_distance(3, 3, seed=0) > 1e12


@pytest.mark.parametrize(
    ("sizes", "expected"), [((4, 4, 2), True), ((2, 2, 2), False), ((2, 4, 2), False)]
)
def test_stage_of_relations_alone(sizes, expected):
    assert predicts_relation_alone(*sizes, -1000.0, 0.01) is expected


def test_the_losses_of_a_balanced_table_are_seen_from_whole_to_gone():
    found = balanced_losses(8, 4, 2, -100.0)
    assert found.relation_only[0] == pytest.approx(math.log(4), abs=1e-3)
    assert found.subject_only[0] == pytest.approx(math.log(2), abs=1e-3)
    assert found.total[-1] < 0.01


def start_of(D):
    return math.sqrt(1 / D - 1 / (D + 1))


def test_a_large_answer_set_is_never_learned_before_the_subjects():
    assert nearest_while_light(512, -50.0, 0.5) > 0.99 * start_of(512)
    # Of three answers it has two, and all the time it needs; D = S = 2, power 0 asks nothing.
    assert nearest_while_light(2, -400.0, 0.0) < start_of(2)
