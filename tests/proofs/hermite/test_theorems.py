"""The statements for every degree hold, and break where a constant is wrong."""

from fractions import Fraction

import pytest

from proofs.algebra import RationalFunction
from proofs.hermite import (
    connection,
    derivative_rule,
    explicit_form,
    generating_function,
    lemma_15,
    linearisation,
    orthonormality,
    relu,
    stein,
    tensor_stein,
    three_term,
)
from proofs.hermite.orthogonality import MOMENT, OVERLAP, RELU, SQUARED_NORM
from proofs.hermite.recurrences import LINEARISATION, MONIC
from proofs.hermite.terms import factorial, power

i, j, k, m, rho = (RationalFunction.symbol(name) for name in ("i", "j", "k", "m", "rho"))

STATEMENTS = [
    explicit_form,
    derivative_rule,
    three_term,
    generating_function,
    linearisation,
    stein,
    orthonormality,
    lemma_15,
    connection,
    tensor_stein,
    relu,
]

#: The physicists' polynomials have 2^(k-2i) in place of 2^(-i), and the squared norm 2^k k!.
PHYSICISTS = (
    power(-1, i) * factorial(k) * power(2, k - 2 * i) / (factorial(i) * factorial(k - 2 * i))
)

#: As if i pairs of factors were one factor each.
UNDOUBLED = power(-1, i) * factorial(k) / (power(2, i) * factorial(i) * factorial(k - i))

MUTANTS = [
    ("physicists' coefficients", lambda: explicit_form(PHYSICISTS)),
    ("no signs", lambda: explicit_form(MONIC * power(-1, i))),
    ("normalised by k!", lambda: explicit_form(MONIC / factorial(k))),
    ("no factor 2^i", lambda: explicit_form(MONIC * power(2, i))),
    ("twice", lambda: explicit_form(MONIC * 2)),
    ("(k - i)! below", lambda: explicit_form(UNDOUBLED)),
    ("h_k' = k h_{k-1}", lambda: derivative_rule(k**2)),
    ("h_k' = sqrt(k+1) h_{k-1}", lambda: derivative_rule(k + 1)),
    ("h_k' = h_{k-1}", lambda: derivative_rule(1)),
    ("He_{k+1} = x He_k - (k+1) He_{k-1}", lambda: three_term(k + 1)),
    ("He_{k+1} = x He_k + k He_{k-1}", lambda: three_term(-k)),
    ("He_{k+1} = x He_k - 2 k He_{k-1}", lambda: three_term(2 * k)),
    ("sqrt(k) h_{k+1}", lambda: three_term(up=k)),
    ("sqrt(k+1) h_{k-1}", lambda: three_term(down=k + 1)),
    ("exp(2ts - r s^2)", lambda: generating_function(2, -1)),
    ("exp(ts + r s^2/2)", lambda: generating_function(1, Fraction(1, 2))),
    ("exp(ts - r s^2)", lambda: generating_function(1, -1)),
    ("no i!", lambda: linearisation(LINEARISATION / factorial(i))),
    ("i!^2", lambda: linearisation(LINEARISATION * factorial(i))),
    ("starts below 0", lambda: linearisation(LINEARISATION * factorial(i) / factorial(i + 1))),
    ("2^i", lambda: linearisation(LINEARISATION * power(2, i))),
    ("signs", lambda: linearisation(LINEARISATION * power(-1, i))),
    ("variance 1/2", lambda: stein(MOMENT * power(2, -j))),
    ("(2j)!", lambda: stein(factorial(2 * j))),
    ("monic, called orthonormal", lambda: orthonormality(1)),
    ("squared norm k!^2", lambda: orthonormality(factorial(k) * factorial(k))),
    ("squared norm 2^k k!", lambda: orthonormality(SQUARED_NORM * power(2, k))),
    ("squared norm k", lambda: orthonormality(k)),
    ("monic in Lemma 15", lambda: lemma_15(squared_norm=1)),
    ("divided by k! in Lemma 15", lambda: lemma_15(squared_norm=factorial(k) * factorial(k))),
    ("k! <u,w>^k", lambda: lemma_15(OVERLAP * factorial(k))),
    ("<u,w>^(2k)", lambda: lemma_15(power(rho, 2 * k))),
    ("<u,w>^(k+1)", lambda: lemma_15(OVERLAP * rho)),
    ("(-<u,w>)^k", lambda: lemma_15(OVERLAP * power(-1, k))),
    ("u not unit", lambda: lemma_15(uu=2)),
    ("w not unit", lambda: lemma_15(ww=RationalFunction.symbol("c"))),
    ("Lemma 16 as printed", lambda: connection(1)),
    ("k! for sqrt(k!)", lambda: connection(factorial(k) * factorial(k))),
    ("(-1)^k in Stein", lambda: tensor_stein(-1)),
    ("no signs in the ReLU", lambda: relu(RELU * power(-1, m))),
    ("(2m+1)!! in the ReLU", lambda: relu(RELU * (2 * m + 1))),
    ("(2m)! in the ReLU", lambda: relu(RELU * power(2, m) * factorial(m))),
]


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda s: s.__name__)
def test_the_statement_holds(statement):
    argument = statement()
    assert argument.holds, argument.broken
    decided = [line for line in argument.lines if line.reason.startswith(("identity", "1/"))]
    assert decided, "nothing was decided"


@pytest.mark.parametrize("mutant", [run for _, run in MUTANTS], ids=[name for name, _ in MUTANTS])
def test_a_wrong_constant_breaks_it(mutant):
    argument = mutant()
    assert argument.broken is not None
    assert any(sign in argument.broken.reason for sign in (" against ", "the difference is"))


def test_the_printed_lemma_16_breaks_at_degree_two():
    broken = connection(1).broken
    assert broken is not None
    assert broken.reason == "1 against 2 at k = 2"


def test_physicists_coefficients_break_the_recurrence():
    broken = explicit_form(PHYSICISTS).broken
    assert broken is not None
    assert broken.text.startswith("coefficient of r^i")
    assert " against " in broken.reason


def test_the_coefficient_may_be_typed_as_binomials():
    binomials = (factorial(size) / (factorial(i) * factorial(size - i)) for size in (j, k))
    coefficient = factorial(i)
    for binomial in binomials:
        coefficient = coefficient * binomial
    assert linearisation(coefficient).holds


def test_both_roads_of_lemma_15_see_a_wrong_norm():
    argument = lemma_15(squared_norm=factorial(k) * factorial(k))
    assert sum(not line.holds for line in argument.lines) == 2


def test_what_is_trusted_is_the_generating_function_of_the_gaussian():
    cited = {
        note.split(":")[0]
        for statement in STATEMENTS
        for note in statement().assumptions
        if not note.startswith("step in words")
    }
    assert cited == {"moment generating function of the standard Gaussian"}
