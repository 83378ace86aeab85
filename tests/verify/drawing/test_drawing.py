"""The grammar of drawing: roles that can be told apart, one palette, and nothing that touches."""

import doctest
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import verify
from verify.drawing import picture
from verify.drawing.layout import BOLD, LETTER, LINE, NAMED, Layout, spread
from verify.drawing.palette import DARK, LIGHT, LOOKS, Role, file_style
from verify.drawing.panel import panel_svg
from verify.drawing.picture import Axis, Dots, Level, Line, Moment, Panel, Picture, Shape, Stage
from verify.drawing.scale import placing, round_ticks
from verify.drawing.svg import picture_svg

ROOT = Path(verify.__file__).parent
SVG = "{http://www.w3.org/2000/svg}"
COLOUR = re.compile(r"#(?:[0-9a-fA-F]{8}|[0-9a-fA-F]{6}|[0-9a-fA-F]{3,4})\b|\brgba?\(|\bhsla?\(")


# -- the palette ---------------------------------------------------------------------------------


def contrast(one, other):
    """As the accessibility guidelines reckon it: 4.5 is what they want of text, 3 of lines."""

    def light(colour):
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        r, g, b = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts)
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("role", Role)
def test_every_role_stands_out_from_its_grounds(role, colours):
    for ground in ("paper", "soft", "stage"):
        wanted = 3 if ground == "stage" else 4.5
        assert contrast(colours[LOOKS[role].colour], colours[ground]) >= wanted


def test_a_faint_colour_would_be_noticed():
    assert contrast(LIGHT["line"], LIGHT["paper"]) < 3
    assert contrast("#ffffff", "#000000") == pytest.approx(21)


def test_every_role_has_dashes_of_its_own():
    assert set(LOOKS) == set(Role)
    assert len({look.dashes for look in LOOKS.values()}) == len(Role)


def test_both_schemes_have_the_same_colours():
    assert LIGHT.keys() == DARK.keys()
    for declared in (LIGHT, DARK):
        assert all(re.fullmatch(r"#[0-9a-f]{6}", value) for value in declared.values())
    assert "var(" not in file_style({}, dark=True)


def test_colours_are_written_in_the_palette_alone():
    files = [f for f in ROOT.rglob("*") if f.suffix in (".py", ".j2", ".css", ".svg", ".html")]
    assert len(files) > 200
    found = {f.relative_to(ROOT).as_posix() for f in files if COLOUR.search(f.read_text("utf-8"))}
    assert found == {"drawing/palette.py"}


# -- the face ------------------------------------------------------------------------------------


def test_the_example_is_a_picture():
    done = doctest.testmod(picture)
    assert done.attempted > 3
    assert not done.failed


def test_drawing_loads_nothing_that_draws_with_it():
    code = "import verify.drawing.png, verify.drawing.record, sys; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name for name in run.stdout.split() if name.startswith("verify.")}
    rooms = {name.split(".")[1] for name in loaded}
    assert "drawing" in rooms
    assert not rooms & {
        "report",
        "running",
        "capacity",
        "papers",
        "catalogue",
        "checks",
        "commands",
    }


# -- marks ---------------------------------------------------------------------------------------

PANEL = Panel(
    title="t",
    x=Axis("x"),
    y=Axis("y"),
    lines=(Line("a <line>", Role.FIRST, [0, 5, 10], [1, 2, 3]),),
    dots=(Dots("dots", Role.MEASURED, [2], [2], [1.5], [2.5], Shape.DISC, ["7%"]),),
    levels=(Level("level", 2.5),),
    moments=(Moment("a moment", 4),),
    stages=(Stage("a stage", 6, 8),),
)


def test_each_mark_is_drawn_in_its_role():
    root = ElementTree.fromstring(panel_svg(PANEL))
    roles = {g.get("class"): {e.get("class") for e in g} for g in root.iter("g")}
    assert roles["first"] == {"curve"}
    assert roles["measured"] >= {"disc"}
    assert roles["reference"] >= {"join"}
    texts = ["".join(e.itertext()) for e in root.iter("text")]
    for wanted in ("a <line>", "dots", "7%", "level = 2.5", "x = 4: a moment", "a stage", "x", "y"):
        assert wanted in texts


@pytest.mark.parametrize("shape", Shape)
def test_every_shape_can_be_drawn(shape):
    panel = Panel("t", Axis(), Axis(), dots=(Dots("d", Role.FIRST, [1], [1], [0], [2], shape),))
    parts = {e.get("class") for e in ElementTree.fromstring(panel_svg(panel)).iter()}
    assert {"stop" if shape is Shape.STOP else "bar"} <= parts
    if shape not in (Shape.STOP, Shape.BAR):
        assert shape in parts


def test_a_panel_takes_its_colours_from_the_style():
    assert not re.search(r"(?:fill|stroke)=|style=", panel_svg(PANEL))


def test_a_panel_is_named_or_not_read_aloud():
    assert 'role="img" aria-label="a &lt;b&gt;"' in panel_svg(PANEL, label="a <b>")
    assert 'aria-hidden="true"' in panel_svg(PANEL)


def test_panels_stand_side_by_side():
    one, two = (ElementTree.fromstring(picture_svg(Picture("t", (PANEL,) * n))) for n in (1, 2))
    assert float(two.get("width")) > 2 * float(one.get("width")) - 50
    right = [float(e.get("x")) for e in two.findall(f"{SVG}svg")]
    assert right[1] - right[0] > float(two.find(f"{SVG}svg").get("width"))


# -- places --------------------------------------------------------------------------------------

spans = st.tuples(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6)).map(lambda s: (s[0], s[0] + s[1]))


@given(spans, st.booleans())
def test_ticks_are_round_in_order_and_within(span, log):
    if log:
        span = (abs(span[0]) + 1e-3, abs(span[0]) + span[1] - span[0] + 2e-3)
    ticks = next(found for found in round_ticks(span, log=log) if len(found) < 7)
    assert ticks
    places = [tick.at for tick in ticks]
    assert places == sorted(set(places))
    slack = 1e-6 * max(map(abs, span))
    assert span[0] - slack <= places[0] <= places[-1] <= span[1] + slack
    assert len({tick.label for tick in ticks}) == len(ticks)


@given(st.lists(st.floats(0, 200), min_size=1, max_size=9))
def test_labels_of_levels_keep_apart_and_in_order(heights):
    found = spread(heights, 0, 200)
    assert all(b - a >= LINE - 0.11 for a, b in pairwise(sorted(found)))
    for (a, x), (b, y) in combinations(zip(heights, found, strict=True), 2):
        assert a == b or (a < b) == (x < y)


names = st.text("ab ", min_size=1, max_size=70)


@given(
    st.lists(names, min_size=1, max_size=6),
    st.lists(st.tuples(names, st.floats(1, 9), st.sampled_from(Role)), max_size=4),
    names,
    st.floats(1.2, 1e30),
    st.booleans(),
)
def test_no_text_touches_another_or_leaves_the_panel(legend, levels, name, stop, log):
    panel = Panel(
        "t",
        Axis(name, log=log),
        Axis("y", log=log, room=0.05),
        lines=[Line(each, Role.FIRST, [1, stop], [1, stop]) for each in legend],
        levels=[Level(each, at, role) for each, at, role in levels],
        moments=[Moment(each, at) for each, at, _ in levels],
    )
    its = Layout(panel)
    assert 0 < its.left < its.right <= panel.wide
    keys = [label for label, _ in its.keys]
    assert all(label.x + LETTER * len(label.text) <= panel.wide for label in keys)
    for label, level in zip(its.levels, panel.levels, strict=True):
        letter = BOLD if level.role in (Role.PRINTED, Role.REFUTED) else LETTER
        assert label.x + letter * len(label.text) <= panel.wide
    for label in its.moments:
        assert abs(label.x - panel.wide / 2) + LETTER / 2 * len(label.text) <= panel.wide / 2
    assert its.name.x - LETTER * len(its.name.text) >= 0
    for one, other in pairwise(keys):
        assert other.y > one.y or other.x - NAMED > one.x + LETTER * len(one.text)
    assert its.bottom < its.name.y < min(key.y for key in keys) <= keys[-1].y < its.height
    assert len({label.y for label in its.moments}) == len(its.moments)
    assert min(len(its.x_ticks), len(its.y_ticks)) > 1
    assert all(one.at - other.at >= LINE for one, other in pairwise(its.y_ticks))
    for one, other in pairwise(its.x_ticks):
        assert other.at - one.at >= LETTER * (len(one.label) + len(other.label)) / 2 + 10
    for line in panel.lines:
        assert all(its.left - 0.1 <= its.x(x) <= its.right + 0.1 for x in line.x)
        assert all(its.top - 0.1 <= its.y(y) <= its.bottom + 0.1 for y in line.y)


@pytest.mark.parametrize(
    ("span", "labels"),
    [
        ((0.0, 8000.0), ["0", "2,000", "4,000", "6,000", "8,000"]),
        ((0.0, 3.7), ["0", "1", "2", "3"]),
        ((0.0, 1.1), ["0.00", "0.25", "0.50", "0.75", "1.00"]),
    ],
)
def test_ticks_are_round(span, labels):
    assert [tick.label for tick in next(round_ticks(span, log=False))] == labels


@given(st.floats(1e-6, 1e6), st.floats(1.01, 1e6), st.floats(1e-12, 1e12), st.booleans())
def test_places_grow_with_values(start, factor, value, log):
    place = placing((start, start * factor), (0.0, 1000.0), log=log)
    assert (place(start), place(start * factor)) == (0.0, 1000.0)
    assert place(value) <= place(2 * value)
    assert abs(place(value)) <= 20_000
