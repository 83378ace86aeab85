"""R^d as an orthogonal sum of fixed subspaces of symbolic dimension, and the projections on them.

Serves the two-input memory of Nichani et al., App. C.2, whose subjects and relations are projected
on two orthogonal halves. The projections commute, so a product of them is a set of blocks.
"""

from __future__ import annotations

import itertools
from typing import Any

from proofs.algebra import RationalFunction

_serial = itertools.count(1)

#: The blocks of a projection, as a sorted tuple of their numbers; () is the whole space.
Part = tuple[int, ...]
WHOLE: Part = ()


class Splitting:
    """R^d = P + Q + ... + rest, orthogonally: ``Splitting(d, P=p, Q=q)``, then ``split["P"]``."""

    def __init__(self, dimension: Any, **parts: Any) -> None:
        self.dimension = RationalFunction.of(dimension, "dimension")
        sizes = {name: RationalFunction.of(size, name) for name, size in parts.items()}
        if "rest" in sizes:
            raise ValueError("rest: the name is taken by what the other parts leave over")
        sizes["rest"] = self.dimension - sum(sizes.values(), RationalFunction.constant(0))
        for name, size in sizes.items():
            if not size.names and (size.as_fraction() < 0 or size.as_fraction().denominator != 1):
                raise ValueError(
                    f"{name}: {size} is no dimension; the parts of {self.dimension} must be "
                    "integers >= 0 that leave room for each other"
                )
        self.blocks = {name: Block(next(_serial), name, size) for name, size in sizes.items()}

    def __getitem__(self, name: str) -> Subspace:
        if name not in self.blocks:
            raise KeyError(f"{name}: the parts are {', '.join(self.blocks)}")
        return Subspace(self, (self.blocks[name].serial,))

    def whole(self) -> Part:
        return tuple(sorted(block.serial for block in self.blocks.values()))


class Block:
    """One summand of a splitting."""

    def __init__(self, serial: int, name: str, dimension: RationalFunction) -> None:
        self.serial, self.name, self.dimension = serial, name, dimension


class Subspace:
    """A sum of blocks; ``P @ v`` projects a vector (or the first leg of an operator) on it."""

    def __init__(self, splitting: Splitting, part: Part) -> None:
        if not part:
            raise ValueError("complement: nothing is left of the whole space")
        self.splitting, self.part = splitting, part

    @property
    def label(self) -> Part:
        """The part as edges carry it: WHOLE if no block is missing."""
        return WHOLE if self.part == self.splitting.whole() else self.part

    @property
    def dimension(self) -> RationalFunction:
        """The trace of the projection."""
        blocks = [b for b in self.splitting.blocks.values() if b.serial in self.part]
        return sum((b.dimension for b in blocks), RationalFunction.constant(0))

    @property
    def complement(self) -> Subspace:
        """The orthogonal complement."""
        rest = tuple(b for b in self.splitting.whole() if b not in self.part)
        return Subspace(self.splitting, rest)

    def __add__(self, other: Subspace) -> Subspace:
        if other.splitting is not self.splitting:
            raise ValueError(f"{self} and {other} belong to different splittings")
        return Subspace(self.splitting, tuple(sorted({*self.part, *other.part})))

    def __matmul__(self, other: Any) -> Any:
        if not hasattr(other, "project"):
            raise TypeError(f"{self} @ {other!r}: a projection acts on vectors and operators")
        return other.project(self, leg=0)

    def __repr__(self) -> str:
        names = {block.serial: name for name, block in self.splitting.blocks.items()}
        return "+".join(names[b] for b in self.part)


def meet(left: Part, right: Part) -> Part | None:
    """The product of two projections of one splitting; None if it is zero."""
    if left == WHOLE or right == WHOLE:
        return left or right
    return tuple(b for b in left if b in right) or None
