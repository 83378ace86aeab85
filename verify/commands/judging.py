"""``verify power`` and ``compare``: whether the checks notice what is wrong, and what changed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from verify.catalogue import catalogue
from verify.claim import Claim, Road
from verify.commands import FAILED, OK, running
from verify.commands.common import (
    Whole,
    Workers,
    available_roads,
    device_option,
    join,
    require_measuring,
    require_unused,
    resolved_device,
    results_option,
    say,
    seed_option,
    stored,
    whole,
    workers_option,
)
from verify.errors import UsageError
from verify.installed import require
from verify.measuring.context import Profile
from verify.report.terminal.console import report_console
from verify.running.files import require_apart, require_writable, write_atomic
from verify.running.settings import Settings
from verify.typeset.words import counted, flowed

#: Mutants of each stratum that ``power --proofs`` judges unless told otherwise.
_SAMPLE = 60


@click.command("power")
@click.argument("ids", nargs=-1, metavar="[ID|GLOB]...")
@click.option("--json", "json_path", type=click.Path(path_type=Path), help="File, or - for stdout.")
@click.option(
    "--proofs",
    "of_programs",
    is_flag=True,
    help="Mutate the programs of what the kernel proves, not the statements.",
)
@click.option(
    "--sample",
    type=Whole(0),
    help=f"With --proofs: mutants of each stratum, 0 for all.  [default: {_SAMPLE}]",
)
@seed_option
@device_option
@workers_option
def power_command(
    ids: tuple[str, ...],
    json_path: Path | None,
    of_programs: bool,
    sample: int | None,
    seed: int,
    device: str,
    workers: Workers,
) -> int:
    """Run every mutant through the checks; exit 1 if one survives."""
    if of_programs and ids:
        raise UsageError("--proofs: it takes all claims that the kernel proves; drop the ids")
    if sample is not None and not of_programs:
        raise UsageError("--sample: statements are all tried; add --proofs, or drop it")
    to_stdout = json_path == Path("-")
    if json_path is not None and not to_stdout:
        require_writable("--json", json_path)
    if of_programs:
        size = _SAMPLE if sample is None else sample
        if device == "cuda":
            raise UsageError("--device: proofs use none; leave it out, or take cpu")
        if workers.cluster:
            raise UsageError(
                "--workers: mutants of programs are judged on this machine; take a number of processes"
            )
        return _power_of_programs(json_path, size, seed, workers.processes)
    return _power_of_statements(ids, json_path, seed, device, workers)


def _power_of_statements(
    ids: tuple[str, ...], json_path: Path | None, seed: int, device: str, workers: Workers
) -> int:
    from verify.auditing.power import Power, power, power_in_processes
    from verify.report.terminal.power import claim_line, power_text

    registry = catalogue()
    console = report_console(stderr=json_path == Path("-"))
    selected = registry.select(ids)
    registry.require_guests(selected)
    require({road for claim in selected for road in registry.roads(claim.id)}, "power")
    where = resolved_device(device, tuple(Road))
    settings = Settings(seed, device=where, workers=workers.processes, cluster=workers.cluster)
    join(workers, settings.device, console)

    def tell(claim: Claim, found: Power) -> None:
        console.print(claim_line(claim, found))

    if workers.processes:
        found = power_in_processes(registry, selected, settings, tell)
    else:
        found = power(registry, selected, settings.context(registry), tell)
    left_out = [str(fault) for fault in registry.left_out]
    _write(found.as_json() | ({"left_out": left_out} if left_out else {}), json_path)
    for line in power_text(found):
        console.print(line)
    return OK if found.ok else FAILED


def _power_of_programs(json_path: Path | None, size: int, seed: int, workers: int) -> int:
    from verify.auditing.judged import Answer
    from verify.auditing.programs import programs
    from verify.auditing.strata import Mutant
    from verify.report.terminal.programs import programs_text
    from verify.report.terminal.share import ShareDone

    registry = catalogue()
    console = report_console(stderr=json_path == Path("-"))
    with ShareDone(console, "mutants of programs") as shown:

        def tell(mutant: Mutant, answer: Answer, share: float) -> None:
            shown.update(share)

        found = programs(registry, size=size, seed=seed, workers=workers, on_mutant=tell)
    _write(found.as_json(), json_path)
    for line in programs_text(found):
        console.print(line, markup=False, highlight=False)
    if found.interrupted:
        raise KeyboardInterrupt
    return OK if found.ok else FAILED


def _write(found: Mapping[str, Any], json_path: Path | None) -> None:
    from verify.typeset.encoding import encode

    data = encode(found)
    if json_path == Path("-"):
        click.echo(data.decode("utf-8"), nl=False)
    elif json_path is not None:
        write_atomic(json_path, data, option="--json")


@click.command("compare")
@click.argument("baseline", type=click.Path(path_type=Path))
@click.option("--update", is_flag=True, help="Write the baseline instead of comparing.")
@click.option(
    "--markdown",
    type=click.Path(path_type=Path),
    help="A summary for a pull request: a file, or - for stdout.",
)
@results_option
@click.option("--resume", is_flag=True, help="Go on with the run that was interrupted.")
@workers_option
def compare_command(
    baseline: Path,
    update: bool,
    markdown: Path | None,
    results: Path | None,
    resume: bool,
    workers: Workers,
) -> int:
    """Say what changed since a baseline.

    Verdicts, formulas, intervals and speed are compared. Exit status 1 for a change of a verdict, a
    formula or an interval; speed never fails. With --results a stored run is compared
    instead of a new one. Where checks are left without a result nothing is compared, or written.
    """
    from verify.auditing.baseline import Baseline, compare
    from verify.report.compare_markdown import compare_markdown
    from verify.running.runs import RunAtWork

    to_stdout = markdown == Path("-")
    if markdown is not None and update:
        raise UsageError("--markdown: --update compares nothing; drop one")
    require_apart({"BASELINE": baseline, "--results": results, "--markdown": markdown})
    if results is None:  # what is not measured would be told as lost, or kept as never measured
        require_measuring("compare")
    if markdown is not None and not to_stdout:
        require_writable("--markdown", markdown)
    if update:
        require_writable("BASELINE", baseline)
        old = None
    else:
        old = Baseline.read(baseline)
    registry = catalogue()
    if results is not None:
        require_unused("with --results nothing is run", "resume", "workers")
        result = stored(results, registry)
        if not whole(result, report_console(stderr=to_stdout)):
            return FAILED
    else:
        console = report_console(stderr=to_stdout)
        roads = available_roads(tuple(Road), asked=False, console=console)
        checked = [claim for claim in registry if registry.roads(claim.id)]
        settings = Settings(
            seed=old.seed if old else 0,
            profile=old.profile if old else Profile.QUICK,
            device="cpu",
            roads=roads,
            workers=workers.processes,
            cluster=workers.cluster,
        )
        join(workers, settings.device, console)
        checks = running.checks_of(registry, checked, settings)
        with (
            RunAtWork.resumed(settings, checks)
            if resume
            else RunAtWork.begun(settings, checks) as kept
        ):
            result = running.run_with_progress(registry, checked, settings, console, kept)
            if not running.end(kept, result, console):
                return FAILED
    new = Baseline.of(result)
    if old is None:
        write_atomic(baseline, new.encode(), option="BASELINE")
        say(f"{baseline}: baseline of {counted(len(new.claims), 'claim')} written")
        return OK if result.ok else FAILED
    if results is not None:
        old.require_alike(new, results)
    changes = compare(old, new)
    if markdown is not None:
        summary = compare_markdown(changes, new, as_recorded=result.ok)
        if to_stdout:
            click.echo(summary, nl=False)
        else:
            write_atomic(markdown, summary, option="--markdown")
    for change in changes:
        line = flowed(f"{'REGRESSION ' if change.regression else ''}{change}")
        click.echo(line, err=to_stdout)
    click.echo(
        f"{counted(len(changes), 'change')} in {counted(len(new.claims), 'claim')}", err=to_stdout
    )
    return FAILED if not result.ok or any(c.regression for c in changes) else OK
