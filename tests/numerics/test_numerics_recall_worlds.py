"""Worlds of factual recall in float64: definitions, closed forms against enumeration, bad input."""

import itertools
import math

import numpy as np
import pytest

from numerics.information import recall_worlds as w

WORLDS = [(1, 1, 4, 2), (1, 2, 4, 2), (2, 1, 4, 1), (2, 2, 5, 1)]


@pytest.mark.parametrize("sizes", WORLDS, ids=str)
def test_entropies_are_those_of_uniform_choices(sizes):
    R, D, V, S = sizes
    world = w.recall_world(*sizes, messages="everything")
    sets = sum(math.log2(math.comb(V - r * D, D)) for r in range(R))
    assert world.entropy(world.sets) == pytest.approx(sets)
    assert world.entropy([*world.sets, *world.answers]) == pytest.approx(
        sets + S * R * math.log2(D)
    )
    assert world.entropy(world.answers) == pytest.approx(world.entropy(["F"]))
    assert world.entropy([]) == 0.0


@pytest.mark.parametrize(("D", "V", "S"), [(1, 3, 2), (2, 4, 1), (2, 5, 3), (3, 5, 2)])
def test_what_answers_tell_of_their_set_in_closed_form(D, V, S):
    world = w.recall_world(1, D, V, S, messages="everything")
    assert w.told_of_a_set(D, V, S) == pytest.approx(world.information(["A0"], world.answers))


def test_tokens_that_are_not_drawn():
    law = w.unseen_law(3, 2)
    assert law == pytest.approx([0, 2 / 3, 1 / 3, 0])
    mean = float(w.unseen_law(5, 7) @ np.arange(6))
    assert mean == pytest.approx(5 * 0.8**7)


@pytest.mark.parametrize("sizes", WORLDS, ids=str)
def test_every_table_is_named_by_the_bits_that_are_counted(sizes):
    world = w.recall_world(*sizes, messages="everything")
    assert math.log2(world.messages) <= w.naming_bits(*sizes) + 1e-9


def test_a_message_and_a_prediction_make_a_markov_chain():
    world = w.recall_world(1, 2, 4, 1, messages=3, coins=2, seed=5).predicted(seed=5)
    dataset = [*world.sets, *world.answers]
    assert world.information(dataset, ["F"], world.answers) == pytest.approx(0, abs=1e-12)
    assert world.information(dataset, ["f"], ["F"]) == pytest.approx(0, abs=1e-12)
    assert world.information(dataset, ["f"]) <= world.information(dataset, ["F"]) + 1e-12
    assert 0 < world.information(dataset, ["F"]) <= math.log2(3)


def test_the_loss_of_the_posterior_is_a_conditional_entropy():
    world = w.recall_world(2, 1, 4, 1, messages=2, seed=1)
    left = world.entropy(["a00", "F"]) - world.entropy(["F"])
    assert world.loss(0, 0, 0.0) == pytest.approx(left)
    assert world.loss(0, 0, 1.0) == pytest.approx(2.0)


def test_an_order_read_off_the_table_tells_more_than_the_set():
    world = w.recall_world(1, 2, 3, 1, messages="everything")
    names = ["z0", "z1"]
    of_set = world.information(["A0"], ["F"])
    free, tied = (world.ordered(tie).information(names, ["F"]) for tie in (0.0, 1.0))
    assert free == pytest.approx(of_set)
    assert tied > of_set + 0.5
    assert world.ordered(0.0).entropy(names) == pytest.approx(math.log2(6))


def test_the_emptiest_of_two_cells_exactly():
    S, least = 12, 4
    low = sum(math.comb(S, k) for k in range(least)) / 2**S
    found = w.emptiest_cell(S, 2, least)
    assert found == pytest.approx(2 * low - low**2)
    assert w.emptiest_cell(S, 2, -1.0) == 0.0


def test_the_emptiest_cell_is_bounded_from_below():
    S, D, least = 6, 3, 1
    missing = sum(len(set(draw)) < D for draw in itertools.product(range(D), repeat=S)) / D**S
    assert w.emptiest_cell(S, D, least) <= missing + 1e-12


def test_informations_of_a_law_and_of_columns_agree():
    law = np.zeros((2, 2, 2))
    for x, y in itertools.product((0, 1), repeat=2):
        law[x, y, x ^ y] = 1 / 4
    assert w.law_information(law, [0], [2]) == pytest.approx(0)
    assert w.law_information(law, [0], [2], [1]) == pytest.approx(1)
    drawn = w.random_law(np.random.default_rng(0), (2, 3))
    assert drawn.sum() == pytest.approx(1)


def test_predictions_are_laws_and_every_answer_occurs():
    predictions, answers = w.random_predictions(np.random.default_rng(0), 7, 3, 6, 0.5)
    assert predictions.sum(1) == pytest.approx(np.ones(7))
    assert set(answers.tolist()) == {0, 1, 2}


def test_too_few_tokens_are_refused():
    with pytest.raises(ValueError, match="disjoint"):
        w.recall_world(2, 2, 3, 1, messages=2)
