"""A cluster finds what one process finds, to the last bit, whatever becomes of its workers."""

import ctypes
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

pytest.importorskip("distributed")

import cloudpickle

from numerics.observables import Bounded
from tests.verify.test_reproducibility import timeless
from verify.catalogue import catalogue
from verify.claim import Road
from verify.drawing.palette import Role
from verify.drawing.picture import Axis, Dots, Panel, Picture
from verify.errors import UsageError
from verify.jobs import cluster as connection
from verify.jobs import draws_away as draws
from verify.jobs import handshake, lanes, long_job
from verify.jobs.cluster import Cluster
from verify.jobs.draws_away import Away
from verify.jobs.groups import heard_from
from verify.jobs.lanes import Lanes
from verify.jobs.long_job import carried_out_away
from verify.jobs.processes import Lost
from verify.jobs.requests import Asking
from verify.measuring.context import Context
from verify.measuring.draws import Call, Drawing, Here
from verify.papers.nichani.figures import figure5
from verify.running.checking import run_check

sys.path.insert(0, str(Path(__file__).parents[2] / "examples" / "cluster"))

from local_cluster import LocalCluster

cloudpickle.register_pickle_by_value(sys.modules[__name__])

REGISTRY = catalogue()
CLAIM = "nichani.thm1.mean"
#: What is proved, what is measured, and what shares a training.
SOME = ("nichani.cor2.r*", CLAIM, "nichani.lem2.omega-sq-first*")


@pytest.fixture(scope="module")
def daemons(tmp_path_factory):
    with LocalCluster(tmp_path_factory.mktemp("cluster")) as found:
        yield found


@pytest.fixture(scope="module")
def joined(daemons):
    found = Cluster(daemons.address)
    found.wait_for(2)
    yield found
    found.close()


@pytest.fixture
def away(joined, monkeypatch):
    """Every call but the first is a task of its own."""
    monkeypatch.setattr(draws, "_TASK", 0.0)
    monkeypatch.setattr(draws, "_AHEAD", 1.0)
    monkeypatch.setattr(draws, "_PATIENCE", 1e6)
    monkeypatch.setattr(draws, "cluster", lambda address, device, strict: joined)
    return Away("")


def evidence(context):
    (check,) = [c for c in REGISTRY.checks(CLAIM, [Road.NUMERICS]) if c.cases]
    found = run_check(check, REGISTRY[CLAIM], context)
    assert not found.detail.get("traceback"), found
    return timeless({"steps": found.steps, "detail": dict(found.detail)})


def context(**more):
    return Context(formulas=lambda id_: REGISTRY[id_].formulas, **more)


@pytest.fixture(scope="module")
def reference():
    return evidence(context())


# -- calls of a drawing ----------------------------------------------------------------------------


class Futures:
    """A cluster of threads that takes its time, differently for each task."""

    def __init__(self, workers, seed=0, fails=()):
        self.workers, self.answers = [str(n) for n in range(workers)], True
        self._pool, self._rng, self._fails = ThreadPoolExecutor(workers), random.Random(seed), fails
        self.asked, self.refused = 0, []

    def submit(self, function, drawing, calls, **more):
        self.asked += 1
        late, fails = self._rng.uniform(0, 0.02), [f for f in self._fails if self.asked == f[0]]

        def work():
            time.sleep(late)
            if fails:
                raise fails[0][1]
            return [drawing(call) for call in calls]

        return self._pool.submit(work)

    def refuse(self, address):
        self.refused.append(address)


def squares(*, replicates, seed, start):
    time.sleep(0.001)
    return {"n": [seed + n * n for n in range(start, start + replicates)]}


CALLS = [Call(10 * n, 10) for n in range(60)]
DRAWING = Drawing(squares, 3, {})
RIGHT = [one.observables for one in map(DRAWING, CALLS)]


def through(futures, monkeypatch, calls=CALLS, patience=1e6, task=0.002):
    monkeypatch.setattr(draws, "_TASK", task)
    monkeypatch.setattr(draws, "_PATIENCE", patience)
    monkeypatch.setattr(draws, "cluster", lambda address, device, strict: futures)
    with closing(Away("").drawn(DRAWING, calls)) as found:
        return [one.observables for one in found]


@pytest.mark.parametrize("workers", [1, 2, 4, 7])
def test_results_come_in_order_however_late_each_is(workers, monkeypatch):
    futures = Futures(workers)
    assert through(futures, monkeypatch) == RIGHT
    assert futures.asked > 5


def test_what_takes_but_a_moment_is_drawn_here(monkeypatch):
    futures = Futures(2)
    assert through(futures, monkeypatch, CALLS[:9], task=60.0) == RIGHT[:9]
    assert futures.asked == 0


def test_no_more_is_at_work_than_may_be_wanted(monkeypatch):
    monkeypatch.setattr(draws, "_TASK", 0.002)
    futures = Futures(50)
    monkeypatch.setattr(draws, "cluster", lambda address, device, strict: futures)
    with closing(Away("").drawn(DRAWING, CALLS)) as found:
        for _ in range(20):
            next(found)
    calls = 20 + 2 * futures.asked
    assert calls <= 20 * (1 + draws._AHEAD) + 20 + 2


def test_where_the_scheduler_is_lost_draws_go_on_here(monkeypatch):
    from distributed.client import FutureCancelledError

    lost = FutureCancelledError("key", "scheduler-connection-lost", "gone")
    futures = Futures(2, fails=[(2, lost), (3, lost)])
    assert through(futures, monkeypatch) == RIGHT


def test_a_worker_that_joined_and_differs_is_asked_no_more(monkeypatch):
    from verify.jobs.requests import OtherMachineError

    futures = Futures(2, fails=[(2, OtherMachineError("tcp://there", "torch"))])
    assert through(futures, monkeypatch) == RIGHT
    assert futures.refused == ["tcp://there"]


def test_where_only_strangers_are_left_all_is_drawn_here(monkeypatch):
    from verify.jobs.requests import OtherMachineError

    futures = Futures(1, fails=[(n, OtherMachineError("0", "torch")) for n in range(1, 99)])
    futures.refuse = futures.workers.remove
    assert through(futures, monkeypatch) == RIGHT
    assert futures.asked <= 2


def test_where_the_cluster_is_not_there_any_more_all_is_drawn_here(monkeypatch):
    def gone(address, device, strict):
        raise UsageError("--workers: no scheduler answers")

    monkeypatch.setattr(draws, "cluster", gone)
    monkeypatch.setattr(draws, "_TASK", 0.002)
    with closing(Away("").drawn(DRAWING, CALLS)) as found:
        assert [one.observables for one in found] == RIGHT


def test_who_joins_late_leaves_out_who_differs(daemons, monkeypatch):
    other = {**handshake.described("cpu"), "torch": "9"}
    monkeypatch.setattr(connection, "Asking", lambda described, device: Asking(other, device))
    found = Cluster(daemons.address, strict=False)
    assert found.workers == []
    found.close()


def test_what_a_call_raises_is_raised_in_its_place(monkeypatch):
    futures = Futures(2, fails=[(2, ValueError("a bad draw"))])
    with pytest.raises(ValueError, match="a bad draw"):
        through(futures, monkeypatch)


def test_where_workers_have_no_time_calls_are_drawn_here(monkeypatch):
    futures = Futures(1)
    futures._rng.uniform = lambda low, high: 0.3
    began = time.monotonic()
    assert through(futures, monkeypatch, CALLS[:20], patience=3.0) == RIGHT[:20]
    assert time.monotonic() - began < 0.3 * futures.asked


def test_the_evidence_is_that_of_one_process_to_the_last_bit(away, reference):
    assert evidence(context(draws=away)) == reference


def test_it_is_the_same_after_a_worker_is_killed(away, joined, reference):
    def kill_one():
        time.sleep(0.5)
        victim = min(joined._client.run(os.getpid).values())
        os.kill(victim, signal.SIGKILL)

    with ThreadPoolExecutor(1) as beside:
        done = beside.submit(kill_one)
        assert evidence(context(draws=away)) == reference
        done.result()
    assert evidence(context(draws=away)) == reference


def views(*, replicates, seed, start):
    import torch

    whole = torch.zeros(replicates, 10_000, dtype=torch.float64)
    return {"x": Bounded(whole[:, 0], -1, 1)}


def test_what_a_value_was_cut_from_is_not_sent_along(joined):
    from verify.jobs import requests as worker

    size = joined.submit(
        lambda asking, *rest: len(cloudpickle.dumps(worker.draw(asking, *rest))),
        Drawing(views, 0, {}),
        [Call(0, 100)],
    )
    assert size.result(60) < 10_000


# -- jobs --------------------------------------------------------------------------------------------


def begin(number):
    def work(job):
        if job == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if job == "raise":
            raise ValueError("a broken job")
        if job.startswith("sleep"):
            time.sleep(float(job.split()[1]))
        return f"{job} done"

    return work


def carried_out(address, units, start=begin, **hooks):
    more = {"limit": lambda job: 60.0, "on_start": None, "divisible": lambda job: False}
    return dict(heard_from(Lanes(address, "cpu", units, start, **{**more, **hooks})))


@pytest.fixture
def at(joined, monkeypatch):
    monkeypatch.setattr(lanes, "cluster", lambda address, device: joined)
    return ""


def test_each_job_is_carried_out_and_told(at):
    told = []
    found = carried_out(at, [["a", "b"], ["c"], [], ["d"]], on_start=told.append)
    assert found == {job: f"{job} done" for job in "abcd"}
    assert sorted(told) == list("abcd")


def short(job):
    """The limit of what does not come back; a new worker may need longer to carry out anything."""
    return 0.5 if job in ("sleep 30", "stuck") else 60.0


def begin_otherwise(number):
    return lambda job: f"{job} otherwise"


def test_jobs_of_another_kind_are_carried_out_by_their_own_means(at):
    assert carried_out(at, [["a"], ["b"]]) == {job: f"{job} done" for job in "ab"}
    found = carried_out(at, [["a"], ["b"]], begin_otherwise)
    assert found == {job: f"{job} otherwise" for job in "ab"}


def stuck(number):
    """A job that no interrupt reaches, and that lets nothing else run in its process."""

    def work(job):
        if job == "stuck":
            ctypes.PyDLL(None).sleep(1000)
        return f"{job} done"

    return work


def test_a_worker_that_is_stuck_holds_nobody_up(at, monkeypatch):
    monkeypatch.setattr(lanes, "_GRACE", 0.1)
    monkeypatch.setattr(lanes, "_PAUSE", 0.2)
    found = carried_out(at, [["stuck", "a"], ["b", "c"]], stuck, limit=short)
    assert found["stuck"].late
    assert {found[job] for job in "abc"} == {"a done", "b done", "c done"}


def test_where_no_worker_is_left_each_job_is_named_after_a_while(monkeypatch):
    class Empty:
        address, gone, answers, workers = "tcp://there:1", False, True, ()

    monkeypatch.setattr(lanes, "cluster", lambda address, device: Empty())
    monkeypatch.setattr(lanes, "_ALONE", 0.2)
    found = carried_out("", [["a"]])
    assert "start one with `dask worker tcp://there:1" in found["a"].reason


def test_a_job_that_kills_each_worker_is_named_and_the_rest_goes_on(at):
    found = carried_out(at, [["a", "die", "b"], ["c"]])
    assert {found[job] for job in "abc"} == {"a done", "b done", "c done"}
    assert isinstance(found["die"], Lost)
    assert "ended, and so it was before" in found["die"].reason


def test_what_a_job_raises_is_raised_here(at):
    with pytest.raises(ValueError, match="a broken job"):
        carried_out(at, [["a"], ["raise"]])


def test_what_takes_too_long_is_lost_and_the_rest_is_not(at, monkeypatch):
    monkeypatch.setattr(lanes, "_GRACE", 0.1)
    monkeypatch.setattr(lanes, "_PAUSE", 0.2)
    found = carried_out(at, [["sleep 30", "a"], ["b"]], limit=short)
    assert found["a"] == "a done"
    assert found["sleep 30"].late


def test_where_the_scheduler_is_gone_each_job_is_named(monkeypatch):
    class Gone:
        address, gone, answers, workers = "tcp://there:1", True, False, ()

    monkeypatch.setattr(lanes, "cluster", lambda address, device: Gone())
    found = carried_out("", [["a", "b"], ["c"]])
    assert all(it.reason == "the scheduler at tcp://there:1 is gone" for it in found.values())
    assert sorted(found) == list("abc")


# -- shaking hands ---------------------------------------------------------------------------------


def test_a_worker_that_differs_is_refused_by_name(daemons, monkeypatch):
    right = handshake.described("cpu")
    other = {**right, "processor": "another", "torch": "9"}
    monkeypatch.setattr(connection, "Asking", lambda described, device: Asking(other, device))
    with pytest.raises(UsageError) as error:
        Cluster(daemons.address)
    said = str(error.value)
    assert said.startswith("--workers: the worker tcp://127.0.0.1:")
    assert f"torch: {right['torch']} there, 9 here" in said
    assert f"processor: {right['processor']} there, another here" in said


def test_a_request_is_refused_by_a_worker_that_differs(joined):
    from verify.jobs import requests as worker

    other = worker.Asking({**handshake.described("cpu"), "numpy": "0"})
    with pytest.raises(worker.OtherMachineError, match="numpy") as error:
        joined._client.submit(worker.draw, other, DRAWING, CALLS[:1], pure=False).result(60)
    assert error.value.address in joined.workers


def looking(dask_worker):
    """Which of dask's own looks at what a worker is at go on."""
    callbacks = dask_worker.periodic_callbacks
    return [name for name in ("profile", "profile-cycle") if callbacks[name].is_running()]


def test_dask_looks_no_more_at_what_a_worker_is_at_once_it_works(joined, at):
    carried_out(at, [["sleep 0.5"], ["sleep 0.5"]])
    assert set(map(tuple, joined._client.run(looking).values())) == {()}


@pytest.mark.slow
def test_a_worker_of_several_threads_is_refused(tmp_path):
    with (
        LocalCluster(tmp_path, workers=1, threads=2) as daemons,
        pytest.raises(UsageError, match=r"has 2 threads.*--nthreads 1"),
    ):
        Cluster(daemons.address)


@pytest.mark.parametrize(
    ("address", "named"),
    [
        ("tcp://127.0.0.1:1", "no scheduler answers at tcp://127.0.0.1:1"),
        ("tls://127.0.0.1:1", "TLS__CA_FILE"),
    ],
)
def test_where_nobody_answers_the_line_says_what_to_start(address, named, monkeypatch):
    monkeypatch.setattr(connection, "_PATIENCE", 0.5)
    with pytest.raises(UsageError, match=named):
        Cluster(address)


def test_what_is_no_scheduler_is_told_from_one(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor(1) as beside:

        def answer():
            talk, _ = server.accept()
            with talk:
                talk.sendall(b"HTTP/1.1 400 Bad Request and so on")
                talk.recv(1)

        beside.submit(answer)
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        monkeypatch.setattr(connection, "_PATIENCE", 2.0)
        with pytest.raises(UsageError, match=f"no scheduler answers at {address}"):
            Cluster(address)


def test_differences_are_named_both_ways():
    assert handshake.difference({"a": "1"}, {"a": "1"}) == ""
    found = handshake.difference({"a": "1", "b": "2"}, {"a": "3", "c": "4"})
    assert found == "a: 3 there, 1 here; b: none there, 2 here; c: 4 there, none here"


# -- commands ----------------------------------------------------------------------------------------


def program(tmp_path, *arguments):
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "XDG_CACHE_HOME": str(tmp_path)}
    return subprocess.run(
        [sys.executable, "-m", "verify", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )


def counting(tell):
    """A hundred parts in two seconds; what it gives is how many are done when it is told to end."""
    try:
        for part in range(100):
            tell(part / 100)
            time.sleep(0.02)
    except KeyboardInterrupt:
        return f"{part} of 100"
    return "100 of 100"


def test_a_long_job_tells_how_far_it_has_come(at):
    told = []
    assert carried_out_away(at, "cpu", counting, told.append) == "100 of 100"
    assert told == sorted(told)
    assert len(set(told)) > 3
    assert told[-1] == 1.0


def interrupt_at(share):
    def progress(done):
        if done >= share:
            raise KeyboardInterrupt

    return progress


def test_an_interrupted_long_job_ends_with_what_it_has(at):
    found = carried_out_away(at, "cpu", counting, interrupt_at(0.1))
    assert 10 <= int(found.split()[0]) < 90


def with_nothing(tell):
    while True:
        tell(0.5)
        time.sleep(0.05)


def never_telling(tell):
    time.sleep(1.0)
    tell(1.0)


def without_end(tell):
    time.sleep(3.0)


@pytest.mark.parametrize(
    ("job", "share"), [(with_nothing, 0.5), (never_telling, 0.0), (without_end, 0.0)]
)
def test_a_long_job_that_has_nothing_yet_is_interrupted(job, share, at, monkeypatch):
    monkeypatch.setattr(long_job, "_PATIENCE", 1.5)
    with pytest.raises(KeyboardInterrupt):
        carried_out_away(at, "cpu", job, interrupt_at(share))
    assert carried_out(at, [["a"], ["b"]]) == {job: f"{job} done" for job in "ab"}


def test_a_long_job_that_no_worker_has_begun_is_given_up_at_once(at, monkeypatch):
    monkeypatch.setattr(long_job, "_PATIENCE", 60.0)
    busy = Lanes(
        at, "cpu", [["sleep 3"], ["sleep 3"]], begin, limit=short, on_start=None, divisible=bool
    )
    list(busy.heard(0.5))
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        carried_out_away(at, "cpu", counting, interrupt_at(0.0))
    assert time.monotonic() - began < 2.5
    busy.kill()


def deadly(tell):
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_long_job_that_kills_each_worker_is_named(at):
    with pytest.raises(ChildProcessError, match="ended, and so it was before"):
        carried_out_away(at, "cpu", deadly, lambda share: None)


def broken(tell):
    raise ValueError("a broken job")


def test_what_a_long_job_raises_is_raised_here(at):
    with pytest.raises(ValueError, match="a broken job"):
        carried_out_away(at, "cpu", broken, lambda share: None)


def drawn(scale, seed, progress, device="cpu"):
    """A figure of one point, which says in whose process it was measured."""
    progress(0.5)
    panel = Panel("A", Axis("x"), Axis("y"), dots=(Dots("one", Role.FIRST, [1.0], [float(seed)]),))
    rows = ((str(os.getpid()),),)
    return Picture("A", (panel,), "1", scale, seed, header=("process",), rows=rows)


def test_a_figure_is_measured_on_a_cluster(daemons, tmp_path, verify, monkeypatch):
    monkeypatch.setattr(figure5, "measure", drawn)
    path = tmp_path / "figure.json"
    by = ("--workers", daemons.address)
    status, said, err = verify("figure", "nichani/5", "--seed", "7", "--out", str(path), *by)
    assert status == 0, err
    assert "2 workers at" in said
    found = json.loads(path.read_text())
    assert found["panels"][0]["dots"][0]["y"] == [7.0]
    assert found["table"]["rows"] != [[str(os.getpid())]]


def test_a_figure_that_no_worker_measures_is_told_in_one_line(
    daemons, tmp_path, verify, monkeypatch
):
    monkeypatch.setattr(figure5, "measure", lambda scale, seed, progress: deadly(progress))
    path = tmp_path / "figure.json"
    status, _, err = verify("figure", "nichani/5", "--out", str(path), "--workers", daemons.address)
    assert status == 3
    assert "verify: the worker tcp://" in err
    assert "ended, and so it was before; nothing is written, ask for it again" in err
    assert not path.exists()


@pytest.mark.slow
def test_a_run_on_a_cluster_writes_what_a_run_here_writes(daemons, tmp_path):
    found = {}
    for workers in (daemons.address, "2"):
        path = tmp_path / f"{len(found)}.json"
        done = program(tmp_path, "run", *SOME, "--workers", workers, "--json", str(path))
        assert done.returncode == 0, done.stderr
        found[workers] = timeless(json.loads(path.read_text()))
    assert found[daemons.address] == found["2"]


@pytest.mark.slow
def test_mutants_are_judged_on_a_cluster(daemons, tmp_path):
    done = program(tmp_path, "power", CLAIM, "--workers", daemons.address)
    assert done.returncode == 0, done.stderr
    assert "11 of 11 mutants killed" in done.stdout


def test_a_capacity_is_measured_on_a_cluster(away):
    from verify.capacity import capacity, fact_capacity

    for memory, of, sizes in (
        ("linear", capacity, {"d": 8}),
        ("attention", fact_capacity, {"d": 16, "D": 4}),
    ):
        found = of(memory, sizes, "1e-2", draws=away)
        assert found.measured == of(memory, sizes, "1e-2", draws=Here()).measured


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("run", "--workers", "http://x:1"), "no address of a scheduler"),
        (("run", "--workers", "tcp://x"), "no address of a scheduler"),
        (("run", "--workers", "tcp://x:99999999"), "no address of a scheduler"),
        (("run", "--workers", "many"), "no whole number"),
        (("power", "--proofs", "--workers", "tcp://x:1"), "judged on this machine"),
        (("capacity", "linear", "--d", "8", "--workers", "2"), "address of a cluster"),
        (("figure", "5", "--workers", "2"), "one process measures a figure"),
        (("figure", "5", "--workers", "x"), "no whole number"),
    ],
)
def test_bad_addresses_are_refused_in_one_line(arguments, named, verify):
    status, _, said = verify(*arguments)
    assert status == 2
    assert named in said
    assert "Traceback" not in said


def test_without_the_package_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match=r"pip install 'recallproof\[cluster\]'"):
        connection._connected("tcp://127.0.0.1:1")


def test_dask_can_be_asked_by_the_commands_that_the_messages_name():
    assert shutil.which("dask", path=str(Path(sys.executable).parent))
