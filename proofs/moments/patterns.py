"""Coincidence patterns of indices: products of sums, expanded copy by copy up to symmetry.

The k-th power of sum_z T(z) runs over z_1, ..., z_k; what matters is which of them coincide, with
each other and with named indices. Copies are multiplied in one after another, and states that differ
only in the names of fresh values are merged at once, so the k! orderings are never enumerated.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from proofs.algebra import RationalFunction
from proofs.moments.expressions import Expression, Term
from proofs.moments.graphs import ORTHOGONAL, Graph, Kind
from proofs.moments.indices import Equal, Holds, Image, Index, Slot
from proofs.moments.laws import Family
from proofs.moments.relations import Fact
from proofs.moments.subspaces import WHOLE, meet
from proofs.moments.world import Element, World

Vertex = tuple[int, int]  # (family, element)
Edges = tuple[tuple[Vertex, Vertex, Kind, int], ...]


@dataclass(frozen=True)
class State:
    """A pattern with the product of inner products met so far.

    ``fresh`` lists the fresh elements in the order of their numbers: (range, image element or -1).
    ``visits`` counts for every element (named ones first) how many bound indices took its value.
    ``facts`` are the tuples of relations that fresh elements must satisfy.
    """

    fresh: tuple[Element, ...]
    visits: tuple[int, ...]
    edges: Edges
    facts: tuple[Fact, ...] = ()


class Where(NamedTuple):
    """Where a slot points: to the named element *at*, or to the value of the bound index *at*, or,
    with *image*, to the output of that value under the map of its range."""

    at: int
    bound: bool
    image: bool = False

    def find(self, values: Sequence[int], elements: Sequence[Element]) -> int:
        if not self.bound:
            return self.at
        return elements[values[self.at]][1] if self.image else values[self.at]


@dataclass(frozen=True)
class Factor:
    """A term made ready for insertion: its slots resolved against the named elements."""

    coefficient: RationalFunction
    bound: tuple[int, ...]
    edges: tuple[tuple[int, Where, int, Where, Kind, bool], ...]
    equal: tuple[tuple[Where, Where], ...]
    facts: tuple[tuple[int, tuple[Where, ...]], ...]


class Expansion:
    """Products of scalar expressions, expanded into states over the elements of a world."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._ready: dict[Expression, list[Factor]] = {}
        self._asymmetric = {s for s, f in world.families.items() if not f.symmetric}

    def start(self) -> dict[State, RationalFunction]:
        """The empty product."""
        return {State((), (0,) * len(self.world.named), ()): RationalFunction.constant(1)}

    def multiply(
        self, states: dict[State, RationalFunction], copy: Expression, spare: int
    ) -> dict[State, RationalFunction]:
        """All states times one more factor *copy*; *spare* more factors will follow.

        A vertex of odd degree makes an expectation vanish; states with more odd vertices than the
        factors to come can mend are dropped at once.
        """
        if copy not in self._ready:
            self._ready[copy] = [self._prepare(term) for term in copy.terms]
        product: dict[State, RationalFunction] = {}
        named = len(self.world.named)
        for state, value in states.items():
            odd = self._odd(state.edges)
            for factor in self._ready[copy]:
                extra = value * factor.coefficient
                for raw in self._insert(state, factor, odd, spare):
                    canonical = _canonical(raw, named)
                    product[canonical] = (
                        product[canonical] + extra if canonical in product else extra
                    )
        return product

    def _prepare(self, term: Term) -> Factor:
        def where(slot: Slot) -> Where:
            if isinstance(slot, Image) and slot.source in term.bound:
                return Where(term.bound.index(slot.source), True, True)
            if isinstance(slot, Index) and slot in term.bound:
                return Where(term.bound.index(slot), True)
            return Where(self.world.element(slot), False)

        edges = []
        for edge in term.edges:
            left, right = edge.left, edge.right
            part = meet(left.part, right.part)
            assert part is not None
            drops = left.family.unit_norm and part == WHOLE and edge.order == 1
            kind = Kind(part, edge.order)
            ends = (left.family.serial, where(left.slot), right.family.serial, where(right.slot))
            edges.append((*ends, kind, drops))
        relations = self.world.relations
        return Factor(
            term.coefficient,
            tuple(self.world.range_number(index.range) for index in term.bound),
            tuple(edges),
            tuple((where(r.left), where(r.right)) for r in term.where if isinstance(r, Equal)),
            tuple(
                (relations.number(r.relation), tuple(map(where, r.entries)))
                for r in term.where
                if isinstance(r, Holds)
            ),
        )

    def _insert(
        self, state: State, factor: Factor, odd: frozenset[Vertex], spare: int
    ) -> Iterator[State]:
        """The state with one more factor, for all values of its bound indices that leave at most
        *spare* vertices *odd*."""
        world = self.world
        for fresh, values in self._assign(factor.bound, 0, state.fresh, ()):
            elements = [*world.named, *fresh]
            if any(a.find(values, elements) != b.find(values, elements) for a, b in factor.equal):
                continue
            facts = self._facts(state, factor, values, elements)
            if facts is None:
                continue
            new: list[tuple[Vertex, Vertex, Kind]] = []
            still_odd = set(odd)
            for f, left, g, right, kind, drops in factor.edges:
                a, b = (f, left.find(values, elements)), (g, right.find(values, elements))
                if a == b and drops:
                    continue
                new.append((a, b, kind) if a <= b else (b, a, kind))
                if kind.order % 2:
                    still_odd ^= {a} ^ {b}
            if sum(v[0] not in self._asymmetric for v in still_odd) > spare:
                continue
            edges = {(a, b, kind): n for a, b, kind, n in state.edges}
            for key in new:
                edges[key] = edges.get(key, 0) + 1
            visits = list(state.visits) + [0] * (len(elements) - len(state.visits))
            for value in values:
                visits[value] += 1
            listed = tuple(sorted((*key, n) for key, n in edges.items()))
            yield State(fresh, tuple(visits), listed, facts)

    def _assign(
        self,
        bound: tuple[int, ...],
        position: int,
        fresh: tuple[Element, ...],
        values: tuple[int, ...],
    ) -> Iterator[tuple[tuple[Element, ...], tuple[int, ...]]]:
        """All values of the bound indices, over ranges *bound*, from *position* on."""
        if position == len(bound):
            yield fresh, values
            return
        for element, created in self.world.choices(bound[position], fresh):
            yield from self._assign(bound, position + 1, fresh + created, (*values, element))

    def _facts(
        self,
        state: State,
        factor: Factor,
        values: Sequence[int],
        elements: Sequence[Element],
    ) -> tuple[Fact, ...] | None:
        """The facts of the state and those that the factor adds; None if one is false."""
        if not factor.facts:
            return state.facts
        relations, facts = self.world.relations, list(state.facts)
        for number, entries in factor.facts:
            fact = number, tuple(entry.find(values, elements) for entry in entries)
            if fact in facts:
                continue
            if all(e < len(self.world.named) for e in fact[1]):
                if not self.world.holds(fact):
                    return None
            elif relations.determined(fact, facts):
                return None
            else:
                facts.append(fact)
        return tuple(sorted(facts))

    def _odd(self, edges: Edges) -> frozenset[Vertex]:
        """The vertices that occur to an odd power."""
        odd: set[Vertex] = set()
        for a, b, kind, n in edges:
            if n * kind.order % 2:
                odd ^= {a} ^ {b}
        return frozenset(odd)

    def graph(self, state: State) -> tuple[dict[int, Family], Graph]:
        """The edges of a state over numbered vertices, and the law of each vertex."""
        families = self.world.families
        edges = list(state.edges)
        vertices = {v for a, b, *_ in edges for v in (a, b)}
        # A vector drawn orthogonal to another brings that one along.
        waiting = sorted(vertices)
        while waiting:
            child = waiting.pop()
            parent = families[child[0]].orthogonal_to
            if parent is not None:
                to = (parent.family.serial, self.world.element(parent.slot))
                edges.append((*sorted((child, to)), ORTHOGONAL, 1))  # type: ignore[arg-type]
                if to not in vertices:
                    vertices.add(to)
                    waiting.append(to)
        number = {v: i for i, v in enumerate(sorted(vertices))}
        graph = tuple(sorted((number[a], number[b], kind, n) for a, b, kind, n in edges))
        return {i: families[v[0]] for v, i in number.items()}, graph

    def describe(self, state: State) -> str:
        """The pattern in words: which values the summed indices take, and how often; may be empty."""
        parts = []
        elements = [*self.world.named, *state.fresh]
        for number, times in enumerate(state.visits):
            if times:
                label = self.world.label(number, elements)
                parts.append(label if times == 1 else f"{label} ({times} times)")
        return ", ".join(parts)


def _canonical(state: State, named: int) -> State:
    """The state with its fresh elements renumbered in an order that ignores their names."""
    count = len(state.fresh)
    if count < 2:
        return state
    signature: list[tuple[object, ...]] = []
    for offset, (where, image) in enumerate(state.fresh):
        number = named + offset
        around = []
        for a, b, kind, n in state.edges:
            if a[1] == number:
                around.append((a[0], b[0], min(b[1], named), kind, n))
            if b[1] == number:
                around.append((b[0], a[0], min(a[1], named), kind, n))
        around.sort()
        related = sorted(
            (r, entries.index(number), tuple(min(e, named) for e in entries))
            for r, entries in state.facts
            if number in entries
        )
        visits = state.visits[number]
        signature.append((where, min(image, named), visits, tuple(around), tuple(related)))
    # An output is told apart by the inputs that lie over it, an input by its output.
    full = []
    for offset, (_, image) in enumerate(state.fresh):
        over = [signature[o] for o, (_, i) in enumerate(state.fresh) if i == named + offset]
        below = (signature[image - named],) if image >= named else ()
        full.append((signature[offset], below, sorted(over)))
    order = sorted(range(count), key=lambda o: (full[o], o))
    if order == list(range(count)):
        return state
    new = {named + old: named + position for position, old in enumerate(order)}
    fresh = tuple((state.fresh[o][0], new.get(state.fresh[o][1], state.fresh[o][1])) for o in order)
    moved = state.visits[:named] + tuple(state.visits[named + o] for o in order)
    edges: list[tuple[Vertex, Vertex, Kind, int]] = []
    for (f, first), (g, second), kind, n in state.edges:
        left, right = (f, new.get(first, first)), (g, new.get(second, second))
        edges.append((left, right, kind, n) if left <= right else (right, left, kind, n))
    facts = sorted((r, tuple(new.get(e, e) for e in entries)) for r, entries in state.facts)
    return State(fresh, moved, tuple(sorted(edges)), tuple(facts))
