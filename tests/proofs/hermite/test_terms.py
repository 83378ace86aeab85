"""Products of factorials and powers: relations are decided, and only where the terms are defined."""

from itertools import product
from math import factorial as number_factorial

import pytest

from proofs.algebra import ExactnessError, RationalFunction, UndecidedError
from proofs.argument import Argument
from proofs.hermite.terms import Term, cofactors, decide, factorial, power, vanishes

i, k, rho = (RationalFunction.symbol(name) for name in ("i", "k", "rho"))
BINOMIAL = factorial(k) / (factorial(i) * factorial(k - i))


def outcome(left, right, **lower):
    argument = Argument()
    held = decide(argument, "line", left, right, lower)
    assert held == argument.holds
    return held, argument.lines[0].reason


def test_values_of_terms():
    term = BINOMIAL * power(rho, k - i) * 3
    assert term(k=5, i=2).value() == 30 * rho**3
    assert term(k=2, i=3).value() == 0
    assert term(k=2, i=-1).value() == 0


def test_the_factorial_of_a_negative_number_above_the_line_has_no_value():
    with pytest.raises(ValueError, match=r"\(-1\)! is not defined"):
        factorial(k - 1)(k=0).value()


def test_a_symbol_that_is_left_has_no_value():
    with pytest.raises(ExactnessError, match="depends on k"):
        factorial(k).value()


def test_pascal_holds_with_its_boundary():
    held, reason = outcome([BINOMIAL(k=k + 1)], [BINOMIAL, BINOMIAL(i=i - 1)], k=0, i=0)
    assert held
    assert reason == "identity of rational functions"


def test_a_decided_relation_holds_at_every_point():
    for n, j in product(range(6), range(-1, 8)):
        left = BINOMIAL(k=n + 1, i=j).value()
        assert left == BINOMIAL(k=n, i=j).value() + BINOMIAL(k=n, i=j - 1).value()


def test_cofactors_restore_the_ratio():
    one, other = cofactors([BINOMIAL, BINOMIAL(i=i - 1)])
    assert one / other == (k - i + 1) / i


def test_cofactors_of_a_vanishing_factorial():
    # 2!/(2 - 3)! is 0, and so is the cofactor.
    assert cofactors([factorial(2) / factorial(k - k - 1), Term()]) == [0, 1]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (BINOMIAL(k=k + 1), BINOMIAL),
        (BINOMIAL, BINOMIAL * 2),
        (factorial(k) * factorial(k), factorial(k)),
        (factorial(2 * k), factorial(k)),
        (power(2, k), power(3, k)),
        (power(rho, k), power(rho, 2 * k)),
    ],
)
def test_wrong_relations_fail_with_a_witness(left, right):
    held, reason = outcome([left], [right], k=0, i=0)
    assert not held
    assert " against " in reason
    assert "k = " in reason


def test_a_wrong_relation_of_numbers_has_a_witness():
    assert outcome([factorial(3)], [5]) == (False, "6 against 5")


def test_a_range_below_zero_is_refused():
    line = [factorial(k)], [factorial(k - 1) * k]
    assert outcome(*line, k=1)[0]
    assert outcome(*line, k=0) == (False, "(k - 1)! is not defined, all k >= 0")


def test_a_pole_in_the_range_is_refused():
    line = [factorial(k + 1) * (1 / (k * (k + 1)))], [factorial(k) * (1 / k)]
    assert outcome(*line, k=1)[0]
    held, reason = outcome(*line, k=0)
    assert not held
    assert "is not defined, all k >= 0" in reason


def test_a_symbol_without_a_lower_end_is_refused():
    with pytest.raises(ValueError, match="no lower end for i; give"):
        outcome([BINOMIAL], [BINOMIAL], k=0)


def test_rational_bases_are_compared_by_their_primes():
    assert outcome([power(RationalFunction.of(1) / 4, i)], [power(2, -2 * i)], i=0)[0]
    assert outcome([power(-6, i)], [power(-1, i) * power(2, i) * power(3, i)], i=0)[0]
    assert outcome([power(-1, 2 * i + 1)], [-1], i=0)[0]
    assert outcome([power(-1, k - i)], [power(-1, k + i)], i=0, k=0)[0]
    assert not outcome([power(-1, k)], [power(-1, k + i)], i=0, k=0)[0]


def test_the_base_zero_is_refused():
    with pytest.raises(ValueError, match="base: 0"):
        power(0, k)


def test_halves_in_factorials_and_exponents_are_refused():
    with pytest.raises(ValueError, match=r"form: 1/2\*k is not an integer throughout"):
        factorial(k / 2)
    with pytest.raises(ValueError, match=r"exponent: .* is not an integer throughout"):
        power(2, k / 2)
    with pytest.raises(ExactnessError, match="not a polynomial"):
        factorial(1 / k)


def test_terms_without_a_common_factor_are_undecided():
    with pytest.raises(UndecidedError, match="not a rational function"):
        cofactors([factorial(k), factorial(2 * k)])


def test_a_true_relation_beyond_the_method_is_not_claimed():
    # One function, but the bases rho and rho^2 are not compared.
    held, reason = outcome([power(rho, 2 * k)], [power(rho**2, k)], k=0)
    assert not held
    assert reason == "undecided: the ratio of two terms is not a rational function"


def test_vanishing_terms():
    argument = Argument()
    assert vanishes(argument, "beyond", BINOMIAL(k=2, i=i + 3), {"i": 0})
    assert not vanishes(argument, "at the edge", BINOMIAL(k=2, i=i + 2), {"i": 0})
    assert argument.lines[-1].reason == "1 against 0 at i = 0"
    assert not vanishes(argument, "undefined", factorial(k) / factorial(-k - 1), {"k": -1})
    assert "(k)! is not defined" in argument.lines[-1].reason


def test_cancelled_factorials():
    ratio = factorial(k + 2) / factorial(k)
    for n in range(-2, 4):
        expected = number_factorial(n + 2) // number_factorial(n) if n >= 0 else 0
        assert ratio(k=n).value() == expected
    assert outcome([ratio], [(k + 1) * (k + 2)], k=-2)[0]
    assert outcome([factorial(k) / factorial(k + 1)], [1 / (k + 1)], k=0)[0]


def test_terms_show_themselves():
    assert str(BINOMIAL * 2) == "(2) (k)! (i)!^-1 (-i + k)!^-1"
    assert str(Term()) == "(1)"
