"""Trained memories, which memories of few bits recall all facts, and all maps that weights recall."""

import itertools
from math import log2

import pytest
import torch

from numerics.decoding import recall
from numerics.draws.stored_bits import KINDS, full_recall, sample_facts
from numerics.errors import InputError
from numerics.memories.quantized import QuantizedMemory
from numerics.memories.trained import cross_entropy, trained
from numerics.papers.nichani.recalled_maps import (
    aligned_embeddings,
    random_embeddings,
    recalled_maps,
)
from numerics.random import Stream

# -- training --------------------------------------------------------------------------------------


def facts(d, N, M=None, number=0):
    return sample_facts(d, N, N if M is None else M, stream=Stream(7, "test").child(number))


def loss_of(memory):
    return cross_entropy(memory.weight, memory.inputs, memory.outputs, memory.association)[0]


def test_the_gradient_is_that_of_automatic_differentiation():
    memory = facts(5, 9, 4)
    weight = memory.weight.clone().requires_grad_()
    scores = memory.inputs @ weight.T @ memory.outputs.T
    loss = torch.nn.functional.cross_entropy(scores, memory.association)
    loss.backward()
    value, gradient = cross_entropy(
        memory.weight, memory.inputs, memory.outputs, memory.association
    )
    assert value == pytest.approx(loss.item(), rel=1e-12)
    assert torch.allclose(gradient, weight.grad, rtol=1e-12, atol=1e-14)


def test_training_recalls_what_the_sum_of_outer_products_does_not():
    memory = facts(16, 40)
    better = trained(memory)
    assert recall(memory).correct < 40
    assert recall(better).correct == 40
    assert loss_of(better) < 1e-3 < loss_of(memory)
    assert better.inputs is memory.inputs


def test_training_ends_at_the_minimum_where_there_is_one():
    memory = trained(facts(6, 60, 12))
    _, gradient = cross_entropy(memory.weight, memory.inputs, memory.outputs, memory.association)
    assert recall(memory).correct < 60
    assert float(gradient.abs().max()) < 1e-5


def test_a_single_output_needs_no_training():
    assert trained(facts(3, 4, 1)).weight.abs().max() == 0


def test_float32_facts_have_a_float32_weight():
    drawn = facts(8, 6)
    memory = type(drawn)(drawn.inputs.float(), drawn.outputs.float(), drawn.association)
    assert trained(memory).weight.dtype == torch.float32


def test_no_iterations_are_refused():
    with pytest.raises(InputError, match="iterations"):
        trained(facts(3, 2), iterations=0)


# -- full recall by bits ---------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_runs_can_be_split_and_bits_can_be_asked_alone(kind):
    whole = full_recall(kind, 8, 6, 6, 6, bits=(1, 4), seed=3)
    assert whole.shape == (6, 2)
    parts = [
        full_recall(kind, 8, 6, 6, count, bits=(4,), seed=3, start=s)
        for s, count in ((0, 2), (2, 4))
    ]
    assert torch.equal(torch.cat(parts)[:, 0], whole[:, 1])


def test_training_recalls_more_and_coarse_weights_less():
    built = full_recall("constructed", 16, 24, 24, 8, bits=(1, 16), seed=0).sum(0).tolist()
    better = full_recall("trained", 16, 24, 24, 8, bits=(1, 16), seed=0).sum(0).tolist()
    assert built[1] < 4 < better[1]
    assert better[0] < better[1]


def test_maps_need_not_be_injective():
    assert len(facts(4, 30).association.unique()) < 30
    assert facts(4, 30, 2).association.max() <= 1


@pytest.mark.parametrize("kind", KINDS)
def test_beyond_the_bits_used_nothing_is_recalled(kind):
    d, b, N = 6, 2, 22  # 22 log2(22) = 98 bits against 72
    assert N * log2(N) > b * d**2 + 20
    assert not full_recall(kind, d, N, N, 20, bits=(b,), seed=1).any()


def test_errors_name_the_argument():
    with pytest.raises(InputError, match="kind = 'learned'"):
        full_recall("learned", 4, 2, 2, 1, bits=(1,), seed=0)
    with pytest.raises(InputError, match="bits"):
        full_recall("constructed", 4, 2, 2, 1, bits=(0,), seed=0)
    with pytest.raises(InputError, match="N"):
        full_recall("constructed", 4, 0, 2, 1, bits=(1,), seed=0)


# -- every weight ----------------------------------------------------------------------------------


def one_by_one(bits, inputs, outputs):
    """The same count, a weight at a time."""
    d, found = inputs.shape[1], set()
    for entries in itertools.product(range(1 - 2**bits, 2**bits, 2), repeat=d**2):
        weight = torch.tensor(entries, dtype=torch.float64).view(d, d)
        answers = []
        for e in inputs:
            scores = (outputs @ (weight @ e)).tolist()
            near = [y for y, s in enumerate(scores) if s > max(scores) - 1e-12]
            answers.append(near[0] if len(near) == 1 else None)
        if None not in answers:
            found.add(tuple(answers))
    return len(found)


@pytest.mark.parametrize(("d", "bits", "N", "M"), [(1, 2, 2, 3), (2, 1, 3, 4), (2, 2, 2, 5)])
def test_the_count_is_that_of_one_weight_at_a_time(d, bits, N, M):
    inputs, outputs = random_embeddings(d, N, M, seed=5)
    assert recalled_maps(bits, inputs, outputs) == one_by_one(bits, inputs, outputs)


def test_ties_recall_nothing():
    inputs = torch.eye(2, dtype=torch.float64)
    assert recalled_maps(1, inputs, inputs) == one_by_one(1, inputs, inputs) == 4
    same = torch.ones(2, 2, dtype=torch.float64)
    assert recalled_maps(1, inputs, same) == 0
    assert recalled_maps(1, inputs, same[:1]) == 1


@pytest.mark.parametrize("d", [1, 2, 3])
def test_with_one_bit_a_weight_every_map_of_the_aligned_outputs_is_recalled(d):
    inputs, outputs = aligned_embeddings(d, 1)
    assert len(outputs) == 2**d
    assert recalled_maps(1, inputs, outputs) == 2 ** (d * d)


def test_aligned_outputs_are_different_unit_vectors():
    inputs, outputs = aligned_embeddings(2, 2)
    assert torch.equal(inputs, torch.eye(2, dtype=torch.float64))
    assert len(outputs) == 12
    assert torch.allclose(outputs.norm(dim=1), torch.ones(12, dtype=torch.float64))
    assert recalled_maps(2, inputs, outputs) == 144


def test_too_many_weights_are_refused():
    with pytest.raises(InputError, match="at most 2"):
        recalled_maps(2, *aligned_embeddings(4, 1))


def test_a_memory_that_loses_a_single_fact_does_not_recall_all():
    d, N, draws, b = 16, 10, 30, 4
    found = full_recall("constructed", d, N, N, draws, bits=(b,), seed=2)[:, 0].tolist()
    wrong = []
    for i in range(draws):
        memory = QuantizedMemory(
            sample_facts(d, N, N, stream=Stream(2, "stored-bits").replicate(i)), bits=b
        )
        scores = memory.inputs @ memory.weight.T @ memory.outputs.T
        wrong.append(int((scores.argmax(dim=1) != memory.association).sum()))
    assert wrong.count(1) > 0
    assert wrong.count(0) > 0
    assert found == [lost == 0 for lost in wrong]
