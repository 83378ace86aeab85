"""What would have been rejected: each wrong statement by what it changes, and what became of it."""

from dataclasses import replace

import pytest

from verify.auditing.power_record import PowerRecord
from verify.claim import Claim, Evidence, Mutant, Registry, Road, Severity
from verify.printed.formula import Formula
from verify.report.page.html import page
from verify.report.page.rejected import SURVIVED, UNPROVED, Rejected, Wrong, rejected
from verify.running.runner import ClaimResult, RunResult
from verify.running.settings import Settings
from verify.verdict import Verdict

ATTACK = '<script>alert(1)</script>"><img src=x>'
BOUND = {"bound": Formula.parse("2 * N / d**2")}
CLAIM = Claim(
    "p.thm1.a",
    "t",
    "s",
    formulas=BOUND,
    slip=("bound",),
    wrong=(Mutant("no $N$", {"bound": Formula.parse("2 / d**2")}, why="it grows"),),
    faults=("transposed",),
    recorded=Verdict.PROVED,
)
FALSE = Claim(
    "p.thm1.false", "t", "s", recorded=Verdict.REFUTED, correction=CLAIM.id, severity=Severity.GAP
)
SLIP = "bound: power lost: 2 * N / d"


@pytest.fixture
def registry():
    registry = Registry()
    for claim in (CLAIM, FALSE):
        registry.add(claim)
    return registry


def record(**changes):
    """A record of both claims, without an exception unless one is given."""
    number = len(list(CLAIM.mutants())) + 1
    fields = {
        "mutants": 2 * number,
        "killed": 2 * number,
        "judged": {CLAIM.id: number, FALSE.id: number},
        "survived": frozenset(),
        "unproved": {},
        "set_aside": {},
        "rejected": frozenset(),
    }
    return PowerRecord(**{**fields, **changes})


def lines(found):
    return (line for group in found.groups for line in group.lines)


def measured(interval, mutants, relation="printed"):
    """Evidence of one case at d = 2."""
    case = {"at": {"d": 2}, "interval": interval, "mutants": mutants, "relation": relation}
    return Evidence(Verdict.SUPPORTED, "m", "s", detail={"cases": [case]}, road=Road.NUMERICS)


def test_each_mutant_is_listed_by_what_it_changes(registry):
    found = rejected(CLAIM, (), registry, None)
    other, slips = found.groups
    assert (other.stated, slips.stated) == ("", "bound = 2·N/d²")
    assert [(line.what, line.formula) for line in other.lines] == [
        ("no $N$", "bound = 2/d²"),
        ("built wrongly: transposed", ""),
    ]
    assert ("power lost", "2·N/d") in [(line.what, line.formula) for line in slips.lines]
    assert found.total == len(list(lines(found))) == len(list(CLAIM.mutants())) + 1
    assert not found.judged


def test_a_lone_number_is_not_repeated(registry):
    wrong = Mutant("C = 1", {"C": Formula.parse("1")})
    claim = replace(CLAIM, formulas={"C": Formula.parse("2")}, slip=(), wrong=(wrong,), faults=())
    assert list(lines(rejected(claim, (), registry, None))) == [Wrong("C = 1")]


def test_a_record_tells_what_became_of_them(registry):
    found = rejected(
        CLAIM,
        (),
        registry,
        record(
            survived=frozenset({(CLAIM.id, SLIP)}), unproved={(CLAIM.id, "no $N$"): "it explodes"}
        ),
    )
    assert found.judged
    assert (found.survived, found.unproved) == (1, 1)
    assert found.told == (
        f"refuted {found.total - 2}, each on every road that judges it, and found 1 no longer provable"
    )
    fates = {line.what: (line.fate, line.why) for line in lines(found)}
    assert fates["power lost"] == (SURVIVED, "")
    assert fates["no $N$"] == (UNPROVED, "it explodes")
    assert fates["built wrongly: transposed"] == ("", "")


@pytest.mark.parametrize(
    ("total", "unproved", "told"),
    [
        (1, 0, "refuted 1, on every road that judges it"),
        (3, 0, "refuted all 3, each on every road that judges it"),
        (3, 3, "found all 3 no longer provable"),
        (3, 2, "refuted 1, on every road that judges it, and found 2 no longer provable"),
    ],
)
def test_what_was_done_is_said_in_words(total, unproved, told):
    assert Rejected(total, (), unproved=unproved).told == told


def test_neighbours_that_are_true_are_set_apart_with_the_proof(registry):
    number = len(list(CLAIM.mutants()))
    found = rejected(
        CLAIM,
        (),
        registry,
        record(judged={CLAIM.id: number}, set_aside={(CLAIM.id, SLIP): "they are equal"}),
    )
    assert found.judged
    assert found.true == (Wrong("power lost", "2·N/d", why="they are equal"),)
    assert "power lost" not in [line.what for line in lines(found)]


@pytest.mark.parametrize("judged", [{}, {CLAIM.id: 1}], ids=["other claims", "other mutants"])
def test_a_record_of_something_else_says_nothing(registry, judged):
    found = rejected(CLAIM, (), registry, record(judged=judged))
    assert not found.judged
    assert (found.survived, found.unproved) == (0, 0)


def test_the_mutants_of_a_false_claim_are_those_of_its_correction(registry):
    found = rejected(FALSE, (), registry, record(rejected=frozenset({FALSE.id})))
    assert (found.of, found.groups, found.total) == (CLAIM.id, (), len(list(CLAIM.mutants())) + 1)
    assert found.judged
    assert not found.accepted
    survived = rejected(FALSE, (), registry, record(survived=frozenset({(FALSE.id, SLIP)})))
    assert [line.what for line in lines(survived)] == ["power lost"]


@pytest.mark.parametrize(
    ("interval", "relation", "excluded"),
    [
        ([2.0, 3.0], "printed", True),
        ([0.0, 1.0], "printed", True),
        ([1.0, 2.0], "printed", False),
        ([2.0, 3.0], "printed at most", True),
        ([0.0, 1.0], "printed at most", False),
        ([2.0, 3.0], "at least", False),
        ([0.0, 1.0], "at least", True),
    ],
)
def test_an_interval_excludes_what_it_contradicts(registry, interval, relation, excluded):
    evidence = measured(interval, [["no $N$", 1.5]], relation)
    found = rejected(CLAIM, (evidence,), registry, None)
    line = next(line for line in lines(found) if line.what == "no $N$")
    assert line.excluded == ("1.5 at d = 2" if excluded else "")


def test_of_the_intervals_that_exclude_a_mutant_the_first_is_named(registry):
    evidence = (
        measured([1.0, 2.0], [["no $N$", 1.5]]),
        measured([2.0, 3.0], [["no $N$", 1.5]]),
        measured([2.0, 3.0], [["no $N$", 1.25]]),
    )
    found = rejected(CLAIM, evidence, registry, None)
    assert next(line.excluded for line in lines(found) if line.what == "no $N$") == "1.5 at d = 2"


@pytest.mark.parametrize(
    "evidence",
    [
        measured([2.0], [["no $N$", 1.5]]),
        measured([2.0, 3.0], [["no $N$"], "no $N$", ["no $N$", "x"]]),
        measured([2.0, 3.0], 7),
        Evidence(Verdict.SUPPORTED, "m", "s", detail={"cases": [1]}),
        Evidence(Verdict.SUPPORTED, "m", "s", detail={"cases": "none"}),
    ],
    ids=["one end", "odd rows", "no rows", "no case", "no cases"],
)
def test_details_of_another_kind_exclude_nothing(registry, evidence):
    found = rejected(CLAIM, (evidence,), registry, None)
    assert not any(line.excluded for line in lines(found))


# -- on the page ---------------------------------------------------------------------------------


def shown(claim, registry, power=None):
    """The text of the page of one claim."""
    result = ClaimResult(claim, claim.recorded or Verdict.PROVED, (), True)
    text = page(RunResult(Settings(), [result]), registry, command="verify", power=power)
    return " ".join(text[text.index('<section id="detail"') :].split())


def test_the_page_says_what_to_run_where_no_record_is_given(registry):
    text = shown(CLAIM, registry)
    assert '<code class="command">verify power p.thm1.a</code> runs them' in text
    assert "no longer provable" not in text


def test_the_page_says_what_the_record_holds(registry):
    text = shown(CLAIM, registry, record(survived=frozenset({(CLAIM.id, SLIP)})))
    assert "refuted" in text
    assert 'power lost: <span class="formula">2·N/d</span> <strong class="flag">survived' in text
    assert "each on every road that judges it" in text


def test_a_long_list_is_closed(registry):
    short = replace(CLAIM, slip=())
    registry_of_short = Registry()
    registry_of_short.add(short)
    number = len(list(CLAIM.mutants())) + 1
    assert number > 12
    assert f"<details><summary>All {number}</summary>" in shown(CLAIM, registry)
    assert "<details><summary>All" not in shown(short, registry_of_short)


def test_mutants_never_become_markup(registry):
    claim = replace(
        CLAIM,
        by_hand=(ATTACK,),
        slip=(),
        faults=(ATTACK,),
        wrong=(Mutant(ATTACK, {"bound": Formula.parse("3 * N / d**2")}, why=ATTACK),),
        recorded=Verdict.REFUTED,
    )
    own = Registry()
    own.add(claim)
    text = shown(claim, own, record(set_aside={(claim.id, ATTACK): ATTACK}))
    assert text.count("&lt;script&gt;alert(1)&lt;/script&gt;") >= 3
    assert "<img" not in text
