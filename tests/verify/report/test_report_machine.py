"""JSON and JUnit: the keys of the contract, exactly; no number that JSON or XML cannot hold."""

import json
import math
from dataclasses import replace
from fractions import Fraction
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify import __version__
from verify.claim import Claim, Road
from verify.printed.formula import Formula
from verify.report.drawn import PrintedUses
from verify.report.junit import junit_xml
from verify.report.machine import errata_json, list_json, run_json
from verify.running.runner import RunResult
from verify.typeset.encoding import encode, plain
from verify.verdict import Verdict

#: Of a claim: the keys of the contract, and what a page made later needs as well.
KEYS = "id verdict recorded ok scope reading seconds correction assumptions evidence counterexample"
ADDED = "capped_by capped_at"


def load(data):
    def refuse(name):
        raise AssertionError(f"{name} is not JSON")

    return json.loads(data.decode("utf-8"), parse_constant=refuse)


def test_a_run_has_the_keys_of_the_contract_exactly(run):
    data = load(run_json(run))
    assert list(data) == ["schema", "run", "claims", "summary"]
    assert data["schema"] == 2
    assert data["run"] == {
        "version": __version__,
        "seed": 7,
        "profile": "quick",
        "device": "cpu",
        "seconds": 83.0,
        "error_budget": 1e-6,
        "budgets": {"a": 0.75e-6, "b": 0.25e-6},
        "budget": None,
        "roads": ["proofs", "numerics", "properties"],
        "missing": [],
        "other_proofs": {},
        "machine": {"python": "3.11", "sympy": "1.14"},
    }
    for claim in data["claims"]:
        assert set(claim) == {*KEYS.split(), *ADDED.split()}
        for evidence in claim["evidence"]:
            assert list(evidence) == ["road", "method", "verdict", "seconds", "detail"]
            assert {"scope", "summary", "steps"} <= set(evidence["detail"])


def test_every_claim_is_there_in_order_with_its_verdict(run):
    claims = load(run_json(run))["claims"]
    assert [(c["id"], c["verdict"], c["ok"]) for c in claims] == [
        (r.claim.id, str(r.verdict), r.ok) for r in run.results
    ]


def test_a_claim_without_a_record_is_recorded_as_not_run(run):
    claims = {c["id"]: c for c in load(run_json(run))["claims"]}
    assert claims["b.markup"]["recorded"] == "not-run"
    assert claims["a.thm1.good"]["recorded"] == "proved"
    assert claims["a.thm1.good"]["correction"] is None
    assert claims["a.thm1.good"]["counterexample"] is None


def test_the_summary_counts_all_verdicts(run):
    summary = load(run_json(run))["summary"]
    assert list(summary) == [str(verdict) for verdict in Verdict]
    assert sum(summary.values()) == len(run.results)
    assert summary["refuted"] == 3


def test_exact_and_boundless_numbers_are_strings(run):
    claims = {c["id"]: c for c in load(run_json(run))["claims"]}
    found = claims["a.thm1.false"]["counterexample"]
    assert found == {"at": {"d": 2, "N": 1}, "exact": "3/2", "inf": "-inf"}
    detail = claims["a.thm1.good"]["evidence"][1]["detail"]
    assert detail["nan"] == "nan"
    assert detail["exact"] == "1/3"
    assert detail["cases"][3]["interval"] == ["nan", 1.0]


def test_json_is_indented_utf8_with_a_last_newline():
    assert encode({"a": "é"}) == '{\n  "a": "é"\n}\n'.encode()
    assert load(encode({"lone": "\ud800"})) == {"lone": "\ud800"}


def test_objects_become_their_text():
    formula = Formula.parse("2*N/d")
    assert plain({1: formula, "tuple": (Road.PROOFS, None, True)}) == {
        "1": str(formula),
        "tuple": ["proofs", None, True],
    }


@given(
    st.recursive(
        st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.fractions()),
        lambda inner: st.one_of(
            st.lists(inner, max_size=3), st.dictionaries(st.integers(), inner, max_size=3)
        ),
        max_leaves=8,
    )
)
def test_any_detail_survives_the_way_through_json(value):
    assert load(encode(value)) == plain(value)


@given(st.floats())
def test_a_float_is_itself_or_its_name(value):
    assert plain(value) == (value if math.isfinite(value) else str(value))


def test_the_list_has_the_keys_of_the_contract(registry):
    data = load(list_json(registry))
    assert [entry["id"] for entry in data] == [claim.id for claim in registry]
    assert data[0] == {
        "id": "a.thm1.good",
        "title": "Mean of the margin",
        "source": {"paper": "First paper", "where": next(iter(registry)).where},
        "origin": "printed",
        "recorded": "proved",
        "correction": None,
        "uses": ["a.thm1.false.corrected"],
        "mutants": 0,
    }


def test_the_list_counts_mutants(registry):
    formula = {"value": Formula.parse("2*N/d")}
    registry.add(Claim("c.slipping", "t", "s", formulas=formula, slip=("value",)))
    entry = load(list_json(registry))[-1]
    assert entry["mutants"] == len(registry.mutants("c.slipping")) > 0


def test_the_errata_have_the_keys_of_the_contract(run, corrections):
    resting = Claim("c.next", "t", "s", printed_uses=("a.thm1.false",))
    last = Claim("c.last", "t", "s", printed_uses=("c.next",))
    uses = PrintedUses([*(result.claim for result in run.results), resting, last])
    data = load(errata_json(run.results, corrections, uses))
    assert [entry["id"] for entry in data] == ["a.thm1.false", "b.other", "a.damaged"]
    assert data[0] == {
        "id": "a.thm1.false",
        "title": "A false constant",
        "source": {"paper": "First paper", "where": "Lemma 2"},
        "printed": "E[x_1 * x_2] <= 2/d for f* and [N](t)",
        "counterexample": {"at": {"d": 2, "N": 1}, "exact": str(Fraction(3, 2)), "inf": "-inf"},
        "by_hand": [],
        "correction": "a.thm1.false.corrected",
        "corrected": "$\\mathrm{Var} \\le 3/d$",
        "correction_recorded": "proved",
        "severity": "constant",
        "drawn_from_it": {"direct": ["c.next"], "gravest": ["c.last"], "through": 1},
        "consequence": "The theorem stands.",
        "reading": "ambiguous",
        "reading_note": "Read with M at most N.",
    }
    assert data[1]["corrected"] is None
    assert data[1]["correction_recorded"] is None


def test_lines_by_hand_are_typeset_in_the_errata(run):
    claim = replace(run.results[1].claim, by_hand=("Here [[1/2 < 3/4]].", "So $d = 1$."))
    (entry,) = load(errata_json([replace(run.results[1], claim=claim)], {}, PrintedUses(())))
    assert entry["by_hand"] == [r"Here $\frac{1}{2} < \frac{3}{4}$.", "So $d = 1$."]


# -- JUnit ---------------------------------------------------------------------------------------


@pytest.fixture
def suite(run):
    run.missing = ["a.lost"]
    found = ElementTree.fromstring(junit_xml(run)).find("testsuite")
    assert found is not None
    return found


def test_every_claim_is_a_test_case(suite, run):
    names = [case.get("name") for case in suite.iter("testcase")]
    assert names == [*(result.claim.id for result in run.results), "a.lost"]


def test_cases_fail_where_the_verdict_is_not_as_recorded(suite):
    failed = [c.get("name") for c in suite.iter("testcase") if c.find("failure") is not None]
    assert failed == ["b.conflict", "b.error", "b.other", "a.lost"]
    message = suite.find("testcase[@name='b.other']/failure")
    assert message is not None
    assert message.get("message") == "refuted, recorded as proved"
    assert message.text == "proofs, m: refuted, fails at d = 1"


def test_cases_without_a_check_are_skipped(suite):
    skipped = [c.get("name", "") for c in suite.iter("testcase") if c.find("skipped") is not None]
    assert len(skipped) == 8
    assert all(name.startswith("b.idle") for name in skipped)


def test_totals_match_the_cases(suite, run):
    counted = {name: suite.get(name) for name in ("tests", "failures", "skipped", "errors")}
    assert counted == {"tests": "18", "failures": "4", "skipped": "8", "errors": "0"}


def test_properties_hold_verdict_and_record(suite):
    found = suite.findall("testcase[@name='b.undecided']/properties/property")
    assert [(p.get("name"), p.get("value")) for p in found] == [
        ("verdict", "inconclusive"),
        ("recorded", "proved"),
    ]


def test_a_claim_that_should_have_run_fails_even_if_no_check_did(run):
    silent = replace(run.results[-1], ok=False)
    xml = junit_xml(RunResult(run.settings, [silent]))
    assert "<failure" in xml
    assert "<skipped" not in xml
