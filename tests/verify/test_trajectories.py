"""What checks record along flows: few plain numbers that show what the claim says, at no cost to it."""

import json

import numpy as np
import pytest
import torch

from numerics import FactTable
from verify.catalogue import catalogue
from verify.checks.computed import computed
from verify.checks.trajectory import trajectory, with_trajectories
from verify.claim import Road
from verify.measuring.context import Context
from verify.report.plots.trajectories import flows
from verify.running.checking import run_check
from verify.typeset.encoding import plain

REGISTRY = catalogue()
CONTEXT = Context(formulas=lambda id_: REGISTRY[id_].formulas)


def found(id_):
    """The trajectories that the numerical check of a claim records."""
    [check] = REGISTRY.checks(id_, [Road.NUMERICS])
    return run_check(check, REGISTRY[id_], CONTEXT).detail["trajectories"]


def line(record, name):
    [points] = [each["points"] for each in record["lines"] if each["name"] == name]
    return np.array(points).T


# -- the record ----------------------------------------------------------------------------------


def test_a_line_keeps_its_ends_and_its_jump_with_few_points():
    x = np.linspace(0, 1, 5000)
    record = trajectory("t", {"jump": (x, np.where(x < 0.3, 1.0, 0.0))}, y="y")
    at, values = line(record, "jump")
    assert (at[0], at[-1]) == (0, 1)
    assert len(at) <= 6
    assert np.interp([0.29, 0.31], at, values) == pytest.approx([1, 0])


def test_a_curved_line_has_forty_points_at_most_and_is_close_all_the_same():
    x = np.linspace(0, 20, 5000)
    at, values = line(trajectory("t", {"wave": (x, np.sin(x))}, y="y"), "wave")
    assert len(at) <= 40
    assert abs(np.interp(x, at, values) - np.sin(x)).max() < 0.05


def test_points_are_close_on_the_axis_that_is_drawn():
    x = np.geomspace(1e-3, 1e5, 3000)
    record = trajectory("t", {"f": (x, 1 / (1 + x))}, y="y", x_scale="log", y_scale="log")
    at, values = line(record, "f")
    assert len(at) <= 40
    logs = np.interp(np.log(x), np.log(at), np.log(values))
    assert abs(logs + np.log1p(x)).max() < 0.1


def test_what_has_no_place_is_left_out():
    lines = {
        "holes": ([0, 1, 2, 3], [1, np.nan, np.inf, 4]),
        "none": ([0, 1], [np.nan, np.nan]),
    }
    record = trajectory("t", lines, y="y")
    assert [each["name"] for each in record["lines"]] == ["holes"]
    assert line(record, "holes").T.tolist() == [[0, 1], [3, 4]]
    record = trajectory("t", {"f": ([0, 1, 2], [1, 0, 2])}, y="y", x_scale="log", y_scale="log")
    assert line(record, "f").T.tolist() == [[2, 2]]


def test_numbers_are_plain_and_short():
    record = trajectory(
        "t", {"f": ([0, 1], np.array([1 / 3, 2]))}, y="y", levels={"l": np.float64(2 / 3)}
    )
    assert record == json.loads(json.dumps(record))
    assert line(record, "f")[1].tolist() == [0.3333, 2]
    assert record["levels"] == [{"name": "l", "at": 0.6667}]


def test_a_record_changes_nothing_but_the_detail():
    evidence = computed(["one value"], None, "all")
    record = trajectory("t", {"f": ([0, 1], [0, 1])}, y="y")
    kept = with_trajectories(evidence, [record])
    assert kept.detail == {"trajectories": [record]}
    assert (kept.verdict, kept.summary, kept.steps) == (
        evidence.verdict,
        evidence.summary,
        evidence.steps,
    )
    assert with_trajectories(evidence, []) is evidence


# -- what the claims record ----------------------------------------------------------------------

SLOW = {
    "nichani.fig5.plateau",
    "nichani.fig5.right",
    "nichani.lem6.grad-diff.corrected",
    "nichani.lem6.stmt",
    "nichani.lem6.stmt.corrected",
    "nichani.s5.first-stage",
    "nichani.thm6.stmt",
    "nichani.thm6.stmt.corrected",
}
FAST = (
    "nichani.lem5.explicit.sharp",
    "nichani.lem5.noise",
    "nichani.lem5.subject",
    "nichani.lem6.l0",
    "nichani.lem6.rate-final",
    "nichani.lem7.lower",
    "nichani.lem7.upper",
    "nichani.lem7.upper.corrected",
    "nichani.s5.remark-order",
    "nichani.thm5.explicit.equal-start",
    "nichani.thm5.final",
    "nichani.thm5.grad-small",
    "nichani.thm5.stmt",
    "summary.plateau",
)
IDS = [*FAST, *(pytest.param(id_, marks=pytest.mark.slow) for id_ in sorted(SLOW))]


@pytest.mark.parametrize("id_", IDS)
def test_a_claim_on_training_has_pictures_that_can_be_stored_and_drawn(id_):
    records = found(id_)
    assert 1 <= len(records) <= 4
    assert plain(records) == json.loads(json.dumps(records)) == list(records)
    drawn = flows({"trajectories": records})
    assert len(drawn) == len(records)
    for panel, record in zip((shown.panel for shown in drawn), records, strict=True):
        assert panel.title
        assert panel.x.name
        assert panel.y.name
        assert len(panel.lines) == len(record["lines"])
        assert len(panel.levels) == len(record["levels"])
        assert len(panel.moments) == len(record["moments"])
        assert all(len(each["points"]) <= 40 for each in record["lines"])


BELOW = [
    ("nichani.lem5.noise", "W_KQ of a noise token", "stated bound"),
    ("nichani.lem5.subject", "W_KQ of a subject", "stated bound"),
    ("nichani.lem6.rate-final", "stated bound", "-L'"),
    ("nichani.lem7.lower", "stated bound", "z"),
    ("nichani.lem7.upper.corrected", "z", "stated bound"),
    ("nichani.thm5.grad-small", "|grad L|", "bound"),
    ("nichani.thm5.stmt", r"loss, $\alpha$ = 1", r"proved bound, $\alpha$ = 1"),
]


@pytest.mark.parametrize(("id_", "low", "high"), BELOW)
def test_what_holds_is_seen_to_hold(id_, low, high):
    for record in found(id_):
        x, bound = line(record, high)
        places, values = line(record, low)
        inside = (places >= x[0]) & (places <= x[-1])
        assert inside.any()
        assert (values[inside] <= np.interp(places[inside], x, bound) * 1.02 + 1e-3).all()


def test_the_bound_that_fails_is_seen_to_fail():
    past, before = found("nichani.lem7.upper")
    assert (line(past, "stated bound past its pole")[1] < 0).all()
    assert (line(past, "z")[1] > 0).all()
    assert "z is above it" in past["note"]
    assert "what refutes the bound is past it" in before["note"]
    [alone] = found("nichani.lem7.upper.corrected")
    assert not alone["note"]


@pytest.mark.slow
def test_a_printed_level_that_is_not_that_of_the_table_is_drawn_beside_it():
    levels = {
        record["title"]: {level["name"]: level["at"] for level in record["levels"]}
        for record in found("nichani.fig5.plateau")
    }
    assert list(levels) == [
        "Random table 1",
        "Balanced table",
        "Uneven table, answers of 9, 1, 1, 1, 1, 1, 1, 1 subjects",
    ]
    first, balanced, uneven = levels.values()
    drawn = FactTable.random(16, 4, 8, seed=CONTEXT.seed).answers
    counts = torch.stack([(drawn == a).sum(dim=0) for a in range(32)]) / 16
    entropy = float(torch.special.entr(counts).sum(dim=0).mean())
    assert first == {"H(a*|r)": round(entropy, 3), "printed: log D": 2.079}
    assert uneven == {"H(a*|r)": 1.537, "printed: log D": 2.079}
    assert balanced == {"H(a*|r)": 2.079}


def test_a_stage_of_relations_alone_is_seen_where_there_is_one():
    with_stage, without = found("summary.plateau.corrected")
    for record, stage in ((with_stage, True), (without, False)):
        (x, relation), (y, subject) = (
            line(record, f"{name}-only loss") for name in ("relation", "subject")
        )
        times = np.linspace(x[0], x[-1], 500)
        alone = (np.interp(times, x, relation) < 0.05) & (np.interp(times, y, subject) > 0.6)
        assert alone.any() == stage


@pytest.mark.slow
def test_the_world_that_refutes_theorem_6_stays_far_from_what_is_wanted():
    error, _, reached, _ = found("nichani.thm6.stmt")
    (level,) = (each["at"] for each in error["levels"])
    [time] = (each["at"] for each in error["moments"])
    times, values = line(error, error["lines"][0]["name"])
    assert times[-1] > time
    assert (values > 4 * level).all()
    assert line(reached, reached["lines"][0]["name"])[1][-1] < level
