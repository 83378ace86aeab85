"""The trade-off: what its cells count, that they repeat, and what the page's grid shows."""

from dataclasses import replace

import pytest

from verify.capacity.pictures import pictures
from verify.capacity.stored_bits import Search
from verify.capacity.subjects import MemorySubject
from verify.capacity.tradeoff import GRID, Grid, plan
from verify.running.pool import results

SMALL = Grid(S=3, R=3, D=2, d=97, d_h=24, heads=(1, 4, 6), widths=(0, 16, 1024), draws=3)


def trade_off(grid=SMALL, *, seed=5, workers=0, progress=lambda share: None):
    return results([plan(grid, seed)], workers=workers, progress=progress)[0]


@pytest.fixture(scope="module")
def found():
    return trade_off()


def test_every_pair_has_a_cell_in_its_order(found):
    assert found.grid == SMALL
    places = [(cell.H, cell.m) for cell in found.cells]
    assert places == [(H, m) for H in SMALL.heads for m in SMALL.widths]


def test_parameters_are_those_of_the_paper():
    assert SMALL.attention(6) == 4 * 6 * 97 * 24
    assert SMALL.mlp(16) == 2 * 16 * 97
    assert SMALL.facts == 27


def test_cells_are_empty_where_heads_do_not_suffice(found):
    # One head cannot tell subjects from relations; with an MLP each needs two heads of 24 of 48.
    empty = {(cell.H, cell.m) for cell in found.cells if cell.certified is None}
    assert empty == {(1, 0), (1, 16), (1, 1024)}
    assert all((c.certified is None) == (c.complete is None) for c in found.cells)


def test_counts_are_of_facts_and_of_whole_draws(found):
    for cell in found.cells:
        if cell.certified is not None:
            assert 0 <= cell.certified <= SMALL.facts
            assert 9 * cell.complete <= cell.certified
            assert (cell.complete == SMALL.draws) == (cell.certified == SMALL.facts)


def test_both_ways_lead_to_every_fact(found):
    at = {(cell.H, cell.m): cell.certified for cell in found.cells}
    assert at[6, 0] == SMALL.facts
    assert at[4, 1024] == SMALL.facts
    assert at[4, 16] < at[4, 1024]


def test_processes_find_the_same_and_tell_how_far_they_are(found):
    shares = []
    assert trade_off(workers=2, progress=shares.append) == found
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0, pytest.approx(1))


def test_a_seed_says_what_is_drawn(found):
    grid = replace(SMALL, d=25, d_h=12, heads=(2,), widths=(0,), draws=4)
    counts = {trade_off(grid, seed=seed).cells for seed in range(4)}
    assert len(counts) > 1
    assert trade_off(grid, seed=2) == trade_off(grid, seed=2)


def test_it_is_measured_with_the_curves(found):
    shares = []
    drawn = pictures(
        seed=5,
        workers=0,
        shown=[MemorySubject("linear", {"d": 8}, draws=2)],
        grid=SMALL,
        search=Search(("constructed",), (4,), (1,), draws=1),
        progress=shares.append,
    )
    assert [curve.text for curve in drawn.curves] == ["linear memory, d = 8"]
    assert drawn.trade_off == found
    assert len(shares) > len(found.cells) + len(drawn.curves[0].points)


def test_the_grid_of_the_page_has_heads_alone_and_neurons():
    assert GRID.widths[0] == 0
    assert GRID.heads[-1] == GRID.S + GRID.R  # a token a head
    assert list(GRID.heads) == sorted(set(GRID.heads))
    assert list(GRID.widths) == sorted(set(GRID.widths))


@pytest.mark.slow
def test_the_page_shows_both_ways():
    few = replace(GRID, heads=(2, 8, 24), widths=(0, 128, 1024), draws=2)
    at = {(cell.H, cell.m): cell for cell in trade_off(few, seed=0, workers=2).cells}
    assert at[24, 0].complete == at[8, 1024].complete == 2
    assert at[2, 0].complete < 2
    assert at[8, 128].complete == 0
    assert at[2, 128].certified is None
