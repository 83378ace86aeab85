"""Failure curves: how likely it is that some fact is lost, as the number of facts grows.

Measured with exact intervals beside the proved bound and the prediction, for the page of a run. No
verdict rests on them, and their draws are those of no claim.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verify.capacity import Construction, construction
from verify.statistics import clopper_pearson

#: The error of each interval.
ERROR = 1e-3
#: Numbers of facts that are measured for each curve, and at which the lines are computed.
_POINTS, _GUIDES = 7, 24
#: A curve is drawn from where this probability is reached to where it is missing.
_EDGE = Fraction(1, 100)
#: Multiply-adds that take as long as what a draw needs besides.
_OVERHEAD = 1e6


@dataclass(frozen=True)
class Subject:
    """A memory, its sizes, and how often it is drawn for each number of facts."""

    memory: str
    sizes: Mapping[str, Any]
    draws: int = 200


SUBJECTS = (
    Subject("linear", {"d": 64}),
    Subject("linear", {"d": 128}, draws=100),
    *(Subject("low-rank", {"d": 64, "m": m}) for m in (16, 32, 64)),
    Subject("quantized", {"d": 64}),
    *(Subject("quantized", {"d": 64, "bits": bits}) for bits in (4, 1)),
    Subject("mlp", {"d": 32, "m": 256}, draws=100),
    Subject("mlp", {"d": 32, "m": 1024}, draws=60),
)


@dataclass(frozen=True)
class Point:
    """N = M facts: how many draws lost one, and the interval for the probability."""

    N: int
    draws: int
    failures: int
    low: float
    high: float


@dataclass(frozen=True)
class Guide:
    """N = M facts: the predicted probability, and the proved bound if there is one."""

    N: int
    predicted: float
    bound: float | None


@dataclass(frozen=True)
class Curve:
    """A memory in words, what N is compared with (a number and its name), and what was found.

    Points and guides are in the order of N; every point has a guide at its N.
    """

    text: str
    scale: int
    unit: str
    points: tuple[Point, ...]
    guides: tuple[Guide, ...]


def failure_curves(
    *,
    seed: int,
    workers: int,
    subjects: Sequence[Subject] = SUBJECTS,
    progress: Callable[[float], None] = lambda share: None,
) -> list[Curve]:
    """A curve for each of *subjects*, measured in so many processes (0: in this one).

    *progress* is called with the share that is done. An interrupt ends the processes at once.
    """
    built = [construction(subject.memory, subject.sizes) for subject in subjects]
    numbers = [_numbers(b) for b in built]
    draws = [
        _Draws(b, N, subject.draws, seed)
        for subject, b, (measured, _) in zip(subjects, built, numbers, strict=True)
        for N in measured
    ]
    points: list[tuple[_Draws, Point]] = []
    left = everything = sum(item.length for item in draws)
    with _started(draws, workers) as results:
        progress(0.0)
        guides = [tuple(_guides(b, all_)) for b, (_, all_) in zip(built, numbers, strict=True)]
        for place, point in results:
            points.append((draws[place], point))
            left -= draws[place].length
            progress(1 - left / everything)
    return [
        Curve(
            b.text,
            *b.load_unit,
            tuple(sorted((p for d, p in points if d.built is b), key=lambda p: p.N)),
            lines,
        )
        for b, lines in zip(built, guides, strict=True)
    ]


def _numbers(built: Construction) -> tuple[list[int], list[int]]:
    """The N that are measured, which the prediction chooses, and all N at which there are guides."""
    low = max(built.prediction.largest(delta=_EDGE), 1)
    high = built.prediction.largest(delta=1 - _EDGE) + 1
    start = min(low, built.provable(_EDGE, None) or low)
    measured = _spread(low, high, _POINTS)
    return measured, sorted({*measured, *_spread(start, high, _GUIDES)})


def _spread(low: int, high: int, count: int) -> list[int]:
    """At most *count* integers from *low* to *high*, by equal factors."""
    ratio = high / low
    return sorted({round(low * ratio ** (i / (count - 1))) for i in range(count)})


def _guides(built: Construction, numbers: Sequence[int]) -> Iterator[Guide]:
    bound: float | None = 0.0
    for N in numbers:
        if bound is not None and bound < 1:  # a bound that has reached 1 stays there
            exact = built.failure_bound(N, N)
            bound = None if exact is None else float(exact)
        yield Guide(N, float(built.prediction.failure(N)), bound)


# -- processes -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Draws:
    """What one point is measured from."""

    built: Construction
    N: int
    draws: int
    seed: int

    @property
    def length(self) -> float:
        return self.draws * (_OVERHEAD + self.built.products(self.N, self.N))

    def point(self) -> Point:
        name = f"failure curves: {self.built.text}, N = {self.N}"
        lost = self.built.failures(self.N, self.N, self.draws, seed=self.seed, name=name)
        count = int(lost.values.sum())
        interval = clopper_pearson(count, self.draws, ERROR)
        return Point(self.N, self.draws, count, interval.low, interval.high)


@contextmanager
def _started(draws: Sequence[_Draws], workers: int) -> Iterator[Iterator[tuple[int, Point]]]:
    """The points with their places, as they are found; what takes longest is begun first."""
    order = sorted(enumerate(draws), key=lambda item: -item[1].length)
    if workers == 0:
        yield map(_measured, order)
        return
    # Spawned, never forked; terminated when the block is left.
    with multiprocessing.get_context("spawn").Pool(workers, initializer=_begin) as pool:
        yield pool.imap_unordered(_measured, order)


def _begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interrupt means
    os.environ["OMP_NUM_THREADS"] = "1"  # before torch is first imported


def _measured(item: tuple[int, _Draws]) -> tuple[int, Point]:
    place, draws = item
    return place, draws.point()
