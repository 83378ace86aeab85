"""Gradient steps, one-hot inputs, two outputs, and limits of features: small experiments by hand."""

import math
from itertools import product

import numpy as np
import pytest
import torch
from numpy.polynomial import hermite_e

from numerics import InputError, Stream
from numerics.papers.nichani import correlation_loss, one_hot
from numerics.papers.nichani.correlation_loss import step_deviation
from numerics.papers.nichani.feature_memory import limit_observables
from numerics.papers.nichani.one_hot import largest_recalled
from numerics.papers.nichani.separability import two_output_recall
from numerics.random import replicate_spheres


def standard_error(values):
    return float(values.std()) / math.sqrt(len(values))


# One gradient step


@pytest.mark.parametrize("factored", [False, True])
@pytest.mark.parametrize("seed", [0, 1])
def test_the_step_is_the_construction(factored, seed):
    assert step_deviation(1.0, factored=factored, seed=seed) < 1e-14


@pytest.mark.parametrize("factored", [False, True])
@pytest.mark.parametrize("factor", [-1.0, 2.0, 0.5, 0.0, 0.2, 1 / 3])
def test_another_factor_is_off_by_as_much(factor, factored):
    found = step_deviation(factor, factored=factored, seed=0)
    assert found == pytest.approx(abs(1 - factor), rel=1e-12)


def test_a_construction_other_than_the_step_is_noticed(monkeypatch):
    def transposed(e, u, f):
        return e.mT @ u[f]

    monkeypatch.setattr(correlation_loss, "outer_product_weight", transposed)
    assert step_deviation(1.0, factored=False, seed=0) > 0.1


# One-hot inputs


@pytest.mark.parametrize("d", [1, 2, 5, 9])
@pytest.mark.parametrize("seed", [0, 3])
def test_as_many_one_hot_facts_as_dimensions(d, seed):
    assert largest_recalled(d, seed=seed) == d


def test_inputs_that_are_not_distinct_are_noticed(monkeypatch):
    def repeated(d, dtype):
        return torch.eye(d, dtype=dtype)[torch.arange(d).clamp(max=3)]

    monkeypatch.setattr(one_hot, "eye", repeated)
    assert largest_recalled(6, seed=0) == 4


# Two outputs


@pytest.mark.parametrize(("d", "N"), [(2, 3), (2, 4), (2, 6), (3, 5)])
def test_two_outputs_are_recalled_as_often_as_planes_cut(d, N):
    draws = 400
    found = two_output_recall(d, N, draws, seed=1)
    chance = sum(math.comb(N - 1, k) for k in range(d)) / 2 ** (N - 1)
    error = 5 * math.sqrt(chance * (1 - chance) / draws)
    assert abs(float(found.values.mean()) - chance) <= error


def test_one_draw_after_another_by_trying_all_directions():
    """In the plane a line that cuts as wanted can be turned to be near one through a vector."""
    draws = 40
    vectors = replicate_spheres(draws, 4, 2, stream=Stream(8, "two-outputs")).numpy()
    signs = np.where(np.arange(4) % 2, -1.0, 1.0)
    angles = np.linspace(0, 2 * np.pi, 200_001)
    lines = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    wanted = [bool(((signs[:, None] * (v @ lines.T)) > 0).all(axis=0).any()) for v in vectors]
    assert two_output_recall(2, 4, draws, seed=8).values.tolist() == list(map(float, wanted))
    assert 0 < sum(wanted) < draws


def test_as_many_facts_as_dimensions_are_always_recalled():
    for d in (1, 2, 6):
        assert bool(two_output_recall(d, d, 60, seed=2).values.all())


def test_draws_may_start_anywhere():
    whole = two_output_recall(2, 5, 50, seed=3).values
    assert torch.equal(two_output_recall(2, 5, 20, seed=3, start=30).values, whole[30:])


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({"d": 0, "N": 2, "replicates": 1}, "d = 0"),
        ({"d": 2, "N": 0, "replicates": 1}, "N = 0"),
        ({"d": 2, "N": 2, "replicates": -1}, "replicates = -1"),
        ({"d": 2, "N": 2, "replicates": 1, "start": -5}, "start = -5"),
    ],
    ids=str,
)
def test_bad_sizes_of_two_outputs_are_named(arguments, match):
    with pytest.raises(InputError, match=match):
        two_output_recall(**arguments, seed=0)


# The limit of eq. (3)

SIGMA = (0.5, 1.0, -1.5, 0.7)


def h(k, t):
    return hermite_e.hermeval(t, [0.0] * k + [1.0]) / math.sqrt(math.factorial(k))


@pytest.mark.parametrize("k", [0, 1, 2, 3])
def test_a_feature_tends_to_the_coefficient_times_a_power(k):
    found = limit_observables(2, 3, 50, k=k, sigma=SIGMA, m=5, factor=SIGMA[k], seed=1)
    assert torch.allclose(found["coefficient.own"].values, torch.tensor(SIGMA[k]).double())
    assert float(found["miss.own"].values.max()) < 1e-12
    assert float(found["miss.other"].values.max()) < 1e-12
    overlap, power = found["overlap.other"].values, found["power.other"].values
    assert torch.allclose(power, SIGMA[k] * overlap)
    assert torch.allclose(found["power.own"].values, torch.tensor(SIGMA[k]).double())
    assert torch.allclose(found["overlap.own"].values, torch.tensor(1.0).double())


def test_a_factor_without_the_coefficient_is_missed():
    found = limit_observables(2, 3, 50, k=2, sigma=SIGMA, m=5, factor=1.0, seed=1)
    assert float(found["miss.own"].values.min()) == pytest.approx(2.5)
    assert torch.allclose(found["residual.own"].values, torch.tensor(-2.5).double())


def test_a_feature_above_the_degree_of_the_activation_stores_nothing():
    found = limit_observables(2, 3, 20, k=4, sigma=SIGMA, m=5, factor=0.0, seed=1)
    assert float(found["miss.own"].values.max()) < 1e-12


def test_the_spread_is_the_variance_of_a_mean_over_neurons():
    points, weights = hermite_e.hermegauss(20)
    weights = weights / weights.sum()
    one = h(2, points) * hermite_e.hermeval(
        points, [c / math.sqrt(math.factorial(j)) for j, c in enumerate(SIGMA)]
    )
    variance = float((weights * one**2).sum() - (weights * one).sum() ** 2)
    for m in (1, 4):
        found = limit_observables(3, 2, 10, k=2, sigma=SIGMA, m=m, factor=0.0, seed=2)
        assert torch.allclose(found["spread.own"].values, torch.tensor(variance / m).double())


def test_the_overlaps_have_their_moments():
    found = limit_observables(3, 2, 6000, k=2, sigma=SIGMA, m=1, factor=0.0, seed=3)
    overlap = found["overlap.other"].values
    assert abs(float(overlap.mean()) - 3 / 15) < 5 * standard_error(overlap)


def test_kinds_that_need_more_facts_are_left_out():
    one = limit_observables(2, 1, 5, k=3, sigma=SIGMA, m=2, factor=0.3, seed=4)
    assert {name.split(".")[1] for name in one} == {"own"}


@pytest.mark.parametrize(
    ("change", "match"),
    [({"N": 0}, "N = 0"), ({"m": 0}, "m = 0"), ({"k": 25}, "k = 25"), ({"sigma": "relu"}, "sigma")],
    ids=str,
)
def test_bad_arguments_of_limits_are_named(change, match):
    given = {"N": 2, "k": 1, "sigma": SIGMA, "m": 1, **change}
    with pytest.raises(InputError, match=match):
        limit_observables(2, given.pop("N"), 1, **given, factor=0.0, seed=0)


def test_all_labels_of_two_facts_by_hand():
    """d = 1: two inputs of one sign cannot have two outputs."""
    found = two_output_recall(1, 2, 64, seed=5).values
    vectors = replicate_spheres(64, 2, 1, stream=Stream(5, "two-outputs")).numpy()[:, :, 0]
    assert found.tolist() == [float(a * b < 0) for a, b in vectors]
    assert {tuple(np.sign(pair)) for pair in vectors} == set(product((-1.0, 1.0), repeat=2))
