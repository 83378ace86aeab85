"""Ranges, indices, association maps and relations, and the conditions that say what is known of them.

Serves the setting of Nichani et al., Sec. 3 (inputs x in [N], outputs y in [M], a map f* between) and
Sec. 4 (answers a in A_z, the fact table a*(s, r)).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import sympy

from proofs.algebra import RationalFunction
from proofs.algebra.symbols import caller_symbols

_serial = itertools.count()


class Range:
    """A finite index set of symbolic *size*; two ranges are the same only if they are one object."""

    def __init__(self, size: Any, name: str | None = None) -> None:
        self.size, self.symbols = RationalFunction.of(size, name or "size"), caller_symbols(size)
        self.name = name or f"[{self.size}]"
        if not self.size.names and not _is_count(self.size):
            raise ValueError(f"size: {self.size} is not a number of elements; take an integer >= 0")

    def index(self, name: str) -> Index:
        """A fresh index that runs over this range."""
        return Index(self, name)

    def __repr__(self) -> str:
        return self.name


class Slot:
    """What a family of vectors is indexed by: an Index, or the Image of one under a map."""

    range: Range
    #: The index behind the slot: itself, or the x of f(x).
    source: Index

    def __ne__(self, other: object) -> Any:
        """``y != f(x)`` is a condition, to be put into ``given`` or ``indicator``."""
        return Distinct(self, other) if isinstance(other, Slot) else NotImplemented

    # Identity is what the containers need; only ``!=`` and ``equal`` speak of values.
    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def rename(self, new: Mapping[Index, Index]) -> Slot:
        """The slot with its index replaced where *new* has it."""
        raise NotImplementedError


class Index(Slot):
    """A variable with values in a range. Bound by ``sum_over``, otherwise free (named)."""

    def __init__(self, range_: Range, name: str | None = None) -> None:
        self.range, self.source = range_, self
        self.serial = next(_serial)
        self.name = name or f"i{self.serial}"

    def rename(self, new: Mapping[Index, Index]) -> Index:
        return new.get(self, self)

    def __repr__(self) -> str:
        return self.name


class Image(Slot):
    """f(x): an element of the codomain, known through an index of the domain."""

    def __init__(self, association: Association, source: Index) -> None:
        self.association = association
        self.source = source
        self.range = association.codomain

    def rename(self, new: Mapping[Index, Index]) -> Image:
        return Image(self.association, new[self.source]) if self.source in new else self

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Image)
            and other.association is self.association
            and other.source is self.source
        )

    def __hash__(self) -> int:
        return hash((id(self.association), id(self.source)))

    def __repr__(self) -> str:
        return f"{self.association.name}({self.source})"


class Association:
    """A map between two ranges, known through its fibre sizes.

    Outputs that are named in a computation have the fibre sizes that ``given`` states. All other
    outputs have one input or none (the map is injective). With *fibre_size* = k they have k inputs
    or none (the map is constant on blocks of k); with *fibre_powers* = "p" their sizes n are free,
    and enter results through the power sums p2 = sum n^2, p3 = sum n^3, ... over the outputs that
    are not named. An output f(x) has one input, or k, unless ``given`` says otherwise.
    """

    def __init__(
        self,
        domain: Range,
        codomain: Range,
        name: str = "f",
        *,
        fibre_size: Any = 1,
        fibre_powers: str | None = None,
    ) -> None:
        _check_ranges((domain, codomain))
        self.domain, self.codomain, self.name = domain, codomain, name
        self.fibre_size = RationalFunction.of(fibre_size, "fibre_size")
        self.fibre_powers = fibre_powers
        if not self.fibre_size.names and (self.fibre_size == 0 or not _is_count(self.fibre_size)):
            raise ValueError(f"fibre_size: {self.fibre_size} inputs; take an integer >= 1")
        if fibre_powers is not None and self.fibre_size != 1:
            raise ValueError(
                f"fibre_powers: {fibre_powers!r} leaves the sizes free, fibre_size="
                f"{self.fibre_size} fixes them; pass one of the two"
            )

    def __call__(self, index: Index) -> Image:
        if not isinstance(index, Index):
            raise TypeError(
                f"{self.name}({index}): maps take an index; the engine does not compose them"
            )
        if index.range is not self.domain:
            raise ValueError(
                f"{self.name}({index}): {index} runs over {index.range}, not {self.domain}"
            )
        return Image(self, index)


class Relation:
    """A set of tuples over given ranges, known through counts: the pairs (z, a) with a in A_z.

    Counts are stated with ``count``. With *functional* the last entry is determined by the others,
    for each of which it exists: a fact table a = a*(s, r).
    """

    def __init__(self, name: str, *ranges: Range, functional: bool = False) -> None:
        if not ranges:
            raise ValueError(f"ranges: the relation {name} has none; give one for each entry")
        _check_ranges(ranges)
        self.name, self.ranges, self.functional = name, ranges, functional

    def __call__(self, *slots: Slot) -> Holds:
        if len(slots) != len(self.ranges):
            raise ValueError(
                f"{self.name}{slots}: the relation has {len(self.ranges)} entries, not {len(slots)}"
            )
        for slot, range_ in zip(slots, self.ranges, strict=True):
            if slot.range is not range_:
                raise ValueError(f"{self.name}: {slot} runs over {slot.range}, not {range_}")
        return Holds(self, slots)

    def __repr__(self) -> str:
        return self.name


@dataclass(frozen=True, eq=False)
class Distinct:
    """Two slots of one range take different values."""

    left: Slot
    right: Slot

    def slots(self) -> tuple[Slot, ...]:
        return self.left, self.right

    def __repr__(self) -> str:
        return f"{self.left} != {self.right}"


@dataclass(frozen=True, eq=False)
class Equal:
    """Two slots of one range take the same value."""

    left: Slot
    right: Slot

    def slots(self) -> tuple[Slot, ...]:
        return self.left, self.right

    def rename(self, new: Mapping[Index, Index]) -> Equal:
        return Equal(self.left.rename(new), self.right.rename(new))

    def __repr__(self) -> str:
        return f"{self.left} = {self.right}"


@dataclass(frozen=True, eq=False)
class Holds:
    """A tuple belongs to a relation."""

    relation: Relation
    entries: tuple[Slot, ...]

    def slots(self) -> tuple[Slot, ...]:
        return self.entries

    def rename(self, new: Mapping[Index, Index]) -> Holds:
        return Holds(self.relation, tuple(slot.rename(new) for slot in self.entries))

    def __repr__(self) -> str:
        return f"{self.relation}({', '.join(map(str, self.entries))})"


@dataclass(frozen=True, eq=False)
class Fibre:
    """The output *slot* is the image of exactly *size* inputs."""

    slot: Slot
    size: RationalFunction
    symbols: Mapping[str, sympy.Symbol]

    def slots(self) -> tuple[Slot, ...]:
        return (self.slot,)

    def __repr__(self) -> str:
        return f"|fibre of {self.slot}| = {self.size}"


@dataclass(frozen=True, eq=False)
class Count:
    """Exactly *size* values of the indices *over* satisfy all of *atoms*."""

    over: tuple[Index, ...]
    atoms: tuple[Holds, ...]
    size: RationalFunction
    symbols: Mapping[str, sympy.Symbol]

    def slots(self) -> tuple[Slot, ...]:
        return tuple(s for atom in self.atoms for s in atom.entries if s not in self.over)

    def __repr__(self) -> str:
        where = ", ".join(map(str, self.atoms))
        if not self.over:
            return where if self.size == 1 else f"not {where}"
        return f"|{{{', '.join(map(str, self.over))}: {where}}}| = {self.size}"


Condition: TypeAlias = Distinct | Equal | Fibre | Count

#: What a sum may be restricted to.
Restriction: TypeAlias = Equal | Holds


def listed(given: Iterable[Condition]) -> list[Condition]:
    """The conditions as a list; TypeError for one that stands alone."""
    if not isinstance(given, Iterable):
        raise TypeError(f"given: {given} stands alone; pass a list of conditions, [{given}]")
    return list(given)


def equal(left: Slot, right: Slot) -> Equal:
    """Condition or indicator: two slots of one range take the same value.

    Raises ValueError for slots of different ranges.
    """
    if left.range is not right.range:
        raise ValueError(f"{left} runs over {left.range}, {right} over {right.range}: never equal")
    return Equal(left, right)


def fibre(slot: Slot, size: Any) -> Fibre:
    """Condition: exactly *size* inputs (a number or a symbol) have the output *slot*."""
    exact = RationalFunction.of(size, "size")
    if not exact.names and not _is_count(exact):
        raise ValueError(f"size: {exact} is not a number of inputs; take an integer >= 0")
    return Fibre(slot, exact, caller_symbols(size))


def in_image(slot: Slot) -> Fibre:
    """Condition for an injective map: one input has the output *slot*."""
    return fibre(slot, 1)


def not_in_image(slot: Slot) -> Fibre:
    """Condition: no input has the output *slot*."""
    return fibre(slot, 0)


def count(atoms: Holds | Iterable[Holds], size: Any, *, over: Index | Iterable[Index]) -> Count:
    """Condition: *size* values of the indices *over* satisfy the *atoms*, all other slots named.

    ``count(A(z, b), n, over=b)`` says that A_z has n elements; the index b serves nothing else.
    """
    atoms = (atoms,) if isinstance(atoms, Holds) else tuple(atoms)
    over = (over,) if isinstance(over, Index) else tuple(over)
    exact = RationalFunction.of(size, "size")
    if not exact.names and not _is_count(exact):
        raise ValueError(f"size: {exact} is not a count; take an integer >= 0")
    if not over and exact not in (0, 1):
        raise ValueError(
            f"size: {', '.join(map(str, atoms))} has no free index, so {exact} is no count of it; "
            "say holds(...) or fails(...)"
        )
    idle = [index for index in over if all(index not in atom.entries for atom in atoms)]
    if idle:
        raise ValueError(f"over: {idle[0]} occurs in none of {', '.join(map(str, atoms))}")
    return Count(over, atoms, exact, caller_symbols(size))


def holds(atom: Holds) -> Count:
    """Condition: the tuple of named slots belongs to its relation."""
    return count(atom, 1, over=())


def fails(atom: Holds) -> Count:
    """Condition: the tuple of named slots does not belong to its relation."""
    return count(atom, 0, over=())


def _check_ranges(ranges: Iterable[Any]) -> None:
    for range_ in ranges:
        if not isinstance(range_, Range):
            raise TypeError(f"{range_!r} is no range; make one with Range(size)")


def _is_count(size: RationalFunction) -> bool:
    value = size.as_fraction()
    return value >= 0 and value.denominator == 1
