"""A panel with what stands beside it on a page: its words, and its numbers as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from verify.drawing.picture import Panel


@dataclass(frozen=True)
class Shown:
    """*about* is what the panel shows, for who does not see it; *notes* say what is to be seen there."""

    panel: Panel
    about: str
    notes: Sequence[str]
    header: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
