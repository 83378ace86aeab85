"""Stated formulas at numbers, and the one way in which what was computed along a flow is compared.

Serves Sec. 5 and App. D of Nichani et al.: values that are computed, not sampled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from verify.checks.computed import computed
from verify.claim import Evidence

#: What an integration of the flow with relative error 1e-10 a step may add, relative to 1 and size.
SLACK = 1e-6
#: Those of the trajectories of `numerics.papers.nichani.flow_bounds` that are drawn, by their number.
SHOWN = {
    1: r"Random table and priors, S = 4, R = 2, T = 5, $\alpha$ = 0.1",
    7: r"Balanced table, S = R = D = 2, T = 3, $\alpha$ = 0.1",
}
#: How many of the values a record names.
_SHOWN = 20


def at_most(
    found: Iterable[tuple[str, float, float]], scope: str, *, rounding: float = 0.0
) -> Evidence:
    """Supported if in each of (words, value, stated bound) the value is at most the bound.

    *rounding*: what is allowed besides, where values come from terms that cancel.
    """

    def excess(value: float, bound: float) -> tuple[float, float]:
        allowed = SLACK * (abs(value) + abs(bound)) + rounding
        return value - bound, allowed

    return _judged(found, "{}: {:.9g}, stated to be at most {:.9g}", excess, scope)


def no_difference(found: Iterable[tuple[str, float, float]], scope: str) -> Evidence:
    """Supported if in each of (words, difference, scale) the difference is nothing beside the scale."""
    return _judged(
        found, "{}: off by {:.3g} of {:.3g}", lambda gap, scale: (gap, SLACK * scale), scope
    )


def _judged(
    found: Iterable[tuple[str, float, float]],
    template: str,
    excess: Callable[[float, float], tuple[float, float]],
    scope: str,
) -> Evidence:
    """Refuted by the first value whose *excess* is not within what it is allowed, else supported.

    Inconclusive if there are no values. The record names those that come nearest to being wrong.
    """
    seen = []
    for words, value, stated in found:
        beyond, allowed = excess(value, stated)
        step = template.format(words, value, stated)
        if not beyond <= allowed:
            return computed([step], step, scope)
        size = abs(value) + abs(stated) + allowed
        seen.append((-beyond / size if size else 0.0, step))
    nearest = [step for _, step in sorted(seen)[:_SHOWN]]
    evidence = computed(nearest, None, scope)
    if not seen:
        return evidence
    return replace(evidence, summary=f"{len(seen)} values agree", detail={"values": len(seen)})
