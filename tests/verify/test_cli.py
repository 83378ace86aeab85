"""The command line: exit statuses, one clear line for bad input, whole files or none."""

import json
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from verify import cli
from verify.commands import COMMANDS, judging_one, reading, running
from verify.printed.paper import SHARES
from verify.running import cache, runner, settings
from verify.running.settings import Settings
from verify.verdict import Verdict

FAST = "nichani.thm9.k-choice"  # exact alone, rests on nothing, and quick


def run(verify, *arguments: str):
    return verify("run", "--workers", "0", "--device", "cpu", *arguments)


def test_a_run_as_recorded_exits_with_0_and_shows_the_verdict(verify):
    status, out, _ = run(verify, FAST)
    assert status == 0
    assert FAST in out
    assert "∴ argued" in out


def test_json_goes_to_stdout_and_the_table_to_stderr(verify):
    status, out, err = run(verify, FAST, "--json", "-")
    data = json.loads(out)
    assert status == 0
    assert [c["id"] for c in data["claims"]] == [FAST]
    assert data["claims"][0]["verdict"] == "argued"
    assert data["claims"][0]["evidence"][0]["road"] == "proofs"
    assert FAST in err


def test_the_wrong_polarity_exits_with_1(verify, monkeypatch):
    monkeypatch.setattr(runner, "as_recorded", lambda *a, **k: False)
    assert run(verify, FAST)[0] == 1


def test_a_shrunken_catalogue_exits_with_1(verify, monkeypatch):
    monkeypatch.setattr(running, "lost", lambda registry: ["nichani.lost"])
    monkeypatch.setattr(
        running,
        "run_with_progress",
        lambda r, s, settings, c, kept: runner.run(r, s[:0], settings),
    )
    assert run(verify)[0] == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run", "nichani.thm1.maen"], ["ID", "nichani.thm1.maen", "nichani.thm1.mean"]),
        (["run", "no.such.*"], ["ID", "no.such.*", "verify list"]),
        (["show", "nichani.thm1.men"], ["nichani.thm1.mean"]),
        (["run", FAST, "--json", "/no/such/folder/x.json"], ["--json", "/no/such/folder"]),
        (["run", FAST, "--junit", "/"], ["--junit", "'/'", "name a file"]),
        (["run", FAST, "--html", "/proc/none"], ["--html", "/proc/none"]),
        (["run", FAST, "--junit", "-"], ["--junit", "'-'", "name a file"]),
        (["run", FAST, "--json", "/proc/none.json"], ["--json", "/proc/none.json"]),
        (["capacity", "linear", "--d", "9" * 20], ["--d", "9" * 20, "too large"]),
        (["capacity", "linear", "--d", "64", "--delta", "1e-99999999"], ["--delta", "too small"]),
        (["capacity", "linear", "--d", "64", "--delta", "1_0e-3"], ["--delta", "1_0e-3"]),
        (["run", FAST, "--device", "cuda"], ["--device", "cuda", "cpu"]),
        (["run", FAST, "--resume"], ["--resume", "no interrupted run"]),
        (["run", FAST, "--seed", "-1"], ["--seed", "-1"]),
        (["run", FAST, "--seed", "1_0"], ["--seed", "'1_0' is no whole number"]),
        (["run", FAST, "--seed", " 1"], ["--seed", "' 1' is no whole number"]),
        (["run", FAST, "--seed", "\u0661"], ["--seed", "is no whole number"]),
        (["run", FAST, "--seed", str(2**64)], ["--seed", str(2**64)]),
        (["run", FAST, "--workers", "+1"], ["--workers", "'+1' is no whole number"]),
        (["run", FAST, "--road", "guess"], ["--road", "guess", "proofs"]),
        (["capacity", "linear"], ["--d", "missing"]),
        (["capacity", "linear", "--d", "0"], ["--d", "0"]),
        (["capacity", "linear", "--d", "-3"], ["--d", "-3"]),
        (["capacity", "linear", "--d", "64", "--N", "9", "--M", "5"], ["N", "9", "M = 5"]),
        (["capacity", "linear", "--d", "64", "--delta", "0"], ["--delta", "0"]),
        (["capacity", "linear", "--d", "64", "--delta", "1"], ["--delta", "1"]),
        (["capacity", "linear", "--d", "64", "--delta", "nan"], ["--delta", "nan"]),
        (["capacity", "linear", "--d", "64", "--m", "4"], ["--m", "linear"]),
        (["capacity", "hopfield", "--d", "64"], ["MEMORY", "hopfield", "linear"]),
        (["capacity", "mlp", "--d", "64"], ["--m", "missing", "4096"]),
        (["capacity", "attention", "--d", "64"], ["--D", "missing", "--D 8"]),
        (["compare", "/no/such/baseline.json"], ["BASELINE", "/no/such/baseline.json", "--update"]),
        (["errata", "--format", "yaml"], ["--format", "yaml", "json"]),
        (["errata", "no.such"], ["ID", "no.such"]),
        (["errata", "nichani.thm1.mean"], ["ID", "none", "refuted"]),
        (["nonsense"], ["nonsense"]),
    ],
)
def test_bad_input_is_one_clear_line_and_exit_2(verify, arguments, words):
    status, out, err = verify(*arguments)
    assert status == 2
    message = next(line for line in err.splitlines() if line.startswith("verify: "))
    assert "Traceback" not in err
    assert out == ""
    for word in words:
        assert word in message


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"schema": 9, "seed": 0, "profile": "quick", "claims": {}}', "\x00"]
)
def test_a_corrupt_baseline_is_refused_with_the_remedy(verify, tmp_path, content):
    path = tmp_path / "baseline.json"
    path.write_text(content, encoding="utf-8")
    status, _, err = verify("compare", str(path))
    assert status == 2
    assert str(path) in err
    assert "--update" in err
    assert path.read_text(encoding="utf-8") == content


def test_an_unwritable_place_costs_no_work_and_leaves_no_file(verify, tmp_path, monkeypatch):
    monkeypatch.setattr(
        running, "run_with_progress", lambda *a, **k: pytest.fail("worked before looking")
    )

    def read_only(**arguments):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "mkstemp", read_only)
    status, _, err = run(verify, FAST, "--json", str(tmp_path / "x.json"))
    assert status == 2
    assert "not writable" in err
    assert not (tmp_path / "x.json").exists()


def test_without_hypothesis_its_road_asks_for_the_extra_by_name(verify, monkeypatch):
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    status, _, err = run(verify, FAST, "--road", "properties")
    assert status == 2
    assert "hypothesis" in err
    assert "recallproof[test]" in err
    status, out, _ = run(verify, FAST)
    assert status == 0
    assert "left out" in out


@pytest.fixture
def heard():
    """SIGINT as a terminal's Ctrl-C has it: a job in the background is born deaf to it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_while_an_object_is_cleared_away_is_heard(capsys, heard):
    class Interrupted:
        def __del__(self):
            raise KeyboardInterrupt

    def cleared():
        Interrupted()
        time.sleep(10)

    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt), cli._interruptible():
        cleared()
    assert time.monotonic() - began < 5
    assert "ignored" not in capsys.readouterr().err


def test_an_interrupt_keeps_what_is_finished_and_resume_goes_on(verify, monkeypatch):
    from verify.running import workers

    original = workers.run_check
    ran = []

    def second_is_interrupted(check, *rest):
        if len(ran) == 1:
            raise KeyboardInterrupt
        ran.append(check.key)
        return original(check, *rest)

    monkeypatch.setattr(workers, "run_check", second_is_interrupted)
    status, out, _ = run(verify, "nichani.thm1.explicit.chernoff", "--road", "proofs")
    assert status == 3
    assert "1 of 3 checks are finished and kept" in out
    assert "--resume" in out
    first = ran.pop()
    monkeypatch.setattr(
        workers, "run_check", lambda c, *rest: ran.append(c.key) or original(c, *rest)
    )
    status, out, _ = run(verify, "nichani.thm1.explicit.chernoff", "--road", "proofs", "--resume")
    assert status == 0
    assert first not in ran
    assert len(ran) == 2


def test_a_resumed_run_has_spent_what_the_interrupted_one_spent(verify, monkeypatch):
    from verify.report.terminal import progress
    from verify.running import workers

    original = workers.run_check
    ran, shown = [], []

    def second_is_interrupted(check, *rest):
        if ran:
            raise KeyboardInterrupt
        ran.append(check)
        return original(check, *rest)

    class Recorded(progress.Progress):
        def __init__(self, *arguments, **options):
            shown.append(options)
            super().__init__(*arguments, **options)

    monkeypatch.setattr(progress, "Progress", Recorded)
    monkeypatch.setattr(workers, "run_check", second_is_interrupted)
    asked = ("nichani.thm1.degree", "nichani.thm1.mean", "--road", "numerics", "--budget", "1e-5")
    assert run(verify, *asked)[0] == 3
    monkeypatch.setattr(workers, "run_check", original)
    assert run(verify, *asked, "--resume")[0] == 0
    assert [options["budget"] for options in shown] == [1e-5, 1e-5]
    assert ran[0].shares == 1
    assert [options["spent"] for options in shown] == [0, 1e-5 / SHARES]


@pytest.fixture
def interrupted(monkeypatch):
    """Every check is, at once."""
    from verify.running import workers

    def interrupt(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(workers, "run_check", interrupt)


def test_resuming_another_run_is_refused(verify, interrupted):
    assert run(verify, FAST)[0] == 3
    status, _, err = run(verify, FAST, "--resume", "--seed", "5")
    assert status == 2
    assert "seed 0" in err


def test_evidence_of_other_sources_is_not_resumed(verify, interrupted, monkeypatch):
    assert run(verify, FAST)[0] == 3
    monkeypatch.setattr(settings, "sources", lambda: "changed")
    status, _, err = run(verify, FAST, "--resume")
    assert status == 2
    assert "sources" in err


def test_an_interrupt_without_a_place_to_write_does_not_claim_to_have_kept_anything(
    verify, interrupted, monkeypatch
):
    monkeypatch.setattr(cache, "user_cache_path", lambda name: Path("/proc/none"))
    status, out, _ = run(verify, FAST)
    assert status == 3
    assert "nothing could be kept" in out


def test_the_program_breaking_is_not_a_verdict(verify, monkeypatch):
    def broken():
        raise RuntimeError("inside")

    monkeypatch.setattr(reading, "catalogue", broken)
    status, _, err = verify("list")
    assert status == 3
    assert "bug" in err


def test_show_prints_the_derivation_as_a_chain(verify):
    status, out, _ = verify("show", "nichani.thm1.second-moment")
    assert status == 0
    for words in (
        "another input (2 times)",
        "N - 2",
        "refuted",
        "nichani.thm1.second-moment.corrected",
    ):
        assert words in out


def test_errata_list_every_false_line_with_its_correction(verify):
    status, out, _ = verify("errata", "--format", "json")
    data = {entry["id"]: entry for entry in json.loads(out)}
    assert status == 0
    _, listed, _ = verify("list", "--json")
    false = {e["id"] for e in json.loads(listed) if e["recorded"] == "refuted"}
    assert (
        set(data) == false >= {"nichani.thm1.statement", "nichani.thm9.variance", "nichani.lem14"}
    )
    assert all(e["counterexample"] and e["corrected"] for e in data.values())


def test_errata_are_markdown_in_a_pipe_and_text_where_it_is_asked_for(verify, monkeypatch):
    _, sheet, _ = verify("errata", "nichani.thm7.stmt")
    assert sheet.startswith("# Errata\n\n1 ")
    assert r"$\mathbb{E}" in sheet
    assert verify("errata", "nichani.thm7.stmt", "--format", "markdown")[1] == sheet
    status, text, _ = verify("errata", "nichani.thm7.stmt", "--format", "text")
    assert status == 0
    assert text.startswith("Errata\n")
    assert "𝔼[L(f̂)] ≥ log M" in text  # noqa: RUF001
    assert "$" not in text
    monkeypatch.setattr(judging_one, "_on_terminal", lambda: True)
    assert verify("errata", "nichani.thm7.stmt")[1] == text


def test_a_refuted_claim_is_shown_with_the_corrected_statement(verify):
    status, out, _ = verify("show", "nichani.thm7.stmt")
    assert status == 0
    shown = " ".join(out.partition("\nCorrection\n")[2].split())
    assert "with k = ⌊B/L⌋" in shown.partition("verify show nichani.thm7.stmt.corrected")[0]


def test_every_command_is_listed_with_a_whole_summary_in_80_columns(verify, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    _, out, _ = verify("--help")
    commands = out.partition("Commands:\n")[2].splitlines()
    assert [line.split()[0] for line in commands] == list(COMMANDS)
    assert all(line.endswith(".") and not line.endswith("...") for line in commands)
    assert max(map(len, out.splitlines())) <= 80


def test_a_wrong_call_is_answered_with_the_usage_of_its_command(verify):
    for arguments, usage in [
        (["nonsense"], "Usage: verify [OPTIONS] [COMMAND] [ARGS]...; more with `verify --help`"),
        (
            ["export"],
            "Usage: verify export [OPTIONS] [ID|GLOB]...; more with `verify export --help`",
        ),
    ]:
        status, out, err = verify(*arguments)
        assert (status, out) == (2, "")
        first, second = err.splitlines()
        assert first.startswith("verify: ")
        assert second == usage


def test_errata_of_some_claims_list_these_alone(verify):
    status, out, _ = verify("errata", "nichani.thm1.s*", "--format", "json")
    assert status == 0
    entries = json.loads(out)
    assert [e["id"] for e in entries] == ["nichani.thm1.statement", "nichani.thm1.second-moment"]
    assert all(e["title"] and e["consequence"] and e["source"]["where"] for e in entries)
    assert {e["correction_recorded"] for e in entries} == {"argued", "proved"}
    status, sheet, _ = verify("errata", "nichani.thm1.second-moment")
    assert status == 0
    assert sheet.startswith("# Errata\n\n1 of 1 printed statement is false as it stands")


def test_list_names_every_claim_with_source_and_record(verify):
    status, out, _ = verify("list", "--json")
    data = {entry["id"]: entry for entry in json.loads(out)}
    assert status == 0
    assert data["nichani.thm1.mean"]["recorded"] == "proved"
    assert data["nichani.thm1.mean"]["mutants"] >= 5
    assert data["dana.prop1.lower-bound"]["recorded"] == "not-run"


def test_capacity_orders_what_is_provable_predicted_and_possible(verify):
    status, out, _ = verify("capacity", "linear", "--d", "64", "--delta", "0.1", "--json")
    data = json.loads(out)
    assert status == 0
    assert 50 <= data["provable"] <= data["predicted"] <= data["bit_bound"]
    low, high = data["measured"]["interval"]
    assert 0 <= low <= data["measured"]["failures"] / data["measured"]["draws"] <= high <= 1


def test_capacity_prints_the_failure_bound_at_given_sizes_rounded_up(verify):
    status, out, _ = verify("capacity", "linear", "--d", "128", "--N", "100")
    assert status == 0
    assert "P(failure) at these sizes is at most" in out


def test_compare_notices_a_changed_formula_and_not_a_slower_clock(verify, tmp_path, monkeypatch):
    from verify.auditing import baseline

    def small(registry, selected, settings, console, resume):
        return runner.run(registry, registry.select(["nichani.thm1.mean"]), Settings(workers=0))

    monkeypatch.setattr(running, "run_with_progress", small)
    path = tmp_path / "baseline.json"
    assert verify("compare", str(path), "--update")[0] == 0
    assert verify("compare", str(path))[0] == 0
    data = json.loads(path.read_text(encoding="utf-8"))
    data["claims"]["nichani.thm1.mean"]["derived"]["mean.inside"] = "2"
    path.write_text(json.dumps(data), encoding="utf-8")
    status, out, _ = verify("compare", str(path))
    assert status == 1
    assert "mean.inside: 2 -> 1" in out
    assert baseline.Baseline.read(path).claims["nichani.thm1.mean"].verdict == str(Verdict.PROVED)


@pytest.mark.slow
def test_the_program_runs_as_a_module_with_workers(tmp_path):
    target = tmp_path / "out.json"
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "verify",
            "run",
            "nichani.thm1.union",
            "nichani.thm1.degree",
            "--json",
            str(target),
        ],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parent,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(target.read_text(encoding="utf-8"))["summary"]["proved"] == 2


def test_where_those_who_work_end_it_is_said_in_one_line(verify, monkeypatch, tmp_path):
    from verify.capacity import pictures

    def lost(**_):
        raise ChildProcessError("a part of a picture was lost: the scheduler is gone")

    monkeypatch.setattr(pictures, "pictures", lost)
    status, out, err = verify(
        "export", "--pictures", "--format", "svg", "--out", str(tmp_path / "p")
    )
    assert (status, out) == (3, "")
    said = (
        "a part of a picture was lost: the scheduler is gone; nothing is written, ask for it again"
    )
    assert err.splitlines()[-1] == f"verify: {said}"


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent")
def test_once_it_is_over_nothing_that_asks_it_to_end_changes_the_status(tmp_path):
    ending = tmp_path / "ending"
    program = (
        "import atexit, pathlib, sys, time\n"
        "from verify.cli import main\n"
        "sys.argv = ['verify', 'list', '--json']\n"
        f"atexit.register(lambda: (pathlib.Path({str(ending)!r}).touch(), time.sleep(2)))\n"
        "main()\n"
    )
    command = [sys.executable, "-c", program]
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as running_one:
        while not ending.exists() and running_one.poll() is None:
            time.sleep(0.01)
        for number in (signal.SIGINT, signal.SIGTERM):
            running_one.send_signal(number)
        _, said = running_one.communicate(timeout=60)
    assert (running_one.returncode, said) == (0, b"")
