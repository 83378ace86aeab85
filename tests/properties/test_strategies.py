"""The public strategies draw what they say, from drawn seeds alone."""

from __future__ import annotations

from collections import Counter

import pytest
import torch
from hypothesis import HealthCheck, assume, find, given, settings
from hypothesis import strategies as st

from numerics import LinearMemory, LowRankMemory, MLPMemory, QuantizedMemory
from proofs.capacity import AttentionOnly, Linear, LinearGeneralMap, LowRank
from verify.capacity import CONSTRUCTIONS, construction
from verify.strategies import (
    embeddings,
    fact_sizes_where,
    fact_tables,
    fibres_where,
    general_maps,
    injective_maps,
    linear_memories,
    low_rank_memories,
    memories,
    mlp_memories,
    quantized_memories,
    sizes,
    sizes_where,
)

CONDITION = LinearGeneralMap(cells=32)
AT = sizes(d=(2, 9), N=(1, 6))
MEMORIES = {
    "linear": (linear_memories(AT), LinearMemory),
    "low rank": (low_rank_memories(AT), LowRankMemory),
    "orthonormal": (low_rank_memories(AT, factors="orthonormal"), LowRankMemory),
    "quantized": (quantized_memories(AT), QuantizedMemory),
    "mlp": (mlp_memories(AT), MLPMemory),
    **{
        f"any {name}": (
            memories(name, AT),
            type(construction(name, kind.examples[0]).sample(1, 1, seed=0)),
        )
        for name, kind in CONSTRUCTIONS.items()
    },
}


@given(sizes(d=(3, 5), N=(2, 7)))
def test_sizes_lie_in_their_ranges(drawn):
    d, N, M = drawn
    assert 3 <= d <= 5
    assert 2 <= N <= 7
    assert N <= M <= 2 * N


@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(sizes_where(Linear(cells=32), "1e-3", d=(32, 64)))
def test_sizes_satisfy_their_condition(drawn):
    d, N, M = drawn
    assert Linear(cells=32).holds(delta="1e-3", d=d, N=N, M=M)


@settings(max_examples=10, suppress_health_check=[HealthCheck.too_slow])
@given(sizes_where(LowRank(32, 8), "1e-2", d=(48, 64), further=lambda d: {"m": d // 2}))
def test_sizes_satisfy_a_condition_with_a_rank(drawn):
    d, N, M = drawn
    assert LowRank(32, 8).holds(delta="1e-2", d=d, N=N, M=M, m=d // 2)


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(fibres_where(CONDITION, "1e-3", d=(96, 160), shared=3))
def test_fibres_satisfy_their_condition(drawn):
    d, fibres = drawn
    assert 96 <= d <= 160
    assert max(fibres) <= 3
    assert CONDITION.holds(delta="1e-3", d=d, fibres=fibres)


def test_fibres_are_shared_and_empty_and_many():
    drawn = find(
        fibres_where(CONDITION, "1e-3", d=(128, 128)),
        lambda at: 0 in at.fibres and max(at.fibres) > 1 and sum(at.fibres) > 20,
        settings=settings(database=None, suppress_health_check=list(HealthCheck)),
    )
    assert CONDITION.holds(delta="1e-3", d=128, fibres=drawn.fibres)


@given(st.data(), st.integers(1, 6), st.integers(0, 4))
def test_injective_maps_are_injective(data, N, more):
    values = data.draw(injective_maps(N, N + more))
    assert len(values) == len(set(values)) == N
    assert set(values) <= set(range(N + more))


@given(st.data(), st.integers(1, 6), st.integers(1, 6))
def test_general_maps_take_their_values_among_the_outputs(data, N, M):
    values = data.draw(general_maps(N, M))
    assert len(values) == N
    assert set(values) <= set(range(M))


def test_general_maps_share_outputs_and_leave_some_out():
    values = find(
        general_maps(6, 4),
        lambda f: sorted(Counter(f).values()) == [1, 2, 3],
        settings=settings(database=None),
    )
    assert len(values) == 6


@given(st.data(), st.integers(1, 9), st.integers(1, 9))
def test_embeddings_are_unit_vectors(data, d, N):
    rows = data.draw(embeddings(d, N))
    assert rows.shape == (N, d)
    assert rows.dtype == torch.float64
    # A norm and a quotient: a few roundings for each of d entries.
    lengths = torch.linalg.vector_norm(rows, dim=1)
    assert (lengths - 1).abs().max() <= (d + 4) * torch.finfo(torch.float64).eps


@pytest.mark.parametrize("name", MEMORIES)
def test_memories_are_of_their_kind_and_sizes(name):
    strategy, kind = MEMORIES[name]

    @given(strategy)
    def drawn(memory):
        assert type(memory) is kind
        assert 2 <= memory.inputs.shape[1] <= 9
        assert 1 <= len(memory.inputs) <= 6
        assert memory.inputs.dtype == torch.float64

    drawn()


@pytest.mark.parametrize("name", MEMORIES)
def test_drawing_leaves_the_global_generator_alone(name):
    strategy, _ = MEMORIES[name]
    before = torch.get_rng_state()

    @settings(max_examples=5)
    @given(strategy)
    def drawn(memory):
        assert torch.equal(torch.get_rng_state(), before)

    drawn()


@given(low_rank_memories(sizes(d=(2, 4), N=(1, 3)), m=(3, 12), factors="orthonormal"))
def test_orthonormal_factors_are_at_most_d(memory):
    d, m = memory.factors.shape
    assert m == d or 3 <= m < d


@given(quantized_memories(AT, bits=(2, 3)))
def test_bits_lie_in_their_range(memory):
    d = memory.inputs.shape[1]
    assume(memory.step != 1 / (8 * d))
    assert memory.bits in (2, 3)


@settings(max_examples=15, deadline=None)
@given(fact_sizes_where(AttentionOnly(4), "1e-3", d=(300, 420)))
def test_sizes_of_tables_satisfy_the_condition(sizes):
    assert AttentionOnly(4).holds(delta="1e-3", **sizes._asdict())
    assert sizes.D <= sizes.S


@settings(max_examples=25, deadline=None)
@given(st.data(), st.integers(1, 5), st.integers(1, 4), st.integers(1, 3))
def test_tables_keep_the_answers_of_relations_apart(data, S, R, D):
    table = data.draw(fact_tables(S, R, D))
    assert (table.S, table.R, len(table)) == (S, R, S * R)
    assert table.D <= D
    for r in range(R):
        assert set(table.answers_of_relation(r)) <= set(range(r * D, (r + 1) * D))
