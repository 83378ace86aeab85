"""The flow from Assumption 2 on drawn worlds: what is proved of every trajectory."""

import math
from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.flow import FlowWorld, balanced, integrate
from numerics.papers.nichani.flow_bounds import seen
from numerics.random import Stream
from numerics.tasks import FactTable


@st.composite
def worlds(draw):
    """Tables with up to 4 subjects and 3 relations, any prior, with or without noise."""
    S, R, D = (draw(st.integers(1, most)) for most in (4, 3, 3))
    T = draw(st.integers(3, 7))
    noise = draw(st.integers(1, 5)) if T > 3 else 0
    seed = draw(st.integers(0, 2**32))
    spread = draw(st.sampled_from([0.1, 1.0, 10.0]))
    law = Stream(seed, "prior").generator().dirichlet(np.full(S * R, spread)).reshape(S, R)
    table = FactTable.random(S, R, D, seed=seed)
    return FlowWorld(table, T=T, noise=noise, prior=law)


@settings(max_examples=25, deadline=None)
@given(world=worlds(), scale=st.sampled_from([1e-4, 0.05, 1.0, 3.0]))
def test_every_trajectory_keeps_to_lemma_4_corollary_3_and_lemma_5(world, scale):
    flow = integrate(world, balanced(world, scale), until=10.0, samples=12)
    assert flow.finished
    start = scale * math.sqrt(world.A + 1)
    # Both conserved quantities of every column, relative to what they are made of.
    balance = flow.kq**2 - (flow.ov**2).sum(1)
    assert (abs(balance - scale**2) <= 1e-7 * flow.kq**2).all()
    assert (abs(flow.ov.sum(1) - world.A * scale) <= 1e-7 * flow.kq).all()
    # W_KQ is at least its start, and grows at most at sqrt 2 times the rate of its token.
    assert (flow.kq >= start * (1 - 1e-9)).all()
    grown = np.log(flow.kq / start)
    assert (grown <= math.sqrt(2) * np.outer(flow.times, world.rates) + 1e-7).all()


@settings(max_examples=25, deadline=None)
@given(world=worlds(), scale=st.sampled_from([0.05, 1.0]))
def test_the_loss_falls_and_bounds_the_gradient(world, scale):
    flow = integrate(world, balanced(world, scale), until=10.0, samples=12)
    points = [seen(world, weights) for weights in flow.weights]
    for before, after in pairwise(points):
        assert after.loss <= before.loss * (1 + 1e-9)
    for point in points:
        assert point.gradient <= 2 * world.T * point.weights * point.loss * (1 + 1e-9) + 1e-12
        assert point.wrong <= point.loss * (1 + 1e-9) + 1e-12
