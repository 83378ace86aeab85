"""The claims of App. F: verdicts as recorded, mutants refuted, counterexamples by hand."""

from fractions import Fraction

import pytest

from verify.auditing.power import JUDGES
from verify.catalogue import catalogue
from verify.claim import Reading, Road, Severity
from verify.printed.formula import Formula
from verify.running.runner import check_claim
from verify.running.settings import Settings
from verify.verdict import Verdict

REGISTRY = catalogue()
IDS = [
    claim.id
    for claim in REGISTRY.select(
        ["nichani.lem12", "nichani.lem13*", "nichani.lem14*", "nichani.lem15", "nichani.lem16.*"]
    )
]
#: Measurements are shared by all tests of a process, as in a run.
CONTEXT = Settings().context(REGISTRY)

REFUTED = {
    "nichani.lem13": Severity.GAP,
    "nichani.lem14": Severity.CONSTANT,
    "nichani.lem14.moment": Severity.GAP,
    "nichani.lem14.choose-q": Severity.CONSTANT,
    "nichani.lem16.basis": Severity.CONSTANT,
    "nichani.lem16.contraction": Severity.CONSTANT,
    "nichani.lem16.stein": Severity.WORDING,
}


def test_every_statement_of_the_appendix_has_both_roads():
    assert len(IDS) == 18
    for id_ in IDS:
        assert {check.road for check in REGISTRY.checks(id_)} == set(JUDGES), id_


@pytest.mark.parametrize("id_", IDS)
def test_the_record_is_the_one_found(id_):
    claim = REGISTRY[id_]
    expected = Verdict.REFUTED if id_ in REFUTED else Verdict.PROVED
    assert claim.recorded is expected


@pytest.mark.parametrize("id_", sorted(REFUTED))
def test_what_is_refuted_has_a_severity_and_can_be_checked_by_hand(id_):
    claim = REGISTRY[id_]
    assert claim.severity is REFUTED[id_]
    assert claim.correction == f"{id_}.corrected"
    assert claim.by_hand
    assert check_claim(id_, registry=REGISTRY, roads=(Road.PROOFS,)).counterexample


def test_what_is_ambiguous_says_so():
    ambiguous = {id_ for id_ in IDS if REGISTRY[id_].reading is Reading.AMBIGUOUS}
    assert ambiguous == {"nichani.lem13", "nichani.lem16.stein"}


def counterexample(id_):
    return check_claim(id_, registry=REGISTRY, roads=(Road.PROOFS,)).counterexample


def test_the_counterexample_to_the_tail_bound_is_a_gaussian():
    found = counterexample("nichani.lem14")
    assert found["f"] == "3/2 + g, g standard Gaussian"
    assert (found["p"], found["delta"]) == ("1", "1/20")


def test_the_counterexample_to_the_choice_is_that_of_the_note():
    found = counterexample("nichani.lem14.choose-q")
    assert (found["p"], found["delta"], found["Var(f)/(E f)^2"]) == ("1", "1/2", "1")


@pytest.mark.parametrize("name", ["basis", "contraction"])
def test_the_hermite_tensors_go_wrong_at_order_two(name):
    found = counterexample(f"nichani.lem16.{name}")
    assert (found["d"], found["k"]) == ("1", "2")


def test_the_range_of_delta_is_an_error_of_its_own():
    """With the right power of e the tail bound still fails for delta near one."""
    claim = REGISTRY["nichani.lem14.corrected"]
    wide = {**claim.formulas, "least": Formula.parse("0")}
    check = REGISTRY.checks(claim.id, [Road.PROOFS])[0]
    found = check.run(wide, CONTEXT)
    assert found.verdict is Verdict.REFUTED
    assert Fraction(found.counterexample["delta"]) == Fraction(17, 20)


def test_checks_of_a_tail_need_a_polynomial_within_the_hypothesis():
    claim = REGISTRY["nichani.lem14.corrected"]
    strong = {**claim.formulas, "power_of_e": Formula.parse("9")}
    check = REGISTRY.checks(claim.id, [Road.NUMERICS])[0]
    assert check.run(strong, CONTEXT).verdict is Verdict.INCONCLUSIVE


def quantities(id_, **formulas):
    """What the intervals of a claim measure, with *formulas* in place of its own."""
    claim = REGISTRY[id_]
    changed = claim.formulas | {name: Formula.parse(text) for name, text in formulas.items()}
    [check] = REGISTRY.checks(id_, [Road.NUMERICS])
    return [case["quantity"] for case in check.run(changed, CONTEXT).detail["cases"]]


@pytest.mark.parametrize(
    ("id_", "words"),
    [
        ("nichani.lem13", "E |u on S^0|^(17/16) = 1, stated at most ((q - 1)^(1/2))^q = 0.229251"),
        ("nichani.lem14.moment", "E |u on S^0|^(1/16) = 1, stated at most (q^(1/2))^q = 0.917004"),
    ],
)
def test_a_moment_that_is_too_large_is_told_beside_what_is_stated(id_, words):
    [check] = REGISTRY.checks(id_, [Road.NUMERICS])
    assert check.run(REGISTRY[id_].formulas, CONTEXT).summary == words


def test_a_measured_quantity_has_no_factor_of_one():
    chain = quantities("nichani.lem14.markov")
    moment = "E |f - E f|^2/(E f)^2"
    assert f"P(|f - E f| >= E f) - {moment}, f = 2 + u_1, q = 2" in chain
    assert f"P(|f - E f|^2 >= (E f)^2) - {moment}, f = 4 + 2 u_1, q = 2" in chain
    stein = "nichani.lem16.stein.corrected"
    assert "E[f He_k] less E[f^(k)], f a sine" in quantities(stein)
    assert "E[f He_k] plus E[f^(k)], f a sine" in quantities(stein, sign="-1")
    assert "E[f He_k] less 2 E[f^(k)], f a sine" in quantities(stein, factor="2")
