"""Where the parts of a panel stand, in the units of its viewBox, so that no two labels touch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from typing import NamedTuple, TypeAlias

from verify.drawing.palette import Role
from verify.drawing.picture import Axis, Level, Mark, Panel
from verify.drawing.scale import Span, Tick, padded, placing, round_ticks
from verify.typeset.words import shortened

Place: TypeAlias = Callable[[float], float]

#: The width of a letter, and of a bold one; the height of a line of labels, and of a row of them.
LETTER, BOLD, LINE, ROW = 6.6, 8.0, 13.0, 15.0
#: What stands between labels on the axis to the right, and how far apart they are on the other.
_BETWEEN, _APART = 14.0, 20.0
#: The room above a plane, right of it, from it to the name of its axis, and at most left of it.
_ABOVE, _RIGHT, _BELOW, _LEFT = 22.0, 14.0, 36.0, 90.0
#: A value behind a break of the axis stands so far inside the plane; so far from its end is the gap.
_INSET, _BREAK, _GAP = 10.0, 22.0, 6.0
#: From a key of the legend to its name, and from that to the next key.
NAMED, _NEXT = 34.0, 16.0


class Label(NamedTuple):
    """A text and where it stands: its middle, its start beside something, its end below an axis."""

    x: float
    y: float
    text: str


class Layout:
    """The edges of the plane, which *inner* has without what lies behind the *gap* of a broken axis.

    *x* and *y* place values. *x_ticks* and *y_ticks* are at their places; *levels*, *moments*, *stages*
    and the *name* of the axis to the right are the labels of those, in the panel's order; *keys* are the
    names of the legend with their marks. A text without enough room is cut.
    """

    def __init__(self, panel: Panel) -> None:
        self._panel = panel
        self.top = _ABOVE + ROW * (len(panel.moments) + bool(panel.stages))
        self.bottom = self.top + panel.tall
        self.inner, self.gap = _broken(panel.y, self.top, self.bottom)
        self.y, self.y_ticks = self._upright()
        texts = chain.from_iterable((tick.label, tick.more) for tick in self.y_ticks)
        self.left = min(_LEFT, 14 + LETTER * max(map(len, texts), default=0))
        self.right = panel.wide - _RIGHT - max(map(_beside, panel.levels), default=0.0)
        self.x, self.x_ticks = self._across()
        heights = spread([self.y(level.value) for level in panel.levels], self.top, self.bottom)
        self.levels = [
            Label(self.right + 8, height, level.text)
            for level, height in zip(panel.levels, heights, strict=True)
        ]
        self.moments = [
            self.inside(self.x(at.value), self.top - 6 - ROW * row, panel.x.moment(at))
            for row, at in enumerate(panel.moments, start=bool(panel.stages))
        ]
        self.stages = [
            self.inside((self.x(s.start) + self.x(s.stop)) / 2, self.top - 6, s.name)
            for s in panel.stages
        ]
        below = self.bottom + _BELOW + ROW * any(tick.more for tick in self.x_ticks)
        name = self._cut(panel.x.name)
        self.name = Label(max(self.right, LETTER * len(name) + 4), below, name)
        self.keys = list(self._legend(below + 23))
        self.height = self.keys[-1][0].y + 8 if self.keys else below + 6

    def inside(self, x: float, y: float, text: str) -> Label:
        """A label whose middle is as near to *x* as keeps all of it inside the panel."""
        text = self._cut(text)
        half = LETTER / 2 * len(text) + 2
        return Label(round(min(max(x, half), self._panel.wide - half), 1), y, text)

    def _cut(self, text: str, taken: float = 6.0) -> str:
        """As much of the text as has room where so much of the width is *taken*."""
        return shortened(text, int((self._panel.wide - taken) / LETTER))

    def _upright(self) -> tuple[Place, list[Tick]]:
        """Places and ticks from the bottom to the top."""
        panel, axis = self._panel, self._panel.y
        values = [v for mark in panel.marks for v in (*mark.y, *mark.low, *mark.high)]
        values += [level.value for level in panel.levels]
        if not axis.log and min(values, default=0.0) >= 0:
            values.append(0.0)  # a height is read as a part of the whole
        span = axis.span or _reach(axis, values)
        near = placing(span, (self.inner[1], self.inner[0]), log=axis.log)

        def place(value: float) -> float:
            if axis.behind is not None and value >= axis.behind > span[1]:
                return self.top + _INSET
            if axis.behind is not None and value <= axis.behind < span[0]:
                return self.bottom - _INSET
            return near(value)

        return place, _ticks(axis, span, place, lambda a, b: a.at - b.at >= _APART)

    def _across(self) -> tuple[Place, list[Tick]]:
        """Places and ticks from the left to the right."""
        panel, axis = self._panel, self._panel.x
        values = [x for mark in panel.marks for x in mark.x] + [m.value for m in panel.moments]
        span = axis.span or _reach(axis, values)
        place = placing(span, (self.left, self.right), log=axis.log)
        found = _ticks(axis, span, place, lambda a, b: _apart(a, b, len(a.label), len(b.label)))
        for i, tick in enumerate(found):
            before = next((other for other in found[:i][::-1] if other.more), None)
            if before and not _apart(before, tick, len(before.more), len(tick.more)):
                found[i] = replace(tick, more="")
        return place, found

    def _legend(self, y: float) -> Iterator[tuple[Label, Mark]]:
        """All marks that have a name, in as few rows as keep them inside the panel."""
        named = [(self._cut(m.name, NAMED + 6), m) for m in self._panel.marks if m.name]
        longest = LETTER * max((len(name) for name, _ in named), default=0)
        start = x = min(self.left, self._panel.wide - NAMED - longest - 2) + NAMED
        for name, mark in named:
            if x > start and x + LETTER * len(name) > self._panel.wide - 2:
                x, y = start, y + ROW
            yield Label(round(x, 1), y, name), mark
            x += LETTER * len(name) + _NEXT + NAMED


def _beside(level: Level) -> float:
    """The room that the text beside a level takes."""
    bold = level.role in (Role.PRINTED, Role.REFUTED)
    return 8 + (BOLD if bold else LETTER) * len(level.text)


def _broken(axis: Axis, top: float, bottom: float) -> tuple[Span, Span | None]:
    """The plane without what lies behind a break, and the break."""
    if axis.behind is None or axis.span is None:
        return (top, bottom), None
    if axis.behind > axis.span[1]:
        return (top + _BREAK, bottom), (top + _BREAK - _GAP, top + _BREAK)
    return (top, bottom - _BREAK), (bottom - _BREAK, bottom - _BREAK + _GAP)


def _reach(axis: Axis, values: Sequence[float]) -> Span:
    """As far as the values reach, with a margin."""
    return padded(min(values), max(values), axis.room, log=axis.log)


def _ticks(axis: Axis, span: Span, place: Place, apart: Callable[[Tick, Tick], bool]) -> list[Tick]:
    """The ticks of an axis at their places: its own, or round numbers that are *apart*."""

    def placed(found: Sequence[Tick]) -> list[Tick]:
        return [replace(tick, at=place(tick.at)) for tick in found]

    if axis.ticks is not None:
        return placed(axis.ticks)
    candidates = map(placed, round_ticks(span, log=axis.log, write=axis.write))
    return next(found for found in candidates if all(apart(a, b) for a, b in pairwise(found)))


def _apart(a: Tick, b: Tick, letters: int, others: int) -> bool:
    """Whether two texts of so many letters below ticks do not touch."""
    return b.at - a.at >= LETTER / 2 * (letters + others) + _BETWEEN


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
