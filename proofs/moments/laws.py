"""Laws of random vectors: what the engine must know of each to integrate a vector out.

All laws here are rotation invariant. For such a vector v = r u, u uniform on the sphere,
E[|v|^(2l) <v,a_1>...<v,a_2p>] = E[r^(2l+2p)] / (d(d+2)...(d+2p-2)) * sum over pairings of
prod <a_i,a_j>,
so a law is its even radial moments, divided by that product; everything else is shared.
"""

from __future__ import annotations

import itertools
from typing import Any

from proofs.algebra import RationalFunction
from proofs.moments.expressions import Expression
from proofs.moments.indices import Slot

_serial = itertools.count()

#: Exponents of the linear factors (dimension + offset) in a product: ((offset, exponent), ...).
LinearFactors = tuple[tuple[int, int], ...]


class Family:
    """Independent random vectors of one law in R^dimension, one for each value of an index."""

    #: Whether |v| = 1, so that <v,v> is dropped at once.
    unit_norm = False

    def __init__(self, name: str, dimension: Any) -> None:
        self.name = name
        self.dimension = RationalFunction.of(dimension)
        if not self.dimension.names:
            value = self.dimension.as_fraction()
            if value < 1 or value.denominator != 1:
                raise ValueError(f"dimension: {value} is not a dimension; take an integer d >= 1")
        self.serial = next(_serial)

    def __getitem__(self, slot: Slot) -> Any:

        if not isinstance(slot, Slot):
            raise TypeError(f"{self.name}[{slot!r}]: a family is indexed by an index or its image")
        return Expression.vector(self, slot)

    def radial(self, pairs: int, loops: int) -> tuple[LinearFactors, RationalFunction | int]:
        """E[r^(2 loops + 2 pairs)] / (d (d+2) ... (d + 2 pairs - 2)), split into linear factors in d.

        Returns the factors (offset, exponent), each standing for (d + offset)^exponent, and a
        further coefficient.
        """
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, {self.dimension})"


class Sphere(Family):
    """Uniform on the unit sphere of R^d, d >= 1 (for d = 1 a random sign)."""

    unit_norm = True

    def radial(self, pairs: int, loops: int) -> tuple[LinearFactors, RationalFunction | int]:
        return tuple((2 * i, -1) for i in range(pairs)), 1


class Gaussian(Family):
    """N(0, variance * I_d); *variance* may be a symbol, for instance 1/d for norms near one."""

    def __init__(self, name: str, dimension: Any, variance: Any = 1) -> None:
        super().__init__(name, dimension)
        self.variance = RationalFunction.of(variance)

    def radial(self, pairs: int, loops: int) -> tuple[LinearFactors, RationalFunction | int]:
        # E r^(2k) = variance^k d (d+2) ... (d+2k-2); the first `pairs` factors cancel.
        factors = tuple((2 * i, 1) for i in range(pairs, pairs + loops))
        return factors, self.variance ** (pairs + loops)
