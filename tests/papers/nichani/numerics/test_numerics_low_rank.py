"""The low-rank memory: its two factors, the laws of its margins, and what must not change them."""

import math
from fractions import Fraction

import pytest
import torch
from scipy import stats

from numerics import (
    InputError,
    LinearMemory,
    LowRankMemory,
    Stream,
    recall,
    sample_gaussian,
    sample_sphere,
)
from numerics.associations import assigned
from numerics.draws.low_rank_margin import (
    failures,
    replicate_factors,
    replicate_margins,
)
from numerics.memories import low_rank
from numerics.memories.linear import FAULTS
from numerics.memories.low_rank import orthonormal_columns
from numerics.papers.nichani.low_rank_observables import margin_observables

DTYPES = [torch.float32, torch.float64]
LAWS = ["gaussian", "orthonormal"]
DRAWS = 4096
# Standard errors from the mean: a chance of 2e-9 for each comparison with a true value.
FAR = 6.0


def dense(memory):
    """W by its definition, one fact and one factor at a time, in float64."""
    d = memory.inputs.shape[1]
    weight = torch.zeros(d, d, dtype=torch.float64)
    for x, y in enumerate(memory.association.tolist()):
        fact = torch.outer(memory.outputs[y].double(), memory.inputs[x].double())
        for v in memory.factors.double().T:
            weight += fact @ torch.outer(v, v)
    return weight


def all_margins(memory, weight):
    """(u_f(x) - u_y)^T W e_x for all pairs, (N, M), in float64."""
    scores = memory.inputs.double() @ weight.T @ memory.outputs.double().T
    return scores.gather(1, memory.association.unsqueeze(1)) - scores


def least_margins(memory, weight):
    gamma = all_margins(memory, weight)
    return gamma.scatter(1, memory.association.unsqueeze(1), math.inf).amin(1)


def is_mean(values, expected):
    """Whether independent values have this mean, to a few standard errors."""
    return abs(float(values.mean()) - expected) <= FAR * float(values.std()) / math.sqrt(
        len(values)
    )


# The memory


@pytest.mark.parametrize("factors", LAWS)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("d", "N", "M", "m"), [(1, 2, 2, 1), (5, 8, 9, 3), (12, 6, 6, 12)])
def test_margins_are_those_of_the_sum_over_facts_and_factors(d, N, M, m, dtype, factors):
    memory = LowRankMemory.sample(d, N, M, m=m, factors=factors, seed=d, dtype=dtype)
    found = recall(memory, block=(4, 3), keep_margins=True)
    expected = least_margins(memory, dense(memory))
    size = float(expected.abs().max()) + m + d
    assert float((found.margins - expected).abs().max()) <= 200 * torch.finfo(dtype).eps * size
    assert (found.total, found.dtype) == (N, dtype)
    far = expected.abs() > 1e-3
    assert found.correct >= int((expected[far] > 0).sum())


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_weight_has_the_rank_of_the_factors_and_is_what_is_applied(dtype):
    memory = LowRankMemory.sample(9, 20, m=4, seed=1, dtype=dtype)
    assert memory.weight.shape == (9, 9)
    assert memory.weight.dtype == dtype
    assert int(torch.linalg.matrix_rank(memory.weight)) == 4
    assert torch.allclose(memory.weight.double(), dense(memory), rtol=1e-4, atol=1e-3)
    vectors = sample_sphere(7, 9, stream=Stream(5), dtype=dtype)
    images = memory.apply(vectors)
    assert images.dtype == dtype
    assert torch.allclose(images, vectors @ memory.weight.T, rtol=1e-4, atol=1e-3)


def exact_images(memory, vectors):
    """L (V^T v) for the stored factors, in rational arithmetic."""

    def rational(matrix):
        return [[Fraction(entry) for entry in row] for row in matrix.tolist()]

    left, columns = rational(memory.left), rational(memory.factors.T)
    images = []
    for v in rational(vectors):
        keys = [sum(a * b for a, b in zip(column, v, strict=True)) for column in columns]
        images.append([sum(a * b for a, b in zip(row, keys, strict=True)) for row in left])
    return images


@pytest.mark.parametrize("stored", DTYPES)
@pytest.mark.parametrize("asked", DTYPES)
@pytest.mark.parametrize(("d", "m", "scale"), [(30, 4, 1.0), (6, 40, 1.0), (8, 3, 2.0**-70)])
def test_apply_error_bounds_the_actual_error(stored, asked, d, m, scale):
    memory = LowRankMemory.sample(d, 25, m=m, seed=2, dtype=stored)
    vectors = scale * sample_sphere(6, d, stream=Stream(3), dtype=asked)
    images, bounds = memory.apply(vectors), memory.apply_error(vectors)
    assert images.dtype == asked
    assert bounds.dtype == torch.float64
    largest = 0.0
    for image, exact, bound in zip(
        images.tolist(), exact_images(memory, vectors), bounds.tolist(), strict=True
    ):
        squares = sum((Fraction(a) - b) ** 2 for a, b in zip(image, exact, strict=True))
        assert squares <= Fraction(bound) ** 2
        largest = max(largest, math.sqrt(squares))
    # Errors there are, and the bound is not far above them.
    assert 0 < float(bounds.max()) <= 1e4 * largest


def line_share(left, factor, query):
    """The actual error over its bound, for float64 factors asked of a float32 query, d = m = 1."""
    one = torch.ones(1, 1, dtype=torch.float64)
    memory = LowRankMemory(one, one, torch.tensor([0]), factor * one).with_left(left * one)
    vector = torch.full((1, 1), query, dtype=torch.float32)
    exact = Fraction(left) * Fraction(factor) * Fraction(float(vector))
    error = abs(Fraction(float(memory.apply(vector))) - exact)
    return float(error / Fraction(float(memory.apply_error(vector))))


def test_apply_error_counts_the_casts_of_both_factors():
    # Both are cast to 1: an error of 1.98 units.
    near = 1 + 0.99 * 2.0**-24
    assert 0.49 < line_share(near, near, 1.0) <= 1
    draws = 1 + 0.05 * Stream(0).generator().random((1000, 3))
    # Two casts and two products: a bound for two of them is exceeded.
    assert 0.6 < max(line_share(*draw) for draw in draws.tolist()) <= 1


def test_apply_error_covers_what_underflows():
    small = 2.0**-80
    memory = LowRankMemory(
        torch.full((1, 1), small), torch.ones(1, 1), torch.tensor([0]), torch.full((1, 1), small)
    )
    memory = memory.with_left(torch.ones(1, 1))
    vector = torch.full((1, 1), small)
    assert float(memory.apply(vector)) == 0.0  # 2^-160 is below every float32.
    assert small**2 <= float(memory.apply_error(vector)) < 1e-30


def test_the_whole_weight_is_never_made_to_build_or_apply_it(largest):
    with largest:
        memory = LowRankMemory.sample(64, 10, m=2, seed=0)
        recall(memory)
        assert largest.entries <= 10 * 64
        assert memory.weight.numel() == largest.entries == 64**2


def test_samples_nest_in_rank():
    for factors in LAWS:
        few = LowRankMemory.sample(6, 5, 7, m=2, factors=factors, seed=9)
        many = LowRankMemory.sample(6, 5, 7, m=5, factors=factors, seed=Stream(9))
        assert few.factors.shape == (6, 2)
        assert torch.allclose(few.factors, many.factors[:, :2], rtol=0, atol=1e-14)
        single = LowRankMemory.sample(6, 5, 7, m=5, factors=factors, seed=9, dtype=torch.float32)
        assert torch.equal(single.factors, many.factors.float())
    rows = sample_gaussian(5, 6, stream=Stream(9, "factors"))
    assert torch.equal(LowRankMemory.sample(6, 5, m=5, seed=9).factors, rows.T)


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_rank_one_memory_tells_at_most_two_outputs_apart(dtype):
    lost = []
    for seed in range(20):
        memory = LowRankMemory.sample(8, 12, m=1, seed=seed, dtype=dtype)
        result = recall(memory)
        # Every image is a multiple of one vector: the greatest score is at one of its two ends.
        assert result.correct <= 2
        lost.append(result.correct)
    assert max(lost) >= 1


# Orthonormal factors


@pytest.mark.parametrize(("d", "m"), [(1, 1), (2, 2), (7, 3), (40, 40)])
def test_orthonormal_factors_are_orthonormal(d, m):
    V = LowRankMemory.sample(d, 3, m=m, factors="orthonormal", seed=4).factors
    assert torch.allclose(V.T @ V, torch.eye(m, dtype=torch.float64), rtol=0, atol=1e-13)


def test_frames_of_the_plane_turn_and_flip_without_preference():
    Q = replicate_factors(20_000, 2, 2, stream=Stream(0), factors="orthonormal")
    assert is_mean(Q[:, 0, 0], 0.0)
    assert is_mean(Q[:, 1, 1], 0.0)
    turns = torch.atan2(Q[:, 1, 0], Q[:, 0, 0]) / (2 * math.pi) + 0.5
    assert stats.kstest(turns.numpy(), "uniform").pvalue > 1e-6
    assert is_mean(torch.linalg.det(Q), 0.0)
    # What the algorithm returns without the signs is not uniform, and these tests see it.
    gaussian = replicate_factors(20_000, 2, 2, stream=Stream(0), factors="gaussian")
    unfixed = torch.linalg.qr(gaussian).Q
    assert not is_mean(unfixed[:, 0, 0], 0.0)


def test_every_entry_of_a_frame_has_the_law_of_a_coordinate_on_the_sphere():
    d, m = 5, 3
    Q = replicate_factors(DRAWS, d, m, stream=Stream(1), factors="orthonormal")
    law = stats.beta((d - 1) / 2, (d - 1) / 2, loc=-1, scale=2)
    for i in range(d):
        for j in range(m):
            assert stats.kstest(Q[:, i, j].numpy(), law.cdf).pvalue > 1e-6
    other = stats.beta((d - 2) / 2, (d - 2) / 2, loc=-1, scale=2)
    assert stats.kstest(Q[:, 0, 0].numpy(), other.cdf).pvalue < 1e-6


def test_a_frame_of_positive_triangles_is_kept():
    assert torch.equal(orthonormal_columns(3 * torch.eye(3, 2)), torch.eye(3, 2))


# What must not change margins


def rotation(d, seed):
    return orthonormal_columns(sample_gaussian(d, d, stream=Stream(seed, "rotation")))


@pytest.mark.parametrize("factors", LAWS)
def test_rotations_leave_margins(factors):
    memory = LowRankMemory.sample(7, 9, 11, m=3, factors=factors, seed=6)
    R, S = rotation(7, 1), rotation(7, 2)
    turned = LowRankMemory(
        memory.inputs @ R.T, memory.outputs @ S.T, memory.association, R @ memory.factors
    )
    a, b = (recall(one, keep_margins=True).margins for one in (memory, turned))
    assert torch.allclose(a, b, rtol=1e-12, atol=1e-11)
    # Inputs without their factors are another memory.
    partly = LowRankMemory(memory.inputs @ R.T, memory.outputs, memory.association, memory.factors)
    assert not torch.allclose(a, recall(partly, keep_margins=True).margins, atol=1e-3)


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_whole_orthonormal_basis_gives_the_linear_memory(dtype):
    d = 24
    memory = LowRankMemory.sample(d, 40, m=d, factors="orthonormal", seed=8, dtype=dtype)
    whole = LinearMemory.sample(d, 40, seed=8, dtype=dtype)
    error = 1e3 * torch.finfo(dtype).eps
    assert torch.allclose(memory.weight, whole.weight, rtol=0, atol=error)
    a, b = (recall(one, keep_margins=True) for one in (memory, whole))
    assert torch.allclose(a.margins, b.margins, rtol=0, atol=error)
    assert 0 < a.correct == b.correct < 40


def test_many_gaussian_factors_approach_full_rank_like_one_over_the_root_of_their_number():
    d, N = 6, 5
    ranks = [50, 200, 800, 3200, 12800]
    distances = []
    for m in ranks:
        squares = []
        for seed in range(12):
            memory = LowRankMemory.sample(d, N, m=m, seed=seed)
            whole = LinearMemory.sample(d, N, seed=seed)
            difference = all_margins(memory, memory.weight / m) - all_margins(whole, whole.weight)
            squares.append(float((difference**2).mean()))
        distances.append(math.sqrt(sum(squares) / len(squares)))
    slope = stats.linregress([math.log(m) for m in ranks], [math.log(x) for x in distances]).slope
    assert slope == pytest.approx(-0.5, abs=0.08)
    assert distances[-1] < 0.05


# Replicates and failures


@pytest.mark.parametrize("factors", LAWS)
def test_replicate_margins_are_those_of_the_memory(factors):
    d, N, M, m = 4, 5, 7, 3
    drawn = replicate_margins(d, N, M, m, 30, seed=6, name="check", factors=factors)
    assert drawn.margins.shape == (30, N, M)
    other = replicate_margins(d, N, M, m, 30, seed=6, name="other", factors=factors)
    assert float((drawn.margins - other.margins).abs().max()) > 0.1
    for r in range(30):
        memory = LowRankMemory(drawn.inputs[r], drawn.outputs[r], torch.arange(N), drawn.factors[r])
        weight = dense(memory)
        assert torch.allclose(drawn.margins[r], all_margins(memory, weight), rtol=0, atol=1e-11)
        G = drawn.factors[r] @ drawn.factors[r].T
        assert torch.allclose(drawn.keys[r], drawn.inputs[r] @ G, rtol=0, atol=1e-12)


@pytest.mark.parametrize(("factors", "mean"), [("gaussian", 2.0), ("orthonormal", 0.5)])
def test_the_mean_margin_is_the_rank_or_its_share(factors, mean):
    d, N, m = 4, 2, 2
    gamma = replicate_margins(d, N, N, m, 20_000, seed=3, factors=factors).margins[:, 0, 1]
    assert is_mean(gamma, mean)
    assert not is_mean(gamma, 1.0)


def test_failures_at_the_extremes():
    assert bool(failures(8, 5, 5, 1, 10, seed=0).values.all())
    assert not bool(failures(200, 2, 2, 100, 10, seed=0).values.any())
    assert failures(3, 1, 1, 1, 0, seed=0).values.shape == (0,)


def test_more_rank_loses_fewer_memories():
    lost = [float(failures(16, 6, 6, m, 100, seed=1).values.mean()) for m in (1, 12, 80)]
    assert lost[0] == 1.0
    assert lost[0] > lost[1] + 0.1 > lost[2] + 0.2


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_reach_the_replicates(fault):
    drawn = replicate_margins(5, 4, 6, 3, 8, seed=2, fault=fault)
    sound = replicate_margins(5, 4, 6, 3, 8, seed=2)
    assert torch.equal(drawn.factors, sound.factors)
    assert float((drawn.margins - sound.margins).abs().max()) > 0.1
    if fault == "doubled":
        assert torch.allclose(drawn.margins, 2 * sound.margins)


def test_a_transposed_construction_is_seen(monkeypatch):
    right = float(failures(24, 4, 4, 24, 40, seed=0).values.mean())
    transposed = float(failures(24, 4, 4, 24, 40, seed=0, fault="transposed").values.mean())
    assert transposed > right + 0.4

    def wrong(inputs, outputs, association, factors):
        return inputs.mT @ (assigned(outputs, association) @ factors)

    monkeypatch.setattr(low_rank, "left_factor", wrong)
    assert float(failures(24, 4, 4, 24, 40, seed=0).values.mean()) == transposed
    assert not is_mean(replicate_margins(4, 2, 2, 2, 20_000, seed=3).margins[:, 0, 1], 2.0)


# Observables


def test_unbounded_functions_are_left_out_for_gaussian_factors():
    pairs = {f"{n}.{w}" for n in ("mean", "second", "centred") for w in ("inside", "outside")}
    gaussian = set(margin_observables(3, 2, 3, 2, 8, seed=1, factors="gaussian"))
    orthonormal = set(margin_observables(3, 2, 3, 2, 8, seed=1, factors="orthonormal"))
    assert orthonormal - gaussian == pairs
    assert gaussian - orthonormal == set()
    only = margin_observables(3, 3, 3, 2, 8, seed=1)
    assert not [name for name in only if "outside" in name]


@pytest.mark.parametrize("factors", LAWS)
def test_observables_are_what_they_say(factors):
    d, N, M, m = 4, 3, 4, 2
    drawn = replicate_margins(d, N, M, m, 32, seed=1, factors=factors)
    found = margin_observables(d, N, M, m, 32, seed=1, factors=factors, about=0.3)
    G = drawn.factors @ drawn.factors.mT
    images = torch.einsum("rij,rxj->rxi", G, drawn.inputs)
    lengths = (images**2).sum(2).sqrt()
    r = (drawn.inputs * images).sum(2) / lengths
    outside = drawn.margins[:, :, 3]
    inside = torch.stack([drawn.margins[:, x, y] for x in range(3) for y in range(3) if x != y])
    expected = {
        "alignment": (r**2).mean(1),
        "alignment-squared": (r**4).mean(1),
        "failure.outside": (outside <= 0).double().mean(1),
        "failure.inside": (inside <= 0).double().mean(0),
        "direction-mean.outside": (outside / lengths).mean(1),
        "direction-second.outside": ((outside / lengths) ** 2).mean(1),
    }
    if factors == "orthonormal":
        expected |= {
            "mean.inside": inside.mean(0),
            "second.outside": (outside**2).mean(1),
            "centred.outside": ((outside - 0.3) ** 2).mean(1),
        }
    for name, values in expected.items():
        assert torch.allclose(found[name].values, values, rtol=0, atol=1e-12), name


def beta_moments(a, b):
    return a / (a + b), a * (a + 1) / ((a + b) * (a + b + 1))


@pytest.mark.parametrize(
    ("factors", "d", "m"),
    [
        *(("gaussian", d, m) for d, m in [(2, 1), (5, 2), (6, 9)]),
        *(("orthonormal", d, m) for d, m in [(2, 1), (5, 2), (7, 4)]),
    ],
)
def test_alignments_have_the_moments_of_their_beta_laws(factors, d, m):
    law = (m / 2, (d - 1) / 2) if factors == "gaussian" else (m / 2, (d - m) / 2)
    # One input a memory: alignments of one memory's inputs are not independent.
    found = margin_observables(d, 1, 2, m, 20_000, seed=5, factors=factors)
    first, second = beta_moments(*law)
    assert is_mean(found["alignment"].values, first)
    assert is_mean(found["alignment-squared"].values, second)
    for wrong in ((law[0] + 0.5, law[1]), (law[0], law[1] + 0.5)):
        first, second = beta_moments(*wrong)
        assert not is_mean(found["alignment"].values, first)
        assert not is_mean(found["alignment-squared"].values, second)
    assert stats.kstest(found["alignment"].values.numpy(), stats.beta(*law).cdf).pvalue > 1e-6


def test_a_whole_basis_is_aligned():
    found = margin_observables(3, 2, 3, 3, 64, seed=5)["alignment"].values
    assert float((1 - found).max()) < 1e-12


# Arguments


def test_unusable_factors_are_rejected():
    whole = LinearMemory.sample(3, 4, seed=0)
    facts = (whole.inputs, whole.outputs, whole.association)
    good = torch.ones(3, 2, dtype=torch.float64)
    for factors in (good.float(), torch.ones(2, 2, dtype=torch.float64), good.to("meta")):
        with pytest.raises(InputError, match="factors are"):
            LowRankMemory(*facts, factors)
    for factors in (good[0], good[:, :0]):
        with pytest.raises(InputError, match="factors has shape"):
            LowRankMemory(*facts, factors)
    with pytest.raises(InputError, match="factors: row 0"):
        LowRankMemory(*facts, good * math.nan)
    memory = LowRankMemory(*facts, good)
    for left in (good.float(), good.T):
        with pytest.raises(InputError, match="left is"):
            memory.with_left(left)
    with pytest.raises(InputError, match="left: row 0"):
        memory.with_left(good * math.inf)


def test_bad_arguments_are_rejected():
    for sample in (
        lambda **k: LowRankMemory.sample(3, 2, seed=0, **k),
        lambda **k: replicate_margins(3, 2, 2, k.pop("m"), 5, seed=0, **k),
        lambda **k: failures(3, 2, 2, k.pop("m"), 5, seed=0, **k),
        lambda **k: margin_observables(3, 2, 2, k.pop("m"), 5, seed=0, **k),
    ):
        for m in (0, -1, True, 2.0):
            with pytest.raises(InputError, match="m = "):
                sample(m=m)
        with pytest.raises(InputError, match="m = 4 orthonormal factors"):
            sample(m=4, factors="orthonormal")
        with pytest.raises(InputError, match="'uniform' is not known"):
            sample(m=2, factors="uniform")
    with pytest.raises(InputError, match="N = 3 exceeds M = 2"):
        replicate_margins(2, 3, 2, 1, 5, seed=0)
    with pytest.raises(InputError, match="start = -7"):
        replicate_margins(2, 2, 2, 1, 5, seed=0, start=-7)
    with pytest.raises(InputError, match="start = -7"):
        replicate_factors(5, 2, 1, stream=Stream(0), start=-7, factors="gaussian")
    with pytest.raises(InputError, match="'twisted' is not known"):
        failures(2, 2, 2, 1, 1, seed=0, fault="twisted")
    with pytest.raises(InputError, match="d = 0"):
        failures(0, 2, 2, 1, 5, seed=0)
