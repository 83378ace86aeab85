"""Geometry of the bits stored against the bits used, in the units of an SVG viewBox, and in words.

A panel for each dimension, both axes logarithmic: bits used to the right, stored up. No memory of all
maps lies above the line where they are equal. A table says the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from verify.capacity.stored_bits import Stored, StoredBits, percent, stored
from verify.drawing.axes import WIDTH, Span, Tick, logarithmic

_HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 278, 46.0, 346.0, 24.0, 222.0
#: Room beside the outermost points, as a share of the axis; below and above them, as a factor.
_BESIDE, _BELOW, _ABOVE = 0.07, 2.2, 1.25
#: Room of a label above a mark, and below it.
_OVER, _UNDER = 6.0, 16.0
#: Numbers of bits used nearer than that would touch.
_APART = 34.0

#: The kinds in words, as the page and its table call them.
NAMES = {"trained": "trained", "constructed": "outer products"}


@dataclass(frozen=True)
class Mark:
    """A point: its place, how high it may be, and the part of the bound, in percent, with its height."""

    x: float
    y: float
    high: float
    share: str
    label: float


@dataclass(frozen=True)
class Series:
    """The points of one kind, from few bits a weight to many."""

    kind: str
    name: str
    marks: tuple[Mark, ...]


@dataclass(frozen=True)
class Row:
    """A point in words."""

    kind: str
    b: str
    used: str
    N: str
    stored: str
    share: str
    recalled: str


@dataclass(frozen=True)
class Panel:
    """One dimension as a picture, in words and as a table.

    *bound*: the line where stored = used, inside the plane; *beyond*: the corners of what lies above.
    *used*: second lines below the labels of the ticks, empty where there is no room.
    """

    title: str
    notes: tuple[str, ...]
    series: tuple[Series, ...]
    bound: tuple[Span, ...]
    beyond: tuple[Span, ...]
    x_ticks: tuple[Tick, ...]
    used: tuple[str, ...]
    y_ticks: tuple[Tick, ...]
    rows: tuple[Row, ...]
    left: float = _LEFT
    right: float = _RIGHT
    top: float = _TOP
    bottom: float = _BOTTOM
    width: int = WIDTH
    height: int = _HEIGHT


def stored_panels(found: StoredBits) -> list[Panel]:
    """A panel for each dimension with a point."""
    by_dimension = (
        [p for p in found.points if p.d == d and p.N > 1] for d in found.search.dimensions
    )
    return [_panel(found, points) for points in by_dimension if points]


def _panel(found: StoredBits, points: Sequence[Stored]) -> Panel:
    d, kinds = (
        points[0].d,
        [kind for kind in found.search.kinds if kind in {p.kind for p in points}],
    )
    least, most = found.search.bits[0] * d**2, found.search.bits[-1] * d**2
    room = _BESIDE * math.log(most / least) or 1.0
    x = logarithmic((least * math.exp(-room), most * math.exp(room)), (_LEFT, _RIGHT))
    low, high = min(p.stored for p in points) / _BELOW, most * _ABOVE
    y = logarithmic((low, high), (_BOTTOM, _TOP))
    ends = (least * math.exp(-room), min(most * math.exp(room), high))
    bound = tuple((x(bits), y(bits)) for bits in ends)
    ticks = tuple(Tick(x(b * d**2), f"{b}") for b in found.search.bits)
    return Panel(
        title=f"d = {d}, {d**2:,} weights",
        notes=tuple(_notes(points, kinds)),
        series=tuple(
            Series(
                kind,
                NAMES[kind],
                tuple(_mark(p, x, y, above=kind == "trained") for p in points if p.kind == kind),
            )
            for kind in kinds
        ),
        bound=bound,
        beyond=(*bound, (bound[-1][0], _TOP), (_LEFT, _TOP)),
        x_ticks=ticks,
        used=tuple(_spaced(ticks, [b * d**2 for b in found.search.bits])),
        y_ticks=tuple(
            Tick(y(10.0**power), _short(10**power))
            for power in range(math.ceil(math.log10(low)), math.floor(math.log10(high)) + 1)
        ),
        rows=tuple(_row(found, p) for p in found.points if p.d == d),
    )


def _mark(
    p: Stored, x: Callable[[float], float], y: Callable[[float], float], *, above: bool
) -> Mark:
    place, high = y(p.stored), y(p.stored if p.beyond is None else stored(p.beyond))
    label = high - _OVER if above else place + _UNDER
    return Mark(x(p.used), place, high, percent(p.share).removesuffix("%"), round(label, 1))


def _spaced(ticks: Sequence[Tick], used: Sequence[int]) -> Iterator[str]:
    last = -_APART
    for tick, bits in zip(ticks, used, strict=True):
        if tick.at - last >= _APART:
            last = tick.at
            yield _short(bits)
        else:
            yield ""


def _row(found: StoredBits, p: Stored) -> Row:
    none = p.N == 1
    return Row(
        NAMES[p.kind],
        f"{p.b}",
        f"{p.used:,}",
        "none" if none else f"{p.N:,}" + (f", not {p.beyond:,}" if p.beyond else " or more"),
        f"{p.stored:,.0f}",
        percent(p.share),
        "" if none else f"{p.recalled} of {found.search.draws}",
    )


def _short(bits: int) -> str:
    """A number of bits in a few letters."""
    if bits < 1000:
        return f"{bits}"
    return f"{bits / 1000:.1f}k" if bits < 10_000 and bits % 1000 else f"{bits / 1000:.0f}k"


# -- in words ------------------------------------------------------------------------------------


def _notes(points: Sequence[Stored], kinds: Sequence[str]) -> Iterator[str]:
    for kind in kinds:
        mine = [p for p in points if p.kind == kind]
        most, best = max(mine, key=lambda p: p.stored), max(mine, key=lambda p: p.share)
        yield (
            f"{NAMES[kind].capitalize()}: at most {most.stored:,.0f} bits, at b = {most.b}; "
            f"{percent(best.share)} of the bits used, at best, at b = {best.b}."
        )
