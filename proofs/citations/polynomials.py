"""Polynomials in coordinates x0, x1, ... with rational coefficients, and their exact means.

The mean over the sphere is computed in two ways: monomial by monomial, as a quotient of Gaussian
moments, and by the divergence theorem. Neither knows a law of a coordinate.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import prod
from random import Random
from typing import TypeAlias

from proofs.citations.draws import Vector, inner, rational

#: Coefficients by the exponents of the coordinates.
Polynomial: TypeAlias = Mapping[tuple[int, ...], Fraction]


def times(one: Polynomial, other: Polynomial) -> Polynomial:
    """The product of two polynomials in the same coordinates."""
    found: dict[tuple[int, ...], Fraction] = {}
    for a, left in one.items():
        for b, right in other.items():
            powers = tuple(i + j for i, j in zip(a, b, strict=True))
            found[powers] = found.get(powers, Fraction(0)) + left * right
    return found


def plus(one: Polynomial, other: Polynomial, factor: Fraction | int = 1) -> Polynomial:
    """The first and *factor* times the second."""
    found = dict(one)
    for powers, value in other.items():
        found[powers] = found.get(powers, Fraction(0)) + factor * value
    return found


def power(one: Polynomial, exponent: int, dimension: int) -> Polynomial:
    """A whole power of a polynomial in *dimension* coordinates."""
    found: Polynomial = {(0,) * dimension: Fraction(1)}
    for _ in range(exponent):
        found = times(found, one)
    return found


def linear(entries: Vector) -> Polynomial:
    """sum_i entries_i x_i."""
    size = len(entries)
    return {tuple(int(i == j) for j in range(size)): entry for i, entry in enumerate(entries)}


def composed(one: Polynomial, rows: tuple[Vector, ...]) -> Polynomial:
    """p(O x) for a matrix O of these rows."""
    size = len(rows)
    found: Polynomial = {}
    for powers, value in one.items():
        term: Polynomial = {(0,) * size: value}
        for row, exponent in zip(rows, powers, strict=True):
            term = times(term, power(linear(row), exponent, size))
        found = plus(found, term)
    return found


def drawn(draw: Random, dimension: int, degree: int) -> Polynomial:
    """A random polynomial of one to four monomials of at most that degree, half of them squares."""
    found: dict[tuple[int, ...], Fraction] = {}
    for _ in range(draw.randint(1, 4)):
        powers = [0] * dimension
        step = draw.choice((1, 2))
        for _ in range(draw.randint(1, degree // step)):
            powers[draw.randrange(dimension)] += step
        found[tuple(powers)] = rational(draw, 1, 3)
    return found


def _odd(number: int) -> int:
    """1 3 5 ... (number - 1) for an even number: a moment of a standard Gaussian."""
    return prod(range(1, number, 2))


def gaussian_mean(one: Polynomial) -> Fraction:
    """The mean over independent standard Gaussian coordinates."""
    return sum(
        (value * prod(map(_odd, a)) for a, value in one.items() if not any(i % 2 for i in a)),
        Fraction(0),
    )


def sphere_mean(one: Polynomial, dimension: int) -> Fraction:
    """The mean over the unit sphere of R^dimension, monomial by monomial.

    E x^a |x|^2k = E x^a E |x|^2k for a Gaussian x, and E |x|^2k = d (d+2) ... (d+2k-2).
    """
    found = Fraction(0)
    for powers, value in one.items():
        half = sum(powers) // 2
        found += gaussian_mean({powers: value}) / prod(dimension + 2 * i for i in range(half))
    return found


def mean_by_divergence(one: Polynomial, dimension: int) -> Fraction:
    """The same by Green's formula: the mean of a form p of degree m is that of its Laplacian over
    m (m + d - 2); for d = 1 and m = 1 it is 0."""
    found = Fraction(0)
    for powers, value in one.items():
        degree = sum(powers)
        if degree == 0:
            found += value
        elif degree > 1:
            scale = value / (degree * (degree + dimension - 2))
            for i, exponent in enumerate(powers):
                if exponent > 1:
                    lower = (*powers[:i], exponent - 2, *powers[i + 1 :])
                    term = {lower: scale * exponent * (exponent - 1)}
                    found += mean_by_divergence(term, dimension)
    return found


def evaluated(one: Polynomial, at: Vector) -> Fraction:
    """The value at a point."""
    values = [
        prod((x**i for x, i in zip(at, powers, strict=True)), start=Fraction(1)) for powers in one
    ]
    return inner(tuple(one.values()), values)
