"""A console for reports, and the pieces that its pages are made of.

Everything is made of Text, never of rich's markup, since statements are full of square brackets.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from verify.claim import Claim
from verify.report.text import badge
from verify.typeset.plain_math import plain_text
from verify.typeset.unicode_math import unicode_text
from verify.typeset.words import flowed, printable
from verify.verdict import Verdict

#: Columns where the output is not a terminal and COLUMNS does not say how many.
PLAIN_WIDTH = 100
INDENT = (0, 0, 0, 2)
HEADING = "bold"
LOUD = "bold white on red"
_STYLES = {
    Verdict.PROVED: "green",
    Verdict.ARGUED: "bright_blue",
    Verdict.CERTIFIED: "green",
    Verdict.SUPPORTED: "cyan",
    Verdict.REFUTED: "magenta",
    Verdict.CONFLICT: "bold red",
    Verdict.INCONCLUSIVE: "yellow",
    Verdict.ERROR: "bold red",
    Verdict.NOT_RUN: "dim",
}


class _ReportConsole(Console):
    """A console that leaves a closed pipe to the caller, whose exit status it decides."""

    def render_str(self, text: str, **options: Any) -> Text:
        """A line as it may be shown, whatever names it holds."""
        return super().render_str(printable(text), **options)

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def report_console(*, stderr: bool = False) -> Console:
    """A console for reports; where it is no terminal it is plain, and as wide as COLUMNS says or 100."""
    console = _ReportConsole(stderr=stderr, highlight=False, markup=False, emoji=False)
    # rich reads COLUMNS itself; 0 columns is what some tools set where they do not know.
    if not console.is_terminal and not _whole(os.environ.get("COLUMNS", "")):
        console.width = PLAIN_WIDTH
    return console


def _whole(text: str) -> bool:
    """Whether a text is a number above 0."""
    return text.isdecimal() and int(text) > 0


def show(console: Console, *parts: RenderableType) -> None:
    """Print; where the output is no terminal, without the spaces that fill lines up."""
    if console.is_terminal:
        console.print(*parts, sep="\n")
        return
    with console.capture() as captured:
        console.print(*parts, sep="\n")
    for line in captured.get().splitlines():
        console.out(line.rstrip(), highlight=False)


def verdict_text(verdict: Verdict) -> Text:
    """A verdict with its sign, in its colour."""
    return Text(badge(verdict), style=_STYLES[verdict])


def section(console: Console, heading: str, lines: Sequence[RenderableType]) -> None:
    """A heading with its lines; nothing if there are none."""
    if lines:
        title = Text(f"\n{heading}", style=HEADING)
        show(console, title, Padding(Group(*lines), INDENT))


def id_text(id_: str) -> Text:
    """An id as it is."""
    return Text(printable(id_))


def paragraph(text: str) -> Text:
    """A text that flows, its formulas in Unicode."""
    return Text(plain_text(text), overflow="fold")


def statement(claim: Claim) -> Text:
    """What a claim says."""
    return Text(unicode_text(claim.statement), overflow="fold")


def bullets(texts: Iterable[str]) -> list[RenderableType]:
    """A line with a dash for each text; nothing if there is none."""
    rows = [("-", plain_text(text)) for text in texts]
    return [grid(rows, gap=1)] if rows else []


def grid(rows: Sequence[tuple[str, ...]], gap: int = 2) -> Table:
    """Columns without lines."""
    table = Table.grid(padding=(0, gap, 0, 0))
    for _ in rows[0]:
        table.add_column(overflow="fold")
    for row in rows:
        table.add_row(*(Text(flowed(cell)) for cell in row))
    return table


def numbered_list(bodies: Iterable[RenderableType]) -> Table:
    """A numbered line for each body."""
    table = Table.grid(padding=(0, 1))
    table.add_column(justify="right", no_wrap=True)
    table.add_column(overflow="fold")
    for number, body in enumerate(bodies, start=1):
        table.add_row(f"{number}.", body)
    return table
