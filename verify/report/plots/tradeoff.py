"""The trade-off as a panel, in words and as a table.

Attention parameters go up and MLP parameters to the right, a cell for each pair. A cell's colour is the
stronger the more facts are certified, and its number says how many.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import floor

from verify.capacity.tradeoff import Cell, TradeOff
from verify.drawing import picture
from verify.drawing.picture import Axis, Panel
from verify.drawing.scale import Tick
from verify.report.plots.shown import Shown
from verify.report.plots.words import count

#: The height of a row of cells.
_ROW = 36.0
#: The colour of a cell ends here, so that its number can be read.
_FULL, _FAINT = 0.5, 0.05
_HEADER = ("H", "m", "Attention", "MLP", "Certified", "Draws with all")


def heat(found: TradeOff) -> Shown:
    """The trade-off, the most heads at its top."""
    grid, least = found.grid, _least(found)
    column = {m: i for i, m in enumerate(grid.widths)}
    row = {H: i for i, H in enumerate(grid.heads)}
    panel = Panel(
        title=f"S = {grid.S}, R = {grid.R}, D = {grid.D}, d = {grid.d}, d_h = {grid.d_h}",
        x=Axis(
            "MLP parameters, 2 m d",
            span=(0, len(column)),
            ticks=[
                Tick(i + 0.5, count(grid.mlp(m), brief=True), f"m {m}") for m, i in column.items()
            ],
        ),
        y=Axis(
            "attention parameters, 4 H d d_h",
            span=(0, len(row)),
            ticks=[
                Tick(i + 0.5, count(grid.attention(H), brief=True), f"H {H}")
                for H, i in row.items()
            ],
        ),
        cells=[
            picture.Cell(
                column[cell.m],
                row[cell.H],
                "too few" if cell.certified is None else _percent(cell.certified, grid.facts),
                _strength(cell.certified, grid.facts, least),
                cell.certified == grid.facts,
            )
            for cell in found.cells
        ],
        tall=_ROW * len(row),
    )
    return Shown(
        panel,
        f"{panel.title}: percent of the facts that are certified, by attention parameters and MLP"
        " parameters",
        tuple(_notes(found, least)),
        _HEADER,
        [_row(found, cell) for cell in found.cells],
    )


def _row(found: TradeOff, cell: Cell) -> list[str]:
    grid = found.grid
    return [
        f"{cell.H}",
        f"{cell.m:,}",
        f"{grid.attention(cell.H):,}",
        f"{grid.mlp(cell.m):,}",
        "too few heads" if cell.certified is None else f"{cell.certified:,} of {grid.facts:,}",
        "" if cell.complete is None else f"{cell.complete} of {grid.draws}",
    ]


def _percent(certified: int, facts: int) -> str:
    """The share in percent, never rounded up: 100 are all."""
    return f"{floor(1000 * certified / facts) / 10:.3g}"


def _least(found: TradeOff) -> int:
    """The tens of percent where the colours begin."""
    shares = [c.certified / found.grid.facts for c in found.cells if c.certified is not None]
    return min(floor(10 * min(shares, default=0.0)), 9) * 10


def _strength(certified: int | None, facts: int, least: int) -> float | None:
    if certified is None:
        return None
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
