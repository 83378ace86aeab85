"""An argument with a step in words is told apart from a proof wherever a verdict is shown."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from io import StringIO
from itertools import product
from xml.etree import ElementTree

import pytest
from rich.console import Console

from verify.claim import Claim, Evidence, Registry, Road
from verify.drawing.palette import DARK, LIGHT
from verify.report.errata import errata_text
from verify.report.exports.latex import claim_latex
from verify.report.junit import junit_xml
from verify.report.page.html import page
from verify.report.state import state_page
from verify.report.terminal.claims import claim_page, results_table
from verify.report.terminal.console import _STYLES
from verify.report.terminal.listing import list_table
from verify.report.text import SIGNS, held_back, lines_in_words
from verify.running.runner import ClaimResult, RunResult
from verify.verdict import Verdict

ID = "a.thm1.good"
#: Of verdicts: their variables on the page.
COLOURS = {
    "proved": "blue",
    "certified": "sky",
    "supported": "green",
    "refuted": "purple",
    "error": "red",
    "inconclusive": "orange",
    "not-run": "grey",
}
#: How eyes without one kind of cone see linear RGB (Machado, Oliveira and Fernandes 2009).
EYES = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "no green": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "no blue": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}


@pytest.fixture
def argued(run: RunResult) -> RunResult:
    """The run in which a proof has a step in words; what it is capped by is measured alone."""
    steps = ("one line", "another   [in words: so it is]")
    worded = Evidence(Verdict.PROVED, "m", "s", scope="all d", steps=steps, road=Road.PROOFS)
    results = [
        replace(r, verdict=Verdict.ARGUED, evidence=(worded,)) if r.claim.id == ID else r
        for r in run.results
    ]
    return RunResult(run.settings, results, seconds=1.0)


def printed(show: Callable[[Console], None]) -> str:
    console = Console(file=StringIO(), width=100)
    show(console)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def one(run: RunResult) -> ClaimResult:
    return next(result for result in run.results if result.claim.id == ID)


# -- sign and colour -----------------------------------------------------------------------------


def test_it_has_a_sign_and_a_terminal_colour_of_its_own() -> None:
    for kept in (SIGNS, _STYLES):
        assert set(kept) == set(Verdict)
        assert [v for v in Verdict if kept[v] == kept[Verdict.ARGUED]] == [Verdict.ARGUED]


def test_the_page_has_a_rule_for_every_verdict(run: RunResult, registry: Registry) -> None:
    style = page(run, registry, command="verify").partition("<style>")[2].partition("</style>")[0]
    for verdict in Verdict:
        for rule in (f".v-{verdict}", f".share-{verdict}", f".count-{verdict}"):
            assert re.search(rf"{re.escape(rule)}[ ,{{]", style), rule
    # What a verdict looks like without colour: corners and edges, dashes, a line below.
    assert re.search(r"\.v-argued \{[^}]*border-radius[^}]*border-bottom-width", style)
    assert re.search(r"\.node\.v-argued rect \{[^}]*stroke-dasharray", style)
    assert re.search(r"\.count-argued \{[^}]*text-decoration", style)


def _seen(colour: str, eye: str) -> tuple[float, float, float]:
    """A colour in CIELAB, as an eye sees it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts]
    rgb = [
        min(1, max(0, sum(a * b for a, b in zip(row, linear, strict=True)))) for row in EYES[eye]
    ]
    white = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    x, y, z = (sum(a * b for a, b in zip(row, rgb, strict=True)) / sum(row) for row in white)
    f, g, h = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z))
    return 116 * g - 16, 500 * (f - g), 200 * (g - h)


@pytest.mark.parametrize(("scheme", "eye"), list(product(("light", "dark"), EYES)))
def test_its_colour_is_told_from_every_other_by_every_eye(scheme: str, eye: str) -> None:
    colours = LIGHT if scheme == "light" else DARK
    own = _seen(colours["indigo"], eye)
    for name in COLOURS.values():
        other = _seen(colours[name], eye)
        assert sum((a - b) ** 2 for a, b in zip(own, other, strict=True)) > 15**2, name


# -- wherever a verdict is shown ------------------------------------------------------------------


def test_the_terminal_counts_it_and_shows_how_much_is_in_words(argued: RunResult) -> None:
    table = printed(lambda console: results_table(argued, console))
    assert re.search(rf"{re.escape(ID)} +∴ argued", table)
    assert "1 ∴ argued, " in table
    text = printed(lambda console: claim_page(one(argued), console))
    assert f"∴ argued: {Verdict.ARGUED.meaning}" in " ".join(text.split())
    assert "Not decided by computation: 1 of 2 lines in words" in text
    assert lines_in_words(one(argued)) == "1 of 2 lines in words"


def test_the_page_counts_it_and_says_what_is_in_words(
    argued: RunResult, registry: Registry
) -> None:
    text = page(argued, registry, command="verify")
    assert '<b class="v v-argued"><i aria-hidden="true">∴</i> argued</b>' in text
    assert "<option>argued</option>" in text
    assert f"{Verdict.ARGUED.meaning} (1 of 2 lines in words)" in text
    assert 'class="node v-argued"' in text or 'class="chip v v-argued"' in text


def test_other_reports_have_the_word(argued: RunResult, registry: Registry) -> None:
    suite = ElementTree.fromstring(junit_xml(argued))
    (case,) = [c for c in suite.iter("testcase") if c.get("name") == ID]
    assert [p.get("value") for p in case.iter("property")] == ["argued", "proved"]
    state = state_page(argued, date(2025, 1, 1), registry)
    assert '<th scope="col">∴ argued</th>' in state
    assert (
        state.index("✓ proved</th>") < state.index("∴ argued</th>") < state.index("✗ refuted</th>")
    )
    claim = Claim("x", "t", "s", paper="P", recorded=Verdict.ARGUED)
    assert "∴ argued" in printed(lambda console: list_table([claim.entry], console))


def test_the_errata_say_what_is_recorded_of_a_correction(
    run: RunResult, corrections: dict[str, Claim]
) -> None:
    right = {id_: replace(it, recorded=Verdict.ARGUED) for id_, it in corrections.items()}
    text = errata_text(run.results, right)
    assert "recorded as argued)" in text
    assert "What is recorded of the corrections: 1 argued." in text


# -- what holds a proof back ------------------------------------------------------------------------


@pytest.mark.parametrize("at", [Verdict.ARGUED, Verdict.CERTIFIED, Verdict.SUPPORTED])
def test_a_reader_is_told_by_what_a_proof_is_capped(
    run: RunResult, registry: Registry, at: Verdict
) -> None:
    capped = replace(one(run), verdict=at, capped_by=("a.thm1.false.corrected",), capped_at=at)
    said = f"Its proof is at most {at}, as what it uses"
    assert held_back(capped) == said
    assert f"{said}: a.thm1.false.corrected" in printed(lambda console: claim_page(capped, console))
    assert rf"\emph{{{said}:}} a.thm1.false.corrected." in claim_latex(capped, None)
    results = [capped if r.claim.id == ID else r for r in run.results]
    text = page(RunResult(run.settings, results), registry, command="verify")
    assert f"<dt>Held back</dt><dd>{said}: " in text


def test_what_is_not_established_is_said_to_be_so(run: RunResult) -> None:
    for verdict, at in ((Verdict.INCONCLUSIVE, Verdict.INCONCLUSIVE), (Verdict.SUPPORTED, None)):
        capped = replace(one(run), verdict=verdict, capped_by=("b.undecided",), capped_at=at)
        assert held_back(capped) == "It rests on what this run did not establish"
    assert held_back(one(run)) == ""
