"""The contract of the linear memory's formulas: symbols, numbers, scope, derivation and errors."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from fractions import Fraction
from math import comb
from typing import Any

import pytest
import sympy

from proofs.algebra import ExactnessError, RationalFunction
from proofs.memories.linear import (
    definition,
    margin_central_moment,
    margin_mean,
    margin_second_moment,
    margin_variance,
)
from proofs.memories.setting import raw_margin_moments
from proofs.moments import central_from_raw
from proofs.moments.explicit import Instance

d, N = sympy.symbols("d N", positive=True, integer=True)
FUNCTIONS: list[Callable[..., Any]] = [
    margin_mean,
    margin_variance,
    margin_second_moment,
    lambda *sizes, **options: margin_central_moment(3, *sizes, **options),
]


def _equal(left: sympy.Expr, right: sympy.Expr) -> bool:
    return RationalFunction.of(left) == RationalFunction.of(right)


@pytest.mark.parametrize("embeddings", ["sphere", "gaussian"])
@pytest.mark.parametrize("inside", [True, False])
def test_the_mean_is_one(inside: bool, embeddings: Any) -> None:
    assert margin_mean(d, N, y_in_image=inside, embeddings=embeddings).expr == 1


def test_the_variance_with_y_in_the_image() -> None:
    assert _equal(margin_variance(d, N).expr, 2 / d + (2 * N - 3) / d**2)


def test_the_variance_with_y_outside_the_image() -> None:
    assert _equal(margin_variance(d, N, y_in_image=False).expr, 1 / d + 2 * (N - 1) / d**2)


@pytest.mark.parametrize(("same", "other"), list(itertools.product(range(3), repeat=2)))
def test_every_input_over_a_named_output_adds_its_own_variance(same: int, other: int) -> None:
    # Independent summands: A, then A g for each input over f(x) or y, then sqrt(2A) t g.
    A_squared = 1 + 1 / d
    expected = A_squared - 1 + (same + other) * A_squared / d
    expected += 2 * (N - 1 - same - other) / d**2
    found = margin_variance(d, N, y_in_image=other > 0, same=same, other=other)
    assert _equal(found.expr, expected)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_formulas_are_in_the_symbols_of_the_caller(function: Callable[..., Any]) -> None:
    assert function(d, N).expr.free_symbols <= {d, N}


def test_names_of_the_caller_may_swap_those_inside() -> None:
    swapped = margin_variance(N, d).expr
    back = margin_variance(d, N).expr.subs({d: N, N: d}, simultaneous=True)
    assert _equal(swapped, back)


def test_names_of_the_caller_may_be_those_of_internal_symbols() -> None:
    same, other = sympy.symbols("same other")
    assert _equal(
        margin_variance(other, same).expr,
        margin_variance(d, N).expr.subs({d: other, N: same}, simultaneous=True),
    )


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("inside", [True, False])
def test_numbers_give_the_formula_at_these_numbers(
    inside: bool, function: Callable[..., Any]
) -> None:
    formula = function(d, N, y_in_image=inside)
    assert formula(d=7, N=11) == function(7, 11, y_in_image=inside).value


@pytest.mark.parametrize("sizes", [(8, 5), (sympy.Integer(8), sympy.Integer(5)), (Fraction(8), 5)])
def test_numbers_of_any_exact_kind_are_read(sizes: tuple[Any, Any]) -> None:
    assert margin_variance(*sizes).value.as_fraction() == Fraction(2, 8) + Fraction(7, 64)


def test_symbolic_fibres_specialise_to_numbers() -> None:
    a, b = sympy.symbols("a b")
    formula = margin_central_moment(4, d, N, same=a, other=b)
    assert formula(a=1, b=2) == margin_central_moment(4, d, N, same=1, other=2).value


def test_the_second_moment_is_the_variance_plus_one() -> None:
    assert margin_second_moment(d, N).value == margin_variance(d, N).value + 1


def test_the_second_central_moment_is_the_variance() -> None:
    assert margin_central_moment(2, d, N).value == margin_variance(d, N).value


def test_the_first_central_moment_vanishes() -> None:
    assert margin_central_moment(1, d, N).value == 0


@pytest.mark.parametrize("order", [*range(1, 7), pytest.param(8, marks=pytest.mark.slow)])
def test_in_dimension_one_the_margin_is_a_sum_of_signs(order: int) -> None:
    # d = 1, N = 1, y outside: the margin is 1 - s for a fair sign s.
    found = margin_central_moment(order, 1, 1, y_in_image=False).value
    assert found == (1 if order % 2 == 0 else 0)


@pytest.mark.parametrize("order", range(1, 7))
def test_at_d_three_with_one_fact_the_margin_is_uniform(order: int) -> None:
    # The margin is 1 - t, t uniform on [-1, 1].
    found = margin_central_moment(order, 3, 1, y_in_image=False).value.as_fraction()
    assert found == (Fraction(1, order + 1) if order % 2 == 0 else 0)


@pytest.mark.parametrize("dimension", [1, 2])
@pytest.mark.parametrize("order", [2, 3, 4])
@pytest.mark.parametrize("inside", [True, False])
@pytest.mark.parametrize("embeddings", ["sphere", "gaussian"])
def test_central_moments_agree_with_enumeration(
    embeddings: Any, inside: bool, order: int, dimension: int
) -> None:
    m = definition(embeddings)
    y = 1 if inside else 3
    instance = Instance(
        {m.inputs: 3, m.outputs: 4}, {m.x: 0, m.y: y}, {m.association: [0, 1, 2]}, {"d": dimension}
    )
    raw = [instance.expectation([m.margin] * k, dimension) for k in range(1, order + 1)]
    moments = [Fraction(1), *raw]
    expected = sum(comb(order, k) * moments[k] * (-raw[0]) ** (order - k) for k in range(order + 1))
    found = margin_central_moment(order, dimension, 3, y_in_image=inside, embeddings=embeddings)
    assert found.value == expected


@pytest.mark.parametrize("order", range(1, 7))
@pytest.mark.parametrize("inside", [True, False])
def test_the_patterns_of_the_derivation_add_up(inside: bool, order: int) -> None:
    sizes = {"same": 0, "other": int(inside)}
    raw = raw_margin_moments(definition(), order)
    sums = [
        sum((c.value for c in moment.contributions), RationalFunction.constant(0)) for moment in raw
    ]
    total = central_from_raw(sums)(**sizes)
    assert total == margin_central_moment(order, d, N, y_in_image=inside).value


@pytest.mark.parametrize("order", [2, 3])
def test_the_derivation_ends_with_the_result(order: int) -> None:
    found = margin_central_moment(order, d, N)
    assert found.derivation[-1].formula == found.value


def test_the_steps_before_a_raw_moment_add_up_to_it() -> None:
    steps = margin_second_moment(d, N).derivation[1:]
    formulas = [step.formula for step in steps if step.formula is not None]
    assert len(formulas) == len(steps)
    mean_parts, rest = formulas[:1], formulas[2:]
    assert mean_parts == [RationalFunction.constant(1)]
    assert sum(rest[:-1], RationalFunction.constant(0)) == rest[-1]


def test_one_definition_serves_all_calls() -> None:
    first = definition()
    definition("gaussian")
    assert definition("sphere") is first


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "N >= 2, any M; embeddings uniform on the unit sphere; .*y the output of one input"),
        ({"y_in_image": False}, "N >= 1, any M; .*y outside the image"),
        ({"other": 3}, "N >= 4, .*y the output of 3 inputs"),
        ({"same": 2}, "N >= 4"),
        ({"embeddings": "gaussian"}, r"N\(0, I_d/d\)"),
    ],
)
def test_the_scope_states_the_sizes_and_the_law(options: dict[str, Any], said: str) -> None:
    found = margin_variance(d, N, **options).scope
    assert re.fullmatch(f"d >= 1, .*{said}.*", found)


@pytest.mark.parametrize(("order", "restricted"), [(2, False), (3, False), (4, True), (5, True)])
def test_the_scope_says_where_fibres_begin_to_matter(order: int, restricted: bool) -> None:
    scope = margin_central_moment(order, d, N).scope
    assert ("at most one input" in scope) == restricted


def test_latex_is_for_a_paper() -> None:
    assert "\\frac" in margin_variance(d, N).latex()


@pytest.mark.parametrize(
    ("arguments", "options", "named"),
    [
        ((0, N), {}, "d: 0 is out of range"),
        ((-1, N), {}, "d: -1 is out of range"),
        ((Fraction(1, 2), N), {}, "d: 1/2 is out of range"),
        ((d, 0), {}, "N: 0 is out of range"),
        ((3, 1), {}, "N: 1 inputs cannot hold x, same=0 .* other=1"),
        ((d, 1), {}, "N: 1 inputs cannot hold"),
        ((d, 2), {"same": 1}, "N: 2 inputs cannot hold x, same=1"),
        ((d, N), {"same": -1}, "same: -1 is out of range"),
        ((d, N), {"other": -2}, "other: -2 is out of range"),
        ((d, N), {"other": 0}, "other: 0 inputs .* contradict y_in_image=True"),
        ((d, N), {"y_in_image": False, "other": 1}, "other: 1 .* contradict y_in_image=False"),
        ((d, N), {"embeddings": "cube"}, "embeddings: 'cube'"),
    ],
)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_sizes_out_of_scope_are_refused_by_name(
    function: Callable[..., Any], arguments: tuple[Any, Any], options: dict[str, Any], named: str
) -> None:
    with pytest.raises(ValueError, match=named):
        function(*arguments, **options)


@pytest.mark.parametrize(
    ("arguments", "options", "named"),
    [
        ((2.0, N), {}, r"2\.0"),
        ((d, 1e3), {}, r"1000\.0"),
        ((d * 0.5, N), {}, "write 1/2"),
        ((sympy.sqrt(d), N), {}, "sqrt"),
        ((True, N), {}, "True"),
        ((d, N), {"same": 0.0}, r"0\.0"),
        ((sympy.Symbol("n"), sympy.Symbol("n", positive=True)), {}, "two symbols are called 'n'"),
    ],
)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_inexact_arguments_are_refused_by_name(
    function: Callable[..., Any], arguments: tuple[Any, Any], options: dict[str, Any], named: str
) -> None:
    with pytest.raises(ExactnessError, match=named):
        function(*arguments, **options)


@pytest.mark.parametrize("order", [0, 9, -1, 2.0, True, "2"])
def test_orders_out_of_range_are_refused(order: Any) -> None:
    with pytest.raises(ValueError, match=f"order: {order!r}"):
        margin_central_moment(order, d, N)
