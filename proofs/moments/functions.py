"""Functions of inner products: polynomials, Hermite series and Wick powers.

Serves the activations of Nichani et al., App. B and C.2: sigma(<w, e>), h_k(<w, e>) with w Gaussian.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import factorial
from typing import Any

from proofs.algebra import RationalFunction
from proofs.moments.expressions import Edge, Expression, Term, dot
from proofs.moments.laws import Gaussian
from proofs.moments.subspaces import WHOLE

_ONE = RationalFunction.constant(1)


def polynomial(coefficients: Sequence[Any], argument: Expression) -> Expression:
    """sum_j coefficients[j] argument^j of a scalar expression; coefficients are numbers or symbols."""
    total = Expression((), 0)
    power = Expression.scalar(1)
    for coefficient in coefficients:
        if coefficient != 0:
            total = total + power * coefficient
        power = power * argument
    return total


def hermite_sum(
    coefficients: Sequence[Any], argument: Expression, *, normalized: bool = True
) -> Expression:
    """sum_j coefficients[j] h_j(argument), h_j orthonormal for the standard Gaussian.

    With normalized=False in the monic He_j = sqrt(j!) h_j. Where the argument is <w, e>, w standard
    Gaussian and e a unit vector, He_j is kept as a Wick power and costs the engine less.
    """
    total = Expression((), 0)
    for j, coefficient in enumerate(coefficients):
        scale = RationalFunction.root(Fraction(1, factorial(j))) if normalized else _ONE
        total = total + hermite(j, argument) * (scale * RationalFunction.of(coefficient))
    return total


def hermite(k: int, argument: Expression) -> Expression:
    """The monic Hermite polynomial He_k of a scalar expression.

    Raises TypeError for a vector or an operator, ValueError for k < 0.
    """
    if argument.legs:
        raise TypeError("argument: Hermite polynomials are of scalars; take an inner product first")
    if isinstance(k, bool) or not isinstance(k, int) or k < 0:
        raise ValueError(f"k: {k!r} is no degree; take an integer >= 0")
    edge = _standard(argument)
    if edge is not None and k >= 1:
        return Expression((Term(_ONE, edges=(Edge(edge.left, edge.right, k),)),), 0)
    return polynomial(
        [_coefficient(k, (k - j) // 2) if (k - j) % 2 == 0 else 0 for j in range(k + 1)], argument
    )


def wick_power(gaussian: Expression, vector: Expression, k: int) -> Expression:
    """:<g, v>^k:, the k-th power without contractions of g with itself: <He_k(g), v x ... x v>.

    g is a member of a Gaussian family. For g standard this is |v|^k He_k(<g, v>/|v|), a polynomial
    in <g, v> and |v|^2. Raises ValueError if *gaussian* is anything else.
    """
    atom, law = gaussian.single_vector(), gaussian.single_vector().family
    if not isinstance(law, Gaussian):
        raise ValueError(f"gaussian: {gaussian} has the law {law}; take a member of a Gaussian")
    inner = dot(gaussian, vector)
    if k >= 1 and len(inner.terms) == 1:
        (term,) = inner.terms
        if term.coefficient == 1 and len(term.edges) == 1 and not (term.bound or term.where):
            edge = term.edges[0]
            if not isinstance(edge.right.family, Gaussian):
                return Expression((Term(_ONE, edges=(Edge(atom, edge.right, k),)),), 0)
    square = dot(vector, vector) * law.variance
    total = Expression((), 0)
    for i in range(k // 2 + 1):
        total = total + square**i * inner ** (k - 2 * i) * _coefficient(k, i)
    return total


def _coefficient(k: int, i: int) -> int:
    """The coefficient of t^(k - 2i) in He_k(t)."""
    ways: int = factorial(k) // (2**i * factorial(i) * factorial(k - 2 * i))
    return -ways if i % 2 else ways


def _standard(argument: Expression) -> Edge | None:
    """The edge <w, e> that the argument is, w standard Gaussian and first, e a unit vector."""
    if len(argument.terms) != 1:
        return None
    (term,) = argument.terms
    if term.bound or term.where or len(term.edges) != 1 or term.coefficient != 1:
        return None
    (edge,) = term.edges
    ends = (edge.left, edge.right) if edge.left.family.standard else (edge.right, edge.left)
    plain = edge.order == 1 and edge.left.part == edge.right.part == WHOLE
    if plain and ends[0].family.standard and ends[1].family.unit_norm:
        return Edge(*ends)
    return None
