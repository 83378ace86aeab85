"""Intervals hold at every stopping time, are no narrower than their theory, and no wider than it.

What the code computes is compared with slow evaluations that share nothing with it: sums in exact
fractions, mixtures of supermartingales with 30 digits, coverage by summing over all outcomes.
"""

import functools
import itertools
import json
import math
from dataclasses import replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from verify.statistics import (
    UNDEFINED,
    UNKNOWN,
    AssumptionError,
    AtLeast,
    AtMost,
    Between,
    BoundedMean,
    HeavyTailedMean,
    Interval,
    Probability,
    clopper_pearson,
    difference,
    logarithm,
    sequences,
    slope,
    variance_about,
)
from verify.statistics.sequences import _RATES, _STAKES, Epoch, from_state, to_state

MP = mpmath.MPContext()
MP.dps = 30
GOLDEN = (math.sqrt(5) - 1) / 2


def even(n: int, start: int = 0) -> np.ndarray:
    """Points spread evenly over (0, 1): as good as uniform draws, without their noise."""
    return (np.arange(start + 1, start + n + 1) * GOLDEN) % 1.0


def point(value: float, error: float = 0.1) -> Interval:
    return Interval(value, value, value, 10, error)


def misses(sequence, draws, mean: float, error: float, first: int = 1, growth: float = 2.0) -> int:
    """In how many rows of *draws* the interval ever excludes *mean*, looked at as they grow."""
    count = 0
    looks = sorted({round(first * growth**k) for k in range(64)})
    for row in draws:
        known, done = sequence, 0
        for look in itertools.takewhile(lambda n: n <= draws.shape[1], looks):
            known, done = known.extended(row[done:look]), look
            try:
                missed = known.interval(error).excludes(mean)
            except AssumptionError:
                missed = True
            if missed:
                count += 1
                break
    return count


# -- bounded mean --------------------------------------------------------------------------------

#: The rates that the mixture is documented to have, over the span, and their largest steepness.
MOST = MP.mpf(9) / 10
STEEP = [64 * MOST * MP.mpf(2) ** (-MP.mpf(k) / 2) for k in range(32)]


def psi(r):
    return -MP.log(1 - r) - r


def precise(value):
    """A Fraction or a float with thirty digits."""
    value = Fraction(value)
    return MP.mpf(value.numerator) / value.denominator


def mean_before(before, part):
    return sum(before) / len(before) if before else Fraction(0)


def naive_epochs(values, low, high, centre_of=mean_before):
    """Count, sum, sum of squares about a centre, and the centre of every epoch, from the middle of
    the range and exactly: value 0, value 1, values 2 and 3, values 4 to 7, and so on."""
    middle = (Fraction(low) + Fraction(high)) / 2
    offsets = [Fraction(value) - middle for value in values]
    cuts = [0, *itertools.takewhile(lambda k: k < len(offsets), (2**j for j in range(64)))]
    found = []
    for start, stop in itertools.pairwise([*cuts, len(offsets)]):
        before, part = offsets[:start], offsets[start:stop]
        if part:
            centre = centre_of(before, part)
            squares = sum(((x - centre) ** 2 for x in part), Fraction(0))
            found.append((len(part), sum(part, Fraction(0)), squares, centre))
    return found


def own_distance(side, centre, span):
    """From the centre to the bound that a lower (side 1) or upper (side -1) end pays for."""
    return max(span / 2 + side * centre, span / 64)


def naive_processes(epochs, mu, low, high, side, reach_of=own_distance, most=MOST):
    """The logarithm at mu of every rate's supermartingale, with thirty digits."""
    low, high = Fraction(low), Fraction(high)
    span, away = high - low, precise(Fraction(mu) - (low + high) / 2)
    logs = [MP.mpf(0)] * len(STEEP)
    for count, total, squares, centre in epochs:
        reach = precise(reach_of(side, centre, span))
        pull, scatter = side * (precise(total) - count * away), precise(squares) / reach**2
        for k, rate in enumerate(STEEP):
            rate = rate / precise(span)
            if rate * reach <= most * (1 + MP.mpf("1e-9")):
                logs[k] += rate * pull - psi(rate * reach) * scatter
    return logs


def processes(known: BoundedMean, mu: float, side: int) -> np.ndarray:
    """The same as the code has them: what it hands to the search for the end."""
    taken = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sequences, "_crossing", lambda *args: taken.extend(args) or 0.0)
        known._crossing(float(side), 1.0)
    logs, tilts, _ = taken
    middle = (known.low + known.high) / 2
    return np.array(logs) + side * (middle - mu) * np.array(tilts)


def mixture(logs):
    return MP.log(MP.fsum(MP.exp(value) for value in logs) / len(logs))


SAMPLES = {
    "uniform": (0.0, 1.0, lambda u: u),
    "skewed": (0.0, 1.0, lambda u: u**6),
    "skewed to the top": (0.0, 1.0, lambda u: 1 - u**6),
    "two points": (-2.0, 5.0, lambda u: np.where(u < 0.1, 5.0, -2.0)),
    "rare": (0.0, 1.0, lambda u: np.where(u < 0.01, 1.0, 0.0)),
    "constant": (-1.0, 1.0, lambda u: 0 * u + 0.25),
    "at the upper bound": (0.0, 1.0, lambda u: 0 * u + 1.0),
    "at the lower bound": (0.0, 1.0, lambda u: 0 * u),
    "far from zero": (1e6, 1e6 + 1, lambda u: 1e6 + np.round(1024 * u) / 1024),
}


def sample(name: str, n: int):
    low, high, law = SAMPLES[name]
    return law(even(n)), low, high


@functools.cache
def sampled(name: str, n: int):
    """A sample's state, and its exact epochs."""
    values, low, high = sample(name, n)
    return BoundedMean(low, high).extended(values), naive_epochs(values, low, high)


def test_a_centre_is_the_mean_of_all_values_before_its_epoch():
    known = BoundedMean(0.0, 1.0).extended([1.0, 0.0, 0.5, 1.0, 0.25])
    # From the middle 1/2; the centres are the means of nothing, 1 value, 2 values, 4 values.
    assert known.epochs == (
        Epoch(1, 0.5, 0.25, 0.0),
        Epoch(1, -0.5, 1.0, 0.5),
        Epoch(2, 0.5, 0.25, 0.0),
        Epoch(1, -0.25, 0.375**2, 0.125),
    )
    assert (known.count, known.mean) == (5, 0.55)


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 57, 64, 65])
def test_the_epochs_are_those_of_exact_fractions(name, n):
    known, exact = sampled(name, n)
    span = known.high - known.low
    assert [epoch.count for epoch in known.epochs] == [count for count, *_ in exact]
    for found, (count, total, squares, centre) in zip(known.epochs, exact, strict=True):
        assert found.total == pytest.approx(float(total), rel=1e-12, abs=1e-13 * span * count)
        assert found.squares == pytest.approx(float(squares), rel=1e-12, abs=1e-13 * span**2)
        assert found.centre == pytest.approx(float(centre), rel=1e-12, abs=1e-13 * span)


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("n", [1, 2, 3, 57, 700])
@pytest.mark.parametrize("side", [1, -1])
def test_the_process_of_every_rate_is_the_one_of_exact_fractions(name, n, side):
    known, exact = sampled(name, n)
    for share in (0.0, 0.3, 1.0):
        mu = known.low + share * (known.high - known.low)
        found = processes(known, mu, side)
        expected = naive_processes(exact, mu, known.low, known.high, side)
        assert found == pytest.approx([float(value) for value in expected], rel=1e-10, abs=1e-10)


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize(
    "cuts",
    [[], [1], [2], [0, 0, 1], [1, 2, 3], [64, 128], [1000, 1003, 2500], list(range(7, 3000, 7))],
)
def test_a_bounded_mean_does_not_depend_on_how_values_are_cut_into_batches(name, cuts):
    values, low, high = sample(name, 3000)
    span, whole, parts = high - low, BoundedMean(low, high).extended(values), BoundedMean(low, high)
    for part in np.split(values, cuts):
        parts = parts.extended(part)
    assert parts.count == whole.count == 3000
    for found, other in zip(parts.epochs, whole.epochs, strict=True):
        assert found.count == other.count
        assert found.total == pytest.approx(other.total, rel=1e-12, abs=1e-12 * span)
        assert found.squares == pytest.approx(other.squares, rel=1e-12, abs=1e-12 * span**2)
        assert found.centre == pytest.approx(other.centre, rel=1e-12, abs=1e-13 * span)
    one, other = parts.interval(1e-9), whole.interval(1e-9)
    slack = 1e-12 * max(span, 1e-2 * abs(high))
    assert one.low == pytest.approx(other.low, abs=slack)
    assert one.high == pytest.approx(other.high, abs=slack)
    assert one.estimate == pytest.approx(float(np.mean(values)), abs=slack)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 1.0000001, -0.0000001])
def test_a_value_outside_its_bounds_is_refused_with_its_position(bad):
    with pytest.raises(ValueError, match=r"at position 2 is not in \[0.0, 1.0\]"):
        BoundedMean(0.0, 1.0).extended([0.0, 1.0, bad, 0.5, bad])


def test_rounding_at_the_bounds_is_forgiven():
    known = BoundedMean(0.0, 1.0).extended([1 + 4e-16, -4e-16])
    assert known.count == 2


@pytest.mark.parametrize(
    ("low", "high"),
    [
        *((1.0, 1.0), (1.0, 0.0), (math.nan, 1.0), (0.0, math.inf), (-math.inf, 0.0)),
        (-1e308, 1e308),  # their span is no number
    ],
)
def test_bounds_that_bound_nothing_are_refused(low, high):
    with pytest.raises(ValueError, match="are no bounds"):
        BoundedMean(low, high)


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("n", [1, 2, 8, 90, 700])
@pytest.mark.parametrize("error", [0.5, 1e-3, 1e-10])
def test_at_the_ends_the_mixture_is_two_over_the_error_and_inside_it_is_less(name, n, error):
    known, epochs = sampled(name, n)
    low, high, found = known.low, known.high, known.interval(error)
    limit, step = MP.log(2 / MP.mpf(error)), 1e-6 * (high - low)
    slack = 1e-8 * (1 + max(abs(low), abs(high)) / (high - low) / 1e3)

    def evidence(mu, side):
        return mixture(naive_processes(epochs, mu, low, high, side))

    for end, bound, side in ((found.low, low, 1), (found.high, high, -1)):
        assert low <= end <= high
        if end == bound:  # nothing outside the bounds needs excluding
            assert evidence(end, side) <= limit + slack
            continue
        assert limit - slack <= evidence(end, side) <= limit + slack
        assert evidence(end + side * step, side) < limit


def test_before_the_first_value_the_interval_is_the_range():
    for known in (BoundedMean(-3.0, 5.0), BoundedMean(-3.0, 5.0).extended([])):
        found = known.interval(0.1)
        assert (found.low, found.high, found.estimate, found.replicates) == (-3.0, 5.0, 1.0, 0)


@pytest.mark.parametrize("error", [0.5, 1e-9])
@pytest.mark.parametrize("largest", [0.0, 3.0])
def test_rates_that_are_zero_weigh_in_the_mixture_but_never_reach_the_limit(error, largest):
    # Twenty rates sit out with a log of 0, three play, one of them with next to no weight.
    logs, rates = [0.0] * 20 + [largest - 4, -70.0, largest], [0.0] * 20 + [0.3, 40.0, 7.0]
    limit = math.log(2 / error)
    end = sequences._crossing(logs, rates, limit)
    terms = [MP.exp(MP.mpf(a) + MP.mpf(r) * MP.mpf(end)) for a, r in zip(logs, rates, strict=True)]
    assert 0 <= MP.log(MP.fsum(terms) / len(terms)) - limit <= 1e-8


@pytest.mark.parametrize(("factor", "shift"), [(3.0, 7.0), (0.001, -2.0), (-2.5, 1.0)])
@pytest.mark.parametrize("name", ["uniform", "skewed", "two points", "at the lower bound"])
def test_the_interval_follows_an_affine_map_of_values_and_bounds(name, factor, shift):
    values, low, high = sample(name, 500)
    found = BoundedMean(low, high).extended(values).interval(1e-3)
    ends = sorted(factor * end + shift for end in (low, high))
    mapped = BoundedMean(*ends).extended(factor * values + shift).interval(1e-3)
    expected = sorted(factor * end + shift for end in (found.low, found.high))
    assert [mapped.low, mapped.high] == pytest.approx(expected, abs=1e-12 * (ends[1] - ends[0]))


SPANS = [1.0, 3.0, 5.0, 6.0, 7.0, 9.0, 10.0, 49.0, 0.1, 0.3, 2.5, 1 / 7, 1e-9, 14e9]


def test_a_rate_that_is_just_right_plays_whatever_the_rounding():
    """From a bound or the middle to a bound, times a rate, is the largest steepness exactly."""
    for law in (lambda u: 0 * u, lambda u: np.where(u < 0.5, 1.0, 0.0)):
        values = law(even(300))
        widths = [
            BoundedMean(0.0, span).extended(span * values).interval(1e-9).half_width / span
            for span in SPANS
        ]
        assert widths == pytest.approx([widths[0]] * len(SPANS), rel=1e-9)


@pytest.mark.parametrize(("low", "high"), [(0.1, 0.7), (-0.3, 0.1), (1 / 3, 1.1)])
def test_nor_does_the_cut_decide_where_all_values_are_at_a_bound(low, high):
    values = np.full(3000, low)
    whole = BoundedMean(low, high).extended(values).interval(1e-9)
    for step in (1, 7, 256):
        parts = BoundedMean(low, high)
        for part in np.split(values, range(step, 3000, step)):
            parts = parts.extended(part)
        assert parts.interval(1e-9).high == pytest.approx(whole.high, abs=1e-12 * (high - low))


@pytest.mark.parametrize("name", ["uniform", "two points", "skewed", "skewed to the top"])
def test_the_width_shrinks_like_the_root_of_the_replicates(name):
    low, high, law = SAMPLES[name]
    known, widths, done = BoundedMean(low, high), [], 0
    for n in (10_000, 40_000, 160_000, 640_000):
        known, done = known.extended(law(even(n - done, done))), n
        widths.append(known.interval(1e-9).half_width)
        # About sqrt(2 log(2/error) variance/n), and no more than a third above it.
        values = law(even(n))
        best = math.sqrt(2 * math.log(2e9) * float(values.var()) / n)
        assert best <= widths[-1] <= 1.35 * best
    for one, four in itertools.pairwise(widths):
        assert one / four == pytest.approx(2, rel=0.12)


def test_the_interval_shrinks_to_the_mean_at_rate_one_where_nothing_varies():
    found = BoundedMean(0.0, 1.0).extended(np.full(10_000, 0.5)).interval(1e-9)
    assert found.half_width < 30 / 10_000


@pytest.mark.parametrize("n", [1, 3, 100, 10_000])
@pytest.mark.parametrize("error", [0.1, 1e-9])
@pytest.mark.parametrize("bounds", [(0.0, 1.0), (-1.0, 0.0), (-3.0, 1.0)])
def test_values_that_are_all_at_a_bound_leave_that_end_there(n, error, bounds):
    low, high = bounds
    span, cost = high - low, math.log(2 / error) + math.log(len(STEEP))
    for value, mirror in ((low, high), (high, low)):
        found = BoundedMean(low, high).extended(np.full(n, value)).interval(error)
        near, far = (found.low, found.high) if value == low else (found.high, found.low)
        assert near == value == found.estimate
        # The steepest rate that plays throughout is 0.9/span; only value 0, about the middle, costs.
        assert abs(far - value) <= min(1.0, (cost / 0.9 + 0.2) / n) * span
        assert abs(far - value) >= min(1.0, math.log(2 / error) / n / 3) * span
        mirrored = BoundedMean(low, high).extended(np.full(n, mirror)).interval(error)
        assert found.half_width == pytest.approx(mirrored.half_width, rel=1e-12)


@pytest.mark.parametrize(("low", "high"), [(0.1, 0.7), (-0.3, 0.1), (0.0, 0.1), (1 / 3, 1.1)])
def test_rounding_excludes_no_constant_at_a_bound_and_carries_nothing_out_of_the_range(low, high):
    for n in (1, 3, 10, 999, 1000):
        for value in (low, high):
            found = BoundedMean(low, high).extended(np.full(n, value)).interval(0.1)
            assert not found.excludes(value)
            assert low <= found.low <= found.estimate <= found.high <= high


@pytest.mark.parametrize("n", [512, 4096, 65_536])
@pytest.mark.parametrize("error", [0.1, 1e-9])
@pytest.mark.parametrize("name", ["skewed", "rare"])
def test_the_end_towards_the_nearer_bound_is_the_closer_one(name, n, error):
    values, low, high = sample(name, n)
    found = BoundedMean(low, high).extended(values).interval(error)
    mean = float(values.mean())
    assert 1.01 * (mean - found.low) < found.high - mean
    turned = BoundedMean(low, high).extended(1.0 - values).interval(error)
    assert turned.low == pytest.approx(1 - found.high, abs=1e-12)
    assert turned.high == pytest.approx(1 - found.low, abs=1e-12)


def test_a_lower_end_near_its_bound_hardly_pays_for_the_rest_of_the_range():
    # Values in [0, 1/100]: the lower end is nearly as close as if that were the range.
    values = 0.01 * even(4096)
    narrow, wide = (BoundedMean(0.0, high).extended(values).interval(1e-9) for high in (0.01, 1.0))
    mean = float(values.mean())
    assert mean - wide.low < 1.5 * (mean - narrow.low)
    assert wide.high - mean > 2 * (mean - wide.low)


def test_an_end_never_passes_the_mean_though_steep_rates_saw_the_late_values_only():
    # Not one law: about 1 the steep rates sit out, about 1/2 they play, and see values above 0.6.
    values = np.concatenate([np.ones(256), np.zeros(256), np.full(512, 0.7)])
    known = BoundedMean(0.0, 1.0).extended(values)
    assert 0.5 - known._crossing(1.0, math.log(2e3)) > known.mean
    assert known.interval(1e-3).low == known.mean
    turned = BoundedMean(0.0, 1.0).extended(1 - values)
    assert turned.interval(1e-3).high == turned.mean


def test_a_larger_error_gives_an_interval_inside():
    known = BoundedMean(0.0, 1.0).extended(even(300))
    found = [known.interval(error) for error in (1e-12, 1e-6, 1e-2, 0.5)]
    for outer, inner in itertools.pairwise(found):
        assert outer.low < inner.low <= inner.high < outer.high


SEEDS = 400

#: Laws on [0, 1] as functions of a uniform draw, and their means.
DRAWN = {
    "near low": (lambda u: u**6, 1 / 7),
    "near high": (lambda u: 1 - u**6, 6 / 7),
    "rarely high": (lambda u: np.where(u < 0.02, 1.0, 0.0), 0.02),
    "rarely low": (lambda u: np.where(u < 0.02, 0.0, 1.0), 0.98),
}


def drawn(law, looks: int) -> np.ndarray:
    return law(np.random.default_rng(7).random((SEEDS, looks)))


@pytest.mark.parametrize("name", DRAWN)
def test_a_bounded_mean_keeps_its_error_over_all_looks(name):
    law, mean = DRAWN[name]
    missed = misses(BoundedMean(0.0, 1.0), drawn(law, 1024), mean, 0.2, growth=1.4)
    assert clopper_pearson(missed, SEEDS, 1e-6).low <= 0.2


class _NormalMean(BoundedMean):
    """An interval for one look at normal values: wrong here, so that the bench can be seen to tell."""

    def interval(self, error):
        if self.count < 2:
            return Interval(self.low, self.high, self.mean, self.count, error)
        squares = sum(epoch.squares for epoch in self.epochs)
        half = 1.2816 * math.sqrt(squares / self.count / self.count)
        return Interval(self.mean - half, self.mean + half, self.mean, self.count, error)


class _FreeMean(BoundedMean):
    """An end that pays for a tenth of the variance only."""

    def _crossing(self, side, limit):
        cheap = tuple(replace(epoch, squares=0.1 * epoch.squares) for epoch in self.epochs)
        return BoundedMean(self.low, self.high, cheap)._crossing(side, limit)


@pytest.mark.parametrize("kind", [_NormalMean, _FreeMean])
@pytest.mark.parametrize("name", ["near low", "near high"])
def test_the_same_bench_rejects_an_interval_that_ignores_looking_again(name, kind):
    law, mean = DRAWN[name]
    missed = misses(kind(0.0, 1.0), drawn(law, 1024), mean, 0.2)
    assert clopper_pearson(missed, SEEDS, 1e-6).low > 0.2


#: Two- and three-point laws on [0, 1]: values with rational probabilities.
LAWS = [
    {Fraction(0): Fraction(1, 2), Fraction(1): Fraction(1, 2)},
    {Fraction(0): Fraction(1, 10), Fraction(1): Fraction(9, 10)},
    {Fraction(0): Fraction(49, 50), Fraction(1): Fraction(1, 50)},
    {Fraction(1, 4): Fraction(1, 3), Fraction(1, 2): Fraction(2, 3)},
    {Fraction(0): Fraction(1, 5), Fraction(1, 2): Fraction(3, 5), Fraction(1): Fraction(1, 5)},
    {Fraction(0): Fraction(3, 4), Fraction(1, 8): Fraction(1, 8), Fraction(1): Fraction(1, 8)},
    {Fraction(0): Fraction(999, 1000), Fraction(1, 32): Fraction(1, 1000)},
]
#: What may have come before, and how many values of the law then come: across ends of epochs.
PASTS = [
    ((), 4),
    ((0.0,), 3),
    ((1.0, 1.0, 1.0), 3),
    ((0.0, 1.0, 0.5), 3),
    ((0.0,) * 7, 2),
    ((1.0,) * 7, 2),
    ((0.25,) * 7, 2),
    ((0.0,) * 6 + (0.125,), 2),
    ((1.0,) * 6 + (0.875,), 2),
    ((0.0,) * 8 + (1.0,) * 7, 2),
]


def mean_of(law) -> Fraction:
    return sum((x * p for x, p in law.items()), Fraction(0))


def chances(law, steps: int):
    for path in itertools.product(law, repeat=steps):
        yield path, math.prod(law[x] for x in path)


@pytest.mark.parametrize(("past", "steps"), PASTS)
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("side", [1, -1])
def test_the_process_of_no_rate_grows_on_average(law, side, past, steps):
    mu, known = float(mean_of(law)), BoundedMean(0.0, 1.0).extended(past)
    now, grown = processes(known, mu, side), np.zeros(len(STEEP))
    for path, chance in chances(law, steps):
        after = processes(known.extended([float(x) for x in path]), mu, side)
        grown += float(chance) * np.exp(after - now)
    assert grown.max() <= 1 + 1e-11
    assert grown.min() < 1 - 1e-6  # some rate is at stake


def naive_growth(law, past, steps: int, side: int, centre_of=mean_before, **kwargs) -> list:
    """E of each supermartingale after *steps* more values over what it is now, with 30 digits."""

    def logs(values):
        epochs = naive_epochs(values, 0, 1, centre_of)
        return naive_processes(epochs, mean_of(law), 0, 1, side, **kwargs)

    whole, now = [MP.mpf(0)] * len(STEEP), logs(past)
    for path, chance in chances(law, steps):
        for k, (after, before) in enumerate(zip(logs((*past, *path)), now, strict=True)):
            whole[k] += precise(chance) * MP.exp(after - before)
    return whole


@pytest.mark.parametrize(("past", "steps"), [((), 3), ((1.0,) * 7, 2), ((0.0, 1.0, 0.5), 2)])
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("side", [1, -1])
def test_nor_does_its_exact_value(law, side, past, steps):
    assert max(naive_growth(law, past, steps, side)) <= 1 + MP.mpf("1e-25")


def with_itself(before, part):
    return (sum(before, Fraction(0)) + sum(part)) / (len(before) + len(part))


def too_short(side, centre, span):
    return own_distance(side, centre, span) * Fraction(3, 4)


def of_the_other_side(side, centre, span):
    return own_distance(-side, centre, span)


def never_from_the_bound(side, centre, span):
    return span / 64


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize(
    "wrong",
    [
        {"centre_of": with_itself},
        {"reach_of": too_short},
        {"reach_of": of_the_other_side},
        {"reach_of": never_from_the_bound},
    ],
    ids=["centre with the value itself", "short reach", "other side's reach", "no reach"],
)
def test_it_grows_where_the_centre_or_the_reach_is_wrong(wrong, side):
    grown = (max(naive_growth(law, past, 2, side, **wrong)) for past, _ in PASTS for law in LAWS)
    assert any(growth > 1.001 for growth in grown)


@pytest.mark.parametrize(
    ("value", "side", "idle"),
    [(0.0, 1, 0), (0.0, -1, 12), (1.0, 1, 12), (1.0, -1, 0), (0.5, 1, 10)],
)
def test_a_rate_that_is_too_steep_for_an_epoch_sits_it_out(value, side, idle):
    known = BoundedMean(0.0, 1.0).extended([value] * 8)  # the next epoch is about value
    before, after = (processes(k, 0.25, side) for k in (known, known.extended([0.5, 0.0, 1.0])))
    assert (after[:idle] == before[:idle]).all()
    assert (after[idle:] != before[idle:]).all()


def test_the_inequality_behind_it_holds_and_spares_nothing():
    # exp(s y - psi(s) y^2) <= 1 + s y for y >= -1, with equality at y = -1.
    ys = [MP.mpf(k) / 25 for k in (*range(-25, 26), 50, 250, 1575)]
    for s in (MOST * MP.mpf(2) ** (-MP.mpf(k) / 2) for k in range(32)):
        assert all(MP.exp(s * y - psi(s) * y**2) <= (1 + s * y) * (1 + MP.mpf("1e-28")) for y in ys)
        assert any(MP.exp(s * y - psi(s) * y**2 * MP.mpf("0.99")) > 1 + s * y for y in ys)
        below = MP.mpf("-1.01")
        assert MP.exp(s * below - psi(s) * below**2) > 1 + s * below


# -- probability ---------------------------------------------------------------------------------


def mixed_likelihood(n: int, s: int) -> Fraction:
    """The mean of p^s (1 - p)^(n - s) over the Beta(1/2, 1/2) law: a product of odd numbers."""
    top = math.prod(range(1, 2 * s, 2)) * math.prod(range(1, 2 * (n - s), 2))
    return Fraction(top, 2**n * math.factorial(n))


def probability_evidence(n: int, s: int, p):
    mixed, p = precise(mixed_likelihood(n, s)), MP.mpf(p)
    return MP.log(mixed) - (s * MP.log(p) if s else 0) - ((n - s) * MP.log(1 - p) if s < n else 0)


def of(n: int, s: int) -> Probability:
    return Probability().extended([1.0] * s + [0.0] * (n - s))


@pytest.mark.parametrize("n", [1, 2, 7, 12])
@pytest.mark.parametrize("p", [Fraction(1, 2), Fraction(1, 7), Fraction(99, 100)])
def test_the_mean_of_the_martingale_of_a_probability_is_one(n, p):
    ratios = (
        math.comb(n, s) * p**s * (1 - p) ** (n - s) * (mixed_likelihood(n, s) / (p**s * q))
        for s in range(n + 1)
        for q in [(1 - p) ** (n - s)]
    )
    assert sum(ratios) == 1


@pytest.mark.parametrize(
    ("n", "s"), [(1, 0), (1, 1), (10, 0), (10, 3), (10, 10), (300, 1), (300, 150), (900, 898)]
)
@pytest.mark.parametrize("error", [0.5, 1e-3, 1e-12])
def test_at_the_ends_of_a_probability_the_martingale_is_one_over_the_error(n, s, error):
    found, limit = of(n, s).interval(error), -MP.log(MP.mpf(error))
    assert found.low <= s / n <= found.high
    assert (found.low == 0) == (s == 0)
    assert (found.high == 1) == (s == n)
    for end, inner in ((found.low, 1), (found.high, -1)):
        if 0 < end < 1:
            step = 1e-6 * min(end, 1 - end) + 2e-16
            assert probability_evidence(n, s, end) >= limit - 1e-9
            assert probability_evidence(n, s, end + inner * step) < limit


def test_all_and_nothing_leave_an_end_free():
    nothing, everything = of(20, 0).interval(0.01), of(20, 20).interval(0.01)
    assert nothing.low == 0
    assert everything.high == 1
    # (1 - p)^20 = error * mixed likelihood
    high = 1 - float(mixed_likelihood(20, 0) * Fraction(1, 100)) ** (1 / 20)
    assert nothing.high == pytest.approx(high, rel=1e-12)
    assert Probability().interval(0.01).low == 0
    assert Probability().interval(0.01).high == 1


def test_the_interval_of_a_probability_rises_with_the_count_and_mirrors():
    n = 40
    found = [of(n, s).interval(0.05) for s in range(n + 1)]
    for one, other in itertools.pairwise(found):
        assert one.low < other.low or other.low == 0
        assert one.high < other.high or one.high == 1
    for one, mirrored in zip(found, reversed(found), strict=True):
        assert one.low == pytest.approx(1 - mirrored.high, abs=1e-13)


def ever_missed(interval, p: float, most: int) -> float:
    """The chance that the interval excludes p at one of the first *most* draws, by summation."""
    alive, missed = {0: 1.0}, 0.0
    for n in range(1, most + 1):
        ahead: dict[int, float] = {}
        for s, chance in alive.items():
            for more, weight in ((1, p), (0, 1 - p)):
                ahead[s + more] = ahead.get(s + more, 0.0) + chance * weight
        alive = {}
        for s, chance in ahead.items():
            if interval(n, s).excludes(p):
                missed += chance
            else:
                alive[s] = chance
    return missed


@pytest.mark.parametrize("p", [0.5, 0.1])
def test_a_probability_keeps_its_error_over_all_draws_exactly(p):
    missed = ever_missed(lambda n, s: Probability(n, s).interval(0.3), p, 50)
    assert 0.02 < missed <= 0.3


def test_an_interval_for_a_fixed_sample_does_not():
    assert ever_missed(lambda n, s: clopper_pearson(s, n, 0.3), 0.5, 50) > 0.4


@pytest.mark.parametrize("bad", [0.5, -1.0, 2.0, math.nan, math.inf])
def test_an_event_has_values_zero_and_one(bad):
    with pytest.raises(ValueError, match=r"position 1 is not in \{0, 1\}"):
        Probability().extended([1.0, bad])


def test_an_event_may_be_given_by_booleans_in_any_batches():
    values = even(100) < 0.3
    parts = Probability().extended(values[:33]).extended(values[33:])
    assert parts == Probability().extended(values) == Probability(100, int(values.sum()))


# -- heavy-tailed mean ---------------------------------------------------------------------------


def phi(x):
    x = MP.mpf(x)
    return MP.sign(x) * MP.log(1 + abs(x) + x * x / 2)


def heavy_evidence(values, mu, about, bound, sign):
    total = MP.mpf(0)
    for r in (MP.mpf(rate) / MP.sqrt(bound) for rate in _RATES):
        pull = MP.fsum(phi(sign * r * (MP.mpf(float(x)) - about)) for x in values)
        total += MP.exp(pull - len(values) * (sign * r * (MP.mpf(mu) - about) + r**2 * bound / 2))
    return MP.log(total / len(_RATES))


def student(shape) -> np.ndarray:
    """Student's law with three degrees of freedom: variance 3, no third moment."""
    return np.random.default_rng(5).standard_t(3, size=shape)


HEAVY = [
    {Fraction(-1): Fraction(1, 2), Fraction(1): Fraction(1, 2)},
    {Fraction(-1, 2): Fraction(99, 100), Fraction(50): Fraction(1, 100)},
    {Fraction(-40): Fraction(1, 30), Fraction(0): Fraction(9, 10), Fraction(3): Fraction(1, 15)},
    {Fraction(2): Fraction(1, 3), Fraction(5, 2): Fraction(2, 3)},
]


@pytest.mark.parametrize("law", HEAVY)
@pytest.mark.parametrize("about", [Fraction(0), Fraction(1), Fraction(-7, 2)])
def test_the_processes_of_a_heavy_tailed_mean_never_grow_on_average(law, about):
    bound = sum((p * (x - about) ** 2 for x, p in law.items()), Fraction(0))
    known = HeavyTailedMean(float(about), float(bound))
    after = {x: known.extended([float(x)]) for x in law}
    away, v = precise(mean_of(law) - about), MP.mpf(known.second_moment)
    for k, r in enumerate(MP.mpf(rate) / MP.sqrt(v) for rate in _RATES):
        for sign in (1, -1):
            grown = MP.fsum(
                precise(p)
                * MP.exp(sign * MP.mpf(after[x].pulls[k]) - sign * r * away - r**2 * v / 2)
                for x, p in law.items()
            )
            assert grown <= 1 + 1e-13
    for k, stake in enumerate(_STAKES):
        assert 0 < stake < 1
        capital = MP.fsum(precise(p) * MP.exp(MP.mpf(after[x].capital[k])) for x, p in law.items())
        assert abs(capital - 1) <= 1e-13  # a fair bet where the bound is the second moment itself


def test_the_bet_gains_where_the_second_moment_is_larger_than_its_bound():
    law = HEAVY[1]
    known = HeavyTailedMean(0.0, 20.0)
    for k in range(len(_STAKES)):
        capital = sum(
            float(p) * math.exp(known.extended([float(x)]).capital[k]) for x, p in law.items()
        )
        assert capital > 1


@pytest.mark.parametrize("n", [1, 10, 120])
@pytest.mark.parametrize("error", [0.5, 1e-9])
@pytest.mark.parametrize(("about", "bound"), [(0.0, 4.0), (1.5, 6.0)])
def test_at_the_ends_of_a_heavy_tailed_mean_the_mixture_is_four_over_the_error(
    n, error, about, bound
):
    values = student(n)
    found = HeavyTailedMean(about, bound).extended(values).interval(error)
    limit = MP.log(4 / MP.mpf(error))
    for end, sign in ((found.low, 1), (found.high, -1)):
        assert heavy_evidence(values, end, about, bound, sign) >= limit - 1e-9
        assert heavy_evidence(values, end + sign * 1e-5, about, bound, sign) < limit


def test_a_heavy_tailed_mean_does_not_depend_on_the_batches_and_follows_affine_maps():
    values = student(1000)
    whole = HeavyTailedMean(0.5, 4.0).extended(values)
    parts = HeavyTailedMean(0.5, 4.0)
    for part in np.split(values, [1, 17, 400]):
        parts = parts.extended(part)
    found, cut = whole.interval(1e-6), parts.interval(1e-6)
    assert (cut.low, cut.high) == pytest.approx((found.low, found.high), abs=1e-12)
    mapped = HeavyTailedMean(-3 * 0.5 + 7, 9 * 4.0).extended(-3 * values + 7).interval(1e-6)
    assert mapped.low == pytest.approx(-3 * found.high + 7, abs=1e-10)
    assert mapped.high == pytest.approx(-3 * found.low + 7, abs=1e-10)


def test_a_heavy_tailed_mean_keeps_its_error_over_all_looks():
    missed = misses(HeavyTailedMean(0.3, 3.09), student((SEEDS, 2048)), 0.0, 0.2, first=64)
    assert clopper_pearson(missed, SEEDS, 1e-6).low <= 0.2


def test_its_width_shrinks_like_the_root_of_the_replicates():
    values = student(64_000)
    widths = []
    for n in (4_000, 16_000, 64_000):
        widths.append(HeavyTailedMean(0.0, 3.5).extended(values[:n]).interval(1e-9).half_width)
        best = math.sqrt(2 * math.log(4e9) * 3.5 / n)
        assert widths[-1] <= 1.35 * best
    for one, four in itertools.pairwise(widths):
        assert one / four == pytest.approx(2, rel=0.12)


@pytest.mark.parametrize("error", [0.3, 1e-9])
@pytest.mark.parametrize("surplus", [0.05, 3.0])
def test_the_second_moment_is_given_up_where_the_bets_have_won_two_over_the_error(error, surplus):
    value, limit = math.sqrt(1 + surplus), MP.log(2 / MP.mpf(error))

    def won(n):
        gains = [(1 + MP.mpf(s) * (MP.mpf(value) ** 2 - 1)) ** n for s in _STAKES]
        return MP.log(MP.fsum(gains) / len(gains))

    last = next(n for n in range(5000) if won(n + 1) >= limit)
    known = HeavyTailedMean(0.0, 1.0)
    known.extended(np.full(last, value)).interval(error)
    with pytest.raises(AssumptionError):
        known.extended(np.full(last + 1, value)).interval(error)


def test_a_law_without_a_second_moment_is_found_out():
    draws = np.random.default_rng(1).standard_cauchy(20_000)
    with pytest.raises(AssumptionError, match="values contradict"):
        HeavyTailedMean(0.0, 10.0).extended(draws).interval(1e-9)


def test_a_second_moment_that_is_too_small_is_found_out_and_a_true_one_is_not():
    draws = np.random.default_rng(2).standard_normal(10_000)
    with pytest.raises(AssumptionError, match=r"E X\^2 <= 0.8"):
        HeavyTailedMean(0.0, 0.8).extended(draws).interval(1e-9)
    assert not HeavyTailedMean(0.0, 1.0).extended(draws).interval(1e-9).excludes(0.0)


@pytest.mark.parametrize(
    ("about", "bound"),
    [
        *((0.0, bound) for bound in (math.inf, 0.0, -1.0, math.nan)),
        *((about, 1.0) for about in (math.inf, math.nan)),
    ],
)
def test_a_second_moment_that_bounds_nothing_is_refused(about, bound):
    with pytest.raises(ValueError, match="is no finite bound"):
        HeavyTailedMean(about, bound)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_heavy_tailed_value_that_is_not_finite_is_refused_with_its_position(bad):
    with pytest.raises(ValueError, match="at position 1 is not in the finite numbers"):
        HeavyTailedMean(0.0, 1.0).extended([1e9, bad])


@pytest.mark.parametrize("value", [1e9, 1e100, 1e160, -1e300])
def test_values_of_any_size_contradict_a_small_second_moment(value):
    with pytest.raises(AssumptionError):
        HeavyTailedMean(0.0, 1.0).extended(np.full(50, value)).interval(0.1)


# -- projections ---------------------------------------------------------------------------------


@pytest.mark.parametrize("factor", [1.05, 1.3, 7.0, 1000.0])
@pytest.mark.parametrize(
    "known",
    [
        BoundedMean(0.0, 1.0).extended(even(1024) ** 6),
        BoundedMean(1e6, 1e6 + 1).extended(1e6 + even(1024)),
        BoundedMean(0.0, 1.0).extended(even(8)),
        Probability().extended(even(1024) < 0.25),
        HeavyTailedMean(0.5, 4.0).extended(student(1024)),
    ],
    ids=["bounded", "far from zero", "few", "probability", "heavy"],
)
def test_a_projection_keeps_the_mean_and_narrows_the_interval(known, factor):
    now, ahead = known.interval(1e-9), known.scaled(factor).interval(1e-9)
    assert ahead.replicates == pytest.approx(factor * now.replicates, abs=1)
    assert now.low <= ahead.low <= ahead.high <= now.high
    assert ahead.half_width < now.half_width or now.half_width == 0.5
    if not isinstance(known, HeavyTailedMean):
        assert ahead.estimate == pytest.approx(now.estimate, rel=1e-9 if now.estimate > 1 else 1e-2)


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("error", [0.1, 1e-9])
@pytest.mark.parametrize(("n", "factor"), [(1000, 1.3), (1024, 8), (1536, 64), (4096, 2)])
def test_a_projection_of_a_bounded_mean_is_near_what_comes(name, error, n, factor):
    values, low, high = sample(name, round(n * factor))
    known = BoundedMean(low, high).extended(values[:n])
    ahead, comes = known.scaled(factor), BoundedMean(low, high).extended(values)
    assert ahead.count == comes.count
    assert ahead.mean == pytest.approx(known.mean, rel=1e-12, abs=1e-12 * (high - low))
    found, true = ahead.interval(error), comes.interval(error)
    assert found.half_width == pytest.approx(true.half_width, rel=0.1)


@pytest.mark.parametrize("name", ["uniform", "two points", "skewed", "skewed to the top"])
def test_a_projection_takes_the_variance_where_it_is_given(name):
    low, high, law = SAMPLES[name]
    variance = float(law(even(2**16)).var())
    known, n = BoundedMean(low, high).extended(sample(name, 64)[0]), 2**14
    found = known.scaled(n / 64, variance).interval(1e-9)
    true = BoundedMean(low, high).extended(sample(name, n)[0]).interval(1e-9)
    assert found.half_width == pytest.approx(true.half_width, rel=0.1)
    # four times the variance, twice the width; and what is past stays as it was
    assert known.scaled(n / 64, 4 * variance).interval(1e-9).half_width == pytest.approx(
        2 * found.half_width, rel=0.1
    )
    assert known.scaled(n / 64, variance).epochs[:-1] == known.epochs
    now, still = known.interval(1e-9), known.scaled(1.0, variance).interval(1e-9)
    assert (still.low, still.high) == pytest.approx((now.low, now.high), abs=1e-12 * (high - low))


def test_a_projection_without_a_variance_has_the_one_of_the_values():
    values = even(300) ** 3
    known = BoundedMean(0.0, 1.0).extended(values)
    one, other = known.scaled(9.0), known.scaled(9.0, float(values.var()))
    assert one.epochs[-1].squares == pytest.approx(other.epochs[-1].squares, rel=1e-12)
    constant = BoundedMean(0.1, 0.7).extended(np.full(300, 0.3)).scaled(9.0)
    assert 0 <= constant.epochs[-1].squares <= 1e-12


def test_a_projection_of_nothing_is_nothing():
    found = BoundedMean(-3.0, 5.0).scaled(7.0).interval(0.1)
    assert (found.low, found.high, found.estimate, found.replicates) == (-3.0, 5.0, 1.0, 0)


# -- states --------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [0, 1, 2, 3, 300])
@pytest.mark.parametrize(
    "start",
    [BoundedMean(-3.0, 1 / 7), Probability(), HeavyTailedMean(0.5, 4.0)],
    ids=["bounded", "probability", "heavy"],
)
def test_a_state_survives_json_and_goes_on_bit_for_bit(start, n):
    values = np.where(even(n + 50) < 0.3, 0.0, 1.0)
    if isinstance(start, BoundedMean):
        values = -3.0 * even(n + 50)
    known = start.extended(values[:n])
    state = to_state(known)
    text = json.dumps(state, allow_nan=False)
    assert json.loads(text) == json.loads(json.dumps(to_state(from_state(state))))
    again = from_state(json.loads(text))
    assert again == known
    assert type(again) is type(known)
    assert hash(again) == hash(known)
    assert again.extended(values[n:]) == known.extended(values[n:])
    assert again.interval(1e-3) == known.interval(1e-3)


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "Epoch"},
        {"kind": None},
        {"low": 2.0},
        {"high": math.nan},
        {"epochs": None},
        {"epochs": [{}]},
        {"epochs": [[1, 0.0, 0.0, 0.0]]},
        {"epochs": [{"count": 1, "total": 0.0, "squares": 0.0}]},
        {"epochs": [{"count": 1, "total": 0.0, "squares": 0.0, "centre": 0.0, "more": 0.0}]},
        {"more": 1},
    ],
    ids=str,
)
def test_a_damaged_state_is_refused(change):
    state = to_state(BoundedMean(0.0, 1.0).extended(even(3)))
    with pytest.raises((ValueError, TypeError, KeyError)):
        from_state({**state, **change})
    with pytest.raises((ValueError, TypeError, KeyError)):
        from_state({k: v for k, v in state.items() if k != "kind"})


# -- at a fixed sample ---------------------------------------------------------------------------


def tail(n: int, p, counts) -> object:
    p = MP.mpf(p)
    return MP.fsum(math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in counts)


@pytest.mark.parametrize(
    ("count", "n"),
    [(0, 10), (10, 10), (3, 10), (1, 60), (59, 60), (0, 1), (2, 2000), (700, 2000), (1999, 2000)],
)
@pytest.mark.parametrize("error", [0.05, 1e-9])
def test_the_ends_of_clopper_and_pearson_are_exact(count, n, error):
    found = clopper_pearson(count, n, error)
    ends = (
        (found.low, 0.0, count == 0, range(count, n + 1)),
        (found.high, 1.0, count == n, range(count + 1)),
    )
    for end, edge, free, counts in ends:
        assert (end == edge) is free
        if not free:
            # Half of the error is cut off here, up to the rounding of the end itself.
            outside, within = math.nextafter(end, edge), math.nextafter(end, 0.5)
            assert tail(n, outside, counts) <= MP.mpf(error) / 2 * (1 + 1e-11)
            assert tail(n, within, counts) >= MP.mpf(error) / 2 * (1 - 1e-11)
    assert (found.estimate, found.replicates, found.error) == (count / n, n, error)


@pytest.mark.parametrize("n", [1, 12, 50])
@pytest.mark.parametrize("error", [0.05, 0.3, 1e-6])
def test_clopper_and_pearson_keep_their_error_exactly(n, error):
    found = [clopper_pearson(count, n, error) for count in range(n + 1)]
    for p in (0.001, 0.03, 0.2, 0.5, 0.71, 0.999):
        assert tail(n, p, (k for k in range(n + 1) if found[k].excludes(p))) <= error


@pytest.mark.parametrize(("count", "n"), [(-1, 10), (11, 10), (0, 0), (0, -1)])
def test_counts_that_are_no_sample_are_refused(count, n):
    with pytest.raises(ValueError, match="is no sample"):
        clopper_pearson(count, n, 0.1)


# -- combinations --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "high"), [(1.0, 0.0), (math.nan, 1.0), (0.0, math.nan), (math.nan, math.nan)]
)
def test_ends_that_are_nan_or_the_wrong_way_round_are_refused(low, high):
    with pytest.raises(ValueError, match="is no interval"):
        Interval(low, high, 0.5, 1, 0.1)


def test_what_an_interval_excludes_and_where_it_lies():
    found = Interval(1.0, 2.0, 1.4, 5, 0.1)
    assert [found.excludes(v) for v in (0.99, 1.0, 1.5, 2.0, 2.01, math.nan)] == [
        True,
        False,
        False,
        False,
        True,
        True,
    ]
    assert found.inside(1.0, 2.0)
    assert not found.inside(1.01, 2.0)
    assert not found.inside(1.0, 1.99)
    assert found.half_width == 0.5


#: Numbers on a grid on which sums and squares of them are exact.
dyadic = st.integers(-4096, 4096).map(lambda k: k / 16)
room = st.integers(0, 4096).map(lambda k: k / 16)


def around(value: float, below: float, above: float, error: float = 0.1, replicates: int = 9):
    return Interval(value - below, value + above, value, replicates, error)


@given(dyadic, dyadic, st.integers(0, 10**6), room, room, room, room)
def test_a_variance_is_found_about_any_centre_when_both_parts_hold(m, c, k, a, b, e, f):
    variance = k / 256
    about = variance + (m - c) ** 2
    found = variance_about(c, around(m, a, b), around(about, e, f))
    assert not found.excludes(variance)
    assert found.estimate == variance


@given(dyadic, dyadic, room, room, room)
def test_the_variance_has_no_slack_where_the_parts_are_points(m, c, spread, e, f):
    squares = around(spread + (m - c) ** 2, e, f)
    found = variance_about(c, point(m), squares)
    assert (found.low, found.high) == (spread - e, spread + f)
    # and a mean on an interval costs its farthest and its nearest point
    wide = variance_about(c, around(m, 1.0, 2.0), point(100.0))
    offsets = [abs(m - c - 1), abs(m - c + 2)]
    nearest = 0.0 if m - 1 <= c <= m + 2 else min(offsets)
    assert (wide.low, wide.high) == (100 - max(offsets) ** 2, 100 - nearest**2)


@given(dyadic, dyadic, room, room, room, room)
def test_a_difference_holds_when_both_parts_hold(a, b, p, q, r, s):
    found = difference(around(a, p, q), around(b, r, s))
    assert (found.low, found.high, found.estimate) == (a - p - b - s, a + q - b + r, a - b)


def test_a_logarithm_of_a_positive_quantity():
    found = logarithm(Interval(0.5, 4.0, 2.0, 7, 0.01))
    assert (found.low, found.high, found.estimate) == (
        math.log(0.5),
        math.log(4.0),
        math.log(2.0),
    )
    assert (found.replicates, found.error) == (7, 0.01)
    assert logarithm(Interval(-1.0, 1.0, 0.0, 7, 0.01)).low == -math.inf
    assert logarithm(Interval(0.0, 1.0, 0.5, 7, 0.01)).high == 0.0


def test_a_slope_is_exact_on_a_line():
    found = slope([(x, point(3 - 2 * x)) for x in (-1.0, 0.5, 2.0, 7.0)])
    assert found.low == pytest.approx(-2, rel=1e-14)
    assert found.high == pytest.approx(-2, rel=1e-14)
    assert found.estimate == pytest.approx(-2, rel=1e-14)


def test_a_slope_of_logarithms_is_an_exponent():
    law = [(math.log(n), logarithm(point(5.0 * n**-1.5))) for n in (2, 4, 16)]
    assert slope(law).estimate == pytest.approx(-1.5, rel=1e-14)


points_ = st.lists(
    st.tuples(
        st.integers(-8, 8),
        st.integers(-50, 50),
        st.integers(0, 20),
        st.integers(0, 20),
        st.floats(0, 1),
    ),
    min_size=2,
    max_size=6,
)


def least_squares(xs, ys) -> Fraction:
    n = len(xs)
    mean_x, mean_y = Fraction(sum(xs), n), sum(map(Fraction, ys)) / n
    top = sum((x - mean_x) * (Fraction(y) - mean_y) for x, y in zip(xs, ys, strict=True))
    return top / sum((x - mean_x) ** 2 for x in xs)


@given(points_)
def test_a_slope_contains_the_slope_of_every_choice_of_values(points):
    xs = [p[0] for p in points]
    assume(len(set(xs)) > 1)
    found = slope([(float(x), around(y, a, b)) for x, y, a, b, _ in points])
    slack = 1e-10
    for choose in (
        lambda y, a, b, t: Fraction(y - a) + Fraction(t) * (a + b),
        lambda y, a, b, t: y - a if t < 0.5 else y + b,
    ):
        exact = least_squares(xs, [choose(y, a, b, t) for _, y, a, b, t in points])
        assert found.low - slack <= exact <= found.high + slack
    # and no wider: its ends are slopes of values at the ends
    centre = Fraction(sum(xs), len(xs))
    for end, sign in ((found.low, -1), (found.high, 1)):
        ys = [y + b if (x > centre) == (sign > 0) else y - a for x, y, a, b, _ in points]
        assert float(least_squares(xs, ys)) == pytest.approx(end, abs=slack)


@pytest.mark.parametrize("x", [0.0, 2.0, 0.1, math.log(7), 1e6 + 0.1])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 5, 6, 7])
def test_a_slope_needs_two_different_points(n, x):
    with pytest.raises(ValueError, match="a slope needs two different x"):
        slope([(x, point(1.0))] * n)


def test_a_slope_through_a_quantity_without_a_lower_bound_has_a_half_line():
    found = slope([(0.0, point(1.0)), (1.0, logarithm(Interval(0.0, 1.0, 0.5, 3, 0.1)))])
    assert (found.low, found.high) == (-math.inf, -1.0)


def test_the_errors_of_the_parts_add_up_and_the_fewest_replicates_count():
    one, two = around(4.0, 1.0, 1.0, 0.01, 7), around(5.0, 1.0, 1.0, 0.02, 5)
    three = around(6.0, 1.0, 1.0, 0.04, 9)
    for found, error, replicates in (
        (difference(one, two), 0.03, 5),
        (variance_about(0.0, one, three), 0.05, 7),
        (slope([(1.0, one), (2.0, two), (3.0, three)]), 0.07, 5),
        (logarithm(three), 0.04, 9),
    ):
        assert found.error == pytest.approx(error, rel=1e-15)
        assert found.replicates == replicates


# -- claimed values ------------------------------------------------------------------------------

intervals = st.builds(lambda low, width: Interval(low, low + width, low, 3, 0.1), dyadic, room)
inside_ = st.integers(0, 8)


@given(dyadic, room, room, intervals, inside_, inside_)
def test_what_meets_a_value_is_near_it_throughout(low, width, tolerance, found, i, j):
    claimed = Between(low, low + width, tolerance)
    value = found.low + (found.high - found.low) * i / 8
    stated = low + width * j / 8
    if claimed.met_by(found):
        assert abs(value - stated) <= tolerance
    if claimed.contradicted_by(found):
        assert value != stated
    touches = found.low <= low + width and low <= found.high
    assert claimed.contradicted_by(found) is not touches
    ends = [abs(v - p) for v in (found.low, found.high) for p in (low, low + width)]
    assert claimed.met_by(found) is (max(ends) <= tolerance)


@given(dyadic, intervals, inside_)
def test_a_bound_is_met_and_contradicted_by_whole_intervals_only(bound, found, i):
    value = found.low + (found.high - found.low) * i / 8
    for claimed, holds in ((AtMost(bound), value <= bound), (AtLeast(bound), value >= bound)):
        met, contradicted = claimed.met_by(found), claimed.contradicted_by(found)
        assert not (met and contradicted)
        assert holds or not met
        assert not holds or not contradicted
    assert AtMost(bound).met_by(found) is (found.high <= bound)
    assert AtLeast(bound).met_by(found) is (found.low >= bound)
    assert AtMost(bound).contradicted_by(found) is (found.low > bound)
    assert AtLeast(bound).contradicted_by(found) is (found.high < bound)


ANY = [
    Interval(0.0, 1.0, 0.5, 3, 0.1),
    Interval(5.0, 5.0, 5.0, 3, 0.1),
    Interval(-math.inf, 0.0, -1.0, 3, 0.1),
    Interval(0.0, math.inf, 1.0, 3, 0.1),
    Interval(-math.inf, math.inf, 0.0, 3, 0.1),
]


@pytest.mark.parametrize("found", ANY, ids=str)
def test_an_undefined_value_is_contradicted_by_everything_and_met_by_nothing(found):
    assert UNDEFINED.contradicted_by(found)
    assert not UNDEFINED.met_by(found)


@pytest.mark.parametrize("found", ANY, ids=str)
def test_an_unknown_value_is_neither_contradicted_nor_met(found):
    assert not UNKNOWN.contradicted_by(found)
    assert not UNKNOWN.met_by(found)


def test_the_printed_value_is_the_middle_of_its_range():
    assert Between(1.0, 2.0, 0.5).printed == 1.5
    assert math.isnan(UNDEFINED.printed)
    assert [type(c).relation for c in (Between(0, 0, 1), AtMost(1.0), AtLeast(1.0))] == [
        "printed",
        "printed at most",
        "at least",
    ]


@pytest.mark.parametrize(
    ("known", "words"),
    [
        (BoundedMean(0.0, 2.5), "every value in [0, 2.5], checked"),
        (Probability(), "every value 0 or 1, checked"),
        (HeavyTailedMean(1.5, 4.0), "E (X - 1.5)^2 <= 4, assumed, and tested"),
        (HeavyTailedMean(0.0, 4.0), "E X^2 <= 4, assumed, and tested"),
    ],
    ids=["bounded", "probability", "heavy", "heavy about zero"],
)
def test_an_interval_says_what_it_rests_on(known, words):
    assert known.needs == words


@pytest.mark.parametrize("x", [math.nan, math.inf])
def test_a_slope_needs_finite_places(x):
    unit = Interval(0.0, 1.0, 0.5, 10, 0.1)
    with pytest.raises(ValueError, match=r"points: .* are not all finite"):
        slope([(x, unit), (1.0, unit)])
