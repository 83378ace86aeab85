"""The best learners of small worlds: by hand, against every partition, and against the bounds."""

import itertools
from fractions import Fraction

import pytest

from proofs.algebra import RationalFunction
from proofs.information import learners, processing
from proofs.information.budgets import (
    DERIVED,
    SHARP,
    TailBound,
    fractional_loss,
    touched_tokens,
    whole_tokens,
)
from proofs.information.entropy import ZERO, bits, log
from proofs.information.power_laws import power_law, power_sum, tail_mass
from proofs.papers.nichani.bits import loss_bounds, scaling

F = Fraction
_k, _K, _L, _B = (RationalFunction.symbol(name) for name in "kKLB")
PRINTED = TailBound(_K, RationalFunction.constant(0))
TABLE = learners.table(3000)


@pytest.mark.parametrize(
    ("M", "B", "whole", "touched"),
    [(2, 0, 0, 0), (2, 3, 3, 3), (3, 1, 0, 1), (3, 2, 1, 2), (4, 3, 1, 2), (8, 6, 2, 2)],
)
def test_budgets_are_counted_in_whole_tokens(M, B, whole, touched):
    assert (whole_tokens(M, B), touched_tokens(M, B)) == (whole, touched)


def test_budgets_of_many_bits_agree_with_powers():
    for M, B in itertools.product(range(2, 12), range(40)):
        k = whole_tokens(M, B)
        assert M**k <= 2**B < M ** (k + 1)
        assert M ** touched_tokens(M, B) >= 2**B


def test_losses_by_hand():
    assert learners.optimal([1], 2, 1) == learners.Optimum(ZERO, (0, 1))
    assert learners.optimal([1], 3, 1).loss == bits(F(2, 3))
    assert learners.optimal([F(2, 3), F(1, 3)], 2, 1) == learners.Optimum(
        bits(F(1, 3)), (0, 0, 1, 1)
    )
    assert learners.optimal([F(1, 2)] * 2, 3, 0).loss == log(3)


@pytest.mark.parametrize(("N", "M", "B"), [(1, 4, 1), (2, 2, 1), (2, 3, 1), (1, 5, 2), (3, 2, 1)])
def test_the_search_misses_no_encoder(N, M, B):
    prior = power_law(N, 1)
    every = itertools.product(range(2**B), repeat=M**N - 1)
    least = min(learners.loss(prior, M, (0, *rest)) for rest in every)
    best = learners.optimal(prior, M, B)
    assert best.loss == least == learners.loss(prior, M, best.encoder)


def test_no_encoder_of_a_small_world_is_below_the_bounds_that_are_proved():
    assert len(TABLE) > 30
    for row in TABLE:
        assert row.bound(DERIVED) <= row.bound(SHARP) <= row.best.loss, row
        assert row.bound(SHARP) == fractional_loss(row.prior, row.M, row.B), row
        assert row.gap >= ZERO


@pytest.mark.slow
def test_the_same_in_every_world_within_the_limit():
    rows = learners.table()
    assert len(rows) > len(TABLE)
    assert all(row.bound(DERIVED) <= row.bound(SHARP) <= row.best.loss for row in rows)


def test_the_printed_bound_is_above_the_best_learner_of_a_single_value():
    wrong = [row for row in TABLE if row.best.loss < row.bound(PRINTED)]
    assert (wrong[0].N, wrong[0].M, wrong[0].B) == (1, 2, 1)
    single = [row for row in TABLE if row.N == 1 and touched_tokens(row.M, row.B) == 1]
    assert all(row in wrong for row in single)


def test_the_sharp_bound_is_attained_where_the_bits_store_whole_tokens():
    attained = [row for row in TABLE if row.gap == ZERO]
    assert all(row in attained for row in TABLE if row.M**row.B == 2**row.B)
    assert any(row.gap > ZERO for row in TABLE)


def test_worlds_are_those_within_the_limit():
    found = set(learners.worlds(1000))
    assert max(learners.encoders(*world) for world in found) <= 1000
    assert {(1, 2, 1), (1, 9, 1), (2, 3, 1), (3, 2, 1)} <= found
    assert (1, 10, 1) not in found


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: learners.optimal([1], 1, 1), "M = 1"),
        (lambda: learners.optimal([], 2, 1), "add up to 0"),
        (lambda: learners.optimal([1], 2, -1), "B = -1"),
        (lambda: learners.optimal([F(1, 3), F(2, 3)], 2, 1), "sort it downwards"),
        (lambda: learners.optimal([F(3, 2), F(-1, 2)], 2, 1), "probability 1"),
        (lambda: learners.optimal(power_law(5, 1), 2, 1), "more than 1000000 encoders"),
        (lambda: learners.encoders(0, 2, 1), "N = 0"),
        (lambda: power_law(0, 1), "N = 0"),
        (lambda: power_law(3, -1), "alpha = -1"),
        (lambda: tail_mass(4, 3, F(2)), "k = 4, n = 3"),
        (lambda: TailBound(_K / 2, _B).value((F(1),), 2, 1), "first = 1/2"),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_power_laws_exactly_and_as_balls():
    assert power_law(3, 1) == (F(6, 11), F(3, 11), F(2, 11))
    assert power_law(2, 0) == (F(1, 2), F(1, 2))
    exact = power_sum(3, 9, 2) / power_sum(1, 9, 2)
    ball = tail_mass(3, 9, F(2))
    assert abs(float(ball) - exact) < 1e-15


def test_the_exact_bound_ends_where_everything_fits():
    assert scaling.exact_bound(3, 2, 3, F(3, 2)) == 0
    assert scaling.exact_bound(3, 2, 0, F(3, 2)).contains(1)
    assert abs(float(scaling.exact_bound(2, 2, 1, F(2))) - F(1, 5)) < 1e-15


def test_every_learner_of_the_proof_is_a_markov_chain_of_uniform_values():
    for learner in processing.learners()[::13]:
        law = learner.law
        assert law.is_markov(learner.values, "F", "h"), learner.name
        assert law.entropy(learner.values) == learner.N * log(learner.M), learner.name
        assert len(law.marginal("F").law) <= 2**learner.B


def test_every_step_of_the_proof_is_strict_somewhere_and_attained_somewhere():
    found = [learner.quantities() for learner in processing.learners()]
    for larger, smaller in (("I", "P"), ("H", "I"), ("B", "H"), ("P", "T")):
        assert any(q[larger] == q[smaller] != ZERO for q in found), (larger, smaller)
        assert any(q[larger] > q[smaller] for q in found), (larger, smaller)


def test_a_true_but_weaker_bound_is_proved_too():
    weaker = TailBound(_K + 2, RationalFunction.constant(0), F(1, 2))
    assert loss_bounds.tail_bound(weaker, least_bits=0).holds


def test_a_bound_that_no_small_world_refutes_still_breaks_the_argument():
    # A millionth of a bit too much: the linear program has it, no small encoder comes so near.
    slightly = TailBound(_k + 2, (_k + 1) * _L - _B * F(999_999, 1_000_000))
    argument = loss_bounds.tail_bound(slightly, least_bits=0)
    assert argument.witness is not None or not argument.holds


def test_the_tail_of_a_power_law_is_below_and_above():
    for alpha, k in itertools.product((2, 3), range(1, 12)):
        for n in range(k, 40):
            ratio = power_sum(k, n, alpha) / power_sum(1, n, alpha) * k ** (alpha - 1)
            assert ratio <= 1
            if n >= 2 * k - 1:
                assert ratio >= scaling.LOWER(alpha=alpha, h=F(1, 2**alpha)).as_fraction()


_alpha, _h, _N = (RationalFunction.symbol(name) for name in ("alpha", "h", "N"))
_ZERO = RationalFunction.constant(0)


@pytest.mark.parametrize(
    "bound",
    [
        TailBound(_k + 2, (_k + 1) * _L - _B * F(999, 1000), F(1, 2)),
        TailBound(_K + 3, _ZERO, F(11, 10)),
        TailBound(_K + 3, _ZERO, F(-1, 10)),
    ],
    ids=["more than the rest", "a factor above 1", "a factor below 0"],
)
def test_a_tail_bound_just_beyond_what_a_line_allows_breaks_it(bound):
    argument = loss_bounds.tail_bound(bound, least_bits=0)
    assert argument.witness is None  # no small world is against it
    assert not argument.holds


@pytest.mark.parametrize(
    ("argue", "beyond", "weaker"),
    [
        (loss_bounds.zero_loss, (_N * _L + (_N - 6) * _L / 10,), (_N * _L / 2,)),
        (
            scaling.scaling_law,
            (scaling.LOWER, 1 - _alpha, 2 * _K - F(1, 2)),
            (scaling.LOWER / 2, 1 - _alpha, 2 * _K + 1),
        ),
        (
            scaling.scaling_law,
            (scaling.LOWER * F(11, 10), 1 - _alpha, 2 * _K),
            (scaling.LOWER, 1 - _alpha, 3 * _K),
        ),
        (
            scaling.tail,
            (scaling.LOWER, _ZERO + 1, 2 * _k - F(3, 2)),
            (scaling.LOWER, _ZERO + 2, 2 * _k),
        ),
        (
            scaling.tail,
            (scaling.LOWER * F(11, 10), _ZERO + 1, 2 * _k - 1),
            (scaling.LOWER, _ZERO + 1, 3 * _k),
        ),
        (scaling.store_top, (F(99, 100), _alpha, _k), (F(2), _alpha + 1, _k)),
    ],
    ids=["bits", "tokens", "constant", "reach", "lower constant", "factor"],
)
def test_a_formula_just_beyond_what_a_line_allows_breaks_it(argue, beyond, weaker):
    argument = argue(*beyond)
    assert argument.witness is None  # no size that is tried is against it
    assert not argument.holds
    assert argue(*weaker).holds


def test_the_lower_constant_is_that_of_the_zeta_bound():
    assert _h * (_alpha - 1) / _alpha == scaling.LOWER


@pytest.mark.parametrize(("reach", "allowed"), [(_k, True), (_k / 2, True), (_k + 1, False)])
def test_short_tails_are_tails_that_are_stated(reach, allowed):
    assert scaling.short_tails(reach).holds is allowed
