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

from verify.catalogue import catalogue
from verify.claim import Reading, Registry
from verify.errors import UsageError
from verify.report.counts import how_many_false, printed_by_paper, with_verdict
from verify.report.results import fates
from verify.report.templating import environment
from verify.report.text import SIGNS, by_paper
from verify.running.runner import ClaimResult, RunResult
from verify.running.stored_run import read_run
from verify.typeset.mathml import prose, rich_text
from verify.typeset.words import printable, shortened
from verify.verdict import Verdict
from verify.version import __version__

#: Refuted right after proved: of a wide table a narrow window shows what comes first.
_ORDER = sorted(Verdict, key=lambda v: (v is not Verdict.PROVED, v is not Verdict.REFUTED))


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

    def false(self, registry: Registry) -> str:
        """How many printed statements are false as they stand, damaged text left out."""
        false = [
            result.claim
            for result in self.results
            if result.verdict is Verdict.REFUTED and result.claim.reading is not Reading.DAMAGED
        ]
        total = printed_by_paper(with_verdict(self.results))
        return how_many_false(false, sum(total.values()))


def state_page(run: RunResult, day: date, registry: Registry) -> str:
    """The page on a run of this version on a *day*, in Markdown, its tables in HTML; *registry* tells
    what is printed."""
    results = {result.claim.id: result for result in run.results}
    papers = [
        _Paper(title, [results[claim.id] for claim in claims])
        for title, claims in by_paper([result.claim for result in run.results]).items()
    ]
    present = {result.verdict for result in run.results}
    templates = environment()
    templates.filters.update(
        prose=prose, rich=rich_text, sign=SIGNS.__getitem__, shortened=shortened
    )
    page = templates.get_template("state.md.j2").render(
        day=day.isoformat(),
        version=__version__,
        settings=run.settings,
        papers=papers,
        how_false={paper.title: paper.false(registry) for paper in papers},
        fates={found.paper: found for found in fates(run.results, registry)},
        verdicts=[verdict for verdict in _ORDER if verdict in present],
        refuted=Verdict.REFUTED,
        differing=[result.claim.id for result in run.results if not result.ok],
        linked={result.claim.id for paper in papers for result in paper.checked},
    )
    return printable(page.rstrip()) + "\n"


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
        registry = catalogue()
        run = read_run(results, registry)
        click.echo(state_page(run, _day(day, results), registry), nl=False)
    except UsageError as error:
        raise click.UsageError(printable(str(error))) from None


def _day(text: str | None, results: Path) -> date:
    if text is None:
        return datetime.fromtimestamp(results.stat().st_mtime, UTC).date()
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise UsageError(f"--date: {text!r} is no date; write it as 2031-05-17") from None


if __name__ == "__main__":
    main()
