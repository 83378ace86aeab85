"""Sabotages of the programs of what is carried over are noticed; what a sample of mutants comes to."""

import json
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from importlib.util import find_spec

import pytest

from verify.auditing import programs as module
from verify.auditing.exempt import EXEMPT
from verify.auditing.judged import CHANGED, Answer
from verify.auditing.operators import Edit
from verify.auditing.programs import Found, Programs, _count
from verify.auditing.strata import (
    BESIDE,
    DEMANDED,
    ENGINE,
    RULES,
    SCRIPTS,
    Mutant,
    Population,
    population,
    sample,
)
from verify.commands import judging
from verify.errors import UsageError
from verify.report.terminal.programs import programs_text

#: A module, what stands in it, and what stands there instead.
SABOTAGES = {
    "signs are decided on a region that is moved by 100": (
        "proofs.kernel.regions",
        "yield low + step, one.open_below",
        "yield low + step + 100, one.open_below",
    ),
    "a body is deleted, and what it proved is supposed": (
        "proofs.papers.nichani.linear_recall",
        'return restate(bound, Compare(bound.left, "<=", _delta))',
        'return assume(Compare(bound.left, "<=", _delta), region)',
    ),
    "a summand of the union is left out": (
        "proofs.kernel.laws",
        "rest = rest - number * found.right",
        "rest = bound - number * found.right",
    ),
    "a definition lost a term": (
        "proofs.memories.linear",
        "dot(self.contrast(), ",
        "dot(self.u[self.association(self.x)], ",
    ),
    "the condition of the closed form is easier": (
        "proofs.papers.nichani.linear_recall",
        "Compare(4 * ell * (",
        "Compare(3 * ell * (",
    ),
    "the stated condition of the closed form is easier": (
        "verify.papers.nichani.linear_statements",
        "right = lead * ell * (",
        "right = lead * ell / 2 * (",
    ),
    "of the hypotheses of a theorem the first one alone must follow": (
        "proofs.kernel.algebra",
        "for needed in theorem.hypotheses:",
        "for needed in theorem.hypotheses[:1]:",
    ),
    "of the hypotheses of three facts those of the first ones are kept": (
        "proofs.kernel.algebra",
        "needed = (h for fact in known for h in fact.hypotheses)",
        "needed = (h for fact in known[:2] for h in fact.hypotheses)",
    ),
    "an induction keeps one hypothesis of where it begins": (
        "proofs.kernel.algebra",
        "added=first.hypotheses,",
        "added=first.hypotheses[:1],",
    ),
    "two hypotheses are looked at where a symbol must be free": (
        "proofs.kernel.theorem",
        "for given in theorem.hypotheses:",
        "for given in theorem.hypotheses[:2]:",
    ),
    "the hypotheses of two theorems of three are kept": (
        "proofs.kernel.theorem",
        "for other in found.uses:\n        for one",
        "for other in found.uses[:2]:\n        for one",
    ),
    "the bound of independent variables is forgotten": (
        "proofs.kernel.probability",
        "require(total == normal(bound), ",
        "require(True, ",
    ),
}
#: Judges them all, one after the other, and says by which way each is noticed.
JUDGED = """
import json, sys
from importlib.util import find_spec
from pathlib import Path
from verify.auditing.judged import Request, built_on
from verify.auditing.programs import _judged, _only, carried_over
from verify.catalogue import catalogue

claims = carried_over(catalogue())
reference = _only(Request(claims))
built_on("")
requests = []
for name, (module, old, new) in json.loads(sys.argv[1]).items():
    path = find_spec(module).origin
    source = Path(path).read_text()
    assert source.count(old) == 1, name
    changed = source.replace(old, new)
    requests.append((name, Request(claims, module, path, changed, reference.digests)))
found = {name: (answer.way, answer.detail) for name, answer in _judged(iter(requests), 2, 60.0)}
print(json.dumps([reference.way, list(claims), found, "torch" in sys.modules]))
"""


@pytest.fixture(scope="module")
def judged():
    run = [sys.executable, "-c", JUDGED, json.dumps(SABOTAGES)]
    done = subprocess.run(run, capture_output=True, text=True, timeout=300, check=True)
    return json.loads(done.stdout)


def test_the_program_as_it_is_proves_what_is_carried_over(judged):
    way, claims, _, torch = judged
    assert way == ""
    assert {"nichani.lem12", "nichani.thm1.explicit.closed-form"} <= set(claims)
    assert not torch


@pytest.mark.parametrize("name", SABOTAGES)
def test_a_sabotage_is_noticed(name, judged):
    way, detail = judged[2][name]
    assert way, detail


@pytest.fixture(scope="module")
def small():
    run = [sys.executable, "-m", "verify", "power", "--proofs", "--sample", "1", "--json", "-"]
    done = subprocess.run(run, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode in (0, 1), done.stderr
    return json.loads(done.stdout)


def test_a_small_sample_is_judged_in_every_stratum(small):
    assert [one["stratum"] for one in small["strata"]] == list(DEMANDED)
    for one in small["strata"]:
        assert one["judged"] == 1
        assert one["mutants"] > 100
        assert one["noticed"] + one["otherwise"] + len(one["survived"]) == 1
    assert small["untried rules"] == []
    assert len(small["claims"]) >= 5


def test_all_that_the_proofs_run_is_in_a_stratum_or_named(small):
    assert small["in no stratum"] == []
    left = small["not counted"]
    assert {one["module"] for one in left["beside the proofs"]} == set(BESIDE)
    assert all(one["mutants"] for one in left["beside the proofs"])
    assert left["guards"]["mutants"] > 0
    assert [one["reason"] for one in left["exempt"]] == [one.reason for one in EXEMPT]
    assert all(one["mutants"] for one in left["exempt"]), "nothing fits what is exempt"


def test_a_module_of_the_kernel_that_no_list_has_is_told():
    path = find_spec("proofs.kernel.cases").origin
    found = population(Answer(read={path: frozenset({1})}))
    assert found.unplaced == ["proofs.kernel.cases"]
    engine = {it.module for it in found.mutants[ENGINE]}
    assert "proofs.kernel.derivatives" in engine
    result = Programs(0, (), [], [], found)
    assert not result.ok
    assert "in no stratum: proofs.kernel.cases, which the proofs run" in "".join(
        programs_text(result)
    )


# -- what is made of it ---------------------------------------------------------------------------


def mutant(stratum, line=1):
    edit = Edit("another constant", "f", line, line, 4, 5, "(2)")
    return Mutant(stratum, "proofs.other", __file__, edit)


def found(stratum, *answers):
    one = Found(stratum, 100)
    for i, answer in enumerate(answers):
        _count(one, mutant(stratum, i), answer)
    return one


def test_another_proof_of_the_same_is_counted_apart_in_scripts_alone():
    other = Answer(otherwise=("a",))
    script = found(SCRIPTS, other)
    assert (script.otherwise, script.noticed, script.rate) == (1, 0, 1.0)
    rule = found(RULES, other)
    assert (rule.otherwise, rule.ways) == (0, Counter({CHANGED: 1}))


def test_a_rate_has_a_lower_bound():
    one = found(ENGINE, *[Answer("noticed")] * 59, Answer())
    assert one.rate == pytest.approx(59 / 60)
    assert 0.9 < one.least < one.rate
    whole = found(ENGINE, *[Answer("noticed")] * 60)
    assert whole.least == pytest.approx(0.05 ** (1 / 60))
    assert replace(whole, all=60).least == 1.0
    assert found(ENGINE).least == 0.0


def test_what_is_demanded_of_a_stratum():
    assert found(RULES, Answer("noticed")).ok
    assert not found(RULES, *[Answer("noticed")] * 99, Answer()).ok
    assert found(ENGINE, *[Answer("noticed")] * 99, Answer()).ok
    assert not found(ENGINE, *[Answer("noticed")] * 9, Answer()).ok


def test_a_sample_is_drawn_again_by_its_seed():
    every = [mutant(RULES, line) for line in range(50)]
    assert sample(every, 9, 1) == sample(every, 9, 1)
    assert sample(every, 9, 1) != sample(every, 9, 2)
    assert len(sample(every, 9, 1)) == 9
    assert sorted(it.edit.line for it in sample(every, 0, 1)) == list(range(50))


@pytest.mark.parametrize("one", EXEMPT, ids=lambda one: one.reason)
def test_what_is_exempt_has_a_reason_and_a_pattern_of_its_own(one):
    assert len(one.reason) > 20
    assert not one.fits("proofs.other", "f", "a < b", "(a <= b)")


def test_a_change_that_does_the_same_is_exempt():
    before, swapped = "same(a.left, b)", "(same(b, a.left))"
    assert any(it.fits("proofs.kernel.algebra", "chain", before, swapped) for it in EXEMPT)
    other = "(same(b, a.right))"
    assert not any(it.fits("proofs.kernel.algebra", "chain", before, other) for it in EXEMPT)


def test_what_is_said_of_it():
    strata = [found(RULES, Answer("noticed"), Answer()), found(SCRIPTS, Answer(otherwise=("a",)))]
    left = Population({}, guarded=7, exempt={"why": 3})
    result = Programs(0, ("a", "b"), strata, ["chain"], left)
    lines = list(programs_text(result))
    assert not result.ok
    assert lines[0] == "2 claims are carried over: a, b"
    assert lines[1].startswith("rules and side conditions: 1 of 2 mutants noticed, of 100 in all, ")
    assert lines[1].endswith("; 100% is DEMANDED")
    assert lines[3].startswith("  survived: proofs/other.py:1 f: another constant: ")
    assert "1 give the same theorem by another proof" in lines[4]
    assert "not counted: 3 changes that do the same, each with its reason (exempt.py)" in lines
    assert any(line.startswith("not counted: 7 changes of guards: ") for line in lines)
    assert lines[-1].startswith("untried: nothing false is tried of the rule chain")
    survived = result.as_json()["strata"][0]["survived"]
    assert survived[0]["operator"] == "another constant"
    interrupted = replace(result, interrupted=True)
    assert next(programs_text(interrupted)) == "Interrupted: what is known by then."


def test_an_interrupt_keeps_what_is_known(monkeypatch):
    every = {stratum: [mutant(stratum, line) for line in range(9)] for stratum in DEMANDED}

    def judged(requests, workers, seconds):
        yield next(requests)[0], Answer("noticed")
        yield next(requests)[0], Answer()
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "carried_over", lambda registry: ("a",))
    monkeypatch.setattr(module, "_decided_by_the_engine", lambda registry, claims: [])
    monkeypatch.setattr(module, "_only", lambda request: Answer())
    monkeypatch.setattr(module, "population", lambda reference: Population(every))
    monkeypatch.setattr(module, "_judged", judged)
    told = []
    result = module.programs(
        None, size=3, on_mutant=lambda mutant, answer, share: told.append(share)
    )
    assert result.interrupted
    assert not result.ok
    assert [one.judged for one in result.strata] == [2, 0, 0, 0, 0]
    assert len(result.strata[0].survived) == 1
    assert told == [1 / 15, 2 / 15]


def test_a_program_that_proves_nothing_is_not_judged(monkeypatch):
    monkeypatch.setattr(module, "carried_over", lambda registry: ("a",))
    monkeypatch.setattr(module, "_decided_by_the_engine", lambda registry, claims: [])
    monkeypatch.setattr(module, "_only", lambda request: Answer("a rule refuses", "why"))
    with pytest.raises(UsageError, match="the program as it is: a rule refuses: why"):
        module.programs(None, size=3)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nichani.thm1", "--proofs"], "--proofs: it takes all claims"),
        (["--sample", "3"], "--sample: statements are all tried"),
    ],
)
def test_what_does_not_go_together_is_refused(arguments, said):
    with pytest.raises(UsageError, match=said):
        judging.power_command.main(arguments, standalone_mode=False)
