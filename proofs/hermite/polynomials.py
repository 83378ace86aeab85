"""Hermite polynomials, from their recurrence, in numbers, symbols and anything with a ring's + and *.

Nichani et al., App. F.1: h_k is orthonormal in L2 of the standard Gaussian, He_k = sqrt(k!) h_k monic.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import comb, factorial, isfinite
from numbers import Number, Rational
from types import MappingProxyType
from typing import Any

import sympy

from proofs.algebra import ExactnessError, RationalFunction


def degree(name: str, value: Any) -> int:
    """*value* as a degree; TypeError if it is no int, ValueError if it is negative."""
    if isinstance(value, sympy.Integer):
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name}: {value!r} is not an int; give a whole number from 0 on")
    if value < 0:
        raise ValueError(f"{name}: {value} is negative; give a whole number from 0 on")
    return value


def exact(name: str, value: Any) -> sympy.Expr:
    """A number or a SymPy expression, exactly, as SymPy.

    Raises ExactnessError for floats (with the rational that was probably meant), complex numbers
    and truth values; TypeError for anything else.
    """
    if isinstance(value, bool):
        raise ExactnessError(f"{name}: {value!r} is a truth value; write {int(value)}")
    if isinstance(value, sympy.Expr):
        for number in sorted(value.atoms(sympy.Float), key=str):
            raise ExactnessError(
                f"{name}: the float {number} has no place in exact algebra; "
                f"write {Fraction(str(number))}"
            )
        return value
    if isinstance(value, Rational):
        return sympy.Rational(int(value.numerator), int(value.denominator))
    if isinstance(value, float):
        plain = float(value)  # numpy's float64 is a float that displays as something else
        near = Fraction(repr(plain)) if isfinite(plain) else "a/b"
        raise ExactnessError(
            f"{name}: the float {plain!r} has no place in exact algebra; write {near}"
        )
    if isinstance(value, Number):
        raise ExactnessError(f"{name}: {value!r} is inexact; write a fraction or a SymPy number")
    raise TypeError(
        f"{name}: {value!r} ({type(value).__name__}) is neither an exact number nor a SymPy "
        "expression; convert it with sympy.Rational or sympy.sympify"
    )


@lru_cache(maxsize=128)
def _coefficients(k: int) -> tuple[int, ...]:
    before, current = [0], [1]
    for n in range(k):
        after = [0, *current]
        for m, c in enumerate(before):
            after[m] -= n * c
        before, current = current, after
    return tuple(current)


def hermite_coefficients(k: int) -> tuple[int, ...]:
    """The k + 1 coefficients c of He_k(x) = sum_m c[m] x^m, lowest power first (App. F.1).

    From He_{n+1} = x He_n - n He_{n-1}. Raises TypeError for a *k* that is not an int, ValueError
    for a negative one.
    """
    return _coefficients(degree("k", k))


def contraction(k: int, t: Any, r: Any) -> Any:
    """<He_k(x), w^(x)k> for any w in any dimension, from t = <w, x> and r = |w|^2.

    It is sum_i (-1)^i k!/(2^i i! (k-2i)!) r^i t^(k-2i), proved from Definition 1 by
    ``explicit_form``. *t* and *r* are exact numbers or SymPy expressions, and the result is a SymPy
    expression; or *t* is an element of another commutative ring (with +, * and powers, also with
    int), *r* is one or a number, and the result lies in that ring.

    Raises TypeError for a *k* that is not an int or a *t* that is neither of the two, ValueError
    for a negative *k*, ExactnessError for floats.
    """
    return _evaluate(degree("k", k), "t", t, r)


def _evaluate(k: int, name: str, t: Any, r: Any) -> Any:
    """The sum in powers of a SymPy *t*, called *name*; else by the operations of the ring of t.

    There by Horner's rule in t^2, from the highest power down, so that t is all that is multiplied.
    """
    coefficients = hermite_coefficients(k)
    if isinstance(t, (sympy.Basic, Number)):
        t, r = exact(name, t), exact("r", r)
        return sympy.Add(*(c * r ** ((k - m) // 2) * t**m for m, c in enumerate(coefficients) if c))
    if not all(hasattr(t, method) for method in ("__add__", "__mul__", "__pow__")):
        raise TypeError(
            f"{name}: {t!r} ({type(t).__name__}) is neither an exact number nor an element of a "
            "ring; convert it with sympy.sympify"
        )
    if isinstance(r, Number):
        exact("r", r)
    if k == 0:
        return t**0
    if k == 1:
        return t
    square = t * t
    total: Any = None
    for i in range(1, k // 2 + 1):
        shift = r**i * coefficients[k - 2 * i]
        total = (square if total is None else total * square) + shift
    return total * t if k % 2 else total


def hermite(k: int, x: Any, normalized: bool = True) -> Any:
    """The probabilists' Hermite polynomial of degree *k* at *x* (App. F.1).

    *normalized*: h_k = He_k / sqrt(k!), orthonormal for the standard Gaussian; otherwise the monic
    He_k. *x* is an exact number or a SymPy expression, and the result is a SymPy expression; or an
    element of another commutative ring (with +, * and powers, also with int), and the result lies in
    that ring, with 1/sqrt(k!) a root of a field element.

    Raises TypeError for a *k* that is not an int or an *x* that is neither of the two, ValueError
    for a negative *k*, ExactnessError for floats.
    """
    k = degree("k", k)
    # The moment engine knows a better form of He_k(<w, e>) than its powers.
    value = x.hermite(degree("k", k)) if hasattr(x, "hermite") else _evaluate(k, "x", x, 1)
    if not normalized or k < 2:
        return value
    if isinstance(value, sympy.Basic):
        return value / sympy.sqrt(sympy.factorial(k))
    return value * RationalFunction.root(Fraction(1, factorial(k)))


def linearise(j: int, k: int) -> Mapping[int, int]:
    """He_j He_k = sum_i i! C(j, i) C(k, i) He_{j+k-2i}, as a mapping from degree to coefficient.

    Degrees fall from j + k to |j - k| by 2; ``linearisation`` proves the formula for all j and k.
    Raises TypeError for a *j* or *k* that is not an int, ValueError for a negative one.
    """
    j, k = degree("j", j), degree("k", k)
    return MappingProxyType(
        {j + k - 2 * i: factorial(i) * comb(j, i) * comb(k, i) for i in range(min(j, k) + 1)}
    )
