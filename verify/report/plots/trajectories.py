"""Geometry of the trajectories that checks have recorded, in the units of an SVG viewBox.

Lines over time against what is stated: levels across, moments upright. The legend is below the plane,
where it covers nothing, and a caption says in words what is seen. A record that makes no sense is left
out, whoever wrote it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verify.checks.trajectory import NAME
from verify.drawing.axes import LINE, WIDTH, Span, Tick, figure, padded, spread, ticks, typeset
from verify.records import number, rows, tables
from verify.report.plots.courses import Axes, course
from verify.typeset.plain_math import plain_math
from verify.typeset.unicode_math import unicode_text
from verify.typeset.words import in_words, shortened

_RIGHT, _TALL, _ROW, _LETTER = 346.0, 140.0, 15.0, 6.6
#: Lines that can be told apart, and as many marks of a kind as have room.
_DRAWN, _MARKED = 5, 4
#: Letters that fit in the legend, beside a level, and above the plane.
_NAMED, _BESIDE, _ABOVE = 50, 16, 54
#: Powers of ten on an axis at most, and above how many decades its ticks are such powers alone.
_POWERS, _DECADES = 6, 2.5
#: Ticks to the right that are nearer than that would touch.
_APART = 38.0
#: Numbers beyond are not drawn.
_LARGEST = 1e200
#: A unit at the end of a name.
_UNIT = re.compile(r" \([a-z]+\)$")

_Place = Callable[[float], float]


@dataclass(frozen=True)
class Line:
    """A line, its name in the legend, and the height of that."""

    name: str
    points: tuple[Span, ...]
    legend_y: float


@dataclass(frozen=True)
class Mark:
    """A level or a moment: where it is, and its label with a place of its own."""

    at: float
    label: str
    x: float
    y: float


@dataclass(frozen=True)
class Panel:
    """A picture of some lines with its axes, and in words."""

    title: str
    x: str
    y: str
    lines: tuple[Line, ...]
    levels: tuple[Mark, ...]
    moments: tuple[Mark, ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    notes: tuple[str, ...]
    left: float
    right: float
    top: float
    bottom: float
    height: float
    width: int = WIDTH


def panels(detail: Mapping[str, Any]) -> list[Panel]:
    """The trajectories of an evidence; empty if it has none."""
    found = map(_panel, tables(detail.get(NAME)))
    return [panel for panel in found if panel]


def _panel(item: Mapping[str, Any]) -> Panel | None:
    x_log, y_log = item.get("x_scale") == "log", item.get("y_scale") == "log"
    every = [
        (_text(row.get("name")), points)
        for row in tables(item.get("lines"))
        if len(points := _points(row.get("points"), x_log, y_log)) > 1
    ]
    lines, more = every[:_DRAWN], every[_DRAWN:]
    if not lines:
        return None
    moments = _marked(item.get("moments"), x_log)
    levels = _marked(item.get("levels"), y_log)
    labels = [_beside(name, at) for name, at in levels]
    across = [p[0] for _, points in lines for p in points] + [at for _, at in moments]
    up = [p[1] for _, points in lines for p in points] + [at for _, at in levels]
    if not y_log and min(up) >= 0:
        up.append(0.0)  # a height is read as a part of the whole
    right = _RIGHT - (8 + _LETTER * max(map(len, labels)) if labels else 0.0)
    x_name, y_name = (
        _scaled(shortened(_text(item.get(axis)), _ABOVE), log)
        for axis, log in (("x", x_log), ("y", y_log))
    )
    symbol = _text(item.get("x")).removeprefix("time ")
    above = [shortened(f"{symbol} = {figure(at)}: {name}", _ABOVE) for name, at in moments]
    top = 22.0 + _ROW * len(moments)
    bottom = top + _TALL
    y, y_ticks = _axis(up, bottom, top, y_log, room=0.05, apart=LINE)
    left = min(90.0, 14 + _LETTER * max((len(tick.label) for tick in y_ticks), default=0))
    x, x_ticks = _axis(across, left, right, x_log, room=0.0, apart=_APART)
    heights = spread([y(at) for _, at in levels], top, bottom)
    foot = bottom + 44
    return Panel(
        title=_text(item.get("title")),
        x=x_name,
        y=y_name,
        lines=tuple(
            Line(
                shortened(name, _NAMED),
                tuple((x(a), y(b)) for a, b in points),
                foot + _ROW * (n + 1),
            )
            for n, (name, points) in enumerate(lines)
        ),
        levels=tuple(
            Mark(y(at), label, right + 8, height)
            for (_, at), label, height in zip(levels, labels, heights, strict=True)
        ),
        moments=tuple(
            Mark(x(at), label, _inside(x(at), label), top - 6 - _ROW * row)
            for row, ((_, at), label) in enumerate(zip(moments, above, strict=True))
        ),
        x_ticks=x_ticks,
        y_ticks=y_ticks,
        notes=(
            course(lines, levels, moments, Axes(symbol, x_log, y_log)),
            *([f"Not drawn: {', '.join(name for name, _ in more)}."] if more else []),
            *([note] if (note := _text(item.get("note"))) else []),
        ),
        left=left,
        right=right,
        top=top,
        bottom=bottom,
        height=foot + _ROW * len(lines) + 10,
    )


# -- what a record says --------------------------------------------------------------------------


def _text(found: object) -> str:
    return plain_math(unicode_text(in_words(found))) if isinstance(found, str) else ""


def _points(found: object, x_log: bool, y_log: bool) -> list[Span]:
    """The points that have a place on the axes, as far as they go to the right."""
    points: list[Span] = []
    for row in rows(found):
        if len(pair := rows(row)) != 2:
            continue
        x, y = _on_axis(pair[0], x_log), _on_axis(pair[1], y_log)
        if x is not None and y is not None and (not points or x >= points[-1][0]):
            points.append((x, y))
    return points


def _on_axis(value: object, log: bool) -> float | None:
    found = number(value)
    if found is None or abs(found) > _LARGEST or (log and found < 1 / _LARGEST):
        return None
    return found


def _marked(found: object, log: bool) -> list[tuple[str, float]]:
    """The levels or moments that have a place on their axis."""
    marked = [(_text(row.get("name")), _on_axis(row.get("at"), log)) for row in tables(found)]
    return [(name, at) for name, at in marked if at is not None][:_MARKED]


# -- axes and labels -----------------------------------------------------------------------------


def _axis(
    values: Sequence[float], start: float, stop: float, log: bool, *, room: float, apart: float
) -> tuple[_Place, tuple[Tick, ...]]:
    """Places from *start* to *stop* for the values, with that part of *room* at the ends; and ticks that
    stand *apart*."""
    scale: _Place = math.log10 if log else float
    low, high = padded(min(map(scale, values)), max(map(scale, values)), room)

    def place(value: float) -> float:
        return round(start + (scale(value) - low) / (high - low) * (stop - start), 1)

    found: list[Tick] = []
    for value, label in _powers(low, high) if log else ticks(low, high):
        if not found or abs(place(value) - found[-1].at) >= apart:
            found.append(Tick(place(value), typeset(label)))
    return place, tuple(found)


def _powers(low: float, high: float) -> Iterator[tuple[float, str]]:
    """Round numbers from 10^low to 10^high: of powers of ten no more than fit."""
    if high - low < _DECADES:
        mantissas = (1, 2, 5) if high - low > 0.5 else (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8)
        every = [m * 10.0**n for n in range(math.floor(low), math.ceil(high)) for m in mantissas]
    else:
        first, last = math.ceil(low), math.floor(high)
        step = -(-(last - first + 1) // _POWERS)
        every = [10.0**n for n in range(first, last + 1) if n % step == 0]
    yield from ((value, f"{value:g}") for value in every if low <= math.log10(value) <= high)


def _scaled(name: str, log: bool) -> str:
    """The name of an axis, which says if it is logarithmic."""
    if not log:
        return name
    # Behind a unit, in its brackets.
    return f"{name[:-1]}, log)" if _UNIT.search(name) else f"{name} (log)"


def _beside(name: str, at: float) -> str:
    """The label of a level: its name is worth more than its value, which the axis shows too."""
    label = f"{name} = {figure(at)}"
    return label if len(label) <= _BESIDE else shortened(name, _BESIDE)


def _inside(x: float, label: str) -> float:
    """Where the middle of a label at *x* stands so that none of it is cut off."""
    half = _LETTER / 2 * len(label)
    return round(min(max(x, half + 2), WIDTH - half - 2), 1)
