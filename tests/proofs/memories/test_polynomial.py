"""The polynomial memory against enumeration on S^0, moments by hand, drawing, and the linear memory."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import numpy as np
import pytest

from proofs.algebra import RationalFunction
from proofs.memories import linear, polynomial
from proofs.memories.contract import MarginContract, Place
from proofs.memories.polynomial import (
    definition,
    margin_central_moment,
    margin_mean,
    margin_variance,
)

F = Fraction
d, N = map(RationalFunction.symbol, "dN")


class TestMargin(MarginContract):
    """F(v) = sum_z u_f(z) <e_z, v>^k."""

    module = polynomial
    own: Mapping[str, Any] = {"k": 2}
    laws = ("sphere",)
    sizes: Mapping[str, int] = {"d": 5, "N": 7}
    inner = ("same", "other")
    definition_text = "<e_z, e_x>^2"
    enumerated = tuple(
        Place({"d": d}, {"k": k}, range(1, 5 - (d == 2))) for d, k in product((1, 2), (1, 2, 3))
    )
    simulated = tuple((Place({"d": 3}, {"k": k}), [0, 1, 0, 2], 1) for k in (2, 3))

    def drawn(self, place: Place, table: Sequence[int], y: int) -> Sequence[float]:
        rng, (d,), (k,) = np.random.default_rng(6), place.sizes.values(), place.own.values()
        e, u = (rng.standard_normal((200_000, 4, d)) for _ in range(2))
        e, u = (v / np.linalg.norm(v, axis=2, keepdims=True) for v in (e, u))
        keys = np.einsum("rzd,rd->rz", e, e[:, 0]) ** k
        values = np.einsum("rzd,rd->rz", u[:, table], u[:, 0] - u[:, y])
        return (keys * values).sum(axis=1).tolist()


def overlap(dim: int, power: int) -> Fraction:
    """E <e, e'>^power for uniform unit vectors."""
    return F(0) if power % 2 else prod((F(j + 1, dim + j) for j in range(0, power, 2)), start=F(1))


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_the_mean_by_hand(k: int) -> None:
    """E<u_f(x) - u_y, u_f(z)> is 1, -1 or 0, and E<e_z, e_x>^k is 1 or a moment."""
    dim = 5
    power = overlap(dim, k)
    assert margin_mean(d, N, k=k, y_in_image=False).value == RationalFunction.constant(1)
    assert margin_mean(dim, 9, k=k).value == RationalFunction.constant(1 - power)
    several = margin_mean(dim, 9, k=k, same=2, other=3).value
    assert several == RationalFunction.constant(1 + 2 * power - 3 * power)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_variance_by_hand_for_y_outside_the_image(k: int) -> None:
    """Given x and y the other u_f(z) are independent of them and centred: only squares are left."""
    dim, inputs = 6, 11
    squares = 1 + F(1, dim) + (inputs - 1) * F(2, dim) * overlap(dim, 2 * k)
    found = margin_variance(dim, inputs, k=k, y_in_image=False).value
    assert found == RationalFunction.constant(squares - 1)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_variance_by_hand_for_y_in_the_image(k: int) -> None:
    """gamma = (1 - rho)(1 - t^k) + the others, with rho = <u_f(x), u_y> and t = <e_y, e_x>."""
    dim, inputs = 6, 11
    even = overlap(dim, k)
    main = (1 + F(1, dim)) * (1 - 2 * even + overlap(dim, 2 * k))
    others = (inputs - 2) * F(2, dim) * overlap(dim, 2 * k)
    found = margin_variance(dim, inputs, k=k).value
    assert found == RationalFunction.constant(main + others - (1 - even) ** 2)


def test_the_first_power_is_the_linear_memory() -> None:
    for known in ({}, {"y_in_image": False}, {"same": 2, "other": 3}):
        found = margin_variance(d, N, k=1, **known).value
        assert found == linear.margin_variance(d, N, **known).value
    found = margin_central_moment(4, d, N, k=1).value
    assert found == linear.margin_central_moment(4, d, N).value


def test_what_is_said_not_to_matter_does_not_matter() -> None:
    """Odd k: mean and variance are those of any map with the same fibres of f(x) and y."""
    for k, order in ((1, 2), (3, 2), (2, 1)):
        known = {"k": k, "y_in_image": True, "same": 0, "other": 1}
        found = (
            margin_mean(1, 4, **known) if order == 1 else margin_central_moment(2, 1, 4, **known)
        )
        for table in ([0, 1, 2, 3], [0, 1, 2, 2]):
            margins = [
                sum((u[0] - u[1]) * u[out] * (e[z] * e[0]) ** k for z, out in enumerate(table))
                for e in product((-1, 1), repeat=4)
                for u in product((-1, 1), repeat=4)
            ]
            mean = F(sum(margins), len(margins))
            second = sum((g - mean) ** 2 for g in margins) / len(margins)
            assert found.value == RationalFunction.constant(mean if order == 1 else second)


@pytest.mark.parametrize("k", [0, -1, True, 2.0, "2"])
def test_a_degree_that_is_none_is_named(k: Any) -> None:
    with pytest.raises(ValueError, match=re.escape(f"k: {k!r}")) as caught:
        definition(k)
    assert "int >= 1" in str(caught.value)
