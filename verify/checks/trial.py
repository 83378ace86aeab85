"""The one way in which a measurement becomes a verdict.

A case is looked at until its interval contradicts what is claimed or meets it, or the profile is used
up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from verify.claim import Cases, Check, CheckFunction, Evidence, Printed, Registry, Road
from verify.measuring.case import Case, Neighbour
from verify.measuring.context import Context
from verify.measuring.measure import Statistic, View, looks, sampled
from verify.measuring.quantities import in_words
from verify.statistics import Between, Claimed, Interval
from verify.verdict import Verdict

#: Mutants that a record names on each side of the printed value.
_NAMED = 2
#: A projection grows by this factor, and is given up beyond this many times what was drawn.
_STEP, _HOPELESS = 1.05, 1e9


def measured(
    registry: Registry,
    claim_id: str,
    cases: Callable[[Printed, Context], Cases],
    *,
    method: str,
    group: str,
    seconds: float = 240.0,
    builds: bool = True,
    wrong: Callable[[Printed, Context], Cases] | None = None,
) -> None:
    """Register the numerics check of a claim that decides *cases*.

    *builds*: whether it builds what the statement speaks of, with the fault that the context names;
    *wrong*: of a check of a proof alone, cases that must be refuted.
    """

    def deciding(cases: Callable[[Printed, Context], Cases]) -> CheckFunction:
        def run(printed: Printed, context: Context) -> Evidence:
            found = cases(printed, context)
            return found if isinstance(found, Evidence) else decide(found, context)

        return run

    check = Check(
        claim_id,
        Road.NUMERICS,
        deciding(cases),
        method,
        seconds,
        group,
        cases=cases,
        builds=builds,
        wrong=None if wrong is None else deciding(wrong),
    )
    registry.add_check(check)


# -- deciding ------------------------------------------------------------------------------------


class _NotSeenError(ArithmeticError):
    """A control is not met."""


@dataclass(frozen=True)
class _Outcome:
    """The last look at a case, and the interval at every look up to it."""

    case: Case
    view: View
    found: Interval
    claimed: Claimed
    path: tuple[tuple[int, float, float], ...]

    @property
    def contradicted(self) -> bool:
        return self.claimed.contradicted_by(self.found)

    @property
    def met(self) -> bool:
        return not self.contradicted and self.claimed.met_by(self.found)

    @property
    def step(self) -> str:
        case, words = self.case, [f"{self.case}: {self.found} from {self.found.replicates} draws"]
        words.append(f"{self.claimed.relation} {_short(self.claimed.printed)}")
        if case.gap is not None:
            words.append(f"nearest mutant ({case.decisive}) at distance {case.gap:.3g}")
        return ", ".join(words)

    def record(self) -> dict[str, Any]:
        case = self.case
        record: dict[str, Any] = {
            "quantity": case.symbol,
            "at": dict(case.sizes),
            "printed": self.claimed.printed,
            "relation": self.claimed.relation,
            "interval": [self.found.low, self.found.high],
            "replicates": self.found.replicates,
            "detectable difference": 2 * self.found.half_width,
            "error share": self.view.error,
            "needs": _needs(self.view, case.statistic),
            "moments": _moments(self.view, case.statistic),
            "path": [list(point) for point in self.path],
            "mutants": [[n.name, n.value] for n in _shown(case, self.claimed.printed)],
        }
        if self.claimed.tolerance is not None:
            record["tolerance"] = self.claimed.tolerance
        if isinstance(self.claimed, Between) and self.claimed.low < self.claimed.high:
            record["stated"] = [self.claimed.low, self.claimed.high]
        return record


def decide(cases: Sequence[Case], context: Context) -> Evidence:
    """Refuted at the first claim that is contradicted; supported if all are met.

    Otherwise inconclusive, with the replicates that would decide: on the CPU, since the bound on a
    device's rounding, by which intervals are wider, can leave open what would be decided. Raises
    ArithmeticError for a control that is not met.
    """
    try:
        found = _decide(cases, context)
    except _NotSeenError:
        if context.device == "cpu":
            raise
    else:
        if found.verdict is not Verdict.INCONCLUSIVE or context.device == "cpu":
            return found
    context.rest()
    return _decide(cases, context.on_cpu())


def _decide(cases: Sequence[Case], context: Context) -> Evidence:
    outcomes: list[_Outcome] = []
    for case in cases:
        outcome = _look(case, context, context.share / (len(cases) * case.parts))
        outcomes.append(outcome)
        if case.control and not outcome.met:
            raise _NotSeenError(f"what must be seen is not seen: {outcome.step}")
        if outcome.contradicted:
            break
    last = outcomes[-1]
    steps = tuple(outcome.step for outcome in outcomes)
    detail = {"cases": [outcome.record() for outcome in outcomes]}
    if last.contradicted:
        return Evidence(
            Verdict.REFUTED,
            "",
            f"{last.case} in {last.found}, {last.claimed.relation} {_short(last.claimed.printed)}",
            scope=f"measured at {in_words(last.case.sizes)}",
            steps=steps,
            detail=detail,
            counterexample={
                "quantity": last.case.symbol,
                "at": dict(last.case.sizes),
                "interval": str(last.found),
                "printed": _short(last.claimed.printed),
                "replicates": last.found.replicates,
            },
        )
    scope = "measured at " + "; ".join(dict.fromkeys(in_words(case.sizes) for case in cases))
    undecided = [outcome for outcome in outcomes if not outcome.met]
    if undecided:
        return Evidence(
            Verdict.INCONCLUSIVE,
            "",
            f"the interval is too wide: {undecided[0].case}; {_what_would_decide(undecided[0])}",
            scope=scope,
            steps=steps,
            detail=detail,
        )
    draws = max(outcome.found.replicates for outcome in outcomes)
    return Evidence(
        Verdict.SUPPORTED,
        "",
        f"measured in {len(cases)} case{'s' if len(cases) > 1 else ''}, up to {draws} draws",
        scope=scope,
        steps=steps,
        detail=detail,
    )


def _look(case: Case, context: Context, error: float) -> _Outcome:
    """Look until the claim is contradicted or met, or the profile is used up."""
    path: list[tuple[int, float, float]] = []
    for look in looks(context, case.statistic):
        view = View(context, error, look)
        found, claimed = view.interval(case.statistic), case.claimed(view)
        path.append((found.replicates, found.low, found.high))
        outcome = _Outcome(case, view, found, claimed, tuple(path))
        if outcome.contradicted or outcome.met:
            break
    return outcome


def _what_would_decide(outcome: _Outcome) -> str:
    replicates = projected(outcome.case, outcome.view)
    if replicates is None:
        return "no number of draws would decide, the value is too near the edge of what is claimed"
    return f"about {_about(replicates)} draws would decide; take a larger profile"


def projected(case: Case, view: View, least: int = 0) -> int | None:
    """How many replicates would decide, if they go on as they did so far; from *least*, or on.

    A printed value in the middle half of the interval, some three standard errors from the
    estimate, is taken for true: the noise of a short pilot would else look like a difference.
    """
    now, claimed = view.interval(case.statistic), case.claimed(view)
    off = abs(claimed.printed - now.estimate)
    centred = isinstance(claimed, Between) and off <= now.half_width / 2
    scale = least / now.replicates if least else 1.0
    while scale < _HOPELESS:
        ahead = View(view.context, view.error, view.look, scale)
        found, claimed = ahead.interval(case.statistic), case.claimed(ahead)
        if centred:
            shift = claimed.printed - found.estimate
            found = replace(found, low=found.low + shift, high=found.high + shift)
        if claimed.contradicted_by(found) or claimed.met_by(found):
            return found.replicates
        scale *= _STEP
    return None


def _needs(view: View, statistic: Statistic) -> str:
    """What the intervals of a statistic rest on."""
    kinds = [
        sampled(view.context, source, view.look).sequences[source.observable].needs
        for source in statistic.sources
    ]
    return "independent replicates; " + "; ".join(dict.fromkeys(kinds))


def _moments(view: View, statistic: Statistic) -> dict[str, dict[str, float]]:
    """Sample moments of each observable, one value a draw: for the reader, not for the verdict."""
    found = {}
    for source in statistic.sources:
        sample = sampled(view.context, source, view.look)
        moments = sample.moments_at[view.look - 1][source.observable]
        names = ("mean", "variance", "skewness", "kurtosis") if moments.count > 1 else ("mean",)
        found[source.observable] = {name: float(getattr(moments, name)) for name in names}
    return found


def _shown(case: Case, printed: float) -> Iterator[Neighbour]:
    """The nearest mutants on each side of the printed value, each value once."""
    for side in (-1, 1):
        seen: set[float] = set()
        for neighbour in case.neighbours:
            if side * (neighbour.value - printed) > 0 and neighbour.value not in seen:
                seen.add(neighbour.value)
                yield neighbour
                if len(seen) == _NAMED:
                    break


def _short(value: float) -> str:
    return "undefined" if value != value else f"{value:.6g}"


def _about(count: int) -> str:
    """Two significant digits."""
    return f"{float(f'{count:.2g}'):,.0f}"
