"""Full recall or not: failures of drawn memories counted against a stated probability.

Deep inside a condition nothing can fail and nothing is tested, so the count is made on the frontier,
where the statement allows a failure probability of 0.1 or 0.5, and beyond it, where recall must fail.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from verify.claim import Evidence
from verify.context import Context
from verify.statistics import Interval, look_share, proportion
from verify.verdict import Verdict


@dataclass(frozen=True)
class Frontier:
    """Draws at sizes where the statement bounds the failure probability by *delta*."""

    d: int
    N: int
    M: int
    delta: Fraction
    failures: int
    interval: Interval

    def __str__(self) -> str:
        return (
            f"d = {self.d}, N = {self.N}, M = {self.M}: {self.failures} of "
            f"{self.interval.replicates} draws fail, P(failure) in {self.interval}, "
            f"stated at most {self.delta}"
        )


def count_failures(
    context: Context,
    name: str,
    sizes: tuple[int, int, int],
    delta: Fraction,
    draws: tuple[int, ...],
    error: float,
) -> Frontier:
    """Draw linear memories of *sizes* (d, N, M) until *delta* lies outside the exact binomial
    interval for the failure probability, at the latest after the last of the *draws* looks.

    The error is split over the looks. Draws at given sizes are shared by all checks of a run.
    """
    from numerics.experiments.linear_margin import failures

    d, N, M = sizes
    known = context.store.setdefault((name, sizes), {0: 0})
    for look, total in enumerate(draws, start=1):
        if total not in known:
            done = max(count for count in known if count < total)
            known[total] = known[done] + failures(
                d,
                N,
                M,
                total - done,
                seed=context.seed,
                start=done,
                name=name,
                device=context.device,
            )
        interval = proportion(known[total], total, look_share(error, look))
        if interval.excludes(float(delta)):
            break
    return Frontier(d, N, M, delta, known[total], interval)


#: Looks at which failures are counted against delta.
_LOOKS = {Fraction(1, 10): (60, 240, 480), Fraction(1, 2): (60, 120)}

#: How far beyond the frontier recall is looked at, as multiples of its N.
_BEYOND = (Fraction(3, 2), Fraction(2), Fraction(4))


def failures_on_frontier(
    largest: Callable[[Fraction], int], d: int, context: Context, *, outputs: int | None = None
) -> Evidence:
    """At the largest N that the condition allows at delta, failures are counted against delta.

    And beyond, from one and a half to four times that N, recall must be seen to fail. M = N unless
    *outputs* fixes it.
    """
    error = context.share / (len(_LOOKS) + len(_BEYOND))
    where = "M = N" if outputs is None else f"M = {outputs}"
    steps = []
    for delta, draws in _LOOKS.items():
        N = largest(delta)
        if N == 0:
            return Evidence(Verdict.INCONCLUSIVE, "", f"no N satisfies the condition at d = {d}")
        M = outputs or N
        found = count_failures(context, "frontier", (d, N, M), delta, draws, error)
        steps.append(str(found))
        if found.interval.low > delta:
            return Evidence(
                Verdict.REFUTED,
                "",
                f"{found.failures} of {found.interval.replicates} draws fail at N = {N}, "
                f"stated at most {delta}",
                scope=f"d = {d}, N = {N}, M = {M}",
                steps=tuple(steps),
                counterexample={"d": d, "N": N, "M": M, "P(failure)": str(found.interval)},
            )
        if found.interval.high > delta:
            return Evidence(Verdict.INCONCLUSIVE, "", f"{found}: too few draws", steps=tuple(steps))
    silent = True
    for factor in _BEYOND:
        inputs = math.ceil(factor * N)
        sizes = (d, inputs, max(inputs, outputs or 0))
        beyond = count_failures(context, "beyond", sizes, Fraction(0), (10, 40), error)
        steps.append(
            f"beyond, at N = {inputs}: {beyond.failures} of {beyond.interval.replicates} draws fail"
        )
        silent = silent and beyond.interval.low <= 0
    if silent:
        # The control that must speak: an instrument that never sees a failure measures nothing.
        raise ArithmeticError(f"recall is never seen to fail, not even beyond: {steps[-1]}")
    return Evidence(
        Verdict.SUPPORTED,
        "",
        f"d = {d}: failures below 0.1 and 0.5 on the frontier, seen beyond",
        scope=f"d = {d}, N on the frontier at delta = 0.1 and 0.5, {where}",
        steps=tuple(steps),
        detail={"frontier": steps},
    )
