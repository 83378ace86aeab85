"""What is read of the free part of a record, whoever wrote it: what makes no sense is left out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

#: The names under which evidence has what was proved, in LaTeX and as text, and what was found of the
#: program beside it, on which no theorem rests.
THEOREMS, STATED, PROGRAM = "theorems", "stated", "program"


def rows(found: object) -> Sequence[Any]:
    """The items of a list; nothing of what is none."""
    return found if isinstance(found, (list, tuple)) else ()


def texts(found: object) -> list[str]:
    """The items of a list that are text."""
    return [row for row in rows(found) if isinstance(row, str)]


def tables(found: object) -> list[Mapping[str, Any]]:
    """The items of a list that have named values."""
    return [row for row in rows(found) if isinstance(row, Mapping)]


def number(value: object) -> float | None:
    """A finite number, or None."""
    try:
        found = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None
    return found if math.isfinite(found) else None
