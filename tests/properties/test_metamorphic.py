"""What must stay as it is when a memory is turned, renamed, scaled, split or refined.

All in float64. Every tolerance is a bound on the rounding and on what the change itself may do:
``slack`` bounds how far margins lie from those of the exact weight of the embeddings as stored, and
what else may differ is added where it is tested.
"""

from __future__ import annotations

import math

import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics import (
    Activation,
    LinearMemory,
    LowRankMemory,
    MLPMemory,
    QuantizedMemory,
    Stream,
    recall,
    sample_gaussian,
)
from numerics.memories.low_rank import orthonormal_columns
from numerics.rounding import BOUND_SLACK, dot_error_factor
from verify.strategies import embeddings, general_maps, linear_memories, mlp_memories, seeds, sizes

UNIT = torch.finfo(torch.float64).eps / 2
#: Vectors normalised in float64 are no longer than this.
LENGTH = 1 + 2.0**-40
SMALL = sizes(d=(1, 12), N=(1, 10))
#: At least one competitor, so that every margin is finite.
COMPETING = sizes(d=(1, 12), N=(2, 10))


def gamma(n):
    return BOUND_SLACK * dot_error_factor(n, torch.float64)


def margins(memory):
    return recall(memory, keep_margins=True).margins


def all_margins(memory):
    """(u_{f(x)} - u_y)^T F(e_x) for every x and y: (N, M)."""
    scores = memory.apply(memory.inputs) @ memory.outputs.T
    return scores.gather(1, memory.association.unsqueeze(1)) - scores


def score_error(memory):
    """Bound on the error of a difference of two scores, the weight as stored."""
    images = memory.apply(memory.inputs)
    length = torch.linalg.vector_norm(images, dim=1)
    d = images.shape[1]
    error = (gamma(d + 1) + 2 * UNIT) * length + memory.apply_error(memory.inputs)
    return float(2 * LENGTH * error.max())


def summing(memory):
    """Bound on what summing N outer products moves a difference of scores: |dW|_F <= gamma N."""
    N = len(memory.inputs)
    return 2 * LENGTH**4 * gamma(N) * N


def slack(memory):
    return score_error(memory) + summing(memory)


def rotation(d, seed):
    """An orthogonal matrix Q up to rounding, and a bound on <Qa, Qb> - <a, b>, |a|, |b| <= LENGTH,
    products with Q computed.

    <Qa, Qb> - <a, b> = a^T (Q^T Q - I) b, and each computed product errs by gamma_d |Q|_F.
    """
    Q = orthonormal_columns(sample_gaussian(d, d, stream=Stream(seed, "rotation")))
    size = float(torch.linalg.matrix_norm(Q))
    eye = torch.eye(d, dtype=torch.float64)
    defect = float(torch.linalg.matrix_norm(Q.T @ Q - eye)) + gamma(d + 1) * size**2
    product = gamma(d) * size
    return Q, 2 * LENGTH**2 * (defect + product * (2 + product))


def two_slacks(one, other):
    return slack(one) + slack(other)


# -- rotations ------------------------------------------------------------------------------------


@given(linear_memories(COMPETING), seeds)
def test_rotated_inputs_leave_the_margins(memory, seed):
    Q, moved = rotation(memory.inputs.shape[1], seed)
    turned = LinearMemory(memory.inputs @ Q.T, memory.outputs, memory.association)
    allowed = two_slacks(memory, turned) + 2 * LENGTH**2 * len(memory.inputs) * moved
    assert (margins(turned) - margins(memory)).abs().max() <= allowed < 1e-10


@given(linear_memories(COMPETING), seeds)
def test_rotated_outputs_leave_the_margins(memory, seed):
    Q, moved = rotation(memory.inputs.shape[1], seed)
    turned = LinearMemory(memory.inputs, memory.outputs @ Q.T, memory.association)
    allowed = two_slacks(memory, turned) + 2 * LENGTH**2 * len(memory.inputs) * moved
    assert (margins(turned) - margins(memory)).abs().max() <= allowed < 1e-10


@given(linear_memories(sizes(d=(2, 12), N=(4, 10))), seeds)
def test_inputs_rotated_one_by_one_do_not(memory, seed):
    """The check above can fail: another rotation for half of the inputs is another memory."""
    Q, _ = rotation(memory.inputs.shape[1], seed)
    half = len(memory.inputs) // 2
    inputs = torch.cat([memory.inputs[:half] @ Q.T, memory.inputs[half:]])
    turned = LinearMemory(inputs, memory.outputs, memory.association)
    assert (margins(turned) - margins(memory)).abs().max() > two_slacks(memory, turned)


# -- names ----------------------------------------------------------------------------------------


@st.composite
def general_memories(draw):
    """A linear memory of any map, and permutations of its inputs and outputs."""
    d, N, M = draw(st.tuples(st.integers(1, 12), st.integers(1, 10), st.integers(2, 8)))
    f = torch.tensor(draw(general_maps(N, M)))
    memory = LinearMemory(draw(embeddings(d, N)), draw(embeddings(d, M)), f)
    order = torch.tensor(draw(st.permutations(range(N))))
    renamed = torch.tensor(draw(st.permutations(range(M))))
    return memory, order, renamed


@given(general_memories())
def test_inputs_may_be_listed_in_any_order(drawn):
    memory, order, _ = drawn
    listed = LinearMemory(memory.inputs[order], memory.outputs, memory.association[order])
    found = (margins(listed) - margins(memory)[order]).abs().max()
    assert found <= two_slacks(memory, listed)


@given(general_memories())
def test_outputs_may_have_other_names(drawn):
    memory, _, renamed = drawn
    outputs = torch.empty_like(memory.outputs)
    outputs[renamed] = memory.outputs
    named = LinearMemory(memory.inputs, outputs, renamed[memory.association])
    assert (margins(named) - margins(memory)).abs().max() <= two_slacks(memory, named)


@given(general_memories())
def test_a_copy_of_an_output_makes_ties_which_count_as_failures(drawn):
    memory, *_ = drawn
    twin = memory.association[0]
    outputs = torch.cat([memory.outputs, memory.outputs[twin].unsqueeze(0)])
    doubled = LinearMemory(memory.inputs, outputs, memory.association)
    found, before = (recall(m, keep_margins=True) for m in (doubled, memory))
    theirs = memory.association == twin
    assert (found.margins[theirs] <= found.rounding_bound).all()
    assert found.correct <= found.total - int(theirs.sum())
    others = (found.margins - before.margins)[~theirs].abs()
    assert (others <= found.rounding_bound + before.rounding_bound).all()


# -- scale ----------------------------------------------------------------------------------------


@given(linear_memories(COMPETING), st.integers(-40, 40))
def test_margins_scale_with_the_weight_and_recall_does_not_change(memory, power):
    """A power of two scales every product and sum without rounding."""
    found = recall(memory, keep_margins=True)
    scaled = recall(memory.with_weight(2.0**power * memory.weight), keep_margins=True)
    assert torch.equal(scaled.margins, 2.0**power * found.margins)
    assert (scaled.correct, scaled.ties) == (found.correct, found.ties)


@given(linear_memories(COMPETING), st.floats(1e-3, 1e3))
def test_margins_scale_with_the_weight_by_any_factor(memory, factor):
    scaled = memory.with_weight(factor * memory.weight)
    rounded = UNIT * factor * float(torch.linalg.matrix_norm(memory.weight))
    allowed = score_error(scaled) + factor * score_error(memory) + 4 * LENGTH**2 * rounded
    product = UNIT * factor * float(margins(memory).abs().max())
    found = (margins(scaled) - factor * margins(memory)).abs().max()
    assert found <= allowed + 2 * product


# -- rank -----------------------------------------------------------------------------------------


@given(sizes(d=(1, 12), N=(2, 10)), seeds)
def test_a_whole_orthonormal_frame_makes_the_linear_memory(at, seed):
    d, N, M = at
    memory = LinearMemory.sample(d, N, M, seed=seed)
    framed = LowRankMemory.sample(d, N, M, m=d, factors="orthonormal", seed=seed)
    assert torch.equal(framed.inputs, memory.inputs)
    V = framed.factors
    size = float(torch.linalg.matrix_norm(V))
    eye = torch.eye(d, dtype=torch.float64)
    defect = float(torch.linalg.matrix_norm(V @ V.T - eye)) + gamma(d + 1) * size**2
    # L V^T = W V V^T, L summed with N and d products.
    moved = 2 * LENGTH**4 * N * (defect + gamma(N + d) * size**2)
    allowed = slack(memory) + score_error(framed) + moved
    assert (margins(framed) - margins(memory)).abs().max() <= allowed < 1e-10


@settings(max_examples=25)
@given(sizes(d=(1, 8), N=(2, 8)), st.sampled_from([2_000, 20_000, 200_000]), seeds)
def test_margins_of_many_gaussian_factors_approach_the_linear_ones(at, m, seed):
    """G/m - I <= 2 e + e^2 with e = (sqrt(d) + t)/sqrt(m), but for 2 exp(-t^2/2) of the draws
    (Davidson and Szarek): t = 8 leaves 3e-14, and the distance falls as m^(-1/2).
    """
    d, N, M = at
    memory = LinearMemory.sample(d, N, M, seed=seed)
    wide = LowRankMemory.sample(d, N, M, m=m, seed=seed)
    e = (math.sqrt(d) + 8) / math.sqrt(m)
    norm = float(torch.linalg.matrix_norm(memory.weight, ord=2))
    size = float(torch.linalg.matrix_norm(wide.factors)) ** 2 / m
    rounding = slack(memory) + score_error(wide) / m + 2 * N * gamma(N + d) * size
    allowed = 2 * LENGTH**4 * norm * (2 * e + e**2) + rounding
    assert (margins(wide) / m - margins(memory)).abs().max() <= allowed


# -- rounding of the weights ----------------------------------------------------------------------


@given(linear_memories(COMPETING), st.integers(0, 30))
def test_margins_move_by_at_most_d_steps_and_not_at_all_in_the_limit(memory, halvings):
    """Entries move by step/2, the contrast and the input have 1-norms of 2 sqrt(d) and sqrt(d)."""
    d, step = memory.inputs.shape[1], 2.0**-halvings
    rounded = QuantizedMemory(memory, step=step)
    allowed = LENGTH**2 * d * step + score_error(memory) + score_error(rounded)
    assert (margins(rounded) - margins(memory)).abs().max() <= allowed


@given(linear_memories(COMPETING))
def test_weights_on_the_grid_are_not_rounded(memory):
    rounded = QuantizedMemory(memory, step=2.0**-20)
    again = QuantizedMemory(rounded, step=2.0**-20)
    assert torch.equal(again.weight, rounded.weight)
    assert torch.equal(margins(again), margins(rounded))


# -- sums of memories -----------------------------------------------------------------------------


#: Where the facts are cut in two.
parts_of_one = st.floats(0, 1, exclude_max=True)


def cut(memory, part):
    return 1 + int(part * (len(memory.inputs) - 1))


@given(linear_memories(COMPETING), parts_of_one)
def test_margins_of_two_linear_memories_with_disjoint_facts_add(memory, part):
    first = cut(memory, part)
    f = memory.association
    total = all_margins(memory)
    parts = [
        memory.with_weight(memory.outputs[f[facts]].T @ memory.inputs[facts])
        for facts in (slice(0, first), slice(first, None))
    ]
    sums = sum(all_margins(one) for one in parts)
    allowed = slack(memory) + sum(score_error(one) + summing(memory) for one in parts)
    assert (total - sums).abs().max() <= allowed + UNIT * float(sums.abs().max()) < 1e-10


class _Shared:
    """Memories that share all facts asked for, so that margins of the same pairs are compared."""

    def __init__(self, asked, memory):
        self.inputs, self.outputs, self.association = asked.inputs, asked.outputs, asked.association
        self.apply, self.apply_error = memory.apply, memory.apply_error


@given(mlp_memories(COMPETING), parts_of_one)
def test_margins_of_two_ntk_memories_with_disjoint_facts_add(memory, part):
    """The tangent is a sum over the facts: each q_i errs by gamma_n of the sum of its terms' sizes,
    and its terms err by no more, n counting feature, product and sum.
    """
    first = cut(memory, part)
    facts = (slice(0, first), slice(first, None))
    sign = 1 if memory.activation.coefficient(3) > 0 else -1
    parts = [
        MLPMemory(
            memory.inputs[one],
            memory.outputs,
            memory.association[one],
            memory.hidden,
            memory.readout,
            memory.activation,
            2,
            sign=sign,
        )
        for one in facts
    ]
    shared = [_Shared(memory, one) for one in parts]
    sums = sum(all_margins(one) for one in shared)
    allowed = score_error(memory) + sum(score_error(one) for one in shared)
    allowed += 4 * tangent_error(memory) + UNIT * float(sums.abs().max())
    assert (all_margins(memory) - sums).abs().max() <= allowed
    assert torch.isfinite(sums).all()


def tangent_error(memory):
    """Bound on what summing the tangent moves a difference of scores.

    |q_i| errs by gamma_(N+2d+16) (1/m) sum_x S_x |v_i|, S_x >= |h_2(<w_i, e_x>)| with every
    term positive: the feature is a polynomial of <w_i, e_x>, which errs by gamma_d |w_i|.
    """
    N, d = memory.inputs.shape
    w, v = (torch.linalg.vector_norm(rows, dim=1) for rows in (memory.hidden, memory.readout))
    feature = (w**2 + 1) / math.sqrt(2)
    # The slope of h_2 times |w| is at most 2 |w|^2/sqrt(2): twice the bound on the feature.
    tangent = gamma(N + 2 * d + 16) * 3 * N * feature * v / len(w) * LENGTH**3
    points = memory.inputs @ memory.hidden.T
    slopes = memory.activation.derivative(points).abs().max(dim=0).values * (1 + 2.0**-20)
    return float(2 * LENGTH**2 * (v * slopes * tangent).sum())


# -- the true network -----------------------------------------------------------------------------


@settings(max_examples=60)
@given(SMALL, st.integers(1, 24), st.integers(0, 16), seeds)
def test_the_true_network_approaches_the_ntk_margins(at, m, halvings, seed):
    """For sigma = h_3 the central difference is off by exactly (s b)^2 b/sqrt(6), |s b| <= scale,
    besides rounding: of sigma and the scores as computed, and of the weights w +- s q as stored.
    """
    d, N, M = at
    scale = 2.0**-halvings
    memory = MLPMemory.sample(d, N, M, m=m, activation=Activation.hermite([0, 0, 0, 1]), seed=seed)
    network = memory.network(scale)
    a, b = memory.inputs @ memory.hidden.T, memory.inputs @ memory.tangent.T
    w, v = (torch.linalg.vector_norm(rows, dim=1) for rows in (memory.hidden, memory.readout))
    largest = b.abs().max(dim=0).values
    s = scale / largest.clamp(min=torch.finfo(torch.float64).tiny ** 0.5)
    slope = (3 * (a.abs() + scale + 1) ** 2 + 3) / math.sqrt(6)
    difference = scale**2 / math.sqrt(6) * (b.abs() @ v)
    moved = w + s * torch.linalg.vector_norm(memory.tangent, dim=1)
    stored = (slope * (2 * UNIT * moved / s + 8 * UNIT * b.abs())) @ v
    allowed = 2 * LENGTH**2 * float((difference + BOUND_SLACK * stored).max())
    allowed += score_error(memory) + score_error(network)
    assert (all_margins(network) - all_margins(memory)).abs().max() <= allowed
