"""What the terminal shows of a figure: its table, its notes, and where the picture is."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from verify.drawing.picture import Picture


def figure_table(picture: Picture, path: Path, console: Console) -> None:
    """The table of *picture*, which was written to *path*."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for i, head in enumerate(picture.header):
        table.add_column(Text(head), justify="right" if i else "left")
    for row in picture.rows:
        table.add_row(*(Text(cell) for cell in row))
    asked = f"{picture.scale} scale, seed {picture.seed}, {picture.device}"
    console.print(Text(f"{picture.title}, {asked}"))
    console.print(table)
    for note in picture.notes:
        console.print(Text(note))
    if not picture.whole:
        console.print(Text("Interrupted: the picture shows what was trained until then."))
    console.print(Text(f"Written to {path}"))
