"""Theorem 11 step by step: what is right holds, its neighbours break at witnesses worked out again."""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import ceil, exp, floor

import numpy as np
import pytest
from scipy import stats

from proofs.algebra import RationalFunction
from proofs.argument import Argument
from proofs.capacity.attention_mlp import weights
from proofs.papers.nichani import attention_mlp as theorem

F = Fraction
d, S, R, D, n, C = map(RationalFunction.symbol, "dSRDnC")
ONE = RationalFunction.constant(1)
#: The heads of a group construction over (S + R) L/d_h, at most.
SIX = 6 * C


# -- subspaces and heads --------------------------------------------------------------------------


@pytest.mark.parametrize(("up", "less"), [(True, 0), (False, 0), (True, 1), (False, -1)])
def test_larger_subspaces_have_no_room(up: bool, less: int) -> None:
    witness = theorem.subspaces(up, less, largest=False).witness
    assert witness is not None
    assert witness["2n + 1"] > witness["d"]


def test_the_printed_count_of_heads_fails_for_every_constant() -> None:
    for constant in (F(1, 2), F(2), F(1000)):
        witness = theorem.head_total(constant, F(0), SIX).witness
        assert witness is not None
        M = witness["M"]
        assert constant < M
        # S = R = 1 and d = d_h: two heads, and the bound is 2 C/M.
        assert witness["heads"] == 2 > witness["bound"] == 2 * constant / M


def test_the_corrected_count_of_heads_holds_at_all_small_sizes() -> None:
    assert theorem.head_total(F(2), F(4), SIX).holds
    for s, r, M, d_h, more in itertools.product(
        (1, 2, 5), (1, 4), (1, 2, 3, 7), (1, 2, 5), range(6)
    ):
        dim = d_h + more
        heads = ceil(F(dim, d_h)) * (ceil(F(s, M)) + ceil(F(r, M)))
        assert heads <= 2 * F(dim * (s + r), M * d_h) + 4 * F(dim, d_h)


@pytest.mark.parametrize(("facts", "rest"), [(F(1), F(4)), (F(3, 2), F(4)), (F(2), F(7, 2))])
def test_smaller_counts_of_heads_are_exceeded(facts: Fraction, rest: Fraction) -> None:
    it = theorem.head_total(facts, rest, SIX).witness
    assert it is not None
    heads = 2 * ceil(F(it["d"], it["d_h"])) * ceil(F(it["S = R"], it["M"]))
    bound = facts * F(it["d"] * 2 * it["S = R"], it["M"] * it["d_h"]) + rest * F(it["d"], it["d_h"])
    assert heads == it["heads"] > bound


@pytest.mark.parametrize("total", [4 * (C + 1), 2 * C, 5 * C, 29 * C / 5, 6 * ONE])
def test_smaller_totals_of_heads_are_exceeded_where_sets_are_nearly_empty(
    total: RationalFunction,
) -> None:
    """S = M + 1 subjects and one relation make three sets, each of two heads as d_h = d - 1."""
    it = theorem.head_total(F(2), F(4), total).witness
    assert it is not None
    d, d_h, s, r, M, C, L = (
        int(it[name])  # type: ignore[call-overload]
        for name in ("d", "d_h", "S", "R", "M", "C", "log(|V|/delta')")
    )
    assert d == C * M * L
    assert s + r >= M
    heads = ceil(F(d, d_h)) * (ceil(F(s, M)) + ceil(F(r, M)))
    stated = total(C=C).as_fraction() * (s + r) * L / d_h
    assert (heads, stated) == (it["heads"], it["stated"])
    assert stated < heads <= F(6 * C * (s + r) * L, d_h)


def test_a_larger_total_of_heads_is_true_but_six_c_is_the_one_that_is_decided() -> None:
    assert theorem.head_total(F(2), F(4), 7 * C).holds
    argument = theorem.head_total(F(2), F(4), 6 * C - 1 / ONE)
    assert argument.witness is None
    assert not argument.holds


@pytest.mark.parametrize("needed", [d, d - 1, d + 3])
def test_as_many_dimensions_as_the_subspace_make_a_projection(needed: RationalFunction) -> None:
    assert theorem.projection(needed, orthogonal=True).holds


@pytest.mark.parametrize("needed", [d - 2, d / 2, 4 * d / 5, ONE])
def test_fewer_dimensions_have_too_small_a_rank(needed: RationalFunction) -> None:
    witness = theorem.projection(needed, orthogonal=True).witness
    assert witness is not None
    assert witness["H'"] < witness["dim P"]


# -- scale and failure probability ----------------------------------------------------------------


def scaled(square: Fraction) -> Argument:
    return theorem.scaling(square, unique=True, of_output=True, large=True, finite=True)


def test_a_factor_above_the_square_root_of_eight_over_the_margin_suffices() -> None:
    assert scaled(F(8)).holds
    assert scaled(F(9)).holds


def test_the_constant_of_the_scaling_is_sharp() -> None:
    assert scaled(F(7)).witness is not None
    a = -np.array([20, 21, 0]) / 29
    attention = np.array([1.0, 1.0, 0.0])
    assert 2 * a @ attention == pytest.approx(-82 / 29)
    assert (82 / 29) ** 2 > 7


# -- collisions -----------------------------------------------------------------------------------


def test_columns_are_the_set_partitions_of_the_subjects() -> None:
    assert [sum(1 for _ in theorem.columns(size)) for size in range(1, 6)] == [1, 2, 5, 15, 52]


@pytest.mark.parametrize("bound", [S - 1, S / D, S / 2, R, D])
def test_smaller_bounds_on_collisions_are_exceeded(bound: RationalFunction) -> None:
    it = theorem.most_collisions(bound, disjoint=True).witness
    assert it is not None
    answers = list(it["answers of one relation"])  # type: ignore[call-overload]
    largest = max(answers.count(a) for a in answers)
    assert largest == it["largest C(a)"] > bound(S=it["S"], R=it["R"], D=it["D"]).as_fraction()


def test_without_assumption_1_an_answer_may_have_more_facts_than_there_are_subjects() -> None:
    witness = theorem.most_collisions(S, disjoint=False).witness
    assert witness is not None
    assert witness["largest C(a)"] > witness["S"]


def test_constant_relations_have_as_many_collisions_as_subjects() -> None:
    argument = theorem.equal_collisions(S)
    assert argument.witness is None  # true, but not what is claimed
    assert not argument.holds


# -- the theorem ----------------------------------------------------------------------------------


def test_the_parts_rest_on_what_lemma_3_and_the_scaling_state() -> None:
    assert not theorem.from_lemma_3(F(2), F(3), F(8)).holds
    assert not theorem.from_lemma_3(F(2), F(2), F(7)).holds


def test_even_dimensions_are_decided_by_inequalities_and_each_holds_by_the_beta_law() -> None:
    text = [line.text for line in theorem.from_lemma_3(F(2), F(2), F(8)).lines]
    decided = [line for line in text if line.startswith("even d: ")]
    assert len(decided) == 4
    for half, p in itertools.product((2, 3, 10), (1, 2, 5)):
        dim = 2 * half + 2
        law = stats.beta(half / 2, (dim - half) / 2)
        direction = stats.beta(1 / 2, (half - 1) / 2)
        assert law.moment(2 * p) / law.moment(p) ** 2 <= (1 + 6 * p / dim) ** p
        overlap = law.moment(p) ** 2 * direction.moment(p)
        stated = np.prod([(2 * i + 1) * (half + 2 * i) / (dim + 2 * i) ** 2 for i in range(p)])
        assert overlap == pytest.approx(stated)
        assert overlap <= (4 * p / dim) ** p
        assert law.mean() >= 1 / 3
        assert direction.mean() == pytest.approx(1 / half)


def test_the_recursion_of_the_keys_interpolates_with_a_short_vector() -> None:
    rng = np.random.default_rng(1)
    dim, count = 900, 6
    phi = rng.standard_normal((count + 400, dim))
    phi /= np.linalg.norm(phi, axis=1, keepdims=True)
    eos, keys, others = phi[0], phi[1 : count + 1], phi[count + 1 :]
    v, before = eos / 2, [eos]
    for key in keys:
        basis = np.linalg.qr(np.array(before).T)[0]
        y = key - basis @ (basis.T @ key)
        assert y @ y >= 1 / 4
        x = v @ key
        assert abs(x) <= 1 / 4
        v = v + (1 - x) * y / (y @ y)
        before.append(key)
    np.testing.assert_allclose(keys @ v, 1, atol=1e-12)
    assert v @ eos == pytest.approx(1 / 2)
    assert v @ v <= 13 * count / 2
    assert np.abs(others @ v).max() < 1 / 2  # 1/4 at the sizes of the proof


@pytest.mark.parametrize(("dim", "k"), [(832, 1), (1664, 2), (4992, 6)])
def test_a_part_orthogonal_to_few_vectors_is_long(dim: int, k: int) -> None:
    """P(|y|^2 <= 1/4) for y the part of a unit vector orthogonal to k dimensions, by its Beta law."""
    exact = stats.beta.cdf(0.25, (dim - k) / 2, k / 2)
    assert exact <= 2 ** (k / 2) * 2.5 ** (-(dim - k) / 2) <= exp(-4 * dim / theorem.KEYS)


def test_the_groups_of_keys_are_no_more_than_the_heads() -> None:
    L = 2
    for d_h, more, s, r in itertools.product((1, 3, 2000), (1, 5, 40), (1, 7, 60), (1, 50)):
        dim = max(d_h, theorem.KEYS * L) + theorem.KEYS * more
        H = ceil(F(theorem.HEADS * (s + r) * L, d_h))
        size = min(d_h, floor(F(dim, theorem.KEYS * L)))
        if H == 1:
            assert s + r <= min(d_h, F(dim, theorem.KEYS * L))
        else:
            assert ceil(F(s, size)) + ceil(F(r, size)) <= H


# -- the explicit condition -----------------------------------------------------------------------


def test_the_explicit_condition_holds_and_its_neighbours_break() -> None:
    assert theorem.explicit_condition(F(4), F(1, 2)).holds
    assert not theorem.explicit_condition(F(3), F(1, 2)).holds
    assert not theorem.explicit_condition(F(4), F(2, 5)).holds


def test_the_weights_of_wide_memories_by_hand() -> None:
    """For large m a fact (s', r') weighs sqrt(2) <P s, P s'> <Q r, Q r'>."""
    exact, h = weights(), 3
    dim, wide = 7, {"m": 10**15}
    square, overlap = F(h * (h + 2), dim * (dim + 2)), F(h, dim**2)
    place = {"d": dim, "h": h}
    assert float((exact.mean(**place) ** 2).as_fraction()) == pytest.approx(2 * (h / dim) ** 4)
    variance = exact.variance(**place, **wide, C=1).as_fraction()
    assert float(variance) == pytest.approx(float(2 * (square**2 - F(h, dim) ** 4)))
    shared = exact.variance(**place, **wide, C=4).as_fraction()
    assert float(shared - variance) == pytest.approx(float(3 * 2 * overlap * square))
    noise = exact.noise(**place, **wide, S=3, R=2).as_fraction()
    by_hand = 2 * (2 * overlap * square + overlap * square + 2 * overlap**2)
    assert float(noise) == pytest.approx(float(by_hand))
