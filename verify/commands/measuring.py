"""``verify capacity``, ``recall`` and ``figure``: how much fits, one large memory, one figure."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from verify.claim import Road
from verify.commands import OK
from verify.commands.common import (
    Digits,
    Workers,
    WorkersType,
    device_option,
    join,
    require_measuring,
    resolved_device,
    seed_option,
)
from verify.errors import UsageError
from verify.measuring.draws import Draws, Here
from verify.report.terminal.console import report_console
from verify.running.files import require_writable, write_atomic


def _sizes(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options for the sizes of a memory."""
    factors = click.Choice(["gaussian", "orthonormal"])
    more = (
        click.option("--bits", "size_bits", type=Digits(), help="Bits of a quantized weight."),
        click.option("--step", "size_step", help="Spacing of quantized weights; 1/(8 d) if none."),
        click.option(
            "--k", "size_k", type=Digits(), help="Degree of the features of an mlp; 2 if none."
        ),
        click.option("--factors", "size_factors", type=factors, help="Of a low-rank memory."),
    )
    for option in reversed(more):
        command = option(command)
    for name in reversed(("d", "N", "M", "m", "S", "R", "D")):
        command = click.option(f"--{name}", f"size_{name}", type=Digits())(command)
    return command


def _fact_sizes(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options for the sizes that only the constructions for facts have."""
    for option in (
        click.option("--noise", "size_noise", type=Digits(), help="Noise tokens; S + R if none."),
        click.option("--d-h", "size_d_h", type=Digits(), help="Head dimension."),
    ):
        command = option(command)
    return command


def _given(sizes: dict[str, Any]) -> dict[str, Any]:
    return {k.removeprefix("size_"): v for k, v in sizes.items() if v is not None}


@click.command("capacity")
@click.argument("memory")
@_sizes
@_fact_sizes
@click.option("--delta", default="1e-3", show_default=True, help="Failure probability, a decimal.")
@click.option(
    "--device",
    type=click.Choice(["auto", "cpu", "cuda"]),
    default="auto",
    help="Where memories are drawn.",
)
@click.option(
    "--workers",
    type=WorkersType(),
    help="A cluster that draws, by the address of its scheduler.  [default: this process]",
)
@click.option("--json", "as_json", is_flag=True, help="Machine-readable.")
def capacity_command(
    memory: str,
    delta: str,
    device: str,
    workers: Workers | None,
    as_json: bool,
    **sizes: Any,
) -> int:
    """How much fits: provable, predicted, measured, and by the bits.

    MEMORY is linear (needs --d), low-rank (--d, --m), quantized (--d), mlp (--d, --m), attention
    (--d, --D; --M tokens a head) or attention-mlp (--d, --m, --D). For the last two the number of
    facts S x R is asked for: S at a given --R, R at a given --S, else S = R.
    """
    from verify.capacity import FACT_MEMORIES, capacity, fact_capacity
    from verify.typeset.encoding import encode

    where = resolved_device(device, (Road.NUMERICS,))
    draws = _drawing(workers, where, to_stderr=as_json)
    asked = fact_capacity if memory in FACT_MEMORIES else capacity
    found = asked(memory, _given(sizes), delta, device=where, draws=draws)
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


def _drawing(workers: Workers | None, device: str, *, to_stderr: bool) -> Draws:
    """Who draws: a cluster if one is asked for; UsageError for a number of processes but 0."""
    why = "processes take longer to start than this takes"
    address = _joined(workers, device, why, to_stderr=to_stderr)
    if not address:
        return Here()
    from verify.jobs.draws_away import Away

    return Away(address, device)


def _joined(workers: Workers | None, device: str, why_one: str, *, to_stderr: bool = False) -> str:
    """The address of the cluster that is asked for, once it is joined; empty if none is.

    UsageError for a number of processes but 0, with *why_one* is enough.
    """
    if workers is None or workers == Workers(0):
        return ""
    if not workers.cluster:
        raise UsageError(
            f"--workers: {workers.processes} is a number of processes, and {why_one}; leave it out, or "
            "take the address of a cluster"
        )
    join(workers, device, report_console(stderr=to_stderr))
    return workers.cluster


@click.command("recall")
@click.argument("memory")
@_sizes
@seed_option
@click.option("--dtype", type=click.Choice(["float32", "float64"]), default="float32")
@device_option
@click.option("--resume", is_flag=True, help="Go on with the same recall that was interrupted.")
@click.option("--json", "as_json", is_flag=True, help="Machine-readable.")
def recall_command(
    memory: str, seed: int, dtype: str, device: str, resume: bool, as_json: bool, **sizes: Any
) -> int:
    """Build one memory and recall all its facts.

    Those in doubt are decided in float64. MEMORY and its sizes are those of `verify capacity`; --N
    must be given.
    """
    from verify.capacity.recall import Request, kept_parts, recall
    from verify.report.terminal.share import ShareDone
    from verify.typeset.encoding import encode

    require_measuring("recall")
    where = resolved_device(device, (Road.NUMERICS,))
    request = Request.read(memory, _given(sizes), seed=seed, dtype=dtype, device=where)
    console, done = report_console(stderr=as_json), 0
    with kept_parts(request, resume=resume) as state, ShareDone(console, "facts") as shown:

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


@click.command("figure")
@click.argument("name")
@click.option("--scale", type=click.Choice(["quick", "paper"]), default="quick", show_default=True)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="An .svg, .png or .json; figure-PAPER-NUMBER.svg.",
)
@seed_option
@device_option
@click.option(
    "--workers",
    type=WorkersType(),
    help="A cluster, one worker of which measures, by the address of its scheduler.  "
    "[default: this process]",
)
def figure_command(
    name: str, scale: str, out: Path | None, seed: int, device: str, workers: Workers | None
) -> int:
    """Measure one of the papers' figures and draw it.

    NAME is that of the paper and the number, such as nichani/5, the stages of training; the number
    alone does where one paper has it. The scale quick takes seconds, paper its full sizes. After Ctrl-C
    what was measured is drawn, with status 3.
    """
    from verify.catalogue import catalogue
    from verify.drawing.figures import figure, writer
    from verify.drawing.picture import Scale
    from verify.report.terminal.figure import figure_table
    from verify.report.terminal.share import ShareDone

    registry = catalogue()
    chosen = figure(name, registry)
    path = Path(f"figure-{chosen.name.replace('/', '-')}.svg") if out is None else out
    write = writer(path)
    require_writable("--out", path)
    console = report_console()
    if device == "cuda" and not chosen.takes_device:
        raise UsageError(
            f"--device: figure {chosen.name} is measured on the CPU; leave it out, or take cpu"
        )
    require_measuring("figure")
    where = resolved_device(device, (Road.NUMERICS,)) if chosen.takes_device else "cpu"
    cluster = _joined(workers, where, "one process measures a figure")
    own = registry.blamed(chosen.name.partition("/")[0])
    with own, ShareDone(console, f"figure {chosen.name}") as shown:
        picture = chosen.measured(Scale(scale), seed, shown.update, device=where, cluster=cluster)
    write_atomic(path, write(picture), option="--out")
    figure_table(picture, path, console)
    if not picture.whole:
        raise KeyboardInterrupt
    return OK
