"""Tables of facts: what each kind holds, their laws, what they refuse."""

import math
import pickle
from collections import Counter
from itertools import product

import numpy as np
import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st

from numerics import FactTable, InputError
from numerics.tasks.draws import checked_weights, cumulated, drawn
from numerics.tasks.tables import NOT_A_FACT

HAND = [[0, 3, -1], [1, -1, -1], [0, 4, -1]]

sizes = st.integers(1, 6)
seeds = st.integers(0, 2**64 - 1)


@st.composite
def tables(draw):
    S, R, D = draw(sizes), draw(sizes), draw(sizes)
    kind = draw(st.sampled_from(["random", "skewed", "structured", "injective"]))
    if kind == "random":
        table = FactTable.random(S, R, D, seed=draw(seeds))
    elif kind == "skewed":
        exponent = draw(st.floats(0, 5))
        table = FactTable.skewed(S, R, D, exponent=exponent, seed=draw(seeds))
    elif kind == "structured":
        table = FactTable.structured(S, R, D)
    else:
        table = FactTable.injective(S, R)
    if draw(st.booleans()):
        table = table.subset(draw(st.integers(1, len(table))), seed=draw(seeds))
    return table


def test_a_table_by_hand():
    table = FactTable(HAND)
    assert torch.equal(table.answers, torch.tensor(HAND))
    assert (table.S, table.R, table.A, table.D, len(table)) == (3, 3, 5, 2, 5)
    assert table.facts.tolist() == [[0, 0], [0, 1], [1, 0], [2, 0], [2, 1]]
    assert table.collisions.tolist() == [2, 1, 0, 1, 1]
    assert [table.answers_of_subject(s) for s in range(3)] == [(0, 3), (1,), (0, 4)]
    assert [table.answers_of_relation(r) for r in range(3)] == [(0, 1), (3, 4), ()]
    assert table.answer(2, 1) == 4
    assert repr(table) == "FactTable(S=3, R=3, A=5, D=2, facts=5)"
    assert FactTable(HAND, A=9).collisions.shape == (9,)


def test_a_table_keeps_a_copy():
    answers = torch.tensor(HAND)
    table = FactTable(answers)
    answers[0, 0] = 77
    assert table.answer(0, 0) == 0


@given(tables())
def test_every_view_of_a_table_says_the_same(table):
    entries = {
        (s, r): a
        for s, row in enumerate(table.answers.tolist())
        for r, a in enumerate(row)
        if a != NOT_A_FACT
    }
    assert [tuple(pair) for pair in table.facts.tolist()] == sorted(entries)
    assert len(table) == len(entries)
    assert all(table.answer(s, r) == a for (s, r), a in entries.items())
    for s in range(table.S):
        assert table.answers_of_subject(s) == tuple(
            sorted({a for (other, _), a in entries.items() if other == s})
        )
    blocks = []
    for r in range(table.R):
        blocks.append({a for (_, other), a in entries.items() if other == r})
        assert table.answers_of_relation(r) == tuple(sorted(blocks[-1]))
    assert max(map(len, blocks)) == table.D
    # Assumption 1: the blocks are disjoint.
    assert len(set().union(*blocks)) == sum(map(len, blocks))
    counts = Counter(entries.values())
    assert table.collisions.tolist() == [counts[a] for a in range(table.A)]
    assert table.collisions.dtype == table.answers.dtype == table.facts.dtype == torch.int64


@given(tables())
def test_a_table_is_its_answers(table):
    for copy in (FactTable(table.answers, A=table.A), pickle.loads(pickle.dumps(table))):
        assert torch.equal(copy.answers, table.answers)
        assert (copy.A, copy.D, len(copy)) == (table.A, table.D, len(table))


@given(sizes, sizes, sizes, seeds)
def test_the_kinds_have_the_answers_they_promise(S, R, D, seed):
    blocks = torch.arange(R).expand(S, R)
    for table in (
        FactTable.random(S, R, D, seed=seed),
        FactTable.skewed(S, R, D, exponent=1.0, seed=seed),
        FactTable.structured(S, R, D),
    ):
        assert table.A == R * D
        assert len(table) == S * R
        assert torch.equal(table.answers // D, blocks)
    structured = FactTable.structured(S, R, D)
    assert min(S, D) == structured.D
    spread = structured.collisions
    assert set(spread.tolist()) <= {S // D, -(-S // D)}
    assert structured.answers.tolist() == [[r * D + s % D for r in range(R)] for s in range(S)]
    injective = FactTable.injective(S, R)
    assert (injective.A, injective.D) == (S * R, S)
    assert injective.collisions.tolist() == [1] * (S * R)
    assert torch.equal(injective.answers // S, blocks)


@given(sizes, sizes, sizes, seeds, st.integers(0, 3), st.integers(0, 3))
def test_an_entry_depends_on_its_own_numbers_alone(S, R, D, seed, more_s, more_r):
    small = FactTable.random(S, R, D, seed=seed)
    large = FactTable.random(S + more_s, R + more_r, D, seed=seed)
    assert torch.equal(large.answers[:S, :R], small.answers)
    small = FactTable.skewed(S, R, D, exponent=2, seed=seed)
    large = FactTable.skewed(S + more_s, R + more_r, D, exponent=2, seed=seed)
    assert torch.equal(large.answers[:S, :R], small.answers)


def test_seeds_give_different_tables():
    drawn_tables = {
        str(table.answers.tolist())
        for seed in range(5)
        for table in (
            FactTable.random(8, 8, 8, seed=seed),
            FactTable.skewed(8, 8, 8, exponent=0, seed=seed),
        )
    }
    assert len(drawn_tables) == 10


@given(tables(), seeds, st.data())
def test_subsets_keep_facts_as_they_are(table, seed, data):
    count = data.draw(st.integers(1, len(table)))
    kept = table.subset(count, seed=seed)
    assert len(kept) == count
    assert (kept.S, kept.R, kept.A) == (table.S, table.R, table.A)
    facts = kept.answers != NOT_A_FACT
    assert torch.equal(kept.answers[facts], table.answers[facts])
    smaller = table.subset(data.draw(st.integers(1, count)), seed=seed)
    inside = smaller.answers != NOT_A_FACT
    assert bool(facts[inside].all())
    assert torch.equal(table.subset(len(table), seed=seed).answers, table.answers)


def zipf(D, exponent):
    weights = np.arange(1, D + 1, dtype=float) ** -exponent
    return weights / weights.sum()


@pytest.mark.parametrize("exponent", [0.0, 0.7, 1, 3.0])
def test_skewed_tables_follow_the_power_law(exponent, follows):
    table = FactTable.skewed(40_000, 3, 6, exponent=exponent, seed=1)
    counts = table.collisions.reshape(3, 6)
    assert all(follows(block, zipf(6, exponent)) for block in counts)
    assert not follows(counts[0], zipf(6, exponent + 0.1))
    assert not follows(counts[0], zipf(6, exponent)[::-1]) or exponent == 0
    # Two relations are independent.
    joint = Counter(map(tuple, (table.answers[:, :2] % 6).tolist()))
    chances = np.outer(zipf(6, exponent), zipf(6, exponent))
    assert follows([joint[cell] for cell in product(range(6), repeat=2)], chances.flatten())


def test_random_tables_are_uniform_and_independent(follows):
    table = FactTable.random(60_000, 3, 4, seed=2)
    assert all(follows(block, [1 / 4] * 4) for block in table.collisions.reshape(3, 4))
    assert not follows(table.collisions[:4], [0.27, 0.25, 0.25, 0.23])
    # All three answers of a subject together: independent relations.
    joint = Counter(map(tuple, (table.answers % 4).tolist()))
    cells = list(product(range(4), repeat=3))
    assert follows([joint[cell] for cell in cells], [1 / 64] * 64)


def test_subsets_are_uniform(follows):
    table = FactTable.structured(2, 3, 2)
    found = Counter(
        tuple(torch.nonzero(table.subset(2, seed=seed).answers.flatten() >= 0).flatten().tolist())
        for seed in range(3000)
    )
    cells = [(i, j) for j in range(6) for i in range(j)]
    assert follows([found[cell] for cell in cells], [1 / 15] * 15)


def test_an_extreme_skew_leaves_one_answer():
    for exponent in (1e6, 10**300):
        table = FactTable.skewed(50, 2, 5, exponent=exponent, seed=0)
        assert table.answers.tolist() == [[0, 5]] * 50
        assert (table.D, table.A) == (1, 10)


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ([[0, 1], [2]], "no rectangle of integers"),
        ([["a"]], "no rectangle of integers"),
        ([[2**80]], "no rectangle of integers"),
        (None, "no rectangle of integers"),
        ([[0.0]], r"dtype torch.float32 and shape \(1, 1\): pass int64"),
        ([[True]], "dtype torch.bool"),
        ([0, 1], r"shape \(2,\)"),
        ([], r"shape \(0,\)"),
        (torch.zeros((0, 3), dtype=torch.int64), r"shape \(0, 3\)"),
        (torch.zeros((2, 2), dtype=torch.int32), "dtype torch.int32"),
        ([[0, -2]], r"answers\[0, 1\] = -2 is no answer: pass indices in 0..2147483647, or -1"),
        ([[0], [2**31]], r"answers\[1, 0\] = 2147483648 is no answer"),
        ([[-1, -1]], "holds no fact: give at least one answer"),
    ],
)
def test_bad_answers_are_refused(answers, message):
    with pytest.raises(InputError, match=message):
        FactTable(answers)


def test_an_answer_of_two_relations_is_refused():
    with pytest.raises(InputError) as refused:
        FactTable([[0, 2, 1], [0, 1, 3], [4, 5, 3]])
    assert str(refused.value) == (
        "answer 1 belongs to relations 1, 2, against Assumption 1 (A_r and A_r' disjoint): "
        "give each relation answers of its own"
    )
    with pytest.raises(InputError, match=r"answer 0 belongs to relations 0, 1, 2, 3, 4, \.\.\.,"):
        FactTable([[0] * 9])


@given(tables(), st.data())
def test_one_answer_moved_to_another_relation_is_refused(table, data):
    if table.R == 1:
        table = FactTable.injective(table.S, 2)
    s, r = data.draw(st.sampled_from(table.facts.tolist()))
    other = data.draw(st.integers(0, table.R - 1).filter(lambda other: other != r))
    answers = torch.cat([table.answers, torch.full((1, table.R), NOT_A_FACT)])
    answers[-1, other] = answer = table.answer(s, r)
    first, last = sorted((r, other))
    with pytest.raises(InputError, match=f"answer {answer} belongs to relations {first}, {last},"):
        FactTable(answers)


@pytest.mark.parametrize("A", [0, 4, -1, 2.0, True, 2**31 + 1])
def test_bad_numbers_of_answers_are_refused(A):
    with pytest.raises(InputError, match=r"^A = "):
        FactTable(HAND, A=A)


@pytest.mark.parametrize(("name", "position"), [("S", 0), ("R", 1), ("D", 2)])
@pytest.mark.parametrize("size", [0, -3, 1.0, True, None])
def test_bad_sizes_are_refused(name, position, size):
    arguments = [2, 2, 2]
    arguments[position] = size
    for make in (
        lambda: FactTable.random(*arguments, seed=0),
        lambda: FactTable.skewed(*arguments, exponent=1, seed=0),
        lambda: FactTable.structured(*arguments),
    ):
        with pytest.raises(InputError, match=f"^{name} = "):
            make()
    if name != "D":
        with pytest.raises(InputError, match=f"^{name} = "):
            FactTable.injective(*arguments[:2])


def test_more_answers_than_can_be_numbered_are_refused():
    with pytest.raises(InputError, match="R D = 2147483650 answers are too many: lower R = 2"):
        FactTable.structured(1, 2, 2**30 + 1)


@pytest.mark.parametrize("exponent", [-0.1, math.nan, math.inf, 10**400, -(10**400)])
def test_bad_exponents_are_refused(exponent):
    with pytest.raises(InputError, match=r"exponent = .* is no skew: pass a finite number >= 0"):
        FactTable.skewed(2, 2, 2, exponent=exponent, seed=0)


@pytest.mark.parametrize("exponent", [True, None, "1", 1j])
def test_exponents_are_numbers(exponent):
    with pytest.raises(InputError, match=r"exponent = .* is not a number"):
        FactTable.skewed(2, 2, 2, exponent=exponent, seed=0)


def test_bad_counts_are_refused():
    table = FactTable(HAND)
    with pytest.raises(InputError) as refused:
        table.subset(6, seed=0)
    assert str(refused.value) == (
        "count = 6 facts are more than the 5 of the table (S R = 9): ask for at most 5"
    )
    for count in (0, -1, True, 2.0):
        with pytest.raises(InputError, match=r"^count = "):
            table.subset(count, seed=0)


def test_bad_seeds_are_refused():
    for seed in (-1, 2**64, None):
        for make in (
            lambda seed=seed: FactTable.random(2, 2, 2, seed=seed),
            lambda seed=seed: FactTable.skewed(2, 2, 2, exponent=1, seed=seed),
            lambda seed=seed: FactTable(HAND).subset(1, seed=seed),
        ):
            with pytest.raises(InputError, match="seed"):
                make()


@pytest.mark.parametrize("index", [-1, 3, True, 0.0])
def test_bad_indices_are_refused(index):
    table = FactTable(HAND)
    with pytest.raises(InputError, match=r"^s = "):
        table.answers_of_subject(index)
    with pytest.raises(InputError, match=r"^r = "):
        table.answers_of_relation(index)
    with pytest.raises(InputError, match=r"^s = "):
        table.answer(index, 0)
    with pytest.raises(InputError, match=r"^r = "):
        table.answer(0, index)


def test_what_is_no_fact_has_no_answer():
    with pytest.raises(InputError, match=r"\(s, r\) = \(1, 1\) is no fact .* pass a row of"):
        FactTable(HAND).answer(1, 1)


@given(st.lists(st.just(0.0) | st.floats(0, 1e308), min_size=1, max_size=8).filter(any))
@example([0.0, 2.0, 0.0, 0.0])
def test_no_index_of_weight_zero_is_drawn(weights):
    cumulative = cumulated(checked_weights(weights, len(weights)))
    assert cumulative[-1] == 1
    edges = np.concatenate([cumulative, np.nextafter(cumulative, 0), [0.0, 1 - 2**-53]])
    indices = drawn(cumulative, edges[edges < 1])
    assert all(weights[index] > 0 for index in indices.tolist())
