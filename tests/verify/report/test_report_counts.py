"""What is counted: printed statements by paper and by what they break, our own apart."""

from dataclasses import replace

import pytest

from verify.catalogue import catalogue
from verify.claim import Claim, Origin, Reading, Registry, Severity
from verify.report.counts import (
    how_many_false,
    in_each_paper,
    in_short,
    own_statements,
    printed_by_paper,
    what_they_break,
    with_verdict,
    without_check,
)
from verify.running.runner import RunResult
from verify.verdict import Verdict


def false(severity: Severity | None, paper: str = "One") -> Claim:
    return Claim("a.b", "t", "s", paper=paper, severity=severity)


def test_a_correction_and_an_explicit_form_are_printed_by_nobody() -> None:
    claims = [
        Claim("a.line", "t", "s", paper="One", correction="a.line.right"),
        Claim("a.line.right", "t", "s", paper="One", origin=Origin.CORRECTED),
        Claim("a.thm1.explicit.law", "t", "s", paper="One", origin=Origin.OURS),
        Claim("a.explicit-form", "t", "s", paper="One"),
        Claim("b.line", "t", "s", paper="Two"),
    ]
    assert printed_by_paper(claims) == {"One": 2, "Two": 1}


def test_everything_that_the_catalogue_records_as_false_is_printed() -> None:
    registry = catalogue()
    for claim in registry:
        if claim.recorded is Verdict.REFUTED:
            assert claim.origin is Origin.PRINTED, claim.id
        if claim.id.endswith(".corrected"):
            assert claim.origin is not Origin.PRINTED, claim.id


@pytest.mark.parametrize(
    ("number", "total", "words"),
    [
        (3, 6, "3 of 6 printed statements are false as they stand"),
        (1, 6, "1 of 6 printed statements is false as it stands"),
        (1, 1, "1 of 1 printed statement is false as it stands"),
        (0, 1, "0 of 1 printed statement is false as it stands"),
        (2, None, "2 printed statements are false as they stand"),
    ],
)
def test_how_many_are_false(number: int, total: int | None, words: str) -> None:
    assert how_many_false([false(None)] * number, total) == words


@pytest.mark.parametrize(
    ("read", "plain", "words"),
    [
        (2, 3, "5 of 9 printed statements are false as they stand (2 of these in one reading of"),
        (2, 0, "2 of 9 printed statements are false as they stand (all of these in one reading of"),
        (1, 0, "1 of 9 printed statements is false as it stands (in one reading of"),
    ],
)
def test_what_is_false_in_one_reading_is_told(read: int, plain: int, words: str) -> None:
    ambiguous = replace(false(None), reading=Reading.AMBIGUOUS)
    found = [ambiguous] * read + [false(None)] * plain
    assert how_many_false(found, 9) == f"{words} an ambiguous text)"


def test_what_has_no_check_is_told_by_the_kind_of_paper() -> None:
    idle = {"One": 9, "Two": 71, "Three": 40}
    assert without_check(idle, ["One", "Four"]) == "9 of papers judged here, 111 of 2 others"
    assert without_check({"One": 9, "Two": 7}, ["One"]) == "9 of papers judged here, 7 of another"
    assert without_check(idle, []) == ""
    assert without_check(idle, list(idle)) == ""


def test_papers_are_told_apart_where_there_are_several() -> None:
    found = [false(None, "One"), false(None, "One"), false(None, "Two")]
    total = {"One": 5, "Two": 4, "Three": 3}
    assert in_each_paper(found, total) == "2 of 5 in One, 1 of 4 in Two, 0 of 3 in Three"
    assert in_each_paper(found[:2], {"One": 5}) == ""
    assert in_short(found[:2], {"One": 5}) == "2 of 5 printed statements are false as they stand"
    assert in_short(found, total).startswith(
        "3 of 12 printed statements are false as they stand: 2 of 5 in One"
    )
    assert in_short(found, {}) == "3 printed statements are false as they stand"


def test_what_they_break_is_told_gravest_first() -> None:
    found = [Severity.WORDING, Severity.GAP, Severity.GAP, Severity.THEOREM]
    assert what_they_break(map(false, found)) == (
        "1 brings a theorem, lemma or corollary down, 2 leave a gap in a proof, 1 needs a word"
    )
    assert what_they_break([]) == ""


def test_our_own_statements_are_counted_apart(run: RunResult, registry: Registry) -> None:
    assert own_statements(run.results) == "1 correction or explicit form of our own: supported"
    one = next(r for r in run.results if r.claim.id == "a.thm1.false.corrected")
    other = replace(one, claim=replace(one.claim, id="a.explicit.form"), verdict=Verdict.PROVED)
    assert own_statements([one, other]) == (
        "2 corrections and explicit forms of our own: 1 proved, 1 supported"
    )
    assert own_statements([other, other]).endswith("of our own: all proved")
    idle = replace(one, verdict=Verdict.NOT_RUN)
    assert own_statements([idle]) == ""
    assert with_verdict([one, idle]) == [one.claim]
