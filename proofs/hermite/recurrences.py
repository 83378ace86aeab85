"""The recurrences of Hermite polynomials, proved for every degree from the definition.

Nichani et al., App. F.1. Each induction step is an identity between products of factorials with the
degree k as a symbol; what a statement claims is an argument, so that a wrong one is seen to break.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs.algebra import RationalFunction
from proofs.algebra.symbols import symbols
from proofs.argument import Argument
from proofs.hermite.terms import Term, decide, factorial, power, vanishes

_i, _j, _k = symbols("i j k")

#: a(k, i), the coefficient of r^i t^(k-2i) in P_k(t, r) = <He_k(x), w^(x)k>; He_k(t) = P_k(t, 1).
MONIC = power(-1, _i) * factorial(_k) / (power(2, _i) * factorial(_i) * factorial(_k - 2 * _i))

#: L(j, k, i) = i! C(j, i) C(k, i), the coefficient of He_{j+k-2i} in He_j He_k.
LINEARISATION = (
    factorial(_j) * factorial(_k) / (factorial(_i) * factorial(_j - _i) * factorial(_k - _i))
)


def explicit_form(coefficient: Term = MONIC) -> Argument:
    """<He_k(x), w^(x)k> = sum_i a(k, i) r^i t^(k-2i), t = <w, x>, r = |w|^2, in any dimension.

    From Definition 1, by induction over k; r = 1 is the polynomial He_k. *coefficient* is a(k, i) in
    the integer symbols k and i.
    """
    a = coefficient
    t, r, p, dp = symbols("t r p dp")
    argument = Argument()
    argument.define("D is the derivative along w, mu = exp(-|x|^2/2), P_k = (-1)^k (D^k mu)/mu")
    argument.infer("<He_k(x), w^(x)k> = P_k", "<grad^k mu, w^(x)k> = D^k mu (Definition 1)")
    argument.infer("D mu = -t mu and D p(t) = r p'(t)", "the chain rule, as D t = <w, w> = r")
    argument.equal(
        "-D(p mu)/mu = t p - r p', so P_{k+1} = t P_k - r P_k'", -(r * dp + p * -t), t * p - r * dp
    )
    decide(argument, "P_0 = 1: a(0, 0) = 1", [a(k=0, i=0)], [1])
    vanishes(argument, "P_0 = 1: a(0, i + 1) = 0", a(k=0, i=_i + 1), {"i": 0})
    vanishes(argument, "the sum starts at i = 0: a(k, -1) = 0", a(i=-1), {"k": 0})
    decide(
        argument,
        "coefficient of r^i t^(k+1-2i): a(k+1, i) = a(k, i) - (k - 2i + 2) a(k, i-1)",
        [a(k=_k + 1)],
        [a, a(i=_i - 1) * -(_k - 2 * _i + 2)],
        {"k": 0, "i": 0},
    )
    argument.infer("P_k = sum_i a(k, i) r^i t^(k-2i) for every k >= 0", "induction over k")
    return argument


def derivative_rule(square: Any = _k) -> Argument:
    """He_k' = k He_{k-1}, and h_k' = c_k h_{k-1} with c_k >= 0 and c_k^2 = *square*, for all k >= 1.

    *square* is k as it should be: a number, field element or term in the integer symbol k.
    """
    argument = Argument()
    argument.define("He_k = sum_i a(k, i) x^(k-2i), as shown by explicit_form")
    decide(
        argument,
        "coefficient of x^(k-1-2i): (k - 2i) a(k, i) = k a(k-1, i)",
        [MONIC * (_k - 2 * _i)],
        [MONIC(k=_k - 1) * _k],
        {"k": 1, "i": 0},
    )
    argument.define("h_k = He_k/sqrt(k!), so h_k' = k sqrt((k-1)!/k!) h_{k-1}")
    decide(
        argument,
        "c_k^2 = k^2 (k-1)!/k!",
        [square],
        [factorial(_k - 1) / factorial(_k) * _k**2],
        {"k": 1},
    )
    return argument


def three_term(monic: Any = _k, up: Any = _k + 1, down: Any = _k) -> Argument:
    """He_{k+1} = x He_k - k He_{k-1} and sqrt(k+1) h_{k+1} = x h_k - sqrt(k) h_{k-1}, k >= 1.

    In general P_{k+1} = t P_k - k r P_{k-1}. *monic* is the factor of He_{k-1}, *up* and *down* are
    the squares of those of h_{k+1} and h_{k-1}; all are in the integer symbol k.
    """
    a = MONIC
    argument = Argument()
    argument.define("P_k = sum_i a(k, i) r^i t^(k-2i), as shown by explicit_form")
    decide(argument, "P_1 = t P_0: a(1, 0) = a(0, 0)", [a(k=1, i=0)], [a(k=0, i=0)])
    vanishes(argument, "P_1 = t P_0: a(1, i + 1) = 0", a(k=1, i=_i + 1), {"i": 0})
    decide(
        argument,
        "coefficient of r^i t^(k+1-2i): a(k+1, i) = a(k, i) - k a(k-1, i-1)",
        [a(k=_k + 1)],
        [a, a(k=_k - 1, i=_i - 1) * monic * -1],
        {"k": 1, "i": 0},
    )
    argument.define("h_k = He_k/sqrt(k!); the recurrence is divided by sqrt(k!)")
    decide(argument, "up: (k+1)!/k!", [up], [factorial(_k + 1) / factorial(_k)], {"k": 1})
    decide(
        argument,
        "down: k^2 (k-1)!/k!",
        [down],
        [factorial(_k - 1) / factorial(_k) * _k**2],
        {"k": 1},
    )
    return argument


def generating_function(linear: Any = 1, quadratic: Any = Fraction(-1, 2)) -> Argument:
    """exp(t s - r s^2/2) = sum_k P_k(t, r) s^k/k!, as formal power series in s.

    *linear* and *quadratic* are the factors of t s and r s^2 in the exponent, numbers other than 0.
    Shown twice: by the coefficients of the two exponentials, and by the derivative along s.
    """
    s, t, r, G = symbols("s t r G")
    first, second = (RationalFunction.of(value) for value in (linear, quadratic))
    argument = Argument()
    argument.define("P_k = sum_i a(k, i) r^i t^(k-2i), as shown by explicit_form")
    exponentials = power(first, _k - 2 * _i) * power(second, _i)
    decide(
        argument,
        "coefficient of s^k r^i t^(k-2i) in exp(t s) exp(-r s^2/2) is a(k, i)/k!",
        [exponentials / (factorial(_k - 2 * _i) * factorial(_i))],
        [MONIC / factorial(_k)],
        {"k": 0, "i": 0},
    )
    argument.infer(
        "dG/ds = (t - r s) G with G = 1 at s = 0 has one solution",
        "its coefficients follow in turn",
    )
    exponent_slope = first * t + 2 * second * r * s
    argument.equal(
        "the exponential solves it: the exponent has the slope t - r s",
        exponent_slope * G,
        (t - r * s) * G,
    )
    decide(
        argument,
        "coefficient of s^k in dG/ds: (k+1)/(k+1)! = 1/k!",
        [Term.of(_k + 1) / factorial(_k + 1)],
        [Term() / factorial(_k)],
        {"k": 0},
    )
    decide(
        argument,
        "coefficient of s^k in r s G: 1/(k-1)! = k/k!",
        [Term() / factorial(_k - 1)],
        [Term.of(_k) / factorial(_k)],
        {"k": 0},
    )
    argument.infer(
        "the series of the P_k solves it", "P_{k+1} = t P_k - k r P_{k-1}, as shown by three_term"
    )
    return argument


def linearisation(coefficient: Term = LINEARISATION) -> Argument:
    """He_j He_k = sum_i L(j, k, i) He_{j+k-2i} with L(j, k, i) = i! C(j, i) C(k, i), all j, k >= 0.

    By induction over k for any j. *coefficient* is L in the integer symbols j, k and i.
    """
    L = coefficient
    argument = Argument()
    argument.infer(
        "x He_m = He_{m+1} + m He_{m-1}, also for m = 0", "the recurrence, as shown by three_term"
    )
    decide(argument, "He_j He_0 = He_j: L(j, 0, 0) = 1", [L(k=0, i=0)], [1], {"j": 0})
    vanishes(argument, "L(j, 0, i + 1) = 0", L(k=0, i=_i + 1), {"j": 0, "i": 0})
    for i, value in ((0, 1), (1, _j)):
        decide(
            argument,
            f"He_j He_1 = He_{{j+1}} + j He_{{j-1}}: L(j, 1, {i}) = {value}",
            [L(k=1, i=i)],
            [value],
            {"j": 0},
        )
    vanishes(argument, "L(j, 1, i + 2) = 0", L(k=1, i=_i + 2), {"j": 0, "i": 0})
    vanishes(argument, "the sum starts at i = 0: L(j, k, -1) = 0", L(i=-1), {"j": 0, "k": 0})
    argument.define("He_j He_{k+1} = x (He_j He_k) - k He_j He_{k-1}")
    decide(
        argument,
        "coefficient of He_{j+k+1-2i}: "
        "L(j, k+1, i) = L(j, k, i) + (j + k - 2i + 2) L(j, k, i-1) - k L(j, k-1, i-1)",
        [L(k=_k + 1)],
        [L, L(i=_i - 1) * (_j + _k - 2 * _i + 2), L(k=_k - 1, i=_i - 1) * -_k],
        {"j": 0, "k": 1, "i": 0},
    )
    argument.infer("the formula holds for every k", "induction over k, from k - 1 and k to k + 1")
    return argument
