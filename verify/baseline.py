"""Regression: a run against a stored baseline of verdicts, derived formulas, intervals and seconds.

A baseline never touches recorded verdicts; it is for noticing what changed between two runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import msgspec

from verify.context import Profile
from verify.errors import UsageError
from verify.runner import ClaimResult, RunResult

#: A claim is reported as slower if it takes this many times as long, and a second more.
_SLOWER = 3.0


class _Entry(msgspec.Struct, forbid_unknown_fields=True):
    verdict: str
    derived: dict[str, str]
    intervals: dict[str, list[float]]
    seconds: float


class Baseline(msgspec.Struct, forbid_unknown_fields=True):
    """What a run found, by claim; schema 1."""

    schema: int
    seed: Annotated[int, msgspec.Meta(ge=0)]
    profile: Profile
    claims: dict[str, _Entry]

    @classmethod
    def of(cls, run: RunResult) -> Baseline:
        """The baseline that a run makes."""
        claims = {r.claim.id: _entry(r) for r in run.results if r.evidence}
        return cls(1, run.settings.seed, run.settings.profile, claims)

    @classmethod
    def read(cls, path: Path) -> Baseline:
        """Read a baseline file; UsageError that names the file, the fault and the remedy."""
        try:
            found = msgspec.json.decode(path.read_bytes(), type=cls)
        except OSError as error:
            raise UsageError(
                f"BASELINE: cannot read {path}: {error.strerror}; make one with --update"
            ) from None
        except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError) as error:
            raise UsageError(
                f"BASELINE: {path} is not a baseline ({error}); make a new one with --update"
            ) from None
        if found.schema != 1:
            raise UsageError(
                f"BASELINE: {path} has schema {found.schema}, this program reads 1; "
                "make a new one with --update"
            )
        return found

    def encode(self) -> bytes:
        """The file's content."""
        return msgspec.json.format(msgspec.json.encode(self), indent=2) + b"\n"


def _entry(result: ClaimResult) -> _Entry:
    derived: dict[str, str] = {}
    intervals: dict[str, list[float]] = {}
    for item in result.evidence:
        derived.update(item.detail.get("derived", {}))
        for case in item.detail.get("cases", []):
            intervals[f"{case['quantity']} at {case['at']}"] = list(case["interval"])
    return _Entry(str(result.verdict), derived, intervals, round(result.seconds, 3))


@dataclass(frozen=True)
class Change:
    """One difference between a run and its baseline; ``regression`` fails the comparison."""

    claim: str
    what: str
    regression: bool

    def __str__(self) -> str:
        return f"{self.claim}: {self.what}"


def compare(old: Baseline, new: Baseline) -> list[Change]:
    """What changed, claim by claim. Speed alone is never a regression."""
    changes = []
    for id_, before in old.claims.items():
        after = new.claims.get(id_)
        if after is None:
            changes.append(Change(id_, "was checked, is no more", True))
            continue
        if before.verdict != after.verdict:
            changes.append(Change(id_, f"verdict {before.verdict} -> {after.verdict}", True))
        for name, formula in before.derived.items():
            now = after.derived.get(name)
            if now != formula:
                changes.append(Change(id_, f"{name}: {formula} -> {now}", True))
        for name, interval in before.intervals.items():
            now_interval: Any = after.intervals.get(name)
            if now_interval is None:
                changes.append(Change(id_, f"{name} is no longer measured", True))
            elif interval[1] < now_interval[0] or now_interval[1] < interval[0]:
                changes.append(Change(id_, f"{name}: {interval} -> {now_interval}, disjoint", True))
        if after.seconds > _SLOWER * before.seconds + 1:
            changes.append(Change(id_, f"{before.seconds:g} s -> {after.seconds:g} s", False))
    changes += [Change(id_, "is checked now", False) for id_ in new.claims if id_ not in old.claims]
    return changes
