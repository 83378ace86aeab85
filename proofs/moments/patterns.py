"""Coincidence patterns of indices: products of sums, expanded copy by copy up to symmetry.

The k-th power of sum_z T(z) runs over z_1, ..., z_k; what matters is which of them coincide, with
each other and with named indices. Copies are multiplied in one after another, and states that differ
only in the names of fresh values are merged at once, so the k! orderings are never enumerated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from proofs.algebra import RationalFunction
from proofs.moments.expressions import Expression, Term
from proofs.moments.graphs import ORTHOGONAL, Graph, Kind
from proofs.moments.indices import Equal, Holds, Image, Slot
from proofs.moments.relations import Fact
from proofs.moments.subspaces import WHOLE, meet
from proofs.moments.vectors import Law
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


#: An inner product, its ends resolved: families and slots, kind, whether <v,v> = 1 is dropped.
ReadyEdge = tuple[int, Where, int, Where, Kind, bool]


@dataclass(frozen=True)
class Frame:
    """What terms with the same summed indices share: their ranges and what restricts them."""

    bound: tuple[int, ...]
    equal: tuple[tuple[Where, Where], ...]
    facts: tuple[tuple[int, tuple[Where, ...]], ...]


#: What an inner product joins: families and slots.
Ends = tuple[int, Where, int, Where]

Terms = list[tuple[RationalFunction, tuple[ReadyEdge, ...]]]

#: The terms of an expression made ready for insertion, by their frames.
Ready = dict[Frame, Terms]


#: New edges, each with its multiplicity.
NewEdges = tuple[tuple[tuple[Vertex, Vertex, Kind], int], ...]


@dataclass(frozen=True)
class Choice:
    """Values of the summed indices of a frame, and what its terms multiply a state by there.

    The products of new edges are grouped by the vertices that they visit an odd number of times,
    so that those which leave too many odd ones are passed over together.
    """

    values: tuple[int, ...]
    fresh: tuple[Element, ...]
    facts: tuple[Fact, ...]
    products: dict[frozenset[Vertex], dict[NewEdges, RationalFunction]]


@dataclass(frozen=True)
class Growing:
    """A product of edges while the indices it is summed over are chosen one after another.

    ``stages`` are the pairs of ends between which there is an odd number of edges of odd order, by how
    many indices must be chosen before both are known; ``odd`` are the vertices with an odd number of
    known edges, ``left`` counts the pairs that are not known yet.
    """

    stages: tuple[frozenset[Ends], ...]
    odd: frozenset[Vertex]
    left: int

    @classmethod
    def of(cls, factor: tuple[ReadyEdge, ...], odd: frozenset[Vertex], frame: Frame) -> Growing:
        """The product before any index is chosen."""
        stages: list[set[Ends]] = [set() for _ in range(len(frame.bound) + 1)]
        for f, left, g, right, kind, _ in factor:
            if kind.order % 2:
                known = max(end.at + 1 if end.bound else 0 for end in (left, right))
                stages[known] ^= {(f, left, g, right)}
        return cls(tuple(map(frozenset, stages)), odd, sum(map(len, stages)))

    def grown(
        self, values: Sequence[int], elements: Sequence[Element], asymmetric: set[int]
    ) -> Growing:
        """With the edges that the last of the *values* makes known."""
        known, odd = self.stages[len(values)], self.odd
        for f, left, g, right in known:
            ends = {(f, left.find(values, elements))} ^ {(g, right.find(values, elements))}
            odd ^= {end for end in ends if end[0] not in asymmetric}
        return Growing(self.stages, odd, self.left - len(known))


class Expansion:
    """Products of scalar expressions, expanded into states over the elements of a world."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._ready: dict[Expression, Ready] = {}
        self._choices: dict[tuple[object, ...], list[Choice]] = {}
        self._asymmetric = {s for s, f in world.families.items() if not f.symmetric}

    def forget(self) -> None:
        """Let go of what only a further ``multiply`` would use."""
        self._ready.clear()
        self._choices.clear()

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
            self._ready[copy] = self._prepare(copy)
        product: dict[State, RationalFunction] = {}
        named = len(self.world.named)
        for state, value in states.items():
            odd = self._odd(state.edges)
            for choice in self._chosen(state, copy, odd, spare):
                for toggled, factors in choice.products.items():
                    if len(odd ^ toggled) > spare:
                        continue
                    for edges, coefficient in factors.items():
                        canonical = _canonical(_inserted(state, choice, edges), named)
                        extra = value * coefficient
                        product[canonical] = (
                            product[canonical] + extra if canonical in product else extra
                        )
        return product

    def _prepare(self, expression: Expression) -> Ready:
        ready: Ready = {}
        for term in expression.terms:
            frame, edges = self._resolve(term)
            ready.setdefault(frame, []).append((term.coefficient, edges))
        return ready

    def _resolve(self, term: Term) -> tuple[Frame, tuple[ReadyEdge, ...]]:
        def where(slot: Slot) -> Where:
            if isinstance(slot, Image) and slot.source in term.bound:
                return Where(term.bound.index(slot.source), True, True)
            if slot in term.bound:
                return Where(term.bound.index(slot), True)
            return Where(self.world.element(slot), False)

        edges = []
        for edge in term.edges:
            left, right = edge.left, edge.right
            part = meet(left.part, right.part)
            assert part is not None
            drops = left.family.unit_norm and part == WHOLE
            ends = (left.family.serial, where(left.slot), right.family.serial, where(right.slot))
            edges.append((*ends, Kind(part, edge.order), drops))
        relations = self.world.relations
        frame = Frame(
            tuple(self.world.range_number(index.range) for index in term.bound),
            tuple((where(r.left), where(r.right)) for r in term.where if isinstance(r, Equal)),
            tuple(
                (relations.number(r.relation), tuple(map(where, r.entries)))
                for r in term.where
                if isinstance(r, Holds)
            ),
        )
        return frame, tuple(edges)

    def _chosen(
        self, state: State, copy: Expression, odd: frozenset[Vertex], spare: int
    ) -> list[Choice]:
        """All values of the summed indices of *copy*; states with the same elements share them."""
        found: list[Choice] = []
        for frame, terms in self._ready[copy].items():
            # Two indices are chosen faster without looking, and the choices serve more states.
            look = (odd, spare) if len(frame.bound) > 2 else None
            key = (state.fresh, state.facts, copy, frame, look)
            if key not in self._choices:
                self._choices[key] = list(self._choose(state, frame, terms, look))
            found += self._choices[key]
        return found

    def _choose(
        self,
        state: State,
        frame: Frame,
        terms: Terms,
        look: tuple[frozenset[Vertex], int] | None,
    ) -> Iterator[Choice]:
        live = (
            [] if look is None else [*{Growing.of(factor, look[0], frame) for _, factor in terms}]
        )
        spare = None if look is None else look[1]
        for fresh, values in self._assign(frame.bound, state.fresh, (), live, spare):
            elements = (*self.world.named, *fresh)
            if any(a.find(values, elements) != b.find(values, elements) for a, b in frame.equal):
                continue
            facts = self._facts(state, frame, values, elements)
            if facts is not None:
                yield Choice(values, fresh, facts, self._products(terms, values, elements))

    def _products(
        self, terms: Terms, values: Sequence[int], elements: Sequence[Element]
    ) -> dict[frozenset[Vertex], dict[NewEdges, RationalFunction]]:
        """The terms at given values of their indices, equal products brought together."""
        products: dict[frozenset[Vertex], dict[NewEdges, RationalFunction]] = {}
        for coefficient, factor in terms:
            new: dict[tuple[Vertex, Vertex, Kind], int] = {}
            for f, left, g, right, kind, drops in factor:
                a, b = (f, left.find(values, elements)), (g, right.find(values, elements))
                if a != b or not drops:
                    key = (a, b, kind) if a <= b else (b, a, kind)
                    new[key] = new.get(key, 0) + 1
            edges = tuple(sorted(new.items()))
            group = products.setdefault(self._odd((*key, n) for key, n in edges), {})
            group[edges] = group[edges] + coefficient if edges in group else coefficient
        return products

    def _assign(
        self,
        bound: tuple[int, ...],
        fresh: tuple[Element, ...],
        values: tuple[int, ...],
        live: list[Growing],
        spare: int | None,
    ) -> Iterator[tuple[tuple[Element, ...], tuple[int, ...]]]:
        """All values of the bound indices, over ranges *bound*, that follow the first *values*.

        With *spare* only those by which one of the *live* products can still end with at most that
        many odd vertices.
        """
        if spare is not None:
            elements = (*self.world.named, *fresh)
            live = [g.grown(values, elements, self._asymmetric) for g in live]
            live = [g for g in live if len(g.odd) <= spare + 2 * g.left]
            if not live:
                return
        if len(values) == len(bound):
            yield fresh, values
            return
        for element, created in self.world.choices(bound[len(values)], fresh):
            yield from self._assign(bound, fresh + created, (*values, element), live, spare)

    def _facts(
        self, state: State, frame: Frame, values: Sequence[int], elements: Sequence[Element]
    ) -> tuple[Fact, ...] | None:
        """The facts of the state and those that the frame adds; None if one is false."""
        relations, facts = self.world.relations, list(state.facts)
        for number, entries in frame.facts:
            fact = number, tuple(entry.find(values, elements) for entry in entries)
            if fact in facts:
                continue
            if all(e < len(self.world.named) for e in fact[1]):
                if not self.world.holds(fact):
                    return None
            elif relations.contradicts(fact, facts, len(self.world.named)):
                return None
            else:
                facts.append(fact)
        return tuple(sorted(facts))

    def _odd(self, edges: Iterable[tuple[Vertex, Vertex, Kind, int]]) -> frozenset[Vertex]:
        """The random vectors that occur to an odd power."""
        odd: set[Vertex] = set()
        for a, b, kind, n in edges:
            if n * kind.order % 2:
                odd ^= {a} ^ {b}
        return frozenset(v for v in odd if v[0] not in self._asymmetric)

    def graph(self, state: State) -> tuple[dict[int, Law], Graph]:
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
                edges.append((child, to, ORTHOGONAL, 1))
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


def _inserted(state: State, choice: Choice, new: NewEdges) -> State:
    """The state with one more product of edges."""
    edges = {(a, b, kind): n for a, b, kind, n in state.edges}
    for key, n in new:
        edges[key] = edges.get(key, 0) + n
    elements = len(state.visits) - len(state.fresh) + len(choice.fresh)
    visits = list(state.visits) + [0] * (elements - len(state.visits))
    for value in choice.values:
        visits[value] += 1
    listed = tuple(sorted((*key, n) for key, n in edges.items()))
    return State(choice.fresh, tuple(visits), listed, choice.facts)


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
