"""The words and signs that all reports share, and how claims and evidence are put in words.

Reports differ in their markup; what they say of a verdict, a duration or a counterexample does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from verify.checks import computed
from verify.claim import Claim, Entry, Road
from verify.records import tables
from verify.running.runner import ClaimResult
from verify.typeset.words import flowed, in_words, printable
from verify.verdict import Verdict

#: Tells verdicts apart without colour; the word always stands beside it.
SIGNS = {
    Verdict.PROVED: "✓",
    Verdict.CERTIFIED: "✓",
    Verdict.SUPPORTED: "~",
    Verdict.REFUTED: "✗",
    Verdict.CONFLICT: "!",
    Verdict.INCONCLUSIVE: "?",
    Verdict.ERROR: "E",
    Verdict.NOT_RUN: "-",
}

#: Details that a report shows in a form of their own.
DRAWN = frozenset({"cases", "trajectories", "traceback", computed.NAME})
_Listed = TypeVar("_Listed", Claim, Entry)
#: How an argument marks a line that no computation decides.
_IN_WORDS = re.compile(r"   \[in words: .*\]$", re.DOTALL)


def badge(verdict: Verdict) -> str:
    """A verdict with its sign."""
    return f"{SIGNS[verdict]} {verdict}"


def recorded(claim: Claim | Entry) -> Verdict:
    """The recorded verdict; not-run for a claim that has none."""
    return claim.recorded or Verdict.NOT_RUN


def standing(result: ClaimResult) -> str:
    """How a verdict stands to the record."""
    record = result.claim.recorded
    if not result.ok:
        return f"not as recorded: the record says {recorded(result.claim)}"
    if record is None:
        return "no verdict is recorded"
    if result.verdict is record:
        return "as recorded"
    return f"recorded as {record}; a partial run may find less"


def lines_in_words(result: ClaimResult) -> str:
    """How much of the proof of what holds is reasoning that no computation decides; may be empty."""
    if not result.verdict.positive:
        return ""
    steps = [
        step
        for evidence in result.evidence
        if evidence.road is Road.PROOFS and evidence.verdict is result.verdict
        for step in evidence.steps
    ]
    found = worded(steps)
    return f"{found} of {len(steps)} lines in words" if found else ""


def worded(steps: Iterable[str]) -> int:
    """How many lines are reasoning that no computation decides."""
    return sum(_IN_WORDS.search(step) is not None for step in steps)


def pairs(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Names and values in words, in their order."""
    return [(flowed(str(name)), in_words(value)) for name, value in values.items()]


def allowed(detail: Mapping[str, Any]) -> list[str]:
    """How much the comparisons of a record allow, and why, each rule once."""
    lines = (f"{it.get('rule')}, {it.get('why')}" for it in tables(detail.get(computed.NAME)))
    return [f"Allowed: {flowed(line)}" for line in dict.fromkeys(lines)]


def numbered(steps: Iterable[str]) -> list[tuple[str, list[str]]]:
    """Steps with the indented lines that belong to each; the indentation is kept."""
    found: list[tuple[str, list[str]]] = []
    for line in (printable(line) for step in steps for line in step.splitlines()):
        if line.startswith((" ", "\t")) and found:
            found[-1][1].append(line)
        else:
            found.append((line, []))
    return found


def by_paper(claims: Sequence[_Listed]) -> dict[str, list[_Listed]]:
    """Claims by the title of their paper, in the order in which papers first occur."""
    groups: dict[str, list[_Listed]] = {}
    for claim in claims:
        groups.setdefault(flowed(claim.paper) or "Claims without a paper", []).append(claim)
    return groups
