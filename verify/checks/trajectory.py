"""Trajectories that a check records beside its verdict, for the eye: no verdict rests on them.

Plain numbers, so that they survive a file of results; ``verify.report.plots.trajectories`` draws them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from verify.claim import Evidence

#: The name under which a detail holds trajectories.
NAME = "trajectories"
#: Points of a line at most, digits of a number, and the part of the axis that a line may be off by.
_POINTS, _DIGITS, _FINE = 40, 4, 2e-3


def trajectory(
    title: str,
    lines: Mapping[str, tuple[Any, Any]],
    *,
    x: str = "time t",
    y: str,
    x_scale: str = "linear",
    y_scale: str = "linear",
    levels: Mapping[str, float] | None = None,
    moments: Mapping[str, float] | None = None,
    note: str = "",
) -> dict[str, Any]:
    """A record of *lines*, each of them x and y of shape (n,), in order of x, against the named axes.

    *levels* are values on y that the lines are compared with, *moments* places on x; a scale is "linear"
    or "log". What has no place on the axes (NaN, infinities, on a logarithm what is not positive) is
    left out, and so are points that the eye would not miss.
    """
    drawn = {
        name: _thinned(*line, x_log=x_scale == "log", y_log=y_scale == "log")
        for name, line in lines.items()
    }
    return {
        "title": title,
        "x": x,
        "x_scale": x_scale,
        "y": y,
        "y_scale": y_scale,
        "lines": [{"name": name, "points": points} for name, points in drawn.items() if points],
        "levels": _marked(levels or {}),
        "moments": _marked(moments or {}),
        "note": note,
    }


def with_trajectories(evidence: Evidence, found: Sequence[Mapping[str, Any]]) -> Evidence:
    """The evidence, with what was recorded on the way to it."""
    return replace(evidence, detail={**evidence.detail, NAME: list(found)}) if found else evidence


def _marked(values: Mapping[str, float]) -> list[dict[str, Any]]:
    return [{"name": name, "at": _rounded(at)} for name, at in values.items()]


def _rounded(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")


def _thinned(x: Any, y: Any, *, x_log: bool, y_log: bool) -> list[list[float]]:
    """The points that say most: both ends, and ever again the one that the line so far misses most."""
    import numpy as np

    places, values = np.broadcast_arrays(np.asarray(x, float), np.asarray(y, float))
    kept = np.isfinite(places) & np.isfinite(values)
    kept &= (places > 0) | (not x_log)
    kept &= (values > 0) | (not y_log)
    places, values = places[kept], values[kept]
    if not len(places):
        return []
    across, up = np.log(places) if x_log else places, np.log(values) if y_log else values
    chosen = sorted({0, len(places) - 1})
    while len(chosen) < min(_POINTS, len(places)):
        missed = np.abs(up - np.interp(across, across[chosen], up[chosen]))
        worst = int(missed.argmax())
        if missed[worst] <= _FINE * np.ptp(up):
            break
        chosen = sorted({*chosen, worst})
    return [[_rounded(float(places[i])), _rounded(float(values[i]))] for i in chosen]
