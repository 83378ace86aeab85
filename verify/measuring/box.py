"""Where the sizes of a claim range, and whether what it speaks of exists there.

A box has the lower end of each size, and conditions between sizes. The engine knows for which sizes
there is what a formula speaks of: a box that leaves them is refused, and nothing is refuted there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property

from proofs.algebra import RationalFunction, UndecidedError, Violation, decide_nonnegative
from proofs.algebra.elimination import eliminated
from proofs.derived import Bound
from verify.errors import UsageError
from verify.printed.formula import Formula

#: Values of sizes.
Place = Mapping[str, int | Fraction]


class Box(Mapping[str, int]):
    """The sizes from their lower ends on, as a mapping, that fulfil *conditions* beside: ``"n <= N"``.

    UsageError for a lower end that is no integer, and for what is no condition on these sizes.
    """

    def __init__(self, lower: Mapping[str, int], *conditions: str) -> None:
        if not isinstance(lower, Mapping):
            raise UsageError(f"domain: {lower!r} has no lower ends; take a number for each size")
        for name, low in lower.items():
            if isinstance(low, bool) or not isinstance(low, int):
                raise UsageError(f"domain: {name} from {low!r} on; take an integer as lower end")
        self._lower = dict(lower)
        self.conditions = tuple(one for text in conditions for one in _read(text, self._lower))

    @classmethod
    def of(cls, domain: Mapping[str, int]) -> Box:
        """The domain itself if it is a box, else the box without conditions."""
        return domain if isinstance(domain, Box) else cls(domain)

    def __getitem__(self, name: str) -> int:
        return self._lower[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._lower)

    def __len__(self) -> int:
        return len(self._lower)

    @cached_property
    def bounds(self) -> tuple[Bound, ...]:
        """The lower ends and the conditions."""
        ends = (Bound(RationalFunction.symbol(name), low) for name, low in self.items())
        return (*ends, *(Bound(one, 0, integer=False) for one in self.conditions))

    def __str__(self) -> str:
        ends = [f"{name} >= {low}" for name, low in self.items()]
        return ", ".join([*ends, *(f"{one} >= 0" for one in self.conditions)])

    def __repr__(self) -> str:
        return f"Box({self})"

    def missing(self, sizes: Place) -> str:
        """Why sizes do not lie in the box, in words; empty if they do."""
        unsaid = [name for name in self if name not in sizes]
        if unsaid:
            return f"{unsaid[0]} has no value"
        return refusal(self.bounds, {name: sizes[name] for name in self})

    def leaves(self, bounds: Iterable[Bound]) -> str:
        """Which of the *bounds* some sizes of the box do not fulfil, in words; empty if none is decided
        to be one.

        That a size is an integer where the others are is not asked.
        """
        for bound in bounds:
            try:
                found = decide_nonnegative(bound.size - bound.low, self, beside=self.conditions)
            except UndecidedError:
                continue
            if isinstance(found, Violation) and refusal([bound], found.at):
                at = ", ".join(f"{name} = {found.at[name]}" for name in sorted(bound.names))
                return f"{bound} is needed, and {at} lies in it"
        return ""


def require_inside(box: Box, needed: Iterable[Bound]) -> None:
    """UsageError for a box with sizes at which there is not what is spoken of."""
    leaves = box.leaves(needed)
    if leaves:
        raise UsageError(
            f"domain: {box} has sizes of nothing: {leaves}; raise a lower end, or add a condition, "
            'Box({...}, "n <= N")'
        )


def refusal(bounds: Iterable[Bound], sizes: Place) -> str:
    """Which of the bounds sizes do not fulfil, in words; empty if they fulfil all that they decide."""
    for bound in bounds:
        wrong = bound.refused(sizes)
        if wrong:
            return f"{bound} is needed, {wrong}"
    return ""


def required(bounds: Iterable[Bound], names: Iterable[str]) -> tuple[Bound, ...]:
    """What *bounds* say of the sizes *names*, if the other sizes may be any that fulfil them."""
    known, every = set(names), list(bounds)
    own = [bound for bound in every if bound.names <= known]
    others = {name for bound in every for name in bound.names} - known
    beyond = [b.size - b.low for b in every if b.names & others and b.unless is None]
    implied = (Bound(one, 0, integer=False) for one in eliminated(beyond, sorted(others)))
    return tuple(dict.fromkeys([*own, *implied]))


def _read(text: str, lower: Mapping[str, int]) -> Iterator[RationalFunction]:
    """What a condition in text says to be nonnegative: each neighbour pair of ``1 <= n <= N``."""
    parts = re.split(r"(<=|>=)", text) if isinstance(text, str) else []
    if len(parts) < 3 or re.search(r"[<>=!]", "".join(parts[::2])):
        raise UsageError(
            f"domain: {text!r} is no condition on sizes; write formulas with <= or >= between them, "
            "such as 'n <= N'"
        )
    sides = [Formula.parse(part) for part in parts[::2]]
    unknown = sorted({name for side in sides for name in side.symbols()} - set(lower))
    if unknown:
        raise UsageError(
            f"domain: {text!r} speaks of {unknown[0]}, which has no lower end; give it one"
        )
    for left, sign, right in zip(sides, parts[1::2], sides[1:], strict=False):
        low, high = (left, right) if sign == "<=" else (right, left)
        condition = high.field() - low.field()
        if condition.denominator.names:
            raise UsageError(
                f"domain: {text!r} divides by a size; multiply by {condition.denominator}"
            )
        yield condition
