"""The failure curves as panels, in words and as tables.

The probability that some fact is lost goes up, the load or the size that grows to the right on a
logarithmic axis: intervals of what was measured, the prediction and the proved bound as lines.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from verify.capacity.curves import Curve
from verify.drawing.palette import Role
from verify.drawing.picture import Axis, Dots, Line, Panel, Shape
from verify.report.plots.shown import Shown

_HALF = 0.5
#: Room beside the outermost points, as a part of the axis.
_BESIDE = 0.04


def failure_curves(curves: Sequence[Curve]) -> list[Shown]:
    """A panel for each curve."""
    return [_shown(curve) for curve in curves]


def _shown(curve: Curve) -> Shown:
    points, guides = curve.points, curve.guides
    load = f"{curve.grows}/{curve.unit}" if curve.unit else curve.grows
    bounds = [(g.n / curve.scale, g.bound) for g in guides if g.bound is not None]
    predicted = Line(
        "predicted",
        Role.PREDICTED,
        [g.n / curve.scale for g in guides],
        [_probability(g.predicted) for g in guides],
    )
    proved = Line(
        "bound",
        Role.PROVED,
        [at for at, _ in bounds],
        [_probability(bound) for _, bound in bounds],
    )
    measured = Dots(
        "measured",
        Role.MEASURED,
        [p.n / curve.scale for p in points],
        [p.failures / p.draws for p in points],
        [_probability(p.low) for p in points],
        [_probability(p.high) for p in points],
        Shape.DISC,
    )
    panel = Panel(
        title=curve.text,
        x=Axis(f"{load} (log)", log=True, room=_BESIDE),
        y=Axis("P(some fact is lost)", span=(0.0, 1.0)),
        lines=(proved, predicted) if bounds else (predicted,),
        dots=(measured,),
    )
    return Shown(
        panel,
        f"{curve.text}: the probability that some fact is lost against {load}",
        tuple(_notes(curve)),
        *_table(curve, load),
    )


def _table(curve: Curve, load: str) -> tuple[list[str], list[list[str]]]:
    at = {guide.n: guide for guide in curve.guides}
    size = "N = M" if curve.grows == "N" else curve.grows
    header = [size, *([load] if curve.unit else []), "Lost one", "Measured", "Predicted", "Bound"]
    rows = [
        [
            f"{p.n:,}",
            *([f"{p.n / curve.scale:.3g}"] if curve.unit else []),
            f"{p.failures} of {p.draws}",
            f"{p.low:.3f} to {p.high:.3f}",
            f"{at[p.n].predicted:.3f}",
            _proved(at[p.n].bound),
        ]
        for p in curve.points
    ]
    return header, rows


def _proved(bound: float | None) -> str:
    """A bound, never rounded down."""
    return "none" if bound is None else f"{math.ceil(1000 * bound) / 1000:.3f}"


def _probability(value: float) -> float:
    return min(max(value, 0.0), 1.0)


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
