"""The papers' figures, measured anew: by name, each a module that measures and a picture that it gives.

``picture`` is what a figure consists of, ``svg``, ``png`` and ``record`` how it is written, ``figure5``
the stages of training. Another figure is another module and another line in ``FIGURES``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from verify.drawing.picture import Picture, Scale
from verify.drawing.png import picture_png
from verify.drawing.rasterise import require_png
from verify.drawing.record import picture_json
from verify.drawing.svg import picture_svg
from verify.errors import UsageError
from verify.papers.nichani.figures import figure5

__all__ = ["FIGURES", "Figure", "Picture", "Scale", "figure", "writer"]

#: The scale, the seed, and what is called with the share that is done.
Measure: TypeAlias = Callable[[Scale, int, Callable[[float], None]], Picture]

_WRITERS: Mapping[str, Callable[[Picture], bytes]] = {
    ".svg": picture_svg,
    ".png": picture_png,
    ".json": picture_json,
}


@dataclass(frozen=True)
class Figure:
    """A figure of a paper: its name there, and how it is measured."""

    name: str
    measure: Measure


FIGURES = {"5": Figure("5", figure5.measure)}


def figure(name: str) -> Figure:
    """The figure called *name*; UsageError with all names if there is none."""
    if name not in FIGURES:
        raise UsageError(f"NAME: there is no figure {name!r}; take one of {', '.join(FIGURES)}")
    return FIGURES[name]


def writer(path: Path) -> Callable[[Picture], bytes]:
    """How a picture is written to *path*, by its suffix.

    UsageError for a suffix that is none of those known, and for .png where nothing can draw one.
    """
    suffix = path.suffix.lower()
    if suffix not in _WRITERS:
        known = ", ".join(_WRITERS)
        raise UsageError(
            f"--out: {str(path)!r} has no known suffix; end the name in one of {known}"
        )
    if suffix == ".png":
        require_png("--out")
    return _WRITERS[suffix]
