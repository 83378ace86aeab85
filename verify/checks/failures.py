"""Full recall or not: failures of drawn memories counted against a stated probability.

Deep inside a condition nothing can fail and nothing is tested, so the count is made on the frontier,
where the statement allows a failure probability of 0.1 or 0.5, and beyond it, where recall must fail.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from verify.claim import Cases, Evidence
from verify.measuring.case import Case
from verify.measuring.context import Context, Profile
from verify.measuring.measure import Experiment, Source, Statistic
from verify.statistics import AtLeast, AtMost
from verify.verdict import Verdict

if TYPE_CHECKING:
    from numerics.observables import Event

#: Failure probabilities whose frontier is looked at; the quick profile affords the last.
_DELTAS = (Fraction(1, 10), Fraction(1, 2))
#: At this many times the N of the last frontier (at more of them, where a condition is far from
#: what memories hold), at least this part of the draws must fail.
_BEYOND, _FAILING = 2, 0.1
#: A draw is a whole memory: few are drawn at a time, and few can be afforded.
_BLOCK, _AFFORDED = 8, 512


def linear_failures(**arguments: Any) -> Event:
    """Failures of the linear memory, as drawn by ``numerics.draws.linear_margin``."""
    from numerics.draws.linear_margin import failures

    return failures(**arguments)


def failures_on_frontier(
    largest: Callable[[Fraction], int],
    d: int,
    context: Context,
    *,
    outputs: int | None = None,
    failures: Callable[..., Event] = linear_failures,
    name: str = "linear failures",
    further: Mapping[str, int] | None = None,
    beyond: int = _BEYOND,
) -> Cases:
    """At the largest N that the condition allows at delta, failures are counted against delta.

    And far beyond it recall must be seen to fail. M = N unless *outputs* fixes it. *failures* draws
    memories of another kind at sizes d, N, M and the *further* ones, a *name* for each kind.
    *beyond*: at how many times the N of the last frontier.
    """
    draw = partial(_draw, failures, context.device, context.construction)
    experiment = Experiment(
        f"{name} {context.construction}".strip(), draw, _BLOCK, _AFFORDED, small=False
    )
    more = further or {}
    cases = []
    N = 0
    for delta in _DELTAS if context.profile is not Profile.QUICK else _DELTAS[-1:]:
        N = largest(delta)
        if N == 0:
            return Evidence(Verdict.INCONCLUSIVE, "", f"no N satisfies the condition at d = {d}")
        sizes = {"d": d, "N": N, "M": outputs or N, **more}
        cases.append(_case(sizes, AtMost(float(delta)), experiment, control=False))
    inputs = beyond * N
    sizes = {"d": d, "N": inputs, "M": max(inputs, outputs or 0), **more}
    cases.append(_case(sizes, AtLeast(_FAILING), experiment, control=True))
    return cases


def _case(
    sizes: Mapping[str, int],
    claimed: AtMost | AtLeast,
    experiment: Experiment,
    *,
    control: bool,
) -> Case:
    return Case(
        "P(some fact is lost)",
        sizes,
        Statistic((Source(experiment, "failure", sizes),)),
        lambda view: claimed,
        control=control,
    )


def _draw(
    failures: Callable[..., Event], device: str, fault: str, **arguments: Any
) -> Mapping[str, Event]:
    return {"failure": failures(**arguments, device=device, fault=fault)}
