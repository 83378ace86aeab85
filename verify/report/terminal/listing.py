"""The list of claims for a terminal: ids, titles and recorded verdicts."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from verify.claim import Entry
from verify.report.terminal.console import HEADING, show, verdict_text
from verify.report.text import by_paper, recorded
from verify.typeset.unicode_math import unicode_text
from verify.typeset.words import printable


def list_table(claims: Sequence[Entry], console: Console) -> None:
    """Ids, titles and recorded verdicts, by paper."""
    for paper, members in by_paper(claims).items():
        show(console, Text(f"{paper} ({len(members)})", style=HEADING))
        table = Table(box=None, pad_edge=False, padding=(0, 1), show_header=False, expand=True)
        table.add_column(ratio=4, overflow="fold")
        table.add_column(ratio=5, overflow="fold")
        table.add_column(width=14)
        for claim in members:
            verdict = verdict_text(recorded(claim))
            table.add_row(Text(printable(claim.id)), Text(unicode_text(claim.title)), verdict)
        show(console, table, Text(""))
