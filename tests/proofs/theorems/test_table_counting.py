"""Counting fact tables: which hypotheses of Theorem 11 are needed, and how many parameters are."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from proofs.algebra import RationalFunction
from proofs.theorems import table_counting
from proofs.theorems.table_counting import Hypotheses

F = Fraction
S, R = map(RationalFunction.symbol, "SR")
WHOLE = Hypotheses(dimension=True, power=True, heads=True, product=True, degree=F(2))


def test_with_all_hypotheses_counting_excludes_nothing() -> None:
    assert WHOLE.complete
    argument, witness = table_counting.recall_fails(WHOLE)
    assert witness is None
    assert not argument.holds


@pytest.mark.parametrize("name", ["dimension", "power", "heads", "product"])
def test_each_hypothesis_is_needed(name: str) -> None:
    kept = replace(WHOLE, **{name: False})
    assert not kept.complete
    argument, witness = table_counting.recall_fails(kept)
    assert argument.holds
    assert witness is not None


@pytest.mark.parametrize("degree", [F(1, 2), F(1), F(3, 2), F(19, 10)])
def test_degrees_below_two_over_epsilon_are_too_small(degree: Fraction) -> None:
    _, witness = table_counting.recall_fails(replace(WHOLE, degree=degree))
    assert witness is not None
    eps, q = witness["epsilon"], witness["q"]
    # q > degree/epsilon, and the n^((q+1) epsilon) coefficients of the MLP are fewer than n^2 facts.
    assert q * eps > degree
    assert (q + 1) * eps < 2


def test_one_dimension_is_not_enough_by_enumeration() -> None:
    """Of all signs of four tokens the first differs from the other three in one case of eight."""
    alone = sum((word >> 1) in ({0} if word & 1 else {7}) for word in range(16))
    assert F(alone, 16) == 1 - F(7, 8)


def test_parameters_are_of_the_order_of_the_facts() -> None:
    argument, witness = table_counting.parameters_of_order(S * R)
    assert argument.holds
    assert witness is None
    assert table_counting.parameters_of_order(3 * S * R)[0].holds


@pytest.mark.parametrize("order", [S + R, S, S * R / (S + R), S * S])
def test_fewer_parameters_have_too_few_bits(order: RationalFunction) -> None:
    _, witness = table_counting.parameters_of_order(order)
    assert witness is not None
    assert "bits needed" in witness or "sufficient" in witness


@pytest.mark.parametrize("order", [S * R**2, S**2 * R, S**2 * R**2])
def test_more_parameters_are_not_necessary(order: RationalFunction) -> None:
    _, witness = table_counting.parameters_of_order(order)
    assert witness is not None
    assert "sufficient" in witness
