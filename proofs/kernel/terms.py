"""Terms: numbers, sizes, functions of them, random variables, expectations and probabilities, as trees.

A term keeps the tree in which it was built, for a reader. What two trees have in common is decided in
``normal.py``, never here.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import count
from typing import Any, TypeAlias

#: What arithmetic takes beside terms.
Number: TypeAlias = int | Fraction

#: What is random in the arguments of these is theirs; in the sizes of a variable nothing is.
BINDING = ("E", "P", "sum", "coordinate", "polynomial", "random")
_BINARY = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 3}


#: What the heads of arithmetic do, to whatever knows it.
ARITHMETIC: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}
#: How many arguments a head takes, and whether it has a name.
_SHAPES: Mapping[str, tuple[int, bool]] = {
    "number": (0, False),
    "symbol": (0, True),
    **dict.fromkeys("+-*/^", (2, False)),
    **dict.fromkeys(("exp", "log", "sqrt", "E", "P"), (1, False)),
    **dict.fromkeys(("power", "abs"), (2, False)),
    "inf": (3, True),
    "bound": (0, False),
    **dict.fromkeys(("coordinate", "polynomial"), (1, True)),
    "sum": (2, True),
    "random": (-1, True),
}
#: A letter, then letters and digits, underscores and primes.
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*'*")


@dataclass(frozen=True, eq=False, repr=False)
class Term:
    """A node: a head, what it is applied to, and for a leaf its name or its value.

    Heads: ``number``, ``symbol``, ``+ - * / ^`` (a whole number as exponent), ``power`` (a symbol as
    exponent, whole and not negative), ``abs`` (|a|^q for q above 0), ``exp``, ``log``, ``sqrt``; by name
    the random variables ``coordinate``, of a uniform unit vector, ``sum``, of independent copies,
    ``polynomial``, any of a degree at most that, and ``random``, any other, with the sizes on which it
    depends; ``E`` and ``P``, the probability that its argument is at most 0. What is a coordinate or a
    sum by another name is independent of it. ``inf``: the infimum of its third argument over the open
    interval between the first two; what runs there is ``bound`` in the third and has no name, so that
    nothing put in can be taken for it. No infimum has one in it.

    TypeError or ValueError for a node that is none of these.
    """

    head: str
    arguments: tuple[Term, ...] = ()
    name: str = ""
    value: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        if type(self.arguments) is not tuple or any(type(a) is not Term for a in self.arguments):
            raise TypeError(f"arguments: {self.arguments!r} is no tuple of terms")
        if type(self.value) is not Fraction or type(self.name) is not str:
            raise TypeError(
                f"value and name: {self.value!r}, {self.name!r} are no Fraction and str"
            )
        if self.head not in _SHAPES:
            raise ValueError(f"head: {self.head!r} is none of {', '.join(_SHAPES)}")
        many, named = _SHAPES[self.head]
        if many not in (-1, len(self.arguments)):
            raise ValueError(f"arguments: {self.head} has {many}, not {len(self.arguments)}")
        if named != bool(_NAME.match(self.name)) or (
            named and self.head != "random" and not _NAME.fullmatch(self.name)
        ):
            raise ValueError(
                f"name: {self.name!r} is no name of a {self.head}; write letters and digits"
            )
        if self.head == "^" and not _is_whole_number(self.arguments[1]):
            raise ValueError(f"exponent: {self.arguments[1]} is no whole number; take power()")
        if self.head == "inf" and any(_has(argument, "inf") for argument in self.arguments):
            raise ValueError(f"{self.name}: an infimum inside an infimum has no meaning here")
        object.__setattr__(self, "_hash", self._hashed())

    def _hashed(self) -> int:
        # The numerator is made odd: -1 and -2 have one hash, and no two odd numbers near them.
        value = 2 * self.value.numerator + 1, self.value.denominator
        return hash((self.head, self.arguments, self.name, *value))

    def content(self) -> tuple[object, ...]:
        """What the node and those under it are, in texts and numbers, which nobody changes.

        TypeError if one of them was changed since it was made.
        """
        try:
            intact = self._hashed() == hash(self) and {type(it) for it in self.arguments} <= {Term}
        except (AttributeError, TypeError):
            intact = False
        if not intact:
            head = vars(self).get("head", "nothing")
            raise TypeError(
                f"a term of the head {head!r} was changed since it was made; make it anew"
            )
        parts = (argument.content() for argument in self.arguments)
        return self.head, self.name, self.value.numerator, self.value.denominator, *parts

    def __hash__(self) -> int:
        found: int = self._hash  # type: ignore[attr-defined]
        return found

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(other) is not Term or hash(self) != hash(other):
            return False
        own = (self.head, self.name, self.value, self.arguments)
        return own == (other.head, other.name, other.value, other.arguments)

    def __add__(self, other: Term | Number) -> Term:
        return _applied("+", self, other)

    def __radd__(self, other: Number) -> Term:
        return _applied("+", other, self)

    def __sub__(self, other: Term | Number) -> Term:
        return _applied("-", self, other)

    def __rsub__(self, other: Number) -> Term:
        return _applied("-", other, self)

    def __mul__(self, other: Term | Number) -> Term:
        return _applied("*", self, other)

    def __rmul__(self, other: Number) -> Term:
        return _applied("*", other, self)

    def __truediv__(self, other: Term | Number) -> Term:
        return _applied("/", self, other)

    def __rtruediv__(self, other: Number) -> Term:
        return _applied("/", other, self)

    def __neg__(self) -> Term:
        return _applied("-", 0, self)

    def __pow__(self, exponent: int) -> Term:
        if type(exponent) is not int:
            raise TypeError(
                f"exponent: {exponent!r} is not an int; write exp(exponent * log(base))"
            )
        return _applied("^", self, exponent)

    def __str__(self) -> str:
        return _text(self, 0)

    def __repr__(self) -> str:
        return f"Term({self})"


def _is_whole_number(one: Term) -> bool:
    return one.head == "number" and one.value.denominator == 1


def _has(one: Term, head: str) -> bool:
    return one.head == head or any(_has(argument, head) for argument in one.arguments)


def _applied(head: str, left: Term | Number, right: Term | Number) -> Term:
    return Term(head, (term(left), term(right)))


def plus(one: Term | Number, factor: Number, other: Term) -> Term:
    """one + factor * other, without a 0 or a factor 1, and with a minus for a negative factor."""
    by = abs(Fraction(factor))
    multiple = other if by == 1 else term(by) if other == term(1) else by * other
    if one == 0:
        return -multiple if by == -factor else multiple
    return one - multiple if by == -factor else one + multiple


def term(value: Term | Number) -> Term:
    """A term as it is, an exact number as one. TypeError for anything else, floats among it."""
    if isinstance(value, Term):
        return value
    if isinstance(value, bool) or not isinstance(value, (int, Fraction)):
        raise TypeError(f"{value!r} is no exact number; write an int, a Fraction or a Term")
    return Term("number", value=Fraction(value))


def symbol(name: str) -> Term:
    """A size or another number, by its name."""
    return Term("symbol", name=name)


def symbols(names: str) -> list[Term]:
    """Symbols, from names between spaces."""
    if not isinstance(names, str):
        raise TypeError(f"names: {names!r} is no text; write them between spaces")
    return [symbol(name) for name in names.split()]


def exp(argument: Term | Number) -> Term:
    """The exponential function."""
    return Term("exp", (term(argument),))


def log(argument: Term | Number) -> Term:
    """The natural logarithm."""
    return Term("log", (term(argument),))


def sqrt(argument: Term | Number) -> Term:
    """The square root that is not negative."""
    return Term("sqrt", (term(argument),))


def power(base: Term | Number, exponent: Term | Number) -> Term:
    """A whole power, not negative, that may be a symbol."""
    return Term("power", (term(base), term(exponent)))


def modulus(argument: Term | Number, exponent: Term | Number = 1) -> Term:
    """The absolute value to a power that is above 0, and need not be whole."""
    return Term("abs", (term(argument), term(exponent)))


def coordinate(name: str, dimension: Term | Number) -> Term:
    """The first coordinate of a uniform unit vector of R^dimension; two names, two independent ones.

    The inner product of two independent uniform unit vectors has the same law.
    """
    return Term("coordinate", (term(dimension),), name)


def polynomial(name: str, degree: Term | Number) -> Term:
    """Any real polynomial, of total degree at most *degree*, in finitely many independent vectors, each
    uniform on a unit sphere or standard Gaussian. All its moments are finite.

    What is said of one is said of all, as of a free symbol; two names, any two of them.
    """
    return Term("polynomial", (term(degree),), name)


def random(name: str, *sizes: Term) -> Term:
    """A random variable of which nothing is known here but its name, such as "gamma of" a definition,
    the sizes on which it depends, and that all its moments are finite."""
    return Term("random", sizes, name)


def copies(name: str, count: Term | Number, summand: Term) -> Term:
    """The sum of *count* independent copies of a random variable; two names, two independent sums."""
    return Term("sum", (term(count), summand), name)


def expectation(argument: Term) -> Term:
    """The expectation."""
    return Term("E", (argument,))


def variance(argument: Term) -> Term:
    """The variance."""
    return expectation((argument - expectation(argument)) ** 2)


def norm(argument: Term, exponent: Term | Number) -> Term:
    """(E |X|^q)^(1/q)."""
    return modulus(expectation(modulus(argument, exponent)), 1 / term(exponent))


def at_most_zero(argument: Term) -> Term:
    """The probability that a random variable is at most 0."""
    return Term("P", (argument,))


#: What runs in an infimum.
BOUND = Term("bound")


def inf(name: str, lower: Term | Number, upper: Term | Number, body: Term) -> Term:
    """The infimum of a term over lower < name < upper; the name is for readers only."""
    return Term("inf", (term(lower), term(upper), replaced(body, symbol(name), BOUND)), name)


def opened(one: Term, name: str) -> Term:
    """What an infimum is of, with a symbol for what runs."""
    return replaced(one.arguments[2], BOUND, symbol(name))


# -- what occurs in a term ------------------------------------------------------------------------


@lru_cache(maxsize=2**14)
def free(one: Term) -> frozenset[str]:
    """The symbols in a term; the name "" for what runs in no infimum, and ranges nowhere."""
    if one.head in ("symbol", "bound"):
        return frozenset({one.name})
    if one.head == "inf":
        lower, upper, body = map(free, one.arguments)
        return lower | upper | (body - {BOUND.name})
    return frozenset().union(*map(free, one.arguments))


def randoms(one: Term) -> frozenset[Term]:
    """The random variables on which a term depends: none under an expectation or a probability; a sum
    of copies is one of its own."""
    if one.head in ("E", "P"):
        return frozenset()
    if one.head in ("coordinate", "polynomial", "random", "sum"):
        return frozenset({one})
    return frozenset().union(*map(randoms, one.arguments))


def variables(one: Term) -> frozenset[Term]:
    """The coordinates and polynomials that stand anywhere in a term, under an expectation too."""
    own = frozenset({one} if one.head in ("coordinate", "polynomial") else ())
    return own.union(*map(variables, one.arguments))


def changed(one: Term, change: Callable[[Term], Term | None]) -> Term:
    """The term with each node for which *change* has an answer replaced by it, from the root down."""
    found = change(one)
    if found is not None:
        return found
    if not one.arguments:
        return one
    return Term(one.head, tuple(changed(a, change) for a in one.arguments), one.name, one.value)


def substituted(one: Term, values: Mapping[str, Term | Number]) -> Term:
    """The term with terms for symbols. ValueError for a random value under an expectation, a
    probability or a sum of copies, where it would be taken for an independent one."""
    found = {name: term(value) for name, value in values.items()}
    own = {name for name, value in found.items() if randoms(value)}
    for name, value in found.items():
        if BOUND.name in free(value):
            raise ValueError(f"{name}: {value} has in it what runs in an infimum")

    def change(node: Term) -> Term | None:
        if node.head in BINDING and own & free(node):
            raise ValueError(f"{min(own & free(node))}: a random value has no place in {node}")
        return found.get(node.name) if node.head == "symbol" else None

    return changed(one, change)


def replaced(one: Term, old: Term, new: Term) -> Term:
    """The term with *new* for every node that is the tree *old*."""
    return changed(one, lambda node: new if node == old else None)


def occurs(part: Term, one: Term) -> bool:
    """Whether a tree is part of another, as it is written."""
    return part == one or any(occurs(part, argument) for argument in one.arguments)


def given(one: Term, variable: Term, value: Term) -> Term:
    """The term where a random variable is a number; under an expectation, a probability and in a sum of
    copies it is another variable."""

    def change(node: Term) -> Term | None:
        if node == variable:
            return value
        return node if node.head in ("E", "P", "sum") else None

    return changed(one, change)


def fresh(stem: str, taken: Collection[str]) -> str:
    """A name that begins with the stem and is not taken."""
    return next(name for i in count() if (name := f"{stem}_{i}") not in taken)


# -- text -----------------------------------------------------------------------------------------


def _text(one: Term, binding: int) -> str:
    if one.head in _BINARY:
        return _infix(one, binding)
    if one.head == "number":
        plain = str(one.value)
        return f"({plain})" if binding > 1 and not plain.isdigit() else plain
    inner = ", ".join(_text(a, 0) for a in one.arguments)
    if one.head == "P":
        return f"P({inner} <= 0)"
    if one.head == "E":
        return f"E[{inner}]"
    if one.head == "power":
        base, exponent = one.arguments
        return f"{_text(base, 4)}^{_text(exponent, 4)}"
    if one.head == "abs":
        base, exponent = one.arguments
        inside = f"|{_text(base, 0)}|"
        return inside if exponent == term(1) else f"{inside}^{_text(exponent, 4)}"
    if one.head == "inf":
        return _infimum_text(one, binding)
    if one.head == "sum":
        return f"sum_{one.name}({inner})"
    if one.head == "bound":
        return "(what runs in an infimum)"
    return f"{one.head}({inner})" if one.head in ("exp", "log", "sqrt") else shown(one)


def _infimum_text(one: Term, binding: int) -> str:
    name = readable(one)
    where = f"{one.arguments[0]} < {name} < {one.arguments[1]}"
    text = f"inf over {where} of {_text(opened(one, name), 2)}"
    return f"({text})" if binding else text


def readable(one: Term) -> str:
    """What a reader calls that which runs in an infimum: nothing else in it has the name."""
    taken = _names(one.arguments[2])
    return next(name for i in count() if (name := one.name + "'" * i) not in taken)


def _names(one: Term) -> set[str]:
    return {one.name}.union(*map(_names, one.arguments))


def shown(one: Term) -> str:
    """What a reader calls a leaf; a variable that a definition makes, without its definition."""
    return one.name.partition(" of ")[0]


def _infix(one: Term, binding: int) -> str:
    level = _BINARY[one.head]
    left, right = one.arguments
    if one.head == "-" and left == term(0):
        text = f"-{_text(right, 2)}"
    else:
        gap = "" if one.head in "/^" else " "
        tight = level + (one.head in "-/^")
        text = f"{_text(left, level + (one.head == '^'))}{gap}{one.head}{gap}{_text(right, tight)}"
    return f"({text})" if level < binding else text
