"""Where the parts of a panel stand, in the units of its viewBox, so that no two labels touch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeAlias

from verify.drawing.palette import Role
from verify.drawing.picture import Axis, Level, Mark, Moment, Panel, Stage
from verify.drawing.scale import Span, Tick, padded, placing, round_ticks

Place: TypeAlias = Callable[[float], float]

#: The width of a letter, and of a bold one; the height of a line of labels, and of a row of them.
LETTER, BOLD, LINE, ROW = 6.6, 8.0, 13.0, 15.0
#: What stands between labels on the axis to the right, and how far apart they are on the other.
_BETWEEN, _APART = 14.0, 20.0
#: The room above a plane, right of it, below it, and at most left of it.
_ABOVE, _RIGHT, _BELOW, _LEFT = 22.0, 14.0, 42.0, 90.0
#: A value behind a break of the axis stands so far inside the plane; so far from its end is the gap.
_INSET, _BREAK, _GAP = 10.0, 22.0, 6.0
#: From a key of the legend to its name, and from that to the next key.
NAMED, _NEXT = 34.0, 16.0


@dataclass(frozen=True)
class Label:
    """A text and where it stands: its middle, its start beside something, its end below an axis."""

    x: float
    y: float
    text: str


@dataclass(frozen=True)
class Key:
    """A mark of the legend, from *x* on at the height *y*."""

    x: float
    y: float
    mark: Mark


@dataclass(frozen=True)
class Layout:
    """The edges of the plane, which *inner* has without what lies behind the *gap* of a broken axis; the
    places of values; ticks, at their places; and what has a label, with it."""

    left: float
    right: float
    top: float
    bottom: float
    inner: Span
    gap: Span | None
    x: Place
    y: Place
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    levels: tuple[tuple[Level, Label], ...]
    moments: tuple[tuple[Moment, Label], ...]
    stages: tuple[tuple[Stage, Label], ...]
    keys: tuple[Key, ...]
    name: Label
    height: float


def layout(panel: Panel) -> Layout:
    """Where everything stands."""
    top = _ABOVE + ROW * (len(panel.moments) + bool(panel.stages))
    bottom = top + panel.tall
    inner, gap = _broken(panel.y, top, bottom)
    y, y_ticks = _upright(panel, inner, (top, bottom))
    left = min(
        _LEFT, 14 + LETTER * max((len(t) for k in y_ticks for t in (k.label, k.more)), default=0)
    )
    right = panel.wide - _RIGHT - max((8 + width(level) for level in panel.levels), default=0.0)
    x, x_ticks = _across(panel, (left, right))
    heights = spread([y(level.value) for level in panel.levels], top, bottom)
    below = bottom + 36 + ROW * any(tick.more for tick in x_ticks)
    keys = tuple(_legend(panel, left, below + 19))
    return Layout(
        left=left,
        right=right,
        top=top,
        bottom=bottom,
        inner=inner,
        gap=gap,
        x=x,
        y=y,
        x_ticks=x_ticks,
        y_ticks=y_ticks,
        levels=tuple(
            (level, Label(right + 8, height, level.text))
            for level, height in zip(panel.levels, heights, strict=True)
        ),
        moments=tuple(
            (moment, inside(panel, x(moment.value), top - 6 - ROW * row, moment.label))
            for row, moment in enumerate(panel.moments, start=bool(panel.stages))
        ),
        stages=tuple(
            (s, inside(panel, (x(s.start) + x(s.stop)) / 2, top - 6, s.name)) for s in panel.stages
        ),
        keys=keys,
        name=Label(
            max(right, min(LETTER * len(panel.x.name) + 4, panel.wide - 2)), below, panel.x.name
        ),
        height=keys[-1].y + 12 if keys else below + 6,
    )


def width(level: Level) -> float:
    """The width of the text beside a level."""
    bold = level.role in (Role.PRINTED, Role.REFUTED)
    return (BOLD if bold else LETTER) * len(level.text)


def inside(panel: Panel, x: float, y: float, text: str) -> Label:
    """A label whose middle is as near to *x* as keeps all of it inside the panel."""
    half = LETTER / 2 * len(text)
    return Label(round(min(max(x, half + 2), panel.wide - half - 2), 1), y, text)


# -- axes ----------------------------------------------------------------------------------------


def _broken(axis: Axis, top: float, bottom: float) -> tuple[Span, Span | None]:
    """The plane without what lies behind a break, and the break."""
    if axis.behind is None or axis.span is None:
        return (top, bottom), None
    if axis.behind > axis.span[1]:
        edge = top + _BREAK
        return (edge, bottom), (edge - _GAP, edge)
    edge = bottom - _BREAK
    return (top, edge), (edge, edge + _GAP)


def _upright(panel: Panel, inner: Span, whole: Span) -> tuple[Place, tuple[Tick, ...]]:
    """Places and ticks from the bottom to the top."""
    axis = panel.y
    span = axis.span or _reach(axis, _heights(panel), zero=True)
    near = placing(span, (inner[1], inner[0]), log=axis.log)

    def place(value: float) -> float:
        if axis.behind is not None and axis.behind > span[1] and value >= axis.behind:
            return whole[0] + _INSET
        if axis.behind is not None and axis.behind < span[0] and value <= axis.behind:
            return whole[1] - _INSET
        return near(value)

    def fit(found: Sequence[Tick]) -> bool:
        return all(abs(place(a.at) - place(b.at)) >= _APART for a, b in pairwise(found))

    return place, _ticks(axis, span, place, fit)


def _across(panel: Panel, ends: Span) -> tuple[Place, tuple[Tick, ...]]:
    """Places and ticks from the left to the right."""
    span = panel.x.span or _reach(panel.x, _places(panel), zero=False)
    place = placing(span, ends, log=panel.x.log)

    def fit(found: Sequence[Tick]) -> bool:
        return not any(
            _touch(place(a.at), a.label, place(b.at), b.label) for a, b in pairwise(found)
        )

    found, last = [], None
    for tick in _ticks(panel.x, span, place, fit):
        if last and tick.more and _touch(last.at, last.more, tick.at, tick.more):
            tick = replace(tick, more="")
        last = tick if tick.more else last
        found.append(tick)
    return place, tuple(found)


def _touch(a: float, label: str, b: float, other: str) -> bool:
    """Whether two labels with these middles touch."""
    return abs(b - a) < LETTER / 2 * (len(label) + len(other)) + _BETWEEN


def _ticks(
    axis: Axis, span: Span, place: Place, fit: Callable[[Sequence[Tick]], bool]
) -> tuple[Tick, ...]:
    found = axis.ticks
    if found is None:
        found = round_ticks(span, fit, log=axis.log, write=axis.write)
    return tuple(replace(tick, at=place(tick.at)) for tick in found)


def _reach(axis: Axis, values: Iterable[float], *, zero: bool) -> Span:
    """As far as the values reach, with a margin."""
    found = list(values)
    if zero and not axis.log and min(found) >= 0:
        found.append(0.0)  # a height is read as a part of the whole
    return padded(min(found), max(found), axis.room, log=axis.log)


def _heights(panel: Panel) -> Iterator[float]:
    for line in (*panel.lines, *panel.dots):
        yield from line.y
    for dots in panel.dots:
        yield from (*dots.low, *dots.high)
    for band in panel.bands:
        yield from (*band.low, *band.high)
    yield from (level.value for level in panel.levels)


def _places(panel: Panel) -> Iterator[float]:
    marks: tuple[Mark, ...] = (*panel.lines, *panel.dots, *panel.bands)
    yield from (x for mark in marks for x in mark.x)
    yield from (moment.value for moment in panel.moments)


# -- labels --------------------------------------------------------------------------------------


def _legend(panel: Panel, left: float, y: float) -> Iterator[Key]:
    """All marks that have a name, in as few rows as keep them inside the panel."""
    every: tuple[Mark, ...] = (*panel.lines, *panel.dots, *panel.bands)
    named = [mark for mark in every if mark.name]
    widths = [NAMED + LETTER * len(mark.name) for mark in named]
    start = min(left, max(panel.wide - max(widths, default=0.0) - 2, 2.0))
    x = start
    for mark, wide in zip(named, widths, strict=True):
        if x > start and x + wide > panel.wide - 2:
            x, y = start, y + ROW
        yield Key(round(x, 1), y, mark)
        x += wide + _NEXT


def spread(heights: Sequence[float], top: float, bottom: float) -> list[float]:
    """Heights for labels: in the order of *heights*, a line apart, and as near to them as can be."""
    order = sorted(range(len(heights)), key=lambda i: heights[i])
    # Runs of labels that touch, each as [sum of what their first label wants, number].
    runs: list[list[float]] = []
    for place, i in enumerate(order):
        runs.append([heights[i] - place * LINE, 1])
        while len(runs) > 1 and runs[-2][0] / runs[-2][1] > runs[-1][0] / runs[-1][1]:
            wish, count = runs.pop()
            runs[-1][0] += wish
            runs[-1][1] += count
    first = [run[0] / run[1] for run in runs for _ in range(int(run[1]))]
    most = bottom - (len(order) - 1) * LINE
    found = {
        i: round(min(max(first[place], top), most) + place * LINE, 1)
        for place, i in enumerate(order)
    }
    return [found[i] for i in range(len(heights))]
