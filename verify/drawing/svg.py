"""A picture as an SVG file, light or dark as the viewer likes it, with its words below."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator
from html import escape

from verify.drawing.layout import Layout
from verify.drawing.palette import file_style
from verify.drawing.panel import panel_svg, text
from verify.drawing.picture import Picture
from verify.typeset.words import printable

#: The width of a panel in a file, and what is around it and between two; a line of words and its indent.
_COLUMN, _MARGIN, _BETWEEN, _LINE, _INDENT = 576.0, 16.0, 32.0, 16.0, 14.0
#: The widths of a letter, and of one of the title.
_LETTER, _HEAD = 6.5, 9.3
#: The rules of a file beyond those of its panels.
_WORDS = {
    ".file": "max-width:100%;height:auto",
    ".file > text": "text-anchor:start",
    ".file .head": "font-size:15px;font-weight:600",
    ".file .muted": "fill:var(--muted)",
    ".file .ground": "fill:var(--paper)",
}


def picture_svg(picture: Picture, *, dark: bool = True, bare: bool = False) -> bytes:
    """The file, in UTF-8; without *dark* it is light for every viewer.

    If *bare*, no words are seen but the title and those of the panels.
    """
    columns = len(picture.panels)
    inner = columns * (_COLUMN + _BETWEEN) - _BETWEEN
    width, letters = inner + 2 * _MARGIN, int(inner / _LETTER)
    parts, y = [], 2.0
    for words in [picture.source] if picture.source and not bare else []:
        y += 20
        parts.append(text(_MARGIN, y, words, "muted"))
    for words in textwrap.wrap(picture.title, int(inner / _HEAD)):
        y += 20
        parts.append(text(_MARGIN, y, words, "head"))
    foot = y = y + 14
    for i, panel in enumerate(picture.panels):
        x, below = _MARGIN + i * (_COLUMN + _BETWEEN), y
        if columns > 1:
            below += 12
            parts.append(text(x, below, panel.title, "head"))
        for words in textwrap.wrap(panel.about, int(_COLUMN / _LETTER)):
            below += _LINE
            parts.append(text(x, below, words, "muted"))
        tall = _COLUMN / panel.wide * Layout(panel).height
        below += 10 * (below > y)
        parts.append(panel_svg(panel, box=(x, below, _COLUMN, tall)))
        foot = max(foot, below + tall + 12)
    for indent, words in () if bare else _lines(picture, letters):
        foot += _LINE
        parts.append(text(_MARGIN + indent, foot, words, "muted"))
    size = f'width="{width:g}" height="{(height := math.ceil(foot + 10))}"'
    told = [*picture.notes, *picture.unseen, *picture.items, "; ".join(map(" ".join, picture.rows))]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="file" viewBox="0 0 {width:g} {height}"'
        f' {size} role="img" aria-labelledby="title words">',
        f'<title id="title">{escape(_title(picture))}</title>',
        f'<desc id="words">{escape(" ".join(told))}</desc>',
        f"<style>{file_style(_WORDS, dark=dark)}</style>",
        f'<rect class="ground" {size}/>',
        *parts,
        "</svg>\n",
    ]
    return printable("\n".join(lines)).encode("utf-8", "replace")


def picture_words(picture: Picture) -> bytes:
    """All that a picture says, as a text in UTF-8."""
    lines = [_title(picture), *picture.notes, *picture.unseen]
    lines += [f"- {item}" for item in picture.items]
    return printable("\n".join(lines) + "\n").encode("utf-8", "replace")


def _title(picture: Picture) -> str:
    return f"{picture.source}: {picture.title}" if picture.source else picture.title


def _lines(picture: Picture, letters: int) -> Iterator[tuple[float, str]]:
    """The notes, below them the items; each line with where it begins."""
    yield from ((0.0, line) for note in picture.notes for line in textwrap.wrap(note, letters))
    for item in picture.items:
        first, *more = textwrap.wrap(item, letters - 4) or [""]
        yield _INDENT, first
        yield from ((2 * _INDENT, line) for line in more)
