"""Hypercontractivity on Gaussian space, the cube and the sphere, and the density of polynomials.

Each trial has q = 4 or 6 and the largest rate r = (q-1)^(-1/2). Odd powers of r come with odd functions,
whose means vanish, so all is rational.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb
from random import Random

from proofs.citations.citation import Citation, Trial
from proofs.citations.draws import rational
from proofs.citations.polynomials import (
    Polynomial,
    evaluated,
    gaussian_mean,
    plus,
    power,
    sphere_mean,
    times,
)


@dataclass(frozen=True)
class Smoothed:
    """Parts f_j of degree j in *dimension* coordinates, each with the parity of j, and an even q."""

    parts: tuple[Polynomial, ...]
    dimension: int
    q: int
    mean: Callable[[Polynomial], Fraction]

    def smoothed(self, scale: Fraction = Fraction(1)) -> Fraction:
        """E (T f)^q, T f = sum_j r^j f_j, r^2 = scale/(q-1).

        T f = A + r B with A even and B odd: E A^i B^j vanishes for odd j.
        """
        square = scale / (self.q - 1)
        even: Polynomial = {}
        odd: Polynomial = {}
        for degree, part in enumerate(self.parts):
            if degree % 2:
                odd = plus(odd, part, square ** (degree // 2))
            else:
                even = plus(even, part, square ** (degree // 2))
        return sum(
            (
                comb(self.q, j)
                * square ** (j // 2)
                * self.mean(
                    times(power(even, self.q - j, self.dimension), power(odd, j, self.dimension))
                )
                for j in range(0, self.q + 1, 2)
            ),
            Fraction(0),
        )

    def bound(self) -> Fraction:
        """(E f^2)^(q/2)."""
        whole: Polynomial = {}
        for part in self.parts:
            whole = plus(whole, part)
        return self.mean(times(whole, whole)) ** (self.q // 2)


def _coefficients(draw: Random, number: int) -> list[Fraction]:
    """Random coefficients, at times small ones: near a constant the rate is sharp."""
    scale = draw.choice((Fraction(1, 20), Fraction(1, 4), Fraction(1)))
    return [scale * rational(draw, -2, 2) for _ in range(number)]


def _constant(dimension: int) -> Polynomial:
    return {(0,) * dimension: Fraction(1)}


# -- Gaussian space -------------------------------------------------------------------------------


def _hermite(draw: Random) -> Smoothed:
    """1 + c_1 He_1 + c_2 He_2 + c_3 He_3 in one variable."""
    one, two, three = _coefficients(draw, 3)
    parts: tuple[Polynomial, ...] = (
        _constant(1),
        {(1,): one},
        {(2,): two, (0,): -two},
        {(3,): three, (1,): -3 * three},
    )
    return Smoothed(parts, 1, draw.choice((4, 6)), gaussian_mean)


NELSON = Citation(
    "hypercontractivity in Gauss space (Nelson 1973)",
    "||T f||_q <= ||f||_2 for T f = sum_j r^j f_j, f_j the part of f of degree j in Hermite polynomials",
    ("f is in L^2 of the standard Gaussian law", "q >= 2", "0 <= r <= (q-1)^(-1/2)"),
    "Nelson, Journal of Functional Analysis 12, 1973, 211-227",
    (Trial("Hermite expansions, q = 4, 6", _hermite, Smoothed.smoothed, Smoothed.bound),),
)

# -- the cube -------------------------------------------------------------------------------------


def _signs_mean(dimension: int) -> Callable[[Polynomial], Fraction]:
    """The mean over all signs of the coordinates, one after the other."""
    points = [tuple(map(Fraction, point)) for point in product((1, -1), repeat=dimension)]

    def mean(one: Polynomial) -> Fraction:
        return sum((evaluated(one, point) for point in points), Fraction(0)) / len(points)

    return mean


def _signs(draw: Random) -> Smoothed:
    """A polynomial in two signs with a constant."""
    one, two, both = _coefficients(draw, 3)
    parts: tuple[Polynomial, ...] = (
        _constant(2),
        {(1, 0): one, (0, 1): two},
        {(1, 1): both},
    )
    return Smoothed(parts, 2, draw.choice((4, 6)), _signs_mean(2))


BONAMI = Citation(
    "hypercontractivity on the cube (Bonami 1970)",
    "||T f||_q <= ||f||_2 for T f = sum_j r^j f_j, f_j the part of f of degree j",
    ("f is a function of independent fair signs", "q >= 2", "0 <= r <= (q-1)^(-1/2)"),
    "Bonami, Annales de l'Institut Fourier 20, 1970, 335-402",
    (Trial("polynomials in signs, q = 4, 6", _signs, Smoothed.smoothed, Smoothed.bound),),
)

# -- the sphere -----------------------------------------------------------------------------------


def _harmonics(draw: Random) -> Smoothed:
    """1, a multiple of x_0, and the harmonics x_0 x_1 and x_0^2 - x_1^2, on a circle or a sphere."""
    dimension = draw.randint(2, 4)
    one, mixed, squares = _coefficients(draw, 3)

    def monomial(*powers: int) -> tuple[int, ...]:
        return (*powers, *(0,) * (dimension - len(powers)))

    parts: tuple[Polynomial, ...] = (
        _constant(dimension),
        {monomial(1): one},
        {monomial(1, 1): mixed, monomial(2): squares, monomial(0, 2): -squares},
    )
    return Smoothed(
        parts, dimension, draw.choice((4, 6)), lambda one_: sphere_mean(one_, dimension)
    )


BECKNER = Citation(
    "hypercontractivity on the sphere (Beckner 1992)",
    "||T f||_q <= ||f||_2 for T f = sum_j r^j f_j, f_j the part of f of degree j in spherical harmonics",
    (
        "f is in L^2 of the uniform law on the unit sphere of R^d, d >= 2",
        "q >= 2",
        "0 <= r <= (q-1)^(-1/2)",
    ),
    "Beckner, Proceedings of the National Academy of Sciences 89, 1992, 4816-4819; for d = 2 Weissler, "
    "Journal of Functional Analysis 37, 1980; for d = 3 Janson, Arkiv foer Matematik 21, 1983",
    (
        Trial(
            "harmonics of degree at most 2, d <= 4, q = 4, 6",
            _harmonics,
            Smoothed.smoothed,
            Smoothed.bound,
        ),
    ),
)

# -- products -------------------------------------------------------------------------------------


def _mixed_mean(one: Polynomial) -> Fraction:
    """The mean over a sign and a standard Gaussian."""
    left: Polynomial = {}
    for (sign, gaussian), coefficient in one.items():
        if sign % 2 == 0:
            left = plus(left, {(gaussian,): coefficient})
    return gaussian_mean(left)


def _mixed(draw: Random) -> Smoothed:
    """A polynomial of degree at most 2 in a sign and a Gaussian, with a constant."""
    one, two, both, square = _coefficients(draw, 4)
    parts: tuple[Polynomial, ...] = (
        _constant(2),
        {(1, 0): one, (0, 1): two},
        {(1, 1): both, (0, 2): square, (0, 0): -square},
    )
    return Smoothed(parts, 2, draw.choice((4, 6)), _mixed_mean)


BECKNER_PRODUCTS = Citation(
    "hypercontractivity of products (Beckner 1975)",
    "||T_1 ... T_n f||_q <= ||f||_2 for the operators T_i, each on one factor of a product",
    ("||T_i f||_q <= ||f||_2 for all f on the factor i", "q >= 2", "f is in L^2 of the product"),
    "Beckner, Annals of Mathematics 102, 1975, 159-182, Lemma 2, by Minkowski's inequality",
    (Trial("polynomials in a sign and a Gaussian", _mixed, Smoothed.smoothed, Smoothed.bound),),
)

# -- density --------------------------------------------------------------------------------------

BOGACHEV = Citation(
    "polynomials are dense in Gaussian Sobolev spaces (Bogachev 1998)",
    "for every k >= 0 polynomials are dense among the f with k weak derivatives in L^2",
    ("L^2 is that of a standard Gaussian law on R^d", "for k = 0 the f are all of L^2"),
    "Bogachev, Gaussian Measures, 1998, Sections 1.3 and 1.5",
    untried="it speaks of a limit: polynomials of no finite degree contradict it",
)
