"""Measurements: shared by all checks, drawn in whole chunks, refused when they leave their bounds."""

import math

import pytest
import torch

from numerics.experiments.linear_observables import Observable
from verify.context import Context
from verify.measure import FIRST_LOOK, Experiment, interval_at


def experiment(values=None, fail_at=None):
    """Uniform numbers in [0, 1]; *fail_at*: the call that breaks off. Returns it with its calls."""
    calls = []

    def draw(*, replicates, seed, start, **sizes):
        calls.append(start)
        if fail_at is not None and len(calls) == fail_at:
            raise InterruptedError
        if values is not None:
            return {"x": Observable(values.expand(replicates), 0.0, 1.0)}
        generator = torch.Generator().manual_seed(seed * 1_000_003 + start)
        drawn = torch.rand(replicates, generator=generator, dtype=torch.float64)
        return {"x": Observable(drawn, 0.0, 1.0), "y": Observable(1 - drawn, 0.0, 1.0)}

    return Experiment("uniform", draw), calls


def test_observables_of_one_experiment_share_their_draws():
    source, calls = experiment()
    context = Context()
    x = interval_at(context, source, "x", {"d": 2}, 1e-6, 1)
    y = interval_at(context, source, "y", {"d": 2}, 1e-6, 1)
    assert calls == [0]
    assert x.estimate + y.estimate == pytest.approx(1, abs=1e-12)


def test_a_later_look_extends_the_sample_and_an_earlier_one_stays_as_it_was():
    source, calls = experiment()
    context = Context()
    first = interval_at(context, source, "x", {}, 1e-6, 1)
    second = interval_at(context, source, "x", {}, 1e-6, 2)
    assert calls == [0, FIRST_LOOK]
    assert (first.replicates, second.replicates) == (FIRST_LOOK, 2 * FIRST_LOOK)
    assert interval_at(context, source, "x", {}, 1e-6, 1) == first


def test_a_check_that_is_stopped_in_a_chunk_leaves_the_sample_whole():
    source, calls = experiment(fail_at=2)
    context = Context()
    interval_at(context, source, "x", {}, 1e-6, 1)
    with pytest.raises(InterruptedError):
        interval_at(context, source, "x", {}, 1e-6, 2)
    again = interval_at(context, source, "x", {}, 1e-6, 2)
    assert calls == [0, FIRST_LOOK, FIRST_LOOK]
    assert again.replicates == 2 * FIRST_LOOK


@pytest.mark.parametrize("value", [math.nan, math.inf, 1.5, -0.5])
def test_a_value_outside_its_bounds_is_refused(value):
    source, _ = experiment(values=torch.tensor(value, dtype=torch.float64))
    with pytest.raises(ValueError, match="left its bounds"):
        interval_at(Context(), source, "x", {}, 1e-6, 1)
