"""The laws of random vectors and their members, as an expression needs them."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from proofs.algebra import RationalFunction
from proofs.algebra.symbols import caller_symbols
from proofs.moments.indices import Index, Slot
from proofs.moments.subspaces import WHOLE, Part, Subspace

_serial = itertools.count()

#: Exponents of the linear factors (dimension + offset) in a product: ((offset, exponent), ...).
LinearFactors = tuple[tuple[int, int], ...]


class Law:
    """The law of a random vector in R^dimension; its members are independent."""

    #: Whether |v| = 1, so that <v,v> is dropped at once.
    unit_norm = False
    #: Whether v and -v have the same law, so that odd moments vanish.
    symmetric = True
    #: Whether <v,e> is a standard Gaussian for every unit vector e.
    standard = False
    #: The vector to which all members are orthogonal.
    orthogonal_to: Atom | None = None
    #: Whether it is the direction of R^1 against which signs are scalars.
    is_axis = False
    #: The smallest dimension in which the law exists.
    smallest_dimension = 1

    def __init__(self, name: str, dimension: Any) -> None:
        self.name = name
        self.dimension = RationalFunction.of(dimension, f"dimension of {name}")
        self.symbols = caller_symbols(dimension)
        if not self.dimension.names:
            value = self.dimension.as_fraction()
            if value < self.smallest_dimension or value.denominator != 1:
                raise ValueError(
                    f"dimension: {value} is no dimension of a {type(self).__name__}; "
                    f"take an integer d >= {self.smallest_dimension}"
                )
        self.serial = next(_serial)

    def scale(self, half_degree: int) -> tuple[LinearFactors, RationalFunction | int]:
        """E of a polynomial of degree 2 half_degree over that of a standard Gaussian on the span.

        Returns the factors (offset, exponent), each standing for (d + offset)^exponent, and a
        further coefficient.
        """
        raise NotImplementedError

    def monomial_mean(self, powers: Sequence[int]) -> Fraction:
        """E of prod_i v_i^powers[i] over all coordinates of a member, whose number is len(powers).

        The second road, for a law of one's own: those here are known to the enumeration.
        """
        raise NotImplementedError(f"{self}: give its monomial_mean to enumerate it")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, {self.dimension})"


@dataclass(frozen=True)
class Atom:
    """One random vector: a member of a family, projected on a subspace unless that is None."""

    family: Law
    slot: Slot
    subspace: Subspace | None = None

    @property
    def part(self) -> Part:
        """The blocks it is projected on; WHOLE without a projection."""
        return WHOLE if self.subspace is None else self.subspace.label

    def rename(self, new: Mapping[Index, Index]) -> Atom:
        return Atom(self.family, self.slot.rename(new), self.subspace)

    def __repr__(self) -> str:
        name = f"{self.family.name}[{self.slot}]"
        return name if self.subspace is None else f"{self.subspace} {name}"
