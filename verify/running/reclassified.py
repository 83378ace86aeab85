"""Results from before there was the verdict ``argued``, by the rules of today.

The evidence says what was found, and so whether a step is in words; a proof is then no stronger than
what it uses. Nothing gets stronger by this, and what was not said to hold stays as it was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from verify.claim import Claim, Registry, Road
from verify.running.rejudged import NotItsEvidence
from verify.running.runner import ClaimResult, borne_out, judged
from verify.running.settings import Settings
from verify.verdict import Verdict, as_recorded, capped


def reclassified(
    results: Sequence[ClaimResult], registry: Registry, settings: Settings
) -> list[ClaimResult]:
    """The *results* of a run with these *settings*, each claim that holds with its verdict of today."""
    found = {result.claim.id: result for result in results}
    verdicts: dict[str, Verdict] = {}
    for claim in registry.with_uses([result.claim for result in results]):
        if claim.id in found:
            found[claim.id] = _again(found[claim.id], verdicts, settings)
            verdicts[claim.id] = found[claim.id].verdict
        elif claim.recorded is not None and claim.recorded.positive:
            # The file does not say what was found of it then; it was in the run, and held.
            verdicts[claim.id] = claim.recorded
    return [found[result.claim.id] for result in results]


def _again(result: ClaimResult, verdicts: Mapping[str, Verdict], settings: Settings) -> ClaimResult:
    if not result.verdict.positive:
        found = [item.verdict for item in result.evidence]
        if result.verdict is Verdict.REFUTED and Verdict.REFUTED not in found:
            raise NotItsEvidence(
                f"it says refuted of {result.claim.id}, and none of its evidence does"
            )
        ok = borne_out(result.verdict, result.claim, result.evidence, settings)
        return replace(result, ok=ok)
    verdict, by, at = judged(result.evidence, _used(result.claim, verdicts))
    if capped(result.verdict, [verdict]) is not verdict:  # the file knew more of what it uses
        return result
    proofs = [item for item in result.evidence if item.road is Road.PROOFS]
    ended = bool(proofs) and all(item.verdict.decided for item in proofs)
    ok = as_recorded(verdict, result.claim.recorded, full=settings.full, exact=ended)
    by, at = (by, at) if by else (result.capped_by, result.capped_at)
    return replace(result, verdict=verdict, ok=ok, capped_by=by, capped_at=at)


def _used(claim: Claim, verdicts: Mapping[str, Verdict]) -> dict[str, Verdict]:
    """The verdicts of what a claim uses, as far as they are known."""
    return {id_: verdicts[id_] for id_ in claim.uses if id_ in verdicts}
