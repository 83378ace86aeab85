"""Drawn memories of general maps: their fibres, their seeds, their failures."""

import pytest
import torch

from numerics.draws.general_margin import failures, sample_memory
from numerics.errors import InputError


def test_the_map_has_the_fibres_asked_for():
    memory = sample_memory(5, [2, 0, 3], seed=1)
    assert memory.association.tolist() == [0, 0, 2, 2, 2]
    assert memory.inputs.shape == (5, 5)
    assert memory.outputs.shape == (3, 5)


def test_a_draw_depends_on_its_number_alone():
    whole = failures(6, 9, 9, 2, 12, seed=3).values
    parts = [failures(6, 9, 9, 2, 5, seed=3), failures(6, 9, 9, 2, 7, seed=3, start=5)]
    assert torch.equal(torch.cat([part.values for part in parts]), whole)


def test_failures_are_few_with_room_and_many_without():
    assert failures(200, 8, 4, 2, 20, seed=5).values.sum() == 0
    assert failures(4, 60, 30, 2, 20, seed=5).values.sum() == 20


def test_a_fault_in_the_weight_is_built():
    right, wrong = (sample_memory(6, [2, 1], seed=7, fault=fault) for fault in ("", "transposed"))
    assert torch.equal(wrong.weight, right.weight.T)


@pytest.mark.parametrize(
    ("sizes", "name"),
    [((0, 1, 1, 1), "d"), ((2, 0, 1, 1), "N"), ((2, 1, 0, 1), "M"), ((2, 1, 1, 0), "shared")],
)
def test_wrong_sizes_are_named(sizes, name):
    with pytest.raises(InputError, match=name):
        failures(*sizes, 1, seed=0)


def test_more_inputs_than_the_outputs_take_are_refused():
    with pytest.raises(InputError, match="raise M"):
        failures(4, 7, 3, 2, 1, seed=0)
