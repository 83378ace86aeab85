"""Observables of the two-input memory: against plain sampling of the neurons, and by hand."""

import math

import pytest
import torch

from numerics.errors import InputError
from numerics.memories.activations import Activation
from numerics.papers.nichani.technical_observables import hermite_tensors
from numerics.papers.nichani.two_input_observables import (
    KINDS,
    conditional_mean_deviation,
    derivative_mean,
    norm_expectation,
    orlicz_norm,
    orthogonal_frame_defect,
    signal_moments,
    stein_deviation,
    table_observables,
    term_observables,
)
from numerics.random import Stream, replicate_spheres, sample_gaussian

SIGMA = (0.5, 1.0, 1.5, 0.25)
MEMORY = {"p": 1, "k": 1, "sigma": SIGMA}


def embeddings(d, sizes, name, replicates=2):
    half, stream = (d - 1) // 2, Stream(0, name)
    s, r, a = (
        replicate_spheres(replicates, n, d, stream=stream.child(what))
        for n, what in zip(sizes, ("subjects", "relations", "answers"), strict=True)
    )
    P, Q = torch.zeros(d), torch.zeros(d)
    P[:half], Q[half : 2 * half] = 1, 1
    return s * P.double(), r * Q.double(), a


@pytest.mark.parametrize("d", [3, 5])
def test_terms_agree_with_sampled_neurons_and_whole_tensors(d):
    """<He_2(w), P s' x Q r'> from the tensor itself, w sampled."""
    found = term_observables(d, 2, **MEMORY, seed=0)
    s, r, a = embeddings(d, (3, 3, 3), "two-input terms")
    w = sample_gaussian(100_000, d, stream=Stream(1, "w"))
    tensors = hermite_tensors(w, 2)
    for draw in range(2):
        neuron = Activation.hermite(SIGMA).value(w @ (s[draw, 0] + r[draw, 0]))
        for kind, (i, j, answer) in KINDS.items():
            feature = torch.einsum("nab,a,b->n", tensors, s[draw, i], r[draw, j])
            reading = a[draw, answer] @ (a[draw, 0] - a[draw, 1])
            omega = neuron * feature * reading
            for values, name in ((omega, "mean"), (omega**2, "square")):
                error = float(values.std()) / math.sqrt(len(values))
                exact = float(found[f"{name}.{kind}"].values[draw])
                assert abs(float(values.mean()) - exact) <= 6 * error + 1e-9, (kind, name)


def test_margins_agree_with_sampled_networks():
    d, answers, m = 3, ((0, 2), (1, 3)), 2
    found = table_observables(d, 2, 2, 1, **MEMORY, answers=answers, m=m, about=0.5, seed=0)
    s, r, a = (x[0] for x in embeddings(d, (2, 2, 4), "two-input table", 1))
    w = sample_gaussian(200_000 * m, d, stream=Stream(2, "w")).reshape(-1, m, d)
    gamma = torch.zeros(len(w), dtype=torch.float64)
    neuron = Activation.hermite(SIGMA).value(w @ (s[0] + r[0]))
    for i in range(2):
        for j in range(2):
            feature = (w @ s[i]) * (w @ r[j])  # P and Q are orthogonal: no contraction
            gamma += (neuron * feature).mean(dim=1) * (a[answers[i][j]] @ (a[0] - a[1]))
    for values, name in ((gamma, "mean"), (gamma**2, "second"), ((gamma - 0.5) ** 2, "centred")):
        error = float(values.std()) / math.sqrt(len(values))
        assert abs(float(values.mean()) - float(found[name].values[0])) <= 6 * error


def test_sums_over_a_table_are_what_they_say():
    found = table_observables(3, 2, 1, 4, **MEMORY, answers=((0,), (0,)), seed=0)
    s, r, a = embeddings(3, (2, 1, 2), "two-input table", 4)
    plain = (s[:, 0] * s[:, 1]).sum(dim=1) ** 2 * (r[:, 0] ** 2).sum(dim=1) ** 2
    reading = (a[:, 0] * (a[:, 0] - a[:, 1])).sum(dim=1) ** 2
    assert torch.allclose(found["first-plain"].values, plain)
    assert torch.allclose(found["first"].values, plain * reading)
    assert torch.allclose(found["answers"].values, 2 * reading)


def test_wrong_sizes_are_named():
    with pytest.raises(InputError, match="even"):
        term_observables(4, 1, **MEMORY, seed=0)
    with pytest.raises(InputError, match="2 rows of 2"):
        table_observables(3, 2, 2, 1, **MEMORY, answers=((0,), (1,)), seed=0)


@pytest.mark.parametrize("d", [3, 9, 65])
def test_the_quadrature_knows_the_moments_of_the_beta_law(d):
    h = (d - 1) / 2
    assert norm_expectation(d, 0) == pytest.approx(1)
    assert norm_expectation(d, 1) == pytest.approx(h / d)
    assert norm_expectation(d, 3) == pytest.approx(h * (h + 2) * (h + 4) / (d * (d + 2) * (d + 4)))
    second = norm_expectation(d, 2) - norm_expectation(d, 1) + 0.25
    # E X^2 <= 2 K^2, and |A - 1/2| <= 1/2.
    assert math.sqrt(second / 2) <= orlicz_norm(d) <= 0.5 / math.log(2) + 1e-9


def test_the_signal_of_a_constant_derivative():
    first, second = signal_moments(9, 1, 1, (1.0, 1.0, 2.0))
    c = math.sqrt(2) * 2
    assert first == pytest.approx(c * norm_expectation(9, 1) ** 2)
    assert second == pytest.approx(c**2 * norm_expectation(9, 2) ** 2)


def test_what_is_computed_tells_right_from_wrong():
    assert derivative_mean((0, 0, 1), 2) == pytest.approx(math.sqrt(2))
    right = {"power": 2, "derivative": 2, "factor": 1.0, "sigma": SIGMA, "seed": 0}
    assert stein_deviation(2, 2, **right) < 1e-12
    assert stein_deviation(2, 2, **{**right, "factor": 2.0}) > 0.1
    assert stein_deviation(2, 2, **{**right, "power": 1}) == math.inf
    closed = {**MEMORY, "derivative": 2, "subject": 1, "relation": 1, "lengths": (1, 1), "seed": 0}
    closed = {**closed, "sigma": (1, 1, 1, 1, 1)}
    assert conditional_mean_deviation(3, **closed) < 1e-12
    assert conditional_mean_deviation(3, **{**closed, "relation": 2}) > 0.1
    assert conditional_mean_deviation(3, **{**closed, "lengths": (1, 0)}) > 0.01
    assert orthogonal_frame_defect(7, 2, 3, seed=0) < 1e-12
    assert orthogonal_frame_defect(7, 3, 3, seed=0) == 1.0
