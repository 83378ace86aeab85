"""The factual recall task: its vocabulary, its sequences, their law, what it refuses."""

import math
from collections import Counter
from itertools import permutations, product

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from numerics import FactTable, FactualRecall, InputError, world_table
from numerics.tasks.factual_recall import CONTEXT_LIMIT, SAMPLE_BLOCK

PARTIAL = FactTable([[0, 2], [1, -1]])

seeds = st.integers(0, 2**64 - 1)


@st.composite
def tasks(draw):
    S, R, D = (draw(st.integers(1, 4)) for _ in range(3))
    table = FactTable.random(S, R, D, seed=draw(seeds))
    table = table.subset(draw(st.integers(1, len(table))), seed=draw(seeds))
    T = draw(st.integers(3, 6))
    noise = draw(st.integers(0 if T == 3 else 1, 4))
    positive = st.floats(0, 10)
    lists = st.lists(positive, min_size=len(table), max_size=len(table)).filter(any)
    return FactualRecall(table, noise=noise, T=T, weights=draw(st.none() | lists))


@given(tasks())
def test_the_vocabulary_is_disjoint_and_whole(task):
    table = task.table
    parts = [task.subjects, task.relations, task.answers, task.noise_tokens, [task.eos]]
    assert [len(part) for part in parts] == [table.S, table.R, table.A, task.noise, 1]
    assert [token for part in parts for token in part] == list(range(task.vocabulary))
    assert task.facts.tolist() == table.facts.tolist()
    for (s, r), (subject, relation, answer) in zip(
        task.facts.tolist(), task.fact_tokens.tolist(), strict=True
    ):
        assert subject == task.subjects[s]
        assert relation == task.relations[r]
        assert answer == task.answer_token(s, r) == task.answers[table.answer(s, r)]


def well_formed(task, sequence):
    """Whether steps 2 to 5 of Sec. 4.1 can give this sequence, for a fact of positive chance."""
    context, answer = sequence[:-1], sequence[-1]
    facts = {
        tuple(tokens)
        for tokens, p in zip(task.fact_tokens.tolist(), task.probabilities.tolist(), strict=True)
        if p > 0
    }
    subjects = [token for token in context if token in task.subjects]
    relations = [token for token in context if token in task.relations]
    return (
        len(context) == task.T
        and context[-1] == task.eos
        and len(subjects) == len(relations) == 1
        and sum(token in task.noise_tokens for token in context) == task.T - 3
        and (subjects[0], relations[0], answer) in facts
    )


@given(tasks(), seeds)
def test_sequences_have_the_stated_form(task, seed):
    sequences = task.sample(40, seed=seed)
    assert sequences.dtype == torch.int64
    assert sequences.shape == (40, task.T + 1)
    assert all(well_formed(task, sequence) for sequence in sequences.tolist())


@given(tasks(), seeds, st.integers(0, 50), st.integers(0, 50))
def test_short_samples_are_prefixes(task, seed, count, more):
    longer = task.sample(count + more, seed=seed)
    assert torch.equal(task.sample(count, seed=seed), longer[:count])


@pytest.mark.parametrize("weights", [None, [1.0, 0.0, 2.5]])
def test_a_sequence_depends_on_its_number_alone(weights):
    task = FactualRecall(PARTIAL, noise=3, T=7, weights=weights)
    whole = task.sample(2 * SAMPLE_BLOCK + 9, seed=5)
    later = task.sample(SAMPLE_BLOCK + 9, seed=5, start=SAMPLE_BLOCK)
    assert torch.equal(later, whole[SAMPLE_BLOCK:])
    assert torch.equal(task.sample(11, seed=5, start=2 * SAMPLE_BLOCK)[:9], whole[-9:])
    assert task.sample(0, seed=5).shape == (0, 8)
    assert len({str(task.sample(20, seed=seed).tolist()) for seed in range(5)}) == 5
    blocks = whole[: 2 * SAMPLE_BLOCK].reshape(2, SAMPLE_BLOCK, 8)
    assert not torch.equal(blocks[0], blocks[1])


def test_global_random_states_are_left_alone():
    before, state = torch.get_rng_state(), np.random.get_state()[1].tolist()
    FactualRecall(PARTIAL, noise=3, T=7).sample(10, seed=0)
    assert torch.equal(before, torch.get_rng_state())
    assert np.random.get_state()[1].tolist() == state


def contexts_by_definition(task, s, r):
    """All contexts of a fact, each written down place by place."""
    found = []
    for i, j in permutations(range(task.T - 1), 2):
        rest = [k for k in range(task.T - 1) if k not in (i, j)]
        for noise in product(task.noise_tokens, repeat=len(rest)):
            context = [task.eos] * task.T
            context[i], context[j] = task.subjects[s], task.relations[r]
            for k, token in zip(rest, noise, strict=True):
                context[k] = token
            found.append(tuple(context))
    return found


@given(tasks(), st.data())
def test_all_contexts_of_a_fact_each_once(task, data):
    s, r = data.draw(st.sampled_from(task.facts.tolist()))
    contexts = [tuple(context) for context in task.contexts(s, r).tolist()]
    assert contexts == contexts_by_definition(task, s, r)
    assert len(contexts) == len(set(contexts))
    assert len(contexts) == (task.T - 1) * (task.T - 2) * task.noise ** (task.T - 3)


def law(task, chances):
    """The probability of every sequence, from all contexts of all facts."""
    probabilities = {}
    for (s, r), p in zip(task.facts.tolist(), chances, strict=True):
        contexts = task.contexts(s, r).tolist()
        for context in contexts:
            sequence = (*context, task.answer_token(s, r))
            probabilities[sequence] = p / len(contexts)
    return probabilities


@pytest.fixture
def agrees(follows):
    """Whether sequences follow a law, which has all that may be drawn."""

    def agree(sequences, probabilities):
        found = Counter(map(tuple, sequences.tolist()))
        counts = [found[cell] for cell in probabilities]
        return found.keys() <= probabilities.keys() and follows(counts, [*probabilities.values()])

    return agree


@pytest.mark.parametrize(
    ("noise", "T", "weights", "chances"),
    [
        (0, 3, None, [1 / 3] * 3),
        (2, 3, [1, 2, 5], [1 / 8, 2 / 8, 5 / 8]),
        (2, 4, None, [1 / 3] * 3),
        (3, 5, [3, 0, 1], [3 / 4, 0, 1 / 4]),
    ],
)
def test_sampled_frequencies_follow_the_law(noise, T, weights, chances, agrees):
    task = FactualRecall(PARTIAL, noise=noise, T=T, weights=weights)
    assert task.probabilities.tolist() == pytest.approx(chances, abs=1e-15)
    sequences = task.sample(200_000, seed=3)
    exact = law(task, chances)
    assert math.fsum(exact.values()) == pytest.approx(1, abs=1e-12)
    assert agrees(sequences, exact)
    # The same check sees a distribution over facts that is off.
    p, _, q = chances
    assert not agrees(sequences, law(task, [p - 0.1, chances[1], q + 0.1]))


def test_the_law_check_rejects_wrong_laws(agrees):
    task = FactualRecall(PARTIAL, noise=2, T=4)
    exact = law(task, [1 / 3] * 3)
    sequences = task.sample(200_000, seed=3)
    # Subject always before the relation; noise that prefers one token; the answer of another.
    before = sequences.clone()
    before[:, :3] = sequences[:, :3].sort(dim=1).values
    leaning = sequences.clone()
    first = task.noise_tokens[0]
    change = (torch.arange(len(leaning)) % 4 == 0)[:, None] & (leaning == first)
    leaning[change] = task.noise_tokens[1]
    rolled = torch.cat([sequences[:, :-1], sequences[:, -1:].roll(1, 0)], dim=1)
    for wrong in (before, leaning, rolled):
        assert not agrees(wrong, exact)


def test_places_and_noise_are_uniform_in_longer_contexts(follows):
    T, noise, n = 9, 7, 100_000
    task = FactualRecall(PARTIAL, noise=noise, T=T)
    contexts = task.sample(n, seed=4)[:, : T - 1]
    i = torch.nonzero(contexts < task.relations.start)[:, 1]
    is_relation = (contexts >= task.relations.start) & (contexts < task.relations.stop)
    j = torch.nonzero(is_relation)[:, 1]
    places = Counter(zip(i.tolist(), j.tolist(), strict=True))
    pairs = list(permutations(range(T - 1), 2))
    assert set(places) <= set(pairs)
    assert follows([places[pair] for pair in pairs], 1 / len(pairs))
    # Noise tokens of one sequence, in order: each uniform, and two neighbours independent.
    tokens = contexts[contexts >= task.noise_tokens.start].reshape(n, T - 3)
    tokens -= task.noise_tokens.start
    for k in range(T - 3):
        assert follows(torch.bincount(tokens[:, k], minlength=noise), 1 / noise)
    for k in range(T - 4):
        joint = torch.bincount(tokens[:, k] * noise + tokens[:, k + 1], minlength=noise**2)
        assert follows(joint, 1 / noise**2)
    # Independent of the places.
    joint = torch.bincount(tokens[:, 0] * (T - 1) + i, minlength=noise * (T - 1))
    assert follows(joint, 1 / noise / (T - 1))


def test_weights_are_ratios():
    base = FactualRecall(PARTIAL, noise=1, T=4, weights=[1, 2, 5]).sample(500, seed=0)
    for weights in (
        torch.tensor([2.0, 4.0, 10.0], requires_grad=True),
        (0.25, 0.5, 1.25),
        np.array([1, 2, 5]) * 2.0**1000,
    ):
        scaled = FactualRecall(PARTIAL, noise=1, T=4, weights=weights).sample(500, seed=0)
        assert torch.equal(scaled, base)


def test_long_contexts_and_large_vocabularies():
    task = FactualRecall(FactTable.injective(300, 4), noise=10**6, T=2000)
    assert task.vocabulary == 300 + 4 + 1200 + 10**6 + 1
    assert all(well_formed(task, sequence) for sequence in task.sample(3, seed=0).tolist())
    assert repr(task) == (
        "FactualRecall(FactTable(S=300, R=4, A=1200, D=300, facts=1200), noise=1000000, T=2000)"
    )


@pytest.mark.parametrize("T", [2, 1, 0, -5, 3.0, True, None, 2**31 + 1])
def test_bad_lengths_are_refused(T):
    with pytest.raises(InputError, match=f"^T = {T} "):
        FactualRecall(PARTIAL, noise=2, T=T)


def test_the_least_length_is_named():
    with pytest.raises(InputError, match="T = 2 is too small: pass an int of at least 3"):
        FactualRecall(PARTIAL, noise=2, T=2)


@pytest.mark.parametrize("noise", [-1, 1.0, False, None, 2**31 + 1])
def test_bad_noise_is_refused(noise):
    with pytest.raises(InputError, match=f"^noise = {noise} "):
        FactualRecall(PARTIAL, noise=noise, T=4)


def test_no_noise_is_for_the_shortest_contexts():
    with pytest.raises(InputError) as refused:
        FactualRecall(PARTIAL, noise=0, T=5)
    assert str(refused.value) == (
        "noise = 0 leaves 2 places of a context of length T = 5 empty: "
        "pass noise of at least 1, or T = 3"
    )
    task = FactualRecall(PARTIAL, noise=0, T=3)
    assert list(task.noise_tokens) == []
    assert task.contexts(0, 1).tolist() == [[0, 3, 7], [3, 0, 7]]
    assert task.vocabulary == 8


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, 2], r"weights has shape \(2,\): pass 3 numbers, one for each fact"),
        ([[1, 2, 3]], r"weights has shape \(1, 3\)"),
        (2.0, r"weights has shape \(\)"),
        ([1, -0.5, 1], r"weights\[1\] = -0.5 is no weight: pass finite numbers >= 0"),
        ([1, 1, math.nan], r"weights\[2\] = nan"),
        ([math.inf, 1, 1], r"weights\[0\] = inf"),
        ([0, 0, 0], "weights are all zero: give at least one fact"),
        (["a", 1, 1], "weights of type list are not numbers"),
        ([1, [2], 3], "weights of type list are not numbers"),
        ([10**400, 1, 1], "weights of type list are not numbers"),
    ],
)
def test_bad_weights_are_refused(weights, message):
    with pytest.raises(InputError, match=message):
        FactualRecall(PARTIAL, noise=2, T=4, weights=weights)


def test_bad_samples_are_refused():
    task = FactualRecall(PARTIAL, noise=2, T=4)
    for count in (-1, True, 1.0):
        with pytest.raises(InputError, match=r"^count = "):
            task.sample(count, seed=0)
    for start in (1, SAMPLE_BLOCK - 1):
        with pytest.raises(InputError, match=f"start = {start} .* multiple of {SAMPLE_BLOCK}"):
            task.sample(2, seed=0, start=start)
    with pytest.raises(InputError, match=r"^start = -1"):
        task.sample(2, seed=0, start=-1)
    with pytest.raises(InputError, match="seed"):
        task.sample(2, seed=-1)


def test_too_many_contexts_are_refused():
    task = FactualRecall(PARTIAL, noise=9, T=8)
    assert CONTEXT_LIMIT < 42 * 9**5
    with pytest.raises(InputError) as refused:
        task.contexts(0, 1)
    assert str(refused.value) == (
        "the fact (0, 1) has 2480058 contexts, more than limit = 1000000: "
        "lower T or noise, raise limit, or use sample"
    )
    small = FactualRecall(PARTIAL, noise=2, T=5)
    assert len(small.contexts(0, 1, limit=48)) == 48
    with pytest.raises(InputError, match="48 contexts, more than limit = 47"):
        small.contexts(0, 1, limit=47)
    with pytest.raises(InputError, match="limit = 0"):
        small.contexts(0, 1, limit=0)
    # The number itself would have a million digits.
    with pytest.raises(InputError, match=r"about 10\^1000009 contexts"):
        FactualRecall(PARTIAL, noise=10, T=10**6).contexts(0, 1)


def test_what_is_no_fact_has_no_context_and_no_answer():
    task = FactualRecall(PARTIAL, noise=2, T=4)
    for ask in (task.contexts, task.answer_token):
        with pytest.raises(InputError, match=r"\(1, 1\) is no fact"):
            ask(1, 1)
        with pytest.raises(InputError, match=r"^s = 2 is too large"):
            ask(2, 0)
        with pytest.raises(InputError, match=r"^r = -1 is too small"):
            ask(0, -1)
    # It has no sequence either.
    sequences = task.sample(2000, seed=0)[:, :-1]
    both = (sequences == task.subjects[1]).any(1) & (sequences == task.relations[1]).any(1)
    assert not bool(both.any())


def test_a_table_with_names_is_refused_and_its_table_taken():
    named = world_table()
    with pytest.raises(InputError, match=r"table is a NamedTable: pass a FactTable"):
        FactualRecall(named, noise=1, T=4)
    assert FactualRecall(named.table, noise=1, T=4).table is named.table
