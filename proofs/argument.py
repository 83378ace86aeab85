"""Arguments: chains of decided lines, each an identity, a sign or a certified comparison.

An argument holds if every line does and no witness refutes it; a broken one names its first line that
fails. What is taken on trust is a cited line or a step in words, and is listed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from fractions import Fraction
from functools import wraps
from typing import ParamSpec, TypeAlias

from flint import arb

from proofs.algebra import RationalFunction, UndecidedError, Violation, decide_nonnegative
from proofs.citations import Citation

#: What refutes a statement, for a reader: a place, and what is found there.
Witness: TypeAlias = Mapping[str, object]
_P = ParamSpec("_P")

#: Whether proofs are judged alone, without the search for a counterexample beside them.
_ALONE: ContextVar[bool] = ContextVar("proofs alone", default=False)


@contextmanager
def proofs_alone() -> Iterator[None]:
    """Inside, nothing is looked for beside a proof that refutes: it has to break by itself."""
    token = _ALONE.set(True)
    try:
        yield
    finally:
        _ALONE.reset(token)


def searching() -> bool:
    """Whether a counterexample is looked for beside a proof."""
    return not _ALONE.get()


def search(look: Callable[_P, Witness | None]) -> Callable[_P, Witness | None]:
    """Decorator: what looks for a counterexample, and finds none where proofs are judged alone."""

    @wraps(look)
    def found(*args: _P.args, **kwargs: _P.kwargs) -> Witness | None:
        return look(*args, **kwargs) if searching() else None

    return found


@dataclass(frozen=True)
class Line:
    """One line: what is claimed, whether it was decided to hold, by what, and for which sizes."""

    text: str
    holds: bool
    reason: str
    region: str = ""

    def __str__(self) -> str:
        mark = "" if self.holds else "FAILS: "
        where = f", for {self.region}" if self.region else ""
        return f"{mark}{self.text}{where}   [{self.reason}]"


@dataclass
class Argument:
    """A chain of lines under construction. Each method decides its line and returns the outcome."""

    lines: list[Line] = field(default_factory=list)
    assumptions: list[str] = field(default_factory=list)
    #: What refutes the statement, whatever the lines say.
    witness: Witness | None = None

    @property
    def holds(self) -> bool:
        return bool(self.lines) and self.broken is None and self.witness is None

    @property
    def broken(self) -> Line | None:
        """The first line that fails."""
        return next((line for line in self.lines if not line.holds), None)

    def _add(self, text: str, holds: bool, reason: str, region: str = "") -> bool:
        self.lines.append(Line(text, holds, reason, region))
        return holds

    def refute(self, witness: Witness | None) -> Argument:
        """This argument, with a witness against it unless it has one; None is no witness."""
        if self.witness is None:
            self.witness = witness
        return self

    def fails(self, text: str, witness: Witness) -> Argument:
        """This argument with a line that was decided to be false, exactly, at the place *witness*."""
        self._add(text, False, ", ".join(f"{name} = {value}" for name, value in witness.items()))
        return self.refute(witness)

    def unless(self, witness: Witness | None) -> Argument:
        """This argument, refuted by a witness that was looked for beside it; where proofs are judged
        alone, nobody looks."""
        return self.refute(witness) if searching() else self

    def include(self, *others: Argument) -> None:
        """All lines of other arguments, with what they take on trust.

        What refutes a step does not refute what rests on it, but breaks the argument.
        """
        for other in others:
            self.lines += other.lines
            self.assumptions += other.assumptions
            if other.witness is not None and other.broken is None:
                self._add("the step before", False, f"fails at {dict(other.witness)}")

    def cite(self, text: str, source: Citation) -> None:
        """A line taken on trust from *source*, a published theorem; *text* says how it is used.

        TypeError for another source: a claim is used, reasoning is inferred.
        """
        if not isinstance(source, Citation):
            raise TypeError(
                f"source: {source!r} is no Citation; a claim of the catalogue is used "
                "(Argument.use), reasoning is a step in words (Argument.infer)"
            )
        self.assumptions.append(f"{source}: {text}")
        self._add(text, True, f"cited: {source}")

    def use(self, text: str, claim: str) -> None:
        """A line that another claim gives, *text* says how; the claim that is argued for must list it
        among those that it uses."""
        self._add(text, True, f"by the claim {claim}")

    def define(self, text: str) -> None:
        """A line that only introduces notation."""
        self._add(text, True, "notation")

    def infer(self, text: str, why: Citation | str) -> None:
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
        beside: Sequence[RationalFunction] = (),
    ) -> bool:
        """function >= 0 for all sizes above *lower* (strictly above it, if *interior*) at which *beside*
        is too, which the line says."""
        try:
            decision = decide_nonnegative(function, lower, interior=interior, beside=beside)
        except UndecidedError as error:
            return self._add(text, False, f"undecided: {error}")
        if isinstance(decision, Violation):
            at = ", ".join(f"{name} = {value}" for name, value in decision.at.items())
            return self._add(text, False, f"{decision.value} at {at}")
        reason = f"nonnegative coefficients: {decision.numerator}"
        return self._add(text, True, reason, decision.region)

    def at_most(self, text: str, left: arb, right: arb) -> bool:
        """left <= right for certain, as balls."""
        holds = left <= right
        return self._add(text, holds, f"{left.str(6)} against {right.str(6)}")

    def true(self, text: str, holds: bool, reason: str) -> bool:
        """A line decided by exact integer or rational arithmetic elsewhere; *reason* says how."""
        return self._add(text, holds, reason)


def first_witness(found: Iterable[Witness | None]) -> Witness | None:
    """The first place at which something fails, of places that are looked at one after the other."""
    if not searching():
        return None
    return next((witness for witness in found if witness is not None), None)


@search
def violation(
    left: RationalFunction,
    right: RationalFunction,
    points: Iterable[Mapping[str, int | Fraction]],
    names: tuple[str, str],
) -> Witness | None:
    """The first of *points* at which left > right, or None; *names* says what the two sides are.

    A point has a value for every symbol of both sides.
    """
    for point in points:
        larger, smaller = (side(**point).as_fraction() for side in (left, right))
        if larger > smaller:
            return {
                **{name: str(value) for name, value in point.items()},
                names[0]: str(larger),
                names[1]: str(smaller),
            }
    return None


@search
def exceeds(
    left: arb, right: arb, at: Mapping[str, object], names: tuple[str, str]
) -> Witness | None:
    """The place *at* if left > right for certain, else None."""
    if not left > right:
        return None
    words = {name: str(value) for name, value in at.items()}
    return {**words, names[0]: shown(left), names[1]: shown(right)}


def shown(value: arb) -> str:
    """A ball as a reader wants it: its first digits."""
    return value.str(8, radius=False)
