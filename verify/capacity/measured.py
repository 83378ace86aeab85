"""The measured part of an answer: how many of some drawn memories lose a fact."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any

from verify.measuring.draws import Call, Drawing, Draws
from verify.statistics import clopper_pearson

if TYPE_CHECKING:
    from numerics.observables import Event

#: Draws of the measurement, its error, and the multiply-adds that all draws may cost.
DRAWS, ERROR, AFFORDABLE = 40, 1e-6, 4e9
#: Memories of one call.
_CALL = 8


def _lost(failures: Callable[..., Event], *, replicates: int, seed: int, start: int) -> Event:
    return failures(replicates, seed=seed, name="capacity", start=start)


def failures_counted(failures: Callable[..., Event], seed: int, draws: Draws) -> dict[str, Any]:
    """How many of DRAWS memories lose a fact, drawn by *draws*, and the interval of the chance of it.

    *failures*: of (how many, seed=, name=, start=) to whether each loses a fact.
    """
    calls = [Call(start, min(_CALL, DRAWS - start)) for start in range(0, DRAWS, _CALL)]
    drawing = Drawing(partial(_lost, failures), seed, {}, small=False)
    with closing(draws.drawn(drawing, calls)) as found:
        count = sum(int(one.observables.values.sum()) for one in found)
    interval = clopper_pearson(count, DRAWS, ERROR)
    return {
        "draws": DRAWS,
        "failures": count,
        "interval": [interval.low, interval.high],
        "error": ERROR,
    }


def unmeasured(without: str) -> tuple[str, ...]:
    """The reason for an answer *without* a measurement, if something is missing for it."""
    return (f"measured: {without}",) if without else ()
