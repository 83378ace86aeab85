"""Means, variances, covariances and central moments of expressions, with domain and derivation.

This is what the other packages call: definition in, exact moment out, as an element of the field of
rational functions in the sizes, together with the coincidence patterns it is the sum of.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import comb

import sympy

from proofs.algebra import RationalFunction
from proofs.algebra.symbols import caller_symbols
from proofs.derived import Bound, Derived, Step
from proofs.moments.derivation import power, steps_of
from proofs.moments.expressions import Expression
from proofs.moments.indices import Condition, Count, Fibre, listed
from proofs.moments.raw import RawMoment, raw_moments
from proofs.moments.record import Record, Rule
from proofs.moments.world import World


def mean(
    expression: Expression,
    given: Iterable[Condition] = (),
    *,
    name: str = "X",
    text: str | None = None,
) -> Derived:
    """E[expression]; in the derivation *name* stands for the expression, which *text* defines.

    Raises TypeError if the expression is no scalar, ValueError if *given* leaves something open.
    """
    given = listed(given)
    raw = raw_moments([expression], given)
    steps = (Step(text or f"{name} = {expression}"), *steps_of(raw[0], name))
    return _derived("mean", raw[0].value, steps, raw, given)


def covariance(
    left: Expression,
    right: Expression,
    given: Iterable[Condition] = (),
    *,
    names: tuple[str, str] = ("X", "Y"),
    text: str | None = None,
) -> Derived:
    """E[left right] - E[left] E[right]. Otherwise as ``mean``."""
    given = listed(given)
    product = raw_moments([left, right], given)
    # In the same world: power sums run over the outputs that are not named in it.
    second = raw_moments([right], given, beside=[left])[0]
    first, both = product
    x, y = names
    value = both.value - first.value * second.value
    steps = (
        *([Step(text)] if text else [Step(f"{x} = {left}"), Step(f"{y} = {right}")]),
        *steps_of(first, x),
        *steps_of(second, y),
        *steps_of(both, f"{x} {y}"),
        Step(f"Cov({x}, {y}) = E[{x} {y}] - E[{x}] E[{y}]", value),
    )
    return _derived("covariance", value, steps, [*product, second], given)


def central_moment(
    order: int,
    expression: Expression,
    given: Iterable[Condition] = (),
    *,
    name: str = "X",
    text: str | None = None,
) -> Derived:
    """E[(expression - E expression)^order], order >= 1. Otherwise as ``mean``."""
    if isinstance(order, bool) or not isinstance(order, int) or order < 1:
        raise ValueError(f"order: {order!r} is out of range; take an integer >= 1")
    given = listed(given)
    raw = raw_moments([expression] * order, given)
    value = central_from_raw([moment.value for moment in raw])
    steps = [Step(text or f"{name} = {expression}")]
    for moment in raw:
        steps += steps_of(moment, power(name, moment.order))
    what = f"Var({name})" if order == 2 else f"E[({name} - E {name})^{order}]"
    steps.append(Step(f"{what} from the raw moments", value))
    return _derived("central", value, tuple(steps), raw, given)


def variance(
    expression: Expression,
    given: Iterable[Condition] = (),
    *,
    name: str = "X",
    text: str | None = None,
) -> Derived:
    """The second central moment. Otherwise as ``mean``."""
    return central_moment(2, expression, given, name=name, text=text)


def central_from_raw(raw: Sequence[RationalFunction]) -> RationalFunction:
    """The k-th central moment from the raw moments of orders 1, ..., k."""
    order = len(raw)
    moments = [RationalFunction.constant(1), *raw]
    total = RationalFunction.constant(0)
    for j in range(order + 1):
        sign = -1 if (order - j) % 2 else 1
        total = total + moments[j] * raw[0] ** (order - j) * (sign * comb(order, j))
    return total


def _derived(
    rule: Rule,
    value: RationalFunction,
    steps: tuple[Step, ...],
    raw: Sequence[RawMoment],
    given: Sequence[Condition],
) -> Derived:
    world = raw[0].expansion.world
    domain = raw[0].domain
    said = list(dict.fromkeys([*map(str, given), *world.assumed]))
    scope = "; ".join(part for part in (Bound.text(domain), ", ".join(said)) if part)
    return Derived(
        value, scope, steps, _symbols(world, given), domain, Record(rule, value, tuple(raw))
    )


def _symbols(world: World, given: Iterable[Condition]) -> dict[str, sympy.Symbol]:
    """The caller's symbols in the sizes that occur."""
    found: dict[str, sympy.Symbol] = {}
    every = (
        *(range_.symbols for range_ in world.ranges),
        *(family.symbols for family in world.families.values()),
        *(condition.symbols for condition in given if isinstance(condition, (Fibre, Count))),
    )
    for symbols in every:
        found |= symbols
    # A second symbol of one name is an error, as in a single size.
    caller_symbols(sum(symbol for part in every for symbol in part.values()))
    return found
