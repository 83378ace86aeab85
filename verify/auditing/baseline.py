"""Regression: a run against a stored baseline of verdicts, derived formulas, intervals and seconds.

A baseline never touches recorded verdicts; it is for noticing what changed between two runs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal, cast

import msgspec

from verify.auditing.proof_record import ProofRecord, differences, proof_record
from verify.errors import UsageError
from verify.measuring.context import Profile
from verify.records import rows, tables
from verify.running.files import read_whole
from verify.running.runner import ClaimResult, RunResult
from verify.typeset.words import in_words
from verify.verdict import Verdict

#: A claim is reported as slower if it takes this many times as long, and a second more.
_SLOWER = 3.0

_SCHEMA = 2
#: Between these a verdict is reclassified and not lost: whether a step of a whole proof is in words.
_WHOLE = frozenset({Verdict.PROVED, Verdict.ARGUED})

#: An end of an interval; JSON has no infinity, so it stands as a word.
_End = float | Literal["inf", "-inf", "nan"]


class _Entry(msgspec.Struct, forbid_unknown_fields=True):
    verdict: Verdict
    derived: dict[str, str]
    intervals: dict[str, tuple[_End, _End]]
    seconds: float
    proof: ProofRecord | None = None


class Baseline(msgspec.Struct, forbid_unknown_fields=True):
    """What a run found, by claim; schema 2, which has the verdict ``argued``. Schema 1 is read too.

    A proof stands there in digests; what an older file does not say of proofs is not compared.
    """

    schema: int
    seed: Annotated[int, msgspec.Meta(ge=0)]
    profile: Profile
    claims: dict[str, _Entry]

    @classmethod
    def of(cls, run: RunResult) -> Baseline:
        """The baseline that a run makes."""
        claims = {r.claim.id: _entry(r) for r in run.results if r.evidence}
        return cls(_SCHEMA, run.settings.seed, run.settings.profile, claims)

    @classmethod
    def read(cls, path: Path) -> Baseline:
        """Read a baseline file; UsageError that names the file, the fault and the remedy."""
        try:
            found = msgspec.json.decode(read_whole(path), type=cls)
        except OSError as error:
            raise UsageError(
                f"BASELINE: cannot read {path}: {error.strerror}; make one with --update"
            ) from None
        except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError) as error:
            raise UsageError(
                f"BASELINE: {path} is not a baseline ({error}); make a new one with --update"
            ) from None
        if found.schema not in (1, _SCHEMA):
            raise UsageError(
                f"BASELINE: {path} has schema {found.schema}, this program reads 1 and {_SCHEMA}; "
                "make a new one with --update"
            )
        return found

    def require_alike(self, other: Baseline, path: Path) -> None:
        """UsageError unless *other*, of the results in *path*, was made with this seed and profile."""
        for name in ("seed", "profile"):
            here, there = getattr(self, name), getattr(other, name)
            if here != there:
                raise UsageError(
                    f"--results: {path} was run with {name} {there}, the baseline with {here}; make "
                    f"new ones with `verify run --{name} {here} --json FILE`"
                )

    def encode(self) -> bytes:
        """The file's content."""
        return msgspec.json.format(msgspec.json.encode(self), indent=2) + b"\n"


def _entry(result: ClaimResult) -> _Entry:
    derived: dict[str, str] = {}
    intervals: dict[str, tuple[_End, _End]] = {}
    for item in result.evidence:
        derived.update(item.detail.get("derived", {}))
        for case in tables(item.detail.get("cases")):
            ends = list(map(_end, rows(case.get("interval"))))
            if len(ends) == 2 and ends[0] is not None and ends[1] is not None:
                name = f"{in_words(case.get('quantity', ''))} at {in_words(case.get('at', ''))}"
                intervals[name] = ends[0], ends[1]
    seconds = round(result.seconds, 3)
    return _Entry(result.verdict, derived, intervals, seconds, proof_record(result))


def _end(value: Any) -> _End | None:
    """An end of an interval; None if it is no number."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else cast(_End, str(number))


class Kind(StrEnum):
    """What a change is about, gravest first."""

    VERDICT = "verdict"
    LOST = "lost"
    FORMULA = "formula"
    INTERVAL = "interval"
    RECLASSIFIED = "reclassified"
    PROOF = "proof"
    NEW = "new"
    SPEED = "speed"


@dataclass(frozen=True)
class Change:
    """One difference between a run and its baseline; *subject* names a formula or a quantity.

    *before* and *after* are None where there is nothing.
    """

    claim: str
    kind: Kind
    subject: str = ""
    before: str | None = None
    after: str | None = None

    @property
    def regression(self) -> bool:
        """Whether it fails the comparison: a proof that is reclassified or another, and what
        is new or slower, never does."""
        return self.kind not in (Kind.RECLASSIFIED, Kind.PROOF, Kind.NEW, Kind.SPEED)

    @property
    def what(self) -> str:
        """The change in words."""
        if self.kind is Kind.LOST:
            return "was checked, is no more"
        if self.kind is Kind.NEW:
            return "is checked now"
        if self.after is None:
            done = "measured" if self.kind is Kind.INTERVAL else "derived"
            return f"{self.subject} is no longer {done}"
        change = f"{self.before} -> {self.after}"
        return {
            Kind.VERDICT: f"verdict {change}",
            Kind.RECLASSIFIED: f"reclassified {change}",
            Kind.FORMULA: f"{self.subject}: {change}",
            Kind.PROOF: f"{self.subject} changed: {self.after}",
            Kind.INTERVAL: f"{self.subject}: {change}, disjoint",
            Kind.SPEED: change,
        }[self.kind]

    def __str__(self) -> str:
        return f"{self.claim}: {self.what}"


def compare(old: Baseline, new: Baseline) -> list[Change]:
    """What changed, claim by claim."""
    changes: list[Change] = []
    for id_, before in old.claims.items():
        after = new.claims.get(id_)
        if after is None:
            changes.append(Change(id_, Kind.LOST))
        else:
            changes.extend(_changes(id_, before, after))
    return changes + [Change(id_, Kind.NEW) for id_ in new.claims if id_ not in old.claims]


def _changes(id_: str, before: _Entry, after: _Entry) -> Iterable[Change]:
    if before.verdict != after.verdict:
        both = {before.verdict, after.verdict}
        kind = Kind.RECLASSIFIED if both == _WHOLE else Kind.VERDICT
        yield Change(id_, kind, "", before.verdict, after.verdict)
    for name, formula in before.derived.items():
        now = after.derived.get(name)
        if now != formula:
            yield Change(id_, Kind.FORMULA, name, formula, now)
    for name, interval in before.intervals.items():
        moved = after.intervals.get(name)
        if moved is None:
            yield Change(id_, Kind.INTERVAL, name, _shown(interval))
        elif _disjoint(interval, moved):
            yield Change(id_, Kind.INTERVAL, name, _shown(interval), _shown(moved))
    if before.proof is not None and after.proof is not None:
        for name, how in differences(before.proof, after.proof):
            yield Change(id_, Kind.PROOF, name, "", how)
    if after.seconds > _SLOWER * before.seconds + 1:
        yield Change(id_, Kind.SPEED, "", f"{before.seconds:g} s", f"{after.seconds:g} s")


def _disjoint(one: tuple[_End, _End], other: tuple[_End, _End]) -> bool:
    return float(one[1]) < float(other[0]) or float(other[1]) < float(one[0])


def _shown(interval: tuple[_End, _End]) -> str:
    low, high = map(float, interval)
    return f"[{low:.6g}, {high:.6g}]"
