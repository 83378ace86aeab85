"""Expanded and factored display: what it looks like, and that it is the same element."""

import pytest
import sympy
from hypothesis import assume, given
from hypothesis import strategies as st

from proofs.algebra import RationalFunction

d, N = RationalFunction.symbol("d"), RationalFunction.symbol("N")
ROOT2, ROOT3 = RationalFunction.root(2), RationalFunction.root(3)
SYMBOLS = {name: sympy.Symbol(name) for name in "dN"}


@st.composite
def products(draw):
    """Numbers times powers, also negative ones, of factors that are worth showing."""
    total = RationalFunction.constant(
        draw(st.fractions(min_value=-4, max_value=4, max_denominator=4))
    )
    factors = [d, N, ROOT2, ROOT3, d + N, 2 * d - 1, N - d / 3, d**2 + ROOT2, N * d + 1]
    for factor in draw(st.lists(st.sampled_from(factors), max_size=4)):
        total = total * factor ** draw(st.sampled_from([-2, -1, 1, 2]))
    return total


def parsed(text):
    return RationalFunction.of(sympy.parse_expr(text.replace("^", "**"), local_dict=SYMBOLS))


@pytest.mark.parametrize(
    ("function", "factored", "expanded"),
    [
        (2 * (N - 2) / d**2, "2*(N - 2)/d^2", "(2*N - 4)/d^2"),
        (N - 2, "N - 2", "N - 2"),
        (2 * N - 4, "2*(N - 2)", "2*N - 4"),
        (2 - N, "-(N - 2)", "-N + 2"),
        ((N - 2) / 3, "(N - 2)/3", "1/3*N - 2/3"),
        ((N - 2) ** 2, "(N - 2)^2", "N^2 - 4*N + 4"),
        (1 / (3 * d + 1), "1/(3*d + 1)", "1/3/(d + 1/3)"),
        (-1 / (2 * d), "-1/(2*d)", "-1/2/d"),
        (N / (d * (d + 2)), "N/(d*(d + 2))", "N/(d^2 + 2*d)"),
        (1 / (d + 1) ** 2, "1/(d + 1)^2", "1/(d^2 + 2*d + 1)"),
        (d - d, "0", "0"),
        (RationalFunction.constant(1), "1", "1"),
        (RationalFunction.constant(-2) / 3, "-2/3", "-2/3"),
        (ROOT2 * ROOT3 * d * (N - 2) / 5, "sqrt(6)*d*(N - 2)/5", None),
    ],
)
def test_display(function, factored, expanded):
    assert function.factored() == factored
    if expanded is not None:
        assert (function.expanded(), str(function)) == (expanded, expanded)


@given(products())
def test_both_displays_are_read_back(f):
    assert parsed(f.factored()) == f
    assert parsed(f.expanded()) == f


@given(products(), products())
def test_both_displays_of_sums_are_read_back(f, g):
    assert parsed((f + g).factored()) == f + g
    assert parsed((f + g).expanded()) == f + g


@given(products())
def test_the_ring_of_the_computation_does_not_show(f):
    w = RationalFunction.symbol("w")
    assert (f + w - w).factored() == f.factored()


@given(products())
def test_the_factored_sympy_expression_is_the_same_element(f):
    assert RationalFunction.of(f.to_sympy(factored=True)) == f


@given(products())
def test_the_factored_sympy_expression_is_not_expanded_again(f):
    assume(f.names)
    numerator, _ = sympy.fraction(f.to_sympy(SYMBOLS, factored=True))
    loose = [factor for factor in sympy.Mul.make_args(numerator) if factor.is_Add]
    assert all(len(sympy.factor_list(factor)[1]) == 1 for factor in loose)


def test_display_in_the_symbols_of_the_caller():
    theirs = sympy.Symbol("N", positive=True, integer=True)
    shown = (2 * (N - 2)).to_sympy({"N": theirs}, factored=True)
    assert shown.free_symbols == {theirs}
    assert str(shown) == "2*(N - 2)"


def test_latex():
    f = 2 * (N - 2) / d**2
    assert f.latex() == r"\frac{2 N - 4}{d^{2}}"
    assert f.latex(factored=True) == r"\frac{2 \left(N - 2\right)}{d^{2}}"
    assert (ROOT2 * d).latex() == r"\sqrt{2} d"
