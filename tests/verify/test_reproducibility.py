"""The same seed gives the same evidence, to the last bit; broken numbers never give a verdict.

Neither workers, threads, the order of claims nor what else runs may change what is found.
"""

import json
import math
import os
import subprocess
import sys

import pytest
import torch

from numerics.observables import Bounded, Event, HeavyTailed
from verify.catalogue import catalogue
from verify.checks.trial import measured
from verify.claim import Claim, Registry, Road
from verify.commands import running
from verify.measuring.case import Case
from verify.measuring.measure import BLOCK, Experiment, Source, Statistic
from verify.report.machine import run_json
from verify.running.runner import run
from verify.running.settings import Settings
from verify.statistics import UNKNOWN, Between
from verify.verdict import Verdict

REGISTRY = catalogue()

#: Measured, each within a second.
SMALL = [
    f"nichani.thm1.{name}"
    for name in ("mean", "independence", "term-moments", "degree", "explicit.mgf", "explicit.law")
]


def timeless(value):
    """Without the seconds, the one thing that may differ."""
    if isinstance(value, dict):
        return {name: timeless(item) for name, item in value.items() if name != "seconds"}
    return [timeless(item) for item in value] if isinstance(value, list) else value


def found(ids, registry=REGISTRY, **settings):
    """What the JSON report says of each claim."""
    settings = Settings(**{"workers": 0, **settings})
    result = run(registry, [registry[id_] for id_ in ids], settings)
    data = timeless(json.loads(run_json(result)))
    return {claim["id"]: claim for claim in data["claims"]}


def intervals(claim):
    return [
        case["interval"]
        for evidence in claim["evidence"]
        for case in evidence["detail"].get("cases", ())
    ]


@pytest.fixture(scope="module")
def reference():
    """All small claims in one run of this process."""
    return found(SMALL)


# -- the same seed -------------------------------------------------------------------------------


def test_the_same_seed_finds_the_same_again(reference):
    assert sum(len(intervals(claim)) for claim in reference.values()) >= 20
    assert found(SMALL) == reference


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 4])
def test_workers_find_the_same_to_the_last_bit(reference, workers):
    chosen = [f"nichani.thm1.{name}" for name in ("independence", "degree", "explicit.mgf")]
    for id_, claim in found(chosen, workers=workers).items():
        assert claim == reference[id_]


@pytest.mark.parametrize("id_", SMALL)
def test_a_claim_alone_finds_what_it_finds_among_others(reference, id_):
    assert found([id_])[id_] == reference[id_]


def test_what_ran_before_and_drew_more_changes_nothing(reference):
    """The same draws serve claims that need more of them and claims that need fewer."""
    among = found(["nichani.thm1.second-moment-split", *SMALL])
    for id_ in SMALL:
        assert among[id_] == reference[id_]


def test_the_order_of_claims_changes_nothing(reference):
    backwards = Registry()
    for claim in reversed(list(REGISTRY)):
        backwards.add(claim)
        for check in REGISTRY.checks(claim.id):
            backwards.add_check(check)
    turned = found(SMALL[::-1], backwards)
    assert list(turned) == SMALL[::-1]
    assert turned == reference


def close(one, other):
    """Equal but for numbers, which may differ in the last digits; texts with numbers are left out."""
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        for name in one:
            if name not in ("steps", "summary"):
                close(one[name], other[name])
    elif isinstance(one, list):
        assert len(one) == len(other)
        for left, right in zip(one, other, strict=True):
            close(left, right)
    elif isinstance(one, float):
        assert one == pytest.approx(other, rel=1e-12, abs=1e-12)
    else:
        assert one == other


@pytest.mark.slow
def test_the_number_of_threads_changes_nothing_that_can_be_seen(reference, tmp_path):
    runs = []
    for threads in ("1", "2"):
        path = tmp_path / f"{threads}.json"
        subprocess.run(
            [
                sys.executable,
                "-m",
                "verify",
                "run",
                "nichani.thm1.independence",
                "nichani.thm1.explicit.mgf",
                "--device",
                "cpu",
                "--workers",
                "0",
                "--json",
                str(path),
            ],
            check=True,
            capture_output=True,
            env={**os.environ, "OMP_NUM_THREADS": threads, "XDG_CACHE_HOME": str(tmp_path)},
        )
        data = timeless(json.loads(path.read_text(encoding="utf-8")))
        runs.append({claim["id"]: claim for claim in data["claims"]})
    close(*runs)
    for id_, claim in runs[0].items():
        close(claim, reference[id_])
        assert intervals(claim)


# -- other seeds ---------------------------------------------------------------------------------


def test_seeds_that_agree_in_their_low_bits_differ():
    ids = ["nichani.thm1.independence"]
    seen = {json.dumps(intervals(found(ids, seed=s)[ids[0]])) for s in (0, 1, 2**32, 2**63)}
    assert len(seen) == 4


@pytest.mark.parametrize("seed", [0, 2**32, 2**63, 2**64 - 1])
def test_every_seed_of_64_bits_is_taken_and_recorded(verify, seed):
    status, out, err = verify(
        "run",
        "nichani.thm1.independence",
        *("--workers", "0", "--device", "cpu", "--seed", str(seed), "--json", "-"),
    )
    data = json.loads(out)
    assert status == 0
    assert data["run"]["seed"] == seed
    assert data["claims"][0]["verdict"] == "proved"
    assert f"seed {seed}" in err


@pytest.mark.parametrize("command", [("run", "nichani.thm1.union"), ("power",), ("show", "x")])
@pytest.mark.parametrize("seed", [str(2**64), "-1", "1.5", "0x10", ""])
def test_a_seed_out_of_range_is_bad_usage(verify, command, seed):
    status, out, err = verify(*command, "--seed", seed)
    assert status == 2
    assert out == ""
    assert "--seed" in err
    assert "Traceback" not in err


# -- broken numbers ------------------------------------------------------------------------------


def numbers(count, start):
    place = torch.arange(start + 1, start + count + 1, dtype=torch.float64)
    return (place * (math.sqrt(5) - 1) / 2) % 1.0


def at_second_call(change):
    """An experiment that is in order at its first call, and changed from the second on."""

    def draw(*, replicates, seed, start, **sizes):
        drawn = {"x": Bounded(numbers(replicates, start), 0.0, 1.0)}
        return change(drawn, replicates) if start >= BLOCK else drawn

    return draw


def spoilt(value):
    def change(drawn, replicates):
        drawn["x"].values[5] = value
        return drawn

    return change


def several(drawn, replicates):
    return {"x": Bounded(torch.cat([drawn["x"].values] * 2), 0.0, 1.0)}


def one(drawn, replicates):
    return {"x": Bounded(drawn["x"].values[:1], 0.0, 1.0)}


def squared(drawn, replicates):
    return {"x": Bounded(drawn["x"].values.expand(replicates, replicates), 0.0, 1.0)}


def renamed(drawn, replicates):
    return {"y": drawn["x"]}


def one_more(drawn, replicates):
    return {**drawn, "y": drawn["x"]}


def lost(drawn, replicates):
    return {}


BROKEN = {
    "NaN": spoilt(math.nan),
    "infinity": spoilt(math.inf),
    "out of bounds": spoilt(1.5),
    "twice as many values": several,
    "one value": one,
    "a table of values": squared,
    "another name": renamed,
    "one more": one_more,
    "nothing": lost,
}


@pytest.fixture
def program(verify, monkeypatch):
    """Run the program over one measurement of 1/2 that uses *draw*: (exit status, evidence)."""

    def call(draw, claimed=None, seed=2**40):
        claimed = claimed or Between(0.5, 0.5, 0.01)
        registry = Registry()
        registry.add(Claim("a.one", "a", "a"))
        sizes = {"d": 2}
        statistic = Statistic((Source(Experiment("broken", draw), "x", sizes),))
        case = Case("E[x]", sizes, statistic, lambda view: claimed, truth=0.5)
        measured(registry, "a.one", lambda printed, context: [case], method="m", group="g")
        monkeypatch.setattr(running, "catalogue", lambda: registry)
        options = ("--workers", "0", "--device", "cpu", "--seed", str(seed), "--json", "-")
        status, out, _ = verify("run", "a.one", *options)
        return status, json.loads(out)["claims"][0]

    return call


def test_what_is_in_order_is_supported(program):
    status, claim = program(at_second_call(lambda drawn, replicates: drawn))
    assert (status, claim["verdict"]) == (0, "supported")


@pytest.mark.parametrize("name", BROKEN)
def test_broken_numbers_are_an_error_with_seed_and_replicate(program, name):
    status, claim = program(at_second_call(BROKEN[name]))
    (evidence,) = claim["evidence"]
    assert status == 1
    assert claim["verdict"] == evidence["verdict"] == "error"
    assert claim["ok"] is False
    said = evidence["detail"]["summary"]
    for words in ("broken", "'d': 2", f"seed {2**40}", f"replicates from {BLOCK}"):
        assert words in said


@pytest.mark.parametrize("first", [True, False])
def test_an_experiment_that_yields_only_nan_is_an_error_from_the_first_draw_on(program, first):
    def draw(*, replicates, **_):
        values = torch.full((replicates,), math.nan, dtype=torch.float64)
        return {"x": Bounded(values, 0.0, 1.0) if first else HeavyTailed(values, 0.0, 1.0)}

    status, claim = program(draw)
    assert (status, claim["verdict"]) == (1, "error")
    assert "replicates from 0" in claim["evidence"][0]["detail"]["summary"]


def test_what_is_measured_may_not_change_its_kind_or_bounds(program):
    """Bounds that were declared at the first call would else be taken for those of all values."""

    def other_kind(drawn, replicates):
        return {"x": Event(drawn["x"].values < 0.5)}

    def other_bounds(drawn, replicates):
        return {"x": Bounded(drawn["x"].values, -5.0, 5.0)}

    for change in (other_kind, other_bounds):
        status, claim = program(at_second_call(change))
        assert (status, claim["verdict"]) == (1, "error"), change.__name__


def test_a_name_that_the_experiment_does_not_have_is_an_error(program):
    status, claim = program(lambda *, replicates, start, **_: {"y": Event(torch.ones(replicates))})
    assert (status, claim["verdict"]) == (1, "error")


def test_a_value_that_is_not_known_is_never_supported(program):
    status, claim = program(at_second_call(lambda drawn, replicates: drawn), UNKNOWN)
    assert status == 0
    assert claim["verdict"] == str(Verdict.INCONCLUSIVE)


def test_numerics_alone_give_no_more_than_support():
    for claim in found(SMALL, roads=(Road.NUMERICS,)).values():
        assert claim["verdict"] == "supported"
