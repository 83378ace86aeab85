"""Replicate margins: they are the memory's own, and their known moments come out."""

import itertools
import math
from functools import partial
from typing import Any

import pytest
import torch
from torch import Tensor

from numerics import InputError, LinearMemory, Stream, replicate_spheres
from numerics.draws import counting
from numerics.draws.linear_margin import (
    failing_fractions,
    failures,
    margin_replicates,
    margins_on_a_line,
)
from numerics.observables import Event

FALSE_ALARM = 1e-9


@pytest.mark.parametrize(("rows", "d"), [(1, 1), (5, 3), (16, 16)])
def test_what_is_drawn_in_batches_is_drawn_at_once_bit_for_bit(rows: int, d: int) -> None:
    stream = Stream(0, "linear-margin", "inputs")
    whole = replicate_spheres(768, rows, d, stream=stream)
    parts = [
        replicate_spheres(stop - start, rows, d, stream=stream, start=start)
        for start, stop in itertools.pairwise((0, 1, 256, 300, 768))
    ]
    assert torch.equal(whole, torch.cat(parts))


@pytest.mark.parametrize("sizes", [(1, 1, 2), (2, 3, 4), (16, 8, 12)])
def test_margins_in_batches_are_those_at_once(sizes: tuple[int, int, int]) -> None:
    whole = margin_replicates(*sizes, 768, seed=5)
    for start, stop in itertools.pairwise((0, 1, 256, 300, 768)):
        part = margin_replicates(*sizes, stop - start, seed=5, start=start)
        assert float((part - whole[start:stop]).abs().max()) <= 1e-12
    other = margin_replicates(*sizes, 256, seed=5, name="b")
    assert float((whole[:256] - other).abs().max()) > 0.1


def test_seeds_of_any_size_give_different_draws() -> None:
    # 2^32 and 2^63 would fall on 0 if a word were cut off or a sign lost.
    seeds = (0, 1, 2**32, 2**32 + 1, 2**63, 2**64 - 1)
    margins = [margin_replicates(3, 2, 3, 50, seed=seed)[:, 0, 1] for seed in seeds]
    lost = [failures(6, 4, 5, 40, seed=seed).values for seed in seeds]
    for i in range(len(seeds)):
        for j in range(i):
            assert float((margins[i] - margins[j]).abs().max()) > 0.1
            assert not torch.equal(lost[i], lost[j])


def test_the_number_of_threads_changes_nothing_but_rounding() -> None:
    threads, found = torch.get_num_threads(), []
    try:
        for count in (1, 2):
            torch.set_num_threads(count)
            margins = margin_replicates(32, 24, 40, 128, seed=2)
            found.append((margins, failures(6, 4, 5, 40, seed=3).values))
    finally:
        torch.set_num_threads(threads)
    assert float((found[0][0] - found[1][0]).abs().max()) <= 1e-12
    assert torch.equal(found[0][1], found[1][1])


def lost(d: int, N: int, M: int, replicates: int, *, seed: int) -> int:
    """How many of the drawn memories lose a fact."""
    event = failures(d, N, M, replicates, seed=seed)
    assert isinstance(event, Event)
    assert event.values.shape == (replicates,)
    assert event.values.dtype == torch.float64
    return int(event.values.sum())


def has_mean_one(margins: Tensor, N: int) -> bool:
    """E gamma_{xy} = 1 for y != x; margins lie in [-2N, 2N], hence Hoeffding's bound."""
    allowed = 4 * N * math.sqrt(math.log(2 / FALSE_ALARM) / (2 * len(margins)))
    return abs(float(margins[:, 0, 1].mean()) - 1) <= allowed


def test_the_mean_margin_is_one() -> None:
    assert has_mean_one(margin_replicates(5, 2, 2, 100_000, seed=1), N=2)


def test_one_fact_and_two_outputs_have_variance_one_over_d() -> None:
    # gamma = 1 - u_0.u_1, so (gamma - 1)^2 lies in [0, 1] with mean 1/d.
    margins = margin_replicates(4, 1, 2, 100_000, seed=2)[:, 0, 1]
    allowed = math.sqrt(math.log(2 / FALSE_ALARM) / (2 * len(margins)))
    measured = float(((margins - 1) ** 2).mean())
    assert abs(measured - 1 / 4) <= allowed
    assert abs(measured - 1 / 3) > allowed


def test_failures_at_the_extremes() -> None:
    assert lost(1, 4, 4, 10, seed=0) == 10
    assert lost(400, 2, 2, 10, seed=0) == 0
    assert lost(1, 1, 1, 5, seed=0) == 0
    assert lost(3, 1, 1, 0, seed=0) == 0


def test_margins_on_a_line_are_integers_of_a_polynomial() -> None:
    # Each is a polynomial of degree 4 in t (two keys, two values): fifth differences vanish.
    for seed in range(3):
        values = margins_on_a_line(3, 2, 4, 9, seed=seed)
        assert all(value == int(value) for value in values)
        for _ in range(5):
            values = [b - a for a, b in itertools.pairwise(values)]
        assert values == [0.0] * 4
    assert margins_on_a_line(3, 2, 4, 9, seed=0) != margins_on_a_line(3, 2, 4, 9, seed=1)
    with pytest.raises(InputError, match="points"):
        margins_on_a_line(3, 2, 4, 100_000, seed=0)


def test_failing_fractions_count_the_margins_that_are_not_positive() -> None:
    d, N, replicates = 3, 5, 70
    found = failing_fractions(d, N, replicates, seed=6, name="check")
    assert found.shape == (replicates,)
    margins = margin_replicates(d, N, N, replicates, seed=6, name="check")
    others = ~torch.eye(N, dtype=torch.bool)
    assert torch.equal(found, (margins[:, others] <= 0).to(torch.float64).mean(dim=1))
    assert 0 < float(found.mean()) < 1
    whole = failing_fractions(d, N, 300, seed=6)
    assert torch.equal(whole[260:], failing_fractions(d, N, 40, seed=6, start=260))
    assert failing_fractions(d, N, 0, seed=6).shape == (0,)
    with pytest.raises(InputError, match="N = 1"):
        failing_fractions(3, 1, 5, seed=0)


def test_bad_arguments_are_rejected() -> None:
    with pytest.raises(InputError, match="N = 3 exceeds M = 2"):
        margin_replicates(2, 3, 2, 5, seed=0)
    with pytest.raises(InputError, match="start = "):
        margin_replicates(2, 2, 2, 5, seed=0, start=-7)
    for arguments in ((0, 2, 2, 5), (2, 0, 2, 5), (2, 2, 2, -1)):
        with pytest.raises(InputError):
            margin_replicates(*arguments, seed=0)
    with pytest.raises(InputError, match="d = 0"):
        failures(0, 2, 2, 5, seed=0)


def test_memories_that_are_drawn_again_are_refused() -> None:
    """By a draw whose calls begin alike, not by one whose embeddings are fixed."""

    def again(*, seed: Stream, **more: Any) -> LinearMemory:
        return LinearMemory.sample(48, 24, seed=0, **more)

    def fixed(*, seed: Stream, device: str, replicates: int | None = None) -> LinearMemory:
        axes = torch.eye(48, dtype=torch.float64)[:24]
        axes = axes if replicates is None else axes.expand(replicates, -1, -1)
        return LinearMemory(axes, axes, torch.arange(24).expand(axes.shape[:-1]))

    asked = {"stream": Stream(1), "start": 0, "device": "cpu"}
    with pytest.raises(InputError, match="two calls for memories of different numbers"):
        counting.failing(again, 500, **asked)
    assert not counting.failing(fixed, 500, **asked).values.any()
    assert counting.failing(partial(LinearMemory.sample, 48, 24), 500, **asked).values.sum() < 500
