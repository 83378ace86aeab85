"""Geometry of the failure curves, in the units of an SVG viewBox, and what they show in words.

The probability that some fact is lost goes up, the load or the size that grows to the right on a
logarithmic axis: intervals of what was measured, the prediction and the proved bound as lines. A table
says the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from verify.capacity.curves import Curve
from verify.drawing.axes import WIDTH, Span, Tick, logarithmic

_HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 210, 40.0, 346.0, 24.0, 164.0
_HALF = 0.5
#: Fewer ticks than that are too few; ticks nearer than that would touch.
_FEW, _APART = 3, 38.0


@dataclass(frozen=True)
class Mark:
    """A measured point: its place, and the ends of its interval."""

    x: float
    y: float
    low: float
    high: float


@dataclass(frozen=True)
class Row:
    """A measured size in words; *load* is empty where the axis shows the size itself."""

    n: str
    load: str
    lost: str
    interval: str
    predicted: str
    bound: str


@dataclass(frozen=True)
class Panel:
    """A curve as a picture, in words and as a table. *bound* is empty where nothing is proved.

    *size* is the name of what grows, *axis* what the axis shows: the size, or a load.
    """

    title: str
    size: str
    axis: str
    notes: tuple[str, ...]
    marks: tuple[Mark, ...]
    predicted: tuple[Span, ...]
    bound: tuple[Span, ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    rows: tuple[Row, ...]
    left: float = _LEFT
    right: float = _RIGHT
    top: float = _TOP
    bottom: float = _BOTTOM
    width: int = WIDTH
    height: int = _HEIGHT


def panels(curves: Sequence[Curve]) -> list[Panel]:
    """A panel for each curve."""
    return [_panel(curve) for curve in curves]


def _panel(curve: Curve) -> Panel:
    x, at = _axis(curve), {guide.n: guide for guide in curve.guides}
    return Panel(
        title=curve.text,
        size=curve.grows,
        axis=f"{curve.grows}/{curve.unit}" if curve.unit else curve.grows,
        notes=tuple(_notes(curve)),
        marks=tuple(
            Mark(x(p.n), _y(p.failures / p.draws), _y(p.low), _y(p.high)) for p in curve.points
        ),
        predicted=tuple((x(g.n), _y(g.predicted)) for g in curve.guides),
        bound=tuple((x(g.n), _y(g.bound)) for g in curve.guides if g.bound is not None),
        x_ticks=tuple(_ticks(curve, x)),
        y_ticks=tuple(Tick(_y(share), f"{share:g}") for share in (0.0, 0.25, 0.5, 0.75, 1.0)),
        rows=tuple(
            Row(
                f"{p.n:,}",
                f"{p.n / curve.scale:.3g}" if curve.unit else "",
                f"{p.failures} of {p.draws}",
                f"{p.low:.3f} to {p.high:.3f}",
                f"{at[p.n].predicted:.3f}",
                _proved(at[p.n].bound),
            )
            for p in curve.points
        ),
    )


def _proved(bound: float | None) -> str:
    """A bound, never rounded down."""
    return "none" if bound is None else f"{math.ceil(1000 * bound) / 1000:.3f}"


def _y(probability: float) -> float:
    return round(_BOTTOM - min(max(probability, 0.0), 1.0) * (_BOTTOM - _TOP), 1)


def _axis(curve: Curve) -> Callable[[float], float]:
    """Positions on the logarithmic axis; both ends have a little room."""
    least, most = curve.guides[0].n, curve.guides[-1].n
    room = (most / least) ** 0.04 if most > least else math.e
    return logarithmic((least / room, most * room), (_LEFT, _RIGHT))


def _ticks(curve: Curve, x: Callable[[float], float]) -> Iterator[Tick]:
    """Round loads or sizes; with more digits where few of the roundest lie on the axis."""
    coarse = list(_round(curve.scale, x, (1, 2, 5)))
    fine = _round(curve.scale, x, (1, 1.5, 2, 3, 4, 5, 7))
    last = -_APART
    for tick in fine if len(coarse) < _FEW else coarse:
        if tick.at - last >= _APART:
            last = tick.at
            yield tick


def _round(scale: int, x: Callable[[float], float], mantissas: Sequence[float]) -> Iterator[Tick]:
    """The loads with these mantissas that lie on the axis, in order."""
    for exponent in range(-12, 6):
        for mantissa in mantissas:
            load = mantissa * 10.0**exponent
            at = x(load * scale)
            if _LEFT <= at <= _RIGHT:
                yield Tick(at, f"{load:,g}")


# -- in words ------------------------------------------------------------------------------------


def _notes(curve: Curve) -> Iterator[str]:
    name, guides = curve.grows, curve.guides
    half = _crossing(curve)
    if half is not None and curve.falls:
        yield f"Predicted to lose a fact less than every second time from {name} = {half:,} on."
    elif half is not None:
        yield f"Predicted to lose a fact every second time from {name} = {half:,} on."
    proved = [guide.n for guide in guides if guide.bound is not None and guide.bound < _HALF]
    if all(guide.bound is None for guide in guides):
        yield "No bound is proved."
    elif not proved:
        yield "The proved bound says nothing of these sizes."
    elif curve.falls:
        yield f"Proved to lose one less often than that at {name} = {proved[0]:,} already."
    else:
        yield f"Proved to lose one less often than that up to {name} = {proved[-1]:,}, at least."


def _crossing(curve: Curve) -> int | None:
    """The first size whose prediction is on the other side of a half than the smaller ones'."""
    return next((g.n for g in curve.guides if (g.predicted >= _HALF) != curve.falls), None)
