"""The errata as the page shows them: a line for each false statement, in groups by severity."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from verify.claim import Claim, Reading
from verify.report.errata import SEVERITY, false_as_printed
from verify.report.text import counted, pairs, shortened
from verify.runner import ClaimResult
from verify.verdict import Verdict

#: The longest counterexample on a line; the detail of its claim has the whole.
_SHORT = 140


@dataclass(frozen=True)
class FalseLine:
    """A false statement: where it fails in short (else *summary* tells), and the verdict of its
    correction in this run, None if the run has none."""

    claim: Claim
    counterexample: str
    summary: str
    right: Verdict | None


@dataclass(frozen=True)
class Group:
    """False statements of one severity; *count* is their number in words."""

    count: str
    meaning: str
    lines: tuple[FalseLine, ...]


@dataclass(frozen=True)
class FalseLines:
    """What a run refuted: as recorded, by severity; in damaged text; and against the record."""

    groups: tuple[Group, ...]
    damaged: tuple[FalseLine, ...]
    doubtful: tuple[FalseLine, ...]

    @property
    def total(self) -> int:
        """How many statements are false as printed."""
        return sum(len(group.lines) for group in self.groups)


def false_lines(results: Sequence[ClaimResult]) -> FalseLines:
    """The false statements of a run, gravest first."""
    verdicts = {result.claim.id: result.verdict for result in results}
    found = false_as_printed(results)
    sound = [result for result in found if result.ok and not _damaged(result)]
    groups = []
    for severity, meaning in SEVERITY.items():
        lines = _lines((r for r in sound if r.claim.severity is severity), verdicts)
        if lines:
            named = (
                counted(len(lines), severity) if severity else f"{len(lines)} without a severity"
            )
            groups.append(Group(named, meaning, lines))
    return FalseLines(
        tuple(groups),
        _lines((r for r in found if r.ok and _damaged(r)), verdicts),
        _lines((r for r in found if not r.ok), verdicts),
    )


def _lines(results: Iterable[ClaimResult], verdicts: dict[str, Verdict]) -> tuple[FalseLine, ...]:
    return tuple(
        FalseLine(r.claim, _counterexample(r), r.summary, verdicts.get(r.claim.correction or ""))
        for r in results
    )


def _counterexample(result: ClaimResult) -> str:
    """The counterexample on one line, without the word for where it lies."""
    named = pairs(result.counterexample or {})
    words = (f"at {value}" if name == "at" else f"{name}: {value}" for name, value in named)
    return shortened("; ".join(words), _SHORT)


def _damaged(result: ClaimResult) -> bool:
    return result.claim.reading is Reading.DAMAGED
