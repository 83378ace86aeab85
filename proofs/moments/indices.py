"""Ranges, indices, association maps and the conditions that say which indices coincide.

Serves the setting of Nichani et al., Sec. 3: inputs x in [N], outputs y in [M], a map f* between.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any, TypeAlias

from proofs.algebra import RationalFunction

_serial = itertools.count()


class Range:
    """A finite index set of symbolic *size*; two ranges are the same only if they are one object."""

    def __init__(self, size: Any, name: str | None = None) -> None:
        self.size = RationalFunction.of(size)
        self.name = name or f"[{self.size}]"

    def index(self, name: str) -> Index:
        """A fresh index that runs over this range."""
        return Index(self, name)

    def __repr__(self) -> str:
        return self.name


class Slot:
    """What a family of vectors is indexed by: an Index, or the Image of one under a map."""

    range: Range

    def __ne__(self, other: object) -> Any:
        """``y != f(x)`` is a condition, to be put into ``given``."""
        return Distinct(self, other) if isinstance(other, Slot) else NotImplemented

    # Identity is what the containers need; only ``!=`` speaks of the values of the indices.
    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


class Index(Slot):
    """A variable with values in a range. Bound by ``sum_over``, otherwise free (named)."""

    def __init__(self, range_: Range, name: str | None = None) -> None:
        self.range = range_
        self.serial = next(_serial)
        self.name = name or f"i{self.serial}"

    def __repr__(self) -> str:
        return self.name


class Image(Slot):
    """f(x): an element of the codomain, known through an index of the domain."""

    def __init__(self, association: Association, source: Index) -> None:
        self.association = association
        self.source = source
        self.range = association.codomain

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Image)
            and other.association is self.association
            and other.source is self.source
        )

    def __hash__(self) -> int:
        return hash((id(self.association), id(self.source)))

    def __repr__(self) -> str:
        return f"{self.association.name}({self.source})"


class Association:
    """A map between two ranges, known through its fibre sizes.

    Outputs that are named in a computation have the fibre sizes that ``given`` states (an output
    f(x) has one input unless ``given`` says otherwise). All other outputs have one input or none;
    with *fibre_powers* = "p" their sizes n are free instead, and enter results through the power
    sums p2 = sum n^2, p3 = sum n^3, ... over the outputs that are not named.
    """

    def __init__(
        self, domain: Range, codomain: Range, name: str = "f", fibre_powers: str | None = None
    ) -> None:
        self.domain, self.codomain, self.name = domain, codomain, name
        self.fibre_powers = fibre_powers

    def __call__(self, index: Index) -> Image:
        if not isinstance(index, Index):
            raise TypeError(
                f"{self.name}({index}): maps take an index; the engine does not compose them"
            )
        if index.range is not self.domain:
            raise ValueError(
                f"{self.name}({index}): {index} runs over {index.range}, not {self.domain}"
            )
        return Image(self, index)


@dataclass(frozen=True, eq=False)
class Distinct:
    """Two slots of one range take different values."""

    left: Slot
    right: Slot

    def __repr__(self) -> str:
        return f"{self.left} != {self.right}"


@dataclass(frozen=True, eq=False)
class Fibre:
    """The output *slot* is the image of exactly *size* inputs."""

    slot: Slot
    size: RationalFunction

    def __repr__(self) -> str:
        return f"|fibre of {self.slot}| = {self.size}"


Condition: TypeAlias = Distinct | Fibre


def fibre(slot: Slot, size: Any) -> Fibre:
    """Condition: exactly *size* inputs (a number or a symbol) have the output *slot*."""
    exact = RationalFunction.of(size)
    if not exact.names and (exact.as_fraction() < 0 or exact.as_fraction().denominator != 1):
        raise ValueError(f"size: {exact} is not a number of inputs; take an integer >= 0")
    return Fibre(slot, exact)


def in_image(slot: Slot) -> Fibre:
    """Condition for an injective map: one input has the output *slot*."""
    return fibre(slot, 1)


def not_in_image(slot: Slot) -> Fibre:
    """Condition: no input has the output *slot*."""
    return fibre(slot, 0)
