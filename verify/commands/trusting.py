"""``verify trust``: on what claims rest that no computation decides."""

from __future__ import annotations

from pathlib import Path

import click

from verify.catalogue import catalogue
from verify.claim import Road
from verify.commands import FAILED, OK
from verify.commands.common import (
    Workers,
    join,
    require_unused,
    results_option,
    stored,
    whole,
    workers_option,
)
from verify.errors import UsageError
from verify.report.terminal.console import report_console
from verify.running.files import require_apart, require_writable, write_atomic
from verify.running.runner import run
from verify.running.settings import Settings


@click.command("trust")
@click.argument("ids", nargs=-1, metavar="[ID|GLOB]...")
@click.option("--json", "json_path", type=click.Path(path_type=Path), help="File, or - for stdout.")
@click.option("--counts", is_flag=True, help="How much there is, and its names alone.")
@results_option
@workers_option
def trust_command(
    ids: tuple[str, ...],
    json_path: Path | None,
    counts: bool,
    results: Path | None,
    workers: Workers,
) -> int:
    """Say on what claims rest: citations, steps in words.

    Each citation, each other assumption and each step in words on which the claims rest, directly or
    through what they use, with the claims that fall if it does; what most rest on comes first. Of a
    citation what it says and needs, where it is proved, and how many random instances that would break
    it if it were false were tried just now. The claims are run for it, by proofs alone, unless --results
    names the file of a run.

    \b
    Examples:
      verify trust nichani.thm1.statement.corrected
      verify trust --results results.json --counts --json baselines/trust.json
    """
    from verify.auditing.trust import trust
    from verify.report.terminal.trust import trust_counts, trust_sheet
    from verify.running.stored_run import chosen
    from verify.typeset.encoding import encode

    to_stdout = json_path == Path("-")
    if json_path is not None and not to_stdout:
        require_apart({"--results": results, "--json": json_path})
        require_writable("--json", json_path)
    registry = catalogue()
    selected = registry.select(ids)
    used = {claim.id for claim in registry.with_uses(selected)}
    wanted = [claim for claim in registry if claim.id in used]
    console = report_console(stderr=to_stdout)
    if results is not None:
        require_unused("with --results nothing is run", "workers")
        found = chosen(stored(results, registry), wanted, results)
    else:
        settings = Settings(
            roads=(Road.PROOFS,), workers=workers.processes, cluster=workers.cluster
        )
        join(workers, settings.device, report_console(stderr=True))
        with report_console(stderr=True).status("running the proofs"):
            found = run(registry, wanted, settings)
        if not whole(found, console):
            console.print("Nothing is written.")
            return FAILED
    rests = trust(found.results, [claim.id for claim in selected])
    if not rests.chosen:
        raise UsageError(
            "ID: nothing is decided of these claims by proofs; take others, or name with --results "
            "the file of a run on all roads"
        )
    short = {"counts": rests.counts(), "names": rests.names(), "typed lines": rests.typed}
    data = encode(short if counts else rests.as_json())
    if to_stdout:
        click.echo(data.decode("utf-8"), nl=False)
    elif json_path is not None:
        write_atomic(json_path, data, option="--json")
    (trust_counts if counts else trust_sheet)(rests, console)
    return OK if found.ok and (counts or not rests.broken()) else FAILED
