"""Vectors, operators and scalars as sums of inner products: the language a memory is defined in.

``W = sum_over(z, outer(u[f(z)], e[z]))`` and ``dot(u[f(x)] - u[y], W @ e[x])`` are typed as in the
paper; nobody expands a margin by hand. An expression is a list of terms, each a coefficient, bound
indices, inner products (edges) and zero, one or two open legs (scalar, vector, operator).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from proofs.algebra import RationalFunction
from proofs.hermite.polynomials import hermite_coefficients
from proofs.moments.indices import (
    Count,
    Distinct,
    Equal,
    Fibre,
    Holds,
    Index,
    Restriction,
    Slot,
    equal,
)
from proofs.moments.subspaces import WHOLE, Subspace, meet
from proofs.moments.vectors import Atom


@dataclass(frozen=True)
class Edge:
    """An inner product <left, right>, or for order > 1 its Wick power :<left, right>^order:.

    Wick powers have no contraction of left with itself. Left is then a Gaussian, right is not; for
    a standard Gaussian and a unit vector the power is He_order(<left, right>).
    """

    left: Atom
    right: Atom
    order: int = 1

    def rename(self, new: Mapping[Index, Index]) -> Edge:
        return Edge(self.left.rename(new), self.right.rename(new), self.order)

    def __repr__(self) -> str:
        inner = str(self.left) if self.right.family.is_axis else f"<{self.left}, {self.right}>"
        return inner if self.order == 1 else f":{inner}^{self.order}:"


@dataclass(frozen=True)
class Term:
    """coefficient * sum over the bound indices of a product of inner products, with open legs.

    The sum is over those values at which every one of ``where`` is true.
    """

    coefficient: RationalFunction
    bound: tuple[Index, ...] = ()
    edges: tuple[Edge, ...] = ()
    legs: tuple[Atom, ...] = ()
    where: tuple[Restriction, ...] = ()

    def fresh(self) -> Term:
        """The same term with bound indices of its own, so that products do not capture them."""
        new = {index: index.range.index(f"{index.name}'") for index in self.bound}
        return Term(
            self.coefficient,
            tuple(new[index] for index in self.bound),
            tuple(edge.rename(new) for edge in self.edges),
            tuple(leg.rename(new) for leg in self.legs),
            tuple(restriction.rename(new) for restriction in self.where),
        )

    def indices(self) -> set[Index]:
        """All indices that occur, bound or free."""
        return {*self.bound, *(slot.source for slot in self.slots())}

    def atoms(self) -> Iterator[Atom]:
        for edge in self.edges:
            yield edge.left
            yield edge.right
        yield from self.legs

    def slots(self) -> Iterator[Slot]:
        for atom in self.atoms():
            yield atom.slot
        for restriction in self.where:
            yield from restriction.slots()


class Expression:
    """A scalar (no leg), a vector (one) or an operator (two), linear in its terms."""

    def __init__(self, terms: tuple[Term, ...], legs: int) -> None:
        self.terms = terms
        self.legs = legs

    @classmethod
    def vector(cls, atom: Atom) -> Expression:
        """A random vector as an expression."""
        return cls((Term(RationalFunction.constant(1), legs=(atom,)),), 1)

    @classmethod
    def scalar(cls, value: Any) -> Expression:
        """A number or a symbol as an expression."""
        return cls((Term(RationalFunction.of(value, "coefficient")),), 0)

    # -- linear structure -----------------------------------------------------------------------

    def _same_kind(self, other: Expression) -> None:
        if self.legs != other.legs:
            kinds = ("a scalar", "a vector", "an operator")
            raise TypeError(f"cannot add {kinds[self.legs]} and {kinds[other.legs]}")

    def __add__(self, other: Any) -> Expression:
        right = other if isinstance(other, Expression) else Expression.scalar(other)
        self._same_kind(right)
        return Expression(self.terms + right.terms, self.legs)

    __radd__ = __add__

    def __neg__(self) -> Expression:
        return self * -1

    def __sub__(self, other: Any) -> Expression:
        return self.__add__(-other)

    def __rsub__(self, other: Any) -> Expression:
        return Expression.scalar(other) - self

    def __mul__(self, other: Any) -> Expression:
        """Product with a scalar: a number, a symbol or a scalar expression."""
        if not isinstance(other, Expression):
            other = Expression.scalar(other)
        if self.legs and other.legs:
            raise TypeError("two vectors are multiplied by dot or outer, operators by @")
        return Expression(
            _products((a, b, a.legs + b.legs, None) for a, b in _pairs(self, other)),
            self.legs + other.legs,
        )

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Expression:
        return self * (1 / RationalFunction.of(other, "divisor"))

    def __pow__(self, exponent: int) -> Expression:
        if isinstance(exponent, bool) or not isinstance(exponent, int):
            raise TypeError(f"exponent: {exponent!r} is no int; only polynomials have moments here")
        if exponent < 0:
            raise ValueError(
                f"exponent: {exponent} is negative; only polynomials have moments here"
            )
        power = Expression.scalar(1)
        for _ in range(exponent):
            power = power * self
        return power

    def hermite(self, k: int) -> Expression:
        """The monic Hermite polynomial He_k of a scalar expression.

        For <w, e>, w standard Gaussian and e a unit vector, it is kept as a Wick power, which costs
        the engine less. Raises TypeError for a vector or an operator.
        """
        if self.legs:
            raise TypeError("Hermite polynomials are of scalars; take an inner product first")
        edge = self._standard()
        if edge is not None and k >= 1:
            return Expression((replace(self.terms[0], edges=(replace(edge, order=k),)),), 0)
        total = Expression((), 0)
        for degree, coefficient in enumerate(hermite_coefficients(k)):
            if coefficient:
                total = total + self**degree * coefficient
        return total

    def is_standard(self) -> bool:
        """Whether this is <w, e> with w standard Gaussian and e a unit vector."""
        return self._standard() is not None

    def _standard(self) -> Edge | None:
        """The edge <w, e> that this is, w standard Gaussian and put first, e a unit vector."""
        if len(self.terms) != 1:
            return None
        (term,) = self.terms
        if term.bound or term.where or len(term.edges) != 1 or term.coefficient != 1:
            return None
        (edge,) = term.edges
        w, e = edge.left, edge.right
        if not w.family.standard:
            w, e = e, w
        plain = edge.order == 1 and w.part == e.part == WHOLE
        return Edge(w, e) if plain and w.family.standard and e.family.unit_norm else None

    # -- contractions ---------------------------------------------------------------------------

    def __matmul__(self, other: Expression | Subspace) -> Expression:
        """Operator times vector, operator or projection: contract the last leg with the first."""
        if isinstance(other, Subspace):
            return self.project(other, leg=1)
        if self.legs != 2 or _legs(other) == 0:
            raise TypeError("@ takes an operator on the left, a vector or an operator on the right")
        return Expression(
            _products(
                (a, b, (a.legs[0], *b.legs[1:]), (a.legs[1], b.legs[0]))
                for a, b in _pairs(self, other)
            ),
            other.legs,
        )

    @property
    def T(self) -> Expression:
        """The transposed operator."""
        if self.legs != 2:
            raise TypeError("only an operator has a transpose")
        return Expression(tuple(replace(t, legs=t.legs[::-1]) for t in self.terms), 2)

    def project(self, subspace: Subspace, leg: int) -> Expression:
        """The vector, or the leg 0 or 1 of the operator, projected; ``P @ v`` and ``W @ P``."""
        if self.legs <= leg:
            raise TypeError("P @ takes a vector or an operator, @ P an operator")
        terms = []
        for term in self.terms:
            atom = _projected(term.legs[leg], subspace)
            if atom is not None:
                legs = tuple(atom if i == leg else other for i, other in enumerate(term.legs))
                terms.append(replace(term, legs=legs))
        return Expression(tuple(terms), self.legs)

    def single_vector(self) -> Atom:
        """The random vector that the expression is; ValueError if it is anything else."""
        for term in self.terms if len(self.terms) == 1 else ():
            plain = not (term.edges or term.bound or term.where) and term.coefficient == 1
            if plain and len(term.legs) == 1:
                return term.legs[0]
        raise ValueError(f"{self} is not a single member of a family, e[x]")

    def free_slots(self) -> list[Slot]:
        """The slots whose index no sum binds, in the order of their appearance."""
        found: dict[Slot, None] = {}
        for term in self.terms:
            for slot in term.slots():
                if slot.source not in term.bound:
                    found.setdefault(slot)
        return list(found)

    def degree(self) -> int:
        """Total degree as a formal polynomial in the coordinates of the vectors."""
        return max((2 * sum(e.order for e in t.edges) + len(t.legs) for t in self.terms), default=0)

    def __repr__(self) -> str:
        return " + ".join(map(_display, self.terms)).replace("+ -", "- ") or "0"


def _pairs(left: Expression, right: Expression) -> Iterator[tuple[Term, Term]]:
    """All pairs of terms; an index bound in one that also occurs in the other is made fresh there."""
    for a in left.terms:
        for b in right.terms:
            if not a.bound and not b.bound:
                yield a, b
                continue
            second = b.fresh() if a.indices() & set(b.bound) else b
            yield (a.fresh() if set(a.bound) & second.indices() else a), second


def _products(
    factors: Iterable[tuple[Term, Term, tuple[Atom, ...], tuple[Atom, Atom] | None]],
) -> tuple[Term, ...]:
    """Products of pairs of terms, each with its open legs and the two legs that are contracted."""
    terms = []
    for left, right, legs, contracted in factors:
        edges = left.edges + right.edges
        if contracted is not None:
            edge = _contract(*contracted)
            if edge is None:
                continue
            edges += (edge,)
        terms.append(
            Term(
                left.coefficient * right.coefficient,
                left.bound + right.bound,
                edges,
                legs,
                left.where + right.where,
            )
        )
    return tuple(terms)


def _contract(left: Atom, right: Atom) -> Edge | None:
    """The inner product of two vectors; None where orthogonal projections make it zero."""
    if left.family is not right.family and left.family.dimension != right.family.dimension:
        raise ValueError(f"{left.family} and {right.family} have different dimensions")
    if left.subspace is not None and right.subspace is not None:
        _same_splitting(left.subspace, right.subspace)
    return None if meet(left.part, right.part) is None else Edge(left, right)


def _projected(atom: Atom, subspace: Subspace) -> Atom | None:
    """The vector projected once more; None if that is zero."""
    if atom.family.dimension != subspace.splitting.dimension:
        raise ValueError(
            f"{subspace} is a subspace of R^{subspace.splitting.dimension}, {atom} is not in it"
        )
    if atom.subspace is not None:
        _same_splitting(atom.subspace, subspace)
    part = meet(atom.part, subspace.part)
    return None if part is None else replace(atom, subspace=Subspace(subspace.splitting, part))


def _same_splitting(left: Subspace, right: Subspace) -> None:
    if left.splitting is not right.splitting:
        raise ValueError(
            f"{left} and {right} belong to different splittings; nothing is known of their angle"
        )


def _legs(value: Any) -> int:
    """The open legs of an operand; a plain number has none."""
    return value.legs if isinstance(value, Expression) else 0


def _display(term: Term) -> str:
    powers: dict[str, int] = {}
    for edge in map(str, term.edges):
        powers[edge] = powers.get(edge, 0) + 1
    factors = [f"sum_{index}" for index in term.bound]
    factors += [edge if n == 1 else f"{edge}^{n}" for edge, n in powers.items()]
    factors += [f"1({restriction})" for restriction in term.where]
    factors += [f"|{leg}>" for leg in term.legs]
    coefficient = str(term.coefficient)
    if coefficient in ("1", "-1") and factors:
        return f"{coefficient[:-1]}{' '.join(factors)}"
    return " ".join([coefficient if coefficient.isalnum() else f"({coefficient})", *factors])


def dot(left: Expression, right: Expression) -> Expression:
    """The inner product of two vectors, bilinear."""
    if _legs(left) != 1 or _legs(right) != 1:
        raise TypeError("dot takes two vectors")
    pairs = _pairs(left, right)
    return Expression(_products((a, b, (), (a.legs[0], b.legs[0])) for a, b in pairs), 0)


def outer(left: Expression, right: Expression) -> Expression:
    """The operator left right^T of two vectors."""
    if _legs(left) != 1 or _legs(right) != 1:
        raise TypeError("outer takes two vectors")
    pairs = _pairs(left, right)
    return Expression(_products((a, b, a.legs + b.legs, None) for a, b in pairs), 2)


def indicator(condition: Restriction | Distinct) -> Expression:
    """One where the condition on indices is true, zero elsewhere.

    Raises TypeError for conditions that speak of counts instead of indices.
    """
    if isinstance(condition, Distinct):
        return 1 - indicator(equal(condition.left, condition.right))
    if not isinstance(condition, Restriction):
        raise TypeError(f"{condition} is no condition on indices; it belongs into given")
    return Expression((Term(RationalFunction.constant(1), where=(condition,)),), 0)


def sum_over(
    indices: Index | Iterable[Index],
    body: Expression,
    where: Restriction | Distinct | Iterable[Restriction | Distinct] = (),
) -> Expression:
    """Sum of *body* over all values of the index, or indices, at which all of *where* is true."""
    if isinstance(where, (Fibre, Count)):
        raise TypeError(f"where: {where} is no condition on indices; it belongs into given")
    conditions = (where,) if isinstance(where, (Equal, Distinct, Holds)) else tuple(where)
    for condition in conditions:
        body = body * indicator(condition)
    terms = []
    indices = (indices,) if isinstance(indices, Slot) else tuple(indices)
    for index in indices:
        if not isinstance(index, Index):
            raise TypeError(f"indices: {index!r} is no index; make one with range.index(name)")
        if indices.count(index) > 1:
            raise ValueError(f"index: {index} is summed over twice; make a fresh index")
    for term in body.terms:
        for index in indices:
            if index in term.bound:
                raise ValueError(f"index: {index} is summed over twice; make a fresh index")
        terms.append(replace(term, bound=(*term.bound, *indices)))
    return Expression(tuple(terms), body.legs)
