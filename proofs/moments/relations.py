"""Counting the ways to choose elements that stand in given relations.

What is known are counts for connected shapes: |A_z|, the number of pairs (z, a), the number of z
with two given a and b in A_z. A pattern whose elements may coincide splits into such shapes; that
all of its elements differ is inclusion and exclusion (counting.coincidences).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from math import prod

from proofs.algebra import RationalFunction
from proofs.algebra.elimination import eliminated
from proofs.algebra.symbols import ONE, ZERO
from proofs.derived import Bound
from proofs.moments.counting import coincidences
from proofs.moments.indices import Relation

#: A tuple of a relation over elements: n >= 0 is a named element, -1 - j the j-th free one.
Fact = tuple[int, tuple[int, ...]]

#: A connected shape: its facts with the free elements numbered canonically.
Shape = tuple[Fact, ...]


class Relations:
    """The relations of a computation and the counts that the conditions state."""

    def __init__(self) -> None:
        self.relations: list[Relation] = []
        self.counts: dict[Shape, RationalFunction] = {}
        #: The facts on named elements that are known to hold.
        self._known: list[Fact] = []

    def number(self, relation: Relation) -> int:
        if relation not in self.relations:
            self.relations.append(relation)
        return self.relations.index(relation)

    def state(self, facts: Sequence[Fact], size: RationalFunction) -> RationalFunction:
        """Record a count; returns the one that is known already, or *size*."""
        shape = _canonical(facts)
        if shape not in self.counts and _is_true(shape, size):
            self._known.append(shape[0])
        return self.counts.setdefault(shape, size)

    def check(self) -> None:
        """ValueError where a functional relation is said to have two values, or none."""
        for shape, size in self.counts.items():
            number, entries = shape[0]
            only_last = [e < 0 for e in entries] == [False] * (len(entries) - 1) + [True]
            functional = self.relations[number].functional
            if functional and len(shape) == 1 and only_last and not size.names and size != 1:
                raise ValueError(
                    f"given: a count of {size} last entries contradicts that "
                    f"{self.relations[number]} is functional, which has exactly one"
                )
        if self._two_values(self._values()) is not None:
            raise ValueError(
                "given: a functional relation holds for two different last entries, which "
                "contradicts that the others determine it"
            )

    def truth(self, fact: Fact) -> bool | None:
        """Whether a fact on named elements holds; None if it is not known."""
        size = self.counts.get(_canonical([fact]))
        return None if size is None else size != 0

    def contradicts(self, fact: Fact, others: Sequence[Fact], named: int) -> bool:
        """Whether a fact on elements cannot hold beside *others* and the stated counts.

        Elements from *named* on are fresh: they differ from all named ones.
        """
        if self._two_values([fact, *others, *self._values()]) is not None:
            return True
        number, entries = fact
        fresh = sorted({e for e in entries if e >= named})
        free = (number, tuple(-1 - fresh.index(e) if e in fresh else e for e in entries))
        return self._witnesses(free) is not None

    def _witnesses(self, fact: Fact) -> list[int] | None:
        """The values of the one free element of a fact, where named elements are known to be all."""
        entries = fact[1]
        if len({e for e in entries if e < 0}) != 1:
            return None
        size = self.counts.get(_canonical([fact]))
        at = next(i for i, e in enumerate(entries) if e < 0)
        found = self._examples(fact, at)
        return found if size == len(found) else None

    def _examples(self, fact: Fact, at: int) -> list[int]:
        """The named elements that are known to fulfil a fact in place of its free one, entry *at*."""
        number, entries = fact
        return [
            known[at]
            for other, known in self._known
            if other == number and known == tuple(known[at] if e < 0 else e for e in entries)
        ]

    def bounds(
        self,
        named: Sequence[int],
        where: Callable[[int, int], int],
        size: Callable[[int], RationalFunction],
    ) -> list[Bound]:
        """What the stated counts must satisfy: no number of fresh elements is negative.

        *named*: the ranges of the named elements; *where* gives the range of an entry of a relation.
        """
        fresh: dict[Shape, RationalFunction] = {}
        bounds: list[Bound] = []
        for shape in self.counts:
            ranges = {
                e: where(number, at)
                for number, entries in shape
                for at, e in enumerate(entries)
                if e < 0
            }
            if ranges:
                kinds = [ranges[e] for e in sorted(ranges, reverse=True)]
                # What a bound would need and nobody states is no bound.
                with suppress(ValueError):
                    fresh[shape] = self.multiplicity(kinds, named, shape, size, str)
                    implied = self._ways(ranges, shape, size, str) - self.counts[shape]
                    if implied != 0:
                        bounds += [Bound(implied, 0), Bound(-implied, 0)]
        bounds += [Bound(ways, 0) for ways in fresh.values()]
        for small, large in itertools.permutations(fresh, 2):
            # An element that fulfils more facts fulfils fewer.
            if set(small) < set(large) and _free(small) == _free(large):
                bounds.append(Bound(fresh[small] - fresh[large], 0))
        for shape in self.counts:
            kinds = [where(number, at) for number, at in _places(shape)]
            if len(shape) == 1 and len(kinds) > 1:
                room = prod((size(kind) for kind in kinds), start=ONE)
                what = f"the number of pairs and the like outside {self.relations[shape[0][0]]}"
                bounds.append(Bound(room - self.counts[shape], 0, what=what))
        return bounds + self._cells(named, where, size)

    def _cells(
        self,
        named: Sequence[int],
        where: Callable[[int, int], int],
        size: Callable[[int], RationalFunction],
    ) -> list[Bound]:
        """That sets fit into their range: each part of it that some of them have and others leave has
        room for the named elements that are known to lie there.

        Sets are the facts with one free element. Those are looked at together of which it is known
        what they have in common, or what all but one of them have.
        """
        counted: dict[int, list[frozenset[Fact]]] = {}
        for shape in self.counts:
            # A fact on named elements alone, beside others, is no set.
            if len(_free(shape)) == 1 and all(_free((fact,)) for fact in shape):
                ((number, at),) = _places(shape)
                counted.setdefault(where(number, at), []).append(frozenset(shape))
        bounds: list[Bound] = []
        lies = cache(self._lies)
        for kind, stated in counted.items():
            common = _Common(self, kind, size)
            facts = sorted(frozenset().union(*stated))
            members = [e for e, other in enumerate(named) if other == kind]
            told = {frozenset({fact}) for fact in facts if common(frozenset({fact})) is not None}
            families = [*stated, *told]
            while told:
                larger = {family | {fact} for family in told for fact in facts} - told
                larger = {f for f in larger if len(f) == 2 or all(f - {x} in told for x in f)}
                told = {family for family in larger if common(family) is not None}
                families += [family for family in larger if len(family) > 2 or family in told]
            for family in sorted(set(families), key=sorted):
                bounds += self._parts(family, members, common, lies)
        return bounds

    def _parts(
        self,
        family: frozenset[Fact],
        members: Sequence[int],
        common: _Common,
        lies: Callable[[int, Fact], bool | None],
    ) -> list[Bound]:
        """That each part of a range which some sets leave there has room; counts that are not known
        are whatever fits."""
        facts, open_ = sorted(family), dict[frozenset[Fact], RationalFunction]()
        known = [e for e in members if all(lies(e, fact) is not None for fact in facts)]
        rooms = []
        for chosen in itertools.product((True, False), repeat=len(facts)):
            inside = frozenset(fact for fact, has in zip(facts, chosen, strict=True) if has)
            room = ZERO
            for more in _subsets(family - inside):
                ways = common(more | inside)
                if ways is None:
                    fit = RationalFunction.symbol(f"elements_in_common_{len(open_)}")
                    ways = open_.setdefault(more | inside, fit)
                room = room + ways * (-1) ** len(more)
            there = [e for e in known if all(lies(e, f) == (f in inside) for f in facts)]
            rooms.append(room - len(there))
        fitting = [name for fit in open_.values() for name in fit.names]
        names = " and ".join(dict.fromkeys(self.relations[number].name for number, _ in facts))
        what = f"a number of elements in or outside {names}"
        rooms = eliminated(rooms, fitting) if fitting else rooms
        return [Bound(room, 0, what=what) for room in rooms]

    def _lies(self, element: int, fact: Fact) -> bool | None:
        """Whether a named element lies in a set; None if that is not known."""
        number, entries = fact
        one = number, tuple(element if e < 0 else e for e in entries)
        truth = self.truth(one)
        return False if truth is None and self.contradicts(one, (), element + 1) else truth

    def multiplicity(
        self,
        fresh: Sequence[int],
        named: Sequence[int],
        facts: Sequence[Fact],
        size: Callable[[int], RationalFunction],
        say: Callable[[Shape], str],
    ) -> RationalFunction:
        """In how many ways *fresh* elements, all different from each other and the named ones, satisfy
        the *facts*, whose free elements -1 - j are the fresh ones.

        *fresh* and *named* give the ranges, *size* the size of a range. Raises ValueError for a
        shape whose count is not known; *say* puts it into words.
        """
        total = RationalFunction.constant(0)
        for weight, values in coincidences(fresh, named):
            free = {v: fresh[i] for i, v in enumerate(values) if v < 0}
            merged = [
                (number, tuple(e if e >= 0 else values[-1 - e] for e in entries))
                for number, entries in facts
            ]
            ways = self._ways(free, merged, size, say)
            total = total + ways * weight
        return total

    def _ways(
        self,
        free: Mapping[int, int],
        facts: Sequence[Fact],
        size: Callable[[int], RationalFunction],
        say: Callable[[Shape], str],
    ) -> RationalFunction:
        """The ways to choose *free* elements (with their ranges) that need not differ."""
        closed = self._close(free, facts)
        if closed is None:
            return RationalFunction.constant(0)
        left, rest = closed
        for fact in rest:
            witnesses = self._witnesses(fact)
            if witnesses is not None:
                element = min(fact[1])
                others = {e: where for e, where in left.items() if e != element}
                cases = [[_replace(f, element, w) for f in rest] for w in witnesses]
                ways = (self._ways(others, case, size, say) for case in cases)
                return sum(ways, RationalFunction.constant(0))
        product = RationalFunction.constant(1)
        for element, where in left.items():
            if not any(element in entries for _, entries in rest):
                product = product * size(where)
        for shape in _components(rest):
            known = self.counts.get(_canonical(shape))
            if known is None:
                raise ValueError(say(tuple(shape)))
            product = product * known
        return product

    def _close(
        self, free: Mapping[int, int], facts: Sequence[Fact]
    ) -> tuple[dict[int, int], list[Fact]] | None:
        """Use that functional relations determine their last entry; None if that is contradictory."""
        left = dict(free)
        rest = list(dict.fromkeys([*facts, *self._values()]))
        while (pair := self._two_values(rest)) is not None:
            low, high = sorted(pair)
            if low >= 0:
                return None
            rest = list(dict.fromkeys(_replace(fact, low, high) for fact in rest))
            del left[low]
        while (idle := self._idle(rest)) is not None:
            # The last entry exists and is one: the fact says nothing more.
            rest.remove(idle)
            del left[idle[1][-1]]
        return left, rest

    def _values(self) -> list[Fact]:
        """The facts of functional relations that are known to hold."""
        return [fact for fact in self._known if self.relations[fact[0]].functional]

    def _two_values(self, facts: Sequence[Fact]) -> tuple[int, int] | None:
        """Two names for the last entry of a functional relation."""
        values: dict[Fact, int] = {}
        for number, entries in facts:
            if self.relations[number].functional:
                first = values.setdefault((number, entries[:-1]), entries[-1])
                if first != entries[-1]:
                    return first, entries[-1]
        return None

    def _idle(self, facts: Sequence[Fact]) -> Fact | None:
        """A fact of a functional relation whose last entry is free and occurs nowhere else."""
        for number, entries in facts:
            uses = sum(others.count(entries[-1]) for _, others in facts)
            if self.relations[number].functional and entries[-1] < 0 and uses == 1:
                return number, entries
        return None


class _Common:
    """How many elements of a range some sets have in common; None where that is not known."""

    def __init__(
        self, relations: Relations, kind: int, size: Callable[[int], RationalFunction]
    ) -> None:
        self._relations, self._kind, self._size = relations, kind, size
        self._known: dict[frozenset[Fact], RationalFunction | None] = {}

    def __call__(self, family: frozenset[Fact]) -> RationalFunction | None:
        if not family:
            return self._size(self._kind)
        if family not in self._known:
            self._known[family] = self._count(family)
        return self._known[family]

    def _count(self, family: frozenset[Fact]) -> RationalFunction | None:
        if len(family) > 1 and any(self(family - {fact}) == 0 for fact in family):
            return ZERO
        known = self._relations.counts.get(_canonical(tuple(family)))
        if known is not None:
            return known
        with suppress(ValueError):
            return self._relations._ways({-1: self._kind}, sorted(family), self._size, str)
        return None


def _subsets(facts: frozenset[Fact]) -> Iterator[frozenset[Fact]]:
    listed = sorted(facts)
    for length in range(len(listed) + 1):
        yield from map(frozenset, itertools.combinations(listed, length))


def _places(shape: Shape) -> list[tuple[int, int]]:
    """Where each free element of a shape stands first: relation and entry."""
    found: dict[int, tuple[int, int]] = {}
    for number, entries in shape:
        for at, e in enumerate(entries):
            if e < 0:
                found.setdefault(e, (number, at))
    return list(found.values())


def _free(shape: Shape) -> set[int]:
    return {e for _, entries in shape for e in entries if e < 0}


def _is_true(shape: Shape, size: RationalFunction) -> bool:
    return len(shape) == 1 and all(e >= 0 for e in shape[0][1]) and size == 1


def _replace(fact: Fact, old: int, new: int) -> Fact:
    return fact[0], tuple(new if e == old else e for e in fact[1])


def _components(facts: Sequence[Fact]) -> list[list[Fact]]:
    """The facts in groups that share free elements, one after another."""
    groups: list[tuple[set[int], list[Fact]]] = []
    for fact in facts:
        free = {e for e in fact[1] if e < 0}
        touched = [group for group in groups if group[0] & free]
        groups = [group for group in groups if not group[0] & free]
        elements = free.union(*(group[0] for group in touched))
        groups.append((elements, [f for _, fs in touched for f in fs] + [fact]))
    return [fs for _, fs in groups]


def _canonical(facts: Sequence[Fact]) -> Shape:
    """The facts with their free elements renumbered so that equal shapes are equal."""
    free = {e for _, entries in facts for e in entries if e < 0}
    return min(
        tuple(
            sorted(
                (number, tuple(e if e >= 0 else -1 - order.index(e) for e in entries))
                for number, entries in set(facts)
            )
        )
        for order in itertools.permutations(free)
    )
