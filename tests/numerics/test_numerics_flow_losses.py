"""Losses and gradients of the population, of all sequences and by torch: three roads, one number."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics import FactTable
from numerics.flow import (
    FlowWorld,
    Weights,
    autograd_gradient,
    autograd_loss,
    balanced,
    enumerated_gradient,
    enumerated_loss,
    expand,
    gradient,
    log_losses,
    log_predictions,
    log_residuals,
    loss,
    losses,
    predictions,
    random,
    residuals,
    sequences,
    to_log,
)
from numerics.flow.log_weights import LogWeights
from numerics.flow.population import residual_rows, residual_slopes
from verify.strategies import seeds


@st.composite
def worlds(draw, largest=4):
    """Tables with gaps, facts of no chance, answers that no fact has; long and short sequences."""
    S, R, D = (draw(st.integers(1, largest)) for _ in range(3))
    table = FactTable.random(S, R, D, seed=draw(seeds))
    table = table.subset(draw(st.integers(1, len(table))), seed=draw(seeds))
    T = draw(st.integers(3, 5))
    noise = draw(st.integers(0 if T == 3 else 1, 3))
    facts = table.answers.numpy() >= 0
    chances = np.random.default_rng(draw(seeds)).random(facts.shape) * facts
    if draw(st.booleans()):
        chances[chances < 0.3] = 0
    prior = chances / chances.sum() if chances.any() else None
    return FlowWorld(table, T=T, noise=noise, prior=prior)


def assert_same(found, wanted, tolerance=1e-12):
    np.testing.assert_allclose(found.ov, wanted.ov, rtol=0, atol=tolerance)
    np.testing.assert_allclose(found.kq, wanted.kq, rtol=0, atol=tolerance)


@settings(max_examples=40)
@given(worlds(), seeds, st.sampled_from([0.05, 0.5, 1.0]))
def test_the_three_roads_agree(world, seed, scale):
    weights = random(world, scale, seed=seed, full=False)
    full = expand(world, weights)
    assert loss(world, weights) == pytest.approx(enumerated_loss(world, full), abs=1e-12)
    # The noise column of collapsed weights is that of each noise token.
    assert_same(expand(world, gradient(world, weights)), enumerated_gradient(world, full))


@settings(max_examples=40)
@given(worlds(), seeds, st.sampled_from([0.05, 0.5, 1.0]))
def test_the_roads_for_full_weights_agree(world, seed, scale):
    full = random(world, scale, seed=seed)
    assert autograd_loss(world, full) == pytest.approx(enumerated_loss(world, full), abs=1e-12)
    assert_same(autograd_gradient(world, full), enumerated_gradient(world, full))


@settings(max_examples=40)
@given(worlds(3))
def test_all_sequences_are_there_once(world):
    tokens, chances, answers = sequences(world)
    assert len({tuple(row) for row in tokens.tolist()}) == len(tokens)
    assert len(tokens) == (world.prior > 0).sum() * (world.T - 1) * (world.T - 2) * world.noise ** (
        world.T - 3
    )
    assert chances.sum() == pytest.approx(1)
    counts = (tokens[:, :, None] == np.arange(world.tokens)).sum(1)
    S, R = world.S, world.R
    assert (counts[:, :S].sum(1) == 1).all()
    assert (counts[:, S : S + R].sum(1) == 1).all()
    assert (tokens[:, -1] == world.tokens - 1).all()
    assert (counts[:, -1] == 1).all()
    s, r = counts[:, :S].argmax(1), counts[:, S : S + R].argmax(1)
    np.testing.assert_array_equal(answers, world.answers[s, r])
    expected = chances @ counts
    np.testing.assert_allclose(expected[: S + R], world.rates[: S + R])
    np.testing.assert_allclose(expected[S + R : -1], world.rates[-2])


@given(worlds(), seeds)
def test_predictions_and_residuals_by_their_definitions(world, seed):
    weights = random(world, 0.7, seed=seed, full=False)
    p = predictions(world, weights)
    np.testing.assert_allclose(p.sum(2), 1)
    G = np.zeros((world.A, world.collapsed_tokens))
    wanted = {"total": 0.0, "relation_only": 0.0, "subject_only": 0.0}
    for s, r in product(range(world.S), range(world.R)):
        chance, right = world.prior[s, r], world.answers[s, r]
        if chance == 0:
            continue
        missing = chance * ((np.arange(world.A) == right) - p[s, r])
        G[:, s] += missing
        G[:, world.S + r] += missing
        G[:, -2] += world.rates[-2] * missing
        G[:, -1] += missing
        for name, counted in (
            ("total", (right,)),
            ("relation_only", world.table.answers_of_relation(r)),
            ("subject_only", world.table.answers_of_subject(s)),
        ):
            wanted[name] -= chance * math.log(p[s, r, list(counted)].sum())
    np.testing.assert_allclose(residuals(world, weights), G, atol=1e-14)
    np.testing.assert_allclose(residuals(world, weights).sum(0), 0, atol=1e-14)
    found = losses(world, weights)
    for name, value in wanted.items():
        assert getattr(found, name) == pytest.approx(value, abs=1e-12)


@given(worlds(), seeds)
def test_weights_with_logarithms_predict_the_same(world, seed):
    weights = random(world, 0.7, seed=seed, full=False)
    weights = Weights(weights.ov, abs(weights.kq) + 0.1)
    logs = to_log(weights)
    np.testing.assert_allclose(log_predictions(world, logs), predictions(world, weights))
    np.testing.assert_allclose(
        log_residuals(world, logs), residuals(world, weights), atol=1e-14, rtol=1e-10
    )
    found, wanted = log_losses(world, logs), losses(world, weights)
    assert found.total == pytest.approx(wanted.total)
    assert found.relation_only == pytest.approx(wanted.relation_only)
    assert found.subject_only == pytest.approx(wanted.subject_only)


@pytest.mark.parametrize("gap", [0.1, 5.0, 28.0, 300.0])
def test_tiny_losses_and_residuals_keep_their_digits(gap):
    """Two relations, an answer each: the logits of the answers lie `gap` apart."""
    world = FlowWorld(FactTable([[0, 1]]), T=3, noise=0)
    ov = np.zeros((2, 5))
    ov[0, 1], ov[1, 2] = gap, gap
    weights = Weights(ov, np.ones(5))
    wanted = math.log1p(math.exp(-gap))
    found = losses(world, weights)
    assert found.total == pytest.approx(wanted, rel=1e-14, abs=0)
    assert found.relation_only == pytest.approx(wanted, rel=1e-14, abs=0)
    assert found.subject_only == 0
    wrong = 0.5 * math.exp(-gap) / (1 + math.exp(-gap))
    G = residuals(world, weights)
    np.testing.assert_allclose(G[:, 1:3], [[wrong, -wrong], [-wrong, wrong]], rtol=1e-14)


def test_one_answer_leaves_nothing_to_learn():
    world = FlowWorld(FactTable([[0], [0]]), T=4, noise=2)
    weights = random(world, 3.0, seed=0, full=False)
    found = losses(world, weights)
    assert (found.total, found.relation_only, found.subject_only) == (0, 0, 0)
    assert not residuals(world, weights).any()
    assert not gradient(world, weights).kq.any()


def test_uniform_predictions_at_the_start():
    world = FlowWorld.balanced(4, 8, 2, T=32, noise=20)
    found = losses(world, balanced(world, 1e-3))
    assert found.total == pytest.approx(math.log(32), rel=1e-14)
    assert found.relation_only == pytest.approx(math.log(4), rel=1e-14)
    assert found.subject_only == pytest.approx(math.log(8), rel=1e-14)


@settings(max_examples=20)
@given(worlds(3), seeds)
def test_the_slopes_of_the_residuals(world, seed):
    theta = random(world, 0.8, seed=seed, full=False).theta.T
    direction = np.random.default_rng(seed).standard_normal(theta.shape)
    step = 1e-5
    wanted = residual_rows(world, theta + step * direction)
    wanted = (wanted - residual_rows(world, theta - step * direction)) / (2 * step)
    found = np.einsum("zawb,wb->za", residual_slopes(world, theta), direction)
    np.testing.assert_allclose(found, wanted, atol=1e-8)


def test_log_weights_of_large_size_saturate():
    world = FlowWorld.balanced(2, 2)
    weights = LogWeights(np.full(6, 5.0), np.zeros((4, 6)))
    weights.ratio[:, 2:4] = [[1, -1], [1, -1], [-1, 1], [-1, 1]]
    found = log_losses(world, weights)
    assert found.relation_only == 0
    assert found.total == pytest.approx(math.log(2))
