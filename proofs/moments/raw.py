"""Raw moments: E of a product of scalar expressions as a sum over coincidence patterns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from proofs.algebra import RationalFunction
from proofs.derived import Bound
from proofs.moments.domain import domain
from proofs.moments.expressions import Expression
from proofs.moments.graphs import FactorKey, FactorSum, Integrator
from proofs.moments.indices import Condition, listed
from proofs.moments.patterns import Expansion, State
from proofs.moments.world import World

_integrator = Integrator()


@dataclass(frozen=True, eq=False)
class Contribution:
    """One coincidence pattern: how often it occurs, and the expectation summed over its states.

    ``states`` are the products of inner products met in this pattern, with their coefficients.
    """

    pattern: str
    multiplicity: RationalFunction
    expectation: RationalFunction
    states: Mapping[State, RationalFunction]

    @property
    def value(self) -> RationalFunction:
        return self.multiplicity * self.expectation

    def __str__(self) -> str:
        return f"{self.pattern}: {self.multiplicity} x {self.expectation}"


@dataclass(frozen=True, eq=False)
class RawMoment:
    """E of a product of ``order`` expressions, and the patterns that add up to it."""

    order: int
    contributions: tuple[Contribution, ...]
    expansion: Expansion
    #: For which sizes it holds.
    domain: tuple[Bound, ...]

    @cached_property
    def value(self) -> RationalFunction:
        return sum((c.value for c in self.contributions), RationalFunction.constant(0))


def raw_moments(
    factors: Sequence[Expression],
    given: Iterable[Condition] = (),
    *,
    beside: Sequence[Expression] = (),
) -> list[RawMoment]:
    """E[f_1], E[f_1 f_2], ..., E[f_1 ... f_k] for scalar expressions f_1, ..., f_k, exactly.

    The indices that expressions *beside* name are named here too.

    Raises TypeError if a factor is no scalar, ValueError if *given* leaves open whether two
    indices coincide, how many inputs an output has or how many tuples a relation has.
    """
    for factor in factors:
        if not isinstance(factor, Expression) or factor.legs:
            raise TypeError("moments are of scalars; take an inner product with dot first")
    world = World([*factors, *beside], listed(given))
    expansion, bounds = Expansion(world), tuple(domain(world))
    states = expansion.start()
    moments = []
    for order, factor in enumerate(factors, start=1):
        states = expansion.multiply(states, factor, spare=_mendable(factors[order:]))
        moments.append(_sum(expansion, states, order, bounds))
    expansion.forget()
    return moments


def _mendable(rest: Sequence[Expression]) -> int:
    """How many odd vertices the factors to come can make even: two for each of their edges."""
    return sum(2 * max((len(t.edges) for t in f.terms), default=0) for f in rest)


def _sum(
    expansion: Expansion,
    states: Mapping[State, RationalFunction],
    order: int,
    bounds: tuple[Bound, ...],
) -> RawMoment:
    dimensions = expansion.world.dimensions()
    patterns: dict[tuple[object, ...], dict[State, RationalFunction]] = {}
    for state, coefficient in states.items():
        key = (state.fresh, state.visits, state.facts)
        patterns.setdefault(key, {})[state] = coefficient
    contributions = []
    for members in patterns.values():
        total: dict[FactorKey, RationalFunction | Fraction | int] = {}
        for state, coefficient in members.items():
            laws, graph = expansion.graph(state)
            for factors, value in _integrator.expectation(laws, graph).terms.items():
                total[factors] = total.get(factors, 0) + coefficient * value
        expectation = FactorSum(total).collect(dimensions)
        if expectation == 0:
            continue
        example = next(iter(members))
        multiplicity = expansion.world.multiplicity(example.fresh, example.facts)
        if multiplicity != 0:
            pattern = expansion.describe(example)
            contributions.append(Contribution(pattern, multiplicity, expectation, members))
    return RawMoment(order, tuple(contributions), expansion, bounds)
