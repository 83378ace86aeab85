"""Theorems come from rules alone, and carry their region, hypotheses, tree and citations along."""

import copy
import pickle

import pytest

from proofs.kernel.algebra import assume, chain, discharge, identity, numeric, weaken
from proofs.kernel.laws import margin_law
from proofs.kernel.regions import Refused, Region, real, whole
from proofs.kernel.terms import coordinate, expectation, symbols, term
from proofs.kernel.theorem import RULES, Compare, Concluded, Theorem, rule

d, m, n, x, y = symbols("d m n x y")
g, h = (coordinate(name, d) for name in "gh")
FALSE = Compare(term(1), "=", term(0))
LINE = Region((real("x"), real("y")))
KNOWN = """
    assume identity sign instantiate discharge restate chain exponential times add exp_of_log
    log_above_zero weaken log_series coordinate_mgf product_mgf markov independent mixture by_law
    margin_law union_of_margins certain coordinate_moment exp_of_sum induction log_of_quotient
    logarithm turned square by_cases where_equal numeric log_of_exp inclusion powers_exceed first_moment
    power_of_exp power_of_power power_of_product raised above_minus_modulus polynomial_degree
    less_constant hypercontractivity norms_grow norm_to_power norm_tail score_degree score_mean
    nearest_multiple bilinear_form largest_weight longest rounding_loss
    infimum closed_below root_of_square
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


def test_a_refusal_begins_with_the_rule():
    with pytest.raises(Refused, match=r"^identity: x = y is no identity$"):
        identity(x, y, LINE)


def test_a_tree_has_each_theorem_once():
    one = assume(Compare(x, "<=", x), LINE)
    assert [it.rule for it in chain(one, one).tree()] == ["assume", "chain"]


def test_what_is_discharged_by_what_needs_it_stays():
    one = assume(Compare(x, "<=", y), LINE)
    assert discharge(one, one).hypotheses == one.hypotheses
    weaker = Compare(x, "<=", y + 1)
    strong = weaken(assume(weaker, LINE), weaker, LINE, (Compare(x, "<=", y),))
    assert discharge(assume(weaker, LINE), strong).hypotheses == (Compare(x, "<=", y),)


def test_a_theorem_says_what_its_variables_are():
    own = coordinate("h", 2 * d)
    region = Region((whole("d", 1),))
    found = identity(expectation(g * own), expectation(g * own), region)
    assert found.legend == (
        "g a coordinate of a uniform unit vector of R^(d), "
        "h a coordinate of a uniform unit vector of R^(2 * d)"
    )
    assert identity(d, d, region).legend == ""


def test_a_number_that_comes_from_the_law_of_a_coordinate_cites_it():
    drawn = numeric(Compare(expectation(coordinate("g", 3) ** 2), "<", term(1)), Region())
    assert [it.name for it in drawn.trust] == ["law of the coordinates of a uniform unit vector"]
    assert not numeric(Compare(term(1), "<", term(2)), Region()).trust
