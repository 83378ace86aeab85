"""Small instances that satisfy the conditions of a computation, drawn for the second exact road.

Sizes, maps with the stated fibres, relations with the stated counts, coordinates of fixed vectors and
values of all symbols, so that explicit.py can enumerate.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import comb, isqrt, prod
from typing import TypeAlias

from proofs.algebra import RationalFunction
from proofs.moments.explicit import Instance
from proofs.moments.expressions import Expression
from proofs.moments.indices import (
    Association,
    Condition,
    Count,
    Fibre,
    Holds,
    Index,
    Range,
    Relation,
    Slot,
)
from proofs.moments.laws import Fixed, Gaussian
from proofs.moments.vectors import Law
from proofs.moments.world import World

#: Values of symbols.
Values: TypeAlias = "dict[str, int | Fraction]"
Table: TypeAlias = "set[tuple[int, ...]]"

#: About as many monomials are multiplied out for one instance, which takes a second or two.
LIMIT = 60_000

_ATTEMPTS = 60
_POSITIVE = [Fraction(n, k) for n, k in ((1, 2), (1, 3), (2, 3), (3, 2), (2, 1), (3, 1), (5, 3))]
_SIGNED = [*_POSITIVE, *(-value for value in _POSITIVE)]
_COSINES = [Fraction(n, k) for n, k in ((3, 5), (-4, 5), (5, 13), (-3, 5), (1, 1), (0, 1), (-1, 1))]


def named_slots(factors: Sequence[Expression], given: Sequence[Condition]) -> list[Slot]:
    """The slots that no sum binds, in expressions, conditions and laws."""
    atoms = [atom for factor in factors for term in factor.terms for atom in term.atoms()]
    parents = []
    while atoms:
        atoms = [a.family.orthogonal_to for a in atoms if a.family.orthogonal_to is not None]
        parents += [atom.slot for atom in atoms]
    return [
        *(slot for factor in factors for slot in factor.free_slots()),
        *(slot for condition in given for slot in condition.slots()),
        *parents,
    ]


def most_bound(factor: Expression) -> int:
    """The most indices that a term sums over."""
    return max((len(term.bound) for term in factor.terms), default=0)


class Builder:
    """Draws instances that satisfy the conditions of a computation."""

    def __init__(
        self, factors: Sequence[Expression], given: Sequence[Condition], rng: random.Random
    ) -> None:
        self.factors, self.given, self.rng = factors, given, rng
        self.world = world = World(factors, given)
        for slot in named_slots(factors, given):
            world.element(slot.source)
        counted = [0] * len(world.ranges)
        #: The position of each named element in its range: named ones come first.
        self.place = []
        for where, _ in world.named:
            self.place.append(counted[where])
            counted[where] += 1
        self.counted = counted
        self.inputs = [sum(i == o for _, i in world.named) for o in range(len(world.named))]
        self.fibres = {world.element(c.slot): c.size for c in given if isinstance(c, Fibre)}
        for association in world.maps.values():
            for output in self._outputs(association):
                self.fibres.setdefault(output, association.fibre_size)
        self.spaces = [f for f in world.families.values() if f.dimension != 1]
        self.constraints = list(self._constraints())
        self.unknown = list(dict.fromkeys(n for names, _ in self.constraints for n in names))

    # -- sizes ----------------------------------------------------------------------------------

    def draw(self, trials: int, dimensions: Sequence[int]) -> Iterator[tuple[Instance, int]]:
        """Different instances, at most *trials* in each dimension."""
        stated = {int(f.dimension.as_fraction()) for f in self.spaces if not f.dimension.names}
        dimensions = sorted(stated) or list(dimensions if self.spaces else [1])
        for d in dimensions:
            if isinstance(d, bool) or d not in range(1, 5):
                raise ValueError(f"dimensions: enumeration is for dimensions 1 to 4, not {d}")
        seen: set[tuple[object, ...]] = set()
        dearest = None
        turned = [f for f in self.spaces if f.orthogonal_to is not None]
        if turned and 2 not in dimensions:
            raise ValueError(
                f"dimensions: {turned[0]} is enumerated in dimension 2, not in "
                f"{', '.join(map(str, dimensions))}"
            )
        for d in [2] if turned else dimensions:
            found, top = 0, max(3, d, *self.counted) + 2
            for _ in range(_ATTEMPTS):
                values = self._sizes(d, top)
                if values is None:
                    break
                cost = self._cost(values, d)
                if cost > LIMIT:
                    dearest, top = min(dearest or cost, cost), top - 1
                    continue
                instance = self._instance(values, d)
                if instance is None:
                    continue
                key = (d, *sorted(instance.symbols.items()))
                if key not in seen:
                    seen.add(key)
                    found += 1
                    yield instance, d
                if found == trials:
                    break
        if not seen and dearest is not None:
            raise ValueError(
                f"factors: enumeration would multiply out about {dearest} monomials, more than "
                f"{LIMIT}; take fewer or simpler factors, or pass small instances="
            )
        if not seen:
            raise ValueError(
                f"given: found no small instance in dimension {', '.join(map(str, dimensions))} "
                f"that satisfies the conditions (sizes {', '.join(self.unknown) or 'fixed'}, maps, "
                "relations, overlaps); pass explicit ones, instances=[(Instance(...), d)]"
            )

    def _constraints(self) -> Iterator[tuple[tuple[str, ...], Callable[[Values], bool]]]:
        """What sizes must satisfy, each with the symbols it speaks of; ``d`` is under the key ''."""

        def at_least(size: RationalFunction, low: int) -> Callable[[Values], bool]:
            return lambda values: _integer(size, values) >= low

        world = self.world
        for family in self.spaces:
            dimension = family.dimension
            yield dimension.names, partial(self._is_dimension, dimension)
        for subspace in world.subspaces:
            for block in subspace.splitting.blocks.values():
                yield block.dimension.names, at_least(block.dimension, 0)
        for range_, low in zip(world.ranges, self.counted, strict=True):
            if range_.size.names:
                yield range_.size.names, at_least(range_.size, max(low, 1))
        for output, size in self.fibres.items():
            yield size.names, at_least(size, self.inputs[output])
        for association in world.maps.values():
            sizes = [association.fibre_size, association.domain.size, association.codomain.size]
            sizes += [self.fibres[output] for output in self._outputs(association)]
            names = dict.fromkeys(name for size in sizes for name in size.names)
            yield tuple(names), partial(self._is_map, association)

    def _is_dimension(self, size: RationalFunction, values: Values) -> bool:
        return _integer(size, values) == values[""]

    def _is_map(self, association: Association, values: Values) -> bool:
        return self._groups(association, values) is not None

    def _outputs(self, association: Association) -> list[int]:
        where = self.world.range_number(association.codomain)
        return [n for n, (range_, _) in enumerate(self.world.named) if range_ == where]

    def _groups(self, association: Association, values: Values) -> tuple[int, int, int] | None:
        """Outputs that are not named, inputs that lie over them, and how many over each; or None."""
        named = self._outputs(association)
        each = _integer(association.fibre_size, values)
        outputs = _integer(association.codomain.size, values) - len(named)
        inputs = _integer(association.domain.size, values)
        inputs -= sum(_integer(self.fibres[output], values) for output in named)
        if min(inputs, outputs, each - 1) < 0 or (inputs and not outputs):
            return None
        if association.fibre_powers is None and (inputs % each or inputs // each > outputs):
            return None
        return outputs, inputs, each

    def _sizes(self, d: int, top: int) -> Values | None:
        """Random values <= *top* of the symbols in sizes; None if there are none."""
        left = 20_000

        def search(position: int, values: Values) -> Values | None:
            nonlocal left
            left -= 1
            known = set(self.unknown[:position])
            last = set(self.unknown[position - 1 : position])
            for names, holds in self.constraints:
                fresh = last & set(names) or (not names and position == 0)
                if fresh and known.issuperset(names) and not holds(values):
                    return None
            if position == len(self.unknown):
                return values
            order = self.rng.sample(range(1, top + 1), top)
            # Nothing is a size too, but says little, so it mostly comes last.
            order.insert(0 if self.rng.random() < 0.1 else top, 0)
            for value in order:
                if left > 0:
                    found = search(position + 1, {**values, self.unknown[position]: value})
                    if found is not None:
                        return found
            return None

        return search(0, {"": d}) if top > 0 else None

    def _cost(self, values: Values, d: int) -> int:
        """About how many monomials an enumeration handles."""
        products, listed = 0, []
        for factor in self.factors:
            terms = [
                (
                    prod(_integer(index.range.size, values) for index in term.bound),
                    prod(comb(edge.order + d - 1, d - 1) * edge.order for edge in term.edges),
                )
                for term in factor.terms
            ]
            products += sum(n for n, _ in terms)
            listed.append(sum(n * monomials for n, monomials in terms))
        # The k-th power of a sum of n monomials has at most that many.
        merged = [
            comb(max(listed[i], 1) + self.factors.count(factor) - 1, self.factors.count(factor))
            for i, factor in enumerate(self.factors)
            if factor not in self.factors[:i]
        ]
        return max(sum(listed), products * 4) + prod(merged)

    # -- the rest of an instance ----------------------------------------------------------------

    def _instance(self, sizes: Values, d: int) -> Instance | None:
        """An instance of the given sizes; None if no relations or fixed vectors were found."""
        world = self.world
        values = {name: value for name, value in sizes.items() if name}
        lengths = {range_: _integer(range_.size, sizes) for range_ in world.ranges}
        maps = {a: self._map(a, sizes, values) for a in world.maps.values()}
        sources = (slot.source for slot in named_slots(self.factors, self.given))
        indices = {index: self.place[world.element(index)] for index in sources}
        relations = self._relations(lengths, indices, values)
        if relations is None:
            return None
        fixed = self._fixed(lengths, values, d)
        if fixed is None:
            return None
        for name in sorted(self._names()):
            if name not in values:
                positive = any(name in v.names for v in self._variances())
                values[name] = self.rng.choice(_POSITIVE if positive else _SIGNED)
        try:
            for size in (*self._coefficients(), *self._variances()):
                size(**values)
        except ZeroDivisionError:
            return None
        return Instance(lengths, indices, maps, values, relations, fixed)

    def _map(self, association: Association, sizes: Values, values: Values) -> list[int]:
        """The map as a list, with the power sums of its fibres put into *values*."""
        world, place = self.world, self.place
        groups = self._groups(association, sizes)
        assert groups is not None
        outputs, inputs, each = groups
        named = self._outputs(association)
        domain = world.range_number(association.domain)
        images = [place[image] for where, image in world.named if where == domain]
        for output in named:
            more = _integer(self.fibres[output], sizes) - self.inputs[output]
            images += [place[output]] * more
        others = range(len(named), len(named) + outputs)
        if association.fibre_powers is None:
            taken = self.rng.sample(others, inputs // each)
            return images + [output for output in taken for _ in range(each)]
        rest = [self.rng.choice(others) for _ in range(inputs)]
        for power in range(2, 2 + sum(map(most_bound, self.factors))):
            total = sum(rest.count(output) ** power for output in others)
            values[f"{association.fibre_powers}{power}"] = total
        return images + rest

    def _coefficients(self) -> Iterator[RationalFunction]:
        return (term.coefficient for factor in self.factors for term in factor.terms)

    def _variances(self) -> list[RationalFunction]:
        return [f.variance for f in self.world.families.values() if isinstance(f, Gaussian)]

    def _names(self) -> set[str]:
        return {n for size in (*self._coefficients(), *self._variances()) for n in size.names}

    def _fixed(
        self, lengths: Mapping[Range, int], values: Values, d: int
    ) -> dict[Law, list[list[Fraction]]] | None:
        """Coordinates of fixed vectors; symbols in their overlaps get values."""
        terms = [term for factor in self.factors for term in factor.terms]
        atoms = [(atom, term) for term in terms for atom in term.atoms()]
        parents = [f.orthogonal_to for f in self.world.families.values() if f.orthogonal_to]
        found: dict[Law, list[list[Fraction]]] = {}
        for family in self.world.families.values():
            if not isinstance(family, Fixed):
                continue
            # A family that is not summed over needs its named members only, which come first.
            ranges = [a.slot.range for a, _ in atoms if a.family is family]
            ranges += [a.slot.range for a in parents if a.family is family]
            members = self.counted[self.world.range_number(ranges[0])]
            for atom, term in atoms:
                if atom.family is family and atom.slot.source in term.bound:
                    members = lengths[ranges[0]]
            names = [name for name in family.overlap.names if name not in values]
            choices = [self.rng.sample(_COSINES, len(_COSINES)) for _ in names]
            width = 1 if family.dimension == 1 else d
            for chosen in itertools.product(*choices):
                trial = {**values, **dict(zip(names, chosen, strict=True))}
                overlap = family.overlap(**trial).as_fraction()
                rows = _coordinates(members, overlap, width)
                if rows is not None:
                    found[family] = rows
                    values.update(trial)
                    break
            else:
                return None
        return found

    # -- relations ------------------------------------------------------------------------------

    def _relations(
        self, lengths: Mapping[Range, int], indices: Mapping[Index, int], values: Values
    ) -> dict[Relation, Table] | None:
        """Random relations with the counts that are known; symbols for others get their values."""
        relations = self.world.relations.relations
        counts = [c for c in self.given if isinstance(c, Count)]
        for _ in range(20 * _ATTEMPTS if counts else 1):
            tables = {
                r: self._table(r, [lengths[range_] for range_ in r.ranges]) for r in relations
            }
            for condition in counts:
                self._force(condition, tables, indices)
            trial = dict(values)
            equations = [(c.size, tuples(c, tables, lengths, indices)) for c in counts]
            if _solved(equations, trial):
                values.update(trial)
                return tables
        return None

    def _table(self, relation: Relation, lengths: Sequence[int]) -> Table:
        """A random function, a random set, or one with equally many last entries everywhere."""
        keys = list(itertools.product(*(range(n) for n in lengths[:-1])))
        last = range(lengths[-1])
        if relation.functional:
            return {(*key, self.rng.choice(last)) for key in keys}
        style = self.rng.randrange(4)
        if style < 2:
            density = self.rng.choice([0.3, 0.5, 0.7])
            return {(*k, a) for k in keys for a in last if self.rng.random() < density}
        each = self.rng.randint(min(1, len(last)), len(last))
        if style == 2:
            return {(*key, a) for key in keys for a in self.rng.sample(last, each)}
        return {(*k, (sum(k) + j) % len(last)) for k in keys for j in range(each)}

    def _force(
        self,
        condition: Count,
        tables: Mapping[Relation, Table],
        indices: Mapping[Index, int],
    ) -> None:
        """Make a condition on named elements true."""
        if condition.over or len(condition.atoms) != 1:
            return
        (atom,) = condition.atoms
        table, entries = tables[atom.relation], _entries(atom, indices)
        if condition.size == 0 and not atom.relation.functional:
            table.discard(entries)
        elif condition.size == 1:
            if atom.relation.functional:
                table -= {other for other in table if other[:-1] == entries[:-1]}
            table.add(entries)


def _integer(size: RationalFunction, values: Values) -> int:
    """A size at the values of its symbols; -1 if that is no integer."""
    if not size.names:
        number = size.as_fraction()
    else:
        try:
            number = size(**{name: values[name] for name in size.names}).as_fraction()
        except ZeroDivisionError:
            return -1
    return int(number) if number.denominator == 1 else -1


def _entries(atom: Holds, indices: Mapping[Index, int]) -> tuple[int, ...]:
    return tuple(indices[slot] for slot in atom.entries)  # type: ignore[index]


def tuples(
    condition: Count,
    tables: Mapping[Relation, Collection[tuple[int, ...]]],
    lengths: Mapping[Range, int],
    indices: Mapping[Index, int],
) -> int:
    """How many values of the indices it runs over satisfy a condition."""
    total = 0
    for values in itertools.product(*(range(lengths[index.range]) for index in condition.over)):
        taken = {**indices, **dict(zip(condition.over, values, strict=True))}
        total += all(_entries(atom, taken) in tables[atom.relation] for atom in condition.atoms)
    return total


def _solved(equations: Sequence[tuple[RationalFunction, int]], values: Values) -> bool:
    """Whether values of the symbols that are left, put into *values*, solve all equations."""
    left = [(size(**values), number) for size, number in equations]
    while left:
        left.sort(key=lambda equation: len(equation[0].names))
        size, number = left.pop(0)
        if size.names:
            # One symbol is solved for; where there are several, the others are one.
            *others, name = size.names
            new: Values = dict.fromkeys(others, 1)
            rest = size(**new) if others else size
            start = rest(**{name: 0}).as_fraction()
            slope = rest(**{name: 1}).as_fraction() - start
            if slope == 0:
                return False
            new[name] = (number - start) / slope
            values.update(new)
            size, left = size(**new), [(other(**new), n) for other, n in left]
        if size != number:
            return False
    return True


def _coordinates(members: int, overlap: Fraction, d: int) -> list[list[Fraction]] | None:
    """Rational unit vectors of R^d with one inner product; None if there are none, or none easy."""

    def row(*entries: Fraction | int) -> list[Fraction]:
        return [*map(Fraction, entries), *[Fraction(0)] * (d - len(entries))]

    if overlap == 0 and members <= d:
        return [row(*[0] * i, 1) for i in range(members)]
    if overlap == 1 or members < 2:
        return [row(1)] * members
    if overlap == -1 and members == 2:
        return [row(1), row(-1)]
    square = 1 - overlap**2
    sine = Fraction(isqrt(max(square.numerator, 0)), isqrt(square.denominator))
    if members == 2 and d >= 2 and sine**2 == square:
        return [row(1), row(overlap, sine)]
    return None
