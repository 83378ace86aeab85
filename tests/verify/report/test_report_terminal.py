"""The terminal: everything is said, nothing is cut, lines fit, verdicts differ without colour."""

import re
from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from verify.claim import Claim, Registry, Road
from verify.report.terminal.claims import claim_page, results_table
from verify.report.terminal.console import report_console
from verify.report.terminal.listing import list_table
from verify.report.text import SIGNS
from verify.running.runner import RunResult
from verify.running.settings import Settings
from verify.typeset.words import shortened
from verify.verdict import Verdict

IDLE = "b.idle"


def printed(show: Callable[[Console], None], width: int = 100) -> str:
    """What a console that is no terminal shows."""
    console = Console(file=StringIO(), width=width)
    show(console)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def page_of(run: RunResult, id_: str) -> str:
    result = next(result for result in run.results if result.claim.id == id_)
    return printed(lambda console: claim_page(result, console))


def test_every_checked_claim_has_a_row_with_sign_word_and_time(run: RunResult) -> None:
    lines = printed(lambda console: results_table(run, console)).splitlines()
    for result in run.results:
        if not result.claim.id.startswith(IDLE):
            row = next(line for line in lines if result.claim.id in line)
            assert f"{SIGNS[result.verdict]} {result.verdict}" in row
            assert row.rstrip().endswith("s")


def test_many_claims_without_a_check_are_counted_in_one_line(run: RunResult) -> None:
    text = printed(lambda console: results_table(run, console))
    assert "8 statements have no check yet: `verify list`" in text
    assert IDLE not in text


def test_few_claims_without_a_check_are_listed(run: RunResult) -> None:
    few = RunResult(run.settings, run.results[-3:])
    text = printed(lambda console: results_table(few, console))
    assert text.count(IDLE) == 3
    assert "have no check" not in text


def test_a_run_on_some_roads_says_so(run: RunResult) -> None:
    part = RunResult(Settings(roads=(Road.PROOFS,)), run.results)
    text = printed(lambda console: results_table(part, console))
    assert "have no check on proofs" in text
    assert "proofs only" in text


def test_what_is_not_as_recorded_is_flagged_and_the_rest_is_not(run: RunResult) -> None:
    lines = printed(lambda console: results_table(run, console)).splitlines()
    rows = lines[: next(i for i, line in enumerate(lines) if "have no check" in line)]
    flagged = [line.split()[1] for line in rows if line.startswith(">>")]
    assert flagged == ["b.conflict", "b.error", "b.other"]
    text = "\n".join(lines)
    assert "NOT AS RECORDED: 3 of 17" in text
    assert "✗ refuted, recorded as proved" in text
    assert "All as recorded" not in text


def test_a_run_as_recorded_says_so_and_raises_no_alarm(sound: RunResult) -> None:
    text = printed(lambda console: results_table(sound, console))
    assert "All as recorded." in text
    assert ">>" not in text
    assert "NOT AS RECORDED" not in text


def test_counts_undecided_seconds_and_next_steps_follow_the_table(run: RunResult) -> None:
    text = printed(lambda console: results_table(run, console, page=Path("out/index.html")))
    assert "17 claims: 2 ✓ proved, 1 ~ supported, 3 ✗ refuted, 1 ! conflict" in text
    assert "Left undecided, 1: b.undecided" in text
    assert "1 min 23 s, quick profile, seed 7, cpu" in text
    for step in ("verify show b.conflict", "verify errata", "out/index.html"):
        assert step in text


def test_the_card_of_a_run_is_named(run: RunResult) -> None:
    run.settings = replace(run.settings, device="cuda")
    run.machine = {"card": "2 x H200"}
    assert "seed 7, cuda (2 x H200)" in printed(lambda console: results_table(run, console))


def test_only_what_is_not_as_recorded_is_shown_in_red(run: RunResult, sound: RunResult) -> None:
    def coloured(shown: RunResult) -> str:
        file = StringIO()
        console = Console(file=file, force_terminal=True, color_system="standard", width=100)
        results_table(shown, console)
        return file.getvalue()

    red = re.compile(r"\x1b\[[0-9;]*(31|41)m")
    assert red.search(coloured(run))
    assert not red.search(coloured(sound))


def test_an_empty_run_and_a_lost_claim_are_not_in_order(run: RunResult) -> None:
    empty = RunResult(run.settings, [])
    assert "held no claim" in printed(lambda console: results_table(empty, console))
    lost = RunResult(run.settings, run.results[:1], missing=["a.lost"])
    text = printed(lambda console: results_table(lost, console))
    assert "MISSING FROM THE CATALOGUE: 1" in text
    assert "a.lost" in text
    assert "All as recorded" not in text


@pytest.mark.parametrize("width", [100, 60])
def test_no_line_is_wider_than_the_console_and_no_id_is_cut(run: RunResult, width: int) -> None:
    long = "a.section." + "very-long-part." * 5 + "end"
    results = [*run.results, replace(run.results[0], claim=replace(run.results[0].claim, id=long))]
    wide = RunResult(run.settings, results)
    text = printed(lambda console: results_table(wide, console), width)
    for result in results:
        text += printed(lambda console, result=result: claim_page(result, console), width)  # type: ignore[misc]
    text += printed(lambda console: list_table([r.claim.entry for r in results], console), width)
    assert max(cell_len(line) for line in text.splitlines()) <= width
    squeezed = "".join(text.split())
    for part in ("a.section.", "end"):
        assert part in squeezed


def test_plain_output_has_no_control_characters_and_no_trailing_spaces(run: RunResult) -> None:
    text = printed(lambda console: results_table(run, console)) + page_of(run, "b.error")
    assert "\x1b" not in text
    assert "\x00" not in text
    assert all(line == line.rstrip() for line in text.splitlines())


def test_square_brackets_of_statements_are_not_markup(run: RunResult) -> None:
    assert "[bold]x[/bold]" in page_of(run, "b.markup")
    assert "plain [N] → [M]" in page_of(run, "a.thm1.good")


def test_the_page_of_a_claim_tells_the_whole_story(run: RunResult) -> None:
    text = page_of(run, "a.thm1.good")
    for part in (
        "Mean of the margin",
        "a.thm1.good",
        "First paper, App. B",
        "For every x and y ∈ [M]: 𝔼[γ_xy] = 1.",  # noqa: RUF001
        "f : [N] → [M] is injective",
        "Tested constants\n  mean        (1 + 1/d)²",
        "Scope: all d ≥ 1",
        "Record: as recorded",
        "Evidence, proofs: exact identity",
        "Evidence, numerics: interval",
        "1 min 1 s",
        "Boole's inequality: cited",
        "Rests on\n  a.thm1.false.corrected",
    ):
        assert part in text
    assert f"✓ proved: {Verdict.PROVED.meaning}" in " ".join(text.split())


def test_the_page_says_from_what_the_paper_draws_the_claim(run: RunResult) -> None:
    claim = replace(run.results[0].claim, printed_uses=("a.damaged", "a.thm1.false"))
    text = printed(lambda console: claim_page(replace(run.results[0], claim=claim), console))
    assert text.endswith("\nIn the paper drawn from\n  a.damaged\n  a.thm1.false\n")
    assert "drawn from" not in page_of(run, claim.id)


def test_the_verdict_says_how_many_lines_of_the_proof_are_in_words(run: RunResult) -> None:
    good = run.results[0]
    steps = ("a = b   [identity]", "so a = c   [in words: by [N]]")
    proof = replace(good.evidence[0], steps=steps)
    worded = replace(good, evidence=(proof, good.evidence[1]))
    text = printed(lambda console: claim_page(worded, console))
    assert "Not decided by computation: 1 of 2 lines in words" in text
    assert "Not decided by computation" not in page_of(run, good.claim.id)


def test_one_claim_is_no_plural(run: RunResult) -> None:
    one = RunResult(run.settings, run.results[:1])
    assert "1 claim: 1 ✓ proved" in printed(lambda console: results_table(one, console))


def test_steps_are_numbered_and_keep_their_indentation(run: RunResult) -> None:
    lines = page_of(run, "a.thm1.good").splitlines()
    first = lines.index("  1. 𝔼[γ]:")  # noqa: RUF001
    assert lines[first + 1 : first + 4] == [
        "       W = ∑_z u_z e_zᵀ",
        "         deeper",
        "  2. so it is 1",
    ]


def test_a_refuted_claim_shows_counterexample_reading_and_correction(run: RunResult) -> None:
    text = page_of(run, "a.thm1.false")
    for part in ("d = 2, N = 1", "3/2", "-inf", "ambiguous. Read with M at most N."):
        assert part in text
    assert "verify show a.thm1.false.corrected" in text
    assert "Var ≤ 3/d" not in text
    assert "Severity: constant" in text
    assert "The theorem stands." in text


def test_with_the_correction_at_hand_its_statement_is_shown(
    run: RunResult, corrections: dict[str, Claim]
) -> None:
    false = run.results[1]
    right = corrections["a.thm1.false.corrected"]
    text = printed(lambda console: claim_page(false, console, right))
    assert "\nCorrection\n  Var ≤ 3/d\n  verify show a.thm1.false.corrected\n" in text


def test_a_counterexample_is_worked_by_hand_in_numbered_lines(run: RunResult) -> None:
    false = run.results[1]
    lines = (
        "Take $d = 2$, so that [[1 + 1/2 = 3/2 < 7/4]].",
        "So gamma^2 >= 0 " + "and so on " * 20,
    )
    worked = replace(false, claim=replace(false.claim, by_hand=lines))
    text = printed(lambda console: claim_page(worked, console))
    assert "\nBy hand\n  1. Take d = 2, so that 1 + 1/2 = 3/2 < 7/4.\n  2. So γ² ≥ 0 and so" in text
    assert text.index("\nCounterexample\n") < text.index("\nBy hand\n") < text.index("\nCorrection")
    assert all(len(line) <= 100 for line in text.splitlines())
    assert "By hand" not in page_of(run, false.claim.id)


def test_readings_and_consequences_may_hold_formulas(run: RunResult) -> None:
    claim = replace(
        run.results[1].claim,
        reading_note="Read with $M \\le N$ and d >= 2.",
        consequence="A term $1/m$ for gamma^2 is missing: $\\mathrm{Var} \\ge 1/m$.",
    )
    shown = replace(run.results[1], claim=claim)
    text = printed(lambda console: claim_page(shown, console))
    assert "ambiguous. Read with M ≤ N and d ≥ 2." in text
    assert "A term 1/m for γ² is missing: Var ≥ 1/m." in text


def test_the_table_shows_a_summary_with_formulas_in_unicode(run: RunResult) -> None:
    found = replace(run.results[0].evidence[0], summary="gamma^2 <= $\\frac{1}{d}$")
    result = replace(run.results[0], evidence=(found,))
    text = printed(lambda console: results_table(RunResult(run.settings, [result]), console))
    assert "γ² ≤ 1/d" in text


def test_pages_show_both_witnesses_the_trace_and_the_obstacle(run: RunResult) -> None:
    conflict = page_of(run, "b.conflict")
    assert "derived exactly" in conflict
    assert "measured 2, printed 1" in conflict
    assert "NOT AS RECORDED: THE RECORD SAYS PROVED" in conflict
    assert "ZeroDivisionError" in page_of(run, "b.error")
    undecided = page_of(run, "b.undecided")
    assert "few draws" in undecided
    assert "Record: recorded as proved; a partial run may find less" in undecided


def test_a_claim_that_rests_on_an_open_one_says_which(run: RunResult) -> None:
    capped = replace(run.results[0], verdict=Verdict.INCONCLUSIVE, capped_by=("b.undecided",))
    assert "b.undecided" in printed(lambda console: claim_page(capped, console))


def test_the_list_groups_by_paper_and_names_every_claim(registry: Registry) -> None:
    claims: list[Claim] = list(registry)
    text = printed(lambda console: list_table(registry.entries(), console))
    assert text.index("First paper (4)") < text.index("a.damaged") < text.index("Second (12)")
    for claim in claims:
        row = next(line for line in text.splitlines() if line.startswith(claim.id + " "))
        assert row.endswith(str(claim.recorded or Verdict.NOT_RUN))


def test_a_report_console_is_plain_and_100_wide_without_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    console = report_console()
    assert console.width == 100
    console.print("[N] :smile: 12")
    assert capsys.readouterr().out == "[N] :smile: 12\n"


@pytest.mark.parametrize(("columns", "width"), [("60", 60), ("0", 100), ("", 100), ("wide", 100)])
def test_without_a_terminal_columns_says_how_wide_it_is(
    columns: str, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert report_console().width == width


@pytest.mark.parametrize(
    ("text", "width", "short"),
    [("Sec. 3", 10, "Sec. 3"), ("Sec. 3, eq. 4", 10, "Sec. 3…"), ("unbreakable", 5, "unbr…")],
)
def test_a_shortened_source_shows_that_it_is_cut(text: str, width: int, short: str) -> None:
    assert shortened(text, width) == short
    assert len(shortened(text, width)) <= width
