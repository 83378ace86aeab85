"""Verdicts: merging roads, capping by what is used, comparing with the record."""

import pytest

from verify.verdict import Verdict, as_recorded, capped, merge, together

V = Verdict


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        ([], V.NOT_RUN),
        ([V.PROVED, V.SUPPORTED], V.PROVED),
        ([V.SUPPORTED, V.CERTIFIED], V.CERTIFIED),
        ([V.CERTIFIED, V.ARGUED, V.SUPPORTED], V.ARGUED),
        ([V.ARGUED, V.PROVED], V.PROVED),
        ([V.ARGUED, V.INCONCLUSIVE], V.ARGUED),
        ([V.ARGUED, V.REFUTED], V.CONFLICT),
        ([V.ARGUED, V.ERROR], V.ERROR),
        ([V.SUPPORTED, V.INCONCLUSIVE], V.SUPPORTED),
        ([V.REFUTED, V.REFUTED], V.REFUTED),
        ([V.REFUTED, V.INCONCLUSIVE], V.REFUTED),
        ([V.PROVED, V.REFUTED], V.CONFLICT),
        ([V.SUPPORTED, V.REFUTED, V.ERROR], V.CONFLICT),
        ([V.PROVED, V.ERROR], V.ERROR),
        ([V.CONFLICT, V.PROVED], V.CONFLICT),
        ([V.INCONCLUSIVE, V.NOT_RUN], V.INCONCLUSIVE),
    ],
)
def test_roads_merge_to_the_strongest_or_to_a_conflict(verdicts, expected):
    assert merge(verdicts) is expected


def test_checks_on_the_road_of_proofs_make_one_proof_that_has_the_words_of_all():
    assert together([V.PROVED, V.ARGUED, V.CERTIFIED]) == [V.ARGUED, V.ARGUED, V.CERTIFIED]
    assert together([V.PROVED, V.CERTIFIED]) == [V.PROVED, V.CERTIFIED]


@pytest.mark.parametrize("weak", [V.INCONCLUSIVE, V.REFUTED, V.NOT_RUN, V.ERROR, V.CONFLICT])
def test_a_claim_that_rests_on_something_not_established_is_at_most_inconclusive(weak):
    assert capped(V.PROVED, [V.PROVED, weak]) is V.INCONCLUSIVE


def test_a_refutation_is_not_capped():
    assert capped(V.REFUTED, [V.INCONCLUSIVE]) is V.REFUTED


@pytest.mark.parametrize("weakest", [V.PROVED, V.ARGUED, V.CERTIFIED, V.SUPPORTED])
def test_a_proof_is_as_strong_as_the_weakest_claim_it_uses(weakest):
    assert capped(V.PROVED, [V.PROVED, weakest, V.PROVED]) is weakest


@pytest.mark.parametrize("stronger", [V.PROVED, V.ARGUED])
def test_a_strong_use_makes_nothing_stronger(stronger):
    assert capped(V.CERTIFIED, [stronger]) is V.CERTIFIED


def test_without_uses_nothing_is_capped():
    assert [capped(v, []) for v in V] == list(V)


@pytest.mark.parametrize(
    ("verdict", "recorded", "full", "expected"),
    [
        (V.PROVED, V.PROVED, True, True),
        (V.SUPPORTED, V.PROVED, True, False),
        (V.SUPPORTED, V.PROVED, False, True),
        (V.PROVED, V.SUPPORTED, False, False),
        (V.ARGUED, V.ARGUED, True, True),
        (V.ARGUED, V.PROVED, True, False),
        (V.PROVED, V.ARGUED, True, False),
        (V.PROVED, V.ARGUED, False, False),
        (V.SUPPORTED, V.ARGUED, False, True),
        (V.REFUTED, V.ARGUED, False, False),
        (V.INCONCLUSIVE, V.PROVED, False, True),
        (V.INCONCLUSIVE, V.PROVED, True, False),
        (V.NOT_RUN, V.REFUTED, False, True),
        (V.REFUTED, V.PROVED, False, False),
        (V.PROVED, V.REFUTED, False, False),
        (V.CONFLICT, V.CONFLICT, False, False),
        (V.ERROR, None, False, False),
        (V.REFUTED, None, False, False),
        (V.SUPPORTED, None, True, True),
        (V.NOT_RUN, None, True, True),
        (V.PROVED, V.INCONCLUSIVE, False, False),
    ],
)
def test_a_run_is_held_against_the_record(verdict, recorded, full, expected):
    assert as_recorded(verdict, recorded, full=full) is expected


@pytest.mark.parametrize("record", [V.PROVED, V.ARGUED])
@pytest.mark.parametrize("weaker", [V.SUPPORTED, V.INCONCLUSIVE])
def test_a_broken_proof_is_not_excused_by_a_quick_profile(weaker, record):
    assert as_recorded(weaker, record, full=False)
    assert not as_recorded(weaker, record, full=False, exact=True)


def test_a_step_that_fell_back_to_words_is_not_excused_by_a_quick_profile():
    assert not as_recorded(V.ARGUED, V.PROVED, full=False, exact=True)


def test_what_is_argued_is_said_to_hold():
    assert V.ARGUED.positive
    assert V.ARGUED.decided


def test_a_lost_counterexample_is_not_excused_by_a_quick_profile():
    assert not as_recorded(V.INCONCLUSIVE, V.REFUTED, full=False, exact=True)


def test_a_measured_record_may_stay_open_when_only_the_exact_road_ran():
    assert as_recorded(V.INCONCLUSIVE, V.SUPPORTED, full=False, exact=True)
