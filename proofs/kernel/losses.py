"""What the steps of a proof lose: both sides of its comparisons at a place, where they have values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from proofs.algebra.balls import precision
from proofs.kernel.terms import free
from proofs.kernel.theorem import Compare, Theorem
from proofs.kernel.values import value


@dataclass(frozen=True)
class Step:
    """A comparison of a proof, and balls around both sides at a place."""

    theorem: Theorem
    left: arb
    right: arb

    @property
    def factor(self) -> arb | None:
        """How many times the left side the right one is; None unless both are above 0."""
        return self.right / self.left if self.left > 0 and self.right > 0 else None

    def __str__(self) -> str:
        times = "" if self.factor is None else f", {_shown(self.factor)} times"
        said = f"{self.theorem.rule}: {self.theorem.statement}"
        return f"{_shown(self.left)} to {_shown(self.right)}{times}   [{said}]"


def losses(theorem: Theorem, at: Mapping[str, int | Fraction]) -> Iterator[Step]:
    """The comparisons by <= or < under a theorem whose sides have values at the place, in its order.

    *at*: a number for each symbol of the theorem, and for more if the steps that speak of these are
    wanted too. An expectation or a probability has a value if it is of one coordinate.

    KeyError for a symbol of the theorem without a number.
    """
    missing = theorem.region.names - set(at)
    if missing:
        raise KeyError(f"at: {min(missing)} has no number; {theorem.region} are its symbols")
    for one in theorem.tree():
        statement = one.statement
        if not isinstance(statement, Compare) or statement.relation == "=":
            continue
        if not free(statement.left) | free(statement.right) <= set(at):
            continue
        with precision():
            try:
                left, right = (value(side, at) for side in statement.sides)
            except ValueError:  # of more than one random variable, or of one that is not known
                continue
        if left.is_finite() and right.is_finite():
            yield Step(one, left, right)


def _shown(number: arb) -> str:
    return str(number.mid().str(3, radius=False))
