"""Numbers of the flow that are known by hand: drifts, limits, times far from 0, tiny logits."""

import math

import numpy as np
import pytest

from numerics import FactTable, InputError
from numerics.flow import (
    FlowWorld,
    LogWeights,
    SymmetricWorld,
    Trajectory,
    balanced,
    balanced_log,
    conserved_log,
    drift,
    integrate,
    integrate_log,
)

WORLD = FlowWorld(FactTable([[0, 2], [1, 3]]), T=3, noise=0)


def test_drift_by_hand():
    # Four answers: |W_OV|^2 = 4 and W_KQ^2 = 5, then one answer gains 0.03 and W_KQ is 2.
    world = FlowWorld(FactTable([[0, 1], [2, 3]]), T=3, noise=0)
    ov, kq = np.ones((2, 4, 6)), np.full((2, 6), math.sqrt(5))
    ov[1, 0, 2], kq[1, 2] = 1.03, 2.0
    found = drift(Trajectory(world, np.array([0.0, 1.0]), ov, kq, True, "reached", 1e-10))
    size = 4 + 3 + 1.03**2
    assert found["balance"] == pytest.approx(abs(4 - 3 - 1.03**2 - 1) / size, rel=1e-12)
    assert found["answers"] == pytest.approx(0.03 / math.sqrt(4 * size), rel=1e-12)


@pytest.mark.parametrize("logs", [False, True])
def test_the_time_limit_is_in_seconds(monkeypatch, logs):
    """A clock that is a second further each time it is read, once before each step but the first."""
    seconds = iter(range(1000))
    monkeypatch.setattr("numerics.flow.stepping.time.monotonic", lambda: float(next(seconds)))
    run = integrate_log if logs else integrate
    start = balanced_log(WORLD, -5.0) if logs else balanced(WORLD, math.exp(-5))
    cut = run(WORLD, start, until=1e4, time_limit=10.5)
    assert cut.reason == "time limit"
    assert next(seconds) == 12


@pytest.mark.parametrize("logs", [False, True])
def test_times_far_from_0(logs):
    run = integrate_log if logs else integrate
    start = balanced_log(WORLD, -1.0) if logs else balanced(WORLD, math.exp(-1))
    far = run(WORLD, start, start=1e15, until=1e15 + 8)
    assert far.finished
    # There are 64 spacings of 1/8, fewer than the 200 samples.
    assert len(far) < 66
    assert (np.diff(far.times) > 0).all()
    near = run(WORLD, start, until=8.0)
    np.testing.assert_allclose(far.last.theta, near.last.theta, rtol=1e-6)
    # Between two samples an interval may be of one spacing.
    middle = 0.5 * (near.times[3] + near.times[4])
    beside = np.nextafter(near.times[3], 9.0)
    np.testing.assert_allclose(near.at(beside).theta, near[3].theta, rtol=1e-13)
    wanted = run(WORLD, start, until=middle).last.theta
    np.testing.assert_allclose(near.at(middle).theta, wanted, rtol=1e-8)


@pytest.mark.parametrize("logs", [False, True])
def test_weights_between_samples_are_those_of_that_time_or_refused(monkeypatch, logs):
    run = integrate_log if logs else integrate
    start = balanced_log(WORLD, -5.0) if logs else balanced(WORLD, math.exp(-5))
    found = run(WORLD, start, until=100.0, samples=2)
    monkeypatch.setitem(run.__kwdefaults__, "max_steps", 3)
    with pytest.raises(InputError, match=r"time = 99.0 is not reached .*stiff.*among the samples"):
        found.at(99.0)


def test_a_flow_that_is_too_slow_says_what_to_do():
    start, logs = balanced(WORLD, 0.01), balanced_log(WORLD, -5.0)
    plain = integrate(WORLD, start, until=1e4, max_steps=3)
    assert plain.reason.endswith(": use integrate_log, or raise max_steps and set a time_limit")
    other = integrate_log(WORLD, logs, until=1e4, max_steps=3)
    assert other.reason.startswith("stiff: step below ")
    assert other.reason.endswith(": raise max_steps, and set a time_limit")


@pytest.mark.parametrize("log_scale", [-60.0, -300.0])
def test_while_logits_are_tiny_they_grow_as_a_hyperbolic_sine(log_scale):
    world = SymmetricWorld(4, 8, 2, log_scale)
    times = np.array([0.1, 1.0, 5.0, 30.0, 100.0])
    found = world.at(times)
    relation, subject = world.rates
    for rate, logit, n, m in (
        (relation, found.relation_logit, 4, 8),
        (subject, found.subject_logit, 8, 4),
    ):
        c = math.exp(2 * log_scale) * 33 * math.sqrt(n / ((n - 1) * m)) / 2
        assert logit.max() < 1e-20
        np.testing.assert_allclose(logit, c * np.sinh(2 * rate * times), rtol=1e-12)


@pytest.mark.parametrize("log_scale", [0.0, -20.0, -100.0])
@pytest.mark.parametrize("gain", [5e-324, 1e-300, 1e-40, 1e-22, 1e-20, 1e-15])
def test_escape_times_of_tiny_gains(log_scale, gain):
    """Then the logit n gain is c sinh(2 rate t)."""
    world = SymmetricWorld(4, 8, 2, log_scale)
    for rate, time, n, m in zip(world.rates, world.escape_times(gain), (4, 8), (8, 4), strict=True):
        c = math.exp(2 * log_scale) * 33 * math.sqrt(n / ((n - 1) * m)) / 2
        wanted = math.asinh(n * gain / c) / (2 * rate)
        assert time == pytest.approx(wanted, rel=1e-12, abs=1e-320)


def test_escape_times_rise_with_the_gain():
    world = SymmetricWorld(4, 8, 2, -20.0)
    times = [world.escape_times(gain)[0] for gain in np.geomspace(1e-24, 1e-18, 40)]
    assert (np.diff(times) > 0).all()


@pytest.mark.parametrize("size", [1e-3, 1e-12])
def test_what_is_small_but_no_rounding_is_kept(size):
    """A ratio of (size - b, b) sums to `size`, and its spread 1 - 2 (b - size / 2)^2 is `size` too."""
    b = math.sqrt((1 - size) / 2) + size / 2
    found = conserved_log(LogWeights(np.zeros(1), np.array([[size - b], [b]])))
    assert found.answers[0, 0] == 1
    assert found.answers[1, 0] == pytest.approx(math.log(size), abs=1e-3)
    assert found.spread[0, 0] == 1
    assert found.spread[1, 0] == pytest.approx(math.log(size), abs=1e-3)
    nothing = conserved_log(
        LogWeights(np.zeros(1), np.array([[-math.sqrt(0.5)], [math.sqrt(0.5)]]))
    )
    assert nothing.answers[1, 0] == nothing.spread[1, 0] == -math.inf
