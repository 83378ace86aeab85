"""A run read back from the JSON that ``verify run --json`` wrote, for reports made later.

Only a file of this very version is read, and only claims that the catalogue still has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from verify import __version__
from verify.claim import Claim, Evidence, Registry, Road
from verify.context import Profile
from verify.errors import UsageError
from verify.runner import ClaimResult, RunResult
from verify.settings import Settings
from verify.verdict import Verdict

_SCHEMA = 1
_REMEDY = "make a new one with `verify run --json FILE`"
#: So many unknown claims are named.
_NAMED = 3

_T = TypeVar("_T")


class _Origin(msgspec.Struct):
    version: str


class _Header(msgspec.Struct):
    schema: int
    run: _Origin


class _Run(msgspec.Struct):
    seed: int
    profile: Profile
    device: str
    seconds: float
    error_budget: float


class _Detail(msgspec.Struct):
    """What exports read of a detail; the rest is free."""

    scope: str
    summary: str
    steps: list[str]
    derived: dict[str, str] = {}
    derived_for: dict[str, str] = msgspec.field(name="derived for", default_factory=dict)
    cases: list[dict[str, Any]] = []


class _Evidence(msgspec.Struct):
    road: Road | None
    method: str
    verdict: Verdict
    seconds: float
    detail: dict[str, Any]


class _Claim(msgspec.Struct):
    id: str
    verdict: Verdict
    ok: bool
    evidence: list[_Evidence]
    counterexample: dict[str, Any] | None


class _File(msgspec.Struct):
    run: _Run
    claims: list[_Claim]


def read_run(path: Path, registry: Registry) -> RunResult:
    """The run in the file *path*.

    UsageError that names the file, the fault and the remedy: for a file that cannot be read, is cut
    short, is no run, comes from another version, or speaks of claims that *registry* lacks.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"--results: cannot read {path}: {error.strerror}; {_REMEDY}") from None
    header = _decoded(data, _Header, path)
    if header.schema != _SCHEMA:
        raise UsageError(
            f"--results: {path} has schema {header.schema}, this program reads {_SCHEMA}; {_REMEDY}"
        )
    if header.run.version != __version__:
        raise UsageError(
            f"--results: {path} is of version {header.run.version}, this is {__version__}; {_REMEDY}"
        )
    found = _decoded(data, _File, path)
    unknown = [claim.id for claim in found.claims if claim.id not in registry]
    if unknown:
        more = f" and {len(unknown) - _NAMED} more" if len(unknown) > _NAMED else ""
        raise UsageError(
            f"--results: {path} speaks of claims that this catalogue does not have: "
            f"{', '.join(unknown[:_NAMED])}{more}; {_REMEDY}"
        )
    for item in (item for claim in found.claims for item in claim.evidence):
        _checked(item.detail, path)
    asked = found.run
    settings = Settings(asked.seed, asked.profile, asked.device, budget=asked.error_budget)
    return RunResult(settings, [_result(c, registry) for c in found.claims], asked.seconds)


def chosen(run: RunResult, claims: Sequence[Claim], path: Path) -> RunResult:
    """The part of a stored run that speaks of *claims*. UsageError if there is none."""
    wanted = {claim.id for claim in claims}
    results = [result for result in run.results if result.claim.id in wanted]
    if not results:
        raise UsageError(f"ID: {path} has no result of what was asked for; {_REMEDY}")
    return RunResult(run.settings, results, run.seconds)


def _decoded(data: bytes, kind: type[_T], path: Path) -> _T:
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError) as error:
        raise _broken(path, error) from None


def _checked(detail: Mapping[str, Any], path: Path) -> None:
    try:
        msgspec.convert(detail, _Detail)
    except msgspec.ValidationError as error:
        raise _broken(path, error) from None


def _broken(path: Path, error: Exception) -> UsageError:
    return UsageError(f"--results: {path} is no whole file of results ({error}); {_REMEDY}")


def _result(stored: _Claim, registry: Registry) -> ClaimResult:
    evidence = tuple(_evidence(item, stored.counterexample) for item in stored.evidence)
    return ClaimResult(registry[stored.id], stored.verdict, evidence, stored.ok)


def _evidence(stored: _Evidence, counterexample: Mapping[str, Any] | None) -> Evidence:
    detail = dict(stored.detail)
    refuted = stored.verdict is Verdict.REFUTED
    return Evidence(
        stored.verdict,
        stored.method,
        summary=detail.pop("summary"),
        scope=detail.pop("scope"),
        steps=tuple(detail.pop("steps")),
        detail=detail,
        counterexample=counterexample if refuted else None,
        road=stored.road,
        seconds=stored.seconds,
    )
