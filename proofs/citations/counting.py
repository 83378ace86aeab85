"""How many patterns of signs polynomials have, and how many ways there are to cut vectors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import comb, prod
from random import Random
from typing import TypeAlias

from flint import arb

from proofs.algebra.balls import ball
from proofs.citations.citation import Citation, Trial
from proofs.citations.draws import Vector, inner, rational

# -- patterns of signs ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Polynomials:
    """Polynomials of one degree in one variable by their roots, or lines a x + b y = c of the plane."""

    variables: int
    degree: int
    rows: tuple[Vector, ...]

    def points(self) -> list[Vector]:
        """Points of which every pattern has one."""
        if self.variables == 1:
            return [(x,) for x in _between(sorted({root for row in self.rows for root in row}))]
        crossings = [
            point for pair in combinations(self.rows, 2) if (point := _crossing(*pair)) is not None
        ]
        # Every face meets a vertical line through a crossing or between two, or of a vertical line.
        walls = [c / a for a, b, c in self.rows if b == 0]
        found: list[Vector] = []
        for x in _between(sorted({*(point[0] for point in crossings), *walls})):
            heights = sorted({(c - a * x) / b for a, b, c in self.rows if b})
            found += [(x, y) for y in _between(heights)]
        return found

    def patterns(self) -> int:
        """How many patterns of signs -, 0, + there are."""
        return len({tuple(self._sign(row, at) for row in self.rows) for at in self.points()})

    def _sign(self, row: Vector, at: Vector) -> int:
        if self.variables == 1:
            value = prod((at[0] - root for root in row), start=Fraction(1))
        else:
            value = inner(row[:2], at) - row[2]
        return (value > 0) - (value < 0)

    def bound(self) -> arb:
        """(8 e D n/P)^P."""
        single = 8 * self.degree * Fraction(len(self.rows), self.variables)
        found: arb = (ball(single) * arb(1).exp()) ** self.variables
        return found


def _between(values: list[Fraction]) -> list[Fraction]:
    """The values, what lies between neighbours, and what lies beyond the first and the last."""
    if not values:
        return [Fraction(0)]
    middles = [(a + b) / 2 for a, b in pairwise(values)]
    return [values[0] - 1, *values, *middles, values[-1] + 1]


def _crossing(one: Vector, other: Vector) -> Vector | None:
    """Where two lines meet; None for parallels."""
    (a, b, c), (k, m, n) = one, other
    det = a * m - b * k
    return ((c * m - b * n) / det, (a * n - c * k) / det) if det else None


def _roots(draw: Random) -> Polynomials:
    degree = draw.randint(1, 3)
    rows = tuple(
        tuple(rational(draw, -9, 9) for _ in range(degree)) for _ in range(draw.randint(1, 5))
    )
    return Polynomials(1, degree, rows)


def _lines(draw: Random) -> Polynomials:
    rows = tuple(
        (rational(draw, -3, 3), draw.choice((Fraction(1), Fraction(-2))), rational(draw, -3, 3))
        for _ in range(draw.randint(2, 4))
    )
    return Polynomials(2, 1, rows)


WARREN = Citation(
    "Warren's theorem",
    "n polynomials of degree at most D in P variables have at most (8 e D n/P)^P patterns of the signs "
    "-, 0 and +",
    ("the coefficients are real", "D >= 1", "n >= P >= 1"),
    "Warren, Transactions of the American Mathematical Society 133, 1968, 167-178, for nonzero signs; "
    "with zeros Alon, Tools from higher algebra, Handbook of Combinatorics 2, 1995, Section 5",
    (
        Trial(
            "polynomials in one variable, by their roots",
            _roots,
            Polynomials.patterns,
            Polynomials.bound,
        ),
        Trial("lines in the plane", _lines, Polynomials.patterns, Polynomials.bound),
    ),
)

# -- cuts -----------------------------------------------------------------------------------------

Vectors: TypeAlias = tuple[tuple[int, ...], ...]


def cuts(vectors: Vectors) -> int:
    """In how many ways planes through 0 cut the vectors that contain none of them.

    Signs y are those of such a plane if 0 is no convex combination of the y_i x_i (Gordan), and if it is
    one, then of vectors with a single relation, all of whose weights are above 0 (Caratheodory).
    """
    circuits = list(_circuits(vectors))
    found = 0
    for signs in product((1, -1), repeat=len(vectors)):
        turned = ([signs[i] * weight for i, weight in circuit] for circuit in circuits)
        found += not any(
            all(w > 0 for w in weights) or all(w < 0 for w in weights) for weights in turned
        )
    return found


def _circuits(vectors: Vectors) -> Iterator[list[tuple[int, Fraction]]]:
    """The sets of vectors with a single relation, in which each has a weight: the vectors by their
    numbers, with these weights."""
    for size in range(1, len(vectors[0]) + 2):
        for chosen in combinations(range(len(vectors)), size):
            relations = _kernel([vectors[i] for i in chosen])
            if len(relations) == 1 and all(relations[0]):
                yield list(zip(chosen, relations[0], strict=True))


def _kernel(vectors: list[tuple[int, ...]]) -> list[list[Fraction]]:
    """A basis of the relations sum_i w_i v_i = 0."""
    rows = [list(map(Fraction, row)) for row in zip(*vectors, strict=True)]
    pivots: list[int] = []
    for column in range(len(vectors)):
        at = next((i for i in range(len(pivots), len(rows)) if rows[i][column]), None)
        if at is None:
            continue
        level = len(pivots)
        rows[level], rows[at] = rows[at], rows[level]
        rows[level] = [entry / rows[level][column] for entry in rows[level]]
        for i in range(len(rows)):
            if i != level:
                factor = rows[i][column]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[level], strict=True)]
        pivots.append(column)
    basis = []
    for free in (c for c in range(len(vectors)) if c not in pivots):
        relation = [Fraction(c == free) for c in range(len(vectors))]
        for level, column in enumerate(pivots):
            relation[column] = -rows[level][free]
        basis.append(relation)
    return basis


def counted(vectors: Vectors) -> int:
    """2 sum_{j<d} binom(n-1, j)."""
    return 2 * sum(comb(len(vectors) - 1, j) for j in range(len(vectors[0])))


def _drawn(draw: Random, high: int) -> Vectors:
    d = draw.randint(1, 3)
    number = draw.randint(1, 5)
    rows: list[tuple[int, ...]] = []
    while len(rows) < number:
        row = tuple(draw.randint(-high, high) for _ in range(d))
        if any(row):
            rows.append(row)
    return tuple(rows)


def _any(draw: Random) -> Vectors:
    """Vectors that are often multiples of one another, or in one plane."""
    return _drawn(draw, 2)


def _general(draw: Random) -> Vectors:
    """Vectors of which any d, or all if there are fewer, are independent."""
    while True:
        found = _drawn(draw, 9)
        size = min(len(found), len(found[0]))
        if not any(_kernel(list(chosen)) for chosen in combinations(found, size)):
            return found


COVER = Citation(
    "Cover's function-counting theorem",
    "planes through 0 that contain none of n vectors of R^d cut them in at most "
    "2 sum_{j<d} binom(n-1, j) ways, with equality in general position",
    ("n >= 1 and d >= 1", "in general position any min(n, d) of the vectors are independent"),
    "Cover, IEEE Transactions on Electronic Computers 14, 1965, Th. 1",
    (
        Trial("vectors in general position, d <= 3", _general, cuts, counted, "="),
        Trial("small integer vectors, d <= 3", _any, cuts, counted),
    ),
)
