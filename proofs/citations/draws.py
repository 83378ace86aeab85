"""Random instances with rational data: finite laws, convex functions, orthogonal matrices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import prod
from random import Random
from typing import TypeAlias

#: A finite law: probabilities that add up to 1, each with its value.
Law: TypeAlias = tuple[tuple[Fraction, Fraction], ...]
Vector: TypeAlias = tuple[Fraction, ...]
#: Denominators of what is drawn.
_GRID = 6


def rational(draw: Random, low: int, high: int) -> Fraction:
    """A rational number from *low* to *high*."""
    return Fraction(draw.randint(low * _GRID, high * _GRID), _GRID)


def vector(draw: Random, length: int, low: int = -3, high: int = 3) -> Vector:
    """A vector of rational numbers from *low* to *high*."""
    return tuple(rational(draw, low, high) for _ in range(length))


def weights(draw: Random, number: int) -> Vector:
    """Positive probabilities that add up to 1."""
    parts = [draw.randint(1, 9) for _ in range(number)]
    return tuple(Fraction(part, sum(parts)) for part in parts)


def law(draw: Random, low: int, high: int) -> Law:
    """A finite law on two to five values from *low* to *high*."""
    number = draw.randint(2, 5)
    return tuple(zip(weights(draw, number), vector(draw, number, low, high), strict=True))


def mean(one: Law, of: Callable[[Fraction], Fraction] = lambda value: value) -> Fraction:
    """The expectation of a function of the variable."""
    return sum((chance * of(value) for chance, value in one), Fraction(0))


def inner(one: Sequence[Fraction], other: Sequence[Fraction]) -> Fraction:
    """The inner product of two vectors of one length."""
    return sum((a * b for a, b in zip(one, other, strict=True)), Fraction(0))


def orthogonal(draw: Random, size: int) -> tuple[Vector, ...]:
    """The rows of a rational orthogonal matrix: a product of one or two reflections."""
    rows = [[Fraction(i == j) for j in range(size)] for i in range(size)]
    for _ in range(draw.randint(1, 2)):
        normal = [Fraction(draw.randint(1, 3) * draw.choice((1, -1))) for _ in range(size)]
        scale = 2 / inner(normal, normal)
        rows = [
            [entry - scale * inner(row, normal) * n for entry, n in zip(row, normal, strict=True)]
            for row in rows
        ]
    return tuple(map(tuple, rows))


def rising(start: Fraction, count: int) -> Fraction:
    """start (start + 1) ... of *count* factors: moments of the Gamma law, quotients those of Beta."""
    return prod((start + i for i in range(count)), start=Fraction(1))
