"""A layered drawing of what rests on what: foundations on the left, results on the right.

Blocks stand in columns, and lines run from column to column. All lines that leave one block share one
track where they pass a column. The drawing depends on the order of the blocks and of the lines alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

_SWEEPS = 12
_TRACK = 6.0

#: A place in a column: a block, or the track of a block (its name, the column).
_Slot = tuple[str, int]
_BLOCK = -1


@dataclass(frozen=True)
class Drawing:
    """The corner (x, y) of each block, the size of the whole, and for each line the tracks it takes:
    (left end, right end, height) of each, from left to right."""

    corners: Mapping[str, tuple[float, float]]
    tracks: Mapping[tuple[str, str], tuple[tuple[float, float, float], ...]]
    width: float
    height: float


def draw(
    heights: Mapping[str, float],
    lines: Sequence[tuple[str, str]],
    *,
    wide: float,
    across: float,
    down: float,
) -> Drawing:
    """The drawing of blocks of these *heights* and one width, with gaps *across* and *down*.

    A line (a, b) says that b rests on a. Where blocks rest on each other in a circle the last of its
    lines runs backwards, by tracks as the others.
    """
    column = _columns(list(heights), lines)
    forward = [_rightward(line, column) for line in lines]
    last = {a: max((column[b] for c, b in forward if c == a), default=column[a]) for a in heights}
    slots: list[list[_Slot]] = [[] for _ in range(max(column.values(), default=-1) + 1)]
    for name in heights:
        slots[column[name]].append((name, _BLOCK))
        for passed in range(column[name] + 1, last[name]):
            slots[passed].append((name, passed))
    links = _links(column, last, forward)
    slots = _ordered(slots, links)
    tall = {
        slot: heights[slot[0]] if slot[1] == _BLOCK else _TRACK for row in slots for slot in row
    }
    middle = _placed(slots, links, tall, down)
    top = min((middle[slot] - tall[slot] / 2 for slot in middle), default=0.0)
    bottom = max((middle[slot] + tall[slot] / 2 for slot in middle), default=0.0)

    def left(at: int) -> float:
        return at * (wide + across)

    corners = {
        name: (left(column[name]), round(middle[name, _BLOCK] - heights[name] / 2 - top, 1))
        for name in heights
    }
    tracks = {
        line: tuple(
            (left(at), left(at) + wide, round(middle[a, at] - top, 1))
            for at in range(column[a] + 1, column[b])
        )
        for line, (a, b) in zip(lines, forward, strict=True)
    }
    return Drawing(corners, tracks, max(left(len(slots)) - across, 0.0), round(bottom - top, 1))


def _rightward(line: tuple[str, str], column: Mapping[str, int]) -> tuple[str, str]:
    """The ends of a line from left to right."""
    a, b = line
    return (a, b) if column[a] < column[b] else (b, a)


def _columns(names: Sequence[str], lines: Sequence[tuple[str, str]]) -> dict[str, int]:
    """The column of each block, as far left as what it rests on allows; what rests on nothing stands
    just before the first block that rests on it."""
    below: dict[str, list[str]] = {name: [] for name in names}
    for a, b in lines:
        if not _rests(below, a, b):
            below[b].append(a)
    column: dict[str, int] = {}

    def visit(name: str) -> int:
        if name not in column:
            column[name] = 1 + max(map(visit, below[name]), default=-1)
        return column[name]

    for name in names:
        visit(name)
    for name in names:
        above = [column[b] for a, b in lines if a == name and column[b] > column[name]]
        if column[name] == 0 and above:
            column[name] = min(above) - 1
    return column


def _rests(below: Mapping[str, Sequence[str]], a: str, b: str) -> bool:
    """Whether *a* rests on *b*, directly or through others, or is it."""
    pending, seen = [a], {a}
    while pending:
        new = set(below[pending.pop()]) - seen
        seen |= new
        pending += new
    return b in seen


def _links(
    column: Mapping[str, int], last: Mapping[str, int], lines: Iterable[tuple[str, str]]
) -> list[tuple[_Slot, _Slot]]:
    """Each stretch of a line from one column to the next, once."""

    def slot(name: str, at: int) -> _Slot:
        return (name, _BLOCK if at == column[name] else at)

    tracks = [
        (slot(a, at), slot(a, at + 1)) for a in column for at in range(column[a], last[a] - 1)
    ]
    ends = [(slot(a, column[b] - 1), slot(b, column[b])) for a, b in lines]
    return list(dict.fromkeys(tracks + ends))


def _neighbours(links: Iterable[tuple[_Slot, _Slot]], back: bool) -> dict[_Slot, list[_Slot]]:
    found: dict[_Slot, list[_Slot]] = {}
    for a, b in links:
        found.setdefault(b if back else a, []).append(a if back else b)
    return found


def _ordered(slots: list[list[_Slot]], links: Sequence[tuple[_Slot, _Slot]]) -> list[list[_Slot]]:
    """The columns in the order with the fewest crossings among those that sweeps of barycentres find."""
    best, fewest = slots, _crossings(slots, links)
    for sweep in range(_SWEEPS):
        back = sweep % 2 == 0
        near = _neighbours(links, back)
        slots = [list(row) for row in slots]
        indices = range(1, len(slots)) if back else range(len(slots) - 2, -1, -1)
        for i in indices:
            place = {slot: n for n, slot in enumerate(slots[i - 1 if back else i + 1])}
            mean = {
                slot: sum(place[other] for other in near[slot]) / len(near[slot])
                if slot in near
                else float(n)
                for n, slot in enumerate(slots[i])
            }
            slots[i].sort(key=mean.__getitem__)
        crossings = _crossings(slots, links)
        if crossings < fewest:
            best, fewest = slots, crossings
    return best


def _crossings(slots: Sequence[Sequence[_Slot]], links: Sequence[tuple[_Slot, _Slot]]) -> int:
    place = {slot: (i, n) for i, row in enumerate(slots) for n, slot in enumerate(row)}
    total = 0
    for i in range(len(slots)):
        ends = [(place[a][1], place[b][1]) for a, b in links if place[a][0] == i]
        total += sum((a - c) * (b - d) < 0 for n, (a, b) in enumerate(ends) for c, d in ends[:n])
    return total


def _placed(
    slots: Sequence[Sequence[_Slot]],
    links: Sequence[tuple[_Slot, _Slot]],
    tall: Mapping[_Slot, float],
    down: float,
) -> dict[_Slot, float]:
    """The height of the middle of each place: near its neighbours, in order, without overlap."""
    middle: dict[_Slot, float] = {}
    for row in slots:
        middle.update(_apart(row, dict.fromkeys(row, 0.0), tall, down))
    for sweep in range(_SWEEPS):
        back = sweep % 2 == 0
        near = _neighbours(links, back)
        for row in slots if back else slots[::-1]:
            wanted = {
                slot: sum(middle[o] for o in near[slot]) / len(near[slot])
                if slot in near
                else middle[slot]
                for slot in row
            }
            middle.update(_apart(row, wanted, tall, down))
    return middle


def _apart(
    row: Sequence[_Slot], wanted: Mapping[_Slot, float], tall: Mapping[_Slot, float], down: float
) -> dict[_Slot, float]:
    """The heights nearest to the *wanted* ones in the sense of squares that keep the order and the
    gaps: without the gaps an isotonic regression, by pooling what violates the order."""
    offsets: list[float] = []
    for i, slot in enumerate(row):
        gap = (tall[row[i - 1]] + tall[slot]) / 2 + down if i else 0.0
        offsets.append((offsets[-1] if i else 0.0) + gap)
    pools: list[tuple[float, int]] = []
    for slot, offset in zip(row, offsets, strict=True):
        mean, count = wanted[slot] - offset, 1
        while pools and pools[-1][0] > mean:
            other, others = pools.pop()
            mean = (mean * count + other * others) / (count + others)
            count += others
        pools.append((mean, count))
    levels = [mean for mean, count in pools for _ in range(count)]
    return {slot: level + offset for slot, level, offset in zip(row, levels, offsets, strict=True)}
