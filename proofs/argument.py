"""Arguments: chains of decided lines, each an identity, a sign or a certified comparison.

An argument holds if every line does; a broken one names its first line that fails and the witness.
What is taken on trust is a cited line or a step in words, and is listed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from flint import arb

from proofs.algebra import RationalFunction, UndecidedError, Violation, decide_nonnegative


@dataclass(frozen=True)
class Line:
    """One line: what is claimed, whether it was decided to hold, and by what."""

    text: str
    holds: bool
    reason: str

    def __str__(self) -> str:
        mark = "" if self.holds else "FAILS: "
        return f"{mark}{self.text}   [{self.reason}]"


@dataclass
class Argument:
    """A chain of lines under construction. Each method decides its line and returns the outcome."""

    lines: list[Line] = field(default_factory=list)
    assumptions: list[str] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        return bool(self.lines) and all(line.holds for line in self.lines)

    @property
    def broken(self) -> Line | None:
        """The first line that fails."""
        return next((line for line in self.lines if not line.holds), None)

    def _add(self, text: str, holds: bool, reason: str) -> bool:
        self.lines.append(Line(text, holds, reason))
        return holds

    def include(self, *others: Argument) -> None:
        """All lines of other arguments, with what they take on trust."""
        for other in others:
            self.lines += other.lines
            self.assumptions += other.assumptions

    def cite(self, text: str, source: str) -> None:
        """A line taken on trust from *source*."""
        self.assumptions.append(f"{source}: {text}")
        self._add(text, True, f"cited: {source}")

    def define(self, text: str) -> None:
        """A line that only introduces notation."""
        self._add(text, True, "notation")

    def infer(self, text: str, why: str) -> None:
        """A step of reasoning in words, which no computation decides; listed with what is taken on
        trust, so that a reader knows where to look."""
        self.assumptions.append(f"step in words: {text}, since {why}")
        self._add(text, True, f"in words: {why}")

    def equal(self, text: str, left: RationalFunction, right: RationalFunction) -> bool:
        """left = right in the field of rational functions."""
        same = left == right
        reason = "identity of rational functions" if same else f"the difference is {left - right}"
        return self._add(text, same, reason)

    def nonnegative(
        self,
        text: str,
        function: RationalFunction,
        lower: Mapping[str, int],
        *,
        interior: bool = False,
    ) -> bool:
        """function >= 0 for all sizes above *lower* (strictly above it, if *interior*)."""
        try:
            decision = decide_nonnegative(function, lower, interior=interior)
        except UndecidedError as error:
            return self._add(text, False, f"undecided: {error}")
        if isinstance(decision, Violation):
            at = ", ".join(f"{name} = {value}" for name, value in decision.at.items())
            return self._add(text, False, f"{decision.value} at {at}")
        return self._add(text, True, f"nonnegative coefficients: {decision.numerator}")

    def at_most(self, text: str, left: arb, right: arb) -> bool:
        """left <= right for certain, as balls."""
        holds = bool(left <= right)
        return self._add(text, holds, f"{left.str(6)} against {right.str(6)}")

    def true(self, text: str, holds: bool, reason: str) -> bool:
        """A line decided by exact integer or rational arithmetic elsewhere; *reason* says how."""
        return self._add(text, holds, reason)
