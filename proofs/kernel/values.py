"""Values of terms at sizes, as balls: a second evaluator, of what is printed and of nothing else.

An expectation over one coordinate is the sum over cells of its values, of the probability of a cell
times a ball around what the function is on it. An infimum is one of exp(h) for a convex h, which lies
above its tangents: from a value to the lower end of the tangent there, between places where the sign of
the derivative is sure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import pairwise
from operator import mul
from typing import TypeAlias

from flint import arb, ctx

from proofs.algebra.balls import ball, precision, root
from proofs.kernel.derivatives import derivative, is_convex
from proofs.kernel.normal import normal
from proofs.kernel.regions import Region, between
from proofs.kernel.terms import (
    ARITHMETIC,
    Term,
    free,
    fresh,
    given,
    opened,
    randoms,
    substituted,
    symbol,
)
from proofs.kernel.theorem import Compare

#: What symbols have: numbers, and balls for the coordinates in an expectation.
_Values: TypeAlias = "Mapping[str, int | Fraction | arb]"
_Evaluator: TypeAlias = Callable[[_Values], arb]

#: Cells of the positive values of a coordinate: the more, the thinner the ball around an expectation.
_CELLS = 320
#: How often the interval is halved in which the least value is.
_HALVINGS = 8


_FUNCTIONS: Mapping[str, Callable[[arb], arb]] = {"exp": arb.exp, "log": arb.log, "sqrt": root}


def value(one: Term, at: _Values) -> arb:
    """A ball around the value where the symbols have those values, at the current precision.

    KeyError for a symbol without a value, ValueError for what is random, a power that is not whole, an
    expectation or a probability of more than one coordinate, and an infimum of what is not known to be
    convex.
    """
    return _evaluator(one, ctx.prec)(at)


@lru_cache(maxsize=2**12)
def _evaluator(one: Term, bits: int) -> _Evaluator:
    """What gives the value of a term at that precision: a term is evaluated at many places."""
    if one.head == "number":
        constant = ball(one.value)
        return lambda _: constant
    if one.head == "symbol":
        return lambda at: _as_ball(at[one.name])
    if one.head in _BINDING:
        bound = _BINDING[one.head]
        return lambda at: bound(one, at)
    if one.head not in (*ARITHMETIC, *_FUNCTIONS, "^", "power", "abs"):
        raise ValueError(f"{one}: a random variable has no value")
    found = _applied(one, [_evaluator(argument, bits) for argument in one.arguments])
    if free(one):
        return found
    settled = found({})
    return lambda _: settled


def _applied(one: Term, parts: Sequence[_Evaluator]) -> _Evaluator:
    """What gives the value of a node from what gives those of its arguments."""
    first = parts[0]
    if one.head in _FUNCTIONS:
        function = _FUNCTIONS[one.head]
        return lambda at: function(first(at))
    second = parts[1]
    if one.head in ARITHMETIC:
        join = ARITHMETIC[one.head]
        return lambda at: join(first(at), second(at))
    if one.head == "abs":
        return lambda at: _absolute(first(at), second(at))
    return lambda at: _power(one, first(at), second(at))


def _as_ball(found: int | Fraction | arb) -> arb:
    return found if isinstance(found, arb) else ball(found)


def _absolute(base: arb, exponent: arb) -> arb:
    """|base|^exponent for an exponent above 0."""
    return abs(base) ** exponent


def _power(one: Term, base: arb, exponent: arb) -> arb:
    """A whole power, of balls around 0 too, of which arb's own power knows nothing."""
    whole = exponent.unique_fmpz()
    if whole is None:
        raise ValueError(f"{one}: its exponent {exponent} is no whole number")
    product = reduce(mul, [base] * abs(int(whole)), arb(1))
    return product if whole >= 0 else 1 / product


def _expectation(one: Term, at: _Values) -> arb:
    return sum((mass * found for found, mass in _distributed(one, at)), arb(0))


def _probability(one: Term, at: _Values) -> arb:
    """That what is inside is at most 0: where a cell does not tell, from 0 to all of it."""
    nothing = arb(0)
    shares = (
        nothing if found > 0 else mass if found <= 0 else nothing.union(mass)
        for found, mass in _distributed(one, at)
    )
    return sum(shares, nothing)


def _distributed(one: Term, at: _Values) -> Iterator[tuple[arb, arb]]:
    """Balls around what is under an expectation or a probability, with the probability of each."""
    (body,) = one.arguments
    leaves = randoms(body)
    if not leaves:
        yield value(body, at), arb(1)
        return
    coordinate, *others = leaves
    if others or coordinate.head != "coordinate":
        raise ValueError(f"{one}: it has a value of one coordinate only")
    name = fresh("value", free(body) | set(at))
    function = given(body, coordinate, symbol(name))
    dimension = value(coordinate.arguments[0], at).unique_fmpz()
    if dimension is None or dimension < 1:
        raise ValueError(f"{coordinate}: it has no dimension")
    for cell, mass in _cells(int(dimension)):
        yield value(function, {**at, name: cell}), mass


@lru_cache(maxsize=8)
def _cells(d: int) -> list[tuple[arb, arb]]:
    """Balls that cover the values of a coordinate of R^d, with its probabilities to be there."""
    if d == 1:
        return [(arb(sign), arb(1) / 2) for sign in (-1, 1)]
    with precision():
        shape = arb(d - 1) / 2
        ends = [ball(Fraction(k, 2 * _CELLS)) for k in range(_CELLS + 1)]
        below = [end.beta_lower(shape, shape, regularized=True) for end in ends]
        cells = [1 - 2 * a.union(b) for a, b in pairwise(ends)]
        masses = [b - a for a, b in pairwise(below)]
        return [(s * cell, m) for cell, m in zip(cells, masses, strict=True) for s in (-1, 1)]


def _infimum(one: Term, at: _Values) -> arb:
    balls = {name: at[name] for name in free(one) if isinstance(at[name], arb)}
    numbers = frozenset((name, at[name]) for name in free(one) - set(balls))
    lower, upper, name, exponent, slope = _tangents(one, numbers, frozenset(balls))
    slope_at = _evaluator(slope, ctx.prec)
    low, high = lower, upper
    for _ in range(_HALVINGS):
        place = (low + high) / 2
        there = {**balls, name: ball(place)}
        tilt = slope_at(there)
        if tilt < 0:  # for all values of the coordinate the least is further on
            lower = place
        elif tilt > 0:
            upper = place
        low, high = (place, high) if tilt.mid() < 0 else (low, place)
    here = value(exponent, there)
    least = here + (tilt * ball(upper - place)).min(tilt * ball(lower - place))
    return least.exp().union(here.exp())


_BINDING: Mapping[str, Callable[[Term, _Values], arb]] = {
    "E": _expectation,
    "P": _probability,
    "inf": _infimum,
}


@lru_cache(maxsize=16)
def _tangents(
    one: Term, numbers: frozenset[tuple[str, int | Fraction]], coordinates: frozenset[str]
) -> tuple[Fraction, Fraction, str, Term, Term]:
    """Of the infimum of exp(h) where some symbols have those values and the others are coordinates: its
    ends, a name for what runs, h, and the derivative of h."""
    found = substituted(one, dict(numbers))
    name = fresh(one.name, coordinates)
    body = opened(found, name)
    lower, upper = found.arguments[:2]
    region = Region(
        (*(between(it, -1, 1) for it in coordinates), between(name, lower, upper, "()"))
    )
    if body.head != "exp" or not is_convex(body.arguments[0], name, region):
        raise ValueError(f"{one}: it is not known to be of exp(h) for a convex h")
    (exponent,) = body.arguments
    start, end = (normal(it).as_fraction() for it in (lower, upper))
    return start, end, name, exponent, derivative(exponent, name)


def holds(statement: Compare, at: Mapping[str, int | Fraction]) -> bool | None:
    """Whether a comparison holds there: exactly, where the difference of its sides is a rational number,
    else by balls; None where these do not tell, as of two numbers that are the same."""
    here = {name: at[name] for side in statement.sides for name in free(side)}
    gap = normal(substituted(statement.right - statement.left, here))
    if not gap.names:
        exact = gap.as_fraction()
        return {"<=": exact >= 0, "<": exact > 0, "=": exact == 0}[statement.relation]
    left, right = (value(side, at) for side in statement.sides)
    if left > right:
        return False
    if left < right:
        return statement.relation != "="
    return None
