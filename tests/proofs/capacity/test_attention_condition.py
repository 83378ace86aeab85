"""The condition for the attention-only construction: against direct sums, simulation and bad input."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import pytest
from flint import arb

from proofs.algebra.balls import ball, lower, precision, upper
from proofs.capacity import AttentionOnly, attention
from proofs.capacity.attention import reach_of, weight_cells
from proofs.capacity.attention_margin import (
    PROVED,
    Competitor,
    Constants,
    Free,
    Margin,
    MarginBound,
    competitors,
    log_bound,
    splits_of,
)
from proofs.capacity.contract import ConditionContract
from proofs.capacity.denoising import gap_failure, key_failure, partition

_ONE = (Fraction(1), Fraction(1))


# -- gaps -----------------------------------------------------------------------------------------


def test_a_gap_has_the_chernoff_bound_of_its_terms() -> None:
    k = 48 / 32
    assert float(gap_failure(48, 2)) == pytest.approx(math.exp(-k + k**2 / 96), rel=1e-12)


def test_a_gap_without_terms_is_positive() -> None:
    assert gap_failure(2, 0) == 0


def test_in_one_dimension_nothing_is_bounded() -> None:
    assert gap_failure(1, 0) == gap_failure(1, 3) == 1


def test_a_gap_bound_never_exceeds_one_and_falls_with_d() -> None:
    bounds = [gap_failure(d, 5) for d in (2, 20, 200, 2000)]
    assert all(a > b for a, b in pairwise(bounds))
    assert bounds[0] <= 1


def test_the_union_over_heads_counts_keys_and_other_tokens() -> None:
    total = sum(n * gap_failure(600, n - 1) + (20 - n) * gap_failure(600, n) for n in (3, 2))
    assert key_failure(600, (3, 2), 20) == key_failure(600, Counter((3, 2)), 20) == total


@pytest.mark.parametrize(
    ("count", "M", "sizes"), [(7, 3, (3, 2, 2)), (6, 3, (3, 3)), (2, 5, (2,)), (4, 1, (1, 1, 1, 1))]
)
def test_tokens_are_cut_into_the_fewest_equal_sets(
    count: int, M: int, sizes: tuple[int, ...]
) -> None:
    assert partition(count, M) == Counter(sizes)


def test_as_many_sets_as_one_likes_take_no_time() -> None:
    assert partition(10**18, 7) == {7: 142857142857142852, 6: 6}


def test_a_head_with_more_keys_than_tokens_is_refused() -> None:
    with pytest.raises(ValueError, match="heads: a head of 4 keys needs as many of the 3 tokens"):
        key_failure(100, (4,), 3)


# -- one margin -----------------------------------------------------------------------------------


def test_without_other_keys_the_bound_is_that_of_a_gaussian_sum() -> None:
    it = Margin.over(Competitor(1, 0, 1, 3, 5), 400, 399, (5, 6), (0, 0), _ONE, _ONE)
    with precision():
        found = float(MarginBound(it, Fraction(2), PROVED)(it))
    k = 400 / (4 * 8)
    assert found == pytest.approx(math.exp(-k + k**2 / 800), rel=1e-4)


def test_without_any_noise_the_bound_is_that_of_the_signal_alone() -> None:
    it = Margin.over(Competitor(1, 1, 1, 0, 0), 30, 29, (1, 1), (0, 0), _ONE, _ONE)
    with precision():
        assert float(MarginBound(it, Fraction(2), PROVED)(it)) == pytest.approx(
            math.exp(-15), rel=1e-3
        )


def test_a_margin_without_signal_is_not_bounded() -> None:
    it = Margin.over(Competitor(1, 0, 1, 1, 1), 50, 49, (2, 2), (0, 0), (Fraction(0),) * 2, _ONE)
    assert MarginBound(it, Fraction(2), PROVED)(it) == 1


def test_any_free_parameters_bound_a_drawn_expectation() -> None:
    """E exp(-lambda margin) by simulation with Gaussian weights, which a sphere's lie below."""
    draw = random.Random(7)
    it = Margin.over(Competitor(1, 1, 0, 1, 1), 60, 40, (2, 2), (2, 1), _ONE, _ONE)
    for slope, given in product((0.5, 2.0), (0.25, 1.0)):
        free = Free(slope, 1 + given, 2 * (1 + 1 / given), 2 * (1 + 1 / given))
        bound = log_bound(
            Margin(*map(float, it)), free, 1.9, Constants(*map(float, PROVED)), math.log
        )
        assert bound is not None
        total = 0.0
        for _ in range(4000):
            rho = draw.gauss(0, 60**-0.5)
            A = min(max(1 - rho, 0.0), 1.9)
            keys_s = [draw.gauss(0, 40**-0.5) for _ in range(2)]
            key_r = draw.gauss(0, 40**-0.5)
            # Worst case: the other subjects share one noise answer with s and answer b.
            noise = (1 + sum(keys_s)) ** 2 + (1 + key_r) ** 2
            total += math.exp(-slope * A * (1 - sum(keys_s)) + slope**2 * A * noise / 60)
        assert math.log(total / 4000) <= bound + 0.05


def test_balls_and_floats_give_the_same_bound() -> None:
    it = Margin.over(Competitor(1, 0, 1, 3, 2), 200, 120, (4, 3), (2, 1), _ONE, _ONE)
    free = (Fraction(3), Fraction(5, 4), Fraction(9), Fraction(12))
    rounded = log_bound(
        Margin(*map(float, it)), Free(*map(float, free)), 1.5, Constants(1.0, 0.5), math.log
    )
    with precision():
        exact = log_bound(
            Margin(*map(ball, it)),
            Free(*map(ball, free)),
            ball(Fraction(3, 2)),
            Constants(arb(1), ball(Fraction(1, 2))),
            lambda x: x.log(),
        )
    assert rounded == pytest.approx(float(exact), rel=1e-12)


def test_too_steep_a_slope_is_undefined() -> None:
    it = Margin.over(Competitor(1, 0, 1, 3, 2), 200, 120, (4, 3), (2, 1), _ONE, _ONE)
    assert (
        log_bound(Margin(*map(float, it)), Free(90.0, 2.0, 4.0, 4.0), 1.5, PROVED, math.log) is None
    )


def test_competitors_are_all_tokens_but_one() -> None:
    assert sum(kind.many for kind in competitors(5, 3, 40)) == 39
    assert [kind.many for kind in competitors(1, 1, 9)] == [8]


# -- weights --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("d", "d_h"), [(2, 1), (16, 15), (100, 40), (2000, 500)])
def test_the_cells_of_the_weights_cover_everything_in_order(d: int, d_h: int) -> None:
    cells = weight_cells(d, d_h)
    assert cells[0][0] == 0
    assert cells[-1][1] == Fraction(d, d_h)
    assert all(a[1] == b[0] < b[1] for a, b in pairwise(cells))
    with precision():
        assert sum((mass for _, _, mass in cells), arb(0)).contains(1)
        mean = sum(
            (low * mass for low, _, mass in ((float(a), b, float(m)) for a, b, m in cells)), 0.0
        )
    assert mean < 1 < sum(float(high) * float(mass) for _, high, mass in cells)


def test_fewer_cells_give_a_larger_bound() -> None:
    sizes = {"d": 400, "S": 6, "R": 5, "D": 3}
    coarse, fine = AttentionOnly(4).failure_bound(**sizes), AttentionOnly().failure_bound(**sizes)
    assert fine < coarse < 4 * fine


def test_the_overlap_of_two_tokens_is_bounded_only_where_it_matters() -> None:
    assert reach_of(1000, (0, 0)) == (2, arb(0))
    reach, beyond = reach_of(1000, (1, 0))
    assert 1 < reach < 2
    with precision():
        assert upper(beyond) < Fraction(1, 10**28)
        assert lower(beyond) > 0


# -- the condition --------------------------------------------------------------------------------


def test_with_one_token_a_head_it_is_near_the_sum_of_gaussian_tails() -> None:
    """Weights are all but 1 at d_h = d - 1, so that the union can be added up by hand."""
    d, S, R, D, tokens = 500, 8, 8, 4, 8 + 8 + 32 + 16 + 1

    def tail(signal: int, noise: int) -> float:
        k = min(signal**2 * d / (4 * noise), d)
        return math.exp(-k + k**2 / (2 * d))

    margins = 7 * tail(1, 6 + 3) + 3 * tail(1, 7 + 2) + (tokens - 11) * tail(2, 7 + 3)
    gaps = 16 * 31 * tail(1, 4)
    found = float(AttentionOnly().failure_bound(d, S, R, D))
    assert found == pytest.approx(S * R * margins + gaps, rel=0.1)
    assert found > S * R * margins


SIZES = {"d": 600, "S": 6, "R": 5, "D": 3, "M": 2, "d_h": 400, "noise": 12}


class TestCondition(ConditionContract):
    condition = AttentionOnly(4)
    places = ({"d": 300, "D": 3}, {"d": 8, "D": 2}, {"d": 300, "D": 2, "R": 2})
    deltas = ("0.5", "0.01", "1e-9")
    certain: Mapping[str, Any] = {}
    known = (({"d": 1, "S": 1, "R": 1, "D": 1}, Fraction(1)),)
    worse = tuple(
        (SIZES, name, (SIZES[name], SIZES[name] + (1 if name == "M" else 2)))
        for name in ("S", "R", "D", "M", "noise")
    )
    better = tuple((SIZES, name, (SIZES[name], SIZES[name] + 60)) for name in ("d", "d_h"))
    sound: Mapping[str, Any] = {"d": 100, "S": 4, "R": 4, "D": 2}
    wrong = (
        ({"d_h": 100}, "d_h: 100 dimensions do not fit into the 99 that are orthogonal"),
        ({"D": 5}, "D: 5 answers of one relation need as many subjects; take D <= S = 4"),
        ({"M": 0}, "M: 0 is out of range"),
        ({"noise": -1}, "noise: -1 is out of range"),
        ({"S": 2.5}, "S: 2.5 is not an integer"),
    )

    def of(self, facts: int, place: Mapping[str, Any]) -> dict[str, Any]:
        return {"R": facts, **place, "S": facts, "D": min(place["D"], facts)}


def test_eight_by_eight_facts_are_provable_at_five_hundred_dimensions() -> None:
    assert AttentionOnly().holds(delta="1e-3", d=500, S=8, R=8, D=4)


# -- the bound, number by number ------------------------------------------------------------------


def test_the_bound_on_one_margin_by_hand() -> None:
    """M = 3, R = 2, D = 2, for a further answer of r: every term typed anew."""
    d, d_h = 300, 150
    it = Margin.over(Competitor(1, 1, 0, 1, 0), d, d_h, (2, 2), (2, 1), _ONE, _ONE)
    slope, kept, split_s, split_r, reach = 5.0, 1.5, 4.0, 7.0, 1.6
    k = slope - slope**2 / d * kept * 1
    # Two other subjects with two answers each, all alike; one other relation with two answers.
    cost = 2 * slope**2 / d * reach
    theta_s, theta_r = cost * split_s * 2 * 2 / d_h, cost * split_r * 2 / d_h
    j = slope**2 / 2 * (2 / d_h / (1 - theta_s) + 1 / d_h / (1 - theta_r))
    determinant = -math.log(1 - theta_s) / 2 - math.log(1 - theta_r) / 2
    stated = (
        j - k + (k - 2 * j) ** 2 / (2 * (d - 2 * j)) - math.log(1 - 2 * j / d) / 2 + determinant
    )
    found = log_bound(
        Margin(*map(float, it)),
        Free(slope, kept, split_s, split_r),
        reach,
        Constants(1.0, 0.5),
        math.log,
    )
    assert found == pytest.approx(stated, rel=1e-12)


def test_three_relations_in_a_head_have_the_norm_of_one() -> None:
    it = Margin.over(Competitor(1, 1, 1, 3, 4), 90, 45, (4, 5), (0, 3), _ONE, _ONE)
    assert (it.leak_s, it.leak_r) == (0, Fraction(1, 45))
    assert (it.trace_r, it.norm_r) == (Fraction(3 * 5, 45), Fraction(5, 45))
    assert (it.trace_s, it.norm_s) == (0, 0)


def _incidence(keys: list[set[tuple[int, int]]], without: set[tuple[int, int]]) -> list[list[int]]:
    columns = sorted(set().union(*keys) - without) if keys else []
    return [[int(column in key) for column in columns] for key in keys]


def _norm(rows: list[list[int]]) -> float:
    """The largest eigenvalue of B B^T, by its powers."""
    gram = [[sum(a * b for a, b in zip(x, y, strict=True)) for y in rows] for x in rows]
    vector = [1.0 + 0.01 * i for i in range(len(rows))]
    size = 0.0
    for _ in range(200):
        image = [sum(g * v for g, v in zip(row, vector, strict=True)) for row in gram]
        size = max(map(abs, image), default=0.0)
        if size == 0:
            return 0.0
        vector = [x / size for x in image]
    return size


@pytest.mark.parametrize(("S", "R", "D"), [(3, 2, 2), (2, 3, 2), (3, 2, 1), (3, 1, 3)])
def test_no_table_has_more_than_the_bound_counts(S: int, R: int, D: int) -> None:
    """All subjects in one head, all relations in another: every table, fact and rival."""
    stated = {
        kind: Margin.over(rival, 10, 1, (R, D), (S - 1, R - 1), _ONE, _ONE)
        for rival in competitors(R, D, 100)
        for kind in [(rival.by_subject, rival.by_relation)]
    }
    for table in product(range(D), repeat=S * R):
        answer = {(s, r): (r, table[s * R + r]) for s in range(S) for r in range(R)}
        of_s = [{answer[s, r] for r in range(R)} for s in range(S)]
        of_r = [{answer[s, r] for s in range(S)} for r in range(R)]
        for (s, r), a in answer.items():
            tokens = {x for own in of_r for x in own} | {(-1, 0)}
            for b in tokens - {a}:
                kind = (int(b not in of_s[s]), int(b not in of_r[r]))
                it = stated[kind]
                others = (
                    [of_s[q] for q in range(S) if q != s],
                    [of_r[q] for q in range(R) if q != r],
                )
                for keys, leak, trace, norm in zip(
                    others,
                    (it.leak_s, it.leak_r),
                    (it.trace_s, it.trace_r),
                    (it.norm_s, it.norm_r),
                    strict=True,
                ):
                    rows = _incidence(keys, {a, b})
                    assert sum((a in key) != (b in key) for key in keys) <= leak
                    assert sum(map(sum, rows)) <= trace
                    assert _norm(rows) <= norm + 1e-9
                attended = of_s[s] ^ of_r[r]
                assert (
                    len(attended & of_s[s] - {a, b}) + len(of_r[r] - of_s[s] - {a, b}) <= it.noise
                )


@pytest.mark.parametrize("others", [(2, 0), (0, 2), (3, 2)])
def test_the_splits_of_a_square_are_valid(others: tuple[int, int]) -> None:
    it = Margin.over(Competitor(1, 0, 1, 3, 4), 90, 45, (4, 5), others, _ONE, _ONE)
    for kept, split_s, split_r in splits_of(it):
        shares = [1 / split for split in (split_s, split_r) if split]
        # (u + v + w)^2 <= kept u^2 + split_s v^2 + split_r w^2 where the inverses add up to at most 1.
        assert 1 / kept + sum(shares) <= 1
        assert [bool(split_s), bool(split_r)] == [bool(n) for n in others]


@pytest.mark.parametrize("others", [(0, 0), (2, 1)])
def test_a_cell_is_bounded_by_its_worst_corner(others: tuple[int, int]) -> None:
    low, high = (Fraction(4, 5), Fraction(9, 10)), (Fraction(11, 10), Fraction(6, 5))
    for rival in competitors(4, 3, 60):

        def margin(s: Fraction, r: Fraction, rival: Competitor = rival) -> Margin:
            return Margin.over(rival, 400, 200, (4, 3), others, (s, r), (s, r))

        cell = Margin.over(rival, 400, 200, (4, 3), others, low, high)
        bound = MarginBound(cell, Fraction(3, 2), PROVED)
        with precision():
            worst = bound(cell)
            for shares in product((0, Fraction(1, 2), 1), repeat=2):
                s, r = (a + share * (b - a) for a, b, share in zip(low, high, shares, strict=True))
                assert bound(margin(s, r)) <= worst


def test_a_rare_overlap_is_paid_for(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = {"d": 600, "S": 4, "R": 4, "D": 2, "M": 2, "d_h": 400}
    plain = AttentionOnly(2).failure_bound(**sizes)
    monkeypatch.setattr(attention, "reach_of", lambda d, others: (reach_of(d, others)[0], arb(1)))
    assert AttentionOnly(2).failure_bound(**sizes) == 1 > plain
