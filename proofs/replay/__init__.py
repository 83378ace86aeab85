"""Replay of a derivation record: a second program that confirms it, by other algorithms.

It needs python-flint and the standard library, and none of the code that made the record.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import comb
from typing import Any

from proofs.replay.expectations import Expectations, Law
from proofs.replay.field import Field, Ratio, RecordError, short
from proofs.replay.worlds import explicit_worlds

__all__ = ["RecordError", "Replay", "replay"]


@dataclass(frozen=True)
class Replay:
    """What was confirmed of a record, how many multiplicities were not checked, and what is wrong."""

    states: int
    patterns: int
    multiplicities: int
    unchecked: int
    moments: int
    failures: tuple[str, ...]

    @property
    def confirmed(self) -> bool:
        """Whether everything was checked and nothing is wrong."""
        return not self.failures and not self.unchecked

    def __str__(self) -> str:
        found = (
            f"{self.states} states, {self.patterns} patterns, {self.multiplicities} multiplicities, "
            f"{self.moments} moments"
        )
        lines = ["confirmed" if self.confirmed else "not confirmed", f"  agree: {found}"]
        if self.unchecked:
            lines.append(
                f"  not checked: {self.unchecked} multiplicities; no small world was found"
            )
        return "\n".join([*lines, *(f"  wrong: {failure}" for failure in self.failures)])


def replay(record: dict[str, Any] | str, *, seed: int = 0) -> Replay:
    """Recompute the *record*, a dictionary or its JSON text; *seed* draws the small worlds.

    Raises RecordError, a ValueError, for what is no record of the schema 1.
    """
    try:
        data = json.loads(record) if isinstance(record, str) else record
    except (ValueError, RecursionError) as error:
        raise RecordError(f"record: no JSON text ({error}); pass what to_json() gave") from None
    if not isinstance(data, dict) or "schema" not in data:
        raise RecordError("record: this is no record of a derivation; pass what to_json() gave")
    if data["schema"] != 1:
        raise RecordError(f"schema: {data['schema']!r} is not known; this program reads schema 1")
    try:
        return _Run(data, seed).result()
    except KeyError as error:
        raise RecordError(f"record: {error} is missing; pass a complete record") from error
    except (TypeError, IndexError, AttributeError, RecursionError, OverflowError) as error:
        raise RecordError(f"record: not built as records are ({error})") from error


#: Text under these keys is no formula.
_WORDS = {"pattern", "labels", "name", "law", "to", "vertices", "rule", "fibre_powers"}


def _formulas(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            if key not in _WORDS:
                yield from _formulas(item)


class _Run:
    def __init__(self, data: dict[str, Any], seed: int) -> None:
        self.data, self.seed = data, seed
        self.field = Field(_formulas(data))
        self.failures: list[str] = []
        self.states = self.patterns = self.multiplicities = self.unchecked = self.moments = 0

    def result(self) -> Replay:
        """Everything in turn: expectations, moments, multiplicities, the value."""
        read = self.field.read
        blocks = {int(serial): read(size) for serial, size in self.data["blocks"].items()}
        laws = {serial: self._law(law) for serial, law in self.data["laws"].items()}
        self.expectations = Expectations(self.field, laws, blocks)
        for moment in self.data["moments"]:
            self._moment(moment)
        for number in sorted({moment["world"] for moment in self.data["moments"]}):
            self._count(number)
        self._same("the value", self.data["value"], self._value())
        return Replay(
            self.states,
            self.patterns,
            self.multiplicities,
            self.unchecked,
            self.moments,
            tuple(self.failures),
        )

    def _law(self, law: Mapping[str, Any]) -> Law:
        kind, read = law["law"], self.field.read
        if kind not in ("sphere", "gaussian", "fixed", "orthogonal-sphere"):
            raise RecordError(f"law: {kind!r} is not known; pass a record of this version")
        return Law(
            kind,
            read(law["dimension"]),
            variance=read(law["variance"]) if kind == "gaussian" else None,
            overlap=read(law["overlap"]) if kind == "fixed" else None,
            to=law["to"] if kind == "orthogonal-sphere" else None,
        )

    def _same(self, what: str, stated: str, found: Ratio) -> bool:
        if self.field.read(stated) == found:
            return True
        self.failures.append(f"{what} is stated as {short(stated)}, found {short(str(found))}")
        return False

    def _moment(self, moment: Mapping[str, Any]) -> None:
        total = self.field.number(0)
        for pattern in moment["patterns"]:
            read = self.field.read
            total = total + read(pattern["multiplicity"]) * read(pattern["expectation"])
            found = self.field.number(0)
            try:
                for state in pattern["states"]:
                    value = self.expectations.of(state["vertices"], state["edges"])
                    found = found + read(state["coefficient"]) * value
            except RecordError:
                raise
            except (ValueError, ZeroDivisionError) as error:
                self.failures.append(f"{_place(moment, pattern)}: {error}")
                continue
            what = f"{_place(moment, pattern)}: the expectation"
            if self._same(what, pattern["expectation"], found):
                self.patterns += 1
                self.states += len(pattern["states"])
        what = f"moment of order {moment['order']}: the sum over its patterns"
        self.moments += self._same(what, moment["value"], total)

    def _count(self, number: int) -> None:
        """Compare the multiplicities of one world with counts in small explicit worlds."""
        places = [
            (_place(moment, pattern), pattern)
            for moment in self.data["moments"]
            if moment["world"] == number
            for pattern in moment["patterns"]
        ]
        patterns = [pattern for _, pattern in places]
        if not 0 <= number < len(self.data["worlds"]):
            raise RecordError(f"world: {number} is none of the {len(self.data['worlds'])} worlds")
        worlds = explicit_worlds(self.field, self.data["worlds"][number], patterns, self.seed)
        for i, (place, pattern) in enumerate(places):
            formula = self.field.read(pattern["multiplicity"])
            for world, counts in worlds:
                value = formula.at(world.values)
                if value != counts[i]:
                    where = ", ".join(f"{s}={v}" for s, v in sorted(world.values.items()))
                    wrong = "open" if value is None else str(value)
                    self.failures.append(
                        f"{place}: the multiplicity is stated as {short(pattern['multiplicity'])}, "
                        f"which is {wrong} at {where}; found {counts[i]}"
                    )
                    break
            else:
                # A pattern that never occurred is not confirmed by so many zeros.
                seen = any(counts[i] for _, counts in worlds)
                self.multiplicities += seen
                self.unchecked += not seen

    def _value(self) -> Ratio:
        """The value that the rule makes of the stated moments; RecordError for an unknown rule."""
        raw = [self.field.read(moment["value"]) for moment in self.data["moments"]]
        rule, orders = self.data["rule"], [moment["order"] for moment in self.data["moments"]]
        if (rule, orders) == ("mean", [1]):
            return raw[0]
        if (rule, orders) == ("covariance", [1, 2, 1]):
            return raw[1] - raw[0] * raw[2]
        order = len(raw)
        if not raw or (rule, orders) != ("central", list(range(1, order + 1))):
            raise RecordError(
                f"rule: {rule!r} with moments of the orders {orders}; take 'mean' with [1], "
                "'covariance' with [1, 2, 1] or 'central' with [1, ..., k]"
            )
        total = self.field.number(0)
        for j, moment in enumerate([self.field.number(1), *raw]):
            total = total + moment * (raw[0] * -1) ** (order - j) * comb(order, j)
        return total


def _place(moment: Mapping[str, Any], pattern: Mapping[str, Any]) -> str:
    return f"moment of order {moment['order']}, pattern {pattern['pattern']!r}"
