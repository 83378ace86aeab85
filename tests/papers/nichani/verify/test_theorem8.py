"""The claims of Theorem 8 and of Lemmas 8 to 11: what the counterexample rests on."""

import re


def test_the_lines_by_hand_come_to_the_informations_that_the_check_encloses(judge, registry):
    id_ = "nichani.thm8.chain-single"
    found = judge.counterexample(id_)
    left, right = re.findall(r"\[(0\.\d+?)0* \+/-", found["in bits"])
    lines = " ".join(registry[id_].by_hand)
    assert f"~ {left}]]" in lines
    assert f"~ {right}]]" in lines


def test_the_theorem_is_read_for_facts_of_positive_probability(registry):
    assert "$p > 0$" in registry["nichani.thm8.stmt"].reading_note


def test_the_combined_bound_rests_on_the_lemmas(registry):
    uses = set(registry["nichani.thm8.combined"].uses)
    assert {f"nichani.lem{n}.stmt" for n in ("8", "9", "10")} <= uses
    assert "nichani.thm8.chain-single" not in uses


def test_the_lower_order_term_is_refuted_only_without_the_condition_of_the_set_up(registry):
    claim = registry["nichani.thm8.lower-order"]
    assert r"|V| \gg |S|" in claim.reading_note
    assert "16 D" in claim.consequence
