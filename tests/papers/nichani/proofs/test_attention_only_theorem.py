"""The proof of Theorem 10 and what stands around it: decided lines, sharp constants, witnesses."""

import itertools
from dataclasses import replace
from fractions import Fraction
from math import ceil, comb

import pytest

from proofs.algebra import RationalFunction
from proofs.papers.nichani import attention_capacity, attention_only, fact_tables
from proofs.papers.nichani.attention_only import Ranges

F = Fraction
ONE = RationalFunction.constant(1)
ZERO = RationalFunction.constant(0)


def symbols(names):
    return [RationalFunction.symbol(name) for name in names.split()]


# -- tables ---------------------------------------------------------------------------------------


def test_tables_under_assumption_1_are_those_whose_relations_share_no_answer():
    found = list(fact_tables.tables(2, 2, 2))
    assert len(found) == 2  # each relation has one answer, the other one has the other
    assert len(list(fact_tables.tables(2, 2, 2, disjoint=False))) == 16
    for table in found:
        _, relations = fact_tables.answer_sets(table)
        assert not relations[0] & relations[1]


def test_without_assumption_1_another_answer_can_have_both_indicators():
    witness = fact_tables.indicator_sum(F(2), F(1), F(1), disjoint=False).witness
    table, (s, r) = witness["table"], witness["(s, r)"]
    subjects, relations = fact_tables.answer_sets(table)
    assert len(subjects[s] & relations[r]) == witness["answers in common"] == 2


@pytest.mark.parametrize(("S", "R", "D"), [(2, 2, 2), (3, 1, 3), (4, 2, 3)])
def test_the_probability_of_coverage_counts_datasets(S, R, D):
    def missed(D, j):
        return F(D - j, D)

    counted = sum(
        any(len({*values[r * S : (r + 1) * S]}) == D for r in range(R))
        for values in itertools.product(range(D), repeat=S * R)
    )
    assert fact_tables.coverage(S, R, D, missed) == F(counted, D ** (S * R))


def test_a_lost_transpose_is_a_shape_error():
    with pytest.raises(fact_tables.ShapeError, match="d_h x d times T x 1"):
        fact_tables.shape_of(
            ("*", "W_V", "p"), {**fact_tables.SHAPES, "p": fact_tables.Shape("T", "1")}
        )


@pytest.mark.parametrize("k", [2, 3, 5])
def test_the_block_with_a_shared_answer_needs_a_higher_power_of_its_facts(k):
    table = fact_tables.block_and_shared_answer(k)
    assert len(table) == 2 * k * k
    assert fact_tables.asked_product(table) >= k * (k * k + 1)
    assert fact_tables.most_holders(table) == k * k + 1
    argument = attention_capacity.subset_needs(k)
    assert argument.broken is None
    assert argument.witness[f"k = {k}"]["H d d_h at least"] == F(25, 2) ** 2 * k * (k * k + 1)


@pytest.mark.parametrize("k", [1, 2, 5])
def test_a_star_that_shares_its_last_answer_asks_for_the_most(k):
    table = fact_tables.star_and_shared_answer(k)
    assert len(table) == 2 * k
    assert fact_tables.asked_product(table) == (k + 1) ** 2


def test_a_matching_asks_for_no_more_than_its_facts():
    """All answers different: two keys hold each, so a group needs a rank that does not grow."""
    matching = {(i, i): i for i in range(9)}
    assert fact_tables.most_holders(matching) == 2
    assert fact_tables.asked_product(matching) == 18


@pytest.mark.parametrize(
    "head",
    [fact_tables.one_relation(7), fact_tables.one_subject(6), fact_tables.all_answers_differ(3, 5)],
)
def test_one_head_recalls_its_table(head):
    assert head.recalls()
    spoiled = {**head.reading, next(iter(head.reading)): (0,) * head.sizes["d_h"]}
    assert not replace(head, reading=spoiled).recalls()


# -- heads ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("M", [1, 2, 3, 4, 7])
def test_twice_the_tokens_are_budget_enough(M):
    for S, R in itertools.product(range(1, 12), repeat=2):
        x = M + F(999, 1000)
        have = max(2, ceil(2 * (S + R) / x))
        assert have >= -(-S // M) - (-R // M)


@pytest.mark.parametrize("factor", [F(1), F(3, 2), F(19, 10)])
def test_a_smaller_budget_has_a_witness(factor):
    S, R = symbols("S R")
    witness = attention_only.budget(factor, S + R, F(2)).witness
    assert witness["H"] < witness["heads of the construction"]


def test_no_factor_makes_up_for_relations_that_are_not_counted():
    S, R = symbols("S R")
    assert attention_only.budget(None, S, F(1)).witness is not None
    assert attention_only.budget(None, S + R, F(1)).witness is None


@pytest.mark.parametrize(("k", "n"), [(1, 3), (2, 5), (3, 7)])
def test_on_a_circle_two_of_all_sets_of_chords_are_cut_off(k, n):
    cuts = {cut for cut in attention_only._cuts_of_chords(n) if sum(cut) == k}
    assert len(cuts) == 2
    assert len(cuts) / comb(n, k) <= 1


def test_few_tokens_inside_or_outside_are_told_apart_too_often():
    for inside, outside in ((F(1, 2), F(8)), (F(8), F(1, 2)), (F(0), F(8))):
        witness = attention_only.separable_sets(inside, outside, F(2), F(1, 5)).witness
        assert witness["P(some v)"] > witness["stated"]
    assert attention_only.separable_sets(F(8), F(8), F(2), F(1, 5)).holds


# -- gaps and logits ------------------------------------------------------------------------------


def test_the_witness_of_the_first_gap_satisfies_lemma_1():
    witness = attention_only.gap_to_end(F(1, 2)).witness
    x, _, y = (F(part) for part in witness["phi(s)"].strip("()").split(","))
    assert x * x + y * y == 1
    assert x < F(1, 4)  # <v, phi(s)> below <v, phi(EOS)> - 1/4
    assert witness["gap over beta"] == F(1, 2) - x < F(1, 2)


@pytest.mark.parametrize(("end", "others"), [(F(1, 4), F(1, 2)), (F(1, 5), F(1, 3))])
def test_the_gaps_of_lemma_1_hold(end, others):
    assert attention_only.gap_to_key(end, others).holds


@pytest.mark.parametrize(("end", "others"), [(F(13, 50), F(0)), (F(0), F(13, 25))])
def test_larger_gaps_are_refuted(end, others):
    assert attention_only.gap_to_key(end, others).witness is not None


def test_two_in_the_bound_on_beta_is_sharp():
    H, T = symbols("H T")
    assert attention_only.finite_temperature(F(2), H, T - 1).holds
    assert attention_only.finite_temperature(F(199, 100), H, T - 1).witness is not None


def test_the_head_that_misses_one_sixth_can_be_checked_by_hand():
    witness = attention_only.score_accuracy(F(1, 6)).witness
    x = F(15, 17)
    assert witness["phi(a)^T W phi(s)"] == F(3, 2) * x * x
    assert F(1, 6) < witness["less 1"] <= F(1, 5)


@pytest.mark.parametrize(
    ("ranges", "wins"),
    [
        (Ranges(F(4, 5), F(6, 5), F(1, 5)), True),
        (Ranges(F(3, 4), F(5, 4), F(6, 25)), True),
        (Ranges(F(3, 4), F(5, 4), F(1, 4)), False),
    ],
)
def test_the_answer_wins_while_deviations_are_below_one_quarter(ranges, wins):
    assert attention_only.argmax_of_ranges(ranges, disjoint=True).holds is wins


# -- capacity -------------------------------------------------------------------------------------


def sizes(**changed):
    R, D, S = symbols("R D S")
    given = {
        "width_constant": F(10**9),
        "width_of_r": R,
        "width_of_d": D,
        "width_power": F(6),
        "heads_constant": F(10**9),
        "heads": S,
        "heads_power": F(6),
    }
    return attention_capacity.Sizes(**{**given, **changed})


def recalls(**changed):
    q, p = symbols("q p")
    return attention_capacity.recalls_all(sizes(**changed), q - 1, p / 2)


@pytest.mark.parametrize(
    "changed",
    [
        {"width_power": F(5)},
        {"heads_power": F(5)},
        {"width_constant": F(10**6)},
        {"heads_constant": F(10**6)},
    ],
)
def test_a_weaker_condition_is_not_proved_and_not_accused(changed):
    argument = recalls(**changed)
    assert argument.witness is None
    assert not argument.holds


@pytest.mark.parametrize(
    "part",
    [
        "n0 >= 1",
        "so floor(H/groups)",
        "the least eigenvalue",
        "scores: 2 exp",
        "lengths and eigenvalues",
        "Case B, relations",
        "its base is q - 1",
        "q^3 sqrt(Var)",
        "the union of all groups",
        "the union of |V|(S + R) scores",
    ],
)
def test_the_proof_contains_its_parts(part):
    """Keys, groups, scores and unions: a part that is left out is missed."""
    argument = recalls()
    assert any(line.text.startswith(part) for line in argument.lines)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("KAPPA", 2 * 10**5),
        ("GROUPS", 2),
        ("KEPT", F(84, 85) + F(1, 10**4)),
        ("KEPT", F(1, 10**9)),
        ("ROOT", F(1, 2)),
        ("ROOT", F(1, 2000)),
        ("BELOW", F(1, 512)),
        ("BELOW", F(1, 2)),
        ("SHARE", 1),
        ("VARIANCE", 134_000),
        ("VARIANCE", 10**6),
        ("MULTIPLE", 2),
        ("MULTIPLE", 4),
        ("FAILURE", F(1, 2)),
        ("LEMMA_2", F(1, 4)),
        ("TOKENS", 1),
    ],
)
def test_a_sabotaged_number_breaks_the_proof(monkeypatch, name, value):
    monkeypatch.setattr(attention_capacity, name, value)
    argument = recalls()
    assert argument.witness is None
    assert not argument.holds


@pytest.mark.parametrize("factor", [F(1, 10**6), F(1, 2**20)])
def test_less_rank_than_the_groups_give_breaks_the_variances(factor):
    _, ratio = attention_capacity._groups(F(10**9))
    assert ratio == F(500, 9)
    assert attention_capacity._variances(F(10**9), ratio).holds
    assert not attention_capacity._variances(F(10**9), ratio * factor).holds


def test_weaker_moments_break_the_proof():
    q, p = symbols("q p")
    assert not attention_capacity.recalls_all(sizes(), q, p / 2).holds
    assert not attention_capacity.recalls_all(sizes(), q - 1, p).holds
