"""The named elements of a computation: which indices coincide, and how many values there are.

A World reads the conditions once. It then says which values a summed index can take, named ones or
fresh ones, and in how many ways fresh ones can be chosen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from proofs.algebra import RationalFunction
from proofs.moments.counting import falling, over_distinct_outputs
from proofs.moments.expressions import Expression
from proofs.moments.indices import (
    Association,
    Condition,
    Count,
    Distinct,
    Equal,
    Fibre,
    Image,
    Index,
    Slot,
)
from proofs.moments.relations import Fact, Shape
from proofs.moments.vocabulary import Vocabulary

#: (range, image element or -1).
Element = tuple[int, int]


class World(Vocabulary):
    """The named elements of a computation and what the conditions say of them."""

    def __init__(self, expressions: Sequence[Expression], given: Iterable[Condition]) -> None:
        given = list(given)
        super().__init__(expressions, given)
        self.named: list[Element] = []
        self.labels: list[str] = []
        self.fibres: dict[int, RationalFunction] = {}
        #: What is taken for granted where the conditions are silent.
        self.assumed: list[str] = []
        self._element: dict[Slot, int] = {}
        self._alias: dict[Slot, Slot] = {}
        for condition in given:
            if isinstance(condition, Equal):
                self._identify(condition)
        parents = [f.orthogonal_to.slot for f in self.families.values() if f.orthogonal_to]
        for slot in (
            *(s for e in expressions for s in e.free_slots()),
            *parents,
            *(s for c in given for s in c.slots()),
        ):
            self.element(slot)
        self._check_labels()
        self._read(given)

    # -- elements -------------------------------------------------------------------------------

    def _identify(self, condition: Equal) -> None:
        """Two slots are one element. An index stands for its image, the first image for others."""
        left, right = self._root(condition.left), self._root(condition.right)
        if left == right:
            return
        if isinstance(left, Index) and isinstance(right, Index):
            raise ValueError(f"given: {condition}; use one index for both")
        if isinstance(right, Index):
            left, right = right, left
        self._alias[right] = left

    def _root(self, slot: Slot) -> Slot:
        while slot in self._alias:
            slot = self._alias[slot]
        return slot

    def element(self, slot: Slot) -> int:
        """The number of the named element *slot*, with its image where its range has a map."""
        root = self._root(slot)
        if isinstance(slot, Image):
            self.element(slot.source)
        if root in self._element:
            return self._element[root]
        assert isinstance(root, Index)
        where = self.range_number(root.range)
        image = -1
        if where in self.maps:
            association = self.maps[where]
            output = self._root(Image(association, root))
            if isinstance(output, Image):
                if output not in self._element:
                    self._element[output] = len(self.named)
                    self.named.append((self.range_number(association.codomain), -1))
                    self.labels.append(str(output))
                image = self._element[output]
            else:
                image = self.element(output)
        self._element[root] = len(self.named)
        self.named.append((where, image))
        self.labels.append(str(root))
        return self._element[root]

    def _check_labels(self) -> None:
        """Two named elements of one name cannot be told apart by a reader."""
        for label in self.labels:
            if self.labels.count(label) > 1:
                raise ValueError(
                    f"two different indices are called {label}; use one object for both or "
                    "another name"
                )

    # -- conditions -----------------------------------------------------------------------------

    def _read(self, given: list[Condition]) -> None:
        distinct = set()
        for condition in given:
            if isinstance(condition, Distinct):
                pair = frozenset({self.element(condition.left), self.element(condition.right)})
                if len(pair) == 1:
                    raise ValueError(f"given: {condition} contradicts itself")
                distinct.add(pair)
            elif isinstance(condition, Fibre):
                if all(m.codomain is not condition.slot.range for m in self.maps.values()):
                    raise ValueError(
                        f"given: {condition}, but no map enters {condition.slot.range}; fibres are of "
                        "outputs"
                    )
                output = self.element(condition.slot)
                if self.fibres.setdefault(output, condition.size) != condition.size:
                    raise ValueError(
                        f"given: {condition} contradicts a fibre of {self.fibres[output]} inputs"
                    )
            elif isinstance(condition, Count):
                self._read_count(condition)
        self._check_distinct(distinct)
        self.relations.check()
        for output, (where, _) in enumerate(self.named):
            maps = [m for m in self.maps.values() if self.range_number(m.codomain) == where]
            if not maps or output in self.fibres:
                continue
            if any(image == output for _, image in self.named):
                self.fibres[output] = maps[0].fibre_size
                if maps[0].fibre_powers is not None:
                    self.assumed.append(f"|fibre of {self.labels[output]}| = 1")
            else:
                name = self.labels[output]
                raise ValueError(
                    f"given: how many inputs have the output {name}? "
                    f"Add in_image({name}), not_in_image({name}) or fibre({name}, size)"
                )
        self._check_sizes()

    def _read_count(self, condition: Count) -> None:
        free = {index: -1 - j for j, index in enumerate(condition.over)}
        facts = [
            (
                self.relations.number(atom.relation),
                tuple(free[s] if s in free else self.element(s) for s in atom.entries),  # type: ignore[index]
            )
            for atom in condition.atoms
        ]
        known = self.relations.state(facts, condition.size)
        if known != condition.size:
            raise ValueError(f"given: {condition} contradicts a count of {known}")

    def _check_distinct(self, distinct: set[frozenset[int]]) -> None:
        for i, (where, image) in enumerate(self.named):
            for j in range(i):
                other, other_image = self.named[j]
                # Inputs of different outputs differ.
                apart = image != other_image and frozenset({image, other_image}) in distinct
                apart = apart or self._injective_images(i, j, distinct)
                if other == where and frozenset({i, j}) not in distinct and not apart:
                    raise ValueError(
                        f"given: do {self.labels[j]} and {self.labels[i]} coincide? "
                        f"Add {self.labels[j]} != {self.labels[i]}, or {self._same(j, i)}"
                    )

    def _same(self, i: int, j: int) -> str:
        """How to say that two named elements are one."""
        is_output = any(n in (i, j) for _, n in self.named)
        if is_output:
            return f"equal({self.labels[i]}, {self.labels[j]}) with the fibre of it"
        return "use one index for both"

    def _injective_images(self, i: int, j: int, distinct: set[frozenset[int]]) -> bool:
        """Whether two outputs are those of different inputs under an injective map."""
        maps = [m for m in self.maps.values() if self.range_number(m.codomain) == self.named[i][0]]
        if not maps or maps[0].fibre_powers is not None:
            return False
        if any(self.fibres.get(output, maps[0].fibre_size) != 1 for output in (i, j)):
            return False
        over = [[n for n, (_, image) in enumerate(self.named) if image == o] for o in (i, j)]
        return any(frozenset({a, b}) in distinct for a in over[0] for b in over[1])

    def _check_sizes(self) -> None:
        """ValueError where explicit numbers leave no room for what is named."""
        for output, size in self.fibres.items():
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
            sizes = [size for o, size in self.fibres.items() if self.named[o][0] == where]
            inputs = sum(sizes, RationalFunction.constant(0))
            if _surely_less(self.ranges[domain].size - inputs, 0):
                raise ValueError(
                    f"given: fibres of {inputs} inputs in {self.ranges[domain]}, "
                    f"which has {self.ranges[domain].size}"
                )

    # -- choices of a summed index --------------------------------------------------------------

    def choices(
        self, where: int, fresh: Sequence[Element]
    ) -> Iterator[tuple[int, tuple[Element, ...]]]:
        """Values a summed index of range *where* can take: (element, fresh elements it creates)."""
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

    def _has_room(self, output: int, association: Association, elements: Sequence[Element]) -> bool:
        if output >= len(self.named) and association.fibre_powers is not None:
            return True
        size = self.fibres.get(output, association.fibre_size)
        taken = sum(image == output for _, image in elements)
        return bool(size.names) or size.as_fraction() > taken

    # -- counting -------------------------------------------------------------------------------

    def multiplicity(self, fresh: Sequence[Element], facts: Sequence[Fact]) -> RationalFunction:
        """In how many ways the fresh elements can be chosen, all different from the named ones.

        *facts* are what relations demand of them, over the numbers of elements.
        """
        total = RationalFunction.constant(1)
        start, related = len(self.named), self.related()
        codomains = {self.range_number(m.codomain): w for w, m in self.maps.items()}
        for where, range_ in enumerate(self.ranges):
            mine = [n for n, (w, _) in enumerate(fresh, start) if w == where]
            if where in self.maps or where in related:
                continue  # inputs are counted with the outputs whose fibres they lie in
            if where not in codomains:
                named = sum(w == where for w, _ in self.named)
                total = total * falling(range_.size - named, len(mine))
                continue
            association = self.maps[codomains[where]]
            for output, size in self.fibres.items():
                if self.named[output][0] == where:
                    known = sum(image == output for _, image in self.named)
                    new = sum(image == output for _, image in fresh)
                    total = total * falling(size - known, new)
            inputs = [sum(image == o for _, image in fresh) for o in mine]
            total = total * over_distinct_outputs(
                inputs, partial(self._power_sum, association=association, where=where)
            )
        mine = [n for n, (w, _) in enumerate(fresh, start) if w in related]
        free = {number: -1 - j for j, number in enumerate(mine)}
        return total * self.relations.multiplicity(
            [fresh[number - start][0] for number in mine],
            [where for where, _ in self.named],
            [(r, tuple(free.get(e, e) for e in entries)) for r, entries in facts],
            lambda where: self.ranges[where].size,
            self._ask,
        )

    def _power_sum(self, power: int, association: Association, where: int) -> RationalFunction:
        """sum of n^power over the outputs that are not named, n the number of their inputs."""
        fibres = [s for o, s in self.fibres.items() if self.named[o][0] == where]
        if power == 0:
            return association.codomain.size - len(fibres)
        inputs = association.domain.size - sum(fibres, RationalFunction.constant(0))
        if power == 1 or association.fibre_powers is None:
            return inputs * association.fibre_size ** (power - 1)
        return RationalFunction.symbol(f"{association.fibre_powers}{power}")

    def holds(self, fact: Fact) -> bool:
        """Whether a fact on named elements is true; ValueError if nothing is said of it."""
        truth = self.relations.truth(fact)
        if truth is None:
            if self.relations.contradicts(fact, (), len(self.named)):
                return False
            raise ValueError(self._ask((fact,)))
        return truth

    def _ask(self, shape: Shape) -> str:
        free = sorted({e for _, entries in shape for e in entries if e < 0}, reverse=True)
        names = {e: f"i{j}" for j, e in enumerate(free, start=1)}
        atoms = [
            f"{self.relations.relations[r].name}"
            f"({', '.join(names.get(e) or self.labels[e] for e in entries)})"
            for r, entries in shape
        ]
        if not free:
            return f"given: is {atoms[0]} true? Add holds({atoms[0]}) or fails({atoms[0]})"
        over = ", ".join(names[e] for e in free)
        return (
            f"given: for how many {over} is {' and '.join(atoms)} true? "
            f"Add count([{', '.join(atoms)}], size, over=[{over}]) with fresh indices {over}"
        )

    def label(self, number: int, elements: Sequence[Element]) -> str:
        """An element in words."""
        if number < len(self.named):
            return self.labels[number]
        where, image = elements[number]
        if where not in self.maps:
            return "another value"
        if image < len(self.named):
            return f"an input with the output {self.labels[image]}"
        return "another input"


def _surely_less(size: RationalFunction, bound: int) -> bool:
    return not size.names and size.as_fraction() < bound
