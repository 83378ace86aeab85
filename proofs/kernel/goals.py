"""Formal statements: what a claim says, as an object with which what was proved is matched."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import get_args

from proofs.kernel.algebra import weaken
from proofs.kernel.regions import Refused, Region
from proofs.kernel.theorem import Compare, Statement, Theorem, require_inside


def beyond(theorem: Theorem) -> Iterator[Region]:
    """Regions that are not inside that of a theorem: one of its ends further out, or closed."""
    region = theorem.region
    for one in region.ranges:
        if one.lower is not None:
            yield region.ending(one.name, lower=one.lower - (0 if one.open_below else 1))
        if one.upper is not None:
            yield region.ending(one.name, upper=one.upper + (0 if one.open_above else 1))


def require_kept(theorem: Theorem) -> None:
    """ArithmeticError if the theorem is taken for one on a region that is not inside its own.

    Nothing is wrong with the theorem then, but with what decides signs.
    """
    for region in beyond(theorem):
        try:
            require_inside(region, theorem)
        except Refused:
            continue
        raise ArithmeticError(f"signs are decided wrongly: {theorem} is taken to hold for {region}")


@dataclass(frozen=True)
class Goal:
    """A statement on all of a region, under hypotheses."""

    statement: Statement
    region: Region
    hypotheses: tuple[Compare, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "hypotheses", tuple(self.hypotheses))
        if type(self.statement) not in get_args(Statement) or type(self.region) is not Region:
            raise TypeError(f"{self.statement!r}, {self.region!r}: no statement on a region")
        if {type(one) for one in self.hypotheses} - {Compare}:
            raise TypeError(f"hypotheses: {self.hypotheses!r} has something else than comparisons")

    def __str__(self) -> str:
        given = f"if {' and '.join(map(str, self.hypotheses))}, " if self.hypotheses else ""
        where = f"for {self.region}: " if self.region.ranges else ""
        return f"{where}{given}{self.statement}"

    def reached(self, theorem: Theorem) -> Theorem:
        """The goal as a theorem. Refused if it does not follow from the given one at once."""
        return weaken(theorem, self.statement, self.region, self.hypotheses)
