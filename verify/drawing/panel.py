"""A panel as an SVG element: each mark in its role, which the style gives its looks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from verify.drawing.layout import LETTER, NAMED, ROW, Label, Layout
from verify.drawing.palette import Role
from verify.drawing.picture import Band, Cell, Dots, Mark, Panel, Shape, Strip
from verify.drawing.scale import Span
from verify.typeset.words import shortened

#: Space around a cell, and around one that is dashed.
_GAP, _INSIDE = 1.0, 3.0


def panel_svg(
    panel: Panel, *, label: str = "", box: tuple[float, float, float, float] | None = None
) -> str:
    """The panel as an element, called by its *label*, or not read aloud; in a file with the *box* of its
    place and size there."""
    its = Layout(panel)
    attributes = f'class="plot" viewBox="0 0 {panel.wide:g} {its.height:g}"'
    if box:
        attributes += ' x="{:g}" y="{:g}" width="{:g}" height="{:g}"'.format(*box)
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
        yield _group(level.role, across + join + text(label.x, label.y + 4, label.text, "start"))
    for moment, label in zip(panel.moments, its.moments, strict=True):
        up = f"M{its.x(moment.value):g} {its.bottom:g}V{its.top - 4:g}"
        yield _group(Role.REFERENCE, f'<path class="join" d="{up}"/>{_label(label, "")}')
    for line in panel.lines:
        points = ((its.x(a), its.y(b)) for a, b in zip(line.x, line.y, strict=True))
        yield _group(line.role, f'<polyline class="curve" points="{_points(points)}"/>')
    yield from (_group(dots.role, "".join(_dots(dots, its))) for dots in panel.dots)
    yield from (_cell(cell, its) for cell in panel.cells)
    yield from _axes(panel, its)
    yield from (_key(label, mark) for label, mark in its.keys)


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
    wide = f'stroke-width="{max(low - high, 0):g}"'
    return _group(strip.role, f'<path class="hatch" d="{line}" {wide}/>')


def _dots(dots: Dots, its: Layout) -> Iterator[str]:
    bar = "stop" if dots.shape is Shape.STOP else "bar"
    cap = 4 if dots.shape is Shape.STOP else 3
    for a, low, high in zip(dots.x, dots.low, dots.high, strict=False):
        x = its.x(a)
        line = f"M{x - cap:g} {its.y(low):g}h{2 * cap}M{x:g} {its.y(low):g}V{its.y(high):g}"
        yield f'<path class="{bar}" d="{line}m-{cap} 0h{2 * cap}"/>'
    for a, b in zip(dots.x, dots.y, strict=True):
        yield _shape(dots.shape, its.x(a), its.y(b))
    for i, label in enumerate(dots.labels):
        y = its.y(dots.y[i]) + 16 if dots.below else its.y((dots.high or dots.y)[i]) - 6
        yield text(its.x(dots.x[i]), y, label, "small")


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
    none = cell.strength is None
    room = _INSIDE if none else _GAP
    left, right = its.x(cell.x) + room, its.x(cell.x + 1) - room
    top, bottom = its.y(cell.y + 1) + room, its.y(cell.y) - room
    kind = "none" if none else "cell whole" if cell.whole else "cell"
    bold = "faint" if none else "strong" if cell.whole else ""
    label = text((left + right) / 2, (top + bottom) / 2 + 4, cell.label, bold)
    return _rect(kind, left, top, right - left, bottom - top, cell.strength) + label


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
        yield text(its.left - 8, tick.at + (-3 if tick.more else 4), tick.label, "end")
        if tick.more:
            yield text(its.left - 8, tick.at + 11, tick.more, "end faint")
    if its.gap:
        high, low = its.gap
        yield _rect("gap", its.left - 6, high, its.right - its.left + 7, low - high)
        slanted = "".join(f"M{its.left - 5:g} {y + 2:g}l10 -4" for y in its.gap)
        yield f'<path class="axis" d="{slanted}"/>'
    yield text(4, 13, shortened(panel.y.name, int(panel.wide / LETTER)), "start")
    yield _label(its.name, "end")


def _key(label: Label, mark: Mark) -> str:
    x, y = label.x - NAMED, label.y - 4
    if isinstance(mark, Dots):
        drawn = _shape(mark.shape, x + 14, y)
    elif isinstance(mark, Band):
        drawn = _rect("band", x, y - 5, 28, 10)
    else:
        drawn = f'<path class="curve" d="M{x:g} {y:g}h28"/>'
    return _group(mark.role, drawn) + _label(label, "start")


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
    return text(label.x, label.y, label.text, kind)


def text(x: float, y: float, words: str, kind: str) -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text{named} x="{round(x, 1):g}" y="{round(y, 1):g}">{escape(words)}</text>'


def _points(points: Iterable[Span]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in points)
