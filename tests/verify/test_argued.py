"""Exact checks: what an argument makes of a claim, and which printed formulas it is given."""

from __future__ import annotations

from fractions import Fraction

import pytest

from proofs.algebra import RationalFunction
from proofs.argument import Argument
from verify.checks.argument import conclude
from verify.checks.parameters import given
from verify.claim import Printed
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
