"""Observables of the linear memory: bounded as they say, and equal to what they are named for."""

import math

import pytest
import torch

from numerics.experiments.linear_margin import margin_replicates
from numerics.experiments.linear_observables import (
    coordinate_observables,
    law_observables,
    margin_observables,
    overlap_observables,
)

DRAWS = 4096


def all_observables():
    return {
        **{f"margin {k}": v for k, v in margin_observables(3, 3, 5, DRAWS, seed=1).items()},
        **{f"overlap {k}": v for k, v in overlap_observables(3, DRAWS, seed=1).items()},
        **{f"exp {k}": v for k, v in coordinate_observables(3, DRAWS, rate=2.0, seed=1).items()},
        **{
            f"law {k}": v
            for k, v in law_observables(3, DRAWS, beta=1.0, spread=2.0, n=2, seed=1).items()
        },
    }


def test_every_observable_has_one_value_a_draw_within_its_bounds():
    for name, item in all_observables().items():
        assert item.values.shape == (DRAWS,), name
        assert item.values.dtype == torch.float64, name
        assert item.low <= float(item.values.min()), name
        assert float(item.values.max()) <= item.high, name


def test_margins_are_averaged_over_the_pairs_they_name():
    gamma = margin_replicates(3, 3, 5, 8, seed=1)
    found = margin_observables(3, 3, 5, 8, seed=1)
    inside = [gamma[:, x, y] for x in range(3) for y in range(3) if x != y]
    outside = [gamma[:, x, y] for x in range(3) for y in (3, 4)]
    assert torch.allclose(found["mean.inside"].values, torch.stack(inside).mean(0), rtol=1e-12)
    assert torch.allclose(
        found["second.outside"].values, (torch.stack(outside) ** 2).mean(0), rtol=1e-12
    )


def test_without_an_output_outside_the_image_nothing_is_said_of_it():
    assert not [name for name in margin_observables(3, 3, 3, 8, seed=1) if "outside" in name]


def test_the_cross_terms_of_a_single_fact_vanish():
    found = margin_observables(3, 1, 2, 64, seed=1)["cross.outside"].values
    assert float(found.abs().max()) < 1e-12


@pytest.mark.parametrize("start", [4096, 8192])
def test_draws_do_not_depend_on_how_they_are_split(start):
    whole = overlap_observables(4, 12288, seed=5)["signal"].values
    part = overlap_observables(4, 4096, seed=5, start=start)["signal"].values
    assert torch.equal(part, whole[start : start + 4096])


def test_the_law_without_noise_is_the_signal_alone():
    found = law_observables(2, 64, beta=0.0, spread=2.0, n=0, seed=2)["second"]
    assert found.high == 4.0
    assert float(found.values.max()) <= 4.0


def test_exponentials_at_rate_zero_are_one():
    found = coordinate_observables(2, 16, rate=0.0, seed=2)["single"].values
    assert torch.equal(found, torch.full((16,), math.exp(0.0), dtype=torch.float64))
