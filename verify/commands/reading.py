"""``verify list`` and ``index``: what the catalogue knows without asking a check."""

from __future__ import annotations

import click

from verify.catalogue import catalogue
from verify.catalogue.sections import index, index_path, restated
from verify.commands import FAILED, OK
from verify.commands.common import say
from verify.errors import UsageError
from verify.running.files import write_atomic

#: So many claims are named in an error.
_NAMED = 3


@click.command("list")
@click.option("--json", "as_json", is_flag=True, help="Machine-readable.")
def list_command(as_json: bool) -> int:
    """List all claims: ids, titles, recorded verdicts."""
    registry = catalogue()
    if as_json:
        from verify.report.machine import list_json

        click.echo(list_json(registry).decode("utf-8"), nl=False)
    else:
        from verify.report.terminal.console import report_console
        from verify.report.terminal.listing import list_table

        list_table(registry.entries(), report_console())
    return OK


@click.command("index")
@click.argument("names", nargs=-1, metavar="[PAPER]...")
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if an index is out of date.")
@click.option("--restate", multiple=True, metavar="ID", help="Its printed statement was mended.")
def index_command(names: tuple[str, ...], check: bool, restate: tuple[str, ...]) -> int:
    """Write what is known of claims without reading them.

    Each paper's index.json holds what a list needs, ids, records, numbers of mutants, shares of the
    error budget, and a digest of each statement, so that nothing printed changes by accident and no
    claim is lost. In a checkout call it as `python -m verify index`: that writes the checkout's files.
    """
    registry = catalogue()
    for id_ in restate:
        if id_ not in registry:
            raise UsageError(f"--restate: there is no claim {id_!r}; `verify list` shows all ids")
    for name in names:
        if name not in registry.papers:
            known = ", ".join(registry.papers)
            remedy = registry.why_not(name) or f"; take one of {known}"
            raise UsageError(f"PAPER: there is no paper {name!r}{remedy}")
    registry.validate()
    papers = [p for p in registry.papers.values() if p.package and (not names or p.name in names)]
    late = 0
    for paper in papers:
        path, content = index_path(paper), index(paper, registry)
        if path.is_file() and path.read_bytes() == content:
            continue
        late += 1
        changed = [id_ for id_ in restated(paper, registry) if id_ not in restate]
        if changed:
            more = f" and {len(changed) - _NAMED} more" if len(changed) > _NAMED else ""
            raise UsageError(
                f"--restate: the printed statement of {', '.join(changed[:_NAMED])}{more} is not the "
                "one that was indexed; undo that, or name what was mended on purpose"
            )
        if check:
            say(f"{path} is out of date; write it with `python -m verify index {paper.name}`")
        else:
            write_atomic(path, content)
            say(f"{path} written")
    if not late:
        click.echo("All indexes are up to date.")
    return FAILED if check and late else OK
