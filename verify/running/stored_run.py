"""A run read back from the JSON that ``verify run --json`` wrote, for reports made later.

Only a file of this very version is read, and only claims that the catalogue still has. Schema 2 has the
verdict ``argued``; verdicts of schema 1 are reclassified from the evidence beside them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import msgspec

from verify.claim import Claim, Evidence, Registry, Road
from verify.errors import UsageError
from verify.measuring.context import Profile
from verify.printed.paper import ERROR_BUDGET
from verify.running.files import read_whole
from verify.running.reclassified import reclassified
from verify.running.rejudged import NotItsEvidence, rejudged, require_whole
from verify.running.runner import ClaimResult, RunResult, require_within
from verify.running.settings import Settings
from verify.running.version import __version__
from verify.typeset.words import shortened
from verify.verdict import Verdict

#: What is written, and what is read.
SCHEMA = 2
_READ = (1, SCHEMA)
_REMEDY = "make a new one with `verify run --json FILE`"
#: So many unknown claims are named.
_NAMED = 3
#: What an error repeats of a file is no longer.
_REPEATED = 120
#: What a clock can have measured.
_Seconds = Annotated[float, msgspec.Meta(ge=0, le=sys.float_info.max)]


class _Origin(msgspec.Struct):
    version: str


class _Header(msgspec.Struct):
    schema: int
    run: _Origin


class _Run(msgspec.Struct):
    """The roads are all of them, nothing is missing or left out and no proof another, where a file does
    not say."""

    seed: int
    profile: Profile
    device: str
    seconds: _Seconds
    error_budget: float
    budgets: dict[str, float] = {}
    budget: float | None = None
    roads: tuple[Road, ...] = tuple(Road)
    missing: list[str] = []
    left_out: list[str] = []
    other_proofs: dict[str, str] = {}
    machine: dict[str, str] = {}


class _Case(msgspec.Struct):
    """What is added up of a case; the rest is free."""

    error_share: Annotated[float, msgspec.Meta(ge=0)] = msgspec.field(
        name="error share", default=0.0
    )


class _Detail(msgspec.Struct):
    """What exports read of a detail; the rest is free."""

    scope: str
    summary: str
    steps: list[str]
    assumptions: list[str] = []
    derived: dict[str, str] = {}
    derived_for: dict[str, str] = msgspec.field(name="derived for", default_factory=dict)
    symbols: dict[str, str] = {}
    cases: list[_Case] = []
    theorems: list[str] = []
    stated: list[str] = []
    program: list[str] = []
    trajectories: list[dict[str, Any]] = []
    traceback: str = ""


class _Evidence(msgspec.Struct):
    road: Road | None
    method: str
    verdict: Verdict
    seconds: _Seconds
    detail: dict[str, Any]
    timed_out: bool = False
    died: bool = False


class _Claim(msgspec.Struct):
    id: str
    verdict: Verdict
    ok: bool
    evidence: list[_Evidence]
    counterexample: dict[str, Any] | None
    assumptions: list[str] = []
    capped_by: list[str] = []
    capped_at: Verdict | None = None


class _File(msgspec.Struct):
    run: _Run
    claims: list[_Claim]


def read_run(path: Path, registry: Registry, *, argument: str = "--results") -> RunResult:
    """The run in the file *path*, which the command line calls *argument*.

    UsageError that names the file, the fault and the remedy: for a file that cannot be read, is cut
    short, is no run, comes from another version, names a claim twice, or one that *registry* lacks, or
    has a verdict that its evidence does not come to, or lacks the evidence of a check on the roads of
    the run. Whether all is as recorded is found anew.
    """
    try:
        data = read_whole(path)
    except OSError as error:
        raise UsageError(f"{argument}: cannot read {path}: {error.strerror}; {_REMEDY}") from None
    try:
        header = msgspec.json.decode(data, type=_Header)
        _require_current(header, path, argument)
        found = msgspec.json.decode(data, type=_File)
        for item in (item for claim in found.claims for item in claim.evidence):
            msgspec.convert(item.detail, _Detail)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        why = shortened(str(error), _REPEATED)
        raise UsageError(
            f"{argument}: {path} is no whole file of results ({why}); {_REMEDY}"
        ) from None
    if not 0 <= found.run.seed < 2**64:
        raise UsageError(
            f"{argument}: {path} says seed {found.run.seed}, which no run has; {_REMEDY}"
        )
    _require_claims([claim.id for claim in found.claims], registry, path, argument)
    try:
        settings = _settings(found.run)
    except UsageError as error:
        raise UsageError(f"{argument}: {path} was altered: {error}; {_REMEDY}") from None
    results = [_result(claim, registry) for claim in found.claims]
    try:
        again = reclassified if header.schema == 1 else rejudged
        results = again(results, registry, settings)
        require_whole(results, registry, settings)
    except NotItsEvidence as error:
        raise UsageError(f"{argument}: {path} was altered: {error}; {_REMEDY}") from None
    run = RunResult(
        settings,
        results,
        found.run.seconds,
        found.run.missing,
        found.run.other_proofs,
        # Where a file does not say whose it is, it had one budget for all.
        found.run.budgets or {"": found.run.error_budget},
        found.run.machine,
        left_out=found.run.left_out,
    )
    try:
        require_within(run.error_budget, (item for one in results for item in one.evidence))
    except ArithmeticError as error:
        raise UsageError(f"{argument}: {path} was altered: {error}; {_REMEDY}") from None
    return run


def chosen(run: RunResult, claims: Sequence[Claim], path: Path) -> RunResult:
    """The part of a stored run that speaks of *claims*. UsageError if there is none."""
    wanted = {claim.id for claim in claims}
    results = [result for result in run.results if result.claim.id in wanted]
    if not results:
        raise UsageError(f"ID: {path} has no result of what was asked for; {_REMEDY}")
    return RunResult(
        run.settings,
        results,
        run.seconds,
        budgets=run.budgets,
        machine=run.machine,
        left_out=run.left_out,
    )


def _require_current(header: _Header, path: Path, argument: str) -> None:
    """UsageError for a file of another schema or version."""
    if header.schema not in _READ:
        known = " and ".join(map(str, _READ))
        raise UsageError(
            f"{argument}: {path} has schema {header.schema}, this program reads {known}; {_REMEDY}"
        )
    if header.run.version != __version__:
        raise UsageError(
            f"{argument}: {path} is of version {shortened(header.run.version, _REPEATED)}, "
            f"this is {__version__}; {_REMEDY}"
        )


def _require_claims(ids: Sequence[str], registry: Registry, path: Path, argument: str) -> None:
    """UsageError for claims that are not in the catalogue, or that a file names twice."""
    unknown = [id_ for id_ in ids if id_ not in registry]
    if unknown:
        more = f" and {len(unknown) - _NAMED} more" if len(unknown) > _NAMED else ""
        named = ", ".join(shortened(id_, _REPEATED) for id_ in unknown[:_NAMED])
        raise UsageError(
            f"{argument}: {path} speaks of claims that this catalogue does not have: "
            f"{named}{more}{registry.why_not(unknown[0])}; {_REMEDY}"
        )
    if len(set(ids)) < len(ids):
        twice = next(id_ for n, id_ in enumerate(ids) if id_ in ids[:n])
        raise UsageError(f"{argument}: {path} names {twice} twice; {_REMEDY}")


def _settings(asked: _Run) -> Settings:
    return Settings(asked.seed, asked.profile, asked.device, asked.roads, budget=_asked(asked))


def _asked(run: _Run) -> float | None:
    """The budget that was asked for; a file that does not say whose it was has it for all papers."""
    whole = run.budgets or run.error_budget in (0, ERROR_BUDGET)
    return run.budget if whole else run.error_budget


def _result(stored: _Claim, registry: Registry) -> ClaimResult:
    """A counterexample goes to the evidence that refutes; assumptions of which the file does not say
    what takes them, to the first proof."""
    evidence = [_evidence(item) for item in stored.evidence]
    if evidence and stored.counterexample:
        i = _first(evidence, lambda item: item.verdict is Verdict.REFUTED)
        evidence[i] = replace(evidence[i], counterexample=stored.counterexample)
    if evidence and not any(item.assumptions for item in evidence):
        i = _first(evidence, lambda item: item.road is Road.PROOFS)
        evidence[i] = replace(evidence[i], assumptions=tuple(stored.assumptions))
    return ClaimResult(
        registry[stored.id],
        stored.verdict,
        tuple(evidence),
        stored.ok,
        tuple(stored.capped_by),
        stored.capped_at,
    )


def _first(evidence: Sequence[Evidence], fits: Callable[[Evidence], bool]) -> int:
    """The place of the first evidence that *fits*; of the very first where none does."""
    return next((i for i, item in enumerate(evidence) if fits(item)), 0)


def _evidence(stored: _Evidence) -> Evidence:
    detail = dict(stored.detail)
    return Evidence(
        stored.verdict,
        stored.method,
        summary=detail.pop("summary"),
        scope=detail.pop("scope"),
        steps=tuple(detail.pop("steps")),
        assumptions=tuple(detail.pop("assumptions", ())),
        detail=detail,
        road=stored.road,
        seconds=stored.seconds,
        timed_out=stored.timed_out,
        died=stored.died,
    )
