"""What no memory can do: far too many facts, too few directions, inputs that are the same."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics import (
    Activation,
    LinearMemory,
    LowRankMemory,
    MLPMemory,
    QuantizedMemory,
    TwoLayerNetwork,
    recall,
)
from proofs.capacity import Linear, LinearGeneralMap
from verify.strategies import (
    Sizes,
    embeddings,
    general_maps,
    linear_memories,
    low_rank_memories,
    mlp_memories,
    quantized_memories,
    seeds,
    sizes,
)

ACTIVATIONS = ["relu", "tanh", "sin", (0.0, 1.0, 1.0, 1.0)]
#: Far more facts than d^2 parameters hold, whatever they are.
CROWDED = st.integers(1, 6).map(lambda d: Sizes(d, 40 * d * d + 20, 40 * d * d + 20))
SHARED = 3


def outputs_recalled(memory):
    """The outputs of which at least one input is recalled."""
    found = recall(memory, keep_margins=True)
    right = found.margins > found.rounding_bound
    return set(memory.association[right].tolist())


# -- beyond capacity ------------------------------------------------------------------------------


@settings(max_examples=20)
@given(
    linear_memories(CROWDED)
    | low_rank_memories(CROWDED)
    | quantized_memories(CROWDED)
    | mlp_memories(CROWDED, m=(1, 16))
)
def test_far_beyond_capacity_facts_are_lost(memory):
    found = recall(memory)
    assert found.correct < found.total


@settings(max_examples=20)
@given(st.integers(64, 128), seeds)
def test_at_several_times_the_frontier_facts_are_lost(d, seed):
    """Beyond the frontier the condition says nothing; at five times it all draws fail."""
    beyond = 5 * Linear(cells=96).largest(delta="1/2", d=d)
    found = recall(LinearMemory.sample(d, beyond, seed=seed))
    assert found.correct < found.total


@settings(max_examples=10)
@given(st.integers(192, 256), seeds)
def test_at_several_times_the_frontier_of_shared_outputs_facts_are_lost(d, seed):
    from numerics.draws.general_margin import sample_memory

    outputs = LinearGeneralMap(cells=96).largest(delta="1/2", d=d, shared=SHARED)
    found = recall(sample_memory(d, [SHARED] * (5 * outputs), seed=seed))
    assert outputs > 0
    assert found.correct < found.total


# -- one direction --------------------------------------------------------------------------------


@st.composite
def general_facts(draw):
    """Inputs, outputs and any map between them."""
    d, N, M = draw(st.tuples(st.integers(1, 8), st.integers(3, 12), st.integers(3, 8)))
    f = torch.tensor(draw(general_maps(N, M)))
    return draw(embeddings(d, N)), draw(embeddings(d, M)), f


@given(general_facts(), st.data())
def test_rank_one_tells_at_most_two_outputs_apart(facts, data):
    factor = data.draw(embeddings(facts[0].shape[1], 1)).T.contiguous()
    assert len(outputs_recalled(LowRankMemory(*facts, factor))) <= 2


@pytest.mark.parametrize("activation", ACTIVATIONS, ids=str)
@given(facts=general_facts(), data=st.data())
def test_one_neuron_tells_at_most_two_outputs_apart(activation, facts, data):
    """Whatever its activation and weights, linearised or not: F(z) is a multiple of one vector."""
    d = facts[0].shape[1]
    hidden, readout = data.draw(embeddings(d, 1)), data.draw(embeddings(d, 1))
    neuron = (hidden * data.draw(st.sampled_from([0.1, 1.0, 30.0])), readout)
    sigma = Activation.read(activation)
    for memory in (TwoLayerNetwork(*facts, *neuron, sigma), MLPMemory(*facts, *neuron, sigma, 2)):
        assert len(outputs_recalled(memory)) <= 2


def test_two_outputs_are_told_apart_by_one_direction():
    """So that the bound of two is not one that any small number would meet."""
    inputs = torch.tensor([[1.0, 0.0], [-1.0, 0.0]], dtype=torch.float64)
    memory = LowRankMemory(
        inputs,
        inputs,
        torch.arange(2),
        torch.tensor([[1.0], [0.0]], dtype=torch.float64),
    )
    assert outputs_recalled(memory) == {0, 1}


@given(general_facts(), st.data())
def test_signs_of_a_weight_of_rank_one_have_rank_one(facts, data):
    """The signs of a b^T are those of a times those of b, and tell at most two outputs apart."""
    a, b = data.draw(embeddings(facts[0].shape[1], 2))
    memory = QuantizedMemory(LinearMemory(*facts).with_weight(torch.outer(a, b)), bits=1)
    assert torch.equal(
        memory.weight[:1] * memory.weight[:, :1], memory.weight * memory.weight[0, 0]
    )
    assert len(outputs_recalled(memory)) <= 2


@given(sizes(d=(1, 1), N=(3, 12)), seeds)
def test_signs_in_one_dimension_make_ties(at, seed):
    """Outputs are +1 or -1: one that has a twin ties with it, and a tie is a failure."""
    memory = QuantizedMemory.sample(*at, seed=seed, bits=1)
    found = recall(memory, keep_margins=True)
    values = memory.outputs.squeeze(1)
    twins = (values.unsqueeze(0) == values.unsqueeze(1)).sum(dim=1) > 1
    tied = twins[memory.association]
    assert tied.any()
    assert (found.margins[tied] <= found.rounding_bound).all()
    # The twin is the best competitor where the score of the target is the greater of the two.
    scores = memory.apply(memory.inputs).squeeze(1) * values[memory.association]
    assert found.ties >= int((tied & (scores > 0)).sum())
    assert found.correct <= int((~tied).sum())


# -- equal inputs ---------------------------------------------------------------------------------


@given(sizes(d=(1, 12), N=(2, 10)), st.integers(1, 32), seeds, st.data())
def test_equal_inputs_are_never_all_recalled(at, m, seed, data):
    """What has one embedding has one image, and only one output is its best."""
    d, N, M = at
    inputs = data.draw(embeddings(d, 1)).expand(N, d).contiguous()
    outputs, f = data.draw(embeddings(d, M)), torch.arange(N)
    linear = LinearMemory(inputs, outputs, f)
    factors = LowRankMemory.sample(d, N, M, m=m, seed=seed).factors
    drawn = MLPMemory.sample(d, N, M, m=m, activation=Activation.named("tanh"), seed=seed)
    tangent = MLPMemory(inputs, outputs, f, drawn.hidden, drawn.readout, drawn.activation, 2)
    for memory in (
        linear,
        LowRankMemory(inputs, outputs, f, factors),
        QuantizedMemory(linear, step=1 / (8 * d)),
        tangent,
        tangent.network(),
    ):
        assert len(outputs_recalled(memory)) <= 1
