"""A picture of the page as a file of its own: SVG with a title above, words below and colours inside.

It looks as it does on the page, from the same rules; a file has no variables, since not every program
that draws an SVG knows them.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from jinja2 import Environment

from verify.report.templating import environment
from verify.typeset.words import printable

#: A picture of the page is drawn so much larger; the words stay as they are.
_SCALE = 1.6
_WIDTH, _MARGIN, _LINE, _INDENT = 608.0, 16.0, 16.0, 14.0
_LETTERS, _HEAD = 88, 62

#: The colours of the page.
LIGHT = {
    "paper": "#ffffff",
    "soft": "#f4f5f7",
    "ink": "#1b1f24",
    "muted": "#57606a",
    "line": "#d0d7de",
    "blue": "#0072b2",
    "green": "#00795a",
    "purple": "#8f3f71",
    "orange": "#a15c00",
    "red": "#b8400b",
    "band": "#97c3dd",
}
DARK = {
    "paper": "#14171b",
    "soft": "#1e2329",
    "ink": "#e6e9ed",
    "muted": "#a3adb8",
    "line": "#3a424c",
    "blue": "#6db8ea",
    "green": "#4ecfa8",
    "purple": "#e29fc6",
    "orange": "#f0b64f",
    "red": "#ff8f5c",
    "band": "#3c5c72",
}
#: The rules of a file beyond those of its picture.
_WORDS = (
    ".sheet .words{text-anchor:start}.sheet .head{font-size:15px;font-weight:600}"
    ".sheet .muted{fill:var(--muted)}.sheet .ground{fill:var(--paper)}"
)
_VARIABLE = re.compile(r"var\(--(\w+)\)")


class Drawing(Protocol):
    """The geometry of a picture, with its size on the page."""

    @property
    def width(self) -> float: ...

    @property
    def height(self) -> float: ...


@dataclass(frozen=True)
class Sheet:
    """A picture with its words. *source*: whose it is; *items* are listed below the other words; *more*
    is for who cannot see the picture, or has its words in a file.

    *macro* of *template* draws it, from *drawing* and what it takes *besides*.
    """

    source: str
    title: str
    template: str
    macro: str
    drawing: Drawing
    words: Sequence[str]
    items: Sequence[str] = ()
    more: Sequence[str] = ()
    besides: tuple[object, ...] = ()


def sheets(
    found: Iterable[tuple[str, Sheet]], *, dark: bool = True, bare: bool = False
) -> dict[str, bytes]:
    """File names and files of named sheets; if *bare*, each has its words in a file beside it."""
    files = {}
    for name, sheet in found:
        files[f"{name}.svg"] = sheet_svg(sheet, dark=dark, bare=bare)
        if bare:
            files[f"{name}.txt"] = caption(sheet)
    return files


def caption(sheet: Sheet) -> bytes:
    """All that a sheet says, as a text in UTF-8."""
    lines = [f"{sheet.source}: {sheet.title}", *sheet.words, *sheet.more]
    lines += [f"- {item}" for item in sheet.items]
    return printable("\n".join(lines) + "\n").encode("utf-8", "replace")


def sheet_svg(sheet: Sheet, *, dark: bool = True, bare: bool = False) -> bytes:
    """The file, in UTF-8, light or dark as the viewer likes it; without *dark* light for everyone.

    If *bare*, no words are seen but the title and those of the picture.
    """
    templates = _templates()
    draw = getattr(templates.get_template(sheet.template).module, sheet.macro)
    head = textwrap.wrap(sheet.title, _HEAD)
    lines = [] if bare else list(_lines(sheet))
    above = 2.0 if bare else 22.0
    top = above + 20.0 * len(head) + 14.0
    foot = top + _SCALE * sheet.drawing.height + 12.0
    text = templates.get_template("sheet.svg.j2").render(
        source=sheet.source,
        bare=bare,
        above=above,
        head=head,
        lines=lines,
        words=" ".join([*sheet.words, *sheet.more, *sheet.items]),
        drawing=draw(sheet.drawing, *sheet.besides),
        width=_WIDTH,
        height=foot + _LINE * len(lines) + 10.0,
        margin=_MARGIN,
        top=top,
        foot=foot,
        line=_LINE,
        size=(_SCALE * sheet.drawing.width, _SCALE * sheet.drawing.height),
        style=_style(dark),
    )
    return printable(text).encode("utf-8", "replace")


def _lines(sheet: Sheet) -> Iterator[tuple[float, str]]:
    """The words as one text, below it the items; each line with where it begins."""
    yield from ((0.0, line) for line in textwrap.wrap(" ".join(sheet.words), _LETTERS))
    for text in sheet.items:
        first, *more = textwrap.wrap(text, _LETTERS - 4) or [""]
        yield _INDENT, first
        yield from ((2 * _INDENT, line) for line in more)


@cache
def _style(dark: bool) -> str:
    rules = _rules(_templates().get_template("plot.css.j2").render() + _WORDS)
    style = "".join(_coloured(f"{of}{{{of_it}}}", LIGHT) for of, of_it in rules)
    if not dark:
        return style
    # Only what has a colour is said again.
    again = ((of, ";".join(filter(_VARIABLE.search, of_it.split(";")))) for of, of_it in rules)
    darker = "".join(_coloured(f"{of}{{{of_it}}}", DARK) for of, of_it in again if of_it)
    return f"{style}@media (prefers-color-scheme:dark){{{darker}}}"


def _rules(style: str) -> list[tuple[str, str]]:
    """Selectors and declarations without the space between them; there are no rules within rules."""
    found = re.findall(r"([^{}]+)\{([^{}]*)\}", style)
    return [(of.strip(), re.sub(r"\s*([:;,])\s*", r"\1", it).strip(" ;")) for of, it in found]


def _coloured(rule: str, colours: Mapping[str, str]) -> str:
    return _VARIABLE.sub(lambda match: colours[match[1]], rule)


@cache
def _templates() -> Environment:
    return environment()
