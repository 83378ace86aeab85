"""How the claims on the gradient flow are checked: an argument with its counterexample, and two sides
in float64 that must keep their order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from proofs.argument import Argument
from verify.checks.argument import argued
from verify.checks.computed import computed
from verify.checks.section import Section
from verify.checks.trajectory import with_trajectories
from verify.claim import Evidence, Printed
from verify.measuring.context import Context

#: Words, and what must not exceed what: numbers or arrays that broadcast.
Sides: TypeAlias = tuple[str, Any, Any]

#: What rounding may add, relative to both sides.
_ROUNDING = 1e-9


def both(section: Section, id_: str, *, corrected: bool = False) -> Callable[..., None]:
    """Register the two checks of a claim, and of its correction: by an argument and in numbers.

    *drawn* gives the trajectories that the numbers are seen along, for the page.
    """
    ids = (id_, f"{id_}.corrected") if corrected else (id_,)

    def register(
        argue: Callable[[Printed], Argument],
        compute: Callable[[Printed, Context], Iterable[Sides]],
        *,
        method: str,
        scope: str,
        summary: str,
        measured: str,
        looked: str,
        floor: float = 0.0,
        drawn: Callable[[Printed, Context], Sequence[Mapping[str, Any]]] = lambda *_: (),
    ) -> None:
        def numerics(printed: Printed, context: Context) -> Evidence:
            found = in_order(compute(printed, context), looked, floor=floor)
            return with_trajectories(found, drawn(printed, context))

        for each in ids:
            section.pattern(
                argued,
                each,
                lambda printed, context: argue(printed),
                method=method,
                scope=scope,
                summary=summary,
            )
            section.check(each, "numerics", method=measured, group="gradient flow")(numerics)

    return register


def in_order(sides: Iterable[Sides], scope: str, *, floor: float = 0.0) -> Evidence:
    """Supported if no left side exceeds its right side, but for rounding and *floor*.

    Inconclusive if there are no sides.
    """
    import numpy as np

    steps: list[str] = []
    wrong = None
    for words, left, right in sides:
        pair = np.broadcast_arrays(np.asarray(left, float), np.asarray(right, float))
        if not pair[0].size:
            continue
        low, high = (side.ravel() for side in pair)
        with np.errstate(invalid="ignore"):
            excess = low - high - _ROUNDING * (np.abs(low) + np.abs(high)) - floor
        worst = int(np.argmax(excess))
        where = f", the narrowest of {low.size} places" if low.size > 1 else ""
        step = f"{words}: {low[worst]:.9g}, stated to be at most {high[worst]:.9g}{where}"
        steps.append(step)
        if not excess[worst] <= 0:  # a NaN is no agreement
            wrong = wrong or step
    return computed(steps, wrong, scope)


def equal(words: str, left: Any, right: Any) -> list[Sides]:
    """Two sides that must be the same."""
    return [(words, left, right), (f"{words}, from below", right, left)]
