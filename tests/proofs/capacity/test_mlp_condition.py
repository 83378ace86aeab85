"""The explicit condition for the MLP memory: against enumeration on S^0, hand-made moments, limits."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import log
from typing import Any

import pytest

from proofs.algebra import ExactnessError
from proofs.capacity.contract import ConditionContract
from proofs.capacity.mlp import H3, MLP, hypercontractive_dimension
from proofs.memories import mlp, polynomial

F = Fraction


class TestCondition(ConditionContract):
    condition = MLP()
    places = ({"d": 128, "m": 65536}, {"d": 8, "m": 4})
    deltas = ("1/2", "1/10", "1e-9")
    certain: Mapping[str, Any] = {"d": 1, "N": 1, "M": 1, "m": 1}
    # On the line two of the outputs are equal signs with probability 1/2.
    known = (({"d": 1, "N": 1, "M": 2, "m": 1}, F(1, 2)), ({"d": 1, "N": 50, "m": 1}, F(1)))
    worse = (({"d": 512, "m": 10**6}, "N", (2, 4, 8, 16, 32)),)
    better = (
        ({"d": 512, "N": 8}, "m", (10**4, 10**5, 10**6, 10**9)),
        ({"N": 8, "m": 10**7}, "d", (64, 256, 1024, 4096)),
    )
    sound: Mapping[str, Any] = {"d": 2, "N": 2, "m": 1}
    wrong = (
        ({"N": 3, "M": 2}, "N: 3 inputs have no injective map into M = 2 outputs; take N <= M"),
        ({"m": 0}, "m: 0 is out of range; take m >= 1"),
        ({"m": 1.5}, "m: 1.5 is not an integer"),
    )


def gaussian(power: int) -> int:
    """E g^power."""
    return 0 if power % 2 else 1 if power < 2 else (power - 1) * gaussian(power - 2)


def on_signs(N: int, inside: bool) -> tuple[Fraction, Fraction, Fraction]:
    """Mean, variance and fourth central moment of the margin at d = m = 1, k = 0, sigma = h_1.

    There gamma = v^2 S with S = sum_z (u_x - u_y) u_z e_x e_z over signs, f(z) = z and x = 0.
    """
    M = N + 1
    y = 1 if inside else N
    sums = [
        sum((u[0] - u[y]) * u[z] * e[0] * e[z] for z in range(N))
        for e in product((-1, 1), repeat=N)
        for u in product((-1, 1), repeat=M)
    ]
    raw = [F(sum(s**n for s in sums), len(sums)) * gaussian(2 * n) for n in range(5)]
    mean = raw[1]
    second = raw[2] - mean**2
    fourth = raw[4] - 4 * raw[3] * mean + 6 * raw[2] * mean**2 - 3 * mean**4
    return mean, second, fourth


@pytest.mark.parametrize("inside", [True, False])
@pytest.mark.parametrize("N", [2, 3, 4])
def test_one_margin_is_bounded_by_the_better_of_two_inequalities(N: int, inside: bool) -> None:
    mean, variance, fourth = on_signs(N, inside)
    assert mean == 1
    cantelli, markov = variance / (variance + mean**2), fourth / mean**4
    found = MLP(0, (0, 1)).margin_bound(1, N, 1, inside)
    assert found == min(cantelli, markov, F(1))


def test_the_variance_of_one_neuron_by_hand() -> None:
    """N = m = 1, k = 2, sigma = h_3: E omega^2 = (4 + 2/d) 3 E h_2^4, E h_2^4 = 60/4."""
    d = 7
    fourth = F(gaussian(8) - 4 * gaussian(6) + 6 * gaussian(4) - 4 * gaussian(2) + 1, 4)
    assert fourth == 15
    variance = (4 + F(2, d)) * 3 * fourth - 3
    assert MLP().margin_bound(d, 1, 1, inside=False) == variance / (variance + 3)


@pytest.mark.parametrize("inside", [True, False])
def test_a_very_wide_memory_is_the_polynomial_memory_of_the_next_power(inside: bool) -> None:
    """As m grows the margin over its mean tends to that of sum_z u_f(z) <e_z, e_x>^3."""
    d, N = 40, 6
    fourth, variance = (
        polynomial.margin_central_moment(n, d, N, k=3, y_in_image=inside).value.as_fraction()
        for n in (4, 2)
    )
    mean = polynomial.margin_mean(d, N, k=3, y_in_image=inside).value.as_fraction()
    limit = min(fourth / mean**4, variance / (variance + mean**2))
    found = MLP().margin_bound(d, N, 10**12, inside)
    assert found == pytest.approx(float(limit), rel=1e-3)


def test_the_union_runs_over_every_pair_of_an_input_and_another_output() -> None:
    condition = MLP()
    d, N, M, m = 4096, 3, 10, 10**8
    inside, outside = (condition.margin_bound(d, N, m, where) for where in (True, False))
    wanted = N * (N - 1) * inside + N * (M - N) * outside
    assert 0 < wanted < 1
    assert condition.failure_bound(d, N, M, m=m) == wanted
    assert condition.failure_bound(d, N, m=m) == N * (N - 1) * inside
    assert inside != outside


def test_wrong_constants_make_another_bound() -> None:
    d, N, M, m = 4096, 3, 10, 10**8
    right = MLP().failure_bound(d, N, M, m=m)
    assert MLP(scale=F(1, 3)).failure_bound(d, N, M, m=m) == right / 3
    by_input, once = (MLP(pairs=n).failure_bound(d, N, M, m=m) for n in (1, 0))
    assert right > by_input == 3 * once


def test_more_outputs_leave_room_for_fewer_facts() -> None:
    alone, more = (MLP().largest(delta="1/10", d=128, m=65536, M=M) for M in (None, 30))
    assert alone == 21 > more
    assert MLP().largest(delta="1/10", d=8, m=4) == 1  # one output: nothing to confuse


def test_the_bound_is_not_below_what_drawn_memories_do() -> None:
    """At the frontier of one half; the bound is crude, so nothing near it fails."""
    from numerics.draws.mlp_margin import failures

    d, m, draws = 12, 512, 40
    largest = MLP().largest(delta="1/2", d=d, m=m)
    assert largest >= 2
    drawn = failures(d, largest, largest, m, draws, k=2, sigma=tuple(map(float, H3)), seed=4)
    assert float(drawn.values.mean()) <= 0.5


def test_the_activation_matters_only_where_it_adds_noise() -> None:
    sizes = {"d": 256, "N": 4, "m": 10**6}
    plain = MLP(0, (0, 1)).failure_bound(**sizes)
    assert 0 < plain < 1
    # A factor cancels, c_0 does not enter the derivative, and the q_i are negated if c_{k+1} < 0.
    for same in ((0, 2), (5, 1), (0, F(-1))):
        assert MLP(0, same).failure_bound(**sizes) == plain
    # A further coefficient adds noise.
    assert MLP(0, (0, 1, 2)).failure_bound(**sizes) > plain


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"k": 1, "sigma": (0, 0, 1)}, ["k", "1", "even"]),
        ({"k": -2}, ["k", "-2", "even"]),
        ({"k": True}, ["k", "True", "even"]),
        ({"k": 2, "sigma": (1, 1, 1)}, ["sigma", "c_3", "c_0, ..., c_q"]),
        ({"k": 4, "sigma": (1, 1, 1, 1, 1, 0)}, ["sigma", "c_5", "not 0"]),
    ],
    ids=str,
)
def test_a_memory_that_stores_nothing_is_refused(
    arguments: dict[str, Any], words: list[str]
) -> None:
    with pytest.raises(ValueError, match=re.escape(words[0])) as caught:
        MLP(**arguments)
    assert all(word in str(caught.value) for word in words)


def test_the_route_of_the_proof_asks_for_the_power_of_a_logarithm() -> None:
    """2^p e log(N M/delta)^p/d <= 1 with p = 2q + 2k + 4 = 14."""
    found = hypercontractive_dimension("1/10", 21)
    wanted = 2.718281828459045 * (2 * log(21 * 21 * 10)) ** 14
    assert found == pytest.approx(wanted, rel=1e-12)
    assert found < wanted + 1
    # A lower bound on d, rounded down.
    shorter = hypercontractive_dimension("1/10", 21, k=0, q=1)
    assert shorter == int(2.718281828459045 * (2 * log(4410)) ** 6)
    assert hypercontractive_dimension("1/10", 21, 42) > found


@pytest.mark.parametrize(("d", "N", "m"), [(3, 4, 2), (50, 20, 7), (1000, 2, 10**6)])
def test_the_variance_is_at_least_the_squared_mean_over_the_dimension(
    d: int, N: int, m: int
) -> None:
    """What that route cannot go below, for y in the image and outside it."""
    for inside in (True, False):
        known = {"k": 2, "sigma": list(H3), "y_in_image": inside}
        mean = mlp.margin_mean(d, N, m, **known).value
        variance = mlp.margin_variance(d, N, m, **known).value
        assert variance.as_fraction() >= (mean**2).as_fraction() / d


@pytest.mark.parametrize("sigma", ["relu", 3])
def test_an_activation_by_name_or_degree_is_refused(sigma) -> None:
    with pytest.raises(ValueError, match=r"sigma: .* is no list of coefficients; give the numbers"):
        MLP(k=2, sigma=sigma)


def test_a_float_coefficient_is_refused_when_the_condition_is_made() -> None:
    with pytest.raises(ExactnessError, match=r"sigma\[3\]: the float 0.5"):
        MLP(k=2, sigma=(0, 0, 0, 0.5))
