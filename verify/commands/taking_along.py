"""``verify page`` and ``export``: what a run found as a page, for a paper, as code, as pictures."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from pathlib import Path

import click

from verify.catalogue import catalogue
from verify.claim import Registry, Road
from verify.commands import FAILED, OK
from verify.commands.common import (
    Workers,
    available_roads,
    command_line,
    device_option,
    join,
    require_folder,
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
from verify.report.terminal.console import report_console
from verify.running.files import require_apart, require_writable, write_atomic
from verify.running.runner import RunResult, run
from verify.running.settings import Settings
from verify.typeset.words import counted

#: Formats of an export that are a file a plot.
_PICTURES = ("svg", "png")


@click.command("page")
@click.argument("results", required=False, type=click.Path(path_type=Path))
@click.option("--html", type=click.Path(path_type=Path), required=True, help="Folder for the page.")
@click.option(
    "--power",
    type=click.Path(path_type=Path),
    help="What `verify power --json` wrote; the page then says what became of each mutant.",
)
def page_command(results: Path | None, html: Path, power: Path | None) -> int:
    """Make the page of a run that is over; runs nothing.

    RESULTS is what `verify run --json` wrote; the last results of these sources without it.

    \b
    Examples:
      verify run --json results.json
      verify page results.json --html report
      verify power --json power.json
      verify page results.json --html report --power power.json
    """
    from verify.auditing.power_record import PowerRecord
    from verify.report.page.html import write_page
    from verify.running.kept_results import kept_files

    require_apart({"RESULTS": results, "--power": power, "--html": html / "index.html"})
    registry = catalogue()
    if results is None:
        results = next(kept_files(), None)
    if results is None:
        raise UsageError("RESULTS: no results of these sources are kept; make some: `verify run`")
    found = stored(results, registry, "RESULTS")
    record = None if power is None else PowerRecord.read(power)
    command = command_line()
    path = write_page(found, registry, html, command=command, power=record)
    say(f"{path}: page of {counted(len(found.results), 'claim')} written")
    if not found.ok:
        click.echo("Not all is as recorded; the page begins with what is not.")
    return OK if found.ok else FAILED


@click.command("export")
@click.argument("ids", nargs=-1, metavar="[ID|GLOB]...")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["bibtex", "latex", "python", "markdown", "svg", "png"]),
    required=True,
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("-"),
    help="A file, or - for stdout (the default); a folder for svg and png.",
)
@results_option
@click.option(
    "--pictures", is_flag=True, help="In place of claims, how much fits; measured in minutes."
)
@click.option(
    "--bare", is_flag=True, help="Of a picture title and axes alone; its words in a file beside it."
)
@seed_option
@device_option
@workers_option
def export_command(
    ids: tuple[str, ...],
    format_: str,
    out: Path,
    results: Path | None,
    pictures: bool,
    bare: bool,
    seed: int,
    device: str,
    workers: Workers,
) -> int:
    """Take claims along, as BibTeX, LaTeX, Python, Markdown, pictures.

    BibTeX entries, derived formulas as LaTeX or Python, the state of the papers as Markdown, plots as
    pictures. The claims are run for it (latex and python: by proofs alone), unless --results names the
    file of a run.
    """
    from verify.drawing.rasterise import require_png
    from verify.running.stored_run import chosen

    if pictures and format_ not in _PICTURES:
        raise UsageError(f"--pictures: {format_} is no picture; take --format svg or png")
    if pictures and (ids or results):
        raise UsageError("--pictures: they belong to no claim; leave out ID and --results")
    if bare and format_ not in _PICTURES:
        raise UsageError(f"--bare: {format_} is no picture; take --format svg or png")
    require_apart({"--results": results, "--out": out})
    _require_target(out, format_)
    if format_ == "png":
        require_png("--format")
    if pictures:
        return _export_pictures(out, format_, seed, device, workers, bare=bare)
    registry = catalogue()
    selected = registry.select(ids)
    console = report_console(stderr=True)
    if results is not None:
        require_unused("with --results nothing is run", "seed", "device", "workers")
        found = chosen(stored(results, registry), selected, results)
        day = date.fromtimestamp(results.stat().st_mtime)
    else:
        roads = (Road.PROOFS,) if format_ in ("latex", "python") else tuple(Road)
        roads = available_roads(roads, asked=False, console=console)
        where = resolved_device(device, roads)
        join(workers, where, console)
        settings = Settings(
            seed=seed,
            device=where,
            roads=roads,
            workers=workers.processes,
            cluster=workers.cluster,
        )
        with console.status("running the claims"):
            found = run(registry, selected, settings)
        if not whole(found, console):
            console.print("Nothing is written.")
            return FAILED
        day = date.today()
    for line in _exported(found, day, registry, format_, out, bare=bare):
        console.print(line)
    return OK if found.ok else FAILED


def _export_pictures(
    out: Path, format_: str, seed: int, device: str, workers: Workers, *, bare: bool
) -> int:
    """Measure how much fits, and write each picture of it."""
    from verify.capacity.pictures import pictures
    from verify.report.exports.pictures import pictures_png, pictures_svg
    from verify.report.terminal.share import ShareDone

    require_measuring("--pictures")
    console, where = report_console(stderr=True), resolved_device(device, (Road.NUMERICS,))
    join(workers, where, console)
    with ShareDone(console, "pictures") as shown:
        found = pictures(
            seed=seed,
            workers=workers.processes,
            progress=shown.update,
            device=where,
            cluster=workers.cluster,
        )
    drawn = pictures_svg if format_ == "svg" else pictures_png
    files = drawn(found, bare=bare)
    for name, content in files.items():
        write_atomic(out / name, content, option="--out")
    console.print(f"{out}: {_many(files, 'picture', format_)} written")
    return OK


def _many(files: Iterable[str], noun: str, format_: str) -> str:
    """How many pictures there are among files, by their names; captions stand beside them."""
    return counted(sum(name.endswith(format_) for name in files), noun)


def _require_target(out: Path, format_: str) -> None:
    """UsageError if nothing could be written to *out*, before any work is done for it."""
    folder = format_ in _PICTURES
    if folder and out == Path("-"):
        raise UsageError(f"--out: {format_} writes a file a plot; name a folder")
    if folder:
        require_folder(out, "--out", f"plot.{format_}")
    elif out != Path("-"):
        require_writable("--out", out)


def _exported(
    run: RunResult, day: date, registry: Registry, format_: str, out: Path, *, bare: bool
) -> list[str]:
    """Write the export of a run of that *day*; what there is to say of it."""
    from verify.report.exports.bibtex import bibtex
    from verify.report.exports.formulas import derived_formulas, formulas_latex, formulas_python
    from verify.report.exports.png import plots_png
    from verify.report.exports.svg import plots_svg
    from verify.report.state import state_page

    if format_ in _PICTURES:
        drawn = plots_svg if format_ == "svg" else plots_png
        files = [item for result in run.results for item in drawn(result, bare=bare).items()]
        if not files:
            raise UsageError("ID: none of these claims has a measured case to draw; take others")
        for name, content in files:
            write_atomic(out / name, content, option="--out")
        return [f"{out}: {_many(dict(files), 'plot', format_)} written"]
    notes = []
    if format_ == "bibtex":
        text = bibtex(run, registry)
    elif format_ == "markdown":
        text = state_page(run, day, registry)
    else:
        formulas, without = derived_formulas(run.results)
        if not formulas:
            one = run.results[0].claim.id if run.results else "ID"
            raise UsageError(
                "ID: none of these claims has a derived formula; "
                f"`verify export --format {format_}` without ID takes all that have one, "
                f"`verify show {one} --latex` gives a claim without"
            )
        python = format_ == "python"
        text = formulas_python(formulas) if python else formulas_latex(formulas)
        left_out = f"; {counted(without, 'claim')} without one left out" if without else ""
        notes.append(f"{counted(len(formulas), 'formula')}{left_out}")
    if out == Path("-"):
        click.echo(text, nl=False)
    else:
        write_atomic(out, text, option="--out")
        notes.append(f"written to {out}")
    return notes
