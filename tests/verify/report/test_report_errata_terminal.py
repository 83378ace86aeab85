"""The errata sheet on a terminal: the entries of the Markdown, without markup."""

from dataclasses import replace
from io import StringIO

import pytest
from rich.cells import cell_len
from rich.console import Console

from verify.claim import Claim
from verify.report.drawn import PrintedUses
from verify.report.terminal.errata import errata_sheet
from verify.verdict import Verdict


def shown(results, corrections, *uses, width=100):
    console = Console(file=StringIO(), width=width)
    errata_sheet(results, corrections, PrintedUses(uses), {}, console)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


@pytest.fixture
def false(run):
    return run.results[1]


def test_an_entry_is_in_unicode_with_all_that_the_sheet_says(false, corrections):
    worked = replace(false, claim=replace(false.claim, by_hand=("Take $d^2$, [[1 < 2]].",)))
    drawn = Claim("c.drawn", "t", "s", printed_uses=(false.claim.id,))
    text = shown([worked], corrections, false.claim, drawn)
    for part in (
        "Theorem 1: A false constant\na.thm1.false\nFirst paper, Lemma 2\nSeverity: constant (",
        "\nPrinted\n  E[x_1 * x_2] <= 2/d for f* and [N](t)",
        "\nCounterexample\n  at     d = 2, N = 1\n  exact  3/2\n",
        "\nBy hand\n  1. Take d², 1 < 2.\n",
        "\nCorrect\n  Var ≤ 3/d\n  a.thm1.false.corrected, recorded as ✓ proved\n",
        "\nDrawn from it in the paper\n  c.drawn\n",
        "\nConsequence\n  The theorem stands.\n",
        "\nReading\n  ambiguous. Read with M at most N.\n",
    ):
        assert part in text
    for markup in ("**", "##", "`", "\\", "$", "|"):
        assert markup not in text


def test_lines_fit_and_nothing_is_marked_up_for_a_pipe(run, corrections):
    text = shown(run.results, corrections, width=50)
    assert max(map(cell_len, text.splitlines())) <= 50
    assert all(line == line.rstrip() for line in text.splitlines())
    assert "\x1b" not in text


def test_the_gravest_come_first_and_damaged_text_is_counted_apart(run, corrections):
    text = shown(run.results, corrections)
    assert "1 more from text that may be damaged" in text
    assert text.index("\na.thm1.false\n") < text.index("\na.damaged\n")
    assert "NOT AS RECORDED: the check may be at fault" in text
    assert "Evidence\n  fails at d = 1" in text


def test_one_entry_is_in_no_order(false):
    assert "gravest" not in shown([false], {})
    assert "The gravest come first." in " ".join(shown([false, false], {}).split())


def test_what_a_run_left_open_is_named(false):
    text = shown([replace(false, verdict=Verdict.INCONCLUSIVE)], {})
    assert "left open by this run\n  a.thm1.false\n" in text
