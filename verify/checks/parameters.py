"""What the function of a check is given: what its parameters name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from fractions import Fraction
from inspect import Parameter, signature
from typing import Any, get_type_hints

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
#: All that is printed, as rational functions by name.
_FIELDS = Mapping[str, RationalFunction]


def given(function: Callable[..., Any], printed: Printed, context: Context) -> dict[str, Any]:
    """Values for the parameters of *function*: ``printed``, ``context``, or a printed formula of that name.

    A formula is read as the parameter is annotated: as it is, as field element, number, float, integer, flag
    or text. A parameter for a mapping of field elements is given all of them, one for a dataclass the
    formulas that its fields name. Without a formula a parameter keeps its default. Raises KeyError if it
    has none.
    """
    kinds = get_type_hints(function)
    found: dict[str, Any] = {}
    for name, parameter in signature(function).parameters.items():
        kind = kinds.get(name)
        if name in ("printed", "context"):
            found[name] = printed if name == "printed" else context
        elif name in printed:
            found[name] = _READINGS[kind](printed[name])
        elif kind == _FIELDS:
            found[name] = {each: formula.field() for each, formula in printed.items()}
        elif isinstance(kind, type) and is_dataclass(kind) and kind not in _READINGS:
            found[name] = kind(**given(kind, printed, context))
        elif parameter.default is Parameter.empty:
            raise KeyError(f"no formula is printed under the name {name!r}")
    return found
