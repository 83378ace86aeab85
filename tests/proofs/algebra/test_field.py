"""The field of rational functions: its axioms, decided equality, and what it refuses to read."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import assume, given
from hypothesis import strategies as st

from proofs.algebra import ExactnessError, RationalFunction

ZERO, ONE = RationalFunction.constant(0), RationalFunction.constant(1)
d, N = RationalFunction.symbol("d"), RationalFunction.symbol("N")

numbers = st.fractions(min_value=-5, max_value=5, max_denominator=6)


@st.composite
def polynomials(draw: st.DrawFn) -> RationalFunction:
    total = ZERO
    for value in draw(st.lists(numbers, min_size=1, max_size=3)):
        term = RationalFunction.constant(value)
        for name in draw(st.lists(st.sampled_from("abc"), max_size=3)):
            term = term * RationalFunction.symbol(name)
        total = total + term
    return total


@st.composite
def functions(draw: st.DrawFn) -> RationalFunction:
    bottom = draw(polynomials())
    assume(bottom != 0)
    return draw(polynomials()) / bottom


@given(functions(), functions(), functions())
def test_multiplication_distributes_over_addition(f, g, h):
    assert f * (g + h) == f * g + f * h


@given(functions(), functions(), functions())
def test_addition_and_multiplication_are_associative(f, g, h):
    assert ((f + g) + h, (f * g) * h) == (f + (g + h), f * (g * h))


@given(functions(), functions())
def test_addition_and_multiplication_commute(f, g):
    assert (f + g, f * g) == (g + f, g * f)


@given(functions(), functions())
def test_subtraction_undoes_addition(f, g):
    assert (f + g) - g == f


@given(functions(), functions())
def test_division_undoes_multiplication(f, g):
    assume(g != 0)
    assert f * g / g == f


@given(functions(), st.integers(0, 3), st.integers(0, 3))
def test_powers_add_their_exponents(f, p, q):
    assert f**p * f**q == f ** (p + q)


@given(functions(), st.integers(1, 3))
def test_a_negative_power_is_the_inverse(f, p):
    assume(f != 0)
    assert f**-p * f**p == ONE


@given(functions(), functions())
def test_equal_elements_of_different_rings_have_equal_hashes(f, g):
    detour = (f + g + RationalFunction.symbol("w")) - g - RationalFunction.symbol("w")
    assert (detour, hash(detour)) == (f, hash(f))


@given(numbers)
def test_a_constant_is_the_same_dictionary_key_as_its_number(value):
    assert RationalFunction.constant(value) in {value}


@given(functions())
def test_sympy_round_trip(f):
    assert RationalFunction.of(f.to_sympy()) == f


@given(functions(), numbers, numbers, numbers)
def test_substitution_commutes_with_sympy(f, a, b, c):
    assume(f.denominator(a=a, b=b, c=c) != 0)
    rational = {
        n: sympy.Rational(v.numerator, v.denominator) for n, v in zip("abc", (a, b, c), strict=True)
    }
    assert f(a=a, b=b, c=c) == RationalFunction.of(f.to_sympy().subs(rational))


@given(functions(), functions())
def test_substitution_is_a_homomorphism(f, g):
    sizes = {"a": d + 1, "b": d * N, "c": N**2 + 2}
    assume(f.denominator(**sizes) != 0)
    assume(g.denominator(**sizes) != 0)
    assert (f * g + f)(**sizes) == f(**sizes) * g(**sizes) + f(**sizes)


def test_substitution_is_simultaneous():
    assert (d / N)(d=N, N=d) == N / d


def test_symbols_not_substituted_stay():
    assert (d / N)(d=3) == 3 / N


def test_numerator_and_denominator_are_in_lowest_terms():
    f = (d**2 - 1) / (d**2 + 2 * d + 1)
    assert (f.numerator, f.denominator) == (d - 1, d + 1)


def test_symbols_that_cancel_do_not_occur():
    assert (d * N / N).names == ("d",)


def test_display_uses_the_symbols_of_the_caller():
    theirs = sympy.Symbol("d", positive=True, integer=True)
    assert (1 / d).to_sympy({"d": theirs}) == 1 / theirs


@pytest.mark.parametrize(
    ("value", "named"),
    [
        (0.1, "0.1 has no place in exact algebra; write 1/10"),
        (np.float64(0.1), "0.1 has no place in exact algebra; write 1/10"),
        (float("nan"), "nan"),
        (float("inf"), "inf"),
        (sympy.Float("0.25"), "write 1/4"),
        (sympy.Symbol("d") + 0.5, "write 1/2"),
        (sympy.sqrt(sympy.Symbol("d")), r"sqrt\(d\) is not a rational function"),
        (2 ** sympy.Symbol("d"), "is not a rational function"),
        (sympy.pi, "pi is not a rational function"),
        (sympy.zoo, "zoo is not a rational function"),
        (sympy.Symbol("d", positive=True) + sympy.Symbol("d"), "two symbols are called 'd'"),
        (sympy.Symbol("\N{GREEK SMALL LETTER LAMDA}"), "no ASCII name"),
        (True, "True is a truth value"),
        ("d", "'d' .str. is not a rational function"),
        (None, "None"),
        (1j, "1j"),
    ],
)
def test_what_is_not_exact_is_refused_by_name(value, named):
    with pytest.raises(ExactnessError, match=named):
        RationalFunction.of(value)


@pytest.mark.parametrize(
    "value", [3, Fraction(3), np.int64(3), sympy.Integer(3), sympy.Rational(6, 2), ONE * 3]
)
def test_every_exact_kind_of_number_is_read(value):
    assert RationalFunction.of(value) + Fraction(1, 2) == Fraction(7, 2)


@pytest.mark.parametrize("operation", ["__add__", "__mul__", "__sub__", "__truediv__", "__rsub__"])
def test_arithmetic_refuses_floats(operation):
    with pytest.raises(ExactnessError, match=r"0\.5"):
        getattr(d, operation)(0.5)


def test_division_by_zero_raises():
    with pytest.raises(ZeroDivisionError, match="denominator 0"):
        d / (N - N)


def test_a_negative_power_of_zero_raises():
    with pytest.raises(ZeroDivisionError):
        ZERO**-1


def test_evaluation_at_a_pole_raises():
    with pytest.raises(ZeroDivisionError):
        (N / (d - 1))(d=1)


def test_only_constants_are_fractions():
    with pytest.raises(ExactnessError, match="depends on N, d"):
        (N / d).as_fraction()


def test_only_polynomials_have_coefficients():
    with pytest.raises(ExactnessError, match="not a polynomial"):
        (1 / d).coefficients()


def test_coefficients_follow_the_order_of_the_names():
    assert (3 * d**2 * N - 1).coefficients() == {(1, 2): 3, (0, 0): -1}
