"""Checks that rest on an argument: proved if every line is decided, otherwise undecided.

A proof that breaks proves nothing, so a broken argument is inconclusive and names its line; where a
counterexample is at hand as well, the statement is refuted.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proofs.argument import Argument
from verify.claim import Evidence
from verify.quantities import in_words
from verify.verdict import Verdict


def conclude(
    *arguments: Argument,
    scope: str,
    summary: str,
    counterexample: Mapping[str, Any] | None = None,
) -> Evidence:
    """Evidence from arguments that together make a proof."""
    steps = tuple(str(line) for argument in arguments for line in argument.lines)
    assumptions = tuple(a for argument in arguments for a in argument.assumptions)
    broken = next((a.broken for a in arguments if a.broken is not None), None)
    if counterexample is not None:
        shown = ", ".join(
            f"at {in_words(value)}" if isinstance(value, Mapping) else f"{name} = {value}"
            for name, value in counterexample.items()
        )
        return Evidence(
            Verdict.REFUTED,
            "",
            f"fails at {shown}",
            scope=f"counterexample at {shown}",
            steps=steps,
            counterexample=counterexample,
        )
    if broken is not None:
        return Evidence(
            Verdict.INCONCLUSIVE,
            "",
            f"the argument breaks: {broken.text} ({broken.reason})",
            steps=steps,
        )
    return Evidence(Verdict.PROVED, "", summary, scope=scope, steps=steps, assumptions=assumptions)
