"""Bits stored and used on the page: geometry, words, table, and what a reader of any kind is told."""

from itertools import pairwise

import pytest

from verify.capacity.pictures import Pictures
from verify.capacity.stored_bits import Search, Stored, StoredBits
from verify.drawing.layout import Layout
from verify.drawing.palette import Role
from verify.report.page.html import page
from verify.report.plots.stored_bits import stored_panels

SEARCH = Search(("constructed", "trained"), (16, 32), (1, 3, 4, 16), draws=10)
#: N, how many draws recall it, and the next N.
FOUND = {
    "constructed": ((8, 9, 10), (10, 6, 11), (10, 8, 11), (10, 8, 11)),
    "trained": ((13, 5, 16), (27, 10, 32), (45, 8, 54), (64, 6, None)),
}


def found(counts=FOUND):
    points = [
        Stored(kind, d, b, *counts[kind][place])
        for kind in SEARCH.kinds
        for d in SEARCH.dimensions
        for place, b in enumerate(SEARCH.bits)
    ]
    return StoredBits(SEARCH, tuple(points))


@pytest.fixture
def panels():
    return stored_panels(found())


def test_each_dimension_has_a_panel_with_both_kinds(panels):
    assert [s.panel.title for s in panels] == ["d = 16, 256 weights", "d = 32, 1,024 weights"]
    for shown in panels:
        assert [dots.name for dots in shown.panel.dots] == ["outer products", "trained"]
        assert all(len(dots.x) == 4 for dots in shown.panel.dots)


def test_more_bits_lie_to_the_right_and_more_stored_higher(panels):
    for shown in panels:
        its, (built, better) = Layout(shown.panel), shown.panel.dots
        for dots in (built, better):
            assert all(its.x(a) < its.x(b) for a, b in pairwise(dots.x))
            assert all(its.left < its.x(a) < its.right <= shown.panel.wide for a in dots.x)
            for low, high in zip(dots.y, dots.high, strict=True):
                assert its.top < its.y(high) <= its.y(low) < its.bottom
            # Labels stand above the one kind and below the other, inside the plane.
            assert its.y(max(dots.high)) - 16 > its.top
            assert its.y(min(dots.y)) + 16 < its.bottom + 5
        assert (built.below, better.below) == (True, False)
        assert all(its.y(a) > its.y(b) for a, b in zip(built.y, better.y, strict=True))
        assert better.high[-1] == better.y[-1]  # no end was found


def test_no_mark_lies_above_the_line_where_stored_is_used(panels):
    for shown in panels:
        its = Layout(shown.panel)
        [bound] = (line for line in shown.panel.lines if line.role is Role.PROVED)
        (x0, x1), (y0, y1) = map(its.x, bound.x), map(its.y, bound.y)
        assert its.left <= x0 < x1 <= its.right
        for dots in shown.panel.dots:
            for a, b in zip(dots.x, dots.y, strict=True):
                assert its.y(b) > y0 + (its.x(a) - x0) / (x1 - x0) * (y1 - y0)
        assert its.top <= y1 < y0 < its.bottom
        [beyond] = shown.panel.bands
        assert (beyond.x, beyond.low) == (bound.x, bound.y)
        assert set(map(its.y, beyond.high)) == {its.top}


def test_ticks_and_the_bits_below_them_do_not_touch(panels):
    first, second = (Layout(shown.panel) for shown in panels)
    assert [tick.label for tick in first.x_ticks] == ["1", "3", "4", "16"]
    assert [tick.more for tick in first.x_ticks] == ["256", "768", "", "4.1k"]
    assert [tick.more for tick in second.x_ticks] == ["1.02k", "3.07k", "", "16.4k"]
    assert [tick.label for tick in first.y_ticks] == [
        "20",
        "50",
        "100",
        "200",
        "500",
        "1k",
        "2k",
        "5k",
    ]
    assert all(a.at - b.at >= 13 for a, b in pairwise(first.y_ticks))


def test_marks_say_how_many_percent_are_stored(panels):
    built, better = panels[0].panel.dots
    assert built.labels == ["9.4", "4.3", "3.2", "0.81"]
    assert better.labels == ["19", "17", "24", "9.4"]


def test_the_words_say_the_most_and_the_best_use(panels):
    assert panels[0].notes == (
        "Outer products: at most 33 bits, at b = 3; 9.4% of the bits used, at best, at b = 1.",
        "Trained: at most 384 bits, at b = 16; 24% of the bits used, at best, at b = 4.",
    )


def test_the_table_says_what_the_picture_shows(panels):
    assert len(panels[0].rows) == 8
    assert panels[0].header == ("W", "b", "Used", "N", "Stored", "Part", "Recalled by")
    assert panels[0].rows[6] == ["trained", "4", "1,024", "45, not 54", "247", "24%", "8 of 10"]
    assert panels[0].rows[-1][3] == "64 or more"


def test_what_recalls_nothing_is_told_and_not_drawn():
    none = ((1, 10, 2),) * 4
    (first, _) = stored_panels(found(FOUND | {"constructed": none}))
    assert [dots.name for dots in first.panel.dots] == ["trained"]
    assert (first.rows[0][3], first.rows[0][-1]) == ("none", "")
    assert stored_panels(found({"constructed": none, "trained": none})) == []


# -- on the page -----------------------------------------------------------------------------------


def section(text):
    return text.partition('<section id="fits"')[2].partition("</section>")[0]


@pytest.fixture
def shown(run, registry):
    return section(page(run, registry, command="verify", pictures=Pictures((), None, found())))


def test_the_page_shows_it_with_names_and_tables(shown):
    named = shown.count("bits stored against bits used, for trained and constructed memories")
    # Each has a svg within, which cuts off what lies beyond.
    assert shown.count("<svg") == 4
    assert named == shown.count('role="img"') == shown.count("<table") == 2
    assert "at least half of 10 draws" in shown
    assert "45, not 54" in shown


def test_it_is_read_without_colour(shown):
    # Two of each are in the legends.
    assert shown.count("<circle") == shown.count('width="6.4"') == 10
    assert "bits stored, N log₂ N" in shown
    assert "bits a weight b, and bits used b d²" in shown
    assert "more than all bits used" in shown


def test_without_it_the_page_is_silent(run, registry):
    assert "Bits stored and bits used" not in page(run, registry, command="verify")
