"""Full recall of a table or not: failures of drawn transformers counted against a stated probability.

As ``verify.checks.failures`` for associations: on the frontier, where the statement allows a failure
probability of 0.1 or 0.5, and beyond it, where recall must fail.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from proofs.capacity import FactCondition
from verify.claim import Cases, Evidence
from verify.measuring.case import Case
from verify.measuring.context import Context, Profile
from verify.measuring.measure import Experiment, Source, Statistic, View
from verify.statistics import AtLeast, AtMost
from verify.verdict import Verdict

if TYPE_CHECKING:
    from numerics.observables import Event

_DELTAS = (Fraction(1, 10), Fraction(1, 2))
#: At twice the S of the last frontier, with S = R, at least this part of the draws must fail.
_BEYOND, _FAILING = 2, 0.1
#: A draw is a whole transformer: few are drawn at a time, and few can be afforded.
_BLOCK, _AFFORDED = 8, 512


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

    *kind* and *choices*: which construction is drawn, and how, for random tables and contexts of four
    tokens among S + R noise tokens; *further*: sizes that condition and construction share, under the
    names of the condition. No S beyond *at_most* is looked at.
    """
    draw = partial(_draw, kind, context.device, context.construction, dict(choices))
    experiment = Experiment(
        f"{kind} failures {context.construction}".strip(), draw, _BLOCK, _AFFORDED, small=False
    )
    cases, S = [], 0
    for delta in _DELTAS if context.profile is not Profile.QUICK else _DELTAS[-1:]:
        S = condition.largest(delta=delta, d=d, D=D, at_most=at_most, **further)
        if S == 0:
            return Evidence(Verdict.INCONCLUSIVE, "", f"no S satisfies the condition at d = {d}")
        sizes = {"d": d, "S": S, "R": S, "D": min(D, S), **further}
        cases.append(_case(sizes, AtMost(float(delta)), experiment, control=False))
    beyond = _BEYOND * S
    sizes = {"d": d, "S": beyond, "R": beyond, "D": min(D, beyond), **further}
    cases.append(_case(sizes, AtLeast(_FAILING), experiment, control=True))
    return cases


def _case(
    sizes: Mapping[str, int],
    claimed: AtMost | AtLeast,
    experiment: Experiment,
    *,
    control: bool,
) -> Case:
    def stated(view: View) -> AtMost | AtLeast:
        return claimed

    statistic = Statistic((Source(experiment, "failure", sizes),))
    return Case("P(some fact is lost)", sizes, statistic, stated, control=control)


def _draw(
    kind: Literal["attention", "mlp"],
    device: str,
    fault: str,
    choices: Mapping[str, Any],
    *,
    S: int,
    R: int,
    M: int = 1,
    **arguments: Any,
) -> Mapping[str, Event]:
    from numerics.draws.construction_recall import failures

    drawn = failures(
        kind,
        S,
        R,
        noise=S + R,
        T=4,
        tokens_per_head=M,
        device=device,
        fault=fault,
        **choices,
        **arguments,
    )
    return {"failure": drawn}
