"""The three explicit conditions: rigorous bounds, exact deltas, and largest sizes."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import comb, log
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs.algebra.balls import ball, lower, precision, upper
from proofs.capacity import (
    Linear,
    LinearChernoff,
    LinearClosedForm,
    LinearGeneralMap,
    LowRank,
    LowRankClosedForm,
    Quantized,
    SufficientCondition,
    read_delta,
)
from proofs.capacity.contract import ConditionContract
from proofs.capacity.linear import cell_masses, chernoff_exponent


class Injective(ConditionContract):
    """A condition in d, N and M."""

    places = ({"d": 48}, {"d": 128}, {"d": 400}, {"d": 128, "M": 10**4})
    facts = (1, 2, 7, 40)
    certain: Mapping[str, Any] = {"d": 8, "N": 1, "M": 1}
    # d = 1, N = 1, M = 2: the two outputs are equal signs with probability 1/2.
    known = (({"d": 1, "N": 1, "M": 2}, Fraction(1, 2)),)
    worse = (
        *(({"d": d, "M": M}, "N", (1, 2, 3, 5, 8, 15, 30)) for d in (48, 400) for M in (30, 90)),
        *(
            ({"d": d, "N": N}, "M", (N, N + 1, N + 4, N + 20, 50 * N))
            for d in (64, 128, 400)
            for N in (1, 2, 6)
        ),
    )
    better = (({"N": 4}, "d", (8, 32, 128, 400)),)
    sound: Mapping[str, Any] = {"d": 64, "N": 1, "M": 1}
    wrong = (
        ({"N": 0}, "N: 0"),
        ({"N": "4", "M": 5}, "N: '4'"),
        ({"M": 0}, "M: 0"),
        ({"N": 5, "M": 4}, "N: 5 inputs have no injective map into M = 4"),
    )


class TestLinear(Injective):
    condition = Linear(96)


class TestLinearChernoff(Injective):
    condition = LinearChernoff()


class TestLinearClosedForm(Injective):
    condition = LinearClosedForm()
    slack = Fraction(1001, 1000)


CONDITIONS = [
    pytest.param(suite.condition, id=suite.__name__)
    for suite in (TestLinear, TestLinearChernoff, TestLinearClosedForm)
]


@pytest.mark.parametrize("condition", CONDITIONS)
def test_with_few_outputs_the_largest_size_is_at_most_their_number(
    condition: SufficientCondition,
) -> None:
    assert condition.largest(delta="1/10", d=400, M=7) == 7


@pytest.mark.parametrize("condition", CONDITIONS)
def test_with_too_many_outputs_for_one_input_the_largest_size_is_zero(
    condition: SufficientCondition,
) -> None:
    assert condition.largest(delta="1/10", d=3, M=50) == 0


# -- bounds ----------------------------------------------------------------------------------------


@given(
    d=st.integers(2, 2000), N=st.integers(2, 10**6), k=st.integers(1, 128), beta=st.integers(0, 1)
)
def test_where_the_closed_form_holds_the_exponent_at_its_tau_suffices(
    d: int, N: int, k: int, beta: int
) -> None:
    L = Fraction(k * d, 1024)
    ell = L * (1 + L / d)
    exponent = chernoff_exponent(4 * ell / d, d, beta, N - 1 - beta)
    assert exponent >= ell or not LinearClosedForm()._at(L, d, N)


@pytest.mark.parametrize(
    ("d", "N"), [(40, 2), (40, 10), (128, 5), (128, 60), (400, 20), (400, 400)]
)
def test_the_averaged_bound_is_the_sharper_one_and_the_closed_form_the_looser(
    d: int, N: int
) -> None:
    integral, chernoff, closed = (
        condition.failure_bound(d, N)
        for condition in (Linear(), LinearChernoff(), LinearClosedForm())
    )
    assert integral <= chernoff <= closed


# -- the boundary of the closed form ---------------------------------------------------------------


def _boundary(k: int) -> tuple[Fraction, int, int]:
    # With L = d/10: l = 11 d/100, and d^2 = 4 l (d + (N-2)/(1 - (4l/d)^2)) is N - 2 = 7056/6875 d.
    return Fraction(6875 * k, 10), 6875 * k, 2 + 7056 * k


@pytest.mark.parametrize("k", [1, 2, 10])
def test_the_closed_form_holds_with_equality(k: int) -> None:
    assert LinearClosedForm()._at(*_boundary(k))


@pytest.mark.parametrize("k", [1, 2, 10])
def test_the_closed_form_fails_one_fact_beyond_equality(k: int) -> None:
    L, d, N = _boundary(k)
    assert not LinearClosedForm()._at(L, d, N + 1)


@pytest.mark.parametrize("k", [1, 2, 10])
def test_the_closed_form_fails_the_least_bit_beyond_equality(k: int) -> None:
    L, d, N = _boundary(k)
    assert not LinearClosedForm()._at(L * (1 + Fraction(1, 10**60)), d, N)


# -- the averaged bound ----------------------------------------------------------------------------


@pytest.mark.parametrize("d", [2, 3, 10, 101, 1000])
def test_cell_masses_enclose_a_probability_distribution(d: int) -> None:
    masses = cell_masses(d, 64)
    with precision():
        total = sum(masses, ball(0))
        low, high = lower(total), upper(total)
    assert low <= 1 <= high
    assert high - low < Fraction(1, 10**20)


@pytest.mark.parametrize("d", [2, 3, 10, 101])
def test_cell_masses_are_symmetric(d: int) -> None:
    masses = cell_masses(d, 10)
    assert all(a.overlaps(b) for a, b in zip(masses, reversed(masses), strict=True))


def _exact_mass(d: int, low: Fraction, high: Fraction) -> Fraction:
    """P(low <= A <= high), d odd: density of t = A - 1 proportional to (1 - t^2)^((d-3)/2)."""
    power = (d - 3) // 2

    def primitive(t: Fraction) -> Fraction:
        terms = (
            comb(power, j) * (-1) ** j * t ** (2 * j + 1) / (2 * j + 1) for j in range(power + 1)
        )
        return sum(terms, Fraction(0))

    whole = primitive(Fraction(1)) - primitive(Fraction(-1))
    return (primitive(high - 1) - primitive(low - 1)) / whole


@pytest.mark.parametrize("cells", [1, 6, 32])
@pytest.mark.parametrize("d", [3, 5, 7, 21])
def test_cell_masses_in_odd_dimensions_are_integrals_of_polynomials(d: int, cells: int) -> None:
    ends = [Fraction(2 * k, cells) for k in range(cells + 1)]
    exact = [_exact_mass(d, low, high) for low, high in itertools.pairwise(ends)]
    with precision():
        found = [(lower(mass), upper(mass)) for mass in cell_masses(d, cells)]
    assert all(low <= e <= high for (low, high), e in zip(found, exact, strict=True))
    assert all(high - low < Fraction(1, 10**30) for low, high in found)


def _tail_of_three_facts(n: int, grid: int) -> Fraction:
    """A lower bound on P(A + sqrt(2A) S <= 0) for d = 3, S a sum of n <= 2 products t g'.

    A is uniform on [0, 2]. The product of two uniform variables on [-1, 1] has
    P(t g <= -c) = (1 - c + c log c)/2 for 0 <= c <= 1; for n = 2 the other product is
    cut to where it is negative, with probability 1/2.
    """
    total = Fraction(0)
    with precision():
        for k in range(grid):
            high = Fraction(2 * (k + 1), grid)
            c = (ball(high) / 2).sqrt()  # gamma <= 0 means S <= -sqrt(A/2)
            tail = (1 - c + c * c.log()) / 2
            total += max(lower(tail), Fraction(0)) / grid
    return total if n == 1 else total / 2


@pytest.mark.parametrize("n", [1, 2])
def test_the_averaged_bound_is_above_the_true_tail_in_dimension_three(n: int) -> None:
    assert Linear().bound(3, 0, n) >= _tail_of_three_facts(n, 400)


@pytest.mark.parametrize("n", [1, 2])
def test_the_chernoff_bound_is_above_the_true_tail_in_dimension_three(n: int) -> None:
    assert LinearChernoff().bound(3, 0, n) >= _tail_of_three_facts(n, 400)


def test_the_bounded_tail_is_not_far_from_known() -> None:
    # The integral itself: int_0^1 2 c (1 - c + c log c)/2 dc = 1/2 - 1/3 - 1/9 = 1/18.
    found = _tail_of_three_facts(1, 400)
    assert Fraction(1, 20) < found < Fraction(1, 18)


def test_no_noise_in_the_exponent_is_found_out() -> None:
    # A million facts in dimension 80 surely fail, and a bound without noise denies it.
    assert Linear(noise=Fraction(0)).bound(80, 0, 10**6) < Linear().bound(80, 0, 10**6) == 1


@pytest.mark.parametrize("beta", [0, 1])
def test_more_cells_come_closer(beta: int) -> None:
    bounds = [Linear(cells).bound(60, beta, 40) for cells in (8, 64, 512)]
    assert bounds == sorted(bounds, reverse=True)


def _by_hand(kept: float, d: int, N: int, pairs: int, delta: float) -> bool:
    """kept d^2 >= 4 l (d + (N-2)/(1 - (4l/d)^2/kept)), 8l <= d, in floats."""
    L = log(pairs / delta)
    ell = L * (1 + L / d)
    share = (4 * ell / d) ** 2 / kept
    return 8 * ell <= d and share < 1 and kept * d**2 >= 4 * ell * (d + (N - 2) / (1 - share))


def test_the_largest_sizes_are_those_found_by_hand() -> None:
    linear, low_rank = LinearClosedForm(), LowRankClosedForm()
    assert linear.largest(delta="1e-3", d=256) == 481
    assert [_by_hand(1, 256, N, N * (N - 1), 1e-3) for N in (481, 482)] == [True, False]
    assert low_rank.largest(delta="1e-3", d=400, M=2000, m=800) == 313
    kept = 800 / (800 + 3 * 400)
    assert [_by_hand(kept, 400, N, N * 2000, 1e-3) for N in (313, 314)] == [True, False]
    assert low_rank.largest(delta="1e-6", d=1000, m=1000) == 1122
    assert [_by_hand(1 / 4, 1000, N, N * N, 1e-6) for N in (1122, 1123)] == [True, False]


def test_a_dimension_of_eight_times_the_logarithm_is_asked_and_no_more() -> None:
    # One input among many outputs: nothing but 8l <= d can fail.
    held = [LinearClosedForm().holds(delta="1e-3", d=100, N=1, M=M) for M in range(2, 150)]
    assert held == [_by_hand(1, 100, 1, M - 1, 1e-3) for M in range(2, 150)]
    assert 50 < sum(held) < 100


@pytest.mark.parametrize("d", [8, 64])
def test_a_cell_is_bounded_at_its_upper_end(d: int) -> None:
    with precision():
        wide, narrow = (Linear()._on_cell(d, 1, 0, Fraction(1), Fraction(high)) for high in (2, 1))
        assert wide > narrow


# -- arguments -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("delta", "exact"),
    [
        (0.1, Fraction(1, 10)),
        (1e-9, Fraction(1, 10**9)),
        ("1e-9", Fraction(1, 10**9)),
        ("0.25", Fraction(1, 4)),
        ("1/20", Fraction(1, 20)),
        (Fraction(2, 3), Fraction(2, 3)),
    ],
)
def test_delta_is_read_exactly(delta: Any, exact: Fraction) -> None:
    assert read_delta(delta) == exact


@pytest.mark.parametrize(
    "delta",
    [0, 1, -1, 2, 0.0, 1.0, float("nan"), float("inf"), "nan", "x", "", "1/0", None, [], True],
)
def test_what_is_no_failure_probability_is_refused(delta: Any) -> None:
    with pytest.raises(ValueError, match="delta: "):
        read_delta(delta)


def test_a_delta_too_small_to_be_written_out_is_told_so() -> None:
    with pytest.raises(ValueError, match=r"delta: 1e-10001 is too small; take delta >= 1e-10000"):
        read_delta("1e-10001")
    assert read_delta("1e-10000") == Fraction(1, 10**10000)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Linear(0), "cells: 0"),
        (lambda: Linear(4.0), r"cells: 4\.0"),  # type: ignore[arg-type]
        (lambda: LowRank(0), "cells: 0"),
        (lambda: LowRank(48, -1), "levels: -1"),
        (lambda: LowRank(48, 0), "levels: 0"),
        (lambda: Quantized(cells=0), "cells: 0"),
        (lambda: LinearGeneralMap(0), "cells: 0"),
    ],
)
def test_cells_and_levels_are_positive_integers(make: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()
