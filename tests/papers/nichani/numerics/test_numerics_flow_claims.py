"""Experiments along the flow: their worlds, points and lists, against independent ways to the same."""

import math

import numpy as np
import pytest

from numerics.flow import FlowWorld, Weights, balanced, integrate, loss, predictions, random
from numerics.papers.nichani import flow_bounds, flow_gradients
from numerics.tasks import FactTable


@pytest.mark.parametrize(("A", "S", "T", "noise"), [(2, 1, 3, 0), (5, 3, 6, 2)])
def test_points_of_a_flow_with_one_answer_are_on_it(A, S, T, noise):
    world = flow_bounds.lone_answer(A, S, T=T, noise=noise)
    flow = integrate(world, balanced(world, 0.3), until=4.0, samples=5)
    for weights in flow.weights:
        phi = math.acosh(weights.kq[-1] / (0.3 * math.sqrt(A + 1)))
        point = flow_bounds.lone_weights(world, 0.3, phi)
        # Relations that never come up stay where they are, and so does a noise column without noise.
        np.testing.assert_allclose(weights.kq, point.kq, rtol=1e-7)
        np.testing.assert_allclose(weights.ov, point.ov, rtol=1e-7, atol=1e-9)


def test_the_gradient_seen_is_the_fall_of_the_loss():
    for world in flow_bounds.worlds(seed=3):
        weights = balanced(world, 0.5)
        flow = integrate(world, weights, until=1e-4, samples=2)
        fall = (loss(world, weights) - loss(world, flow.last)) / 1e-4
        assert flow_bounds.seen(world, weights).gradient ** 2 == pytest.approx(fall, rel=1e-3)


def test_the_least_loss_of_exclusive_or_is_log_two():
    assert flow_bounds.least_loss(np.array([[0, 1], [1, 0]])) == pytest.approx(math.log(2))
    assert flow_bounds.least_loss(np.array([[0, 2], [1, 3]])) < 1e-3


@pytest.mark.parametrize("disjoint", [True, False])
def test_places_are_outside_one_set_if_the_tables_are_disjoint(disjoint):
    places = list(flow_bounds.outside_counts(disjoint=disjoint, seed=1, tables=10))
    assert any(place.right for place in places)
    inside = [p for p in places if not (p.right or p.outside_subject or p.outside_relation)]
    assert bool(inside) != disjoint


def test_the_linear_part_of_riccati_is_the_exponential():
    times = np.linspace(0.0, 1.0, 5)
    found = flow_bounds.riccati(2.0, 1e-9, 0.1, times, sign=1)
    np.testing.assert_allclose(found, 0.1 * np.exp(2 * times), rtol=1e-8)
    still = flow_bounds.riccati(2.0, 3.0, 0.1, times, sign=1, part=0.0)
    np.testing.assert_allclose(still, 0.1)


def test_one_sure_relation_has_the_margins_asked_for():
    found = flow_bounds.sure_of_one_relation(0.25, 2.0)
    assert found.wrong == pytest.approx(1 / (1 + math.exp(2)))
    assert found.loss == pytest.approx(0.25 * math.log1p(math.exp(-2)), rel=1e-6)


def test_a_rare_subject_grows_at_nearly_the_root_of_two():
    *_, (_, time, grown) = flow_bounds.rare_subject_growth()
    assert 1.4 * time < grown < math.sqrt(2) * time


def test_a_start_without_weights_stays_and_ascent_rises():
    for _, first, moved, late in flow_bounds.losses_from(
        1.0, 0.0, seed=0, balanced=True, sign=1.0, time=5.0
    ):
        assert first == pytest.approx(moved) == pytest.approx(late)
    for _, first, moved, _ in flow_bounds.losses_from(
        1.0, 1.0, seed=0, balanced=True, sign=-1.0, time=0.0
    ):
        assert moved > first


@pytest.mark.parametrize("balanced", [True, False])
def test_the_loss_along_a_flow_begins_at_the_uniform_one_and_ends_where_the_flow_does(balanced):
    times, losses = flow_bounds.losses_along(0.3, 0.3, np.array([5.0, 60.0]), balanced=balanced)
    assert times.tolist() == [0, 5, 60]
    assert losses[0] == pytest.approx(math.log(4))
    factor = math.sqrt(5) if balanced else 1.0
    world = FlowWorld.balanced(2, 2, T=3)
    columns = world.collapsed_tokens
    start = Weights(np.full((4, columns), 0.3), np.full(columns, 0.3 * factor))
    last = integrate(world, start, until=60.0, samples=2).whole().last
    assert losses[-1] == pytest.approx(loss(world, last), rel=1e-6)


def test_listed_sequences_give_the_predictions_and_the_loss_of_the_population():
    world = FlowWorld(FactTable([[0, 2], [1, 3]]), T=4, noise=1)
    weights = random(world, 0.6, seed=5)
    found = flow_gradients.listed(world, weights)
    assert found.chances.sum() == pytest.approx(1)
    assert (found.counts.sum(1) == world.T).all()
    p_hat = predictions(world, random(world, 0.6, seed=5, full=False))
    assert p_hat.shape == (2, 2, 4)
    mean = -(found.chances @ np.log((found.right * found.predictions).sum(1)))
    step = 1e-6
    moved = flow_gradients.listed(
        world,
        type(weights)(weights.ov - step * found.gradient.ov, weights.kq - step * found.gradient.kq),
    )
    fall = mean + moved.chances @ np.log((moved.right * moved.predictions).sum(1))
    square = (found.gradient.ov**2).sum() + (found.gradient.kq**2).sum()
    assert fall / step == pytest.approx(square, rel=1e-4)


def test_means_given_a_pair_are_means_of_its_sequences():
    world = FlowWorld(FactTable([[0, 1]]), T=4, noise=2, prior=[[0.3, 0.7]])
    found = flow_gradients.listed(world, random(world, 0.5, seed=2))
    mass, right, p_hat = flow_gradients.given(found, found.pairs[:, 1] == 1)
    assert mass == pytest.approx(0.7)
    np.testing.assert_allclose(right, [0, 1])
    assert p_hat.sum() == pytest.approx(1)


def test_contexts_are_counted():
    counts = {(T, N): (n, ratio) for T, N, n, ratio in flow_gradients.context_counts()}
    assert counts[4, 3] == (18, pytest.approx(1))
    assert {(T, N): mean for T, N, mean in flow_gradients.noise_counts()}[9, 2] == 3
