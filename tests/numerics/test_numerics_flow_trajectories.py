"""The flow: what it conserves, how it ends, the same flow by logarithms and by quadrature."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics import FactTable
from numerics.flow import (
    FlowWorld,
    LogWeights,
    StoppedByUser,
    SymmetricWorld,
    Weights,
    balanced,
    balanced_log,
    conserved,
    conserved_log,
    drift,
    equal,
    equal_log,
    gradient,
    integrate,
    integrate_log,
    log_losses,
    losses,
    random,
    to_log,
)
from numerics.flow.fields import log_field
from numerics.flow.logscale import _jacobian
from verify.strategies import seeds

FIGURE5 = {"T": 32, "noise": 20}
LOSSES = ("total", "relation_only", "subject_only")


@st.composite
def worlds(draw):
    """Tables with gaps and facts of no chance."""
    S, R, D = draw(st.integers(1, 5)), draw(st.integers(1, 3)), draw(st.integers(1, 3))
    table = FactTable.random(S, R, D, seed=draw(seeds))
    table = table.subset(draw(st.integers(1, len(table))), seed=draw(seeds))
    facts = table.answers.numpy() >= 0
    chances = np.random.default_rng(draw(seeds)).random(facts.shape) * facts
    if draw(st.booleans()):
        chances[chances < 0.3] = 0
    prior = chances / chances.sum() if chances.any() else None
    return FlowWorld(table, T=draw(st.integers(3, 8)), noise=draw(st.integers(1, 4)), prior=prior)


@st.composite
def starts(draw, world):
    kind = draw(st.sampled_from(["balanced", "equal", "random"]))
    scale = draw(st.sampled_from([1e-3, 0.1, 0.5]))
    if kind == "random":
        return random(world, scale, seed=draw(seeds), full=False)
    return {"balanced": balanced, "equal": equal}[kind](world, scale)


def relation_block_of_one_class():
    """p(1) = 9/10, one answer a relation, no noise: EOS grows first, then has to turn."""
    prior = [[0.45, 0.05], [0.45, 0.05]]
    return FlowWorld(FactTable([[0, 1], [0, 1]]), T=3, noise=0, prior=prior)


@settings(max_examples=40, deadline=None)
@given(st.data(), worlds())
def test_what_lemma_4_conserves(data, world):
    trajectory = integrate(world, data.draw(starts(world)), until=200.0, samples=20)
    found = drift(trajectory)
    assert set(found) == {"balance", "answers"}
    assert max(found.values()) < 1e-9


@settings(max_examples=20, deadline=None)
@given(st.data(), worlds())
def test_the_loss_falls_at_the_rate_of_the_squared_gradient(data, world):
    trajectory = integrate(world, data.draw(starts(world)), until=50.0, samples=100)
    found = np.array([losses(world, w).total for w in trajectory.weights])
    assert (np.diff(found) <= 1e-12).all()
    # A collapsed gradient stands for each noise token, and moves them all.
    copies = np.ones(world.collapsed_tokens)
    copies[-2] = world.noise
    slopes = []
    for weights in trajectory.weights:
        g = gradient(world, weights)
        slopes.append(float((copies * (g.ov**2).sum(0)).sum() + (copies * g.kq**2).sum()))
    dt = np.diff(trajectory.times)
    bound = np.maximum(slopes[1:], slopes[:-1]) * dt
    # Between two samples the slope is not far above its ends.
    assert (-np.diff(found) <= 2 * bound + 1e-9).all()


def test_conserved_quantities_that_do_not_hold_are_seen():
    world = FlowWorld.random(4, 2, 2, T=5, noise=2, seed=0)
    trajectory = integrate(world, balanced(world, 0.1), until=100.0)
    trajectory.kq[50:] *= 1 + 1e-6
    assert drift(trajectory)["balance"] > 1e-7
    trajectory.ov[50:, 0] *= 1 + 1e-6
    assert drift(trajectory)["answers"] > 1e-8
    found = conserved(world, balanced(world, 0.1))
    np.testing.assert_allclose(found["balance"], 0.01)
    np.testing.assert_allclose(found["answers"], 0.4)


@settings(max_examples=20, deadline=None)
@given(st.data(), worlds())
def test_the_flow_by_logarithms_is_the_flow(data, world):
    start = data.draw(starts(world))
    start = Weights(start.ov, abs(start.kq) + 0.05)
    times = [0.5, 3.0, 20.0]
    plain = integrate(world, start, until=100.0, samples=times)
    logs = integrate_log(world, to_log(start), until=100.0, samples=times)
    assert plain.finished
    # A W_KQ that starts unbalanced may cross 0, where it has no logarithm.
    if not logs.finished:
        assert "goes to 0, which has no logarithm: use integrate" in logs.reason
        dense = integrate(world, start, until=100.0)
        assert dense.kq.min() < 0.1
    else:
        assert (plain.kq > 0).all()
        np.testing.assert_allclose(np.exp(logs.log_kq), plain.kq, rtol=1e-7)
        ov = np.exp(logs.log_kq)[:, None] * logs.ratio
        np.testing.assert_allclose(ov, plain.ov, atol=1e-7)


@pytest.mark.parametrize(("plain", "logs"), [(balanced, balanced_log), (equal, equal_log)])
@pytest.mark.parametrize("scale", [1e-2, 1e-6])
def test_the_flow_by_logarithms_from_the_starts(plain, logs, scale):
    world = FlowWorld.random(6, 3, 3, T=6, noise=4, seed=3)
    wanted = integrate(world, plain(world, scale), until=300.0)
    found = integrate_log(world, logs(world, math.log(scale)), until=300.0)
    np.testing.assert_allclose(np.exp(found.log_kq), wanted.kq, rtol=1e-6)
    kept = conserved_log(found.last)
    assert kept is found.kept


def test_the_size_of_the_paper_to_a_million():
    world = FlowWorld.balanced(4, 8, 2, **FIGURE5)
    trajectory = integrate(world, balanced(world, 1e-2), until=1e6)
    assert trajectory.finished
    assert trajectory.reason == "reached"
    assert len(trajectory) == 200
    assert max(drift(trajectory).values()) < 1e-9
    assert losses(world, trajectory.last).total < 2e-6


@pytest.mark.parametrize("sizes", [(4, 8, 2), (3, 1, 4), (1, 4, 1), (2, 3, 1), (2, 2, 3)])
@pytest.mark.parametrize("log_scale", [math.log(0.3), -5.0, -40.0, 0.5])
def test_the_quadrature_is_the_flow(sizes, log_scale):
    R, D, copies = sizes
    world = FlowWorld.balanced(R, D, copies, T=7, noise=5)
    trajectory = integrate_log(world, balanced_log(world, log_scale), until=1e4, samples=40)
    found = SymmetricWorld(R, D, copies, log_scale).at(trajectory.times)
    np.testing.assert_allclose(found.log_kq_subject, trajectory.log_kq[:, 0], atol=2e-9)
    np.testing.assert_allclose(found.log_kq_relation, trajectory.log_kq[:, world.S], atol=2e-9)
    seen = [log_losses(world, weights) for weights in trajectory.weights]
    for name in LOSSES:
        np.testing.assert_allclose(
            getattr(found, name), [getattr(loss, name) for loss in seen], rtol=1e-8, atol=1e-15
        )
    # Noise and EOS stay as they are.
    np.testing.assert_allclose(trajectory.log_kq[:, -2:] - trajectory.log_kq[0, -2:], 0, atol=1e-12)


def test_the_quadrature_against_the_plain_flow():
    world = FlowWorld.balanced(4, 8, 2, **FIGURE5)
    trajectory = integrate(world, balanced(world, 1e-2), until=1e5)
    found = SymmetricWorld(4, 8, 2, math.log(1e-2)).at(trajectory.times)
    wanted = [losses(world, weights) for weights in trajectory.weights]
    for name in LOSSES:
        np.testing.assert_allclose(
            getattr(found, name), [getattr(loss, name) for loss in wanted], rtol=1e-8
        )


@pytest.mark.parametrize("log_scale", [0.0, -10.0, -230.0, -1e9])
def test_the_quadrature_solves_its_equation(log_scale):
    """(log W_KQ)' = tanh(phi) p |v| (1 - P), summed over short times about the escapes."""
    world = SymmetricWorld(4, 8, 2, log_scale)
    escapes = world.escape_times()
    assert 0 < escapes[0] < escapes[1]
    nodes, parts = np.polynomial.legendre.leggauss(12)
    for name, escape, n, p, m in (
        ("relation", escapes[0], 4, 1 / 4, 8),
        ("subject", escapes[1], 8, 1 / 16, 4),
    ):
        for part in (-0.9, -0.1, 0.0, 0.1, 2.0):
            half = 0.02 * min(escape, 50.0)
            middle = escape + part * min(escape, 300.0)
            ends = world.at([middle - half, middle + half])
            flow = world.at(middle + half * nodes)
            rest = (n - 1) / (np.exp(getattr(flow, f"{name}_logit")) + n - 1)
            size = getattr(flow, f"log_kq_{name}") - log_scale - 0.5 * math.log(33)
            # tanh(phi) from log cosh(phi).
            slope = np.sqrt(-np.expm1(-2 * np.maximum(size, 0))) * math.sqrt(n / ((n - 1) * m))
            wanted = half * (parts @ (slope * p * rest))
            found = np.diff(getattr(ends, f"log_kq_{name}"))[0]
            # A time and a logarithm of this size have so many digits.
            rounding = 1e-15 * (middle + abs(log_scale))
            assert found == pytest.approx(wanted, rel=1e-9, abs=8 * rounding)


def test_escape_times():
    world = SymmetricWorld(4, 8, 2, -50.0)
    for gain in (1e-6, 0.5, 0.999):
        relation, subject = world.escape_times(gain)
        right = world.at([relation, subject])
        assert math.exp(-right.relation_only[0]) == pytest.approx(0.25 + 0.75 * gain)
        assert math.exp(-right.subject_only[1]) == pytest.approx(0.125 + 0.875 * gain)
    rates = world.rates
    assert rates[0] == pytest.approx(math.sqrt(4 / (3 * 8)) * 3 / 4 / 4)
    assert rates[1] == pytest.approx(math.sqrt(8 / (7 * 4)) * 7 / 8 / 16)
    grown = world.at([300.0, 400.0])
    assert np.diff(grown.log_kq_relation)[0] == pytest.approx(100 * rates[0], rel=1e-6)
    assert np.diff(grown.log_kq_subject)[0] == pytest.approx(100 * rates[1], rel=1e-6)


def test_the_quadrature_far_out():
    world = SymmetricWorld(4, 8, 2, -230.0)
    found = world.at([0.0, 1e12, 1e280])
    assert found.total[0] == pytest.approx(math.log(32))
    # x / 2 changes like log t, and p |v| (n-1) t = e^x / (2 x): 4 losses at hand.
    x = found.relation_logit[1]
    assert math.exp(x) / (2 * x) == pytest.approx(math.sqrt(1 / 6) * 3 / 4 * 1e12, rel=0.05)
    assert 0 < found.total[2] < 1e-270
    lone = SymmetricWorld(1, 1, 1, -3.0)
    assert not lone.at([0.0, 1e6]).total.any()
    assert lone.escape_times() == (0.0, 0.0)
    assert repr(lone) == "SymmetricWorld(1, 1, 1, log_scale=-3)"


def test_the_jacobian_of_the_flow_by_logarithms():
    world = FlowWorld.random(4, 3, 2, T=6, noise=3, seed=2)
    state = np.random.default_rng(0).normal(size=world.collapsed_tokens * (world.A + 1)) / 2
    field, step = log_field(world), 1e-6
    wanted = [
        (field(state + step * unit) - field(state - step * unit)) / (2 * step)
        for unit in np.eye(len(state))
    ]
    np.testing.assert_allclose(_jacobian(world)(state), np.transpose(wanted), atol=1e-8)


def angles(trajectory):
    """phi(z) of two answers: (W_OV(0) - W_OV(1)) / sqrt 2 = root of the spread times sinh phi."""
    size = np.maximum(trajectory.log_kq - trajectory.kept.spread[1] / 2, 0.0)
    ratio = (trajectory.ratio[:, 0] - trajectory.ratio[:, 1]) / math.sqrt(2)
    far = size + np.log1p(np.sqrt(-np.expm1(-2 * size)))
    near = np.arctanh(np.clip(ratio, -0.95, 0.95))
    return np.where(abs(ratio) < 0.9, near, np.sign(ratio) * far)


@pytest.mark.parametrize("log_scale", [-5.0, -23.0, -400.0, -1e5])
def test_a_weight_that_grows_and_turns_back_at_any_scale(log_scale):
    """Of two answers the angle of EOS is the sum of those of the relations, at every moment."""
    world = relation_block_of_one_class()
    trajectory = integrate_log(
        world, balanced_log(world, log_scale), until=1e3 * max(10, -log_scale)
    )
    assert trajectory.finished
    phi = angles(trajectory)
    eos, relations, subjects = phi[:, -1], phi[:, 2:4].sum(1), phi[:, :2].sum(1)
    assert eos.max() > 0.8 * -log_scale
    assert eos[-1] < 1
    np.testing.assert_allclose(eos, relations, atol=1e-9 * max(1, eos.max()))
    np.testing.assert_allclose(eos, subjects, atol=1e-9 * max(1, eos.max()))


def one_relation_of_four_answers():
    """p(2) = 4/5 with one answer, A_1 of four alike: EOS grows first, and is pulled back straight."""
    table = FactTable([[s % 4, 4] for s in range(8)])
    return FlowWorld(table, T=3, noise=0, prior=[[0.2 / 8, 0.8 / 8]] * 8)


def size_of_eos(trajectory):
    """log W_KQ of EOS by its exact angle, the sum of the two relations' angles of opposite signs."""
    above = trajectory.log_kq - trajectory.kept.spread[1] / 2
    size = np.maximum(above[:, 8:10], 0.0)
    phi = size + np.log1p(np.sqrt(-np.expm1(-2 * size)))
    angle = phi[:, 1] - phi[:, 0]
    return trajectory.log_kq[:, -1] - above[:, -1] + np.logaddexp(angle, -angle) - math.log(2)


@pytest.mark.parametrize("log_scale", [-40.0, -100.0, -400.0])
def test_a_weight_pulled_back_along_its_line_is_right_or_the_run_ends(log_scale):
    world = one_relation_of_four_answers()
    trajectory = integrate_log(
        world, balanced_log(world, log_scale), until=-12 * log_scale, samples=400
    )
    eos = trajectory.log_kq[:, -1]
    np.testing.assert_allclose(eos, size_of_eos(trajectory), rtol=0, atol=1e-5)
    assert 18 < eos.max() - eos[-1] < 25
    assert trajectory.finished == (log_scale == -40)
    if not trajectory.finished:
        assert trajectory.reason.startswith("log W_KQ(11) has fallen by 2")
        assert "rounding turns it: use a larger log_scale, at t = " in trajectory.reason


def test_without_the_limit_of_the_fall_rounding_turns_the_weight(monkeypatch):
    world = one_relation_of_four_answers()
    monkeypatch.setattr("numerics.flow.logscale.LARGEST_FALL", math.inf)
    trajectory = integrate_log(world, balanced_log(world, -100.0), until=1200.0, samples=400)
    off = abs(trajectory.log_kq[:, -1] - size_of_eos(trajectory))
    fall = np.maximum.accumulate(trajectory.log_kq[:, -1]) - trajectory.log_kq[:, -1]
    assert trajectory.finished
    assert off.max() > 10
    assert fall[np.argmax(off > 1e-3)] > 29


def test_a_run_that_goes_on_counts_the_fall_from_there():
    world = one_relation_of_four_answers()
    cut = integrate_log(world, balanced_log(world, -100.0), until=1200.0)
    rest = integrate_log(
        world, cut.last, start=float(cut.times[-1]), until=float(cut.times[-1]) + 2, samples=2
    )
    assert not cut.finished
    assert rest.finished


def test_the_plain_flow_says_when_it_has_lost_the_start():
    world = relation_block_of_one_class()
    trajectory = integrate(world, balanced(world, 1e-10), until=1e4)
    assert not trajectory.finished
    assert trajectory.reason.startswith("balance lost by token 5: use integrate_log")
    logs = integrate_log(world, balanced_log(world, math.log(1e-10)), until=trajectory.times[-1])
    np.testing.assert_allclose(np.exp(logs.log_kq[-1]), trajectory.kq[-1], rtol=1e-4)


@pytest.mark.parametrize("log_scale", [-100.0, -1e6])
def test_scales_beyond_floats(log_scale):
    world = FlowWorld.random(4, 2, 2, T=3, noise=0, seed=1)
    until = 200 * abs(log_scale)
    trajectory = integrate_log(world, balanced_log(world, log_scale), until=until)
    assert trajectory.finished
    assert log_losses(world, trajectory.last).total < 1e-2
    growth = trajectory.log_kq[-1] - trajectory.log_kq[0]
    assert growth[world.S : world.S + world.R].min() == pytest.approx(-log_scale, rel=0.1)


def test_the_implicit_method_agrees_with_the_explicit_one(monkeypatch):
    world = FlowWorld.random(4, 2, 2, T=3, noise=0, seed=1)
    start = balanced_log(world, -300.0)
    found = integrate_log(world, start, until=1e5)
    monkeypatch.setattr("numerics.flow.stepping.DOUBLING", 1e9)
    explicit = integrate_log(world, start, until=1e5)
    for a, b in zip(found.weights, explicit.weights, strict=True):
        assert log_losses(world, a).total == pytest.approx(log_losses(world, b).total, rel=1e-6)


def test_a_world_too_large_for_a_jacobian_does_without(monkeypatch):
    monkeypatch.setattr("numerics.flow.logscale.JACOBIAN_LIMIT", 1)
    world = FlowWorld.random(4, 2, 2, T=3, noise=0, seed=1)
    found = integrate_log(world, balanced_log(world, -300.0), until=1e5, max_steps=500)
    assert found.reason.startswith("stiff: step below")


@pytest.mark.parametrize("logs", [False, True])
def test_a_run_cut_short_can_be_continued(logs):
    world = FlowWorld.random(5, 3, 3, T=5, noise=3, seed=4)
    run = integrate_log if logs else integrate
    start = balanced_log(world, -3.0) if logs else balanced(world, math.exp(-3))
    whole = run(world, start, until=500.0)
    cut = run(world, start, until=500.0, time_limit=1e-9)
    assert not cut.finished
    assert cut.reason == "time limit"
    assert len(cut) >= 2
    cut = run(world, start, until=500.0, max_steps=30)
    assert cut.reason.startswith("stiff: step below ")
    assert 0 < cut.times[-1] < 500
    rest = run(world, cut.last, start=float(cut.times[-1]), until=500.0)
    assert rest.finished
    assert rest.times[0] == cut.times[-1]
    np.testing.assert_allclose(rest.last.theta, whole.last.theta, atol=1e-7)


@pytest.mark.parametrize("logs", [False, True])
def test_ctrl_c_keeps_what_is_done(logs):
    world = FlowWorld.random(5, 3, 3, T=5, noise=3, seed=4)
    run = integrate_log if logs else integrate
    start = balanced_log(world, -3.0) if logs else balanced(world, math.exp(-3))
    seen = []

    def progress(time, until):
        seen.append(time)
        assert until == 500
        if time > 20:
            raise KeyboardInterrupt

    with pytest.raises(StoppedByUser, match="stopped at t = ") as caught:
        run(world, start, until=500.0, progress=progress)
    done = caught.value.trajectory
    assert done.reason == "interrupted"
    np.testing.assert_array_equal(done.times[1:], seen)
    assert isinstance(caught.value, KeyboardInterrupt)
    assert run(world, done.last, start=float(done.times[-1]), until=500.0).finished


@pytest.mark.parametrize("logs", [False, True])
def test_between_samples(logs):
    world = FlowWorld.random(5, 3, 3, T=5, noise=3, seed=4)
    run = integrate_log if logs else integrate
    start = balanced_log(world, -3.0) if logs else balanced(world, math.exp(-3))
    trajectory = run(world, start, until=100.0, samples=[1.0, 10.0])
    np.testing.assert_array_equal(trajectory.times, [0, 1, 10, 100])
    np.testing.assert_array_equal(trajectory.at(10.0).theta, trajectory[2].theta)
    wanted = run(world, start, until=42.0).last.theta
    np.testing.assert_allclose(trajectory.at(42.0).theta, wanted, atol=1e-8)


def test_nothing_moves_where_there_is_one_answer():
    world = FlowWorld(FactTable([[0], [0]]), T=4, noise=2)
    trajectory = integrate(world, balanced(world, 0.1), until=1e6)
    assert trajectory.finished
    assert (trajectory.ov == 0.1).all()
    logs = integrate_log(world, balanced_log(world, -1e6), until=1e6)
    assert (logs.log_kq == logs.log_kq[0]).all()


def test_a_token_of_no_chance_does_not_move():
    table = FactTable([[0, 1], [0, 1], [0, 1]])
    world = FlowWorld(table, T=3, noise=2, prior=[[0.5, 0.2], [0.2, 0.1], [0.0, 0.0]])
    trajectory = integrate(world, balanced(world, 0.1), until=100.0)
    assert (trajectory.ov[:, :, 2] == 0.1).all()
    # T = 3 leaves no place for noise.
    assert (trajectory.kq[:, -2] == trajectory.kq[0, -2]).all()


def test_a_start_at_the_saddle_stays_there():
    world = FlowWorld.random(3, 2, 2, T=4, noise=2, seed=0)
    zero = Weights(np.zeros((4, 7)), np.zeros(7))
    trajectory = integrate(world, zero, until=100.0)
    assert trajectory.finished
    assert not trajectory.ov.any()
    assert not np.isnan(drift(trajectory)["balance"])


def test_log_weights_without_a_memory_find_it():
    world = FlowWorld.random(3, 2, 2, T=4, noise=2, seed=0)
    start = balanced_log(world, -2.0)
    trajectory = integrate_log(world, start, until=10.0)
    bare = LogWeights(trajectory.last.log_kq, trajectory.last.ratio)
    found = conserved_log(bare)
    np.testing.assert_allclose(found.spread[1], trajectory.kept.spread[1], atol=1e-9)
    np.testing.assert_allclose(found.answers[1], trajectory.kept.answers[1], atol=1e-9)
