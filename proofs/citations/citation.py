"""What a citation is: a published theorem with its hypotheses, its source, and trials of it.

A trial draws instances that meet the hypotheses and computes both sides of the statement, exactly or
certified: were the statement false, an instance would break it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any, TypeAlias

from flint import arb

from proofs.algebra.balls import ball, precision

#: A side of a statement: an exact number, or a ball around one.
Number: TypeAlias = "int | Fraction | arb"
#: Balls of two sides that are said to be equal overlap, and are at most this wide.
_WIDTH = Fraction(1, 10**12)


@dataclass(frozen=True)
class Tried:
    """What came of trials: how many instances there were, how many balls did not decide, and what is
    known of the first that breaks the statement."""

    instances: int
    undecided: int
    broken: str | None


@dataclass(frozen=True)
class Trial:
    """Random instances of a statement left <= right or left = right, *instances* in words.

    *draw* makes one that meets the hypotheses; *left* and *right* are its sides.
    """

    instances: str
    draw: Callable[[Random], Any]
    left: Callable[[Any], Number]
    right: Callable[[Any], Number]
    relation: str = "<="

    def __post_init__(self) -> None:
        if self.relation not in ("<=", "="):
            raise ValueError(f"relation: {self.relation!r} is neither <= nor =")

    def run(self, count: int, seed: int = 0) -> Tried:
        """What *count* instances say; each has a source of randomness of its own."""
        undecided = 0
        for number in range(count):
            with precision():
                instance = self.draw(Random(f"{self.instances} {seed} {number}"))
                left, right = self.left(instance), self.right(instance)
                holds = _holds(left, self.relation, right)
            if holds is False:
                said = f"{left} {self.relation} {right} is false at {instance}"
                return Tried(number + 1, undecided, said)
            undecided += holds is None
        return Tried(count, undecided, None)


def _holds(left: Number, relation: str, right: Number) -> bool | None:
    """Whether it is so; None where balls do not tell."""
    if not isinstance(left, arb) and not isinstance(right, arb):
        return left <= right if relation == "<=" else left == right
    one, other = (side if isinstance(side, arb) else ball(Fraction(side)) for side in (left, right))
    if relation == "<=":
        return None if one.overlaps(other) and not one <= other else bool(one <= other)
    if not one.overlaps(other):
        return False
    return True if (one - other).rad() < ball(_WIDTH) else None


@dataclass(frozen=True, eq=False)
class Citation:
    """A theorem that is used and not proved here.

    *hypotheses*: all that the statement needs; *source*: where it is proved. *trials* may be none where
    no instance can break the statement; *untried* then says why. Two of the same words are two.
    """

    name: str
    statement: str
    hypotheses: tuple[str, ...]
    source: str
    trials: tuple[Trial, ...] = ()
    untried: str = ""

    def __post_init__(self) -> None:
        if bool(self.trials) is bool(self.untried):
            raise ValueError(f"{self.name}: either trials, or why there are none (untried)")
        if not self.hypotheses or not self.source:
            raise ValueError(f"{self.name}: the hypotheses and the source have to be said")

    def __str__(self) -> str:
        return self.name

    def tried(self, count: int, seed: int = 0) -> Tried:
        """What *count* instances of each trial say together."""
        found = [trial.run(count, seed) for trial in self.trials]
        broken = next((one.broken for one in found if one.broken is not None), None)
        return Tried(
            sum(one.instances for one in found), sum(one.undecided for one in found), broken
        )
