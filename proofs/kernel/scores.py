"""Rules that read the definition of a head of attention: degree and mean of a score.

Both come out of the engine's expression; no formula is typed here.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from proofs.algebra import RationalFunction
from proofs.attention import Store, Token, scored
from proofs.citations import SPHERE_ROTATION
from proofs.kernel.definedness import require
from proofs.kernel.normal import as_term, normal
from proofs.kernel.regions import Region, require_sign, whole
from proofs.kernel.terms import Term, expectation, random, symbol
from proofs.kernel.theorem import Compare, Concluded, OfDegree, rule
from proofs.moments import Condition, Expression, OrthogonalSphere, Sphere, mean
from proofs.moments.vectors import Atom

#: Which token is scored: one that is "stored" with the attended key, or as ``proofs.attention`` has it.
Kind: TypeAlias = Literal["stored"] | Token

_D, _D_H = symbol("d"), symbol("d_h")
_SIZES = Region((whole("d", 2), whole("d_h", 1)))
#: The other answers of the attended key, the other keys that hold the token, all pairs besides.
_COUNTS = ("answers", "holders", "pairs")


def score(kind: Kind) -> Term:
    """gamma_az = phi(a)^T W phi(z) for a token a of that kind, whatever sets of answers a head stores.

    Its sizes are d and d_h.
    """
    expression, _ = _scored(kind)
    families = sorted({_family(atom) for atom in _atoms(expression)})
    return random(f"gamma_{kind} of {', '.join(families)}; {expression.terms}", _D, _D_H)


def _scored(kind: Kind) -> tuple[Expression, list[Condition]]:
    own = int(kind == "stored")
    b, c, g = map(RationalFunction.symbol, _COUNTS)
    store = Store(b + own, b + c + g + own, c + own, stored=bool(own))
    return scored(normal(_D), normal(_D_H), store, "answer" if kind == "stored" else kind)


def _atoms(expression: Expression) -> list[Atom]:
    return [atom for t in expression.terms for e in t.edges for atom in (e.left, e.right)]


def _family(atom: Atom) -> str:
    family = atom.family
    other = family.orthogonal_to if isinstance(family, OrthogonalSphere) else ""
    return f"{type(family).__name__}({family.name}, {family.dimension}, {other})"


@rule
def score_degree(kind: Kind) -> Concluded:
    """A score has the degree of its definition.

    It is a sum of products of inner products of unit vectors: independent uniform ones of R^d, and of
    others, uniform orthogonal to one of these. A rotation of all vectors changes neither the score nor
    the law; so that one may be fixed, and the others are independent and uniform on S^(d-1) or S^(d-2).
    """
    expression, _ = _scored(kind)
    fixed = set()
    for atom in _atoms(expression):
        family = atom.family
        require(atom.subspace is None, f"{atom} is projected")
        require(family.dimension == normal(_D), f"{family} is not in R^d")
        known = type(family) in (Sphere, OrthogonalSphere)
        require(known, f"{family} is not uniform on a sphere")
        if family.orthogonal_to is not None:
            fixed.add(family.orthogonal_to)
    require(len(fixed) <= 1, f"{expression} has vectors orthogonal to several ones")
    require(all(type(it.family) is Sphere for it in fixed), f"{fixed} is not uniform on a sphere")
    whole_ = all(not t.legs and all(e.order == 1 for e in t.edges) for t in expression.terms)
    require(whole_, f"{expression} is no sum of products of inner products")
    degree = OfDegree(score(kind), as_term(RationalFunction.constant(expression.degree())))
    return Concluded(degree, _SIZES, cites=(SPHERE_ROTATION,))


@rule
def score_mean(kind: Kind) -> Concluded:
    """The mean of a score, which is a number, whatever the head stores. d >= 2, d_h >= 1.

    Every head has some such counts; those that the engine excludes belong to none.
    """
    found = mean(*_scored(kind))
    for bound in found.domain:
        if {"d", "d_h"}.issuperset(bound.size.names):
            require_sign(as_term(bound.size) - bound.low, _SIZES, said="where the mean is known")
    require(not found.value.names, f"the mean {found.value} depends on sizes")
    statement = Compare(expectation(score(kind)), "=", as_term(found.value))
    return Concluded(statement, _SIZES)
