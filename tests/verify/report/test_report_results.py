"""What becomes of the numbered results: told by the run, in the order of the paper."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from verify.catalogue import catalogue
from verify.claim import Claim, Origin, Registry, Severity
from verify.errors import CatalogueError
from verify.printed.paper import Numbered, Paper
from verify.report.page.html import page
from verify.report.results import Fate, Fates, fates, stating
from verify.running.runner import ClaimResult, RunResult
from verify.running.settings import Settings
from verify.verdict import Verdict


@pytest.fixture(scope="module")
def whole() -> Registry:
    return catalogue()


@pytest.fixture
def judged(whole: Registry) -> Callable[..., Fates]:
    """The fates by a run that finds what is recorded, but for some claims."""

    def find(**others: Verdict) -> Fates:
        (found,) = fates(_results(whole, others), whole)
        return found

    return find


@pytest.fixture
def in_words(whole: Registry) -> dict[str, Verdict]:
    """Every proof argued in words, as far as some are carried over by now."""
    return {claim.id: Verdict.ARGUED for claim in whole if claim.recorded is Verdict.PROVED}


def _results(whole: Registry, others: dict[str, Verdict]) -> list[ClaimResult]:
    return [_result(claim, others.get(claim.id)) for claim in whole]


def _result(claim: Claim, verdict: Verdict | None = None) -> ClaimResult:
    """A result as it is recorded, if nothing else is said."""
    return ClaimResult(claim, verdict or claim.recorded or Verdict.NOT_RUN, (), ok=True)


def _row(found: Fates, name: str) -> Fate:
    return next(row for row in found.rows if row.name == name)


def test_the_sentence_counts_every_result_once(
    judged: Callable[..., Fates], whole: Registry, in_words: dict[str, Verdict]
) -> None:
    found = judged(**in_words)
    names = [name for row in found.rows for name in row.names]
    assert names == [result.name for result in whole.papers["nichani"].results]
    assert len(found.rows) <= 25
    false = sum(bool(row.false) for row in found.rows)
    assert found.words == (
        f"Of {len(names)} numbered results, {len(names) - false} hold as printed (all with steps in "
        f"words; 6 of these in the reading that their claims state), {false} hold after a change (all "
        "with steps in words); none is lost."
    )


def test_results_with_steps_in_words_are_counted(
    judged: Callable[..., Fates], in_words: dict[str, Verdict]
) -> None:
    some = dict.fromkeys(("nichani.thm5.stmt", "nichani.lem13.corrected"), Verdict.PROVED)
    found = judged(**in_words | some)
    assert "16 hold as printed (15 of these with steps in words; 6" in found.words
    assert "13 hold after a change (12 of these with steps in words)" in found.words


def test_without_steps_in_words_none_are_counted(whole: Registry) -> None:
    def proved(claim: Claim) -> ClaimResult:
        found = claim.recorded
        return _result(claim, Verdict.PROVED if found is Verdict.ARGUED else found)

    (found,) = fates(list(map(proved, whole)), whole)
    assert "in words" not in found.words
    assert {row.sure for row in found.rows} == {Verdict.PROVED}


def test_a_mended_result_is_as_sure_as_what_is_right_in_its_place(
    judged: Callable[..., Fates],
) -> None:
    rights = [f"nichani.thm1.{name}.corrected" for name in ("statement", "lowrank")]
    for found, sure in (
        ([Verdict.PROVED, Verdict.PROVED], Verdict.PROVED),
        ([Verdict.PROVED, Verdict.ARGUED], Verdict.ARGUED),
        ([Verdict.ARGUED, Verdict.SUPPORTED], Verdict.SUPPORTED),
        ([Verdict.ARGUED, Verdict.INCONCLUSIVE], None),
    ):
        others = dict(zip(rights, found, strict=True))
        assert _row(judged(**others), "Theorem 1").sure is sure


def test_a_false_result_says_what_is_right_and_how_that_fared(judged: Callable[..., Fates]) -> None:
    row = _row(judged(), "Theorem 1")
    assert row.verdict is Verdict.REFUTED
    assert [(m.id, m.correction, m.right) for m in row.false] == [
        (id_, f"{id_}.corrected", Verdict.ARGUED)
        for id_ in ("nichani.thm1.statement", "nichani.thm1.lowrank")
    ]
    assert "log(NM)" in row.holds
    # The second moment is a line of the proof, and the two statements are no lines of it.
    assert row.slips == 1


def test_what_is_false_in_one_reading_says_so(judged: Callable[..., Fates]) -> None:
    outcomes = {name: row.outcome for row in judged().rows for name in row.names}
    assert outcomes["Lemma 13"] == outcomes["Corollary 1"] == "false as read here"
    assert outcomes["Lemma 16"] == "false, in part as read here"
    assert outcomes["Theorem 6"] == "false"
    assert outcomes["Lemma 7"] == "false in part"
    assert outcomes["Theorem 3"] == "holds as read here"
    assert outcomes["Theorem 5"] == "holds"
    # Only the second item of the lemma has more than one reading.
    half = _row(judged(**{"nichani.lem16.contraction": Verdict.PROVED}), "Lemma 16")
    assert half.outcome == "false in part as read here"
    open_ = _row(judged(**{"nichani.thm3.statement": Verdict.INCONCLUSIVE}), "Theorem 3")
    assert (open_.outcome, open_.reading) == ("left open", "")


def test_the_message_needs_every_result(judged: Callable[..., Fates], whole: Registry) -> None:
    message = whole.papers["nichani"].message
    assert message
    assert judged().message == message
    for id_, verdict in (
        ("nichani.lem15", Verdict.NOT_RUN),
        ("nichani.lem15", Verdict.INCONCLUSIVE),
        ("nichani.lem13.corrected", Verdict.INCONCLUSIVE),
        ("nichani.thm6.stmt", Verdict.SUPPORTED),
        ("nichani.thm5.stmt", Verdict.REFUTED),
    ):
        assert judged(**{id_: verdict}).message == ""
    for results, there in ((_results(whole, {}), True), ([_result(whole["nichani.lem15"])], False)):
        text = page(RunResult(Settings(), results), whole, command="verify")
        assert ("False for good" in text) is there


@pytest.mark.parametrize("verdict", [Verdict.INCONCLUSIVE, Verdict.NOT_RUN])
def test_nothing_is_said_to_be_saved_without_its_correction(
    judged: Callable[..., Fates], verdict: Verdict
) -> None:
    found = judged(**{"nichani.lem13.corrected": verdict})
    assert not _row(found, "Lemma 13").mended
    assert "1 is false without a way out in this run" in found.words
    assert "none is lost" not in found.words


def test_a_result_is_as_sure_as_the_weakest_of_its_statements(
    judged: Callable[..., Fates],
) -> None:
    for verdict, wanted in (
        (Verdict.SUPPORTED, Verdict.SUPPORTED),
        (Verdict.ARGUED, Verdict.ARGUED),
        (Verdict.INCONCLUSIVE, Verdict.INCONCLUSIVE),
        (Verdict.NOT_RUN, Verdict.INCONCLUSIVE),
        (Verdict.CONFLICT, Verdict.INCONCLUSIVE),
    ):
        found = judged(**{"nichani.lem5.noise": verdict})
        assert _row(found, "Lemma 5").verdict is wanted
        assert ("1 is left open" in found.words) is not wanted.positive
        assert ("none is lost" in found.words) is wanted.positive


def test_a_result_without_a_verdict_is_left_out(judged: Callable[..., Fates]) -> None:
    found = judged(**{"nichani.lem15": Verdict.NOT_RUN})
    assert all("Lemma 15" not in row.names for row in found.rows)


def test_only_what_fared_alike_in_a_row_is_joined(
    judged: Callable[..., Fates], in_words: dict[str, Verdict]
) -> None:
    assert _row(judged(**in_words), "Lemmas 8 to 12").verdict is Verdict.ARGUED
    found = judged(**in_words | {"nichani.lem10.stmt": Verdict.SUPPORTED})
    names = [row.name for row in found.rows]
    assert "Lemmas 8 and 9" in names
    assert "Lemma 10" in names


def test_a_run_without_results_has_no_table(whole: Registry) -> None:
    assert fates([_result(whole["nichani.thm1.mean"])], whole) == []


def test_the_page_leads_with_the_table(whole: Registry) -> None:
    chosen = [
        "nichani.lem13",
        "nichani.lem13.corrected",
        "nichani.thm9.statement",
        "nichani.thm9.statement.corrected",
        "nichani.thm10.statement",
    ]
    results = [_result(whole[id_]) for id_ in chosen]
    text = page(RunResult(Settings(), results), whole, command="verify")
    table = text[text.index('<section id="results"') : text.index('<section id="graph"')]
    assert "Of 3 numbered results, 1 holds as printed (with steps in words; 1 of these" in table
    assert table.index("Theorem 2 (= 9)") < table.index("Theorem 10") < table.index("Lemma 13")
    assert 'href="#claim-nichani.lem13.corrected"' in table
    assert "holds as read here" in table
    assert "false as read here" in table
    assert "Theorem 9 (= 2)" in text
    row = text[text.index('<tr id="row-nichani.thm9.statement"') :]
    assert 'data-names="theorem 9|theorem 2" data-states>' in row[: row.index(">") + 1]


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"statements": ()}, "has no statement"),
        ({"statements": ("p.none",)}, "names p.none, which is no printed"),
        ({"statements": ("p.lem13.corrected",)}, "names p.lem13.corrected, which is no printed"),
        ({"holds": ""}, "does not say what holds"),
        ({"statements": ("p.lem12",)}, "none is false"),
    ],
)
def test_results_that_contradict_the_catalogue_are_refused(
    shelve: Callable[..., Registry], changes: dict[str, object], complaint: str
) -> None:
    fields = {"name": "Lemma 13", "statements": ("p.lem13",), "holds": "for more"}
    right = Claim("p.lem13.corrected", "t", "s", origin=Origin.CORRECTED, recorded=Verdict.PROVED)
    false = Claim("p.lem13", "t", "s", recorded=Verdict.REFUTED, correction=right.id)
    claims = (
        Claim("p.lem12", "t", "s", recorded=Verdict.PROVED),
        replace(false, severity=Severity.GAP),
        right,
    )
    shelve(Paper("p", "P", results=(Numbered(**fields),)), *claims).validate()
    changed = Numbered(**{**fields, **changes})
    with pytest.raises(CatalogueError, match=rf"p: Lemma 13 .*{complaint}"):
        shelve(Paper("p", "P", results=(changed,)), *claims).validate()


def test_every_result_is_stated_by_a_claim_of_the_catalogue(whole: Registry) -> None:
    stated = stating(whole.papers.values())
    assert stated
    assert all(id_ in whole for id_ in stated)
