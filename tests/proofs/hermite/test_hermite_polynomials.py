"""Hermite polynomials against SymPy, exact moments and integrals, in several rings."""

from decimal import Decimal
from fractions import Fraction
from math import comb, factorial

import pytest
import sympy

from proofs.algebra import ExactnessError, RationalFunction
from proofs.hermite import contraction, gaussian_moment, hermite, hermite_coefficients, linearise
from proofs.hermite.recurrences import LINEARISATION, MONIC
from proofs.moments import Gaussian, Range, Sphere, dot
from proofs.moments import mean as mean_of

x = sympy.Symbol("x")
d = RationalFunction.symbol("d")


def times(left, right):
    product = [0] * (len(left) + len(right) - 1)
    for m, a in enumerate(left):
        for n, b in enumerate(right):
            product[m + n] += a * b
    return product


def mean(powers):
    """E p(g) by E g^(2n) = (2n - 1)!!, with the double factorial as a product."""
    total = 0
    for n, c in enumerate(powers):
        if n % 2 == 0:
            moment = 1
            for odd in range(1, n, 2):
                moment *= odd
            total += c * moment
    return total


@pytest.mark.parametrize("k", range(12))
def test_against_sympy(k):
    assert sympy.expand(hermite(k, x, normalized=False) - sympy.hermite_prob(k, x)) == 0
    square = sympy.expand(hermite(k, x) ** 2 * factorial(k) - sympy.hermite_prob(k, x) ** 2)
    assert square == 0


@pytest.mark.parametrize("k", range(8))
def test_against_the_definition(k):
    mu = sympy.exp(-(x**2) / 2)
    defined = sympy.expand((-1) ** k * sympy.diff(mu, x, k) / mu)
    assert sympy.expand(defined - hermite(k, x, normalized=False)) == 0


def test_orthonormal_by_exact_moments():
    for j in range(12):
        for k in range(12):
            value = mean(times(hermite_coefficients(j), hermite_coefficients(k)))
            assert value == (factorial(k) if j == k else 0)


@pytest.mark.parametrize(("j", "k"), [(0, 0), (1, 3), (2, 2), (3, 3)])
def test_orthonormal_by_integration(j, k):
    weight = sympy.exp(-(x**2) / 2) / sympy.sqrt(2 * sympy.pi)
    integrand = sympy.expand(hermite(j, x) * hermite(k, x)) * weight
    assert sympy.integrate(integrand, (x, -sympy.oo, sympy.oo)) == int(j == k)


def test_the_physicists_normalisation_is_not_used():
    assert hermite_coefficients(2) == (-1, 0, 1)
    assert sympy.expand(hermite(2, x, normalized=False) - sympy.hermite(2, x)) != 0


@pytest.mark.parametrize("k", [0, 1, 2, 7, 30, 31])
def test_the_coefficients_are_those_proved(k):
    expected = [0] * (k + 1)
    for i in range(k // 2 + 1):
        expected[k - 2 * i] = int(MONIC(k=k, i=i).value().as_fraction())
    assert list(hermite_coefficients(k)) == expected


def test_values_at_numbers_are_exact():
    assert hermite(3, 2, normalized=False) == 2
    assert hermite(3, Fraction(1, 2), normalized=False) == sympy.Rational(-11, 8)
    assert hermite(2, sympy.sqrt(2)) == sympy.sqrt(2) / 2
    assert hermite(0, Fraction(1, 2)) == 1


@pytest.mark.parametrize("k", range(7))
def test_in_the_field_of_rational_functions(k):
    value = hermite(k, d + 1, normalized=False)
    assert isinstance(value, RationalFunction)
    assert value == RationalFunction.of(sympy.expand(hermite(k, sympy.Symbol("d") + 1, False)))
    assert hermite(k, d + 1) ** 2 * factorial(k) == value**2
    assert hermite(k, d + 1) == value * RationalFunction.root(Fraction(1, factorial(k)))


class Word:
    """A ring element that only adds, multiplies and has powers: polynomials in one letter."""

    def __init__(self, powers):
        self.powers = powers

    def __add__(self, other):
        return Word({**self.powers, 0: self.powers.get(0, 0) + other})

    def __mul__(self, other):
        product = {}
        for m, a in self.powers.items():
            for n, b in other.powers.items():
                product[m + n] = product.get(m + n, 0) + a * b
        return Word(product)

    def __pow__(self, exponent):
        assert exponent == 0
        return Word({0: 1})


@pytest.mark.parametrize("k", range(9))
def test_in_a_ring_with_nothing_but_plus_and_times(k):
    value = hermite(k, Word({1: 1}), normalized=False)
    assert {n: c for n, c in value.powers.items() if c} == {
        n: c for n, c in enumerate(hermite_coefficients(k)) if c
    }


@pytest.mark.parametrize("k", range(7))
def test_contraction_scales_with_the_vector(k):
    t, scale = sympy.symbols("t s")
    scaled = contraction(k, scale * t, scale**2)
    assert sympy.expand(scaled - scale**k * hermite(k, t, normalized=False)) == 0
    r = RationalFunction.symbol("r")
    assert contraction(k, d, r)(r=1) == hermite(k, d, normalized=False)
    assert contraction(k, d * r, r**2) == r**k * hermite(k, d, normalized=False)


@pytest.mark.parametrize(("j", "k"), [(0, 0), (0, 4), (1, 1), (2, 3), (5, 3), (6, 6)])
def test_linearisation_against_the_product(j, k):
    total = [0] * (j + k + 1)
    for degree, c in linearise(j, k).items():
        for n, a in enumerate(hermite_coefficients(degree)):
            total[n] += c * a
    assert total == times(hermite_coefficients(j), hermite_coefficients(k))
    assert max(linearise(j, k)) == j + k
    assert min(linearise(j, k)) == abs(j - k)


def test_the_term_proved_is_the_product_of_binomials():
    for j in range(5):
        for k in range(5):
            for i in range(6):
                value = factorial(i) * comb(j, i) * comb(k, i)
                assert LINEARISATION(j=j, k=k, i=i).value() == value


def test_moments():
    assert [gaussian_moment(n) for n in range(9)] == [1, 0, 1, 0, 3, 0, 15, 0, 105]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (0.5, r"x: the float 0\.5 has no place in exact algebra; write 1/2"),
        (x + sympy.Float("0.25"), r"x: the float 0\.25.* write 1/4"),
        (float("nan"), "x: the float nan"),
        (2j, "x: 2j is inexact"),
        (Decimal("0.5"), "is inexact"),
        (True, "x: True is a truth value; write 1"),
    ],
)
def test_inexact_values_are_refused(value, message):
    with pytest.raises(ExactnessError, match=message):
        hermite(2, value)


def test_a_float_for_the_length_is_refused():
    for t in (x, d):
        with pytest.raises(ExactnessError, match="r: the float"):
            contraction(2, t, 0.5)


@pytest.mark.parametrize("value", ["x", None, [1, 2]])
def test_values_of_no_ring_are_refused(value):
    with pytest.raises(TypeError, match=r"x: .* is neither an exact number nor"):
        hermite(1, value)


@pytest.mark.parametrize("k", [True, 1.0, "2", Fraction(2)])
def test_degrees_that_are_no_int_are_refused(k):
    with pytest.raises(TypeError, match=r"k: .* is not an int"):
        hermite(k, x)


def test_negative_degrees_are_refused():
    with pytest.raises(ValueError, match="k: -1 is negative"):
        hermite_coefficients(-1)
    with pytest.raises(ValueError, match="j: -2 is negative"):
        linearise(-2, 1)


def test_degrees_as_sympy_integers():
    assert hermite_coefficients(sympy.Integer(2)) == (-1, 0, 1)


def test_in_the_moment_engine():
    """Lemma 15 by the engine: E h_j(<g, u_x>) h_k(<g, u_y>) = E <u_x, u_y>^k, 0 for j != k."""
    some = Range(RationalFunction.symbol("N"), "[N]")
    x, y = some.index("x"), some.index("y")
    u, g = Sphere("u", d), Gaussian("g", d, 1)[Range(1, "[1]").index("o")]
    left, right = dot(g, u[x]), dot(g, u[y])
    assert mean_of(hermite(2, left) ** 2, [y != x]) == 1
    assert mean_of(hermite(2, left) * hermite(2, right), [y != x]) == 1 / d
    assert mean_of(hermite(3, left) * hermite(3, right) * dot(u[x], u[y]), [y != x]) == 3 / (
        d * (d + 2)
    )
    assert mean_of(hermite(3, left) * hermite(1, right) * dot(u[x], u[y]), [y != x]) == 0
