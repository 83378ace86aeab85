"""Means, variances, covariances and central moments of expressions, with their derivation.

This is what the other packages call: definition in, exact moment out, as an element of the field of
rational functions in the sizes, together with the coincidence patterns it is the sum of.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from proofs.algebra import RationalFunction
from proofs.moments.expressions import Expression
from proofs.moments.graphs import FactorKey, FactorSum, Integrator
from proofs.moments.indices import Condition
from proofs.moments.patterns import State, World, as_graph

_integrator = Integrator()


@dataclass(frozen=True)
class Contribution:
    """One coincidence pattern: how often it occurs, and the expectation summed over its states."""

    pattern: str
    multiplicity: RationalFunction
    expectation: RationalFunction

    @property
    def value(self) -> RationalFunction:
        return self.multiplicity * self.expectation

    def __str__(self) -> str:
        return f"{self.pattern}: {self.multiplicity} x {self.expectation}"


@dataclass(frozen=True)
class RawMoment:
    """E of a product of expressions, and the patterns that add up to it."""

    order: int
    value: RationalFunction
    contributions: tuple[Contribution, ...]


def raw_moments(factors: Sequence[Expression], given: Iterable[Condition] = ()) -> list[RawMoment]:
    """E[f_1], E[f_1 f_2], ..., E[f_1 ... f_k] for scalar expressions f_1, ..., f_k, exactly.

    Raises TypeError if a factor is no scalar, ValueError if *given* leaves open whether two
    indices coincide or how many inputs an output has.
    """
    for factor in factors:
        if factor.legs:
            raise TypeError("moments are of scalars; take an inner product with dot first")
    given = list(given)
    world = World(factors, given)
    start = State((), (0,) * len(world.named), ())
    states = {start: RationalFunction.constant(1)}
    moments = []
    for order, factor in enumerate(factors, start=1):
        states = world.multiply(states, factor, spare=_mendable(factors[order:]))
        moments.append(_sum(world, states, order))
    return moments


def _mendable(rest: Sequence[Expression]) -> int:
    """How many odd vertices the factors to come can make even: two for each of their edges."""
    return sum(2 * max((len(t.edges) for t in f.terms), default=0) for f in rest)


def _sum(world: World, states: dict[State, RationalFunction], order: int) -> RawMoment:
    dimensions = {str(f.dimension): f.dimension for f in world.families.values()}
    patterns: dict[tuple[object, ...], tuple[State, dict[State, RationalFunction]]] = {}
    for state, coefficient in states.items():
        key = (state.fresh, state.visits)
        patterns.setdefault(key, (state, {}))[1][state] = coefficient
    contributions = []
    for example, members in patterns.values():
        total: dict[FactorKey, RationalFunction | Fraction | int] = {}
        for state, coefficient in members.items():
            families, graph = as_graph(state.edges)
            laws = {v: world.families[s] for v, s in families.items()}
            for factors, value in _integrator.expectation(laws, graph).terms.items():
                total[factors] = total.get(factors, 0) + coefficient * value
        expectation = FactorSum(total).collect(dimensions)
        if expectation == 0:
            continue
        multiplicity = world.multiplicity(example.fresh)
        if multiplicity == 0:
            continue
        contributions.append(Contribution(world.describe(example), multiplicity, expectation))
    value = sum((c.value for c in contributions), RationalFunction.constant(0))
    return RawMoment(order, value, tuple(contributions))


def mean(expression: Expression, given: Iterable[Condition] = ()) -> RationalFunction:
    """E[expression]."""
    return raw_moments([expression], given)[-1].value


def covariance(
    left: Expression, right: Expression, given: Iterable[Condition] = ()
) -> RationalFunction:
    """E[left right] - E[left] E[right]."""
    given = list(given)
    product = raw_moments([left, right], given)
    return product[1].value - product[0].value * mean(right, given)


def central_moment(
    order: int, expression: Expression, given: Iterable[Condition] = ()
) -> RationalFunction:
    """E[(expression - E expression)^order], order >= 1."""
    return central_from_raw([m.value for m in raw_moments([expression] * order, given)])


def variance(expression: Expression, given: Iterable[Condition] = ()) -> RationalFunction:
    """The second central moment."""
    return central_moment(2, expression, given)


def central_from_raw(raw: Sequence[RationalFunction]) -> RationalFunction:
    """The k-th central moment from the raw moments of orders 1, ..., k."""
    order = len(raw)
    moments = [RationalFunction.constant(1), *raw]
    total = RationalFunction.constant(0)
    for j in range(order + 1):
        sign = -1 if (order - j) % 2 else 1
        total = total + moments[j] * raw[0] ** (order - j) * (sign * comb(order, j))
    return total
