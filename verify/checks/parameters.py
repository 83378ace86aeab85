"""What the function of a check is given: what its parameters name."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from fractions import Fraction
from inspect import Parameter, signature
from types import UnionType
from typing import Any, TypeVar, get_args

from proofs.algebra import RationalFunction
from verify.claim import Printed
from verify.measuring.context import Context
from verify.printed.formula import Formula

#: How a printed formula is read for a parameter of a type.
_READINGS: Mapping[object, Callable[[Formula], object]] = {
    Formula: lambda formula: formula,
    RationalFunction: Formula.field,
    Fraction: Formula.number,
    float: Formula.real,
    int: lambda formula: int(formula.number()),
    bool: lambda formula: bool(formula.number()),
    str: str,
}
Made = TypeVar("Made")
#: All that is printed, as rational functions by name.
_FIELDS = Mapping[str, RationalFunction]


def given(
    function: Callable[..., Any], printed: Printed, context: Context | None = None
) -> dict[str, Any]:
    """What the parameters of *function* name: ``printed``, ``context``, or the printed formula.

    A formula is read as the parameter is annotated: as it is, or as field element, number, float,
    integer, flag or text. A parameter for a mapping of field elements is given all of them, one for a
    record the formulas that its fields name. Without a formula a parameter is None where it may be, or
    keeps its default. Raises KeyError if it has none, TypeError for an annotation that says nothing.

    Two bare parameters of other names, as was done before, are given ``printed`` and ``context``, with a
    warning.
    """
    found: dict[str, Any] = {}
    parameters = signature(function, eval_str=True).parameters
    if len(parameters) == 2 and not _known(parameters, printed):
        warnings.warn(
            f"{function.__qualname__}: call its parameters printed and context, not "
            f"{' and '.join(parameters)}; they are given by name now",
            FutureWarning,
            stacklevel=2,
        )
        return dict(zip(parameters, (printed, context), strict=True))
    for name, parameter in parameters.items():
        kind, optional = parameter.annotation, False
        if isinstance(kind, UnionType):
            (kind, _), optional = get_args(kind), True
        if name in ("printed", "context"):
            found[name] = printed if name == "printed" else context
        elif name in printed:
            found[name] = _reading(function, name, kind)(printed[name])
        elif kind == _FIELDS:
            found[name] = {each: formula.field() for each, formula in printed.items()}
        elif kind not in _READINGS and isinstance(kind, type) and is_dataclass(kind):
            found[name] = made_of(kind, printed)
        elif optional:
            found[name] = None
        elif parameter.default is Parameter.empty:
            raise KeyError(f"no formula is printed under the name {name!r}")
    return found


def _reading(function: Callable[..., Any], name: str, kind: object) -> Callable[[Formula], object]:
    if kind not in _READINGS:
        known = ", ".join(getattr(it, "__name__", str(it)) for it in _READINGS)
        raise TypeError(
            f"{function.__qualname__}: the annotation of {name} does not say how the printed formula is "
            f"read; take one of {known}"
        )
    return _READINGS[kind]


def _known(parameters: Mapping[str, Parameter], printed: Printed) -> bool:
    """Whether some parameter has a name or an annotation that says what it is given."""
    names = {"printed", "context", *printed}
    return any(
        name in names or parameter.annotation not in (Parameter.empty, Printed, Context)
        for name, parameter in parameters.items()
    )


def made_of(function: Callable[..., Made], printed: Printed) -> Made:
    """What *function*, or a record, makes of the printed formulas that its parameters name."""
    return function(**given(function, printed))
