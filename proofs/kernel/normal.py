"""The normal form of a term: a rational function of its symbols and of what is no rational function.

Two terms are the same if their normal forms are. An exponential, a logarithm, a root, a random variable,
an expectation and a probability are symbols here, the same one for the same head and arguments of one
normal form; the square of a root is what it is the root of, an even power of an absolute value that of
what is inside. How a bound variable is called does not matter: under an expectation, a probability or a
sum of copies it is a number, and in an infimum it has no name.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, reduce
from math import comb
from operator import add, mul
from typing import TypeAlias

from proofs.algebra import RationalFunction
from proofs.kernel.terms import ARITHMETIC, Term, plus, term

#: Coordinates and sums, by head and name, and the numbers that they have where they are bound.
_Bound: TypeAlias = Mapping[tuple[str, str], int]
_Key: TypeAlias = tuple[str, str | int, tuple[RationalFunction, ...]]

#: What stands behind the symbol of each opaque part, its key, and the symbol of each; all only grow.
_BEHIND: dict[str, Term] = {}
_KEYS: dict[str, _Key] = {}
_CALLED: dict[_Key, str] = {}
#: No symbol of a term begins like this: they begin with a letter.
_PREFIX = "__"
_FREE: _Bound = {}

#: So many terms may be expanded, so many bits a number may have.
MOST, BITS = 20_000, 1_000_000


class TooLarge(ValueError):  # noqa: N818 - what a term is
    """What would have too many terms to be decided; nothing of it was expanded."""


def require_small(count: int) -> None:
    """TooLarge for more terms than are expanded."""
    if count > MOST:
        raise TooLarge(f"too large to be decided: up to {count} terms; split it")


@lru_cache(maxsize=2**15)
def normal(one: Term) -> RationalFunction:
    """The normal form. ZeroDivisionError for a denominator that is zero as a function; TooLarge."""
    return _form(one, _FREE)


def opaque(name: str) -> Term | None:
    """What stands behind a symbol of a normal form; None for a symbol of the term itself."""
    return _BEHIND.get(name)


def same(left: Term, right: Term) -> bool:
    """Whether two terms have one normal form."""
    return normal(left) == normal(right)


def _form(one: Term, bound: _Bound) -> RationalFunction:
    return _reduced(_read(one, bound))


def _read(one: Term, bound: _Bound) -> RationalFunction:
    if one.head == "number":
        return RationalFunction.constant(one.value)
    if one.head == "symbol":
        return RationalFunction.symbol(one.name)
    if one.head in ARITHMETIC:
        left, right = (_read(argument, bound) for argument in one.arguments)
        _require_small(left, right)
        found: RationalFunction = ARITHMETIC[one.head](left, right)
        return found
    if one.head == "^":
        return _power(_read(one.arguments[0], bound), int(one.arguments[1].value))
    return _opaque(one, _key(one, bound))


def _require_small(left: RationalFunction, right: RationalFunction) -> None:
    """TooLarge if a product of numerators and denominators of two functions may be."""
    count = max(left.terms) * max(right.terms)
    if count > MOST:  # then by their degree it may have fewer
        require_small(min(count, _dense(max(left.degrees) + max(right.degrees), left, right)))


def _power(base: RationalFunction, exponent: int) -> RationalFunction:
    """A whole power. TooLarge if it may be: its terms are products of so many of the base, and have a
    degree; each number is one of the base so many times."""
    times, count = abs(exponent), max(base.terms)
    if times > 1:
        require_small(min(comb(count + times - 1, times), _dense(times * max(base.degrees), base)))
        bits = times * max(map(_bits, (base.numerator, base.denominator)))
        if bits > BITS:
            raise TooLarge(f"too large to be decided: numbers of up to {bits} bits; split it")
    return base**exponent


def _dense(degree: int, *functions: RationalFunction) -> int:
    """How many monomials of at most that degree there are in what occurs in functions."""
    many = len(set().union(*(one.names for one in functions)))
    return comb(degree + many, many)


def _bits(poly: RationalFunction) -> int:
    """How many bits the numbers in a polynomial have."""
    numbers = poly.coefficients().values()
    return max((max(map(int.bit_length, it.as_integer_ratio())) for it in numbers), default=0)


def _key(one: Term, bound: _Bound) -> _Key:
    if one.head in ("E", "P"):
        return one.head, "", (_form(one.arguments[0], _numbered(one.arguments[0])),)
    name: str | int = one.name
    if one.head in ("coordinate", "sum"):
        name = bound.get((one.head, one.name), one.name)
    if one.head == "inf":
        name = ""
    if one.head == "sum":
        count, summand = one.arguments
        return one.head, name, (_form(count, bound), _form(summand, _numbered(summand)))
    return one.head, name, tuple(_form(argument, bound) for argument in one.arguments)


def _opaque(one: Term, key: _Key) -> RationalFunction:
    head, _, arguments = key
    if head == "exp" and arguments[0] == 0:
        return RationalFunction.constant(1)
    if head == "power" and not arguments[1].names:
        return _power(arguments[0], int(arguments[1].as_fraction()))
    if head == "abs" and not arguments[1].names:
        half = arguments[1].as_fraction() / 2
        if half > 0 and half.denominator == 1:
            return _power(_power(arguments[0], 2), int(half))
    if key not in _CALLED:
        _CALLED[key] = name = f"{_PREFIX}{len(_CALLED)}"
        _BEHIND[name], _KEYS[name] = one, key
    return RationalFunction.symbol(_CALLED[key])


def _numbered(one: Term) -> _Bound:
    """The coordinates and sums that do not cancel, in the order in which they occur."""
    present = _present(one)
    numbers: dict[tuple[str, str], int] = {}
    pending = [one]
    while pending:
        node = pending.pop()
        own = (node.head, node.name)
        if own in present:
            numbers.setdefault(own, len(numbers))
        if node.head not in ("E", "P", "sum"):
            pending.extend(reversed(node.arguments))
    return numbers


def _present(one: Term) -> set[tuple[str, str]]:
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
        if name in _KEYS and _KEYS[name][0] == "sqrt":
            (under,) = _KEYS[name][2]
            top, bottom = (
                _lowered(f, name, under) for f in (function.numerator, function.denominator)
            )
            function = top / bottom
    return function


def _lowered(poly: RationalFunction, name: str, under: RationalFunction) -> RationalFunction:
    if name not in poly.names:
        return poly
    root, place = RationalFunction.symbol(name), poly.names.index(name)
    terms, count = [], 0
    for powers, value in poly.coefficients().items():
        half, odd = divmod(powers[place], 2)
        others = (
            RationalFunction.symbol(other) ** power
            for other, power in zip(poly.names, powers, strict=True)
            if other != name
        )
        raised = _power(under, half)
        count += max(raised.terms)
        require_small(count)
        terms.append(reduce(mul, others, value * raised * root**odd))
    return reduce(add, terms)


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
