"""The errata sheet: gravest first, damaged text apart, markup of the source harmless."""

import re
from dataclasses import replace

import pytest

from verify.claim import Claim, Reading, Severity
from verify.report.drawn import PrintedUses
from verify.report.errata import errata_text, false_as_printed, markdown, place_of
from verify.verdict import Verdict


@pytest.fixture
def sheet(run, corrections):
    return errata_text(run.results, corrections)


def test_an_entry_has_statement_counterexample_correction_and_consequence(sheet):
    entry = sheet[sheet.index("A false constant") : sheet.index("Falls")]
    for part in (
        "`a.thm1.false`: First paper, Lemma 2",
        "**Severity:** constant",
        r"**Printed:** E[x\_1 \* x\_2] \<= 2/d for f\* and [N\](t)",
        "- at: d = 2, N = 1",
        "- exact: 3/2",
        r"**Correct:** $\mathrm{Var} \le 3/d$ (`a.thm1.false.corrected`, recorded as proved)",
        "**Consequence:** The theorem stands.",
        "**Reading:** ambiguous. Read with M at most N.",
    ):
        assert part in entry


def test_a_counterexample_is_worked_by_hand_in_a_numbered_list(run):
    lines = ("Take [[1/2 < 3/4]], a_b.", "$d = 1$ <b>")
    claim = replace(run.results[1].claim, by_hand=lines)
    text = errata_text([replace(run.results[1], claim=claim)], {})
    part = "**By hand:**\n\n1. Take $\\frac{1}{2} \\lt \\frac{3}{4}$, a\\_b.\n2. $d = 1$ \\<b>\n\n"
    assert part in text
    assert text.index("**Counterexample:**") < text.index("**By hand:**")
    assert "By hand" not in errata_text(run.results, {})


def test_the_sheet_says_what_the_paper_draws_from_a_false_line(run):
    false = run.results[1]
    chain = [Claim(f"c.{i}", "t", "s", printed_uses=(f"c.{i - 1}",)) for i in range(1, 6)]
    first = Claim("c.0", "t", "s", printed_uses=(false.claim.id,))
    beside = Claim("c.beside", "t", "s", printed_uses=(false.claim.id,))

    def said(*claims):
        text = errata_text([false], {}, PrintedUses([false.claim, *claims]))
        return next((line for line in text.splitlines() if "Drawn from it" in line), "")

    assert said() == ""
    assert said(first, beside) == "**Drawn from it in the paper:** `c.0`, `c.beside`"
    assert said(first, *chain) == (
        "**Drawn from it in the paper:** `c.0`, and so on to `c.5`, `c.4`, `c.3` and 2 more"
    )


def test_entries_are_ordered_by_severity(run, corrections):
    base = run.results[1]
    shuffled = [Severity.WORDING, Severity.THEOREM, None, Severity.GAP, Severity.CONSTANT]
    results = [
        replace(base, claim=replace(base.claim, title=f"T{severity}", severity=severity))
        for severity in shuffled
    ]
    text = errata_text(results, corrections)
    headings = [line for line in text.splitlines() if line.startswith("##")]
    place = '<a id="a.thm1.false"></a>Theorem 1: '
    assert headings == [
        "## A theorem, lemma or corollary falls with it (1)",
        f"### {place}Ttheorem",
        "## A step of a proof fails (1)",
        f"### {place}Tgap",
        "## A constant or a formula changes (1)",
        f"### {place}Tconstant",
        "## A word or a condition is missing (1)",
        f"### {place}Twording",
        "## Severity not recorded (1)",
        f"### {place}TNone",
    ]


def test_a_summary_comes_first_with_counts_and_the_record_of_the_corrections(run, corrections):
    base = run.results[1]
    shuffled = [Severity.CONSTANT, Severity.THEOREM, Severity.CONSTANT]
    results = [replace(base, claim=replace(base.claim, severity=s)) for s in shuffled]
    head = errata_text(results, corrections).split("\n## ")[0].splitlines()
    assert head[2] == (
        "3 printed statements are false as they stand (all of these in one reading of an ambiguous"
        " text). The gravest come first."
    )
    assert head[6:8] == [
        "| theorem | 1 | a theorem, lemma or corollary falls with it |",
        "| constant | 2 | a constant or a formula changes |",
    ]
    assert head[9] == "What is recorded of the corrections: 1 proved."


def test_one_statement_is_no_plural(run):
    text = errata_text(run.results[1:2], {})
    head = "1 printed statement is false as it stands (in one reading of an ambiguous text).\n"
    assert head in text
    assert "gravest" not in text


def test_the_head_says_of_how_many_printed_statements(run):
    text = errata_text(run.results[1:2], {}, checked={"First paper": 3, "Second": 4})
    head = (
        "1 of 7 printed statements is false as it stands (in one reading of an ambiguous text): 1 of 3"
        " in First paper, 0 of 4 in Second.\n"
    )
    assert head in text


def test_damaged_text_stands_apart_and_accuses_nobody(sheet):
    before, after = sheet.split("## Possibly damaged text")
    assert "a.damaged" not in before
    assert "a.damaged" in after
    assert "Nothing is said here about what their authors wrote" in after
    assert before.startswith("# Errata\n\n2 printed statements are false as they stand")


def test_an_ambiguous_text_without_a_note_says_what_was_tested(run):
    claim = replace(run.results[1].claim, reading_note="")
    text = errata_text([replace(run.results[1], claim=claim)], {})
    assert "the statement above is the reading that was tested" in text


def test_damaged_text_comes_last_whatever_its_severity(run):
    base = run.results[1]
    grave, light = (
        replace(base, claim=replace(base.claim, reading=reading, severity=severity))
        for reading, severity in (
            (Reading.DAMAGED, Severity.THEOREM),
            (Reading.AS_PRINTED, Severity.WORDING),
        )
    )
    assert false_as_printed([grave, light]) == [light, grave]


def test_a_verdict_that_is_not_as_recorded_warns_of_the_check(sheet):
    entry = sheet[sheet.index("Falls") : sheet.index("## Possibly damaged")]
    assert "the check may be at fault" in entry
    assert sheet.count("the check may be at fault") == 1


def test_what_a_run_left_open_is_named(run):
    open_ = replace(run.results[1], verdict=Verdict.INCONCLUSIVE)
    text = errata_text([open_], {})
    assert "No printed statement was found false" in text
    assert "## Not established in this run" in text
    assert "- `a.thm1.false`" in text


def test_markup_of_the_source_is_escaped(run):
    result = next(result for result in run.results if result.claim.id == "b.markup")
    claim = replace(result.claim, reading=Reading.AS_PRINTED)
    text = errata_text([replace(result, claim=claim, verdict=Verdict.REFUTED)], {})
    assert text.count("\\<script>") >= 3
    assert "<script>" not in text.replace("\\<script>", "")
    assert "<img" not in text.replace("\\<img", "")


def test_an_id_cannot_become_markup(run):
    hostile = "a`<script>`` [x](javascript:1)\x1b\n# b"
    result = next(result for result in run.results if result.verdict is Verdict.REFUTED)
    claim = replace(result.claim, id=hostile, correction=hostile)
    wrong, open_ = (
        replace(result, claim=replace(claim, recorded=Verdict.REFUTED), verdict=verdict)
        for verdict in (Verdict.REFUTED, Verdict.INCONCLUSIVE)
    )
    uses = PrintedUses([replace(claim, id="a.drawn", printed_uses=(hostile,)), claim])
    for text in (
        errata_text([wrong, open_], {}, uses),
        errata_text([wrong], {hostile: claim}, uses),
    ):
        assert text.count("javascript") >= 2
        assert "javascript" not in re.sub(r"(```).+?\1", "", text)
        assert "\x1b" not in text


@pytest.mark.parametrize(
    ("id_", "where", "place"),
    [
        ("a.thm7.stmt", "Sec. 6, Theorem 7, eq. (17)", "Theorem 7"),
        ("a.thm9.mean", "App. B, proof of Theorem 9, second display", "Proof of Theorem 9"),
        ("a.lem13", "App. F, Lemma 13", "Lemma 13"),
        ("a.remark.filter", "Sec. 4.3, Remarks", "Sec. 4.3"),
        ("a.s3.limit", "Sec. 3.2, sketch", "Sec. 3.2"),
        ("a.s3.limit", "The remarks", "Section 3"),
        ("a.task", "App. F.1, steps 1-5", "App. F.1"),
        ("a.bound", "the summary, second bullet", ""),
    ],
)
def test_a_heading_begins_with_the_place_in_the_paper(run, id_, where, place):
    claim = replace(run.results[1].claim, id=id_, where=where, title="Bound")
    assert place_of(claim) == place
    text = errata_text([replace(run.results[1], claim=claim)], {})
    colon = ": " if place else ""
    assert f'\n### <a id="{id_}"></a>{place}{colon}Bound\n' in text


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("$|s| < d$ and a_b", r"$|s| \lt d$ and a\_b"),
        ("[a](b) `c` &lt;", r"[a\](b) \`c\` \&lt;"),
        ("two\nlines", "two lines"),
    ],
)
def test_formulas_are_kept_and_signs_escaped(source, text):
    assert markdown(source) == text
