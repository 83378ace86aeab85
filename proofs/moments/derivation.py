"""Derivations a reader can follow: which coincidence pattern contributes what to a moment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from proofs.algebra import RationalFunction
from proofs.derived import Derived, Step
from proofs.moments.expressions import Expression
from proofs.moments.indices import Condition
from proofs.moments.moments import RawMoment, raw_moments


def steps_of(
    moment: RawMoment, name: str, sizes: Mapping[str, RationalFunction] | None = None
) -> list[Step]:
    """One step a pattern, then their sum; *name* is what is raised to the order of the moment."""
    sizes = sizes or {}
    power = name if moment.order == 1 else f"{name}^{moment.order}"
    steps = []
    for part in moment.contributions:
        multiplicity, expectation = part.multiplicity(**sizes), part.expectation(**sizes)
        if multiplicity != 0:
            where = f" where z is {part.pattern}" if part.pattern else ""
            steps.append(
                Step(
                    f"terms of {power}{where}: {_factor(multiplicity)} x {_factor(expectation)}",
                    multiplicity * expectation,
                )
            )
    return [*steps, Step(f"E[{power}], their sum", moment.value(**sizes))]


def derive_mean(
    expression: Expression, given: Iterable[Condition], *, name: str, scope: str
) -> Derived:
    """E[expression] with its derivation; *name* stands for the expression in the steps."""
    moment = raw_moments([expression], given)[0]
    steps = (Step(f"{name} = {expression}"), *steps_of(moment, name))
    return Derived(moment.value, scope, steps, {})


def _factor(value: RationalFunction) -> str:
    """The value as a factor of a product: a sum in brackets."""
    text = str(value)
    return f"({text})" if " " in text else text
