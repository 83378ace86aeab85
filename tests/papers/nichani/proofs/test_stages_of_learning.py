"""Balanced tables, Theorem 6 and the time of Lemma 6, against small tables worked out by hand."""

from fractions import Fraction
from itertools import product

import pytest
from flint import arb

from proofs.algebra import RationalFunction
from proofs.algebra.balls import precision
from proofs.gradient_flow import symmetric
from proofs.papers.nichani.training import (
    early_subjects,
    escape_time,
    sequential,
    sequential_steps,
)

F = Fraction
D = RationalFunction.symbol("D")
R = RationalFunction.symbol("R")


# -- balanced tables ------------------------------------------------------------------------------


@pytest.mark.parametrize(("relations", "values", "copies"), [(2, 2, 1), (3, 2, 2), (2, 4, 1)])
def test_residuals_agree_with_a_sum_over_all_facts(relations, values, copies):
    X, Y = Fraction(7, 2), Fraction(5, 3)
    answers = list(product(range(relations), range(values)))

    def law(s, r):
        weights = [(X if a[0] == r else 1) * (Y if a[1] == s % values else 1) for a in answers]
        return [w / sum(weights) for w in weights]

    subjects = range(values * copies)
    found = symmetric.residuals()

    def residual(a, facts):
        total = Fraction(0)
        for s, r in facts:
            total += ((r, s % values) == a) - law(s, r)[answers.index(a)]
        return total / len(facts)

    def exact(function):
        return function(R=relations, D=values, X=X, Y=Y).as_fraction()

    of_relation = [(s, 0) for s in subjects]
    of_subject = [(0, r) for r in range(relations)]
    everything = [(s, r) for s in subjects for r in range(relations)]
    for a in answers:
        inside = found.relation_inside if a[0] == 0 else found.relation_outside
        assert residual(a, of_relation) == exact(inside)
        inside = found.subject_inside if a[1] == 0 else found.subject_outside
        assert residual(a, of_subject) == exact(inside)
        assert residual(a, everything) == exact(found.everywhere) == 0


def test_rates_at_the_start():
    # |p*(.|r) - p0|^2 and |p*(.|s) - p0|^2 by hand, at S = 6, R = 2, D = 3.
    relation = Fraction(1, 3) - Fraction(1, 6)
    subject = Fraction(1, 2) - Fraction(1, 6)
    assert symmetric.rate_ratio()(S=6, R=2, D=3).as_fraction() == (relation / 4) / (subject / 36)


def test_times_enclose_the_quadrature():
    relation, _ = symmetric.blocks(4, 3, 2, -8)
    early, late = relation.times(arb(3))
    assert early < late
    assert late - early < early / 20
    # phi' = rate (1 - P) <= rate (1 - 1/R), so not before the angle over that.
    least = relation.angle(arb(3)) / (relation.probability * relation.length * arb(2) / 3)
    assert early >= least * (1 - arb(2) ** -60)


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ((8, 8, 2), True),
        ((4, 9, 2), True),
        ((2, 2, 2), False),
        ((3, 3, 3), False),
        ((2, 5, 2), False),
    ],
)
def test_plateau_is_certified(sizes, expected):
    assert symmetric.has_plateau(*sizes, -5000) is expected


def test_plateau_needs_a_small_scale():
    assert symmetric.has_plateau(4, 9, 2, -12) is False
    assert symmetric.has_plateau(4, 9, 2, -230) is True


@pytest.mark.parametrize("sizes", [(4, 1, 2), (4, 2, 1), (5, 2, 2)])
def test_sizes_that_are_no_balanced_table(sizes):
    with pytest.raises(ValueError, match=r"take R, D >= 2 and S a multiple of D"):
        symmetric.blocks(*sizes, -10)


@pytest.mark.parametrize("close", [Fraction(0), Fraction(-1), Fraction(2)])
def test_a_loss_that_is_close_to_nothing(close):
    with pytest.raises(ValueError, match=rf"close = {close}: take a positive number below log 2"):
        symmetric.has_plateau(4, 4, 2, -100, close)


@pytest.mark.parametrize(
    "ask",
    [
        lambda zero: sequential.slowest(zero),
        lambda zero: sequential.one_relation(zero),
        lambda zero: sequential.eos_alike(zero),
        lambda zero: sequential.theorem(zero, F(4), F(1, 2), F(1, 2)),
        lambda zero: sequential.theorem(F(8), zero, F(1, 2), F(1, 2)),
        lambda zero: sequential.theorem(F(8), F(4), zero, F(1, 2)),
    ],
)
@pytest.mark.parametrize("value", [F(0), F(-5)])
def test_factors_are_positive(ask, value):
    with pytest.raises(ValueError, match=rf"= {value}: take a positive number"):
        ask(value)


def test_border_is_where_the_rates_are_equal():
    tables = list(symmetric.small_tables())
    assert len(tables) == len(set(tables)) > 100
    ratio = symmetric.rate_ratio()
    for S, r, d in tables[::17]:
        found = symmetric.has_plateau(S, r, d, -50000)
        if found is not None:
            assert found == (ratio(S=S, R=r, D=d).as_fraction() > 1)


# -- Theorem 6 ------------------------------------------------------------------------------------


@pytest.mark.parametrize("subjects", [Fraction(8), Fraction(1), Fraction(17, 2), Fraction(100)])
def test_one_relation_satisfies_the_hypothesis(subjects):
    argument = sequential.one_relation(subjects)
    assert argument.broken is None
    assert argument.witness["S"] >= 2 * subjects
    assert 2 * argument.witness["subjects with the first answer"] == argument.witness["S"] + 1


def test_smallest_instance_of_one_relation():
    assert sequential.one_relation(Fraction(8)).witness["S"] == 17
    assert sequential.one_relation(Fraction(1)).witness["S"] == 3


@pytest.mark.parametrize(
    ("subjects", "noise", "power", "holds"),
    [
        (8, 4, Fraction(1, 2), True),
        (5, 4, Fraction(1, 2), True),
        (4, 4, Fraction(1, 2), False),
        (8, 3, Fraction(1, 2), False),
        (8, 8, Fraction(3, 4), False),
        (9, 8, Fraction(3, 4), True),
        (8, 4, Fraction(1, 3), False),
    ],
)
def test_constants_of_the_theorem(subjects, noise, power, holds):
    argument = sequential.theorem(Fraction(subjects), Fraction(noise), power, Fraction(1, 2))
    assert argument.holds is holds
    assert argument.assumptions


def test_time_of_the_theorem():
    assert sequential.relations_first(Fraction(2)).holds
    assert not sequential.relations_first(Fraction(19, 10)).holds
    assert sequential.too_early(Fraction(7, 5)) is not None
    assert sequential.too_early(Fraction(3, 2)) is None


@pytest.mark.parametrize(
    ("share", "slowest"),
    [(Fraction(1, 3), 2), (Fraction(1, 2), 2), (Fraction(3, 4), 4), (Fraction(1), None)],
)
def test_time_by_the_largest_share_of_answers(share, slowest):
    assert sequential.slowest(share) == slowest
    argument = sequential.theorem(Fraction(100), Fraction(100), Fraction(1, 2), share)
    assert argument.holds is (slowest is not None)
    if slowest is not None:
        assert sequential.relations_first(Fraction(slowest), share).holds
        assert not sequential.relations_first(Fraction(slowest) - Fraction(1, 10), share).holds


def test_what_two_near_logits_exclude():
    # 9/17 is 1/34 from 1/2; about 0.35/17 is the largest epsilon that excludes it.
    assert sequential.excluded(Fraction(9, 17), Fraction(1, 100))
    assert not sequential.excluded(Fraction(9, 17), Fraction(1, 40))
    assert not sequential.excluded(Fraction(9, 17), Fraction(1, 20))


def test_growth_of_a_subject_against_that_of_a_relation():
    # Equal rates at S = R = D = 2; with e^y = 2 the subject has lost a third of its own.
    with precision(64):
        found = early_subjects._growth(2, 2, 2, arb(2).log())
        assert abs(found - arb(2) / 3) < arb(2) ** -50


def test_too_few_subjects():
    found = early_subjects.unreached(Fraction(1, 4), Fraction(1, 100))
    S, r, d = found["S"], found["R"], found["D"]
    assert Fraction(1, 16) * r**2 * 2 * d <= S**2
    assert symmetric.rate_ratio()(S=S, R=r, D=d).as_fraction() < 1
    assert early_subjects.unreached(Fraction(8), Fraction(1, 100)) is None


def test_subjects_are_larger_than_a_high_power():
    found = early_subjects.too_large(Fraction(8), Fraction(19, 20), Fraction(1, 100))
    S, r, d = found["S"], found["R"], found["D"]
    assert 64 * r**2 * 2 * d <= S**2
    assert early_subjects.too_large(Fraction(8), Fraction(1, 2), Fraction(1, 100)) is None


def test_eos_grows_along_with_a_single_relation():
    argument = sequential.eos_alike(Fraction(8))
    assert argument.broken is None
    assert argument.witness["S"] == 16


# -- Lemma 6 --------------------------------------------------------------------------------------


def test_growth_by_hand():
    found = escape_time.Growth.of(32)
    assert found.eos == Fraction(15, 32)
    assert (
        found.before_squared == (Fraction(31, 32) ** 2 + Fraction(1, 32) ** 2 - Fraction(1, 4)) / 4
    )
    assert found.after_squared == (Fraction(31, 32) ** 2 + Fraction(1, 32) ** 2) / 8


@pytest.mark.parametrize("S", [8, 16, 32, 1000])
def test_eos_first(S):
    assert escape_time.eos_first(S, Fraction(1)).witness is not None
    assert escape_time.eos_first(S, Fraction(11, 10)).holds


def test_eos_is_not_first_with_few_subjects():
    argument = escape_time.eos_first(4, Fraction(1))
    assert argument.broken is not None
    assert argument.witness is None


@pytest.mark.parametrize(
    ("constant", "floor", "holds", "false"),
    [
        (Fraction(1, 100), 2, True, False),
        (Fraction(1, 25), 2, True, False),
        (Fraction(1, 20), 2, False, False),
        (Fraction(2, 5), 2, False, True),
        (Fraction(1, 100), 0, False, True),
    ],
)
def test_size_at_the_end_of_stage_1(constant, floor, holds, false):
    argument = escape_time.escape_size(constant, Fraction(floor))
    assert argument.holds is holds
    assert (argument.witness is not None) is false


# -- the steps ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("outcome", "holds"),
    [
        (sequential_steps.accuracy(F(1, 100), F(1, 50), F(1)), True),
        (sequential_steps.accuracy(F(1), F(1, 50), F(1)), False),
        (sequential_steps.distance(2 * D, F(2)), True),
        (sequential_steps.distance(2 * D - 1, F(2)), False),
        (sequential_steps.distance(2 * D, F(19, 10)), False),
        (sequential_steps.answer_count(F(2), True), True),
        (sequential_steps.answer_count(F(2), False), False),
        (sequential_steps.answer_count(F(1), False), True),
        (sequential_steps.answer_count(F(3), True), False),
        (sequential_steps.runtime(F(100), F(2)), True),
        (sequential_steps.runtime(F(99), F(2)), False),
        (sequential_steps.time_bound(R / R * 2, 2 * D), True),
        (sequential_steps.time_bound(R / R * 2, D), False),
        (sequential_steps.exponent(F(4), D, F(8), F(1, 2)), True),
        (sequential_steps.exponent(F(4), D, F(4), F(1, 2)), False),
        (sequential_steps.start(F(1, 2), F(1, 2), F(1, 4), F(1, 100)), True),
        (sequential_steps.start(F(1, 2), F(1, 2), F(1, 2), F(1, 100)), False),
        (sequential_steps.start(F(1, 2), F(1, 2), F(1, 4), F(2)), False),
        (sequential_steps.condition_on_alpha(F(1, 300), F(1)), True),
        (sequential_steps.condition_on_alpha(F(1, 150), F(1)), False),
        (sequential_steps.condition_on_alpha(F(1, 300), F(0)), False),
        (sequential_steps.final_step(2 * R, F(2)), True),
        (sequential_steps.final_step(2 * R, F(0)), False),
        (sequential_steps.final_step(R / 2, F(2)), False),
        (sequential_steps.final_step(R / R, F(0)), False),
    ],
)
def test_steps(outcome, holds):
    assert outcome.holds is holds
    assert (outcome.witness is not None) is not holds


def test_need_below_twice_the_relations_is_not_enough_for_the_last_step():
    argument = sequential_steps.final_step(3 * R / 2, F(2))
    assert not argument.holds
    assert argument.witness is None


def test_the_loss_of_a_square_is_shown_before_the_late_times():
    assert sequential_steps.final_step(R / R, F(0)).witness["table"] == "balanced"
    assert sequential_steps.final_step(2 * R, F(0)).witness["time"] == "late"


def test_subjects_must_stay_small_for_eos_to_be_first():
    argument = escape_time.eos_first(5, Fraction(1))
    broken = [line.text for line in argument.lines if not line.holds]
    assert any(text.startswith("subjects stay below") for text in broken)


def test_constants_of_stage_1():
    # (1 - 1/25)/(8 e) over 1 + 8/(1 - 4/300) (1 - 1/25)/(8 e)/450.
    whole = (1 - arb(1) / 25) / (8 * arb(1).exp())
    most = whole / (1 + 8 / (1 - arb(4) / 300) * whole / 450)
    below = F(int(1e6 * float(most.mid())), 10**6)
    assert escape_time.escape_size(below, F(2)).holds
    assert not escape_time.escape_size(below + F(1, 10**6), F(2)).holds


def test_distance_is_least_for_the_uniform_law():
    # Among laws with denominators 6 on two of four answers.
    least = min(
        (F(k, 6) - F(1, 4)) ** 2 + (F(6 - k, 6) - F(1, 4)) ** 2 + F(2, 16) for k in range(7)
    )
    assert least == F(1, 2) - F(1, 4)


def test_a_dominant_answer_set_is_learned_no_faster_than_a_subject():
    # R = 2, D = S = |A_1|, |A_2| = 1, the second relation is learned and EOS has not grown.
    S = answers = 512
    assert 64 * 4 * 2 * answers <= S**2
    uniform = F(1, answers + 1)
    relation = answers * (F(1, answers) - uniform) ** 2 + uniform**2
    subject = (1 - uniform) ** 2 + answers * uniform**2  # its other half is learned already
    assert relation / 2**2 == subject / (2 * S) ** 2 == F(1, 4 * answers * (answers + 1))
