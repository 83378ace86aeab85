"""The trajectories that checks have recorded as panels, with words.

Lines over time against what is stated: levels across, moments upright. A record that makes no sense is
left out, whoever wrote it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from verify.checks.trajectory import NAME
from verify.drawing.palette import SERIES
from verify.drawing.picture import Axis, Level, Line, Moment, Panel
from verify.drawing.scale import Span
from verify.records import number, rows, tables
from verify.report.plots.courses import course
from verify.report.plots.shown import Shown
from verify.typeset.plain_math import plain_math
from verify.typeset.unicode_math import unicode_text
from verify.typeset.words import in_words

#: As many marks of a kind as have room.
_MARKED = 4
#: Numbers beyond are not drawn.
_LARGEST = 1e200
#: A unit at the end of a name.
_UNIT = re.compile(r" \([a-z]+\)$")


def flows(detail: Mapping[str, Any]) -> list[Shown]:
    """The trajectories of an evidence; empty if it has none."""
    found = map(_shown, tables(detail.get(NAME)))
    return [shown for shown in found if shown]


def _shown(item: Mapping[str, Any]) -> Shown | None:
    x_log, y_log = item.get("x_scale") == "log", item.get("y_scale") == "log"
    every = [
        (_text(row.get("name")), points)
        for row in tables(item.get("lines"))
        if len(points := _points(row.get("points"), x_log, y_log)) > 1
    ]
    lines, more = every[: len(SERIES)], every[len(SERIES) :]
    if not lines:
        return None
    x, y = _text(item.get("x")), _text(item.get("y"))
    panel = Panel(
        title=_text(item.get("title")),
        x=Axis(_scaled(x, x_log), x.removeprefix("time "), log=x_log),
        y=Axis(_scaled(y, y_log), log=y_log, room=0.05),
        lines=[
            Line(name, role, [a for a, _ in points], [b for _, b in points])
            for role, (name, points) in zip(SERIES, lines, strict=False)
        ],
        levels=[Level(name, at) for name, at in _marked(item.get("levels"), y_log)],
        moments=[Moment(name, at) for name, at in _marked(item.get("moments"), x_log)],
    )
    notes = [course(panel)]
    if more:
        notes.append(f"Not drawn: {', '.join(name for name, _ in more)}.")
    if note := _text(item.get("note")):
        notes.append(note)
    return Shown(panel, f"{panel.title}: {panel.y.name} against {panel.x.name}", notes)


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


def _scaled(name: str, log: bool) -> str:
    """The name of an axis, which says if it is logarithmic."""
    if not log:
        return name
    # Behind a unit, in its brackets.
    return f"{name[:-1]}, log)" if _UNIT.search(name) else f"{name} (log)"
