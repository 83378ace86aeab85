"""The words and signs that all reports share, and how claims and evidence are put in words.

Reports differ in their markup; what they say of a verdict, a duration or a counterexample does not.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from verify.claim import Claim, Road
from verify.runner import ClaimResult
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

_MATH = re.compile(r"(?<!\\)\$(.+?)(?<!\\)\$", re.DOTALL)
#: How an argument marks a line that no computation decides.
_IN_WORDS = re.compile(r"   \[in words: .*\]$", re.DOTALL)
#: Values within values beyond that are no record that a check makes.
_DEEPEST = 40
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def badge(verdict: Verdict) -> str:
    """A verdict with its sign."""
    return f"{SIGNS[verdict]} {verdict}"


def recorded(claim: Claim) -> Verdict:
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


def printable(text: str) -> str:
    """The text without control characters and lone surrogates, which no report may hold."""
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def flowed(text: str) -> str:
    """Text that was wrapped in its source, on one line."""
    return " ".join(printable(text).split())


def segments(text: str, *, spaced: bool = False) -> list[tuple[bool, str]]:
    """The parts of a text that flows, each with whether it is LaTeX (it stood between dollars); the
    spaces of one that is *spaced* are kept."""
    parts: list[tuple[bool, str]] = []
    text, end = printable(text) if spaced else flowed(text), 0
    for match in _MATH.finditer(text):
        parts += [(False, text[end : match.start()]), (True, match[1])]
        end = match.end()
    return [part for part in [*parts, (False, text[end:])] if part[1]]


def shortened(text: str, width: int) -> str:
    """The text cut between words to at most *width* characters, with an ellipsis if it was cut."""
    text = flowed(text)
    if len(text) <= width:
        return text
    head = text[:width].rsplit(" ", 1)[0] if " " in text[:width] else text[: width - 1]
    return head[: width - 1].rstrip(" ,;") + "…"


def duration(seconds: float) -> str:
    """Seconds for a reader."""
    if not math.isfinite(seconds):
        return f"{seconds} s"
    if seconds < 0.0005:
        return "< 1 ms"
    if seconds < 0.095:
        return f"{1000 * seconds:.0f} ms"
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def counted(number: int, noun: str) -> str:
    """A number of things; one of them is no plural."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def in_words(value: object, *, within: int = 0) -> str:
    """A value of a counterexample on one line; *within* so many others, which has an end."""
    if within > _DEEPEST:
        return "…"
    if isinstance(value, Mapping):
        parts = (f"{name} = {in_words(item, within=within + 1)}" for name, item in value.items())
        return ", ".join(parts)
    if isinstance(value, (list, tuple)):
        return ", ".join(in_words(item, within=within + 1) for item in value)
    return flowed(str(value))


def pairs(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Names and values in words, in their order."""
    return [(flowed(str(name)), in_words(value)) for name, value in values.items()]


def numbered(steps: Iterable[str]) -> list[tuple[str, list[str]]]:
    """Steps with the indented lines that belong to each; the indentation is kept."""
    found: list[tuple[str, list[str]]] = []
    for line in (printable(line) for step in steps for line in step.splitlines()):
        if line.startswith((" ", "\t")) and found:
            found[-1][1].append(line)
        else:
            found.append((line, []))
    return found


def by_paper(claims: Sequence[Claim]) -> dict[str, list[Claim]]:
    """Claims by the title of their paper, in the order in which papers first occur."""
    groups: dict[str, list[Claim]] = {}
    for claim in claims:
        groups.setdefault(flowed(claim.paper) or "Claims without a paper", []).append(claim)
    return groups
