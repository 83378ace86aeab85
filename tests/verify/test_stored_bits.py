"""Bits stored and used: what is searched, that it repeats, and that it is below the bound."""

from itertools import pairwise
from math import log2

import pytest

from verify.capacity.stored_bits import SEARCH, Search, percent, plan
from verify.running.pool import results

SMALL = Search(("constructed", "trained"), (6, 8), (1, 3), draws=4)


def search(sizes=SMALL, *, seed=5, workers=0, progress=lambda share: None):
    return results([plan(sizes, seed)], workers=workers, progress=progress)[0]


@pytest.fixture(scope="module")
def found():
    return search()


def test_every_kind_dimension_and_number_of_bits_has_a_point_in_its_order(found):
    assert found.search == SMALL
    places = [(p.kind, p.d, p.b) for p in found.points]
    assert places == [(k, d, b) for k in SMALL.kinds for d in SMALL.dimensions for b in SMALL.bits]


def test_points_are_brackets_of_neighbouring_numbers(found):
    for p in found.points:
        numbers = [1, *SMALL.numbers(p.kind, p.d)]
        assert p.beyond == numbers[numbers.index(p.N) + 1]
        assert SMALL.draws / 2 <= p.recalled <= SMALL.draws


def test_bits_are_counted_as_the_theorem_does(found):
    for p in found.points:
        assert p.used == p.b * p.d**2
        assert p.stored == p.N * log2(p.N)
        assert p.stored <= p.used + 1
        assert p.share == p.stored / p.used


def test_the_numbers_tried_are_those_that_are_drawn(monkeypatch):
    from numerics.draws import stored_bits

    def full_recall(kind, d, N, M, draws, *, bits, seed, name):
        assert (M, seed) == (N, 5)
        names.add((kind, name))
        import torch

        return torch.tensor([[N * b <= 9 for b in bits]] * draws)

    names = set()
    monkeypatch.setattr(stored_bits, "full_recall", full_recall)
    points = search().points
    assert {(p.b, p.N, p.beyond) for p in points} == {(1, 8, 10), (3, 3, 4)}
    assert len(names) == len({name for _, name in names}) * len(SMALL.kinds)


def test_a_number_without_end_and_one_without_beginning(monkeypatch):
    from numerics.draws import stored_bits

    def full_recall(kind, d, N, M, draws, *, bits, seed, name):
        import torch

        return torch.tensor([[b > 1 for b in bits]] * draws)

    monkeypatch.setattr(stored_bits, "full_recall", full_recall)
    never, always = search(Search(("constructed",), (6,), (1, 3), draws=2)).points
    assert (never.N, never.stored, never.beyond) == (1, 0, 2)
    assert (always.N, always.beyond) == (SMALL.numbers("constructed", 6)[-1], None)


def test_processes_find_the_same_and_tell_how_far_they_are(found):
    shares = []
    assert search(workers=2, progress=shares.append) == found
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0, pytest.approx(1))


def test_the_search_of_the_page_begins_below_and_ends_beyond_what_is_recalled():
    for kind in SEARCH.kinds:
        for d in SEARCH.dimensions:
            numbers = SEARCH.numbers(kind, d)
            assert numbers == sorted(set(numbers))
            assert all(b / a < 1.6 for a, b in pairwise(numbers))


@pytest.mark.slow
def test_training_stores_more_than_the_sum_of_outer_products_and_less_than_the_bound():
    sizes = Search(SEARCH.kinds, (16, 32), SEARCH.bits, draws=10)
    at = {(p.kind, p.d, p.b): p for p in search(sizes, seed=0, workers=2).points}
    for p in at.values():
        assert p.beyond is not None
        assert 0 < p.share < 0.5
    for d in sizes.dimensions:
        for b in sizes.bits:
            assert at["trained", d, b].stored > at["constructed", d, b].stored
        assert at["trained", d, 16].stored > 3 * at["trained", d, 1].stored


@pytest.mark.parametrize(
    ("share", "words"),
    [(0.0624, "6.2%"), (0.994, "99%"), (0.996, "100%"), (1.147, "115%"), (1e-7, "0.00001%")],
)
def test_percent_is_written_out(share, words):
    assert percent(share) == words
