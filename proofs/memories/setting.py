"""What all memories share: inputs, outputs, embeddings and the margin's moments.

Serves Nichani et al., Sec. 3: gamma_xy = <u_f(x) - u_y, F(e_x)>, y != f(x). A memory gives F; the
moments of the margin are the engine's, with the sizes filled in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from inspect import Parameter, signature
from typing import Any, Literal, ParamSpec, Protocol

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
P = ParamSpec("P")

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


@lru_cache(maxsize=64)
def raw_margin_moments(memory: Memory, order: int) -> tuple[RawMoment, ...]:
    """E[gamma^k] for k = 1, ..., order in the memory's symbols, same and other."""
    given = memory.given(RationalFunction.symbol("same"), RationalFunction.symbol("other"))
    return tuple(raw_moments([memory.margin] * order, given))


@dataclass(frozen=True)
class Margin:
    """The margin of a memory at *sizes*, all of which are counts >= 1, and values of further symbols,
    *coefficients*; numbers or symbols of the caller.

    *same*: inputs besides x with the output f(x). *other*: inputs with the output y, by default 1 or 0
    as y is in the image or not.
    """

    memory: Memory
    sizes: Mapping[str, Any]
    y_in_image: bool
    same: Any
    other: Any
    coefficients: Mapping[str, Any] = field(default_factory=dict)

    def moment(self, order: int, *, central: bool = True) -> Derived:
        """A raw or *central* moment.

        Raises ValueError for an order outside 1 to 8, sizes out of range or contradictory arguments,
        ExactnessError for floats.
        """
        memory, sizes = self.memory, self.sizes
        check_order(order, LARGEST_ORDER)
        other = int(self.y_in_image) if self.other is None else self.other
        given = {**sizes, **self.coefficients, "same": self.same, "other": other}
        exact = {name: RationalFunction.of(value, name) for name, value in given.items()}
        least = {**dict.fromkeys(sizes, 1), "same": 0, "other": 0}
        _check(exact, self.y_in_image, least)
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


class CentralMoment(Protocol[P]):
    """A central moment of a margin: its order, then what the margin takes."""

    def __call__(self, order: int, *args: P.args, **kwargs: P.kwargs) -> Derived: ...


def margin_functions(
    margin: Callable[P, Margin],
) -> tuple[Callable[P, Derived], Callable[P, Derived], CentralMoment[P]]:
    """``margin_mean``, ``margin_variance`` and ``margin_central_moment`` with the arguments of *margin*,
    whose docstring is that of the mean."""

    def variance(*args: P.args, **kwargs: P.kwargs) -> Derived:
        """Var(gamma_xy), y != f(x). Arguments and errors as in ``margin_mean``."""
        return margin(*args, **kwargs).moment(2)

    def central_moment(order: int, *args: P.args, **kwargs: P.kwargs) -> Derived:
        """E[(gamma_xy - E gamma_xy)^order], order from 1 to 8. Otherwise as ``margin_mean``."""
        return margin(*args, **kwargs).moment(order)

    mean = raw_moment(1, margin, "margin_mean", str(margin.__doc__))
    order = Parameter("order", Parameter.POSITIONAL_OR_KEYWORD, annotation="int")
    _publish(variance, margin, "margin_variance")
    _publish(central_moment, margin, "margin_central_moment", order)
    return mean, variance, central_moment


def raw_moment(
    order: int, margin: Callable[P, Margin], name: str, text: str
) -> Callable[P, Derived]:
    """E[gamma^order] as a public function *name* with the arguments of *margin*."""

    def moment(*args: P.args, **kwargs: P.kwargs) -> Derived:
        return margin(*args, **kwargs).moment(order, central=False)

    moment.__doc__ = text
    _publish(moment, margin, name)
    return moment


def _publish(formula: Any, margin: Callable[..., Margin], name: str, *own: Parameter) -> None:
    """The name of a formula, and its parameters: its *own* and those of the margin."""
    found = signature(margin)
    formula.__name__ = formula.__qualname__ = name
    formula.__module__ = margin.__module__
    parameters = [*own, *found.parameters.values()]
    formula.__signature__ = found.replace(parameters=parameters, return_annotation="Derived")


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
