"""Failure curves on the page: geometry, words, table, and what a reader of any kind is told."""

import re
from dataclasses import replace

import pytest

from verify.capacity.curves import Curve, Guide, Point
from verify.capacity.pictures import Pictures
from verify.drawing.layout import Layout
from verify.drawing.palette import Role
from verify.report.page.html import page
from verify.report.plots.curves import failure_curves


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
def shown():
    return failure_curves([curve()])[0]


def places(shown):
    """Where its measured points stand."""
    its, [dots] = Layout(shown.panel), shown.panel.dots
    return [(its.x(a), its.y(b)) for a, b in zip(dots.x, dots.y, strict=True)]


def ticks(curve):
    return Layout(failure_curves([curve])[0].panel).x_ticks


def test_what_is_likelier_stands_higher_and_more_facts_to_the_right(shown):
    its, [dots] = Layout(shown.panel), shown.panel.dots
    across, heights = map(list, zip(*places(shown), strict=True))
    assert heights == sorted(heights, reverse=True)
    assert across == sorted(across)
    assert (heights[0], heights[-1]) == (its.bottom, its.top)
    for low, value, high in zip(dots.low, dots.y, dots.high, strict=True):
        assert its.y(high) <= its.y(value) <= its.y(low)
    assert [line.role for line in shown.panel.lines] == [Role.PROVED, Role.PREDICTED]
    for line in shown.panel.lines:
        assert list(map(its.x, line.x)) == across
        assert all(its.top <= its.y(value) <= its.bottom for value in line.y)


def test_the_axis_is_logarithmic_in_the_load(shown):
    first, second, _, fourth = (x for x, _ in places(shown))
    assert fourth - second == pytest.approx(second - first, abs=0.2)
    assert shown.panel.x.name == "N/d² (log)"
    at = {float(tick.label): tick.at for tick in ticks(curve())}
    assert len(at) >= 3
    # 64/4096 = 1/64 lies between its neighbours among the ticks.
    below = max(at for load, at in at.items() if load < 1 / 64)
    above = min(at for load, at in at.items() if load > 1 / 64)
    assert below < second < above


def test_one_number_of_facts_has_a_place():
    points, guides = (Point(5, 10, 3, 0.1, 0.6),), (Guide(5, 0.3, None),)
    single = Curve("x", "N", False, 10, "d²", points, guides)
    ((x, _),) = places(failure_curves([single])[0])
    assert 40 < x < 346


def test_the_words_say_where_a_half_is_reached(shown):
    assert shown.notes == (
        "Predicted to lose a fact every second time from N = 96 on.",
        "Proved to lose one less often than that up to N = 32, at least.",
    )


def test_the_words_say_where_nothing_is_proved():
    assert failure_curves([curve(bounded=False)])[0].notes[-1] == "No bound is proved."
    [line] = failure_curves([curve(bounded=False)])[0].panel.lines
    assert line.role is Role.PREDICTED
    idle = curve()
    idle = replace(idle, guides=tuple(replace(guide, bound=1.0) for guide in idle.guides))
    assert failure_curves([idle])[0].notes[-1] == "The proved bound says nothing of these sizes."


def test_the_table_says_what_the_picture_shows(shown):
    assert shown.header == ["N = M", "N/d²", "Lost one", "Measured", "Predicted", "Bound"]
    assert shown.rows[1] == ["64", "0.0156", "10 of 200", "0.000 to 0.150", "0.040", "0.600"]
    assert failure_curves([curve(bounded=False)])[0].rows[0][-1] == "none"


def test_a_bound_is_never_rounded_down():
    points, guides = (Point(5, 9, 1, 0.0, 0.5),), (Guide(5, 0.3, 0.0001),)
    tight = Curve("x", "N", False, 10, "d²", points, guides)
    assert failure_curves([tight])[0].rows[0][-1] == "0.001"


# -- as the construction grows ---------------------------------------------------------------------


def test_a_size_stands_on_the_axis_as_it_is():
    shown = failure_curves([falling()])[0]
    assert (shown.header[0], shown.panel.x.name) == ("d", "d (log)")
    at = {float(tick.label): tick.at for tick in ticks(falling())}
    assert len(at) >= 3
    assert at[100] == places(shown)[0][0]
    assert [row[0] for row in shown.rows] == ["100", "225"]
    assert {len(row) for row in shown.rows} == {len(shown.header)} == {5}


@pytest.mark.parametrize("start", [50, 64, 900])
def test_ticks_of_a_size_are_whole_numbers(start):
    guides = (Guide(start, 1.0, None), Guide(20 * start, 0.0, None))
    found = ticks(Curve("x", "m", True, 1, "", (), guides))
    assert all(re.fullmatch(r"[\d,]+", tick.label) for tick in found)


def test_the_words_say_from_where_on_facts_are_kept():
    assert failure_curves([falling()])[0].notes == (
        "Predicted to lose a fact less than every second time from d = 225 on.",
        "Proved to lose one less often than that at d = 225 already.",
    )
    assert failure_curves([falling(size="m", bounded=False)])[0].notes == (
        "Predicted to lose a fact less than every second time from m = 225 on.",
        "The proved bound says nothing of these sizes.",
    )


def test_what_never_crosses_a_half_is_not_said_to():
    kept = falling()
    kept = replace(kept, guides=tuple(replace(g, predicted=0.9) for g in kept.guides))
    assert len(failure_curves([kept])[0].notes) == 1


# -- on the page -----------------------------------------------------------------------------------


def section(text):
    return text.partition('<section id="fits"')[2].partition("</section>")[0]


def test_the_page_shows_each_with_a_name_its_words_and_a_table(run, registry):
    pictures = Pictures([curve(), curve(bounded=False)])
    shown = section(page(run, registry, command="verify", pictures=pictures))
    assert shown.count("<svg") == shown.count("<table") == 2
    named = 'role="img" aria-label="linear memory, d = 64: the probability that some fact is lost'
    assert shown.count(named) == 2
    assert shown.count('<g class="proved"><polyline') == 1
    assert "Predicted to lose a fact" in shown
    assert "at most 0.001" in shown


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
