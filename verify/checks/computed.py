"""Checks of values computed without sampling: what was built and looked at, against what is stated."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from verify.claim import Evidence
from verify.verdict import Verdict

#: Words, what was computed, and between which values it is stated to lie.
Computed: TypeAlias = tuple[str, float, float, float]

#: What rounding in float64 may add to a computed value, relative to 1 and its size.
_ROUNDING = 1e-9


def computed(steps: Sequence[str], wrong: str | None, scope: str) -> Evidence:
    """Supported by the values that *steps* name, or refuted by the one that is *wrong*.

    Inconclusive where no step names a value.
    """
    if not steps and wrong is None:
        return Evidence(Verdict.INCONCLUSIVE, "", "nothing was looked at", scope=scope)
    count = steps[0] if len(steps) == 1 else f"{len(steps)} values agree"
    return Evidence(
        Verdict.SUPPORTED if wrong is None else Verdict.REFUTED,
        "",
        count if wrong is None else wrong,
        scope=scope,
        steps=tuple(steps),
        counterexample=None if wrong is None else {"computed": wrong},
    )


def within(found: Iterable[Computed], scope: str) -> Evidence:
    """Supported if every value lies where it is stated to, but for rounding in float64.

    Inconclusive if there are no values.
    """
    steps = []
    for words, value, low, high in found:
        stated = f"stated {low:.12g}" if low == high else f"stated from {low:.12g} to {high:.12g}"
        steps.append(f"{words}: {value:.12g}, {stated}")
        slack = _ROUNDING * (1 + abs(value))
        if not low - slack <= value <= high + slack:
            return computed(steps, steps[-1], words)
    return computed(steps, None, scope)
