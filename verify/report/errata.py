"""The errata sheet: a summary, then what is false as printed, gravest first, each with its way out.

Where the text at hand may be damaged, the sheet says so apart and accuses nobody.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from verify.claim import Claim, Reading, Severity
from verify.report.counts import in_short
from verify.report.drawn import Drawn, PrintedUses
from verify.report.parts import numbered_part
from verify.report.text import pairs, recorded
from verify.running.runner import ClaimResult
from verify.typeset.words import flowed, segments
from verify.verdict import Verdict

_GRAVITY = {severity: i for i, severity in enumerate(Severity)}
#: What each severity means, gravest first.
SEVERITY = {
    Severity.THEOREM: "a theorem, lemma or corollary falls with it",
    Severity.GAP: "a step of a proof fails",
    Severity.CONSTANT: "a constant or a formula changes",
    Severity.WORDING: "a word or a condition is missing",
    None: "severity not recorded",
}
#: What a reading means where no note says more.
READING = {
    Reading.AS_PRINTED: "as printed",
    Reading.AMBIGUOUS: "ambiguous; the statement above is the reading that was tested",
    Reading.DAMAGED: "the text at hand may be damaged",
}
_NO_USES = PrintedUses(())
#: How the place of a claim begins where it is a section.
_SECTION = re.compile(r"(Sec|App)\. [A-Z0-9]+(\.\d+)*")
#: An id that needs no escape in an attribute of HTML.
_PLAIN_ID = re.compile(r"[A-Za-z0-9_.-]+")
_SPECIAL = re.compile(r"[\\`*_<&~]|\](?=\()")


def false_as_printed(results: Iterable[ClaimResult]) -> list[ClaimResult]:
    """The refuted claims, gravest first, those from damaged text last."""
    found = [result for result in results if result.verdict is Verdict.REFUTED]
    return sorted(found, key=lambda r: (_damaged(r.claim), _gravity(r.claim)))


def errata_text(
    results: Iterable[ClaimResult],
    corrections: Mapping[str, Claim],
    uses: PrintedUses = _NO_USES,
    checked: Mapping[str, int] = MappingProxyType({}),
) -> str:
    """The sheet in Markdown; *corrections* has the correcting claims by id, *uses* knows what the
    papers draw from a claim, *checked* how many printed statements of each paper have a check."""
    results = list(results)
    entries = false_as_printed(results)
    lines = ["# Errata", ""]
    sound = [result for result in entries if not _damaged(result.claim)]
    damaged = [result for result in entries if _damaged(result.claim)]
    if sound:
        lines += _summary(sound, corrections, checked)
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
    pending = [r.claim.id for r in results if is_pending(r)]
    if pending:
        lines += ["## Not established in this run", ""]
        lines += ["Recorded as refuted, but left open by this run:", ""]
        lines += [*(f"- {code(id_)}" for id_ in pending), ""]
    return "\n".join(lines)


def in_order(entries: Sequence[ClaimResult]) -> str:
    """The sentence on the order of several entries; one has none."""
    return " The gravest come first." if len(entries) > 1 else ""


def _summary(
    sound: Sequence[ClaimResult], corrections: Mapping[str, Claim], checked: Mapping[str, int]
) -> list[str]:
    """How many are false, by severity, and what is recorded of their corrections."""
    lines = [f"{in_short([result.claim for result in sound], checked)}.{in_order(sound)}", ""]
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
    place = f"{place_of(claim)}: " if place_of(claim) else ""
    # A link leads to an id, which a heading made of words would lose with every change of a word.
    anchor = f'<a id="{claim.id}"></a>' if _PLAIN_ID.fullmatch(claim.id) else ""
    lines = [f"### {anchor}{markdown(place + claim.title)}", "", code(claim.id)]
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
        status = f"{code(correction.id)}, recorded as {recorded(correction)}"
        lines += [f"**Correct:** {markdown(correction.statement)} ({status})", ""]
    elif claim.correction:
        lines += [f"**Correct:** {code(claim.correction)}", ""]
    if words := drawn_in_words(uses.from_it(claim.id), code):
        lines += [f"**Drawn from it in the paper:** {words}", ""]
    if claim.consequence:
        lines += [f"**Consequence:** {markdown(claim.consequence)}", ""]
    reading = READING[claim.reading]
    if claim.reading_note:
        reading = f"{claim.reading}. {markdown(claim.reading_note)}"
    return [*lines, f"**Reading:** {reading}", ""]


def place_of(claim: Claim) -> str:
    """Where in its paper a claim stands, for a heading: the theorem or its proof, else the section."""
    part, found = numbered_part(claim.id), _SECTION.match(claim.where)
    if found and (not part or part.startswith("Section")):
        return found[0]  # more exact than the section's number in the id
    return f"Proof of {part}" if f"proof of {part}" in claim.where else part


def drawn_in_words(drawn: Drawn, shown: Callable[[str], str]) -> str:
    """What a paper draws from a statement, each id as it is *shown*; empty if it draws nothing."""
    if not drawn.direct:
        return ""
    words = ", ".join(map(shown, drawn.direct))
    if drawn.gravest:
        more = f" and {drawn.more} more" if drawn.more else ""
        words += f", and so on to {', '.join(map(shown, drawn.gravest))}{more}"
    return words


def markdown(text: str) -> str:
    """A text that flows, as Markdown: signs that Markdown reads are escaped, formulas kept."""
    return "".join(
        _formula(part) if is_math else _escaped(part) for is_math, part in segments(text)
    )


def code(text: str) -> str:
    """A text as code in Markdown, on one line: nothing in it is markup."""
    text = flowed(text)
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _formula(latex: str) -> str:
    """A formula between dollars, without the signs that HTML reads."""
    return "${}$".format(re.sub("< ?", r"\\lt ", latex))


def _escaped(text: str) -> str:
    return _SPECIAL.sub(lambda match: "\\" + match[0], text)


def _damaged(claim: Claim) -> bool:
    return claim.reading is Reading.DAMAGED


def _gravity(claim: Claim) -> int:
    return len(_GRAVITY) if claim.severity is None else _GRAVITY[claim.severity]


def is_pending(result: ClaimResult) -> bool:
    """Whether a line that is recorded as refuted was not refuted."""
    return result.claim.recorded is Verdict.REFUTED and result.verdict is not Verdict.REFUTED
