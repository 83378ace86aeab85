"""What failure curves are drawn of: a construction, the size that grows along the axis, the draws."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from verify.capacity import Construction, construction
from verify.capacity.construction import sizes_in_words
from verify.capacity.fact_construction import FactConstruction
from verify.capacity.reading import CONSTRUCTIONS, FACT_MEMORIES, fact_construction

if TYPE_CHECKING:
    from numerics.observables import Event

#: Sizes that are measured for each curve, and at which the lines are computed.
_POINTS, _GUIDES = 7, 24
#: A curve of a memory is drawn from where this probability is reached to where it is missing.
_EDGE = Fraction(1, 100)


class Subject(ABC):
    """What one curve is of: the probability that some fact is lost, as one size *n* grows."""

    #: The name of the size that grows, and whether failures get rarer with it.
    grows: str
    falls: ClassVar[bool]
    #: How often it is drawn at each measured size.
    draws: int

    @property
    @abstractmethod
    def text(self) -> str:
        """The construction and its other sizes in words."""

    @property
    def load_unit(self) -> tuple[int, str]:
        """What the size is compared with, a number and its name; 1 and no name for the size itself."""
        return 1, ""

    @property
    @abstractmethod
    def measured(self) -> Sequence[int]:
        """The sizes that are measured, in order."""

    @property
    @abstractmethod
    def lines(self) -> Sequence[int]:
        """The sizes, in order, at which the lines are computed; the measured ones are among them."""

    @abstractmethod
    def predicted(self, n: int) -> Fraction:
        """The predicted probability."""

    @abstractmethod
    def bound(self, n: int) -> Fraction | None:
        """The proved bound of it; None where there is none."""

    @abstractmethod
    def products(self, n: int) -> float:
        """Multiply-adds of one draw, roughly."""

    @abstractmethod
    def failures(self, n: int, *, seed: int, name: str, device: str = "cpu") -> Event:
        """Whether some fact is lost, for each draw; drawn on *device*."""


@dataclass(frozen=True)
class MemorySubject(Subject):
    """A memory as the number N = M of its facts grows; the prediction chooses the N that are drawn."""

    memory: str
    sizes: Mapping[str, Any]
    draws: int = 200

    grows: str = field(default="N", init=False)
    falls: ClassVar = False

    @cached_property
    def _built(self) -> Construction:
        return construction(self.memory, self.sizes)

    @property
    def text(self) -> str:
        return self._built.text

    @property
    def load_unit(self) -> tuple[int, str]:
        return self._built.load_unit

    @cached_property
    def _ends(self) -> tuple[int, int]:
        prediction = self._built.prediction
        return max(prediction.largest(delta=_EDGE), 1), prediction.largest(delta=1 - _EDGE) + 1

    @cached_property
    def measured(self) -> Sequence[int]:
        return spread(*self._ends, _POINTS)

    @cached_property
    def lines(self) -> Sequence[int]:
        low, high = self._ends
        start = min(low, self._built.provable(_EDGE, None) or low)
        return sorted({*self.measured, *spread(start, high, _GUIDES)})

    def predicted(self, n: int) -> Fraction:
        return self._built.prediction.failure(n)

    def bound(self, n: int) -> Fraction | None:
        return self._built.failure_bound(n, n)

    def products(self, n: int) -> float:
        return self._built.products(n, n)

    def failures(self, n: int, *, seed: int, name: str, device: str = "cpu") -> Event:
        return self._built.failures(n, n, self.draws, seed=seed, name=name, device=device)


@dataclass(frozen=True)
class TableSubject(Subject):
    """A construction for a table of S x R facts as one of its *sizes*, d or m, grows.

    *grows* names that size. It is drawn from *low* to *high*, and lines go on to *end*, which is where
    the bound is small. The heads have *share* of the dimensions, d - 1 of them for 1, or as many as
    the construction takes by itself where it is None.
    """

    memory: str
    S: int
    R: int
    sizes: Mapping[str, Any]
    grows: str
    low: int
    high: int
    end: int
    share: Fraction | None = None
    draws: int = 100

    falls: ClassVar = True

    @property
    def text(self) -> str:
        table = f"S = R = {self.S}" if self.S == self.R else f"S = {self.S}, R = {self.R}"
        words = [f"{self.memory} construction", table, sizes_in_words(dict(self.sizes))]
        if self.share is not None:
            part = "d" if self.share.numerator == 1 else f"{self.share.numerator} d"
            words.append(
                f"d_h = {'d - 1' if self.share == 1 else f'{part}/{self.share.denominator}'}"
            )
        return ", ".join(words)

    @property
    def measured(self) -> Sequence[int]:
        return spread(self.low, self.high, _POINTS)

    @property
    def lines(self) -> Sequence[int]:
        return sorted({*self.measured, *spread(self.low, max(self.high, self.end), _GUIDES)})

    def _built(self, n: int) -> FactConstruction:
        sizes = {**self.sizes, self.grows: n}
        if self.share is not None:
            sizes["d_h"] = min(sizes["d"] - 1, int(sizes["d"] * self.share))
        return fact_construction(self.memory, sizes)

    def predicted(self, n: int) -> Fraction:
        return self._built(n).predicted_failure(self.S, self.R)

    def bound(self, n: int) -> Fraction | None:
        return self._built(n).failure_bound(self.S, self.R)

    def products(self, n: int) -> float:
        return self._built(n).products(self.S, self.R)

    def failures(self, n: int, *, seed: int, name: str, device: str = "cpu") -> Event:
        place = self.S, self.R, self.draws
        return self._built(n).failures(*place, seed=seed, name=name, device=device)


def spread(low: int, high: int, count: int) -> list[int]:
    """At most *count* integers from *low* to *high*, by equal factors."""
    ratio = high / low
    return sorted({round(low * ratio ** (i / (count - 1))) for i in range(count)})


#: A memory's curves are said where it is; the order is that of the page.
SUBJECTS: tuple[Subject, ...] = (
    *(
        MemorySubject(name, sizes, draws)
        for name, kind in CONSTRUCTIONS.items()
        for sizes, draws in kind.curves
    ),
    *(TableSubject(name, **shown) for name, kind in FACT_MEMORIES.items() for shown in kind.curves),
)
