"""The condition for any map: bounds, frontiers, and a proof that breaks if wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs.algebra import RationalFunction
from proofs.algebra.balls import ball, precision
from proofs.argument import Argument
from proofs.capacity import Linear, LinearGeneralMap
from proofs.capacity.contract import ConditionContract
from proofs.papers.nichani.general_maps import margin_law, output_function, tail
from proofs.papers.nichani.linear import Constants

F = Fraction
n = RationalFunction.symbol("n")
HALF, QUARTER = F(1, 2), F(1, 4)

#: Fewer cells give a larger bound, and quick tests.
COARSE = LinearGeneralMap(cells=48)


class TestCondition(ConditionContract):
    condition = COARSE
    places = tuple({"d": 96, "shared": shared} for shared in (1, 2, 4))
    deltas = ("1/2", "1e-3")
    certain: Mapping[str, Any] = {"d": 8, "fibres": [100]}
    known = (({"d": 1, "fibres": [2, 1]}, HALF),)
    worse = (({"d": 96}, "fibres", ([1], [1, 0], [1, 1], [2, 1], [4, 4, 4])),)
    better = (({"fibres": [2, 1]}, "d", (8, 40, 96, 300)),)
    sound: Mapping[str, Any] = {"d": 8, "fibres": [2, 1]}
    wrong = (
        ({"fibres": []}, "holds no input"),
        ({"fibres": [0, 0]}, "holds no input"),
        ({"fibres": [1, -1]}, "fibres"),
        ({"fibres": [1.0]}, "fibres"),
    )

    def of(self, facts: int, place: Mapping[str, Any]) -> dict[str, Any]:
        return {"d": place["d"], "fibres": [place["shared"]] * facts}


@pytest.mark.parametrize(
    ("d", "N", "M"), [(1, 1, 3), (2, 2, 3), (2, 1, 1), (24, 1, 5), (64, 20, 20), (64, 30, 300)]
)
def test_the_bound_of_injective_maps_is_that_of_the_linear_condition(
    d: int, N: int, M: int
) -> None:
    general = LinearGeneralMap(cells=128).failure_bound(d, [1] * N + [0] * (M - N))
    assert general == Linear(cells=128).failure_bound(d, N, M)


@settings(max_examples=20)
@given(st.integers(40, 80), st.lists(st.integers(0, 3), min_size=2, max_size=5).filter(any))
def test_further_outputs_and_inputs_only_add_to_the_bound(d: int, fibres: list[int]) -> None:
    bound = COARSE.failure_bound(d, fibres)
    assert 0 <= bound <= COARSE.failure_bound(d, [*fibres, 0]) <= 1
    # s is chosen on a grid: a bound may fall by what the grid leaves.
    assert bound <= F(1001, 1000) * COARSE.failure_bound(d, [*fibres, 2])


def test_the_largest_size_of_injective_maps_is_that_of_the_linear_condition() -> None:
    general, injective = LinearGeneralMap(cells=96), Linear(cells=96)
    assert general.largest(delta="1e-3", d=64) == injective.largest(delta="1e-3", d=64)


def test_shared_outputs_cost_capacity() -> None:
    inputs = [s * COARSE.largest(delta="1/10", d=192, shared=s) for s in (1, 2, 4, 8)]
    assert inputs == sorted(inputs, reverse=True)
    assert inputs[-1] < inputs[0] / 4


@pytest.mark.parametrize("fibres", [[4, 4, 4], [40, 1, 0, 3], [9], [17, 2]])
def test_large_fibres_leave_the_logarithms_finite(fibres: Sequence[int]) -> None:
    assert 0 <= COARSE.failure_bound(16, fibres) <= 1


def test_the_bound_at_a_cell_is_the_printed_exponent() -> None:
    """At A in [1, 1 + 1/256] and k = 5, beside the least over many s of what is printed there."""
    d, k, others = 40, 5, [(F(2), 3), (F(1), 4)]
    with precision():
        found = LinearGeneralMap()._on_cell(d, k, others, F(1), F(257, 256))
        printed = []
        for s in (F(j, 400) for j in range(1, 280)):
            exponent = -ball(s * d) * ball(F(1, 2)).sqrt() + ball(k * s**2 * d * F(257, 1024))
            for size, many in others:
                exponent -= ball(F(many, 2)) * ball(1 - size * s**2).log()
            printed.append(float(exponent.exp().mid()))
    assert float(found.mid()) == pytest.approx(min(printed), rel=1e-3)


@pytest.mark.parametrize("arguments", [{"d": 0}, {"d": 8, "shared": 0}, {"d": 8, "delta": "2"}])
def test_wrong_sizes_are_named(arguments: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"d: 0|shared: 0|delta: 2"):
        COARSE.largest(**{"delta": "1/2", **arguments})


# -- the proof ------------------------------------------------------------------------------------

PROOFS: dict[str, Callable[[], Argument]] = {
    "law": margin_law,
    "output": lambda: output_function(n),
    "tail": lambda: tail(HALF, QUARTER, n),
    # Weaker statements than those proved hold as well.
    "output, twice the inputs": lambda: output_function(2 * n),
    "output, the square": lambda: output_function(n**2),
    "tail, noise doubled": lambda: tail(F(1), QUARTER, n),
    "tail, coincident facts doubled": lambda: tail(HALF, HALF, n),
    "tail, less signal": lambda: tail(HALF, QUARTER, n, signal=F(9, 10)),
}

WRONG: dict[str, Callable[[], Argument]] = {
    "law, no coincident facts": lambda: margin_law(Constants(coincident=F(0))),
    "law, coincident facts twice": lambda: margin_law(Constants(coincident=F(2))),
    "law, sqrt(A)": lambda: margin_law(Constants(spread=F(1))),
    "law, sqrt(3A)": lambda: margin_law(Constants(spread=F(3))),
    "output counted once": lambda: output_function(n**0),
    "output, half": lambda: output_function(n / 2),
    "output, right for one input alone": lambda: output_function((n + 1) / 2),
    "output, coordinates of a larger law": lambda: output_function(n, Constants(scale=F(1))),
    "tail, half the noise": lambda: tail(QUARTER, QUARTER, n),
    "tail, output counted once": lambda: tail(HALF, QUARTER, n**0),
    "tail, no coincident facts": lambda: tail(HALF, F(0), n),
    "tail, coincident facts halved": lambda: tail(HALF, F(1, 8), n),
    "tail, signal by a third more": lambda: tail(HALF, QUARTER, n, signal=F(4, 3)),
    "tail, sqrt(4A)": lambda: tail(HALF, QUARTER, n, Constants(spread=F(4))),
}


@pytest.mark.parametrize("name", PROOFS)
def test_the_proof_holds(name: str) -> None:
    assert PROOFS[name]().holds


@pytest.mark.parametrize("name", WRONG)
def test_the_proof_breaks(name: str) -> None:
    assert WRONG[name]().broken is not None
