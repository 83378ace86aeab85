"""Exact values of Hermite polynomials and tensors at small degrees (App. F.1), and what fails there.

The statements for every degree are those of ``proofs.hermite``; what is printed is compared here.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import comb, factorial, prod

import sympy

from proofs.algebra import RationalFunction
from proofs.algebra.symbols import ONE, symbols
from proofs.argument import Argument
from proofs.citations import BOGACHEV
from proofs.hermite import (
    connection,
    contraction,
    hermite_coefficients,
    hermite_tensor,
    lemma_15,
    orthonormality,
    tensor_stein,
)
from proofs.hermite import gaussian_moment as moment
from proofs.hermite.orthogonality import SQUARED_NORM
from proofs.hermite.terms import Term, decide, power

#: Degrees and dimensions up to which everything is computed outright.
_DEGREES, _DIMENSIONS = range(1, 5), range(1, 4)
#: Cosine and sine of an angle, both rational.
_COSINE, _SINE = Fraction(3, 5), Fraction(4, 5)
#: Unit vectors and points at which tensors are contracted.
_UNIT = (
    (Fraction(1),),
    (_COSINE, _SINE),
    (Fraction(1, 3), Fraction(2, 3), Fraction(2, 3)),
)
_POINT = (2, -1, 3)

_k = RationalFunction.symbol("k")


def _at(function: RationalFunction, k: int) -> Fraction:
    """The value of a function of k."""
    return function(**dict.fromkeys(function.names, k)).as_fraction()


def _product_mean(p: Sequence[int | Fraction], q: Sequence[int | Fraction]) -> Fraction:
    """E p(g) q(g) for polynomials by their coefficients, lowest power first."""
    terms = itertools.product(enumerate(p), enumerate(q))
    return sum((Fraction(a * b) * moment(m + n) for (m, a), (n, b) in terms), Fraction(0))


# -- Lemma 15 -------------------------------------------------------------------------------------


def correlation(base: RationalFunction, exponent: RationalFunction) -> Argument:
    """E[h_k(<u,x>) h_k(<w,x>)] = base^exponent, base in rho = <u,w>, exponent in k."""
    return lemma_15(power(base, exponent))


def correlation_counterexample(
    base: RationalFunction, exponent: RationalFunction
) -> dict[str, str] | None:
    """The first k at which the correlation is not base^exponent at <u,w> = 3/5 or -3/5; or None."""
    value = power(base, exponent)
    for k, rho in itertools.product(_DEGREES, (_COSINE, -_COSINE)):
        exact = _correlation(k, rho)
        stated = value(k=k).value()
        stated = stated(**dict.fromkeys(stated.names, rho))
        if stated != exact:
            return {
                "k": str(k),
                "u": "(1, 0)",
                "w": f"({rho}, {_SINE})",
                "E[h_k(<u,x>) h_k(<w,x>)]": str(exact),
                "stated": str(stated),
            }
    return None


def _correlation(k: int, rho: Fraction) -> Fraction:
    """E[h_k(x) h_k(rho x + 4/5 y)] for independent standard Gaussians x and y, |rho| = 3/5."""
    coefficients = hermite_coefficients(k)
    total = Fraction(0)
    for n, c in enumerate(coefficients):
        for j in range(n + 1):
            weight = c * comb(n, j) * rho**j * _SINE ** (n - j) * moment(n - j)
            power_of_x = [0] * j + [1]
            total += weight * _product_mean(coefficients, power_of_x)
    return total / factorial(k)


# -- squared norms --------------------------------------------------------------------------------


def _norm_lines(argument: Argument, start: RationalFunction, ratio: RationalFunction) -> None:
    """Lines: E He_0(g)^2 = start and E He_{k+1}(g)^2 = ratio E He_k(g)^2, ratio in k."""
    decide(argument, "E He_0(g)^2", [SQUARED_NORM(k=0)], [Term.of(start)])
    decide(
        argument,
        "E He_{k+1}(g)^2 over E He_k(g)^2",
        [SQUARED_NORM(k=_k + 1)],
        [SQUARED_NORM * ratio],
        {"k": 0},
    )


def _stated_norm(start: RationalFunction, ratio: RationalFunction, k: int) -> Fraction:
    return start.as_fraction() * prod((_at(ratio, j) for j in range(k)), start=Fraction(1))


def basis(start: RationalFunction, ratio: RationalFunction) -> Argument:
    """The He_alpha/sqrt(alpha!), one a multi-index, are an orthonormal basis of L^2(mu_d).

    alpha! is the product of n(alpha_i) with n(0) = *start* and n(k+1) = *ratio* n(k), ratio in k.
    """
    argument = orthonormality()
    _norm_lines(argument, start, ratio)
    argument.infer(
        "E[He_alpha He_beta] = prod_i E[He_{alpha_i}(x_i) He_{beta_i}(x_i)]",
        "the entry with alpha_i indices i is prod_i He_{alpha_i}(x_i); coordinates are independent",
    )
    for k, n in itertools.product(_DEGREES, _DIMENSIONS):
        argument.true(
            f"the entries of He_{k} in dimension {n} are these products",
            all(
                sympy.expand(entry - _product(indices, n)) == 0
                for indices, entry in hermite_tensor(k, n).entries().items()
            ),
            "from Definition 1, by differentiating the density",
        )
    argument.cite("polynomials are dense in L^2(mu_d), k = 0", BOGACHEV)
    return argument


def _product(indices: Sequence[int], n: int) -> sympy.Expr:
    """prod_i He_{alpha_i}(x_i), alpha_i the number of indices i."""
    counts = Counter(indices)
    return sympy.Mul(*(contraction(counts[i], sympy.Symbol(f"x_{i + 1}"), 1) for i in range(n)))


def basis_counterexample(start: RationalFunction, ratio: RationalFunction) -> dict[str, str] | None:
    """The first k at which E He_k(g)^2 is not the stated squared norm; or None."""
    for k in range(_DEGREES[-1] + 1):
        coefficients = hermite_coefficients(k)
        exact, stated = _product_mean(coefficients, coefficients), _stated_norm(start, ratio, k)
        if exact != stated:
            return {"d": "1", "k": str(k), "E He_k(x)^2": str(exact), "stated": str(stated)}
    return None


# -- degrees --------------------------------------------------------------------------------------


def polynomial(degree: RationalFunction) -> Argument:
    """Every entry of He_k is a polynomial of that *degree*, in k, with leading coefficient 1."""
    p, dp, x = symbols("p dp x")
    argument = Argument()
    argument.define("p is an entry of He_k, ' is the derivative along x_i, x is x_i")
    argument.equal("the entry with one index i more: -(p mu)'/mu", -(dp - x * p), x * p - dp)
    argument.infer(
        "an entry of He_k has degree k, and its part of degree k is the product of the x_i",
        "induction over k: p' has a lower degree than p",
    )
    argument.equal("the stated degree is k", degree, _k)
    argument.true(
        f"so it is in every entry, k <= {_DEGREES[-1]}, dimension <= {_DIMENSIONS[-1]}",
        degree_counterexample(degree) is None,
        "read off the entries",
    )
    return argument


def degree_counterexample(degree: RationalFunction) -> dict[str, str] | None:
    """The first entry whose degree is not the stated one; or None."""
    for n, k in itertools.product(_DIMENSIONS, _DEGREES):
        tensor = hermite_tensor(k, n)
        for indices, entry in tensor.entries().items():
            found = sympy.Poly(entry, *tensor.symbols).total_degree()
            if found != _at(degree, k):
                return {
                    "k": str(k),
                    "entry": str(tuple(i + 1 for i in indices)),
                    "polynomial": str(entry),
                    "degree": str(found),
                    "stated": str(_at(degree, k)),
                }
    return None


# -- Lemma 16, first part -------------------------------------------------------------------------


def contracted(start: RationalFunction, ratio: RationalFunction) -> Argument:
    """<He_k(x), w^(x)k> = c_k h_k(<w,x>) with c_0^2 = start and c_{k+1}^2 = ratio c_k^2."""
    argument = connection()
    _norm_lines(argument, start, ratio)
    for w in _UNIT:
        n = len(w)
        x = _POINT[:n]
        t = sum((a * b for a, b in zip(w, x, strict=True)), Fraction(0))
        values = [
            hermite_tensor(k, n)
            .contract(*[[sympy.Rational(c.numerator, c.denominator) for c in w]] * k)
            .subs(dict(zip(hermite_tensor(k, n).symbols, x, strict=True)))
            for k in _DEGREES
        ]
        argument.true(
            f"<He_k(x), w^(x)k> = He_k(<w,x>) at w = {_shown(w)}, x = {_shown(x)}",
            [Fraction(int(v.p), int(v.q)) for v in values] == [_monic(k, t) for k in _DEGREES],
            f"k <= {_DEGREES[-1]}, from Definition 1",
        )
    return argument


def _shown(vector: Sequence[int | Fraction]) -> str:
    return f"({', '.join(map(str, vector))})"


def _monic(k: int, t: int | Fraction) -> Fraction:
    return sum((Fraction(c) * t**m for m, c in enumerate(hermite_coefficients(k))), Fraction(0))


def contraction_counterexample(
    start: RationalFunction, ratio: RationalFunction
) -> dict[str, str] | None:
    """The first k at which the two sides differ at d = 1, w = 1 in their squares; or None."""
    for k in range(_DEGREES[-1] + 1):
        x = k % 2
        left = _monic(k, x) ** 2
        right = _stated_norm(start, ratio, k) * left / factorial(k)
        if left != right:
            return {
                "d": "1",
                "w": "1",
                "k": str(k),
                "x": str(x),
                "<He_k(x), w^k>^2": str(left),
                "c_k^2 h_k(x)^2": str(right),
            }
    return None


# -- Lemma 16, second part ------------------------------------------------------------------------


def stein(
    sign: RationalFunction, factor: RationalFunction, derivatives: RationalFunction
) -> Argument:
    """E[f He_k] = factor sign^k E[grad^k f] for f with that many weak derivatives in L^2(mu_d).

    *factor* and *derivatives* are in k.
    """
    argument = tensor_stein(sign)
    argument.equal("there is no other factor", factor, ONE)
    argument.true(
        f"it holds for d = 1 and f = x^n, n, k <= {_DEGREES[-1]}",
        _monomial_counterexample(sign, factor) is None,
        "Gaussian moments",
    )
    argument.cite(
        "polynomials are dense among the f with k weak derivatives in L^2(mu_d)",
        BOGACHEV,
    )
    argument.infer(
        "the identity extends to them", "He_k is in L^2(mu_d), so both sides are continuous in f"
    )
    argument.nonnegative("f has k weak derivatives", derivatives - _k, {"k": 1})
    return argument


def stein_counterexample(
    sign: RationalFunction, factor: RationalFunction, derivatives: RationalFunction
) -> dict[str, str] | None:
    """A monomial or a kink for which the identity fails; or None.

    The kink 1(x > 0) x^m has m weak derivatives in L^2, and its derivative of order m + 1 is 0
    almost everywhere.
    """
    found = _monomial_counterexample(sign, factor)
    if found is not None:
        return found
    for m in (0, 1):
        k = m + 1
        if _at(derivatives, k) <= m:
            return {
                "d": "1",
                "k": str(k),
                "f": "1(x > 0)" if m == 0 else "1(x > 0) x",
                "weak derivatives in L^2": str(m),
                "E[f(x) He_k(x)]": f"{_half_mean(m, k)}/sqrt(2 pi)",
                "E[f^(k)(x)], f^(k) = 0 almost everywhere": "0",
            }
    return None


def _monomial_counterexample(
    sign: RationalFunction, factor: RationalFunction
) -> dict[str, str] | None:
    for k, n in itertools.product(_DEGREES, _DEGREES):
        left = _product_mean(hermite_coefficients(k), [0] * n + [1])
        slope = factorial(n) // factorial(n - k) * moment(n - k) if n >= k else 0
        right = _at(factor, k) * sign.as_fraction() ** k * slope
        if left != right:
            return {
                "d": "1",
                "k": str(k),
                "f": f"x^{n}",
                "E[f(x) He_k(x)]": str(left),
                "stated": str(right),
            }
    return None


def _half_mean(m: int, k: int) -> int:
    """sqrt(2 pi) E[1(x > 0) x^m He_k(x)] for odd m + k: x > 0 contributes (n-1)!! for odd n."""
    coefficients = hermite_coefficients(k)
    odd = ((c, (m + n - 1) // 2) for n, c in enumerate(coefficients) if c)
    return sum(c * 2**i * factorial(i) for c, i in odd)
