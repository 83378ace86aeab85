"""What an experiment hands over: one value a replicate, with what is known of all values beforehand.

The kind decides which confidence interval is valid, so an observable names it where it is computed,
beside the definition that makes it true.
"""

from dataclasses import dataclass
from typing import TypeAlias

from torch import Tensor

__all__ = ["Bounded", "Event", "HeavyTailed", "Observable"]


@dataclass(frozen=True)
class Bounded:
    """Values (replicates,), one a draw, all of them surely in [low, high]."""

    values: Tensor
    low: float
    high: float


@dataclass(frozen=True)
class Event:
    """Whether something happened, (replicates,), one 0 or 1 (or boolean) a draw."""

    values: Tensor


@dataclass(frozen=True)
class HeavyTailed:
    """Values (replicates,), unbounded, with E (X - about)^2 <= second_moment.

    Whoever makes one vouches for the bound; the values can only contradict it.
    """

    values: Tensor
    about: float
    second_moment: float


Observable: TypeAlias = Bounded | Event | HeavyTailed
