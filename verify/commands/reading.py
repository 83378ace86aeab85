"""``verify list`` and ``index``: what the catalogue knows without asking a check."""

from __future__ import annotations

import click

from verify.catalogue import catalogue
from verify.catalogue.sections import index, index_path
from verify.commands import FAILED, OK
from verify.errors import UsageError
from verify.running.files import write_atomic


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
def index_command(names: tuple[str, ...], check: bool) -> int:
    """Write the index of each paper into its folder: what lists need, counts of mutants, shares.

    It also serves as the record of which claims there are: a run fails that misses one. In a checkout
    call it as `python -m verify index`, so that the files of the checkout are written.
    """
    registry = catalogue()
    registry.validate()
    for name in names:
        if name not in registry.papers:
            known = ", ".join(registry.papers)
            raise UsageError(f"PAPER: there is no paper {name!r}; take one of {known}")
    papers = [p for p in registry.papers.values() if p.package and (not names or p.name in names)]
    late = 0
    for paper in papers:
        path, content = index_path(paper), index(paper, registry)
        if path.is_file() and path.read_bytes() == content:
            continue
        late += 1
        if check:
            click.echo(
                f"{path} is out of date; write it with `python -m verify index {paper.name}`"
            )
        else:
            write_atomic(path, content)
            click.echo(f"{path} written")
    if not late:
        click.echo("All indexes are up to date.")
    return FAILED if check and late else OK
