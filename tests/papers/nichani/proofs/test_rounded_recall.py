"""The tail of a rounded margin holds with the choices of its proof, and is refused with others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from proofs.kernel import Refused, Region, Theorem, between, instantiate, margin_law, symbols
from proofs.memories.linear import definition
from proofs.papers.nichani.linear_recall import tail_at_logarithm, tail_under_condition
from proofs.papers.nichani.rounded_recall import rounding_costs

d, e = symbols("d e")
COSTS = rounding_costs()


def at_l(**changed: Any) -> Theorem:
    """The tail under the condition, of a law that loses as much as the choices say."""
    loss = replace(COSTS, **changed)
    law = margin_law(definition(), inside=True, less="c")
    region = Region((*law.region.without("c").ranges, *loss.ranges))
    less = instantiate(law, {"c": COSTS.rate}, region)
    return tail_under_condition(less, loss, inside=True)


def up_to(part: int) -> tuple[Any, ...]:
    return (between("e", 0, 1 / (part * d), "(]"),)


@pytest.mark.parametrize("changed", [{"kept": 1 - 2 * e * d}, {"ranges": up_to(7)}])
def test_the_tail_holds_with_choices_that_say_less(changed: Any) -> None:
    assert at_l(**changed)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"kept": 1 - 5 * e * d / 4}, "^sign: "),
        ({"squares": ()}, "^sign: "),
        ({"shared": COSTS.shared / 2}, "^sign: "),
        ({"rate": e * d}, "^sign: "),
        ({"rate": e * d / 4}, "^by_law: "),
        ({"ranges": up_to(1)}, "^assume: "),
    ],
)
def test_the_tail_is_refused_with_choices_that_say_too_much(changed: Any, said: str) -> None:
    with pytest.raises(Refused, match=said):
        at_l(**changed)


def test_steps_that_are_too_coarse_leave_too_small_an_exponent() -> None:
    assert tail_at_logarithm(at_l(), COSTS, inside=True)
    coarse = replace(COSTS, ranges=up_to(3))
    with pytest.raises(Refused, match=r"^sign: "):
        tail_at_logarithm(at_l(ranges=coarse.ranges), coarse, inside=True)
