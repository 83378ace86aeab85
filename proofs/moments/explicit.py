"""Expressions at explicit sizes: the value for given vectors, and exact expectations by enumeration.

A second road to every moment, sharing nothing with the pattern expansion and the pairing of edges but
the definition. In dimension one a vector is a number, in dimension two a complex number z with
<u,v> = (z_u conj(z_v) + conj(z_u) z_v) / 2, and the expectation of a polynomial in z, conj(z) is
read off its coefficients: only |z|^2a contributes.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import factorial, prod

import flint

from proofs.algebra import RationalFunction
from proofs.moments.expressions import Atom, Expression
from proofs.moments.indices import Association, Image, Index, Range, Slot
from proofs.moments.laws import Family, Gaussian, Sphere

#: One vector of a family: (family, position).
Vector = tuple[Family, int]


@dataclass(frozen=True)
class Instance:
    """Explicit sizes of the ranges, values of the free indices, maps as lists, values of symbols."""

    sizes: Mapping[Range, int]
    indices: Mapping[Index, int]
    maps: Mapping[Association, Sequence[int]]
    symbols: Mapping[str, int | Fraction]

    def products(
        self, expression: Expression
    ) -> Iterator[tuple[Fraction, list[tuple[Vector, Vector]]]]:
        """The scalar *expression* as a list of coefficients and products of inner products."""
        for term in expression.terms:
            coefficient = term.coefficient(**self.symbols).as_fraction()
            for values in itertools.product(*(range(self.sizes[i.range]) for i in term.bound)):
                taken = dict(zip(term.bound, values, strict=True))
                yield (
                    coefficient,
                    [(self._vector(a, taken), self._vector(b, taken)) for a, b in term.edges],
                )

    def _vector(self, atom: Atom, taken: Mapping[Index, int]) -> Vector:
        return atom.family, self._position(atom.slot, taken)

    def _position(self, slot: Slot, taken: Mapping[Index, int]) -> int:
        if isinstance(slot, Image):
            return self.maps[slot.association][self._position(slot.source, taken)]
        assert isinstance(slot, Index)
        return taken[slot] if slot in taken else self.indices[slot]

    def evaluate(
        self, expression: Expression, vectors: Mapping[Family, Sequence[Sequence[int | Fraction]]]
    ) -> Fraction:
        """The value of a scalar expression for explicit rational vectors, (count, d) a family."""
        total = Fraction(0)
        for coefficient, edges in self.products(expression):
            for (f, i), (g, j) in edges:
                coefficient *= sum(
                    (Fraction(a) * b for a, b in zip(vectors[f][i], vectors[g][j], strict=True)),
                    Fraction(0),
                )
            total += coefficient
        return total

    def expectation(self, factors: Sequence[Expression], d: int) -> Fraction:
        """E of the product of scalar *factors* in dimension 1 or 2, by enumeration.

        Raises ValueError for any other dimension.
        """
        if d not in (1, 2):
            raise ValueError(f"d: enumeration is for dimension 1 and 2, not {d}")
        listed = [list(self.products(factor)) for factor in factors]
        used = {v for products in listed for _, edges in products for edge in edges for v in edge}
        vectors = sorted(used, key=lambda v: (v[0].serial, v[1]))
        per_vector = 1 if d == 1 else 2
        ring = flint.fmpq_mpoly_ctx.get([f"t{i}" for i in range(per_vector * len(vectors))], "lex")
        start = {v: per_vector * i for i, v in enumerate(vectors)}

        def inner(left: Vector, right: Vector) -> flint.fmpq_mpoly:
            a, b = start[left], start[right]
            if d == 1:
                return ring.gen(a) * ring.gen(b)
            half = flint.fmpq(1, 2)
            return (ring.gen(a) * ring.gen(b + 1) + ring.gen(a + 1) * ring.gen(b)) * half

        product = ring.constant(1)
        for products in listed:
            factor = ring.constant(0)
            for coefficient, edges in products:
                term = ring.constant(flint.fmpq(coefficient.numerator, coefficient.denominator))
                for left, right in edges:
                    term = term * inner(left, right)
                factor = factor + term
            product = product * factor
        total = Fraction(0)
        for powers, value in product.to_dict().items():
            exponents = [int(power) for power in powers]
            weight = prod(
                (self._weight(v[0], exponents[start[v] : start[v] + per_vector]) for v in vectors),
                start=Fraction(1),
            )
            total += Fraction(int(value.p), int(value.q)) * weight
        return total

    def _weight(self, family: Family, exponents: Sequence[int]) -> Fraction:
        """E of the monomial in the coordinates of one vector."""
        if len(exponents) == 1:
            k = exponents[0]
            if k % 2:
                return Fraction(0)
            radial, normal = k // 2, prod(range(1, k, 2))
        else:
            if exponents[0] != exponents[1]:
                return Fraction(0)
            radial = exponents[0]
            normal = 2**radial * factorial(radial)
        if isinstance(family, Sphere):
            return Fraction(1)
        assert isinstance(family, Gaussian)
        variance = RationalFunction.of(family.variance)(**self.symbols).as_fraction()
        return normal * variance**radial
