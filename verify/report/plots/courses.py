"""What the lines of a picture do, in words: how they stand to the levels and bounds beside them.

For a reader who does not see the picture, and for one who wants to know what to look at.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from verify.drawing.picture import Axis, Level, Line, Panel
from verify.drawing.scale import Span, figure

#: What is nearer than this part of the height of the lines is the same to the eye.
_SAME = 0.01
#: A word with which a sentence may begin in a capital; a sign of mathematics stays as it is.
_WORD = re.compile(r"[a-z]{3,}[ ,:-]")


@dataclass(frozen=True)
class _Line:
    """A line, its values, and its points as they are drawn."""

    name: str
    values: Sequence[float]
    drawn: Sequence[Span]

    @property
    def bound(self) -> bool:
        return "bound" in self.name

    def at(self, x: float) -> float:
        """Its height at a place that it reaches."""
        places = [a for a, _ in self.drawn]
        i = min(max(bisect_left(places, x), 1), len(places) - 1)
        (a, low), (b, high) = self.drawn[i - 1 : i + 1]
        return high if a >= b else low + (high - low) * min(max((x - a) / (b - a), 0.0), 1.0)


def course(panel: Panel) -> str:
    """What every line of a panel does that is no bound, and which moments are marked."""
    every = [_Line(line.name, line.y, list(_drawn(line, panel))) for line in panel.lines]
    slack = _SAME * _height(every, [_on(panel.y, level.value) for level in panel.levels])
    words: list[str] = []
    for group in _groups(every, slack):
        if group[1:]:
            words.append(f"{_listed([line.name for line in group])} coincide")
        line = next((line for line in group if not line.bound), None)
        if line is None:
            continue
        told = [_beside_level(line, level, panel, slack) for level in panel.levels]
        told += _beside_bounds(line, every, group, slack)
        ends = f"goes from {figure(line.values[0])} to {figure(line.values[-1])}"
        words.append(f"{line.name} {'; '.join(told) or ends}")
    if panel.moments:
        marks = [f"{panel.x.symbol} = {figure(at.value)} ({at.name})" for at in panel.moments]
        words.append(f"marked: {'; '.join(marks)}")
    return " ".join(map(_sentence, words))


def _on(axis: Axis, value: float) -> float:
    """A value as it is drawn."""
    return math.log(value) if axis.log else value


def _drawn(line: Line, panel: Panel) -> Iterator[Span]:
    for a, b in zip(line.x, line.y, strict=True):
        yield _on(panel.x, a), _on(panel.y, b)


def _height(lines: Sequence[_Line], levels: Sequence[float]) -> float:
    heights = [b for line in lines for _, b in line.drawn] + list(levels)
    return max(heights) - min(heights)


def _groups(lines: Sequence[_Line], slack: float) -> list[list[_Line]]:
    """The lines, those together that lie on each other."""
    groups: list[list[_Line]] = []
    for line in lines:
        same = (group for group in groups if _coincide(group[0], line, slack))
        found = next(same, None)
        if found is None:
            groups.append([line])
        else:
            found.append(line)
    return groups


def _coincide(one: _Line, other: _Line, slack: float) -> bool:
    gaps = list(_gaps(one, other))
    (a, _), (b, _) = one.drawn[0], one.drawn[-1]
    (c, _), (d, _) = other.drawn[0], other.drawn[-1]
    along = max(abs(a - c), abs(b - d)) <= _SAME * max(b - a, d - c)
    return along and bool(gaps) and all(abs(gap) <= slack for gap in gaps)


def _gaps(one: _Line, other: _Line) -> Iterator[float]:
    """How much higher *one* is than *other* where both have a point or one has a bend."""
    start = max(one.drawn[0][0], other.drawn[0][0])
    stop = min(one.drawn[-1][0], other.drawn[-1][0])
    places = {a for line in (one, other) for a, _ in line.drawn if start <= a <= stop}
    yield from (one.at(a) - other.at(a) for a in sorted(places))


# -- levels --------------------------------------------------------------------------------------


def _beside_level(line: _Line, level: Level, panel: Panel, slack: float) -> str:
    what, x = f"{level.name} = {figure(level.value)}", panel.x
    gaps = [b - _on(panel.y, level.value) for _, b in line.drawn]
    signs = [0 if abs(gap) <= slack else int(math.copysign(1, gap)) for gap in gaps]
    sides = [sign for sign in signs if sign]
    turns = sum(a != b for a, b in pairwise(sides))
    last = max((moment.value for moment in panel.moments), default=math.inf)
    behind = line.drawn[-1][0] > _on(x, last)
    also = f", also after {x.symbol} = {figure(last)}" if behind else ""
    ends = f"ends at {figure(line.values[-1])}"
    if not sides:
        return f"stays at {what}"
    up = sides[-1] > 0
    if turns > 1:
        return f"crosses {what} {turns} times and {ends}"
    if turns:
        place = _reached(line, gaps, signs.index(sides[-1]), slack)
        over = math.exp(place) if x.log else place
        verb = "rises above" if up else "falls below"
        return f"{verb} {what} by {x.symbol} = {figure(over)} and {ends}"
    if 0 in signs:
        return f"never {'falls below' if up else 'rises above'} {what} and {ends}"
    if up:
        return f"stays above {what}{also}: at least {figure(min(line.values))}"
    return f"stays below {what}{also}: at most {figure(max(line.values))}"


def _reached(line: _Line, gaps: Sequence[float], i: int, slack: float) -> float:
    """Where a line is clearly on the other side of a level: between its points *i* - 1 and *i*."""
    (a, _), (b, _) = line.drawn[i - 1 : i + 1]
    part = (math.copysign(slack, gaps[i]) - gaps[i - 1]) / (gaps[i] - gaps[i - 1])
    return a + part * (b - a)


# -- bounds --------------------------------------------------------------------------------------


def _beside_bounds(
    line: _Line, lines: Sequence[_Line], group: Sequence[_Line], slack: float
) -> list[str]:
    """How a line stands to the bounds that are for it."""
    bounds = [other for other in lines if other.bound and other not in group]
    return [
        words
        for bound in bounds
        if _meant(line, bound, lines) and (words := _to_bound(line, bound, slack))
    ]


def _meant(line: _Line, bound: _Line, lines: Sequence[_Line]) -> bool:
    """Whether a bound is for a line: one that says of which case it is is for the lines of that case."""
    _, _, case = bound.name.partition(", ")
    named = [other for other in lines if not other.bound and case and case in other.name]
    return line in named if named else True


def _to_bound(line: _Line, bound: _Line, slack: float) -> str:
    gaps = list(_gaps(line, bound))
    if not gaps:
        return ""
    part = bound.drawn[0][0] > line.drawn[0][0] or bound.drawn[-1][0] < line.drawn[-1][0]
    where = ", as far as that is drawn" if part else ""
    if max(gaps) <= slack:
        return f"stays below the {bound.name}{where}"
    if min(gaps) >= -slack:
        return f"stays above the {bound.name}{where}"
    return f"crosses the {bound.name}"


# -- sentences -----------------------------------------------------------------------------------


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _sentence(words: str) -> str:
    return f"{words[0].upper() if _WORD.match(words) else words[:1]}{words[1:]}."
