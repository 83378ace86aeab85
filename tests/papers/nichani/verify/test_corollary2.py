"""The claims of Corollary 2: verdicts as recorded, mutants, extreme values, sabotage."""

from fractions import Fraction

import pytest
import torch

from numerics.papers.nichani import quantized_extremes
from verify.catalogue import catalogue
from verify.claim import Mutant, Road
from verify.measuring.context import Context
from verify.printed.formula import Formula
from verify.running.checking import run_check
from verify.running.runner import check_claim
from verify.running.settings import Settings
from verify.verdict import Verdict

REGISTRY = catalogue()
IDS = [claim.id for claim in REGISTRY.select(["nichani.cor2.*"])]

#: Measurements are shared by all tests of a process, as in a run.
CONTEXT = Settings().context(REGISTRY)

FALSE = {"statement", "bits"}


@pytest.mark.parametrize("id_", IDS)
def test_every_statement_has_a_record_and_an_exact_check(id_):
    name = id_.removeprefix("nichani.cor2.")
    expected = Verdict.REFUTED if name in FALSE else Verdict.PROVED
    assert REGISTRY[id_].recorded is expected
    assert REGISTRY.checks(id_, [Road.PROOFS])


def mutated(id_, **formulas):
    check = REGISTRY.checks(id_, [Road.PROOFS])[0]
    printed = {**REGISTRY[id_].formulas, **{k: Formula.parse(v) for k, v in formulas.items()}}
    return run_check(check, REGISTRY[id_], CONTEXT, Mutant("other", printed))


@pytest.mark.parametrize(
    ("id_", "formulas"),
    [
        ("nichani.cor2.rounding", {"bound": "e/2"}),
        ("nichani.cor2.margin-quantised", {"lowest": "1/2 - d*e"}),
        ("nichani.cor2.margin-quantised", {"limit": "1/(4*d)"}),
    ],
)
def test_true_neighbours_of_a_lemma_are_not_accused(id_, formulas):
    assert mutated(id_, **formulas).verdict is Verdict.PROVED


def test_with_the_outputs_in_its_condition_the_corollary_is_not_refuted():
    assert mutated("nichani.cor2.statement", outputs_power="1").verdict is Verdict.INCONCLUSIVE


def test_the_bits_fail_at_the_smallest_sizes():
    found = check_claim("nichani.cor2.bits", registry=REGISTRY, roads=(Road.PROOFS,))
    assert (found.counterexample["N"], found.counterexample["d"]) == (1, 1)
    assert found.counterexample["multiples of 1/(8d) in [-N, N]"] == 17


def test_the_counterexample_to_a_sharper_margin_can_be_checked_by_hand():
    found = mutated("nichani.cor2.margin-quantised", lowest="1/2 - d*e/2").counterexample
    d, e = found["d"], found["e"]
    assert e < Fraction(1, 8 * d)
    entry = Fraction(1, 4 * d)
    rounded = round(entry / e) * e
    assert abs(entry - rounded) < e / 2  # no tie
    assert 2 * d * entry == Fraction(1, 2)
    assert found["gamma~"] == 2 * d * rounded < Fraction(1, 2) - d * e / 2 == found["stated"]


def test_a_proof_takes_its_constants_from_the_claim_it_rests_on():
    """Less kept in the closed form, and the corollary can no longer be proved from it."""

    def formulas(id_):
        printed = REGISTRY[id_].formulas
        less = {"kept": Formula.parse("1 - 4*e*d")}
        return {**printed, **less} if id_ == "nichani.cor2.explicit.closed-form" else printed

    id_ = "nichani.cor2.statement.corrected"
    check = REGISTRY.checks(id_, [Road.PROOFS])[0]
    found = run_check(check, REGISTRY[id_], Context(formulas=formulas))
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
def test_weights_that_are_cut_off_instead_of_rounded_are_noticed(monkeypatch, name):
    from numerics.memories import quantized

    def cut(weight, step):
        return torch.floor(weight / (2 * step)) * 2 * step, step, 1

    monkeypatch.setattr(quantized, "_to_multiples", cut)
    id_ = f"nichani.cor2.{name}"
    check = REGISTRY.checks(id_, [Road.NUMERICS])[0]
    assert run_check(check, REGISTRY[id_], Context()).verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    ("kind", "wrong", "id_"),
    [
        ("Quantized", {"loss": Fraction(1, 4)}, "nichani.cor2.explicit.integral"),
        ("QuantizedClosedForm", {"lead": Fraction(2)}, "nichani.cor2.explicit.closed-form"),
    ],
)
def test_a_public_condition_other_than_the_printed_one_is_noticed(monkeypatch, kind, wrong, id_):
    from verify.papers.nichani import corollary2

    changed = getattr(corollary2, kind)
    original = changed.__init__

    def other(self, *arguments, **options):
        original(self, *arguments, **(options or wrong))

    monkeypatch.setattr(changed, "__init__", other)
    assert not check_claim(id_, registry=REGISTRY, roads=(Road.PROOFS,)).ok
