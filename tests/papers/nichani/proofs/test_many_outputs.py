"""The instance no matrix recalls, and why a condition without M cannot hold uniformly in M."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs.papers.nichani.many_outputs import (
    PLANE,
    Instance,
    no_weight_recalls,
    uniformity_in_outputs_fails,
)

PAIRS = sorted(PLANE.multipliers)
entries = st.fractions(min_value=-100, max_value=100, max_denominator=100)


def _margin(W: list[Fraction], x: int, y: int) -> Fraction:
    e, up, down = PLANE.inputs[x], PLANE.outputs[x], PLANE.outputs[y]
    image = (W[0] * e[0] + W[1] * e[1], W[2] * e[0] + W[3] * e[1])
    return sum((image[i] * (up[i] - down[i]) for i in range(2)), Fraction(0))


def test_no_weight_recalls_the_plane_instance() -> None:
    assert no_weight_recalls(PLANE).holds


@given(st.lists(entries, min_size=4, max_size=4))
def test_every_weight_has_a_margin_that_is_not_positive(W: list[Fraction]) -> None:
    assert min(_margin(W, x, y) for x in range(3) for y in range(4) if x != y) <= 0


@pytest.mark.parametrize("change", [Fraction(1, 1000), Fraction(-1, 1000), Fraction(1)])
@pytest.mark.parametrize("pair", PAIRS)
def test_any_changed_multiplier_breaks_the_certificate(
    pair: tuple[int, int], change: Fraction
) -> None:
    changed = {**PLANE.multipliers, pair: PLANE.multipliers[pair] + change}
    assert not no_weight_recalls(replace(PLANE, multipliers=changed)).holds


@pytest.mark.parametrize("pair", PAIRS)
def test_any_dropped_multiplier_breaks_the_certificate(pair: tuple[int, int]) -> None:
    left = {key: value for key, value in PLANE.multipliers.items() if key != pair}
    assert not no_weight_recalls(replace(PLANE, multipliers=left)).holds


@pytest.mark.parametrize("factor", [Fraction(-1), Fraction(0)])
def test_negative_or_vanishing_multipliers_prove_nothing(factor: Fraction) -> None:
    scaled = {pair: factor * value for pair, value in PLANE.multipliers.items()}
    assert not no_weight_recalls(replace(PLANE, multipliers=scaled)).holds


@pytest.mark.parametrize("x", [0, 1, 2])
def test_a_multiplier_of_an_output_against_itself_proves_nothing(x: int) -> None:
    assert not no_weight_recalls(replace(PLANE, multipliers={(x, x): Fraction(1)})).holds


@pytest.mark.parametrize(
    "changed",
    [
        {"inputs": [[Fraction(2), Fraction(0)], *PLANE.inputs[1:]]},
        {"outputs": [*PLANE.outputs, [Fraction(-8, 5), Fraction(6, 5)]]},
        {"outputs": [*PLANE.outputs, PLANE.outputs[3]]},
        {"inputs": [*PLANE.inputs[:2], [Fraction(4, 5), Fraction(3, 5)]]},
    ],
    ids=["input not normed", "output not normed", "outputs equal", "another input"],
)
def test_a_changed_vector_breaks_the_certificate(changed: dict[str, Any]) -> None:
    assert not no_weight_recalls(replace(PLANE, **changed)).holds


def test_a_recallable_instance_has_no_such_certificate() -> None:
    recalled = Instance(
        PLANE.inputs[:2], PLANE.outputs[:2], {(0, 1): Fraction(1), (1, 0): Fraction(1)}
    )
    assert not no_weight_recalls(recalled).holds


def test_uniformity_fails_where_the_condition_does_not_contain_the_outputs() -> None:
    assert uniformity_in_outputs_fails(0).holds


@pytest.mark.parametrize("power", [1, 2])
def test_with_a_logarithm_of_the_outputs_the_argument_breaks(power: int) -> None:
    argument = uniformity_in_outputs_fails(power)
    assert argument.broken is argument.lines[0]


def test_no_linear_program_is_solved() -> None:
    script = (
        "import sys; from proofs.papers.nichani.many_outputs import *; "
        "assert no_weight_recalls(PLANE).holds; assert uniformity_in_outputs_fails(0).holds; "
        "assert 'scipy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
