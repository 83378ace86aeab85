"""The named elements of a computation: which indices coincide, and how many values there are.

A World reads the conditions once. It then says which values a summed index can take, named ones or
fresh ones, and in how many ways fresh ones can be chosen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from proofs.algebra import RationalFunction
from proofs.derived import Bound
from proofs.moments.counting import falling, over_distinct_outputs
from proofs.moments.expressions import Atom, Expression
from proofs.moments.indices import (
    Association,
    Condition,
    Count,
    Distinct,
    Equal,
    Fibre,
    Holds,
    Image,
    Index,
    Range,
    Slot,
)
from proofs.moments.laws import Family, Fixed, Gaussian
from proofs.moments.relations import Fact, Relations, Shape
from proofs.moments.subspaces import Subspace

#: (range, image element or -1).
Element = tuple[int, int]


class World:
    """The named elements of a computation and what the conditions say of them."""

    def __init__(self, expressions: Sequence[Expression], given: Iterable[Condition]) -> None:
        self.ranges: list[Range] = []
        self.maps: dict[int, Association] = {}
        self.families: dict[int, Family] = {}
        self.subspaces: list[Subspace] = []
        self.relations = Relations()
        self.named: list[Element] = []
        self.labels: list[str] = []
        self._element: dict[Slot, int] = {}
        self._alias: dict[Slot, Slot] = {}
        self._fibre: dict[int, RationalFunction] = {}
        self._indexed_by: dict[Family, int] = {}
        #: What is taken for granted where the conditions are silent.
        self.assumed: list[str] = []
        self._denominators = {
            t.coefficient.denominator for e in expressions for t in e.terms if t.coefficient.names
        }
        given = list(given)
        for expression in expressions:
            self._register(expression)
        self._check_conditions(expressions, given)
        for condition in given:
            for slot in condition.slots():
                self._register_map(slot)
            if isinstance(condition, Count):
                for atom in condition.atoms:
                    self._register_relation(atom)
        self._check_maps()
        self._check_names(expressions, given)
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
        self._read(given)
        self._check_labels()
        for bound in self.domain():
            if not bound.size.names and not bound.admits(bound.size.as_fraction()):
                raise ValueError(
                    f"given: the sizes and conditions contradict each other: what is left over of "
                    f"them is {bound.size}, where {bound} is needed"
                )

    # -- construction ---------------------------------------------------------------------------

    def _register(self, expression: Expression) -> None:
        for term in expression.terms:
            for index in term.bound:
                self.range_number(index.range)
            for slot in term.slots():
                self._register_map(slot)
            for restriction in term.where:
                if isinstance(restriction, Holds):
                    self._register_relation(restriction)
            for atom in term.atoms():
                self._register_atom(atom)

    def _register_atom(self, atom: Atom) -> None:
        where = self.range_number(atom.slot.range)
        self.families[atom.family.serial] = atom.family
        if self._indexed_by.setdefault(atom.family, where) != where:
            raise ValueError(
                f"{atom.family} is indexed by {self.ranges[self._indexed_by[atom.family]]} "
                f"and by {atom.slot.range}; make one family for each range"
            )
        if atom.subspace is not None:
            self._register_subspace(atom.subspace)
        if atom.family.orthogonal_to is not None:
            self._register_map(atom.family.orthogonal_to.slot)
            self._register_atom(atom.family.orthogonal_to)

    def _register_subspace(self, subspace: Subspace) -> None:
        for other in self.subspaces:
            same_space = other.splitting.dimension == subspace.splitting.dimension
            if same_space and other.splitting is not subspace.splitting:
                raise ValueError(
                    f"{other} and {subspace} belong to different splittings of one space; nothing "
                    "is known of their angle: make one Splitting with all parts"
                )
        self.subspaces.append(subspace)

    def _register_map(self, slot: Slot) -> None:
        self.range_number(slot.range)
        if isinstance(slot, Image):
            domain = self.range_number(slot.source.range)
            if self.maps.setdefault(domain, slot.association) is not slot.association:
                raise ValueError(
                    f"two maps leave {slot.source.range}; the engine follows one a range. "
                    "Write the second one as a functional Relation"
                )

    def _register_relation(self, atom: Holds) -> None:
        self.relations.number(atom.relation)
        for range_ in atom.relation.ranges:
            self.range_number(range_)

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
        for where in self._related():
            if where in self.maps or where in codomains:
                raise ValueError(
                    f"{self.ranges[where]} has a map and a relation; write the map as a "
                    "functional relation too"
                )

    def _check_names(self, expressions: Sequence[Expression], given: Sequence[Condition]) -> None:
        """Two things of one name are mistaken for each other by every reader."""
        for things in (
            list(self.families.values()),
            list(self.maps.values()),
            self.relations.relations,
        ):
            names = [thing.name for thing in things]
            for name in names:
                if names.count(name) > 1:
                    raise ValueError(
                        f"two independent things are called {name!r}; use one object for both "
                        "or another name"
                    )
        sizes = [t.coefficient for e in expressions for t in e.terms]
        sizes += [f.dimension for f in self.families.values()]
        sizes += [f.variance for f in self.families.values() if isinstance(f, Gaussian)]
        sizes += [f.overlap for f in self.families.values() if isinstance(f, Fixed)]
        sizes += [r.size for r in self.ranges]
        sizes += [b.dimension for s in self.subspaces for b in s.splitting.blocks.values()]
        sizes += [c.size for c in given if isinstance(c, (Fibre, Count))]
        taken = {name for size in sizes for name in size.names}
        prefixes = [m.fibre_powers for m in self.maps.values() if m.fibre_powers is not None]
        for prefix in prefixes:
            if prefixes.count(prefix) > 1:
                raise ValueError(f"fibre_powers: two maps call their power sums {prefix!r}2, ...")
        for association in self.maps.values():
            powers = association.fibre_powers
            clash = [n for n in taken if powers and n[: len(powers)] == powers]
            if any(n[len(powers or "") :].isdigit() for n in clash):
                raise ValueError(
                    f"fibre_powers: {powers!r} makes power sums called like {clash[0]}, which is "
                    "a symbol of yours; take another prefix"
                )

    def _check_conditions(
        self, expressions: Sequence[Expression], given: Sequence[Condition]
    ) -> None:
        """TypeError for what is no condition, ValueError for one on an index that is summed over."""
        for condition in given:
            if not isinstance(condition, Condition):
                raise TypeError(
                    f"given: {condition!r} is no condition; write x != y, equal(f(x), y), "
                    "fibre(y, n), holds(A(z, a)) and the like"
                )
        bound = {index for e in expressions for t in e.terms for index in t.bound}
        free = {_source(slot) for e in expressions for slot in e.free_slots()}
        for condition in given:
            for slot in condition.slots():
                index = _source(slot)
                if index in bound and index not in free:
                    raise ValueError(
                        f"given: {condition} speaks of {index}, which is summed over; restrict the "
                        f"sum, sum_over({index}, ..., where=...), or name another index"
                    )

    def _check_labels(self) -> None:
        """Two named elements of one name cannot be told apart by a reader."""
        for label in self.labels:
            if self.labels.count(label) > 1:
                raise ValueError(
                    f"two different indices are called {label}; use one object for both or "
                    "another name"
                )

    def _related(self) -> set[int]:
        """The ranges that relations speak of."""
        return {
            self.range_number(r) for relation in self.relations.relations for r in relation.ranges
        }

    def range_number(self, range_: Range) -> int:
        if range_ not in self.ranges:
            self.ranges.append(range_)
        return self.ranges.index(range_)

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
                output = self.element(condition.slot)
                if self._fibre.setdefault(output, condition.size) != condition.size:
                    raise ValueError(
                        f"given: {condition} contradicts a fibre of {self._fibre[output]} inputs"
                    )
            elif isinstance(condition, Count):
                self._read_count(condition)
        self._check_distinct(distinct)
        self.relations.check()
        for output, (where, _) in enumerate(self.named):
            maps = [m for m in self.maps.values() if self.range_number(m.codomain) == where]
            if not maps or output in self._fibre:
                continue
            if any(image == output for _, image in self.named):
                self._fibre[output] = maps[0].fibre_size
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
        if not maps or maps[0].fibre_size != 1 or maps[0].fibre_powers is not None:
            return False
        if any(self._fibre.get(output, maps[0].fibre_size) != 1 for output in (i, j)):
            return False
        over = [[n for n, (_, image) in enumerate(self.named) if image == o] for o in (i, j)]
        return any(frozenset({a, b}) in distinct for a in over[0] for b in over[1])

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
        size = self._fibre.get(output, association.fibre_size)
        taken = sum(image == output for _, image in elements)
        return bool(size.names) or size.as_fraction() > taken

    # -- counting -------------------------------------------------------------------------------

    def multiplicity(self, fresh: Sequence[Element], facts: Sequence[Fact]) -> RationalFunction:
        """In how many ways the fresh elements can be chosen, all different from the named ones.

        *facts* are what relations demand of them, over the numbers of elements.
        """
        total = RationalFunction.constant(1)
        start, related = len(self.named), self._related()
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
            for output, size in self._fibre.items():
                if self.named[output][0] == where:
                    known = sum(image == output for _, image in self.named)
                    new = sum(image == output for _, image in fresh)
                    total = total * falling(size - known, new)
            inputs = [sum(image == o for _, image in fresh) for o in mine]
            total = total * over_distinct_outputs(
                inputs, partial(self._power_sum, association=association, where=where)
            )
        mine = [n for n, (w, _) in enumerate(fresh, start) if w in related]
        if not mine:
            return total
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
        fibres = [s for o, s in self._fibre.items() if self.named[o][0] == where]
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

    # -- what travels with a result -------------------------------------------------------------

    def dimensions(self) -> Mapping[str, RationalFunction]:
        """The field elements behind the dimensions that occur, and behind the blocks of subspaces."""
        found = {str(f.dimension): f.dimension for f in self.families.values()}
        for subspace in self.subspaces:
            for block in subspace.splitting.blocks.values():
                found[f"block {block.serial}"] = block.dimension
        return found

    def domain(self) -> list[Bound]:
        """What must be at least what, for the formulas to speak of something that exists."""
        bounds: list[Bound] = []
        for family in self.families.values():
            bounds.append(Bound(family.dimension, family.smallest_dimension))
            if isinstance(family, Gaussian):
                bounds.append(Bound(family.variance, 0, integer=False))
            elif isinstance(family, Fixed):
                members = self.ranges[self._indexed_by[family]].size
                if family.overlap == 0:
                    bounds.append(Bound(family.dimension - members, 0))
                else:
                    # The smallest eigenvalue of the matrix of inner products.
                    least = 1 + (members - 1) * family.overlap
                    bounds.append(Bound(least, 0, integer=False))
        for subspace in self.subspaces:
            bounds += [Bound(b.dimension, 0) for b in subspace.splitting.blocks.values()]
        for where, range_ in enumerate(self.ranges):
            named = sum(w == where for w, _ in self.named)
            bounds.append(Bound(range_.size, max(named, int(self._divides(range_)))))
        for output, size in self._fibre.items():
            bounds.append(Bound(size, sum(image == output for _, image in self.named)))
        for domain, association in self.maps.items():
            where = self.range_number(association.codomain)
            sizes = [s for o, s in self._fibre.items() if self.named[o][0] == where]
            inputs = self.ranges[domain].size - sum(sizes, RationalFunction.constant(0))
            bounds.append(Bound(inputs, 0))
            if association.fibre_powers is None:
                # The other inputs need outputs of their own.
                outputs = self.ranges[where].size - len(sizes)
                bounds.append(Bound(outputs - inputs / association.fibre_size, 0))
        return bounds + self.relations.bounds(
            [where for where, _ in self.named],
            lambda number, at: self.range_number(self.relations.relations[number].ranges[at]),
            lambda where: self.ranges[where].size,
        )

    def _divides(self, range_: Range) -> bool:
        """Whether something is divided by the size of a range, which must then not be empty."""
        names = range_.size.names
        return len(names) == 1 and any(
            bottom(**{names[0]: 0}) == 0
            for bottom in self._denominators
            if names[0] in bottom.names
        )

    def as_dict(self) -> dict[str, Any]:
        """What is counted, in plain data: ranges, maps, relations, named elements and counts.

        An element is [range, image element or -1]; an entry of a relation is a named element >= 0
        or the free index -1 - j.
        """
        return {
            "ranges": [str(range_.size) for range_ in self.ranges],
            "maps": [
                {
                    "domain": domain,
                    "codomain": self.range_number(association.codomain),
                    "fibre_size": str(association.fibre_size),
                    "fibre_powers": association.fibre_powers,
                }
                for domain, association in self.maps.items()
            ],
            "named": [list(element) for element in self.named],
            "labels": self.labels,
            "fibres": {str(output): str(size) for output, size in self._fibre.items()},
            "relations": [
                {
                    "ranges": [self.range_number(r) for r in relation.ranges],
                    "functional": relation.functional,
                }
                for relation in self.relations.relations
            ],
            "counts": [
                {"facts": [[number, list(entries)] for number, entries in shape], "size": str(size)}
                for shape, size in self.relations.counts.items()
            ],
        }

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


def _source(slot: Slot) -> Index:
    source = slot.source if isinstance(slot, Image) else slot
    assert isinstance(source, Index)
    return source


def _surely_less(size: RationalFunction, bound: int) -> bool:
    return not size.names and size.as_fraction() < bound
