"""The right sides of the flows: compiled and by numpy, the same to rounding."""

import numpy as np
import pytest

from numerics import FactTable, compiling
from numerics.flow import FlowWorld, fields

compiled = pytest.importorskip("numerics.flow.compiled", exc_type=ImportError)


def worlds():
    """A full table, one with gaps, facts of no chance, no noise, many noise tokens, one answer."""
    yield FlowWorld.random(5, 3, 2, T=6, noise=3, seed=1)
    gaps = FactTable.random(6, 4, 3, seed=2).subset(11, seed=3)
    yield FlowWorld(gaps, T=9, noise=2)
    chances = np.random.default_rng(4).random((6, 4)) * (gaps.answers.numpy() >= 0)
    chances[chances < 0.3] = 0
    yield FlowWorld(gaps, T=3, noise=0, prior=chances / chances.sum())
    yield FlowWorld.random(3, 1, 1, T=40, noise=50, seed=5)


WORLDS = pytest.mark.parametrize(
    "world", list(worlds()), ids=["full", "gaps", "prior", "one answer"]
)


def states(world, scale):
    rng = np.random.default_rng(6)
    return (rng.normal(size=world.collapsed_tokens * (world.A + 1)) * scale for _ in range(5))


@WORLDS
@pytest.mark.parametrize("scale", [1e-8, 0.3, 4.0])
@pytest.mark.parametrize("name", ["field", "log_field"])
def test_both_programs_find_the_same_change(world, scale, name):
    plain, fast = getattr(fields, name)(world), getattr(compiled, name)(world)
    for state in states(world, scale):
        wanted = plain(state)
        size = np.abs(wanted).max()
        np.testing.assert_allclose(fast(state), wanted, rtol=1e-9, atol=1e-13 * size)


@WORLDS
def test_both_programs_put_back_the_same(world):
    rng, Z = np.random.default_rng(7), world.collapsed_tokens
    for state in states(world, 0.5):
        before = state.copy()
        sign, size = rng.integers(-1, 2, Z).astype(float), rng.normal(size=Z) * 3
        plain = fields.projection(world, sign, size)(state)
        fast = compiled.projection(world, sign, size)(state)
        np.testing.assert_allclose(fast, plain, rtol=1e-12, atol=1e-13)
        assert (state == before).all()


@WORLDS
def test_a_step_tried_too_far_is_no_error(world):
    for state in states(world, 1e200):
        for program in (fields, compiled):
            with np.errstate(over="ignore", invalid="ignore"):
                assert not np.isfinite(program.field(world)(state)).all()
                program.log_field(world)(state)


def test_where_nothing_can_be_compiled_numpy_does_it(monkeypatch):
    assert fields.program() is compiled
    monkeypatch.setattr(compiling, "numba_is_there", lambda: False)
    assert fields.program() is fields
