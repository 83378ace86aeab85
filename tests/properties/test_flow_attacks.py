"""Attacks on the bounds of Lemmas 5 and 6: a search that is led towards the edge must not cross it."""

import math

import numpy as np
from hypothesis import given, settings, target
from hypothesis import strategies as st

from numerics.flow import (
    FlowWorld,
    balanced,
    balanced_log,
    integrate,
    integrate_log,
    predictions,
)
from numerics.tasks import FactTable


@st.composite
def worlds(draw):
    """Small tables with any prior, T from 3 to 6, an initial scale, and a time."""
    S, R, D = (draw(st.integers(1, most)) for most in (4, 3, 3))
    T = draw(st.integers(3, 6))
    seed = draw(st.integers(0, 2**32))
    weights = np.array(
        draw(st.lists(st.floats(1e-6, 1.0), min_size=S * R, max_size=S * R))
    ).reshape(S, R)
    table = FactTable.random(S, R, D, seed=seed)
    world = FlowWorld(table, T=T, noise=draw(st.integers(1, 4)), prior=weights / weights.sum())
    return world, 10 ** draw(st.floats(-6, 0.5)), 10 ** draw(st.floats(-1, 1.5))


@settings(max_examples=40, deadline=None)
@given(worlds())
def test_no_weight_outgrows_lemma_5(drawn):
    world, scale, until = drawn
    flow = integrate(world, balanced(world, scale), until=until, samples=6, rtol=1e-9)
    start = math.log(scale * math.sqrt(world.A + 1))
    grown = np.log(flow.kq[1:]) - start
    # The exponents of the lemma: 2 p(s) t, and 2 T t/|N| for a noise token.
    allowed = 2 * np.outer(flow.times[1:], world.rates[: world.S])
    noise = 2 * world.T / world.noise * flow.times[1:]
    used = max(
        float((grown[:, : world.S] / allowed).max()),
        float((grown[:, world.S + world.R] / noise).max()),
    )
    target(used)
    assert used <= math.sqrt(0.5) * (1 + 1e-6)


@settings(max_examples=40, deadline=None)
@given(worlds())
def test_predictions_leave_the_uniform_law_no_faster_than_the_corrected_line(drawn):
    """|E[p-hat|r] - p0| is at most half the squares of W_KQ along a sequence, EOS among them."""
    world, scale, until = drawn
    flow = integrate(world, balanced(world, scale), until=until, samples=6, rtol=1e-9)
    S, R = world.S, world.R
    used = 0.0
    for weights in flow.weights:
        of_relation = np.where(world.prior > 0, world.prior, 0.0) / world.prior.sum(0)
        mean = (of_relation[:, :, None] * predictions(world, weights)).sum(0)
        moved = np.sqrt(((mean - 1 / world.A) ** 2).sum(1))
        squares = weights.kq**2
        light = max(float(squares[:S].max()), float(squares[S + R]))
        bound = squares[S : S + R] + squares[-1] + (world.T - 2) * light
        used = max(used, float((moved / bound).max()))
    target(used)
    assert used <= 0.5 * (1 + 1e-9)


@st.composite
def stepwise(draw):
    """Tables with two relations and at least as many answers for each, and a scale down to e^-300."""
    S, D = draw(st.integers(2, 6)), draw(st.integers(1, 3))
    seed = draw(st.integers(0, 2**32))
    return FactTable.random(S, 2, D, seed=seed), draw(st.integers(-300, -3))


@settings(max_examples=25, deadline=None)
@given(stepwise())
def test_own_mass_of_a_relation_only_grows(drawn):
    """The potential of the proof of Theorem 6: sum over A_r of W_OV(a, r) never falls."""
    table, log_scale = drawn
    world = FlowWorld(table, T=3, noise=1)
    flow = integrate_log(world, balanced_log(world, log_scale), until=-6.0 * log_scale, samples=40)
    S = world.S
    for r in range(world.R):
        own = world.of_relation[r]
        # In logarithms: the sum is W_KQ(r) times that of the ratios.
        inside = flow.ratio[:, own, S + r].sum(1)
        assert (inside > 0).all()
        sizes = flow.log_kq[:, S + r] + np.log(inside)
        target(-float(np.diff(sizes).min()), label=f"relation {r}")
        assert (np.diff(sizes) >= -1e-7 * np.maximum(1, abs(sizes[1:]))).all()
        assert (sizes <= flow.log_kq[:, S + r] + 0.5 * math.log(own.sum()) + 1e-9).all()
