"""Observables of the linear memory: bounded as they say, and equal to what they are named for."""

import math

import torch

from numerics import Stream, replicate_spheres
from numerics.draws.linear_margin import failing_fractions, margin_replicates
from numerics.papers.nichani.linear_observables import (
    coordinate_observables,
    law_observables,
    margin_observables,
    overlap_observables,
    tail_observables,
)

DRAWS = 4096


def test_bounds_of_the_margin_are_reached_at_dimension_one():
    # At d = 1 all overlaps are signs: gamma is 0 or +-2 times a sum of N signs.
    found = margin_observables(1, 3, 3, DRAWS, seed=1)
    assert float(found["mean.inside"].values.max()) <= 6.0
    assert found["mean.inside"].high == 6.0
    twice = margin_observables(1, 3, 3, DRAWS, seed=1, fault="doubled")["mean.inside"]
    assert float(twice.values.max()) > found["mean.inside"].high / 2
    assert twice.high == 12.0


def test_margins_are_averaged_over_the_pairs_they_name():
    gamma = margin_replicates(3, 3, 5, 8, seed=1)
    found = margin_observables(3, 3, 5, 8, seed=1)
    inside = [gamma[:, x, y] for x in range(3) for y in range(3) if x != y]
    outside = [gamma[:, x, y] for x in range(3) for y in (3, 4)]
    assert torch.allclose(found["mean.inside"].values, torch.stack(inside).mean(0), rtol=1e-12)
    assert torch.allclose(
        found["second.outside"].values, (torch.stack(outside) ** 2).mean(0), rtol=1e-12
    )


def test_centred_squares_failures_and_cross_terms_are_what_they_say():
    d, N, M = 3, 2, 3
    gamma = margin_replicates(d, N, M, 64, seed=1)
    found = margin_observables(d, N, M, 64, seed=1)
    pairs = [gamma[:, x, 2] for x in range(N)]
    centred = torch.stack([(g - 1) ** 2 for g in pairs]).mean(0)
    failed = torch.stack([(g <= 0).to(torch.float64) for g in pairs]).mean(0)
    assert torch.allclose(found["centred.outside"].values, centred, rtol=1e-12)
    assert torch.equal(found["failure.outside"].values, failed)
    stream = Stream(1, "linear-margin")
    e = replicate_spheres(64, N, d, stream=stream.child("inputs"))
    u = replicate_spheres(64, M, d, stream=stream.child("outputs"))
    cross = torch.zeros(64, dtype=torch.float64)
    for x in range(N):
        terms = [
            ((u[:, x] - u[:, 2]) * u[:, z]).sum(1) * (e[:, z] * e[:, x]).sum(1) for z in range(N)
        ]
        cross += 2 * terms[0] * terms[1] / N
    assert torch.allclose(found["cross.outside"].values, cross, rtol=0, atol=1e-13)


def test_overlaps_are_what_they_are_named_for():
    found, stream = overlap_observables(3, 32, seed=5), Stream(5, "linear-overlaps")
    e = replicate_spheres(32, 4, 3, stream=stream.child("inputs"))
    u = replicate_spheres(32, 4, 3, stream=stream.child("outputs"))

    def dot(a, b):
        return (a * b).sum(1)

    gap = u[:, 0] - u[:, 3]
    keys = [dot(e[:, z], e[:, 0]) for z in (1, 2, 3)]
    expected = {
        "signal": dot(gap, u[:, 0]),
        "signal-squared": dot(gap, u[:, 0]) ** 2,
        "generic-squared": (dot(gap, u[:, 1]) ** 2 + dot(gap, u[:, 2]) ** 2) / 2,
        "coincident-squared": dot(gap, u[:, 3]) ** 2,
        "key": sum(keys) / 3,
        "key-squared": sum(k**2 for k in keys) / 3,
        "key-pair": keys[0] * keys[1],
        "key-square-pair": (keys[0] * keys[1]) ** 2,
        "key-square-triple": (keys[0] * keys[1] * keys[2]) ** 2,
        "triangle": keys[0] * keys[1] * dot(e[:, 1], e[:, 2]),
    }
    assert set(found) == set(expected)
    for name, values in expected.items():
        assert torch.allclose(found[name].values, values, rtol=0, atol=1e-14), name


def test_the_tail_is_the_failing_fraction_whole_and_cut():
    found = tail_observables(3, 6, 500, cut=0.2, seed=2)
    fractions = failing_fractions(3, 6, 500, seed=2)
    assert torch.equal(found["whole"].values, fractions)
    assert torch.equal(found["cut"].values, fractions.clamp(max=0.2))
    assert (found["whole"].high, found["cut"].high) == (1.0, 0.2)
    assert float(found["cut"].values.mean()) < float(found["whole"].values.mean())


def test_without_an_output_outside_the_image_nothing_is_said_of_it():
    assert not [name for name in margin_observables(3, 3, 3, 8, seed=1) if "outside" in name]


def test_the_cross_terms_of_a_single_fact_vanish():
    found = margin_observables(3, 1, 2, 64, seed=1)["cross.outside"].values
    assert float(found.abs().max()) < 1e-12


def test_the_law_without_noise_is_the_signal_alone():
    found = law_observables(2, 64, beta=0.0, spread=2.0, n=0, seed=2)["second"]
    assert found.high == 4.0
    assert float(found.values.max()) <= 4.0


def test_exponentials_at_rate_zero_are_one():
    found = coordinate_observables(2, 16, rate=0.0, seed=2)["single"].values
    assert torch.equal(found, torch.full((16,), math.exp(0.0), dtype=torch.float64))
