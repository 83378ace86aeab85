"""Functions of inner products: polynomials, Hermite series and Wick powers.

Serves the activations of Nichani et al., App. B and C.2: sigma(<w, e>), h_k(<w, e>) with w Gaussian.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import factorial
from typing import Any

from proofs.algebra import RationalFunction
from proofs.hermite.polynomials import contraction, degree, hermite_coefficients
from proofs.moments.expressions import Edge, Expression, Term, dot
from proofs.moments.laws import Gaussian

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
    scaled = [
        RationalFunction.of(c, f"coefficients[{j}]")
        * (RationalFunction.root(Fraction(1, factorial(j))) if normalized else 1)
        for j, c in enumerate(coefficients)
    ]
    if argument.is_standard():
        summands = (argument.hermite(j) * c for j, c in enumerate(scaled) if c != 0)
        return sum(summands, Expression((), 0))
    powers = [RationalFunction.constant(0)] * len(scaled)
    for j, c in enumerate(scaled):
        for power, coefficient in enumerate(hermite_coefficients(j)):
            powers[power] = powers[power] + c * coefficient
    return polynomial(powers, argument)


def wick_power(gaussian: Expression, vector: Expression, k: int) -> Expression:
    """:<g, v>^k:, the k-th power without contractions of g with itself: <He_k(g), v x ... x v>.

    g is a member of a Gaussian family. For g standard this is |v|^k He_k(<g, v>/|v|), a polynomial
    in <g, v> and |v|^2. Raises ValueError if *gaussian* is anything else.
    """
    atom, law = gaussian.single_vector(), gaussian.single_vector().family
    if not isinstance(law, Gaussian):
        raise ValueError(f"gaussian: {gaussian} has the law {law}; take a member of a Gaussian")
    k, inner = degree("k", k), dot(gaussian, vector)
    if k >= 1 and len(inner.terms) == 1:
        (term,) = inner.terms
        if term.coefficient == 1 and len(term.edges) == 1 and not (term.bound or term.where):
            edge = term.edges[0]
            if not isinstance(edge.right.family, Gaussian):
                return Expression((Term(_ONE, edges=(Edge(atom, edge.right, k),)),), 0)
    seen = vector if atom.subspace is None else atom.subspace @ vector
    power: Expression = contraction(k, inner, dot(vector, seen) * law.variance)
    return power
