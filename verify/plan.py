"""What a run would measure: each case with its nearest mutant, the replicates it takes, the time.

A pilot (the first look at every sample) gives variances and pace; nothing is judged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from verify.checks.trial import Planned, plan
from verify.claim import Claim, Evidence, Registry, Road
from verify.settings import Settings


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
            cases = check.cases(claim.formulas, context) if check.cases is not None else ()
            if not isinstance(cases, Evidence):
                rows += [PlanRow(claim, check.method, item) for item in plan(cases, context)]
    measured = {row.claim.id for row in rows}
    idle = tuple(claim for claim in selected if claim.id not in measured)
    return Plan(settings, tuple(rows), idle)
