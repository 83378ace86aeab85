"""The linear memory: the contract of margins, and moments derived by hand."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np
import pytest
import sympy

from proofs.algebra import RationalFunction
from proofs.derived import Derived
from proofs.memories import linear
from proofs.memories.contract import MarginContract, Place
from proofs.memories.linear import (
    definition,
    margin_central_moment,
    margin_mean,
    margin_second_moment,
    margin_variance,
)
from proofs.memories.setting import raw_margin_moments
from proofs.moments import central_from_raw

d, N = sympy.symbols("d N", positive=True, integer=True)


class TestMargin(MarginContract):
    """W = sum_z u_f(z) e_z^T."""

    module = linear
    sizes: Mapping[str, int] = {"d": 7, "N": 11}
    inner = ("same", "other")
    definition_text = "W = sum_z u_f(z) e_z^T"
    enumerated = tuple(
        Place({"d": dimension}, {}, range(1, 5), law)
        for dimension in (1, 2)
        for law in ("sphere", "gaussian")
    )
    simulated = (
        (Place({"d": 4}, {}), [0, 1, 0, 2], 1),
        (Place({"d": 3}, {}, law="gaussian"), [0, 1, 1], 3),
    )

    @property
    def formulas(self) -> Mapping[str, Callable[..., Derived]]:
        return {**super().formulas, "second": self._by_keyword(margin_second_moment)}

    def drawn(self, place: Place, table: Sequence[int], y: int) -> Sequence[float]:
        rng, (d,) = np.random.default_rng(20240610), place.sizes.values()
        e, u = (rng.standard_normal((100_000, n, d)) / sqrt(d) for n in (len(table), 4))
        if place.law == "sphere":
            e, u = (v / np.linalg.norm(v, axis=-1, keepdims=True) for v in (e, u))
        weight = np.einsum("bzi,bzj->bij", u[:, table], e)
        contrast = u[:, table[0]] - u[:, y]
        return np.einsum("bi,bij,bj->b", contrast, weight, e[:, 0]).tolist()


@pytest.mark.parametrize("embeddings", ["sphere", "gaussian"])
@pytest.mark.parametrize("inside", [True, False])
def test_the_mean_is_one(inside: bool, embeddings: Any) -> None:
    assert margin_mean(d, N, y_in_image=inside, embeddings=embeddings).expr == 1


@pytest.mark.parametrize(("same", "other"), list(itertools.product(range(3), repeat=2)))
def test_every_input_over_a_named_output_adds_its_own_variance(same: int, other: int) -> None:
    # Independent summands: A, then A g for each input over f(x) or y, then sqrt(2A) t g.
    A_squared = 1 + 1 / d
    expected = A_squared - 1 + (same + other) * A_squared / d
    expected += 2 * (N - 1 - same - other) / d**2
    found = margin_variance(d, N, y_in_image=other > 0, same=same, other=other)
    assert found == expected


def test_the_second_moment_is_the_variance_plus_one() -> None:
    assert margin_second_moment(d, N).value == margin_variance(d, N).value + 1


@pytest.mark.parametrize("order", [*range(1, 7), pytest.param(8, marks=pytest.mark.slow)])
def test_in_dimension_one_the_margin_is_a_sum_of_signs(order: int) -> None:
    # d = 1, N = 1, y outside: the margin is 1 - s for a fair sign s.
    found = margin_central_moment(order, 1, 1, y_in_image=False).value
    assert found == (1 if order % 2 == 0 else 0)


@pytest.mark.parametrize("order", range(1, 7))
def test_at_d_three_with_one_fact_the_margin_is_uniform(order: int) -> None:
    # The margin is 1 - t, t uniform on [-1, 1].
    found = margin_central_moment(order, 3, 1, y_in_image=False).value.as_fraction()
    assert found == (Fraction(1, order + 1) if order % 2 == 0 else 0)


@pytest.mark.parametrize("order", range(1, 7))
@pytest.mark.parametrize("inside", [True, False])
def test_the_patterns_of_the_derivation_add_up(inside: bool, order: int) -> None:
    sizes = {"same": 0, "other": int(inside)}
    raw = raw_margin_moments(definition(), order)
    sums = [
        sum((c.value for c in moment.contributions), RationalFunction.constant(0)) for moment in raw
    ]
    total = central_from_raw(sums)(**sizes)
    assert total == margin_central_moment(order, d, N, y_in_image=inside).value
