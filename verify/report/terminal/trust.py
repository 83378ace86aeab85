"""On what claims rest, for a terminal: counts, then citations, other assumptions, steps in words, and
what is granted throughout."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from proofs.citations import Citation
from verify.auditing.trust import Kind, Relied, Trust, tried
from verify.report.terminal.console import INDENT, bullets, section, show
from verify.typeset.plain_math import plain_text
from verify.typeset.words import counted, printable
from verify.verdict import Verdict

_HEADINGS = {
    Kind.CITATION: "Citations",
    Kind.ASSUMPTION: "Other assumptions",
    Kind.WORDS: "Steps in words",
    Kind.GRANTED: "Granted throughout",
}
#: So many claims are named that fall with something, and so many texts that are taken from a source.
_NAMED = 8


def trust_counts(found: Trust, console: Console) -> None:
    """How many claims there are, and how much they rest on."""
    verdicts = list(found.claims.values())
    said = ", ".join(f"{verdicts.count(v)} {v}" for v in Verdict if v in verdicts)
    lines = [
        f"{counted(len(found.chosen), 'claim')}; with all that is used {len(verdicts)}: {said}"
    ]
    counts = found.counts()
    lines.append(
        f"They rest on {counted(counts['citations'], 'citation')}, "
        f"{counted(counts['assumptions'], 'other assumption')} and "
        f"{counted(counts['words'], 'step')} in words."
    )
    lines.append(
        f"{counted(counts['typed lines'], 'line')} of their proofs decide about what was typed; "
        f"{counted(counts['granted'], 'thing')} are granted throughout."
    )
    if found.absent:
        lines.append(f"Used, but not decided in this run: {_some(found.absent)}")
    show(console, *map(Text, map(printable, lines)))


def trust_sheet(found: Trust, console: Console) -> None:
    """The counts, then everything with the claims that fall if it does, what most rest on first."""
    trust_counts(found, console)
    for kind, heading in _HEADINGS.items():
        section(console, heading, [_entry(item) for item in found.of(kind)])


def _entry(item: Relied) -> RenderableType:
    words = item.kind is Kind.WORDS
    source = f"{item.source}, since {item.taken[0]}" if words and item.taken else item.source
    lines: list[RenderableType] = []
    taken = item.taken
    if (citation := item.citation) is not None:
        lines += _cited(citation)
        taken = tuple(text for text in taken if text != citation.statement)
    if not words:
        lines += bullets(taken[:_NAMED])
        if len(taken) > _NAMED:
            lines.append(Text(f"and {len(taken) - _NAMED} more"))
    lines.append(Text(printable(f"named by {_some(item.direct)}"), style="dim"))
    if item.through:
        lines.append(Text(printable(f"through these {_some(item.through)}"), style="dim"))
    falls = Text(f"{counted(item.falls, 'claim')}: ", style="bold")
    head = Text.assemble(falls, plain_text(source), overflow="fold")
    return Group(head, Padding(Group(*lines), INDENT))


def _cited(citation: Citation) -> list[RenderableType]:
    """What a citation says, what it needs, where it is proved, and how it was tried."""
    if citation.untried:
        trials = f"not tried: {citation.untried}"
    else:
        found = tried(citation)
        kinds = "; ".join(trial.instances for trial in citation.trials)
        balls = f", {found.undecided} undecided" if found.undecided else ""
        said = f"FALSE: {found.broken}" if found.broken else f"none breaks it{balls}"
        trials = f"tried on {counted(found.instances, 'random instance')} ({kinds}): {said}"
    needs = f"where {'; '.join(citation.hypotheses)}"
    return [
        plain_text(citation.statement),
        plain_text(needs),
        Text(printable(citation.source)),
        plain_text(trials),
    ]


def _some(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
    return f"{', '.join(ids[:_NAMED])}{more}"
