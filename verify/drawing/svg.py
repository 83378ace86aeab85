"""A figure as one SVG file, light or dark as the viewer likes it; its title and table are in the words.

Panels stand side by side. Lines differ in colour and in dashes, levels are named at the right edge.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from html import escape

from verify.drawing.picture import Line, Panel, Picture, Role

_WIDTH, _HEIGHT, _GAP, _MARGIN = 508.0, 312.0, 48.0, 16.0
#: The plane of a panel within it, and the room of names beside it.
_LEFT, _TOP, _RIGHT, _BOTTOM = 46.0, 86.0, 392.0, 270.0
_HEAD, _LINE, _LETTER = 40.0, 14.0, 6.3
#: Steps of round numbers, and about how many of them an axis has.
_ROUND, _TICKS = (1, 2, 2.5, 5, 10), 5

_LIGHT = {
    "paper": "#ffffff",
    "soft": "#f4f5f7",
    "ink": "#1b1f24",
    "muted": "#57606a",
    "line": "#d0d7de",
    "stage": "#e4e8ee",
    "total": "#0072b2",
    "relation": "#a15c00",
    "subject": "#00795a",
    "other": "#6a737d",
    "printed": "#b8400b",
}
_DARK = {
    "paper": "#14171b",
    "soft": "#1e2329",
    "ink": "#e6e9ed",
    "muted": "#a3adb8",
    "line": "#3a424c",
    "stage": "#2b323b",
    "total": "#6db8ea",
    "relation": "#f0b64f",
    "subject": "#4ecfa8",
    "other": "#a3adb8",
    "printed": "#ff8f5c",
}
_DASHES = {Role.TOTAL: "", Role.RELATION: "7 3", Role.SUBJECT: "2 3", Role.OTHER: "9 3 2 3"}


def picture_svg(picture: Picture, *, dark: bool = True) -> bytes:
    """The file, in UTF-8; without *dark* it is light for every viewer."""
    columns = len(picture.panels)
    width = 2 * _MARGIN + columns * _WIDTH + (columns - 1) * _GAP
    foot = _HEAD + _HEIGHT + 8
    height = foot + _LINE * len(picture.notes) + 12
    rows = "; ".join(" ".join(row) for row in picture.rows)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" role="img" aria-labelledby="title words">',
        f'<title id="title">{escape(picture.title)}</title>',
        f'<desc id="words">{escape(" ".join(picture.notes))} {escape(rows)}</desc>',
        f"<style>{_style(dark)}</style>",
        f'<rect class="paper" width="{width:g}" height="{height:g}"/>',
        _text(_MARGIN, 24, picture.title, "title"),
    ]
    for i, panel in enumerate(picture.panels):
        parts.append(f'<g transform="translate({_MARGIN + i * (_WIDTH + _GAP):g} {_HEAD:g})">')
        parts.extend(_panel(panel))
        parts.append("</g>")
    for i, note in enumerate(picture.notes):
        parts.append(_text(_MARGIN, foot + _LINE * (i + 1), note, "muted"))
    parts.append("</svg>\n")
    return "\n".join(parts).encode("utf-8")


def _style(dark: bool) -> str:
    rules = [
        # A window narrower than the picture shows all of it.
        "svg{max-width:100%;height:auto}",
        "text{font:12px system-ui,'Segoe UI',Roboto,Arial,sans-serif}",
        ".title{font-size:16px;font-weight:600}.head{font-size:13.5px;font-weight:600}",
        ".middle{text-anchor:middle}.end{text-anchor:end}",
        ".axis,.curve,.level,.join{fill:none}.axis,.level{stroke-width:1}",
        ".level{stroke-dasharray:4 3}.join{stroke-width:.7}",
        ".curve{stroke-width:2;stroke-linejoin:round}.dot{stroke-width:1.3}",
        *(
            f".curve.{role}{{stroke-dasharray:{dashes}}}"
            for role, dashes in _DASHES.items()
            if dashes
        ),
        ".curve.other{stroke-width:1.3}",
        *_colours(_LIGHT),
    ]
    if dark:
        rules.append(f"@media (prefers-color-scheme:dark){{{''.join(_colours(_DARK))}}}")
    return "".join(rules)


def _colours(of: dict[str, str]) -> Iterator[str]:
    yield f"text{{fill:{of['ink']}}}.muted{{fill:{of['muted']}}}.paper{{fill:{of['paper']}}}"
    yield f".plane{{fill:{of['soft']}}}.stage{{fill:{of['stage']}}}"
    yield f".axis{{stroke:{of['muted']}}}.level,.join{{stroke:{of['ink']}}}"
    yield f".level.printed,.join.printed{{stroke:{of['printed']}}}text.printed{{fill:{of['printed']}}}"
    for role in Role:
        yield f".curve.{role}{{stroke:{of[role]}}}"
        yield f".dot.{role}{{stroke:{of[role]};fill:{of['paper']}}}"


def _panel(panel: Panel) -> Iterator[str]:
    top = max(value for line in panel.lines for value in line.y)
    start = min(line.x[0] for line in panel.lines)
    stop = max(line.x[-1] for line in panel.lines)
    stop = stop if stop > start else start + 1
    ceiling = 1.06 * max([top, *(level.value for level in panel.levels)])

    def x(value: float) -> float:
        share = (min(max(value, start), stop) - start) / (stop - start)
        return round(_LEFT + share * (_RIGHT - _LEFT), 1)

    def y(value: float) -> float:
        return round(_BOTTOM - min(max(value, 0.0), ceiling) / ceiling * (_BOTTOM - _TOP), 1)

    yield _text(0, 14, panel.title, "head")
    yield _text(0, 30, panel.about, "muted")
    yield from _legend(panel.lines)
    yield (
        f'<rect class="plane" x="{_LEFT:g}" y="{_TOP:g}" width="{_RIGHT - _LEFT:g}" '
        f'height="{_BOTTOM - _TOP:g}"/>'
    )
    for stage in panel.stages:
        a, b = x(stage.start), x(stage.stop)
        yield (
            f'<rect class="stage" x="{a:g}" y="{_TOP:g}" width="{b - a:.1f}" '
            f'height="{_BOTTOM - _TOP:g}"/>'
        )
        yield _text((a + b) / 2, _TOP - 5, stage.name, "middle muted")
    heights = [y(level.value) for level in panel.levels]
    for level, at, beside in zip(
        panel.levels, heights, _apart(heights, _TOP, _BOTTOM), strict=True
    ):
        kind = " printed" if level.printed else ""
        yield f'<path class="level{kind}" d="M{_LEFT:g} {at:g}H{_RIGHT:g}"/>'
        yield f'<path class="join{kind}" d="M{_RIGHT:g} {at:g}L{_RIGHT + 8:g} {beside:g}"/>'
        label = f"{level.name} = {level.value:.3f}"
        yield _text(_RIGHT + 11, beside + 4, label, kind.strip())
    for line in panel.lines:
        places = [(x(a), y(b)) for a, b in zip(line.x, line.y, strict=True)]
        if line.dots:
            for a, b in places:
                yield f'<circle class="dot {line.role}" cx="{a:g}" cy="{b:g}" r="2.6"/>'
        else:
            points = " ".join(f"{a:g},{b:g}" for a, b in places)
            yield f'<polyline class="curve {line.role}" points="{points}"/>'
    columns, rows = list(_ticks(start, stop)), list(_ticks(0.0, ceiling))
    marks = "".join(f"M{x(value):g} {_BOTTOM:g}v5" for value, _ in columns)
    marks += "".join(f"M{_LEFT:g} {y(value):g}h-5" for value, _ in rows)
    yield f'<path class="axis" d="M{_LEFT:g} {_TOP:g}V{_BOTTOM:g}H{_RIGHT:g}{marks}"/>'
    for value, label in columns:
        yield _text(x(value), _BOTTOM + 18, label, "middle")
    for value, label in rows:
        yield _text(_LEFT - 8, y(value) + 4, label, "end")
    yield _text((_LEFT + _RIGHT) / 2, _BOTTOM + 36, panel.x, "middle")
    middle = (_TOP + _BOTTOM) / 2
    yield (
        f'<text class="middle" transform="translate(12 {middle:g}) rotate(-90)">'
        f"{escape(panel.y)}</text>"
    )


def _legend(lines: Sequence[Line]) -> Iterator[str]:
    """Every line with its name, in one row."""
    at, y = 0.0, _TOP - 34
    for line in lines:
        if line.dots:
            yield f'<circle class="dot {line.role}" cx="{at + 10:g}" cy="{y:g}" r="2.6"/>'
        else:
            yield f'<polyline class="curve {line.role}" points="{at:g},{y:g} {at + 21:g},{y:g}"/>'
        yield _text(at + 26, y + 4, line.name, "")
        at += 26 + _LETTER * len(line.name) + 10


def _text(x: float, y: float, words: str, kind: str) -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text{named} x="{x:g}" y="{y:g}">{escape(words)}</text>'


def _apart(heights: Sequence[float], top: float, bottom: float) -> list[float]:
    """The heights, moved as little as keeps names a line apart, in their order."""
    order = sorted(range(len(heights)), key=lambda i: heights[i])
    found = list(heights)
    for _ in range(100):
        for a, b in itertools.pairwise(order):
            short = _LINE - (found[b] - found[a])
            if short > 0:
                found[a] -= short / 2
                found[b] += short / 2
    return [round(min(max(at, top), bottom), 1) for at in found]


def _ticks(start: float, stop: float) -> Iterator[tuple[float, str]]:
    """Round numbers from *start* to *stop* with their labels."""
    rough = (stop - start) / _TICKS
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in _ROUND if power * factor >= rough * (1 - 1e-9))
    digits = max(0, math.ceil(-math.log10(step) - 1e-9))
    digits += round(step, digits) != round(step, digits + 1)
    for i in range(math.ceil(start / step - 1e-9), math.floor(stop / step + 1e-9) + 1):
        yield i * step, f"{i * step:,.{digits}f}"
