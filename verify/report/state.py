"""The state of the papers: a dated page of the documentation, made from the results of a run.

``python -m verify.report.state --results FILE > docs/state.md``, where FILE is what
``verify run --json FILE`` wrote.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

import click
from jinja2 import Environment, PackageLoader, StrictUndefined

from verify import __version__
from verify.catalogue import catalogue
from verify.claim import Reading
from verify.errors import UsageError
from verify.report.mathml import rich_text
from verify.report.text import SIGNS, by_paper, shortened
from verify.runner import ClaimResult, RunResult
from verify.stored_run import read_run
from verify.verdict import Verdict


@dataclass(frozen=True)
class _Paper:
    """The results on the claims of a paper."""

    title: str
    results: Sequence[ClaimResult]

    @property
    def counts(self) -> Mapping[Verdict, int]:
        return Counter(result.verdict for result in self.results)

    @property
    def checked(self) -> Sequence[ClaimResult]:
        return [result for result in self.results if result.verdict is not Verdict.NOT_RUN]

    @property
    def false(self) -> int:
        """Statements that are false as they stand in the paper, damaged text left out."""
        return sum(
            result.verdict is Verdict.REFUTED and result.claim.reading is not Reading.DAMAGED
            for result in self.results
        )


def state_page(run: RunResult, day: date) -> str:
    """The page on a run of this version on a *day*, in Markdown, its tables in HTML."""
    results = {result.claim.id: result for result in run.results}
    papers = [
        _Paper(title, [results[claim.id] for claim in claims])
        for title, claims in by_paper([result.claim for result in run.results]).items()
    ]
    present = {result.verdict for result in run.results}
    environment = Environment(
        loader=PackageLoader("verify.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(rich=rich_text, sign=SIGNS.__getitem__, shortened=shortened)
    page = environment.get_template("state.md.j2").render(
        day=day.isoformat(),
        version=__version__,
        settings=run.settings,
        papers=papers,
        verdicts=[verdict for verdict in Verdict if verdict in present],
        differing=[result.claim.id for result in run.results if not result.ok],
        linked={result.claim.id for paper in papers for result in paper.checked},
    )
    return page.rstrip() + "\n"


@click.command()
@click.option(
    "--results",
    type=click.Path(path_type=Path),
    required=True,
    help="What `verify run --json FILE` wrote.",
)
@click.option("--date", "day", help="Of the run, as 2031-05-17; that of the file if none.")
def main(results: Path, day: str | None) -> None:
    """Print the page for the results of a run."""
    try:
        run = read_run(results, catalogue())
        click.echo(state_page(run, _day(day, results)), nl=False)
    except UsageError as error:
        raise click.UsageError(str(error)) from None


def _day(text: str | None, results: Path) -> date:
    if text is None:
        return datetime.fromtimestamp(results.stat().st_mtime, UTC).date()
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise UsageError(f"--date: {text!r} is no date; write it as 2031-05-17") from None


if __name__ == "__main__":
    main()
