"""A picture of the page as a file of its own: SVG with a title above, words below and colours inside.

It looks as it does on the page, from the same rules; a file has no variables, since not every program
that draws an SVG knows them.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from verify.report import plots
from verify.report.text import printable

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
}
#: The rules of a file beyond those of its picture.
_WORDS = (
    ".sheet .words{text-anchor:start}.sheet .head{font-size:15px;font-weight:600}"
    ".sheet .muted{fill:var(--muted)}.sheet .ground{fill:var(--paper)}"
)
_VARIABLE = re.compile(r"var\(--(\w+)\)")


@dataclass(frozen=True)
class Sheet:
    """A picture with its words. *source*: whose it is; *items* are listed below the other words.

    *macro* of *template* draws it from *arguments*, *size* are its width and height on the page.
    """

    source: str
    title: str
    template: str
    macro: str
    arguments: tuple[object, ...]
    size: tuple[float, float]
    words: Sequence[str]
    items: Sequence[str] = ()


def sheet_svg(sheet: Sheet, *, dark: bool = True) -> bytes:
    """The file, in UTF-8, light or dark as the viewer likes it; without *dark* light for everyone."""
    environment = _environment()
    draw = getattr(environment.get_template(sheet.template).module, sheet.macro)
    head = textwrap.wrap(sheet.title, _HEAD)
    lines = [(0.0, line) for text in sheet.words for line in textwrap.wrap(text, _LETTERS)]
    for text in sheet.items:
        first, *more = textwrap.wrap(text, _LETTERS - 4) or [""]
        lines += [(_INDENT, first), *((2 * _INDENT, line) for line in more)]
    top = 22.0 + 20.0 * len(head) + 14.0
    foot = top + _SCALE * sheet.size[1] + 12.0
    text = environment.get_template("sheet.svg.j2").render(
        source=sheet.source,
        head=head,
        lines=lines,
        words=" ".join([*sheet.words, *sheet.items]),
        drawing=draw(*sheet.arguments),
        width=_WIDTH,
        height=foot + _LINE * len(lines) + 10.0,
        margin=_MARGIN,
        top=top,
        foot=foot,
        line=_LINE,
        size=(_SCALE * sheet.size[0], _SCALE * sheet.size[1]),
        style=_style(dark),
    )
    return printable(text).encode("utf-8", "replace")


@cache
def _style(dark: bool) -> str:
    rules = _rules(_environment().get_template("plot.css.j2").render() + _WORDS)
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
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("verify.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(plot_width=plots.WIDTH, plot_height=plots.HEIGHT)
    return environment
