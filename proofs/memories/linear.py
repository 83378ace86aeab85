"""The linear associative memory W = sum_z u_{f(z)} e_z^T (Nichani et al., Sec. 3.1 and App. B).

Only W and the bilinear form of the margin are typed here; every formula is derived from them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Literal

from proofs.algebra import RationalFunction
from proofs.derived import Derived, Step, caller_symbols
from proofs.moments import (
    Association,
    Condition,
    Expression,
    Family,
    Gaussian,
    Index,
    Range,
    RawMoment,
    Sphere,
    central_from_raw,
    dot,
    fibre,
    outer,
    raw_moments,
    sum_over,
)
from proofs.moments.derivation import power, steps_of

Embeddings = Literal["sphere", "gaussian"]


@dataclass(frozen=True)
class Definition:
    """The memory and its margin in symbols: d, N, M; x an input, y an output other than f(x)."""

    inputs: Range
    outputs: Range
    association: Association
    e: Family
    u: Family
    x: Index
    y: Index
    weight: Expression
    margin: Expression

    def given(self, same: Any, other: Any) -> list[Condition]:
        """y != f(x); *same* further inputs share the output of x, *other* inputs have the output y."""
        fx = self.association(self.x)
        return [self.y != fx, fibre(fx, 1 + RationalFunction.of(same)), fibre(self.y, other)]


def definition(embeddings: Embeddings = "sphere") -> Definition:
    """W = sum_z u_{f(z)} e_z^T and gamma_xy = (u_{f(x)} - u_y)^T W e_x.

    *embeddings*: "sphere" (uniform on the unit sphere) or "gaussian" (N(0, I_d / d)). One object
    for each, so that its vectors are the same ones in every call.
    """
    return _definition(embeddings)


@cache
def _definition(embeddings: Embeddings) -> Definition:
    e: Family
    u: Family
    d, N, M = (RationalFunction.symbol(name) for name in "dNM")
    if embeddings == "sphere":
        e, u = Sphere("e", d), Sphere("u", d)
    elif embeddings == "gaussian":
        e, u = Gaussian("e", d, 1 / d), Gaussian("u", d, 1 / d)
    else:
        raise ValueError(f"embeddings: {embeddings!r} is not known; take 'sphere' or 'gaussian'")
    inputs, outputs = Range(N, "[N]"), Range(M, "[M]")
    f = Association(inputs, outputs)
    x, z, y = inputs.index("x"), inputs.index("z"), outputs.index("y")
    weight = sum_over(z, outer(u[f(z)], e[z]))
    margin = dot(u[f(x)] - u[y], weight @ e[x])
    return Definition(inputs, outputs, f, e, u, x, y, weight, margin)


@lru_cache(maxsize=32)
def raw_margin_moments(order: int, embeddings: Embeddings = "sphere") -> tuple[RawMoment, ...]:
    """E[gamma^k] for k = 1, ..., order in the symbols d, N, same, other."""
    memory = definition(embeddings)
    given = memory.given(RationalFunction.symbol("same"), RationalFunction.symbol("other"))
    return tuple(raw_moments([memory.margin] * order, given))


def margin_mean(
    d: Any,
    N: Any,
    *,
    y_in_image: bool = True,
    embeddings: Embeddings = "sphere",
    same: Any = 0,
    other: Any = None,
) -> Derived:
    """E[gamma_xy], y != f(x).

    *d*, *N*: dimension and number of inputs, symbols or numbers. *same*: inputs besides x with the
    output f(x). *other*: inputs with the output y, by default 1 or 0 as y is in the image or not.

    Raises ValueError for sizes outside the scope or contradictory arguments, ExactnessError for
    floats. Source: Nichani et al., App. B, proof of Theorem 1, first display.
    """
    return _margin_moment(1, d, N, y_in_image, embeddings, same, other, central=False)


def margin_variance(
    d: Any,
    N: Any,
    *,
    y_in_image: bool = True,
    embeddings: Embeddings = "sphere",
    same: Any = 0,
    other: Any = None,
) -> Derived:
    """Var(gamma_xy), y != f(x). Arguments and errors as in ``margin_mean``."""
    return _margin_moment(2, d, N, y_in_image, embeddings, same, other, central=True)


def margin_second_moment(
    d: Any,
    N: Any,
    *,
    y_in_image: bool = True,
    embeddings: Embeddings = "sphere",
    same: Any = 0,
    other: Any = None,
) -> Derived:
    """E[gamma_xy^2], y != f(x). Arguments and errors as in ``margin_mean``."""
    return _margin_moment(2, d, N, y_in_image, embeddings, same, other, central=False)


def margin_central_moment(
    order: int,
    d: Any,
    N: Any,
    *,
    y_in_image: bool = True,
    embeddings: Embeddings = "sphere",
    same: Any = 0,
    other: Any = None,
) -> Derived:
    """E[(gamma_xy - E gamma_xy)^order], order from 1 to 8. Otherwise as ``margin_mean``."""
    if isinstance(order, bool) or not isinstance(order, int) or not 1 <= order <= 8:
        raise ValueError(
            f"order: {order!r} is out of range; central moments have order 1 to 8 here"
        )
    return _margin_moment(order, d, N, y_in_image, embeddings, same, other, central=True)


def _margin_moment(
    order: int,
    d: Any,
    N: Any,
    y_in_image: bool,
    embeddings: Embeddings,
    same: Any,
    other: Any,
    *,
    central: bool,
) -> Derived:
    if other is None:
        other = 1 if y_in_image else 0
    sizes = {
        "d": RationalFunction.of(d),
        "N": RationalFunction.of(N),
        "same": RationalFunction.of(same),
        "other": RationalFunction.of(other),
    }
    _check(sizes, y_in_image)
    raw = raw_margin_moments(order, embeddings)
    values = [moment.value(**sizes) for moment in raw]
    value = central_from_raw(values) if central else values[-1]
    steps = [
        Step("W = sum_z u_f(z) e_z^T,  gamma = <u_f(x) - u_y, W e_x>,  y != f(x)"),
        *(step for moment in raw for step in steps_of(moment, power("gamma", moment.order), sizes)),
    ]
    if central and order > 1:
        name = "Var(gamma)" if order == 2 else f"E[(gamma - E gamma)^{order}]"
        steps.append(Step(f"{name} from the raw moments", value))
    symbols = caller_symbols(d, N, same, other)
    return Derived(value, _scope(sizes, embeddings, order), tuple(steps), symbols)


def _scope(sizes: dict[str, RationalFunction], embeddings: Embeddings, order: int) -> str:
    named = 1 + sizes["same"] + sizes["other"]
    law = "uniform on the unit sphere" if embeddings == "sphere" else "N(0, I_d/d)"
    where = f"d >= 1, N >= {named}, any M; embeddings {law}; y != f(x)"
    if sizes["other"] == 0:
        where += ", y outside the image"
    elif sizes["other"] == 1:
        where += ", y the output of one input"
    else:
        where += f", y the output of {sizes['other']} inputs"
    if order >= 4:
        where += "; outputs other than f(x) and y have at most one input"
    return where


def _check(sizes: dict[str, RationalFunction], y_in_image: bool) -> None:
    numbers = {k: v.as_fraction() for k, v in sizes.items() if not v.names}
    for name, low in (("d", 1), ("N", 1), ("same", 0), ("other", 0)):
        if name in numbers and (numbers[name] < low or numbers[name].denominator != 1):
            raise ValueError(f"{name}: {numbers[name]} is out of range; take an integer >= {low}")
    if "other" in numbers and y_in_image != (numbers["other"] > 0):
        raise ValueError(
            f"other: {numbers['other']} inputs with the output y contradict y_in_image={y_in_image}"
        )
    if {"N", "same", "other"} <= set(numbers) and numbers["N"] < 1 + numbers["same"] + numbers[
        "other"
    ]:
        raise ValueError(
            f"N: {numbers['N']} inputs cannot hold x, same={numbers['same']} others of its output "
            f"and other={numbers['other']} with the output y; raise N"
        )
