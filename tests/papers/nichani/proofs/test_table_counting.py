"""Counting fact tables: which hypotheses of Theorem 11 are needed, and how many parameters are."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from proofs.algebra import RationalFunction
from proofs.papers.nichani import table_counting
from proofs.papers.nichani.table_counting import Hypotheses, Sufficient

F = Fraction
S, R, D = map(RationalFunction.symbol, "SRD")
THEOREM_10 = Sufficient(R, D, 6, S, 6)
WHOLE = Hypotheses(dimension=True, power=True, heads=True, product=True, degree=F(2))


def test_with_all_hypotheses_counting_excludes_nothing() -> None:
    assert WHOLE.complete
    argument = table_counting.recall_fails(WHOLE)
    assert argument.witness is None
    assert not argument.holds


#: By hand at S = R = n, epsilon = 1/2: n H scores with H = n/log^2(n), as d_h = d = log^3(n); n scores
#: of one head; m d with m = n log^3(n), d = n^(1/2). Without a condition on d nothing is counted.
ORDERS = {
    "power": "n^(2) log(n)^(-2)",
    "heads": "n^(1) log(n)^(0)",
    "product": "n^(3/2) log(n)^(3)",
}


@pytest.mark.parametrize("name", ["dimension", "power", "heads", "product"])
def test_each_hypothesis_is_needed(name: str) -> None:
    kept = replace(WHOLE, **{name: False})
    assert not kept.complete
    argument = table_counting.recall_fails(kept)
    assert argument.broken is None
    assert argument.witness is not None
    assert argument.witness.get("real parameters") == ORDERS.get(name)


@pytest.mark.parametrize("degree", [F(1, 2), F(1), F(3, 2), F(19, 10)])
def test_degrees_below_two_over_epsilon_are_too_small(degree: Fraction) -> None:
    witness = table_counting.recall_fails(replace(WHOLE, degree=degree)).witness
    assert witness is not None
    eps, q = witness["epsilon"], witness["q"]
    # q > degree/epsilon, and the n^((q+1) epsilon) coefficients of the MLP are fewer than n^2 facts.
    assert q * eps > degree
    assert (q + 1) * eps < 2


def test_one_dimension_is_not_enough_by_enumeration() -> None:
    """Of all signs of four tokens the first differs from the other three in one case of eight."""
    alone = sum((word >> 1) in ({0} if word & 1 else {7}) for word in range(16))
    witness = table_counting.recall_fails(replace(WHOLE, dimension=False)).witness
    assert witness is not None
    stated = witness["P(the answer shares its embedding with another token)"]
    assert stated == 1 - F(alone, 16) == F(7, 8)
    assert "a tie counts as a failure" in str(witness["so"])


def test_parameters_are_of_the_order_of_the_facts() -> None:
    assert table_counting.parameters_of_order(S * R, THEOREM_10).holds
    assert table_counting.parameters_of_order(3 * S * R, THEOREM_10).holds


@pytest.mark.parametrize("order", [S + R, S, S * R / (S + R), S * S])
def test_fewer_parameters_have_too_few_bits(order: RationalFunction) -> None:
    witness = table_counting.parameters_of_order(order, THEOREM_10).witness
    assert witness is not None
    assert "bits needed" in witness or "sufficient" in witness


@pytest.mark.parametrize("order", [S * R**2, S**2 * R, S**2 * R**2])
def test_more_parameters_are_not_necessary(order: RationalFunction) -> None:
    witness = table_counting.parameters_of_order(order, THEOREM_10).witness
    assert witness is not None
    assert "sufficient" in witness


@pytest.mark.parametrize(
    "theorem",
    [
        Sufficient(S * R, D, 6, S, 6),
        Sufficient(R, D, 6, S * S, 6),
        Sufficient(R, R * D, 6, S, 6),
        Sufficient(R - 1, D, 6, S, 6),
    ],
    ids=str,
)
def test_what_theorem_10_asks_for_decides_what_is_sufficient(theorem: Sufficient) -> None:
    assert not table_counting.parameters_of_order(S * R, theorem).holds
