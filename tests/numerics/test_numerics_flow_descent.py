"""Descent follows the flow as its steps shrink, and sampled gradients have the right mean."""

import numpy as np
import pytest

from numerics import FactTable
from numerics.flow import (
    FlowWorld,
    StoppedByUser,
    Weights,
    balanced,
    drift,
    enumerated_gradient,
    expand,
    gradient,
    gradient_descent,
    integrate,
    losses,
    random,
    sgd,
)
from numerics.flow.descent import _batches
from numerics.flow.population import residual_rows
from numerics.flow.weights import LARGEST
from numerics.tasks import FactualRecall

WORLD = FlowWorld(
    FactTable([[0, 2], [1, -1], [1, 3]]), T=5, noise=3, prior=[[0.4, 0.1], [0.2, 0.0], [0.1, 0.2]]
)


def test_one_step_by_hand():
    start = random(WORLD, 0.5, seed=0, full=False)
    found = gradient_descent(WORLD, start, rate=0.3, steps=1)
    slope = gradient(WORLD, start)
    np.testing.assert_allclose(found.last.ov, start.ov - 0.3 * slope.ov, rtol=1e-12)
    np.testing.assert_allclose(found.last.kq, start.kq - 0.3 * slope.kq, rtol=1e-12)
    again = random(WORLD, 0.5, seed=0, full=False)
    np.testing.assert_array_equal(start.ov, again.ov)
    np.testing.assert_array_equal(found[0].ov, again.ov)
    np.testing.assert_array_equal(found[0].kq, again.kq)


def test_descent_follows_the_flow_to_first_order():
    start = balanced(WORLD, 0.1)
    wanted = integrate(WORLD, start, until=40.0).last
    errors = []
    for rate in (0.08, 0.04, 0.02):
        found = gradient_descent(WORLD, start, rate=rate, steps=round(40 / rate), every=10**6)
        assert found.times[-1] == pytest.approx(40)
        errors.append(np.abs(found.last.ov - wanted.ov).max())
    assert 1.7 < errors[0] / errors[1] < 2.3
    assert 1.7 < errors[1] / errors[2] < 2.3


def test_what_is_kept():
    found = gradient_descent(WORLD, balanced(WORLD, 0.1), rate=0.1, steps=25, every=10)
    assert found.steps.tolist() == [0, 10, 20, 25]
    assert len(found) == len(found.weights) == 4
    assert found.finished
    dense = gradient_descent(WORLD, balanced(WORLD, 0.1), rate=0.1, steps=25)
    np.testing.assert_array_equal(dense.ov[20], found.ov[2])


def test_descent_that_leaves_the_floats():
    start = random(WORLD, 1.0, seed=0, full=False)
    found = gradient_descent(WORLD, start, rate=1e300, steps=100)
    assert not found.finished
    assert found.reason.startswith("diverged at step ")
    assert np.isfinite(found.ov).all()


def test_descent_stops_where_the_losses_do():
    start = random(WORLD, 1.0, seed=0, full=False)
    found = gradient_descent(WORLD, start, rate=1e20, steps=100)
    assert found.reason == f"diverged at step {len(found)}: lower rate = 1e+20"
    assert max(np.abs(found.last.ov).max(), np.abs(found.last.kq).max()) <= LARGEST
    assert np.isfinite(losses(WORLD, found.last).total)
    slope = gradient(WORLD, found.last)
    beyond = found.last.ov - 1e20 * slope.ov, found.last.kq - 1e20 * slope.kq
    assert max(np.abs(part).max() for part in beyond) > LARGEST


@pytest.mark.parametrize(("ov", "kq"), [(0.0, 1e49), (1e49, 0.0)])
def test_either_kind_of_weight_can_be_the_one_that_leaves(ov, kq):
    Z = WORLD.collapsed_tokens
    slope = np.where(np.arange(WORLD.A) == 0, ov, 0.0)[:, None]
    start = Weights(np.tile(slope, (1, Z)), np.full(Z, kq))
    found = gradient_descent(WORLD, start, rate=1e3, steps=2)
    assert found.reason == "diverged at step 1: lower rate = 1000.0"
    assert len(found) == 1


def test_batches_take_every_sequence_once_in_order():
    drawn = _batches(WORLD, 700, 3)
    found = [next(drawn) for _ in range(4)]
    task = FactualRecall(
        WORLD.table, noise=WORLD.noise, T=WORLD.T, weights=[0.4, 0.1, 0.2, 0.1, 0.2]
    )
    sequences = task.sample(4096, seed=3, start=0).numpy()[:2800]
    answers = np.concatenate([answers for _, answers in found])
    np.testing.assert_array_equal(answers, sequences[:, -1] - task.answers.start)
    counts = np.concatenate([counts for counts, _ in found])
    np.testing.assert_array_equal(
        counts[:, :3], (sequences[:, :-1, None] == np.arange(3)).sum(axis=1)
    )
    assert not np.array_equal(answers[:1024], answers[1024:2048])


def test_the_mean_of_sampled_gradients():
    start = random(WORLD, 0.5, seed=3)
    count = 250_000
    found = sgd(WORLD, start, rate=1.0, steps=1, batch=count, seed=1)
    wanted = enumerated_gradient(WORLD, start)
    # Each entry of a gradient is at most T times the largest weight; Hoeffding, 1e-9 over all entries.
    size = WORLD.T * max(np.abs(start.ov).max() * 2, np.abs(start.kq).max())
    slack = size * np.sqrt(2 * np.log(2e3 / 1e-9) / count)
    assert slack < 0.15
    np.testing.assert_allclose(start.ov - found.last.ov, wanted.ov, atol=slack)
    np.testing.assert_allclose(start.kq - found.last.kq, wanted.kq, atol=slack)


def test_sampled_descent_learns_and_depends_on_its_seed_alone():
    start = expand(WORLD, balanced(WORLD, 0.1))
    run = {"rate": 0.1, "steps": 1500, "batch": 32, "every": 500}
    found = sgd(WORLD, start, seed=5, **run)
    again = sgd(WORLD, start, seed=5, **run)
    np.testing.assert_array_equal(found.ov, again.ov)
    assert not np.array_equal(found.last.ov, sgd(WORLD, start, seed=6, **run).last.ov)
    assert found.ov.shape == (4, 4, WORLD.tokens)
    mean = found.last.kq[5:8].mean()
    noise = found.last.ov[:, 5:8].mean(1, keepdims=True)
    collapsed = Weights(
        np.concatenate([found.last.ov[:, :5], noise, found.last.ov[:, -1:]], axis=1),
        np.concatenate([found.last.kq[:5], [mean], found.last.kq[-1:]]),
    )
    assert losses(WORLD, collapsed).total < 0.2


def test_sampled_descent_without_noise():
    world = FlowWorld.balanced(2, 2, T=3, noise=0)
    start = random(world, 0.1, seed=0)
    found = sgd(world, start, rate=0.1, steps=3, batch=2000, seed=0)
    assert found.finished


def test_ctrl_c_keeps_the_steps(monkeypatch):
    whole, calls = residual_rows, []

    def interrupted(world, rows):
        calls.append(1)
        if len(calls) > 7:
            raise KeyboardInterrupt
        return whole(world, rows)

    monkeypatch.setattr("numerics.flow.descent.residual_rows", interrupted)
    with pytest.raises(StoppedByUser) as caught:
        gradient_descent(WORLD, balanced(WORLD, 0.1), rate=0.1, steps=25)
    assert caught.value.trajectory.steps.tolist() == list(range(8))
    assert caught.value.trajectory.reason == "interrupted"


def test_descent_keeps_the_answers_and_moves_the_balance_with_its_rate():
    world = FlowWorld.random(6, 2, 3, T=4, noise=3, seed=0)
    found = {}
    for rate in (0.1, 0.05):
        steps = round(60 / rate)
        found[rate] = drift(
            gradient_descent(
                world, balanced(world, 0.05), rate=rate, steps=steps, every=steps // 10
            )
        )
        assert found[rate]["answers"] < 1e-13
    assert found[0.1]["balance"] > 1e-6
    assert found[0.1]["balance"] == pytest.approx(2 * found[0.05]["balance"], rel=0.1)


def test_sampled_steps_keep_the_answers_and_lose_the_balance():
    world = FlowWorld.random(6, 2, 3, T=4, noise=3, seed=0)
    start = balanced(world, 0.05, collapsed=False)
    found = drift(sgd(world, start, rate=0.1, steps=600, batch=8, seed=0, every=60))
    steady = gradient_descent(world, balanced(world, 0.05), rate=0.1, steps=600, every=60)
    assert found["answers"] < 1e-13
    assert found["balance"] > 10 * drift(steady)["balance"]
