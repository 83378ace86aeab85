"""The trade of attention parameters for MLP parameters: how many facts of one table are certified.

Serves Sec. 4.3 of arXiv 2412.06538 (Theorems 3 and 4), for the page of a run. No verdict rests on it,
and its draws are those of no claim.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

from verify.running.pool import Plan

#: Multiply-adds that take as long as what a draw needs besides.
_OVERHEAD = 1e7
#: The activation h_2, for p = k = 1.
_ACTIVATION = (0.0, 0.0, 1.0)


@dataclass(frozen=True)
class Grid:
    """A table's sizes, those of the transformer, and the numbers of heads and of neurons that are tried.

    No neurons mean the attention-only construction. Each cell is drawn *draws* times: embeddings and
    weights anew, the table never.
    """

    S: int
    R: int
    D: int
    d: int
    d_h: int
    heads: Sequence[int]
    widths: Sequence[int]
    draws: int

    @property
    def facts(self) -> int:
        """The number of facts of all draws of one cell."""
        return self.draws * self.S * self.R

    def attention(self, H: int) -> int:
        """Parameters of so many heads."""
        return 4 * H * self.d * self.d_h

    def mlp(self, m: int) -> int:
        """Parameters of so many neurons."""
        return 2 * m * self.d


GRID = Grid(
    S=12,
    R=12,
    D=4,
    d=640,
    d_h=80,
    heads=(2, 4, 6, 8, 12, 24),
    widths=(0, 128, 256, 512, 1024),
    draws=4,
)


@dataclass(frozen=True)
class Cell:
    """With H heads and m neurons: how many facts of all draws are certified, how many draws wholly.

    Both are None where so few heads cannot tell subjects from relations.
    """

    H: int
    m: int
    certified: int | None
    complete: int | None


@dataclass(frozen=True)
class TradeOff:
    """The cells of a grid: for each number of heads one for each number of neurons, in their order."""

    grid: Grid
    cells: tuple[Cell, ...]


def plan(grid: Grid, seed: int) -> Plan[TradeOff]:
    """How the cells of *grid* are measured."""
    tasks = [_Draws(grid, H, m, seed) for H in grid.heads for m in grid.widths]

    def joined(found: list[Any]) -> TradeOff:
        return TradeOff(grid, tuple(found))

    return Plan(tasks, joined)


@dataclass(frozen=True)
class _Draws:
    """What one cell is measured from."""

    grid: Grid
    H: int
    m: int
    seed: int

    @property
    def length(self) -> float:
        grid = self.grid
        tokens = 2 * (grid.S + grid.R) + grid.R * grid.D
        heads = self.H * grid.d * (tokens + grid.d_h) * grid.d_h
        neurons = self.m * grid.d * (5 * grid.S * grid.R + tokens)
        return grid.draws * (_OVERHEAD + heads + neurons)

    def run(self) -> Cell:
        from numerics import Stream
        from numerics.draws.construction_recall import trade_off
        from numerics.tasks import FactTable, FactualRecall

        grid, stream = self.grid, Stream(self.seed, "trade-off")

        def word(*name: str | int) -> int:
            return int(stream.child(*name).generator().integers(0, 2**63))

        table = FactTable.random(grid.S, grid.R, grid.D, seed=word("table"))
        task, certified, complete = FactualRecall(table, noise=0, T=3), 0, 0
        for number in range(grid.draws):
            share = float(
                trade_off(
                    task,
                    grid.d,
                    grid.d_h,
                    heads=[self.H],
                    widths=[self.m],
                    seed=word("draw", number),
                    attention={"factors": "orthonormal", "keys": "interpolating"},
                    mlp={"activation": _ACTIVATION, "keys": "interpolating"},
                )
            )
            if isnan(share):  # NaN: too few heads, whatever is drawn
                return Cell(self.H, self.m, None, None)
            certified += round(share * len(table))
            complete += share == 1
        return Cell(self.H, self.m, certified, complete)
