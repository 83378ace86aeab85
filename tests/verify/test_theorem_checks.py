"""Claims that theorems of the kernel prove: what is printed of them, and what is not proved."""

from fractions import Fraction

import pytest

from proofs.argument import Argument
from proofs.capacity import LinearClosedForm
from proofs.kernel import (
    Compare,
    Goal,
    Region,
    assume,
    at_least,
    chain,
    coordinate,
    coordinate_mgf,
    exp,
    expectation,
    real,
    sign,
    symbols,
    whole,
)
from verify.checks import theorem, theorem_cases
from verify.checks.theorem import Proof, bound_above, proved, same_frontier, steps
from verify.checks.theorem_cases import VERDICTS, evidence, goals
from verify.claim import Claim, Registry, Road
from verify.papers.nichani.linear_statements import (
    AT_LEAST_A_PLANE,
    closed_form_condition,
    frontiers,
)
from verify.printed.formula import Formula
from verify.verdict import Verdict

x, y, d, N, r = symbols("x y d N r")
ABOVE_ONE = Region((at_least("x", 1),))


def test_a_goal_that_follows_is_proved_with_its_scope_and_its_steps():
    found = evidence()
    assert (found.verdict, found.summary) == (Verdict.PROVED, "so it is")
    assert found.scope == "all x >= 1"
    assert found.steps == (
        "for x >= 1: x <= 2 * x   [sign]",
        "for x >= 1: x <= 2 * x   [weaken of 1]",
    )
    assert found.assumptions == ()
    assert found.detail == {
        "theorems": [r"x \le 2 \, x \quad (x \ge 1)"],
        "stated": ["for x >= 1: x <= 2 * x"],
    }


@pytest.mark.parametrize("where", [theorem, theorem.attacks], ids=["kernel", "engine"])
def test_nothing_is_proved_where_something_false_is_not_refused(monkeypatch, where):
    def accepted():
        raise ArithmeticError("a false line is accepted")

    monkeypatch.setattr(where, "require_refusals", accepted)
    with pytest.raises(ArithmeticError, match="a false line is accepted"):
        evidence()


def test_a_larger_bound_follows_and_a_smaller_one_does_not():
    assert evidence(factor="3").verdict is Verdict.PROVED
    found = evidence(factor="3/2")
    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.summary.startswith("not proved: weaken: ")
    assert "it is false at x = 1" in found.summary


def test_a_region_that_is_larger_than_that_of_the_theorem_is_not_proved():
    def elsewhere(factor: Fraction):
        ((goal, theorem),) = goals(factor)
        yield Goal(goal.statement, Region((at_least("x", 0),))), theorem

    assert "the range x >= 1 of what is used" in evidence(elsewhere).summary


def test_a_hypothesis_that_the_statement_does_not_list_is_told():
    def under(factor: Fraction):
        region = Region((at_least("x", 1), real("y")))
        used = assume(Compare(x, "<=", y), region)
        theorem = chain(used, sign(Compare(y, "<=", 2 * y), Region((at_least("y", 0),))))
        yield Goal(theorem.statement, region), theorem

    assert evidence(under).verdict is not Verdict.PROVED

    def listed(factor: Fraction):
        region = Region((at_least("x", 1), at_least("y", 0)))
        used = assume(Compare(x, "<=", y), region)
        theorem = chain(used, sign(Compare(y, "<=", 2 * y), region))
        yield Goal(theorem.statement, region), theorem

    found = evidence(listed)
    assert "the hypothesis x <= y does not follow from none" in found.summary


def test_what_is_taken_on_trust_is_listed():
    def cited(factor: Fraction):
        region = Region((whole("d", 1), real("r")))
        left = expectation(exp(r * coordinate("g", d)))
        bound = Compare(left, "<=", exp(r**2 / (2 * d)))
        yield Goal(bound, region), coordinate_mgf()

    found = evidence(cited)
    assert found.verdict is Verdict.PROVED
    assert [line.partition(":")[0] for line in found.assumptions] == [
        "law of the coordinates of a uniform unit vector"
    ]


def test_a_counterexample_refutes_whatever_is_proved():
    def fails(factor: Fraction):
        return {"x": str(factor)}

    found = evidence(fails=fails)
    assert found.verdict is Verdict.REFUTED
    assert found.counterexample == {"x": "2"}


def test_what_is_argued_beside_must_hold_too():
    def beside(*, holds):
        argument = Argument()
        argument.true("the program says the same", holds, "looked at")
        return argument

    found = evidence(beside=lambda: beside(holds=True))
    assert found.verdict is Verdict.PROVED
    assert found.detail["program"] == ["the program says the same   [looked at]"]
    assert found.steps == evidence().steps
    assert evidence(beside=lambda: beside(holds=False)).verdict is Verdict.INCONCLUSIVE


def test_a_theorem_that_several_rest_on_is_one_step():
    one = sign(Compare(x, "<=", 2 * x), ABOVE_ONE)
    lines = steps([chain(one, sign(Compare(2 * x, "<=", 3 * x), ABOVE_ONE)), one])
    assert [line.rpartition("[")[2] for line in lines] == ["sign]", "sign]", "chain of 1, 2]"]


def frontier(lead="4", noise="N - 2"):
    formulas = Formula.parse(noise), Formula.parse("N*(M - 1)")
    stated = closed_form_condition(Fraction(lead), *formulas)
    return same_frontier(frontiers(LinearClosedForm()), (*stated, AT_LEAST_A_PLANE))


def test_the_public_condition_ends_where_the_printed_one_does():
    assert frontier().holds


@pytest.mark.parametrize("wrong", [{"lead": "41/10"}, {"lead": "39/10"}, {"noise": "N"}])
def test_a_condition_that_is_printed_otherwise_is_noticed(wrong):
    assert not frontier(**wrong).holds


@pytest.mark.parametrize(("tried", "expected"), VERDICTS)
def test_what_is_matched_has_its_verdict(tried, expected):
    found = tried()
    assert str(getattr(found, "verdict", found)) == expected


def test_another_verdict_is_told(monkeypatch):
    monkeypatch.setattr(theorem_cases, "VERDICTS", [(lambda: False, "True")])
    with pytest.raises(ArithmeticError, match="True is due, and False was found"):
        theorem_cases.require_verdicts()


def test_a_check_of_a_theorem_is_registered():
    registry = Registry()
    registry.add(Claim("a", "t", "s", formulas={"factor": Formula.parse("2")}))
    proved(registry, "a", goals, method="m", summary="so it is", fails=lambda factor: None)
    (check,) = registry.checks("a", [Road.PROOFS])
    assert isinstance(check.run, Proof)


def doubled(d, N):
    """Twice d/N as the bound on a failure."""
    return Fraction(2 * d, N)


@pytest.mark.parametrize(
    ("stated", "factor", "holds"),
    [
        (2 * d / N, "1001/1000", True),
        (d / N, "2001/1000", True),
        (d / N, "19/10", False),
        (3 * d / N, "4", False),
    ],
)
def test_a_bound_above_the_printed_one_is_so_by_a_factor_at_most(stated, factor, holds):
    found = bound_above(doubled, stated, [{"d": 3, "N": 8}], Fraction(factor))
    assert found.holds is holds
