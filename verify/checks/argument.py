"""Checks that rest on an argument: proved if every line is decided, argued if some are in words.

A proof that breaks proves nothing, so a broken argument is inconclusive and names its line; where a
counterexample is at hand as well, the statement is refuted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from inspect import Parameter, signature
from typing import Any, get_type_hints

from proofs.algebra import RationalFunction
from proofs.argument import Argument, first_witness
from proofs.capacity import SufficientCondition
from verify.claim import Evidence, Printed, Registry, Road
from verify.measuring.context import Context
from verify.measuring.quantities import in_words
from verify.printed.formula import Formula
from verify.verdict import Verdict

#: Where frontiers are compared; a condition that was printed wrong may have none.
_DELTA, _MOST = Fraction(1, 1000), 10**5


def conclude(
    *arguments: Argument, scope: str = "", summary: str = "", bounded: bool = False
) -> Evidence:
    """Evidence from arguments that together make a proof, which *scope* and *summary* are of.

    *bounded*: they speak of finitely many sizes, or of balls around values, so they certify. Otherwise
    they prove, or argue where a line is in words; the evidence sees to that.
    """
    steps = tuple(str(line) for argument in arguments for line in argument.lines)
    witness = first_witness(argument.witness for argument in arguments)
    broken = next((a.broken for a in arguments if a.broken is not None), None)
    if witness is not None:
        shown = ", ".join(
            f"at {in_words(value)}" if isinstance(value, Mapping) else f"{name} = {value}"
            for name, value in witness.items()
        )
        return Evidence(
            Verdict.REFUTED,
            "",
            f"fails at {shown}",
            scope=f"counterexample at {shown}",
            steps=steps,
            counterexample=witness,
        )
    if broken is not None:
        return Evidence(
            Verdict.INCONCLUSIVE,
            "",
            f"the argument breaks: {broken.text} ({broken.reason})",
            steps=steps,
        )
    assumptions = tuple(a for argument in arguments for a in argument.assumptions)
    verdict = Verdict.CERTIFIED if bounded else Verdict.PROVED
    return Evidence(verdict, "", summary, scope=scope, steps=steps, assumptions=assumptions)


def argued(
    registry: Registry,
    claim_id: str,
    decide: Callable[..., Argument],
    *,
    method: str,
    scope: str,
    summary: str,
) -> None:
    """Register the exact check of a claim that *decide* argues for, or refutes, as it is printed.

    *decide* is given what its parameters name: ``printed``, ``context``, or a printed formula, as the
    field element, number, integer or flag that is annotated; without one a parameter keeps its default.
    """

    @registry.check(claim_id, Road.PROOFS, method=method)
    def check(printed: Printed, context: Context) -> Evidence:
        argument = decide(**_named(decide, printed, context))
        return conclude(argument, scope=scope, summary=summary)


#: How a printed formula is read for a parameter of a type.
_READINGS: Mapping[object, Callable[[Formula], object]] = {
    RationalFunction: Formula.field,
    Fraction: Formula.number,
    int: lambda formula: int(formula.number()),
    bool: lambda formula: bool(formula.number()),
}


def _named(decide: Callable[..., Any], printed: Printed, context: Context) -> dict[str, object]:
    kinds = get_type_hints(decide)
    found: dict[str, object] = {}
    for name, parameter in signature(decide).parameters.items():
        if name in ("printed", "context"):
            found[name] = printed if name == "printed" else context
        elif name in printed or parameter.default is Parameter.empty:
            found[name] = _READINGS[kinds[name]](printed[name])
    return found


def same_frontier(
    stated: SufficientCondition,
    public: SufficientCondition,
    places: Sequence[Mapping[str, Any]],
) -> Argument:
    """The public condition is the printed one: at *places* (its sizes but N) both allow the same N, more
    than none, at delta = 1/1000."""
    argument = Argument()
    for place in places:
        edge = stated.largest(delta=_DELTA, at_most=_MOST, **place)
        shown = in_words(place)
        argument.true(
            f"at {shown} the public condition ends where the printed one does",
            edge > 0 and public.largest(delta=_DELTA, **place) == edge,
            f"N = {edge}",
        )
    return argument
