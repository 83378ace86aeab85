"""Exact informations: identities, signs and units worked out by hand, and bad input."""

import itertools
import math
from fractions import Fraction

import pytest

from proofs.algebra import RationalFunction
from proofs.information.entropy import (
    ZERO,
    Information,
    bits,
    entropy,
    entropy_of_counts,
    log,
    relative_entropy,
)
from proofs.information.forms import linear_form
from proofs.information.joint import Joint

F = Fraction
XOR = Joint.uniform(("a", "b"), itertools.product(range(2), repeat=2)).function(
    "c", lambda a, b: a ^ b, ("a", "b")
)


def test_logarithms_of_products_are_sums_exactly():
    assert log(12) == 2 * log(2) + log(3)
    assert log(F(8, 27)) == 3 * (log(2) - log(3))
    assert log(1) == ZERO == Information()
    assert bits(F(3, 2)) == log(8) / 2


def test_a_bit_is_log_two_nats():
    assert bits(1).bits() == 1
    assert abs(float(bits(1).nats()) - math.log(2)) < 1e-15
    assert str(log(3) - bits(F(2, 3))) == "-2/3 + log2(3) bits"
    assert str(ZERO) == "0 bits"
    assert str(bits(1)) == "1 bit"
    assert str(-log(3)) == "-log2(3) bits"


def test_signs_are_decided_where_floats_see_nothing():
    # 190537/120215 is a convergent of log 3/log 2.
    close = 190537 * log(2) - 120215 * log(3)
    assert close.sign() == (-1 if 2**190537 < 3**120215 else 1)
    assert (log(2**400) - log(2**400 - 1)).sign() == 1
    assert log(2**400) > log(2**400 - 1)
    assert ZERO.sign() == 0
    assert min(log(5), bits(2)) == bits(2)


def test_entropy_of_small_laws():
    assert entropy([F(1, 2), F(1, 2)]) == bits(1)
    assert entropy([1, 0]) == ZERO
    assert entropy([F(1, 3), F(2, 3)]) == log(3) - bits(F(2, 3))
    assert entropy([F(1, 7)] * 7) == log(7)


def test_relative_entropy_against_the_uniform_law_is_what_entropy_lacks():
    law = [F(1, 2), F(1, 3), F(1, 6)]
    assert relative_entropy(law, [F(1, 3)] * 3) == log(3) - entropy(law)
    assert relative_entropy(law, law) == ZERO
    with pytest.raises(ValueError, match=r"probability 1 is 0.*infinite"):
        relative_entropy([F(1, 2), F(1, 2)], [1, 0])


@pytest.mark.parametrize(
    ("law", "message"),
    [
        ([F(1, 2), F(1, 3)], "add up to 5/6"),
        ([F(3, 2), F(-1, 2)], "probability 1 is -1/2"),
        ([], "add up to 0"),
    ],
)
def test_what_is_no_law_is_refused(law, message):
    with pytest.raises(ValueError, match=message):
        entropy(law)


@pytest.mark.parametrize("value", [0, -1, F(-1, 2)])
def test_only_positive_numbers_have_logarithms(value):
    with pytest.raises(ValueError, match="value"):
        log(value)


def test_two_of_three_parity_bits_are_independent_until_the_third_is_known():
    assert XOR.entropy(("a", "b", "c")) == bits(2)
    assert XOR.independent("a", "b")
    assert not XOR.is_markov("a", "c", "b")
    assert XOR.mutual_information("a", "b", "c") == bits(1)
    assert XOR.conditional_entropy("c", ("a", "b")) == ZERO
    assert XOR.given(c=1).entropy("a") == bits(1)


def test_a_channel_makes_a_markov_chain():
    noisy = XOR.channel("d", lambda c: {c: F(3, 4), 1 - c: F(1, 4)}, "c")
    assert noisy.is_markov(("a", "b"), "c", "d")
    assert noisy.mutual_information("c", "d") == bits(1) - entropy([F(1, 4), F(3, 4)])
    assert noisy.mutual_information(("a", "b"), "d") == noisy.mutual_information("c", "d")


def test_uniform_counts_repeated_outcomes():
    law = Joint.uniform(("x",), [(0,), (0,), (1,)])
    assert law.law == {(0,): F(2, 3), (1,): F(1, 3)}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Joint.of(("a", "a"), {(0, 0): 1}), "occurs twice"),
        (lambda: Joint.of(("a",), {(0, 0): 1}), "has 2 values"),
        (lambda: Joint.of(("a",), {(0,): F(1, 2)}), "add up to 1/2"),
        # What was built beside `of`, which checks, has no entropy either.
        (lambda: Joint(("a",), {}).entropy("a"), "add up to 0; give parts of 1"),
        (lambda: Joint(("a",), {(0,): F(1, 2)}).entropy("a"), "add up to 1; give parts of 2"),
        (lambda: entropy_of_counts(2, [-1, 3]), "negative"),
        (lambda: XOR.entropy("z"), "no variable is called 'z'"),
        (lambda: XOR.given(c=2), "probability 0"),
        (lambda: XOR.function("a", lambda c: c, "c"), "occurs twice"),
        (lambda: XOR.channel("d", lambda c: {0: F(1, 2)}, "c"), "add up to 1/2"),
    ],
)
def test_what_is_no_joint_law_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_printed_form_becomes_an_information():
    p, L, J = (RationalFunction.symbol(name) for name in "pLJ")
    found = linear_form(p * (L - J) + 1, {"L": log(3), "J": bits(1)}, p=F(1, 2))
    assert found == log(3) / 2 + bits(F(1, 2))
    with pytest.raises(ValueError, match="linear in L, J"):
        linear_form(L * J, {"L": log(3), "J": bits(1)})
