"""The errata sheet for a terminal: the entries of the Markdown, as ``verify show`` prints a claim."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.text import Text

from verify.claim import Claim, Reading, Severity
from verify.report.counts import in_short
from verify.report.drawn import PrintedUses
from verify.report.errata import (
    READING,
    SEVERITY,
    drawn_in_words,
    false_as_printed,
    in_order,
    is_pending,
    place_of,
)
from verify.report.terminal.console import (
    HEADING,
    INDENT,
    LOUD,
    grid,
    id_text,
    numbered_list,
    paragraph,
    section,
    show,
    statement,
)
from verify.report.text import badge, pairs, recorded
from verify.running.runner import ClaimResult
from verify.typeset.plain_math import plain_math
from verify.typeset.unicode_math import unicode_text
from verify.typeset.words import flowed, printable


def errata_sheet(
    results: Iterable[ClaimResult],
    corrections: Mapping[str, Claim],
    uses: PrintedUses,
    checked: Mapping[str, int],
    console: Console,
) -> None:
    """Print the sheet; what is given is as in ``verify.report.errata.errata_text``."""
    results = list(results)
    entries = false_as_printed(results)
    sound = [result for result in entries if result.claim.reading is not Reading.DAMAGED]
    found = Counter(result.claim.severity for result in sound)
    show(console, Text("Errata", style=HEADING))
    rows = [
        (str(found[severity]), str(severity or "none"), SEVERITY[severity])
        for severity in (*Severity, None)
        if found[severity]
    ]
    if sound:
        heading = f"{in_short([result.claim for result in sound], checked)}.{in_order(sound)}"
    else:
        heading = "No printed statement was found false as it stands."
    show(console, Text(f"\n{heading}"), *([Padding(grid(rows), INDENT)] if rows else []))
    if len(sound) < len(entries):
        show(console, Text(f"\n{len(entries) - len(sound)} more from text that may be damaged"))
    for result in entries:
        _entry(result, corrections, uses, console)
    pending = [result.claim.id for result in results if is_pending(result)]
    section(console, "Recorded as refuted, but left open by this run", list(map(id_text, pending)))


def _entry(
    result: ClaimResult, corrections: Mapping[str, Claim], uses: PrintedUses, console: Console
) -> None:
    claim = result.claim
    place = place_of(claim)
    source = ", ".join(flowed(part) for part in (claim.paper, claim.where) if part)
    show(
        console,
        Text("\n" + "─" * min(console.width, 40), style="dim"),
        Text((f"{place}: " if place else "") + unicode_text(claim.title), style=HEADING),
        Text(printable(claim.id)),
        Text(source, style="dim"),
        Text(f"Severity: {claim.severity or 'none'} ({SEVERITY[claim.severity]})"),
    )
    if not result.ok:
        show(console, Text("NOT AS RECORDED: the check may be at fault, not the paper", style=LOUD))
    section(console, "Printed", [statement(claim)])
    if result.counterexample:
        found = [tuple(map(plain_math, pair)) for pair in pairs(result.counterexample)]
        section(console, "Counterexample", [grid(found)])
    else:
        section(console, "Evidence", [paragraph(result.summary)])
    section(
        console, "By hand", [numbered_list(map(paragraph, claim.worked))] if claim.by_hand else []
    )
    section(console, "Correct", _correct(claim, corrections))
    words = drawn_in_words(uses.from_it(claim.id), printable)
    section(console, "Drawn from it in the paper", [Text(words)] if words else [])
    section(console, "Consequence", [paragraph(claim.consequence)] if claim.consequence else [])
    note = (
        f"{claim.reading}. {claim.reading_note}" if claim.reading_note else READING[claim.reading]
    )
    section(console, "Reading", [paragraph(note)])


def _correct(claim: Claim, corrections: Mapping[str, Claim]) -> list[RenderableType]:
    correction = corrections.get(claim.correction or "")
    if correction is None:
        return [Text(printable(claim.correction))] if claim.correction else []
    about = f"{correction.id}, recorded as {badge(recorded(correction))}"
    return [statement(correction), Text(printable(about))]
