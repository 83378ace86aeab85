"""Coefficients in the Hermite basis against moments, integrals and the half-normal law."""

from math import factorial

import pytest
import sympy

from proofs.algebra import ExactnessError
from proofs.hermite import (
    coefficients,
    derivative,
    from_coefficients,
    hermite,
    hermite_coefficients,
)
from proofs.hermite.orthogonality import RELU

x, a, b = sympy.symbols("x a b")


def half_normal_moment(n):
    """E[g^n; g > 0]: (n-1)!!/2 for even n, (n-1)!!/sqrt(2 pi) for odd n."""
    double = sympy.factorial2(n - 1) if n else sympy.Integer(1)
    return double / 2 if n % 2 == 0 else double / sympy.sqrt(2 * sympy.pi)


POLYNOMIALS = [
    sympy.Integer(0),
    sympy.Integer(3),
    x,
    x**2,
    3 * x**5 - x**2 + sympy.Rational(1, 7),
    (x - 1) ** 4 * (x + 2),
    sympy.sqrt(2) * x**3 + sympy.pi,
]


@pytest.mark.parametrize("sigma", POLYNOMIALS, ids=str)
def test_a_polynomial_is_the_sum_of_its_expansion(sigma):
    c = coefficients(sigma, 6)
    assert len(c) == 7
    assert sympy.expand(from_coefficients(c) - sigma) == 0


@pytest.mark.parametrize("k", range(5))
def test_coefficients_by_integration(k):
    sigma = 2 * x**4 - 3 * x**3 + x
    weight = sympy.exp(-(x**2) / 2) / sympy.sqrt(2 * sympy.pi)
    integral = sympy.integrate(
        sympy.expand(sigma * hermite(k, x)) * weight, (x, -sympy.oo, sympy.oo)
    )
    assert sympy.expand(integral - coefficients(sigma, 4)[k]) == 0


def test_the_basis_has_unit_coefficients():
    for k in range(7):
        assert coefficients(hermite(k, x), 6) == tuple(int(j == k) for j in range(7))


def test_coefficients_come_back():
    c = (a, sympy.Rational(1, 3), sympy.sqrt(5), 0, b)
    assert coefficients(from_coefficients(c), 4, x) == c


def test_a_wrong_normalisation_does_not_come_back():
    c = coefficients(x**3 + x**2, 3)
    assert sympy.expand(from_coefficients(c, normalized=False) - x**3 - x**2) != 0
    monic = [value / sympy.sqrt(factorial(k)) for k, value in enumerate(c)]
    assert sympy.expand(from_coefficients(monic, normalized=False) - x**3 - x**2) == 0


def test_parseval():
    c = coefficients(x**3 + 2 * x, 3)
    assert sum(value**2 for value in c) == 15 + 4 * 3 + 4  # E (g^3 + 2 g)^2


def test_powers_may_be_given_as_a_sequence():
    assert coefficients([1, 0, 2], 2) == coefficients(1 + 2 * x**2, 2)
    assert coefficients([1, 0, 2, 0, 0], 2) == coefficients(1 + 2 * x**2, 2)
    assert coefficients([], 1) == (0, 0)
    assert coefficients(sympy.Poly(1 + 2 * x**2, x), 2) == coefficients([1, 0, 2], 2)


def test_parameters_need_the_variable():
    assert coefficients(a * x**2 + b, 2, x) == (a + b, 0, sympy.sqrt(2) * a)
    with pytest.raises(TypeError, match="sigma has the symbols a, x; say which one"):
        coefficients(a * x, 2)


@pytest.mark.parametrize("k", range(15))
def test_relu_by_half_normal_moments(k):
    expected = sum(c * half_normal_moment(n + 1) for n, c in enumerate(hermite_coefficients(k)))
    found = coefficients("relu", k)[k] * sympy.sqrt(factorial(k))
    assert sympy.expand(found - expected) == 0


@pytest.mark.parametrize("k", range(5))
def test_relu_by_integration(k):
    weight = sympy.exp(-(x**2) / 2) / sympy.sqrt(2 * sympy.pi)
    integral = sympy.integrate(sympy.expand(x * hermite(k, x)) * weight, (x, 0, sympy.oo))
    assert sympy.expand(integral - coefficients(sympy.Max(0, x), 4)[k]) == 0


def test_relu_by_double_factorials():
    c = coefficients("ReLU", 12)
    assert c[:2] == (1 / sympy.sqrt(2 * sympy.pi), sympy.Rational(1, 2))
    for k in range(2, 13):
        m, odd = divmod(k - 2, 2)
        double = 0 if odd else (-1) ** m * sympy.factorial2(2 * m - 1)
        assert c[k] == double / sympy.sqrt(2 * sympy.pi) / sympy.sqrt(factorial(k))
        if not odd:
            assert RELU(m=m).value() == int(double)


def test_relu_does_not_end():
    assert coefficients("relu", 2) == coefficients("relu", 8)[:3]
    assert coefficients("relu", 20)[20] != 0


@pytest.mark.parametrize("sigma", POLYNOMIALS, ids=str)
def test_derivatives(sigma):
    assert (
        sympy.expand(from_coefficients(derivative(coefficients(sigma, 5))) - sympy.diff(sigma, x))
        == 0
    )


def test_derivative_of_a_constant():
    assert derivative((sympy.Integer(3),)) == (0,)
    assert derivative(()) == (0,)


def test_a_degree_above_q_is_refused():
    with pytest.raises(ValueError, match=r"q: 2 is below the degree 3 .* give q >= 3"):
        coefficients(x**3, 2)


@pytest.mark.parametrize(
    "sigma",
    [sympy.sin(x), 1 / x, sympy.Abs(x), sympy.Max(1, x), "tanh", abs, sympy.sqrt(x), x**a],
    ids=str,
)
def test_what_is_no_polynomial_is_refused(sigma):
    with pytest.raises(TypeError, match=r"sigma: .* is not a polynomial.*; give a polynomial"):
        coefficients(sigma, 3, x)


def test_other_types_are_refused():
    with pytest.raises(TypeError, match=r"sigma: .*dict.* is neither an exact number"):
        coefficients({1: 2}, 3)


@pytest.mark.parametrize("sigma", [x / 2 + 0.5, [1, 0.5]], ids=str)
def test_floats_are_refused(sigma):
    with pytest.raises(ExactnessError, match=r"sigma: the float 0\.5.* write 1/2"):
        coefficients(sigma, 3)
    with pytest.raises(ExactnessError, match=r"c: the float 0\.5"):
        from_coefficients([0.5])
    with pytest.raises(ExactnessError, match=r"c: the float 0\.5"):
        derivative([0.5])


def test_a_negative_q_is_refused():
    with pytest.raises(ValueError, match="q: -1 is negative"):
        coefficients(x, -1)
