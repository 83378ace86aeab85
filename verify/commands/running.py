"""``verify run``: checks with progress, an interrupt that loses nothing, and the reports."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console

from verify.catalogue import catalogue
from verify.catalogue.sections import lost
from verify.claim import Check, Claim, Evidence, Registry, Road
from verify.commands import FAILED, OK
from verify.commands.common import (
    HERE,
    Real,
    Workers,
    available_roads,
    command_line,
    device_option,
    join,
    require_folder,
    require_unused,
    resolved_device,
    seed_option,
    who_helps,
    whole,
    workers_option,
)
from verify.errors import UsageError
from verify.measuring.context import Profile
from verify.report.terminal.claims import results_table
from verify.report.terminal.console import report_console
from verify.running.files import require_apart, require_writable, write_atomic
from verify.running.runner import RunResult, run
from verify.running.runs import RunAtWork
from verify.running.settings import Settings
from verify.typeset.words import counted

if TYPE_CHECKING:
    from verify.capacity.pictures import Pictures


@click.command("run")
@click.argument("ids", nargs=-1, metavar="[ID|GLOB]...")
@click.option("--road", "roads", type=click.Choice([str(r) for r in Road]), multiple=True)
@click.option("--profile", type=click.Choice([str(p) for p in Profile]), default="quick")
@seed_option
@device_option
@workers_option
@click.option("--json", "json_path", type=click.Path(path_type=Path), help="File, or - for stdout.")
@click.option("--html", type=click.Path(path_type=Path), help="Folder for the page.")
@click.option("--junit", type=click.Path(path_type=Path), help="File for JUnit XML.")
@click.option(
    "--budget",
    type=Real(),
    help="What each paper may err, in place of its own error budget: the probability that any "
    "statistical verdict of it is wrong.",
)
@click.option("--dry-run", is_flag=True, help="Show what would be measured, and how much of it.")
@click.option("--resume", is_flag=True, help="Go on with the run that was interrupted.")
@click.option("--record", is_flag=True, help="Put the proofs on record that were found.")
def run_command(
    ids: tuple[str, ...] = (),
    roads: tuple[str, ...] = (),
    profile: str = "quick",
    seed: int = 0,
    device: str = "auto",
    workers: Workers = HERE,
    json_path: Path | None = None,
    html: Path | None = None,
    junit: Path | None = None,
    budget: float | None = None,
    dry_run: bool = False,
    resume: bool = False,
    record: bool = False,
) -> int:
    """Run claims and report their verdicts.

    Claims are given by id or glob; all by default. A proof that is not the one on record, by its lines,
    their regions and rules and what it takes on trust, fails as a verdict does that is not as recorded.
    With --record these proofs are the record from then on: a paper's proofs.json.
    """
    from verify.auditing.kept_proofs import other_proofs, proof_records

    useless = {
        "--html": html is not None,
        "--junit": junit is not None,
        "--resume": resume,
        "--record": record,
    }
    for option in (name for name, given in useless.items() if dry_run and given):
        raise UsageError(
            f"{option}: a --dry-run has no verdicts to report or to go on with; drop one"
        )
    chosen = tuple(road for road in Road if road in roads) or tuple(Road)
    to_stdout = json_path == Path("-")
    console = report_console(stderr=to_stdout)
    page = None if html is None else html / "index.html"
    require_apart({"--json": json_path, "--junit": junit, "--html": page})
    for option, path in (("--json", None if to_stdout else json_path), ("--junit", junit)):
        if path is not None:
            require_writable(option, path)
    if html is not None:
        from verify.report.page.html import require_own

        require_folder(html, "--html", "index.html")
        require_own(html / "index.html")  # before a run of minutes, not after it
    if record and Road.PROOFS not in chosen:
        raise UsageError("--record: proofs are found on the road proofs; add --road proofs")
    chosen = available_roads(chosen, asked=bool(roads), console=console)
    registry = catalogue()
    selected = registry.select(ids)
    settings = Settings(
        seed,
        Profile(profile),
        resolved_device(device, chosen),
        chosen,
        workers.processes,
        budget,
        cluster=workers.cluster,
    )
    if dry_run:
        require_unused("a --dry-run asks nobody else", "workers")
        return _plan(registry, selected, settings, console, json_path)
    join(workers, settings.device, console)
    checks = checks_of(registry, selected, settings)
    other_proofs(
        registry, dict.fromkeys((claim.id for claim in selected), None)
    )  # they can be read
    with (
        RunAtWork.resumed(settings, checks) if resume else RunAtWork.begun(settings, checks) as kept
    ):
        result = run_with_progress(registry, selected, settings, console, kept)
        if not ids:
            result.missing = lost(registry)
        if record:
            _record(registry, result, console)
        result.other_proofs = other_proofs(registry, proof_records(result))
        wanted = html is not None and not ids and settings.full
        pictures, all_drawn = _pictures(settings, console) if wanted else (None, True)
        _report(result, registry, console, json_path, html, junit, pictures)
        end(kept, result, console)
    if not all_drawn:
        raise KeyboardInterrupt
    return OK if result.ok else FAILED


def end(kept: RunAtWork, result: RunResult, console: Console) -> bool:
    """A run that is reported is forgotten but for its results, unless checks can be run again; whether
    each has a result. Those that have none are named."""
    from verify.report.machine import run_json
    from verify.running.kept_results import keep_results

    if not result.lost:
        keep_results(run_json(result), result)
    kept.reported(whole=not result.lost)
    found_all = whole(result, console)
    if not found_all and kept.keeps:
        console.print(
            f"{counted(len(result.lost), 'check')} without a result: the same command with --resume "
            "runs what is missing, and nothing else."
        )
    return found_all


def _record(registry: Registry, result: RunResult, console: Console) -> None:
    """Put the proofs of a run on record, but those of claims whose verdict is not as recorded."""
    from verify.auditing.kept_proofs import proofs_path, with_proofs
    from verify.auditing.proof_record import proof_record

    found = {r.claim.id: it for r in result.results if r.ok and (it := proof_record(r)) is not None}
    for paper in registry.papers.values():
        own = {id_: it for id_, it in found.items() if registry.paper_of(id_) is paper}
        if not own or not paper.package:
            continue
        path, content = proofs_path(paper), with_proofs(paper, registry, own)
        if not path.is_file() or path.read_bytes() != content:
            write_atomic(path, content)
            console.print(f"{path} written")


def _plan(
    registry: Registry,
    selected: list[Claim],
    settings: Settings,
    console: Console,
    json_path: Path | None,
) -> int:
    """Show the plan instead of running it."""
    from verify.auditing.plan import plan_of
    from verify.report.terminal.plan import plan_json, plan_table

    with console.status("a pilot of every measurement"):
        found = plan_of(registry, selected, settings)
    if json_path == Path("-"):
        click.echo(plan_json(found).decode("utf-8"), nl=False)
    elif json_path is not None:
        write_atomic(json_path, plan_json(found), option="--json")
    plan_table(found, console)
    return OK


def checks_of(registry: Registry, selected: list[Claim], settings: Settings) -> list[Check]:
    """The checks of a run: of the selected claims and of what they rest on."""
    claims = registry.with_uses(selected)
    return [check for claim in claims for check in registry.checks(claim.id, settings.roads)]


def run_with_progress(
    registry: Registry, selected: list[Claim], settings: Settings, console: Console, kept: RunAtWork
) -> RunResult:
    """Run with progress; on an interrupt the finished checks stay, and the way on is printed."""
    from verify.report.terminal.progress import Progress

    checks, known = kept.checks, kept.known
    settings = replace(settings, keep=kept.samples)
    done = len(known)

    def error(check: Check) -> float:
        return check.shares * settings.budget_of(registry, check.claim).share

    shown = Progress(
        console,
        len(checks) - len(known),
        budget=math.fsum(settings.budgets(registry, checks).values()),
        error=error,
        spent=math.fsum(error(check) for check in checks if check.key in known),
        helped=partial(who_helps, settings),
    )
    with shown as progress:

        def finished(check: Check, evidence: Evidence) -> None:
            nonlocal done
            done += 1
            kept.add(check, evidence)
            progress.finished(check, evidence)

        try:
            return run(
                registry,
                selected,
                settings,
                known=known,
                on_evidence=finished,
                on_start=progress.started,
            )
        except KeyboardInterrupt:
            if kept.keeps:
                way_on = "are finished and kept. The same command with --resume goes on from here."
            elif kept.samples is None:
                way_on = "were finished; nothing could be kept, the cache folder is not writable."
            else:
                way_on = "were finished; not all could be kept, the disk is full or not writable."
            console.print(f"Interrupted: {done} of {len(checks)} checks {way_on}")
            raise


def _pictures(settings: Settings, console: Console) -> tuple[Pictures | None, bool]:
    """The pictures of the page, and whether they were left to end; none after an interrupt."""
    from verify.capacity.pictures import pictures
    from verify.report.terminal.share import ShareDone

    with ShareDone(console, "pictures of the page") as shown:
        try:
            found = pictures(
                seed=settings.seed,
                workers=settings.workers,
                progress=shown.update,
                device=settings.device,
                cluster=settings.cluster,
            )
        except KeyboardInterrupt:
            console.print("Interrupted: the reports are written, the page without its pictures.")
            return None, False
        except ChildProcessError as error:
            console.print(f"The page is without its pictures: {error}.")
            return None, True
    return found, True


def _report(
    result: RunResult,
    registry: Registry,
    console: Console,
    json_path: Path | None,
    html: Path | None,
    junit: Path | None,
    pictures: Pictures | None,
) -> None:
    page = None
    if html is not None:
        from verify.capacity.pictures import Pictures
        from verify.report.page.html import write_page

        command, drawn = command_line(), pictures or Pictures()
        page = write_page(result, registry, html, command=command, pictures=drawn)
    if json_path is not None:
        from verify.report.machine import run_json

        data = run_json(result)
        if json_path == Path("-"):
            click.echo(data.decode("utf-8"), nl=False)
        else:
            write_atomic(json_path, data, option="--json")
    if junit is not None:
        from verify.report.junit import junit_xml

        write_atomic(junit, junit_xml(result), option="--junit")
    results_table(result, console, page=page)
