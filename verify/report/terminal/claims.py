"""What the terminal shows: the table of a run, the page of one claim, the list of claims.

Everything is made of Text, never of rich's markup, since statements are full of square brackets.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from verify.claim import Claim, Evidence, Reading, Road
from verify.records import PROGRAM, STATED, texts
from verify.report.terminal.console import (
    HEADING,
    INDENT,
    LOUD,
    bullets,
    grid,
    id_text,
    numbered_list,
    paragraph,
    section,
    show,
    statement,
    verdict_text,
)
from verify.report.text import (
    DRAWN,
    allowed,
    badge,
    held_back,
    lines_in_words,
    numbered,
    pairs,
    recorded,
    standing,
)
from verify.running.runner import ClaimResult, RunResult
from verify.typeset.plain_math import plain_math, plain_text
from verify.typeset.unicode_math import unicode_math, unicode_text
from verify.typeset.words import counted, duration, flowed, in_words, printable, shortened
from verify.verdict import Verdict

#: Up to this many claims without a check are listed like the others; more are only counted.
_FEW = 5
#: Width of the column of ids; a longer id is folded, never cut.
_LEAST_ID, _WIDEST_ID = 24, 40
#: As many claims are named where a list could be long.
_NAMED = 20
#: A claim that takes more seconds is slow; so many of them are named.
_SLOW, _SLOWEST = 5.0, 5


# -- a run ---------------------------------------------------------------------------------------


def results_table(run: RunResult, console: Console, *, page: Path | None = None) -> None:
    """The results of a run: a row a claim, counts, what differs from the record, what to do next.

    *page*: where the HTML report was written.
    """
    listed = [r for r in run.results if r.verdict is not Verdict.NOT_RUN or not r.ok]
    idle = len(run.results) - len(listed)
    if idle <= _FEW:
        listed = run.results
    if listed:
        show(console, _rows(listed))
    if idle > _FEW:
        all_roads = set(run.settings.roads) == set(Road)
        where = "yet" if all_roads else f"on {' and '.join(run.settings.roads)}"
        show(console, Text(f"{idle} statements have no check {where}: `verify list`", "dim"))
    show(
        console,
        Text(""),
        _counts(run),
        *_comparison(run),
        *_left_out(run),
        _undecided(run),
        _facts(run),
        Text(""),
    )
    show(console, Padding(grid(_next_steps(run, page)), INDENT))


def _rows(results: Sequence[ClaimResult]) -> Table:
    """The first column marks what is not as recorded."""
    table = Table(box=None, pad_edge=False, padding=(0, 1), header_style=HEADING, expand=True)
    width = min(max(_LEAST_ID, *(len(result.claim.id) for result in results)), _WIDEST_ID)
    table.add_column("", width=2)
    table.add_column("Claim, source", width=width, overflow="fold")
    table.add_column("Verdict", width=14)
    table.add_column("Evidence", ratio=1, overflow="fold")
    table.add_column("Time", justify="right", no_wrap=True)
    for result in results:
        claim = result.claim
        name = Text(printable(claim.id))
        if claim.where:
            name.append("\n" + shortened(claim.where, width), style="dim")
        evidence = Text(plain_text(result.summary))
        if not result.ok:
            flag = Text(f"NOT AS RECORDED ({recorded(claim)})", style=LOUD)
            evidence = Text.assemble(flag, "\n", evidence)
        table.add_row(
            Text("") if result.ok else Text(">>", style=LOUD),
            name,
            verdict_text(result.verdict),
            evidence,
            duration(result.seconds) if result.evidence else "",
        )
    return table


def _counts(run: RunResult) -> Text:
    found = [(Verdict(name), number) for name, number in run.counts().items() if number]
    parts = [Text.assemble(f"{number} ", verdict_text(verdict)) for verdict, number in found]
    return Text.assemble(f"{counted(len(run.results), 'claim')}: ", Text(", ").join(parts))


def _comparison(run: RunResult) -> list[RenderableType]:
    """Whether the run bears out the record, and every claim where it does not."""
    known = any(result.claim.recorded for result in run.results)
    if run.results and not known and not run.other_proofs:
        return [Text("Nothing to compare: none of these claims has a recorded verdict yet.")]
    if run.ok:
        return [Text("All as recorded.", style="bold green")]
    if not run.results:
        return [Text("This run held no claim.", style=LOUD)]
    lines: list[RenderableType] = []
    differing = [
        (">>", r.claim.id, f"{badge(r.verdict)}, recorded as {recorded(r.claim)}")
        for r in run.results
        if not r.ok
    ]
    if differing:
        heading = Text(f"NOT AS RECORDED: {len(differing)} of {len(run.results)}", style=LOUD)
        lines += [heading, grid(differing)]
    if run.missing:
        heading = Text(f"MISSING FROM THE CATALOGUE: {len(run.missing)}", style=LOUD)
        lines += [heading, grid([(">>", id_) for id_ in run.missing])]
    if run.other_proofs:
        many = counted(len(run.other_proofs), "proof")
        what = (
            "is not the one on record" if len(run.other_proofs) == 1 else "are not those on record"
        )
        lines += [
            Text(f"OTHER PROOFS: {many} {what}", style=LOUD),
            grid([(">>", id_, how) for id_, how in run.other_proofs.items()]),
            Text("If that is meant: verify run ID... --road proofs --record"),
        ]
    return lines


def _left_out(run: RunResult) -> list[RenderableType]:
    """The papers of other packages of which this run says nothing."""
    if not run.left_out:
        return []
    heading = Text(f"LEFT OUT: {counted(len(run.left_out), 'paper')} of other packages", style=LOUD)
    return [heading, grid([(">>", printable(line)) for line in run.left_out])]


def _undecided(run: RunResult) -> Text:
    ids = [result.claim.id for result in run.undecided if result.ok]
    if not ids:
        return Text("None left undecided.")
    more = f", and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
    return Text(f"Left undecided, {len(ids)}: {', '.join(ids[:_NAMED])}{more}", style="yellow")


def _facts(run: RunResult) -> Text:
    settings = run.settings
    roads = f", {in_words(settings.roads)} only" if set(settings.roads) != set(Road) else ""
    card = f" ({run.machine['card']})" if "card" in run.machine else ""
    asked = f"{settings.profile} profile, seed {settings.seed}, {settings.device}{card}{roads}"
    lines = [f"{duration(run.seconds)}, {asked}, error budget {run.error_budget:g}"]
    slow = sorted((r for r in run.results if r.seconds > _SLOW), key=lambda r: -r.seconds)
    if slow:
        named = [f"{r.claim.id} {duration(r.seconds)}" for r in slow[:_SLOWEST]]
        lines.append(f"Slowest: {', '.join(named)}")
    return Text("\n".join(lines))


def _next_steps(run: RunResult, page: Path | None) -> list[tuple[str, str]]:
    differing = [result.claim.id for result in run.results if not result.ok]
    example = differing[0] if differing else "ID"
    steps = [(f"verify show {example}", "a claim, its derivation, its evidence")]
    if any(result.verdict is Verdict.REFUTED for result in run.results):
        steps.append(("verify errata", "what is false as printed, and what is right"))
    if page is not None:
        steps.append((str(page), "this report as a page, with derivations and plots"))
    return steps


# -- one claim -----------------------------------------------------------------------------------


def claim_page(result: ClaimResult, console: Console, correction: Claim | None = None) -> None:
    """All that is known of one claim; *correction* is the claim that says what is right instead."""
    claim = result.claim
    source = ", ".join(flowed(part) for part in (claim.paper, claim.where) if part)
    show(console, Text(unicode_text(claim.title), style=HEADING), Text(printable(claim.id)))
    if source:
        show(console, Text(source, style="dim"))
    section(console, "Statement", [statement(claim)])
    section(console, "Hypotheses", bullets(claim.hypotheses))
    formulas = [(name, unicode_math(formula.latex())) for name, formula in claim.formulas.items()]
    section(console, "Tested constants", [grid(formulas)] if formulas else [])
    if claim.reading is not Reading.AS_PRINTED or claim.reading_note:
        note = f"{claim.reading}. {claim.reading_note}" if claim.reading_note else claim.reading
        section(console, "Reading", [paragraph(note)])
    section(console, "Verdict", _verdict_lines(result))
    for evidence in result.evidence:
        _evidence(console, evidence)
    if result.counterexample:
        found = [tuple(map(plain_math, pair)) for pair in pairs(result.counterexample)]
        section(console, "Counterexample", [grid(found)])
    if claim.by_hand:
        section(console, "By hand", [numbered_list(map(paragraph, claim.worked))])
    if claim.correction:
        lines: list[RenderableType] = [] if correction is None else [statement(correction)]
        lines.append(Text(printable(f"verify show {claim.correction}")))
        if claim.severity:
            lines.append(Text(f"Severity: {claim.severity}"))
        if claim.consequence:
            lines.append(paragraph(claim.consequence))
        section(console, "Correction", lines)
    section(console, "Assumptions", bullets(result.assumptions))
    section(console, "Rests on", list(map(id_text, claim.uses)))
    section(console, "In the paper drawn from", list(map(id_text, claim.printed_uses)))


def _verdict_lines(result: ClaimResult) -> list[RenderableType]:
    verdict = result.verdict
    lines: list[RenderableType] = [Text.assemble(verdict_text(verdict), f": {verdict.meaning}")]
    if words := lines_in_words(result):
        lines.append(Text(f"Not decided by computation: {words}"))
    if result.scope:
        lines.append(paragraph(f"Scope: {result.scope}"))
    if result.capped_by:
        lines.append(paragraph(f"{held_back(result)}: {in_words(result.capped_by)}"))
    stands = standing(result)
    lines.append(Text(f"Record: {stands}") if result.ok else Text(stands.upper(), style=LOUD))
    return lines


def _evidence(console: Console, evidence: Evidence) -> None:
    took = Text(f", {duration(evidence.seconds)}")
    lines: list[RenderableType] = [
        Text.assemble(verdict_text(evidence.verdict), took),
        paragraph(evidence.summary),
    ]
    if evidence.scope:
        lines.append(paragraph(f"Scope: {evidence.scope}"))
    for heading, found in (
        ("Proved, as a formal statement:", texts(evidence.detail.get(STATED))),
        ("By these lines:" if evidence.detail.get(STATED) else "", evidence.steps),
        ("Beside the proof, of the program:", texts(evidence.detail.get(PROGRAM))),
    ):
        if found:
            lines += [Text(heading), _steps(found)]
    lines += map(paragraph, allowed(evidence.detail))
    trace = evidence.detail.get("traceback")
    if trace:
        lines += [Text(""), Text(printable(str(trace)), overflow="fold")]
    elif not evidence.verdict.decided:  # nothing else says what stands in the way
        shown = {name: it for name, it in evidence.detail.items() if name not in DRAWN}
        facts = pairs(shown)
        lines += [grid(facts)] if facts else []
    heading = f"Evidence, {evidence.road or 'no road'}: {flowed(evidence.method)}"
    section(console, heading, lines)


def _steps(steps: Iterable[str]) -> Table:
    bodies = []
    for head, lines in numbered(steps):
        body: list[RenderableType] = [Text(plain_math(head), overflow="fold")]
        for line in lines:
            indent = len(line) - len(line.lstrip())
            shown = Text(plain_math(line.strip()), overflow="fold")
            body.append(Padding(shown, (0, 0, 0, indent)))
        bodies.append(Group(*body))
    return numbered_list(bodies)


# -- the catalogue -------------------------------------------------------------------------------
