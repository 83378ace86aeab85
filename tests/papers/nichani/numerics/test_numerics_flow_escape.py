"""Numbers about the escape of relations, each against a second way to compute it."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.flow import balanced_log, integrate_log, log_predictions
from numerics.papers.nichani import flow_escape, flow_inequalities

SCENES = [*flow_escape.SCENES, flow_escape.random_scene(7)]


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.words)
def test_snapshots_are_what_the_definitions_say(scene):
    seen = flow_escape.snapshots(scene, 21)
    world = seen.world
    assert not seen.deviation[0].any() or seen.deviation[0].max() < 1e-15
    assert (seen.small >= seen.kq[:, : world.S].max(axis=1) ** 2).all()
    assert (np.diff(seen.small) >= 0).all()
    start = balanced_log(world, scene.log_scale)
    middle, step = scene.until / 2, 1e-4
    path = integrate_log(
        world, start, until=middle + step, samples=[0.0, middle - step, middle, middle + step]
    )
    at = path[2]
    predicted = log_predictions(world, at)
    for r in range(world.R):
        weights = world.prior[:, r] / world.prior[:, r].sum()
        mean = sum(weights[s] * predicted[s, r] for s in range(world.S))
        assert seen.deviation[10, r] == pytest.approx(
            math.sqrt(((mean - 1 / world.A) ** 2).sum()), rel=1e-4, abs=1e-12
        )
        # u before and after, for its derivative.
        away = world.relation_law()[r] - 1 / world.A
        d = math.sqrt((away**2).sum())
        before, now, after = (
            np.array([1.0, w.ratio[:, world.S + r] @ away / d])
            * math.exp(w.log_kq[world.S + r] - at.log_kq[world.S + r])
            for w in (path[1], at, path[3])
        )
        chance = world.prior[:, r].sum()
        error = (after - before) / (2 * step) - chance * d * now[::-1]
        assert seen.planar[10, r] == pytest.approx(
            float(np.hypot(*error)) / chance, rel=1e-2, abs=1e-6
        )


def test_token_sums_count_every_token_once_at_power_zero():
    for scene in flow_escape.SCENES:
        seen = flow_escape.snapshots(scene, 21)
        assert seen.token_sum(0, 0) == pytest.approx(seen.world.T)
        assert seen.token_sum(0, 0, eos=False) == pytest.approx(seen.world.T - 1)


def test_times_and_growth_agree_with_the_solutions():
    g, p, k, x = 0.7, 0.4, 1e-5, 0.2
    exact = math.log(x * (g + 4 * p * k) / (k * (g + 4 * p * x))) / g
    assert flow_inequalities.hitting_time(g, p, k, x) == pytest.approx(exact, rel=1e-12)
    grown = math.exp(g * 3.0)
    exact = g * k * grown / (g + 16 * p * k * (grown - 1))
    assert flow_inequalities.product_growth(g, p, k, 3.0) == pytest.approx(exact, rel=1e-11)


def test_parameters_obey_the_conditions():
    found = flow_inequalities.lemma_parameters(1 / 150, 1 / 50)
    A, d, x, q = (found[name] for name in ("A", "d", "x", "q"))
    assert (d <= np.sqrt(1 - 1 / A)).all()
    assert (x <= d / (50 * (A + 1)) * (1 + 1e-12)).all()
    assert (q * found["log"] <= d / 150 * (1 + 1e-12)).all()
    assert (q / found["T"] >= found["alpha2"] * (A + 1)).all()
    ratio = x / (found["alpha2"] * (A + 1))
    assert np.log(ratio) == pytest.approx(found["log"])


def test_gradients_by_differences_are_those_of_the_flow():
    for world in flow_escape.relation_gradients(3):
        for found in world:
            scale = -found["kq"] * found["chance"]
            assert found["full"] == pytest.approx(scale * found["residual"], abs=1e-8)
            assert found["change"] == pytest.approx(-found["product"], abs=1e-8)
            assert found["full"].sum() == pytest.approx(0, abs=1e-8)


def test_laws_near_p_star_are_laws():
    found = flow_inequalities.near_laws(0)
    assert (np.sqrt(2) * found["q"] < 1 / (2 * found["D"])).all()
    assert (found["l1"] <= np.sqrt(2 * found["A"]) * found["q"] * (1 + 1e-9)).all()
    assert (found["excess"] >= 0).all()
    assert len(found["q"]) > 100


def test_losses_start_at_log_a_and_fall():
    for world, scale, size, loss in flow_escape.starts():
        assert loss == pytest.approx(math.log(world.A), rel=1e-12)
        assert size == pytest.approx(scale**2 * (world.A + 1), rel=1e-12)
    for seen in flow_escape.loss_rates():
        assert (seen.change < 0).all()
        assert (np.diff(seen.loss) < 0).all()
        # The speed is that of the loss over the times.
        fall = np.gradient(seen.loss, seen.times)[5:-5]
        np.testing.assert_allclose(fall, seen.change[5:-5], rtol=0.1)


@settings(max_examples=8)
@given(st.integers(0, 10**6))
def test_half_of_the_bounds_with_eos_holds_on_random_trajectories(seed):
    seen = flow_escape.snapshots(flow_escape.random_scene(seed), 60)
    S, R, T = seen.world.S, seen.world.R, seen.world.T
    square = seen.kq**2
    others = square[:, -1:] + (T - 2) * seen.small[:, None]
    bound = square[:, S : S + R] + others
    assert (seen.deviation <= bound / 2 * (1 + 1e-9) + 1e-13).all()
    assert (seen.planar <= bound / math.sqrt(2) * (1 + 1e-9) + 1e-13).all()
    assert (seen.gradient_gap <= others / 2 * (1 + 1e-9) + 1e-13).all()
    assert (seen.logit_gap <= others * (1 + 1e-9)).all()
