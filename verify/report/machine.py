"""Runs, the catalogue and the errata as JSON, in the schema that other programs rely on.

Exact numbers become strings, since JSON has no fractions; so do NaN and the infinities.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from verify.claim import Claim, Evidence, Registry
from verify.report.drawn import Drawn, PrintedUses
from verify.report.errata import false_as_printed
from verify.report.text import recorded
from verify.running.runner import ClaimResult, RunResult
from verify.running.stored_run import SCHEMA
from verify.running.version import __version__
from verify.typeset.encoding import encode


def run_json(run: RunResult) -> bytes:
    """A run of this version: its settings, each claim with its evidence, and the counts."""
    settings = run.settings
    return encode(
        {
            "schema": SCHEMA,
            "run": {
                "version": __version__,
                "seed": settings.seed,
                "profile": settings.profile,
                "device": settings.device,
                "seconds": run.seconds,
                "error_budget": run.error_budget,
                "budgets": run.budgets,
                "budget": settings.budget,
                "roads": settings.roads,
                "missing": run.missing,
                **({"left_out": run.left_out} if run.left_out else {}),
                "other_proofs": run.other_proofs,
                "machine": run.machine,
            },
            "claims": [_result(result) for result in run.results],
            "summary": run.counts(),
        }
    )


def list_json(registry: Registry) -> bytes:
    """The catalogue, as far as it is known without a statement being read; mutants are counted where no
    index knows their number."""
    return encode(
        [
            {
                "id": entry.id,
                "title": entry.title,
                "source": {"paper": entry.paper, "where": entry.where},
                "origin": entry.origin,
                "recorded": recorded(entry),
                "correction": entry.correction,
                "uses": entry.uses,
                "mutants": len(registry.mutants(entry.id))
                if entry.mutants is None
                else entry.mutants,
            }
            for entry in registry.entries()
        ]
    )


def errata_json(
    results: Iterable[ClaimResult], corrections: Mapping[str, Claim], uses: PrintedUses
) -> bytes:
    """What is false as printed, gravest first; *corrections* has the correcting claims by id, *uses*
    knows what the papers draw from a claim."""
    return encode(
        [
            {
                "id": result.claim.id,
                "title": result.claim.title,
                "source": {"paper": result.claim.paper, "where": result.claim.where},
                "printed": result.claim.statement.strip(),
                "counterexample": result.counterexample,
                "by_hand": result.claim.worked,
                "correction": result.claim.correction,
                "corrected": correction.statement.strip() if correction else None,
                "correction_recorded": recorded(correction) if correction else None,
                "severity": result.claim.severity,
                "drawn_from_it": _drawn(uses.from_it(result.claim.id)),
                "consequence": result.claim.consequence,
                "reading": result.claim.reading,
                "reading_note": result.claim.reading_note,
            }
            for result in false_as_printed(results)
            for correction in [corrections.get(result.claim.correction or "")]
        ]
    )


def _drawn(drawn: Drawn) -> dict[str, Any]:
    return {"direct": drawn.direct, "gravest": drawn.gravest, "through": drawn.through}


def _result(result: ClaimResult) -> dict[str, Any]:
    claim = result.claim
    return {
        "id": claim.id,
        "verdict": result.verdict,
        "recorded": recorded(claim),
        "ok": result.ok,
        "scope": result.scope,
        "reading": claim.reading,
        "seconds": result.seconds,
        "correction": claim.correction,
        "assumptions": result.assumptions,
        "capped_by": result.capped_by,
        "capped_at": result.capped_at,
        "evidence": [_evidence(item) for item in result.evidence],
        "counterexample": result.counterexample,
    }


def _evidence(evidence: Evidence) -> dict[str, Any]:
    return {
        "road": evidence.road,
        "method": evidence.method,
        "verdict": evidence.verdict,
        "seconds": evidence.seconds,
        **{name: True for name in ("timed_out", "died") if getattr(evidence, name)},
        "detail": {
            **evidence.detail,
            "scope": evidence.scope,
            "summary": evidence.summary,
            "steps": evidence.steps,
            **({"assumptions": evidence.assumptions} if evidence.assumptions else {}),
        },
    }
