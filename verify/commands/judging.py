"""``verify power`` and ``compare``: whether the checks notice what is wrong, and what changed."""

from __future__ import annotations

from pathlib import Path

import click

from verify.catalogue import catalogue
from verify.claim import Claim, Road
from verify.commands import FAILED, OK, running
from verify.commands.common import available_roads, results_option, seed_option, workers_option
from verify.errors import UsageError
from verify.measuring.context import Profile
from verify.report.terminal.console import report_console
from verify.running.files import require_writable, write_atomic
from verify.running.settings import Settings
from verify.typeset.words import counted, flowed


@click.command("power")
@click.argument("ids", nargs=-1, metavar="[ID|GLOB]...")
@click.option("--json", "json_path", type=click.Path(path_type=Path), help="File, or - for stdout.")
@seed_option
@workers_option
def power_command(ids: tuple[str, ...], json_path: Path | None, seed: int, workers: int) -> int:
    """Run every mutant through the checks; exit 1 if one survives."""
    from verify.auditing.power import Power, power, power_in_processes
    from verify.report.terminal.power import claim_line, power_text
    from verify.typeset.encoding import encode

    to_stdout = json_path == Path("-")
    if json_path is not None and not to_stdout:
        require_writable("--json", json_path)
    registry = catalogue()
    console = report_console(stderr=to_stdout)
    selected, settings = registry.select(ids), Settings(seed=seed, workers=workers)

    def tell(claim: Claim, found: Power) -> None:
        console.print(claim_line(claim, found))

    if workers:
        found = power_in_processes(registry, selected, settings, tell)
    else:
        found = power(registry, selected, settings.context(registry), tell)
    data = encode(found.as_json())
    if to_stdout:
        click.echo(data.decode("utf-8"), nl=False)
    elif json_path is not None:
        write_atomic(json_path, data)
    for line in power_text(found):
        console.print(line)
    return OK if found.ok else FAILED


@click.command("compare")
@click.argument("baseline", type=click.Path(path_type=Path))
@click.option("--update", is_flag=True, help="Write the baseline instead of comparing.")
@click.option(
    "--markdown",
    type=click.Path(path_type=Path),
    help="A summary for a pull request: a file, or - for stdout.",
)
@results_option
@workers_option
def compare_command(
    baseline: Path, update: bool, markdown: Path | None, results: Path | None, workers: int
) -> int:
    """Say what changed since a baseline.

    Verdicts, formulas, intervals and speed are compared. Exit status 1 for a change of a verdict, a
    formula or an interval; speed never fails. With --results a stored run is compared
    instead of a new one.
    """
    from verify.auditing.baseline import Baseline, compare
    from verify.report.compare_markdown import compare_markdown
    from verify.running.stored_run import read_run

    to_stdout = markdown == Path("-")
    if markdown is not None and update:
        raise UsageError("--markdown: --update compares nothing; drop one")
    if markdown is not None and not to_stdout:
        require_writable("--markdown", markdown)
    if update:
        require_writable("BASELINE", baseline)
        old = None
    else:
        old = Baseline.read(baseline)
    registry = catalogue()
    if results is not None:
        result = read_run(results, registry)
    else:
        console = report_console(stderr=to_stdout)
        roads = available_roads(tuple(Road), asked=False, console=console)
        checked = [claim for claim in registry if registry.roads(claim.id)]
        settings = Settings(
            seed=old.seed if old else 0,
            profile=old.profile if old else Profile.QUICK,
            device="cpu",
            roads=roads,
            workers=workers,
        )
        result = running.run_with_progress(registry, checked, settings, console, resume=False)
    new = Baseline.of(result)
    if old is None:
        write_atomic(baseline, new.encode())
        click.echo(f"{baseline}: baseline of {counted(len(new.claims), 'claim')} written")
        return OK if result.ok else FAILED
    if results is not None:
        old.require_alike(new, results)
    changes = compare(old, new)
    if markdown is not None:
        summary = compare_markdown(changes, new, as_recorded=result.ok)
        if to_stdout:
            click.echo(summary, nl=False)
        else:
            write_atomic(markdown, summary)
    for change in changes:
        line = flowed(f"{'REGRESSION ' if change.regression else ''}{change}")
        click.echo(line, err=to_stdout)
    click.echo(
        f"{counted(len(changes), 'change')} in {counted(len(new.claims), 'claim')}", err=to_stdout
    )
    return FAILED if not result.ok or any(c.regression for c in changes) else OK
