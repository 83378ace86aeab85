"""Expressions at explicit sizes: the value for given vectors, and exact expectations by enumeration.

A second road to every moment, sharing nothing with the pattern expansion and the pairing of edges but
the definition. All sums are written out, every vector becomes d coordinates, and the expectation of a
polynomial in the coordinates is read off its monomials.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import factorial, prod
from typing import Any

import flint

from proofs.algebra import ExactnessError, RationalFunction
from proofs.moments.expressions import Edge, Expression, Term
from proofs.moments.indices import (
    Association,
    Equal,
    Image,
    Index,
    Range,
    Relation,
    Restriction,
    Slot,
)
from proofs.moments.laws import Family, Fixed, Gaussian, OrthogonalSphere, Signs, Sphere
from proofs.moments.subspaces import Subspace
from proofs.moments.vectors import Atom, Law

#: One vector of a family: (family, position).
Vector = tuple[Law, int]


@dataclass(frozen=True)
class Factor:
    """An edge at explicit positions."""

    edge: Edge
    left: Vector
    right: Vector


@dataclass(frozen=True)
class Instance:
    """Explicit sizes of the ranges, values of the free indices, maps as lists, relations as sets of
    tuples, values of symbols; fixed vectors by coordinates where they are not orthonormal.

    A range made with a number needs no size, the index of a range with one element no value. ValueError
    for a size that is none, and for a position outside its range, in indices, maps and relations.
    """

    sizes: Mapping[Range, int]
    indices: Mapping[Index, int]
    maps: Mapping[Association, Sequence[int]]
    symbols: Mapping[str, int | Fraction]
    relations: Mapping[Relation, Collection[tuple[int, ...]]] = field(default_factory=dict)
    fixed: Mapping[Law, Sequence[Sequence[int | Fraction]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for range_, number in self.sizes.items():
            if isinstance(number, bool) or not isinstance(number, int) or number < 0:
                raise ValueError(f"sizes: {number!r} of {range_} is no size; take an integer >= 0")
            if not range_.size.names and range_.size != number:
                raise ValueError(f"sizes: {range_} has {range_.size} elements, not {number}")
        for index, at in self.indices.items():
            self._require_inside(index.range, at, f"indices: {index}")
        for association, images in self.maps.items():
            name, domain = association.name, self.size_of(association.domain)
            if domain is not None and len(images) != domain:
                raise ValueError(
                    f"maps: {name} has {len(images)} values for the {domain} of {association.domain}"
                )
            for at in images:
                self._require_inside(association.codomain, at, f"maps: a value of {name}")
        for relation, table in self.relations.items():
            for entries in table:
                if len(entries) != len(relation.ranges):
                    raise ValueError(
                        f"relations: {entries} in {relation}, which has {len(relation.ranges)} entries"
                    )
                for at, range_ in zip(entries, relation.ranges, strict=True):
                    self._require_inside(
                        range_, at, f"relations: an entry of {entries} in {relation}"
                    )

    def _require_inside(self, range_: Range, at: int, what: str) -> None:
        """ValueError unless a position lies in a range; nothing is asked of a range without a size."""
        size = self.size_of(range_)
        if size is not None and (at not in range(size)):
            raise ValueError(
                f"{what} = {at} lies outside {range_}, which has positions 0 to {size - 1}"
            )

    def size_of(self, range_: Range) -> int | None:
        """How many elements a range has; None if that is not said."""
        if range_ in self.sizes:
            return self.sizes[range_]
        return None if range_.size.names else int(range_.size.as_fraction())

    def size(self, range_: Range) -> int:
        """How many elements a range has. ValueError if that is not said."""
        size = self.size_of(range_)
        if size is None:
            raise ValueError(f"sizes: nothing is said of {range_}; add it")
        return size

    def products(self, expression: Expression) -> Iterator[tuple[RationalFunction, list[Factor]]]:
        """The scalar *expression* as a list of coefficients and products of inner products."""
        for term in expression.terms:
            coefficient = term.coefficient(**self.symbols)
            for values in itertools.product(*(range(self.size(i.range)) for i in term.bound)):
                taken = dict(zip(term.bound, values, strict=True))
                if all(self._true(restriction, taken) for restriction in term.where):
                    yield coefficient, self._factors(term, taken)

    def _factors(self, term: Term, taken: Mapping[Index, int]) -> list[Factor]:
        return [
            Factor(edge, self.vector(edge.left, taken), self.vector(edge.right, taken))
            for edge in term.edges
        ]

    def _true(self, restriction: Restriction, taken: Mapping[Index, int]) -> bool:
        values = tuple(self.position(slot, taken) for slot in restriction.slots())
        if isinstance(restriction, Equal):
            return values[0] == values[1]
        return values in self.relations[restriction.relation]

    def vector(self, atom: Atom, taken: Mapping[Index, int] | None = None) -> Vector:
        """The vector that an atom is, given the values of bound indices."""
        return atom.family, self.position(atom.slot, taken or {})

    def position(self, slot: Slot, taken: Mapping[Index, int] | None = None) -> int:
        """The position of a slot, given the values of bound indices. ValueError if it is not said."""
        if isinstance(slot, Image):
            return self.maps[slot.association][self.position(slot.source, taken)]
        assert isinstance(slot, Index)
        if taken and slot in taken:
            return taken[slot]
        if slot in self.indices:
            return self.indices[slot]
        if self.size_of(slot.range) == 1:
            return 0
        raise ValueError(f"indices: nothing is said of {slot}; add its position in {slot.range}")

    def number(self, value: RationalFunction) -> Fraction:
        """A size or variance at the explicit symbols."""
        return RationalFunction.of(value)(**self.symbols).as_fraction()

    def _coordinates(self, subspace: Subspace | None, d: int) -> set[int]:
        """Which of the d coordinates a projection keeps: the blocks take them in their order."""
        if subspace is None:
            return set(range(d))
        kept: set[int] = set()
        start = 0
        for block in subspace.splitting.blocks.values():
            stop = start + int(self.number(block.dimension))
            if block.serial in subspace.part:
                kept |= set(range(start, stop))
            start = stop
        return kept

    def edge(self, edge: Edge, left: Any, right: Any, one: Any) -> Any:
        """The value of an edge for two sequences of coordinates, in the ring of *one*."""
        d = len(left)
        kept = self._coordinates(edge.left.subspace, d) & self._coordinates(edge.right.subspace, d)

        def inner(v: Any, w: Any) -> Any:
            return sum((v[i] * w[i] for i in kept), one * 0)

        if edge.order == 1:
            return inner(left, right)
        square = inner(right, right) * _rational(_variance(self, edge.left.family))
        total = one * 0
        for i, ways in _wick_ways(edge.order):
            total += (-square) ** i * inner(left, right) ** (edge.order - 2 * i) * ways
        return total

    def evaluate(
        self,
        expression: Expression,
        vectors: Mapping[Family, Sequence[Sequence[int | Fraction]]],
        signs: Mapping[Signs, Sequence[int | Fraction]] | None = None,
    ) -> Fraction:
        """The value of a scalar expression for rational vectors, (count, d) a family, and for *signs*.

        Fixed vectors that are not among them are those of the instance. Raises ValueError for a family
        of which too few vectors are given.
        """
        total = flint.fmpq(0)
        given = [(f, rows) for f, rows in vectors.items()]
        given += [(s.vectors, [[x] for x in values]) for s, values in (signs or {}).items()]
        exact: dict[Law, list[list[flint.fmpq]]] = {
            f: [[_rational(x) for x in row] for row in rows] for f, rows in given
        }

        def coordinates(vector: Vector) -> Sequence[flint.fmpq]:
            family, position = vector
            if isinstance(family, Fixed) and family not in exact:
                row = self.coordinates_of_fixed(vector, int(self.number(family.dimension)))
                return [_rational(x) for x in row]
            if position >= len(exact.get(family, ())):
                raise ValueError(
                    f"vectors: {len(exact.get(family, ()))} of {family.name} are given, and number "
                    f"{position}, counted from 0, is asked for; give more"
                )
            return exact[family][position]

        for coefficient, factors in self.products(expression):
            value = _rational(coefficient.as_fraction())
            for factor in factors:
                left, right = coordinates(factor.left), coordinates(factor.right)
                value *= self.edge(factor.edge, left, right, flint.fmpq(1))
            total += value
        return Fraction(int(total.p), int(total.q))

    def largest(self, expression: Expression, entry: Callable[[Law], int], d: int) -> Fraction:
        """A bound on the absolute value of a scalar expression, and of its terms added up in any order,
        for vectors of R^d with coordinates of absolute value at most *entry* of their family."""
        total = Fraction(0)
        for term in expression.terms:
            value = abs(term.coefficient(**self.symbols).as_fraction())
            value *= prod(self.size(index.range) for index in term.bound)
            for edge in term.edges:
                left, right = edge.left.family, edge.right.family
                width = 1 if left.dimension == 1 else d
                inner = width * entry(left) * entry(right)
                if edge.order > 1:
                    square = width * entry(right) ** 2 * _variance(self, left)
                    value *= sum(
                        ways * square**i * inner ** (edge.order - 2 * i)
                        for i, ways in _wick_ways(edge.order)
                    )
                else:
                    value *= inner
            total += value
        return total

    def expectation(self, factors: Sequence[Expression], d: int) -> RationalFunction:
        """E of the product of scalar *factors* in dimension d, by enumeration.

        Time grows steeply with d and the sizes; 1 and 2 are the dimensions for it. A vector drawn
        orthogonal to another is enumerated in dimension 2. Raises ValueError for other dimensions.
        """
        if isinstance(d, bool) or not isinstance(d, int) or not 1 <= d <= 4:
            raise ValueError(f"d: enumeration is for dimensions 1 to 4, not {d}")
        listed = [list(self.products(factor)) for factor in factors]
        space = _Space(self, listed, d)
        total = {RationalFunction.constant(1): space.one}
        for products in listed:
            factor = space.polynomials(products)
            total = _sum_of(
                (left * right, p * q) for left, p in total.items() for right, q in factor.items()
            )
        return sum(
            (scale * space.integral(poly) for scale, poly in total.items()),
            RationalFunction.constant(0),
        )

    def coordinates_of_fixed(self, vector: Vector, d: int) -> Sequence[int | Fraction]:
        """The coordinates of a fixed vector; by default member i of a family is the i-th unit vector."""
        family, position = vector
        if family in self.fixed:
            return self.fixed[family][position]
        assert isinstance(family, Fixed)
        if family.overlap != 0 or position >= d:
            raise ValueError(f"fixed: give the coordinates of {family}[{position}] in R^{d}")
        return [int(i == position) for i in range(d)]


class _Space:
    """The ring of the coordinates of all vectors that occur, and the expectation on it."""

    def __init__(
        self,
        instance: Instance,
        listed: Sequence[Sequence[tuple[RationalFunction, list[Factor]]]],
        d: int,
    ) -> None:
        self.instance, self.d = instance, d
        used = {v for ps in listed for _, fs in ps for f in fs for v in (f.left, f.right)}
        self.parent: dict[Vector, Vector] = {}
        waiting = list(used)
        while waiting:
            child = waiting.pop()
            to = child[0].orthogonal_to
            if to is not None:
                self.parent[child] = instance.vector(to)
                waiting += {self.parent[child]} - used
                used.add(self.parent[child])
        # A vector is made after the one it is orthogonal to, and integrated out before it.
        self.vectors = sorted(used, key=lambda v: (v[0].serial, v[1]))
        width = {v: 1 if v[0].dimension == 1 else d for v in self.vectors}
        ends = list(itertools.accumulate(width.values(), initial=0))
        self.range = {v: range(a, a + width[v]) for v, a in zip(width, ends, strict=False)}
        names = [f"t{i}" for i in range(max(ends[-1], 1))]
        self.ring = flint.fmpq_mpoly_ctx.get(names, "lex")
        self.one = self.ring.constant(1)

    def coordinates(self, vector: Vector) -> list[Any]:
        """The coordinates of a vector as elements of the ring."""
        if isinstance(vector[0], Fixed):
            row = self.instance.coordinates_of_fixed(vector, len(self.range[vector]))
            return [self.one * _rational(x) for x in row]
        return [self.ring.gen(i) for i in self.range[vector]]

    def polynomials(
        self, products: Sequence[tuple[RationalFunction, list[Factor]]]
    ) -> dict[RationalFunction, Any]:
        """A scalar as sum of field elements times polynomials with rational coefficients."""

        known: dict[Factor, Any] = {}

        def value(f: Factor) -> Any:
            if f not in known:
                left, right = self.coordinates(f.left), self.coordinates(f.right)
                known[f] = self.instance.edge(f.edge, left, right, self.one)
            return known[f]

        def terms() -> Iterator[tuple[RationalFunction, Any]]:
            for coefficient, factors in products:
                yield coefficient, prod(map(value, factors), start=self.one)

        return _sum_of(terms())

    def integral(self, poly: Any) -> Fraction:
        """E of a polynomial in the coordinates: one vector after another, monomial by monomial."""
        for vector in reversed(self.vectors):
            if isinstance(vector[0], Fixed):
                continue
            where = self.range[vector]
            # Monomials with the same powers of this vector have one mean.
            alike: dict[tuple[int, ...], dict[tuple[int, ...], Any]] = {}
            for powers, value in poly.to_dict().items():
                mine = tuple(int(powers[i]) for i in where)
                if sum(mine) % 2 == 0:
                    rest = tuple(0 if i in where else int(n) for i, n in enumerate(powers))
                    alike.setdefault(mine, {})[rest] = value
            poly = self.one * 0
            for mine, terms in alike.items():
                poly = poly + self.ring.from_dict(terms) * self._mean(vector, mine)
        value = poly.leading_coefficient() if poly else flint.fmpq(0)
        return Fraction(int(value.p), int(value.q))

    def _mean(self, vector: Vector, powers: Sequence[int]) -> Any:
        """E of a monomial in the coordinates of one vector, given the one it is orthogonal to."""
        family, degree = vector[0], sum(powers)
        if isinstance(family, OrthogonalSphere):
            if self.d != 2:
                raise ValueError(f"d: {family} is enumerated in dimension 2, not {self.d}")
            # The two unit vectors orthogonal to (a, b) are (-b, a) and (b, -a).
            a, b = self.coordinates(self.parent[vector])
            return (-b) ** powers[0] * a ** powers[1]
        if not isinstance(family, (Sphere, Gaussian)):
            return self.one * _rational(family.monomial_mean(powers))
        if any(power % 2 for power in powers):
            return self.one * 0
        odd = prod(prod(range(1, power, 2)) for power in powers)
        if isinstance(family, Sphere):
            n = len(powers)
            return self.one * flint.fmpq(odd, prod(range(n, n + degree, 2)))
        scale = odd * self.instance.number(family.variance) ** (degree // 2)
        return self.one * _rational(scale)


def _variance(instance: Instance, family: Law) -> Fraction:
    """The variance of the Gaussian end of a Wick power."""
    assert isinstance(family, Gaussian)
    return instance.number(family.variance)


def _wick_ways(order: int) -> Iterator[tuple[int, int]]:
    """How often i pairs are taken out of a Wick power, for each i."""
    for i in range(order // 2 + 1):
        yield i, factorial(order) // (2**i * factorial(i) * factorial(order - 2 * i))


def _rational(value: int | Fraction) -> Any:
    """A rational number for flint."""
    return flint.fmpq(value.numerator, value.denominator)


def _sum_of(terms: Iterable[tuple[RationalFunction, Any]]) -> dict[RationalFunction, Any]:
    """Terms with equal irrational or symbolic parts brought together; rational ones go into the
    polynomial."""
    total: dict[RationalFunction, Any] = {}
    one = RationalFunction.constant(1)
    for coefficient, poly in terms:
        key = coefficient
        try:
            rational = coefficient.as_fraction()
        except ExactnessError:
            pass
        else:
            key, poly = one, poly * _rational(rational)
        total[key] = total[key] + poly if key in total else poly
    return total
