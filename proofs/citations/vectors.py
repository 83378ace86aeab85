"""Laws of random vectors: Gaussians, uniform unit vectors, Beta laws, singular values."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import factorial, prod
from random import Random

from flint import acb, arb

from proofs.algebra.balls import ball
from proofs.citations.citation import Citation, Trial
from proofs.citations.draws import Vector, inner, orthogonal, rational, rising, vector
from proofs.citations.polynomials import (
    Polynomial,
    composed,
    drawn,
    gaussian_mean,
    linear,
    mean_by_divergence,
    plus,
    power,
    sphere_mean,
    times,
)

_BILLINGSLEY = "Billingsley, Probability and Measure, 3rd ed., 1995"
_FANG = "Fang, Kotz and Ng, Symmetric Multivariate and Related Distributions, 1990"
_VERSHYNIN = "Vershynin, High-Dimensional Probability, 2018"

# -- Gaussian and uniform vectors -----------------------------------------------------------------

#: Where the Gaussian integral is cut off, at least four times what is in the exponent.
_CUT = 16


def _by_integral(entry: Fraction) -> arb:
    """E exp(s g): the integral over [-cut, cut], and at most 2 exp(-cut^2/4) beyond.

    There s x <= x^2/4, so that the density times exp(s x) is at most exp(-x^2/4)/sqrt(2 pi).
    """
    s = acb(ball(entry))
    inside = acb.integral(lambda x, _: (s * x - x * x / 2).exp(), -_CUT, _CUT).real
    beyond = arb(0, 2 * (-ball(Fraction(_CUT**2, 4))).exp())
    return inside / (2 * arb.pi()).sqrt() + beyond


GAUSSIAN_MGF = Citation(
    "moment generating function of the standard Gaussian",
    "E exp(<z, g>) = exp(|z|^2/2)",
    ("g is a standard Gaussian vector", "z is a fixed vector"),
    f"{_BILLINGSLEY}, Section 21",
    (
        Trial(
            "rational vectors of one or two entries, by certified integrals",
            lambda draw: vector(draw, draw.randint(1, 2)),
            lambda z: prod(map(_by_integral, z), start=arb(1)),
            lambda z: (ball(inner(z, z)) / 2).exp(),
            "=",
        ),
    ),
)


def _square_by_integral(rate: Fraction) -> arb:
    """E exp(t g^2) for t <= 1/4: the integral over [-cut, cut], and what is beyond, as above."""
    t = acb(ball(rate))
    inside = acb.integral(lambda x, _: (t * x * x - x * x / 2).exp(), -_CUT, _CUT).real
    beyond = arb(0, 2 * (-ball(Fraction(_CUT**2, 4))).exp())
    return inside / (2 * arb.pi()).sqrt() + beyond


CHI_SQUARED_MGF = Citation(
    "moment generating function of the chi-squared law",
    "E exp(t X) = (1 - 2 t)^(-m/2)",
    ("X has the chi-squared law with m >= 1 degrees of freedom", "t < 1/2"),
    "Johnson, Kotz and Balakrishnan, Continuous Univariate Distributions 1, 2nd ed., 1994, Ch. 18",
    (
        Trial(
            "rational t <= 1/4 and m <= 4, by certified integrals over m Gaussians",
            lambda draw: (rational(draw, -4, 0) + Fraction(1, 4), draw.randint(1, 4)),
            lambda case: _square_by_integral(case[0]) ** case[1],
            lambda case: 1 / ball(1 - 2 * case[0]).sqrt() ** case[1],
            "=",
        ),
    ),
)


@dataclass(frozen=True)
class _Rotated:
    """A polynomial, and the rows of an orthogonal matrix."""

    polynomial: Polynomial
    rows: tuple[Vector, ...]


def _rotated(draw: Random) -> _Rotated:
    size = draw.randint(1, 3)
    return _Rotated(drawn(draw, size, 4), orthogonal(draw, size))


GAUSSIAN_ROTATION = Citation(
    "rotation invariance of the Gaussian law",
    "O g has the law of g",
    ("g is a standard Gaussian vector", "O is an orthogonal matrix, independent of g"),
    f"{_VERSHYNIN}, Prop. 3.3.2",
    (
        Trial(
            "polynomials and rational orthogonal matrices",
            _rotated,
            lambda case: gaussian_mean(composed(case.polynomial, case.rows)),
            lambda case: gaussian_mean(case.polynomial),
            "=",
        ),
    ),
)

SPHERE_ROTATION = Citation(
    "rotation invariance of the uniform law on the sphere",
    "O e has the law of e",
    (
        "e is uniform on the unit sphere of R^d, d >= 1",
        "O is an orthogonal matrix, independent of e",
    ),
    f"{_VERSHYNIN}, Section 3.3",
    (
        Trial(
            "polynomials and rational orthogonal matrices",
            _rotated,
            lambda case: sphere_mean(composed(case.polynomial, case.rows), len(case.rows)),
            lambda case: sphere_mean(case.polynomial, len(case.rows)),
            "=",
        ),
    ),
)


@dataclass(frozen=True)
class _Part:
    """A form in the first *part* of *dimension* coordinates, and a power of their squared length."""

    dimension: int
    part: int
    form: tuple[int, ...]
    power: int

    def of_sphere(self) -> Fraction:
        """E |x'|^2p q(x'), x' the first coordinates of a uniform unit vector."""
        rest = (0,) * (self.dimension - self.part)
        squares: Polynomial = {}
        for i in range(self.part):
            entries = tuple(Fraction(i == j) for j in range(self.dimension))
            squares = plus(squares, power(linear(entries), 2, self.dimension))
        length = power(squares, self.power, self.dimension)
        whole = times(length, {(*self.form, *rest): Fraction(1)})
        return mean_by_divergence(whole, self.dimension)

    def of_beta(self) -> Fraction:
        """E A^(p + deg q/2) for A of the Beta law, times E q(v) for v uniform; 0 for odd q."""
        direction = mean_by_divergence({self.form: Fraction(1)}, self.part)
        order = self.power + sum(self.form) // 2
        return direction * beta_moment(
            Fraction(self.part, 2), Fraction(self.dimension - self.part, 2), order
        )


def beta_moment(a: Fraction, b: Fraction, order: int) -> Fraction:
    """E X^order for X ~ Beta(a, b); b = 0 is the law at 1."""
    return rising(a, order) / rising(a + b, order)


def _part(draw: Random) -> _Part:
    dimension = draw.randint(1, 5)
    part = draw.randint(1, min(dimension, 3))
    powers = [0] * part
    for _ in range(draw.randint(0, 3)):
        powers[draw.randrange(part)] += draw.choice((1, 2, 2))
    return _Part(dimension, part, tuple(powers), draw.randint(0, 2))


COORDINATE_LAW = Citation(
    "law of the coordinates of a uniform unit vector",
    "the squared length of h coordinates has the law Beta(h/2, (d-h)/2), or is 1 for h = d; their "
    "direction is independent of it and uniform on the unit sphere of R^h",
    ("the vector is uniform on the unit sphere of R^d", "1 <= h <= d"),
    f"{_FANG}, Section 1.4 and Ch. 2",
    (
        Trial(
            "moments for d <= 5, by the divergence theorem",
            _part,
            _Part.of_sphere,
            _Part.of_beta,
            "=",
        ),
    ),
)

# -- Gamma and Beta laws --------------------------------------------------------------------------


@dataclass(frozen=True)
class _Shares:
    """Shapes of two Gamma laws, and E (X/(X+Y))^share (X+Y)^whole, share <= whole."""

    first: Fraction
    second: Fraction
    share: int
    whole: int

    def of_gamma(self) -> Fraction:
        """E X^share (X + Y)^(whole - share), expanded, for X and Y independent of scale 1."""
        more = self.whole - self.share
        return sum(
            (
                factorial(more)
                / Fraction(factorial(i) * factorial(more - i))
                * rising(self.first, self.share + i)
                * rising(self.second, more - i)
                for i in range(more + 1)
            ),
            Fraction(0),
        )

    def of_parts(self) -> Fraction:
        total = self.first + self.second
        return beta_moment(self.first, self.second, self.share) * rising(total, self.whole)


def _shares(draw: Random) -> _Shares:
    share = draw.randint(0, 4)
    return _Shares(
        rational(draw, 1, 4) / 2, rational(draw, 1, 4) / 2, share, share + draw.randint(0, 4)
    )


BETA_GAMMA = Citation(
    "beta-gamma algebra",
    "X/(X + Y) has the law Beta(a, b), X + Y that of Gamma(a + b), and they are independent",
    (
        "X ~ Gamma(a) and Y ~ Gamma(b), a and b above 0, are independent",
        "both have the same scale",
    ),
    "Lukacs, Annals of Mathematical Statistics 26, 1955, 319-324",
    (Trial("joint moments for rational shapes", _shares, _Shares.of_gamma, _Shares.of_parts, "="),),
)


@dataclass(frozen=True)
class _Tilted:
    """The shapes of a Beta law, and an exponent."""

    a: Fraction
    b: Fraction
    t: Fraction

    def generating(self) -> arb:
        """E exp(t (X - E X)): the power series of E exp(t X), and a bound on what is left of it."""
        orders = 40
        term, found = arb(1), arb(0)
        for k in range(orders):
            found += term
            term *= ball(self.t * (self.a + k) / ((self.a + self.b + k) * (k + 1)))
        # 0 <= X <= 1, so the rest is at most |t|^n/n! exp(|t|).
        rest = ball(abs(self.t) ** orders / factorial(orders)) * ball(abs(self.t)).exp()
        return (found + arb(0, rest)) * (-ball(self.t * self.a / (self.a + self.b))).exp()

    def bound(self) -> arb:
        return ball(self.t**2 / (8 * (self.a + self.b + 1))).exp()


def _tilted(draw: Random) -> _Tilted:
    """Shapes, often two that are the same: then the variance is the proxy."""
    a = rational(draw, 1, 5) / 2
    b = a if draw.random() < 1 / 2 else rational(draw, 1, 5) / 2
    return _Tilted(a, b, draw.choice((1, -1)) * rational(draw, 1, 5) / 2)


BETA_PROXY = Citation(
    "sub-Gaussianity of the Beta law",
    "E exp(t (X - E X)) <= exp(t^2/(8 (a + b + 1)))",
    ("X ~ Beta(a, b), a and b above 0", "t is real"),
    "Marchal and Arbel, Electronic Communications in Probability 22, 2017, no. 54",
    (Trial("rational shapes and exponents, by balls", _tilted, _Tilted.generating, _Tilted.bound),),
)

# -- Gaussian matrices ----------------------------------------------------------------------------


@dataclass(frozen=True)
class _Column:
    """The number of entries of a single column, and how far its length is from where it should be."""

    entries: int
    t: Fraction

    def end(self, side: int) -> arb:
        """The square of sqrt d - 1 - t or sqrt d + 1 + t."""
        return (ball(self.entries).sqrt() + side * ball(1 + self.t)) ** 2

    def shorter(self) -> arb:
        """P(|g| <= sqrt d - 1 - t), by the incomplete Gamma function."""
        half = ball(Fraction(self.entries, 2))
        return (self.end(-1) / 2).gamma_lower(half, regularized=1)

    def longer(self) -> arb:
        half = ball(Fraction(self.entries, 2))
        return (self.end(1) / 2).gamma_upper(half, regularized=1)

    def bound(self) -> arb:
        return (-ball(self.t**2 / 2)).exp()


def _column(draw: Random) -> _Column:
    """So that sqrt d - 1 - t is above 0."""
    t = rational(draw, 0, 3)
    return _Column(draw.randint(int((2 + t) ** 2) + 1, 60), t)


SINGULAR_VALUES = Citation(
    "singular values of Gaussian matrices (Davidson and Szarek)",
    "P(s_min <= sqrt d - sqrt k - t) and P(s_max >= sqrt d + sqrt k + t) are at most exp(-t^2/2)",
    (
        "the d x k matrix has independent standard Gaussian entries",
        "k <= d",
        "t >= 0",
    ),
    "Davidson and Szarek, Handbook of the Geometry of Banach Spaces 1, 2001, Th. II.13",
    (
        Trial("single columns that are short", _column, _Column.shorter, _Column.bound),
        Trial("single columns that are long", _column, _Column.longer, _Column.bound),
    ),
)
