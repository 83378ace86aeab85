"""Geometry of the trade-off, in the units of an SVG viewBox, and what it shows in words.

Attention parameters go up and MLP parameters to the right, a cell for each pair. A cell's colour is the
stronger the more facts are certified, and its number says how many; a table says the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import floor

from verify.capacity.tradeoff import Cell, TradeOff
from verify.drawing.axes import WIDTH, Tick

_LEFT, _RIGHT, _TOP, _ROW, _GAP, _BELOW = 64.0, 352.0, 24.0, 36.0, 2.0, 48.0
#: The colour of a cell ends here, so that its number can be read.
_FULL, _FAINT = 0.5, 0.05


@dataclass(frozen=True)
class Square:
    """A cell: its corner, its number, and how strong its colour is; *text* is empty for no cell.

    *whole*: every fact of every draw is certified.
    """

    x: float
    y: float
    text: str
    strength: float
    whole: bool


@dataclass(frozen=True)
class Row:
    """A cell in words."""

    H: str
    m: str
    attention: str
    mlp: str
    certified: str
    complete: str


@dataclass(frozen=True)
class Heat:
    """The trade-off as a picture, in words and as a table.

    *heads* and *widths* are second lines below the labels of the ticks.
    """

    title: str
    notes: tuple[str, ...]
    squares: tuple[Square, ...]
    side: float
    tall: float
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    widths: tuple[str, ...]
    heads: tuple[str, ...]
    rows: tuple[Row, ...]
    left: float
    right: float
    top: float
    bottom: float
    height: float
    width: int = WIDTH


def heat(found: TradeOff) -> Heat:
    """The picture of a trade-off, the most heads at its top."""
    grid = found.grid
    side = (_RIGHT - _LEFT) / len(grid.widths)
    bottom = _TOP + _ROW * len(grid.heads)
    x = {m: round(_LEFT + i * side, 1) for i, m in enumerate(grid.widths)}
    y = {H: round(bottom - (i + 1) * _ROW, 1) for i, H in enumerate(grid.heads)}
    least = _least(found)
    return Heat(
        title=f"S = {grid.S}, R = {grid.R}, D = {grid.D}, d = {grid.d}, d_h = {grid.d_h}",
        notes=tuple(_notes(found, least)),
        squares=tuple(
            Square(
                x[cell.m],
                y[cell.H],
                _percent(cell.certified, grid.facts),
                _strength(cell.certified, grid.facts, least),
                cell.certified == grid.facts,
            )
            for cell in found.cells
        ),
        side=round(side - _GAP, 1),
        tall=_ROW - _GAP,
        x_ticks=tuple(
            Tick(round(x[m] + (side - _GAP) / 2, 1), _short(grid.mlp(m))) for m in grid.widths
        ),
        y_ticks=tuple(Tick(y[H] + _ROW / 2, _short(grid.attention(H))) for H in grid.heads),
        widths=tuple(f"m {m}" for m in grid.widths),
        heads=tuple(f"H {H}" for H in grid.heads),
        rows=tuple(_row(found, cell) for cell in found.cells),
        left=_LEFT,
        right=_RIGHT,
        top=_TOP,
        bottom=bottom,
        height=bottom + _BELOW,
    )


def _row(found: TradeOff, cell: Cell) -> Row:
    grid = found.grid
    return Row(
        f"{cell.H}",
        f"{cell.m:,}",
        f"{grid.attention(cell.H):,}",
        f"{grid.mlp(cell.m):,}",
        "too few heads" if cell.certified is None else f"{cell.certified:,} of {grid.facts:,}",
        "" if cell.complete is None else f"{cell.complete} of {grid.draws}",
    )


def _percent(certified: int | None, facts: int) -> str:
    """The share in percent, never rounded up: 100 are all."""
    return "" if certified is None else f"{floor(1000 * certified / facts) / 10:.3g}"


def _short(parameters: int) -> str:
    """A number of parameters in a few letters."""
    if parameters < 1000:
        return f"{parameters}"
    if parameters < 999_500:
        return f"{parameters / 1000:.0f}k"
    return f"{parameters / 1e6:.1f}M"


def _least(found: TradeOff) -> int:
    """The tens of percent where the colours begin."""
    shares = [c.certified / found.grid.facts for c in found.cells if c.certified is not None]
    return min(floor(10 * min(shares, default=0.0)), 9) * 10


def _strength(certified: int | None, facts: int, least: int) -> float:
    if certified is None:
        return 0.0
    share = (100 * certified / facts - least) / (100 - least)
    return round(_FAINT + (_FULL - _FAINT) * share, 3)


# -- in words ------------------------------------------------------------------------------------


def _notes(found: TradeOff, least: int) -> Iterator[str]:
    grid = found.grid
    yield (
        f"Percent of the {grid.S * grid.R:,} facts that are certified, in {grid.draws} draws; "
        f"the colour goes from {least} to 100."
    )
    ways = [_way(found, cell) for cell in _cheapest(found)]
    if ways:
        yield f"All facts in all draws with {'; or with '.join(ways)}."
    else:
        yield "No cell has all facts in all draws."
    if any(cell.certified is None for cell in found.cells):
        yield "Dashed: too few heads to hand over subject and relation to an MLP."


def _way(found: TradeOff, cell: Cell) -> str:
    attention, mlp = found.grid.attention(cell.H), found.grid.mlp(cell.m)
    if cell.m == 0:
        return f"{attention:,} attention parameters alone"
    return f"{attention:,} attention and {mlp:,} MLP parameters"


def _cheapest(found: TradeOff) -> list[Cell]:
    """The cells with everything certified below which no other has that with fewer of one kind."""
    whole = [cell for cell in found.cells if cell.certified == found.grid.facts]
    return [
        cell
        for cell in whole
        if not any(o != cell and o.H <= cell.H and o.m <= cell.m for o in whole)
    ]
