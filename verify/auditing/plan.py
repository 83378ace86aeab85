"""What a run would measure: each case with its nearest mutant, the replicates it takes, the time.

A pilot (the first look at every sample) gives variances and pace; nothing is judged.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verify.checks.trial import projected
from verify.claim import Claim, Evidence, Registry, Road
from verify.measuring.case import Case
from verify.measuring.context import Context
from verify.measuring.measure import Source, View, looks, replicates_at, sampled
from verify.running.settings import Settings

#: The look up to which a pilot draws, and the seconds of a first look that do as they are.
_PILOT, _LONG = 4, 1.0


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
        needed = projected(case, pilot, least)
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


@dataclass(frozen=True)
class PlanRow:
    """A case of a claim's check with what it will take."""

    claim: Claim
    method: str
    planned: Planned


@dataclass(frozen=True)
class Plan:
    """The plan of a run; *unmeasured* are the selected claims in which nothing is measured."""

    settings: Settings
    rows: tuple[PlanRow, ...]
    unmeasured: tuple[Claim, ...]
    error_budget: float

    @property
    def seconds(self) -> float:
        """The time of all draws; those that cases share are counted once."""
        longest: dict[object, float] = {}
        for row in self.rows:
            for key, seconds in row.planned.draws.items():
                longest[key] = max(longest.get(key, 0.0), seconds)
        return sum(longest.values())


def plan_of(registry: Registry, selected: Sequence[Claim], settings: Settings) -> Plan:
    """The plan of all measurements of *selected* and what they rest on, on the numerics road."""
    context = settings.context(registry)
    rows: list[PlanRow] = []
    # A run measures what the selected claims rest on as well.
    for claim in registry.with_uses(selected) if Road.NUMERICS in settings.roads else ():
        for check in registry.checks(claim.id, [Road.NUMERICS]):
            own = context.judging(claim.id)
            cases = check.cases(claim.formulas, own) if check.cases is not None else ()
            if not isinstance(cases, Evidence):
                rows += [PlanRow(claim, check.method, item) for item in plan(cases, own)]
    measured = {row.claim.id for row in rows}
    idle = tuple(claim for claim in selected if claim.id not in measured)
    checks = (c for r in rows for c in registry.checks(r.claim.id, [Road.NUMERICS]))
    budget = math.fsum(settings.budgets(registry, checks).values())
    return Plan(settings, tuple(rows), idle, budget)
