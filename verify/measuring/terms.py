"""Expectations and probabilities of terms of the kernel, measured.

What is random in them goes to ``numerics.expressions`` as plain data; numbers are evaluated here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial, reduce
from hashlib import blake2b
from typing import Any, TypeAlias

from flint import arb

from proofs.algebra.balls import ball, precision
from proofs.kernel import Compare, Term, symbol
from proofs.kernel.normal import as_term, normal
from proofs.kernel.terms import ARITHMETIC, randoms, replaced, substituted
from proofs.kernel.values import value
from verify.measuring.measure import Experiment, Sizes, Source, Statistic
from verify.statistics import Interval

Numbers: TypeAlias = Mapping[str, int | Fraction]
#: What is drawn: "E" or "P", and the plain data of what is inside.
Function: TypeAlias = tuple[str, tuple[Any, ...]]
_ANYTHING = (-math.inf, math.inf)
#: What plain data calls the heads of terms that are functions.
_HEADS = {**{it: it for it in (*ARITHMETIC, "^", "abs", "exp", "log", "sqrt")}, "power": "^"}


class UndrawnError(ValueError):
    """A term that is not drawn."""


@dataclass(frozen=True)
class Place:
    """Numbers for symbols, and what random variables are.

    *instances*: what stands for a term, such as a polynomial of which only the degree is known; the
    first pairs come first. *variables*: variables of the kernel, by the names under which *draw*
    gives them, a function of (names, replicates, seed, start) and of the numbers by their names.
    """

    at: Numbers
    instances: tuple[tuple[Term, Term], ...] = ()
    variables: Mapping[Term, str] = field(default_factory=dict)
    draw: Callable[..., Mapping[str, Any]] | None = None

    def of(self, statement: Compare) -> Compare:
        """The comparison with the instances put in."""
        left, right = (
            reduce(lambda one, pair: replaced(one, *pair), self.instances, side)
            for side in statement.sides
        )
        return Compare(left, statement.relation, right)

    @property
    def sizes(self) -> Sizes:
        """The numbers that are whole."""
        return {name: int(it) for name, it in self.at.items() if it == int(it)}


def means(one: Term) -> list[Term]:
    """The expectations and probabilities in a term that are in no other one."""
    if one.head in ("E", "P"):
        return [one]
    return list(dict.fromkeys(it for argument in one.arguments for it in means(argument)))


@dataclass(frozen=True)
class Side:
    """A side of a comparison: a term with symbols for what is drawn, and what that is."""

    term: Term
    functions: Mapping[str, Function]


def drawn(one: Term, place: Place) -> Side:
    """The term with symbols for its expectations and probabilities; UndrawnError if one of them is
    not drawn."""
    functions = {}
    for mean in means(one):
        function = _function(mean, place)
        # One name for what is the same, at all places.
        name = f"drawn_{blake2b(repr(function).encode(), digest_size=8).hexdigest()}"
        functions[name] = function
        one = replaced(one, mean, symbol(name))
    return Side(one, functions)


def statistic(place: Place, *sides: Side) -> Statistic:
    """The value of a side, or how many times that of a second one it is."""
    functions = {name: it for side in sides for name, it in side.functions.items()}
    sources = tuple(_source(place, *named) for named in functions.items())
    terms = tuple(side.term for side in sides)
    return Statistic(sources, partial(_combined, terms, tuple(functions), dict(place.at)))


def _source(place: Place, name: str, function: Function) -> Source:
    """What is drawn for one function, by a name that tells all on which it depends."""
    draw, named = None, name
    if place.draw is not None and _has_variable(function):
        draw = partial(place.draw, **place.at)
        told = repr((place.draw.__module__, place.draw.__qualname__, sorted(place.at.items())))
        named = f"{name} of {blake2b(told.encode(), digest_size=8).hexdigest()}"
    return Source(Experiment(named, partial(_draw, name, function, draw)), name, {})


def _has_variable(one: tuple[Any, ...]) -> bool:
    return one[0] == "variable" or any(isinstance(it, tuple) and _has_variable(it) for it in one)


def _draw(
    name: str, function: Function, draw: Callable[..., Any] | None, **arguments: Any
) -> Mapping[str, Any]:
    from numerics.expressions import means  # torch only where something is measured

    return means({name: function}, **arguments, draw=draw)


def _function(mean: Term, place: Place) -> Function:
    (body,) = mean.arguments
    if not randoms(as_term(normal(substituted(body, place.at)))):
        raise UndrawnError(f"{body} is not random at this place")
    return mean.head, plain(body, place)


def plain(one: Term, place: Place) -> tuple[Any, ...]:
    """A random variable as ``numerics.expressions`` reads it; UndrawnError if it is not drawn."""
    if one in place.variables:
        return "variable", place.variables[one]
    if one.head == "coordinate":
        return "coordinate", one.name, _whole(one.arguments[0], place)
    if one.head == "sum":
        count, summand = one.arguments
        return "sum", one.name, _whole(count, place), plain(summand, place)
    if not randoms(one) and not means(one):
        with precision():
            return "number", float(value(one, place.at).mid())
    if one.head not in _HEADS:
        raise UndrawnError(f"{one} is not drawn")
    arguments = [plain(argument, place) for argument in one.arguments]
    if one.head in "+-" and arguments[1] == ("number", 0.0):  # drawn as what it is, once
        return arguments[0]
    return _HEADS[one.head], *arguments


def _whole(one: Term, place: Place) -> int:
    with precision():
        found = value(one, place.at).unique_fmpz()
    if found is None:
        raise UndrawnError(f"{one} is not whole")
    return int(found)


def _combined(
    terms: Sequence[Term], names: Sequence[str], at: Numbers, *intervals: Interval
) -> Interval:
    """The value of a term of what is drawn, divided by that of a second one if there is one."""

    def at_balls(balls: Sequence[arb]) -> arb:
        there = {**at, **dict(zip(names, balls, strict=True))}
        first, *others = (value(one, there) for one in terms)
        return first / others[0] if others else first

    with precision():
        found = at_balls(
            [ball(Fraction(it.low)).union(ball(Fraction(it.high))) for it in intervals]
        )
        middle = float(at_balls([ball(Fraction(it.estimate)) for it in intervals]).mid())
    low, high = (float(found.lower()), float(found.upper())) if found.is_finite() else _ANYTHING
    replicates = min(it.replicates for it in intervals)
    return Interval(low, high, middle, replicates, math.fsum(it.error for it in intervals))
