"""Full recall or not: failures of drawn memories and transformers counted against a stated probability.

Deep inside a condition nothing can fail and nothing is tested, so the count is made on the frontier,
where the statement allows a failure probability of 0.1 or 0.5, and beyond it, where recall must fail.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from proofs.capacity import FactCondition, SufficientCondition
from verify.claim import Cases, Evidence
from verify.measuring.case import Case
from verify.measuring.context import Context, Profile
from verify.measuring.measure import Experiment
from verify.statistics import AtLeast, AtMost
from verify.verdict import Verdict

if TYPE_CHECKING:
    from numerics.observables import Event

#: Failure probabilities whose frontier is looked at; the quick profile affords the last.
_DELTAS = (Fraction(1, 10), Fraction(1, 2))
#: At this many times the size of the last frontier (at more of them, where a condition is far from
#: what memories hold), at least this part of the draws must fail.
_BEYOND, _FAILING = 2, 0.1
#: A draw is a whole memory or transformer: few are drawn at a time, and few can be afforded.
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

    def sizes(N: int, *, control: bool) -> dict[str, int]:
        M = max(N, outputs or 0) if control else outputs or N
        return {"d": d, "N": N, "M": M, **(further or {})}

    if (found := _on_frontier(largest, sizes, failures, name, context, beyond)) is not None:
        return found
    return Evidence(Verdict.INCONCLUSIVE, "", f"no N satisfies the condition at d = {d}")


def frontier_of(
    condition: SufficientCondition,
    d: int,
    context: Context,
    *,
    at_most: int,
    outputs: int | None = None,
    further: Mapping[str, int] | None = None,
    **drawn: Any,
) -> Cases:
    """``failures_on_frontier`` of a *condition*, where no N beyond *at_most* is looked at; *drawn*: of
    what memories, and how far beyond.
    """
    sizes = {"d": d, **({} if outputs is None else {"M": outputs}), **(further or {})}
    return failures_on_frontier(
        lambda delta: condition.largest(delta=delta, at_most=at_most, **sizes),
        d,
        context,
        outputs=outputs,
        further=further,
        **drawn,
    )


def table_failures_on_frontier(
    condition: FactCondition,
    kind: Literal["attention", "mlp"],
    context: Context,
    *,
    d: int,
    D: int,
    at_most: int,
    choices: Mapping[str, Any],
    **further: int,
) -> Cases:
    """At the largest S = R that *condition* allows at delta, failures are counted against delta.

    And at twice that S recall must be seen to fail. *kind* and *choices*: which construction is drawn,
    and how, for random tables and contexts of four tokens among S + R noise tokens; *further*: sizes
    that condition and construction share, under the names of the condition. No S beyond *at_most* is
    looked at.
    """

    def largest(delta: Fraction) -> int:
        return condition.largest(delta=delta, d=d, D=D, at_most=at_most, **further)

    def sizes(S: int, *, control: bool) -> dict[str, int]:
        return {"d": d, "S": S, "R": S, "D": min(D, S), **further}

    failures = partial(_table_failures, kind, dict(choices))
    found = _on_frontier(largest, sizes, failures, f"{kind} failures", context, _BEYOND)
    if found is not None:
        return found
    return Evidence(Verdict.INCONCLUSIVE, "", f"no S satisfies the condition at d = {d}")


def _on_frontier(
    largest: Callable[[Fraction], int],
    sizes: Callable[..., Mapping[str, int]],
    failures: Callable[..., Event],
    name: str,
    context: Context,
    beyond: int,
) -> list[Case] | None:
    """Failures at the *largest* size at each delta and *beyond* times it; None where there is none."""
    draw = partial(_draw, failures, context.device, context.construction)
    experiment = Experiment(
        f"{name} {context.construction}".strip(), draw, _BLOCK, _AFFORDED, small=False, placed=True
    )

    def case(size: int, claimed: AtMost | AtLeast, *, control: bool) -> Case:
        at = sizes(size, control=control)
        return Case.of("P(some fact is lost)", experiment, "failure", at, claimed, control=control)

    cases, size = [], 0
    for delta in _DELTAS if context.profile is not Profile.QUICK else _DELTAS[-1:]:
        size = largest(delta)
        if size == 0:
            return None
        cases.append(case(size, AtMost(float(delta)), control=False))
    return [*cases, case(beyond * size, AtLeast(_FAILING), control=True)]


def _draw(
    failures: Callable[..., Event], device: str, fault: str, **arguments: Any
) -> Mapping[str, Event]:
    return {"failure": failures(**arguments, device=device, fault=fault)}


def _table_failures(
    kind: Literal["attention", "mlp"],
    choices: Mapping[str, Any],
    *,
    S: int,
    R: int,
    M: int = 1,
    **arguments: Any,
) -> Event:
    from numerics.draws.construction_recall import failures

    return failures(kind, S, R, noise=S + R, T=4, tokens_per_head=M, **choices, **arguments)
