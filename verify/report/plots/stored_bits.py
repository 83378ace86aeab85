"""The bits stored against the bits used as panels, in words and as tables.

A panel for each dimension, both axes logarithmic: bits used to the right, stored up. No memory of all
maps lies above the line where they are equal.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial

from verify.capacity.stored_bits import Stored, StoredBits, percent, stored
from verify.drawing.palette import Role
from verify.drawing.picture import Axis, Band, Dots, Line, Panel, Shape
from verify.drawing.scale import Tick
from verify.report.plots.shown import Shown
from verify.report.plots.words import count

#: Room beside the outermost points, as a part of the axis; below and above them, as a factor.
_BESIDE, _BELOW, _ABOVE = 0.07, 2.2, 1.25

#: The kinds in words, as the page and its table call them, and how they are drawn.
_KINDS = {
    "trained": ("trained", Role.FIRST, Shape.DISC),
    "constructed": ("outer products", Role.THIRD, Shape.SQUARE),
}
_HEADER = ("W", "b", "Used", "N", "Stored", "Part", "Recalled by")


def stored_panels(found: StoredBits) -> list[Shown]:
    """A panel for each dimension with a point."""
    by_dimension = (
        [p for p in found.points if p.d == d and p.N > 1] for d in found.search.dimensions
    )
    return [_shown(found, points) for points in by_dimension if points]


def _shown(found: StoredBits, points: Sequence[Stored]) -> Shown:
    d, bits = points[0].d, found.search.bits
    kinds = [kind for kind in found.search.kinds if kind in {p.kind for p in points}]
    least, most = bits[0] * d**2, bits[-1] * d**2
    room = math.exp(_BESIDE * math.log(most / least) or 1.0)
    low, high = min(p.stored for p in points) / _BELOW, most * _ABOVE
    ends = (least / room, min(most * room, high))
    series = [(kind, [p for p in points if p.kind == kind]) for kind in kinds]
    panel = Panel(
        title=f"d = {d}, {d**2:,} weights",
        x=Axis(
            "bits a weight b, and bits used b d²",
            log=True,
            span=(least / room, most * room),
            ticks=[Tick(b * d**2, f"{b}", count(b * d**2, brief=True)) for b in bits],
        ),
        y=Axis(
            "bits stored, N log₂ N", log=True, span=(low, high), write=partial(count, brief=True)
        ),
        lines=(
            *(_line(kind, mine) for kind, mine in series),
            Line("all bits used", Role.PROVED, ends, ends),
        ),
        dots=tuple(_dots(kind, mine) for kind, mine in series),
        bands=(Band("more than all bits used", Role.EXCLUDED, ends, (), ends, (high, high)),),
        tall=190.0,
    )
    return Shown(
        panel,
        f"{panel.title}: bits stored against bits used, for trained and constructed memories",
        tuple(_notes(points, kinds)),
        _HEADER,
        [_row(found, p) for p in found.points if p.d == d],
    )


def _line(kind: str, points: Sequence[Stored]) -> Line:
    return Line("", _KINDS[kind][1], [p.used for p in points], [p.stored for p in points])


def _dots(kind: str, points: Sequence[Stored]) -> Dots:
    """The points, with how high each may be, and the part of the bound in percent."""
    stands = [p.stored for p in points]
    return Dots(
        *_KINDS[kind][:2],
        [p.used for p in points],
        stands,
        stands,
        [p.stored if p.beyond is None else stored(p.beyond) for p in points],
        _KINDS[kind][2],
        [percent(p.share).removesuffix("%") for p in points],
        below=kind == "constructed",
    )


def _row(found: StoredBits, p: Stored) -> list[str]:
    none = p.N == 1
    return [
        _KINDS[p.kind][0],
        f"{p.b}",
        f"{p.used:,}",
        "none" if none else f"{p.N:,}" + (f", not {p.beyond:,}" if p.beyond else " or more"),
        f"{p.stored:,.0f}",
        percent(p.share),
        "" if none else f"{p.recalled} of {found.search.draws}",
    ]


# -- in words ------------------------------------------------------------------------------------


def _notes(points: Sequence[Stored], kinds: Sequence[str]) -> Iterator[str]:
    for kind in kinds:
        mine = [p for p in points if p.kind == kind]
        most, best = max(mine, key=lambda p: p.stored), max(mine, key=lambda p: p.share)
        yield (
            f"{_KINDS[kind][0].capitalize()}: at most {most.stored:,.0f} bits, at b = {most.b}; "
            f"{percent(best.share)} of the bits used, at best, at b = {best.b}."
        )
