"""Exact checks: what an argument makes of a claim, and which printed formulas it is given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import pytest

from proofs.algebra import RationalFunction
from proofs.argument import Argument
from proofs.citations import BOOLE
from verify.checks.argument import _require_refusals, argued, conclude
from verify.checks.parameters import given, made_of
from verify.claim import Claim, Evidence, Printed, Registry
from verify.claim.in_words import claims_used, has_step_in_words, is_step_in_words
from verify.claim.in_words import worded as worded_lines
from verify.printed.formula import Formula
from verify.verdict import Verdict

PRINTED: Printed = {
    "bound": Formula.parse("d + 1"),
    "factor": Formula.parse("1/2"),
    "less": Formula.parse("3"),
    "strict": Formula.parse("1"),
}


def right() -> Argument:
    argument = Argument()
    argument.true("one line", True, "exact")
    return argument


def broken() -> Argument:
    argument = Argument()
    argument.true("one line", False, "exact")
    return argument


@pytest.mark.parametrize("lines", [right, broken])
def test_an_argument_with_a_witness_is_never_concluded_as_proved(lines):
    found = conclude(right(), lines().refute({"d": 2}), right(), scope="all d", summary="one line")
    assert found.verdict is Verdict.REFUTED
    assert found.counterexample == {"d": 2}
    assert "d = 2" in found.scope


def test_of_several_arguments_the_first_witness_is_shown():
    found = conclude(right(), right().refute({"d": 2}), right().refute({"d": 3}))
    assert found.counterexample == {"d": 2}


def test_a_step_that_is_refuted_proves_nothing_and_accuses_nothing():
    whole = right()
    whole.include(right().refute({"d": 2}))
    assert conclude(whole, scope="all d", summary="one line").verdict is Verdict.INCONCLUSIVE


def test_lines_that_hold_prove_and_a_broken_one_does_not():
    assert conclude(right(), scope="all d", summary="one line").verdict is Verdict.PROVED
    assert conclude(right(), broken()).verdict is Verdict.INCONCLUSIVE


def worded() -> Argument:
    argument = right()
    argument.infer("the same for every d", "d was never used")
    return argument


def test_an_argument_without_a_line_concludes_nothing():
    assert conclude(Argument(), scope="all d").verdict is Verdict.INCONCLUSIVE
    assert conclude(right(), Argument(), scope="all d").verdict is Verdict.INCONCLUSIVE


def test_a_broken_argument_that_is_taken_for_a_proof_is_noticed(monkeypatch):
    _require_refusals.cache_clear()
    monkeypatch.setattr(Argument, "broken", None)
    with pytest.raises(ArithmeticError):
        conclude(right())
    _require_refusals.cache_clear()


def test_an_argument_that_holds_with_a_step_in_words_is_argued():
    assert conclude(worded(), scope="all d", summary="two lines").verdict is Verdict.ARGUED
    assert conclude(right(), worded(), right()).verdict is Verdict.ARGUED


def test_the_marks_of_an_argument_are_those_that_evidence_is_read_by():
    """They stand twice, since a list of claims must not wait for the road of proofs."""
    (assumption,), (*_, line) = worded().assumptions, worded().lines
    assert is_step_in_words(assumption)
    assert worded_lines([str(line), str(right().lines[0])]) == 1
    cited = right()
    cited.cite("the same for every d, in words", BOOLE)
    cited.use("its bound", "p.lemma")
    assert not has_step_in_words(cited.assumptions, map(str, cited.lines))
    assert claims_used(map(str, cited.lines)) == {"p.lemma"}


def test_a_cited_theorem_leaves_a_proof_proved():
    argument = right()
    argument.cite("P(some A_i) <= sum P(A_i)", BOOLE)
    assert conclude(argument).verdict is Verdict.PROVED


def test_a_bounded_argument_certifies_with_words_or_without():
    assert conclude(right(), bounded=True).verdict is Verdict.CERTIFIED
    assert conclude(worded(), bounded=True).verdict is Verdict.CERTIFIED
    assert conclude(broken(), bounded=True).verdict is Verdict.INCONCLUSIVE
    refuted = conclude(right().refute({"d": 2}), bounded=True)
    assert refuted.verdict is Verdict.REFUTED


@pytest.mark.parametrize("kept", ["assumptions", "steps"])
def test_no_check_can_call_a_step_in_words_proved(kept):
    """Neither one that forgets to list the step, nor one that drops the lines."""
    found = conclude(worded())
    assert (
        Evidence(Verdict.PROVED, "", "", **{kept: getattr(found, kept)}).verdict is Verdict.ARGUED
    )
    plain = Evidence(Verdict.PROVED, "", "")
    assert replace(plain, **{kept: getattr(found, kept)}).verdict is Verdict.ARGUED


@pytest.mark.parametrize("other", [v for v in Verdict if v is not Verdict.PROVED])
def test_words_change_no_other_verdict(other):
    assert replace(conclude(worded()), verdict=other).verdict is other


def test_parameters_are_given_the_printed_formulas_of_their_names():
    def decide(
        bound: RationalFunction, less: int, *, strict: bool, factor: Fraction, missing: int = 7
    ) -> Argument:
        raise NotImplementedError

    found = given(decide, PRINTED, None)
    d = RationalFunction.symbol("d")
    assert found == {"bound": d + 1, "less": 3, "strict": True, "factor": Fraction(1, 2)}
    assert [type(found[name]) for name in ("less", "strict")] == [int, bool]


def test_a_function_may_ask_for_all_that_is_printed():
    assert given(lambda printed: right(), PRINTED, None) == {"printed": PRINTED}


def test_a_parameter_without_a_formula_is_an_error():
    def decide(spread: Fraction) -> Argument:
        raise NotImplementedError

    with pytest.raises(KeyError, match="spread"):
        given(decide, PRINTED, None)


@dataclass(frozen=True)
class Bound:
    bound: RationalFunction
    factor: Fraction
    least: Fraction = Fraction(2)


def test_a_record_is_made_of_the_formulas_that_its_fields_name():
    def decide(stated: Bound, most: Fraction | None, less: float, strict: str) -> Argument:
        raise NotImplementedError

    stated = Bound(RationalFunction.symbol("d") + 1, Fraction(1, 2))
    assert given(decide, PRINTED) == {"stated": stated, "most": None, "less": 3.0, "strict": "1"}
    assert made_of(Bound, {**PRINTED, "least": Formula.parse("1")}).least == 1


def test_a_function_may_ask_for_all_formulas_as_rational_functions():
    def decide(stated: Mapping[str, RationalFunction]) -> Argument:
        raise NotImplementedError

    (fields,) = given(decide, PRINTED).values()
    assert fields == {name: formula.field() for name, formula in PRINTED.items()}


@pytest.mark.parametrize(("factor", "verdict"), [("1/2", Verdict.PROVED), ("2", Verdict.REFUTED)])
def test_a_claim_is_argued_by_several_arguments_unless_it_fails(factor, verdict):
    def fails(factor: Fraction) -> dict[str, Any] | None:
        return {"factor": factor} if factor > 1 else None

    registry = Registry()
    registry.add(Claim("a.claim", "t", "$x$", formulas={"factor": Formula.parse(factor)}))
    options = {"method": "m", "scope": "s", "summary": "t"}
    argued(registry, "a.claim", lambda: (right(), right()), fails=fails, **options)
    (check,) = registry.checks("a.claim")
    assert check.run(registry["a.claim"].formulas, None).verdict is verdict


def test_a_parameter_that_is_not_annotated_is_named_with_the_remedy():
    with pytest.raises(TypeError, match=r"annotation of bound .*; take one of Formula, Rational"):
        given(lambda bound: right(), PRINTED, None)


def test_a_function_of_the_form_of_before_is_given_both_with_a_warning():
    def check(p, c):
        return p, c

    printed = {"f": Formula.parse("1")}
    with pytest.warns(FutureWarning, match="call its parameters printed and context, not p and c"):
        assert given(check, printed) == {"p": printed, "c": None}
