"""The state of the papers: a dated page of the documentation, made from the results of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from verify.claim import Reading, Registry
from verify.report.counts import how_many_false, printed_by_paper, with_verdict
from verify.report.results import fates
from verify.report.templating import environment
from verify.report.text import SIGNS, by_paper
from verify.running.runner import ClaimResult, RunResult
from verify.running.version import __version__
from verify.typeset.mathml import prose, rich_text
from verify.typeset.words import printable, shortened
from verify.verdict import Verdict

#: Refuted right after what is proved or argued: of a wide table a narrow window shows what comes first.
_FIRST = (Verdict.PROVED, Verdict.ARGUED, Verdict.REFUTED)
_ORDER = (*_FIRST, *(verdict for verdict in Verdict if verdict not in _FIRST))


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
    def false(self) -> str:
        """How many printed statements are false as they stand."""
        return _how_many_false(self.results)


def _how_many_false(results: Sequence[ClaimResult]) -> str:
    """How many printed statements of those judged are false as they stand, damaged text left out."""
    checked = with_verdict(results)
    false = [
        result.claim
        for result in results
        if result.verdict is Verdict.REFUTED and result.claim.reading is not Reading.DAMAGED
    ]
    return how_many_false(false, sum(printed_by_paper(checked).values()))


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
        in_all=_how_many_false(run.results),
        unchecked=sum(result.verdict is Verdict.NOT_RUN for result in run.results),
        fates={found.paper: found for found in fates(run.results, registry)},
        verdicts=[verdict for verdict in _ORDER if verdict in present],
        refuted=Verdict.REFUTED,
        left_out=run.left_out,
        differing=[result.claim.id for result in run.results if not result.ok],
        linked={result.claim.id for paper in papers for result in paper.checked},
    )
    return printable(page.rstrip()) + "\n"
