"""What all memories share: inputs, outputs, embeddings and the margin's moments.

Serves Nichani et al., Sec. 3: gamma_xy = <u_f(x) - u_y, F(e_x)>, y != f(x). A memory gives F; the
moments of the margin are the engine's, with the sizes filled in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from proofs.algebra import RationalFunction
from proofs.algebra.symbols import caller_symbols, symbols
from proofs.derived import Bound, Derived, Step
from proofs.moments import (
    Association,
    Condition,
    Expression,
    Family,
    Gaussian,
    Range,
    RawMoment,
    Sphere,
    central_from_raw,
    fibre,
    raw_moments,
)
from proofs.moments.derivation import power, steps_of

Embeddings = Literal["sphere", "gaussian"]

#: The largest order of a margin's moment that is offered.
LARGEST_ORDER = 8


class Memory:
    """Inputs x in [N], outputs y in [M], a map f, embeddings e_x, u_y in R^d; a margin over them.

    Symbols are d, N, M and more. x is an input, y an output other than f(x). A memory of its own
    sets ``margin``, and ``weight`` if it is linear.
    """

    #: The definition as text, for derivations.
    text: str
    margin: Expression
    #: The matrix of a linear memory.
    weight: Expression
    #: The order of moments from which the fibres of outputs other than f(x) and y matter.
    injective_from = 4

    def __init__(self, embeddings: Embeddings = "sphere") -> None:
        d, N, M = symbols("d N M")
        self.e: Family
        self.u: Family
        if embeddings == "sphere":
            self.e, self.u = Sphere("e", d), Sphere("u", d)
        elif embeddings == "gaussian":
            self.e, self.u = Gaussian("e", d, 1 / d), Gaussian("u", d, 1 / d)
        else:
            raise ValueError(
                f"embeddings: {embeddings!r} is not known; take 'sphere' or 'gaussian'"
            )
        self.embeddings = embeddings
        self.inputs, self.outputs = Range(N, "[N]"), Range(M, "[M]")
        self.association = Association(self.inputs, self.outputs)
        self.x, self.y = self.inputs.index("x"), self.outputs.index("y")

    def contrast(self) -> Expression:
        """u_f(x) - u_y."""
        return self.u[self.association(self.x)] - self.u[self.y]

    def given(self, same: Any, other: Any) -> list[Condition]:
        """y != f(x); *same* further inputs share the output of x, *other* inputs have the output y."""
        fx = self.association(self.x)
        return [self.y != fx, fibre(fx, 1 + RationalFunction.of(same)), fibre(self.y, other)]


@dataclass(frozen=True)
class Fibres:
    """Which inputs have the outputs f(x) and y, as the public functions say it."""

    y_in_image: bool
    same: Any
    other: Any


@lru_cache(maxsize=64)
def raw_margin_moments(memory: Memory, order: int) -> tuple[RawMoment, ...]:
    """E[gamma^k] for k = 1, ..., order in the memory's symbols, same and other."""
    given = memory.given(RationalFunction.symbol("same"), RationalFunction.symbol("other"))
    return tuple(raw_moments([memory.margin] * order, given))


def margin_moment(
    memory: Memory,
    order: int,
    sizes: Mapping[str, Any],
    fibres: Fibres,
    coefficients: Mapping[str, Any] | None = None,
    *,
    central: bool = True,
) -> Derived:
    """A raw or *central* moment of the margin at *sizes*, all of which are counts >= 1, and values of
    further symbols, *coefficients*; numbers or symbols of the caller.

    Raises ValueError for an order outside 1 to 8, sizes out of range or contradictory arguments,
    ExactnessError for floats.
    """
    check_order(order, LARGEST_ORDER)
    same, other = fibres.same, fibres.other
    if other is None:
        other = 1 if fibres.y_in_image else 0
    given = {**sizes, **(coefficients or {}), "same": same, "other": other}
    exact = {name: RationalFunction.of(value, name) for name, value in given.items()}
    least = {**dict.fromkeys(sizes, 1), "same": 0, "other": 0}
    _check(exact, fibres.y_in_image, least)
    domain = [Bound(exact[name], 1) for name in sizes]
    domain.append(Bound(exact["N"] - exact["same"] - exact["other"], 1))
    raw = raw_margin_moments(memory, order)
    values = [moment.value(**exact) for moment in raw]
    value = central_from_raw(values) if central else values[-1]
    steps = [
        Step(f"{memory.text},  y != f(x)"),
        *(s for moment in raw for s in steps_of(moment, power("gamma", moment.order), exact)),
    ]
    if central and order > 1:
        name = "Var(gamma)" if order == 2 else f"E[(gamma - E gamma)^{order}]"
        steps.append(Step(f"{name} from the raw moments", value))
    return Derived(
        value,
        _scope(memory, exact, domain, order >= memory.injective_from),
        tuple(steps),
        caller_symbols(*given.values()),
        tuple(domain),
    )


def _scope(
    memory: Memory,
    sizes: Mapping[str, RationalFunction],
    domain: Iterable[Bound],
    injective: bool,
) -> str:
    law = "uniform on the unit sphere" if memory.embeddings == "sphere" else "N(0, I_d/d)"
    bounds = Bound.text(tuple(domain))
    parts = [f"{bounds}, any M" if bounds else "any M", f"embeddings {law}", "y != f(x)"]
    if sizes["other"] == 0:
        parts[-1] += ", y outside the image"
    elif sizes["other"] == 1:
        parts[-1] += ", y the output of one input"
    else:
        parts[-1] += f", y the output of {sizes['other']} inputs"
    if injective:
        parts.append("outputs other than f(x) and y have at most one input")
    return "; ".join(parts)


def check_order(order: int, largest: int = 2) -> None:
    """ValueError for an order of a margin's moment that is not offered."""
    if isinstance(order, bool) or not isinstance(order, int) or not 1 <= order <= largest:
        raise ValueError(
            f"order: {order!r} is out of range; central moments have order 1 to {largest} here"
        )


def check_sizes(sizes: Mapping[str, RationalFunction], least: Mapping[str, int]) -> None:
    """ValueError for an explicit size that is no integer or below its smallest value."""
    for name, low in least.items():
        if not sizes[name].names:
            value = sizes[name].as_fraction()
            if value < low or value.denominator != 1:
                raise ValueError(f"{name}: {value} is out of range; take an integer >= {low}")


def _check(
    sizes: Mapping[str, RationalFunction], y_in_image: bool, least: Mapping[str, int]
) -> None:
    check_sizes(sizes, least)
    numbers = {k: v.as_fraction() for k, v in sizes.items() if not v.names and k in least}
    if "other" in numbers and y_in_image != (numbers["other"] > 0):
        raise ValueError(
            f"other: {numbers['other']} inputs with the output y contradict y_in_image={y_in_image}"
        )
    if {"N", "same", "other"} <= set(numbers):
        named = 1 + numbers["same"] + numbers["other"]
        if numbers["N"] < named:
            raise ValueError(
                f"N: {numbers['N']} inputs cannot hold x, same={numbers['same']} others of its "
                f"output and other={numbers['other']} with the output y; raise N"
            )
