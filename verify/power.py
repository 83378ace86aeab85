"""Whether the checks would notice a wrong statement: every mutant through the very same checks.

A road kills a mutant if one of its checks does not accept it: refutes it, or, for a statement that is
proved, finds its proof broken. Where a claim has both the proofs and the numerics road, each must kill
alone; a check that breaks down or runs out of time kills nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from verify.checking import run_check
from verify.claim import Claim, Evidence, Mutant, Registry, Road
from verify.context import Context
from verify.verdict import Verdict

#: Roads that judge the constants of a statement. A property tests the construction instead.
JUDGES = (Road.PROOFS, Road.NUMERICS)


@dataclass(frozen=True)
class Survivor:
    """A mutant that a road accepted, or on which it came to nothing."""

    claim: str
    mutant: str
    road: Road
    verdict: Verdict


@dataclass
class Power:
    """How many mutants there were, how many were refuted outright, and those that survived."""

    mutants: int = 0
    refuted: int = 0
    survivors: list[Survivor] = field(default_factory=list)

    @property
    def killed(self) -> int:
        return self.mutants - len({(s.claim, s.mutant) for s in self.survivors})

    def as_json(self) -> dict[str, Any]:
        """The fields of the JSON contract, and how many mutants were refuted outright."""
        survived = [
            {"id": s.claim, "mutant": s.mutant, "road": s.road, "verdict": s.verdict}
            for s in self.survivors
        ]
        return {
            "mutants": self.mutants,
            "killed": self.killed,
            "refuted": self.refuted,
            "survived": survived,
        }


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
        for mutant in mutants:
            evidence = attack(registry, claim, mutant, context)
            alive = survivors(claim, mutant, evidence)
            found.mutants += 1
            found.survivors += alive
            found.refuted += not alive and any(
                e.verdict is Verdict.REFUTED for items in evidence.values() for e in items
            )
    return found


def attack(
    registry: Registry, claim: Claim, mutant: Mutant, context: Context
) -> dict[Road, list[Evidence]]:
    """What each judging road of *claim* finds of *mutant*."""
    return {
        road: [run_check(check, claim, context, mutant) for check in checks]
        for road in JUDGES
        if (checks := registry.checks(claim.id, [road]))
    }


def survivors(claim: Claim, mutant: Mutant, evidence: dict[Road, list[Evidence]]) -> list[Survivor]:
    """The roads that do not kill *mutant*."""
    return [
        Survivor(claim.id, mutant.name, road, items[0].verdict)
        for road, items in evidence.items()
        if not any(_kills(item) for item in items)
    ]


def _kills(evidence: Evidence) -> bool:
    broke_down = evidence.verdict in (Verdict.ERROR, Verdict.CONFLICT) or evidence.timed_out
    return not broke_down and not evidence.verdict.positive
