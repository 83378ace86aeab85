"""The conditions at rank m: laws, frontiers, limits, and proofs that break on wrong constants."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import pytest

from proofs.algebra import RationalFunction
from proofs.algebra.balls import ball, lower, precision, upper
from proofs.argument import Argument
from proofs.capacity import (
    Linear,
    LinearClosedForm,
    LowRank,
    LowRankClosedForm,
    SufficientCondition,
)
from proofs.capacity.contract import ConditionContract
from proofs.capacity.low_rank import alignment_cells
from proofs.papers.nichani.linear import KAPPA, integral_bound, single_margin_tail
from proofs.papers.nichani.low_rank import (
    alignment_law,
    alignment_tail,
    average_over_alignment,
    closed_form,
    joint_moment,
    less_signal,
    logarithmic_form,
    rank_one_fails,
)

F = Fraction
d, m, N, M, q, r, tau = (
    RationalFunction.symbol(name) for name in ["d", "m", "N", "M", "q", "r", "tau"]
)


class Ranked(ConditionContract):
    """A condition in d, N, M and the rank m."""

    places = ({"d": 256, "m": 128}, {"d": 256, "m": 256})
    deltas = ("1/2", "1e-6")
    certain: Mapping[str, Any] = {"d": 8, "N": 1, "M": 1, "m": 4}
    # On the line two outputs are equal signs with probability 1/2.
    known = (({"d": 1, "N": 1, "M": 2, "m": 1}, F(1, 2)),)
    worse = (
        ({"d": 200, "M": 60, "m": 100}, "N", (1, 2, 8, 30, 60)),
        ({"d": 200, "N": 5, "m": 100}, "M", (5, 6, 50, 10**6)),
    )
    better = (({"d": 200, "N": 5}, "m", (2, 40, 100, 200)),)
    sound: Mapping[str, Any] = {"d": 8, "N": 2, "m": 4}
    wrong = (
        ({"N": 3, "M": 2}, "N: 3 inputs"),
        *(({"m": m}, f"m: {m}") for m in (0, -1, 2.0, True)),
    )


class TestGaussian(Ranked):
    condition = LowRank(48, 16)


class TestOrthonormal(Ranked):
    condition = LowRank(48, 16, factors="orthonormal")
    wrong = (*Ranked.wrong, ({"m": 9}, "take m <= 8"))


class TestClosedForm(Ranked):
    condition = LowRankClosedForm()
    slack = F(1001, 1000)


CONDITIONS = [
    pytest.param(suite.condition, id=suite.__name__)
    for suite in (TestGaussian, TestOrthonormal, TestClosedForm)
]


@pytest.mark.parametrize("condition", CONDITIONS)
def test_the_largest_size_grows_with_the_rank(condition: SufficientCondition) -> None:
    sizes = [condition.largest(delta="1/2", d=200, m=rank) for rank in (2, 40, 100, 200)]
    assert sizes == sorted(sizes)
    assert sizes[0] <= 1 < sizes[-1]


def test_a_rank_must_be_given() -> None:
    with pytest.raises(TypeError, match="m"):
        LowRank().largest(delta="1/2", d=8)


def test_an_unknown_kind_of_factors_is_refused() -> None:
    with pytest.raises(ValueError, match="gaussian"):
        LowRank(factors="sparse")  # type: ignore[arg-type]


@pytest.mark.parametrize(("dim", "inputs"), [(64, 12), (128, 200), (2, 2)])
def test_orthonormal_factors_of_full_rank_give_the_linear_memory(dim: int, inputs: int) -> None:
    found = LowRank(96, factors="orthonormal").failure_bound(dim, inputs, m=dim)
    exact = Linear(96).failure_bound(dim, inputs)
    assert abs(found - exact) <= exact / 10**30


def test_many_gaussian_factors_come_close_to_the_linear_memory() -> None:
    full = Linear(96).largest(delta="1/2", d=64)
    assert 0.9 * full <= LowRank(96, 64).largest(delta="1/2", d=64, m=2**17) <= full


def test_many_gaussian_factors_give_the_linear_closed_form() -> None:
    full = LinearClosedForm(pairs=lambda N, M: F(N * M)).largest(delta="1/2", d=400)
    assert LowRankClosedForm().largest(delta="1/2", d=400, m=10**9) == full


@pytest.mark.parametrize(("dim", "rank"), [(200, 100), (400, 400), (300, 1000)])
def test_the_averaged_bound_is_the_sharper_one(dim: int, rank: int) -> None:
    largest = LowRankClosedForm().largest(delta="1/10", d=dim, m=rank)
    assert largest > 1
    integral = LowRank(48, 16).failure_bound(dim, largest, m=rank)
    assert integral <= LowRankClosedForm().failure_bound(dim, largest, m=rank)


def test_more_cells_only_come_closer() -> None:
    coarse, fine = (LowRank(*size).failure_bound(96, 20, m=64) for size in ((24, 8), (96, 40)))
    assert fine < coarse


# -- the alignment ---------------------------------------------------------------------------------


def test_masses_of_cells_are_those_of_a_uniform_square() -> None:
    # m = 2 and d = 3: r^2 ~ Beta(1, 1) is uniform.
    cells = alignment_cells(3, 2, "gaussian", 8)
    ends = [low for low, _ in cells] + [F(1)]
    for (low, mass), high in zip(cells, ends[1:], strict=True):
        with precision():
            assert mass.overlaps(ball(high**2 - low**2))


@pytest.mark.parametrize("rank", [1, 2, 5, 63, 64, 1000])
@pytest.mark.parametrize("levels", [1, 2, 24])
def test_cells_start_at_zero_and_cover_everything(rank: int, levels: int) -> None:
    cells = alignment_cells(64, rank, "gaussian", levels)
    assert cells[0][0] == 0
    assert len(cells) <= max(levels, 2)
    with precision():
        assert sum((mass for _, mass in cells), ball(F(0))).contains(1)


def test_moments_of_the_image_of_a_key() -> None:
    assert joint_moment(1, 0) == m
    assert joint_moment(2, 0) == m * (m + 2)
    assert joint_moment(0, 1) == m * (m + d + 1)


@pytest.mark.parametrize("dim", [2, 5, 40, 300])
@pytest.mark.parametrize("rank", [1, 3, 40, 300, 2000])
def test_the_tail_of_the_alignment_is_below_its_bound(dim: int, rank: int) -> None:
    argument, rate = alignment_tail(m / (m + 3 * d))
    assert argument.holds
    with precision():
        edge = ball(F(rank, rank + 3 * dim))
        exact = edge.beta_lower(ball(F(rank, 2)), ball(F(dim - 1, 2)), regularized=True)
        assert upper(exact) <= lower((-rate * min(rank, dim)).exp())


# -- proofs ----------------------------------------------------------------------------------------


TAIL = KAPPA - (1 - r) * tau * d / 2
FOUR = F(4)
SHAPES = (m / 2, (d - 1) / 2, (d - m) / 2)


def recall_at_rank(
    lead: Fraction = FOUR,
    noise: RationalFunction = N - 2,
    pairs: RationalFunction = N * M,
    kept: RationalFunction = m / (m + 3 * d),
    kappa: RationalFunction = KAPPA,
) -> Argument:
    return closed_form(lead, noise, pairs, kept, kappa)


def logarithms(*numbers: int) -> Argument:
    return logarithmic_form(*(F(number) for number in numbers))


PROOFS: dict[str, Callable[[], Argument]] = {
    "alignment": lambda: alignment_law(*SHAPES),
    "average": average_over_alignment,
    "tail at given r": lambda: single_margin_tail(TAIL, lost=less_signal()),
    "integral at given r": lambda: integral_bound(
        F(1, 2), F(1, 4), kept=r * q, lost=less_signal()(A=2 * q**2)
    ),
    "closed form": recall_at_rank,
    "closed form, more noise": lambda: recall_at_rank(noise=N),
    "closed form, more lost": lambda: recall_at_rank(kept=m / (m + 4 * d)),
    "logarithms": lambda: logarithms(64, 80, 1, 1, 1),
    "logarithms, rank 60": lambda: logarithms(60, 80, 1, 1, 1),
    "logarithms, larger constants": lambda: logarithms(100, 100, 2, 1, 1),
    "rank one": lambda: rank_one_fails(0),
}

#: Beside the mutants of the claims.
WRONG: dict[str, Callable[[], Argument]] = {
    "Beta(m/2, (d-m)/2) for Gaussian factors": lambda: alignment_law(m / 2, SHAPES[2], SHAPES[2]),
    "Beta(m/2, (d-1)/2) for a frame": lambda: alignment_law(m / 2, SHAPES[1], SHAPES[1]),
    "Beta(m, d - 1)": lambda: alignment_law(m, d - 1, d - m),
    "tail with the whole signal": lambda: single_margin_tail(KAPPA, lost=less_signal()),
    "integral with the whole signal": lambda: integral_bound(
        F(1, 2), F(1, 4), kept=q, lost=less_signal()(A=2 * q**2)
    ),
    "closed form, 2": lambda: recall_at_rank(lead=F(2)),
    "closed form, 7/2": lambda: recall_at_rank(lead=F(7, 2)),
    "closed form, half the noise": lambda: recall_at_rank(noise=(N - 2) / 2),
    "closed form, N - 3": lambda: recall_at_rank(noise=N - 3),
    "closed form, union over pairs alone": lambda: recall_at_rank(pairs=N * (M - 1)),
    "closed form, c = 5/2": lambda: recall_at_rank(kept=m / (m + 5 * d / 2)),
    "closed form, c = 2": lambda: recall_at_rank(kept=m / (m + 2 * d)),
    "closed form, c = 1": lambda: recall_at_rank(kept=m / (m + d)),
    "closed form, q = m/d": lambda: recall_at_rank(kept=m / d),
    "closed form, q = 1": lambda: recall_at_rank(kept=m / m),
    "closed form, tail with less noise": lambda: recall_at_rank(kappa=tau * d / 2 - tau**2 * d / 2),
    "logarithms, m against a constant": lambda: logarithms(64, 80, 0, 1, 1),
    "logarithms, m d against N": lambda: logarithms(64, 80, 1, 0, 1),
    "logarithms, rank 59": lambda: logarithms(59, 80, 1, 1, 1),
    "logarithms, c = 4": lambda: logarithmic_form(
        F(64), F(80), F(1), F(1), F(1), kept=m / (m + 4 * d)
    ),
    "logarithms, 32": lambda: logarithms(32, 80, 1, 1, 1),
    "logarithms, 40": lambda: logarithms(64, 40, 1, 1, 1),
    "logarithms, rate 4": lambda: logarithms(64, 80, 1, 1, 4),
    "logarithms, rate 40": lambda: logarithms(64, 80, 1, 1, 40),
    "rank one where m must exceed a logarithm": lambda: rank_one_fails(1),
}


@pytest.mark.parametrize("name", PROOFS)
def test_the_proof_holds(name: str) -> None:
    assert PROOFS[name]().holds


@pytest.mark.parametrize("name", WRONG)
def test_the_proof_breaks(name: str) -> None:
    assert WRONG[name]().broken is not None
