"""Vectors, operators and scalars as sums of inner products: the language a memory is defined in.

``W = sum_over(z, outer(u[f(z)], e[z]))`` and ``dot(u[f(x)] - u[y], W @ e[x])`` are typed as in the
paper; nobody expands a margin by hand. An expression is a list of terms, each a coefficient, bound
indices, inner products (edges) and zero, one or two open legs (scalar, vector, operator).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from proofs.algebra import RationalFunction
from proofs.moments.indices import Image, Index, Slot

if TYPE_CHECKING:
    from proofs.moments.laws import Family


@dataclass(frozen=True)
class Atom:
    """One random vector: a member of a family."""

    family: Family
    slot: Slot

    def __repr__(self) -> str:
        return f"{self.family.name}[{self.slot}]"

    def rename(self, new: Mapping[Index, Index]) -> Atom:
        slot = self.slot
        if isinstance(slot, Image) and slot.source in new:
            return Atom(self.family, Image(slot.association, new[slot.source]))
        if isinstance(slot, Index) and slot in new:
            return Atom(self.family, new[slot])
        return self


Edge = tuple[Atom, Atom]


@dataclass(frozen=True)
class Term:
    """coefficient * sum over the bound indices of a product of inner products, with open legs."""

    coefficient: RationalFunction
    bound: tuple[Index, ...] = ()
    edges: tuple[Edge, ...] = ()
    legs: tuple[Atom, ...] = ()

    def fresh(self) -> Term:
        """The same term with bound indices of its own, so that products do not capture them."""
        new = {index: index.range.index(index.name) for index in self.bound}
        return Term(
            self.coefficient,
            tuple(new[index] for index in self.bound),
            tuple((a.rename(new), b.rename(new)) for a, b in self.edges),
            tuple(leg.rename(new) for leg in self.legs),
        )

    def indices(self) -> set[Index]:
        """All indices that occur, bound or free."""
        free = (slot.source if isinstance(slot, Image) else slot for slot in self.slots())
        return {*self.bound, *(index for index in free if isinstance(index, Index))}

    def atoms(self) -> Iterator[Atom]:
        for edge in self.edges:
            yield from edge
        yield from self.legs

    def slots(self) -> Iterator[Slot]:
        for atom in self.atoms():
            yield atom.slot


class Expression:
    """A scalar (no leg), a vector (one) or an operator (two), linear in its terms."""

    def __init__(self, terms: tuple[Term, ...], legs: int) -> None:
        self.terms = terms
        self.legs = legs

    @classmethod
    def vector(cls, family: Family, slot: Slot) -> Expression:
        """The member *slot* of *family*."""
        return cls((Term(RationalFunction.constant(1), legs=(Atom(family, slot),)),), 1)

    @classmethod
    def scalar(cls, value: Any) -> Expression:
        """A number or a symbol as an expression."""
        return cls((Term(RationalFunction.of(value)),), 0)

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
        return self + (-other if isinstance(other, Expression) else Expression.scalar(other) * -1)

    def __rsub__(self, other: Any) -> Expression:
        return Expression.scalar(other) - self

    def __mul__(self, other: Any) -> Expression:
        """Product with a scalar: a number, a symbol or a scalar expression."""
        if not isinstance(other, Expression):
            other = Expression.scalar(other)
        if self.legs and other.legs:
            raise TypeError("two vectors are multiplied by dot or outer, operators by @")
        return Expression(
            tuple(_times(a, b, a.legs + b.legs) for a, b in _pairs(self, other)),
            self.legs + other.legs,
        )

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Expression:
        return self * (1 / RationalFunction.of(other))

    def __pow__(self, exponent: int) -> Expression:
        if exponent < 0:
            raise ValueError(
                f"exponent: {exponent} is negative; only polynomials have moments here"
            )
        power = Expression.scalar(1)
        for _ in range(exponent):
            power = power * self
        return power

    # -- contractions ---------------------------------------------------------------------------

    def __matmul__(self, other: Expression) -> Expression:
        """Operator times vector or operator: contract the last leg with the first."""
        if self.legs != 2 or _legs(other) == 0:
            raise TypeError("@ takes an operator on the left, a vector or an operator on the right")
        return Expression(
            tuple(
                _times(a, b, (a.legs[0], *b.legs[1:]), ((a.legs[1], b.legs[0]),))
                for a, b in _pairs(self, other)
            ),
            other.legs,
        )

    @property
    def T(self) -> Expression:
        """The transposed operator."""
        if self.legs != 2:
            raise TypeError("only an operator has a transpose")
        return Expression(
            tuple(Term(t.coefficient, t.bound, t.edges, t.legs[::-1]) for t in self.terms), 2
        )

    def free_slots(self) -> list[Slot]:
        """The slots whose index no sum binds, in the order of their appearance."""
        found: dict[Slot, None] = {}
        for term in self.terms:
            for slot in term.slots():
                source = slot.source if isinstance(slot, Image) else slot
                if source not in term.bound:
                    found.setdefault(slot)
        return list(found)

    def degree(self) -> int:
        """Total degree as a formal polynomial in the coordinates of the vectors."""
        return max((2 * len(t.edges) + len(t.legs) for t in self.terms), default=0)

    def __repr__(self) -> str:
        return " + ".join(map(_display, self.terms)).replace("+ -", "- ") or "0"


def _pairs(left: Expression, right: Expression) -> Iterator[tuple[Term, Term]]:
    """All pairs of terms; an index bound in one that also occurs in the other is made fresh there."""
    for a in left.terms:
        for b in right.terms:
            second = b.fresh() if a.indices() & set(b.bound) else b
            yield (a.fresh() if set(a.bound) & second.indices() else a), second


def _times(
    left: Term, right: Term, legs: tuple[Atom, ...], contracted: tuple[Edge, ...] = ()
) -> Term:
    """The product of two terms of disjoint bound indices, *contracted* edges added."""
    for a, b in contracted:
        if a.family is not b.family and a.family.dimension != b.family.dimension:
            raise ValueError(f"{a.family} and {b.family} have different dimensions")
    return Term(
        left.coefficient * right.coefficient,
        left.bound + right.bound,
        left.edges + right.edges + contracted,
        legs,
    )


def _legs(value: Any) -> int:
    """The open legs of an operand; a plain number has none."""
    return value.legs if isinstance(value, Expression) else 0


def _display(term: Term) -> str:
    powers: dict[str, int] = {}
    for a, b in term.edges:
        edge = f"<{a}, {b}>"
        powers[edge] = powers.get(edge, 0) + 1
    factors = [f"sum_{index}" for index in term.bound]
    factors += [edge if n == 1 else f"{edge}^{n}" for edge, n in powers.items()]
    factors += [f"|{leg}>" for leg in term.legs]
    coefficient = str(term.coefficient)
    if coefficient in ("1", "-1") and factors:
        return f"{coefficient[:-1]}{' '.join(factors)}"
    return " ".join([coefficient if coefficient.isalnum() else f"({coefficient})", *factors])


def dot(left: Expression, right: Expression) -> Expression:
    """The inner product of two vectors, bilinear."""
    if _legs(left) != 1 or _legs(right) != 1:
        raise TypeError("dot takes two vectors")
    return Expression(
        tuple(_times(a, b, (), ((a.legs[0], b.legs[0]),)) for a, b in _pairs(left, right)), 0
    )


def outer(left: Expression, right: Expression) -> Expression:
    """The operator left right^T of two vectors."""
    if _legs(left) != 1 or _legs(right) != 1:
        raise TypeError("outer takes two vectors")
    return Expression(tuple(_times(a, b, a.legs + b.legs) for a, b in _pairs(left, right)), 2)


def sum_over(index: Index, body: Expression) -> Expression:
    """Sum of *body* over all values of *index*."""
    terms = []
    for term in body.terms:
        if index in term.bound:
            raise ValueError(f"index: {index} is summed over twice; make a fresh index")
        terms.append(Term(term.coefficient, (*term.bound, index), term.edges, term.legs))
    return Expression(tuple(terms), body.legs)
