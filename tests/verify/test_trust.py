"""On what claims rest: every citation, assumption and step in words once, with what falls with it."""

import json
from dataclasses import replace

import pytest

from proofs.algebra import RationalFunction
from proofs.argument import Argument
from proofs.citations import CITATIONS, LARGE_NUMBERS, MARKOV
from verify.auditing import trust as auditing
from verify.auditing.granted import GRANTED
from verify.auditing.trust import Kind, trust
from verify.claim import Claim, Evidence, Registry, Road
from verify.commands import trusting
from verify.report.machine import run_json
from verify.running.runner import ClaimResult, RunResult, conclude
from verify.running.settings import Settings
from verify.running.stored_run import read_run
from verify.verdict import Verdict


def argument(*steps):
    """What an argument takes on trust that has these *steps* in words, and Markov's inequality."""
    made = Argument()
    made.cite("P(X >= a) <= E X/a", MARKOV)
    for step in steps:
        made.infer(step, "so it is")
    return tuple(made.assumptions)


#: a <- b <- c, and d by itself: what each uses, and what its proof takes on trust.
CLAIMS = {
    "p.a": ((), argument("x <= y", "y <= z")),
    "p.b": (("p.a",), ("a fact of our own: its bound",)),
    "p.c": (("p.b",), (*argument("x <= y"), "the dimension is even: for lack of better")),
    "p.d": ((), argument("only here")),
}


@pytest.fixture
def registry():
    registry = Registry()
    for id_, (uses, texts) in CLAIMS.items():
        registry.add(Claim(id_, id_, "s", paper="P", uses=uses))
        found = Evidence(Verdict.PROVED, "", "s", assumptions=texts)
        registry.check(id_, "proofs", method="m")(lambda printed, context, found=found: found)
    return registry


def results(registry, **verdicts):
    """The results of a run, with other *verdicts* of some."""
    return [
        ClaimResult(
            claim,
            verdicts.get(claim.id[2:], Verdict.ARGUED),
            (
                Evidence(
                    Verdict.PROVED, "m", "s", assumptions=CLAIMS[claim.id][1], road=Road.PROOFS
                ),
            ),
            True,
        )
        for claim in registry
    ]


def test_everything_stands_once_with_what_falls_directly_and_through_uses(registry):
    found = trust(results(registry), CLAIMS)
    *relied, one, two, three = found.relied
    rows = [(it.kind, it.source, it.taken, it.direct, it.through) for it in relied]
    whole = ("p.a", "p.c")
    assert rows == [
        (Kind.CITATION, "Markov's inequality", ("P(X >= a) <= E X/a",), (*whole, "p.d"), ("p.b",)),
        (Kind.WORDS, "x <= y", ("so it is",), whole, ("p.b",)),
        (Kind.WORDS, "y <= z", ("so it is",), ("p.a",), ("p.b", "p.c")),
        (Kind.ASSUMPTION, "a fact of our own", ("its bound",), ("p.b",), ("p.c",)),
        (Kind.ASSUMPTION, "the dimension is even", ("for lack of better",), ("p.c",), ()),
        (Kind.WORDS, "only here", ("so it is",), ("p.d",), ()),
    ]
    assert [it.falls for it in relied] == [4, 3, 3, 2, 1, 1]
    assert {it.kind for it in (one, two, three)} == {Kind.GRANTED}
    assert {it.direct for it in (one, two, three)} == {tuple(CLAIMS)}
    assert [it.source for it in (one, two, three)] == list(GRANTED)


def test_what_a_claim_rests_on_through_uses_is_there_and_nothing_else(registry):
    found = trust(results(registry), ["p.b"])
    assert list(found.claims) == ["p.a", "p.b"]
    assert {it.source for it in found.of(Kind.WORDS)} == {"x <= y", "y <= z"}
    assert [it.source for it in found.of(Kind.ASSUMPTION)] == ["a fact of our own"]
    assert all(it.through == ("p.b",) for it in found.of(Kind.WORDS))
    assert found.counts() == {
        "citations": 1,
        "assumptions": 1,
        "words": 2,
        "granted": 3,
        "typed lines": 0,
        "proved": 0,
        "argued": 2,
    }


def test_the_same_step_for_another_reason_is_another_step():
    registry = Registry()
    made = Argument()
    made.infer("x <= y", "x is negative")
    made.infer("x <= y", "y is positive")
    claim = registry.add(Claim("a", "a", "s"))
    found = Evidence(Verdict.PROVED, "m", "s", assumptions=tuple(made.assumptions))
    results = [ClaimResult(claim, Verdict.ARGUED, (found,), True)]
    steps = trust(results, ["a"]).of(Kind.WORDS)
    assert [it.taken for it in steps] == [("x is negative",), ("y is positive",)]


def test_lines_about_what_was_typed_are_counted():
    made = Argument()
    one = RationalFunction.symbol("d")
    made.equal("d = d", one, one)
    made.true("d holds", True, "looked at")
    made.infer("x <= y", "x is negative")
    made.cite("for X", MARKOV)
    made.use("a bound", "p.other")
    made.define("x is a number")

    def typed(road=Road.PROOFS, verdict=Verdict.PROVED, **detail):
        found = Evidence(
            verdict, "m", "s", road=road, steps=(*map(str, made.lines),), detail=detail
        )
        return auditing.typed_lines((found, found))

    assert typed() == 4
    assert typed(theorems=["x"]) == typed(Road.NUMERICS) == typed(verdict=Verdict.REFUTED) == 0


def test_what_was_not_found_out_is_named(registry):
    some = [result for result in results(registry) if result.claim.id != "p.a"]
    found = trust(some, ["p.c"])
    assert found.absent == ("p.a",)
    open_ = trust(results(registry, a=Verdict.INCONCLUSIVE), ["p.c"])
    assert (open_.absent, list(open_.claims)) == (("p.a",), ["p.b", "p.c"])


# -- the command ---------------------------------------------------------------------------------


@pytest.fixture
def trusted(verify, registry, monkeypatch):
    """Call `verify trust` on these claims."""
    monkeypatch.setattr(trusting, "catalogue", lambda: registry)

    def call(*arguments):
        here = () if "--results" in arguments else ("--workers", "0")
        return verify("trust", *here, *arguments)

    return call


def test_the_terminal_has_counts_first_then_three_parts(trusted):
    status, out, _ = trusted()
    assert status == 0
    lines = out.splitlines()
    assert lines[0] == "4 claims; with all that is used 4: 4 argued"
    assert lines[1] == "They rest on 1 citation, 2 other assumptions and 3 steps in words."
    heads = [line for line in lines if line in ("Citations", "Other assumptions", "Steps in words")]
    assert heads == ["Citations", "Other assumptions", "Steps in words"]
    assert "4 claims: Markov's inequality" in out
    assert "  3 claims: y ≤ z, since so it is" in lines
    after = lines[lines.index("  3 claims: y ≤ z, since so it is") + 1 :]
    assert after[:2] == ["    named by p.a", "    through these p.b, p.c"]


def test_json_has_all_of_it_and_counts_alone_where_asked(trusted, tmp_path):
    status, out, err = trusted("p.b", "--json", "-")
    data = json.loads(out)
    assert (status, data["chosen"], data["absent"]) == (0, ["p.b"], [])
    assert data["relied"][0]["kind"] == "citation"
    assert "Citations" in err
    path = tmp_path / "trust.json"
    status, out, _ = trusted("--counts", "--json", str(path))
    short = json.loads(path.read_text("utf-8"))
    assert short["counts"]["argued"] == 4
    assert {kind: len(found) for kind, found in short["names"].items()} == {
        kind: short["counts"][kind] for kind in ("citations", "assumptions", "words", "granted")
    }
    assert len(out.splitlines()) == 3


def test_what_a_proof_rests_on_has_the_names_that_are_kept(registry):
    found = results(registry)
    kept = auditing.trust(found, [it.claim.id for it in found]).names()
    assert kept.pop("granted") == sorted(GRANTED)
    named = {name for it in found for name in auditing.names(it.assumptions)}
    assert named == {(kind, name) for kind, names in kept.items() for name in names}
    other = next(text for it in found for text in it.assumptions if "so it is" in text)
    assert auditing.names([other]) <= named
    assert not auditing.names([f"{other} not"]) <= named


def test_a_citation_is_shown_with_its_hypotheses_source_and_trials(trusted):
    _, out, _ = trusted("p.d")
    text = " ".join(out.split())
    assert "1 claim: Markov's inequality" in text
    assert "P(X ≥ a) ≤ E X/a where X ≥ 0; a > 0" in text
    assert MARKOV.source in text
    assert "tried on 40 random instances (finite laws on [0, 6]): none breaks it" in text
    status, out, _ = trusted("p.d", "--json", "-")
    (found, *_) = json.loads(out)["relied"]
    assert found["statement"] == MARKOV.statement
    assert tuple(found["hypotheses"]) == MARKOV.hypotheses
    assert (found["proved_in"], found["tried"], found["broken"]) == (MARKOV.source, 40, None)
    assert status == 0


def test_a_citation_that_an_instance_breaks_is_shown_and_the_command_fails(trusted, monkeypatch):
    (trial,) = MARKOV.trials
    false = replace(MARKOV, trials=(replace(trial, right=lambda case: 0),))
    monkeypatch.setitem(CITATIONS, MARKOV.name, false)
    status, out, _ = trusted("p.d")
    assert status == 1
    assert "FALSE:" in out


def test_a_citation_without_trials_says_why(trusted, monkeypatch):
    monkeypatch.setitem(CITATIONS, MARKOV.name, replace(LARGE_NUMBERS, name=MARKOV.name))
    status, out, _ = trusted("p.d")
    assert status == 0
    assert "not tried: it speaks of a limit" in out


def test_counts_alone_run_no_trials(trusted, monkeypatch):
    monkeypatch.setattr(auditing, "tried", lambda citation: pytest.fail("ran a trial"))
    assert trusted("--counts")[0] == 0


def test_a_stored_run_is_read_and_nothing_is_run(trusted, registry, tmp_path, monkeypatch):
    path = tmp_path / "results.json"
    evidence = {one.claim.id: one.evidence for one in results(registry)}
    claims = registry.with_uses(list(registry))
    found = conclude(claims, evidence, Settings(), list(evidence))
    path.write_bytes(run_json(RunResult(Settings(), found)))
    monkeypatch.setattr(trusting, "run", lambda *a, **k: pytest.fail("ran all the same"))
    _, out, _ = trusted("p.c", "--results", str(path), "--json", "-")
    of_file = trust(read_run(path, registry).results, ["p.c"])
    assert json.loads(out)["relied"] == json.loads(json.dumps(of_file.as_json()))["relied"]


def test_a_claim_of_which_nothing_is_known_is_refused_with_the_remedy(registry, trusted):
    registry.add(Claim("p.open", "t", "s"))
    status, out, err = trusted("p.open")
    assert (status, out) == (2, "")
    assert "ID: nothing is decided" in err
    assert "--results" in err


def test_an_unknown_claim_and_a_bad_path_are_refused(trusted):
    assert trusted("p.nowhere")[0] == 2
    assert "--json" in trusted("--json", "/no/such/x.json")[2]
