"""What lines do beside levels and bounds, in words that say what the numbers do and no more."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.drawing.palette import Role
from verify.drawing.picture import Axis, Level, Line, Moment, Panel
from verify.report.plots.courses import course


def said(*lines, levels=(), moments=(), x_log=False, y_log=False):
    drawn = [Line(name, Role.FIRST, *zip(*points, strict=True)) for name, points in lines]
    return course(
        Panel(
            "a title",
            Axis("time t", "t", log=x_log),
            Axis("y", log=y_log),
            lines=drawn,
            levels=[Level(name, at) for name, at in levels],
            moments=[Moment(name, at) for name, at in moments],
        )
    )


def loss(*points):
    return "loss", list(points)


@pytest.mark.parametrize(
    ("points", "words"),
    [
        ([(0, 4), (10, 3)], "Loss stays above l = 2: at least 3."),
        ([(0, 0), (10, 1)], "Loss stays below l = 2: at most 1."),
        ([(0, 4), (10, 0)], "Loss falls below l = 2 by t = 5.1 and ends at 0."),
        ([(0, 0), (10, 4)], "Loss rises above l = 2 by t = 5.1 and ends at 4."),
        ([(0, 2), (10, 0)], "Loss never rises above l = 2 and ends at 0."),
        ([(0, 4), (10, 2)], "Loss never falls below l = 2 and ends at 2."),
        ([(0, 0), (5, 4), (10, 0)], "Loss crosses l = 2 2 times and ends at 0."),
        ([(0, 2), (10, 2)], "Loss stays at l = 2."),
    ],
)
def test_a_line_beside_a_level(points, words):
    assert said(loss(*points), levels=[("l", 2.0)]) == words


def test_a_line_that_goes_on_behind_the_last_moment_says_so():
    stays = loss((0, 4), (10, 3))
    marked = said(stays, levels=[("l", 2.0)], moments=[("T*", 5.0), ("half", 2.5)])
    assert marked == (
        "Loss stays above l = 2, also after t = 5: at least 3. Marked: t = 5 (T*); t = 2.5 (half)."
    )
    assert "also after" not in said(stays, levels=[("l", 2.0)], moments=[("T*", 10.0)])


def test_between_two_points_a_line_is_straight_on_the_axes_that_are_drawn():
    words = said(loss((1, 1e4), (1e4, 1)), levels=[("l", 100.0)], x_log=True, y_log=True)
    # At t = 100 it is on the level, at one part in a hundred of the height it is clearly below.
    assert words == f"Loss falls below l = 100 by t = {100 * 1e4**0.01:.3g} and ends at 1."


def test_lines_on_each_other_are_told_once():
    one, same, other = ([(0, y), (5, y / 2), (10, 0)] for y in (4, 4.001, 9))
    words = said(("a", one), ("b", same), ("c", other))
    assert words == "a and b coincide. a goes from 4 to 0. c goes from 9 to 0."


def test_a_line_on_a_part_of_another_does_not_coincide_with_it():
    assert "coincide" not in said(("a", [(0, 4), (10, 0)]), ("b", [(0, 4), (5, 2)]))


@pytest.mark.parametrize(
    ("bound", "words"),
    [
        ([(0, 5), (10, 5)], "Loss stays below the stated bound."),
        ([(0, 4), (10, 5)], "Loss stays below the stated bound."),
        ([(0, 1), (10, -1)], "Loss stays above the stated bound."),
        ([(0, 5), (10, -1)], "Loss crosses the stated bound."),
        ([(2, 5), (10, 5)], "Loss stays below the stated bound, as far as that is drawn."),
        ([(20, 5), (30, 5)], "Loss goes from 4 to 0."),
    ],
)
def test_a_line_beside_a_bound(bound, words):
    assert said(loss((0, 4), (10, 0)), ("stated bound", bound)) == words


def test_a_line_on_its_bound_coincides_with_it():
    line = [(0, 4), (10, 0)]
    words = said(("stated bound", line), ("z", line))
    assert words == "Stated bound and z coincide. z goes from 4 to 0."


def test_a_bound_of_a_case_is_compared_with_the_lines_of_that_case_alone():
    words = said(
        ("loss, a = 1", [(0, 1), (10, 1)]),
        ("loss, a = 2", [(0, 3), (10, 3)]),
        ("bound, a = 1", [(0, 2), (10, 2)]),
    )
    assert words == "Loss, a = 1 stays below the bound, a = 1. Loss, a = 2 goes from 3 to 3."


LINES = st.lists(
    st.tuples(
        st.sampled_from(["a", "b", "bound", "loss, x", "bound, x"]),
        st.lists(st.tuples(st.floats(1e-200, 1e200), st.floats(1e-200, 1e200)), min_size=2).map(
            sorted
        ),
    ),
    min_size=1,
    max_size=5,
)
NAMED = st.lists(st.tuples(st.text("xyz", min_size=1), st.floats(1e-200, 1e200)), max_size=3)


@given(LINES, NAMED, NAMED, st.booleans(), st.booleans())
def test_any_lines_have_words_without_nonsense(lines, levels, moments, x_log, y_log):
    words = said(*lines, levels=levels, moments=moments, x_log=x_log, y_log=y_log)
    assert "nan" not in words
    assert "inf" not in words
    for name, _ in lines:
        if "bound" not in name:
            assert name in words.lower()


@given(st.floats(-5, 5), st.floats(-5, 5), st.floats(-5, 5))
def test_what_is_said_of_a_level_is_so(first, last, level):
    words = said(loss((0, first), (1, last)), levels=[("l", level)])
    height = max(first, last, level) - min(first, last, level)
    slack = 0.01 * height
    if "stays above" in words:
        assert min(first, last) > level
    if "stays below" in words:
        assert max(first, last) < level
    if "falls below" in words and "never" not in words:
        assert first > level > last
    if "never rises" in words:
        assert max(first, last) <= level + slack
