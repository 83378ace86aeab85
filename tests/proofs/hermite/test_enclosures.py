"""Hermite coefficients of tanh and sin: closed forms, other integration rules, and errors."""

import re
from math import factorial

import mpmath
import numpy as np
import pytest
from flint import arb, ctx
from numpy.polynomial import hermite_e

from proofs.algebra.balls import lower, precision, upper
from proofs.hermite import coefficients, enclosures


@pytest.mark.parametrize("k", range(6))
def test_the_coefficients_of_the_sine_by_hand(k):
    """E[sin(g) h_k(g)] = E[sin^(k)(g)]/sqrt(k!), which is +-exp(-1/2)/sqrt(k!) or 0."""
    found = enclosures.coefficient("sin", k)
    sign = (0, 1, 0, -1)[k % 4]
    with precision():
        wanted = sign * (-arb(1) / 2).exp() / arb(factorial(k)).sqrt()
    assert found.overlaps(wanted)
    assert found.rad() < 1e-8


def test_the_third_coefficient_by_hand():
    found = enclosures.coefficient("sin", 3)
    assert float(found.mid()) == pytest.approx(-np.exp(-1 / 2) / np.sqrt(6), abs=1e-9)
    assert not found.contains(0)


@pytest.mark.parametrize("name", ["sin", "tanh"])
@pytest.mark.parametrize("k", range(6))
def test_the_ball_holds_what_another_rule_finds(name, k):
    with mpmath.workdps(30):
        function = getattr(mpmath, name)
        polynomial = [int(c) for c in np.round(hermite_e.herme2poly([0] * k + [1]))]

        def integrand(t):
            value = mpmath.polyval(polynomial[::-1], t) * function(t)
            return value * mpmath.npdf(t) / mpmath.sqrt(mpmath.factorial(k))

        wanted = mpmath.quad(integrand, [-20, -8, -4, -2, 0, 2, 4, 8, 20])
        found = enclosures.coefficient(name, k)
        # What lies beyond the interval that is integrated is in the radius.
        low, high = (
            mpmath.mpf(end.numerator) / end.denominator for end in (lower(found), upper(found))
        )
        assert low <= wanted <= high
    assert found.contains(0) == (k % 2 == 0)


def test_the_third_coefficient_of_tanh_is_negative():
    found = enclosures.coefficient("tanh", 3)
    assert float(found.upper()) < -0.148
    points, weights = hermite_e.hermegauss(180)
    third = hermite_e.hermeval(points, [0, 0, 0, 1]) / np.sqrt(6)
    assert float(found.mid()) == pytest.approx(
        float((np.tanh(points) * third * weights).sum() / weights.sum()), abs=1e-7
    )


def test_the_ball_is_as_wide_as_the_rest_demands():
    """The part beyond 12 is below 10^-28, but the ball holds a bound on it."""
    rest = enclosures.coefficient("tanh", 5).rad()
    tail = 2 * mpmath.quad(
        lambda t: abs(mpmath.polyval([1, 0, -10, 0, 15, 0], t)) * mpmath.npdf(t), [12, 14, 20, 40]
    )
    assert float(rest) >= float(tail / mpmath.sqrt(120))


def test_the_precision_of_the_caller_is_put_back():
    before = ctx.prec
    enclosures.coefficient("sin", 1)
    assert ctx.prec == before


def test_the_third_coefficient_of_the_relu_alone_vanishes():
    """The ReLU, exact elsewhere, has c_3 = 0; neither sine nor tanh has."""
    assert coefficients("relu", 3)[3] == 0
    assert not any(enclosures.coefficient(name, 3).contains(0) for name in ("sin", "tanh"))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("relu", 3), ["name: 'relu'", "sin or tanh"]),
        (("sin", -1), ["k: -1", "0 <= k <= 5"]),
        (("tanh", 6), ["k: 6", "0 <= k <= 5"]),
    ],
    ids=str,
)
def test_what_is_out_of_range_is_named(arguments, words):
    with pytest.raises(ValueError, match=re.escape(words[0])) as caught:
        enclosures.coefficient(*arguments)
    assert words[1] in str(caught.value)
