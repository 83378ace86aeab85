"""A comparison with a baseline as short Markdown, for the summary of a pull request."""

from __future__ import annotations

from collections.abc import Sequence

from verify.auditing.baseline import Baseline, Change, Kind
from verify.report.errata import code
from verify.typeset.words import counted, flowed

_HEADINGS = {
    Kind.VERDICT: "Verdicts that changed",
    Kind.LOST: "Claims that are no longer checked",
    Kind.FORMULA: "Derived formulas that changed",
    Kind.INTERVAL: "Intervals that moved",
    Kind.RECLASSIFIED: "Proofs reclassified by whether a step is in words",
    Kind.PROOF: "Proofs whose lines, regions, rules or trust changed",
    Kind.NEW: "New claims",
    Kind.SPEED: "Slower claims",
}
#: A summary is short: of each kind so many changes are listed, the others counted.
_LISTED = 20
#: A formula or a subject is cut here.
_CELL = 160


def compare_markdown(changes: Sequence[Change], new: Baseline, *, as_recorded: bool) -> str:
    """The changes by kind, gravest first; says so where there is none.

    *as_recorded*: whether the run bears out the recorded verdicts.
    """
    bad = sum(change.regression for change in changes)
    outcome = "failed" if bad or not as_recorded else "passed"
    lines = [f"## Verification {outcome}", ""]
    run = f"{counted(len(new.claims), 'claim')} checked, {new.profile} profile, seed {new.seed}"
    lines += [
        f"{run}: {counted(bad, 'regression')}, {counted(len(changes) - bad, 'other change')}."
    ]
    if not as_recorded:
        lines += ["", "**Not all verdicts are as recorded:** the log of the run names them."]
    if not changes:
        lines += ["", "Nothing changed since the baseline."]
    for kind in Kind:
        found = [change for change in changes if change.kind is kind]
        if found:
            lines += ["", *_table(kind, found)]
    return "\n".join(lines) + "\n"


def _table(kind: Kind, changes: Sequence[Change]) -> list[str]:
    note = "" if changes[0].regression else " (does not fail)"
    lines = [f"### {_HEADINGS[kind]}: {len(changes)}{note}", ""]
    listed = changes[:_LISTED]
    if kind in (Kind.NEW, Kind.LOST):
        lines += [f"- {_code(change.claim)}" for change in listed]
    else:
        lines += ["| claim | before | now |", "| --- | --- | --- |"]
        for change in listed:
            subject = f"<br>{_code(change.subject)}" if change.subject else ""
            now = "none" if change.after is None else _code(change.after)
            before = _code(change.before) if change.before else ""
            lines.append(f"| {_code(change.claim)}{subject} | {before} | {now} |")
    if len(changes) > _LISTED:
        lines += ["", f"and {len(changes) - _LISTED} more"]
    return lines


def _code(text: str) -> str:
    """A text as code in a cell, cut to what fits; a stroke ends no cell."""
    text = flowed(text)
    return code(text if len(text) <= _CELL else f"{text[: _CELL - 1]}…").replace("|", r"\|")
