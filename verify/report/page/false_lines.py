"""The errata as the page shows them: a line for each false statement, in groups by severity."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from verify.claim import Claim, Reading, Registry
from verify.report.counts import what_they_break
from verify.report.drawn import Drawn, PrintedUses
from verify.report.errata import SEVERITY, false_as_printed
from verify.report.text import pairs
from verify.running.runner import ClaimResult
from verify.typeset.words import shortened
from verify.verdict import Verdict

#: The longest counterexample on a line; the detail of its claim has the whole.
_SHORT = 140


@dataclass(frozen=True)
class FalseLine:
    """A false statement: where it fails in short (else *summary* tells), the first line of its
    counterexample by hand and whether there are more, its correction with the verdict in this run, None
    if the run has none, and what the paper draws from it."""

    claim: Claim
    counterexample: str
    summary: str
    by_hand: str
    more: bool
    correction: Claim | None
    right: Verdict | None
    drawn: Drawn


@dataclass(frozen=True)
class Group:
    """False statements of one severity; *count* is their number in words."""

    count: str
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


def false_lines(results: Sequence[ClaimResult], registry: Registry) -> FalseLines:
    """The false statements of a run, gravest first; *registry* has their corrections."""
    verdicts = {result.claim.id: result.verdict for result in results}
    uses = PrintedUses(registry.entries())

    def lines(wanted: Iterable[ClaimResult]) -> tuple[FalseLine, ...]:
        return tuple(
            FalseLine(
                r.claim,
                _counterexample(r),
                r.summary,
                next(iter(r.claim.worked), ""),
                len(r.claim.by_hand) > 1,
                _correction(r.claim, registry),
                verdicts.get(r.claim.correction or ""),
                uses.from_it(r.claim.id),
            )
            for r in wanted
        )

    found = false_as_printed(results)
    sound = [result for result in found if result.ok and not _damaged(result)]
    groups = []
    for severity in SEVERITY:
        members = lines(r for r in sound if r.claim.severity is severity)
        if members:
            groups.append(Group(what_they_break(line.claim for line in members), members))
    return FalseLines(
        tuple(groups),
        lines(r for r in found if r.ok and _damaged(r)),
        lines(r for r in found if not r.ok),
    )


def _correction(claim: Claim, registry: Registry) -> Claim | None:
    right = claim.correction
    return registry[right] if right is not None and right in registry else None


def _counterexample(result: ClaimResult) -> str:
    """The counterexample on one line, without the word for where it lies."""
    named = pairs(result.counterexample or {})
    words = (f"at {value}" if name == "at" else f"{name}: {value}" for name, value in named)
    return shortened("; ".join(words), _SHORT)


def _damaged(result: ClaimResult) -> bool:
    return result.claim.reading is Reading.DAMAGED
