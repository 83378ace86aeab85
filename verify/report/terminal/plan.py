"""The plan of a run, for the terminal and as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from verify.auditing.plan import Plan, PlanRow
from verify.typeset.encoding import encode
from verify.typeset.unicode_math import unicode_text
from verify.typeset.words import counted, duration, in_words, printable


def plan_table(plan: Plan, console: Console) -> None:
    """Claim by claim a row a case: what is measured where, nearest mutant, replicates, seconds."""
    for rows in _by_claim(plan.rows):
        console.print(Text(printable(rows[0].claim.id), style="bold"))
        table = Table(box=None, pad_edge=False, padding=(0, 1), show_header=False, expand=True)
        table.add_column(width=1)
        table.add_column(ratio=5, overflow="fold")
        table.add_column(ratio=4, overflow="fold", style="dim")
        table.add_column(justify="right", width=19)
        table.add_column(justify="right", width=7)
        for row in rows:
            case, planned = row.planned.case, row.planned
            table.add_row(
                "",
                unicode_text(f"{case.symbol} at {in_words(case.sizes)}"),
                printable(_nearest(row)),
                _replicates(row),
                "" if planned.replicates is None else duration(planned.seconds),
            )
        console.print(table)
    if plan.rows:
        console.print()
    settings = plan.settings
    console.print(
        f"{len(plan.rows)} cases, {duration(plan.seconds)} of drawing in one process: draws at the "
        f"same sizes are shared. {settings.profile} profile, seed {settings.seed}, "
        f"error budget {plan.error_budget:g}."
    )
    over = [row for row in plan.rows if not _afforded(row)]
    if over:
        console.print(
            Text(
                f"{len(over)} of them need more than the {settings.profile} profile affords (>); a "
                "larger one decides them."
            )
        )
    if plan.unmeasured:
        left = counted(len(plan.unmeasured), "claim")
        console.print(f"Nothing to measure for {left}: proved or counted, or without a check yet.")


def plan_json(plan: Plan) -> bytes:
    """The same for machines."""
    settings = plan.settings
    return encode(
        {
            "profile": settings.profile,
            "seed": settings.seed,
            "error_budget": plan.error_budget,
            "seconds": plan.seconds,
            "cases": [
                {
                    "id": row.claim.id,
                    "method": row.method,
                    "quantity": row.planned.case.symbol,
                    "at": row.planned.case.sizes,
                    "nearest mutant": row.planned.case.decisive or None,
                    "distance": row.planned.case.gap,
                    "replicates": row.planned.replicates,
                    "affordable": row.planned.affordable,
                    "variance": "exact" if row.planned.exact else "pilot",
                    "seconds": row.planned.seconds,
                }
                for row in plan.rows
            ],
        }
    )


def _by_claim(rows: Sequence[PlanRow]) -> list[list[PlanRow]]:
    groups: dict[str, list[PlanRow]] = {}
    for row in rows:
        groups.setdefault(row.claim.id, []).append(row)
    return list(groups.values())


def _nearest(row: PlanRow) -> str:
    case = row.planned.case
    if case.control:
        return "a control: it must be met"
    if case.gap is None:
        return "no mutant sets the width here"
    return f"mutant off by {case.gap:.3g}: {case.decisive}"


def _replicates(row: PlanRow) -> str:
    planned = row.planned
    if planned.replicates is None:
        return "no number decides"
    return f"{'' if _afforded(row) else '> '}{planned.replicates:,} replicates"


def _afforded(row: PlanRow) -> bool:
    planned = row.planned
    return planned.replicates is not None and planned.replicates <= planned.affordable
