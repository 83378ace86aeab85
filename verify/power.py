"""Whether the checks would notice a wrong statement: every mutant through the very same checks.

A road kills a mutant if one of its checks does not accept it. Where a claim has both the proofs and
the numerics road, each must kill alone; a broken check kills nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from verify.checking import run_check
from verify.claim import Claim, Mutant, Registry, Road
from verify.context import Context
from verify.verdict import Verdict

#: Roads that judge the constants of a statement. A property tests the construction instead.
JUDGES = (Road.PROOFS, Road.NUMERICS)


@dataclass(frozen=True)
class Survivor:
    """A mutant that a road accepted, or on which it broke."""

    claim: str
    mutant: str
    road: Road
    verdict: Verdict


@dataclass
class Power:
    """How many mutants there were, and those that survived."""

    mutants: int = 0
    survivors: list[Survivor] = field(default_factory=list)

    @property
    def killed(self) -> int:
        return self.mutants - len({(s.claim, s.mutant) for s in self.survivors})

    def as_json(self) -> dict[str, Any]:
        """The fields of the JSON contract."""
        survived = [
            {"id": s.claim, "mutant": s.mutant, "road": s.road, "verdict": s.verdict}
            for s in self.survivors
        ]
        return {"mutants": self.mutants, "killed": self.killed, "survived": survived}


def power(
    registry: Registry,
    claims: Sequence[Claim],
    context: Context,
    on_claim: Callable[[Claim, int], None] | None = None,
) -> Power:
    """Run all mutants of *claims*; *on_claim* is told each claim and how many mutants it has."""
    found = Power()
    for claim in claims:
        if not registry.checks(claim.id, JUDGES):
            continue
        mutants = registry.mutants(claim.id)
        if on_claim is not None:
            on_claim(claim, len(mutants))
        found.mutants += len(mutants)
        for mutant in mutants:
            found.survivors += survivors(registry, claim, mutant, context)
    return found


def survivors(registry: Registry, claim: Claim, mutant: Mutant, context: Context) -> list[Survivor]:
    """The roads of *claim* that do not kill *mutant*."""
    alive = []
    for road in JUDGES:
        verdicts = [
            run_check(check, claim, context, mutant).verdict
            for check in registry.checks(claim.id, [road])
        ]
        if verdicts and all(v.positive or v is Verdict.ERROR for v in verdicts):
            alive.append(Survivor(claim.id, mutant.name, road, verdicts[0]))
    return alive
