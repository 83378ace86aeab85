"""A case: one measured number at given sizes, what is claimed of it, and the wrong statements nearby."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from verify.measuring.measure import Experiment, Sizes, Statistic, View
from verify.measuring.quantities import in_words
from verify.statistics import Claimed


@dataclass(frozen=True)
class Neighbour:
    """A mutant and the value it has at a case's sizes."""

    name: str
    value: float


@dataclass(frozen=True)
class Case:
    """A measured number and what is claimed of it, which may itself be measured.

    *truth* is the value as the claim (not a mutant) states it, *gap* the distance from it to the
    nearest mutant that this case has to exclude, *neighbours* are all mutants there, nearest first.
    A *control* must be met: an instrument that never speaks measures nothing, so it is an error if
    it is not. *parts*: statistics that share the case's error.
    """

    symbol: str
    sizes: Sizes
    statistic: Statistic
    claim: Claimed | Callable[[View], Claimed]
    truth: float = 0.0
    gap: float | None = None
    neighbours: tuple[Neighbour, ...] = ()
    control: bool = False
    parts: int = 1

    @classmethod
    def of(
        cls,
        symbol: str,
        experiment: Experiment,
        observable: str,
        sizes: Sizes,
        claim: Claimed | Callable[[View], Claimed],
        **more: Any,
    ) -> Case:
        """One observable of an experiment at given sizes; *more*: further fields."""
        return cls(symbol, sizes, Statistic.of(experiment, observable, sizes), claim, **more)

    def claimed(self, view: View) -> Claimed:
        """What is claimed, in view of what is measured so far."""
        return self.claim(view) if callable(self.claim) else self.claim

    def __str__(self) -> str:
        return f"{self.symbol} at {in_words(self.sizes)}"

    @property
    def decisive(self) -> str:
        """The mutant at the distance of the gap; empty if no mutant sets it."""
        if self.gap is None:
            return ""
        apart = {n.name: abs(abs(n.value - self.truth) - self.gap) for n in self.neighbours}
        return min(apart, key=apart.__getitem__, default="")


def nearest_first(printed: float, mutants: Mapping[str, float]) -> tuple[Neighbour, ...]:
    """Mutants by name and value, those nearest to *printed* first; equal ones are left out."""
    found = [Neighbour(name, value) for name, value in mutants.items() if value != printed]
    return tuple(sorted(found, key=lambda n: (abs(n.value - printed), n.name)))
