"""The explicit condition for the construction with an MLP: moments by hand, limits, inputs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from math import exp, sqrt
from typing import Any

import numpy as np
import pytest
from scipy import special

from proofs.algebra import ExactnessError, decide_nonnegative
from proofs.algebra.balls import enclosure
from proofs.algebra.signs import Violation
from proofs.capacity import attention_mlp
from proofs.capacity.attention_mlp import AttentionMLP, Sizes, weights
from proofs.capacity.contract import ConditionContract
from proofs.capacity.denoising import key_failure
from proofs.memories import two_input_mlp

F = Fraction
PLACE = {"d": 401, "S": 2, "R": 2, "D": 2, "m": 16384, "noise": 0, "collisions": 1}


class TestCondition(ConditionContract):
    condition = AttentionMLP()
    places = ({"d": 2000, "m": 10**6, "D": 2}, {"d": 2000, "m": 10**6, "D": 2, "R": 1})
    deltas = ("1/2", "1/4", "1e-9")
    facts = (1, 2)
    certain: Mapping[str, Any] = {}
    known = tuple(({"d": d, "S": 1, "R": 1, "D": 1, "m": 10}, F(1)) for d in (1, 2))
    worse = tuple(
        (PLACE, name, (PLACE.get(name, 1), value))
        for name, value in (("R", 3), ("noise", 500), ("collisions", 2), ("M", 2))
    )
    better = ((PLACE, "d", (401, 801)), (PLACE, "m", (16384, 10**6)))
    sound: Mapping[str, Any] = PLACE
    wrong = (
        ({"S": 0}, "S: 0"),
        ({"R": True}, "R: True"),
        ({"D": 3}, "D: 3 answers"),
        ({"m": 0}, "m: 0"),
        ({"M": 0}, "M: 0"),
        ({"noise": -1}, "noise: -1"),
        ({"collisions": 3}, "collisions: 3"),
        ({"S": 5, "collisions": 2}, "take 3 to 5"),
    )

    def of(self, facts: int, place: Mapping[str, Any]) -> dict[str, Any]:
        D = min(place["D"], facts)
        return {"R": facts, **place, "S": facts, "D": D, "collisions": -(-facts // D)}


def test_one_neuron_by_quadrature() -> None:
    """Var G at S = R = 1: the m neurons are independent given x = |P s|^2 and y = |Q r|^2."""
    dim, h, m = 9, 4, 5
    nodes, mass = np.polynomial.hermite_e.hermegauss(12)
    mass = mass / mass.sum()
    g, k = np.meshgrid(nodes, nodes)

    def omega_squared(x: float, y: float) -> float:
        value = ((sqrt(x) * g + sqrt(y) * k) ** 2 - 1) / sqrt(2) * sqrt(x * y) * g * k
        return float((np.outer(mass, mass) * value**2).sum())

    # A polynomial in x and y, on the average: Gauss quadrature of the Beta law is exact.
    points, shares = special.roots_jacobi(8, (dim - h) / 2 - 1, h / 2 - 1)
    weighed = list(zip((1 + points) / 2, shares / shares.sum(), strict=True))
    second = sum(a * b * omega_squared(x, y) for x, a in weighed for y, b in weighed)
    square = F(h * (h + 2), dim * (dim + 2))
    mean = sqrt(2) * (h / dim) ** 2
    variance = second / m + (1 - 1 / m) * 2 * float(square) ** 2 - mean**2
    found = weights().variance(d=dim, h=h, m=m, C=1).as_fraction()
    assert float(found) == pytest.approx(variance, rel=1e-6)


def test_weights_of_another_activation_come_from_the_engine_too() -> None:
    found, here = weights((1, 0, F(1, 2), 3)), {"d": 5, "h": 2}
    assert found.mean(**here) == F(1, 2) * weights().mean(**here)
    # What the other coefficients add is noise of single neurons.
    plain = weights().variance(**here, C=1, m=3).as_fraction()
    assert enclosure(found.variance(**here, C=1, m=3))[0] > F(1, 4) * plain


@pytest.mark.parametrize("rival", ["same relation", "other relation"])
def test_margins_over_answers_have_a_larger_variance_than_over_other_tokens(rival: str) -> None:
    """Two facts with the rival answer: the extra weight G_b enters the exact variance."""
    shape = two_input_mlp.Shape(9, 3, 2, 4, 1, 1, (0, 0, 1))
    plain, other = (
        two_input_mlp.margin_variance(
            shape, two_input_mlp.Table(1, count, rival)
        ).value.as_fraction()  # type: ignore[arg-type]
        for count in (0, 2)
    )
    assert other > plain


def test_the_bound_is_the_sum_of_its_parts() -> None:
    total = AttentionMLP().failure_bound(**PLACE)
    keys = key_failure(401, (1, 1, 1, 1), 4)
    assert keys < total < 1
    sizes = Sizes.read(401, 2, 2, 2, 16384, 0, 1)
    mean, variance, noise = (float(part.mid()) for part in weights().at(sizes))
    tokens, best = 2 * 2 + 5, 1.0
    for kept in np.linspace(0.02, 0.98, 49):
        for k in np.linspace(0.5, 100, 200):
            lower = variance / (variance + (mean * (1 - kept)) ** 2)
            upper = noise * (1 + 4 * k / 401) / (kept * mean) ** 2
            best = min(best, 4 * (lower + upper + tokens * exp(-k + k * k / 802)))
    assert float(total - keys) == pytest.approx(best, rel=0.02)


def test_the_terms_of_one_fact_by_hand_at_even_d_with_noise_and_many_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """g half of the mean, k = d/4096; for so many neurons a fact (s', r') weighs sqrt(2) <P s, P s'>
    <Q r, Q r'>."""
    monkeypatch.setattr(attention_mlp, "_KEPT", (F(1, 2),))
    monkeypatch.setattr(attention_mlp, "_EXPONENTS", (1,))
    d, S, R, D, noise, m = 40000, 20, 2, 20, 20, 10**18
    half, k = (d - 2) // 2, d / 4096
    square, overlap = F(half * (half + 2), d * (d + 2)), F(half, d**2)
    mean_squared = 2 * F(half, d) ** 4
    variance = 2 * square**2 - mean_squared
    others = 2 * ((S - 1 + R - 1) * overlap * square + (S - 1) * (R - 1) * overlap**2)
    lower = float(variance / (variance + mean_squared / 4))
    upper = float(others / mean_squared) * 4 * (1 + 4 * k / d)
    tail = (R * D + S + R + noise + 1) * exp(-k + k**2 / (2 * d))
    keys = (S + R) * (S + R + noise - 1) * exp(-d / 16 + d / 512)
    total = S * R * (lower + upper + tail) + keys
    assert tail > (lower + upper + tail) / 8
    sizes = {"d": d, "S": S, "R": R, "D": D, "m": m, "noise": noise, "collisions": 1}
    assert float(AttentionMLP().failure_bound(**sizes)) == pytest.approx(total, rel=1e-6)


@pytest.mark.parametrize("M", [1, 3])
def test_the_keys_are_told_from_all_tokens_but_eos(M: int, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def spied(d: int, heads: Counter[int], tokens: int, *, gap: Fraction) -> Fraction:
        seen.append((d, heads, tokens, gap))
        return F(1)

    monkeypatch.setattr(attention_mlp, "key_failure", spied)
    AttentionMLP().failure_bound(50, 4, 2, 2, m=9, M=M, noise=7)
    heads = {1: {1: 6}, 3: {2: 3}}[M]
    assert seen == [(50, heads, 4 + 2 + 7, F(16))]


def test_tokens_that_are_no_answer_are_subjects_relations_noise_and_eos() -> None:
    assert Sizes.read(9, 5, 3, 2, 4, 7, None).others == 5 + 3 + 7 + 1
    assert Sizes.read(9, 5, 3, 2, 4, None, None).others == 5 + 3 + (5 + 3) + 1


def test_nothing_is_promised_where_the_mean_has_not_the_sign_of_c_2() -> None:
    """c_4 = -1 outweighs c_2 = 10^-9: at d = 2h + 1 the mean has the sign of sqrt(2) (d + 2) c_2 +
    sqrt(6) c_4."""
    small = F(1, 10**9)
    place = {"d": 201, "S": 1, "R": 1, "D": 1, "m": 10**14, "noise": 0}
    wrong = (0, 0, small, 0, -1)
    assert weights(wrong).at(Sizes.read(201, 1, 1, 1, 10**14, 0, None))[0] < 0
    assert AttentionMLP(wrong).failure_bound(**place) == 1
    for right in ((0, 0, small), (0, 0, -small, 0, -1)):
        assert AttentionMLP(right).failure_bound(**place) < 1


def test_wrong_constants_change_the_bound() -> None:
    bound = AttentionMLP().failure_bound(**PLACE)
    assert AttentionMLP(spread=F(2)).failure_bound(**PLACE) < bound
    keyed = {**PLACE, "M": 2}
    assert AttentionMLP(gap=F(8)).failure_bound(**keyed) < AttentionMLP().failure_bound(**keyed)


def test_the_variance_grows_with_collisions_at_even_dimensions_too() -> None:
    exact = weights()
    growth = exact.variance(C=2) - exact.variance(C=1)
    assert growth(d=10, h=4, m=3).as_fraction() > 0
    assert not isinstance(decide_nonnegative(growth(h=4, d=10), {"m": 1}), Violation)


def test_an_activation_must_have_the_second_coefficient_and_be_exact() -> None:
    with pytest.raises(ValueError, match="c_2 is 0"):
        AttentionMLP((0, 1))
    with pytest.raises(ValueError, match="no list"):
        AttentionMLP("relu")
    with pytest.raises(ExactnessError):
        AttentionMLP((0, 0, 0.5))  # type: ignore[arg-type]
