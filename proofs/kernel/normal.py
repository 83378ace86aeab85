"""The normal form of a term: a rational function of its symbols and of what is no rational function.

Two terms are the same if their normal forms are. An exponential, a logarithm, a root, a random variable,
an expectation and a probability are symbols here, the same one for the same head and arguments of one
normal form; the square of a root is what it is the root of.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import mul
from typing import TypeAlias

from proofs.algebra import RationalFunction
from proofs.kernel.terms import Term, changed, plus, term

_Key: TypeAlias = tuple[str, str, tuple[RationalFunction, ...]]

#: What stands behind the symbol of each opaque part, and the symbol of each; both only grow.
_BEHIND: dict[str, Term] = {}
_CALLED: dict[_Key, str] = {}
#: What is random in the arguments of these is theirs.
_BINDING = ("E", "P", "sum")
#: No symbol of a term begins like this: they refuse it.
_PREFIX = "__"


def normal(one: Term) -> RationalFunction:
    """The normal form. ZeroDivisionError for a denominator that is zero as a function."""
    return _reduced(_read(one))


def opaque(name: str) -> Term | None:
    """What stands behind a symbol of a normal form; None for a symbol of the term itself."""
    return _BEHIND.get(name)


def same(left: Term, right: Term) -> bool:
    """Whether two terms have one normal form."""
    return normal(left) == normal(right)


def _read(one: Term) -> RationalFunction:
    if one.head == "number":
        return RationalFunction.constant(one.value)
    if one.head == "symbol":
        return RationalFunction.symbol(one.name)
    if one.head in ("+", "-", "*", "/"):
        left, right = map(_read, one.arguments)
        if one.head == "+":
            return left + right
        if one.head == "-":
            return left - right
        return left * right if one.head == "*" else left / right
    if one.head == "^":
        return _read(one.arguments[0]) ** int(one.arguments[1].value)
    bound = (
        Term(one.head, tuple(map(_alike, one.arguments)), one.name) if one.head in _BINDING else one
    )
    arguments = tuple(map(normal, bound.arguments))
    if one.head == "exp" and arguments[0] == 0:
        return RationalFunction.constant(1)
    if one.head == "power" and not arguments[1].names:
        return arguments[0] ** int(arguments[1].as_fraction())
    key = (one.head, one.name, arguments)
    if key not in _CALLED:
        _CALLED[key] = name = f"{_PREFIX}{len(_CALLED)}"
        _BEHIND[name] = bound
    return RationalFunction.symbol(_CALLED[key])


def _alike(one: Term) -> Term:
    """The term with its coordinates and its sums named in the order in which they occur: how what is
    bound is called does not matter, only what is another one."""
    present = _present(one)
    names: dict[tuple[str, str], str] = {}

    def change(node: Term) -> Term | None:
        own = (node.head, node.name)
        if node.head not in ("coordinate", "sum"):
            return None
        # What cancels keeps its name, and has no number.
        name = names.setdefault(own, f"_{len(names)}") if own in present else node.name
        inside = map(_alike, node.arguments) if node.head == "sum" else node.arguments
        return Term(node.head, tuple(inside), name)

    return changed(one, change)


def _present(one: Term) -> set[tuple[str, str]]:
    """The coordinates and sums that do not cancel."""
    found: set[tuple[str, str]] = set()
    for name in normal(one).names:
        behind = _BEHIND.get(name)
        if behind is None or behind.head in ("E", "P"):
            continue
        if behind.head in ("coordinate", "sum"):
            found.add((behind.head, behind.name))
        else:
            found = found.union(*map(_present, behind.arguments))
    return found


def _reduced(function: RationalFunction) -> RationalFunction:
    """The function without a square of a root."""
    for name in function.names:
        behind = _BEHIND.get(name)
        if behind is not None and behind.head == "sqrt":
            under = _read(behind.arguments[0])
            top, bottom = (
                _lowered(f, name, under) for f in (function.numerator, function.denominator)
            )
            function = top / bottom
    return function


def _lowered(poly: RationalFunction, name: str, under: RationalFunction) -> RationalFunction:
    if name not in poly.names:
        return poly
    root, total = RationalFunction.symbol(name), RationalFunction.constant(0)
    place = poly.names.index(name)
    for powers, value in poly.coefficients().items():
        product = RationalFunction.constant(value)
        for i, (other, power) in enumerate(zip(poly.names, powers, strict=True)):
            if i != place:
                product = product * RationalFunction.symbol(other) ** power
        half, odd = divmod(powers[place], 2)
        total = total + product * under**half * (root if odd else 1)
    return total


def as_term(function: RationalFunction, names: Mapping[str, Term] | None = None) -> Term:
    """A normal form as a term again; *names* has terms for some of its symbols."""
    table = names or {}

    def leaf(name: str) -> Term:
        return table.get(name) or _BEHIND.get(name) or Term("symbol", name=name)

    def read(poly: RationalFunction) -> Term:
        total: Term | None = None
        for powers, value in poly.coefficients().items():
            parts = [
                leaf(name) ** power if power > 1 else leaf(name)
                for name, power in zip(poly.names, powers, strict=True)
                if power
            ]
            product = reduce(mul, parts) if parts else term(1)
            total = plus(0, value, product) if total is None else plus(total, value, product)
        return term(0) if total is None else total

    top, bottom = read(function.numerator), read(function.denominator)
    return top if bottom == term(1) else top / bottom
