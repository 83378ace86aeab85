"""Bits stored and used on the page: geometry, words, table, and what a reader of any kind is told."""

import re
from itertools import pairwise

import pytest

from verify.capacity.pictures import Pictures
from verify.capacity.stored_bits import Search, Stored, StoredBits
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
    assert [p.title for p in panels] == ["d = 16, 256 weights", "d = 32, 1,024 weights"]
    for p in panels:
        assert [s.kind for s in p.series] == ["constructed", "trained"]
        assert all(len(s.marks) == 4 for s in p.series)


def test_more_bits_lie_to_the_right_and_more_stored_higher(panels):
    for p in panels:
        built, better = (s.marks for s in p.series)
        for marks in (built, better):
            assert all(a.x < b.x for a, b in pairwise(marks))
        assert all(a.y > b.y for a, b in zip(built, better, strict=True))
        for mark in (*built, *better):
            assert p.left < mark.x < p.right <= p.width
            assert p.top < mark.high <= mark.y < p.bottom
            assert p.top < mark.label < p.bottom + 5
        assert better[-1].high == better[-1].y  # no end was found


def test_no_mark_lies_above_the_line_where_stored_is_used(panels):
    for p in panels:
        (x0, y0), (x1, y1) = p.bound
        assert p.left <= x0 < x1 <= p.right
        for mark in (mark for s in p.series for mark in s.marks):
            assert mark.y > y0 + (mark.x - x0) / (x1 - x0) * (y1 - y0)
        assert p.top <= y1 < y0 < p.bottom


def test_ticks_and_the_bits_below_them_do_not_touch(panels):
    first, second = panels
    assert [tick.label for tick in first.x_ticks] == ["1", "3", "4", "16"]
    assert first.used == ("256", "768", "", "4.1k")
    assert second.used == ("1.0k", "3.1k", "", "16k")
    assert [tick.label for tick in first.y_ticks] == ["100", "1k"]
    heights = [tick.at for tick in first.y_ticks]
    assert heights == sorted(heights, reverse=True)


def test_marks_say_how_many_percent_are_stored(panels):
    built, better = panels[0].series
    assert [mark.share for mark in built.marks] == ["9.4", "4.3", "3.2", "0.81"]
    assert [mark.share for mark in better.marks] == ["19", "17", "24", "9.4"]


def test_the_words_say_the_most_and_the_best_use(panels):
    assert panels[0].notes == (
        "Outer products: at most 33 bits, at b = 3; 9.4% of the bits used, at best, at b = 1.",
        "Trained: at most 384 bits, at b = 16; 24% of the bits used, at best, at b = 4.",
    )


def test_the_table_says_what_the_picture_shows(panels):
    assert len(panels[0].rows) == 8
    row = panels[0].rows[6]
    assert (row.kind, row.b, row.used, row.N) == ("trained", "4", "1,024", "45, not 54")
    assert (row.stored, row.share, row.recalled) == ("247", "24%", "8 of 10")
    assert panels[0].rows[-1].N == "64 or more"


def test_what_recalls_nothing_is_told_and_not_drawn():
    none = ((1, 10, 2),) * 4
    (first, _) = stored_panels(found(FOUND | {"constructed": none}))
    assert [s.kind for s in first.series] == ["trained"]
    assert (first.rows[0].N, first.rows[0].recalled) == ("none", "")
    assert stored_panels(found({"constructed": none, "trained": none})) == []


# -- on the page -----------------------------------------------------------------------------------


def section(text):
    return text.partition('<section id="fits"')[2].partition("</section>")[0]


@pytest.fixture
def shown(run, registry):
    return section(page(run, registry, command="verify", pictures=Pictures((), None, found())))


def test_the_page_shows_it_with_titles_descriptions_and_tables(shown):
    assert shown.count("<svg") == shown.count('role="img"') == shown.count("<table") == 2
    ids = re.findall(r'id="(.*?)"', shown)
    assert len(set(ids)) == len(ids)
    for names in re.findall(r'aria-labelledby="(stored.*?)"', shown):
        assert set(names.split()) <= set(ids)
    assert "at least half of 10 draws" in shown
    assert "45, not 54" in shown


def test_it_is_read_without_colour(shown):
    assert shown.count("<circle") == shown.count('width="6.4"') == 8
    assert "bits stored, N log₂ N" in shown
    assert "bits a weight b, and bits used b d²" in shown
    assert "more than all bits used" in shown


def test_it_takes_its_colours_from_the_style(shown):
    assert not re.search(r"(?:fill|stroke)=|#[0-9a-f]{3,6}\b", shown.replace('href="#', ""))


def test_without_it_the_page_is_silent(run, registry):
    assert "Bits stored and bits used" not in page(run, registry, command="verify")
