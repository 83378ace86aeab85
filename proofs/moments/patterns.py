"""Coincidence patterns of indices: products of sums, expanded copy by copy up to symmetry.

The k-th power of sum_z T(z) runs over z_1, ..., z_k; what matters is which of them coincide, with
each other and with named indices. Copies are multiplied in one after another, and states that differ
only in the names of fresh values are merged at once, so the k! orderings are never enumerated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from proofs.algebra import RationalFunction
from proofs.moments.counting import falling, over_distinct_outputs
from proofs.moments.expressions import Atom, Expression, Term
from proofs.moments.graphs import Graph
from proofs.moments.indices import (
    Association,
    Condition,
    Distinct,
    Fibre,
    Image,
    Index,
    Range,
    Slot,
)
from proofs.moments.laws import Family

Vertex = tuple[int, int]  # (family, element)
Edges = tuple[tuple[Vertex, Vertex, int], ...]


@dataclass(frozen=True)
class State:
    """A pattern with the product of inner products met so far.

    ``fresh`` lists the fresh elements in the order of their numbers: (range, image element or -1).
    ``visits`` counts for every element (named ones first) how many bound indices took its value.
    """

    fresh: tuple[tuple[int, int], ...]
    visits: tuple[int, ...]
    edges: Edges


class World:
    """The named elements of a computation and what the conditions say of them."""

    def __init__(self, expressions: Sequence[Expression], given: Iterable[Condition]) -> None:
        self.ranges: list[Range] = []
        self.maps: dict[int, Association] = {}
        self.families: dict[int, Family] = {}
        self.named: list[tuple[int, int]] = []  # (range, image element or -1)
        self.labels: list[str] = []
        self._element: dict[Slot, int] = {}
        self._fibre: dict[int, RationalFunction] = {}
        self._indexed_by: dict[Family, int] = {}
        given = list(given)
        for expression in expressions:
            self._register_maps(expression)
        for condition in given:
            for slot in _slots(condition):
                self._register_map(slot)
        self._check_maps()
        for slot in [s for e in expressions for s in e.free_slots()] + [
            s for c in given for s in _slots(c)
        ]:
            self.element(slot)
        self._read(given)

    # -- construction ---------------------------------------------------------------------------

    def _register_maps(self, expression: Expression) -> None:
        for term in expression.terms:
            for index in term.bound:
                self.range_number(index.range)
            for slot in term.slots():
                self._register_map(slot)
            for atom in term.atoms():
                where = self.range_number(atom.slot.range)
                if self._indexed_by.setdefault(atom.family, where) != where:
                    raise ValueError(
                        f"{atom.family} is indexed by {self.ranges[self._indexed_by[atom.family]]} "
                        f"and by {atom.slot.range}; make one family for each range"
                    )

    def _register_map(self, slot: Slot) -> None:
        self.range_number(slot.range)
        if isinstance(slot, Image):
            domain = self.range_number(slot.source.range)
            if self.maps.setdefault(domain, slot.association) is not slot.association:
                raise ValueError(
                    f"two maps leave {slot.source.range}; the engine follows one a range"
                )

    def _check_maps(self) -> None:
        """Fibres are counted for one map into a range, and not for a range that maps on."""
        codomains = [self.range_number(m.codomain) for m in self.maps.values()]
        for where in codomains:
            if codomains.count(where) > 1:
                raise ValueError(
                    f"two maps enter {self.ranges[where]}; the engine follows one a range"
                )
            if where in self.maps:
                raise ValueError(
                    f"maps enter and leave {self.ranges[where]}; the engine follows one"
                )

    def range_number(self, range_: Range) -> int:
        if range_ not in self.ranges:
            self.ranges.append(range_)
        return self.ranges.index(range_)

    def element(self, slot: Slot) -> int:
        """The number of the named element *slot*, with its image where its range has a map."""
        if slot in self._element:
            return self._element[slot]
        if isinstance(slot, Image):
            number = self.named[self.element(slot.source)][1]
            if slot not in self._element:
                self._element[slot] = number
            return number
        assert isinstance(slot, Index)
        where = self.range_number(slot.range)
        image = -1
        if where in self.maps:
            association = self.maps[where]
            image = len(self.named)
            self.named.append((self.range_number(association.codomain), -1))
            self.labels.append(f"{association.name}({slot})")
            self._element[Image(association, slot)] = image
        self._element[slot] = len(self.named)
        self.named.append((where, image))
        self.labels.append(str(slot))
        return self._element[slot]

    def _read(self, given: list[Condition]) -> None:
        distinct = set()
        for condition in given:
            if isinstance(condition, Distinct):
                pair = frozenset({self.element(condition.left), self.element(condition.right)})
                if len(pair) == 1:
                    raise ValueError(f"given: {condition} contradicts itself")
                distinct.add(pair)
            elif isinstance(condition, Fibre):
                output = self.element(condition.slot)
                if self._fibre.setdefault(output, condition.size) != condition.size:
                    raise ValueError(
                        f"given: {condition} contradicts a fibre of {self._fibre[output]} inputs"
                    )
        for i, (where, _) in enumerate(self.named):
            for j in range(i):
                if self.named[j][0] == where and frozenset({i, j}) not in distinct:
                    raise ValueError(
                        f"given: do {self.labels[j]} and {self.labels[i]} coincide? "
                        f"Add {self.labels[j]} != {self.labels[i]}, or use one index for both"
                    )
        for output, (where, _) in enumerate(self.named):
            maps = [m for m in self.maps.values() if self.range_number(m.codomain) == where]
            if not maps or output in self._fibre:
                continue
            if any(image == output for _, image in self.named):
                self._fibre[output] = RationalFunction.constant(1)
            else:
                name = self.labels[output]
                raise ValueError(
                    f"given: how many inputs have the output {name}? "
                    f"Add in_image({name}), not_in_image({name}) or fibre({name}, size)"
                )
        self._check_sizes()

    def _check_sizes(self) -> None:
        """ValueError where explicit numbers leave no room for what is named."""
        for output, size in self._fibre.items():
            known = [self.labels[n] for n, (_, image) in enumerate(self.named) if image == output]
            if _surely_less(size, len(known)):
                raise ValueError(
                    f"given: {self.labels[output]} is the output of {', '.join(known)}, "
                    f"which contradicts a fibre of {size} inputs"
                )
        for where, range_ in enumerate(self.ranges):
            mine = [self.labels[n] for n, (w, _) in enumerate(self.named) if w == where]
            if _surely_less(range_.size, len(mine)):
                raise ValueError(
                    f"given: {range_} has {range_.size} elements, "
                    f"{', '.join(mine)} cannot be {len(mine)} different ones"
                )
        for domain, association in self.maps.items():
            where = self.range_number(association.codomain)
            sizes = [size for o, size in self._fibre.items() if self.named[o][0] == where]
            inputs = sum(sizes, RationalFunction.constant(0))
            if _surely_less(self.ranges[domain].size - inputs, 0):
                raise ValueError(
                    f"given: fibres of {inputs} inputs in {self.ranges[domain]}, "
                    f"which has {self.ranges[domain].size}"
                )

    # -- choices of a bound index ---------------------------------------------------------------

    def choices(
        self, where: int, fresh: Sequence[tuple[int, int]]
    ) -> Iterator[tuple[int, tuple[tuple[int, int], ...]]]:
        """Values a bound index of range *where* can take: (element, fresh elements it creates)."""
        elements = [*self.named, *fresh]
        for number, (range_, _) in enumerate(elements):
            if range_ == where:
                yield number, ()
        count = len(elements)
        association = self.maps.get(where)
        if association is None:
            yield count, ((where, -1),)
            return
        codomain = self.range_number(association.codomain)
        for output, (range_, _) in enumerate(elements):
            if range_ == codomain and self._has_room(output, association, elements):
                yield count, ((where, output),)
        yield count + 1, ((codomain, -1), (where, count))

    def _has_room(
        self, output: int, association: Association, elements: Sequence[tuple[int, int]]
    ) -> bool:
        taken = sum(image == output for _, image in elements)
        if output < len(self.named):
            size = self._fibre[output]
            return bool(size.names) or size.as_fraction() > taken
        return association.fibre_powers is not None or taken == 0

    # -- counting -------------------------------------------------------------------------------

    def multiplicity(self, fresh: Sequence[tuple[int, int]]) -> RationalFunction:
        """In how many ways the fresh elements can be chosen, all different from the named ones."""
        total = RationalFunction.constant(1)
        elements = [*self.named, *fresh]
        start = len(self.named)
        codomains = {self.range_number(m.codomain): w for w, m in self.maps.items()}
        for where, range_ in enumerate(self.ranges):
            mine = [n for n in range(start, len(elements)) if elements[n][0] == where]
            if where in self.maps:
                continue  # inputs are counted with the outputs whose fibres they lie in
            if where not in codomains:
                named = sum(w == where for w, _ in self.named)
                total = total * falling(range_.size - named, len(mine))
                continue
            association = self.maps[codomains[where]]
            for output, size in self._fibre.items():
                if self.named[output][0] == where:
                    known = sum(image == output for _, image in self.named)
                    new = sum(image == output for _, image in fresh)
                    total = total * falling(size - known, new)
            inputs = [sum(image == o for _, image in fresh) for o in mine]
            total = total * over_distinct_outputs(
                inputs, partial(self._power_sum, association=association, where=where)
            )
        return total

    def _power_sum(self, power: int, association: Association, where: int) -> RationalFunction:
        """sum of n^power over the outputs that are not named, n the number of their inputs."""
        fibres = [s for o, s in self._fibre.items() if self.named[o][0] == where]
        if power == 0:
            return association.codomain.size - len(fibres)
        if power == 1 or association.fibre_powers is None:
            return association.domain.size - sum(fibres, RationalFunction.constant(0))
        return RationalFunction.symbol(f"{association.fibre_powers}{power}")

    # -- expansion ------------------------------------------------------------------------------

    def multiply(
        self, states: dict[State, RationalFunction], copy: Expression, spare: int
    ) -> dict[State, RationalFunction]:
        """All states times one more factor *copy*; *spare* more factors will follow.

        A vertex of odd degree makes an expectation vanish; states with more odd vertices than the
        factors to come can mend are dropped at once.
        """
        product: dict[State, RationalFunction] = {}
        for state, value in states.items():
            for term in copy.terms:
                for next_state in self._insert(state, term):
                    if _odd(next_state.edges) <= spare:
                        canonical = _canonical(next_state, len(self.named))
                        extra = value * term.coefficient
                        product[canonical] = (
                            product[canonical] + extra if canonical in product else extra
                        )
        return product

    def _insert(self, state: State, term: Term) -> Iterator[State]:
        def assign(
            position: int, fresh: tuple[tuple[int, int], ...], values: tuple[int, ...]
        ) -> Iterator[tuple[tuple[tuple[int, int], ...], tuple[int, ...]]]:
            if position == len(term.bound):
                yield fresh, values
                return
            where = self.range_number(term.bound[position].range)
            for element, created in self.choices(where, fresh):
                yield from assign(position + 1, fresh + created, (*values, element))

        for fresh, values in assign(0, state.fresh, ()):
            taken = dict(zip(term.bound, values, strict=True))
            elements = [*self.named, *fresh]
            edges = {(a, b): n for a, b, n in state.edges}
            for left, right in term.edges:
                a, b = sorted(self._vertex(atom, taken, elements) for atom in (left, right))
                if a == b and left.family.unit_norm:
                    continue
                edges[a, b] = edges.get((a, b), 0) + 1
            visits = list(state.visits) + [0] * (len(elements) - len(state.visits))
            for value in values:
                visits[value] += 1
            yield State(
                fresh, tuple(visits), tuple(sorted((a, b, n) for (a, b), n in edges.items()))
            )

    def _vertex(
        self, atom: Atom, taken: dict[Index, int], elements: Sequence[tuple[int, int]]
    ) -> Vertex:
        self.families[atom.family.serial] = atom.family
        slot = atom.slot
        if isinstance(slot, Image) and slot.source in taken:
            return atom.family.serial, elements[taken[slot.source]][1]
        if isinstance(slot, Index) and slot in taken:
            return atom.family.serial, taken[slot]
        return atom.family.serial, self._element[slot]

    # -- display --------------------------------------------------------------------------------

    def describe(self, state: State) -> str:
        """The pattern in words: which values the summed indices take, and how often; may be empty."""
        parts = []
        elements = [*self.named, *state.fresh]
        for number, times in enumerate(state.visits):
            if not times:
                continue
            label = self.label(number, elements)
            parts.append(label if times == 1 else f"{label} ({times} times)")
        return ", ".join(parts)

    def label(self, number: int, elements: Sequence[tuple[int, int]]) -> str:
        if number < len(self.named):
            return self.labels[number]
        image = elements[number][1]
        if image == -1:
            return "another value"
        if image < len(self.named):
            return f"an input with the output {self.labels[image]}"
        return "another input"


def _surely_less(size: RationalFunction, bound: int) -> bool:
    return not size.names and size.as_fraction() < bound


def _slots(condition: Condition) -> list[Slot]:
    return (
        [condition.left, condition.right] if isinstance(condition, Distinct) else [condition.slot]
    )


def _odd(edges: Edges) -> int:
    degree: dict[Vertex, int] = {}
    for a, b, n in edges:
        degree[a] = degree.get(a, 0) + n
        degree[b] = degree.get(b, 0) + n
    return sum(k % 2 for k in degree.values())


def _canonical(state: State, named: int) -> State:
    """The state with its fresh elements renumbered in an order that ignores their names."""
    count = len(state.fresh)
    if count < 2:
        return state
    signature: list[object] = []
    for offset, (where, image) in enumerate(state.fresh):
        number = named + offset
        around = sorted(
            (a[0], b[0] if a[1] == number else a[0], _fixed(b if a[1] == number else a, named), n)
            for a, b, n in state.edges
            if number in (a[1], b[1])
        )
        signature.append((where, min(image, named), state.visits[number], tuple(around)))
    # An output is told apart by the inputs that lie over it, an input by its output.
    full = []
    for offset, (_, image) in enumerate(state.fresh):
        over = sorted(
            repr(signature[o]) for o, (_, i) in enumerate(state.fresh) if i == named + offset
        )
        below = repr(signature[image - named]) if image >= named else ""
        full.append((repr(signature[offset]), below, tuple(over)))
    order = sorted(range(count), key=lambda o: (full[o], o))
    new = {named + old: named + position for position, old in enumerate(order)}
    fresh = tuple((state.fresh[o][0], new.get(state.fresh[o][1], state.fresh[o][1])) for o in order)
    visits = state.visits[:named] + tuple(state.visits[named + o] for o in order)
    edges = []
    for (f, a), (g, b), n in state.edges:
        left, right = sorted(((f, new.get(a, a)), (g, new.get(b, b))))
        edges.append((left, right, n))
    return State(fresh, visits, tuple(sorted(edges)))


def _fixed(vertex: Vertex, named: int) -> int:
    """The number of a named element; one common number for all fresh ones."""
    return min(vertex[1], named)


def as_graph(edges: Edges) -> tuple[dict[int, int], Graph]:
    """Edges over numbered vertices, and the family of each vertex."""
    vertices = sorted({v for a, b, _ in edges for v in (a, b)})
    number = {v: i for i, v in enumerate(vertices)}
    graph = tuple(sorted((number[a], number[b], n) for a, b, n in edges))
    return {i: v[0] for v, i in number.items()}, graph
