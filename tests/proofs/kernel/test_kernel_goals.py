"""A goal is reached by a theorem from which it follows at once, and by no other."""

import pytest

from proofs.kernel import regions
from proofs.kernel.algebra import assume, identity, sign
from proofs.kernel.goals import Goal, beyond, require_kept
from proofs.kernel.regions import Refused, Region, at_least, between, real, whole
from proofs.kernel.terms import exp, symbols, term
from proofs.kernel.theorem import Compare

n, x, y = symbols("n x y")
POSITIVE = Region((at_least("x", 0),))
LINE = Region((real("x"), real("y")))


def test_the_text_of_a_goal():
    goal = Goal(Compare(x, "<=", y), LINE, (Compare(x, "<", y), Compare(term(0), "<=", y)))
    assert str(goal) == "for x real, y real: if x < y and 0 <= y, x <= y"
    assert str(Goal(Compare(x, "<=", x), POSITIVE)) == "for x >= 0: x <= x"


def test_a_goal_that_is_reached():
    theorem = sign(Compare(term(0), "<=", x), POSITIVE)
    smaller = Region((at_least("x", 1), whole("n", 1)))
    found = Goal(Compare(term(0), "<=", x + n), smaller, (Compare(x, "<=", n),)).reached(theorem)
    assert str(found) == "for x >= 1, whole n >= 1: if x <= n, 0 <= x + n"
    assert found.uses == (theorem,)


GIVEN = assume(Compare(x, "<=", y), LINE)


@pytest.mark.parametrize(
    ("goal", "said"),
    [
        (Goal(Compare(x, "<=", y), LINE), "the hypothesis x <= y does not follow from none"),
        (Goal(Compare(x, "<", y), LINE, GIVEN.hypotheses), "<= does not say <"),
        (Goal(Compare(x, "=", y), LINE, GIVEN.hypotheses), "<= does not say ="),
        (Goal(Compare(x, "<=", y - 1), LINE, GIVEN.hypotheses), "y - 1 >= y: .* it is false at"),
        (Goal(Compare(x - 1, "<=", y), LINE, GIVEN.hypotheses), "is not about what"),
        (Goal(Compare(x, "<=", y), POSITIVE, GIVEN.hypotheses), "y in y has no range"),
        (Goal(Compare(x, "<=", y), LINE, (Compare(x, "<=", y + 1),)), "does not follow from"),
        (Goal(Compare(exp(x), "<=", exp(y)), LINE, GIVEN.hypotheses), "is not about what"),
    ],
    ids=str,
)
def test_a_goal_that_is_not_reached(goal, said):
    with pytest.raises(Refused, match=said):
        goal.reached(GIVEN)


def test_a_goal_outside_the_region_is_not_reached():
    theorem = sign(Compare(term(0), "<=", x), POSITIVE)
    with pytest.raises(Refused, match="the range x >= 0 of what is used"):
        Goal(theorem.statement, Region((at_least("x", -1),))).reached(theorem)


EDGES = {
    "a lower end": (Region((at_least("x", 1),)), ["x >= 1 - 1"]),
    "an open one": (Region((at_least("x", 1, above=True),)), ["x >= 1 - 0"]),
    "two ends": (Region((between("x", 0, 1, "[)"),)), ["-1 <= x < 1", "0 <= x <= 1 + 0"]),
    "no end": (Region((real("x"),)), []),
}


@pytest.mark.parametrize("name", EDGES)
def test_what_lies_beyond_a_region(name):
    region, expected = EDGES[name]
    theorem = identity(x, x, region)
    assert [str(it) for it in beyond(theorem)] == expected
    require_kept(theorem)


def test_signs_that_are_decided_on_another_region_are_noticed(monkeypatch):
    theorem = sign(Compare(term(0), "<=", x), Region((at_least("x", 1),)))
    images = regions._images

    def moved(one):
        return [(image + 100, above) for image, above in images(one)]

    monkeypatch.setattr(regions, "_images", moved)
    with pytest.raises(ArithmeticError, match=r"signs are decided wrongly: .*x >= 1 - 1"):
        require_kept(theorem)
