"""Expectations of Hermite polynomials and tensors under the Gaussian, proved for every degree.

Nichani et al., App. F.1: orthonormality, Lemma 15, Lemma 16; and the coefficients of the ReLU. What
a statement claims is an argument, so that a wrong one is seen to break.
"""

from __future__ import annotations

from typing import Any

from proofs.algebra import RationalFunction
from proofs.algebra.symbols import symbols
from proofs.argument import Argument
from proofs.citations import GAUSSIAN_MGF
from proofs.hermite.recurrences import MONIC
from proofs.hermite.terms import Term, decide, factorial, power

_j, _k, _m = symbols("j k m")

#: E g^(2j) of a standard Gaussian, that is (2j - 1)!!.
MOMENT = factorial(2 * _j) / (power(2, _j) * factorial(_j))

#: E He_k(g)^2.
SQUARED_NORM = factorial(_k)

#: <u, w>^k.
OVERLAP = power(RationalFunction.symbol("rho"), _k)

#: sqrt(2 pi (2m+2)!) c_{2m+2} of the ReLU, that is (-1)^m (2m - 1)!!.
RELU = power(-1, _m) * factorial(2 * _m) / (power(2, _m) * factorial(_m))


def stein(moment: Term = MOMENT) -> Argument:
    """E[g f(g)] = E[f'(g)] for g a standard Gaussian and every polynomial f.

    Decided on monomials of symbolic degree. *moment* is E g^(2j) in the integer symbol j.
    """
    argument = Argument()
    argument.cite("E exp(s g) = exp(s^2/2), near 0 term by term", GAUSSIAN_MGF)
    decide(
        argument,
        "E g^(2j)/(2j)! is the coefficient 1/(2^j j!) of s^(2j)",
        [moment / factorial(2 * _j)],
        [power(2, -_j) / factorial(_j)],
        {"j": 0},
    )
    decide(
        argument,
        "f = g^(2j+1): E g^(2j+2) = (2j + 1) E g^(2j)",
        [moment(j=_j + 1)],
        [moment * (2 * _j + 1)],
        {"j": 0},
    )
    argument.infer("f = g^(2j): both sides are 0", "exp(s^2/2) has no odd powers of s")
    argument.infer("the same for every polynomial f", "both sides are linear in f")
    argument.infer(
        "E[<w, x> f(x)] = E[<w, grad f(x)>] for x ~ N(0, I), any w and polynomial f",
        "the coordinates are independent, and both sides are linear in w",
    )
    return argument


def orthonormality(squared_norm: Any = SQUARED_NORM) -> Argument:
    """E[He_j He_k] = 0 for j != k and *squared_norm* for j = k: E[h_j h_k] = delta_jk, all j, k >= 0.

    *squared_norm* is E He_k^2 in the integer symbol k.
    """
    norm = Term.of(squared_norm)
    x, p, dp, q, dq = symbols("x p dp q dq")
    argument = Argument()
    argument.infer("E[x f] = E[f'] for polynomials f", "shown by stein")
    argument.equal(
        "E[p (x q - q')] - E[p' q] is E[x f] - E[f'] for f = p q, which is 0",
        p * (x * q - dq) - dp * q,
        x * (p * q) - (dp * q + p * dq),
    )
    argument.infer(
        "E[He_j He_{k+1}] = j E[He_{j-1} He_k] for j >= 1, and 0 for j = 0",
        "He_{k+1} = x He_k - He_k' (explicit_form), He_j' = j He_{j-1} (derivative_rule), He_0' = 0",
    )
    argument.infer("E[He_j He_k] = 0 for j != k", "the lower degree falls to 0 before the other")
    decide(argument, "E He_0^2 = 1", [norm(k=0)], [1])
    decide(
        argument,
        "E He_{k+1}^2 = (k + 1) E He_k^2",
        [norm(k=_k + 1)],
        [norm * (_k + 1)],
        {"k": 0},
    )
    return argument


def lemma_15(
    value: Term = OVERLAP, squared_norm: Any = SQUARED_NORM, uu: Any = 1, ww: Any = 1
) -> Argument:
    """E[h_j(<u, x>) h_k(<w, x>)] = <u, w>^k for j = k and 0 otherwise, x ~ N(0, I), unit u and w.

    *value* is <u, w>^k in the symbol rho = <u, w> and the integer symbol k. h_k is
    He_k/sqrt(*squared_norm*), also in k; *uu* and *ww* are |u|^2 and |w|^2. Shown twice: by
    generating functions, and by Stein's identity.
    """
    norm = Term.of(squared_norm)
    uu, ww = RationalFunction.of(uu), RationalFunction.of(ww)
    s, t, rho = symbols("s t rho")
    argument = Argument()
    argument.define("rho = <u, w>; He_k(g)/k! is the coefficient of s^k in exp(s g - s^2/2)")
    argument.cite("E exp(<z, x>) = exp(|z|^2/2), near 0 term by term", GAUSSIAN_MGF)
    argument.equal(
        "E exp(s <u,x> - s^2/2 + t <w,x> - t^2/2) = exp(s t rho): |s u + t w|^2/2 - s^2/2 - t^2/2",
        (s**2 * uu + 2 * s * t * rho + t**2 * ww) / 2 - s**2 / 2 - t**2 / 2,
        s * t * rho,
    )
    argument.infer(
        "E[He_j(<u,x>) He_k(<w,x>)] is j! k! times the coefficient of s^j t^k: 0 unless j = k",
        "exp(s t rho) has the terms (s t rho)^k/k! only",
    )
    claim = norm * value
    decide(
        argument,
        "j = k: k!^2 rho^k/k! is the squared norm times the value",
        [factorial(_k) * factorial(_k) * power(rho, _k) / factorial(_k)],
        [claim],
        {"k": 0},
    )
    y, p, dp, q, dq = symbols("y p dp q dq")
    argument.infer(
        "E[y p q] = E[rho p' q + |w|^2 p q'] for p = p(<u,x>), q = q(<w,x>), y = <w,x>",
        "shown by stein: grad(p q) = p' q u + p q' w",
    )
    argument.equal(
        "E[p (y q - q')] = rho E[p' q]",
        p * (y * q - dq) - rho * dp * q,
        y * p * q - (rho * dp * q + ww * p * dq),
    )
    argument.infer(
        "E[He_{k+1} He_{k+1}] = rho (k + 1) E[He_k He_k]",
        "He_{k+1} = x He_k - He_k' (explicit_form) and He_{k+1}' = (k+1) He_k (derivative_rule)",
    )
    decide(argument, "k = 0: E[1 1] = 1", [claim(k=0)], [1])
    decide(
        argument,
        "the squared norm times the value satisfies it",
        [claim(k=_k + 1)],
        [claim * (rho * (_k + 1))],
        {"k": 0},
    )
    return argument


def mehler(cross: Any = None, square: Any = None) -> Argument:
    """sum_k rho^k h_k(x) h_k(y) = s^(-1/2) exp((cross x y - square (x^2 + y^2))/(2 s)), s = 1 - rho^2.

    For |rho| < 1; *cross* and *square* are 2 rho and rho^2 in the symbol rho. Both sides are integrated
    against exp(t y - t^2/2) under the Gaussian of y; the left is known from the generating function.
    """
    rho, x, t = symbols("rho x t")
    s = 1 - rho**2
    cross = 2 * rho if cross is None else RationalFunction.of(cross)
    square = rho**2 if square is None else RationalFunction.of(square)
    argument = Argument()
    argument.infer(
        "the left side, times exp(t y - t^2/2) and integrated, is sum_k (rho t)^k He_k(x)/k!, that is "
        "exp(rho t x - (rho t)^2/2)",
        "exp(t y - t^2/2) = sum_k t^k He_k(y)/k! (generating_function), E He_k^2 = k! (orthonormality)",
    )
    curvature, slope = 1 + square / s, cross * x / (2 * s) + t
    argument.equal(
        "on the right the exponent has -y^2/(2 s) with s = 1 - rho^2, so the integral is finite and its "
        "factor sqrt(s) cancels (1 - rho^2)^(-1/2)",
        curvature,
        1 / s,
    )
    argument.equal(
        "completing the square in y leaves rho t x - (rho t)^2/2",
        slope**2 / (2 * curvature) - square * x**2 / (2 * s) - t**2 / 2,
        rho * t * x - (rho * t) ** 2 / 2,
    )
    argument.infer(
        "the two sides agree as functions of y in L^2 of the Gaussian",
        "both are in it for |rho| < 1, and the functions exp(t y) span a dense subspace",
    )
    return argument


def connection(squared_ratio: Any = SQUARED_NORM) -> Argument:
    """<He_k(x), w^(x)k> = c_k h_k(<w, x>) for |w| = 1, c_k > 0 and c_k^2 = *squared_ratio*, all k.

    The first part of Lemma 16, with the factor between the two definitions that App. F.1 makes:
    c_k^2 = k!, in the integer symbol k. The lemma as printed has 1, which fails from k = 2 on.
    """
    argument = Argument()
    argument.infer("<He_k(x), w^(x)k> = P_k(<w, x>, 1) = He_k(<w, x>)", "shown by explicit_form")
    argument.infer(
        "h_k is He_k/sqrt(E He_k(g)^2), up to a sign",
        "both have degree k and are orthogonal to all lower degrees (orthonormality)",
    )
    decide(argument, "c_k^2 = E He_k(g)^2 = k!", [squared_ratio], [SQUARED_NORM], {"k": 0})
    return argument


def tensor_stein(sign: Any = 1) -> Argument:
    """E[f(x) He_k(x)] = sign^k E[grad^k f(x)] for x ~ N(0, I) and every polynomial f, all k >= 0.

    The second part of Lemma 16, entry by entry, by induction over k; *sign* is 1.
    """
    x, f, df, p, dp = symbols("x f df p dp")
    argument = Argument()
    argument.define("p is an entry of He_k, ' is the derivative along x_i, x is x_i")
    argument.equal(
        "the entry of He_{k+1} with one index i more: -(p mu)'/mu = x p - p'",
        -(dp - x * p),
        x * p - dp,
    )
    argument.infer("E[x F] = E[F'] for polynomials F", "shown by stein")
    argument.equal(
        "E[f (x p - p')] - E[f' p] is E[x F] - E[F'] for F = f p, which is 0",
        f * (x * p - dp) - RationalFunction.of(sign) * df * p,
        x * (f * p) - (df * p + f * dp),
    )
    argument.infer(
        "E[f He_k] = E[grad^k f]", "induction over k: E[f He_{k+1}] = E[f' He_k], f' a polynomial"
    )
    return argument


def relu(even: Term = RELU) -> Argument:
    """c_k = E[max(0, g) h_k(g)]: 1/sqrt(2 pi), 1/2, then *even*/sqrt(2 pi k!) for k = 2m + 2, else 0.

    *even* is (-1)^m (2m - 1)!! in the integer symbol m >= 0.
    """
    x, p, dp = symbols("x p dp")
    argument = Argument()
    argument.define("mu = exp(-x^2/2)/sqrt(2 pi), p = He_{k-1}; mu' = -x mu, He_k = x p - p'")
    argument.equal("He_k mu = -(p mu)', divided by mu", x * p - dp, -(dp - x * p))
    argument.equal(
        "x He_k mu = p mu - (x p mu)', divided by mu",
        x * (x * p - dp),
        p - (p + x * dp - x * (x * p)),
    )
    argument.infer("c_0 = mu(0)", "x mu = -mu', integrated over x > 0")
    argument.infer("c_1 = 1/2", "sqrt(1!) c_1 is the integral of He_0 mu over x > 0, half of one")
    argument.infer(
        "sqrt(k!) c_k = He_{k-2}(0) mu(0) for k >= 2",
        "x He_k mu, then He_{k-1} mu, are integrated over x > 0; x p mu is 0 at 0, all at infinity",
    )
    decide(
        argument,
        "He_{2m}(0) = a(2m, m)",
        [even],
        [MONIC(k=2 * _m, i=_m)],
        {"m": 0},
    )
    argument.infer("He_{2m+1}(0) = 0", "it has odd powers only (explicit_form)")
    return argument
