"""The trusted base: every assumption once, under its source, with what rests on it."""

from dataclasses import replace
from importlib.metadata import version

import pytest

from proofs.argument import Argument
from proofs.citations import MARKOV
from verify.claim import Claim, Evidence, Registry, Road
from verify.jobs.machine import machine
from verify.report.page.html import page
from verify.report.page.trusted import inherited, trusted
from verify.running.runner import ClaimResult, RunResult
from verify.running.settings import Settings
from verify.verdict import Verdict

ATTACK = '<script>alert(1)</script>"><img src=x>'


def made(assumptions, uses):
    """Results of claims with these assumptions, on the proofs road, and their registry."""
    registry = Registry()
    results = []
    for id_, texts in assumptions.items():
        claim = registry.add(Claim(id_, id_, "p", paper="P", uses=uses.get(id_, ())))
        found = Evidence(Verdict.PROVED, "m", "s", assumptions=texts, road=Road.PROOFS)
        results.append(ClaimResult(claim, Verdict.PROVED, (found,), True))
    return results, registry


def test_a_source_stands_once_with_all_that_is_taken_from_it():
    results, registry = made(
        {
            "p.thm1.a": ("Markov's inequality: one form", "Nelson 1973: a norm"),
            "p.thm1.b": ("Markov's inequality: one form", "Markov's inequality: another: form"),
            "p.thm1.c": (),
        },
        {"p.thm1.c": ("p.thm1.b",)},
    )
    markov, nelson = trusted(results, registry, {}).cited
    assert markov.source == "Markov's inequality"
    assert markov.taken == (
        ("one form", ("p.thm1.a", "p.thm1.b")),
        ("another: form", ("p.thm1.b",)),
    )
    assert (markov.direct, markov.through) == (("p.thm1.a", "p.thm1.b"), ("p.thm1.c",))
    assert (nelson.direct, nelson.through) == (("p.thm1.a",), ())


def test_what_most_claims_rest_on_comes_first():
    results, registry = made(
        {"p.a": ("rare: x",), "p.b": ("common: y",), "p.c": (), "p.d": ()},
        {"p.c": ("p.b",), "p.d": ("p.c",)},
    )
    assert [c.source for c in trusted(results, registry, {}).cited] == ["common", "rare"]
    assert trusted(results, registry, {}).cited[0].through == ("p.c", "p.d")


def test_the_steps_of_an_argument_are_told_from_what_it_cites():
    argument = Argument()
    argument.infer("a <= b", "the sum has no negative terms")
    argument.cite("P(X >= a) <= E X/a", MARKOV)
    results, registry = made({"p.thm1.a": tuple(argument.assumptions)}, {})
    base = trusted(results, registry, {})
    assert [c.source for c in base.cited] == ["Markov's inequality"]
    assert [(g.part.title, g.steps) for g in base.worded] == [
        ("Theorem 1", (("a <= b", "the sum has no negative terms", ("p.thm1.a",)),))
    ]
    assert base.steps == 1


def test_a_shared_step_stands_with_the_first_part():
    step = "step in words: x, since y"
    results, registry = made({"p.thm1.a": (step,), "p.lem2.b": (step,)}, {})
    [group] = trusted(results, registry, {}).worded
    assert (group.part.title, group.steps[0][2]) == ("Theorem 1", ("p.thm1.a", "p.lem2.b"))


def test_what_takes_nothing_on_trust_is_counted_with_what_it_rests_on():
    results, registry = made(
        {"p.a": (), "p.b": (), "p.c": ("source: x",), "p.d": (), "p.e": (), "p.f": ()},
        {"p.b": ("p.a",), "p.d": ("p.e",), "p.e": ("p.c",), "p.f": ("p.absent",)},
    )
    base = trusted(results, registry, {})
    assert (base.proved, base.unaided) == (6, 2)
    open_ = [replace(results[0], verdict=Verdict.SUPPORTED), *results[1:]]
    base = trusted(open_, registry, {})
    assert (base.proved, base.unaided, base.argued) == (5, 0, 0)
    words = [replace(results[0], verdict=Verdict.ARGUED), *results[1:]]
    base = trusted(words, registry, {})
    assert (base.proved, base.unaided, base.argued) == (5, 0, 1)
    text = page(RunResult(Settings(), words), registry, command="verify")
    assert "<p>1 claim is argued: a step of the proof" in text
    text = page(RunResult(Settings(), results), registry, command="verify")
    assert "2 of the 6 proved claims take nothing on trust" in text


STEP = "step in words: x, since y"


def test_what_a_claim_takes_through_others_is_told_once_with_who_names_it():
    results, _ = made(
        {
            "p.a": ("Boole's inequality: own",),
            "p.b": ("Markov's inequality: m", STEP),
            "p.c": ("Markov's inequality: m", "Boole's inequality: own", f"{STEP} again"),
            "p.d": ("not reached: z",),
        },
        {"p.a": ("p.b",), "p.b": ("p.c", "p.gone"), "p.c": ("p.b",)},
    )
    found = inherited(results[0], {result.claim.id: result for result in results})
    assert (found.claims, found.absent) == (3, ("p.gone",))
    assert found.cited == (("Markov's inequality: m", ("p.b", "p.c")),)
    assert found.sources == "Markov's inequality"
    assert (found.steps, found.worded) == (2, ("p.b", "p.c"))


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (("Markov's inequality: m", STEP), "Through the claim it rests on: cited Markov&#39;s "),
        (("Markov's inequality: m", STEP), "inequality; 1 step in words</summary>"),
        ((), "The claim it rests on takes nothing further on trust."),
    ],
    ids=["cited", "in words", "nothing"],
)
def test_the_page_says_what_a_claim_takes_through_others(texts, said):
    results, registry = made({"p.a": (), "p.b": texts}, {"p.a": ("p.b",)})
    text = " ".join(page(RunResult(Settings(), results), registry, command="verify").split())
    of = text[text.index('id="claim-p.a"') : text.index('id="claim-p.b"')]
    assert said in of
    assert "it rests on" not in text[text.index('id="claim-p.b"') :]


def test_what_is_not_in_the_run_is_not_said_to_take_nothing():
    results, registry = made({"p.a": (), "p.b": ()}, {"p.a": ("p.b",)})
    text = page(RunResult(Settings(), results[:1]), registry, command="verify")
    assert "Not in this run, so that what it takes is not known" in text
    assert "nothing further on trust" not in text


def test_libraries_are_named_with_their_versions_for_each_road(run):
    proofs, numerics = trusted(run.results, Registry(), machine("cpu")).computed
    assert (proofs.road, numerics.road) == (Road.PROOFS, Road.NUMERICS)
    assert ("sympy", version("sympy")) in [(name, number) for name, number, _ in proofs.libraries]
    assert ("torch", version("torch")) in [(name, number) for name, number, _ in numerics.libraries]
    # a.thm1.good, a.thm1.false, a.damaged, b.markup, b.conflict, b.error, b.other; and four measured.
    assert (proofs.claims, numerics.claims) == (7, 4)


def test_the_libraries_and_the_card_are_those_of_the_run(run):
    made_with = {"sympy": "0.1", "card": "2 x H200", "driver": "570.86"}
    proofs, numerics = trusted(run.results, Registry(), made_with).computed
    assert ("sympy", "0.1") in [(name, number) for name, number, _ in proofs.libraries]
    assert ("Python", "not known") in [(name, number) for name, number, _ in proofs.libraries]
    named = {name: number for name, number, _ in numerics.libraries}
    assert (named["card"], named["driver"], named["toolkit"]) == ("2 x H200", "570.86", "not known")
    assert "card" not in {name for name, _, _ in proofs.libraries}


@pytest.fixture
def section(run, registry):
    text = page(run, registry, command="verify")
    return text[text.index('<section id="trusted"') : text.index('<section id="idle"')]


def test_the_page_links_a_source_to_its_claims(section):
    assert "<b>Boole&#39;s inequality:</b> cited" in section
    assert 'href="#claim-a.thm1.good"' in section
    assert "<b>1.14</b>" in section


def test_a_library_leads_to_the_claims_of_its_road_without_a_list_of_them(section):
    libraries = section[section.index("<h3>Libraries</h3>") :]
    assert '7 claims: <a href="#claims" data-show-road="proofs">' in libraries
    assert "#claim-" not in libraries


def test_a_run_that_trusts_nothing_says_so():
    registry = Registry()
    claim = registry.add(Claim("p.a", "t", "p"))
    run = RunResult(Settings(), [ClaimResult(claim, Verdict.NOT_RUN, (), True)])
    assert "names anything that is taken on trust" in page(run, registry, command="verify")


def test_what_is_trusted_never_becomes_markup():
    texts = (f"{ATTACK}: {ATTACK}", f"step in words: {ATTACK}, since {ATTACK}")
    results, registry = made({"p.a": texts}, {})
    text = page(RunResult(Settings(), results), registry, command="verify")
    assert text.count("<script") == 1
    assert "<img" not in text
