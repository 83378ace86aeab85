"""The words and signs that all reports share, and how claims and evidence are put in words.

Reports differ in their markup; what they say of a verdict, a duration or a counterexample does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from verify.checks import computed
from verify.claim import Claim, Entry, Road
from verify.claim.in_words import worded
from verify.records import PROGRAM, STATED, THEOREMS, tables
from verify.running.runner import ClaimResult
from verify.typeset.words import flowed, in_words, printable
from verify.verdict import Verdict

#: Tells verdicts apart without colour; the word always stands beside it.
SIGNS = {
    Verdict.PROVED: "✓",
    Verdict.ARGUED: "∴",
    Verdict.CERTIFIED: "✓",
    Verdict.SUPPORTED: "~",
    Verdict.REFUTED: "✗",
    Verdict.CONFLICT: "!",
    Verdict.INCONCLUSIVE: "?",
    Verdict.ERROR: "E",
    Verdict.NOT_RUN: "-",
}

#: Details that a report shows in a form of their own.
DRAWN = frozenset({"cases", "trajectories", THEOREMS, STATED, PROGRAM, "traceback", computed.NAME})
_Listed = TypeVar("_Listed", Claim, Entry)


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
    proofs = [e for e in result.evidence if e.road is Road.PROOFS and e.verdict.positive]
    steps = [step for e in proofs for step in e.steps]
    found = worded(steps)
    return f"{found} of {len(steps)} lines in words" if found else ""


def held_back(result: ClaimResult) -> str:
    """What the claims in ``capped_by`` do to a verdict, before their names; empty without them."""
    if not result.capped_by:
        return ""
    if result.capped_at is not None and result.capped_at.positive:
        return f"Its proof is at most {result.capped_at}, as what it uses"
    return "It rests on what this run did not establish"


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
