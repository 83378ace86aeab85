"""Runs the checks of claims, merges the roads into verdicts, and compares with the record.

A check past its time limit is inconclusive, a check that breaks is an error; both leave the rest of
the run alone. What is finished is handed over at once, so an interrupt loses nothing.
"""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

from verify.claim import Check, Claim, Evidence, Registry, Road
from verify.errors import UsageError, among
from verify.installed import require, usable
from verify.jobs.machine import machine, usable_device
from verify.running.settings import Settings
from verify.running.workers import execute
from verify.verdict import STRENGTH, Verdict, as_recorded, capped, merge, together

#: The settings that a call for one claim may have.
_OF_ONE_CLAIM = ("seed", "profile", "device", "roads", "budget", "keep")
#: What a sum of shares may be off by.
_ROUNDING = 1e-9


@dataclass(frozen=True)
class ClaimResult:
    """The verdict of a claim with everything it stands on.

    ``capped_by``: of the claims that its proof uses the weakest, where these hold the verdict back;
    ``capped_at``: what the proof comes to then.
    """

    claim: Claim
    verdict: Verdict
    evidence: tuple[Evidence, ...]
    ok: bool
    capped_by: tuple[str, ...] = ()
    capped_at: Verdict | None = None

    @property
    def seconds(self) -> float:
        return sum(item.seconds for item in self.evidence)

    @property
    def scope(self) -> str:
        """The scope of the evidence that carries the verdict."""
        return next((e.scope for e in self._carrying() if e.scope), "")

    @property
    def assumptions(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(a for e in self.evidence for a in e.assumptions))

    @property
    def counterexample(self) -> Mapping[str, Any] | None:
        return next((e.counterexample for e in self.evidence if e.counterexample), None)

    @property
    def summary(self) -> str:
        """The evidence in a few words, strongest first."""
        if self.capped_by and not self.verdict.positive:
            return f"rests on {', '.join(self.capped_by)}, not established"
        return "; ".join(dict.fromkeys(e.summary for e in self._carrying()))

    def _carrying(self) -> list[Evidence]:
        order = {e: i for i, e in enumerate(Verdict)}
        return sorted(
            self.evidence, key=lambda e: (e.verdict is not self.verdict, order[e.verdict])
        )


@dataclass
class RunResult:
    """All results of a run, in catalogue order."""

    settings: Settings
    results: list[ClaimResult]
    seconds: float = 0.0
    missing: list[str] = field(default_factory=list)
    #: The claims of which the proof is not the one on record, with how it differs.
    other_proofs: Mapping[str, str] = field(default_factory=dict)
    #: What the papers with measured claims may err, by name.
    budgets: Mapping[str, float] = field(default_factory=dict)
    #: What it was computed with; empty where a file does not say.
    machine: Mapping[str, str] = field(default_factory=dict)
    #: The checks without a result, those of claims that are used among them, with the reason.
    lost: Mapping[str, str] = field(default_factory=dict)
    #: What there is to say of the papers of other packages that were left out.
    left_out: list[str] = field(default_factory=list)

    @property
    def error_budget(self) -> float:
        """The probability with which any statistical verdict may be wrong, all papers together."""
        return math.fsum(self.budgets.values())

    @property
    def ok(self) -> bool:
        whole = bool(self.results) and not self.missing and not self.other_proofs
        return whole and all(r.ok for r in self.results)

    @property
    def undecided(self) -> list[ClaimResult]:
        """Claims with a record that this run left open."""
        return [r for r in self.results if r.claim.recorded and not r.verdict.decided]

    def counts(self) -> dict[str, int]:
        """How many claims have each verdict; all verdicts are listed."""
        return {str(v): sum(r.verdict is v for r in self.results) for v in Verdict}


def conclude(
    claims: Sequence[Claim],
    evidence: Mapping[str, Sequence[Evidence]],
    settings: Settings,
    wanted: Iterable[str],
) -> list[ClaimResult]:
    """Verdicts from evidence; *claims* lists what is used before what uses it."""
    verdicts: dict[str, Verdict] = {}
    results = {}
    for claim in claims:
        found = tuple(evidence.get(claim.id, ()))
        verdict, by, at = judged(found, {id_: verdicts[id_] for id_ in claim.uses})
        verdicts[claim.id] = verdict
        ok = borne_out(verdict, claim, found, settings)
        results[claim.id] = ClaimResult(claim, verdict, found, ok, by, at)
    return [results[id_] for id_ in wanted]


def borne_out(
    verdict: Verdict, claim: Claim, evidence: Iterable[Evidence], settings: Settings
) -> bool:
    """Whether a *verdict* that *evidence* comes to bears out what is on record of the claim."""
    proofs = [item for item in evidence if item.road is Road.PROOFS]
    ended = bool(proofs) and not any(item.timed_out for item in proofs)
    return as_recorded(verdict, claim.recorded, full=settings.full, exact=ended)


def judged(
    evidence: Iterable[Evidence], used: Mapping[str, Verdict]
) -> tuple[Verdict, tuple[str, ...], Verdict | None]:
    """The verdict of *evidence* for a claim that uses those in *used*; which of these cap it, at what.

    Only an argument rests on other claims; a measurement speaks for itself.
    """
    found = list(evidence)
    proofs = together(e.verdict for e in found if e.road is Road.PROOFS)
    others = [e.verdict for e in found if e.road is not Road.PROOFS]
    verdict = merge([*(capped(proof, used.values()) for proof in proofs), *others])
    if verdict is merge([*proofs, *others]):
        return verdict, (), None
    if lost := tuple(id_ for id_, it in used.items() if not it.positive):
        return verdict, lost, Verdict.INCONCLUSIVE
    least = min(used.values(), key=STRENGTH.index)
    return verdict, tuple(id_ for id_, it in used.items() if it is least), least


def run(
    registry: Registry,
    selected: Sequence[Claim],
    settings: Settings,
    *,
    known: Mapping[str, Evidence] | None = None,
    on_evidence: Callable[[Check, Evidence], None] | None = None,
    on_start: Callable[[Check], None] | None = None,
) -> RunResult:
    """Run all checks of the selected claims and of what they rest on.

    *known*: evidence by check key that need not be found again. *on_evidence* is called for each
    new piece as it comes. ``settings.workers`` = 0 runs in this process.
    """
    start = time.perf_counter()
    claims = registry.with_uses(selected)
    registry.validate(claims)
    evidence: dict[str, Evidence] = dict(known or {})
    checks = [c for claim in claims for c in registry.checks(claim.id, settings.roads)]
    pending = [check for check in checks if check.key not in evidence]
    with closing(execute(pending, registry, settings, on_start)) as found_now:
        for check, item in found_now:
            evidence[check.key] = item
            if on_evidence is not None:
                on_evidence(check, item)
    by_claim: dict[str, list[Evidence]] = {}
    for check in checks:
        by_claim.setdefault(check.claim, []).append(evidence[check.key])
    results = conclude(claims, by_claim, settings, [claim.id for claim in selected])
    budgets = settings.budgets(registry, checks)
    found = RunResult(
        settings,
        results,
        time.perf_counter() - start,
        budgets=budgets,
        machine=machine(settings.device),
        lost={check.key: item.summary for check in checks if (item := evidence[check.key]).lost},
        left_out=[str(fault) for fault in registry.left_out],
    )
    require_within(found.error_budget, (evidence[check.key] for check in checks))
    return found


def require_within(budget: float, evidence: Iterable[Evidence]) -> None:
    """Raise ArithmeticError if the intervals, by what each records, may err more than *budget*."""
    cases = (case for item in evidence for case in item.detail.get("cases", ()))
    spent = math.fsum(case.get("error share", 0.0) for case in cases)
    if spent > budget * (1 + _ROUNDING):
        raise ArithmeticError(
            f"the intervals of this run may err with probability {spent:g}, its budget is {budget:g}"
        )


def check_claim(claim: Claim | str, *, registry: Registry, **settings: Any) -> ClaimResult:
    """Run all checks of one claim, and of what it rests on, in this process.

    Without *roads* those are taken for which all is installed; a warning says what is left out.
    """
    id_ = claim.id if isinstance(claim, Claim) else claim
    if not isinstance(id_, str):
        raise UsageError(f"claim: {claim!r} is none; take its id, a string, or a Claim")
    if not isinstance(registry, Registry):
        raise UsageError(f"registry: {registry!r} is none; take a Registry, or leave it out")
    found = registry[id_]
    if unknown := settings.keys() - _OF_ONE_CLAIM:
        raise UsageError(
            f"{min(unknown)}: it is not asked of one claim; take some of {', '.join(_OF_ONE_CLAIM)}"
        )
    if "roads" in settings:
        settings["roads"] = among(Road, "roads", settings["roads"])
        for road in settings["roads"]:
            require([road], f"roads: {road}")
    else:
        settings["roads"], line = usable(Road)
        if line:
            warnings.warn(line, stacklevel=3)
    if "device" in settings:
        settings["device"] = usable_device(settings["device"], "device")
    return run(registry, [found], Settings(workers=0, **settings)).results[0]
