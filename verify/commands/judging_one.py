"""``verify show`` and ``errata``: claims judged by their proofs, for a reader."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from verify.catalogue import catalogue
from verify.claim import Road
from verify.commands import FAILED, OK
from verify.commands.common import (
    available_roads,
    require_unused,
    results_option,
    seed_option,
    stored,
)
from verify.errors import UsageError
from verify.report.terminal.claims import claim_page
from verify.report.terminal.console import report_console
from verify.running.kept_results import kept_results
from verify.running.runner import run
from verify.running.settings import Settings
from verify.verdict import Verdict


@click.command("show")
@click.argument("id_", metavar="ID")
@seed_option
@click.option("--latex", is_flag=True, help="Statement, verdict and correction for a paper.")
@results_option
@click.option("--fresh", is_flag=True, help="Judge it now, whatever is kept of runs before.")
def show_command(id_: str, seed: int, latex: bool, results: Path | None, fresh: bool) -> int:
    """Show all that is known of one claim.

    Statement, source, derivation, evidence, counterexample, correction. They are those of the last run
    with this seed that had the claim, or of the run in the file that --results names; without one the
    claim is judged for it.
    """
    registry = catalogue()
    claim = registry[id_]
    console = report_console(stderr=latex)
    correction = registry[claim.correction] if claim.correction else None
    wanted = [claim, *([correction] if latex and correction else [])]
    roads = available_roads(tuple(Road), asked=False, console=console)
    settings = Settings(seed=seed, roads=roads, workers=0)
    source = ""
    if results is not None and fresh:
        raise UsageError("--fresh: --results names what is to be shown; drop one")
    if results is not None:
        from verify.running.stored_run import chosen

        require_unused("with --results nothing is run", "seed")
        whole = stored(results, registry)
        found = [*chosen(whole, [claim], results).results]
        found += [one for one in whole.results if one.claim in wanted[1:]]
    elif not fresh and (kept := kept_results(registry, [one.id for one in wanted], settings)):
        by_id = {one.claim.id: one for one in kept[0].results}
        found = [by_id[one.id] for one in wanted]
        source = (
            f"Found by the run of {kept[1]:%Y-%m-%d %H:%M} UTC with these sources and seed {seed}; "
            "--fresh judges it now."
        )
    else:
        found = [*run(registry, wanted, settings).results]
    shown, *right = found
    if latex:
        from verify.report.exports.latex import claim_latex

        click.echo(claim_latex(shown, right[0] if right else None), nl=False)
    else:
        claim_page(shown, console, correction)
        if source:
            console.print(f"\n{source}")
    return OK if all(one.ok for one in found) else FAILED


@click.command("errata")
@click.argument("ids", nargs=-1, metavar="[ID|GLOB]...")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["auto", "markdown", "json", "text"]),
    default="auto",
    show_default=True,
    help="auto is text on a terminal, else markdown.",
)
def errata_command(ids: tuple[str, ...], format_: str) -> int:
    """What is false as printed, and what is right instead.

    Each statement with its counterexample, the same worked by hand, and its correction; all that are
    false by default.
    """
    from verify.report.counts import printed_by_paper
    from verify.report.drawn import PrintedUses

    registry = catalogue()
    false = [claim for claim in registry.select(ids) if claim.recorded is Verdict.REFUTED]
    if ids and not false:
        raise UsageError("ID: none of these claims is recorded as refuted; take others")
    settings = Settings(roads=(Road.PROOFS,), workers=0)
    result = run(registry, false, settings)
    corrections = {c.correction: registry[c.correction] for c in false if c.correction}
    uses = PrintedUses(registry.entries())
    judged = [claim for claim in registry.select(ids) if claim.recorded is not None]
    checked = printed_by_paper(judged)
    if format_ == "auto":
        format_ = "text" if _on_terminal() else "markdown"
    if format_ == "text":
        from verify.report.terminal.errata import errata_sheet

        errata_sheet(result.results, corrections, uses, checked, report_console())
    elif format_ == "json":
        from verify.report.machine import errata_json

        click.echo(errata_json(result.results, corrections, uses).decode("utf-8"), nl=False)
    else:
        from verify.report.errata import errata_text

        click.echo(errata_text(result.results, corrections, uses, checked))
    return OK if result.ok else FAILED


def _on_terminal() -> bool:
    return sys.stdout.isatty()
