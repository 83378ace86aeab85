"""Lemma 2 and its proof: counterexamples by hand, and heads built wrongly."""

from fractions import Fraction

import pytest

from verify.auditing.power import JUDGES
from verify.claim import Road
from verify.verdict import Verdict


@pytest.mark.parametrize(
    "name",
    [
        *("statement", "mean", "cross-identity", "cross-bound", "omega-sq-first", "second-moment"),
        *("variance-identity", "variance-order"),
    ],
)
def test_the_lines_by_hand_have_what_the_check_finds(judge, registry, name):
    found = judge.counterexample(f"nichani.lem2.{name}")
    text = " ".join(registry[f"nichani.lem2.{name}"].by_hand)
    assert [key for key in ("exact", "printed") if str(found.get(key, "")) not in text] == []


@pytest.mark.parametrize(
    ("name", "exact", "printed"),
    [
        ("cross-bound", Fraction(3, 8), Fraction(1, 4)),
        ("omega-sq-first", Fraction(3, 8), Fraction(1, 3)),
        ("second-moment", Fraction(1, 2), Fraction(7, 16)),
    ],
)
def test_the_counterexamples_are_those_of_the_notes(judge, name, exact, printed):
    found = judge.counterexample(f"nichani.lem2.{name}")
    assert (found["exact"], found["printed"], found["at"]["d"]) == (exact, printed, 2)


def test_the_second_moment_is_exceeded_with_four_vectors_in_the_plane(judge):
    found = judge.counterexample("nichani.lem2.second-moment")
    assert found["at"] == {"d": 2, "d_h": 4, "b": 0, "c": 0, "g": 1}


def test_the_lemma_fails_for_many_keys_in_few_dimensions(judge):
    found = judge.counterexample("nichani.lem2.statement")
    assert found["head"] == "all keys hold the answer a alone"
    assert "n = t^1, d fixed" in found["sizes"]


@pytest.mark.parametrize(
    ("id_", "fault"),
    [
        ("nichani.lem2.mean.corrected", "scale without d"),
        ("nichani.lem2.mean.corrected", "untied w"),
        ("nichani.lem2.cross-identity.corrected", "w on the whole sphere"),
        ("nichani.lem2.cross-identity.corrected", "untied w"),
        ("nichani.lem2.variance-identity.corrected", "untied w"),
    ],
)
def test_a_head_built_wrongly_is_noticed_on_both_roads(judge, registry, id_, fault):
    checks = registry.checks(id_)
    assert {check.road for check in checks if check.builds} == set(JUDGES)
    for check, found in zip(checks, judge.all(id_, tuple(Road), fault=fault), strict=True):
        assert found.verdict is Verdict.REFUTED or not check.builds, check.key


def test_w_on_the_whole_sphere_leaves_the_mean(judge):
    """E w w^T = I/d there: the mean of a score does not tell the two laws apart, products do."""
    found = judge("nichani.lem2.mean.corrected", fault="w on the whole sphere")
    assert found.verdict is Verdict.PROVED
