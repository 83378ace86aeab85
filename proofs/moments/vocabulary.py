"""What a computation speaks of: ranges, maps, relations, families, subspaces, each under one name.

The World builds on it; here nothing is known yet of how many values there are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from proofs.algebra import RationalFunction
from proofs.moments.expressions import Expression
from proofs.moments.indices import Association, Condition, Count, Fibre, Holds, Image, Range, Slot
from proofs.moments.laws import Fixed, Gaussian
from proofs.moments.relations import Relations
from proofs.moments.subspaces import Subspace
from proofs.moments.vectors import Atom, Law


class Vocabulary:
    """The things that expressions and conditions mention, numbered, without contradictions in names.

    Raises TypeError for what is no condition, ValueError for two things of one name, a family or a
    map that is used in two ways, and conditions on an index that is summed over.
    """

    def __init__(self, expressions: Sequence[Expression], given: Sequence[Condition]) -> None:
        self.ranges: list[Range] = []
        self.maps: dict[int, Association] = {}
        self.families: dict[int, Law] = {}
        self.subspaces: list[Subspace] = []
        self.relations = Relations()
        self.indexed_by: dict[Law, int] = {}
        self.denominators = {t.coefficient.denominator for e in expressions for t in e.terms}
        for expression in expressions:
            self._register(expression)
        self._check_conditions(expressions, given)
        for condition in given:
            for slot in condition.slots():
                self._register_map(slot)
            if isinstance(condition, Count):
                for atom in condition.atoms:
                    self.relations.number(atom.relation)
        self._check_maps()
        self._check_names(expressions, given)

    def _register(self, expression: Expression) -> None:
        for term in expression.terms:
            for index in term.bound:
                self.range_number(index.range)
            for slot in term.slots():
                self._register_map(slot)
            for restriction in term.where:
                if isinstance(restriction, Holds):
                    self.relations.number(restriction.relation)
            for atom in term.atoms():
                self._register_atom(atom)

    def _register_atom(self, atom: Atom) -> None:
        where = self.range_number(atom.slot.range)
        self.families[atom.family.serial] = atom.family
        if self.indexed_by.setdefault(atom.family, where) != where:
            raise ValueError(
                f"{atom.family} is indexed by {self.ranges[self.indexed_by[atom.family]]} "
                f"and by {atom.slot.range}; make one family for each range"
            )
        if atom.subspace is not None:
            self._register_subspace(atom.subspace)
        if atom.family.orthogonal_to is not None:
            self._register_map(atom.family.orthogonal_to.slot)
            self._register_atom(atom.family.orthogonal_to)

    def _register_subspace(self, subspace: Subspace) -> None:
        for other in self.subspaces:
            if other.splitting is subspace.splitting:
                return
            if other.splitting.dimension == subspace.splitting.dimension:
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
        for where in self.related():
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
        free = {slot.source for e in expressions for slot in e.free_slots()}
        for condition in given:
            for slot in condition.slots():
                if slot.source in bound and slot.source not in free:
                    raise ValueError(
                        f"given: {condition} speaks of {slot.source}, which is summed over; restrict "
                        f"the sum, sum_over({slot.source}, ..., where=...), or name another index"
                    )

    def related(self) -> set[int]:
        """The ranges that relations speak of."""
        return {
            self.range_number(r) for relation in self.relations.relations for r in relation.ranges
        }

    def range_number(self, range_: Range) -> int:
        if range_ not in self.ranges:
            self.ranges.append(range_)
        return self.ranges.index(range_)

    def dimensions(self) -> Mapping[str, RationalFunction]:
        """The field elements behind the dimensions that occur, and behind the blocks of subspaces."""
        found = {str(f.dimension): f.dimension for f in self.families.values()}
        for subspace in self.subspaces:
            for block in subspace.splitting.blocks.values():
                found[f"block {block.serial}"] = block.dimension
        return found
