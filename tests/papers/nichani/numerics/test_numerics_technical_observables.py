"""The observables of the technical lemmas: definitions, bounds, reproducibility, bad input."""

import math

import numpy as np
import pytest
import torch

from numerics import InputError
from numerics.papers.nichani import technical_observables as t


def test_means_are_those_of_the_definitions():
    n, seed = 2**16, 5
    powers = t.overlap_powers(d=2, replicates=n, seed=seed)
    assert float(powers["1"].values.mean()) == pytest.approx(1 / 2, abs=0.01)
    assert float(powers["2"].values.mean()) == pytest.approx(3 / 8, abs=0.01)
    events = t.polynomial_events(p=3, replicates=n, seed=seed)
    shares = {name: float(event.values.double().mean()) for name, event in events.items()}
    assert shares["parity"] == pytest.approx(1 / 2, abs=0.01)
    assert shares["conjunction"] == pytest.approx(7 / 8, abs=0.01)
    assert shares["negation"] == pytest.approx(1 / 8, abs=0.01)
    tail = t.polynomial_events(p=1, replicates=n, seed=seed)["gaussian 1.5"].values.double()
    assert float(tail.mean()) == pytest.approx(0.0668, abs=0.005)
    product = t.correlation_observables(k=1, rho=0.6, replicates=n, seed=seed)["product"]
    assert float(product.values.mean()) == pytest.approx(0.6, abs=0.03)
    square = t.square_observables(k=2, replicates=n, seed=seed)["square"]
    assert float(square.values.mean()) == pytest.approx(2, abs=0.15)


def test_the_links_of_the_chain_are_nested_on_every_draw():
    chain = {"mean": 1.0, "slope": 2.0, "threshold": 1.0, "strict": False}
    chain |= {"q": 2.0, "event": 2.0, "quotient": 2.0}
    terms = t.chain_observables(d=3, **chain, replicates=2**12, seed=0)
    below, far, powered = (terms[name].values for name in ("below", "far", "powered"))
    assert not (below & ~far).any()
    assert torch.equal(far, powered)
    assert (powered.double() <= terms["quotient"].values).all()
    strict = {**chain, "slope": 1.0, "strict": True}
    assert not t.chain_observables(d=1, **strict, replicates=256, seed=0)["far"].values.any()


@pytest.mark.parametrize(("k", "exact"), [(0, 1), (1, 3), (2, 15), (3, 93), (4, 639)])
def test_fourth_moments_by_quadrature(k, exact):
    assert t.hermite_moment(k, 4) == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize("k", range(5))
def test_the_second_moment_is_one(k):
    assert t.hermite_moment(k, 2) == pytest.approx(1, rel=1e-12)


def test_an_odd_moment_is_refused():
    with pytest.raises(InputError, match="odd"):
        t.hermite_moment(2, 3)


def test_an_unknown_function_is_refused():
    with pytest.raises(InputError, match="unknown"):
        t.stein_observables(k=1, function="tanh", replicates=8, seed=0)


def test_tensors_are_the_known_polynomials():
    x = torch.tensor([[0.5, -1.0], [2.0, 3.0]], dtype=torch.float64)
    assert torch.equal(t.hermite_tensors(x, 0), torch.ones(2, dtype=torch.float64))
    assert torch.allclose(t.hermite_tensors(x, 1), x)
    second = torch.einsum("ni,nj->nij", x, x) - torch.eye(2, dtype=torch.float64)
    assert torch.allclose(t.hermite_tensors(x, 2), second)
    third = np.polynomial.hermite_e.hermeval(x[:, 0].numpy(), [0, 0, 0, 1])
    assert np.allclose(t.hermite_tensors(x, 3)[:, 0, 0, 0].numpy(), third)


@pytest.mark.parametrize("k", [1, 2])
def test_the_sine_satisfies_steins_identity(k):
    drawn = t.stein_observables(k=k, function="sine", replicates=2**16, seed=2)
    left, right = (float(drawn[name].values.mean()) for name in ("weighted", "derivative"))
    assert left == pytest.approx(right, abs=0.03)
    exact = math.exp(-0.5) * math.sin(1 + k * math.pi / 2)
    assert right == pytest.approx(exact, abs=0.02)
