"""Derivations a reader can follow: which coincidence pattern contributes what to a moment."""

from __future__ import annotations

from collections.abc import Mapping

from proofs.algebra import RationalFunction
from proofs.derived import Step
from proofs.moments.raw import RawMoment


def steps_of(
    moment: RawMoment, name: str, sizes: Mapping[str, RationalFunction] | None = None
) -> list[Step]:
    """One step a pattern, then their sum; *name* is the product whose expectation it is."""
    sizes = sizes or {}
    steps = []
    for part in moment.contributions:
        multiplicity, expectation = part.multiplicity(**sizes), part.expectation(**sizes)
        if multiplicity != 0:
            where = f" where the indices are {part.pattern}" if part.pattern else ""
            steps.append(
                Step(
                    f"terms of {name}{where}: {_factor(multiplicity)} x {_factor(expectation)}",
                    multiplicity * expectation,
                    is_summand=True,
                )
            )
    return [*steps, Step(f"E[{name}], their sum", moment.value(**sizes))]


def power(name: str, order: int) -> str:
    """The name of a power."""
    return name if order == 1 else f"{name}^{order}"


def _factor(value: RationalFunction) -> str:
    """The value as a factor of a product: a sum in brackets."""
    text = str(value)
    return f"({text})" if " " in text else text
