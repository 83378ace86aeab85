"""Measurements become verdicts at the right look, and plans say how many draws that will take.

Synthetic laws of known mean, spread evenly over their quantiles: what is expected is then known
without noise.
"""

import math
import re

import pytest
import torch

from numerics.observables import Bounded, Event, HeavyTailed
from verify.auditing.plan import plan
from verify.checks.trial import decide
from verify.measuring.case import Case, Neighbour, nearest_first
from verify.measuring.context import Budget, Context, Profile
from verify.measuring.measure import Experiment, Source, Statistic, replicates_at
from verify.statistics import (
    UNDEFINED,
    UNKNOWN,
    AssumptionError,
    AtLeast,
    AtMost,
    Between,
    difference,
    variance_about,
)
from verify.verdict import Verdict

SIZES = {"d": 2, "N": 3}
#: Student's law with two degrees of freedom is cut here on both sides, so that E X^2 is about 2.
CUT = 0.02


def heavy(u):
    u = CUT + (1 - 2 * CUT) * u
    return (2 * u - 1) / torch.sqrt(2 * u * (1 - u))


def draw(*, replicates, seed, start, **sizes):
    place = torch.arange(start + 1, start + replicates + 1, dtype=torch.float64)
    u = (place * (math.sqrt(5) - 1) / 2) % 1.0
    return {
        "uniform": Bounded(u, 0.0, 1.0),
        "square": Bounded((u - 0.5) ** 2, 0.0, 0.25),
        "skewed": Bounded(u**6, 0.0, 1.0),
        "rare": Event(u < 0.1),
        "never": Event(u < 0.0),
        "heavy": HeavyTailed(heavy(u), 0.0, 4.0),
    }


def experiment(afforded=2**17, name="synthetic", block=1024):
    return Experiment(name, draw, block, afforded)


def case(observable, claimed, *more, afforded=2**17, combine=None, **settings):
    sources = tuple(Source(experiment(afforded), name, SIZES) for name in (observable, *more))
    statistic = Statistic(sources) if combine is None else Statistic(sources, combine)
    return Case(observable, SIZES, statistic, lambda view: claimed, **settings)


def records(evidence):
    return evidence.detail["cases"]


# -- verdicts ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("observable", "claimed"),
    [
        ("uniform", Between(0.5, 0.5, 0.05)),
        ("skewed", Between(1 / 7, 1 / 7, 0.02)),
        ("skewed", Between(0.14, 0.15, 0.02)),
        ("uniform", AtMost(0.55)),
        ("uniform", AtLeast(0.45)),
        ("rare", Between(0.1, 0.1, 0.03)),
        ("never", AtMost(0.01)),
        ("heavy", Between(0.0, 0.0, 0.2)),
    ],
)
def test_what_is_true_is_supported(observable, claimed):
    found = decide([case(observable, claimed)], Context())
    assert found.verdict is Verdict.SUPPORTED
    assert found.counterexample is None
    assert found.scope == "measured at d = 2, N = 3"


@pytest.mark.parametrize(
    ("observable", "claimed"),
    [
        ("uniform", Between(0.55, 0.55, 0.04)),
        ("uniform", Between(0.51, 0.52, 0.001)),
        ("uniform", AtMost(0.45)),
        ("uniform", AtLeast(0.55)),
        ("rare", AtMost(0.05)),
        ("heavy", AtLeast(0.2)),
        ("uniform", Between(0.8, 0.8, 5.0)),  # within the tolerance, and yet not the value printed
    ],
)
def test_what_is_false_is_refuted_with_a_counterexample(observable, claimed):
    found = decide([case(observable, claimed)], Context())
    assert found.verdict is Verdict.REFUTED
    assert found.counterexample is not None
    assert found.counterexample["at"] == SIZES
    low, high = records(found)[-1]["interval"]
    assert found.counterexample["replicates"] == records(found)[-1]["replicates"]
    assert not (low <= claimed.printed <= high)


def test_a_value_that_is_undefined_is_refuted():
    found = decide([case("uniform", UNDEFINED)], Context())
    assert found.verdict is Verdict.REFUTED
    assert found.counterexample["printed"] == "undefined"
    assert records(found)[0]["replicates"] == 1024  # at the first look


def test_a_value_of_which_nothing_is_known_stays_open():
    found = decide([case("uniform", UNKNOWN, afforded=4096)], Context())
    assert found.verdict is Verdict.INCONCLUSIVE
    assert records(found)[0]["replicates"] == 4096


def projected(evidence) -> int:
    (count,) = re.findall(r"about ([\d,]+) draws would decide", evidence.summary)
    return int(count.replace(",", ""))


OPEN = [
    ("uniform", Between(0.5, 0.5, 0.012)),
    ("uniform", Between(0.518, 0.518, 0.001)),
    ("uniform", AtMost(0.51)),
    ("skewed", AtLeast(1 / 7 - 0.01)),
    ("rare", AtMost(0.11)),
    ("heavy", Between(0.0, 0.0, 0.06)),
]


@pytest.mark.parametrize(("observable", "claimed"), OPEN)
def test_what_stays_open_says_how_many_draws_would_decide_and_they_do(observable, claimed):
    found = decide([case(observable, claimed, afforded=2**13)], Context())
    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.summary.startswith(f"the interval is too wide: {observable} at d = 2, N = 3")
    assert records(found)[0]["replicates"] == 2**13
    count = projected(found)
    assert count > 2**13
    longer = decide([case(observable, claimed, afforded=int(1.5 * count))], Context())
    assert longer.verdict is not Verdict.INCONCLUSIVE
    assert count / 1.5 <= records(longer)[0]["replicates"] <= 1.5 * count
    shorter = decide([case(observable, claimed, afforded=int(0.6 * count))], Context())
    assert shorter.verdict is Verdict.INCONCLUSIVE


def test_a_larger_profile_decides_what_a_smaller_one_leaves_open():
    at = case("uniform", Between(0.5, 0.5, 0.02), afforded=2**12)
    verdicts = [decide([at], Context(profile=profile)).verdict for profile in Profile]
    assert verdicts == [Verdict.INCONCLUSIVE, Verdict.SUPPORTED, Verdict.SUPPORTED]


def test_a_value_at_the_edge_of_what_is_claimed_is_said_to_stay_open_forever():
    def half(*, replicates, seed, start):
        return {"x": Bounded(torch.full((replicates,), 0.5, dtype=torch.float64), 0.0, 1.0)}

    statistic = Statistic((Source(Experiment("half", half, afforded=2048), "x", {}),))
    found = decide([Case("x", {}, statistic, lambda view: AtMost(0.5))], Context())
    assert found.verdict is Verdict.INCONCLUSIVE
    assert "no number of draws would decide" in found.summary


def test_the_draws_end_at_the_first_look_that_decides():
    claimed = Between(0.5, 0.5, 0.03)
    found = records(decide([case("uniform", claimed)], Context()))[0]
    inside = [
        claimed.low - claimed.tolerance <= low and high <= claimed.low + claimed.tolerance
        for _, low, high in found["path"]
    ]
    assert inside == [False] * (len(inside) - 1) + [True]
    assert len(inside) > 3


def test_the_path_leads_to_the_interval():
    found = decide(
        [case("uniform", Between(0.5, 0.5, 0.02)), case("rare", AtMost(0.13))], Context()
    )
    for record in records(found):
        path = record["path"]
        assert path[-1] == [record["replicates"], *record["interval"]]
        looks = [replicates_at(experiment(), look) for look in range(1, len(path) + 1)]
        assert [count for count, _, _ in path] == looks
        assert record["detectable difference"] == pytest.approx(
            record["interval"][1] - record["interval"][0], rel=1e-12
        )


# -- several cases -------------------------------------------------------------------------------


@pytest.mark.parametrize("budget", [1e-6, 0.5])
def test_the_cases_share_the_error_of_the_check(budget):
    context = Context(budget=Budget(budget))
    cases = [
        case("uniform", Between(0.5, 0.5, 0.1)),
        case("rare", AtMost(0.3), parts=3),
        case("square", Between(1 / 12, 1 / 12, 0.1)),
    ]
    shares = [record["error share"] for record in records(decide(cases, context))]
    assert shares == pytest.approx([context.share / 3, context.share / 9, context.share / 3])
    spent = sum(share * c.parts for share, c in zip(shares, cases, strict=True))
    assert spent <= context.share * (1 + 1e-12)


def test_a_claimed_value_that_is_measured_is_seen_at_the_same_look_and_error():
    seen = []

    def claimed(view):
        seen.append((view.look, view.error))
        other = view.interval(case("square", None).statistic)
        assert other.error == pytest.approx(view.error, rel=1e-12)
        return Between(6 * other.low, 6 * other.high, 0.2)

    source = case("uniform", None).statistic
    context = Context()
    found = decide([Case("uniform", SIZES, source, claimed, parts=2)], context)
    assert found.verdict is Verdict.SUPPORTED
    assert seen == [(look, context.share / 2) for look in range(1, len(seen) + 1)]
    assert len(records(found)[0]["path"]) == len(seen)


def test_one_contradicted_case_refutes_and_ends_the_check():
    found = decide(
        [
            case("uniform", Between(0.5, 0.5, 0.1)),
            case("rare", AtLeast(0.5)),
            case("skewed", Between(1 / 7, 1 / 7, 0.1)),
        ],
        Context(),
    )
    assert found.verdict is Verdict.REFUTED
    assert [record["quantity"] for record in records(found)] == ["uniform", "rare"]
    assert found.counterexample["quantity"] == "rare"


def test_an_open_case_does_not_hide_a_contradicted_one_after_it():
    cases = [
        case("uniform", Between(0.5, 0.5, 1e-4), afforded=2048),
        case("rare", AtLeast(0.5), afforded=2048),
    ]
    assert decide(cases, Context()).verdict is Verdict.REFUTED
    assert decide(cases[:1], Context()).verdict is Verdict.INCONCLUSIVE


def test_one_open_case_leaves_the_check_open_and_is_named():
    cases = [
        case("rare", AtMost(0.5), afforded=2048),
        case("uniform", Between(0.5, 0.5, 1e-3), afforded=2048),
        case("skewed", AtMost(0.5), afforded=2048),
    ]
    found = decide(cases, Context())
    assert found.verdict is Verdict.INCONCLUSIVE
    assert "too wide: uniform at" in found.summary
    assert len(records(found)) == 3


def test_all_cases_met_are_counted_with_the_most_draws():
    cases = [case("uniform", Between(0.5, 0.5, 0.4)), case("uniform", Between(0.5, 0.5, 0.03))]
    found = decide(cases, Context())
    most = max(record["replicates"] for record in records(found))
    assert found.summary == f"measured in 2 cases, up to {most} draws"
    assert most > 1024
    assert len(found.steps) == 2


@pytest.mark.parametrize("claimed", [AtLeast(0.3), AtLeast(0.1), Between(0.8, 0.8, 5.0), UNDEFINED])
def test_a_control_that_is_not_met_is_an_error_and_no_verdict(claimed):
    # 0.3 is contradicted, 0.1 itself stays open: either way the instrument has not spoken. Nor has
    # it where the value printed is excluded, wide as the tolerance may be.
    cases = [
        case("uniform", Between(0.5, 0.5, 0.4), afforded=2048),
        case("rare", claimed, control=True, afforded=2048),
    ]
    with pytest.raises(ArithmeticError, match="what must be seen is not seen: rare at d = 2"):
        decide(cases, Context())


def test_a_control_that_is_met_is_a_case_like_any_other():
    cases = [case("rare", AtLeast(0.05), control=True), case("never", AtMost(0.1))]
    found = decide(cases, Context())
    assert found.verdict is Verdict.SUPPORTED
    assert len(records(found)) == 2


def test_values_that_contradict_their_assumption_are_no_verdict():
    def heavier(*, replicates, seed, start):
        values = draw(replicates=replicates, seed=seed, start=start)["heavy"].values
        return {"x": HeavyTailed(values, 0.0, 1.0)}

    statistic = Statistic((Source(Experiment("heavier", heavier, 1024), "x", {}),))
    with pytest.raises(AssumptionError):
        decide([Case("x", {}, statistic, lambda view: AtMost(3.0))], Context())


# -- records -------------------------------------------------------------------------------------


def test_a_record_says_what_was_claimed_found_and_excluded():
    mutants = nearest_first(0.5, {"twice": 1.0, "more": 0.6, "less": 0.45, "same": 0.5, "far": 9.0})
    assert [n.name for n in mutants] == ["less", "more", "twice", "far"]
    at = case("uniform", Between(0.5, 0.5, 0.04), gap=0.05, neighbours=mutants)
    found = decide([at], Context())
    record = records(found)[0]
    assert (record["quantity"], record["at"], record["printed"]) == ("uniform", SIZES, 0.5)
    assert (record["relation"], record["tolerance"]) == ("printed", 0.04)
    assert record["mutants"] == [["less", 0.45], ["more", 0.6], ["twice", 1.0]]
    assert record["needs"] == "independent replicates; every value in [0, 1], checked"
    assert "nearest mutant (less) at distance 0.05" in found.steps[0]
    for _, value in record["mutants"]:
        assert not (record["interval"][0] <= value <= record["interval"][1])


def test_a_bound_has_no_tolerance_and_equal_mutants_are_named_once():
    neighbours = (Neighbour("a", 0.6), Neighbour("b", 0.6), Neighbour("c", 0.7))
    at = case("uniform", AtMost(0.55), neighbours=neighbours)
    record = records(decide([at], Context()))[0]
    assert "tolerance" not in record
    assert record["mutants"] == [["a", 0.6], ["c", 0.7]]


def test_the_needs_of_all_kinds_are_named_once():
    at = case(
        "uniform",
        Between(1 / 12, 1 / 12, 0.1),
        "square",
        combine=lambda m, s: variance_about(0.5, m, s),
    )
    record = records(decide([at], Context()))[0]
    assert record["needs"] == (
        "independent replicates; every value in [0, 1], checked; every value in [0, 0.25], checked"
    )


# -- plans ---------------------------------------------------------------------------------------

DECIDED = [
    (("uniform",), Between(0.5, 0.5, 0.02), None),
    (("skewed",), Between(1 / 7, 1 / 7, 0.015), None),
    (("skewed",), AtMost(0.16), None),
    (("rare",), AtMost(0.12), None),
    (("never",), AtMost(0.004), None),
    (("heavy",), Between(0.0, 0.0, 0.1), None),
    (("uniform", "skewed"), Between(5 / 14, 5 / 14, 0.04), difference),
    (
        ("uniform", "square"),
        Between(1 / 12, 1 / 12, 0.004),
        lambda mean, square: variance_about(0.5, mean, square),
    ),
]


@pytest.mark.parametrize(("observables", "claimed", "combine"), DECIDED)
def test_a_plan_tells_where_the_check_will_be_decided(observables, claimed, combine):
    at = case(*observables[:1], claimed, *observables[1:], combine=combine, afforded=2**18)
    (planned,) = plan([at], Context())
    found = decide([at], Context())
    assert found.verdict is not Verdict.INCONCLUSIVE
    count = records(found)[0]["replicates"]
    assert count > 2 * 1024  # else a pilot would have done
    assert count / 1.5 <= planned.replicates <= 1.5 * count


def test_a_plan_draws_a_pilot_only_and_tells_what_is_afforded_and_shared():
    calls = []

    def counted(**arguments):
        calls.append(arguments)
        return draw(**arguments)

    one = Experiment("counted", counted, 1024, 10_000)
    cases = [
        Case(
            name,
            SIZES,
            Statistic((Source(one, name, SIZES),)),
            lambda view: Between(0.5, 0.5, 0.01),
        )
        for name in ("uniform", "square")
    ]
    found = list(plan(cases, Context(profile=Profile.STANDARD)))
    assert [call["start"] for call in calls] == [0, 1024, 2048, 3072]
    assert [call["replicates"] for call in calls] == [1024] * 4
    assert [p.affordable for p in found] == [33 * 1024] * 2  # a look more would be 40 blocks
    assert set(found[0].draws) == set(found[1].draws) == {Source(one, "", SIZES).key}
    assert found[0].seconds > 0


def test_a_plan_shares_the_error_as_the_decision_does():
    at = case("uniform", Between(0.5, 0.5, 0.02))
    (alone,) = plan([at], Context())
    among = list(plan([at] * 50, Context()))
    assert among[0].replicates > alone.replicates
    (parted,) = plan([case("uniform", Between(0.5, 0.5, 0.02), parts=50)], Context())
    assert parted.replicates == among[0].replicates


def test_a_plan_that_no_number_of_draws_would_meet_says_so():
    (planned,) = plan([case("uniform", UNKNOWN)], Context())
    assert planned.replicates is None
    assert planned.seconds == 0
