"""Signs that nobody sees, in texts from elsewhere: every report spells them, and JSON keeps them."""

import io
import json
import re
from dataclasses import replace
from datetime import date

import pytest
from rich.text import Text

from verify.auditing.baseline import Baseline, compare
from verify.catalogue import catalogue
from verify.claim import Claim, Evidence, Road
from verify.commands.common import say
from verify.report.compare_markdown import compare_markdown
from verify.report.errata import errata_text
from verify.report.exports.bibtex import bibtex
from verify.report.exports.formulas import derived_formulas, formulas_latex, formulas_python
from verify.report.exports.latex import claim_latex
from verify.report.exports.svg import plots_svg
from verify.report.junit import junit_xml
from verify.report.machine import run_json
from verify.report.page.html import write_page
from verify.report.state import state_page
from verify.report.terminal.claims import claim_page, results_table
from verify.report.terminal.console import report_console
from verify.report.terminal.listing import list_table
from verify.running.runner import ClaimResult, RunResult
from verify.running.settings import Settings
from verify.typeset.encoding import encode
from verify.typeset.words import printable, segments
from verify.verdict import Verdict

NUMBERS = [0x061C, *range(0x200B, 0x2010), *range(0x202A, 0x202F), 0x2060, *range(0x2066, 0x206A)]
SIGNS = "".join(map(chr, [*NUMBERS, 0xFEFF]))
UNSEEN = re.compile(f"[{SIGNS}]")
TITLE = f"a title {SIGNS} of ${SIGNS}x$"
CASE = {
    "quantity": TITLE,
    "sizes": {"d": 8},
    "draws": 100,
    "interval": [0.5, 0.75],
    "printed": 0.6,
    "inside": True,
}


@pytest.fixture(scope="module")
def run() -> RunResult:
    """Two claims of which all words hold such signs, one of them false."""
    detail = {"derived": {TITLE: "1/2"}, "derived for": {TITLE: TITLE}, "cases": [CASE]}
    found = Evidence(
        Verdict.PROVED, TITLE, TITLE, TITLE, steps=(TITLE,), detail=detail, road=Road.PROOFS
    )
    lost = replace(found, verdict=Verdict.REFUTED, counterexample={TITLE: TITLE})
    claim = Claim(f"own.{SIGNS}", TITLE, TITLE, paper=TITLE, where=TITLE, recorded=Verdict.PROVED)
    false = replace(claim, id=f"own.false{SIGNS}", recorded=Verdict.REFUTED, consequence=TITLE)
    return RunResult(
        Settings(),
        [
            ClaimResult(claim, Verdict.PROVED, (found,), ok=True),
            ClaimResult(false, Verdict.REFUTED, (lost,), ok=True),
        ],
    )


def printed(show) -> str:
    """What is shown on a console."""
    console = report_console()
    console.file = io.StringIO()
    show(console)
    return console.file.getvalue()


def changes(run: RunResult) -> str:
    new = Baseline.of(run)
    old = Baseline(new.schema, 0, new.profile, {})
    return compare_markdown(compare(old, new), new, as_recorded=True)


REPORTS = {
    "results": lambda run: printed(lambda console: results_table(run, console)),
    "claim": lambda run: printed(lambda console: claim_page(run.results[1], console)),
    "list": lambda run: printed(
        lambda console: list_table([one.claim.entry for one in run.results], console)
    ),
    "errata": lambda run: errata_text(run.results, {}),
    "state": lambda run: state_page(run, date(2026, 1, 2), catalogue()),
    "bibtex": lambda run: bibtex(run, catalogue()),
    "latex": lambda run: claim_latex(run.results[1], None),
    "formulas as latex": lambda run: formulas_latex(derived_formulas(run.results)[0]),
    "formulas as python": lambda run: formulas_python(derived_formulas(run.results)[0]),
    "plots": lambda run: str({n: c.decode() for n, c in plots_svg(run.results[0]).items()}),
    "junit": lambda run: junit_xml(run),
    "json": lambda run: run_json(run).decode(),
    "changes": changes,
}


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_spells_what_is_not_seen(run, name):
    text = REPORTS[name](run)
    assert UNSEEN.search(text) is None
    assert "202e" in text


def test_the_page_spells_what_is_not_seen(run, tmp_path):
    page = write_page(run, catalogue(), tmp_path, command=f"verify run {SIGNS}")
    text = page.read_text(encoding="utf-8")
    assert UNSEEN.search(text) is None
    assert r"verify run \u061c\u200b" in text


def test_json_holds_the_signs_themselves():
    assert json.loads(encode({TITLE: TITLE})) == {TITLE: TITLE}
    assert UNSEEN.search(encode(TITLE).decode()) is None


def test_every_sign_is_spelled_by_its_number_and_nothing_else_is():
    assert [printable(sign) for sign in SIGNS] == [f"\\u{ord(sign):04x}" for sign in SIGNS]
    assert printable("a\u2010\u2027\u202f\u2065é") == "a\u2010\u2027\u202f\u2065é"


def test_in_a_formula_it_is_no_command():
    assert segments("$a\u202eb$") == [(True, r"a\mathrm{U202e}b")]


def test_lines_with_names_of_files_are_spelled(capsys):
    say("a\u202eb written")
    assert capsys.readouterr().out == "a\\u202eb written\n"
    shown = printed(lambda console: console.print("a\u202eb written", Text("and what is styled")))
    assert shown == "a\\u202eb written and what is styled\n"
