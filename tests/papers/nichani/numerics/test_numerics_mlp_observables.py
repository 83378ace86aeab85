"""Margins and single-neuron expectations of the two-layer memory; the random-feature memory."""

import math
from itertools import product

import pytest
import torch

from numerics import Activation, InputError, LinearMemory, MLPMemory, Stream, recall
from numerics.draws import mlp_margin
from numerics.memories import mlp
from numerics.observables import Event
from numerics.papers.nichani import feature_memory as features
from numerics.papers.nichani.mlp_observables import cubature, neuron_observables
from numerics.random import (
    replicate_gaussians,
    replicate_spheres,
    sample_gaussian,
    sample_sphere,
)

SIGMA = (0.3, 1.0, -0.7, 1.2)
DRAWS = 256


def hermite(k, t):
    before, this = 0.0, 1.0
    for i in range(k):
        before, this = this, t * this - i * before
    return this / math.sqrt(math.factorial(k))


def slope(t):
    return sum(math.sqrt(j) * c * hermite(j - 1, t) for j, c in enumerate(SIGMA) if j)


def standard_error(values):
    return float(values.std()) / math.sqrt(len(values))


# Cubature


@pytest.mark.parametrize("d", [1, 2, 3])
def test_cubature_is_exact_to_its_degree_and_no_further(d):
    nodes, weights = cubature(d, 4)
    assert nodes.shape == (3**d, d)
    for powers in product(range(6), repeat=d):
        found = float((weights * (nodes ** torch.tensor(powers)).prod(dim=1)).sum())
        moments = [0 if p % 2 else math.prod(range(1, p, 2)) for p in powers]
        assert found == pytest.approx(math.prod(moments), abs=1e-12)
    assert float((weights * nodes[:, 0] ** 6).sum()) == pytest.approx(9.0)  # and E g^6 = 15
    with pytest.raises(InputError, match="d = 9"):
        cubature(9, 8)


# One neuron


def embeddings(d, N, M, draws, seed):
    stream = Stream(seed, "mlp-neuron")
    e = replicate_spheres(draws, N, d, stream=stream.child("inputs"))
    return e, replicate_spheres(draws, M, d, stream=stream.child("outputs"))


def dot(a, b):
    return float(a @ b)


def joint_moments(e, u, x, y, k):
    """E omega_z (N,) and E omega_z omega_z' (N, N) by one cubature over v and w together, d = 2."""
    nodes, weights = cubature(4, 2 * (len(SIGMA) - 2 + k) + 2)
    N = len(e)
    first, second = torch.zeros(N).double(), torch.zeros(N, N).double()
    for node, weight in zip(nodes, weights.tolist(), strict=True):
        v, w = node[:2], node[2:]
        omega = torch.tensor(
            [
                dot(v, u[x] - u[y]) * dot(v, u[z]) * slope(dot(w, e[x]))
                * hermite(k, dot(w, e[z])) * dot(e[x], e[z])
                for z in range(N)
            ],
            dtype=torch.float64,
        )  # fmt: skip
        first += weight * omega
        second += weight * torch.outer(omega, omega)
    return first, second


@pytest.mark.parametrize("k", [1, 2])
def test_expectations_are_what_they_are_named_for(k):
    d, N, M, m, about = 2, 3, 4, 3, 0.7
    found = neuron_observables(d, N, M, 1, k=k, sigma=SIGMA, m=m, about=about, seed=5)
    e, u = (part[0] for part in embeddings(d, N, M, 1, 5))
    values = {}

    def add(name, value):
        values.setdefault(name, []).append(float(value))

    for x, y in product(range(N), range(M)):
        if x == y:
            continue
        first, second = joint_moments(e, u, x, y, k)
        where = "inside" if y < N else "outside"
        total = second.sum() / m + (1 - 1 / m) * first.sum() ** 2
        add(f"mean.{where}", first.sum())
        terms = (dot(u[x] - u[y], u[z]) * dot(e[x], e[z]) ** (k + 1) for z in range(N))
        add(f"sum.{where}", sum(terms))
        add(f"second.{where}", total)
        add(f"centred.{where}", total - 2 * about * first.sum() + about**2)
        add(f"diag-sum.{where}", second.trace())
        add(f"other-sum.{where}", (first**2).sum())
        mixed = second / m + (1 - 1 / m) * torch.outer(first, first)
        add(f"split.{where}", mixed.sum() - mixed.trace())
        gap = u[x] - u[y]
        add("value4", 3 * dot(gap, gap) ** 2)
        for z in range(N):
            kind = "own" if z == x else "rival" if z == y else "generic"
            add(f"diag.{kind}", second[z, z])
            add(f"other.{kind}", first[z] ** 2)
            add(f"value.{kind}", dot(gap, gap) + 2 * dot(gap, u[z]) ** 2)
            for t in range(N):
                then = "own" if t == x else "rival" if t == y else "generic"
                pair = {
                    ("generic", "generic"): "generic",
                    ("generic", "own"): "own",
                    ("rival", "own"): "rival",
                    ("generic", "rival"): "generic-rival",
                }.get((kind, then))
                if z != t and pair:
                    add(f"cross.same.{pair}", second[z, t])
                    add(f"cross.other.{pair}", first[z] * first[t])
    nodes, weights = cubature(2, 2 * (len(SIGMA) - 2 + k))
    for x, z in product(range(N), repeat=2):
        integrand = (
            (slope(dot(w, e[x])) * hermite(k, dot(w, e[z])) * dot(e[x], e[z])) ** 2 for w in nodes
        )
        square = sum(a * b for a, b in zip(weights.tolist(), integrand, strict=True))
        add("feature.own" if x == z else "feature.generic", square)

    assert set(found) == set(values)
    for name, item in found.items():
        expected = sum(values[name]) / len(values[name])
        assert float(item.values) == pytest.approx(expected, rel=1e-9, abs=1e-9), name


def test_bounds_are_near_what_is_reached():
    # d = 1: all overlaps are signs, sigma' = 1 and h_1 h_1 are their own squares' roots.
    found = neuron_observables(1, 1, 2, DRAWS, k=0, sigma=(0.0, 1.0), seed=1)
    for name in ("mean.outside", "other.own", "diag.own", "value.own", "value4"):
        assert float(found[name].values.max()) == pytest.approx(found[name].high, rel=1e-6), name


@pytest.mark.parametrize("k", [0, 1, 2])
def test_the_mean_is_a_coefficient_times_the_sum_of_powers(k):
    found = neuron_observables(3, 3, 4, DRAWS, k=k, sigma=SIGMA, seed=2)
    factor = math.sqrt(k + 1) * SIGMA[k + 1]
    for where in ("inside", "outside"):
        expected = factor * found[f"sum.{where}"].values
        assert torch.allclose(found[f"mean.{where}"].values, expected, rtol=1e-10, atol=1e-11)
        # The factor sqrt(k+1) is there.
        if k:
            assert not torch.allclose(found[f"mean.{where}"].values * 1.01, expected)


def test_terms_of_different_facts_average_to_zero_for_even_features_only():
    even = neuron_observables(2, 3, 4, 8192, k=2, sigma=SIGMA, seed=3)
    odd = neuron_observables(2, 3, 4, 8192, k=1, sigma=SIGMA, seed=3)
    for name in ("same.generic", "same.own", "same.rival", "same.generic-rival"):
        values = even[f"cross.{name}"].values
        assert abs(float(values.mean())) < 5 * standard_error(values), name
    values = odd["cross.same.rival"].values
    assert abs(float(values.mean())) > 20 * standard_error(values)
    for found, zero in ((even, True), (odd, False)):
        values = found["split.inside"].values
        assert (abs(float(values.mean())) < 5 * standard_error(values)) == zero


# Margins with sampled neurons


def test_replicate_margins_are_those_of_the_memory():
    d, N, M, m, k = 3, 4, 6, 5, 2
    sigma = (0.0, 1.0, 0.4, -0.8)
    found = mlp_margin.margin_replicates(d, N, M, m, 7, k=k, sigma=sigma, seed=1, name="check")
    stream = Stream(1, "check")
    e = replicate_spheres(2, N, d, stream=stream.child("inputs"), start=5)
    u = replicate_spheres(2, M, d, stream=stream.child("outputs"), start=5)
    w, v = (
        replicate_gaussians(2, m, d, stream=stream.child(side), start=5)
        for side in ("hidden", "readout")
    )
    f = torch.arange(N)
    for r in range(2):
        memory = MLPMemory(e[r], u[r], f, w[r], v[r], Activation.hermite(sigma), k, sign=-1)
        scores = memory.apply(e[r]) @ u[r].T
        expected = scores[f, f].unsqueeze(1) - scores
        assert torch.allclose(found[5 + r], expected, rtol=1e-10, atol=1e-11)


def test_margins_average_to_the_expectations_over_the_neurons():
    sizes, m = (2, 3, 4), 2
    # Of low degree: the fourth moments of margins are then small enough for what is compared.
    rule = {"k": 1, "sigma": (0.0, 0.5, 1.0), "seed": 1}
    raw = mlp_margin.margin_observables(*sizes, m, 200_000, **rule)
    exact = neuron_observables(*sizes, 20_000, m=m, **rule)
    for name in ("mean.inside", "mean.outside", "second.inside", "second.outside"):
        a, b = raw[name], exact[name].values
        allowed = 5 * math.hypot(standard_error(a), standard_error(b))
        assert abs(float(a.mean() - b.mean())) < allowed, name
    # Another width has another second moment.
    other = neuron_observables(*sizes, 20_000, m=m + 1, **rule)
    a, b = raw["second.inside"], other["second.inside"].values
    assert abs(float(a.mean() - b.mean())) > 5 * math.hypot(standard_error(a), standard_error(b))
    failing = raw["failure.outside"]
    assert 0 < float(failing.mean()) < 1
    assert torch.allclose((3 * failing).round(), 3 * failing)


def test_failures_are_facts_that_the_drawn_memory_does_not_recall(monkeypatch):
    sizes = (16, 10, 12, 300)
    event = mlp_margin.failures(*sizes, 30, seed=3)
    assert isinstance(event, Event)
    assert 0 < float(event.values.mean()) < 1
    for draw in (0, 7, 29):
        memory = MLPMemory.sample(
            *sizes[:3],
            m=300,
            k=2,
            activation=Activation.hermite((0.0, 1.0, 1.0, 1.0)),
            seed=Stream(3, "mlp-failures", draw),
        )
        assert event.values[draw] == float(recall(memory).accuracy < 1)
    # The network of finite width loses what the memory loses.
    network = mlp_margin.failures(*sizes, 30, seed=3, network=True)
    assert torch.equal(event.values, network.values)
    assert mlp_margin.failures(16, 10, 12, 300, 5, seed=3, sigma="relu").values.mean() == 1.0
    # And it is the network that is asked: steps that are far too wide lose all.
    near = MLPMemory.network
    monkeypatch.setattr(MLPMemory, "network", lambda memory: near(memory, 300.0))
    assert mlp_margin.failures(*sizes, 5, seed=3, network=True).values.mean() == 1.0


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("k", [1, 2])
def test_the_mean_margin_is_positive_for_a_coefficient_of_either_sign(k, sign):
    sigma = [0.0] * (k + 1) + [sign]
    found = mlp_margin.margin_observables(4, 2, 3, 6, 4000, k=k, sigma=sigma, seed=1)
    for name in ("mean.inside", "mean.outside"):
        values = found[name]
        assert float(values.mean()) > 6 * standard_error(values)


def test_a_wrong_construction_is_seen(monkeypatch):
    arguments = {"k": 2, "sigma": (0.0, 1.0, 1.0, 1.0), "seed": 2}
    right = mlp_margin.margin_observables(3, 3, 4, 4, 20_000, **arguments)["mean.outside"]
    assert abs(float(right.mean()) - math.sqrt(3)) < 5 * standard_error(right)
    original = mlp.tangent_sum
    monkeypatch.setattr(mlp, "tangent_sum", lambda e, u, w, v, k: original(e, u, w, v, k + 1))
    wrong = mlp_margin.margin_observables(3, 3, 4, 4, 20_000, **arguments)["mean.outside"]
    assert abs(float(wrong.mean()) - math.sqrt(3)) > 5 * standard_error(wrong)
    assert MLPMemory.sample(4, 3, m=4, activation=Activation.named("sin"), seed=0).tangent.any()


# Random features and the polynomial memory


def test_a_feature_depends_on_the_overlap_by_a_power():
    k = 2
    found = features.limit_observables(3, 3, DRAWS, k=k, sigma=SIGMA, m=4, factor=SIGMA[k], seed=1)
    for name, item in found.items():
        assert item.values.shape == (DRAWS,), name
        assert item.low <= float(item.values.min()), name
        assert float(item.values.max()) <= item.high, name
    for kind in ("own", "other"):
        assert float(found[f"miss.{kind}"].values.max()) < 1e-12
    assert float((found["coefficient.own"].values - SIGMA[k]).abs().max()) < 1e-12
    wrong = features.limit_observables(
        3, 3, DRAWS, k=k, sigma=SIGMA, m=4, factor=math.sqrt(2) * SIGMA[k], seed=1
    )
    assert float(wrong["residual.own"].values.abs().min()) > 0.1
    assert float(wrong["residual.other"].values.abs().max()) > 0.01
    alone = features.limit_observables(3, 1, 0, k=k, sigma=SIGMA, m=4, factor=1.0, seed=1)
    kinds = ("coefficient", "power", "overlap", "residual", "miss", "spread")
    assert set(alone) == {f"{kind}.own" for kind in kinds}
    # "power" and "overlap" are the same coefficient times a power of the overlap, and that power.
    ratio = found["power.other"].values - SIGMA[k] * found["overlap.other"].values
    assert float(ratio.abs().max()) < 1e-12
    assert torch.allclose(found["power.own"].values, found["coefficient.own"].values, atol=1e-12)


def test_the_spread_is_the_variance_of_a_feature_of_m_neurons():
    # Of low degree, so that the square of the mean is no small part.
    k, m, runs, low = 1, 4, 40_000, (0.0, 1.0, 0.2)
    found = features.limit_observables(2, 2, 1, k=k, sigma=low, m=m, factor=0.0, seed=1)
    e = replicate_spheres(1, 2, 2, stream=Stream(1, "feature-limit", "inputs"))[0]
    w = sample_gaussian(runs * m, 2, stream=Stream(0, "neurons"))
    arguments = w @ e.T
    sigma, h_k = Activation.hermite(low).value, Activation.hermite([0.0] * k + [1.0]).value
    for kind, pairs in (("own", ((0, 0), (1, 1))), ("other", ((0, 1), (1, 0)))):
        products = torch.stack(
            [sigma(arguments[:, x]) * h_k(arguments[:, z]) for x, z in pairs]
        ).reshape(2, runs, m)
        centred = (products.mean(dim=2) - products.mean(dim=(1, 2))[:, None]) ** 2
        values = centred.mean(dim=0)
        expected = float(found[f"spread.{kind}"].values)
        assert abs(float(values.mean()) - expected) < 5 * standard_error(values), kind
        assert abs(float(values.mean()) - 1.25 * expected) > 5 * standard_error(values), kind


def facts(d, N, M, seed):
    return LinearMemory.sample(d, N, M, seed=seed)


def test_the_feature_memory_is_the_sum_of_the_paper():
    linear, k = facts(3, 4, 6, seed=1), 2
    e, u, f = linear.inputs, linear.outputs, linear.association
    w = sample_gaussian(5, 3, stream=Stream(1, "hidden"))
    memory = features.feature_memory(e, u, f, w, Activation.hermite(SIGMA), k)
    sigma = Activation.hermite(SIGMA).value
    for x in range(4):
        expected = torch.zeros(3).double()
        for i, z in product(range(5), range(4)):
            expected += u[f[z]] * hermite(k, dot(w[i], e[z])) * sigma(w[i] @ e[x]) / 5
        assert torch.allclose(memory.apply(e[x : x + 1])[0], expected, rtol=1e-12, atol=1e-13)


def test_random_features_approach_the_polynomial_memory_like_one_over_root_m():
    linear, k = facts(4, 6, 6, seed=2), 2
    e, u, f = linear.inputs, linear.outputs, linear.association
    limit = SIGMA[k] * features.polynomial_memory(e, u, f, k).apply(e)
    off = []
    for m in (4_000, 400_000):
        w = sample_gaussian(m, 4, stream=Stream(5, "hidden"))
        memory = features.feature_memory(e, u, f, w, Activation.hermite(SIGMA), k)
        off.append(float((memory.apply(e) - limit).norm()))
    assert 3 < off[0] / off[1] < 30
    assert off[1] < 0.1 * float(limit.norm())


def test_the_polynomial_memory_of_degree_one_is_the_linear_memory():
    linear = facts(5, 6, 8, seed=3)
    e, u, f = linear.inputs, linear.outputs, linear.association
    z = sample_gaussian(7, 5, stream=Stream(0, "queries"))
    assert torch.allclose(features.polynomial_memory(e, u, f, 1).apply(z), linear.apply(z))
    cubic = features.polynomial_memory(e, u, f, 3)
    expected = (z @ e.T) ** 3 @ u[f]
    assert torch.allclose(cubic.apply(z), expected, rtol=1e-12, atol=1e-12)
    error = (cubic.apply(z.float()).double() - cubic.apply(z.float().double())).norm(dim=1)
    bound = cubic.apply_error(z.float())
    assert bool((error <= bound).all())
    assert float(bound.max()) < 0.01


def test_polynomial_memories_hold_more_facts_for_larger_degrees():
    lost = [float(features.failures(12, 40, 40, k, 20, seed=1).values.mean()) for k in (1, 3)]
    assert lost[0] == 1.0
    assert 0 < lost[1] < 1
    whole = features.failures(12, 40, 40, 3, 20, seed=1).values
    parts = [
        features.failures(12, 40, 40, 3, 12, seed=1).values,
        features.failures(12, 40, 40, 3, 8, seed=1, start=12).values,
    ]
    assert torch.equal(whole, torch.cat(parts))
    for draw in (0, 19):
        stream = Stream(1, "polynomial-failures").replicate(draw)
        e = sample_sphere(40, 12, stream=stream.child("inputs"))
        u = sample_sphere(40, 12, stream=stream.child("outputs"))
        scores = (e @ e.T) ** 3 @ u @ u.T
        assert whole[draw] == float(not bool((scores.argmax(1) == torch.arange(40)).all()))


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda: neuron_observables(2, 3, 2, 1, k=2, sigma=SIGMA, seed=0), "N = 3 exceeds"),
        (lambda: neuron_observables(2, 1, 1, 1, k=2, sigma=SIGMA, seed=0), "M = 1"),
        (lambda: neuron_observables(2, 2, 2, 1, k=2, sigma="tanh", seed=0), "tanh"),
        (lambda: neuron_observables(2, 2, 2, 1, k=2, sigma=SIGMA, seed=0, m=0), "m = 0"),
        (lambda: neuron_observables(2, 2, 2, 1, k=2, sigma=SIGMA, seed=0, start=-3), "start = -3"),
        (lambda: mlp_margin.failures(2, 3, 2, 1, 1, seed=0), "N = 3 exceeds"),
        (lambda: mlp_margin.failures(2, 2, 2, 1, 1, seed=0, sigma="gelu"), "gelu"),
        (lambda: mlp_margin.failures(2, 2, 2, 1, 1, seed=0, start=-1), "start"),
        (lambda: mlp_margin.margin_replicates(2, 2, 2, 0, 1, k=2, sigma=SIGMA, seed=0), "m = 0"),
        (lambda: features.failures(2, 3, 2, 1, 1, seed=0), "N = 3 exceeds"),
        (lambda: features.failures(2, 2, 2, 0, 1, seed=0), "k = 0"),
        (
            lambda: features.limit_observables(2, 2, 1, k=2, sigma="relu", m=1, factor=1.0, seed=0),
            "relu",
        ),
    ],
)
def test_bad_arguments_are_refused(call, match):
    with pytest.raises(InputError, match=match):
        call()
