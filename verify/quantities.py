"""Shared quantities: what the claims speak of, each with its exact and its measured side.

A claim names quantities; the exact side derives each once, the measured side samples each once a run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

from proofs.derived import Derived
from verify.context import Context
from verify.measure import Experiment, interval_at
from verify.statistics import Interval

Sizes = Mapping[str, int]


@dataclass(frozen=True)
class Measured:
    """How a quantity is measured: observables of an experiment, and the interval they give."""

    experiment: Experiment
    observables: tuple[str, ...]
    combine: Callable[[tuple[Interval, ...]], Interval]
    sizes: tuple[Sizes, ...]

    def interval(self, context: Context, sizes: Sizes, error: float, look: int) -> Interval:
        """The interval for the quantity at *sizes*, wrong with probability at most *error*."""
        part = error / len(self.observables)
        return self.combine(
            tuple(
                interval_at(context, self.experiment, name, sizes, part, look)
                for name in self.observables
            )
        )


@dataclass(frozen=True)
class Quantity:
    """A function of the sizes: derived exactly, enumerated at tiny sizes, measured.

    ``domain`` gives the lower end of each size; ``enumerate`` is the second exact road, for the
    sizes in ``tiny``.
    """

    name: str
    symbol: str
    exact: Callable[[], Derived]
    domain: Mapping[str, int]
    enumerate: Callable[[Sizes], Fraction]
    tiny: tuple[Sizes, ...]
    measured: Measured

    @cached_property
    def derived(self) -> Derived:
        """The exact side, derived at the first request."""
        return self.exact()


#: Formulas by name, each with the quantities it is printed for.
Pairs: TypeAlias = Mapping[str, Sequence[Quantity]]
#: Quantities that printed formulas speak of by name.
Factors: TypeAlias = Mapping[str, Quantity]


def in_words(sizes: Mapping[str, object]) -> str:
    """Sizes for a sentence: d = 2, N = 3."""
    return ", ".join(f"{name} = {value}" for name, value in sizes.items())


def single(intervals: tuple[Interval, ...]) -> Interval:
    """The interval of one observable as it stands."""
    return intervals[0]


def variance_about_one(intervals: tuple[Interval, ...]) -> Interval:
    """Var X from intervals for E X and E (X - 1)^2: E (X - 1)^2 - (E X - 1)^2."""
    mean, centred = intervals
    offsets = (mean.low - 1, mean.high - 1)
    most = max(o * o for o in offsets)
    least = 0.0 if offsets[0] <= 0 <= offsets[1] else min(o * o for o in offsets)
    return Interval(
        centred.low - most,
        centred.high - least,
        centred.estimate - (mean.estimate - 1) ** 2,
        centred.replicates,
        mean.error + centred.error,
    )
