"""Recall: agreement with exact arithmetic, ties, doubtful rows, and bounded memory use."""

import math
from fractions import Fraction
from typing import Any

import pytest
import torch
from torch import Tensor

from numerics import InputError, LinearMemory, Stream, accuracy, general_map, recall, sample_sphere
from numerics.checks import check_finite_rows
from numerics.decoding import Decoder
from numerics.rounding import dot_error_factor, full_precision_products, lengths

DTYPES = [torch.float32, torch.float64]


def exact_margins(memory: LinearMemory, queries: Tensor | None = None) -> list[Fraction]:
    """Margins of the stored numbers in rational arithmetic, from all N x M scores."""

    def rational(matrix: Tensor) -> list[list[Fraction]]:
        return [[Fraction(entry) for entry in row] for row in matrix.tolist()]

    def dot(a: list[Fraction], b: list[Fraction]) -> Fraction:
        return sum((p * q for p, q in zip(a, b, strict=True)), Fraction(0))

    weight, outputs = rational(memory.weight), rational(memory.outputs)
    vectors = rational(memory.inputs if queries is None else queries)
    margins = []
    for vector, y in zip(vectors, memory.association.tolist(), strict=True):
        image = [dot(row, vector) for row in weight]
        scores = [dot(output, image) for output in outputs]
        margins.append(scores[y] - max(s for i, s in enumerate(scores) if i != y))
    return margins


def all_pairs_margins(memory: LinearMemory) -> Tensor:
    """Margins in float64 from the whole N x M matrix of scores."""
    scores = memory.apply(memory.inputs.double()) @ memory.outputs.double().T
    rows = torch.arange(len(scores))
    target = scores[rows, memory.association]
    scores[rows, memory.association] = -math.inf
    return target - scores.amax(1)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("d", "N", "M"), [(1, 3, 3), (2, 2, 9), (5, 8, 8), (12, 9, 14)])
def test_margins_match_exact_arithmetic(dtype: torch.dtype, d: int, N: int, M: int) -> None:
    memory = LinearMemory.sample(d, N, M, seed=d, dtype=dtype)
    exact = exact_margins(memory)
    result = recall(memory, block=(4, 3), keep_margins=True)
    assert result.margins is not None
    for measured, true in zip(result.margins.tolist(), exact, strict=True):
        assert abs(Fraction(measured) - true) <= Fraction(result.rounding_bound)
    assert result.correct == sum(margin > 0 for margin in exact)
    assert (result.total, result.dtype, result.device.type) == (N, dtype, "cpu")
    # The bound is of use: far below the unit size of the margins.
    assert result.rounding_bound < 1e3 * d * torch.finfo(dtype).eps


@pytest.mark.parametrize("dtype", DTYPES)
def test_recall_does_not_depend_on_the_block(dtype: torch.dtype) -> None:
    memory = LinearMemory.sample(24, 150, 170, seed=5, dtype=dtype)
    expected = int((all_pairs_margins(memory) > 0).sum())
    assert 20 < expected < 130
    for block in (None, (1, 1), (7, 13), (150, 170), (149, 169), (1000, 1), (1, 1000), (64, 85)):
        result = recall(memory, block=block)
        assert result.correct == expected
        assert result.ties == 0
        assert accuracy(memory, block=block) == expected / 150 == result.accuracy


def test_maps_with_shared_outputs_are_measured() -> None:
    association = general_map([3, 0, 1, 6])
    memory = LinearMemory(
        sample_sphere(10, 8, stream=Stream(0)), sample_sphere(4, 8, stream=Stream(1)), association
    )
    expected = sum(margin > 0 for margin in exact_margins(memory))
    assert recall(memory, block=(3, 2)).correct == expected > 0


def test_queries_replace_the_inputs() -> None:
    memory = LinearMemory.sample(6, 8, seed=3)
    queries = memory.inputs.flip(0).contiguous()
    expected = sum(margin > 0 for margin in exact_margins(memory, queries))
    assert recall(memory, queries=queries, block=(3, 3)).correct == expected
    assert expected != recall(memory).correct


def test_a_single_output_has_no_competitor() -> None:
    memory = LinearMemory.sample(3, 1, 1, seed=0)
    result = recall(memory)
    assert (result.correct, result.ties, result.minimum_margin) == (1, 0, math.inf)


@pytest.mark.parametrize("dtype", DTYPES)
def test_duplicate_outputs_are_ties(dtype: torch.dtype) -> None:
    outputs = sample_sphere(3, 16, stream=Stream(1), dtype=dtype)
    outputs = torch.cat([outputs, outputs])
    inputs = sample_sphere(3, 16, stream=Stream(0), dtype=dtype)
    result = recall(LinearMemory(inputs, outputs, torch.arange(3)), block=(2, 4))
    assert (result.correct, result.ties) == (0, 3)
    assert result.recomputed == (3 if dtype == torch.float32 else 0)


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_zero_weight_recalls_nothing(dtype: torch.dtype) -> None:
    memory = LinearMemory.sample(4, 5, seed=0, dtype=dtype)
    result = recall(memory.with_weight(torch.zeros_like(memory.weight)))
    assert (result.correct, result.ties, result.minimum_margin) == (0, 5, 0.0)


def test_signs_with_twins_are_never_recalled() -> None:
    signs = torch.tensor([[1.0], [1.0], [1.0], [-1.0], [-1.0]])
    memory = LinearMemory(signs, signs, torch.arange(5))
    result = recall(memory, block=(2, 2))
    assert (result.correct, result.ties) == (0, 5)


def test_a_rank_one_memory_recalls_at_most_two_facts() -> None:
    memory = LinearMemory.sample(8, 12, seed=2)
    weight = torch.outer(memory.outputs[0], memory.inputs[0])
    result = recall(memory.with_weight(weight))
    exact = exact_margins(memory.with_weight(weight))
    assert result.correct == sum(margin > 0 for margin in exact) <= 2


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("seed", range(5))
def test_integer_memories_are_decided_exactly(dtype: torch.dtype, seed: int) -> None:
    signs = Stream(seed).generator().integers(0, 2, (60, 8)) * 2 - 1
    vectors = torch.from_numpy(signs).to(dtype)
    memory = LinearMemory(vectors[:30], vectors[30:], torch.arange(30))
    memory = memory.with_weight(torch.sign(memory.weight))
    exact = exact_margins(memory)
    result = recall(memory, block=(7, 11))
    assert result.correct == sum(margin > 0 for margin in exact)
    assert result.ties == sum(margin == 0 for margin in exact)
    assert result.minimum_margin == min(exact)
    assert result.ties > 0


@pytest.mark.parametrize(("target", "correct"), [(0, 1), (1, 0)])
def test_margins_lost_in_float32_are_found_in_float64(target: int, correct: int) -> None:
    # u_0.e = 1 + 2**-30 and u_1.e = 1, equal in float32 arithmetic.
    outputs = torch.tensor([[1.0, 1.0], [1.0, 0.0], [0.0, 0.0]])
    inputs = torch.tensor([[1.0, 2.0**-30]])
    memory = LinearMemory(inputs, outputs, torch.tensor([target])).with_weight(torch.eye(2))
    result = recall(memory, block=(1, 2))
    assert (result.correct, result.ties, result.recomputed) == (correct, 0, 1)
    assert result.minimum_margin == (2.0**-30 if correct else -(2.0**-30))
    assert 0 < result.rounding_bound < 2.0**-30


def test_doubtful_rows_are_few_and_decided_as_in_float64() -> None:
    narrow = LinearMemory.sample(32, 2000, seed=8, dtype=torch.float32)
    wide = LinearMemory(narrow.inputs.double(), narrow.outputs.double(), narrow.association)
    wide = wide.with_weight(narrow.weight.double())
    in_float32, in_float64 = recall(narrow), recall(wide)
    assert in_float32.correct == in_float64.correct
    assert in_float64.recomputed == 0
    assert in_float32.recomputed < 20


@pytest.mark.parametrize("dtype", DTYPES)
def test_scores_are_never_held_beyond_one_tile(dtype: torch.dtype, largest: Any) -> None:
    memory = LinearMemory.sample(3, 200, seed=0, dtype=dtype)
    # All scores are zero, so that every float32 row is recomputed as well.
    memory = memory.with_weight(torch.zeros_like(memory.weight))
    with largest:
        result = recall(memory, block=(16, 25))
    assert result.ties == 200
    assert largest.entries == 400  # One tile; N = 200, and N * M = 40000.


def test_progress_reports_rows_done() -> None:
    memory = LinearMemory.sample(3, 10, seed=0)
    calls: list[tuple[int, int]] = []
    recall(memory, block=(4, 4), progress=lambda done, total: calls.append((done, total)))
    assert calls == [(4, 10), (8, 10), (10, 10)]


def test_an_interruption_propagates_and_restores_precision() -> None:
    def interrupt(done: int, total: int) -> None:
        assert torch.backends.cuda.matmul.fp32_precision == "ieee"
        raise KeyboardInterrupt

    torch.backends.cuda.matmul.fp32_precision = "tf32"
    try:
        with pytest.raises(KeyboardInterrupt):
            recall(LinearMemory.sample(3, 10, seed=0), progress=interrupt)
        assert torch.backends.cuda.matmul.fp32_precision == "tf32"
    finally:
        torch.backends.cuda.matmul.fp32_precision = "none"


def test_reduced_precision_settings_do_not_reach_recall() -> None:
    memory = LinearMemory.sample(16, 200, seed=0, dtype=torch.float32)
    expected = recall(memory, keep_margins=True)
    previous = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("medium")
    try:
        measured = recall(memory, keep_margins=True)
        with full_precision_products():
            assert torch.backends.mkldnn.matmul.fp32_precision == "ieee"  # type: ignore[attr-defined]
    finally:
        torch.set_float32_matmul_precision(previous)
    assert measured == expected
    assert measured.margins is not None
    assert expected.margins is not None
    assert torch.equal(measured.margins, expected.margins)


def test_embeddings_that_require_gradients_are_measured_too() -> None:
    memory = LinearMemory.sample(4, 6, seed=0)
    trained = LinearMemory(
        memory.inputs.clone().requires_grad_(), memory.outputs, memory.association
    )
    assert recall(trained).correct == recall(memory).correct


def test_large_embeddings_are_decided_in_float64_or_rejected() -> None:
    memory = LinearMemory.sample(8, 8, seed=1, dtype=torch.float32)
    # Scores of 1e40: infinite in float32, ordinary in float64.
    scaled = LinearMemory(memory.inputs, memory.outputs * 2.0**66, memory.association)
    result = recall(scaled)
    assert result.correct == recall(memory).correct
    assert result.recomputed == 8
    wide = LinearMemory.sample(8, 8, seed=1)
    overflowing = LinearMemory(wide.inputs, wide.outputs * 2.0**520, wide.association)
    with pytest.raises(InputError, match="overflow"):
        recall(overflowing)


#: Outputs whose scores at W = c I, x = (1, ..., 1) have overflowing partial sums, where c b^2 does:
#: the target's, then a competitor's.
PARTIAL = [
    ([[3e18, 3e18, -3e18, -3e18, 0.0], [1e10, 0.0, 0.0, 0.0, 0.0]], -1e30),
    ([[1e15, 0.0, 0.0, 0.0, 0.0], [-3e18, -3e18, 3e18, 3e18, 1e16], [0.0] * 5], -9e35),
]


@pytest.mark.parametrize(("outputs", "margin"), PARTIAL)
def test_partial_sums_that_overflow_decide_nothing(
    outputs: list[list[float]], margin: float
) -> None:
    one = torch.ones(1, 5)
    memory = LinearMemory(one, torch.tensor(outputs), torch.tensor([0]))
    result = recall(memory.with_weight(torch.eye(5) * 1e20))
    assert (result.correct, result.ties, result.recomputed) == (0, 0, 1)
    assert result.minimum_margin == pytest.approx(margin, rel=1e-5)
    wide = LinearMemory(one.double(), memory.outputs.double(), memory.association)
    assert recall(wide.with_weight(torch.eye(5).double() * 1e20)).correct == 0
    with pytest.raises(InputError, match="row 0 overflow float64"):
        recall(wide.with_weight(torch.eye(5).double() * 5e289))


def decided(memory: LinearMemory) -> Decoder:
    decoder = Decoder(memory, memory.inputs, None)
    with torch.no_grad(), full_precision_products():
        while not decoder.finished:
            decoder.advance()
    return decoder


def shares(memory: LinearMemory) -> list[float]:
    """The actual errors of the margins over the bounds they were decided with."""
    decoder = decided(memory)
    return [
        float(abs(Fraction(measured) - true) / Fraction(bound))
        for measured, true, bound in zip(
            decoder.margins.tolist(), exact_margins(memory), decoder.bounds.tolist(), strict=True
        )
    ]


def test_the_bound_is_nearly_reached_on_the_line() -> None:
    draw = Stream(0).generator()
    worst = 0.0
    for _ in range(30):
        inputs = torch.from_numpy(1 + 0.2 * draw.random((100, 1))).float()
        outputs = torch.from_numpy(1 + 0.2 * draw.random((2, 1))).float() * torch.tensor(
            [[1.0], [-1.0]]
        )
        memory = LinearMemory(inputs, outputs, torch.zeros(100, dtype=torch.int64))
        found = shares(memory.with_weight(torch.tensor([[1 + float(draw.random()) / 8]])))
        worst = max(worst, *found)
    # A bound of half the size would be exceeded.
    assert 0.6 < worst <= 1


def test_the_error_of_the_image_is_in_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    x = sample_sphere(1, 2, stream=Stream(4))
    y = torch.tensor([[0.7], [0.3]], dtype=torch.float64)
    # Rows across x, up to rounding: the image is an error and little else.
    weight = torch.cat([y, -y * x[0, 0] / x[0, 1]], dim=1)
    memory = LinearMemory(x, sample_sphere(2, 2, stream=Stream(5)), torch.tensor([0]))
    memory = memory.with_weight(weight)
    assert 0 < shares(memory)[0] <= 1
    monkeypatch.setattr(LinearMemory, "apply_error", lambda self, v: torch.zeros(len(v)).double())
    assert shares(memory)[0] > 1


def test_tiny_weights_leave_no_wrong_decision_certain() -> None:
    memory = LinearMemory.sample(6, 200, seed=3)
    outputs = memory.outputs[:1].repeat(2, 1)
    outputs[1] += 2.0**-53 * torch.sign(memory.outputs[1])
    memory = LinearMemory(memory.inputs, outputs, torch.zeros(200, dtype=torch.int64))
    memory = memory.with_weight(1e-170 * sample_sphere(6, 6, stream=Stream(9)))
    decoder = decided(memory)
    exact = exact_margins(memory)
    for measured, true, bound in zip(
        decoder.margins.tolist(), exact, decoder.bounds.tolist(), strict=True
    ):
        assert abs(Fraction(measured) - true) <= Fraction(bound)
    assert decoder.result(keep_margins=False).ties > 0


def test_lengths_neither_vanish_nor_overflow() -> None:
    rows = [[3.0, 4.0], [3e-170, -4e-170], [-3e200, 4e200], [0.0, 0.0], [0.0, 5e-324]]
    found = lengths(torch.tensor(rows, dtype=torch.float64))
    assert found.tolist() == pytest.approx([5.0, 5e-170, 5e200, 0.0, 5e-324], rel=1e-15, abs=0)
    for row, length in zip(rows, found.tolist(), strict=True):
        assert float(lengths(torch.tensor([row], dtype=torch.float64))) == pytest.approx(
            length, rel=1e-15, abs=0
        )
    assert lengths(torch.tensor([[3e-30, 4e-30]])).dtype == torch.float64
    assert not bool(torch.isfinite(lengths(torch.tensor([[math.inf, 1.0]]))).any())


def test_entries_whose_sum_overflows_are_finite_all_the_same() -> None:
    rows = torch.tensor([[1e308, 1e308], [1.0, 2.0]], dtype=torch.float64)
    check_finite_rows("rows", rows)
    for bad in (math.inf, -math.inf, math.nan):
        with pytest.raises(InputError, match="rows: row 1 holds a NaN or an infinity"):
            check_finite_rows("rows", torch.cat([rows[:1], torch.full((1, 2), bad).double()]))
    with pytest.raises(InputError, match="row 0"):  # their sum is NaN
        check_finite_rows("rows", torch.tensor([[math.inf, -math.inf]]))


def test_bad_arguments_are_rejected() -> None:
    memory = LinearMemory.sample(3, 4, seed=0)
    for block in ((0, 1), (1, 0), (-1, 2), (True, 2), (1.0, 2), (1,)):
        with pytest.raises(InputError, match="block"):
            recall(memory, block=block)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="queries are"):
        recall(memory, queries=memory.inputs[:2])
    with pytest.raises(InputError, match="queries are"):
        recall(memory, queries=memory.inputs.float())
    queries = memory.inputs.clone()
    queries[2, 1] = math.nan
    with pytest.raises(InputError, match="queries: row 2"):
        recall(memory, queries=queries)


def test_dot_error_factor() -> None:
    u = 2.0**-24
    assert dot_error_factor(3, torch.float32) == 3 * u / (1 - 3 * u)
    with pytest.raises(InputError, match="d = 2000000"):
        dot_error_factor(2_000_000, torch.float32)
