"""Coefficients of a function in the basis h_k, exactly, and back.

Nichani et al., App. F.1: sigma = sum_k c_k h_k with c_k = E[sigma(g) h_k(g)], g standard Gaussian.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import factorial
from typing import Any

import sympy

from proofs.hermite.polynomials import degree, exact, hermite, hermite_coefficients


def gaussian_moment(n: int) -> int:
    """E g^n for a standard Gaussian g: (n - 1)!! for even n, 0 for odd n.

    Raises TypeError for an *n* that is not an int, ValueError for a negative one.
    """
    n = degree("n", n)
    return 0 if n % 2 else factorial(n) // (2 ** (n // 2) * factorial(n // 2))


def coefficients(sigma: Any, q: int, x: sympy.Symbol | None = None) -> tuple[sympy.Expr, ...]:
    """c_0, ..., c_q with sigma = sum_k c_k h_k: c_k = E[sigma(g) h_k(g)], g standard Gaussian.

    *sigma* is a polynomial as a SymPy expression in *x* (its only symbol, if *x* is not given;
    others are parameters), or the sequence of its coefficients, lowest power first; its degree is
    at most *q*. Or it is the ReLU, as sympy.Max(0, x) or "relu": its series does not end, and *q* is
    where it is cut.

    Raises ValueError if the degree of sigma exceeds *q*, TypeError if sigma is neither a polynomial
    nor the ReLU or its variable is not clear, ExactnessError for floats.
    """
    q = degree("q", q)
    if _is_relu(sigma, x):
        return tuple(_relu_coefficient(k) for k in range(q + 1))
    powers = _powers(sigma, x)
    if len(powers) - 1 > q:
        raise ValueError(
            f"q: {q} is below the degree {len(powers) - 1} of sigma, whose expansion would be cut "
            f"without notice; give q >= {len(powers) - 1}"
        )
    found = []
    for k in range(q + 1):
        mean = sympy.Add(
            *(
                p * sum(c * gaussian_moment(m + n) for m, c in enumerate(hermite_coefficients(k)))
                for n, p in enumerate(powers)
            )
        )
        found.append(sympy.expand(sympy.expand(mean) / sympy.sqrt(sympy.factorial(k))))
    return tuple(found)


def from_coefficients(
    c: Sequence[Any], x: sympy.Symbol | None = None, normalized: bool = True
) -> sympy.Expr:
    """The polynomial sum_k c_k h_k(x), or sum_k c_k He_k(x) if not *normalized*, expanded in x.

    *x* is called x if it is not given. Raises ExactnessError for floats.
    """
    variable = sympy.Symbol("x") if x is None else x
    terms = (exact("c", value) * hermite(k, variable, normalized) for k, value in enumerate(c))
    return sympy.expand(sympy.Add(*terms))


def derivative(c: Sequence[Any]) -> tuple[sympy.Expr, ...]:
    """The coefficients of sigma' = sum_k sqrt(k) c_k h_{k-1}, from the c_k of sigma.

    One fewer than given; at least one, which is 0. ``derivative_rule`` proves h_k' = sqrt(k) h_{k-1}.
    Raises ExactnessError for floats.
    """
    values = [exact("c", value) for value in c]
    shifted = tuple(sympy.sqrt(k) * values[k] for k in range(1, len(values)))
    return shifted or (sympy.Integer(0),)


def _is_relu(sigma: Any, x: sympy.Symbol | None) -> bool:
    if isinstance(sigma, str):
        return sigma.lower() == "relu"
    if not isinstance(sigma, sympy.Max):
        return False
    variables = [x] if x is not None else list(sigma.free_symbols)
    return any(sigma == sympy.Max(0, variable) for variable in variables)


def _relu_coefficient(k: int) -> sympy.Expr:
    """E[max(0, g) h_k(g)].

    He_k mu = -(He_{k-1} mu)', so two integrations by parts over x > 0 leave He_{k-2}(0) mu(0) for
    k >= 2; ``relu`` proves it. Orders 0 and 1 are the integrals of x mu and mu.
    """
    density = 1 / sympy.sqrt(2 * sympy.pi)
    if k == 0:
        return density
    if k == 1:
        return sympy.Rational(1, 2)
    return hermite_coefficients(k - 2)[0] * density / sympy.sqrt(sympy.factorial(k))


def _powers(sigma: Any, x: sympy.Symbol | None) -> list[sympy.Expr]:
    """The coefficients of a polynomial, lowest power first, without zeros at the end."""
    if isinstance(sigma, Sequence) and not isinstance(sigma, str):
        powers = [sympy.expand(exact("sigma", value)) for value in sigma]
    else:
        powers = _powers_of_expression(sigma, x)
    while powers and powers[-1] == 0:
        powers.pop()
    return powers or [sympy.Integer(0)]


def _powers_of_expression(sigma: Any, x: sympy.Symbol | None) -> list[sympy.Expr]:
    remedy = "give a polynomial, the sequence of its coefficients, sympy.Max(0, x) or 'relu'"
    if isinstance(sigma, str) or (callable(sigma) and not isinstance(sigma, sympy.Basic)):
        raise TypeError(f"sigma: {sigma!r} is not a polynomial; {remedy}")
    expression = exact("sigma", sigma.as_expr() if isinstance(sigma, sympy.Poly) else sigma)
    if x is None:
        symbols = sorted(expression.free_symbols, key=str)
        if len(symbols) > 1:
            names = ", ".join(map(str, symbols))
            raise TypeError(f"x: sigma has the symbols {names}; say which one is the variable, x=")
        x = symbols[0] if symbols else sympy.Symbol("x")
    expanded = sympy.expand(expression)
    if not expanded.is_polynomial(x):
        raise TypeError(f"sigma: {sigma} is not a polynomial in {x}; {remedy}")
    found = sympy.Poly(expanded, x).all_coeffs()[::-1]
    return [sympy.expand(value) for value in found]
