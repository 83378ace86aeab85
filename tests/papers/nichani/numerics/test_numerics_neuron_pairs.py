"""One neuron and one fact in any dimension: against integrals of our own, bounds, and other roads."""

import math

import numpy as np
import pytest
import torch
from numpy.polynomial import hermite_e

from numerics import InputError, Stream
from numerics.papers.nichani.mlp_observables import neuron_observables
from numerics.papers.nichani.neuron_pairs import pair_observables
from numerics.random import replicate_spheres

SIGMA = (0.3, 1.0, -0.7, 1.2)


def h(k, t):
    return hermite_e.hermeval(t, [0.0] * k + [1.0]) / math.sqrt(math.factorial(k))


def slope(t):
    return sum(math.sqrt(j) * c * h(j - 1, t) for j, c in enumerate(SIGMA) if j)


def gauss(function, dimension):
    """E function of independent standard Gaussians, by a product rule."""
    points, weights = hermite_e.hermegauss(12)
    grids = np.meshgrid(*[points] * dimension, indexing="ij")
    products = np.meshgrid(*[weights / weights.sum()] * dimension, indexing="ij")
    return float((function(*grids) * math.prod(products)).sum())


def drawn(d, N, M, draws, seed):
    stream = Stream(seed, "neuron-pairs")
    e = replicate_spheres(draws, N, d, stream=stream.child("inputs"))
    u = replicate_spheres(draws, M, d, stream=stream.child("outputs"))
    return e.numpy(), u.numpy()


@pytest.mark.parametrize("k", [0, 1, 2])
def test_every_observable_of_one_draw_by_integrals_over_all_coordinates(k):
    """d = 2: v and w are integrated over the plane, coordinate by coordinate."""
    d, N, M = 2, 3, 4
    found = {key: float(b.values) for key, b in pair_observables(
        d, N, M, 1, k=k, sigma=SIGMA, seed=3
    ).items()}  # fmt: skip
    (e,), (u,) = drawn(d, N, M, 1, 3)
    values = {}
    for x in range(N):
        for y in (y for y in range(M) if y != x):
            a = u[x] - u[y]
            sums = {"diag-sum": 0.0, "other-sum": 0.0}
            for z in range(N):
                key = float(e[x] @ e[z])

                def value(p, q, z=z, a=a):
                    return (a[0] * p + a[1] * q) * (u[z][0] * p + u[z][1] * q)

                def feature(p, q, x=x, z=z, key=key):
                    at = e[x][0] * p + e[x][1] * q, e[z][0] * p + e[z][1] * q
                    return slope(at[0]) * h(k, at[1]) * key

                square = gauss(lambda p, q: value(p, q) ** 2, 2)
                diag = square * gauss(lambda p, q: feature(p, q) ** 2, 2)
                other = (gauss(value, 2) * gauss(feature, 2)) ** 2
                sums["diag-sum"] += diag
                sums["other-sum"] += other
                kind = "own" if z == x else "rival" if z == y else "generic"
                for name, one in (
                    ("diag", diag),
                    ("other", other),
                    ("overlap", key ** (2 * k + 2)),
                ):
                    values.setdefault(f"{name}.{kind}", []).append(one)
            where = "inside" if y < N else "outside"
            for name, total in sums.items():
                values.setdefault(f"{name}.{where}", []).append(total)
            values.setdefault("value4", []).append(
                gauss(lambda p, q, a=a: (a[0] * p + a[1] * q) ** 4, 2)
            )
    values["unit4"] = [3.0]
    assert set(values) == set(found)
    for name, many in values.items():
        assert found[name] == pytest.approx(float(np.mean(many)), rel=1e-9), name


@pytest.mark.parametrize("k", [0, 2])
def test_in_the_plane_it_is_what_integrating_over_the_plane_gives(k):
    """The same draws, by cubature in all d coordinates instead of the plane of the overlap."""
    sizes = {"d": 2, "N": 3, "M": 4, "replicates": 40, "k": k, "sigma": SIGMA, "seed": 9}
    found = pair_observables(**sizes, name="same")
    other = neuron_observables(**sizes, name="same")
    shared = set(found) & set(other)
    assert {"diag.own", "other.generic", "diag-sum.inside", "other-sum.outside"} <= shared
    for name in shared:
        assert torch.allclose(found[name].values, other[name].values, rtol=1e-9, atol=1e-12), name


@pytest.mark.parametrize("d", [1, 7])
def test_averages_tend_to_the_moments_by_hand(d):
    """E value^2 of omega is (4 + 2/d) E sigma'^2 h_1^2 for z = x; fourth moments 12 (1 + 1/d) and 3."""
    sigma = (0.0, 1.0, 0.5)
    found = pair_observables(d, 2, 3, 4000, k=1, sigma=sigma, seed=1)
    noise = gauss(lambda g: (1 + math.sqrt(2) * 0.5 * g) ** 2 * g**2, 1)
    wanted = {
        "diag.own": (4 + 2 / d) * noise,
        "value4": 12 * (1 + 1 / d),
        "unit4": 3.0,
        "overlap.generic": 3 / (d * (d + 2)),
        # (sqrt(2) c_2)^2 (1 + 1/d)
        "other.own": 0.5 * (1 + 1 / d),
    }
    for name, value in wanted.items():
        sample = found[name].values
        error = 5 * float(sample.std()) / math.sqrt(len(sample)) + 1e-9
        assert abs(float(sample.mean()) - value) < error, name


def test_opposite_and_equal_outputs_do_not_break_it():
    """On S^0 every difference of outputs is 0 or 2 long."""
    found = pair_observables(1, 2, 3, 500, k=2, sigma=SIGMA, seed=2)
    for name, bounded in found.items():
        assert bool(torch.isfinite(bounded.values).all()), name
    assert set(found["value4"].values.tolist()) <= {0.0, 12.0, 24.0, 36.0, 48.0}


def test_kinds_that_need_more_facts_are_left_out():
    one = pair_observables(3, 1, 2, 2, k=0, sigma=(0.0, 1.0), seed=0)
    assert "overlap.generic" not in one
    assert "diag-sum.inside" not in one
    assert {"diag.own", "other-sum.outside", "value4", "unit4"} <= set(one)
    full = pair_observables(3, 3, 3, 2, k=0, sigma=(0.0, 1.0), seed=0)
    assert "diag-sum.outside" not in full
    assert "diag.rival" in full


@pytest.mark.parametrize(
    ("sizes", "match"),
    [((2, 3, 2, 1), "N = 3 exceeds M = 2"), ((2, 0, 2, 1), "N = 0"), ((2, 1, 1, 1), "M = 1")],
)
def test_sizes_out_of_range_are_named(sizes, match):
    with pytest.raises(InputError, match=match):
        pair_observables(*sizes, k=0, sigma=(0.0, 1.0), seed=0)
    with pytest.raises(InputError, match="k = 25"):
        pair_observables(2, 1, 2, 1, k=25, sigma=(0.0, 1.0), seed=0)
