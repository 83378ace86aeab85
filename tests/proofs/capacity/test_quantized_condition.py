"""The conditions for rounded weights: frontiers, limits, and proofs that break if wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import pytest

from proofs.algebra import RationalFunction
from proofs.argument import Argument
from proofs.capacity import (
    Linear,
    LinearClosedForm,
    Quantized,
    QuantizedClosedForm,
)
from proofs.capacity.contract import ConditionContract
from proofs.papers.nichani.linear import (
    logarithm_to_the_fourth,
    logarithmic_form,
)
from proofs.papers.nichani.quantized import (
    cubic_storage,
    multiples,
    storage,
)

F = Fraction
d, e, N, M, q = (RationalFunction.symbol(name) for name in ["d", "e", "N", "M", "q"])
FINE = F(1, 10**30)
FOUR, HALF, KEPT = F(4), F(1, 2), F(13, 16)


class Rounded(ConditionContract):
    """A condition in d, N and M at the step 1/(8 d)."""

    places = ({"d": 128}, {"d": 300})
    deltas = ("1/2", "1e-6")
    certain: Mapping[str, Any] = {"d": 8, "N": 1, "M": 1}
    known = (({"d": 1, "N": 1, "M": 2}, HALF),)
    worse = (({"d": 128, "M": 60}, "N", (1, 2, 8, 30)), ({"d": 128, "N": 5}, "M", (5, 6, 300)))
    better = (({"N": 4}, "d", (8, 64, 128, 400)),)
    sound: Mapping[str, Any] = {"d": 64, "N": 2}
    wrong = (({"N": 0}, "N: 0"), ({"N": 3, "M": 2}, "N: 3 inputs"))


class TestAveraged(Rounded):
    condition = Quantized(cells=96)


class TestClosedForm(Rounded):
    condition = QuantizedClosedForm()
    slack = F(1001, 1000)


@pytest.mark.parametrize(("dim", "inputs", "outputs"), [(2, 2, 3), (64, 20, 20), (128, 30, 300)])
def test_a_fine_step_gives_the_linear_bound(dim: int, inputs: int, outputs: int) -> None:
    rounded = Quantized(FINE, 96).failure_bound(dim, inputs, outputs)
    exact = Linear(96).failure_bound(dim, inputs, outputs)
    assert exact <= rounded <= exact * (1 + F(1, 10**20))


def test_a_fine_step_gives_the_linear_closed_form() -> None:
    for dim in (100, 300):
        fine = QuantizedClosedForm(FINE).largest(delta="1/2", d=dim)
        assert fine == LinearClosedForm().largest(delta="1/2", d=dim)


@pytest.mark.parametrize("kind", [Quantized, QuantizedClosedForm])
def test_a_finer_step_holds_no_less(kind: Any) -> None:
    steps = [F(1, k) for k in (1000, 2000, 4000, 10**6)]
    sizes = [kind(step).largest(delta="1/2", d=100) for step in steps]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]


def test_the_step_is_that_of_the_paper_unless_it_is_given() -> None:
    assert Quantized(cells=48).failure_bound(64, 9) == Quantized(F(1, 512), 48).failure_bound(64, 9)


@pytest.mark.parametrize("kind", [Quantized, QuantizedClosedForm])
def test_a_step_so_coarse_that_nothing_is_left_bounds_nothing(kind: Any) -> None:
    assert kind(F(1, 10)).failure_bound(64, 5) == 1


@pytest.mark.parametrize("kind", [Quantized, QuantizedClosedForm])
@pytest.mark.parametrize("step", [F(0), F(-1, 8), float("inf"), float("nan"), "x", "1/0", []])
def test_a_step_that_is_none_is_refused(kind: Any, step: Any) -> None:
    with pytest.raises(ValueError, match=r"step: .* is no spacing; take a positive fraction"):
        kind(step)


@pytest.mark.parametrize("dim", [128, 400])
def test_the_averaged_bound_is_the_sharper_one(dim: int) -> None:
    largest = QuantizedClosedForm().largest(delta="1/10", d=dim)
    assert largest > 1
    integral = Quantized(cells=96).failure_bound(dim, largest)
    assert integral <= QuantizedClosedForm().failure_bound(dim, largest)


@pytest.mark.parametrize(("inputs", "dim", "number"), [(1, 1, 17), (2, 1, 33), (3, 2, 97)])
def test_multiples_are_counted(inputs: int, dim: int, number: int) -> None:
    assert multiples(inputs, dim) == number


# -- proofs ----------------------------------------------------------------------------------------


def half(C: int, threshold: Fraction = HALF) -> Argument:
    return logarithm_to_the_fourth(F(C), FOUR, FOUR, inputs_counted=True, threshold=threshold)


def logarithms(quadratic: int, kept: Fraction = KEPT) -> Any:
    return logarithmic_form(F(32), F(quadratic), F(1), F(1), kept=kept)


PROOFS: dict[str, Callable[[], Argument]] = {
    "storage": lambda: storage(16 * N * d + 1),
    "cubic storage": lambda: cubic_storage(F(32), F(24), F(3)),
    "margin of one half": lambda: half(128),
    "margin of one quarter": lambda: half(128, threshold=F(1, 4)),
    "logarithms": lambda: logarithms(24),
}

#: Beside the mutants of the claims.
WRONG: dict[str, Callable[[], Argument]] = {
    "storage, as printed": lambda: storage(16 * N * d),
    "storage, too many": lambda: storage(16 * N * d + 2),
    "cubic storage, 16": lambda: cubic_storage(F(32), F(16), F(3)),
    "cubic storage, two logarithms": lambda: cubic_storage(F(32), F(24), F(2)),
    "margin of one half, C = 96": lambda: half(96),
    "margin of nine tenths": lambda: half(128, threshold=F(9, 10)),
    "logarithms, 12": lambda: logarithms(12),
    "logarithms, half kept": lambda: logarithms(24, kept=F(1, 2)),
}


@pytest.mark.parametrize("name", PROOFS)
def test_the_proof_holds(name: str) -> None:
    assert PROOFS[name]().holds


@pytest.mark.parametrize("name", WRONG)
def test_the_proof_breaks(name: str) -> None:
    assert WRONG[name]().broken is not None
