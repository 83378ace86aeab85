"""Proofs in digests: another line, region, rule or trust makes another proof, and a run notices it."""

import sys

import pytest

from verify.auditing.baseline import Baseline, Kind, compare
from verify.auditing.kept_proofs import PROOFS
from verify.auditing.proof_record import differences, proof_record
from verify.catalogue import add_paper, read_paper
from verify.catalogue.folder import folder, hypotheses
from verify.claim import Claim, Evidence, Registry, Road
from verify.commands import running
from verify.commands.common import Workers
from verify.errors import CatalogueError, UsageError
from verify.report.compare_markdown import compare_markdown
from verify.report.machine import run_json
from verify.running.runner import ClaimResult, RunResult
from verify.running.settings import Settings
from verify.running.stored_run import read_run
from verify.verdict import Verdict

STEPS = (
    "x <= y, for d >= 1   [nonnegative coefficients: d]",
    "for whole d >= 1: P(g <= 0) <= 1/2   [chain of 1, 3]",
    "y <= z   [[0.123456 +/- 3.2e-7] against [1.50000 +/- 2e-9]]",
)
TRUST = ("Markov's inequality: m", "Boole's inequality: b")


def result(steps=STEPS, trust=TRUST, scope="all d", road=Road.PROOFS, **other):
    found = Evidence(
        Verdict.PROVED, "m", "s", scope=scope, steps=tuple(steps), assumptions=trust, road=road
    )
    found = Evidence(**{**vars(found), **other})
    return ClaimResult(Claim("a", "t", "s"), Verdict.PROVED, (found,), ok=True)


def changed(line, to):
    return tuple(to if step is STEPS[line] else step for step in STEPS)


def change(**other):
    return differences(proof_record(result()), proof_record(result(**other)))


def test_a_proof_is_the_same_as_itself():
    assert change() == []
    assert proof_record(result()).size == (3, 2)


@pytest.mark.parametrize(
    ("other", "found"),
    [
        ({"steps": STEPS[:2]}, {"lines": "3 -> 2 (gone: 3)", "rules": "others"}),
        ({"steps": STEPS[::2]}, {"lines": "3 -> 2 (gone: 2)", "regions": "others"}),
        (
            {"steps": changed(0, STEPS[0].replace("d >= 1", "d >= 101"))},
            {"lines": "3 -> 3 (gone: 1; new: 1)", "regions": "others"},
        ),
        (
            {"steps": changed(1, STEPS[1].replace("whole d >= 1", "whole d >= 2"))},
            {"lines": "3 -> 3 (gone: 2; new: 2)", "regions": "others"},
        ),
        ({"steps": changed(1, STEPS[1].replace("1/2", "1/3"))}, {"lines": "gone: 2"}),
        ({"steps": changed(1, STEPS[1].replace("chain", "weaken"))}, {"rules": "others"}),
        ({"steps": changed(1, STEPS[1].replace("1, 3", "2, 3"))}, {"lines": "order or premises"}),
        ({"steps": changed(2, STEPS[2].replace("0.123", "0.124"))}, {"lines": "gone: 3"}),
        ({"scope": "all d >= 2"}, {"regions": "others"}),
        ({"trust": TRUST[:1]}, {"trust": "2 -> 1 (gone: 2)"}),
        ({"trust": ()}, {"trust": "2 -> 0 (gone: 1-2)"}),
        ({"counterexample": {"d": 2}}, {"lines": "3 -> 4 (new: 4)"}),
    ],
)
def test_what_is_another_is_named_with_which_and_how_many(other, found):
    named = dict(change(**other))
    assert all(words in named[name] for name, words in found.items())
    assert {"regions", "trust"} & named.keys() <= found.keys()


@pytest.mark.parametrize("last", ["0.1234561", "0.123457"])
@pytest.mark.parametrize("radius", ["3.2e-7", "1e-12"])
def test_precision_is_no_part_of_a_proof(last, radius):
    line = STEPS[2].replace("0.123456", last).replace("3.2e-7", radius)
    assert change(steps=changed(2, line)) == []


@pytest.mark.parametrize(
    "other",
    [{"timed_out": True}, {"verdict": Verdict.ERROR}, {"road": Road.NUMERICS}],
)
def test_what_came_to_no_end_has_no_record(other):
    assert proof_record(result(**other)) is None


def run_of(*results):
    return RunResult(Settings(workers=0, roads=(Road.PROOFS,)), list(results))


def test_a_comparison_names_another_proof_and_does_not_fail(tmp_path):
    path = tmp_path / "baseline.json"
    path.write_bytes(Baseline.of(run_of(result())).encode())
    new = Baseline.of(run_of(result(steps=STEPS[:1], trust=())))
    found = compare(Baseline.read(path), new)
    assert [(it.kind, it.subject, it.regression) for it in found] == [
        (Kind.PROOF, name, False) for name in ("lines", "regions", "rules", "trust")
    ]
    assert str(found[0]) == "a: lines changed: 3 -> 1 (gone: 2-3)"
    summary = compare_markdown(found, new, as_recorded=True)
    assert "### Proofs whose lines, regions, rules or trust changed: 4 (does not fail)" in summary
    assert "| `a`<br>`trust` |  | `2 -> 0 (gone: 1-2)` |" in summary


def test_a_baseline_that_says_nothing_of_proofs_is_not_compared_in_them():
    old = Baseline.of(run_of(result()))
    old.claims["a"].proof = None
    assert compare(old, Baseline.of(run_of(result(steps=STEPS[:1])))) == []


# -- on record -----------------------------------------------------------------------------------

SECTION = """
from proofs.algebra import RationalFunction
from proofs.argument import Argument
from verify.checks.section import Section

section = Section()
d = RationalFunction.symbol("d")


def size():
    argument = Argument()
    argument.nonnegative("d is at least 1", d - 1, {"d": 1})
    argument.nonnegative("so is its square", d * d - 1, {"d": 1})
    return argument


section.argued("p.one", size, method="m", scope="all d", summary="so it is")
"""
CLAIM = """[[claim]]
id = 'p.one'
title = 't'
where = 'w'
kind = 'bound'
tier = 1
statement = '$x$'
recorded = 'proved'
"""


@pytest.fixture
def verify_run(tmp_path, monkeypatch):
    """Run the claim of a paper whose checks are the text that is given; the exit status."""
    monkeypatch.syspath_prepend(tmp_path)
    package = tmp_path / "p"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "paper.toml").write_text("title = 'A paper'\nsections = ['one']\n")

    def forget():
        for module in ("p.one", "p"):
            sys.modules.pop(module, None)
        folder.cache_clear()
        hypotheses.cache_clear()

    def go(text=SECTION, claim=CLAIM, **options):
        forget()
        (package / "one.toml").write_text(claim)
        (package / "one.py").write_text(text)
        registry = Registry()
        add_paper(registry, read_paper("p"))
        monkeypatch.setattr(running, "catalogue", lambda: registry)
        return running.run_command.callback(roads=("proofs",), workers=Workers(0), **options)

    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield go
    forget()


def test_a_proof_that_is_not_on_record_fails_a_run_by_name(verify_run, capsys, tmp_path):
    assert verify_run() == 0  # the paper keeps no record
    assert verify_run(record=True) == 0
    assert (tmp_path / "p" / PROOFS).read_text().startswith('{\n"p.one": {"lines":2,"trust":0,')
    assert verify_run() == 0
    capsys.readouterr()
    for sabotage in (
        SECTION.replace('d - 1, {"d": 1}', 'd - 1, {"d": 101}'),
        SECTION.replace("d * d - 1", "d * d * d - 1"),
        SECTION.replace('    argument.nonnegative("so is its square", d * d - 1, {"d": 1})\n', ""),
    ):
        assert verify_run(sabotage) == 1
        assert "p.one" in capsys.readouterr().out.partition("OTHER PROOFS: 1 proof")[2]
    for otherwise in (
        CLAIM.replace("$x$", "$x + 1$"),
        CLAIM.replace("recorded", "hypotheses = ['d >= 2']\nrecorded"),
    ):
        assert verify_run(claim=otherwise) == 1
        assert "p.one" in capsys.readouterr().out.partition("OTHER PROOFS: 1 proof")[2]
    assert verify_run(sabotage, record=True) == 0
    assert verify_run(sabotage) == 0


def test_what_a_run_says_of_proofs_is_read_back(tmp_path):
    path = tmp_path / "run.json"
    found = run_of(result())
    found.other_proofs = {"a": "1 lines, 0 on trust"}
    path.write_bytes(run_json(found))
    registry = Registry()
    registry.add(Claim("a", "t", "s"))
    again = read_run(path, registry)
    assert again.other_proofs == found.other_proofs
    assert not again.ok
    assert proof_record(again.results[0]) == proof_record(found.results[0])


def test_only_a_run_with_proofs_can_put_them_on_record():
    with pytest.raises(UsageError, match="--record"):
        running.run_command.callback(roads=("numerics",), record=True)


def test_a_broken_record_is_named(verify_run, tmp_path):
    (tmp_path / "p" / PROOFS).write_text("[]")
    with pytest.raises(CatalogueError, match=PROOFS):
        verify_run()


def test_a_claim_without_a_proof_any_more_is_named(verify_run, capsys):
    assert verify_run(record=True) == 0
    none = "from verify.checks.section import Section\nsection = Section()\n"
    assert verify_run(none, CLAIM.replace("recorded = 'proved'\n", "")) == 1
    assert "none, recorded 2 lines" in " ".join(capsys.readouterr().out.split())
