"""The world of the linear attention model, its weights, and what is refused."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from numerics import FactTable, InputError
from numerics.flow import (
    FlowWorld,
    LogWeights,
    SymmetricWorld,
    Weights,
    balanced,
    balanced_log,
    collapse,
    conserved_log,
    equal,
    equal_log,
    expand,
    gradient_descent,
    integrate,
    integrate_log,
    log_losses,
    losses,
    predictions,
    random,
    residuals,
    sequences,
    sgd,
    to_log,
)
from numerics.flow.log_weights import Kept

HAND = FactTable([[0, 2], [1, -1], [1, 2]])
PRIOR = [[0.5, 0.125], [0.25, 0.0], [0.0, 0.125]]


def hand(**choices):
    return FlowWorld(HAND, **{"T": 5, "noise": 3, "prior": PRIOR, **choices})


def test_a_world_by_hand():
    world = hand()
    assert (world.S, world.R, world.A, world.D, world.T, world.noise) == (3, 2, 3, 2, 5, 3)
    assert (world.tokens, world.collapsed_tokens) == (9, 7)
    np.testing.assert_array_equal(
        world.rates, [0.625, 0.25, 0.125, 0.75, 0.25, pytest.approx(2 / 3), 1]
    )
    np.testing.assert_allclose(world.relation_law(), [[2 / 3, 1 / 3, 0], [0, 0, 1]], rtol=1e-15)
    np.testing.assert_allclose(world.subject_law(), [[0.8, 0, 0.2], [0, 1, 0], [0, 0, 1]])
    np.testing.assert_allclose(world.answer_law(), [0.5, 0.25, 0.25])
    # Sets of the table, facts of no chance included.
    np.testing.assert_array_equal(world.of_subject, [[1, 0, 1], [0, 1, 0], [0, 1, 1]])
    np.testing.assert_array_equal(world.of_relation, [[1, 1, 0], [0, 0, 1]])
    assert "T=5, noise=3" in repr(world)


def test_equal_chances_of_the_facts_alone():
    np.testing.assert_allclose(hand(prior=None).prior, [[0.2, 0.2], [0.2, 0], [0.2, 0.2]])


def test_a_subject_of_no_chance_has_no_law():
    world = hand(prior=[[1.0, 0.0], [0.0, 0.0], [0.0, 0.0]])
    assert not world.subject_law()[1:].any()
    assert losses(world, balanced(world, 0.1)).total == pytest.approx(math.log(3))


def test_named_worlds():
    world = FlowWorld.balanced(4, 8, 2, T=32, noise=20)
    assert (world.S, world.R, world.A, world.D) == (16, 4, 32, 8)
    drawn = FlowWorld.random(5, 3, 4, T=3, noise=0, seed=7)
    assert torch.equal(drawn.table.answers, FactTable.random(5, 3, 4, seed=7).answers)
    assert drawn.tokens == 9


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: hand(T=2), "T = 2 has no places for a subject, a relation and EOS"),
        (lambda: hand(T=2.5), "T = 2.5 is not an integer"),
        (lambda: hand(noise=0), "noise = 0 leaves 2 places"),
        (lambda: hand(noise=-1), "noise = -1 is too small"),
        (lambda: hand(prior="even"), "prior of type str is no array of real numbers"),
        (lambda: hand(prior=[[1.0, 0.0]]), r"prior has shape \(1, 2\): pass \(S, R\) = \(3, 2\)"),
        (
            lambda: hand(prior=[[1.5, 0], [-0.5, 0], [0, 0]]),
            r"prior\[1, 0\] = -0.5 is no chance",
        ),
        (
            lambda: hand(prior=[[math.nan, 0], [0, 0], [0, 0]]),
            r"prior\[0, 0\] = nan is no chance",
        ),
        (
            lambda: hand(prior=[[0.5, 0], [0, 0.5], [0, 0]]),
            r"prior\[1, 1\] = 0.5, but the table holds no fact there: pass 0",
        ),
        (lambda: hand(prior=[[0.5, 0], [0, 0], [0, 0]]), "prior sums to 0.5: divide it"),
        (lambda: FlowWorld([[0]], T=3, noise=0), "table is a list: pass a FactTable"),
        (lambda: FlowWorld.balanced(2, 0, 1), "D = 0 is too small"),
        (lambda: FlowWorld.balanced(2, 2, 0), "copies = 0 is too small"),
    ],
)
def test_no_such_world(make, message):
    with pytest.raises(InputError, match=message):
        make()


def test_the_starts():
    world = hand()
    start = balanced(world, 0.5)
    assert start.ov.shape == (3, 7)
    assert (start.ov == 0.5).all()
    assert (start.kq == 1.0).all()
    np.testing.assert_allclose(start.kq**2 - (start.ov**2).sum(0), 0.25)
    assert (start.theta == 0.5).all()
    assert balanced(world, 0.5, collapsed=False).ov.shape == (3, 9)
    assert (equal(world, 0.5).kq == 0.5).all()
    full = random(world, 2.0, seed=1)
    assert full.ov.shape == (3, 9)
    assert random(world, 2.0, seed=1, full=False).kq.shape == (7,)
    np.testing.assert_array_equal(full.ov, random(world, 1.0, seed=1).ov * 2)
    assert not np.array_equal(full.ov, random(world, 2.0, seed=2).ov)


@pytest.mark.parametrize("start", [balanced, equal])
def test_the_logarithms_of_the_starts(start):
    world = hand()
    plain = start(world, 0.25)
    found = {balanced: balanced_log, equal: equal_log}[start](world, math.log(0.25))
    np.testing.assert_allclose(found.weights().ov, plain.ov, rtol=1e-14)
    np.testing.assert_allclose(found.weights().kq, plain.kq, rtol=1e-14)
    np.testing.assert_allclose(found.theta, plain.theta, rtol=1e-14)
    kept = conserved_log(found)
    sign, size = kept.spread
    np.testing.assert_allclose(
        sign * np.exp(size), plain.kq**2 - ((plain.ov - plain.ov.mean(0)) ** 2).sum(0), rtol=1e-14
    )
    sign, size = kept.answers
    np.testing.assert_allclose(sign * np.exp(size), plain.ov.sum(0), rtol=1e-14)


def test_a_scale_beyond_floats():
    world = hand()
    start = balanced_log(world, -1e6)
    assert not start.theta.any()
    assert log_losses(world, start).total == pytest.approx(math.log(3), rel=1e-15)
    with pytest.raises(InputError, match="log_kq = -999999 underflows as a weight: use theta"):
        start.weights()


@given(seed=st.integers(0, 2**32), noise=st.integers(1, 4))
def test_expanded_and_collapsed(seed, noise):
    world = hand(noise=noise)
    weights = random(world, 1.0, seed=seed, full=False)
    full = expand(world, weights)
    assert full.ov.shape == (3, 6 + noise)
    back = collapse(world, full)
    np.testing.assert_array_equal(back.ov, weights.ov)
    np.testing.assert_array_equal(back.kq, weights.kq)


def test_collapsed_without_noise_tokens():
    world = hand(T=3, noise=0)
    full = random(world, 1.0, seed=0)
    weights = collapse(world, full)
    assert not weights.ov[:, -2].any()
    np.testing.assert_array_equal(expand(world, weights).ov, full.ov)


GOOD = balanced(hand(), 0.1)
GOOD_LOG = balanced_log(hand(), -3.0)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: balanced(hand(), 0.0), "scale = 0.0 is no initial scale"),
        (lambda: equal(hand(), -1.0), "scale = -1.0 is no initial scale"),
        (lambda: random(hand(), math.inf, seed=0), "scale = inf is no finite number"),
        (lambda: balanced(hand(), "small"), "scale = 'small' is no number"),
        (lambda: balanced(hand(), 1e-151), "scale = 1e-151 underflows.*balanced_log"),
        (lambda: balanced_log(hand(), math.nan), "log_scale = nan is no finite number"),
        (lambda: equal_log(hand(), None), "log_scale = None is no number"),
        (lambda: to_log(Weights(GOOD.ov, -GOOD.kq)), r"weights.kq\[0\] = -0.2 has no logarithm"),
        (lambda: losses(hand(), random(hand(), 1.0, seed=0)), r"ov has shape \(3, 9\).*collapse"),
        (lambda: collapse(hand(), random(hand(), 1.0, seed=0)), "noise tokens differ"),
        (lambda: expand(hand(), Weights(GOOD.ov, GOOD.kq[1:])), r"kq has shape \(6,\)"),
        (lambda: predictions(hand(), Weights(GOOD.ov, GOOD.kq * np.nan)), "kq holds a NaN"),
        (lambda: residuals(hand(), Weights(GOOD.ov * 1e60, GOOD.kq)), r"ov holds 1e\+59"),
        (
            lambda: log_losses(
                hand(),
                LogWeights(GOOD_LOG.log_kq, GOOD_LOG.ratio, Kept(np.ones(7), np.ones((2, 7)))),
            ),
            r"kept.answers has shape \(7,\)",
        ),
        (lambda: integrate(hand(), GOOD, until=0.0), "until = 0.0 is not above 0"),
        (lambda: integrate(hand(), GOOD, until=1.0, start=2.0), "until = 1.0 is not above 2"),
        (lambda: integrate(hand(), GOOD, until=1.0, start=math.nan), "start = nan is no finite"),
        (lambda: integrate(hand(), GOOD, until=1.0, rtol=1e-15), "rtol = 1e-15 is not above 2.3"),
        (lambda: integrate(hand(), GOOD, until=1.0, time_limit=0.0), "time_limit = 0.0 is not"),
        (lambda: integrate(hand(), GOOD, until=1.0, max_steps=0), "max_steps = 0 is too small"),
        (lambda: integrate(hand(), GOOD, until=1.0, samples=1), "samples = 1 is too small"),
        (lambda: integrate(hand(), GOOD, until=1.0, samples=[0.5, 0.2]), "not rising times"),
        (lambda: integrate(hand(), GOOD, until=1.0, samples=[0.5, 2.0]), "not rising times"),
        (lambda: integrate(hand(), GOOD, until=1.0).at(2.0), r"time = 2.0 is outside 0.0..1.0"),
        (
            lambda: balanced_log(hand(), 400.0),
            r"log_scale = 400.0 is out of reach: pass one in",
        ),
        (lambda: equal_log(hand(), -1e300), r"log_scale = -1e\+300 is out of reach"),
        (
            lambda: log_losses(hand(), LogWeights(GOOD_LOG.log_kq + 400, GOOD_LOG.ratio)),
            "weights.log_kq holds 397.693: pass logarithms up to 100",
        ),
        (lambda: integrate_log(hand(), GOOD_LOG, until=math.inf), "until = inf is no finite"),
        (lambda: gradient_descent(hand(), GOOD, rate=0.0, steps=1), "rate = 0.0 is no step size"),
        (lambda: gradient_descent(hand(), GOOD, rate="1", steps=1), "rate = '1' is no number"),
        (lambda: gradient_descent(hand(), GOOD, rate=1.0, steps=0), "steps = 0 is too small"),
        (
            lambda: sgd(hand(), GOOD, rate=1.0, steps=1, batch=1, seed=0),
            r"ov has shape \(3, 7\).*expand",
        ),
        (
            lambda: sgd(hand(), expand(hand(), GOOD), rate=1.0, steps=1, batch=0, seed=0),
            "batch = 0 is too small",
        ),
        (lambda: sequences(hand(T=12, noise=9)), "sequences, more than 2000000: lower T or noise"),
        (lambda: SymmetricWorld(0, 2, 1, -1.0), "R = 0 is too small"),
        (lambda: SymmetricWorld(2, 2, 1, -1e13), r"log_scale = -10{13}(\.0)? is out of reach"),
        (lambda: SymmetricWorld(2, 2, 1, "-1"), "log_scale = '-1' is no number"),
        (lambda: SymmetricWorld(2, 2, 1, -1.0).at([-1.0]), "times are not numbers in 0"),
        (lambda: SymmetricWorld(2, 2, 1, -1.0).escape_times(1.0), "gain = 1.0 is no part"),
    ],
)
def test_what_is_refused(make, message):
    with pytest.raises(InputError, match=message):
        make()
