"""What papers may err: each has a budget of its own, cut into shares that nothing else can change."""

import json
import re
import tomllib
from fractions import Fraction
from io import StringIO
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from verify.claim import Check, Claim, Evidence, Registry, Road
from verify.errors import CatalogueError, UsageError
from verify.measuring.context import PROPERTY_SHARES, Budget
from verify.printed.paper import ERROR_BUDGET, SHARES, Paper
from verify.report.machine import run_json
from verify.report.terminal.claims import results_table
from verify.running.runner import run
from verify.running.settings import Settings
from verify.running.stored_run import read_run
from verify.verdict import Verdict


def spending(id_, road=Road.NUMERICS, method="m"):
    """A check that says what it was granted."""

    def found(printed, context):
        granted = {"share": context.share, "property share": context.property_share}
        return Evidence(Verdict.SUPPORTED, method, "so it is", detail=granted)

    return Check(id_, road, found, method)


@pytest.fixture
def measured(shelve):
    """Put a paper with a measured claim into a registry; *more* are checks on the road of properties."""

    def put(paper, *more, registry=None):
        id_ = f"{paper.name}.one"
        checks = [spending(id_), *(spending(id_, Road.PROPERTIES, method) for method in more)]
        return shelve(paper, Claim(id_, "t", "s"), registry=registry, checks=checks)

    return put


def granted(registry, id_, **settings):
    """What the check of a claim is granted in a run of all claims."""
    found = run(registry, list(registry), Settings(workers=0, **settings))
    (result,) = (r for r in found.results if r.claim.id == id_)
    return next(e.detail["share"] for e in result.evidence if e.road is Road.NUMERICS)


budgets = st.floats(1e-100, 1, exclude_max=True, allow_subnormal=False)
papers = st.lists(st.tuples(budgets, st.integers(21, 10**6)), min_size=2, max_size=4)


# -- shares --------------------------------------------------------------------------------------


@pytest.mark.parametrize("asked", [None, 1e-3])
def test_neither_a_paper_nor_a_check_moves_a_share(measured, asked):
    first = Paper("p", "P", error_budget=3e-7, shares=300)
    others = [Paper("q", "Q", error_budget=0.2, shares=7), Paper("r", "R", builds_on=("p",))]
    alone = granted(measured(first), "p.one", budget=asked)
    assert alone == (asked or 3e-7) / 300
    registry = measured(first, "more", "still more")
    for paper in others:
        measured(paper, registry=registry)
    registry.add(Claim("mine", "t", "s"))
    registry.add_check(spending("mine"))
    assert granted(registry, "p.one", budget=asked) == alone
    assert granted(registry, "q.one", budget=asked) == (asked or 0.2) / 7
    assert granted(registry, "mine", budget=asked) == (asked or ERROR_BUDGET) / SHARES


@given(papers)
def test_a_share_is_the_same_among_whatever_papers_in_whatever_order(drawn):
    named = [Paper(f"p{k}", "P", error_budget=e, shares=n) for k, (e, n) in enumerate(drawn)]
    for order in (named, named[::-1]):
        registry = Registry()
        for paper in order:
            entry = Claim(f"{paper.name}.one", "t", "s").entry
            shelf = SimpleNamespace(name=paper.name, entries=[entry])
            registry.add_paper(paper, lambda shelf=shelf: [shelf])
            # Of the paper in name alone.
            registry.add(Claim(f"{paper.name}.own", "t", "s"))
        context = Settings().context(registry)
        for paper in named:
            share = context.judging(f"{paper.name}.one").share
            assert share == paper.error_budget / paper.shares
            assert context.judging(f"{paper.name}.own").share == ERROR_BUDGET / SHARES


def test_a_check_spends_by_its_road(measured):
    registry = measured(Paper("p", "P"), "one property", "another")
    registry.add_check(spending("p.one", Road.PROOFS, "proof"))
    assert registry.spent("p") == 1 + 2 * PROPERTY_SHARES


# -- what cannot be afforded -----------------------------------------------------------------------


def remedied(paper, spent):
    """The paper as the error tells to write it."""
    with pytest.raises(
        CatalogueError, match=f"^{paper.name}: its checks ask for {spent} sh"
    ) as found:
        paper.require_affordable(spent)
    match = re.search(r"write (error_budget = \S+) and (shares = \d+) into", str(found.value))
    other = Paper(paper.name, paper.title, **tomllib.loads("\n".join(match.groups())))
    other.require_affordable(spent)
    return other, str(found.value)


@given(budgets, st.integers(1, 10**9), st.integers(1, 10**13))
def test_the_remedy_for_too_many_checks_leaves_every_share_bit_for_bit(budget, shares, more):
    paper = Paper("p", "P", error_budget=budget, shares=shares)
    paper.require_affordable(shares)
    other, message = remedied(paper, shares + more)
    # It is no more than is needed to a factor of 2.
    assert other.shares < 2 * (shares + more)
    before, after = (Budget(p.error_budget, p.shares) for p in (paper, other))
    if "which leaves each share as it is" in message:
        assert after.share == before.share
        assert Fraction(after.error) / after.shares == Fraction(before.error) / before.shares
    else:
        assert "makes each share smaller" in message
        assert budget * (shares + more) >= shares / 2
        assert after.share < before.share


def test_a_budget_of_so_many_shares_that_a_float_cannot_count_them_is_remedied():
    other, _ = remedied(Paper("p", "P", shares=2**60), 2**60 + 1)
    assert other.shares == 2**61


def test_a_run_does_not_begin_with_what_cannot_be_afforded(measured):
    registry = measured(Paper("p", "P", shares=PROPERTY_SHARES + 1), "one property")
    run(registry, [registry["p.one"]], Settings(workers=0))
    registry = measured(Paper("p", "P", shares=PROPERTY_SHARES), "one property")
    with pytest.raises(CatalogueError, match=r"ask for 21 shares.*shares = 40"):
        run(registry, [registry["p.one"]], Settings(workers=0))


# -- the budget of a run ---------------------------------------------------------------------------


@pytest.fixture
def several(measured, shelve):
    """Two papers that are measured, one that is proved, and a claim of nobody."""
    registry = measured(Paper("p", "P", error_budget=3e-7, shares=300))
    measured(Paper("q", "Q", error_budget=1e-6), registry=registry)
    proved = Claim("r.one", "t", "s", recorded=Verdict.PROVED)
    return shelve(Paper("r", "R", error_budget=0.5), proved, registry=registry)


def test_a_run_may_err_what_its_measured_papers_may_err_together(several, tmp_path):
    result = run(several, list(several), Settings(workers=0))
    assert result.budgets == {"p": 3e-7, "q": 1e-6}
    assert result.error_budget == 3e-7 + 1e-6
    path = tmp_path / "run.json"
    path.write_bytes(run_json(result))
    assert json.loads(path.read_bytes())["run"]["error_budget"] == result.error_budget
    again = read_run(path, several)
    assert (again.budgets, again.error_budget) == (result.budgets, result.error_budget)
    assert again.settings.budget is None
    for found in (result, again):
        console = Console(file=StringIO(), width=100)
        results_table(found, console)
        assert "error budget 1.3e-06" in console.file.getvalue()


@pytest.mark.parametrize(
    ("chosen", "roads", "expected"),
    [
        (["p.one"], tuple(Road), {"p": 3e-7}),
        (["r.one"], tuple(Road), {}),
        (["*"], (Road.PROOFS,), {}),
    ],
)
def test_what_is_not_measured_cannot_err(several, chosen, roads, expected):
    found = run(several, several.select(chosen), Settings(workers=0, roads=roads))
    assert found.budgets == expected
    assert found.error_budget == sum(expected.values())


def test_claims_of_nobody_have_a_budget_together(several):
    for name in ("mine", "yours"):
        several.add(Claim(name, "t", "s"))
        several.add_check(spending(name))
    found = run(several, several.select(["mine", "yours"]), Settings(workers=0))
    assert found.budgets == {"": ERROR_BUDGET}


def test_a_budget_that_is_asked_for_takes_the_place_of_each(several, tmp_path):
    result = run(several, list(several), Settings(workers=0, budget=1e-4))
    assert result.budgets == {"p": 1e-4, "q": 1e-4}
    assert [e.detail["share"] for r in result.results[:2] for e in r.evidence] == [
        1e-4 / 300,
        1e-4 / SHARES,
    ]
    path = tmp_path / "run.json"
    path.write_bytes(run_json(result))
    assert read_run(path, several).settings.budget == 1e-4


@pytest.mark.parametrize("times", [1, 2])
def test_a_run_adds_up_what_its_intervals_may_err(times):
    registry = Registry()
    registry.add(Claim("a", "t", "s", recorded=Verdict.SUPPORTED))

    def look(printed, context):
        error = times * context.budget.error
        return Evidence(Verdict.SUPPORTED, "", "", detail={"cases": [{"error share": error}]})

    registry.add_check(Check("a", Road.NUMERICS, look, "m"))
    if times == 1:
        assert run(registry, list(registry), Settings(workers=0)).ok
    else:
        with pytest.raises(
            ArithmeticError, match="may err with probability 2e-06, its budget is 1e-06"
        ):
            run(registry, list(registry), Settings(workers=0))


def test_a_file_whose_budget_is_less_than_its_intervals_may_err_was_altered(tmp_path):
    registry = Registry()
    registry.add(Claim("a", "t", "s", recorded=Verdict.SUPPORTED))

    def look(printed, context):
        spent = {"cases": [{"error share": context.budget.error}]}
        return Evidence(Verdict.SUPPORTED, "", "", detail=spent)

    registry.add_check(Check("a", Road.NUMERICS, look, "m"))
    path = tmp_path / "run.json"
    path.write_bytes(run_json(run(registry, list(registry), Settings(workers=0))))
    assert read_run(path, registry).ok
    data = json.loads(path.read_bytes())
    data["run"]["budgets"] = {name: one / 2 for name, one in data["run"]["budgets"].items()}
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(UsageError, match="was altered: the intervals of this run may err"):
        read_run(path, registry)
