"""Infima: what runs has no name, no place is empty, and what is concluded of them is true."""

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from proofs.kernel.algebra import root_of_square
from proofs.kernel.probability import mixture
from proofs.kernel.regions import Refused, Region, at_least
from proofs.kernel.terms import (
    at_most_zero,
    coordinate,
    random,
    symbols,
)
from proofs.papers.nichani.linear_integral import given_overlap, single_margin_average

d, n, r, s, t, x, y = symbols("d n r s t x y")
g, h = coordinate("g", d), coordinate("h", d)
X = random("X of a definition")
few = settings(max_examples=10, phases=[Phase.explicit, Phase.generate])


@few
@given(st.fractions(0, 3, max_denominator=4), st.fractions(0, 3, max_denominator=4))
def test_roots_of_squares_have_their_value(value_of, c, a):
    region = Region((at_least("x", 0), at_least("y", 0)))
    found = root_of_square(x, y, region).statement
    left, right = (value_of(side, {"x": c, "y": a}) for side in found.sides)
    assert left == pytest.approx(right)


@pytest.mark.parametrize(("inside", "d", "N"), [(True, 1, 3), (False, 1, 3), (False, 3, 2)])
def test_the_average_bounds_the_tail_at_small_sizes(value_of, inside, d, N):
    found = single_margin_average(inside=inside)
    (law,) = (one.statement for one in found.uses if one.rule == "margin_law")
    at = {"d": d, "N": N}
    tail, bound = value_of(at_most_zero(law.right), at), value_of(found.right, at)
    assert 0 < tail <= bound


def test_an_average_is_of_values_in_the_range():
    with pytest.raises(Refused, match=r"mixture: the values of 1 - 2 \* rho lie in"):
        mixture(given_overlap(inside=True), "A", 1 - 2 * coordinate("rho", d))
