"""A panel as SVG, and a picture as a file: light or dark as the viewer likes it, its words below."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Iterator
from html import escape

from verify.drawing.layout import NAMED, ROW, Label, Layout
from verify.drawing.palette import Role, file_style
from verify.drawing.picture import Band, Cell, Dots, Mark, Panel, Picture, Shape, Strip
from verify.drawing.scale import Span
from verify.typeset.words import printable

#: The width of a panel in a file, and around it; a line of words, their letters, and of a title.
_COLUMN, _MARGIN, _LINE, _INDENT = 576.0, 16.0, 16.0, 14.0
_LETTER, _HEAD = 6.5, 9.3
#: The rules of a file beyond those of its panels.
_WORDS = {
    ".file": "max-width:100%;height:auto",
    ".file > text": "text-anchor:start",
    ".file .head": "font-size:15px;font-weight:600",
    ".file .muted": "fill:var(--muted)",
    ".file .ground": "fill:var(--paper)",
}
#: Space around a cell, and how far a dashed one stands inside.
_GAP, _INSIDE = 1.0, 2.0


def picture_svg(picture: Picture, *, dark: bool = True, bare: bool = False) -> bytes:
    """The file, in UTF-8; without *dark* it is light for every viewer.

    If *bare*, no words are seen but the title and those of the panels.
    """
    columns = len(picture.panels)
    width = 2 * _MARGIN + columns * _COLUMN + (columns - 1) * 2 * _MARGIN
    letters = int((width - 2 * _MARGIN) / _LETTER)
    head = textwrap.wrap(picture.title, int((width - 2 * _MARGIN) / _HEAD))
    source = [] if bare or not picture.source else [picture.source]
    y = 2.0
    parts = []
    for text in source:
        y += 20
        parts.append(_text(_MARGIN, y, text, "muted"))
    for text in head:
        y += 20
        parts.append(_text(_MARGIN, y, text, "head"))
    y += 14
    foot = y
    for i, panel in enumerate(picture.panels):
        at, below = _MARGIN + i * (_COLUMN + 2 * _MARGIN), y
        if columns > 1:
            parts.append(_text(at, below + 12, panel.title, "head"))
            below += 12
        for text in textwrap.wrap(panel.about, int(_COLUMN / _LETTER)):
            below += _LINE
            parts.append(_text(at, below, text, "muted"))
        zoom = _COLUMN / panel.wide
        tall = zoom * Layout(panel).height
        below += 10 if below > y else 0
        parts.append(panel_svg(panel, at=(at, below), size=(_COLUMN, tall)))
        foot = max(foot, below + tall)
    foot += 12
    for indent, text in () if bare else _lines(picture, letters):
        foot += _LINE
        parts.append(_text(_MARGIN + indent, foot, text, "muted"))
    height = math.ceil(foot + 10)
    words = " ".join(
        [*picture.notes, *picture.unseen, *picture.items, "; ".join(map(" ".join, picture.rows))]
    )
    title = f"{picture.source}: {picture.title}" if picture.source else picture.title
    text = "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="file" viewBox="0 0 {width:g} {height:g}"'
            f' width="{width:g}" height="{height:g}" role="img" aria-labelledby="title words">',
            f'<title id="title">{escape(title)}</title>',
            f'<desc id="words">{escape(words)}</desc>',
            f"<style>{file_style(_WORDS, dark=dark)}</style>",
            f'<rect class="ground" width="{width:g}" height="{height:g}"/>',
            *parts,
            "</svg>\n",
        ]
    )
    return printable(text).encode("utf-8", "replace")


def picture_words(picture: Picture) -> bytes:
    """All that a picture says, as a text in UTF-8."""
    lines = [f"{picture.source}: {picture.title}", *picture.notes, *picture.unseen]
    lines += [f"- {item}" for item in picture.items]
    return printable("\n".join(lines) + "\n").encode("utf-8", "replace")


def _lines(picture: Picture, letters: int) -> Iterator[tuple[float, str]]:
    """The notes, below them the items; each line with where it begins."""
    yield from ((0.0, line) for note in picture.notes for line in textwrap.wrap(note, letters))
    for text in picture.items:
        first, *more = textwrap.wrap(text, letters - 4) or [""]
        yield _INDENT, first
        yield from ((2 * _INDENT, line) for line in more)


# -- a panel -------------------------------------------------------------------------------------


def panel_svg(
    panel: Panel, *, label: str = "", at: Span | None = None, size: Span | None = None
) -> str:
    """The panel as an element, called by its *label*, or not read aloud; in a file *at* a place with a
    *size*."""
    its = Layout(panel)
    attributes = f'class="plot" viewBox="0 0 {panel.wide:g} {its.height:g}"'
    if at and size:
        attributes += f' x="{at[0]:g}" y="{at[1]:g}" width="{size[0]:g}" height="{size[1]:g}"'
    elif label:
        attributes += f' role="img" aria-label="{escape(label)}"'
    else:
        attributes += ' aria-hidden="true"'
    return f"<svg {attributes}>{''.join(_parts(panel, its))}</svg>"


def _parts(panel: Panel, its: Layout) -> Iterator[str]:
    """What is drawn later covers what is drawn before."""
    wide = its.right - its.left
    yield _rect("plane", its.left, its.top, wide, its.bottom - its.top)
    for stage, label in zip(panel.stages, its.stages, strict=True):
        start, stop = its.x(stage.start), its.x(stage.stop)
        yield _rect("stage", start, its.top, stop - start, its.bottom - its.top)
        yield _label(label, "faint")
    yield from (_hatch(strip, its) for strip in panel.strips if strip.role is Role.EXCLUDED)
    clipped = [_group(band.role, _band(band, its)) for band in panel.bands]
    clipped += [_strip(strip, its) for strip in panel.strips if strip.role is not Role.EXCLUDED]
    if clipped:
        # A svg within cuts off what reaches beyond the plane.
        low, tall = its.inner[0], its.inner[1] - its.inner[0]
        box = f"{its.left:g} {low:g} {wide:g} {tall:g}"
        yield (
            f'<svg x="{its.left:g}" y="{low:g}" width="{wide:g}" height="{tall:g}" viewBox="{box}">'
            f"{''.join(clipped)}</svg>"
        )
    for level, label in zip(panel.levels, its.levels, strict=True):
        y = its.y(level.value)
        across = f'<path class="curve" d="M{its.left:g} {y:g}H{its.right:g}"/>'
        join = f'<path class="join" d="M{its.right:g} {y:g}L{its.right + 6:g} {label.y:g}"/>'
        yield _group(level.role, across + join + _text(label.x, label.y + 4, label.text, "start"))
    for moment, label in zip(panel.moments, its.moments, strict=True):
        up = f"M{its.x(moment.value):g} {its.bottom:g}V{its.top - 4:g}"
        yield _group(Role.REFERENCE, f'<path class="join" d="{up}"/>{_label(label, "")}')
    for line in panel.lines:
        points = ((its.x(a), its.y(b)) for a, b in zip(line.x, line.y, strict=True))
        yield _group(line.role, f'<polyline class="curve" points="{_points(points)}"/>')
    yield from (_group(dots.role, "".join(_dots(dots, its))) for dots in panel.dots)
    yield from (_cell(cell, its) for cell in panel.cells)
    yield from _axes(panel, its)
    yield from (_key(*key) for key in its.keys)


def _band(band: Band, its: Layout) -> str:
    upper = [(its.x(a), its.y(b)) for a, b in zip(band.x, band.high, strict=True)]
    lower = [(its.x(a), its.y(b)) for a, b in zip(band.x, band.low, strict=True)]
    return f'<polygon class="band" points="{_points([*upper, *reversed(lower)])}"/>'


def strip_edges(strip: Strip, its: Layout) -> Span:
    """The upper and the lower edge of a strip."""
    high = its.top if strip.high is None else its.y(strip.high)
    return high, its.bottom if strip.low is None else its.y(strip.low)


def _strip(strip: Strip, its: Layout) -> str:
    high, low = strip_edges(strip, its)
    # It is wider than the plane, so that it has no ends.
    wide = its.right - its.left + 4
    return _group(strip.role, _rect("strip", its.left - 2, high, wide, max(low - high, 1)))


def _hatch(strip: Strip, its: Layout) -> str:
    high, low = strip_edges(strip, its)
    line = f"M{its.left:g} {(high + low) / 2:g}H{its.right:g}"
    return _group(
        strip.role, f'<path class="hatch" d="{line}" stroke-width="{max(low - high, 0):g}"/>'
    )


def _dots(dots: Dots, its: Layout) -> Iterator[str]:
    bar = "stop" if dots.shape is Shape.STOP else "bar"
    cap = 4 if dots.shape is Shape.STOP else 3
    for a, low, high in zip(dots.x, dots.low, dots.high, strict=False):
        x = its.x(a)
        line = f"M{x - cap:g} {its.y(low):g}h{2 * cap}M{x:g} {its.y(low):g}V{its.y(high):g}"
        yield f'<path class="{bar}" d="{line}m-{cap} 0h{2 * cap}"/>'
    for a, b in zip(dots.x, dots.y, strict=True):
        yield _shape(dots.shape, its.x(a), its.y(b))
    for i, text in enumerate(dots.labels):
        y = its.y(dots.y[i]) + 16 if dots.below else its.y((dots.high or dots.y)[i]) - 6
        yield _text(its.x(dots.x[i]), y, text, "small")


def _shape(shape: Shape, x: float, y: float) -> str:
    match shape:
        case Shape.DISC | Shape.RING:
            radius = 3.2 if shape is Shape.DISC else 2.6
            return f'<circle class="{shape}" cx="{x:g}" cy="{y:g}" r="{radius}"/>'
        case Shape.SQUARE:
            return _rect("square", x - 3.2, y - 3.2, 6.4, 6.4)
        case Shape.CROSS:
            return f'<path class="cross" d="M{x - 5:g} {y - 5:g}l10 10m0 -10l-10 10"/>'
        case Shape.BAR | Shape.STOP:
            return ""


def _cell(cell: Cell, its: Layout) -> str:
    left, right = its.x(cell.x) + _GAP, its.x(cell.x + 1) - _GAP
    top, bottom = its.y(cell.y + 1) + _GAP, its.y(cell.y) - _GAP
    x, y = (left + right) / 2, (top + bottom) / 2 + 4
    if cell.strength is None:
        box = _rect(
            "none",
            left + _INSIDE,
            top + _INSIDE,
            right - left - 2 * _INSIDE,
            bottom - top - 2 * _INSIDE,
        )
        return box + _text(x, y, cell.label, "faint")
    whole = " whole" if cell.whole else ""
    box = _rect(f"cell{whole}", left, top, right - left, bottom - top, cell.strength)
    return box + _text(x, y, cell.label, "strong" if cell.whole else "")


def _axes(panel: Panel, its: Layout) -> Iterator[str]:
    if not panel.cells:
        marks = "".join(f"M{tick.at:g} {its.bottom:g}v5" for tick in its.x_ticks)
        marks += "".join(f"M{its.left:g} {tick.at:g}h-5" for tick in its.y_ticks)
        yield (
            f'<path class="axis" d="M{its.left:g} {its.top:g}V{its.bottom:g}H{its.right:g}{marks}"/>'
        )
    for tick in its.x_ticks:
        yield _label(its.inside(tick.at, its.bottom + 18, tick.label), "")
        if tick.more:
            yield _label(its.inside(tick.at, its.bottom + 18 + ROW, tick.more), "faint")
    for tick in its.y_ticks:
        yield _text(its.left - 8, tick.at + (-3 if tick.more else 4), tick.label, "end")
        if tick.more:
            yield _text(its.left - 8, tick.at + 11, tick.more, "end faint")
    if its.gap:
        high, low = its.gap
        yield _rect("gap", its.left - 6, high, its.right - its.left + 7, low - high)
        slanted = "".join(f"M{its.left - 5:g} {y + 2:g}l10 -4" for y in its.gap)
        yield f'<path class="axis" d="{slanted}"/>'
    yield _text(4, 13, panel.y.name, "start")
    yield _label(its.name, "end")


def _key(x: float, y: float, mark: Mark) -> str:
    if isinstance(mark, Dots):
        drawn = _shape(mark.shape, x + 14, y)
    elif isinstance(mark, Band):
        drawn = _rect("band", x, y - 5, 28, 10)
    else:
        drawn = f'<path class="curve" d="M{x:g} {y:g}h28"/>'
    return _group(mark.role, drawn) + _text(x + NAMED, y + 4, mark.name, "start")


# -- elements ------------------------------------------------------------------------------------


def _group(role: Role, inner: str) -> str:
    return f'<g class="{role}">{inner}</g>'


def _rect(
    kind: str, x: float, y: float, wide: float, tall: float, strength: float | None = None
) -> str:
    opacity = "" if strength is None else f' fill-opacity="{strength:g}"'
    places = f'x="{x:g}" y="{y:g}" width="{round(wide, 1):g}" height="{round(tall, 1):g}"'
    return f'<rect class="{kind}" {places}{opacity}/>'


def _label(label: Label, kind: str) -> str:
    return _text(label.x, label.y, label.text, kind)


def _text(x: float, y: float, words: str, kind: str) -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text{named} x="{round(x, 1):g}" y="{round(y, 1):g}">{escape(words)}</text>'


def _points(points: Iterable[Span]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in points)
