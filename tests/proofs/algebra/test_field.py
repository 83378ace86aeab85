"""The field of rational functions with square roots: axioms, decided equality, what is refused."""

from fractions import Fraction

import numpy as np
import pytest
import sympy
from flint import arb
from hypothesis import assume, given
from hypothesis import strategies as st

from proofs.algebra import (
    ExactnessError,
    RationalFunction,
    SignProof,
    UndecidedError,
    decide_nonnegative,
)
from proofs.algebra.balls import ball, evaluate, precision

ZERO, ONE = RationalFunction.constant(0), RationalFunction.constant(1)
d, N = RationalFunction.symbol("d"), RationalFunction.symbol("N")
ROOTS = {p: RationalFunction.root(p) for p in (2, 3, 5)}

numbers = st.fractions(min_value=-5, max_value=5, max_denominator=6)


@st.composite
def elements(draw, generators=("a", "b", "2", "3")):
    """Polynomials in symbols, and in the roots of the numbers among *generators*."""
    total = ZERO
    for value in draw(st.lists(numbers, min_size=1, max_size=3)):
        term = RationalFunction.constant(value)
        for name in draw(st.lists(st.sampled_from(generators), max_size=3)):
            factor = RationalFunction.symbol(name) if name.isalpha() else ROOTS[int(name)]
            term = term * factor
        total = total + term
    return total


@st.composite
def quotients(draw, **options):
    bottom = draw(elements(**options))
    assume(bottom != 0)
    return draw(elements(**options)) / bottom


def functions():
    """Without roots."""
    return quotients(generators=("a", "b", "c"))


def same(left, right):
    """Equal by decision, and indistinguishable by display and hash."""
    return (left, str(left), hash(left)) == (right, str(right), hash(right))


# -- the field ------------------------------------------------------------------------------------

every_kind = pytest.mark.parametrize("kind", [functions, quotients])


@every_kind
@given(st.data())
def test_the_axioms_of_a_ring(kind, data):
    f, g, h = (data.draw(kind()) for _ in range(3))
    assert same(f * (g + h), f * g + f * h)
    assert same((f + g) + h, f + (g + h))
    assert same((f * g) * h, f * (g * h))
    assert same(f + g, g + f)
    assert same(f * g, g * f)
    assert same((f + g) - g, f)


@every_kind
@given(st.data(), st.integers(1, 3), st.integers(0, 3))
def test_division_and_powers(kind, data, p, q):
    f, g = data.draw(kind()), data.draw(kind())
    assume(f != 0)
    assume(g != 0)
    assert same(f * g / g, f)
    assert same(f * (1 / f), ONE)
    assert same(f**-p * f**p, ONE)
    assert same(f**p * f**q, f ** (p + q))


@every_kind
@given(st.data())
def test_sympy_round_trip(kind, data):
    f = data.draw(kind())
    assert same(RationalFunction.of(f.to_sympy()), f)


@given(functions(), functions())
def test_equal_elements_of_different_rings_have_equal_hashes(f, g):
    detour = (f + g + RationalFunction.symbol("w")) - g - RationalFunction.symbol("w")
    assert (detour, hash(detour)) == (f, hash(f))


@given(numbers)
def test_a_constant_is_the_same_dictionary_key_as_its_number(value):
    assert RationalFunction.constant(value) in {value}


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


# -- square roots ---------------------------------------------------------------------------------


@given(elements(), elements(), elements())
def test_a_quotient_reached_in_two_ways_looks_the_same(f, g, h):
    assume(g != 0)
    assume(h != 0)
    assert same(f / g, (f * h) / (g * h))
    assert same(f / g, (f / h) / (g / h))


@given(elements(), st.integers(0, 7))
def test_a_power_is_a_repeated_product(f, power):
    product = ONE
    for _ in range(power):
        product = product * f
    assert same(f**power, product)


@given(quotients())
def test_the_denominator_has_no_root(f):
    assert f.denominator.radicals == ()
    assert same(f.numerator / f.denominator, f)


@given(quotients())
def test_a_root_that_cancelled_leaves_no_trace(f):
    assert same(f + ROOTS[5] - ROOTS[5], f)
    assert same(f * ROOTS[5] / ROOTS[5], f)


def test_a_root_makes_two_factors_cancel():
    # No factor is common to numerators and denominators before the products are reduced.
    assert same((d - ROOTS[2]) * ((d + ROOTS[2]) / (d**2 - 2)), ONE)
    assert same((d - ROOTS[2]) / (d**2 - 2), 1 / (d + ROOTS[2]))


@given(st.integers(0, 10**6))
def test_a_root_squared_is_the_number(n):
    assert RationalFunction.root(n) ** 2 == n


@given(st.fractions(0, 100, max_denominator=100), st.fractions(0, 100, max_denominator=100))
def test_the_root_is_multiplicative(p, q):
    assert same(RationalFunction.root(p * q), RationalFunction.root(p) * RationalFunction.root(q))


@given(st.fractions(0, 100, max_denominator=100))
def test_the_root_of_a_square_is_rational(p):
    assert RationalFunction.root(p**2).as_fraction() == p


def test_conjugates():
    assert same(1 / (ROOTS[2] + ROOTS[3]), ROOTS[3] - ROOTS[2])
    nested = 1 / (1 + ROOTS[2] + ROOTS[3] + ROOTS[5])
    assert same(nested * (1 + ROOTS[2] + ROOTS[3] + ROOTS[5]), ONE)


def test_equal_numbers_from_different_rings_are_one_key():
    assert {ROOTS[2] * ROOTS[2]: "two"}[2] == "two"
    assert ROOTS[2] not in {2}
    assert ROOTS[2] != ROOTS[3]


# -- what is read and shown -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (RationalFunction.root(0), "0"),
        (RationalFunction.root(8), "2*sqrt(2)"),
        (RationalFunction.root(Fraction(1, 6)), "1/6*sqrt(6)"),
        (RationalFunction.root(Fraction(9, 4)), "3/2"),
        (ROOTS[2] * ROOTS[3] * d * N + 1, "sqrt(6)*N*d + 1"),
        (RationalFunction.root(23) * RationalFunction.symbol("xsqrt2"), "sqrt(23)*xsqrt2"),
        (ROOTS[2] * RationalFunction.symbol("sqrt2a"), "sqrt(2)*sqrt2a"),
        (N / (ROOTS[2] * d), "1/2*sqrt(2)*N/d"),
    ],
)
def test_display(value, text):
    assert str(value) == text


@pytest.mark.parametrize("exponent", [1, -1, 3, -3, 5])
@pytest.mark.parametrize("base", [sympy.Integer(2), sympy.Integer(12), sympy.Rational(5, 18)])
def test_half_integer_powers_are_read(base, exponent):
    read = RationalFunction.of(sympy.Pow(base, sympy.Rational(exponent, 2), evaluate=False))
    assert same(read, RationalFunction.root(Fraction(int(base.p), int(base.q))) ** exponent)


def test_a_sympy_expression_with_a_root_is_read_and_given_back():
    theirs = sympy.Symbol("d", positive=True)
    read = RationalFunction.of(sympy.sqrt(2) * theirs / 3)
    assert read == ROOTS[2] * d / 3
    assert read.to_sympy({"d": theirs}) == sympy.sqrt(2) * theirs / 3


@pytest.mark.parametrize(
    "value",
    [
        sympy.sqrt(-2),
        sympy.cbrt(2),
        sympy.sqrt(1 + sympy.sqrt(2)),
        sympy.sqrt(sympy.Symbol("d")),
        sympy.root(2, 4),
    ],
    ids=str,
)
def test_other_roots_are_refused(value):
    with pytest.raises(ExactnessError, match="is not a rational function"):
        RationalFunction.of(value)


@pytest.mark.parametrize("value", [-1, Fraction(-1, 2)])
def test_a_negative_number_has_no_root(value):
    with pytest.raises(ValueError, match=f"value: {value} is negative"):
        RationalFunction.root(value)


@pytest.mark.parametrize("value", [0.5, True, "2"])
def test_only_exact_numbers_have_a_root(value):
    with pytest.raises(ExactnessError):
        RationalFunction.root(value)


@pytest.mark.parametrize("name", ["sqrt2", "sqrt11", "sqrt4"])
def test_the_names_of_the_roots_are_reserved(name):
    with pytest.raises(ExactnessError, match=f"{name}.*reserved"):
        RationalFunction.symbol(name)
    with pytest.raises(ExactnessError, match=f"{name}.*reserved"):
        RationalFunction.of(sympy.Symbol(name) + 1)
    with pytest.raises(ExactnessError, match=f"{name}.*reserved"):
        d(**{name: 1})


def test_roots_are_no_names():
    f = ROOTS[2] * d + ROOTS[3] * RationalFunction.root(11)
    assert (f.names, f.radicals) == (("d",), (2, 3, 11))
    assert (ROOTS[2] * d / ROOTS[2]).radicals == ()


def test_an_irrational_number_is_no_fraction():
    with pytest.raises(ExactnessError, match=r"sqrt\(2\) \+ 1 is not a rational number"):
        (ROOTS[2] + 1).as_fraction()


def test_irrational_coefficients_are_no_fractions():
    with pytest.raises(ExactnessError, match="irrational coefficients"):
        (ROOTS[2] * d).coefficients()


@given(quotients())
def test_the_parts_add_up_and_have_no_root(f):
    parts = f.parts()
    assert sum((RationalFunction.root(r) * g for r, g in parts.items()), ZERO) == f
    assert all(g != 0 and not g.radicals for g in parts.values())


# -- values ---------------------------------------------------------------------------------------


@given(quotients(), quotients(), st.fractions(1, 3, max_denominator=5))
def test_arithmetic_agrees_with_balls(f, g, at):
    with precision(256):
        values = {"a": ball(at), "b": ball(at + 1).sqrt()}
        x, y = evaluate(f, **values), evaluate(g, **values)
        assert evaluate(f * g, **values).overlaps(x * y)
        assert evaluate(f - g, **values).overlaps(x - y)


@given(st.integers(0, 10**6))
def test_a_root_is_evaluated_as_a_narrow_ball_around_it(n):
    with precision(128):
        found = evaluate(RationalFunction.root(n) * d, d=arb(1))
        assert found.overlaps(arb(n).sqrt())
        assert found.rad() < arb(2) ** -100


@given(quotients(), numbers)
def test_substitution_keeps_the_roots(f, value):
    sizes = {"a": ROOTS[3] + value, "b": d * ROOTS[2]}
    assume(f.denominator(**sizes) != 0)
    g = f * f + ROOTS[2] * f
    assert same(g(**sizes), f(**sizes) * f(**sizes) + ROOTS[2] * f(**sizes))


def test_substitution_of_a_root():
    assert (d**2 - 2)(d=ROOTS[2]) == 0
    with pytest.raises(ZeroDivisionError):
        (1 / (d**2 - 2))(d=ROOTS[2])


def test_nonnegative_coefficients_of_roots_are_a_proof():
    proof = decide_nonnegative(ROOTS[2] * (d - 1) + N / ROOTS[3], {"d": 1, "N": 0})
    assert isinstance(proof, SignProof)


@pytest.mark.parametrize(
    "function",
    [ROOTS[2] * d - 2, 2 - ROOTS[2] * d, d - ROOTS[2], ROOTS[3] - ROOTS[2], -ROOTS[2]],
    ids=str,
)
def test_other_signs_of_functions_with_roots_are_undecided(function):
    with pytest.raises(UndecidedError, match="square roots occur"):
        decide_nonnegative(function, {"d": 2})
