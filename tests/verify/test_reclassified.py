"""Files of schema 1, which had no `argued`: read by the rules of today, and nothing gets stronger."""

import json

import pytest

from verify.auditing.baseline import Baseline
from verify.claim import Claim, Evidence, Registry
from verify.errors import UsageError
from verify.report.machine import run_json
from verify.running.runner import run
from verify.running.settings import Settings
from verify.running.stored_run import read_run
from verify.verdict import Verdict

STEP = "step in words: x, since y"
#: What each claim uses, and the assumptions of its proof: b rests on words through a, c through b.
PROOFS = {
    "a": ((), (STEP,)),
    "b": (("a",), ()),
    "c": (("b",), ("Markov's inequality: m",)),
    "d": ((), ("Markov's inequality: m",)),
}
NOW = {
    "a": Verdict.ARGUED,
    "b": Verdict.ARGUED,
    "c": Verdict.ARGUED,
    "d": Verdict.PROVED,
}


@pytest.fixture
def registry():
    registry = Registry()
    for id_, (uses, texts) in PROOFS.items():
        registry.add(Claim(id_, id_, "p", uses=uses, recorded=NOW[id_]))
        found = Evidence(Verdict.PROVED, "", "s", assumptions=texts)
        registry.check(id_, "proofs")(lambda printed, context, found=found: found)
    return registry


@pytest.fixture
def before(registry, tmp_path):
    """Write the file that a run of these claims, of some by pattern, has left before `argued`."""

    def write(*ids, **verdicts):
        data = json.loads(run_json(run(registry, registry.select(ids), Settings(workers=0))))
        data["schema"] = 1
        for claim in data["claims"]:
            claim["verdict"] = verdicts.get(claim["id"], "proved")
            claim["capped_by"], claim["ok"] = [], False
            del claim["capped_at"]
            for item in claim["evidence"]:
                item["verdict"] = "proved"
        path = tmp_path / "before.json"
        path.write_text(json.dumps(data), encoding="utf-8")
        return path

    return write


def verdicts(found):
    return {result.claim.id: result.verdict for result in found.results}


def test_proofs_of_schema_1_are_argued_where_a_step_is_in_words_also_of_what_they_use(
    registry, before
):
    found = read_run(before(), registry)
    assert verdicts(found) == NOW
    assert [result.ok for result in found.results] == [True] * 4
    assert [result.capped_by for result in found.results] == [(), ("a",), ("b",), ()]


def test_they_are_what_a_run_of_today_finds(registry, before):
    again = run(registry, list(registry), Settings(workers=0))
    old, new = read_run(before(), registry), again
    assert [(r.verdict, r.ok, r.capped_by, r.capped_at) for r in old.results] == [
        (r.verdict, r.ok, r.capped_by, r.capped_at) for r in new.results
    ]
    assert Baseline.of(old).claims.keys() == Baseline.of(new).claims.keys()


def test_of_what_is_not_in_the_file_the_record_counts(registry, before):
    assert verdicts(read_run(before("c", "d"), registry)) == {"c": Verdict.ARGUED, "d": NOW["d"]}


@pytest.mark.parametrize("then", ["supported", "inconclusive"])
def test_nothing_gets_stronger(registry, before, then):
    assert verdicts(read_run(before("a", "c", c=then), registry))["c"] == then


def test_a_file_of_today_is_not_taken_at_its_word(registry, before):
    path = before()
    path.write_text(path.read_text("utf-8").replace('"schema": 1', '"schema": 2'), "utf-8")
    with pytest.raises(
        UsageError, match="altered: it says proved of a, and its evidence comes to argued"
    ):
        read_run(path, registry)


def test_another_schema_is_refused_with_what_is_read(registry, before):
    path = before()
    path.write_text(path.read_text("utf-8").replace('"schema": 1', '"schema": 3'), "utf-8")
    with pytest.raises(UsageError, match=r"schema 3, this program reads 1 and 2; make a new one"):
        read_run(path, registry)


def test_a_refutation_without_one_that_refutes_is_refused(registry, before):
    with pytest.raises(UsageError, match="it says refuted of a, and none of its evidence does"):
        read_run(before(a="refuted"), registry)
