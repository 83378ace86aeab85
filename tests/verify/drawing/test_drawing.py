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
from verify.drawing import palette, picture
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


@given(st.lists(st.text("abc", min_size=1, max_size=45), min_size=1, max_size=6))
def test_keys_of_the_legend_do_not_touch_and_stay_inside(names):
    lines = [Line(name, Role.FIRST, [0, 1], [0, 1]) for name in names]
    panel = Panel("t", Axis("x"), Axis("y"), lines=lines)
    its = Layout(panel)
    labels = [label for label, _ in its.keys]
    assert [label.text for label in labels] == names
    ends = [label.x + LETTER * len(label.text) for label in labels]
    assert max(ends) <= panel.wide
    assert min(label.x - NAMED for label in labels) >= 0
    for (label, end), (other, _) in pairwise(zip(labels, ends, strict=True)):
        assert other.y > label.y or other.x - NAMED > end
    assert its.bottom < labels[0].y <= labels[-1].y < its.height


@pytest.mark.parametrize("role", [Role.PRINTED, Role.WRONG])
def test_the_text_beside_a_level_ends_inside(role):
    panel = Panel("t", Axis(span=(0, 1)), Axis(), levels=(Level("", 1, role, "m" * 14),))
    its = Layout(panel)
    letter = BOLD if role is Role.PRINTED else LETTER
    assert its.levels[0].x + letter * 14 <= panel.wide
    assert its.left < its.right


def test_the_name_of_an_axis_is_whole():
    name = "a name that is longer than the plane " * 1 + "by some"
    its = Layout(Panel("t", Axis(name, span=(0, 1)), Axis(), levels=(Level("m" * 14, 1),)))
    assert its.name.x - LETTER * len(name) >= 0


@given(st.floats(1e-6, 1e6), st.floats(1.01, 1e6), st.floats(1e-12, 1e12), st.booleans())
def test_places_grow_with_values(start, factor, value, log):
    place = placing((start, start * factor), (0.0, 1000.0), log=log)
    assert (place(start), place(start * factor)) == (0.0, 1000.0)
    assert place(value) <= place(2 * value)
    assert abs(place(value)) <= 20_000


def test_palette_and_grammar_are_the_same_roles():
    assert picture.Role is palette.Role
