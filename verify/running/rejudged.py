"""Stored results are evidence, not verdicts: what they come to is found again.

A file may hold claims without those that they use, so it has to say how far these held a proof back;
all else is decided by its evidence and by the catalogue.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from verify.claim import Registry
from verify.running.runner import ClaimResult, borne_out, judged
from verify.running.settings import Settings
from verify.verdict import Verdict


class NotItsEvidence(Exception):  # noqa: N818  (what is wrong with a file, not with the program)
    """A verdict that is not what the evidence beside it comes to, or evidence that is not all there."""


def rejudged(
    results: Sequence[ClaimResult], registry: Registry, settings: Settings
) -> list[ClaimResult]:
    """The *results* of a run with these *settings*, as their evidence has it.

    Raises NotItsEvidence where that is another verdict than the one beside it.
    """
    found = {result.claim.id: result for result in results}
    for claim in registry.with_uses([result.claim for result in results]):
        if claim.id in found:
            found[claim.id] = _again(found[claim.id], found, settings)
    return [found[result.claim.id] for result in results]


def require_whole(results: Iterable[ClaimResult], registry: Registry, settings: Settings) -> None:
    """Raise NotItsEvidence unless each check of the *results* on the roads of the run has its evidence.

    A run writes some of every check, of one that was stopped or whose process died that it was.
    """
    for result in results:
        for check in registry.checks(result.claim.id, settings.roads):
            if not any(item.comes_from(check) for item in result.evidence):
                raise NotItsEvidence(
                    f"it says that the road of {check.road} was run, and has no evidence of the check "
                    f"{check.key}"
                )


def _again(
    stored: ClaimResult, found: Mapping[str, ClaimResult], settings: Settings
) -> ClaimResult:
    used: dict[str, Verdict] = {}
    for id_ in stored.claim.uses:
        if id_ in found:
            used[id_] = found[id_].verdict
        elif id_ in stored.capped_by:
            used[id_] = stored.capped_at or Verdict.INCONCLUSIVE
    for item in stored.evidence:
        stopped = (item.timed_out, Verdict.INCONCLUSIVE), (item.died, Verdict.ERROR)
        if any(so and item.verdict is not it for so, it in stopped):
            raise NotItsEvidence(
                f"a check of {stored.claim.id} was lost, and it says {item.verdict} of it"
            )
    verdict, by, at = judged(stored.evidence, used)
    if (by, at) != (stored.capped_by, stored.capped_at):
        raise NotItsEvidence(
            f"it says that {', '.join(stored.capped_by) or 'nothing'} holds {stored.claim.id} back, "
            f"and by its evidence {', '.join(by) or 'nothing'} does"
        )
    if verdict is not stored.verdict:
        raise NotItsEvidence(
            f"it says {stored.verdict} of {stored.claim.id}, and its evidence comes to {verdict}"
        )
    ok = borne_out(verdict, stored.claim, stored.evidence, settings)
    return replace(stored, ok=ok)
