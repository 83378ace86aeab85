"""Spawned processes that carry out jobs; one that dies costs at most the job it was at.

A process takes one unit of jobs after another and keeps between them what it has made, so jobs that
share something belong to one unit. A job whose process died is tried once more, in a new one. Where
no unit is left, half of what is left of a divisible one goes to whoever has nothing to do.

Why no library: one process that is killed takes all jobs that are left with it in loky 3.7, and in
pebble 5.2 if it is killed while it starts; neither keeps jobs together in one process.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import pickle
import signal
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.reduction import ForkingPickler
from typing import Any, Generic, TypeVar

from verify.jobs.memory import keep_memory

_J = TypeVar("_J")
_R = TypeVar("_R")

#: What a job may take beyond its limit (a call that no signal interrupts) before it is given up.
_GRACE = 15.0
#: How often a job is tried whose process dies.
_TRIES = 2
#: So long may a process take until it is ready.
_START = 300.0
#: So many processes one after another that end before they are ready: none will ever be.
_NEVER_READY = 5
#: Signals that the parent answers for all: an interrupt at the terminal goes to each process.
_PARENTS = [signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]


@dataclass(frozen=True)
class Lost:
    """A job without a result: why, and what it took. *late*: it was past its limit."""

    reason: str
    seconds: float
    late: bool = False


def next_unit(
    units: deque[deque[_J]], held: Iterable[deque[_J]], divisible: Callable[[_J], bool]
) -> deque[_J]:
    """The next unit; where there is none, the second half of the longest one held that may be divided.

    The first job of one that is held is at work. Empty where there is nothing to do.
    """
    if units:
        return units.popleft()
    longest = max((u for u in held if len(u) > 1 and divisible(u[1])), key=len, default=deque())
    found = deque(longest.pop() for _ in range(len(longest) // 2))
    found.reverse()
    return found


@dataclass
class _Worker(Generic[_J]):
    process: Any
    pipe: Connection
    number: int
    unit: deque[_J]
    #: When it was started, then when it was given its job; infinite while it has none.
    started: float
    ready: bool = False


class Pool(Generic[_J, _R]):
    """So many processes, at least one, that carry out units of jobs; as ``jobs.Group``.

    *begin* is called in each process with its number, from 0, and gives what carries out its jobs.
    """

    def __init__(
        self,
        units: Iterable[Sequence[_J]],
        begin: Callable[[int], Callable[[_J], _R]],
        *,
        workers: int,
        limit: Callable[[_J], float],
        on_start: Callable[[_J], None] | None,
        divisible: Callable[[_J], bool],
    ) -> None:
        self._number = max(workers, 1)
        self._units = deque(deque(unit) for unit in units if unit)
        self._begin, self._limit, self._on_start = (
            bytes(ForkingPickler.dumps(begin)),
            limit,
            on_start,
        )
        self._divisible = divisible
        self._spawn = multiprocessing.get_context("spawn")
        self._workers: list[_Worker[_J]] = []
        #: Those that were let go, and may need a moment to end.
        self._leaving: list[_Worker[_J]] = []
        self._deaths: Counter[_J] = Counter()
        self._never_ready = 0

    def start(self) -> None:
        """Start the processes, no more than there is work for."""
        for number in range(self._number):
            if not (unit := self._more()):
                break
            self._start(unit, number)

    @property
    def busy(self) -> bool:
        """Whether there is something to hear yet."""
        return bool(self._workers)

    def heard(self, timeout: float) -> Iterator[tuple[_J, _R | Lost]]:
        """What has been found when something is heard, or after *timeout* seconds."""
        ready = wait([worker.pipe for worker in self._workers], timeout)
        for worker in list(self._workers):
            # Whoever took the last result may have taken long: what has come since is in time.
            if worker.pipe in ready or worker.pipe.poll():
                yield from self._hear(worker)
            elif not worker.ready and time.monotonic() - worker.started > _START:
                worker.process.kill()
                yield from self._bury(worker)
            elif worker.ready and time.monotonic() - worker.started > self._longest(worker):
                yield from self._give_up(worker, "past its time limit", late=True)

    def _more(self) -> deque[_J]:
        return next_unit(self._units, (it.unit for it in self._workers), self._divisible)

    def _longest(self, worker: _Worker[_J]) -> float:
        return self._limit(worker.unit[0]) + _GRACE

    def kill(self) -> None:
        """End all processes; a second interrupt meanwhile changes nothing, and leaves none behind."""
        with _deaf():
            for worker in self._workers:
                worker.process.kill()
            for worker in self._workers + self._leaving:
                worker.process.join(timeout=_GRACE)
                worker.process.kill()
                worker.pipe.close()
            self._workers.clear()
            self._leaving.clear()

    def _start(self, unit: deque[_J], number: int) -> None:
        if os.name == "posix":
            resource_tracker.ensure_running()  # it lets signals through, so not while they are held
        with _held_back():
            ours, theirs = self._spawn.Pipe()
            process = self._spawn.Process(
                target=_live, args=(theirs, self._begin, number), daemon=True
            )
            process.start()
            theirs.close()
            self._workers.append(_Worker(process, ours, number, unit, time.monotonic()))

    def _hear(self, worker: _Worker[_J]) -> Iterator[tuple[_J, _R | Lost]]:
        """What a process has to say: that it is ready, a result, or nothing more."""
        try:
            said, what = worker.pipe.recv()
        except (EOFError, OSError):  # it died, perhaps while it spoke
            yield from self._bury(worker)
            return
        if said == "raised":
            raise what
        if said == "ready":
            worker.ready, self._never_ready = True, 0
            self._next(worker)
            return
        job, worker.started = worker.unit.popleft(), math.inf
        yield job, what
        self._next(worker)

    def _next(self, worker: _Worker[_J]) -> None:
        """Hand over the next job, of its unit or of the next one; or let the process go."""
        if not worker.unit:
            worker.unit = self._more()
        with suppress(OSError):  # one that has just died shows itself at the next wait
            worker.pipe.send(("job", worker.unit[0]) if worker.unit else ("end", None))
        if not worker.unit:
            self._workers.remove(worker)
            self._leaving.append(worker)
            return
        worker.started = time.monotonic()
        if self._on_start is not None and not self._deaths[worker.unit[0]]:
            self._on_start(worker.unit[0])

    def _let_go(self, worker: _Worker[_J]) -> None:
        worker.process.join(timeout=_GRACE)
        worker.process.kill()
        worker.pipe.close()
        self._workers.remove(worker)

    def _bury(self, worker: _Worker[_J]) -> Iterator[tuple[_J, _R | Lost]]:
        """After a death: the job is tried again, or given up; none starts where none ever did."""
        worker.process.join(timeout=_GRACE)
        reason = _ended(worker.process.exitcode)
        if worker.ready and worker.unit:
            job = worker.unit[0]
            self._deaths[job] += 1
            if self._deaths[job] == _TRIES:
                yield from self._give_up(worker, f"its process {reason}, {_TRIES} times")
                return
        else:
            self._never_ready += 1
            if self._never_ready >= _NEVER_READY:
                self._let_go(worker)
                left = [*worker.unit, *(job for unit in self._units for job in unit)]
                self._units.clear()
                for job in left:
                    yield job, Lost(f"no process could be started for it: each {reason}", 0.0)
                return
        self._let_go(worker)
        self._start(worker.unit, worker.number)

    def _give_up(
        self, worker: _Worker[_J], reason: str, *, late: bool = False
    ) -> Iterator[tuple[_J, Lost]]:
        """Give up the job of a process, and go on with the rest of its unit in a new one."""
        worker.process.kill()
        self._let_go(worker)
        job, seconds = worker.unit.popleft(), time.monotonic() - worker.started
        if unit := worker.unit or self._more():
            self._start(unit, worker.number)
        yield job, Lost(reason, seconds, late)


def _ended(status: int | None) -> str:
    if status is None:
        return "closed its pipe"
    if status >= 0:
        return f"ended with status {status}"
    with suppress(ValueError):
        name = signal.Signals(-status).name
        more = ", as where memory runs out" if -status == getattr(signal, "SIGKILL", 0) else ""
        return f"was ended by {name}{more}"
    return f"was ended by signal {-status}"


@contextmanager
def _held_back() -> Iterator[None]:
    """Signals meant for the parent wait; what is started inside never gets them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _PARENTS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _deaf() -> Iterator[None]:
    """Signals that end the program are dropped: it is ending already."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = [(number, signal.signal(number, signal.SIG_IGN)) for number in _PARENTS]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)


def _live(pipe: Connection, begin: bytes, number: int) -> None:
    """The life of a process. It ends with its parent, and writes nothing to the screen by itself."""
    keep_memory()
    for name in _PARENTS:
        signal.signal(name, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_die_with, args=(parent.sentinel,), daemon=True).start()
    with suppress(EOFError, OSError):  # the parent is gone
        try:
            work = pickle.loads(begin)(number)
        except Exception as error:
            pipe.send(("raised", sendable(error)))
            return
        pipe.send(("ready", None))
        while (said := pipe.recv())[0] == "job":
            found = _result(work, said[1])
            try:
                pipe.send(found)
            except OSError:
                raise
            except Exception as error:  # what was found cannot be sent
                pipe.send(("raised", sendable(error)))


def _result(work: Callable[[Any], Any], job: Any) -> tuple[str, Any]:
    try:
        return "done", work(job)
    except Exception as error:
        return "raised", sendable(error)


def _die_with(sentinel: Any) -> None:
    wait([sentinel])
    os._exit(1)


def sendable(error: Exception) -> Exception:
    """The error, or one that says the same where it cannot be sent."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
