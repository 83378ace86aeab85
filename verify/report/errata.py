"""The errata sheet: a summary, then what is false as printed, gravest first, each with its way out.

Where the text at hand may be damaged, the sheet says so apart and accuses nobody.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from verify.claim import Claim, Reading, Severity
from verify.report.drawn import Drawn, PrintedUses
from verify.report.text import flowed, pairs, recorded, segments
from verify.runner import ClaimResult
from verify.verdict import Verdict

_GRAVITY = {severity: i for i, severity in enumerate(Severity)}
#: What each severity means, gravest first.
SEVERITY = {
    Severity.THEOREM: "a theorem falls",
    Severity.GAP: "a proof has a gap",
    Severity.CONSTANT: "a constant or a formula changes",
    Severity.WORDING: "the wording needs a word more",
    None: "severity not recorded",
}
#: What a reading means where no note says more.
_READING = {
    Reading.AS_PRINTED: "as printed",
    Reading.AMBIGUOUS: "ambiguous; the statement above is the reading that was tested",
    Reading.DAMAGED: "the text at hand may be damaged",
}
_NO_USES = PrintedUses(())
_SPECIAL = re.compile(r"[\\`*_<&~]|\](?=\()")


def false_as_printed(results: Iterable[ClaimResult]) -> list[ClaimResult]:
    """The refuted claims, gravest first, those from damaged text last."""
    found = [result for result in results if result.verdict is Verdict.REFUTED]
    return sorted(found, key=lambda r: (_damaged(r.claim), _gravity(r.claim)))


def errata_text(
    results: Iterable[ClaimResult],
    corrections: Mapping[str, Claim],
    uses: PrintedUses = _NO_USES,
) -> str:
    """The sheet in Markdown; *corrections* has the correcting claims by id, *uses* knows what the
    papers draw from a claim."""
    results = list(results)
    entries = false_as_printed(results)
    lines = ["# Errata", ""]
    sound = [result for result in entries if not _damaged(result.claim)]
    damaged = [result for result in entries if _damaged(result.claim)]
    if sound:
        lines += _summary(sound, corrections)
    else:
        lines += ["No printed statement was found false as it stands.", ""]
    for severity in (*Severity, None):
        members = [result for result in sound if result.claim.severity is severity]
        if members:
            lines += [f"## {_heading(severity)} ({len(members)})", ""]
        for result in members:
            lines += _entry(result, corrections, uses)
    if damaged:
        lines += [
            "## Possibly damaged text",
            "",
            "These statements are false in the text at hand, which may have lost or changed a sign "
            "on its way from the paper. Nothing is said here about what their authors wrote.",
            "",
        ]
        for result in damaged:
            lines += _entry(result, corrections, uses)
    pending = [r.claim.id for r in results if _pending(r)]
    if pending:
        lines += ["## Not established in this run", ""]
        lines += ["Recorded as refuted, but left open by this run:", ""]
        lines += [*(f"- `{id_}`" for id_ in pending), ""]
    return "\n".join(lines)


def _summary(sound: Sequence[ClaimResult], corrections: Mapping[str, Claim]) -> list[str]:
    """How many are false, by severity, and what is recorded of their corrections."""
    many = "statement is" if len(sound) == 1 else "statements are"
    lines = [f"{len(sound)} {many} false as printed, gravest first.", ""]
    lines += ["| severity | statements | what it means |", "| --- | ---: | --- |"]
    found = Counter(result.claim.severity for result in sound)
    for severity in (*Severity, None):
        if found[severity]:
            lines.append(f"| {severity or 'none'} | {found[severity]} | {SEVERITY[severity]} |")
    ways_out = {result.claim.correction or "" for result in sound}
    records = Counter(recorded(corrections[id_]) for id_ in ways_out if id_ in corrections)
    if records:
        words = ", ".join(f"{records[v]} {v}" for v in Verdict if records[v])
        lines += ["", f"What is recorded of the corrections: {words}."]
    return [*lines, ""]


def _heading(severity: Severity | None) -> str:
    words = SEVERITY[severity]
    return f"{words[0].upper()}{words[1:]}"


def _entry(result: ClaimResult, corrections: Mapping[str, Claim], uses: PrintedUses) -> list[str]:
    claim = result.claim
    source = ", ".join(flowed(part) for part in (claim.paper, claim.where) if part)
    lines = [f"### {markdown(claim.title)}", "", f"`{claim.id}`"]
    if source:
        lines[-1] += f": {markdown(source)}"
    lines += ["", f"**Severity:** {claim.severity or 'none'} ({SEVERITY[claim.severity]})", ""]
    if not result.ok:
        lines += ["**Not as recorded:** the check may be at fault, not the paper.", ""]
    lines += [f"**Printed:** {markdown(claim.statement)}", ""]
    if result.counterexample:
        lines += ["**Counterexample:**", ""]
        lines += [f"- {markdown(n)}: {markdown(v)}" for n, v in pairs(result.counterexample)]
        lines.append("")
    else:
        lines += [f"**Evidence:** {markdown(result.summary)}", ""]
    if claim.by_hand:
        lines += ["**By hand:**", ""]
        lines += [f"{i}. {markdown(line)}" for i, line in enumerate(claim.worked, start=1)]
        lines.append("")
    correction = corrections.get(claim.correction or "")
    if correction is not None:
        status = f"`{correction.id}`, recorded as {recorded(correction)}"
        lines += [f"**Correct:** {markdown(correction.statement)} ({status})", ""]
    elif claim.correction:
        lines += [f"**Correct:** `{claim.correction}`", ""]
    if words := _drawn(uses.from_it(claim.id)):
        lines += [f"**Drawn from it in the paper:** {words}", ""]
    if claim.consequence:
        lines += [f"**Consequence:** {markdown(claim.consequence)}", ""]
    reading = _READING[claim.reading]
    if claim.reading_note:
        reading = f"{claim.reading}. {markdown(claim.reading_note)}"
    return [*lines, f"**Reading:** {reading}", ""]


def _drawn(drawn: Drawn) -> str:
    """What a paper draws from a statement, in words; empty if it draws nothing."""
    if not drawn.direct:
        return ""
    words = _codes(drawn.direct)
    if drawn.gravest:
        more = f" and {drawn.more} more" if drawn.more else ""
        words += f", and so on to {_codes(drawn.gravest)}{more}"
    return words


def _codes(ids: Iterable[str]) -> str:
    return ", ".join(f"`{id_}`" for id_ in ids)


def markdown(text: str) -> str:
    """A text that flows, as Markdown: signs that Markdown reads are escaped, formulas kept."""
    return "".join(
        _formula(part) if is_math else _escaped(part) for is_math, part in segments(text)
    )


def _formula(latex: str) -> str:
    """A formula between dollars, without the signs that HTML reads."""
    return "${}$".format(latex.replace("<", r"\lt "))


def _escaped(text: str) -> str:
    return _SPECIAL.sub(lambda match: "\\" + match[0], text)


def _damaged(claim: Claim) -> bool:
    return claim.reading is Reading.DAMAGED


def _gravity(claim: Claim) -> int:
    return len(_GRAVITY) if claim.severity is None else _GRAVITY[claim.severity]


def _pending(result: ClaimResult) -> bool:
    return result.claim.recorded is Verdict.REFUTED and result.verdict is not Verdict.REFUTED
