"""Runs that are kept: each in a folder of its own, gone on with by itself alone, and their results."""

import json
import os
import shutil
import signal
import subprocess
import sys

import pytest

from verify.claim import Check, Claim, Evidence, Registry, Road
from verify.commands import running
from verify.errors import UsageError
from verify.running import kept_results, runs, workers
from verify.running.cache import lock_of
from verify.running.runs import RunAtWork, kept_runs
from verify.running.settings import Settings
from verify.verdict import Verdict

CHECKS = [Check(f"a.{n}", Road.PROOFS, lambda printed, context: None, "m") for n in range(3)]


def found(words: str) -> Evidence:
    return Evidence(Verdict.PROVED, "m", words, road=Road.PROOFS, seconds=0.5)


def test_what_is_finished_is_read_back_by_the_run_that_left_it():
    with RunAtWork.begun(Settings(), CHECKS) as kept:
        kept.add(CHECKS[0], found("one"))
        kept.add(CHECKS[1], Evidence(Verdict.ERROR, "m", "broke"))
        kept.add(CHECKS[2], Evidence(Verdict.INCONCLUSIVE, "m", "stopped", timed_out=True))
    with RunAtWork.resumed(Settings(), CHECKS) as again:
        assert again.known == {CHECKS[0].key: found("one")}
        again.reported(whole=True)
    assert kept_runs() == []


def test_two_runs_at_once_have_nothing_in_common():
    a, b = Settings(seed=0), Settings(seed=1)
    with RunAtWork.begun(a, CHECKS) as one, RunAtWork.begun(b, CHECKS) as other:
        assert one.samples != other.samples
        one.add(CHECKS[0], found("of seed 0"))
        other.add(CHECKS[1], found("of seed 1"))
        one.add(CHECKS[2], found("of seed 0"))
    with RunAtWork.resumed(b, CHECKS) as again:
        assert again.known == {CHECKS[1].key: found("of seed 1")}
    with RunAtWork.begun(b, CHECKS) as third:
        third.reported(whole=True)
    assert len(kept_runs()) == 2


def test_a_run_at_work_is_left_alone():
    with (
        RunAtWork.begun(Settings(), CHECKS) as kept,
        pytest.raises(UsageError, match="at work in another process"),
    ):
        RunAtWork.resumed(Settings(), CHECKS)
    kept.add(CHECKS[0], found("late"))
    # Of two that were asked for the same, the one that is free.
    with RunAtWork.resumed(Settings(), CHECKS):
        with RunAtWork.begun(Settings(), CHECKS):
            pass
        with RunAtWork.resumed(Settings(), CHECKS) as other:
            assert other.known == {}


@pytest.mark.parametrize(
    ("settings", "checks", "words"),
    [
        (Settings(seed=5), CHECKS, "had seed 0, this one 5"),
        (Settings(roads=(Road.PROOFS,)), CHECKS, "had roads proofs numerics properties, this one"),
        (Settings(), CHECKS[:2], "had claims a.0, a.1, a.2, this one a.0, a.1"),
    ],
)
def test_another_run_is_refused_with_the_difference(settings, checks, words):
    with RunAtWork.begun(Settings(), CHECKS):
        pass
    with pytest.raises(UsageError, match=words):
        RunAtWork.resumed(settings, checks)


def test_without_one_alike_all_others_are_named():
    for seed in range(3):
        with RunAtWork.begun(Settings(seed=seed), CHECKS):
            pass
    with pytest.raises(UsageError, match=r"had seed 2.*had seed 1.*had seed 0"):
        RunAtWork.resumed(Settings(seed=7), CHECKS)
    assert len(kept_runs()) == 3


def test_nothing_kept_is_said():
    with pytest.raises(UsageError, match="there is no interrupted run"):
        RunAtWork.resumed(Settings(), CHECKS)


def interrupted_with(lines: bytes) -> None:
    """A run whose file of checks has *lines* after its first check."""
    with RunAtWork.begun(Settings(), CHECKS) as kept:
        kept.add(CHECKS[0], found("one"))
    (run,) = kept_runs()
    with run.lines.open("ab") as stream:
        stream.write(lines)


@pytest.mark.parametrize("torn", [b"{", b'{"run": "x', b"\xff\xfe", b"\x00" * 40, b"[1]\n{}\n7"])
def test_a_torn_line_costs_itself_alone(torn):
    interrupted_with(torn)
    with RunAtWork.resumed(Settings(), CHECKS) as again:
        assert set(again.known) == {CHECKS[0].key}
        again.add(CHECKS[1], found("two"))
    with RunAtWork.resumed(Settings(), CHECKS) as again:
        assert set(again.known) == {CHECKS[0].key, CHECKS[1].key}


def test_a_line_of_another_run_is_none_of_this_one():
    interrupted_with(b"")
    (run,) = kept_runs()
    entry = json.loads(run.lines.read_bytes())
    stranger = {**entry, "run": "20200101-000000-00000000", "check": CHECKS[1].key}
    run.lines.write_text(f"{json.dumps(stranger)}\n{json.dumps(entry)}\n", encoding="utf-8")
    with RunAtWork.resumed(Settings(), CHECKS) as again:
        assert set(again.known) == {CHECKS[0].key}


def header(**changes):
    """What run.json says, with *changes*."""
    it = {"name": "NAME", "began": "2026-01-02T03:04:05+00:00", "checks": 3, "identity": {}}
    return json.dumps({**it, **changes})


@pytest.mark.parametrize(
    "content",
    [
        *("", "[1]", '"x"', "{}", "\x00", '{"name": "y", "checks": 3}', "[" * 5000),
        header(name="y"),
        header(began="2026-01-02T03:04:05"),
        header(began=7),
        header(checks=-3),
        header(checks=1.5),
        header(checks="3"),
        header(checks=3).replace("3,", "1e999,"),
        header(identity=[]),
    ],
)
def test_a_folder_that_says_of_no_run_what_it_is_is_none(content, monkeypatch):
    with RunAtWork.begun(Settings(), CHECKS), RunAtWork.begun(Settings(seed=1), CHECKS):
        pass
    whole, run = kept_runs()
    content = content.replace("NAME", run.name)
    (run.folder / "run.json").write_text(content, encoding="utf-8")
    assert [it.name for it in kept_runs()] == [whole.name]
    assert list(runs.nameless(run.folder.parent)) == []
    whole.forget()
    monkeypatch.setattr(runs, "_NEW", -1.0)
    assert list(runs.nameless(run.folder.parent)) == [run.folder]
    with pytest.raises(UsageError, match="--resume"):
        RunAtWork.resumed(Settings(), CHECKS)


ODD = {
    "summary": ["s"],
    "detail": 3,
    "detail of cases": {"cases": [1]},
    "detail of shares": {"cases": [{"error share": "x"}]},
    "detail of no cases": {"cases": 7},
    "seconds": "1",
    "seconds below 0": -1.0,
    "assumptions": [1],
    "scope": [],
    "steps": "abc",
    "counterexample": [],
    "verdict": "error",
    "verdict of none": "not-run",
    "verdict unknown": "true",
    "road": "guesses",
    "method": 7,
}


@pytest.mark.parametrize("field", ODD)
def test_a_line_that_no_run_writes_is_none(field):
    interrupted_with(b"")
    (run,) = kept_runs()
    entry = json.loads(run.lines.read_bytes())
    entry["evidence"][field.split()[0]] = ODD[field]
    run.lines.write_text(json.dumps(entry) + "\n", encoding="utf-8")
    with RunAtWork.resumed(Settings(), CHECKS) as again:
        assert again.known == {}


def test_a_run_at_work_is_not_forgotten():
    with RunAtWork.begun(Settings(), CHECKS) as kept:
        (run,) = kept_runs()
        assert not run.forget()
        kept.add(CHECKS[0], found("one"))
    assert run.forget()
    assert kept_runs() == []


def test_a_run_that_ends_while_it_is_looked_for_is_not_gone_on_with(monkeypatch):
    interrupted_with(b"")
    before = kept_runs()
    before[0].forget()
    monkeypatch.setattr(runs, "kept_runs", lambda: before)
    with pytest.raises(UsageError, match="--resume"):
        RunAtWork.resumed(Settings(), CHECKS)
    assert not before[0].folder.exists()


def test_a_copied_folder_is_no_run_of_its_own():
    interrupted_with(b"")
    (run,) = kept_runs()
    run.folder.rename(run.folder.with_name("20200101-000000-00000000"))
    assert kept_runs() == []


def test_a_disk_that_fills_up_keeps_what_was_written_and_says_so(monkeypatch):
    def full(*arguments):
        raise OSError(28, "No space left on device")

    with RunAtWork.begun(Settings(), CHECKS) as kept:
        kept.add(CHECKS[0], found("one"))
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            kept.add(CHECKS[1], found("two"))
        assert not kept.keeps
        assert kept.samples is not None
    with RunAtWork.resumed(Settings(), CHECKS) as again:
        assert CHECKS[0].key in again.known


# -- the program ---------------------------------------------------------------------------------


@pytest.fixture
def program(verify, monkeypatch):
    """Run two claims with a check each; *lose*: the process of this claim's check dies."""

    def call(*arguments, lose=""):
        ran, registry = [], Registry()
        for id_ in ("a.one", "a.two"):
            registry.add(Claim(id_, id_, id_, uses=("a.one",) if id_ == "a.two" else ()))

            def check(printed, context, id_=id_):
                ran.append(id_)
                died = id_ == lose
                verdict = Verdict.ERROR if died else Verdict.PROVED
                return Evidence(verdict, "m", "its process died" if died else "fine", died=died)

            registry.check(id_, "proofs")(check)
        for module in ("running", "judging", "judging_one", "taking_along", "trusting"):
            monkeypatch.setattr(f"verify.commands.{module}.catalogue", lambda: registry)
        monkeypatch.setattr(running, "lost", lambda registry: [])
        needed = {
            "run": ("--workers", "0", "--device", "cpu"),
            "compare": ("--workers", "0"),
            "trust": ("--workers", "0"),
            "export": ("--workers", "0", "--device", "cpu"),
        }
        options = () if "--results" in arguments else needed.get(arguments[0], ())
        return (*verify(*arguments, *options), ran)

    return call


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_run_that_is_told_to_end_keeps_what_is_finished(program, monkeypatch, name):
    number, before = getattr(signal, name), signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with monkeypatch.context() as patch:
        original = workers.run_check

        def ended_at_the_second(check, *rest):
            if check.claim == "a.two":
                os.kill(os.getpid(), number)
            return original(check, *rest)

        patch.setattr(workers, "run_check", ended_at_the_second)
        status, out, err, _ = program("run")
    signal.signal(signal.SIGINT, before)
    assert status == 3
    assert "1 of 2 checks are finished and kept" in out
    assert "verify: interrupted" in err
    assert program("run", "--resume")[3] == ["a.two"]
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_a_lost_check_alone_is_run_again(program):
    status, out, _, ran = program("run", lose="a.two")
    assert (status, ran) == (1, ["a.one", "a.two"])
    assert "1 check without a result" in out
    status, out, _, ran = program("run", "--resume")
    assert (status, ran) == (0, ["a.two"])
    assert kept_runs() == []
    assert "there is no interrupted run" in program("run", "--resume")[2]


def test_a_lost_check_of_a_claim_that_is_used_is_named_and_run_again(program, tmp_path):
    status, out, _, _ = program("run", "a.two", lose="a.one")
    assert status == 1 or "inconclusive" in out
    assert "Without a result: a.one/proofs/" in out
    assert not (tmp_path / "cache" / "results").exists()
    status, _, _, ran = program("run", "a.two", "--resume")
    assert (status, ran) == (0, ["a.one"])


def test_where_a_check_is_lost_nothing_is_compared_and_no_baseline_written(program, tmp_path):
    path = tmp_path / "baseline.json"
    assert program("compare", str(path), "--update")[0] == 0
    before = path.read_bytes()
    for more in ((), ("--update",)):
        status, out, err, ran = program("compare", str(path), *more, lose="a.two")
        assert (status, ran) == (1, ["a.one", "a.two"])
        assert "Without a result: a.two/proofs/" in out
        assert "REGRESSION" not in out + err
        assert path.read_bytes() == before
        status, out, err, ran = program("compare", str(path), "--resume")
        assert (status, ran) == (0, ["a.two"]), err
        assert "0 changes in 2 claims" in out


def test_an_interrupted_comparison_is_gone_on_with(program, tmp_path, monkeypatch):
    path = tmp_path / "baseline.json"
    assert program("compare", str(path), "--update")[0] == 0
    with monkeypatch.context() as patch:
        original = workers.run_check

        def interrupted(check, *rest):
            if check.claim == "a.two":
                raise KeyboardInterrupt
            return original(check, *rest)

        patch.setattr(workers, "run_check", interrupted)
        status, out, _, _ = program("compare", str(path))
        assert status == 3
        assert "1 of 2 checks are finished and kept. The same command with --resume" in out
    assert program("compare", str(path), "--resume")[3] == ["a.two"]


@pytest.mark.parametrize(
    "command",
    [
        ("export", "--format", "markdown", "--out", "{out}"),
        ("export", "--format", "latex", "--out", "{out}"),
        ("export", "--format", "bibtex"),
        ("trust", "--json", "{out}"),
    ],
)
def test_where_a_check_is_lost_nothing_is_exported(program, tmp_path, command):
    target = tmp_path / "out"
    status, out, err, _ = program(*(it.format(out=target) for it in command), lose="a.two")
    assert status == 1
    assert "Without a result: a.two/proofs/" in out + err
    assert "Nothing is written." in out + err
    assert "@" not in out
    assert not target.exists()


@pytest.mark.parametrize(
    ("command", "option"),
    [
        (("export", "--format", "bibtex"), ("--seed", "99")),
        (("export", "--format", "bibtex"), ("--device", "cpu")),
        (("export", "--format", "bibtex"), ("--workers", "1")),
        (("show", "a.one"), ("--seed", "0")),
        (("compare", "{base}"), ("--workers", "2")),
        (("compare", "{base}"), ("--resume",)),
        (("trust",), ("--workers", "2")),
    ],
)
def test_an_option_that_does_nothing_beside_results_is_refused(program, tmp_path, command, option):
    results, base = tmp_path / "r.json", tmp_path / "base.json"
    assert program("run", "--json", str(results))[0] == 0
    assert program("compare", str(base), "--update")[0] == 0
    typed = [it.format(base=base) for it in command]
    status, _, err, ran = program(*typed, "--results", str(results), *option)
    assert status == 2
    assert f"{option[0]}: with --results nothing is run; leave it out" in err
    assert not ran


def test_a_plan_asks_no_workers(program):
    status, _, err, _ = program("run", "--dry-run")
    assert status == 2  # the program adds --workers
    assert "--workers: a --dry-run asks nobody else; leave it out" in err


def test_evidence_of_another_check_is_not_taken_up(program):
    assert program("run", lose="a.two")[0] == 1
    (run,) = kept_runs()
    text = run.lines.read_text(encoding="utf-8")
    run.lines.write_text(text.replace('"proofs"', '"numerics"'), encoding="utf-8")
    assert program("run", "--resume")[3] == ["a.one", "a.two"]


def test_roads_are_the_same_in_any_order(program):
    assert program("run", "--road", "proofs", "--road", "numerics", lose="a.two")[0] == 1
    again = program("run", "--road", "numerics", "--road", "proofs", "--road", "proofs", "--resume")
    assert again[3] == ["a.two"]


def test_a_whole_run_leaves_its_results_and_nothing_else(program, tmp_path):
    assert program("run")[0] == 0
    assert kept_runs() == []
    assert program("show", "a.one")[3] == []
    status, out, _, _ = program("show", "a.one")
    assert status == 0
    assert "--fresh judges it now" in out
    assert program("show", "a.one", "--fresh")[3] == ["a.one"]
    assert program("show", "a.one", "--seed", "4")[3] == ["a.one"]
    assert program("page", "--html", str(tmp_path / "page"))[0] == 0
    assert (tmp_path / "page" / "index.html").is_file()


def test_results_of_other_sources_are_not_shown(program, monkeypatch):
    assert program("run")[0] == 0
    monkeypatch.setattr(kept_results, "sources", lambda: "changed")
    assert program("show", "a.one")[3] == ["a.one"]
    status, _, err, _ = program("page", "--html", "page")
    assert status == 2
    assert "RESULTS" in err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes of POSIX")
def test_what_is_no_file_of_results_is_passed_over(program, tmp_path):
    folder = tmp_path / "cache" / "results"
    folder.mkdir(parents=True)
    os.mkfifo(folder / f"{kept_results.sources()}-pipe.json")
    (folder / f"{kept_results.sources()}-link.json").symlink_to(tmp_path / "none")
    (folder / f"{kept_results.sources()}-cut.json").write_text("{", encoding="utf-8")
    assert program("show", "a.one")[3] == ["a.one"]


def test_a_digest_of_the_sources_imports_none_of_them():
    code = "import sys; from verify.jobs.sources import sources; sources(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {"torch", "numerics"} & set(done.stdout.split()) == set()


def test_no_more_results_are_kept_than_are_of_use(program, monkeypatch, tmp_path):
    monkeypatch.setattr(kept_results, "_MOST", 3)
    for seed in range(5):
        assert program("run", "--seed", str(seed))[0] == 0
    assert len(list((tmp_path / "cache" / "results").iterdir())) == 3
    assert program("show", "a.one", "--seed", "4")[3] == []


def test_the_cache_is_listed_and_cleared(verify, program, tmp_path, monkeypatch):
    monkeypatch.setattr(runs, "_NEW", -1.0)
    assert program("run")[0] == 0
    assert program("run", lose="a.two")[0] == 1
    (tmp_path / "cache" / "runs" / "strange").mkdir()
    (tmp_path / "cache" / "recall").mkdir()
    (tmp_path / "cache" / "recall" / "0123.json").write_text("{}", encoding="utf-8")
    (tmp_path / "cache" / "results" / ".cut.json.x").write_text("{", encoding="utf-8")
    (tmp_path / "cache" / "results" / "no\nwhere.json").symlink_to(tmp_path / "none")
    status, out, _ = verify("cache")
    assert status == 0
    (run,) = kept_runs()
    assert f"{run.name}  a.one, a.two, quick profile, seed 0, cpu: 1 of 2 checks" in out
    for words in (
        "strange",
        "results of a run",
        "0123.json",
        "cut short",
        "6 things kept",
        str(tmp_path),
    ):
        assert words in out
    assert verify("cache", "--clear", run.name)[0] == 0
    assert kept_runs() == []
    assert len(list((tmp_path / "cache" / "results").iterdir())) == 3
    assert "\nwhere" not in out
    with RunAtWork.begun(Settings(), CHECKS):
        assert "at work, and stays" in verify("cache", "--clear")[1]
    assert len(kept_runs()) == 1
    parts = tmp_path / "cache" / "recall" / "4567.json"
    parts.write_text("{}", encoding="utf-8")
    with lock_of(parts):
        assert "4567.json  is at work, and stays" in verify("cache", "--clear", parts.name)[1]
    assert parts.exists()
    shutil.rmtree(tmp_path / "cache" / "locks")
    (tmp_path / "cache" / "locks").touch()
    assert "4567.json  removed" in verify("cache", "--clear", parts.name)[1]
    assert verify("cache", "--clear")[0] == 0
    assert verify("cache")[1].startswith("0 things kept")


@pytest.mark.parametrize(
    ("arguments", "words"), [(("x",), "add --clear"), (("--clear", "x"), "nothing called 'x'")]
)
def test_bad_use_of_the_cache_is_refused(verify, arguments, words):
    status, _, err = verify("cache", *arguments)
    assert status == 2
    assert words in err
