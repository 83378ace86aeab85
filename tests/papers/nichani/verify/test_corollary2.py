"""The claims of Corollary 2: true neighbours, extreme values, sabotage."""

from fractions import Fraction

import pytest
import torch

from numerics.papers.nichani import quantized_extremes
from verify.claim import Road
from verify.running.runner import check_claim
from verify.verdict import Verdict


@pytest.mark.parametrize(
    ("id_", "formulas"),
    [
        ("nichani.cor2.rounding", {"bound": "e/2"}),
        ("nichani.cor2.rounding", {"bound": "2*e"}),
        ("nichani.cor2.range", {"bound": "N + 1"}),
        ("nichani.cor2.l1", {"bound": "d**2*e"}),
        ("nichani.cor2.margin-quantised", {"lowest": "1/2 - d*e"}),
        ("nichani.cor2.margin-quantised", {"limit": "1/(4*d)"}),
    ],
)
def test_true_neighbours_of_a_lemma_are_not_accused(judge, id_, formulas):
    assert judge(id_, **formulas).verdict.positive


RECALL = "nichani.cor2.explicit.closed-form"


@pytest.mark.parametrize(
    ("formulas", "said"),
    [
        ({"kept": "1"}, "the hypothesis"),
        ({"kept": "1 - e*d"}, "the hypothesis"),
        ({"lead": "2"}, "the hypothesis"),
        ({"noise": "(N - 2)/2"}, "the hypothesis"),
        ({"pairs": "N"}, "the hypothesis"),
        ({"coarsest": "3/8"}, "the range 0 < e <= "),
        ({"coarsest": "1"}, "the range 0 < e <= "),
    ],
)
def test_a_condition_for_rounded_weights_that_says_too_much_is_not_proved(judge, formulas, said):
    found = judge(RECALL, **formulas)
    assert found.verdict is Verdict.INCONCLUSIVE
    assert f"not proved: weaken: {said}" in found.summary


def test_with_the_outputs_in_its_condition_the_corollary_is_not_refuted(judge):
    assert judge("nichani.cor2.statement", outputs_power="1").verdict is Verdict.INCONCLUSIVE


def test_the_bits_fail_at_the_smallest_sizes(judge):
    found = judge.counterexample("nichani.cor2.bits")
    assert (found["N"], found["d"], found["multiples of 1/(8d) in [-N, N]"]) == (1, 1, 17)


def test_the_counterexample_to_a_sharper_margin_can_be_checked_by_hand(judge):
    found = judge("nichani.cor2.margin-quantised", lowest="1/2 - d*e/2").counterexample
    d, e = found["d"], found["e"]
    assert e < Fraction(1, 8 * d)
    entry = Fraction(1, 4 * d)
    rounded = round(entry / e) * e
    assert abs(entry - rounded) < e / 2  # no tie
    assert 2 * d * entry == Fraction(1, 2)
    assert found["gamma~"] == 2 * d * rounded < Fraction(1, 2) - d * e / 2 == found["stated"]


def test_a_proof_takes_its_constants_from_the_claim_it_rests_on(judge):
    """Less kept in the closed form, and the corollary can no longer be proved from it."""
    less = judge.fresh(**{"nichani.cor2.explicit.closed-form": {"kept": "1 - 4*e*d"}})
    found = judge("nichani.cor2.statement.corrected", context=less)
    assert found.verdict is Verdict.INCONCLUSIVE


# -- extreme values --------------------------------------------------------------------------------


@pytest.mark.parametrize("d", [1, 2, 5])
@pytest.mark.parametrize("N", [1, 4])
def test_the_largest_entry_is_attained(d, N):
    assert quantized_extremes.largest_entry(d, N, seed=3) == pytest.approx(N)


@pytest.mark.parametrize("step", [0.1, 0.25, 3.0])
def test_the_largest_movement_is_half_a_step(step):
    assert quantized_extremes.largest_movement(step, seed=3) == pytest.approx(step / 2)


@pytest.mark.parametrize("d", [1, 3, 8])
def test_the_largest_score_is_that_of_equal_entries(d):
    assert quantized_extremes.largest_score(d, 0.5, seed=3) == pytest.approx(d / 2)


@pytest.mark.parametrize("d", [1, 2, 4])
def test_a_rounded_margin_loses_almost_half_a_step_an_entry(d):
    e = 1 / (4 * d * 2.49)
    found = quantized_extremes.smallest_rounded_margin(d, e, seed=3)
    assert 0.5 - d * e - 1e-9 <= found <= 0.5 - 0.98 * d * e + 1e-9


@pytest.mark.parametrize(("d", "N"), [(1, 1), (2, 3)])
def test_every_level_is_met(d, N):
    assert quantized_extremes.distinct_levels(d, N) == 16 * N * d + 1


@pytest.mark.parametrize("name", ["rounding", "bits.corrected"])
def test_weights_that_are_cut_off_instead_of_rounded_are_noticed(monkeypatch, judge, name):
    from numerics.memories import quantized

    def cut(weight, step):
        return torch.floor(weight / (2 * step)) * 2 * step, step, 1

    monkeypatch.setattr(quantized, "_to_multiples", cut)
    found = judge(f"nichani.cor2.{name}", Road.NUMERICS, context=judge.fresh())
    assert found.verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    ("kind", "wrong", "id_"),
    [
        ("Quantized", {"loss": Fraction(1, 4)}, "nichani.cor2.explicit.integral"),
        ("QuantizedClosedForm", {"lead": Fraction(2)}, "nichani.cor2.explicit.closed-form"),
    ],
)
def test_a_public_condition_other_than_the_printed_one_is_noticed(
    monkeypatch, registry, kind, wrong, id_
):
    from verify.papers.nichani import corollary2

    changed = getattr(corollary2, kind)
    original = changed.__init__

    def other(self, *arguments, **options):
        original(self, *arguments, **(options or wrong))

    monkeypatch.setattr(changed, "__init__", other)
    assert not check_claim(id_, registry=registry, roads=(Road.PROOFS,)).ok
