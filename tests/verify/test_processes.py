"""Processes that carry out jobs, whatever becomes of them, such as jobs that kill their own process."""

import multiprocessing
import os
import signal
import sys
import time
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from verify.jobs import processes
from verify.jobs.groups import carried_out
from verify.jobs.processes import Lost

KILL = getattr(signal, "SIGKILL", signal.SIGTERM)


@pytest.fixture(autouse=True)
def importable(monkeypatch):
    """What is sent to a process here is found there again."""
    for place in (Path(__file__).parents[2], Path(__file__).parent):
        monkeypatch.syspath_prepend(str(place))


def begin(folder: Path, number: int):
    """Jobs are words; what is to happen but once leaves a file in *folder*."""

    def first(name: str) -> bool:
        try:
            (folder / name).touch(exist_ok=False)
        except FileExistsError:
            return False
        return True

    def work(job: str) -> str:
        kind, _, name = job.partition(" ")
        if kind == "die" or (kind == "once" and first(name)):
            os.kill(os.getpid(), KILL)
        if kind == "exit":
            os._exit(7)
        if kind == "hang":
            time.sleep(600)
        if kind == "raise":
            raise ValueError(job)
        if kind == "lambda":
            return lambda: job
        if kind == "unsendable":
            raise type("Local", (Exception,), {})(job)
        return f"{job} done"

    return work


def by_whom(folder: Path, number: int):
    """Each job tells its process; "wait for N" ends when so many processes have had a job."""

    def work(job: str) -> int:
        (folder / str(os.getpid())).touch()
        while job.startswith("wait for") and len(list(folder.iterdir())) < int(job.split()[2]):
            time.sleep(0.01)
        return os.getpid()

    return work


def begin_at_the_second_try(folder: Path, number: int):
    if not (folder / f"{number}").exists():
        (folder / f"{number}").touch()
        os.kill(os.getpid(), KILL)
    return begin(folder, number)


def slow_to_start(folder: Path, number: int):
    if not (folder / "slow").exists():
        (folder / "slow").touch()
        time.sleep(600)
    return begin(folder, number)


def never(folder: Path, number: int):
    (folder / str(time.monotonic_ns())).touch()
    os._exit(3)


def refused(folder: Path, number: int):
    raise ValueError("no registry")


def outcome(units, start, folder, **options):
    found = list(carried_out(units, partial(start, folder), **{"workers": 2, **options}))
    assert Counter(job for job, _ in found) == Counter(job for unit in units for job in unit)
    return dict(found)


def test_each_job_is_carried_out_once(tmp_path):
    units, told = [["a", "b"], ["c"], [], ["d", "e", "f"]], []
    found = outcome(units, begin, tmp_path, workers=3, on_start=told.append)
    assert found == {job: f"{job} done" for job in "abcdef"}
    assert sorted(told) == sorted("abcdef")


def test_half_of_a_divisible_unit_goes_to_who_has_nothing_to_do(tmp_path):
    """The other process is waited for, whose own unit is over at once; it takes the last three."""
    unit = ["wait for 2", *"bcdefg"]
    (tmp_path / "one").mkdir()
    found = outcome([unit, ["a"]], by_whom, tmp_path / "one", divisible=lambda job: True)
    assert len({found[job] for job in unit}) == 2
    (tmp_path / "two").mkdir()
    found = outcome([unit, ["a"]], by_whom, tmp_path / "two")
    assert len({found[job] for job in unit}) == 1


def test_more_processes_than_units_share_a_divisible_one(tmp_path):
    units = [["wait for 3", "wait for 3 2", "wait for 3 3", "b"]]
    found = outcome(units, by_whom, tmp_path, workers=3, divisible=lambda job: True)
    assert len(set(found.values())) == 3


def test_a_job_whose_process_died_is_tried_once_more_and_told_once(tmp_path):
    told = []
    found = outcome([["a", "once x", "b"], ["c"]], begin, tmp_path, on_start=told.append)
    assert found == {job: f"{job} done" for job in ("a", "once x", "b", "c")}
    assert Counter(told)["once x"] == 1


def test_what_kills_its_process_twice_costs_itself_alone(tmp_path):
    found = outcome([["a", "die", "b"], ["exit", "c"]], begin, tmp_path)
    assert {found[job] for job in "abc"} == {"a done", "b done", "c done"}
    assert "was ended by SIGKILL" in found["die"].reason
    assert "memory" in found["die"].reason
    assert "ended with status 7" in found["exit"].reason


def test_a_process_that_dies_while_it_starts_costs_nothing(tmp_path):
    found = outcome([["a"], ["b"]], begin_at_the_second_try, tmp_path)
    assert found == {"a": "a done", "b": "b done"}


def test_where_no_process_starts_each_job_is_named_and_the_end_comes(tmp_path):
    found = outcome([["a"], ["b", "c"], ["d"]], never, tmp_path)
    assert all(isinstance(it, Lost) and "status 3" in it.reason for it in found.values())
    assert len(list(tmp_path.iterdir())) < 10


def test_what_takes_too_long_is_lost_and_the_rest_is_not(tmp_path, monkeypatch):
    monkeypatch.setattr("verify.jobs.processes._GRACE", 0.2)
    found = outcome([["hang", "a"], ["b"]], begin, tmp_path, limit=lambda job: 0.5)
    assert found["hang"].late
    assert found["hang"].seconds > 0.5
    assert (found["a"], found["b"]) == ("a done", "b done")


def test_what_came_in_time_is_not_late_because_nobody_looked(tmp_path, monkeypatch):
    monkeypatch.setattr("verify.jobs.processes._GRACE", 0.2)
    results = carried_out(
        [["a", "b"], ["c"]], partial(begin, tmp_path), workers=2, limit=lambda _: 1
    )
    found = {}
    for job, what in results:
        found[job] = what
        time.sleep(2.5)
    assert found == {job: f"{job} done" for job in "abc"}


def test_a_process_that_is_never_ready_is_replaced(tmp_path, monkeypatch):
    monkeypatch.setattr("verify.jobs.processes._START", 3.0)
    assert outcome([["a"]], slow_to_start, tmp_path, workers=1) == {"a": "a done"}


def test_a_result_is_handed_over_before_anything_else_is_begun(tmp_path):
    def interrupted(job):
        if job == "b":
            raise KeyboardInterrupt

    results = carried_out([["a", "b"]], partial(begin, tmp_path), workers=1, on_start=interrupted)
    assert next(results) == ("a", "a done")
    with pytest.raises(KeyboardInterrupt):
        next(results)
    assert not living()


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="masks of POSIX")
def test_a_second_interrupt_leaves_no_process_behind(tmp_path, monkeypatch):
    results = carried_out([["a"], ["hang"], ["hang 2"]], partial(begin, tmp_path), workers=3)
    assert next(results) == ("a", "a done")
    join = multiprocessing.process.BaseProcess.join

    def interrupted(process, timeout=None):
        os.kill(os.getpid(), signal.SIGINT)
        join(process, timeout)

    monkeypatch.setattr(multiprocessing.process.BaseProcess, "join", interrupted)
    results.close()
    assert not living()


@pytest.mark.skipif(sys.platform != "linux", reason="masks as Linux tells them")
def test_no_process_is_born_to_the_signals_of_its_parent(tmp_path):
    pool = processes.Pool(
        [["a"], ["b"]],
        partial(begin, tmp_path),
        workers=2,
        limit=lambda job: 9.0,
        on_start=None,
        divisible=lambda job: False,
    )
    pool.start()
    for process in living():
        lines = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii").splitlines()
        held = int(next(it for it in lines if it.startswith("SigBlk")).split()[1], 16)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            assert held >> (number - 1) & 1
    pool.kill()
    assert not living()


@pytest.mark.parametrize("job", ["raise it", "unsendable it", "lambda it"])
def test_what_a_job_raises_is_raised_here(tmp_path, job):
    with pytest.raises(
        (ValueError, RuntimeError, AttributeError, TypeError), match=r"it|lambda|local"
    ):
        outcome([["a"], [job]], begin, tmp_path)


def test_what_the_beginning_raises_is_raised_here(tmp_path):
    with pytest.raises(ValueError, match="no registry"):
        outcome([["a"]], refused, tmp_path)


def living():
    return multiprocessing.active_children()


def test_an_iterator_that_is_left_kills_its_processes(tmp_path):
    found = carried_out([["a"], ["hang"]], partial(begin, tmp_path), workers=2)
    assert next(found) == ("a", "a done")
    assert living()
    found.close()
    assert not living()


class Unreadable:
    """Can be sent to another process, and not be read there."""

    def __reduce__(self):
        return int, ("no number",)


def test_what_another_process_cannot_read_is_said_here_and_nowhere_else(capfd):
    with pytest.raises(ValueError, match="no number"):
        list(carried_out([["a"]], Unreadable(), workers=1))
    assert capfd.readouterr().err == ""
