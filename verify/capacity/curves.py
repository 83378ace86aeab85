"""Failure curves: how likely it is that some fact is lost, as one size of a construction grows.

Measured with exact intervals beside the proved bound and the prediction, for the page of a run. No
verdict rests on them, and their draws are those of no claim.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from verify.capacity.subjects import Subject
from verify.running.pool import Plan
from verify.statistics import clopper_pearson

#: The error of each interval.
ERROR = 1e-3
#: Multiply-adds that take as long as what a draw needs besides, and as one size of the lines.
_OVERHEAD, _GUIDE = 1e6, 3e8


@dataclass(frozen=True)
class Point:
    """At the size n: how many draws lost a fact, and the interval for the probability."""

    n: int
    draws: int
    failures: int
    low: float
    high: float


@dataclass(frozen=True)
class Guide:
    """At the size n: the predicted probability, and the proved bound if there is one."""

    n: int
    predicted: float
    bound: float | None


@dataclass(frozen=True)
class Curve:
    """A construction in words, the size that grows, and what was found.

    *scale* and *unit* are what the size is compared with (a number and its name; 1 and no name for the
    size itself), *falls* whether failures get rarer as it grows. Points and guides are in its order;
    every point has a guide at its size.
    """

    text: str
    grows: str
    falls: bool
    scale: int
    unit: str
    points: tuple[Point, ...]
    guides: tuple[Guide, ...]


def plan(subject: Subject, seed: int, device: str = "cpu") -> Plan[Curve]:
    """How the curve of *subject* is measured, on *device*."""

    def joined(found: list[Any]) -> Curve:
        *points, guides = found
        text, grows, falls = subject.text, subject.grows, subject.falls
        return Curve(text, grows, falls, *subject.load_unit, tuple(points), guides)

    return Plan(
        [*(_Draws(subject, n, seed, device) for n in subject.measured), _Lines(subject)], joined
    )


@dataclass(frozen=True)
class _Draws:
    """What one point is measured from."""

    subject: Subject
    n: int
    seed: int
    device: str

    @property
    def length(self) -> float:
        return self.subject.draws * (_OVERHEAD + self.subject.products(self.n))

    def run(self) -> Point:
        name = f"failure curves: {self.subject.text}, {self.subject.grows} = {self.n}"
        lost = self.subject.failures(self.n, seed=self.seed, name=name, device=self.device)
        count, draws = int(lost.values.sum()), self.subject.draws
        interval = clopper_pearson(count, draws, ERROR)
        return Point(self.n, draws, count, interval.low, interval.high)


@dataclass(frozen=True)
class _Lines:
    """The guides of a curve."""

    subject: Subject

    @property
    def length(self) -> float:
        return _GUIDE * len(self.subject.lines)

    def run(self) -> tuple[Guide, ...]:
        return tuple(sorted(self._guides(), key=lambda guide: guide.n))

    def _guides(self) -> Iterator[Guide]:
        """From where failures are rarest on."""
        subject = self.subject
        bound: float | None = 0.0
        for n in reversed(subject.lines) if subject.falls else subject.lines:
            if bound is not None and bound < 1:  # a bound that has reached 1 stays there
                exact = subject.bound(n)
                bound = None if exact is None else float(exact)
            yield Guide(n, float(subject.predicted(n)), bound)
