"""Whether the checks would notice a wrong statement: every mutant through the very same checks.

A road kills a mutant if one of its checks refutes it, or, for a statement that is proved, finds its
proof broken. Where a claim has several roads that judge a mutant, each must kill alone; a check that
breaks down, runs out of time or is merely undecided kills nothing. The checks must accept the statement
itself, those of a claim that is false as printed its correction, and kill that one's mutants.

A proof beside which a counterexample was found is run once more without the search: a wrong statement
that it then takes for proved survives, one that it argues for in words is named, and so is one that it
refutes all the same, as the search stands within it. Without the search it must accept what is right.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from proofs.argument import proofs_alone
from verify.claim import Check, Claim, Evidence, Mutant, Printed, Registry, Road
from verify.jobs.groups import carried_out
from verify.jobs.machine import take_card
from verify.jobs.processes import Lost
from verify.measuring.context import Context
from verify.printed.formula import FormulaError
from verify.running.checking import run_check
from verify.running.settings import Settings
from verify.running.workers import again_of
from verify.verdict import Verdict

#: Roads that judge the constants of a statement. A property tests the construction instead.
JUDGES = (Road.PROOFS, Road.NUMERICS)
#: A mutant is near if it is within this factor of the truth.
NEAR = 2.0


@dataclass(frozen=True)
class Survivor:
    """A mutant that a road accepted, or on which it came to nothing; or, as *mutant*, the id of the
    statement or correction that a road does not accept."""

    claim: str
    mutant: str
    road: Road
    verdict: Verdict


@dataclass
class Power:
    """How many mutants there were, and what became of them.

    *refuted*: those refuted outright; *unproved*: (claim, mutant, why it is false) for those that only
    break the proof. *near*: those within a factor 2 of the truth at the tested sizes. *set_aside*:
    (claim, mutant, proof) for neighbours that are true. *rejected*: statements, or corrections of
    false ones, that are not accepted; *blind*: checks of a proof alone that accept what is
    said wrong of it. *alone*: how often a proof was asked without the search for a
    counterexample; *believed*: mutants for which one then argues in words, *within*: those that it
    refutes all the same. *judged*: the number of mutants by claim. *lost*: claims that could not be
    judged, with the reason.
    """

    mutants: int = 0
    refuted: int = 0
    near: int = 0
    survivors: list[Survivor] = field(default_factory=list)
    unproved: list[tuple[str, str, str]] = field(default_factory=list)
    set_aside: list[tuple[str, str, str]] = field(default_factory=list)
    rejected: list[Survivor] = field(default_factory=list)
    blind: list[Survivor] = field(default_factory=list)
    believed: list[Survivor] = field(default_factory=list)
    within: list[Survivor] = field(default_factory=list)
    alone: int = 0
    judged: dict[str, int] = field(default_factory=dict)
    lost: dict[str, str] = field(default_factory=dict)

    @property
    def killed(self) -> int:
        return self.mutants - len({(s.claim, s.mutant) for s in self.survivors})

    @property
    def ok(self) -> bool:
        return not (self.survivors or self.rejected or self.blind or self.lost)

    def add(self, other: Power) -> None:
        """Take in what was found of another claim."""
        self.mutants += other.mutants
        self.refuted += other.refuted
        self.near += other.near
        self.survivors += other.survivors
        self.unproved += other.unproved
        self.set_aside += other.set_aside
        self.rejected += other.rejected
        self.blind += other.blind
        self.believed += other.believed
        self.within += other.within
        self.alone += other.alone
        self.judged |= other.judged
        self.lost |= other.lost

    def as_json(self) -> dict[str, Any]:
        """The fields of the JSON contract, and what else is known."""

        def listed(survivors: Sequence[Survivor]) -> list[dict[str, Any]]:
            return [
                {"id": s.claim, "mutant": s.mutant, "road": s.road, "verdict": s.verdict}
                for s in survivors
            ]

        return {
            "mutants": self.mutants,
            "killed": self.killed,
            "refuted": self.refuted,
            "near": self.near,
            "survived": listed(self.survivors),
            "not accepted": listed(self.rejected),
            "blind": listed(self.blind),
            "not judged": self.lost,
            "alone": self.alone,
            "believed": listed(self.believed),
            "within": listed(self.within),
            "unproved": [
                {"id": claim, "mutant": mutant, "why": why} for claim, mutant, why in self.unproved
            ],
            "set aside": [
                {"id": claim, "mutant": mutant, "proof": proof}
                for claim, mutant, proof in self.set_aside
            ],
            "judged": self.judged,
        }


def power(
    registry: Registry,
    claims: Sequence[Claim],
    context: Context,
    on_claim: Callable[[Claim, Power], None] | None = None,
) -> Power:
    """Run all mutants of *claims* in this process; *on_claim* is told what was found of each."""
    found = Power()
    for claim in (c for c in claims if registry.checks(c.id, JUDGES)):
        one = power_of(registry, claim, context)
        found.add(one)
        if on_claim is not None:
            on_claim(claim, one)
    return found


def power_of(registry: Registry, claim: Claim, context: Context) -> Power:
    """Run all mutants of one claim, and its correction if it is false as printed."""
    found = Power()
    sifted = registry.sifted(claim.id)
    found.judged[claim.id] = len(sifted.wrong)
    false = claim.recorded is Verdict.REFUTED and claim.correction is not None
    if not false:
        found.set_aside = [(claim.id, mutant.name, proof) for mutant, proof in sifted.set_aside]
    for mutant in sifted.wrong:
        evidence = attack(registry, claim, mutant, context)
        alive = survivors(claim, mutant, evidence)
        believed = alone(registry, claim, mutant, evidence, context)
        found.alone += len(believed)
        for one in believed:
            if one.verdict is Verdict.REFUTED:
                found.within.append(one)
            elif one.verdict.positive:
                (alive if one.verdict is Verdict.PROVED else found.believed).append(one)
        found.mutants += 1
        found.survivors += alive
        if any(e.verdict is Verdict.REFUTED for items in evidence.values() for e in items):
            found.refuted += not alive
        elif not alive:
            found.unproved.append((claim.id, mutant.name, mutant.why))
    right = registry[claim.correction] if false and claim.correction else claim
    found.near = len(near(registry, claim, right.formulas, sifted.wrong, context))
    # Checks that accept nothing kill nothing: they must accept the statement, or its correction.
    if false or claim.recorded is not None:
        stated = Mutant("the statement", right.formulas)
        judged = [
            (check, run_check(check, claim, context, stated))
            for check in registry.checks(claim.id, JUDGES)
        ]
        if found.alone:
            with proofs_alone():
                judged += [
                    (check, run_check(check, claim, context, stated))
                    for check in registry.checks(claim.id, [Road.PROOFS])
                ]
        refused = (
            Survivor(claim.id, right.id, check.road, item.verdict)
            for check, item in judged
            if not item.verdict.positive
        )
        found.rejected = list(dict.fromkeys(refused))
    found.blind = blind(registry, claim, context)
    return found


def blind(registry: Registry, claim: Claim, context: Context) -> list[Survivor]:
    """The checks of a proof alone that do not refute what they measure when it is said wrong."""
    tried = [
        (check, run_check(replace(check, run=check.wrong), claim, context))
        for check in registry.checks(claim.id)
        if check.wrong is not None
    ]
    return [
        Survivor(claim.id, check.method, check.road, item.verdict)
        for check, item in tried
        if item.verdict is not Verdict.REFUTED
    ]


def attack(
    registry: Registry, claim: Claim, mutant: Mutant, context: Context
) -> dict[Road, list[Evidence]]:
    """What each road of *claim* that judges *mutant* finds of it, until one of its checks kills it."""
    judges: dict[Road, list[Check]] = {}
    for check in registry.checks(claim.id):
        if check.builds if mutant.construction else check.wrong is None and check.road in JUDGES:
            judges.setdefault(check.road, []).append(check)
    found: dict[Road, list[Evidence]] = {}
    for road, checks in judges.items():
        for check in checks:
            found.setdefault(road, []).append(run_check(check, claim, context, mutant))
            if _kills(found[road][-1]):
                break
    return found


def alone(
    registry: Registry,
    claim: Claim,
    mutant: Mutant,
    evidence: dict[Road, list[Evidence]],
    context: Context,
) -> list[Survivor]:
    """What proofs find of a mutant by themselves, where a counterexample was found."""
    found = [] if mutant.construction else evidence.get(Road.PROOFS, [])
    checks = registry.checks(claim.id, [Road.PROOFS])
    with proofs_alone():
        again = [
            run_check(check, claim, context, mutant)
            for check, before in zip(checks, found, strict=False)
            if before.verdict is Verdict.REFUTED
        ]
    return [Survivor(claim.id, mutant.name, Road.PROOFS, item.verdict) for item in again]


def survivors(claim: Claim, mutant: Mutant, evidence: dict[Road, list[Evidence]]) -> list[Survivor]:
    """The roads that do not kill *mutant*; a fault that no road looks for survives the numerics."""
    if not evidence:
        return [Survivor(claim.id, mutant.name, Road.NUMERICS, Verdict.NOT_RUN)]
    return [
        Survivor(claim.id, mutant.name, road, items[0].verdict)
        for road, items in evidence.items()
        if not any(_kills(item) for item in items)
    ]


def _kills(evidence: Evidence) -> bool:
    """On the measured roads a mutant must be refuted: a check that is merely undecided is mute."""
    if evidence.road is not Road.PROOFS:
        return evidence.verdict is Verdict.REFUTED
    broke_down = evidence.verdict in (Verdict.ERROR, Verdict.CONFLICT) or evidence.timed_out
    return not broke_down and not evidence.verdict.positive


def near(
    registry: Registry,
    claim: Claim,
    right: Printed,
    mutants: Sequence[Mutant],
    context: Context,
) -> list[Mutant]:
    """The mutants within a factor NEAR of the truth at some tested sizes.

    And those, for what is not measured, of which every changed formula is so near at typical sizes.
    *right*: the true formulas, those of the claim or of its correction.
    """
    measured: set[str] = set()
    for check in registry.checks(claim.id, [Road.NUMERICS]):
        try:
            cases = check.cases(right, context) if check.cases is not None else ()
        except Exception:  # the attack has said that the check breaks
            continue
        if isinstance(cases, Evidence):
            continue
        for case in cases:
            measured |= {n.name for n in case.neighbours if _is_near(n.value, case.truth)}
    return [m for m in mutants if m.name in measured or _near_as_formulas(right, m)]


def _near_as_formulas(right: Printed, mutant: Mutant) -> bool:
    """Whether every changed formula is near the true one where its symbols are 2, 3, 4, ..."""
    changed = [name for name in right if mutant.formulas.get(name) != right[name]]
    try:
        values = [
            tuple(formulas[name].real(**at) for formulas in (mutant.formulas, right))
            for name in changed
            for at in [_sizes(mutant.formulas[name].symbols() | right[name].symbols())]
        ]
    except (KeyError, ValueError, ZeroDivisionError, FormulaError):
        return False
    return bool(values) and all(_is_near(wrong, right) for wrong, right in values)


def _sizes(symbols: frozenset[str]) -> dict[str, int]:
    """Small sizes that are all different."""
    return {name: n for n, name in enumerate(sorted(symbols), start=2)}


def _is_near(wrong: float, right: float) -> bool:
    return right != 0 and 1 / NEAR <= wrong / right <= NEAR


# -- in several processes ------------------------------------------------------------------------


def power_in_processes(
    registry: Registry,
    claims: Sequence[Claim],
    settings: Settings,
    on_claim: Callable[[Claim, Power], None] | None = None,
) -> Power:
    """As ``power``, in ``settings.workers`` processes that can make the registry again, or by the
    workers of ``settings.cluster``.

    *on_claim* is told of each claim, in their order; one whose process died twice is lost.
    """
    found, by_id, in_order = Power(), dict[str, Power](), deque(claims)
    results = carried_out(
        [[claim.id] for claim in claims],
        partial(_powers, again_of(registry), replace(settings, cluster="")),
        workers=settings.workers,
        cluster=settings.cluster,
        device=settings.device,
    )
    with closing(results):
        for id_, one in results:
            by_id[id_] = Power(lost={id_: one.reason}) if isinstance(one, Lost) else one
            while in_order and in_order[0].id in by_id:
                claim = in_order.popleft()
                found.add(by_id[claim.id])
                if on_claim is not None and by_id[claim.id].mutants:
                    on_claim(claim, by_id[claim.id])
    return found


def _powers(
    again: Callable[[], Registry], settings: Settings, number: int
) -> Callable[[str], Power]:
    """In a process of its own: what judges a claim by its id."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # one thread a process, read when torch starts
    take_card(settings.device, number)
    registry = again()
    context = settings.context(registry)

    def judge(id_: str) -> Power:
        checked = registry.checks(id_, JUDGES)
        return power_of(registry, registry[id_], context) if checked else Power()

    return judge
