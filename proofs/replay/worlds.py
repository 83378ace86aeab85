"""Small explicit worlds: sizes, maps and relations drawn at random, and patterns counted in them.

Symbols in sizes are drawn until the sizes fit together; symbols in the counts of relations are read off
relations that were changed at random until they fulfil all counts. Then patterns are counted one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import perm
from random import Random
from typing import Any, TypeAlias

from proofs.replay.field import Field, Ratio, RecordError

Fact: TypeAlias = Sequence[Any]  # [relation, entries]

_DRAWS = 4000
_CHANGES = 400
_FEWEST, _MOST = 3, 30


class UnrealisedError(Exception):
    """What was drawn fulfils not all that the record says; the cost is in draws."""

    def __init__(self, cost: int = 1) -> None:
        self.cost = cost


class Explicit:
    """One explicit world for the data of a world and the largest patterns that are to fit.

    ``values`` are the numbers its symbols take. Raises UnrealisedError if nothing was found this time.
    """

    def __init__(
        self, field: Field, data: Mapping[str, Any], need: Sequence[int], rng: Random
    ) -> None:
        self.field, self.data, self.rng = field, data, rng
        self.named: list[list[int]] = data["named"]
        self.related = {r for relation in data["relations"] for r in relation["ranges"]}
        self.values = self._draw_values(need)
        self.sizes = [self._size(text) for text in data["ranges"]]
        self.position: dict[int, int] = {}
        for number, (where, _) in enumerate(self.named):
            self.position[number] = sum(w == where for w, _ in self.named[:number])
        for where, size in enumerate(self.sizes):
            free = self.field.read(data["ranges"][where]).names()
            large = where in self.related and free and size > need[where] + 2
            if size < self._names(where) or large:
                raise UnrealisedError
        #: For each range that a map enters: how many inputs each of its elements has.
        self.fibres = {m["codomain"]: self._fibres(m) for m in data["maps"]}
        self.domains = {m["domain"] for m in data["maps"]}
        self.relations: list[set[tuple[int, ...]]] = []
        self._relate()

    def _draw_values(self, need: Sequence[int]) -> dict[str, Fraction]:
        sizes = [*self.data["ranges"], *self.data["fibres"].values()]
        sizes += [m["fibre_size"] for m in self.data["maps"]]
        low = dict(zip(self.data["ranges"], need, strict=True))
        spread = self.rng.choice((3, 3, 10, 30))
        return {
            name: Fraction(max(0, low.get(name, 1) + self.rng.randint(-1, spread)))
            for name in sorted({name for text in sizes for name in self.field.read(text).names()})
        }

    def _size(self, text: str) -> int:
        value = self.field.read(text).at(self.values)
        if value is None or value < 0 or value.denominator != 1:
            raise UnrealisedError
        return int(value)

    def _names(self, where: int) -> int:
        return sum(w == where for w, _ in self.named)

    # -- maps ---------------------------------------------------------------------------------

    def _fibres(self, map_: Mapping[str, Any]) -> list[int]:
        """The map: how many inputs each output has, named outputs first."""
        outputs = [n for n, (where, _) in enumerate(self.named) if where == map_["codomain"]]
        named = [self._size(self.data["fibres"].get(str(output), "-1")) for output in outputs]
        if any(len(self._inputs(o)) > n for o, n in zip(outputs, named, strict=True)):
            raise UnrealisedError
        rest = self.sizes[map_["domain"]] - sum(named)
        others = [0] * (self.sizes[map_["codomain"]] - len(named))
        prefix, block = map_["fibre_powers"], self._size(map_["fibre_size"])
        if block == 0 or rest < 0 or rest % block or (rest and not others):
            raise UnrealisedError
        if prefix is None:
            if rest // block > len(others):
                raise UnrealisedError
            for output in self.rng.sample(range(len(others)), rest // block):
                others[output] = block
            return named + others
        for _ in range(rest):
            others[min(self.rng.randrange(len(others)) for _ in range(2))] += 1
        for name in self.field.names:
            if name.startswith(prefix) and name[len(prefix) :].isdigit():
                power = int(name[len(prefix) :])
                self.values[name] = Fraction(sum(n**power for n in others))
        return named + others

    def _inputs(self, output: int) -> list[int]:
        return [n for n, (_, image) in enumerate(self.named) if image == output]

    # -- relations ----------------------------------------------------------------------------

    def _relate(self) -> None:
        """Draw the relations, and change a tuple at a time until all counts are as stated."""
        for relation in self.data["relations"]:
            ranges = [range(self.sizes[r]) for r in relation["ranges"]]
            density = self.rng.uniform(0.2, 0.9)
            if not relation["functional"]:
                tuples = {t for t in product(*ranges) if self.rng.random() < density}
            elif ranges[-1]:
                tuples = {(*t, self.rng.choice(ranges[-1])) for t in product(*ranges[:-1])}
            else:
                raise UnrealisedError
            self.relations.append(tuples)
        wrong = self._wrong()
        for _ in range(_CHANGES if self.relations else 0):
            if not wrong:
                break
            before = [set(tuples) for tuples in self.relations]
            self._change()
            after = self._wrong()
            if after > wrong:
                self.relations = before
            else:
                wrong = after
        if wrong:
            raise UnrealisedError(_DRAWS // 100)
        self._wrong(keep=True)

    def _change(self) -> None:
        number = self.rng.randrange(len(self.relations))
        relation, tuples = self.data["relations"][number], self.relations[number]
        if any(not self.sizes[r] for r in relation["ranges"]):
            return
        changed = tuple(self.rng.randrange(self.sizes[r]) for r in relation["ranges"])
        if relation["functional"]:
            tuples -= {t for t in tuples if t[:-1] == changed[:-1]}
        tuples ^= {changed}

    def _wrong(self, keep: bool = False) -> Fraction:
        """By how much the counts fail, when every symbol is read off where it can be."""
        values, wrong = dict(self.values), Fraction(0)
        waiting = [
            (self.field.read(count["size"]), self._shape(count["facts"]))
            for count in self.data["counts"]
        ]
        while waiting:
            open_ = [(f, n, [s for s in f.names() if s not in values]) for f, n in waiting]
            ready = next(((f, n, s) for f, n, s in open_ if not s), None)
            ready = ready or next(((f, n, s) for f, n, s in open_ if len(s) == 1), None)
            if ready is None:
                raise UnrealisedError
            formula, found, missing = ready
            if missing:
                values[missing[0]] = _solve(formula, values, missing[0], found)
            value = formula.at(values)
            wrong += Fraction(1) if value is None else abs(value - found)
            waiting.remove((formula, found))
        if keep:
            self.values = values
        return wrong

    def _shape(self, facts: Sequence[Fact]) -> int:
        """The number of values of the free entries for which *facts* are true."""
        free = {
            entry: self.data["relations"][number]["ranges"][i]
            for number, entries in facts
            for i, entry in enumerate(entries)
            if entry < 0
        }
        return self._ways(list(free.items()), facts, dict(self.position), None)

    # -- counting -----------------------------------------------------------------------------

    def count(self, fresh: Sequence[Sequence[int]], facts: Sequence[Fact]) -> int:
        """The ways to choose *fresh* elements, different from each other and the named ones."""
        start = len(self.named)
        tied = {entry for _, entries in facts for entry in entries}
        mine = [(n, where) for n, (where, _) in enumerate(fresh, start) if n in tied]
        used = {(where, self.position[n]) for n, (where, _) in enumerate(self.named)}
        total = self._ways(mine, facts, dict(self.position), used)
        if not total:
            return 0
        for where, size in enumerate(self.sizes):
            new = [n for n, (w, _) in enumerate(fresh, start) if w == where and n not in tied]
            taken = self._names(where) + sum(w == where for _, w in mine)
            if where in self.fibres:
                over = Counter(image for _, image in fresh)
                outputs = [n for n, (w, _) in enumerate(self.named) if w == where]
                for output, inputs in zip(outputs, self.fibres[where], strict=False):
                    total *= perm(inputs - len(self._inputs(output)), over[output])
                rest = Counter(self.fibres[where][len(outputs) :])
                total *= _onto([over[output] for output in new], rest)
            elif where not in self.domains:
                total *= perm(size - taken, len(new))
        return total

    def _ways(
        self,
        free: Sequence[tuple[int, int]],
        facts: Sequence[Fact],
        position: dict[int, int],
        used: set[tuple[int, int]] | None,
    ) -> int:
        """Assign the *free* (element, range) one by one; all different where *used* is given."""
        true = all(
            tuple(position[e] for e in entries) in self.relations[number]
            for number, entries in facts
            if all(e in position for e in entries)
        )
        if not free or not true:
            return int(true)
        (element, where), *rest = free
        total = 0
        for value in range(self.sizes[where]):
            if used is None:
                total += self._ways(rest, facts, {**position, element: value}, None)
            elif (where, value) not in used:
                taken = used | {(where, value)}
                total += self._ways(rest, facts, {**position, element: value}, taken)
        return total


def _onto(demands: Sequence[int], outputs: Counter[int]) -> int:
    """The ways to place fresh outputs with so many fresh inputs each, *outputs* by their inputs."""
    if not demands:
        return 1
    total = 0
    for inputs, number in outputs.items():
        if number and inputs >= demands[0]:
            left = Counter(outputs)
            left[inputs] -= 1
            total += number * perm(inputs, demands[0]) * _onto(demands[1:], left)
    return total


def _solve(formula: Ratio, values: Mapping[str, Fraction], name: str, target: int) -> Fraction:
    """The value of *name* that gives *target*, the formula being linear in it."""
    zero, one, two = (formula.at({**values, name: Fraction(x)}) for x in (0, 1, 2))
    if zero is None or one is None or two is None or one == zero or two - one != one - zero:
        raise UnrealisedError
    return (target - zero) / (one - zero)


def _check_elements(
    data: Mapping[str, Any], elements: Sequence[Sequence[int]], facts: Sequence[Fact]
) -> None:
    """RecordError for an image that is none, or a fact on what is not there."""
    codomains = {m["domain"]: m["codomain"] for m in data["maps"]}
    for where, image in elements:
        if (elements[image][0] if image >= 0 else None) != codomains.get(where):
            raise RecordError(f"image: {image} is no image of an element of the range {where}")
    for number, entries in facts:
        ranges = [elements[entry][0] for entry in entries if entry >= 0]
        if ranges != data["relations"][number]["ranges"]:
            raise RecordError(f"facts: {entries} are no entries of the relation {number}")


def explicit_worlds(
    field: Field, data: Mapping[str, Any], patterns: Sequence[Mapping[str, Any]], seed: int
) -> list[tuple[Explicit, list[int]]]:
    """Different explicit worlds, each with the counts of all *patterns*; empty if there is none.

    At least three, unless no symbol is free; up to thirty while a pattern never occurred or two
    patterns with different multiplicities were never told apart.
    """
    for pattern in patterns:
        _check_elements(data, [*data["named"], *pattern["fresh"]], pattern["facts"])
    named = Counter(where for where, _ in data["named"])
    fresh = [Counter(where for where, _ in pattern["fresh"]) for pattern in patterns]
    need = [
        named[w] + max((counts[w] for counts in fresh), default=0)
        for w in range(len(data["ranges"]))
    ]
    kinds = len({pattern["multiplicity"] for pattern in patterns})
    rng, found, seen, drawn = Random(seed), [], set(), 0
    while drawn < _DRAWS:
        try:
            world = Explicit(field, data, need, rng)
        except UnrealisedError as error:
            drawn += error.cost
            continue
        drawn += _DRAWS // 100
        key = tuple(sorted(world.values.items()))
        if key in seen:
            continue
        seen.add(key)
        counts = [world.count(pattern["fresh"], pattern["facts"]) for pattern in patterns]
        found.append((world, counts))
        columns = list(zip(*(counts for _, counts in found), strict=True))
        enough = all(map(any, columns)) and len(set(columns)) >= kinds
        if len(found) == _MOST or (enough and len(found) >= _FEWEST) or not world.values:
            break
    return found if len(found) >= _FEWEST or not all(w.values for w, _ in found) else []
