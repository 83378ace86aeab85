"""How sure a verdict is: what each road is worth, in words that the evidence bears out."""

from dataclasses import replace

import pytest

from verify.claim import Check, Claim, Evidence, Registry, Road
from verify.report.page.certainty import certainty
from verify.running.runner import ClaimResult
from verify.verdict import Verdict

CLAIM = Claim("a", "t", "s")
PROOF = Evidence(Verdict.PROVED, "m", "s", steps=("a", "b"), road=Road.PROOFS)
CASE = {"error share": 1e-10, "replicates": 4096, "detectable difference": 0.25}
INTERVALS = Evidence(
    Verdict.SUPPORTED,
    "m",
    "s",
    detail={"cases": [CASE, {**CASE, "replicates": 81920, "detectable difference": 0.0168}]},
    road=Road.NUMERICS,
)


def found(*evidence, verdict=Verdict.PROVED, **kinds):
    """The certainty of a claim with this evidence, which has checks on these roads besides."""
    registry = Registry()
    registry.add(CLAIM)
    for road in {e.road for e in evidence if e.road} | set(kinds.get("checks", ())):
        registry.add_check(Check(CLAIM.id, road, lambda p, c: PROOF, str(road)))
    result = ClaimResult(CLAIM, verdict, evidence, True)
    return certainty(result, registry, kinds.get("asked", tuple(Road)))


def words(evidence):
    return found(evidence).lines[0].words


def interval(low, high, *wrong, **more):
    """A measurement held against wrong values."""
    case = {**CASE, "interval": [low, high], "printed": (low + high) / 2, **more}
    case["mutants"] = [[f"{value} for it", value] for value in wrong]
    return replace(INTERVALS, detail={"cases": [case]})


SEARCH = replace(PROOF, verdict=Verdict.SUPPORTED, road=Road.PROPERTIES, steps=())


@pytest.mark.parametrize(
    ("evidence", "said"),
    [
        ((PROOF,), ""),
        ((PROOF, interval(0, 1, 2.0)), "Two independent roads find that it holds."),
        (
            (PROOF, interval(0, 1, 2.0), SEARCH),
            "Two independent roads find that it holds; a search does not contradict it.",
        ),
        ((PROOF, interval(0, 1)), "Proved; measurement does not contradict it."),
        ((PROOF, interval(0, 1, 2.0, 0.5)), "Proved; measurement does not contradict it."),
        ((PROOF, INTERVALS, SEARCH), "Proved; measurement and a search do not contradict it."),
        ((PROOF, replace(INTERVALS, detail={})), "Proved; a calculation does not contradict it."),
        ((PROOF, replace(INTERVALS, verdict=Verdict.INCONCLUSIVE)), ""),
    ],
    ids=[
        "one road",
        "a wrong value excluded",
        "and a search",
        "nothing excluded",
        "a wrong value left",
        "measured and searched",
        "calculated",
        "undecided",
    ],
)
def test_a_road_counts_if_it_tells_wrong_statements_from_the_right_one(evidence, said):
    assert found(*evidence).agreement == said


def test_a_wrong_value_may_be_excluded_by_any_of_the_intervals():
    cases = [*interval(0, 3, 2.0).detail["cases"], *interval(0, 1, 2.0).detail["cases"]]
    several = replace(INTERVALS, detail={"cases": cases})
    assert found(PROOF, several).agreement == "Two independent roads find that it holds."


def test_without_a_proof_nothing_is_called_proved():
    measured = {"verdict": Verdict.SUPPORTED}
    assert found(interval(0, 1, 2.0), SEARCH, **measured).agreement == (
        "Intervals tell it from the wrong statements nearby; a search does not contradict it."
    )
    assert found(INTERVALS, SEARCH, **measured).agreement == (
        "Nothing that was done contradicts it: measurement and a search."
    )


def test_what_is_argued_is_not_called_proved():
    worded = replace(PROOF, verdict=Verdict.ARGUED)
    said = found(worded, INTERVALS, verdict=Verdict.ARGUED).agreement
    assert said == "Argued; measurement does not contradict it."


def test_roads_that_refute_are_counted():
    false = [replace(e, verdict=Verdict.REFUTED) for e in (PROOF, INTERVALS)]
    said = found(*false, verdict=Verdict.REFUTED).agreement
    assert said == "Two independent roads find that it is false."


def test_roads_that_contradict_each_other_do_not_agree():
    against = replace(INTERVALS, verdict=Verdict.REFUTED)
    assert found(PROOF, against, verdict=Verdict.CONFLICT).agreement == ""


@pytest.mark.parametrize(
    ("evidence", "said"),
    [
        (PROOF, "exact, for every value in the scope; no line of it is reasoning in words"),
        (
            replace(PROOF, steps=("a", "b   [in words: c]")),
            "for every value in the scope, exact but for its steps in words; "
            "1 of 2 lines is reasoning in words",
        ),
        (
            replace(PROOF, verdict=Verdict.CERTIFIED),
            "exact or in interval arithmetic, over the scope; no line of it is reasoning in words",
        ),
        (
            replace(PROOF, verdict=Verdict.REFUTED),
            "an exact counterexample; no line of it is reasoning in words",
        ),
        (replace(PROOF, verdict=Verdict.INCONCLUSIVE), Verdict.INCONCLUSIVE.meaning),
        (replace(INTERVALS, detail={}), "a calculation in floating point: s"),
        (replace(PROOF, road=Road.PROPERTIES), "a search for a counterexample: s"),
    ],
    ids=["proved", "in words", "certified", "refuted", "undecided", "computed", "searched"],
)
def test_evidence_is_called_what_it_is(evidence, said):
    assert words(evidence) == said


def test_intervals_have_one_error_for_all_and_say_what_they_tell_apart():
    assert words(INTERVALS) == (
        "2 confidence intervals; the probability that any of them misses is at most 2e-10; "
        "up to 81,920 draws each; the narrowest tells apart values that differ by 0.017"
    )
    assert words(replace(INTERVALS, detail={"cases": [CASE]})) == (
        "1 confidence interval; the probability that it misses is at most 1e-10; 4,096 draws; "
        "it tells apart values that differ by 0.25"
    )


EVENTS = {"quantity": "P(loss)", "needs": "independent replicates; every value 0 or 1, checked"}


@pytest.mark.parametrize(
    ("case", "said"),
    [
        ({"relation": "printed at most", "printed": 2.0}, "clear of the bound"),
        ({"relation": "at least", "printed": 0.5}, "not clear of the bound"),
        ({"relation": "at least", "printed": 2.0}, "beyond the bound"),
        (
            {"relation": "printed at most", "printed": 2.0, "moments": {"f": {"mean": 0.0}}},
            "clear of the bound; none in 4,096 draws, which says of P(loss) no more than that it is "
            "at most 1",
        ),
        (
            {"relation": "at least", "printed": 0.1, "moments": {"f": {"mean": 1.0}}},
            "clear of the bound; all of 4,096 draws, which says of P(loss) no more than that it is "
            "at least 0.22",
        ),
        (
            {"relation": "at least", "printed": 0.1, "moments": {"f": {"mean": 0.75}}},
            "clear of the bound",
        ),
        (
            {"relation": "at least", "printed": 0.1, "moments": {"f": {"mean": 1.0}}, "needs": "x"},
            "clear of the bound",
        ),
    ],
    ids=["clear", "not clear", "beyond", "none", "all", "some", "no events"],
)
def test_an_interval_against_a_bound_says_what_was_seen(case, said):
    evidence = interval(0.2222, 1.0, **EVENTS | case)
    assert words(evidence).endswith(f"differ by 0.25; {said}")


def test_several_intervals_against_bounds_are_counted():
    bound = {"relation": "at least", "printed": 0.5}
    clear, open_ = ({**CASE, "interval": ends, **bound} for ends in ([0.6, 1.0], [0.1, 1.0]))
    assert words(replace(INTERVALS, detail={"cases": [clear, clear]})).endswith(
        "; both clear of the bound"
    )
    assert words(replace(INTERVALS, detail={"cases": [clear, open_, clear]})).endswith(
        "; 2 of 3 clear of the bound; 1 of 3 not clear of the bound"
    )


def test_a_probability_is_rounded_up():
    one = replace(INTERVALS, detail={"cases": [{**CASE, "error share": 1.01e-10}]})
    assert "at most 1.1e-10" in words(one)


@pytest.mark.parametrize("share", [None, "x", float("nan"), -1.0, 2.0, 10**400])
def test_an_error_that_is_not_known_is_not_stated(share):
    cases = [CASE, {**CASE, "error share": share}]
    assert "probability" not in words(replace(INTERVALS, detail={"cases": cases}))


def test_what_is_cited_is_told_from_steps_in_words():
    cited = replace(PROOF, assumptions=("Markov's inequality: m", "step in words: a, since b"))
    assert found(cited).lines[0].trust == ("Markov's inequality: m",)


def test_lines_stand_in_the_order_of_the_roads():
    lines = found(PROOF, INTERVALS, PROOF).lines
    assert [line.road for line in lines] == [Road.PROOFS, Road.PROOFS, Road.NUMERICS]


def test_roads_without_a_word_are_named():
    assert found(PROOF).absent == "No check: numerics, properties."
    left = found(PROOF, checks=[Road.NUMERICS], asked=[Road.PROOFS]).absent
    assert left == "Not in this run: numerics. No check: properties."
