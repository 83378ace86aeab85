"""Formal statements: what a claim says, as an object with which what was proved is matched."""

from __future__ import annotations

from dataclasses import dataclass

from proofs.kernel.algebra import weaken
from proofs.kernel.regions import Region
from proofs.kernel.theorem import Compare, Statement, Theorem


@dataclass(frozen=True)
class Goal:
    """A statement on all of a region, under hypotheses."""

    statement: Statement
    region: Region
    hypotheses: tuple[Compare, ...] = ()

    def __str__(self) -> str:
        given = f"if {' and '.join(map(str, self.hypotheses))}, " if self.hypotheses else ""
        return f"for {self.region}: {given}{self.statement}"

    def reached(self, theorem: Theorem) -> Theorem:
        """The goal as a theorem. Refused if it does not follow from the given one at once."""
        return weaken(theorem, self.statement, self.region, self.hypotheses)
