"""The low-rank memory against enumeration, simulation and moments derived by hand.

What it must become: the linear memory, where the rank is large.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod, sqrt
from typing import Any

import numpy as np
import pytest
import sympy

from proofs.algebra import RationalFunction
from proofs.memories import linear, low_rank
from proofs.memories.contract import MarginContract, Place
from proofs.memories.low_rank import (
    margin_central_moment,
    margin_mean,
    margin_variance,
)
from proofs.memories.setting import Memory
from proofs.moments import (
    Expression,
    Gaussian,
    Range,
    central_from_raw,
    central_moment,
    cross_check,
    dot,
    mean,
    outer,
    sum_over,
    variance,
)

d, N, m = sympy.symbols("d N m", positive=True, integer=True)


class TestMargin(MarginContract):
    """W = sum_z u_f(z) e_z^T sum_i v_i v_i^T."""

    module = low_rank
    sizes: Mapping[str, int] = {"d": 5, "N": 7, "m": 3}
    least: Mapping[str, int] = {"d": 1, "m": 1}
    inner = ("same", "other", "M")
    definition_text = "W = sum_z u_f(z) e_z^T sum_i v_i v_i^T"
    enumerated = (
        *(
            Place({"d": dimension, "m": rank}, {}, law=law)
            for law, dimension, rank in product(("sphere", "gaussian"), (1, 2), (1, 2, 3))
        ),
        *(
            Place({"d": dimension, "m": rank}, {}, orders, law, ("y of one input", "y outside"), 2)
            for law in ("sphere", "gaussian")
            for dimension, rank, orders in ((1, 2, (3, 4)), (2, 2, (3,)), (2, 1, (4,)))
        ),
    )
    simulated = (
        (Place({"d": 3, "m": 1}, {}), [0, 1, 2], 1),
        (Place({"d": 4, "m": 2}, {}), [0, 1, 2], 3),
        (Place({"d": 5, "m": 7}, {}), [0, 1, 0, 2], 1),
        (Place({"d": 6, "m": 3}, {}), [0, 1, 2, 1, 1], 1),
        (Place({"d": 4, "m": 3}, {}, law="gaussian"), [0, 0, 2, 1], 3),
        (Place({"d": 3, "m": 5}, {}, law="gaussian"), [0, 1, 2], 1),
    )

    def drawn(self, place: Place, table: Sequence[int], y: int) -> Sequence[float]:
        rng, (d, rank) = np.random.default_rng(20240611), place.sizes.values()
        margins = []
        for _ in range(10):
            e, u = (rng.standard_normal((20_000, n, d)) / sqrt(d) for n in (len(table), 4))
            if place.law == "sphere":
                e, u = (v / np.linalg.norm(v, axis=-1, keepdims=True) for v in (e, u))
            v = rng.standard_normal((20_000, rank, d))
            linear_part = sum(u[:, f, :, None] * e[:, z, None, :] for z, f in enumerate(table))
            weight = linear_part @ sum(v[:, i, :, None] * v[:, i, None, :] for i in range(rank))
            answer = np.einsum("bij,bj->bi", weight, e[:, 0])
            margins.append(np.einsum("bi,bi->b", u[:, table[0]] - u[:, y], answer))
        return np.concatenate(margins).tolist()


# -- by hand ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("law", ["sphere", "gaussian"])
@pytest.mark.parametrize("inside", [True, False])
@pytest.mark.parametrize("same", [0, 2])
def test_the_mean_is_the_rank(same: int, inside: bool, law: Any) -> None:
    # E v v^T = I, so the mean is m times that of the linear memory, which is one.
    assert margin_mean(d, N, m, y_in_image=inside, same=same, embeddings=law).expr == m


@pytest.mark.parametrize("law", ["sphere", "gaussian"])
@pytest.mark.parametrize("inside", [True, False])
def test_the_variance_is_the_sum_over_the_inputs(inside: bool, law: Any) -> None:
    # gamma = sum_z a_z g_z with a_z = <u_f(x) - u_y, u_f(z)> and g_z = <e_z, G e_x>, G = sum v v^T.
    # Summands are uncorrelated, by the sign of e_z, and a is independent of g. On the sphere:
    # g_x = <e_x, G e_x> is chi-squared with m degrees, E g_x^2 = m (m + 2);
    # E g_z^2 = E |G e_x|^2 / d = (m (d + 2) + m (m - 1)) / d;
    # E a_z^2 = 1 + 1/d over f(x) and y, by (1 - t)^2 with E t^2 = 1/d, and 2/d elsewhere.
    # Gaussian vectors have E |u|^4 = 1 + 2/d in place of one, in a_z^2 and in g_x^2.
    same, other = sympy.symbols("p q") if inside else (sympy.Symbol("p"), 0)
    fourth = 1 if law == "sphere" else 1 + 2 / d
    near, far = fourth + 1 / d, 2 / d
    g = m * (m + d + 1) / d
    expected = near * fourth * m * (m + 2) - m**2
    expected += (same + other) * near * g + (N - 1 - same - other) * far * g
    found = margin_variance(d, N, m, y_in_image=inside, same=same, other=other, embeddings=law)
    assert found == expected


@pytest.mark.parametrize("order", [1, 2, 3, 4, pytest.param(5, marks=pytest.mark.slow)])
@pytest.mark.parametrize("dimension", [1, 3])
def test_with_one_fact_the_margin_is_a_product_of_two_variables(dimension: int, order: int) -> None:
    # gamma = (1 - t) X, X chi-squared with m degrees: E X^k = m (m + 2) ... (m + 2k - 2);
    # t is a fair sign at d = 1 and uniform on [-1, 1] at d = 3.
    def raw(k: int) -> Any:
        of_t = Fraction(2**k, k + 1) if dimension == 3 else Fraction(2**k, 2)
        rank = RationalFunction.symbol("m")
        return prod((rank + 2 * i for i in range(k)), start=RationalFunction.constant(of_t))

    expected = central_from_raw([raw(k) for k in range(1, order + 1)]) if order > 1 else 0
    assert margin_central_moment(order, dimension, 1, m, y_in_image=False) == expected


def test_the_third_central_moment_is_the_cumulant_of_a_chi_squared_in_the_limit() -> None:
    # At d = infinity, N fixed, gamma = chi-squared_m plus normals of size sqrt(chi-squared) that
    # vanish: E (X - m)^3 = 8 m, and each of N(0, X/d) d summands would add; at N = 1 there are none.
    found = margin_central_moment(3, d, 1, m, y_in_image=False).leading(d=1)
    assert (found.exponent, found.term) == (0, 8 * RationalFunction.symbol("m"))


# -- limits -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("law", ["sphere", "gaussian"])
@pytest.mark.parametrize("options", [{}, {"y_in_image": False}, {"same": 1, "other": 2}], ids=str)
@pytest.mark.parametrize("order", [2, 3, 4])
def test_at_large_rank_it_is_the_linear_memory_times_the_rank(
    order: int, options: dict[str, Any], law: Any
) -> None:
    found = margin_central_moment(order, d, N, m, embeddings=law, **options).leading(m=1)
    limit = linear.margin_central_moment(order, d, N, embeddings=law, **options)
    assert found.exponent == order
    assert limit == found.term / RationalFunction.symbol("m") ** order


@pytest.mark.parametrize(
    ("exponents", "exponent", "term"),
    [
        ({"d": 1, "N": 1, "m": 1}, 1, 2 * N * m / d + 2 * N * m**2 / d**2 + 2 * m**2 / d + 3 * m),
        ({"d": 1, "N": 2, "m": 1}, 2, 2 * N * m / d + 2 * N * m**2 / d**2),
        ({"d": 1, "N": 2}, 1, 2 * N * m / d),
        ({"d": 1, "N": Fraction(3, 2), "m": 2}, Fraction(7, 2), 2 * N * m**2 / d**2),
        ({"d": 1}, 0, 3 * m),
        ({"N": 1}, 1, 2 * N * m * (d + m + 1) / d**2),
    ],
    ids=str,
)
def test_the_leading_order_of_the_variance(
    exponents: Mapping[str, Any], exponent: Any, term: Any
) -> None:
    found = margin_variance(d, N, m).leading(**exponents)
    assert (found.exponent, found.term) == (exponent, RationalFunction.of(term))


@pytest.mark.parametrize("at", [{"d": 1, "N": 1, "m": 1}, {"d": 2, "N": 3, "m": 1}], ids=str)
def test_the_formula_over_its_leading_term_tends_to_one(at: dict[str, int]) -> None:
    formula = margin_central_moment(4, d, N, m)
    term = formula.leading(**at).term
    off = []
    for t in (10, 100, 1000):
        sizes = {name: t**exponent for name, exponent in at.items()}
        off.append(abs(formula(**sizes).as_fraction() / term(**sizes).as_fraction() - 1))
    assert off[0] > 5 * off[1] > 25 * off[2]
    assert off[2] < Fraction(1, 20)


# -- it can fail ------------------------------------------------------------------------------------


def mutant(which: str, other: int = 0) -> tuple[Expression, list[Any]]:
    """A definition with one mistake."""
    s = Memory()
    it_z, rank = s.inputs.index("z"), Range(RationalFunction.symbol("m"), "[m]")
    variance_of_v = RationalFunction.of(1 / d) if which == "v of norm one" else 1
    v, i, j = Gaussian("v", s.e.dimension, variance_of_v), rank.index("i"), rank.index("j")
    u_z, e_z = s.u[s.association(it_z)], s.e[it_z]
    linear_part = sum_over(it_z, outer(e_z, u_z) if which == "transposed" else outer(u_z, e_z))
    projection = sum_over(i, outer(v[i], v[i]))
    if which == "independent factors":
        projection = sum_over([i, j], outer(v[i], v[j]))
    if which == "divided by m":
        projection = projection / RationalFunction.symbol("m")
    weight = projection @ linear_part if which == "on the left" else linear_part @ projection
    contrast = s.u[s.y] - s.u[s.association(s.x)] if which == "sign" else s.contrast()
    margin = dot(contrast, weight @ s.e[s.x])
    return margin, s.given(0, other)


MUTANTS = [
    "transposed",
    "v of norm one",
    "independent factors",
    "divided by m",
    "sign",
    "on the left",
]


def formulas(**options: Any) -> list[Any]:
    """E gamma and E gamma^2 of the memory."""
    first = margin_mean(d, N, m, **options).value
    return [first, margin_variance(d, N, m, **options).value + first**2]


def test_the_definition_rebuilt_without_a_mistake_is_the_same() -> None:
    margin, given = mutant("none")
    found = central_moment(3, margin, given)
    assert found == margin_central_moment(3, d, N, m, y_in_image=False)


@pytest.mark.parametrize("which", MUTANTS)
def test_a_wrong_definition_has_other_moments(which: str) -> None:
    margin, given = mutant(which)
    first = mean(margin, given).value
    found = [first, variance(margin, given).value + first**2]
    right = formulas(y_in_image=False)
    assert found != right
    # What enumeration says of the wrong definition is not what the formula of the right one says.
    for order in (1, 2):
        checked = cross_check([margin] * order, given, trials=1, dimensions=[2])
        assert checked.agree
        for one in checked.comparisons:
            sizes = {name: one.sizes[name] for name in "dNm" if name in one.sizes}
            agrees = right[order - 1](**sizes) == one.enumeration
            assert agrees == (right[order - 1](**sizes) == found[order - 1](**sizes))


@pytest.mark.parametrize("other", [0, 1, 2])
def test_the_projection_may_act_on_the_outputs_only_where_y_has_one_input(other: int) -> None:
    # E (a g)^2 sums to the same over x and one input of y, though not over either of them.
    found = variance(*mutant("on the left", other))
    right = margin_variance(d, N, m, y_in_image=other > 0, other=other)
    assert (found == right) == (other == 1)
