"""``verify list`` and ``index``: what the catalogue knows without asking a check."""

from __future__ import annotations

import click

from verify.catalogue import catalogue
from verify.catalogue.sections import out_of_date, write_index
from verify.commands import FAILED, OK
from verify.errors import UsageError


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
    """Write the index of each paper, from which lists are made.

    It lies in the folder of the paper, and has each claim with its number of mutants and its shares of
    the error budget. A run fails that misses one of these claims. In a checkout call it as
    `python -m verify index`, so that the files of the checkout are written.
    """
    registry = catalogue()
    registry.validate()
    for name in names:
        if name not in registry.papers:
            known = ", ".join(registry.papers)
            raise UsageError(f"PAPER: there is no paper {name!r}; take one of {known}")
    papers = [p for p in registry.papers.values() if p.package and (not names or p.name in names)]
    if not check:
        for paper in papers:
            click.echo(f"{write_index(paper, registry)} written")
        return OK
    late = [paper.name for paper in papers if out_of_date(paper, registry)]
    for name in late:
        click.echo(
            f"{name}: the index is out of date; write it with `python -m verify index {name}`"
        )
    return FAILED if late else OK
