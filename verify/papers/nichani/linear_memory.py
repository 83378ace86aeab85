"""The quantities of the linear memory that the proof of Theorem 1 speaks of (App. B).

Exact side: expressions in the language of ``proofs.moments``. Measured side: observables of
``numerics.papers.nichani.linear_observables``. The two share nothing but the paper's definition.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache, lru_cache, partial
from typing import Any

from proofs.algebra import RationalFunction
from proofs.algebra.symbols import symbols
from proofs.derived import Derived
from proofs.memories.linear import (
    definition,
    margin_mean,
    margin_second_moment,
    margin_variance,
)
from proofs.memories.setting import Margin, Memory
from proofs.moments import (
    Condition,
    Expression,
    Index,
    Signs,
    dot,
    mean,
    not_in_image,
    outer,
    sum_over,
)
from proofs.moments.explicit import Instance
from proofs.papers.nichani.linear import Constants
from verify.claim import Printed
from verify.measuring.context import Context
from verify.measuring.measure import Experiment, single
from verify.measuring.quantities import Measured, Quantity, Sizes
from verify.statistics import variance_about


def _draw_margins(**arguments: Any) -> Mapping[str, Any]:
    from numerics.papers.nichani.linear_observables import margin_observables

    return margin_observables(**arguments)


def _draw_overlaps(**arguments: Any) -> Mapping[str, Any]:
    from numerics.papers.nichani.linear_observables import overlap_observables

    return overlap_observables(**arguments)


def margins(fault: str = "") -> Experiment:
    """Margins of the linear memory, or of one built with a fault of ``numerics.memories.linear``."""
    name = f"linear-margins {fault}".strip()
    return Experiment(name, partial(_draw_margins, fault=fault) if fault else _draw_margins)


OVERLAPS = Experiment("linear-overlaps", _draw_overlaps)

#: Small enough that a neighbouring formula is far away, unequal so that no two symbols coincide.
_MARGIN_SIZES: tuple[Sizes, ...] = ({"d": 2, "N": 3, "M": 4}, {"d": 3, "N": 5, "M": 6})
_OVERLAP_SIZES: tuple[Sizes, ...] = ({"d": 3}, {"d": 5})
#: Observables that average over the facts of a draw.
_AVERAGED = frozenset({"key", "key-squared", "generic-squared"})
_TINY_MARGINS: tuple[Sizes, ...] = (
    {"d": 1, "N": 2},
    {"d": 1, "N": 3},
    {"d": 2, "N": 2},
    {"d": 2, "N": 3},
)


def _margin_scope(inside: bool) -> str:
    return "d >= 1, N >= 2, y in the image" if inside else "d >= 1, N >= 1, y outside the image"


def _margin_instance(sizes: Sizes, inside: bool) -> Instance:
    memory = definition()
    N = sizes["N"]
    return Instance(
        {memory.inputs: N, memory.outputs: N + 1},
        {memory.x: 0, memory.y: 1 if inside else N},
        {memory.association: range(N)},
        {"d": sizes["d"], "N": N, "M": N + 1},
    )


class _Faulty(Memory):
    """The linear memory with a slip in its weight; the slips of ``numerics.memories.linear``."""

    text = "a weight built wrongly on purpose"

    def __init__(self, fault: str) -> None:
        super().__init__()
        z = self.inputs.index("z")
        value, key = self.u[self.association(z)], self.e[z]
        slips = {
            "transposed": outer(key, value),
            "doubled": 2 * outer(value, key),
            "untied signs": outer(value, key) * Signs("s")[z],
        }
        self.weight = sum_over(z, slips[fault])
        self.margin = dot(self.contrast(), self.weight @ self.e[self.x])


_faulty = cache(_Faulty)


def _faulty_moment(fault: str, inside: bool, *, order: int, central: bool) -> Derived:
    d, N = _sizes()
    margin = Margin(_faulty(fault), {"d": d, "N": N}, inside, 0, None)
    return margin.moment(order, central=central)


def _margin_quantity(
    name: str,
    symbol: str,
    exact: Callable[[bool], Derived],
    enumerate_: Callable[[Instance, int], Fraction],
    measured: tuple[str, ...],
    faulty: Callable[[str, bool], Derived],
    inside: bool,
    fault: str = "",
) -> Quantity:
    """A moment of the margin; of a memory built with *fault*, if there is one."""
    where = "inside" if inside else "outside"
    combine = partial(variance_about, 1.0) if len(measured) == 2 else single
    observables = tuple(f"{m}.{where}" for m in measured)
    return Quantity(
        f"{name}.{where}",
        f"{symbol}, y {'in' if inside else 'outside'} the image",
        partial(faulty, fault, inside) if fault else partial(exact, inside),
        {"d": 1, "N": 2 if inside else 1},
        lambda sizes: enumerate_(_margin_instance(sizes, inside), sizes["d"]),
        () if fault else _TINY_MARGINS,
        Measured(margins(fault), observables, _MARGIN_SIZES, combine),
        where,
        partial(_margin_quantity, name, symbol, exact, enumerate_, measured, faulty, inside),
    )


@cache
def cross_terms(memory: Memory) -> Expression:
    """gamma^2 - sum_z ((u_f(x) - u_y)^T u_f(z))^2 (e_z^T e_x)^2."""
    f, x, z = memory.association, memory.x, memory.inputs.index("z")
    summand = dot(memory.contrast(), memory.u[f(z)]) * dot(memory.e[z], memory.e[x])
    return memory.margin**2 - sum_over(z, summand**2)


def _moment(instance: Instance, order: int, d: int) -> Fraction:
    return instance.expectation([definition().margin] * order, d).as_fraction()


def _exact_cross(inside: bool, memory: Memory | None = None) -> Derived:
    memory = memory or definition()
    given = memory.given(0, 1 if inside else 0)
    return replace(mean(cross_terms(memory), given, name="cross"), scope=_margin_scope(inside))


def _overlap_quantity(
    name: str,
    symbol: str,
    build: Callable[[tuple[Index, ...]], tuple[Expression, list[Condition]]],
) -> Quantity:
    """An expectation over four different inputs x, a, b, c and the output y; *symbol* is E[...].

    Measured by the observable of its name.
    """

    @lru_cache(maxsize=1)
    def typed() -> tuple[tuple[Index, ...], Expression, list[Condition]]:
        m = definition()
        a, b, c = (m.inputs.index(letter) for letter in "abc")
        indices = (m.x, a, b, c)
        return indices, *build(indices)

    def exact() -> Derived:
        _, expression, given = typed()
        return replace(mean(expression, given, name=symbol[2:-1]), scope="d >= 1")

    @lru_cache(maxsize=1)
    def spread() -> RationalFunction:
        _, expression, given = typed()
        first, second = (mean(power, given).value for power in (expression, expression**2))
        return second - first**2

    def variance(sizes: Sizes) -> Fraction:
        return spread()(**sizes).as_fraction()

    def enumerate_(sizes: Sizes) -> Fraction:
        m = definition()
        indices, expression, _ = typed()
        values = {index: position for position, index in enumerate(indices)}
        instance = Instance(
            {m.inputs: 4, m.outputs: 5},
            {**values, m.y: 4},
            {m.association: range(4)},
            {"d": sizes["d"], "N": 4, "M": 5},
        )
        return instance.expectation([expression], sizes["d"]).as_fraction()

    return Quantity(
        name,
        symbol,
        exact,
        {"d": 1},
        enumerate_,
        ({"d": 1}, {"d": 2}),
        Measured(
            OVERLAPS,
            (name,),
            _OVERLAP_SIZES,
            # An average over several facts has a smaller variance than one of them: pilot.
            variance=None if name in _AVERAGED else variance,
        ),
    )


def _outputs(pick: Callable[[Any, Any, Any], Expression]) -> Callable[..., Any]:
    """An expression in u_f(x), u_y and u_f(a), with y different from all images."""

    def build(indices: tuple[Index, ...]) -> tuple[Expression, list[Condition]]:
        m = definition()
        fx, fa, y = m.association(indices[0]), m.association(indices[1]), m.y
        given = [indices[0] != indices[1], fx != fa, y != fx, y != fa, not_in_image(y)]
        return pick(m.u[fx], m.u[y], m.u[fa]), given

    return build


def _inputs(pick: Callable[..., Expression]) -> Callable[..., Any]:
    """An expression in the keys e_x, e_a, e_b, e_c."""

    def build(indices: tuple[Index, ...]) -> tuple[Expression, list[Condition]]:
        given = [p != q for i, p in enumerate(indices) for q in indices[:i]]
        return pick(*(definition().e[index] for index in indices)), given

    return build


def quantities() -> dict[str, Quantity]:
    """All quantities of the linear memory, by name."""
    found = []
    for inside in (True, False):
        found += [
            _margin_quantity(
                "mean",
                "E[gamma]",
                lambda i: margin_mean(*_sizes(), y_in_image=i),
                lambda instance, d: _moment(instance, 1, d),
                ("mean",),
                partial(_faulty_moment, order=1, central=False),
                inside,
            ),
            _margin_quantity(
                "second-moment",
                "E[gamma^2]",
                lambda i: margin_second_moment(*_sizes(), y_in_image=i),
                lambda instance, d: _moment(instance, 2, d),
                ("second",),
                partial(_faulty_moment, order=2, central=False),
                inside,
            ),
            _margin_quantity(
                "variance",
                "Var(gamma)",
                lambda i: margin_variance(*_sizes(), y_in_image=i),
                lambda instance, d: _moment(instance, 2, d) - _moment(instance, 1, d) ** 2,
                ("mean", "centred"),
                partial(_faulty_moment, order=2, central=True),
                inside,
            ),
            _margin_quantity(
                "cross-terms",
                "E[gamma^2] - sum_z E[(...)^2 (...)^2]",
                _exact_cross,
                lambda instance, d: instance.expectation(
                    [cross_terms(definition())], d
                ).as_fraction(),
                ("cross",),
                lambda fault, i: _exact_cross(i, _faulty(fault)),
                inside,
            ),
        ]
    found += [
        _overlap_quantity(name, symbol, build)
        for name, symbol, build in (
            ("signal", "E[(u_f(x) - u_y)^T u_f(x)]", _outputs(lambda u, v, w: dot(u - v, u))),
            (
                "signal-squared",
                "E[((u_f(x) - u_y)^T u_f(x))^2]",
                _outputs(lambda u, v, w: dot(u - v, u) ** 2),
            ),
            (
                "coincident-squared",
                "E[((u_f(x) - u_y)^T u_y)^2]",
                _outputs(lambda u, v, w: dot(u - v, v) ** 2),
            ),
            (
                "generic-squared",
                "E[((u_f(x) - u_y)^T u_f(z))^2]",
                _outputs(lambda u, v, w: dot(u - v, w) ** 2),
            ),
            ("key", "E[e_z^T e_x]", _inputs(lambda x, a, b, c: dot(a, x))),
            ("key-squared", "E[(e_z^T e_x)^2]", _inputs(lambda x, a, b, c: dot(a, x) ** 2)),
            (
                "key-pair",
                "E[(e_a^T e_x)(e_b^T e_x)]",
                _inputs(lambda x, a, b, c: dot(a, x) * dot(b, x)),
            ),
            (
                "key-square-pair",
                "E[(e_a^T e_x)^2 (e_b^T e_x)^2]",
                _inputs(lambda x, a, b, c: dot(a, x) ** 2 * dot(b, x) ** 2),
            ),
            (
                "key-square-triple",
                "E[(e_a^T e_x)^2 (e_b^T e_x)^2 (e_c^T e_x)^2]",
                _inputs(lambda x, a, b, c: dot(a, x) ** 2 * dot(b, x) ** 2 * dot(c, x) ** 2),
            ),
            (
                "triangle",
                "E[(e_a^T e_x)(e_b^T e_x)(e_a^T e_b)]",
                _inputs(lambda x, a, b, c: dot(a, x) * dot(b, x) * dot(a, b)),
            ),
        )
    ]
    return {quantity.name: quantity for quantity in found}


def _sizes() -> list[RationalFunction]:
    return symbols("d N")


def kappa(context: Context) -> RationalFunction:
    """kappa as the tail of one margin prints it."""
    formulas: Printed = context.formulas("nichani.thm1.explicit.chernoff")
    return formulas["kappa"].field()


def linear_constants(context: Context) -> Constants:
    """What the claims on generating functions and on the law of the linear margin print."""
    functions: Printed = context.formulas("nichani.thm1.explicit.mgf")
    law: Printed = context.formulas("nichani.thm1.explicit.law")
    return Constants(
        scale=functions["scale"].number(),
        product=functions["product"].number(),
        coincident=law["beta"].number(),
        spread=law["spread"].number(),
    )
