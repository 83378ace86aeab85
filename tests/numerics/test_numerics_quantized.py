"""The quantised memory: which levels there are, how far weights move, and what it still recalls."""

import math
from fractions import Fraction

import pytest
import torch

from numerics import InputError, LinearMemory, QuantizedMemory, Stream, recall
from numerics.draws.linear_margin import failures as linear_failures
from numerics.draws.quantized_margin import failures
from numerics.memories.linear import FAULTS

DTYPES = [torch.float32, torch.float64]


def with_entries(*rows, dtype=torch.float64):
    """A memory of one fact whose weight is this matrix."""
    weight = torch.tensor(rows, dtype=dtype)
    memory = LinearMemory.sample(len(rows), 1, 2, seed=0, dtype=dtype)
    return memory.with_weight(weight)


def stored(dtype):
    """The relative rounding of a level as stored, and of the weight it is compared with."""
    return 4 * torch.finfo(dtype).eps


# Steps


def test_a_step_rounds_to_the_nearest_multiple_and_halves_to_even():
    memory = with_entries([0.24, -0.26, 0.25], [0.75, -1.25, 0.0], [-0.74, 2.0, 1.01])
    rounded = QuantizedMemory(memory, step=0.5)
    expected = torch.tensor([[0.0, -0.5, 0.0], [1.0, -1.0, 0.0], [-0.5, 2.0, 1.0]])
    assert torch.equal(rounded.weight, expected.double())
    assert rounded.step == 0.5
    # -2, -1.5, ..., 2 are nine levels: four bits.
    assert rounded.bits == 4


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("step", [1, 0.3, 1e-3, 2.0**-20])
def test_no_entry_moves_by_more_than_half_a_step(dtype, step):
    memory = LinearMemory.sample(12, 40, seed=1, dtype=dtype)
    rounded = QuantizedMemory(memory, step=step)
    assert rounded.weight.dtype == dtype
    before, after = memory.weight.double(), rounded.weight.double()
    peak = float(before.abs().max())
    moved = float((after - before).abs().max())
    assert moved <= step / 2 + stored(dtype) * peak
    assert moved > step / 4
    multiples = after / step
    assert float((multiples - multiples.round()).abs().max()) * step <= stored(dtype) * peak


@pytest.mark.parametrize(
    ("peak", "bits"), [(0.4, 0), (0.6, 2), (1.4, 2), (1.6, 3), (3.4, 3), (3.6, 4), (127.0, 8)]
)
def test_bits_of_a_step_tell_its_levels_apart(peak, bits):
    rounded = QuantizedMemory(with_entries([peak, 0.0], [0.1, 0.2]), step=1.0)
    assert rounded.bits == bits
    levels = 2 * round(peak) + 1
    assert 2 ** (bits - 1) < levels <= 2**bits


def test_a_step_beyond_all_weights_leaves_nothing():
    memory = LinearMemory.sample(4, 5, seed=0)
    rounded = QuantizedMemory(memory, step=1e6)
    assert not rounded.weight.any()
    assert rounded.bits == 0
    assert (recall(rounded).correct, recall(rounded).ties) == (0, 5)


# Bits


@pytest.mark.parametrize("dtype", DTYPES)
def test_one_bit_keeps_the_signs_and_the_mean_size(dtype):
    memory = with_entries([3.0, -1.0], [0.0, -0.0], dtype=dtype)
    rounded = QuantizedMemory(memory, bits=1)
    assert torch.equal(rounded.weight, torch.tensor([[1.0, -1.0], [1.0, 1.0]], dtype=dtype))
    assert (rounded.bits, rounded.step) == (1, 2.0)
    drawn = LinearMemory.sample(7, 20, seed=3, dtype=dtype)
    signs = QuantizedMemory(drawn, bits=1).weight
    scale = float(drawn.weight.double().abs().mean())
    assert torch.equal(torch.sign(signs), torch.sign(drawn.weight))
    assert float((signs.abs().double() - scale).abs().max()) <= stored(dtype) * scale


def test_two_bits_are_four_levels_without_zero():
    rounded = QuantizedMemory(
        with_entries([-3.0, -2.1, -1.9], [0.0, -0.1, 0.1], [1.9, 2.1, 3.0]), bits=2
    )
    expected = [[-3.0, -3.0, -1.0], [1.0, -1.0, 1.0], [1.0, 3.0, 3.0]]
    assert rounded.weight.tolist() == expected
    assert (rounded.bits, rounded.step) == (2, 2.0)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("bits", [2, 3, 5, 8, 16])
def test_levels_are_equally_spaced_symmetric_and_the_nearest(dtype, bits):
    memory = LinearMemory.sample(40, 100, seed=bits, dtype=dtype)
    # Entries that visit every level, at least of the fewer ones.
    memory = memory.with_weight(torch.linspace(-2.3, 2.3, 1600, dtype=dtype).reshape(40, 40))
    rounded = QuantizedMemory(memory, bits=bits)
    before, after = memory.weight.double(), rounded.weight.double()
    peak = float(before.abs().max())
    assert rounded.bits == bits
    assert rounded.step == pytest.approx(2 * peak / (2**bits - 1), rel=1e-15)
    half = rounded.step / 2
    odd = after / half
    error = stored(dtype) * peak / half
    assert bool((((odd - 1) / 2) - ((odd - 1) / 2).round()).abs().max() <= error)
    for end in (after.max(), -after.min()):
        assert float(end) == pytest.approx(peak, rel=stored(dtype))
    assert float((after - before).abs().max()) <= half + stored(dtype) * peak
    assert len(after.unique()) <= 2**bits
    if bits <= 8:
        assert len(after.unique()) == 2**bits
    assert torch.allclose(after.unique(), -after.unique().flip(0), rtol=stored(dtype))


@pytest.mark.parametrize("bits", range(1, 17))
def test_a_zero_weight_stays_zero(bits):
    rounded = QuantizedMemory(with_entries([0.0, 0.0], [0.0, 0.0]), bits=bits)
    assert not rounded.weight.any()
    assert (rounded.step, rounded.bits) == (0.0, bits)


def test_more_bits_are_closer():
    memory = LinearMemory.sample(16, 60, seed=4)
    moved = [
        float((QuantizedMemory(memory, bits=bits).weight - memory.weight).norm())
        for bits in (1, 2, 4, 8, 16)
    ]
    assert moved == sorted(moved, reverse=True)
    assert moved[-1] < 1e-3 * moved[0]


# The memory


def test_facts_are_kept_and_margins_are_those_of_the_stored_weight():
    memory = LinearMemory.sample(5, 8, 9, seed=5)
    before = memory.weight.clone()
    rounded = QuantizedMemory(memory, bits=3)
    assert isinstance(rounded, LinearMemory)
    assert rounded.inputs is memory.inputs
    assert rounded.outputs is memory.outputs
    assert rounded.association is memory.association
    assert torch.equal(memory.weight, before)

    def rational(matrix):
        return [[Fraction(entry) for entry in row] for row in matrix.tolist()]

    weight, outputs = rational(rounded.weight), rational(memory.outputs)
    result = recall(rounded, block=(3, 4), keep_margins=True)
    for e, y, margin in zip(
        rational(memory.inputs), memory.association.tolist(), result.margins.tolist(), strict=True
    ):
        image = [sum(a * b for a, b in zip(row, e, strict=True)) for row in weight]
        scores = [sum(a * b for a, b in zip(row, image, strict=True)) for row in outputs]
        exact = scores[y] - max(s for i, s in enumerate(scores) if i != y)
        assert abs(Fraction(margin) - exact) <= Fraction(result.rounding_bound)
    # Other weights for the same facts are no longer quantised.
    changed = rounded.with_weight(memory.weight)
    assert type(changed) is LinearMemory
    assert recall(changed).correct == recall(memory).correct


@pytest.mark.parametrize("bits", [1, 4])
def test_permuted_coordinates_and_a_common_scale_change_no_decision(bits):
    memory = LinearMemory.sample(12, 20, seed=6)
    p, q = (torch.from_numpy(Stream(0, i).generator().permutation(12)) for i in range(2))
    moved = LinearMemory(memory.inputs[:, p], 4 * memory.outputs[:, q], memory.association)
    a, b = (
        recall(QuantizedMemory(one, bits=bits), keep_margins=True).margins
        for one in (memory, moved)
    )
    assert torch.allclose(16 * a, b, rtol=1e-9, atol=1e-9)


def test_a_quantised_memory_recalls_most_of_what_it_did():
    memory = LinearMemory.sample(64, 120, seed=7)
    whole = recall(memory).accuracy
    one, eight = (recall(QuantizedMemory(memory, bits=bits)).accuracy for bits in (1, 8))
    assert whole > 0.9
    assert eight == pytest.approx(whole, abs=0.05)
    assert 0.5 < one < eight


# Failures


def test_fine_levels_fail_as_the_linear_memory_does_and_coarse_ones_more_often():
    linear = linear_failures(10, 4, 5, 60, seed=3, name="shared").values
    fine = failures(10, 4, 5, 60, seed=3, name="shared", step=1e-9).values
    coarse = failures(10, 4, 5, 60, seed=3, name="shared", step=1.5).values
    assert torch.equal(linear, fine)
    assert float(coarse.mean()) > float(linear.mean()) + 0.2
    assert float(failures(3, 2, 2, 5, seed=0, step=1e6).values.mean()) == 1.0


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_made_before_rounding(fault):
    values = failures(24, 4, 4, 30, seed=0, bits=8, fault=fault).values
    wrong = linear_failures(24, 4, 4, 30, seed=0, name="quantized-failures", fault=fault).values
    assert float((values - wrong).abs().mean()) < 0.2
    right = failures(24, 4, 4, 30, seed=0, bits=8).values
    if fault == "doubled":
        assert torch.equal(values, right)
    else:
        assert float(values.mean()) > float(right.mean()) + 0.4


# Arguments


@pytest.mark.parametrize("step", [0, 0.0, -1.0, math.inf, math.nan, True, "1", 10**400])
def test_bad_steps_are_rejected(step):
    with pytest.raises(InputError, match=r"step = .* is no spacing"):
        QuantizedMemory(LinearMemory.sample(3, 4, seed=0), step=step)


@pytest.mark.parametrize("step", [1e-17, 5e-324])
def test_steps_finer_than_the_weights_are_rejected(step):
    with pytest.raises(InputError, match="finer than the rounding"):
        QuantizedMemory(LinearMemory.sample(3, 4, seed=0), step=step)


@pytest.mark.parametrize("bits", [0, -1, 17, 2.0, True, "1"])
def test_bad_bits_are_rejected(bits):
    with pytest.raises(InputError, match="bits = "):
        QuantizedMemory(LinearMemory.sample(3, 4, seed=0), bits=bits)


def test_exactly_one_of_step_and_bits_is_given():
    memory = LinearMemory.sample(3, 4, seed=0)
    for arguments in ({}, {"step": 1.0, "bits": 2}):
        with pytest.raises(InputError, match="exactly one"):
            QuantizedMemory(memory, **arguments)
        with pytest.raises(InputError, match="exactly one"):
            failures(3, 2, 2, 1, seed=0, **arguments)
        with pytest.raises(InputError, match="exactly one"):
            QuantizedMemory.sample(3, 4, seed=0, **arguments)


@pytest.mark.parametrize("bits", [1, 2, 16])
@pytest.mark.parametrize("size", [5e-324, 1e-310, 1e308])
def test_weights_whose_levels_no_float_tells_apart_are_rejected(bits, size):
    memory = LinearMemory.sample(3, 4, seed=0)
    memory = memory.with_weight(size * torch.ones_like(memory.weight))
    with pytest.raises(InputError, match=f"bits = {bits} put levels .* rescale"):
        QuantizedMemory(memory, bits=bits)
    nothing = QuantizedMemory(memory.with_weight(0 * memory.weight), bits=bits)
    assert (nothing.step, float(nothing.weight.abs().max())) == (0.0, 0.0)
