"""Moments: accuracy far from zero, merging, checkpoints, and rejected values."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics import InputError, Moments, Stream

EPS = float(np.finfo(np.float64).eps)


def offset_sample(n: int = 20_000) -> np.ndarray:
    return 1e4 + 1e-3 * Stream(0).generator().standard_exponential(n)


def relative_difference(a: object, b: object) -> float:
    return abs(float(a) - float(b)) / abs(float(b))  # type: ignore[arg-type]


def test_moments_match_two_passes_far_from_zero() -> None:
    sample = offset_sample()
    wide = sample.astype(np.longdouble)
    deviation = wide - wide.mean()
    variance = (deviation**2).sum() / (len(sample) - 1)
    streamed = Moments()
    for part in np.array_split(sample, 37):
        streamed.update(part)
    for moments in (Moments.of(sample), streamed):
        assert moments.count == len(sample)
        # The spread is 1e-7 of the size, so means of batches are known to 1e-9 of the spread.
        assert relative_difference(moments.mean, wide.mean()) <= 4 * EPS
        assert relative_difference(moments.variance, variance) <= 1e-8
        m2 = (deviation**2).mean()
        skewness = (deviation**3).mean() / m2**1.5
        kurtosis = (deviation**4).mean() / m2**2
        assert relative_difference(moments.skewness, skewness) <= 1e-8
        assert relative_difference(moments.kurtosis, kurtosis) <= 1e-8
        assert (moments.minimum, moments.maximum) == (sample.min(), sample.max())


def nasty(name: str) -> np.ndarray:
    """Samples that lose digits: a large mean over a small spread, and a long tail."""
    draw = Stream(4).generator()
    if name == "single precision":
        return (1e4 + draw.standard_normal(5000)).astype(np.float32)
    if name == "huge offset":
        return 1e8 + draw.standard_normal(5000)
    return draw.standard_cauchy(5000)


@pytest.mark.parametrize("name", ["single precision", "huge offset", "long tail"])
@pytest.mark.parametrize("size", [1, 7, 500, 4999])
def test_batch_sizes_and_the_order_of_merging_do_not_matter(name: str, size: int) -> None:
    sample = nasty(name)
    parts = [Moments.of(sample[k : k + size]) for k in range(0, len(sample), size)]
    forward, backward, pairwise = Moments(), Moments(), list(parts)
    for part in parts:
        forward, backward = forward + part, part + backward
    while len(pairwise) > 1:
        halves = [pairwise[k : k + 2] for k in range(0, len(pairwise), 2)]
        pairwise = [half[0] + half[1] if len(half) == 2 else half[0] for half in halves]
    whole = Moments.of(sample)
    # Shifted near zero, where long doubles lose nothing.
    shift = np.longdouble(round(float(sample.mean())))
    wide = sample.astype(np.longdouble) - shift
    mean, deviation = shift + wide.mean(), wide - wide.mean()
    # A mean is rounded to its own size, which is that much of the spread in any order of merging.
    merged = max(1e-12, 2 * EPS * abs(float(mean)) / float(wide.std()))
    for found in (forward, backward, pairwise[0], whole):
        allowed = 1e-12 if found is whole else merged
        assert found.count == len(sample)
        assert relative_difference(found.mean, mean) <= 1e-12
        assert relative_difference(found.variance, (deviation**2).sum() / 4999) <= allowed
        fourth = len(sample) * (deviation**4).sum() / (deviation**2).sum() ** 2
        assert relative_difference(found.kurtosis, fourth) <= allowed
        third = (deviation**3).mean() / (deviation**2).mean() ** 1.5
        assert abs(float(found.skewness) - float(third)) <= allowed * max(1, abs(float(third)))
        assert (found.minimum, found.maximum) == (sample.min(), sample.max())


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-30, 30), min_size=2, max_size=12), st.integers(0, 12))
def test_sums_of_order_three_and_four_are_those_of_exact_fractions(
    values: list[int], cut: int
) -> None:
    mean = Fraction(sum(values), len(values))
    found = (Moments.of(values[:cut]) + Moments.of(values[cut:])).state()
    assert found["mean"] == pytest.approx(float(mean), abs=1e-13)
    for order in (2, 3, 4):
        exact = sum((x - mean) ** order for x in values)
        size = float(sum(abs(x - mean) ** order for x in values))
        assert abs(found[f"m{order}"] - float(exact)) <= 1e-13 * (1 + size + 60.0**order)


def test_the_accuracy_check_rejects_the_mean_of_squares() -> None:
    sample = offset_sample()
    naive = (sample**2).mean() - sample.mean() ** 2
    assert relative_difference(naive, Moments.of(sample).variance) > 1e-5


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(st.integers(-1000, 1000), max_size=8), min_size=3, max_size=3),
)
def test_merging_is_associative_and_commutative(parts: list[list[int]]) -> None:
    a, b, c = (Moments.of(part) for part in parts)
    left, right = (a + b) + c, a.merge(b.merge(c))
    swapped = c + (b + a)
    whole = Moments.of([value for part in parts for value in part])
    assert left.count == right.count == swapped.count == whole.count
    if whole.count < 2:
        return
    # Errors are relative to the size of the data, so zero moments need an absolute scale.
    scale = 1000.0
    for one in (left, right, swapped):
        assert abs(one.mean - whole.mean) <= 32 * EPS * scale
        assert abs(one.variance - whole.variance) <= 32 * EPS * scale**2
        assert (one.minimum, one.maximum) == (whole.minimum, whole.maximum)
        for key, order in (("m3", 3), ("m4", 4)):
            difference = abs(one.state()[key] - whole.state()[key])
            assert difference <= 512 * whole.count * EPS * scale**order


def test_vector_statistics_are_followed_separately() -> None:
    sample = Stream(1).generator().standard_normal((500, 3)) + np.array([0.0, 1e6, -5.0])
    moments = Moments((3,))
    for part in np.array_split(sample, 7):
        moments.update(torch.from_numpy(part))
    for k in range(3):
        alone = Moments()
        for part in np.array_split(sample[:, k], 7):
            alone.update(part)
        assert moments.mean[k] == alone.mean
        assert moments.variance[k] == alone.variance
        assert moments.kurtosis[k] == alone.kurtosis
        assert moments.maximum[k] == alone.maximum


def test_merge_leaves_its_operands_alone() -> None:
    a, b = Moments.of([1.0, 2.0]), Moments.of([5.0])
    before = a.state(), b.state()
    a.merge(b)
    assert (a.state(), b.state()) == before


def test_standard_errors() -> None:
    sample = Stream(2).generator().standard_normal(1000)
    moments = Moments.of(sample)
    expected = sample.std(ddof=1) / math.sqrt(1000)
    assert relative_difference(moments.mean_standard_error, expected) <= 100 * EPS
    m4, n = ((sample - sample.mean()) ** 4).mean(), 1000
    spread = math.sqrt((m4 - sample.var(ddof=1) ** 2 * (n - 3) / (n - 1)) / n)
    assert relative_difference(moments.variance_standard_error, spread) <= 100 * EPS
    # A two-point law has the least fourth moment: the estimate must not turn into a NaN.
    assert float(Moments.of([-1.0, 1.0] * 10).variance_standard_error) >= 0.0


def test_huge_counts_merge() -> None:
    # Doubling 80 times: counts beyond 64 bits, as Python ints.
    moments = Moments.of([1.0, 3.0])
    for _ in range(80):
        moments = moments + moments
    assert moments.count == 2**81
    assert moments.mean == 2.0
    assert moments.kurtosis == 1.0


@pytest.mark.parametrize("shape", [(), (2,)])
@pytest.mark.parametrize("count", [0, 1, 50])
def test_checkpoints_resume_bit_for_bit(shape: tuple[int, ...], count: int) -> None:
    sample = Stream(3).generator().standard_normal((count, *shape))
    later = Stream(3).replicate(1).generator().standard_normal((20, *shape))
    moments = Moments(shape)
    moments.update(sample)
    text = json.dumps(moments.state(), allow_nan=False)
    resumed = Moments.from_state(json.loads(text))
    assert resumed.state() == moments.state()
    moments.update(later)
    resumed.update(later)
    assert resumed.state() == moments.state()


def test_bad_checkpoints_are_rejected() -> None:
    state = Moments.of([1.0, 2.0]).state()
    with pytest.raises(InputError, match="m2"):
        Moments.from_state({key: value for key, value in state.items() if key != "m2"})
    with pytest.raises(InputError, match="count"):
        Moments.from_state(state | {"count": -1})
    with pytest.raises(InputError, match="mean"):
        Moments.from_state(state | {"mean": [1.0]})
    with pytest.raises(InputError, match="mean"):
        Moments.from_state(state | {"mean": math.nan})
    with pytest.raises(InputError, match="shape"):
        Moments.from_state({})


@pytest.mark.parametrize(
    "change",
    [
        {"count": 1.5},
        {"count": "2"},
        {"count": True},
        {"count": -1},
        {"m4": None},
        {"m3": [0.0, 0.0]},
        {"mean": math.inf},
        {"maximum": "large"},
        {"minimum": {}},
    ],
    ids=str,
)
def test_a_checkpoint_of_garbage_is_refused(change: dict[str, object]) -> None:
    state = json.loads(json.dumps(Moments.of([1.0, 2.0]).state()))
    Moments.from_state(state)
    with pytest.raises(InputError):
        Moments.from_state(state | change)


def test_a_run_goes_on_from_a_checkpoint_to_the_numbers_of_an_uninterrupted_one() -> None:
    sample = 1e6 + Stream(5).generator().standard_exponential(3000)
    straight, resumed = Moments(), Moments()
    for part in np.array_split(sample, 10):
        straight.update(part)
        resumed = Moments.from_state(json.loads(json.dumps(resumed.state(), allow_nan=False)))
        resumed.update(part)
    assert resumed.state() == straight.state()
    assert (resumed.kurtosis, resumed.count) == (straight.kurtosis, 3000)


def test_values_that_are_not_finite_are_counted_and_rejected() -> None:
    moments = Moments.of([1.0])
    with pytest.raises(InputError, match="2 of 4"):
        moments.update([1.0, math.nan, math.inf, 2.0])
    assert moments.count == 1
    with pytest.raises(InputError, match="shape"):
        Moments.of(np.zeros((2, 2, 2)))
    with pytest.raises(InputError, match="do not merge"):
        moments.update(np.zeros((2, 2)))


def test_too_few_values_for_a_statistic() -> None:
    for statistic in ("mean", "minimum", "maximum"):
        with pytest.raises(InputError, match=statistic):
            getattr(Moments(), statistic)
    for statistic in ("variance", "skewness", "kurtosis", "mean_standard_error"):
        with pytest.raises(InputError, match="at least 2"):
            getattr(Moments.of([1.0]), statistic)
    with pytest.raises(InputError, match="at least 4"):
        _ = Moments.of([1.0, 2.0, 3.0]).variance_standard_error
