"""The plots of a claim's measured cases as files of their own, light or dark as the viewer likes it.

They are the plots of the page, with their captions below and their colours inside.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping

from jinja2 import Environment, PackageLoader, StrictUndefined

from verify.report import plots
from verify.report.plain_math import plain_math
from verify.report.text import flowed, printable
from verify.runner import ClaimResult

#: A plot of the page is drawn so much larger; the words stay as they are.
_SCALE = 1.6
_WIDTH, _MARGIN, _LINE = 608.0, 16.0, 16.0
_LETTERS = 88
#: What a file system may not like in a name, and the sign that stands for it.
_NO_NAME = re.compile(r"[^A-Za-z0-9._-]")

_LIGHT = {
    "paper": "#ffffff",
    "soft": "#f4f5f7",
    "ink": "#1b1f24",
    "muted": "#57606a",
    "blue": "#0072b2",
    "green": "#00795a",
    "purple": "#8f3f71",
    "orange": "#a15c00",
    "red": "#b8400b",
}
_DARK = {
    "paper": "#14171b",
    "soft": "#1e2329",
    "ink": "#e6e9ed",
    "muted": "#a3adb8",
    "blue": "#6db8ea",
    "green": "#4ecfa8",
    "purple": "#e29fc6",
    "orange": "#f0b64f",
    "red": "#ff8f5c",
}


def plots_svg(result: ClaimResult) -> dict[str, bytes]:
    """File names and files, in UTF-8, of all measured cases that have a plot."""
    template = _environment().get_template("plot.svg.j2")
    drawn = [
        case
        for evidence in result.evidence
        for case in plots.cases(evidence.detail)
        if case.picture or case.bar
    ]
    stem = _NO_NAME.sub(lambda match: f"_{ord(match[0]):x}_", result.claim.id)
    return {
        f"{stem}.{number}.svg": _file(template.render(**_layout(result, case)))
        for number, case in enumerate(drawn, start=1)
    }


def _file(text: str) -> bytes:
    return printable(text).encode("utf-8", "replace")


def _layout(result: ClaimResult, case: plots.Case) -> Mapping[str, object]:
    """What the template needs: the case, its words on lines, and where everything stands."""
    words = [case.caption]
    if case.error:
        words.append(
            f"The band holds the true value at all numbers of draws at once, but for an error of "
            f"{case.error}."
            if case.picture
            else f"The bar holds the true value, but for an error of {case.error}."
        )
    words += [*_key(case), *case.notes]
    words = [plain_math(text) for text in words]
    title = plain_math(f"{case.quantity} at {case.at}" if case.at else case.quantity)
    head = textwrap.wrap(title, 62)
    lines = [line for text in words for line in textwrap.wrap(text, _LETTERS)]
    plot = (plots.WIDTH, case.picture.height if case.picture else plots.HEIGHT)
    top = 22.0 + 20.0 * len(head) + 14.0
    foot = top + _SCALE * plot[1] + 12.0
    return {
        "case": case,
        "claim": flowed(result.claim.id),
        "head": head,
        "lines": lines,
        "words": " ".join(words),
        "width": _WIDTH,
        "height": foot + _LINE * len(lines) + 10.0,
        "margin": _MARGIN,
        "top": top,
        "foot": foot,
        "line": _LINE,
        "plot_size": (_SCALE * plot[0], _SCALE * plot[1]),
        "style": _style(),
    }


def _key(case: plots.Case) -> Iterator[str]:
    """The signs of the plot, in words."""
    if case.picture and case.picture.tolerance:
        yield "Shaded, within dashes: the tolerance around the printed value."
    if case.picture and case.picture.forbidden:
        yield "Hatched: the side that the claim rules out."
    if case.picture and case.picture.mutants:
        yield "Dashed: wrong statements nearby."


def _style() -> str:
    rules = (
        "text{font:12px system-ui,'Segoe UI',Roboto,Arial,sans-serif}"
        ".head{font-size:15px;font-weight:600}svg svg text{text-anchor:middle}"
        "svg svg .end{text-anchor:end}"
        "svg svg .mutant text,svg svg .stated text{text-anchor:start}"
        ".axis,.edge,.stop,.mutant path,.stated path,.cross,.forbidden{fill:none}.axis{stroke-width:1}"
        ".band{fill-opacity:.2;stroke-width:1;stroke-dasharray:3 3}.interval{fill-opacity:.38}"
        ".edge{stroke-width:1.3}.stop{stroke-width:3}.cross{stroke-width:2.5}.printed{stroke-width:2}"
        ".mutant path{stroke-width:1.3;stroke-dasharray:5 3}.stated path{stroke-width:2}"
        ".stated text{font-weight:600}.forbidden{stroke-opacity:.35;stroke-dasharray:1.5 4.5}"
    )
    dark = "".join(_colours(_DARK))
    return f"{rules}{''.join(_colours(_LIGHT))}@media (prefers-color-scheme:dark){{{dark}}}"


def _colours(of: Mapping[str, str]) -> Iterator[str]:
    yield f"text{{fill:{of['ink']}}}.muted{{fill:{of['muted']}}}.paper{{fill:{of['paper']}}}"
    yield f".plane{{fill:{of['soft']}}}.axis{{stroke:{of['muted']}}}"
    yield f".band{{fill:{of['green']};stroke:{of['green']}}}.interval{{fill:{of['blue']}}}"
    yield f".edge,.stop{{stroke:{of['blue']}}}.cross{{stroke:{of['red']}}}"
    yield f".printed,.stated path{{stroke:{of['ink']}}}.forbidden{{stroke:{of['purple']}}}"
    yield f".mutant path{{stroke:{of['orange']}}}.mutant text{{fill:{of['orange']}}}"
    yield f".stated.outside path{{stroke:{of['red']}}}.stated.outside text{{fill:{of['red']}}}"


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
