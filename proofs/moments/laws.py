"""Laws of random vectors: what the engine must know of each to integrate a vector out.

All laws here are isotropic in their span. For such a vector v = r w, w uniform on a sphere, and a
polynomial of degree 2k in the inner products of v,
E[polynomial(v)] = scale(k) * E[polynomial(g)],  g standard Gaussian on the span,
so a law is its scales E[r^2k] / (D (D+2) ... (D+2k-2)), D the dimension of the span, and the fixed
direction that its span leaves out, if any. Everything else is shared (graphs.py).
"""

from __future__ import annotations

from typing import Any

from proofs.algebra import RationalFunction
from proofs.algebra.symbols import caller_symbols
from proofs.moments.expressions import Expression, dot
from proofs.moments.indices import Range, Slot
from proofs.moments.vectors import Atom, Law, LinearFactors


class Family(Law):
    """Independent random vectors of one law in R^dimension, one for each value of an index."""

    def __getitem__(self, slot: Slot) -> Expression:
        if not isinstance(slot, Slot):
            raise TypeError(f"{self.name}[{slot!r}]: a family is indexed by an index or its image")
        return Expression.vector(Atom(self, slot))


class Sphere(Family):
    """Uniform on the unit sphere of R^d, d >= 1 (for d = 1 a random sign)."""

    unit_norm = True

    def scale(self, half_degree: int) -> tuple[LinearFactors, RationalFunction | int]:
        return tuple((2 * i, -1) for i in range(half_degree)), 1


class Gaussian(Family):
    """N(0, variance * I_d); *variance* may be a symbol, for instance 1/d for norms near one."""

    def __init__(self, name: str, dimension: Any, variance: Any = 1) -> None:
        super().__init__(name, dimension)
        self.variance = RationalFunction.of(variance, f"variance of {name}")
        self.symbols |= caller_symbols(variance)
        if not self.variance.names and self.variance.as_fraction() < 0:
            raise ValueError(f"variance of {name}: {self.variance} is negative")
        self.standard = self.variance == 1

    def scale(self, half_degree: int) -> tuple[LinearFactors, RationalFunction | int]:
        return (), 1 if self.standard else self.variance**half_degree


class OrthogonalSphere(Family):
    """Uniform on the unit sphere of the orthogonal complement of a unit vector, d >= 2.

    *to* is a random or fixed unit vector of R^d, ``phi[eos]``: given it the members are independent.
    Raises ValueError for a vector that is not one member of a family of unit vectors.
    """

    unit_norm = True
    smallest_dimension = 2

    def __init__(self, name: str, dimension: Any, to: Expression) -> None:
        super().__init__(name, dimension)
        if not isinstance(to, Expression):
            raise TypeError(f"to: {to!r} is no vector; take a member of a family, e[x]")
        self.orthogonal_to = to.single_vector()
        family = self.orthogonal_to.family
        if not family.unit_norm or self.orthogonal_to.subspace is not None:
            raise ValueError(
                f"to: {to} is no unit vector; take a member of a sphere or a fixed one"
            )
        if family.dimension != self.dimension:
            raise ValueError(f"to: {to} lies in R^{family.dimension}, not in R^{self.dimension}")

    def scale(self, half_degree: int) -> tuple[LinearFactors, RationalFunction | int]:
        return tuple((2 * i - 1, -1) for i in range(half_degree)), 1


class Fixed(Family):
    """Unit vectors that are not random, any two members with the inner product *overlap*.

    By default orthonormal. The overlap may be a symbol; it must exist, so |overlap| <= 1.
    """

    unit_norm = True
    symmetric = False

    def __init__(self, name: str, dimension: Any, overlap: Any = 0) -> None:
        super().__init__(name, dimension)
        self.overlap = RationalFunction.of(overlap, f"overlap of {name}")
        self.symbols |= caller_symbols(overlap)
        if not self.overlap.names and abs(self.overlap.as_fraction()) > 1:
            raise ValueError(f"overlap: unit vectors have no inner product {self.overlap}")


class Signs:
    """Independent random signs, one for each value of an index: ``s[z]`` is a scalar.

    A sign is a vector on the unit sphere of R^1 against a fixed one.
    """

    def __init__(self, name: str) -> None:
        self.vectors = Sphere(name, 1)
        self._axis = Fixed(f"axis of {name}", 1)
        self._axis.is_axis = True
        self._at = Range(1, f"axis of {name}").index(f"axis of {name}")

    @property
    def name(self) -> str:
        return self.vectors.name

    def __getitem__(self, slot: Slot) -> Expression:
        return dot(self.vectors[slot], self._axis[self._at])

    def __repr__(self) -> str:
        return f"Signs({self.name!r})"
