"""The numbers of a measured case, as its record holds them: whatever cannot be drawn is left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from verify.drawing.scale import Span
from verify.records import number, rows
from verify.typeset.words import in_words

#: Numbers beyond are told, not drawn.
_LARGEST = 1e200
#: A bound is far if it is so many times the interval's width away from it.
_FAR = 6.0


@dataclass(frozen=True)
class Measured:
    """The numbers of a record that can be drawn. *side*: 1 for an upper bound, -1 for a lower.

    *stated*: the range of a printed value that speaks of measured factors, around its middle.
    """

    low: float
    high: float
    printed: float | None
    stated: Span | None
    tolerance: float | None
    side: int
    path: tuple[tuple[float, float, float], ...]
    mutants: tuple[tuple[str, float], ...]

    def excludes(self, value: float) -> bool:
        """Whether the last interval contradicts the statement that has *value*."""
        return (self.side >= 0 and self.low > value) or (self.side <= 0 and self.high < value)

    @property
    def contradicts(self) -> bool:
        known = self.side != 0 or self.tolerance is not None
        return known and self.nearest is not None and self.excludes(self.nearest)

    @property
    def clear(self) -> bool | None:
        """Whether the last interval lies wholly on the side of a bound that is allowed; None of what is
        no bound."""
        if not self.side or self.printed is None:
            return None
        return self.high <= self.printed if self.side > 0 else self.low >= self.printed

    @property
    def nearest(self) -> float | None:
        """The printed value; of a range the point nearest to the interval."""
        if self.stated is None or self.printed is None:
            return self.printed
        return min(max(self.stated[0], self.low), self.stated[1])

    @property
    def position(self) -> str:
        """Where the printed value lies with respect to the interval."""
        if self.nearest is None:
            return ""
        if self.low <= self.nearest <= self.high:
            return "inside the interval"
        return "below the interval" if self.nearest < self.low else "above the interval"

    @property
    def far(self) -> bool:
        """Whether a bound holds by so much that beside it the interval could not be seen."""
        if not self.side or self.printed is None or self.contradicts:
            return False
        gap = self.printed - self.high if self.side > 0 else self.low - self.printed
        return gap > _FAR * (self.high - self.low) > 0

    @property
    def claimed(self) -> list[float]:
        """The printed value with its tolerance, as far as they are known."""
        if self.printed is None:
            return []
        reach = self.tolerance or 0.0
        return [self.printed - reach, self.printed, self.printed + reach]


def measured(item: Mapping[str, Any]) -> Measured | None:
    """What a record measured; None without an interval, or where a number is too large to draw."""
    ends = [number(end) for end in rows(item.get("interval"))]
    low, high = ends if len(ends) == 2 else (None, None)
    if low is None or high is None or low > high:
        return None
    printed, tolerance = number(item.get("printed")), number(item.get("tolerance"))
    if max(map(abs, (low, high, printed or 0.0, tolerance or 0.0))) > _LARGEST:
        return None
    side = side_of(item)
    known = tolerance if tolerance is not None and tolerance >= 0 and not side else None
    path, mutants = tuple(_path(item.get("path"))), tuple(_mutants(item.get("mutants")))
    return Measured(low, high, printed, _range(item.get("stated")), known, side, path, mutants)


def side_of(item: Mapping[str, Any]) -> int:
    """Whether what is claimed of the measured number is an upper bound, a lower one or its value."""
    found = item.get("relation")
    return {"printed at most": 1, "at least": -1}.get(found, 0) if isinstance(found, str) else 0


def _range(found: object) -> Span | None:
    """Two ends in order."""
    ends = [number(end) for end in rows(found)]
    if len(ends) != 2 or ends[0] is None or ends[1] is None or ends[0] > ends[1]:
        return None
    return ends[0], ends[1]


def _path(found: object) -> Iterator[tuple[float, float, float]]:
    """The looks that are in order: the draws, and the ends of the interval."""
    before = 0.5
    for row in rows(found):
        numbers = [number(part) for part in rows(row)]
        if len(numbers) != 3 or None in numbers:
            continue
        draws, low, high = (found or 0.0 for found in numbers)
        if draws > before and low <= high:
            before = draws
            yield draws, low, high


def _mutants(found: object) -> Iterator[tuple[str, float]]:
    """The mutants that have a value."""
    for row in rows(found):
        parts = list(rows(row))
        value = number(parts[1]) if len(parts) == 2 else None
        if value is not None:
            yield in_words(parts[0]), value
