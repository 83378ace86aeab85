"""What becomes of the numbered results: told by the run, in the order of the paper."""

import pytest

from verify.catalogue import catalogue
from verify.catalogue.statements import Numbered, papers, validate_results
from verify.errors import CatalogueError
from verify.report.page.html import page
from verify.report.results import fates, stating
from verify.running.runner import ClaimResult, RunResult
from verify.running.settings import Settings
from verify.verdict import Verdict


@pytest.fixture(scope="module")
def whole():
    return catalogue()


@pytest.fixture
def judged(whole):
    """The fates by a run that finds what is recorded, but for some claims."""

    def find(**others):
        (found,) = fates(_results(whole, others), whole)
        return found

    return find


def _results(whole, others):
    return [_result(claim, others.get(claim.id)) for claim in whole]


def _result(claim, verdict=None):
    """A result as it is recorded, if nothing else is said."""
    return ClaimResult(claim, verdict or claim.recorded or Verdict.NOT_RUN, (), ok=True)


def _row(found, name):
    return next(row for row in found.rows if row.name == name)


def test_the_sentence_counts_every_result_once(judged):
    found = judged()
    names = [name for row in found.rows for name in row.names]
    assert names == [result.name for result in papers()["nichani"].results]
    assert len(found.rows) <= 25
    false = sum(bool(row.false) for row in found.rows)
    assert found.words == (
        f"Of {len(names)} numbered results, {len(names) - false} hold as printed (6 of these in the"
        f" reading that their claims state), {false} hold after a change; none is lost."
    )


def test_a_false_result_says_what_is_right_and_how_that_fared(judged):
    row = _row(judged(), "Theorem 1")
    assert row.verdict is Verdict.REFUTED
    assert [(m.id, m.correction, m.right) for m in row.false] == [
        (id_, f"{id_}.corrected", Verdict.PROVED)
        for id_ in ("nichani.thm1.statement", "nichani.thm1.lowrank")
    ]
    assert "log(NM)" in row.holds
    # The second moment is a line of the proof, and the two statements are no lines of it.
    assert row.slips == 1


def test_what_is_false_in_one_reading_says_so(judged):
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


def test_the_message_needs_every_result(judged, whole):
    message = papers()["nichani"].message
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
def test_nothing_is_said_to_be_saved_without_its_correction(judged, verdict):
    found = judged(**{"nichani.lem13.corrected": verdict})
    assert not _row(found, "Lemma 13").mended
    assert "1 is false without a way out in this run" in found.words
    assert "none is lost" not in found.words


def test_a_result_is_as_sure_as_the_weakest_of_its_statements(judged):
    for verdict, wanted in (
        (Verdict.SUPPORTED, Verdict.SUPPORTED),
        (Verdict.INCONCLUSIVE, Verdict.INCONCLUSIVE),
        (Verdict.NOT_RUN, Verdict.INCONCLUSIVE),
        (Verdict.CONFLICT, Verdict.INCONCLUSIVE),
    ):
        found = judged(**{"nichani.lem5.noise": verdict})
        assert _row(found, "Lemma 5").verdict is wanted
        assert ("1 is left open" in found.words) is not wanted.positive
        assert ("none is lost" in found.words) is wanted.positive


def test_a_result_without_a_verdict_is_left_out(judged):
    found = judged(**{"nichani.lem15": Verdict.NOT_RUN})
    assert all("Lemma 15" not in row.names for row in found.rows)


def test_only_what_fared_alike_in_a_row_is_joined(judged):
    assert _row(judged(), "Lemmas 8 to 12").verdict is Verdict.PROVED
    found = judged(**{"nichani.lem10.stmt": Verdict.SUPPORTED})
    names = [row.name for row in found.rows]
    assert "Lemmas 8 and 9" in names
    assert "Lemma 10" in names


def test_a_run_without_results_has_no_table(whole):
    assert fates([_result(whole["nichani.thm1.mean"])], whole) == []


def test_the_page_leads_with_the_table(whole):
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
    assert "Of 3 numbered results, 1 holds as printed (1 of these" in table
    assert table.index("Theorem 2 (= 9)") < table.index("Theorem 10") < table.index("Lemma 13")
    assert 'href="#claim-nichani.lem13.corrected"' in table
    assert "holds as read here" in table
    assert "false as read here" in table
    assert "Theorem 9 (= 2)" in text
    row = text[text.index('<tr id="row-nichani.thm9.statement"') :]
    assert 'data-names="theorem 9|theorem 2" data-states>' in row[: row.index(">") + 1]


def test_results_that_contradict_the_catalogue_are_refused(whole):
    good = Numbered("Lemma 13", ["nichani.lem13"], holds="for more")
    validate_results([good], whole)
    for changes, what in (
        ({"statements": []}, "has no statement"),
        ({"statements": ["nichani.none"]}, "names nichani.none, which is no printed"),
        ({"statements": ["nichani.lem13.corrected"]}, "names nichani.lem13.corrected, which is no"),
        ({"holds": ""}, "does not say what holds"),
        ({"statements": ["nichani.lem12"]}, "none is false"),
    ):
        with pytest.raises(CatalogueError, match=what):
            validate_results([Numbered(**{**_fields(good), **changes})], whole)


def _fields(result):
    return {"name": result.name, "statements": result.statements, "holds": result.holds}


def test_every_result_is_stated_by_a_claim_of_the_catalogue(whole):
    assert all(id_ in whole for id_ in stating())
