"""Faults of the linear memory: each differs from the right weight, and by what its name says."""

import pytest
import torch

from numerics import InputError, LinearMemory, Stream, replicate_spheres, sample_sphere
from numerics.draws.linear_margin import failures, margin_replicates
from numerics.memories.linear import FAULTS, faulty_weight, outer_product_weight
from numerics.papers.nichani.linear_observables import margin_observables

D, N, M = 4, 3, 5
ASSOCIATION = torch.tensor([2, 0, 4])


def facts(*leading):
    stream = Stream(3, "facts")
    rows = 1
    for count in leading:
        rows *= count
    inputs = replicate_spheres(rows, N, D, stream=stream.child("inputs"))
    outputs = replicate_spheres(rows, M, D, stream=stream.child("outputs"))
    signs = replicate_spheres(rows, N, 1, stream=stream.child("signs")).squeeze(-1)
    return (
        inputs.reshape(*leading, N, D),
        outputs.reshape(*leading, M, D),
        signs.reshape(*leading, N),
    )


def by_hand(fault, inputs, outputs, signs):
    """The faulty weight of one memory, fact by fact, entry by entry."""
    weight = torch.zeros(D, D, dtype=torch.float64)
    for x, y in enumerate(ASSOCIATION.tolist()):
        for i in range(D):
            for j in range(D):
                term = outputs[y, i] * inputs[x, j]
                if fault == "transposed":
                    weight[j, i] += term
                elif fault == "doubled":
                    weight[i, j] += term + term
                else:
                    assert fault == "untied signs"
                    weight[i, j] += signs[x] * term
    return weight


def test_the_faults_are_those_that_the_claims_name():
    assert set(FAULTS) == {"transposed", "doubled", "untied signs"}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("leading", [(1,), (6,), (2, 3)])
def test_a_fault_is_what_its_name_says_and_not_the_right_weight(fault, leading):
    inputs, outputs, signs = facts(*leading)
    found = faulty_weight(fault, inputs, outputs, ASSOCIATION, signs)
    assert found.shape == (*leading, D, D)
    right = outer_product_weight(inputs, outputs, ASSOCIATION)
    for at in torch.cartesian_prod(*(torch.arange(n) for n in leading)).reshape(-1, len(leading)):
        at = tuple(at.tolist())
        expected = by_hand(fault, inputs[at], outputs[at], signs[at])
        assert torch.allclose(found[at], expected, rtol=0, atol=1e-14)
        if fault != "untied signs" or (signs[at] < 0).any():
            assert not torch.allclose(found[at], right[at], rtol=0, atol=1e-2)


def test_the_signs_are_signs_of_the_facts_and_some_are_negative():
    _, _, signs = facts(6)
    assert set(signs.unique().tolist()) == {-1.0, 1.0}


@pytest.mark.parametrize("fault", ["", "halved", "Transposed"])
def test_an_unknown_fault_is_refused_with_the_known_ones(fault):
    inputs, outputs, signs = facts(1)
    with pytest.raises(InputError, match=f"fault = '{fault}' is not known") as found:
        faulty_weight(fault, inputs, outputs, ASSOCIATION, signs)
    assert all(name in str(found.value) for name in FAULTS)


@pytest.mark.parametrize(
    "draw",
    [
        lambda: margin_replicates(D, N, M, 2, seed=0, fault="halved"),
        lambda: failures(D, N, M, 2, seed=0, fault="halved"),
        lambda: LinearMemory.sample(D, N, M, seed=0, fault="halved"),
        lambda: margin_observables(D, N, M, 2, seed=0, fault="halved"),
    ],
    ids=["margins", "failures", "memory", "observables"],
)
def test_every_experiment_refuses_an_unknown_fault(draw):
    with pytest.raises(InputError, match="'halved' is not known"):
        draw()


@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_memory_has_the_faulty_weight(fault):
    sound = LinearMemory.sample(D, N, M, seed=7)
    faulty = LinearMemory.sample(D, N, M, seed=7, fault=fault)
    signs = sample_sphere(N, 1, stream=Stream(7, "signs")).squeeze(-1)
    expected = faulty_weight(fault, sound.inputs, sound.outputs, sound.association, signs)
    assert torch.equal(faulty.weight, expected)


@pytest.mark.parametrize("fault", ["", *FAULTS])
def test_margins_are_those_of_the_weight_with_the_fault(fault):
    replicates = 20
    found = margin_replicates(D, N, M, replicates, seed=9, fault=fault)
    stream, association = Stream(9, "linear-margin"), torch.arange(N)
    inputs = replicate_spheres(replicates, N, D, stream=stream.child("inputs"))
    outputs = replicate_spheres(replicates, M, D, stream=stream.child("outputs"))
    signs = replicate_spheres(replicates, N, 1, stream=stream.child("signs")).squeeze(-1)
    if fault:
        weight = faulty_weight(fault, inputs, outputs, association, signs)
    else:
        weight = outer_product_weight(inputs, outputs, association)
    for r in range(replicates):
        for x in range(N):
            for y in range(M):
                margin = (outputs[r, x] - outputs[r, y]) @ (weight[r] @ inputs[r, x])
                assert float(found[r, x, y]) == pytest.approx(float(margin), abs=1e-13)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_moves_what_is_measured(fault):
    sound = margin_observables(2, 3, 4, 20_000, seed=4)
    faulty = margin_observables(2, 3, 4, 20_000, seed=4, fault=fault)
    # The mean margin of a pair outside the image is one; a fault makes it 2, 0 or about 1/2.
    assert float(sound["mean.outside"].values.mean()) == pytest.approx(1, abs=0.05)
    assert abs(float(faulty["mean.outside"].values.mean()) - 1) > 0.3


def test_twice_the_weight_loses_the_same_facts():
    sound, doubled = (failures(6, 4, 5, 40, seed=3, fault=fault) for fault in ("", "doubled"))
    assert torch.equal(sound.values, doubled.values)
