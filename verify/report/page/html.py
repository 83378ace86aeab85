"""The report as one HTML file that works offline, in light and dark, on a phone and on a desk.

Templates escape everything; MathML comes in only through ``mathml``, which vouches for it.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from jinja2 import Environment
from markupsafe import Markup

from verify.auditing.power_record import PowerRecord
from verify.capacity.curves import ERROR
from verify.capacity.pictures import Pictures
from verify.claim import Claim, Evidence, Origin, Registry, Road
from verify.drawing.palette import DARK, LIGHT, page_style, variables
from verify.drawing.panel import panel_svg
from verify.drawing.picture import Panel
from verify.errors import UsageError
from verify.measuring.context import Profile
from verify.report.counts import (
    how_many_false,
    in_each_paper,
    own_statements,
    printed_by_paper,
    what_they_break,
    with_verdict,
    without_check,
)
from verify.report.drawn import PrintedUses
from verify.report.errata import SEVERITY
from verify.report.page import graph
from verify.report.page.certainty import Certainty, certainty
from verify.report.page.false_lines import FalseLines, false_lines
from verify.report.page.rejected import SURVIVED, Rejected, rejected
from verify.report.page.trusted import Inherited, inherited, trusted
from verify.report.parts import Part
from verify.report.plots.cases import cases
from verify.report.plots.curves import failure_curves
from verify.report.plots.stored_bits import stored_panels
from verify.report.plots.tradeoff import heat
from verify.report.plots.trajectories import flows
from verify.report.plots.words import stated
from verify.report.results import fates, stating
from verify.report.templating import environment
from verify.report.text import (
    DRAWN,
    SIGNS,
    allowed,
    by_paper,
    held_back,
    lines_in_words,
    numbered,
    pairs,
    recorded,
    standing,
)
from verify.running.files import read_whole, write_atomic
from verify.running.runner import ClaimResult, RunResult
from verify.running.settings import Settings
from verify.running.version import __version__
from verify.typeset.mathml import formula, prose, prose_line, rich_text
from verify.typeset.unicode_math import unicode_text
from verify.typeset.words import counted, duration, flowed, printable, shortened
from verify.verdict import Verdict

_PAGE = "index.html"
#: Either is in the head of each page of ours; older ones have the title alone.
_OURS = (b'<meta name="generator" content="recallproof', b"<title>recallproof")
_HEAD = 1 << 16
_NO_PICTURES = Pictures()
#: What signs of a statement are called by one who looks for it.
_SPOKEN = {
    "Var": "variance",
    "\N{MATHEMATICAL DOUBLE-STRUCK CAPITAL E}": "expectation mean",
    "\N{DOUBLE-STRUCK CAPITAL P}": "probability",
}
#: How a source is abbreviated, and what one who looks for it may write.
_SHORT = {
    "Sec.": "section",
    "App.": "appendix",
    "Fig.": "figure",
    "Eq.": "equation",
    "eq.": "equation",
}
_SOURCE = re.compile(r"\b(Sec\.|App\.|Fig\.|[Ee]q\.) ?\(?([A-Z]?[\d.]*\d|[A-Z])")
#: How checks name the formula that they are given; "(as printed)" is a mutant, which a paper prints.
_PRINTED = re.compile(r"(?<=^  )printed(?=: )|(?<=draws, )printed\b|(?<=the )printed(?= bound\b)")


def write_page(
    run: RunResult,
    registry: Registry,
    directory: Path,
    *,
    command: str,
    pictures: Pictures = _NO_PICTURES,
    power: PowerRecord | None = None,
) -> Path:
    """Write the page into *directory*, which is made if it is not there, and return its path.

    Nothing else in the folder is touched. Raises UsageError if the folder cannot be written or has
    a page of somebody else's.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = "a file of that name is there" if directory.is_file() else error.strerror
        raise UsageError(
            f"--html: cannot make the folder {directory}: {why}; choose another path"
        ) from None
    path = directory / _PAGE
    require_own(path)
    content = page(run, registry, command=command, pictures=pictures, power=power)
    write_atomic(path, content, option="--html")
    return path


def page(
    run: RunResult,
    registry: Registry,
    *,
    command: str,
    pictures: Pictures = _NO_PICTURES,
    power: PowerRecord | None = None,
) -> str:
    """The page as text; without *pictures* it says how to have some.

    *power* tells what became of the wrong statements beside each claim.
    """
    templates = _templates()
    style, light, dark = templates.get_template("style.css.j2"), variables(LIGHT), variables(DARK)
    script = Markup(templates.get_template("script.js.j2").render())
    graphs = graph.graphs(run.results, registry)
    homes = {c.id: p.part for g in graphs for p in g.parts for c in p.part.claims}
    whole = _Whole(run, registry, power, PrintedUses(registry.entries()), homes)
    shown = [_View(result, whole) for result in run.results if not _idle(result)]
    idle = [result.claim for result in run.results if _idle(result)]
    idle_by_paper = by_paper(idle)
    judged = by_paper(with_verdict(run.results))
    errata = false_lines(run.results, registry)
    text = templates.get_template("page.html.j2").render(
        run=run,
        command=command,
        views=shown,
        groups=_grouped(shown),
        graphs=[found for found in graphs if not found.idle],
        unjudged=[found for found in graphs if found.idle],
        sources={paper.title: paper for paper in registry.papers.values()},
        fates=fates(run.results, registry),
        stating=stating(registry.papers.values()),
        shown_parts={p.part.anchor for g in graphs if not g.idle for p in g.parts},
        lead=_lead(run, registry, errata),
        homes={id_: part.anchor for id_, part in homes.items()},
        idle=idle_by_paper,
        idle_count=len(idle),
        idle_words=without_check({p: len(c) for p, c in idle_by_paper.items()}, judged),
        undecided=[result.claim.id for result in run.undecided if result.ok],
        differing=[view for view in shown if not view.result.ok],
        counts=[(Verdict(name), number) for name, number in run.counts().items() if number],
        errata=errata,
        severities=SEVERITY,
        power=power,
        version=__version__,
        trusted=trusted(run.results, registry, run.machine),
        anchors={view.claim.id for view in shown},
        listed={claim.id for claim in idle},
        roads=list(Road),
        words=list(Verdict),
        budget=run.error_budget,
        memories=failure_curves([c for c in pictures.curves if c.grows == "N"]),
        constructions=failure_curves([c for c in pictures.curves if c.grows != "N"]),
        stored_panels=stored_panels(pictures.stored) if pictures.stored else [],
        stored_draws=pictures.stored.search.draws if pictures.stored else 0,
        heat=heat(pictures.trade_off) if pictures.trade_off else None,
        curve_error=f"{ERROR:g}",
        style=Markup(style.render(light=light, dark=dark, plots=Markup(page_style()))),
        script=script,
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    )
    return printable(text)


@dataclass(frozen=True)
class _Lead:
    """What the page opens with: how many printed statements are false, in each paper, what these
    break, and how the statements fared that are our own."""

    false: int
    total: int
    words: str
    papers: str
    breaks: str
    own: str


def _lead(run: RunResult, registry: Registry, errata: FalseLines) -> _Lead:
    lines = (line for group in errata.groups for line in group.lines)
    false = [line.claim for line in lines if line.claim.origin is Origin.PRINTED]
    total = printed_by_paper(with_verdict(run.results))
    number = sum(total.values())
    return _Lead(
        len(false),
        number,
        how_many_false(false, number),
        in_each_paper(false, total),
        what_they_break(false),
        own_statements(run.results),
    )


def require_own(path: Path) -> None:
    """UsageError if there is a file at *path* that is not a page written by this module."""
    try:
        head = read_whole(path, _HEAD)
    except FileNotFoundError:
        return
    except OSError as error:
        raise UsageError(
            f"--html: cannot read {path}: {error.strerror}; choose another folder"
        ) from None
    if not any(mark in head for mark in _OURS):
        raise UsageError(
            f"--html: {path} is not a page of recallproof and would be lost; choose another folder"
            " or move it away"
        )


def reproduce(claim: Claim, settings: Settings) -> str:
    """The command that finds the verdict of one claim again."""
    words = [f"verify run {claim.id} --seed {settings.seed}"]
    if settings.profile is not Profile.QUICK:
        words.append(f"--profile {settings.profile}")
    if settings.device != "cpu":
        words.append(f"--device {settings.device}")
    if settings.budget is not None:
        words.append(f"--budget {settings.budget!r}")
    if len(settings.roads) == 1:
        words.append(f"--road {settings.roads[0]}")
    return " ".join(words)


def _idle(result: ClaimResult) -> bool:
    """Whether there is nothing to show of a claim but its name."""
    return result.verdict is Verdict.NOT_RUN and result.claim.recorded is None


@dataclass(frozen=True)
class _Whole:
    """What every view of a claim is seen against."""

    run: RunResult
    registry: Registry
    power: PowerRecord | None
    printed: PrintedUses
    homes: Mapping[str, Part]

    @cached_property
    def results(self) -> Mapping[str, ClaimResult]:
        """The results of the run by claim."""
        return {result.claim.id: result for result in self.run.results}

    def verdict(self, id_: str) -> Verdict | None:
        """The verdict of a claim, None if it is not of this run."""
        return self.results[id_].verdict if id_ in self.results else None


@dataclass(frozen=True)
class _View:
    """A result with what the page says of it beyond the result itself."""

    result: ClaimResult
    whole: _Whole

    @property
    def claim(self) -> Claim:
        return self.result.claim

    @property
    def paper(self) -> str:
        return next(iter(by_paper([self.claim])))

    @property
    def roads(self) -> list[Road]:
        return [road for road in Road if any(e.road is road for e in self.result.evidence)]

    @property
    def recorded(self) -> Verdict:
        return recorded(self.claim)

    @property
    def false(self) -> bool:
        """Whether it is false as printed, by this run or by the record that the run does not deny."""
        verdict = self.result.verdict
        return verdict is Verdict.REFUTED or (
            self.recorded is Verdict.REFUTED and not verdict.positive
        )

    @property
    def words(self) -> str:
        """What a reader may look for, in small letters: names, source, the statement as text."""
        claim = self.claim
        texts = (claim.id, claim.title, *self.names, claim.where, claim.paper, claim.statement)
        said = unicode_text(" ".join(texts))
        spoken = (words for sign, words in _SPOKEN.items() if sign in said)
        sources = (f"{_SHORT[m[1]]} {m[2]}" for m in _SOURCE.finditer(claim.where))
        return flowed(" ".join([said, *spoken, *sources, self.result.verdict])).lower()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its part, which may have two numbers."""
        return self.whole.homes[self.claim.id].names

    @property
    def command(self) -> str:
        return reproduce(self.claim, self.whole.run.settings)

    @property
    def used_by(self) -> list[str]:
        return list(self.whole.registry.resting_on(self.claim.id))

    @property
    def drawn(self) -> tuple[str, ...]:
        """The claims that the paper draws from it."""
        return self.whole.printed.from_it(self.claim.id).direct

    @property
    def unaided(self) -> bool:
        """Whether a proof decided it that takes no other claim."""
        proofs = (e for e in self.result.evidence if e.road is Road.PROOFS)
        return not self.claim.uses and any(e.verdict.decided for e in proofs)

    @property
    def correction(self) -> Claim | None:
        id_ = self.claim.correction
        return self.whole.registry[id_] if id_ and id_ in self.whole.registry else None

    @property
    def right(self) -> Verdict | None:
        """The verdict of the correction in this run."""
        return self.whole.verdict(self.claim.correction or "")

    @property
    def corrects(self) -> list[str]:
        return list(self.whole.registry.corrected_by(self.claim.id))

    @property
    def certainty(self) -> Certainty:
        return certainty(self.result, self.whole.registry, self.whole.run.settings.roads)

    @property
    def inherited(self) -> Inherited:
        return inherited(self.result, self.whole.results)

    @property
    def derives(self) -> bool:
        """Whether there are formulas to take along."""
        return any(e.detail.get("derived") for e in self.result.evidence)

    @property
    def draws(self) -> bool:
        """Whether there are plots to take along."""
        evidence = self.result.evidence
        return any(e.detail.get("cases") or e.detail.get("trajectories") for e in evidence)

    @property
    def rejected(self) -> Rejected:
        whole = self.whole
        return rejected(self.claim, self.result.evidence, whole.registry, whole.power)


def _grouped(views: Sequence[_View]) -> dict[str, list[_View]]:
    groups: dict[str, list[_View]] = {}
    for view in views:
        groups.setdefault(view.paper, []).append(view)
    return groups


def _breakable(id_: str) -> Markup:
    """An id that a line may break after its dots and hyphens."""
    return Markup("<wbr>").join(re.findall(r"[^.-]+[.-]*|[.-]+", id_))


def _other_detail(evidence: Evidence) -> list[tuple[str, str]]:
    """What the detail holds beyond plots, traces and what the steps say already."""
    steps = list(evidence.steps)
    rest = {
        name: value
        for name, value in evidence.detail.items()
        if name not in DRAWN and not (isinstance(value, (list, tuple)) and list(value) == steps)
    }
    return pairs(rest)


def _as_stated(text: str, id_: str) -> str:
    """What a check of the claim says, without the word printed for a formula of our own."""
    return text if stated(id_) == "printed" else _PRINTED.sub(stated(id_), text)


def _drawn(panel: Panel, label: str = "") -> Markup:
    """A panel in the page; the drawing escapes all that it is given."""
    return Markup(panel_svg(panel, label=label))


def _templates() -> Environment:
    templates = environment()
    templates.tests["contains"] = lambda found, item: item in found
    templates.filters.update(
        allowed=allowed,
        as_stated=_as_stated,
        breakable=_breakable,
        cases=cases,
        counted=counted,
        drawn=_drawn,
        duration=duration,
        flows=flows,
        flowed=flowed,
        formula=lambda printed: formula(printed if isinstance(printed, str) else printed.latex()),
        held_back=held_back,
        lines_in_words=lines_in_words,
        numbered=numbered,
        other_detail=_other_detail,
        pairs=pairs,
        prose=prose,
        prose_line=prose_line,
        rich=rich_text,
        shortened=shortened,
        standing=standing,
        sign=SIGNS.__getitem__,
    )
    templates.globals.update(
        node_tall=graph.NODE_TALL,
        block_wide=graph.BLOCK_WIDE,
        block_tall=graph.BLOCK_TALL,
        survived=SURVIVED,
    )
    return templates
