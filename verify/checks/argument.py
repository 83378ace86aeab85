"""Checks that rest on an argument: proved if every line is decided, argued if some are in words.

A proof that breaks proves nothing, so a broken argument is inconclusive and names its line; where a
counterexample is at hand as well, the statement is refuted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TypeAlias

from proofs.argument import Argument, Witness, searching
from proofs.attacks import require_refusals
from verify.checks.parameters import given
from verify.claim import Evidence, Printed, Registry, Road
from verify.measuring.context import Context
from verify.measuring.quantities import in_words
from verify.verdict import Verdict


def refuted(*arguments: Argument, summary: str, scope: str, witness: Witness) -> Evidence:
    """Refuted by arguments that together give a whole family of counterexamples."""
    require_refusals()
    return Evidence(
        Verdict.REFUTED,
        "",
        summary,
        scope=scope,
        steps=tuple(str(line) for argument in arguments for line in argument.lines),
        counterexample=witness,
        assumptions=tuple(a for argument in arguments for a in argument.assumptions),
    )


#: What argues for a claim from its printed formulas.
Decide: TypeAlias = Callable[..., Argument | Sequence[Argument]]


def conclude(
    *parts: Argument | Callable[[], Argument],
    scope: str = "",
    summary: str = "",
    bounded: bool = False,
) -> Evidence:
    """Evidence from arguments that together make a proof, which *scope* and *summary* are of.

    A function is called for its argument only where those before it hold, which it could not mend.
    *bounded*: they speak of finitely many sizes, or of balls around values, so they certify. Otherwise
    they prove, or argue where a line is in words; the evidence sees to that. An argument without a line
    concludes nothing.

    Raises ArithmeticError if what is false could have been concluded as well.
    """
    _require_refusals()
    arguments: list[Argument] = []
    for part in parts:
        if isinstance(part, Argument):
            arguments.append(part)
        elif all(argument.holds for argument in arguments):
            arguments.append(part())
    return _concluded(*arguments, scope=scope, summary=summary, bounded=bounded)


@cache
def _require_refusals() -> None:
    """ArithmeticError if something false is accepted; looked at once in a process."""
    require_refusals()
    empty, broken, refuted, right, words = (Argument() for _ in range(5))
    broken.true("", False, "")
    refuted.true("", True, "")
    right.true("", True, "")
    refuted.refute({"d": "1"})
    words.infer("", "")
    for wrong in (empty, broken, refuted):
        if any(_concluded(*order).verdict.positive for order in ((wrong, right), (right, wrong))):
            raise ArithmeticError("an argument that does not hold is taken for a proof")
    if _concluded(words, right).verdict is not Verdict.ARGUED:
        raise ArithmeticError("a step in words is taken for a decided line")


def _concluded(
    *arguments: Argument, scope: str = "", summary: str = "", bounded: bool = False
) -> Evidence:
    steps = tuple(str(line) for argument in arguments for line in argument.lines)
    witness = next((a.witness for a in arguments if a.witness is not None), None)
    broken = next((a.broken for a in arguments if a.broken is not None), None)
    # A proof that is judged alone and breaks says so by itself, whatever it knows besides.
    if witness is not None and (searching() or broken is None):
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
    if not all(argument.lines for argument in arguments):
        return Evidence(
            Verdict.INCONCLUSIVE, "", "the argument has a part without a line", steps=steps
        )
    assumptions = tuple(a for argument in arguments for a in argument.assumptions)
    verdict = Verdict.CERTIFIED if bounded else Verdict.PROVED
    return Evidence(verdict, "", summary, scope=scope, steps=steps, assumptions=assumptions)


def argued(
    registry: Registry,
    claim_id: str,
    decide: Decide,
    *,
    method: str,
    scope: str,
    summary: str,
    fails: Callable[..., Witness | None] | None = None,
) -> None:
    """Register the exact check of a claim that *decide* argues for, or refutes, as it is printed.

    By one argument, or several that together make a proof. *fails* looks for a counterexample. Both are
    given what their parameters name (``parameters.given``).
    """

    @registry.check(claim_id, Road.PROOFS, method=method)
    def check(printed: Printed, context: Context) -> Evidence:
        found = decide(**given(decide, printed, context))
        arguments = [found] if isinstance(found, Argument) else [*found]
        if fails is not None and searching():
            arguments[0].refute(fails(**given(fails, printed, context)))
        return conclude(*arguments, scope=scope, summary=summary)
