"""Geometry of interval plots: a measured case as a bar on an axis, in the units of an SVG viewBox.

The template draws what is computed here, and the caption says the same in words.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from verify.report.text import in_words

WIDTH, HEIGHT = 360, 62
_LEFT, _RIGHT = 14.0, 346.0


@dataclass(frozen=True)
class Tick:
    """A position on the axis and its number."""

    x: float
    label: str


@dataclass(frozen=True)
class IntervalPlot:
    """Where things are drawn; *band* is the tolerance around the printed value, if there is one."""

    low: float
    high: float
    printed: float | None
    band: tuple[float, float] | None
    ticks: tuple[Tick, ...]


@dataclass(frozen=True)
class Case:
    """A measured case in words, where the printed value lies, and the plot if there is one.

    *contradicts*: the printed value was to be met, and the interval excludes it. A bound has no
    tolerance and need not lie in the interval.
    """

    quantity: str
    at: str
    caption: str
    position: str
    contradicts: bool
    plot: IntervalPlot | None


def cases(detail: Mapping[str, Any]) -> list[Case]:
    """The measured cases of an evidence; empty if it has none."""
    found = detail.get("cases", ())
    return [_case(item) for item in found if isinstance(item, Mapping)]


def _case(item: Mapping[str, Any]) -> Case:
    quantity = in_words(item.get("quantity", "measured"))
    at = in_words(item.get("at", ""))
    interval = item.get("interval", ())
    ends = [_number(end) for end in interval] if isinstance(interval, (list, tuple)) else []
    low, high = ends if len(ends) == 2 else (None, None)
    printed, tolerance = _number(item.get("printed")), _number(item.get("tolerance"))
    words = [f"measured {_shown(low)} to {_shown(high)}"]
    if "replicates" in item:
        words.append(f"{item['replicates']} draws")
    stated = in_words(item.get("printed", "nothing")) if printed is None else _shown(printed)
    words.append(f"printed {stated}")
    if tolerance is not None:
        words.append(f"tolerance {_shown(tolerance, 3)}")
    caption = ", ".join(words)
    if low is None or high is None:
        return Case(quantity, at, caption, "", False, None)
    position = "" if printed is None else _position(low, high, printed)
    contradicts = tolerance is not None and position not in ("", "inside")
    plot = _plot(low, high, printed, tolerance)
    return Case(quantity, at, caption, position, contradicts, plot)


def _position(low: float, high: float, value: float) -> str:
    """Where a value lies with respect to an interval."""
    if low <= value <= high:
        return "inside"
    return "below the interval" if value < low else "above the interval"


def _plot(low: float, high: float, printed: float | None, tolerance: float | None) -> IntervalPlot:
    ends = [low, high]
    if printed is not None:
        reach = tolerance or 0.0
        ends += [printed - reach, printed + reach]
    start, stop = min(ends), max(ends)
    margin = 0.08 * (stop - start) or 0.1 * abs(start) or 1.0
    start, stop = start - margin, stop + margin

    def x(value: float) -> float:
        return round(_LEFT + (value - start) / (stop - start) * (_RIGHT - _LEFT), 1)

    band = None
    if printed is not None and tolerance is not None:
        band = (x(printed - tolerance), x(printed + tolerance))
    ticks = tuple(Tick(x(value), label) for value, label in _ticks(start, stop))
    return IntervalPlot(x(low), x(high), None if printed is None else x(printed), band, ticks)


def _ticks(start: float, stop: float) -> list[tuple[float, str]]:
    """Two to five round numbers in [start, stop]."""
    rough = (stop - start) / 5
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= rough)
    decimals = max(0, -math.floor(math.log10(step)) + (step / power == 2.5))
    first, last = math.ceil(start / step), math.floor(stop / step)
    large = max(abs(start), abs(stop)) >= 1e7 or decimals > 7
    return [
        (i * step, f"{i * step:.4g}" if large else f"{i * step:.{decimals}f}")
        for i in range(first, last + 1)
    ]


def _number(value: object) -> float | None:
    """A finite number, or None."""
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _shown(value: float | None, digits: int = 6) -> str:
    return "unknown" if value is None else f"{value:.{digits}g}"
