"""Rules of norms ||X||_q = (E|X|^q)^(1/q): their order, hypercontractivity, what they say of tails."""

from __future__ import annotations

from proofs.citations import BECKNER, BECKNER_PRODUCTS, BONAMI, JENSEN, MARKOV, NELSON
from proofs.kernel.definedness import require
from proofs.kernel.normal import same
from proofs.kernel.regions import Refused, Region, require_sign
from proofs.kernel.terms import (
    Number,
    Term,
    at_most_zero,
    exp,
    expectation,
    log,
    modulus,
    norm,
    randoms,
    term,
)
from proofs.kernel.theorem import (
    Compare,
    Concluded,
    OfDegree,
    Theorem,
    comparison,
    require_inside,
    rule,
)


@rule
def polynomial_degree(variable: Term, region: Region) -> Concluded:
    """A polynomial has the degree that its term says."""
    require(variable.head == "polynomial", f"{variable} is no polynomial by its term")
    return Concluded(OfDegree(variable, variable.arguments[0]), region)


@rule
def less_constant(theorem: Theorem, constant: Term) -> Concluded:
    """X less what is not random is a polynomial of the degree of X."""
    variable, degree = _of_degree(theorem).sides
    require(not randoms(constant), f"{constant} is random")
    return Concluded(OfDegree(variable - constant, degree), theorem.region, (theorem,))


def _of_degree(theorem: Theorem) -> OfDegree:
    if not isinstance(theorem.statement, OfDegree):
        raise Refused(f"{theorem.statement} does not say of which degree a polynomial is")
    return theorem.statement


@rule
def hypercontractivity(theorem: Theorem, exponent: Term | Number, region: Region) -> Concluded:
    """||X||_q <= (q-1)^(p/2) ||X||_2 for a polynomial X of degree at most p and q >= 2.

    X = sum_j X_j by total degree in spherical harmonics and Hermite polynomials: j <= p, as a polynomial
    of degree n on a sphere, or in a Gaussian, is a sum of those of degree at most n. T multiplies X_j by
    r^j, r = (q-1)^(-1/2). It acts on one factor after the other, each with ||T f||_q <= ||f||_2 (Nelson
    on R, Bonami on S^0, Beckner on S^(d-1), d >= 2), and so the product has that (Beckner).
    X = T Y with Y = sum_j (q-1)^(j/2) X_j; so ||X||_q <= ||Y||_2 <= (q-1)^(p/2) ||X||_2, the X_j being
    orthogonal.
    """
    variable, degree = _of_degree(theorem).sides
    q = term(exponent)
    require_inside(region, theorem)
    require(not randoms(q), f"the exponent {q} is random")
    require_sign(q - 2, region, said="the exponent is at least 2")
    factor = exp(degree / 2 * log(q - 1))
    statement = Compare(norm(variable, q), "<=", factor * norm(variable, 2))
    return Concluded(
        statement, region, (theorem,), cites=(NELSON, BONAMI, BECKNER, BECKNER_PRODUCTS)
    )


@rule
def norms_grow(
    variable: Term, smaller: Term | Number, larger: Term | Number, region: Region
) -> Concluded:
    """||X||_q <= ||X||_r for 0 < q <= r."""
    require_sign(larger - term(smaller), region, said="the order of the exponents")
    statement = Compare(norm(variable, smaller), "<=", norm(variable, larger))
    return Concluded(statement, region, cites=(JENSEN,))


@rule
def norm_to_power(variable: Term, exponent: Term | Number, region: Region) -> Concluded:
    """| ||X||_q |^q = E|X|^q."""
    moment = expectation(modulus(variable, exponent))
    statement = Compare(modulus(norm(variable, exponent), exponent), "=", moment)
    return Concluded(statement, region)


@rule
def norm_tail(theorem: Theorem, rate: Term | Number) -> Concluded:
    """||X||_q <= b gives 1 - exp(-s q) <= P(|X| <= exp(s) b).

    For b > 0 by Markov's inequality, E|X|^q/(exp(s) b)^q <= exp(-s q); b = 0 leaves X = 0.
    """
    found, s = comparison(theorem, "<=", "<", "="), term(rate)
    variable, q = _normed(found.left)
    for number in (found.right, s):
        require(not randoms(number), f"{number} is random")
    kept = at_most_zero(modulus(variable) - exp(s) * found.right)
    statement = Compare(1 - exp(-s * q), "<=", kept)
    return Concluded(statement, theorem.region, (theorem,), cites=(MARKOV,))


def _normed(one: Term) -> tuple[Term, Term]:
    """X and q of a norm (E|X|^q)^(1/q)."""
    if one.head == "abs" and one.arguments[0].head == "E":
        mean, inverse = one.arguments
        (inside,) = mean.arguments
        if inside.head == "abs" and same(inside.arguments[1] * inverse, term(1)):
            return inside.arguments[0], inside.arguments[1]
    raise Refused(f"{one} is no norm")
