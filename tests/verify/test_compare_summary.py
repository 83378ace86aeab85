"""The comparison with a baseline: what fails it, and its summary for a pull request."""

import json
import math
import re
from dataclasses import replace

import msgspec
import pytest

from verify.auditing.baseline import Baseline, Change, Kind, compare
from verify.catalogue import catalogue
from verify.claim import Claim, Evidence, Road
from verify.commands import running
from verify.errors import UsageError
from verify.report.compare_markdown import compare_markdown
from verify.report.machine import run_json
from verify.running import runner
from verify.running.runner import ClaimResult, RunResult
from verify.running.settings import Settings
from verify.verdict import Verdict


def run_of(id_="a", verdict=Verdict.PROVED, derived="1/d", interval=(0.0, 1.0), seconds=1.0):
    case = {"quantity": "E[g]", "at": {"d": 2}, "interval": list(interval)}
    detail = {"derived": {"mean": derived}, "cases": [case]}
    found = Evidence(verdict, "m", "s", detail=detail, road=Road.PROOFS, seconds=seconds)
    claim = Claim(id_, "<script>", "p")
    return RunResult(Settings(workers=0), [ClaimResult(claim, verdict, (found,), ok=True)])


def changes_of(**changed):
    return compare(Baseline.of(run_of()), Baseline.of(run_of(**changed)))


@pytest.mark.parametrize(
    ("changed", "kinds", "fails"),
    [
        ({}, [], False),
        ({"verdict": Verdict.SUPPORTED}, [Kind.VERDICT], True),
        ({"verdict": Verdict.REFUTED}, [Kind.VERDICT], True),
        ({"verdict": Verdict.ARGUED}, [Kind.RECLASSIFIED], False),
        ({"derived": "2/d"}, [Kind.FORMULA], True),
        ({"interval": (0.5, 2.0)}, [], False),
        ({"interval": (1.5, 2.0)}, [Kind.INTERVAL], True),
        ({"seconds": 100.0}, [Kind.SPEED], False),
        ({"seconds": 0.01}, [], False),
        ({"id_": "b"}, [Kind.LOST, Kind.NEW], True),
    ],
)
def test_what_changed_and_whether_it_fails(changed, kinds, fails):
    found = changes_of(**changed)
    assert [change.kind for change in found] == kinds
    assert any(change.regression for change in found) == fails


@pytest.mark.parametrize(
    ("after", "kind"),
    [
        (Verdict.PROVED, Kind.RECLASSIFIED),
        (Verdict.CERTIFIED, Kind.VERDICT),
        (Verdict.SUPPORTED, Kind.VERDICT),
        (Verdict.INCONCLUSIVE, Kind.VERDICT),
    ],
)
def test_only_between_proved_and_argued_a_verdict_is_reclassified(after, kind):
    runs = run_of(verdict=Verdict.ARGUED), run_of(verdict=after)
    (change,) = compare(*map(Baseline.of, runs))
    assert (change.kind, change.regression) == (kind, kind is Kind.VERDICT)
    assert str(change).endswith(f" argued -> {after}")


@pytest.mark.parametrize("ends", [(0.0, math.inf), (-math.inf, math.inf)])
def test_an_open_interval_is_kept_whole(tmp_path, ends):
    path = tmp_path / "baseline.json"
    path.write_bytes(Baseline.of(run_of(interval=ends)).encode())
    again = Baseline.read(path)
    assert compare(again, Baseline.of(run_of(interval=(5.0, 6.0)))) == []
    moved = compare(again, Baseline.of(run_of(interval=(-2.0, -1.0))))
    assert bool(moved) == (ends[0] == 0.0)


def summary_of(changes, **options):
    return compare_markdown(changes, Baseline.of(run_of()), **{"as_recorded": True, **options})


def test_the_summary_of_nothing_says_so():
    text = summary_of([])
    assert text.startswith("## Verification passed\n")
    assert "Nothing changed since the baseline." in text
    assert "0 regressions" in text


def test_the_summary_lists_the_gravest_first_and_says_what_does_not_fail():
    changes = [
        Change("slow", Kind.SPEED, "", "1 s", "9 s"),
        Change("a", Kind.VERDICT, "", "proved", "refuted"),
        Change("f", Kind.FORMULA, "mean", "1/d", None),
    ]
    text = summary_of(changes)
    assert text.startswith("## Verification failed\n")
    heads = re.findall(r"^### (.*)$", text, re.MULTILINE)
    assert [head.split(":")[0] for head in heads] == [
        "Verdicts that changed",
        "Derived formulas that changed",
        "Slower claims",
    ]
    assert heads[-1].endswith("(does not fail)")
    assert "| `a` | `proved` | `refuted` |" in text
    assert "| `f`<br>`mean` | `1/d` | none |" in text
    assert "2 regressions, 1 other change." in text


def test_speed_alone_passes():
    assert "Verification passed" in summary_of([Change("a", Kind.SPEED, "", "1 s", "9 s")])


def test_a_run_that_is_not_as_recorded_fails_without_a_change():
    text = summary_of([], as_recorded=False)
    assert "Verification failed" in text
    assert "as recorded" in text


def test_nothing_in_a_change_can_become_markup():
    hostile = "<script>`x`</script>|y\n# z"
    text = summary_of([Change(hostile, Kind.FORMULA, hostile, hostile, hostile)])
    (row,) = [line for line in text.splitlines() if "script" in line]
    assert len(re.findall(r"(?<!\\)\|", row)) == 4
    outside = re.sub(r"(``).*?\1(?!`)", "", row)
    assert "script" not in outside


def test_the_summary_stays_short():
    text = summary_of([Change(f"a.{i}", Kind.VERDICT, "", "x" * 999, "y") for i in range(500)])
    assert "and 480 more" in text
    assert len(text) < 10_000


# -- the command ---------------------------------------------------------------------------------


@pytest.fixture
def baseline(verify, monkeypatch, tmp_path):
    """A baseline of one claim, and a program that runs that claim alone."""

    def small(registry, selected, settings, console, resume):
        return runner.run(registry, registry.select(["nichani.thm1.mean"]), Settings(workers=0))

    monkeypatch.setattr(running, "run_with_progress", small)
    path = tmp_path / "baseline.json"
    assert verify("compare", str(path), "--update")[0] == 0
    return path


def test_the_summary_goes_to_stdout_and_the_log_to_stderr(verify, baseline):
    status, out, err = verify("compare", str(baseline), "--markdown", "-")
    assert status == 0
    assert out.startswith("## Verification passed")
    assert "0 changes in 1 claim" in err


def test_a_changed_verdict_fails_and_the_summary_is_written_all_the_same(
    verify, baseline, tmp_path
):
    data = json.loads(baseline.read_text(encoding="utf-8"))
    data["claims"]["nichani.thm1.mean"]["verdict"] = "refuted"
    baseline.write_text(json.dumps(data), encoding="utf-8")
    summary = tmp_path / "summary.md"
    status, out, _ = verify("compare", str(baseline), "--markdown", str(summary))
    assert status == 1
    assert "REGRESSION nichani.thm1.mean: verdict refuted -> proved" in out
    text = summary.read_text(encoding="utf-8")
    assert "| `nichani.thm1.mean` | `refuted` | `proved` |" in text


def test_a_baseline_from_before_is_read_and_a_reclassification_does_not_fail(
    verify, baseline, monkeypatch
):
    """Of schema 1, in which an argument with a step in words was called proved."""
    text = baseline.read_text(encoding="utf-8")
    baseline.write_text(text.replace('"schema": 2', '"schema": 1'), encoding="utf-8")
    assert verify("compare", str(baseline))[:2] == (0, "0 changes in 1 claim\n")

    def argued(registry, selected, settings, console, resume):
        run = runner.run(registry, registry.select(["nichani.thm1.mean"]), Settings(workers=0))
        run.results = [replace(result, verdict=Verdict.ARGUED) for result in run.results]
        return run

    monkeypatch.setattr(running, "run_with_progress", argued)
    status, out, err = verify("compare", str(baseline), "--markdown", "-")
    assert status == 0
    assert err.splitlines()[0] == "nichani.thm1.mean: reclassified proved -> argued"
    assert "### Proofs reclassified by whether a step is in words: 1 (does not fail)" in out
    assert "| `nichani.thm1.mean` | `proved` | `argued` |" in out


def test_a_claim_that_the_catalogue_has_lost_fails(verify, baseline):
    data = json.loads(baseline.read_text(encoding="utf-8"))
    data["claims"]["nichani.no.such"] = data["claims"]["nichani.thm1.mean"]
    baseline.write_text(json.dumps(data), encoding="utf-8")
    status, out, _ = verify("compare", str(baseline), "--markdown", "-")
    assert status == 1
    assert "- `nichani.no.such`" in out


@pytest.fixture
def results(tmp_path):
    """The file of the run that the baseline was made of."""
    registry = catalogue()
    run = runner.run(registry, [registry["nichani.thm1.mean"]], Settings(workers=0))
    path = tmp_path / "results.json"
    path.write_bytes(run_json(run))
    return path


def test_a_stored_run_is_compared_without_another(verify, baseline, results, monkeypatch):
    monkeypatch.setattr(
        running, "run_with_progress", lambda *a, **k: pytest.fail("ran all the same")
    )
    status, out, _ = verify("compare", str(baseline), "--results", str(results))
    assert (status, out) == (0, "0 changes in 1 claim\n")
    text = results.read_text(encoding="utf-8")
    results.write_text(text.replace('"mean.inside": "1"', '"mean.inside": "2"'), encoding="utf-8")
    status, out, _ = verify("compare", str(baseline), "--results", str(results))
    assert status == 1
    assert "REGRESSION nichani.thm1.mean: mean.inside: 1 -> 2" in out


def test_a_stored_run_makes_the_baseline_that_a_new_one_would(verify, baseline, results, tmp_path):
    made = tmp_path / "made.json"
    status, _, _ = verify("compare", str(made), "--update", "--results", str(results))
    assert status == 0
    assert compare(Baseline.read(baseline), Baseline.read(made)) == []
    assert Baseline.read(made).claims.keys() == Baseline.read(baseline).claims.keys()


@pytest.mark.parametrize(
    "case",
    [
        {},
        {"interval": None, "quantity": "q", "at": {}},
        {"interval": [0], "quantity": "q", "at": {}},
        {"interval": [0, "wide"], "quantity": "q", "at": {}},
        {"interval": [0, 10**400], "quantity": "q", "at": {}},
    ],
)
def test_a_case_without_an_interval_is_left_out(case):
    stated = {"interval": [0, 1], "quantity": "p", "at": 5}
    evidence = Evidence(Verdict.SUPPORTED, "m", "s", detail={"cases": [case, stated, 7]})
    result = ClaimResult(Claim("a", "", ""), Verdict.SUPPORTED, (evidence,), ok=True)
    found = Baseline.of(RunResult(Settings(), [result]))
    assert found.claims["a"].intervals == {"p at 5": (0.0, 1.0)}


def test_what_a_file_calls_a_formula_cannot_steer_a_terminal(verify, baseline, results):
    text = results.read_text(encoding="utf-8")
    hostile = json.dumps("\x1b[31m\nREGRESSION")[1:-1]
    results.write_text(text.replace('"mean.inside": "1"', f'"mean.inside": "{hostile}"'), "utf-8")
    status, out, _ = verify("compare", str(baseline), "--results", str(results))
    assert status == 1
    assert all(line.isprintable() for line in out.splitlines())
    assert out.count("\n") == 2


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"seed": 0', '"seed": 7', ["seed 7", "with 0", "--seed 0"]),
        ('"profile": "quick"', '"profile": "full"', ["profile full", "--profile quick"]),
        ('"schema": 2', '"schema": 9', ["schema 9", "reads 1 and 2"]),
    ],
)
def test_a_stored_run_that_the_baseline_says_nothing_of_is_refused(
    verify, baseline, results, old, new, words
):
    text = results.read_text(encoding="utf-8")
    assert old in text
    results.write_text(text.replace(old, new), encoding="utf-8")
    status, out, err = verify("compare", str(baseline), "--results", str(results))
    assert (status, out) == (2, "")
    for word in ["--results", str(results), *words]:
        assert word in err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--markdown", "/no/such/x.md"], ["--markdown", "/no/such"]),
        (["--markdown", "-", "--update"], ["--markdown", "--update"]),
    ],
)
def test_bad_options_are_refused_before_the_run(verify, baseline, monkeypatch, options, words):
    monkeypatch.setattr(
        running, "run_with_progress", lambda *a, **k: pytest.fail("ran before looking")
    )
    status, _, err = verify("compare", str(baseline), *options)
    assert status == 2
    assert all(word in err for word in words)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text[:-40],
        lambda text: text.replace('"proved"', '"proven"'),
        lambda text: text.replace('"schema": 2', '"schema": 3'),
        lambda text: '{"schema": 1, "run": {"version": "0.1"}, "claims": []}',
        lambda text: re.sub(r'("intervals": \{)', r'\1"x": ["low", 1.0],', text),
    ],
)
def test_a_baseline_that_does_not_fit_is_refused(baseline, change):
    baseline.write_text(change(baseline.read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(UsageError, match="--update") as caught:
        Baseline.read(baseline)
    assert str(baseline) in str(caught.value)


def test_the_baseline_of_the_repository_is_whole_and_of_this_catalogue():
    from pathlib import Path

    registry = catalogue()
    kept = Baseline.read(Path(__file__).parents[2] / "baselines" / "quick.json")
    assert kept.seed == 0
    assert set(kept.claims) <= {claim.id for claim in registry}
    for id_, entry in kept.claims.items():
        recorded = registry[id_].recorded
        assert recorded is None or entry.verdict.positive == recorded.positive, id_
    assert msgspec.json.decode(kept.encode(), type=Baseline) == kept
