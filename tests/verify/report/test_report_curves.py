"""Failure curves on the page: geometry, words, table, and what a reader of any kind is told."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from verify.capacity.curves import Curve, Guide, Point
from verify.capacity.pictures import Pictures
from verify.report.page.html import page
from verify.report.plots.curves import panels


def curve(*, bounded=True, text="linear memory, d = 64", scale=4096):
    numbers = [32, 64, 96, 128]
    shares = [0.0, 0.05, 0.45, 1.0]
    bounds = [0.02, 0.6, 1.0, 1.0] if bounded else [None] * 4
    return Curve(
        text,
        "N",
        False,
        scale,
        "d²",
        tuple(
            Point(N, 200, round(200 * share), max(share - 0.1, 0.0), min(share + 0.1, 1.0))
            for N, share in zip(numbers, shares, strict=True)
        ),
        tuple(map(Guide, numbers, [0.0001, 0.04, 0.55, 0.99], bounds)),
    )


def falling(*, size="d", bounded=True):
    numbers = [100, 150, 225, 340]
    bounds = [1.0, 1.0, 0.4, 0.001] if bounded else [1.0] * 4
    return Curve(
        "attention construction, S = R = 8, d_h = d/2",
        size,
        True,
        1,
        "",
        (Point(100, 40, 40, 0.8, 1.0), Point(225, 40, 4, 0.05, 0.3)),
        tuple(map(Guide, numbers, [0.99, 0.6, 0.2, 0.01], bounds)),
    )


@pytest.fixture
def panel():
    return panels([curve()])[0]


def test_what_is_likelier_stands_higher_and_more_facts_to_the_right(panel):
    heights = [mark.y for mark in panel.marks]
    assert heights == sorted(heights, reverse=True)
    places = [mark.x for mark in panel.marks]
    assert places == sorted(places)
    assert (panel.marks[0].y, panel.marks[-1].y) == (panel.bottom, panel.top)
    for mark in panel.marks:
        assert mark.high <= mark.y <= mark.low
    for line in (panel.predicted, panel.bound):
        assert [x for x, _ in line] == places
        assert all(panel.top <= y <= panel.bottom for _, y in line)


def test_the_axis_is_logarithmic_in_the_load(panel):
    first, second, _, fourth = (mark.x for mark in panel.marks)
    assert fourth - second == pytest.approx(second - first, abs=0.2)
    assert panel.axis == "N/d²"
    ticks = {float(tick.label): tick.at for tick in panel.x_ticks}
    assert len(ticks) >= 3
    # 64/4096 = 1/64 lies between its neighbours among the ticks.
    below = max(at for load, at in ticks.items() if load < 1 / 64)
    above = min(at for load, at in ticks.items() if load > 1 / 64)
    assert below < second < above


@pytest.mark.parametrize("stop", [64, 100, 1000, 10**6])
def test_ticks_do_not_touch(stop):
    wide = Curve("x", "N", False, 4096, "d²", (), (Guide(32, 0.0, None), Guide(stop, 1.0, None)))
    places = [tick.at for tick in panels([wide])[0].x_ticks]
    assert places
    assert all(b - a >= 38 for a, b in pairwise(places))


def test_one_number_of_facts_has_a_place():
    points, guides = (Point(5, 10, 3, 0.1, 0.6),), (Guide(5, 0.3, None),)
    single = Curve("x", "N", False, 10, "d²", points, guides)
    (mark,) = panels([single])[0].marks
    assert 40 < mark.x < 346


def test_the_words_say_where_a_half_is_reached(panel):
    assert panel.notes == (
        "Predicted to lose a fact every second time from N = 96 on.",
        "Proved to lose one less often than that up to N = 32, at least.",
    )


def test_the_words_say_where_nothing_is_proved():
    assert panels([curve(bounded=False)])[0].notes[-1] == "No bound is proved."
    assert panels([curve(bounded=False)])[0].bound == ()
    idle = curve()
    idle = replace(idle, guides=tuple(replace(guide, bound=1.0) for guide in idle.guides))
    assert panels([idle])[0].notes[-1] == "The proved bound says nothing of these sizes."


def test_the_table_says_what_the_picture_shows(panel):
    row = panel.rows[1]
    assert (row.n, row.load, row.lost) == ("64", "0.0156", "10 of 200")
    assert (row.interval, row.predicted, row.bound) == ("0.000 to 0.150", "0.040", "0.600")
    assert panels([curve(bounded=False)])[0].rows[0].bound == "none"


def test_a_bound_is_never_rounded_down():
    points, guides = (Point(5, 9, 1, 0.0, 0.5),), (Guide(5, 0.3, 0.0001),)
    tight = Curve("x", "N", False, 10, "d²", points, guides)
    assert panels([tight])[0].rows[0].bound == "0.001"


# -- as the construction grows ---------------------------------------------------------------------


def test_a_size_stands_on_the_axis_as_it_is():
    panel = panels([falling()])[0]
    assert (panel.size, panel.axis) == ("d", "d")
    ticks = {float(tick.label): tick.at for tick in panel.x_ticks}
    assert len(ticks) >= 3
    assert ticks[100] == panel.marks[0].x
    assert [row.n for row in panel.rows] == ["100", "225"]
    assert {row.load for row in panel.rows} == {""}


@pytest.mark.parametrize("start", [50, 64, 900])
def test_ticks_of_a_size_are_whole_numbers(start):
    guides = (Guide(start, 1.0, None), Guide(20 * start, 0.0, None))
    ticks = panels([Curve("x", "m", True, 1, "", (), guides)])[0].x_ticks
    assert all(re.fullmatch(r"[\d,]+", tick.label) for tick in ticks)


def test_the_words_say_from_where_on_facts_are_kept():
    assert panels([falling()])[0].notes == (
        "Predicted to lose a fact less than every second time from d = 225 on.",
        "Proved to lose one less often than that at d = 225 already.",
    )
    assert panels([falling(size="m", bounded=False)])[0].notes == (
        "Predicted to lose a fact less than every second time from m = 225 on.",
        "The proved bound says nothing of these sizes.",
    )


def test_what_never_crosses_a_half_is_not_said_to():
    kept = falling()
    kept = replace(kept, guides=tuple(replace(g, predicted=0.9) for g in kept.guides))
    assert len(panels([kept])[0].notes) == 1


# -- on the page -----------------------------------------------------------------------------------


def section(text):
    return text.partition('<section id="fits"')[2].partition("</section>")[0]


class Ids(HTMLParser):
    """Ids, and the names that refer to them."""

    def __init__(self):
        super().__init__()
        self.ids, self.labels = [], []

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        if "id" in found:
            self.ids.append(found["id"])
        self.labels += found.get("aria-labelledby", "").split()


def test_the_page_shows_each_with_a_title_a_description_and_a_table(run, registry):
    pictures = Pictures([curve(), curve(bounded=False)])
    shown = section(page(run, registry, command="verify", pictures=pictures))
    assert shown.count("<svg") == shown.count('role="img"') == shown.count("<title") == 2
    assert shown.count("<desc") == shown.count("<table") == 2
    assert shown.count('class="bound"') == 1
    assert "Predicted to lose a fact" in shown
    assert "at most 0.001" in shown
    ids = Ids()
    ids.feed(shown)
    assert len(set(ids.ids)) == len(ids.ids)
    assert set(ids.labels) <= {*ids.ids, "fits-heading"}


def test_memories_and_constructions_stand_apart(run, registry):
    pictures = Pictures([curve(), falling()])
    shown = section(page(run, registry, command="verify", pictures=pictures))
    memories, _, constructions = shown.partition("Transformers for a table of facts")
    assert memories.count("<svg") == constructions.count("<svg") == 1
    assert "N = M</th>" in memories
    assert "N/d²</th>" in memories
    assert ">d</th>" in constructions
    assert "N = M" not in constructions
    only = section(page(run, registry, command="verify", pictures=Pictures([curve()])))
    assert "Transformers for a table of facts" not in only
    ids = Ids()
    ids.feed(shown)
    assert len(set(ids.ids)) == len(ids.ids)


def test_pictures_take_their_colours_from_the_style(run, registry):
    shown = section(page(run, registry, command="verify", pictures=Pictures([curve(), falling()])))
    assert not re.search(r"(?:fill|stroke)=|#[0-9a-f]{3,6}\b", shown.replace('href="#', ""))


def test_text_is_escaped(run, registry):
    pictures = Pictures([curve(text="<script>x</script>")])
    shown = section(page(run, registry, command="v", pictures=pictures))
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown


def test_without_curves_the_page_says_how_to_have_some(run, registry):
    text = page(run, registry, command="verify")
    assert "verify run --profile standard --html DIR" in section(text)
    assert 'href="#fits"' not in text  # the navigation leads to pictures, not to this
    assert "<svg" not in section(text)
