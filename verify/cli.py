"""The command line: ``verify`` and its subcommands, with the exit statuses of the contract.

0 as recorded; 1 a verdict of the wrong polarity, a conflict, an error, a surviving mutant or a
regression; 2 bad usage or bad input; 3 interrupted, or the program itself broke.
"""

from __future__ import annotations

import io
import os
import sys
import traceback
from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console

from verify import __version__
from verify.catalogue import catalogue
from verify.claim import Check, Claim, Evidence, Registry, Road
from verify.claims import missing
from verify.context import DEFAULT_BUDGET, Profile
from verify.errors import CatalogueError, UsageError
from verify.files import require_writable, write_atomic
from verify.report.terminal import claim_page, list_table, report_console, results_table
from verify.report.text import counted
from verify.runner import RunResult, run
from verify.settings import Settings
from verify.verdict import Verdict

if TYPE_CHECKING:
    from verify.pictures import Pictures

OK, FAILED, USAGE, BROKEN = 0, 1, 2, 3

#: Where a plain ``verify`` puts its page.
DEFAULT_PAGE = Path("verify-report")


def main() -> None:
    """Entry point of the console script: every outcome ends in an exit status of the contract."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a narrow encoding loses no line
    try:
        status = cli.main(standalone_mode=False)
    except click.exceptions.Exit as stop:
        status = stop.exit_code
    except click.ClickException as error:
        error.show()
        status = USAGE
    except UsageError as error:
        click.echo(f"verify: {error}", err=True)
        status = USAGE
    except CatalogueError as error:
        click.echo(f"verify: the catalogue is not sound: {error}", err=True)
        status = FAILED
    except (KeyboardInterrupt, click.Abort):
        click.echo("verify: interrupted", err=True)
        status = BROKEN
    except BrokenPipeError:  # the reader of a pipe has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = BROKEN
    except OSError as error:
        click.echo(f"verify: {error.strerror or error}: {error.filename or 'output'}", err=True)
        status = BROKEN
    except Exception:
        traceback.print_exc()
        click.echo("verify: the program broke; this is a bug, please report it", err=True)
        status = BROKEN
    sys.exit(status if isinstance(status, int) else OK)


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="verify")
@click.pass_context
def cli(ctx: click.Context) -> int:
    """Verify the papers' claims on factual recall, each on up to three independent roads.

    Without a command: run every claim, quick profile, and write a page to verify-report/.
    """
    if ctx.invoked_subcommand is None:
        return int(ctx.invoke(run_command, html=DEFAULT_PAGE))
    return OK


# -- run -----------------------------------------------------------------------------------------


@cli.command("run")
@click.argument("ids", nargs=-1, metavar="[ID|GLOB]...")
@click.option("--road", "roads", type=click.Choice([str(r) for r in Road]), multiple=True)
@click.option("--profile", type=click.Choice([str(p) for p in Profile]), default="quick")
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), default=0, show_default=True)
@click.option("--device", type=click.Choice(["auto", "cpu", "cuda"]), default="auto")
@click.option("--workers", type=click.IntRange(0), default=2, help="Processes; 0 for none.")
@click.option("--json", "json_path", type=click.Path(path_type=Path), help="File, or - for stdout.")
@click.option("--html", type=click.Path(path_type=Path), help="Folder for the page.")
@click.option("--junit", type=click.Path(path_type=Path), help="File for JUnit XML.")
@click.option(
    "--budget",
    type=float,
    default=DEFAULT_BUDGET,
    show_default=True,
    help="Probability that any statistical verdict of a run of everything is wrong.",
)
@click.option("--dry-run", is_flag=True, help="Show what would be measured, and how much of it.")
@click.option("--resume", is_flag=True, help="Go on with the run that was interrupted.")
def run_command(
    ids: tuple[str, ...] = (),
    roads: tuple[str, ...] = (),
    profile: str = "quick",
    seed: int = 0,
    device: str = "auto",
    workers: int = 2,
    json_path: Path | None = None,
    html: Path | None = None,
    junit: Path | None = None,
    budget: float = DEFAULT_BUDGET,
    dry_run: bool = False,
    resume: bool = False,
) -> int:
    """Run claims by id or glob (all by default) and report their verdicts."""
    useless = {"--html": html is not None, "--junit": junit is not None, "--resume": resume}
    for option in (name for name, given in useless.items() if dry_run and given):
        raise UsageError(
            f"{option}: a --dry-run has no verdicts to report or to go on with; drop one"
        )
    chosen = tuple(Road(road) for road in roads) or tuple(Road)
    to_stdout = json_path == Path("-")
    console = report_console(stderr=to_stdout)
    for option, path in (("--json", None if to_stdout else json_path), ("--junit", junit)):
        if path is not None:
            require_writable(option, path)
    if html is not None:
        from verify.report.html import require_own

        _require_folder(html, "--html", "index.html")
        require_own(html / "index.html")  # before a run of minutes, not after it
    chosen = _available(chosen, asked=bool(roads), console=console)
    registry = catalogue()
    selected = registry.select(ids)
    settings = Settings(seed, Profile(profile), _device(device, chosen), chosen, workers, budget)
    if dry_run:
        return _plan(registry, selected, settings, console, json_path)
    result = _run(registry, selected, settings, console, resume=resume)
    if not ids:
        result.missing = missing(registry)
    wanted = html is not None and not ids and settings.full
    pictures, whole = _pictures(settings, console) if wanted else (None, True)
    _report(result, registry, console, json_path, html, junit, pictures)
    if not whole:
        raise KeyboardInterrupt
    return OK if result.ok else FAILED


def _plan(
    registry: Registry,
    selected: list[Claim],
    settings: Settings,
    console: Console,
    json_path: Path | None,
) -> int:
    """Show the plan instead of running it."""
    from verify.plan import plan_of
    from verify.report.plan import plan_json, plan_table

    with console.status("a pilot of every measurement"):
        found = plan_of(registry, selected, settings)
    if json_path == Path("-"):
        click.echo(plan_json(found).decode("utf-8"), nl=False)
    elif json_path is not None:
        write_atomic(json_path, plan_json(found))
    plan_table(found, console)
    return OK


def _require_folder(folder: Path, option: str, name: str) -> None:
    """UsageError if no file *name* could be written in *folder*, which is made."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"{option}: cannot make the folder {folder}: {error.strerror}; choose another"
        ) from None
    require_writable(option, folder / name)


def _available(roads: tuple[Road, ...], *, asked: bool, console: Console) -> tuple[Road, ...]:
    """The roads that can run here; the properties road needs hypothesis."""
    if Road.PROPERTIES not in roads or find_spec("hypothesis"):
        return roads
    remedy = "pip install 'recallproof[test]'"
    if asked:
        raise UsageError(f"--road: properties needs the package hypothesis; {remedy}")
    console.print(f"The properties road is left out: hypothesis is missing ({remedy}).")
    return tuple(road for road in roads if road is not Road.PROPERTIES)


def _device(name: str, roads: tuple[Road, ...]) -> str:
    """The device by its real name; torch is asked only where something is measured."""
    if name == "cpu" or set(roads) == {Road.PROOFS}:
        return "cpu"
    from numerics import InputError, resolve_device

    try:
        return str(resolve_device(name))
    except InputError as error:
        raise UsageError(f"--device: {error}") from None


def _run(
    registry: Registry,
    selected: list[Claim],
    settings: Settings,
    console: Console,
    *,
    resume: bool,
) -> RunResult:
    """Run with progress; on an interrupt the finished checks stay, and the way on is printed."""
    from verify.report.progress import Progress
    from verify.resume import Unfinished

    unfinished = Unfinished()
    checks = [
        check
        for claim in registry.with_uses(selected)
        for check in registry.checks(claim.id, settings.roads)
    ]
    keys = {check.key for check in checks}
    stored = unfinished.load(settings) if resume else {}
    known = {key: item for key, item in stored.items() if key in keys}
    kept = unfinished.begin(settings, keep=resume)
    settings = replace(settings, keep=unfinished.samples, resume=resume)
    done = len(known)

    with Progress(console, len(checks) - len(known)) as progress:

        def finished(check: Check, evidence: Evidence) -> None:
            nonlocal done
            done += 1
            unfinished.add(check, evidence)
            progress.finished(check, evidence)

        try:
            result = run(
                registry,
                selected,
                settings,
                known=known,
                on_evidence=finished,
                on_start=progress.started,
            )
        except KeyboardInterrupt:
            if kept and unfinished.path is not None:
                way_on = "are finished and kept. The same command with --resume goes on from here."
            else:
                way_on = "were finished; nothing could be kept, the cache folder is not writable."
            console.print(f"Interrupted: {done} of {len(checks)} checks {way_on}")
            raise
    unfinished.end(keys)
    return result


def _pictures(settings: Settings, console: Console) -> tuple[Pictures | None, bool]:
    """The pictures of the page, and whether they were left to end; none after an interrupt."""
    from verify.pictures import pictures
    from verify.report.share import ShareDone

    with ShareDone(console, "pictures of the page") as shown:
        try:
            found = pictures(seed=settings.seed, workers=settings.workers, progress=shown.update)
        except KeyboardInterrupt:
            console.print("Interrupted: the reports are written, the page without its pictures.")
            return None, False
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
        from verify.pictures import Pictures
        from verify.report.html import write_page

        command, drawn = " ".join(["verify", *sys.argv[1:]]), pictures or Pictures()
        page = write_page(result, registry, html, command=command, pictures=drawn)
    if json_path is not None:
        from verify.report.machine import run_json

        data = run_json(result, __version__)
        if json_path == Path("-"):
            click.echo(data.decode("utf-8"), nl=False)
        else:
            write_atomic(json_path, data)
    if junit is not None:
        from verify.report.junit import junit_xml

        write_atomic(junit, junit_xml(result))
    results_table(result, console, page=page)


# -- reading -------------------------------------------------------------------------------------


@cli.command("list")
@click.option("--json", "as_json", is_flag=True, help="Machine-readable.")
def list_command(as_json: bool) -> int:
    """List all claims: ids, titles, sources, recorded verdicts."""
    registry = catalogue()
    if as_json:
        from verify.report.machine import list_json

        click.echo(list_json(registry).decode("utf-8"), nl=False)
    else:
        list_table(list(registry), report_console())
    return OK


@cli.command("show")
@click.argument("id_", metavar="ID")
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), default=0, show_default=True)
@click.option("--latex", is_flag=True, help="Statement, verdict and correction for a paper.")
def show_command(id_: str, seed: int, latex: bool) -> int:
    """Show one claim: statement, source, derivation, evidence, counterexample, correction."""
    registry = catalogue()
    claim = registry[id_]
    console = report_console(stderr=latex)
    roads = _available(tuple(Road), asked=False, console=console)
    corrections = [registry[claim.correction]] if latex and claim.correction else []
    result = run(registry, [claim, *corrections], Settings(seed=seed, roads=roads, workers=0))
    if latex:
        from verify.report.exports.latex import claim_latex

        shown, *others = result.results
        click.echo(claim_latex(shown, others[0] if others else None), nl=False)
    else:
        claim_page(result.results[0], console)
    return OK if result.ok else FAILED


@cli.command("export")
@click.argument("ids", nargs=-1, metavar="[ID|GLOB]...")
@click.option(
    "--format", "format_", type=click.Choice(["bibtex", "latex", "python", "svg"]), required=True
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("-"),
    help="A file, or - for stdout (the default); a folder for svg.",
)
@click.option(
    "--results", type=click.Path(path_type=Path), help="Of `verify run --json`; runs none."
)
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), default=0, show_default=True)
@click.option("--workers", type=click.IntRange(0), default=2, help="Processes; 0 for none.")
def export_command(
    ids: tuple[str, ...],
    format_: str,
    out: Path,
    results: Path | None,
    seed: int,
    workers: int,
) -> int:
    """Take claims along: BibTeX entries, derived formulas as LaTeX or Python, plots as SVG.

    The claims are run for it (latex and python: by proofs alone), unless --results names the file
    of a run.
    """
    from verify.stored_run import chosen, read_run

    _require_target(out, folder=format_ == "svg")
    registry = catalogue()
    selected = registry.select(ids)
    console = report_console(stderr=True)
    if results is not None:
        found = chosen(read_run(results, registry), selected, results)
    else:
        roads = (Road.PROOFS,) if format_ in ("latex", "python") else tuple(Road)
        roads = _available(roads, asked=False, console=console)
        settings = Settings(seed=seed, roads=roads, workers=workers)
        with console.status("running the claims"):
            found = run(registry, selected, settings)
    for line in _exported(found, format_, out):
        console.print(line)
    return OK if found.ok else FAILED


def _require_target(out: Path, *, folder: bool) -> None:
    """UsageError if nothing could be written to *out*, before any work is done for it."""
    if folder and out == Path("-"):
        raise UsageError("--out: svg writes a file a plot; name a folder")
    if folder:
        _require_folder(out, "--out", "plot.svg")
    elif out != Path("-"):
        require_writable("--out", out)


def _exported(run: RunResult, format_: str, out: Path) -> list[str]:
    """Write the export; what there is to say of it."""
    from verify.report.exports.bibtex import bibtex
    from verify.report.exports.formulas import derived_formulas, formulas_latex, formulas_python
    from verify.report.exports.svg import plots_svg

    if format_ == "svg":
        files = [item for result in run.results for item in plots_svg(result).items()]
        if not files:
            raise UsageError("ID: none of these claims has a measured case to draw; take others")
        for name, content in files:
            write_atomic(out / name, content)
        return [f"{out}: {counted(len(files), 'plot')} written"]
    notes = []
    if format_ == "bibtex":
        text = bibtex(run)
    else:
        formulas, without = derived_formulas(run.results)
        if not formulas:
            raise UsageError("ID: none of these claims has a derived formula; take others")
        python = format_ == "python"
        text = formulas_python(formulas, __version__) if python else formulas_latex(formulas)
        left_out = f"{counted(without, 'claim')} without one left out"
        notes.append(f"{counted(len(formulas), 'formula')}; {left_out}")
    if out == Path("-"):
        click.echo(text, nl=False)
    else:
        write_atomic(out, text)
        notes.append(f"written to {out}")
    return notes


@cli.command("errata")
@click.argument("ids", nargs=-1, metavar="[ID|GLOB]...")
@click.option("--format", "format_", type=click.Choice(["markdown", "json"]), default="markdown")
def errata_command(ids: tuple[str, ...], format_: str) -> int:
    """What is false as printed (all by default): statement, counterexample, correction."""
    registry = catalogue()
    false = [claim for claim in registry.select(ids) if claim.recorded is Verdict.REFUTED]
    if ids and not false:
        raise UsageError("ID: none of these claims is recorded as refuted; take others")
    settings = Settings(roads=(Road.PROOFS,), workers=0)
    result = run(registry, false, settings)
    corrections = {c.correction: registry[c.correction] for c in false if c.correction}
    if format_ == "json":
        from verify.report.machine import errata_json

        click.echo(errata_json(result.results, corrections).decode("utf-8"), nl=False)
    else:
        from verify.report.errata import errata_text

        click.echo(errata_text(result.results, corrections))
    return OK if result.ok else FAILED


# -- judging the checks, sizes, regressions ------------------------------------------------------


@cli.command("power")
@click.argument("ids", nargs=-1, metavar="[ID|GLOB]...")
@click.option("--json", "json_path", type=click.Path(path_type=Path), help="File, or - for stdout.")
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), default=0, show_default=True)
@click.option("--workers", type=click.IntRange(0), default=2, help="Processes; 0 for none.")
def power_command(ids: tuple[str, ...], json_path: Path | None, seed: int, workers: int) -> int:
    """Run every mutant through the checks; exit 1 if one survives."""
    from verify.power import Power, power, power_in_processes
    from verify.report.machine import encode
    from verify.report.power import claim_line, power_text

    to_stdout = json_path == Path("-")
    if json_path is not None and not to_stdout:
        require_writable("--json", json_path)
    registry = catalogue()
    console = report_console(stderr=to_stdout)
    selected, settings = registry.select(ids), Settings(seed=seed, workers=workers)

    def tell(claim: Claim, found: Power) -> None:
        console.print(claim_line(claim, found))

    if workers:
        found = power_in_processes(selected, settings, tell)
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


def _sizes(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options for the sizes of a memory."""
    factors = click.Choice(["gaussian", "orthonormal"])
    more = (
        click.option("--bits", "size_bits", type=int, help="Bits of a quantized weight."),
        click.option("--step", "size_step", help="Spacing of quantized weights; 1/(8 d) if none."),
        click.option(
            "--k", "size_k", type=int, help="Degree of the features of an mlp; 2 if none."
        ),
        click.option("--factors", "size_factors", type=factors, help="Of a low-rank memory."),
    )
    for option in reversed(more):
        command = option(command)
    for name in reversed(("d", "N", "M", "m", "S", "R", "D")):
        command = click.option(f"--{name}", f"size_{name}", type=int)(command)
    return command


def _fact_sizes(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options for the sizes that only the constructions for facts have."""
    for option in (
        click.option("--noise", "size_noise", type=int, help="Noise tokens; S + R if none."),
        click.option("--d-h", "size_d_h", type=int, help="Head dimension."),
    ):
        command = option(command)
    return command


def _given(sizes: dict[str, Any]) -> dict[str, Any]:
    return {k.removeprefix("size_"): v for k, v in sizes.items() if v is not None}


@cli.command("capacity")
@click.argument("memory")
@_sizes
@_fact_sizes
@click.option("--delta", default="1e-3", show_default=True, help="Failure probability, a decimal.")
@click.option("--json", "as_json", is_flag=True, help="Machine-readable.")
def capacity_command(memory: str, delta: str, as_json: bool, **sizes: Any) -> int:
    """How much fits: provable, predicted, measured, and what the bits allow.

    MEMORY is linear (needs --d), low-rank (--d, --m), quantized (--d), mlp (--d, --m), attention
    (--d, --D; --M tokens a head) or attention-mlp (--d, --m, --D). For the last two the number of
    facts S x R is asked for: S at a given --R, R at a given --S, else S = R.
    """
    from verify.capacity import FACT_MEMORIES, capacity, fact_capacity
    from verify.report.machine import encode

    find = fact_capacity if memory in FACT_MEMORIES else capacity
    found = find(memory, _given(sizes), delta)
    if as_json:
        click.echo(encode(found.as_json()).decode("utf-8"), nl=False)
        return OK
    given = ("S", "R") if memory in FACT_MEMORIES else ("N", "M")
    numbers = "".join(f", {n} = {found.sizes[n]}" for n in given if n in found.sizes)
    click.echo(
        f"{found.text}{numbers}, failure probability at most {delta}: largest {found.counted}"
    )
    click.echo(f"  provable   {found.provable if found.provable is not None else 'none known'}")
    click.echo(f"  predicted  {found.predicted}")
    click.echo(f"  bit bound  {found.bit_bound}")
    for name, bits in (found.stored or {}).items():
        if bits is not None:
            click.echo(f"  stored     {bits.words(name)}")
    if found.measured is not None:
        m = found.measured
        low, high = m["interval"]
        place = ", ".join(f"{n} = {m[n]}" for n in ("N", "S", "R") if n in m)
        click.echo(
            f"  measured   at {place}: {m['failures']} of {m['draws']} draws fail, "
            f"P(failure) in [{low:.3g}, {high:.3g}]"
        )
    if found.failure_bound is not None:
        click.echo(f"  P(failure) at these sizes is at most {_rounded_up(found.failure_bound)}")
    for reason in found.reasons:
        click.echo(f"  {reason}")
    return OK


@cli.command("recall")
@click.argument("memory")
@_sizes
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), default=0, show_default=True)
@click.option("--dtype", type=click.Choice(["float32", "float64"]), default="float32")
@click.option("--device", type=click.Choice(["auto", "cpu", "cuda"]), default="auto")
@click.option("--resume", is_flag=True, help="Go on with the same recall that was interrupted.")
@click.option("--json", "as_json", is_flag=True, help="Machine-readable.")
def recall_command(
    memory: str, seed: int, dtype: str, device: str, resume: bool, as_json: bool, **sizes: Any
) -> int:
    """Build one memory and recall all its facts, those in doubt in float64.

    MEMORY and its sizes are those of `verify capacity`; --N must be given.
    """
    from verify.recall import Request, prepare, recall
    from verify.report.machine import encode
    from verify.report.share import ShareDone

    where = _device(device, (Road.NUMERICS,))
    request = Request.read(memory, _given(sizes), seed=seed, dtype=dtype, device=where)
    state = prepare(request, resume=resume)
    console, done = report_console(stderr=as_json), 0
    with ShareDone(console, "facts") as shown:

        def progress(count: int, total: int) -> None:
            nonlocal done
            done = count
            shown.update(count / total)

        try:
            found = recall(request, state, progress)
        except KeyboardInterrupt:
            if state is None:
                way_on = "were decided; nothing could be kept, the cache folder is not writable."
            elif state.exists():
                way_on = "are decided and kept. The same command with --resume goes on from here."
            else:
                way_on = "were decided; the memory was still being built."
            console.print(f"Interrupted: {done} of {request.N} facts {way_on}")
            raise
    if as_json:
        click.echo(encode(found.as_json()).decode("utf-8"), nl=False)
        return OK
    click.echo(f"{request.built.text}, N = {request.N}, M = {request.M}, {dtype}, {where}")
    click.echo(f"  recalled      {found.correct} of {request.N} facts")
    click.echo(f"  least margin  {found.minimum_margin:.6g}")
    click.echo(f"  ties          {found.ties} (counted as lost)")
    click.echo(f"  in doubt      {found.recomputed} facts, decided in float64")
    click.echo(
        f"  time          {found.seconds:.1f} s after {found.build_seconds:.1f} s to build, "
        f"{found.gflops:.0f} GFLOP/s"
    )
    return OK


def _rounded_up(bound: Any) -> str:
    """Three significant digits, never below the bound."""
    from decimal import ROUND_CEILING, Decimal
    from decimal import Context as Decimals

    decimals = Decimals(prec=3, rounding=ROUND_CEILING)
    return str(decimals.divide(Decimal(bound.numerator), Decimal(bound.denominator)))


@cli.command("figure")
@click.argument("name")
@click.option("--scale", type=click.Choice(["quick", "paper"]), default="quick", show_default=True)
@click.option("--out", type=click.Path(path_type=Path), help="An .svg or .json; figure-NAME.svg.")
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), default=0, show_default=True)
def figure_command(name: str, scale: str, out: Path | None, seed: int) -> int:
    """Measure one of the papers' figures and draw it; quick takes seconds, paper its full sizes.

    NAME is 5, the stages of training. After Ctrl-C what was measured is drawn, with status 3.
    """
    from verify.figures import Scale, figure, writer
    from verify.report.figure import figure_table
    from verify.report.share import ShareDone

    chosen = figure(name)
    path = Path(f"figure-{name}.svg") if out is None else out
    write = writer(path)
    require_writable("--out", path)
    console = report_console()
    with ShareDone(console, f"figure {name}") as shown:
        picture = chosen.measure(Scale(scale), seed, shown.update)
    write_atomic(path, write(picture))
    figure_table(picture, path, console)
    if not picture.whole:
        raise KeyboardInterrupt
    return OK


@cli.command("compare")
@click.argument("baseline", type=click.Path(path_type=Path))
@click.option("--update", is_flag=True, help="Write the baseline instead of comparing.")
@click.option(
    "--markdown",
    type=click.Path(path_type=Path),
    help="A summary for a pull request: a file, or - for stdout.",
)
@click.option("--workers", type=click.IntRange(0), default=2)
def compare_command(baseline: Path, update: bool, markdown: Path | None, workers: int) -> int:
    """What changed since a baseline: verdicts, formulas, intervals, speed.

    Exit status 1 for a change of a verdict, a formula or an interval; speed never fails.
    """
    from verify.baseline import Baseline, compare
    from verify.report.compare_markdown import compare_markdown

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
    console = report_console(stderr=to_stdout)
    roads = _available(tuple(Road), asked=False, console=console)
    checked = [claim for claim in registry if registry.checks(claim.id)]
    settings = Settings(
        seed=old.seed if old else 0,
        profile=old.profile if old else Profile.QUICK,
        device="cpu",
        roads=roads,
        workers=workers,
    )
    result = _run(registry, checked, settings, console, resume=False)
    new = Baseline.of(result)
    if old is None:
        write_atomic(baseline, new.encode())
        click.echo(f"{baseline}: baseline of {counted(len(new.claims), 'claim')} written")
        return OK if result.ok else FAILED
    changes = compare(old, new)
    if markdown is not None:
        summary = compare_markdown(changes, new, as_recorded=result.ok)
        if to_stdout:
            click.echo(summary, nl=False)
        else:
            write_atomic(markdown, summary)
    for change in changes:
        click.echo(f"{'REGRESSION ' if change.regression else ''}{change}", err=to_stdout)
    click.echo(
        f"{counted(len(changes), 'change')} in {counted(len(new.claims), 'claim')}", err=to_stdout
    )
    return FAILED if not result.ok or any(c.regression for c in changes) else OK
