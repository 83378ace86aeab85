"""Means of functions of random variables that are given as plain data, one value a draw.

A function is a nested tuple, its head first: ("number", 0.5), ("coordinate", name, d),
("sum", name, n, summand), ("variable", name), ("+", a, b) and so for - * / ^,
("abs", a, exponent), ("exp", a), ("log", a), ("sqrt", a). Whoever writes one down says what is
to be drawn; how it is drawn is said here alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, TypeAlias

import torch
from torch import Tensor

from numerics.checks import check_integer
from numerics.errors import InputError
from numerics.observables import Bounded
from numerics.random import Stream, replicate_spheres

Expression: TypeAlias = tuple[Any, ...]


@dataclass(frozen=True)
class Variable:
    """Values (replicates, k) of k variables of one law, all of them surely in [low, high]."""

    values: Tensor
    low: float
    high: float


#: Draws variables: (names, replicates, seed, start) to those of the names, at least.
Draw: TypeAlias = Callable[..., Mapping[str, Variable]]


def means(
    functions: Mapping[str, tuple[str, Expression]],
    replicates: int,
    *,
    seed: int,
    start: int = 0,
    draw: Draw | None = None,
) -> dict[str, Bounded]:
    """By name, what has the mean E X for ("E", X), and P(X <= 0) for ("P", X).

    A coordinate is one of a uniform unit vector of R^d, a sum one of n independent copies; by one
    name they are the same in all functions, by two names independent. *draw* gives the variables
    that are none of these; a function of k of one law is averaged over them. The bounds come from
    those of the variables, step by step. InputError for a kind, a head or a variable that is not
    known, a head with too few or too many arguments, and a function without bounds; *replicates* at
    least 1, *start* >= 0.
    """
    check_integer("replicates", replicates, minimum=1)
    if unknown := {kind for kind, _ in functions.values()} - {"E", "P"}:
        raise InputError(f"{min(unknown)!r} is no mean: take 'E', or 'P' for P(X <= 0)")
    world = _world([it for _, it in functions.values()], replicates, seed, start, draw)
    found = {}
    for name, (kind, expression) in functions.items():
        one = world.evaluated(expression)
        if kind == "P":
            one = Variable((one.values <= 0).to(torch.float64), 0.0, 1.0)
        if not -math.inf < one.low < one.high < math.inf:
            raise InputError(
                f"{name} lies in [{one.low}, {one.high}]: take a function that is bounded and random"
            )
        values = one.values.clamp(one.low, one.high).expand(replicates, -1).mean(dim=1)
        found[name] = Bounded(values, one.low, one.high)
    return found


def largest(
    expression: Expression, replicates: int, *, seed: int, draw: Draw | None = None
) -> float:
    """The largest value of a function that is seen; arguments and errors as for `means`."""
    world = _world([expression], replicates, seed, 0, draw)
    return float(world.evaluated(expression).values.max())


def _world(
    functions: Sequence[Expression], replicates: int, seed: int, start: int, draw: Draw | None
) -> _World:
    names = sorted(set().union(*map(_variables, functions)))
    if names and draw is None:
        raise InputError(f"{names[0]}: nothing draws it: pass draw")
    given = draw(names=names, replicates=replicates, seed=seed, start=start) if draw else {}
    return _World(replicates, Stream(seed, "expressions"), start, given)


def _variables(one: Expression) -> set[str]:
    if one[:1] == ("variable",):
        return {one[1]}
    return set().union(*(_variables(it) for it in one if isinstance(it, tuple)))


#: Signs of the first coordinate, of the second and so on: each, and each product of two, is half of
#: the time what it is, and half of the time its negative.
_SIGNS = ((1, -1, 1, -1), (1, 1, -1, -1), (1, -1, -1, 1))


@dataclass
class _World:
    """The variables of some draws, each drawn once; inside a sum *copies* of each, in rows."""

    replicates: int
    stream: Stream
    start: int
    given: Mapping[str, Variable]
    copies: int = 0
    drawn: dict[Expression, Variable] = field(default_factory=dict)

    def evaluated(self, one: Expression) -> Variable:
        head, *rest = one or ("()",)
        if head in _PARTS and len(rest) != _PARTS[head]:
            raise InputError(f"{one}: {head} has {_PARTS[head]} arguments")
        if head == "number":
            return Variable(torch.full((1, 1), rest[0], dtype=torch.float64), rest[0], rest[0])
        if head in ("coordinate", "sum"):
            if one not in self.drawn:
                self.drawn[one] = self._coordinate(*rest) if head != "sum" else self._sum(*rest)
            return self.drawn[one]
        if head == "variable":
            if rest[0] not in self.given:
                raise InputError(f"{rest[0]}: no such variable is drawn: {', '.join(self.given)}")
            return self.given[rest[0]]
        if head not in _OPERATIONS:
            raise InputError(f"{head}: not known: take one of {', '.join(_PARTS)}")
        return _OPERATIONS[head](*map(self.evaluated, rest))

    def _coordinate(self, name: str, d: int) -> Variable:
        # All d coordinates of a vector have the law of the first, and so have their negatives: 4 d
        # values for one, of whose mean little is left to chance.
        rows, stream = self.copies or 1, self.stream.child(name, d)
        drawn = replicate_spheres(self.replicates, rows, d, stream=stream, start=self.start)
        coordinates = sum(one[0] == "coordinate" for one in self.drawn)
        signed = torch.cat([sign * drawn for sign in _SIGNS[coordinates % len(_SIGNS)]], dim=2)
        return Variable(signed if self.copies else signed[:, 0], -1.0, 1.0)

    def _sum(self, name: str, n: int, summand: Expression) -> Variable:
        if n == 0:
            return Variable(torch.zeros(1, 1, dtype=torch.float64), 0.0, 0.0)
        inner = _World(self.replicates, self.stream.child("sum", name), self.start, {}, n)
        one = inner.evaluated(summand)
        return Variable(one.values.sum(dim=1), n * one.low, n * one.high)


def _joined(function: Callable[[Any, Any], Any]) -> Callable[[Variable, Variable], Variable]:
    """Of a function that has its extremes on a box in the corners."""

    def joined(one: Variable, other: Variable) -> Variable:
        ends = [function(a, b) for a, b in product((one.low, one.high), (other.low, other.high))]
        return Variable(function(one.values, other.values), min(ends), max(ends))

    return joined


def _quotient(one: Variable, other: Variable) -> Variable:
    if other.low <= 0 <= other.high:
        raise InputError(f"a divisor lies in [{other.low}, {other.high}]: take one that is not 0")
    return _joined(lambda a, b: a / b)(one, other)


def _modulus(one: Variable, exponent: Variable) -> Variable:
    """|a|^q for a number q above 0."""
    far = max(abs(one.low), abs(one.high))
    near = 0.0 if one.low <= 0 <= one.high else min(abs(one.low), abs(one.high))
    q = exponent.low
    return Variable(one.values.abs() ** q, near**q, far**q)


def _power(one: Variable, exponent: Variable) -> Variable:
    """a^n for a whole number n that is not negative."""
    n = round(exponent.low)
    if n < 0 or n != exponent.high:
        raise InputError(f"exponent = {exponent.low}: take a whole number that is not negative")
    if n == 0:
        return Variable(torch.ones(1, 1, dtype=torch.float64), 1.0, 1.0)
    if n % 2 == 0:
        return _modulus(one, exponent)
    return Variable(one.values**n, one.low**n, one.high**n)


def _exponential(one: Variable) -> Variable:
    return Variable(one.values.exp(), math.exp(one.low), math.exp(one.high))


def _logarithm(one: Variable) -> Variable:
    if one.low <= 0:
        raise InputError(
            f"a logarithm is of what lies in [{one.low}, {one.high}]: take more than 0"
        )
    return Variable(one.values.log(), math.log(one.low), math.log(one.high))


def _root(one: Variable) -> Variable:
    """Of what is not negative, but for rounding."""
    low, high = max(one.low, 0.0), max(one.high, 0.0)
    return Variable(one.values.clamp(min=0.0).sqrt(), math.sqrt(low), math.sqrt(high))


#: How many arguments each head has.
_PARTS: Mapping[str, int] = {
    **dict.fromkeys(("number", "variable", "exp", "log", "sqrt"), 1),
    **dict.fromkeys(("coordinate", "abs", "+", "-", "*", "/", "^"), 2),
    "sum": 3,
}
_OPERATIONS: Mapping[str, Callable[..., Variable]] = {
    "+": _joined(lambda a, b: a + b),
    "-": _joined(lambda a, b: a - b),
    "*": _joined(lambda a, b: a * b),
    "/": _quotient,
    "^": _power,
    "abs": _modulus,
    "exp": _exponential,
    "log": _logarithm,
    "sqrt": _root,
}
