"""Measurements: shared by all checks, drawn in whole calls at fixed looks, refused where they cannot be.

A synthetic experiment counts how it is called; what is known of it must not depend on who asks.
"""

import math

import pytest
import torch

from numerics.observables import Bounded, Event, HeavyTailed
from verify.measuring.context import Context, Profile
from verify.measuring.measure import (
    BLOCK,
    Experiment,
    Sample,
    Source,
    Statistic,
    View,
    looks,
    replicates_at,
    sampled,
)
from verify.printed.paper import ERROR_BUDGET, SHARES
from verify.statistics import AssumptionError, BoundedMean, HeavyTailedMean, Probability, difference

ERROR = 1e-6


def uniform(*, name="uniform", fail_at=None, block=BLOCK, afforded=2**17):
    """Numbers in [0, 1] by seed and place; *fail_at*: the call that breaks off. With its calls."""
    calls = []

    def draw(*, replicates, seed, start, **sizes):
        calls.append((start, replicates))
        if len(calls) == fail_at:
            raise InterruptedError
        place = torch.arange(start + 1, start + replicates + 1, dtype=torch.float64)
        drawn = (place * (math.sqrt(5) - 1) / 2 + 0.1 * seed) % 1.0
        return {
            "x": Bounded(drawn, 0.0, 1.0),
            "y": Bounded(1 - drawn, 0.0, 1.0),
            "small": Event(drawn < 0.25),
            "heavy": HeavyTailed(drawn, 0.5, 0.25),
        }

    return Experiment(name, draw, block, afforded), calls


def returning(values, key="x"):
    """An experiment that hands over the same values at every call."""
    return Experiment("fixed", lambda **arguments: {key: Bounded(values, 0.0, 1.0)})


def of(experiment, *observables, combine=None, **sizes):
    sources = tuple(Source(experiment, name, sizes) for name in observables)
    return Statistic(sources) if combine is None else Statistic(sources, combine)


def test_observables_of_one_experiment_share_their_draws():
    experiment, calls = uniform()
    view = View(Context(), ERROR, 1)
    x = view.interval(of(experiment, "x", d=2))
    y = view.interval(of(experiment, "y", d=2))
    assert calls == [(0, BLOCK)]
    assert x.estimate + y.estimate == pytest.approx(1, abs=1e-12)


def test_checks_of_one_context_share_draws_and_those_of_other_sizes_or_contexts_do_not():
    experiment, calls = uniform()
    context = Context()
    for d in (2, 3, 2, 3):
        View(context, ERROR, 1).interval(of(experiment, "x", d=d, N=4))
    View(context, ERROR, 1).interval(Statistic((Source(experiment, "x", {"N": 4, "d": 2}),)))
    assert len(calls) == 2
    View(Context(), ERROR, 1).interval(of(experiment, "x", d=2, N=4))
    assert len(calls) == 3


@pytest.mark.parametrize(
    ("name", "kind"), [("x", BoundedMean), ("small", Probability), ("heavy", HeavyTailedMean)]
)
def test_the_kind_of_an_observable_decides_the_interval(name, kind):
    experiment, _ = uniform()
    source = Source(experiment, name, {})
    assert isinstance(sampled(Context(), source, 1).sequences[name], kind)


def test_the_schedule_of_looks_is_fixed_and_adds_a_fifth_each_time():
    experiment, _ = uniform()
    blocks = [replicates_at(experiment, look) // BLOCK for look in range(1, 15)]
    assert blocks == [1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 18, 22, 27, 33]
    assert replicates_at(Experiment("", experiment.draw, 8), 7) == 64


@pytest.mark.parametrize("profile", Profile)
def test_a_profile_affords_its_effort_times_the_draws_of_the_quick_one(profile):
    experiment, _ = uniform(afforded=10_000)
    context = Context(profile=profile)
    last = looks(context, of(experiment, "x"))[-1]
    afforded = 10_000 * profile.effort
    assert replicates_at(experiment, last) <= afforded < replicates_at(experiment, last + 1)


def test_there_is_a_look_even_where_none_is_afforded():
    experiment, _ = uniform(afforded=1)
    assert list(looks(Context(), of(experiment, "x"))) == [1]


def test_a_later_look_extends_the_sample_and_an_earlier_one_stays_as_it_was():
    experiment, calls = uniform()
    context, x = Context(), of(experiment, "x")
    first = View(context, ERROR, 1).interval(x)
    third = View(context, ERROR, 3).interval(x)
    assert calls == [(0, BLOCK), (BLOCK, BLOCK), (2 * BLOCK, BLOCK)]
    assert [View(context, ERROR, look).interval(x).replicates for look in (1, 2, 3)] == [
        BLOCK,
        2 * BLOCK,
        3 * BLOCK,
    ]
    assert View(context, ERROR, 1).interval(x) == first
    assert View(context, ERROR, 3).interval(x) == third
    assert len(calls) == 3


def test_what_a_look_says_does_not_depend_on_which_looks_were_asked_before():
    experiment, _ = uniform()
    straight, stepwise = Context(), Context()
    for look in (1, 2, 5, 9):
        View(stepwise, ERROR, look).interval(of(experiment, "y"))
    for look in (9, 4):
        for name in ("x", "small", "heavy"):
            one = View(straight, ERROR, look).interval(of(experiment, name))
            assert one == View(stepwise, ERROR, look).interval(of(experiment, name))


def test_all_draws_of_a_look_are_used_once_and_none_beyond():
    experiment, calls = uniform(afforded=2**20)
    last = 22
    sample = sampled(Context(), Source(experiment, "x", {}), last)
    assert sample.replicates == replicates_at(experiment, last)
    start = 0
    for at, replicates in calls:
        assert at == start
        assert at % BLOCK == 0
        start += replicates
    assert start == sample.replicates
    assert len(sample.looks) == last


@pytest.mark.parametrize("block", [8, 1000, 1024, 3000, 50_000])
def test_draws_start_at_multiples_of_the_block(block):
    experiment, calls = uniform(block=block)
    look = next(k for k in range(1, 99) if replicates_at(experiment, k) > 400_000)
    sampled(Context(), Source(experiment, "x", {}), look)
    assert max(replicates for _, replicates in calls) <= max(32768, block)
    assert {start % block for start, _ in calls} == {0}


def test_a_call_asks_for_no_more_than_an_experiment_takes():
    default, calls = uniform()
    experiment = Experiment("small calls", default.draw, BLOCK, 2**17, 2 * BLOCK)
    sample = sampled(Context(), Source(experiment, "x", {}), 14)
    assert {replicates for _, replicates in calls} == {BLOCK, 2 * BLOCK}
    assert sample.replicates == replicates_at(experiment, 14)
    assert {start % BLOCK for start, _ in calls} == {0}


def test_the_seed_reaches_the_experiment():
    experiment, _ = uniform()
    found = [View(Context(seed=s), ERROR, 1).interval(of(experiment, "x")) for s in (0, 0, 1)]
    assert found[0] == found[1] != found[2]


def test_a_check_that_is_stopped_in_a_draw_leaves_the_sample_whole():
    experiment, calls = uniform(fail_at=2)
    context, x = Context(), of(experiment, "x")
    first = View(context, ERROR, 1).interval(x)
    with pytest.raises(InterruptedError):
        View(context, ERROR, 2).interval(x)
    assert View(context, ERROR, 1).interval(x) == first
    again = View(context, ERROR, 2).interval(x)
    assert calls == [(0, BLOCK), (BLOCK, BLOCK), (BLOCK, BLOCK)]
    straight, _ = uniform()
    assert again == View(Context(), ERROR, 2).interval(of(straight, "x"))


def test_a_draw_that_breaks_off_within_a_look_keeps_the_calls_before_it():
    block, look = 16_384, 10  # three blocks more than look 9, in two calls
    experiment, calls = uniform(block=block, fail_at=11)
    context, source = Context(), Source(experiment, "x", {})
    with pytest.raises(InterruptedError):
        sampled(context, source, look)
    kept = context.store[source.key]
    assert kept.replicates == sum(replicates for _, replicates in calls[:10])
    assert replicates_at(experiment, look - 1) < kept.replicates < replicates_at(experiment, look)
    assert kept.sequences["x"].count == kept.replicates
    assert len(kept.looks) == look - 1
    sample = sampled(context, source, look)
    assert sample.sequences["x"].count == sample.replicates == replicates_at(experiment, look)
    straight, _ = uniform(block=block)
    assert sample.looks == sampled(Context(), Source(straight, "x", {}), look).looks


def test_what_is_kept_of_an_earlier_run_is_taken_up_and_every_look_is_offered_to_be_kept():
    class Kept(dict):
        load = dict.get
        save = dict.__setitem__

    experiment, calls = uniform()
    kept, source = Kept(), Source(experiment, "x", {"d": 3})
    first = sampled(Context(kept=kept), source, 2)
    assert kept == {source.key: first}
    later = sampled(Context(kept=kept), source, 3)
    assert [start for start, _ in calls] == [0, BLOCK, 2 * BLOCK]
    straight, _ = uniform()
    assert later.looks == sampled(Context(), Source(straight, "x", {}), 3).looks


@pytest.mark.parametrize("shape", [(1,), (BLOCK - 1,), (BLOCK, 1), (1, BLOCK), ()])
def test_one_value_for_many_replicates_is_refused(shape):
    statistic = of(returning(torch.full(shape, 0.5, dtype=torch.float64)), "x", d=2, N=3)
    with pytest.raises(ValueError, match=r"fixed: x at .*'d': 2, 'N': 3") as found:
        View(Context(), ERROR, 1).interval(statistic)
    assert str(shape) in str(found.value)
    assert f"for {BLOCK} replicates" in str(found.value)


@pytest.mark.parametrize("value", [math.nan, math.inf, 1.5, -0.5])
def test_a_value_that_cannot_be_is_refused_with_seed_and_place(value):
    good, _ = uniform()

    def draw(*, replicates, seed, start, **sizes):
        drawn = good.draw(replicates=replicates, seed=seed, start=start)["x"].values
        if start == BLOCK:
            drawn[17] = value
        return {"x": Bounded(drawn, 0.0, 1.0)}

    context, x = Context(seed=2**63), of(Experiment("spoilt", draw), "x", d=2)
    before = View(context, ERROR, 1).interval(x)
    with pytest.raises(ValueError, match=r"spoilt: x at .*'d': 2") as found:
        View(context, ERROR, 2).interval(x)
    for words in (f"seed {2**63}", f"replicates from {BLOCK}", "position 17", str(value)):
        assert words in str(found.value)
    assert View(context, ERROR, 1).interval(x) == before


def test_values_that_contradict_their_second_moment_are_no_interval():
    def draw(*, replicates, seed, start):
        return {"x": HeavyTailed(torch.full((replicates,), 3.0, dtype=torch.float64), 0.0, 1.0)}

    with pytest.raises(AssumptionError):
        View(Context(), ERROR, 1).interval(of(Experiment("heavier", draw), "x"))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_values_of_either_precision_are_summed_in_double(dtype):
    values = torch.full((BLOCK,), 0.1, dtype=dtype)
    found = View(Context(), ERROR, 1).interval(of(returning(values), "x"))
    assert found.estimate == pytest.approx(float(values[0]), rel=1e-14)


def test_a_statistic_of_several_observables_splits_its_error():
    experiment, _ = uniform()
    context = Context()
    both = View(context, ERROR, 4).interval(of(experiment, "x", "y", combine=difference))
    x = View(context, ERROR / 2, 4).interval(of(experiment, "x"))
    y = View(context, ERROR / 2, 4).interval(of(experiment, "y"))
    assert both == difference(x, y)
    assert both.error == pytest.approx(ERROR, rel=1e-12)


def test_experiments_with_different_blocks_meet_in_one_statistic():
    one, calls_of_one = uniform(name="one", block=8, afforded=64)
    other, calls_of_other = uniform(name="other", block=1024, afforded=2**17)
    both = Statistic((Source(one, "x", {}), Source(other, "y", {"d": 2})), difference)
    context = Context()
    afforded = looks(context, both)
    assert list(afforded) == [1, 2, 3, 4, 5, 6, 7]  # what the dearer of the two affords
    found = View(context, ERROR, 7).interval(both)
    assert sum(r for _, r in calls_of_one) == replicates_at(one, 7) == 64
    assert sum(r for _, r in calls_of_other) == replicates_at(other, 7) == 8192
    assert found.replicates == 64
    assert not found.excludes(0.0)


def test_a_view_with_a_scale_tells_what_more_draws_would_without_drawing_them():
    experiment, calls = uniform()
    context, x = Context(), of(experiment, "x")
    now = View(context, ERROR, 2).interval(x)
    ahead = View(context, ERROR, 2, scale=4.0).interval(x)
    assert len(calls) == 2
    assert ahead.replicates == 8 * BLOCK
    assert ahead.half_width == pytest.approx(now.half_width / 2, rel=0.1)
    real = View(context, ERROR, 7).interval(x)
    assert real.replicates == ahead.replicates
    assert ahead.half_width == pytest.approx(real.half_width, rel=0.05)


def test_a_sample_begins_empty():
    assert Sample() == Sample(0, {}, {}, {}, (), (), (), {}, 0.0)


def test_the_share_of_a_check_does_not_depend_on_what_else_runs():
    assert Context().share == ERROR_BUDGET / SHARES == Context(seed=5).share


def test_draws_that_ignore_their_start_are_refused():
    def repeating(*, replicates, seed, start, **sizes):
        generator = torch.Generator().manual_seed(seed)
        drawn = torch.rand(replicates, generator=generator, dtype=torch.float64)
        return {"x": Bounded(drawn, 0.0, 1.0)}

    source = Source(Experiment("repeating", repeating), "x", {})
    sampled(Context(), source, 1)
    with pytest.raises(ValueError, match=r"begins as replicate 0 did.*let `start` decide"):
        sampled(Context(), source, 2)


def test_constant_values_and_events_may_begin_alike():
    def constant(*, replicates, seed, start, **sizes):
        ones = torch.ones(replicates, dtype=torch.float64)
        return {"x": Bounded(0.5 * ones, 0.0, 1.0), "event": Event(ones)}

    sample = sampled(Context(), Source(Experiment("constant", constant), "x", {}), 3)
    assert len(sample.looks) == 3


def test_two_functions_of_one_name_do_not_share_their_draws():
    def low(*, replicates, seed, start, **sizes):
        return {"x": Bounded(torch.full((replicates,), 0.1, dtype=torch.float64), 0.0, 1.0)}

    def high(*, replicates, seed, start, **sizes):
        return {"x": Bounded(torch.full((replicates,), 0.9, dtype=torch.float64), 0.0, 1.0)}

    context = Context()
    found = [
        View(context, 0.1, 1).interval(Statistic((Source(Experiment("one", draw), "x", {}),)))
        for draw in (low, high)
    ]
    assert [interval.estimate for interval in found] == pytest.approx([0.1, 0.9])


@pytest.mark.parametrize("name", ["block", "afforded", "chunk"])
def test_an_experiment_that_draws_nothing_is_refused(name):
    with pytest.raises(ValueError, match=f"{name}: 0 of experiment 'idle' draws nothing"):
        Experiment("idle", lambda **arguments: {}, **{name: 0})


def test_an_observable_that_is_not_drawn_is_named_with_those_that_are():
    def draw(*, replicates, seed, start):
        return {"x": Event(torch.ones(replicates)), "y": Event(torch.ones(replicates))}

    statistic = Statistic((Source(Experiment("two", draw), "z", {}),))
    with pytest.raises(ValueError, match="two: there is no observable 'z'; it draws x, y"):
        View(Context(), 0.1, 1).interval(statistic)


def test_a_draw_without_names_is_refused():
    def draw(*, replicates, seed, start):
        return torch.ones(replicates)

    with pytest.raises(ValueError, match="gave a Tensor; return observables by name"):
        sampled(Context(), Source(Experiment("bare", draw), "x", {}), 1)


class Twice:
    """Gives what each call gives twice, as who mixes up what others have drawn."""

    def drawn(self, drawing, calls):
        for call in calls:
            yield from [drawing(call)] * 2


def test_what_is_drawn_twice_is_refused():
    experiment, _ = uniform()
    view = View(Context(draws=Twice()), ERROR, 3)
    with pytest.raises(ArithmeticError, match="from 0 on came where those from 256"):
        view.interval(of(experiment, "x", d=2))
