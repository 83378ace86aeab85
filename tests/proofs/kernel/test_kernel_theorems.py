"""Theorems come from rules alone, and carry their region, hypotheses, tree and citations along."""

import copy
import pickle

import pytest

from proofs.citations import COORDINATE_LAW, MARKOV
from proofs.kernel.algebra import assume, chain, discharge, identity, instantiate, sign, weaken
from proofs.kernel.laws import margin_law
from proofs.kernel.probability import independent, markov
from proofs.kernel.regions import Range, Refused, Region, at_least, between, real, whole
from proofs.kernel.series import coordinate_mgf, log_series
from proofs.kernel.terms import coordinate, copies, expectation, log, sqrt, symbols, term
from proofs.kernel.theorem import (
    RULES,
    Compare,
    Concluded,
    SameLaw,
    Theorem,
    comparison,
    is_whole,
    require_defined,
    require_inside,
    rule,
)

d, m, n, x, y = symbols("d m n x y")
g, h = (coordinate(name, d) for name in "gh")
FALSE = Compare(term(1), "=", term(0))
LINE = Region((real("x"), real("y")))
KNOWN = """
    assume identity sign instantiate discharge restate chain exponential times add exp_of_log
    log_above_zero weaken log_series coordinate_mgf product_mgf markov independent mixture by_law
    margin_law union_of_margins certain coordinate_moment exp_of_sum induction log_of_quotient
    logarithm turned square cases where_equal numeric log_of_exp inclusion powers_exceed first_moment
    power_of_exp power_of_power power_of_product raised above_minus_modulus polynomial_degree
    less_constant hypercontractivity norms_grow norm_to_power norm_tail score_degree score_mean
"""


def test_all_rules_are_known():
    assert margin_law is RULES["margin_law"]
    assert sorted(RULES) == sorted(KNOWN.split())


def test_a_theorem_is_not_made_by_hand():
    with pytest.raises(TypeError, match="made by a rule"):
        Theorem(FALSE, Region(), (), "identity", (), frozenset())


@pytest.mark.parametrize("way", [pickle.dumps, copy.copy, copy.deepcopy])
def test_a_theorem_is_not_copied(way):
    with pytest.raises(TypeError, match="not copied"):
        way(identity(x, x, LINE))


def test_rules_live_in_the_kernel():
    with pytest.raises(TypeError, match=r"rules live in proofs\.kernel"):
        rule(lambda: Concluded(FALSE, Region()))
    assert "<lambda>" not in RULES


@pytest.mark.parametrize("relation", ["", ">=", "==", "!=", ">"])
def test_relations_that_are_none(relation):
    with pytest.raises(ValueError, match="none of <= < ="):
        Compare(x, relation, y)


def test_a_refusal_begins_with_the_rule():
    with pytest.raises(Refused, match=r"^identity: x = y is no identity$"):
        identity(x, y, LINE)


def test_every_symbol_has_a_range():
    with pytest.raises(Refused, match="y in y has no range"):
        identity(y, y, Region((real("x"),)))
    theorem = assume(Compare(x, "<=", y), LINE)
    given = (*theorem.hypotheses, Compare(n, "<=", y))
    with pytest.raises(Refused, match="n in n has no range"):
        weaken(theorem, theorem.statement, LINE, given)


def test_a_hypothesis_is_not_random():
    with pytest.raises(Refused, match="assume: the hypothesis g <= x is random"):
        assume(Compare(g, "<=", x), LINE.also(whole("d", 1)))
    assert assume(Compare(expectation(g), "<=", x), LINE.also(whole("d", 1))).hypotheses


def test_hypotheses_are_kept_once():
    first = assume(Compare(x, "<=", y), LINE)
    second = assume(Compare(y, "<=", x + 0), LINE)
    third = assume(Compare(x + 0, "<=", y + 0), LINE)
    around = chain(chain(first, second), third)
    assert around.hypotheses == (first.statement, second.statement)
    assert str(around) == "for x real, y real: if x <= y and y <= x + 0, x <= y + 0"


def test_citations_and_trees_are_kept():
    region = Region((whole("d", 1), real("x")))
    factor = instantiate(coordinate_mgf(), {"r": -x}, region)
    positive = Region((whole("d", 1), at_least("x", 0)))
    tail = chain(markov(g, x, positive), independent(-(x * g), x**2 / (2 * d), positive, factor))
    assert tail.trust == {COORDINATE_LAW, MARKOV}
    rules = [one.rule for one in tail.tree()]
    assert rules == ["markov", "coordinate_mgf", "instantiate", "independent", "chain"]
    assert log_series().trust == frozenset()


def test_a_tree_has_each_theorem_once():
    one = assume(Compare(x, "<=", x), LINE)
    assert [it.rule for it in chain(one, one).tree()] == ["assume", "chain"]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (Compare(x, "<=", y), Compare(x + 0, "<=", y * 1), True),
        (Compare(x, "<=", y), Compare(x, "<", y), False),
        (Compare(x, "<=", y), Compare(-y, "<=", -x), False),
        (Compare(x, "=", y), SameLaw(x, y), False),
        (SameLaw(x, y), Compare(x, "=", y), False),
        (SameLaw(g + x, h), SameLaw(h + x, g), True),
        (SameLaw(g, h), SameLaw(g, -h), False),
        (SameLaw(g + h, g), SameLaw(g + g, g), False),
    ],
    ids=str,
)
def test_the_same_statement(one, other, expected):
    assert one.same(other) is expected


def test_what_is_no_comparison():
    theorem = sign(Compare(term(0), "<=", x**2), LINE)
    assert comparison(theorem, "<=") is theorem.statement
    with pytest.raises(Refused, match=r"0 <= x\^2 is no comparison by < or ="):
        comparison(theorem, "<", "=")


WHOLE = Region((whole("m", 1), whole("n", m), real("x"), between("y", 0, 1)))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (term(3), True),
        (m * n - 2, True),
        ((m + n) ** 2 - m * n, True),
        (x, False),
        (m / n, False),
        (m / 2, False),
        (m * (m - 1) / 2, False),
        (m + y, False),
        (m + x - x, True),
        (sqrt(m), False),
        (log(m), False),
        (expectation(coordinate("g", m)), False),
        (d, False),
    ],
    ids=str,
)
def test_what_is_whole(value, expected):
    assert is_whole(value, WHOLE) is expected


@pytest.mark.parametrize(
    ("what", "region"),
    [
        (1 / x, Region((at_least("x", 1),))),
        (1 / (x - 2), Region((between("x", 0, 1),))),
        (x**-2, Region((at_least("x", 0, above=True),))),
        (log(x), Region((at_least("x", 0, above=True),))),
        (sqrt(x), Region((at_least("x", 0),))),
        (expectation(g * (1 / x)) + g, Region((at_least("x", 1), whole("d", 1)))),
        ((1 + x**2) ** -1, Region((real("x"),))),
    ],
    ids=str,
)
def test_what_is_defined(what, region):
    require_defined(what, region)


@pytest.mark.parametrize(
    ("what", "region", "said"),
    [
        (1 / x, Region((real("x"),)), "1/x is defined"),
        (x / x, Region((at_least("x", 0),)), "x/x is defined"),
        (0 / x, Region((at_least("x", 0),)), "0/x is defined"),
        (0 * (1 / x), Region((at_least("x", 0),)), "1/x is defined"),
        (1 / x - 1 / x, Region((at_least("x", 0),)), "1/x is defined"),
        (x**-1, Region((at_least("x", 0),)), r"x\^\(-1\) is defined"),
        (x**-1 * x, Region((real("x"),)), r"x\^\(-1\) is defined"),
        (log(x), Region((at_least("x", 0),)), r"log\(x\) is defined"),
        (log(x) - log(x), Region((real("x"),)), r"log\(x\) is defined"),
        (sqrt(x), Region((real("x"),)), r"sqrt\(x\) is defined"),
        (sqrt(x) ** 2, Region((at_least("x", -1),)), r"sqrt\(x\) is defined"),
        (expectation(log(x) * g), Region((real("x"), whole("d", 1))), r"log\(x\) is defined"),
        (copies("S", n, g * (1 / x)), LINE.also(whole("d", 1), whole("n", 1)), "1/x is defined"),
        (1 / g, Region((whole("d", 1),)), "1/value_0 is defined"),
        (g**-1, Region((whole("d", 1),)), r"value_0\^\(-1\) is defined"),
        (log(g), Region((whole("d", 1),)), r"log\(value_0\) is defined"),
        (sqrt(g), Region((whole("d", 1),)), r"sqrt\(value_0\) is defined"),
        (expectation(sqrt(g)), Region((whole("d", 1),)), r"sqrt\(value_0\) is defined"),
        (1 / (term(0) * x), Region((real("x"),)), "is defined"),
    ],
    ids=str,
)
def test_what_is_not_defined(what, region, said):
    with pytest.raises(Refused, match=said):
        require_defined(what, region)


LOW = Range("y", None, term(0))
INSIDE = assume(Compare(x, "<=", x + m), Region((whole("m", 1), LOW, between("x", y, m, "(]"))))


@pytest.mark.parametrize(
    ("values", "region"),
    [
        ({}, INSIDE.region),
        ({}, Region((LOW, whole("m", 2), between("x", y + 1, m - 1)))),
        ({"x": term(2), "y": term(0), "m": term(2)}, Region()),
        ({"x": m, "y": 1 - m}, Region((whole("m", 3),))),
    ],
    ids=str,
)
def test_a_theorem_holds_inside_its_region(values, region):
    require_inside(region, INSIDE, values)


@pytest.mark.parametrize(
    ("values", "region", "said"),
    [
        ({}, Region((whole("m", 1), LOW)), "x in x has no range"),
        ({}, Region((whole("m", 0), LOW, between("x", y, m, "(]"))), "range whole m >= 1"),
        ({}, Region((at_least("m", 1), LOW, between("x", y, m, "(]"))), "m is not known"),
        ({}, Region((whole("m", 1), LOW, between("x", y, m))), "range y < x <= m"),
        ({}, Region((whole("m", 1), LOW, between("x", y, m + 1, "(]"))), "y < x <= m"),
        ({}, Region((whole("m", 1), LOW, at_least("x", y, above=True))), "y < x <= m"),
        ({"x": term(0), "y": term(0)}, Region((whole("m", 1),)), "y < x <= m"),
        ({"m": term(1) / 2}, INSIDE.region, "whole m >= 1"),
        ({"m": m + term(1) / 2}, INSIDE.region, "is not known to be whole"),
        ({"m": m - 1}, INSIDE.region, "whole m >= 1"),
    ],
    ids=str,
)
def test_a_theorem_does_not_hold_outside_its_region(values, region, said):
    with pytest.raises(Refused, match=said):
        require_inside(region, INSIDE, values)


def test_a_known_range_must_be_known_there():
    region = Region((real("x"), real("y")))
    theorem = log_series()
    known = assume(Compare(term(0), "<=", x), region), assume(Compare(x, "<", term(1)), region)
    require_inside(region, theorem, None, known)
    for wrong in (known[:1], known[1:], (known[0], assume(Compare(x, "<=", term(1)), region))):
        with pytest.raises(Refused, match="the range 0 <= x < 1"):
            require_inside(region, theorem, None, wrong)
    elsewhere = sign(Compare(x, "<", term(1)), Region((between("x", 0, 1, "[)"),)))
    with pytest.raises(Refused, match="the range 0 <= x < 1"):
        require_inside(region, theorem, None, (known[0], elsewhere))


def test_what_is_discharged_by_what_needs_it_stays():
    one = assume(Compare(x, "<=", y), LINE)
    assert discharge(one, one).hypotheses == one.hypotheses
    weaker = Compare(x, "<=", y + 1)
    strong = weaken(assume(weaker, LINE), weaker, LINE, (Compare(x, "<=", y),))
    assert discharge(assume(weaker, LINE), strong).hypotheses == (Compare(x, "<=", y),)
