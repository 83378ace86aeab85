"""The engine against the second exact road, for any expression, at instances made up for it.

The conditions are read, sizes, maps, relations and symbols that satisfy them are drawn, and the
moment of the engine is compared with the enumeration of explicit.py at each.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from proofs.algebra import RationalFunction
from proofs.moments.explicit import Instance
from proofs.moments.expressions import Expression
from proofs.moments.indices import (
    Condition,
    Count,
    Distinct,
    Equal,
    Fibre,
)
from proofs.moments.instances import Builder, most_bound, named_slots, tuples
from proofs.moments.laws import Fixed
from proofs.moments.raw import raw_moments
from proofs.moments.world import World


@dataclass(frozen=True)
class Comparison:
    """Both roads at one instance; ``engine`` is None where the engine's formula divides by zero."""

    dimension: int
    sizes: Mapping[str, int | Fraction]
    engine: RationalFunction | None
    enumeration: RationalFunction
    instance: Instance

    @property
    def agree(self) -> bool:
        return self.engine is not None and self.engine == self.enumeration

    def __str__(self) -> str:
        where = ", ".join(f"{name} = {value}" for name, value in sorted(self.sizes.items()))
        engine = "undefined" if self.engine is None else str(self.engine)
        found = f"both {engine}"
        if not self.agree:
            found = f"engine {engine}, enumeration {self.enumeration}"
        return f"R^{self.dimension}{', ' * bool(where)}{where}: {found}"


@dataclass(frozen=True)
class CrossCheck:
    """The comparisons that were made, one an instance."""

    comparisons: tuple[Comparison, ...]

    @property
    def agree(self) -> bool:
        """Whether the two roads agree at every instance, of which there is at least one."""
        return bool(self.comparisons) and all(c.agree for c in self.comparisons)

    def __str__(self) -> str:
        wrong = sum(not c.agree for c in self.comparisons)
        verdict = f"{wrong} of {len(self.comparisons)} instances disagree"
        if self.agree:
            verdict = f"engine and enumeration agree at {len(self.comparisons)} instances"
        return "\n  ".join([verdict, *map(str, self.comparisons)])


def cross_check(
    factors: Expression | Sequence[Expression],
    given: Iterable[Condition] = (),
    *,
    trials: int = 3,
    seed: int = 0,
    dimensions: Sequence[int] = (1, 2),
    instances: Sequence[tuple[Instance, int]] | None = None,
) -> CrossCheck:
    """E of the product of scalar *factors* by the engine and by enumeration, *given* as for mean.

    At most *trials* instances are drawn in each of the *dimensions* in which the laws exist and can
    be enumerated (fixed numbers as dimensions are kept instead). *instances* are explicit ones, each
    with its dimension, to be used instead. All dimensions that are symbols take the same value.

    Raises TypeError and ValueError as the engine does, ValueError where no small instance satisfies
    the conditions, an explicit one does not, or the enumeration would be too long.
    """
    factors = [factors] if isinstance(factors, Expression) else list(factors)
    given = list(given)
    if not factors:
        raise ValueError("factors: there are none; pass a scalar expression or several")
    if isinstance(trials, bool) or not isinstance(trials, int) or trials < 1:
        raise ValueError(f"trials: {trials!r} is out of range; take an integer >= 1")
    if instances is not None and not instances:
        raise ValueError("instances: there are none; pass (Instance, d) pairs, or leave it out")
    value = raw_moments(factors, given)[-1].value
    if instances is None:
        instances = list(Builder(factors, given, random.Random(seed)).draw(trials, dimensions))
    for instance, d in instances:
        wrong = contradiction(instance, d, factors, given)
        if wrong:
            raise ValueError(f"instances: {wrong}")
    return CrossCheck(tuple(_compare(value, factors, *one) for one in instances))


def contradiction(
    instance: Instance, d: int, factors: Sequence[Expression], given: Sequence[Condition]
) -> str:
    """Why an instance in dimension *d* is none of what *factors* and the conditions *given* speak of, in
    words; empty if it is one."""
    for thing, where in _lacking(instance, factors, given):
        return f"nothing is said of {thing}; add it to the {where}"
    for statement in _untrue(instance, d, factors, given):
        return f"{statement} is not true of {dict(instance.symbols)}"
    return ""


def _compare(
    value: RationalFunction, factors: Sequence[Expression], instance: Instance, d: int
) -> Comparison:
    missing = [name for name in value.names if name not in instance.symbols]
    if missing:
        raise ValueError(f"instances: {missing[0]} has no value; add it to the symbols")
    try:
        engine = value(**instance.symbols)
    except ZeroDivisionError:
        engine = None
    enumeration = instance.expectation(factors, d)
    return Comparison(d, dict(instance.symbols), engine, enumeration, instance)


def _untrue(
    instance: Instance, d: int, factors: Sequence[Expression], given: Sequence[Condition]
) -> Iterator[str]:
    """The statements on sizes, indices and maps that an instance contradicts.

    Read from the conditions alone, so that a World that misreads them is noticed too.
    """
    symbols = instance.symbols
    for range_, number in instance.sizes.items():
        if range_.size(**symbols) != number:
            yield f"{range_.size} = {number}"
    families = {a.family for f in factors for term in f.terms for a in term.atoms()}
    for family in families:
        if family.dimension != 1 and family.dimension(**symbols) != d:
            yield f"{family.dimension} = {d}"
    where = {slot: instance.position(slot) for slot in named_slots(factors, given)}
    for condition in given:
        if isinstance(condition, Distinct):
            true = where[condition.left] != where[condition.right]
        elif isinstance(condition, Equal):
            true = where[condition.left] == where[condition.right]
        elif isinstance(condition, Fibre):
            tables = [t for a, t in instance.maps.items() if a.codomain is condition.slot.range]
            inputs = sum(table.count(where[condition.slot]) for table in tables)
            true = condition.size(**symbols) == inputs
        else:
            sizes = {index.range: instance.size(index.range) for index in condition.over}
            indices = {slot.source: instance.position(slot.source) for slot in condition.slots()}
            found = tuples(condition, instance.relations, sizes, indices)
            true = condition.size(**symbols) == found
        if not true:
            yield str(condition)
    for association, table in instance.maps.items():
        fibres = [c.slot for c in given if isinstance(c, Fibre)]
        stated = {where[slot] for slot in fibres if slot.range is association.codomain}
        named = {at for slot, at in where.items() if slot.range is association.codomain}
        named |= {table[at] for slot, at in where.items() if slot.range is association.domain}
        prefix = association.fibre_powers
        free = set() if prefix is None else set(table) - named
        for output in set(table) - stated - free:
            if table.count(output) != association.fibre_size(**symbols):
                yield f"|fibre of {association.name}| = {association.fibre_size} at {output}"
        for power in range(2, 2 + sum(map(most_bound, factors)) if prefix else 2):
            total = sum(table.count(output) ** power for output in free)
            if symbols.get(f"{prefix}{power}", total) != total:
                yield f"{prefix}{power} = {symbols[f'{prefix}{power}']}, instead of {total},"
    for family, rows in instance.fixed.items():
        assert isinstance(family, Fixed)
        for v, w in itertools.combinations_with_replacement(rows, 2):
            inner = sum(x * y for x, y in zip(v, w, strict=True))
            if inner != (1 if v is w else family.overlap(**symbols)):
                yield f"an inner product {inner} in {family}"


def _lacking(
    instance: Instance, factors: Sequence[Expression], given: Sequence[Condition]
) -> Iterator[tuple[str, str]]:
    """What an instance says nothing of, and where it should."""
    world = World(factors, given)
    sources = {slot.source for slot in named_slots(factors, given)}
    needed: list[tuple[Iterable[Any], Collection[Any], str]] = [
        ([r for r in world.ranges if instance.size_of(r) is None], (), "sizes"),
        ([i for i in sources if instance.size_of(i.range) != 1], instance.indices, "indices"),
        (world.maps.values(), instance.maps, "maps"),
        (world.relations.relations, instance.relations, "relations"),
    ]
    said = [*(r.size for r in world.ranges), *(f.dimension for f in world.families.values())]
    said += [condition.size for condition in given if isinstance(condition, (Fibre, Count))]
    for name in sorted({name for size in said for name in size.names} - set(instance.symbols)):
        yield name, "symbols"
    for things, known, where in needed:
        yield from ((thing.name, where) for thing in things if thing not in known)
