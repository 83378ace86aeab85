"""The pictures that the page of a full run has besides its claims, measured together.

No verdict rests on them, and their draws are those of no claim.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from verify.capacity import curves, stored_bits, subjects, tradeoff
from verify.running.pool import Plan, results


@dataclass(frozen=True)
class Pictures:
    """Failure curves, bits stored, and the trade-off of parameters; empty where nothing was measured."""

    curves: Sequence[curves.Curve] = ()
    trade_off: tradeoff.TradeOff | None = None
    stored: stored_bits.StoredBits | None = None


def pictures(
    *,
    seed: int,
    workers: int,
    shown: Sequence[subjects.Subject] = subjects.SUBJECTS,
    grid: tradeoff.Grid = tradeoff.GRID,
    search: stored_bits.Search = stored_bits.SEARCH,
    progress: Callable[[float], None] = lambda share: None,
    device: str = "cpu",
    cluster: str = "",
) -> Pictures:
    """A curve for each subject *shown*, the trade-off on *grid*, and what *search* finds stored.

    *workers* is the number of processes (0: this one), *cluster* the address of a scheduler whose
    workers take their place. Curves are drawn on *device*. *progress* is called with the
    share that is done. An interrupt ends the processes at once.
    """
    plans: list[Plan[curves.Curve]] = [curves.plan(subject, seed, device) for subject in shown]
    *found, trade_off, stored = results(
        [*plans, tradeoff.plan(grid, seed), stored_bits.plan(search, seed)],
        workers=workers,
        progress=progress,
        device=device,
        cluster=cluster,
    )
    return Pictures(found, trade_off, stored)
