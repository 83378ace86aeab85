"""The one way in which a measurement becomes a verdict, and in which it is planned.

A case is a measured number at given sizes with what is claimed of it. It is looked at until the interval
contradicts the claim or meets it, or the profile is used up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from verify.claim import Check, Evidence, Printed, Registry, Road
from verify.context import Context
from verify.measure import Sizes, Source, Statistic, View, looks, replicates_at, sampled
from verify.quantities import in_words
from verify.statistics import Between, Claimed, Interval
from verify.verdict import Verdict

#: Mutants that a record names on each side of the printed value.
_NAMED = 2
#: A projection grows by this factor, and is given up beyond this many times what was drawn.
_STEP, _HOPELESS = 1.05, 1e9
#: The look up to which a pilot draws, and the seconds of a first look that do as they are.
_PILOT, _LONG = 4, 1.0


@dataclass(frozen=True)
class Neighbour:
    """A mutant and the value it has at a case's sizes."""

    name: str
    value: float


@dataclass(frozen=True)
class Case:
    """A measured number and what is claimed of it, which may itself be measured.

    *truth* is the value as the claim (not a mutant) states it, *gap* the distance from it to the
    nearest mutant that this case has to exclude, *neighbours* are all mutants there, nearest first.
    A *control* must be met: an instrument that never speaks measures nothing, so it is an error if
    it is not. *parts*: statistics that share the case's error.
    """

    symbol: str
    sizes: Sizes
    statistic: Statistic
    claimed: Callable[[View], Claimed]
    truth: float = 0.0
    gap: float | None = None
    neighbours: tuple[Neighbour, ...] = ()
    control: bool = False
    parts: int = 1

    def __str__(self) -> str:
        return f"{self.symbol} at {in_words(self.sizes)}"

    @property
    def decisive(self) -> str:
        """The mutant at the distance of the gap; empty if no mutant sets it."""
        if self.gap is None:
            return ""
        apart = {n.name: abs(abs(n.value - self.truth) - self.gap) for n in self.neighbours}
        return min(apart, key=apart.__getitem__, default="")


#: The cases of a check, or the evidence where there is nothing to measure.
CaseList = Sequence[Case] | Evidence


def measured(
    registry: Registry,
    claim_id: str,
    cases: Callable[[Printed, Context], CaseList],
    *,
    method: str,
    group: str,
    seconds: float = 240.0,
    builds: bool = True,
) -> None:
    """Register the numerics check of a claim that decides *cases*.

    *builds*: whether it builds what the statement speaks of, with the fault that the context names.
    """

    def run(printed: Printed, context: Context) -> Evidence:
        found = cases(printed, context)
        return found if isinstance(found, Evidence) else decide(found, context)

    check = Check(claim_id, Road.NUMERICS, run, method, seconds, group, cases=cases, builds=builds)
    registry.add_check(check)


# -- deciding ------------------------------------------------------------------------------------


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

    Otherwise inconclusive, with the replicates that would decide. Raises ArithmeticError for a
    control that is not met.
    """
    outcomes: list[_Outcome] = []
    for case in cases:
        outcome = _look(case, context, context.share / (len(cases) * case.parts))
        outcomes.append(outcome)
        if case.control and not outcome.met:
            raise ArithmeticError(f"what must be seen is not seen: {outcome.step}")
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
    replicates = _projected(outcome.case, outcome.view)
    if replicates is None:
        return "no number of draws would decide, the value is too near the edge of what is claimed"
    return f"about {_about(replicates)} draws would decide; take a larger profile"


def _projected(case: Case, view: View, least: int = 0) -> int | None:
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


# -- planning ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Planned:
    """What a case will take: the replicates after which it is expected to be decided.

    *exact* says that the variance is known and not a pilot's. *replicates* is None where no number
    would do, *affordable* what the profile allows. *draws* has the seconds of each sample that it
    takes; several cases may share one.
    """

    case: Case
    replicates: int | None
    affordable: int
    draws: Mapping[tuple[Any, ...], float]
    exact: bool

    @property
    def seconds(self) -> float:
        return sum(self.draws.values())


def plan(cases: Sequence[Case], context: Context) -> Iterator[Planned]:
    """The plan of each case, from exact variances where they are known, else from a pilot.

    The pace is always the pilot's.
    """
    for case in cases:
        sources = case.statistic.sources
        look = min(_pilot(context, source) for source in sources)
        pilot = View(context, context.share / (len(cases) * case.parts), look)
        least = min(replicates_at(source.experiment, 1) for source in sources)
        needed = _projected(case, pilot, least)
        samples = {source.key: sampled(context, source, look) for source in sources}
        last = looks(context, case.statistic)[-1]
        yield Planned(
            case,
            needed,
            min(replicates_at(source.experiment, last) for source in sources),
            {key: s.seconds / s.replicates * (needed or 0) for key, s in samples.items()},
            all(source.variance is not None for source in sources),
        )


def _pilot(context: Context, source: Source) -> int:
    """The look that plans: the fourth, or the first where that alone takes long."""
    return 1 if sampled(context, source, 1).seconds > _LONG else _PILOT


def nearest_first(printed: float, mutants: Mapping[str, float]) -> tuple[Neighbour, ...]:
    """Mutants by name and value, those nearest to *printed* first; equal ones are left out."""
    found = [Neighbour(name, value) for name, value in mutants.items() if value != printed]
    return tuple(sorted(found, key=lambda n: (abs(n.value - printed), n.name)))
