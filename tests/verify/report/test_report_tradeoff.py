"""The trade-off on the page: geometry, words, table, and what a reader of any kind is told."""

import re
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from verify.capacity.pictures import Pictures
from verify.capacity.tradeoff import Cell, Grid, TradeOff
from verify.drawing.layout import Layout
from verify.drawing.panel import panel_svg
from verify.report.page.html import page
from verify.report.plots.tradeoff import heat

GRID = Grid(S=10, R=10, D=4, d=100, d_h=25, heads=(2, 8, 20), widths=(0, 64, 1024), draws=10)
#: Facts and whole draws of each cell; 1,000 facts in all.
COUNTS = {
    (2, 0): (620, 0),
    (8, 0): (900, 2),
    (20, 0): (1000, 10),
    (8, 64): (700, 0),
    (8, 1024): (1000, 10),
    (20, 64): (999, 9),
    (20, 1024): (1000, 10),
}


def trade_off(counts=COUNTS):
    return TradeOff(
        GRID,
        tuple(
            Cell(H, m, *counts.get((H, m), (None, None))) for H in GRID.heads for m in GRID.widths
        ),
    )


@pytest.fixture
def picture():
    return heat(trade_off())


def cells(picture):
    """The cells by the numbers of their heads and neurons."""
    places = [(H, m) for H in GRID.heads for m in GRID.widths]
    return dict(zip(places, picture.panel.cells, strict=True))


def squares(picture):
    """Left, top, right and bottom of each square, as it is drawn."""
    boxes = re.findall(
        r'<rect class="(?:cell|cell whole|none)" x="(.*?)" y="(.*?)" width="(.*?)" height="(.*?)"',
        panel_svg(picture.panel),
    )
    for x, y, wide, tall in (map(float, box) for box in boxes):
        yield x, y, x + wide, y + tall


def test_more_attention_stands_higher_and_a_larger_mlp_to_the_right(picture):
    at, its = dict(zip(cells(picture), squares(picture), strict=True)), Layout(picture.panel)
    for H in GRID.heads:
        assert at[H, 0][0] < at[H, 64][0] < at[H, 1024][0]
    for m in GRID.widths:
        assert at[2, m][1] > at[8, m][1] > at[20, m][1]
    for left, top, right, bottom in at.values():
        assert its.left <= left < right <= its.right <= picture.panel.wide
        assert its.top <= top < bottom <= its.bottom < its.height


def test_squares_do_not_touch_and_have_a_tick(picture):
    its, found = Layout(picture.panel), list(squares(picture))
    # Those that are dashed stand a little inside.
    wide = max(right - left for left, _, right, _ in found)
    whole = [box for box in found if box[2] - box[0] > wide - 1]
    across = sorted({(left, right) for left, _, right, _ in whole})
    up = sorted({(top, bottom) for _, top, _, bottom in whole})
    for spans, ticks in ((across, its.x_ticks), (up, its.y_ticks[::-1])):
        assert all(one[1] < other[0] for one, other in pairwise(spans))
        for (low, high), tick in zip(spans, ticks, strict=True):
            assert low < tick.at < high


def test_ticks_say_how_many_parameters(picture):
    its = Layout(picture.panel)
    assert [tick.label for tick in its.x_ticks] == ["0", "12.8k", "205k"]
    assert [tick.label for tick in its.y_ticks] == ["20k", "80k", "200k"]
    assert [tick.more for tick in its.x_ticks] == ["m 0", "m 64", "m 1024"]
    assert [tick.more for tick in its.y_ticks] == ["H 2", "H 8", "H 20"]


def test_a_number_of_millions_is_short():
    large = Grid(S=9, R=9, D=2, d=1000, d_h=250, heads=(1, 18), widths=(0,), draws=1)
    found = (Cell(1, 0, None, None), Cell(18, 0, 81, 1))
    assert [t.label for t in heat(TradeOff(large, found)).panel.y.ticks] == ["1M", "18M"]


def test_colours_are_stronger_with_more_facts_and_leave_the_number_readable(picture):
    at = cells(picture)
    order = [at[place].strength for place in sorted(COUNTS, key=lambda place: COUNTS[place][0])]
    assert order == sorted(order)
    assert 0 < order[0] < order[-1] == 0.5


def test_every_cell_has_its_number_and_only_all_are_100(picture):
    at = cells(picture)
    assert (at[2, 0].label, at[8, 0].label, at[20, 64].label) == ("62", "90", "99.9")
    assert {place for place, c in at.items() if c.label == "100"} == {
        (20, 0),
        (8, 1024),
        (20, 1024),
    }
    assert all(cell.whole == (cell.label == "100") for cell in at.values())
    none = {place for place, cell in at.items() if cell.strength is None}
    assert (
        none == {place for place, c in at.items() if c.label == "too few"} == {(2, 64), (2, 1024)}
    )
    nearly = heat(trade_off({(2, 0): (999, 9)}))
    assert nearly.panel.cells[0].label == "99.9"


def test_the_words_say_what_suffices(picture):
    assert picture.notes == (
        "Percent of the 100 facts that are certified, in 10 draws; the colour goes from 60 to 100.",
        "All facts in all draws with 80,000 attention and 204,800 MLP parameters; "
        "or with 200,000 attention parameters alone.",
        "Dashed: too few heads to hand over subject and relation to an MLP.",
    )


def test_the_words_say_where_nothing_suffices():
    low = heat(
        trade_off({place: (500, 0) for place in COUNTS} | {(2, 64): (1, 0), (2, 1024): (1, 0)})
    )
    assert low.notes[1:] == ("No cell has all facts in all draws.",)


def test_equal_cells_have_a_colour():
    alike = heat(trade_off(dict.fromkeys(COUNTS, (1000, 10))))
    strengths = {cell.strength for cell in alike.panel.cells}
    assert strengths == {0.5, None}


def test_the_table_says_what_the_picture_shows(picture):
    assert len(picture.rows) == 9
    assert picture.header == ("H", "m", "Attention", "MLP", "Certified", "Draws with all")
    assert picture.rows[4] == ["8", "64", "80,000", "12,800", "700 of 1,000", "0 of 10"]
    assert picture.rows[1][-2:] == ["too few heads", ""]


# -- on the page -----------------------------------------------------------------------------------


def section(text):
    return text.partition('<section id="fits"')[2].partition("</section>")[0]


@pytest.fixture
def shown(run, registry):
    pictures = Pictures((), trade_off())
    return section(page(run, registry, command="verify", pictures=pictures))


class Reader(HTMLParser):
    """Classes and the texts of the picture."""

    def __init__(self):
        super().__init__()
        self.classes, self.texts = [], []
        self._inside = ""

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self._inside = tag
        self.classes += found.get("class", "").split()

    def handle_data(self, data):
        if self._inside == "text" and data.strip():
            self.texts.append(data.strip())


def test_the_page_shows_it_with_a_name_and_a_table(shown):
    assert shown.count("<svg") == shown.count('role="img"') == shown.count("<table") == 1
    assert "percent of the facts that are certified" in shown
    assert "700 of 1,000" in shown
    reader = Reader()
    reader.feed(shown)
    assert reader.classes.count("cell") == 7
    assert reader.classes.count("none") == 2
    assert reader.classes.count("whole") == 3


def test_it_is_read_without_colour(shown):
    reader = Reader()
    reader.feed(shown)
    assert reader.texts.count("100") == 3
    assert reader.texts.count("too few") == 2
    assert {"62", "90", "70", "99.9"} <= set(reader.texts)
    assert {"attention parameters, 4 H d d_h", "MLP parameters, 2 m d"} <= set(reader.texts)


def test_the_same_is_drawn_each_time(run, registry):
    pictures = Pictures((), trade_off())
    assert page(run, registry, command="v", pictures=pictures) == page(
        run, registry, command="v", pictures=Pictures((), trade_off())
    )


def test_without_it_the_page_is_silent(run, registry):
    assert "Attention parameters for MLP" not in page(run, registry, command="verify")
