"""The low-rank memory against enumeration, simulation and moments derived by hand.

What it must become: the linear memory, where the rank is large.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import comb, prod, sqrt
from typing import Any

import numpy as np
import pytest
import sympy

from proofs.algebra import ExactnessError, RationalFunction
from proofs.memories import linear
from proofs.memories.low_rank import (
    definition,
    margin_central_moment,
    margin_mean,
    margin_variance,
)
from proofs.memories.setting import Memory
from proofs.moments import (
    Expression,
    Gaussian,
    Range,
    central_moment,
    cross_check,
    dot,
    mean,
    outer,
    sum_over,
    variance,
)
from proofs.moments.explicit import Instance

d, N, m = sympy.symbols("d N m", positive=True, integer=True)
FUNCTIONS: list[Callable[..., Any]] = [
    margin_mean,
    margin_variance,
    lambda *sizes, **options: margin_central_moment(3, *sizes, **options),
]

#: (map, y): injective or not, y outside the image or the output of one or two inputs.
MAPS = {
    "y of one input": ([0, 1, 2], 1),
    "y outside": ([0, 1, 2], 3),
    "x shares its output": ([0, 0, 1], 1),
    "x shares, y outside": ([0, 0, 1], 3),
    "y of two inputs": ([0, 1, 1], 1),
}


def fibres(table: list[int], y: int) -> dict[str, Any]:
    """The arguments that say of a formula what the map says of x = 0 and y."""
    other = table.count(y)
    return {"y_in_image": other > 0, "same": table.count(table[0]) - 1, "other": other}


def central(raw: list[Any], order: int) -> Any:
    moments = [1, *raw]
    return sum(
        (moments[k] * (-raw[0]) ** (order - k) * comb(order, k) for k in range(order + 1)),
        0 * raw[0],
    )


# -- enumeration ------------------------------------------------------------------------------------


def enumerated(order: int, dimension: int, rank: int, table: list[int], y: int, law: Any) -> Any:
    it = definition(law)
    (neurons,) = {i.range for t in it.margin.terms for i in t.bound} - {it.inputs}
    sizes = {it.inputs: len(table), it.outputs: 4, neurons: rank}
    instance = Instance(sizes, {it.x: 0, it.y: y}, {it.association: table}, {"d": dimension})
    raw = [instance.expectation([it.margin] * k, dimension) for k in range(1, order + 1)]
    return raw[0] if order == 1 else central(raw, order)


@pytest.mark.parametrize("rank", [1, 2, 3])
@pytest.mark.parametrize("dimension", [1, 2])
@pytest.mark.parametrize("case", MAPS)
@pytest.mark.parametrize("law", ["sphere", "gaussian"])
def test_mean_and_variance_agree_with_enumeration(
    law: Any, case: str, dimension: int, rank: int
) -> None:
    table, y = MAPS[case]
    known = {**fibres(table, y), "embeddings": law}
    sizes = (dimension, len(table), rank)
    assert margin_mean(*sizes, **known) == enumerated(1, dimension, rank, table, y, law)
    assert margin_variance(*sizes, **known) == enumerated(2, dimension, rank, table, y, law)


@pytest.mark.parametrize("dimension", [1, 2])
@pytest.mark.parametrize("order", [3, 4])
@pytest.mark.parametrize("case", ["y of one input", "y outside"])
@pytest.mark.parametrize("law", ["sphere", "gaussian"])
def test_higher_central_moments_agree_with_enumeration(
    law: Any, case: str, order: int, dimension: int
) -> None:
    table, y = MAPS[case]
    table, rank = table[:2], 1 if dimension == 2 and order == 4 else 2
    found = margin_central_moment(order, dimension, 2, rank, **fibres(table, y), embeddings=law)
    assert found == enumerated(order, dimension, rank, table, y, law)


@pytest.mark.parametrize("same", [0, 1])
@pytest.mark.parametrize("other", [0, 1, 2])
@pytest.mark.parametrize("order", [1, 2])
def test_the_definition_agrees_with_enumeration_at_instances_drawn_for_it(
    order: int, other: int, same: int
) -> None:
    it = definition()
    found = cross_check([it.margin] * order, it.given(same, other), trials=2)
    assert found.agree, str(found)


# -- simulation -------------------------------------------------------------------------------------


def sphere(rng: np.random.Generator, *shape: int) -> np.ndarray:
    g = rng.standard_normal(shape)
    return g / np.linalg.norm(g, axis=-1, keepdims=True)


def simulated(
    dimension: int, rank: int, table: list[int], y: int, law: str, samples: int = 200_000
) -> np.ndarray:
    """Margins of random memories: W = sum_z u_f(z) e_z^T sum_i v_i v_i^T, as matrices."""
    rng = np.random.default_rng(20240611)
    margins = []
    for _ in range(samples // 20_000):
        shape_e, shape_u = (20_000, len(table), dimension), (20_000, 4, dimension)
        if law == "sphere":
            e, u = sphere(rng, *shape_e), sphere(rng, *shape_u)
        else:
            e, u = (rng.standard_normal(s) / sqrt(dimension) for s in (shape_e, shape_u))
        v = rng.standard_normal((20_000, rank, dimension))
        linear_part = sum(u[:, f, :, None] * e[:, z, None, :] for z, f in enumerate(table))
        weight = linear_part @ sum(v[:, i, :, None] * v[:, i, None, :] for i in range(rank))
        answer = np.einsum("bij,bj->bi", weight, e[:, 0])
        margins.append(np.einsum("bi,bi->b", u[:, table[0]] - u[:, y], answer))
    return np.concatenate(margins)


def deviations(samples: np.ndarray, expected_mean: Any, expected_variance: Any) -> list[float]:
    """Mean and variance of the samples less the expected ones, in their standard errors."""
    count, centred = len(samples), samples - samples.mean()
    spread = (centred**2).mean()
    of_mean = (samples.mean() - float(expected_mean)) / sqrt(spread / count)
    of_variance = spread - float(expected_variance)
    return [of_mean, of_variance / sqrt(((centred**4).mean() - spread**2) / count)]


@pytest.mark.parametrize(
    ("dimension", "rank", "table", "y", "law"),
    [
        (3, 1, [0, 1, 2], 1, "sphere"),
        (4, 2, [0, 1, 2], 3, "sphere"),
        (5, 7, [0, 1, 0, 2], 1, "sphere"),
        (6, 3, [0, 1, 2, 1, 1], 1, "sphere"),
        (4, 3, [0, 0, 2, 1], 3, "gaussian"),
        (3, 5, [0, 1, 2], 1, "gaussian"),
    ],
    ids=str,
)
def test_mean_and_variance_agree_with_simulation(
    dimension: int, rank: int, table: list[int], y: int, law: Any
) -> None:
    sizes, known = (dimension, len(table), rank), {**fibres(table, y), "embeddings": law}
    found = simulated(dimension, rank, table, y, law)
    centre = margin_mean(*sizes, **known).value.as_fraction()
    spread = margin_variance(*sizes, **known).value.as_fraction()
    assert max(map(abs, deviations(found, centre, spread))) < 6
    # The same comparison sees an error of five per cent.
    assert max(map(abs, deviations(found, centre * Fraction(21, 20), spread))) > 6
    assert min(map(abs, deviations(found, centre, spread * Fraction(23, 20))[1:])) > 6


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

    expected = central([raw(k) for k in range(1, order + 1)], order) if order > 1 else 0
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


@pytest.mark.parametrize(
    "wrong",
    [
        lambda n, dim, r: 1,
        lambda n, dim, r: Fraction(2 * r * (r + dim), dim) + Fraction(2 * n, dim),
        lambda n, dim, r: linear.margin_variance(dim, n).value * r**2,
        lambda n, dim, r: linear.margin_variance(dim, n).value,
    ],
    ids=["one", "misprint", "no fluctuation of v", "forgotten factor"],
)
def test_a_wrong_formula_is_rejected(wrong: Callable[..., Any]) -> None:
    table, y = MAPS["y of one input"]
    assert enumerated(2, 2, 2, table, y, "sphere") != RationalFunction.of(wrong(3, 2, 2))


# -- the contract -----------------------------------------------------------------------------------


@pytest.mark.parametrize("function", FUNCTIONS)
def test_formulas_are_in_the_symbols_of_the_caller(function: Callable[..., Any]) -> None:
    p, q = sympy.symbols("p q", nonnegative=True)
    found = function(d, N, m, same=p, other=q)
    assert found.expr.free_symbols <= {d, N, m, p, q}


def test_names_of_the_caller_may_swap_those_inside() -> None:
    turned = margin_variance(m, d, N)
    plain = margin_variance(*sympy.symbols("A B C"))
    assert turned == plain(A=m, B=d, C=N)


def test_names_of_the_caller_may_be_those_of_internal_symbols() -> None:
    same, other, M = sympy.symbols("same other M")
    assert margin_variance(same, other, M) == margin_variance(d, N, m)(d=same, N=other, m=M)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_numbers_give_the_formula_at_these_numbers(function: Callable[..., Any]) -> None:
    assert function(d, N, m)(d=5, N=7, m=3) == function(5, 7, 3).value


@pytest.mark.parametrize(("order", "said"), [(2, ""), (3, ""), (4, "at most one input")])
def test_the_scope_states_the_sizes(order: int, said: str) -> None:
    scope = margin_central_moment(order, d, N, m, same=1).scope
    assert scope.startswith("d >= 1, m >= 1, N >= 3, any M; ")
    assert said in scope


@pytest.mark.parametrize(
    ("sizes", "named"),
    [
        ({"d": 0, "N": 3, "m": 1}, "d >= 1 is needed, d = 0"),
        ({"d": 3, "N": 3, "m": 0}, "m >= 1 is needed, m = 0"),
        ({"d": 3, "N": 1, "m": 1}, "N - 1 >= 1 is needed"),
        ({"N": 1}, "N - 1 >= 1 is needed"),
    ],
)
def test_sizes_outside_the_domain_are_refused_with_the_bound(
    sizes: dict[str, int], named: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(named)):
        margin_variance(d, N, m)(**sizes)


def test_latex_is_for_a_paper() -> None:
    assert re.search(r"\\frac\{.*m.*\}\{d\^\{2\}\}", margin_variance(d, N, m).latex())


@pytest.mark.parametrize("order", [2, 3, 4])
def test_the_patterns_of_the_derivation_add_up(order: int) -> None:
    found = margin_central_moment(order, d, N, m)
    first, *steps, last = found.derivation
    assert "W = sum_z u_f(z) e_z^T sum_i v_i v_i^T" in first.text
    assert last.formula == found.value
    total, sums = RationalFunction.constant(0), 0
    for step in steps:
        assert step.formula is not None
        if step.text.endswith("their sum"):
            assert step.formula == total
            total, sums = RationalFunction.constant(0), sums + 1
        else:
            assert "where the indices are" in step.text
            total = total + step.formula
    assert sums == order


@pytest.mark.parametrize(
    ("arguments", "options", "named"),
    [
        ((0, N, m), {}, "d: 0 is out of range"),
        ((d, 0, m), {}, "N: 0 is out of range"),
        ((d, N, 0), {}, "m: 0 is out of range"),
        ((d, N, -2), {}, "m: -2 is out of range"),
        ((d, N, Fraction(3, 2)), {}, "m: 3/2 is out of range"),
        ((d, 2, m), {"same": 1}, "N: 2 inputs cannot hold x, same=1"),
        ((d, N, m), {"same": -1}, "same: -1 is out of range"),
        ((d, N, m), {"other": 0}, "other: 0 inputs .* contradict y_in_image=True"),
        ((d, N, m), {"y_in_image": False, "other": 2}, "contradict y_in_image=False"),
        ((d, N, m), {"embeddings": "ball"}, "embeddings: 'ball' is not known"),
    ],
)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_sizes_out_of_scope_are_refused_by_name(
    function: Callable[..., Any], arguments: tuple[Any, ...], options: dict[str, Any], named: str
) -> None:
    with pytest.raises(ValueError, match=named):
        function(*arguments, **options)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((d, N, 2.0), r"m: the float 2\.0"),
        ((d, 1e3, m), r"N: the float 1000\.0"),
        ((d, N, sympy.sqrt(m)), "sqrt"),
        ((d, N, True), "True"),
        ((d, N, sympy.Symbol("d")), "two symbols are called 'd'"),
    ],
)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_inexact_arguments_are_refused_by_name(
    function: Callable[..., Any], arguments: tuple[Any, ...], named: str
) -> None:
    with pytest.raises(ExactnessError, match=named):
        function(*arguments)


@pytest.mark.parametrize("order", [0, 9, -1, 2.0, True, "2"])
def test_orders_out_of_range_are_refused(order: Any) -> None:
    with pytest.raises(ValueError, match=f"order: {order!r}"):
        margin_central_moment(order, d, N, m)
