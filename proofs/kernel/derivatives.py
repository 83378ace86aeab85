"""Derivatives of terms in a symbol, as terms; and which terms are known to be convex."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from proofs.kernel.regions import Region, decided_sign
from proofs.kernel.terms import Term, free, plus, term

_ZERO = term(0)
#: The derivative in what they are applied to, from the term and that.
_CHAIN: Mapping[str, Callable[[Term, Term], Term]] = {
    "exp": lambda one, _: one,
    "log": lambda _, first: 1 / first,
    "sqrt": lambda one, _: 1 / (2 * one),
}


def derivative(one: Term, name: str) -> Term:
    """The derivative in a symbol. ValueError where the symbol is under something else than arithmetic,
    whole powers, exponentials, logarithms and roots."""
    if name not in free(one):
        return term(0)
    if one.head == "symbol":
        return term(1)
    first, *_ = one.arguments
    inner = derivative(first, name)
    if one.head in _CHAIN:
        return _times(_CHAIN[one.head](one, first), inner)
    if one.head == "^":
        power = int(one.arguments[1].value)
        return _times(power * first ** (power - 1), inner)
    if one.head not in ("+", "-", "*", "/"):
        raise ValueError(f"{one}: its derivative in {name} is not known")
    second = one.arguments[1]
    other = derivative(second, name)
    if one.head in "+-":
        return plus(inner, 1 if one.head == "+" else -1, other) if other != _ZERO else inner
    if other == _ZERO:
        return _times(inner, second) if one.head == "*" else inner / second
    if one.head == "*":
        return plus(_times(inner, second), 1, _times(other, first))
    return plus(inner / second, -1, _times(other, first / second**2))


def _times(one: Term, other: Term) -> Term:
    """The product, without a 0 or a factor 1: the fewer parts, the thinner the balls around it."""
    if _ZERO in (one, other):
        return _ZERO
    return other if one == term(1) else one if other == term(1) else one * other


def is_convex(one: Term, name: str, region: Region) -> bool:
    """Whether the term is known to be a convex function of the symbol, whatever the others are."""
    return decided_sign(derivative(derivative(one, name), name), region)
