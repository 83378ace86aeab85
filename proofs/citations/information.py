"""Information: the one inequality from which those of entropies follow."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from random import Random

from flint import arb

from proofs.algebra.balls import ball
from proofs.citations.citation import Citation, Trial
from proofs.citations.draws import Vector, weights


@dataclass(frozen=True)
class _Laws:
    """Two finite laws on the same values."""

    p: Vector
    q: Vector

    def divergence(self) -> arb:
        """sum p log(p/q)."""
        pairs = zip(self.p, self.q, strict=True)
        return sum((ball(p) * ball(p / q).log() for p, q in pairs), start=arb(0))


def _laws(draw: Random) -> _Laws:
    """Two laws that differ."""
    number = draw.randint(2, 5)
    while True:
        found = _Laws(weights(draw, number), weights(draw, number))
        if found.p != found.q:
            return found


@dataclass(frozen=True)
class _Joint:
    """A law of (X, Y, Z) on two values of X, two of Y and some of Z: the chances in this order."""

    chances: Vector

    def of(self, x: int | None, y: int | None, z: int) -> Fraction:
        """P(X = x, Y = y, Z = z), without what is None."""
        points = product(range(2), range(2), range(len(self.chances) // 4))
        return sum(
            (
                chance
                for (a, b, c), chance in zip(points, self.chances, strict=True)
                if c == z and x in (None, a) and y in (None, b)
            ),
            Fraction(0),
        )

    def information(self) -> arb:
        """I(X; Y | Z)."""
        found = arb(0)
        for x, y, z in product(range(2), range(2), range(len(self.chances) // 4)):
            chance = self.of(x, y, z)
            quotient = chance * self.of(None, None, z) / (self.of(x, None, z) * self.of(None, y, z))
            found += ball(chance) * ball(quotient).log()
        return found


def _joint(draw: Random) -> _Joint:
    """A law of which X and Y depend on each other, given a value of Z."""
    while True:
        found = _Joint(weights(draw, 4 * draw.randint(1, 3)))
        a, b, c, d = (found.of(x, y, 0) for x, y in product(range(2), repeat=2))
        if a * d != b * c:
            return found


GIBBS = Citation(
    "Gibbs' inequality",
    "D(p || q) = sum_i p_i log(p_i/q_i) >= 0, with equality for p = q alone; so I(X; Y | Z), a mean of "
    "divergences, is >= 0",
    ("p and q are laws on the same finite set", "p_i = 0 where q_i = 0; 0 log 0 = 0"),
    "Cover and Thomas, Elements of Information Theory, 2nd ed., 2006, Th. 2.6.3 and its corollaries",
    (
        Trial("pairs of finite laws, by balls", _laws, lambda case: 0, _Laws.divergence),
        Trial(
            "joint laws of three variables, by balls", _joint, lambda case: 0, _Joint.information
        ),
    ),
)
