"""Worker processes for checks: spawned, never forked, killed when a check will not stop.

A worker runs one unit of checks after another and keeps its measurements between them, so checks
that share a quantity belong to one unit.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection, wait
from typing import Any

from verify.claim import Check, Evidence, Registry
from verify.errors import UsageError
from verify.running.checking import broken, run_check, timed_out
from verify.running.settings import Settings

#: What a check may take beyond its limit (a call that no signal interrupts) before it is killed.
_GRACE = 15.0


def execute(
    checks: Sequence[Check],
    registry: Registry,
    settings: Settings,
    on_start: Callable[[Check], None] | None = None,
) -> Iterator[tuple[Check, Evidence]]:
    """Run the checks, in any order; yields each with its evidence as it is finished."""
    if not checks:
        return
    if settings.workers == 0:
        context = settings.context(registry)
        for check in checks:
            if on_start is not None:
                on_start(check)
            yield check, run_check(check, registry[check.claim], context)
        return
    yield from _Pool(checks, again_of(registry), settings, on_start).results()


def again_of(registry: Registry) -> Callable[[], Registry]:
    """What makes *registry* in another process; UsageError if nothing does."""
    if registry.again is None:
        raise UsageError(
            "--workers: this registry was filled by hand, so no other process can make it; take 0"
        )
    return registry.again


def _units(checks: Sequence[Check]) -> list[list[Check]]:
    """Checks that share measurements, together; the longest units first."""
    units: dict[str, list[Check]] = {}
    for check in checks:
        units.setdefault(check.group, []).append(check)
    return sorted(units.values(), key=lambda unit: -sum(c.seconds for c in unit))


@dataclass
class _Worker:
    process: Any
    pipe: Connection
    unit: deque[Check]
    started: float
    #: Its number among those at work: it computes on the card of that number.
    number: int


class _Pool:
    def __init__(
        self,
        checks: Sequence[Check],
        again: Callable[[], Registry],
        settings: Settings,
        on_start: Callable[[Check], None] | None,
    ) -> None:
        self._again = again
        self._units = deque(_units(checks))
        self._settings = settings
        self._on_start = on_start
        self._spawn = multiprocessing.get_context("spawn")
        self._workers: list[_Worker] = []

    def results(self) -> Iterator[tuple[Check, Evidence]]:
        try:
            for number in range(min(self._settings.workers, len(self._units))):
                self._start(deque(self._units.popleft()), number)
            while self._workers:
                ready = wait([w.pipe for w in self._workers], timeout=0.5)
                for worker in list(self._workers):
                    if worker.pipe in ready:
                        yield from self._receive(worker)
                    elif self._overdue(worker):
                        yield from self._replace(worker, timed_out)
        finally:
            for worker in self._workers:
                worker.process.kill()
                worker.process.join()

    def _start(self, unit: deque[Check], number: int) -> None:
        ours, theirs = self._spawn.Pipe()
        threads = max(1, (os.cpu_count() or 1) // self._settings.workers)
        process = self._spawn.Process(
            target=_work, args=(theirs, self._again, self._settings, threads, number), daemon=True
        )
        process.start()
        theirs.close()
        worker = _Worker(process, ours, unit, time.monotonic(), number)
        self._workers.append(worker)
        self._next(worker)

    def _next(self, worker: _Worker) -> None:
        """Hand the worker its next check, from its unit or from the next one; or let it go."""
        if not worker.unit and self._units:
            worker.unit = deque(self._units.popleft())
        if not worker.unit:
            worker.pipe.send(None)
            worker.process.join()
            self._workers.remove(worker)
            return
        check = worker.unit[0]
        worker.started = time.monotonic()
        with suppress(BrokenPipeError):  # a worker that has just died shows itself at the next wait
            worker.pipe.send(check.key)
        if self._on_start is not None:
            self._on_start(check)

    def _receive(self, worker: _Worker) -> Iterator[tuple[Check, Evidence]]:
        try:
            evidence: Evidence = worker.pipe.recv()
        except EOFError:
            yield from self._replace(worker, partial(broken, reason="the worker died"))
            return
        check = worker.unit.popleft()
        self._next(worker)
        yield check, evidence

    def _overdue(self, worker: _Worker) -> bool:
        return time.monotonic() - worker.started > worker.unit[0].seconds + _GRACE

    def _replace(
        self, worker: _Worker, evidence: Callable[..., Evidence]
    ) -> Iterator[tuple[Check, Evidence]]:
        """Give the check up, kill the worker, and go on with the rest of its unit in a new one."""
        worker.process.kill()
        worker.process.join()
        self._workers.remove(worker)
        check, seconds = worker.unit.popleft(), time.monotonic() - worker.started
        if worker.unit or self._units:
            self._start(worker.unit or deque(self._units.popleft()), worker.number)
        yield check, evidence(check, seconds=seconds)


def _work(
    pipe: Connection, again: Callable[[], Registry], settings: Settings, threads: int, number: int
) -> None:
    """The life of a worker: read a check's key, run it, send its evidence."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interrupt means
    os.environ["OMP_NUM_THREADS"] = str(threads)  # before torch is first imported
    warnings.simplefilter("ignore", FutureWarning)  # the parent has said it
    if settings.device != "cpu":
        from numerics.devices import use_card

        use_card(number)
    registry = again()
    context = settings.context(registry)
    while (key := pipe.recv()) is not None:
        check = registry.find_check(key)
        pipe.send(run_check(check, registry[check.claim], context))
