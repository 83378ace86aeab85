"""Trajectories on the page of a claim: where lines lie, what the words say, and nonsense left out."""

import json
import re
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.checks.trajectory import trajectory
from verify.drawing.layout import Layout
from verify.report.page.html import page
from verify.report.plots.trajectories import flows
from verify.running.runner import RunResult
from verify.typeset.encoding import plain

FALLING = trajectory(
    "A flow",
    {"loss": ([0.1, 1.0, 10.0, 100.0], [2.0, 1.5, 0.5, 0.1]), "bound": ([0.1, 100.0], [2.0, 2.0])},
    x_scale="log",
    y="loss (nats)",
    levels={"log|A|": 2.079},
    moments={"T*": 10.0, "later": 50.0},
    note="Seen from $\\alpha$.",
)


def drawn(**changes):
    [shown] = flows({"trajectories": [{**FALLING, **changes}]})
    return shown


def placed(**changes):
    """The layout of what is drawn, and the points of its lines."""
    panel = drawn(**changes).panel
    its = Layout(panel)
    lines = [
        [(its.x(a), its.y(b)) for a, b in zip(line.x, line.y, strict=True)] for line in panel.lines
    ]
    return its, lines


def test_a_larger_value_stands_higher_and_a_later_one_to_the_right():
    _, (loss, bound) = placed()
    assert [x for x, _ in loss] == sorted(x for x, _ in loss)
    assert [y for _, y in loss] == sorted(y for _, y in loss)
    assert bound[0] == loss[0]


def test_a_logarithmic_axis_has_equal_steps_for_equal_factors():
    its, (loss, _) = placed()
    steps = [x for x, _ in loss]
    gaps = [b - a for a, b in pairwise(steps)]
    assert gaps == pytest.approx([gaps[0]] * 3, abs=0.2)
    assert [tick.label for tick in its.x_ticks] == ["0.1", "1", "10", "100"]


def test_moments_and_levels_stand_on_the_same_axes_as_the_lines():
    its, (loss, bound) = placed()
    panel = drawn().panel
    assert its.x(panel.moments[0].value) == loss[2][0]
    assert its.levels[0].text == "log|A| = 2.08"
    assert its.y(panel.levels[0].value) < bound[0][1]
    assert its.moments[0].y > its.moments[1].y, "labels of moments stand in rows of their own"


def test_a_line_may_jump_but_never_goes_back():
    lines = [{"name": "k", "points": [[0, 1], [1, 2], [1, 3], [0.5, 9], [2, 3]]}]
    _, [line] = placed(lines=lines, levels=[], moments=[], x_scale="linear")
    places = [x for x, _ in line]
    assert len(places) == 4
    assert places == sorted(places)
    assert places[1] == places[2]


def test_a_positive_height_is_drawn_from_zero_and_another_is_not():
    lines = [{"name": "k", "points": [[0, 5], [1, 5.5]]}]
    assert "0" in [t.label for t in placed(lines=lines, levels=[], x_scale="linear")[0].y_ticks]
    lines = [{"name": "k", "points": [[0, -5], [1, -5.5]]}]
    labels = [t.label for t in placed(lines=lines, levels=[], x_scale="linear")[0].y_ticks]
    assert labels
    assert "0" not in labels


@pytest.mark.parametrize(
    ("value", "label"),
    [(1e9, "10⁹"), (2.5e-7, "2.5·10⁻⁷"), (-3e12, "\N{MINUS SIGN}3·10¹²"), (1131, "1130")],
)
def test_numbers_are_for_reading(value, label):
    assert drawn(levels=[{"name": "x", "at": value}]).panel.levels[0].text == f"x = {label}"


def test_a_level_without_room_for_its_value_keeps_its_name():
    [level] = drawn(levels=[{"name": "printed: log D", "at": 2.0794}]).panel.levels
    assert level.text == "printed: log D"


def test_the_words_say_what_lines_do_and_what_is_marked():
    words, note = drawn().notes
    assert "Loss stays below log|A| = 2.08, also after t = 50: at most 2; " in words
    assert "stays below the bound." in words
    assert "Marked: t = 10 (T*); t = 50 (later)." in words
    assert note == "Seen from \N{GREEK SMALL LETTER ALPHA}."


def test_more_lines_than_can_be_told_apart_are_named_but_not_drawn():
    lines = [{"name": f"line {n}", "points": [[1, n], [2, n]]} for n in range(7)]
    shown = drawn(lines=lines)
    assert [line.name for line in shown.panel.lines] == [f"line {n}" for n in range(5)]
    assert len({line.role for line in shown.panel.lines}) == 5
    assert shown.notes[1] == "Not drawn: line 5, line 6."


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("loss (nats)", "loss (nats, log)"),
        ("time t", "time t (log)"),
        ("sum of p(r)", "sum of p(r) (log)"),
    ],
)
def test_an_axis_says_that_it_is_logarithmic(name, shown):
    assert drawn(y=name, y_scale="log").panel.y.name == shown
    assert drawn(y=name).panel.y.name == name
    assert drawn(x=name).panel.x.name == shown


NONSENSE = [
    None,
    "text",
    {"lines": 3},
    [7, None, {"lines": [{"points": "abc"}]}],
    [{"title": ["x"], "lines": [{"name": {}, "points": [[1, 2]]}]}],
    [{"lines": [{"name": "a", "points": [[1, "x"], [2], [float("nan"), 1], [1, float("inf")]]}]}],
    [{"x_scale": "log", "lines": [{"name": "a", "points": [[0, 1], [-1, 2], [0, 3]]}]}],
    [{"lines": [{"name": "a", "points": [[1e300, 1], [-1e300, 2]]}]}],
]


@pytest.mark.parametrize("found", NONSENSE, ids=range(len(NONSENSE)))
def test_what_makes_no_sense_is_left_out(found):
    assert flows({"trajectories": found}) == []


def with_detail(run, detail):
    first, *rest = run.results
    evidence = replace(first.evidence[0], detail=detail)
    return RunResult(run.settings, [replace(first, evidence=(evidence,)), *rest])


@pytest.mark.parametrize("found", NONSENSE, ids=range(len(NONSENSE)))
def test_nonsense_does_not_break_the_page(run, registry, found):
    text = page(with_detail(run, {"trajectories": found}), registry, command="verify")
    assert (
        'aria-label="'
        not in text.partition('id="detail"')[2].partition("</section>\n<section id")[0]
    )


VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 3), st.floats(), st.text(max_size=3), st.just("log")
)
MARKS = st.lists(st.fixed_dictionaries({}, optional={"name": st.text(), "at": VALUES}), max_size=6)
POINTS = st.lists(
    st.lists(st.one_of(VALUES, st.floats(0.1, 9)), min_size=1, max_size=3), max_size=9
)


@given(
    st.fixed_dictionaries(
        {"lines": st.lists(st.fixed_dictionaries({"points": POINTS}), max_size=3)},
        optional={
            "levels": MARKS,
            "moments": MARKS,
            "x_scale": VALUES,
            "y_scale": VALUES,
            "title": VALUES,
            "note": VALUES,
        },
    )
)
def test_whatever_is_recorded_is_drawn_inside_its_plane_or_left_out(record):
    for shown in flows({"trajectories": [record]}):
        its = Layout(shown.panel)
        assert its.left < its.right <= shown.panel.wide
        for line in shown.panel.lines:
            for x, y in zip(line.x, line.y, strict=True):
                assert its.left - 0.1 <= its.x(x) <= its.right + 0.1
                assert its.top - 0.1 <= its.y(y) <= its.bottom + 0.1


def test_the_page_shows_each_with_a_legend_and_names_its_axes(run, registry):
    text = page(with_detail(run, {"trajectories": [FALLING]}), registry, command="verify")
    named = r'<svg [^>]*aria-label="A flow: loss \(nats\) against time t \(log\)".*?</svg>'
    [picture] = re.findall(named, text, re.DOTALL)
    for words in (">loss (nats)<", ">time t (log)<", ">t = 10: T*<", ">log|A| = 2.08<", ">bound<"):
        assert words in picture
    assert "stays below log|A| = 2.08, also after t = 50: at most 2" in text


def test_names_never_become_markup(run, registry):
    attack = '"><script>alert(1)</script>'
    record = trajectory(
        attack,
        {attack: ([0, 1], [1, 2])},
        x=attack,
        y=attack,
        levels={attack: 1.0},
        moments={attack: 0.5},
        note=attack,
    )
    plain_page = page(run, registry, command="verify")
    text = page(with_detail(run, {"trajectories": [record]}), registry, command="verify")
    assert text.count("<script") == plain_page.count("<script")
    assert "&gt;alert(1)&lt;" in text


def test_a_stored_record_is_drawn_as_the_one_in_memory():
    stored = json.loads(json.dumps(plain({"trajectories": [FALLING]})))
    assert flows(stored) == [drawn()]
