"""Jobs, one a worker of a cluster; as ``verify.jobs.processes`` does on this machine."""

from __future__ import annotations

import itertools
import queue
import time
import uuid
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from verify.jobs.cluster import cluster
from verify.jobs.processes import Lost, next_unit
from verify.jobs.requests import OtherMachineError, carry_out

if TYPE_CHECKING:
    from distributed import Future

_J = TypeVar("_J")
_R = TypeVar("_R")

#: How often a job is tried whose worker goes, or whose scheduler.
_TRIES = 2
#: What a job may take beyond its limit before it is given up, and how often one looks.
_GRACE, _PAUSE = 15.0, 5.0
#: So long there may be no worker at all.
_ALONE = 60.0


@dataclass
class _Lane(Generic[_J]):
    """A unit of jobs on its worker, which carries out one after another; the first is at work."""

    worker: str
    unit: deque[_J]
    number: int
    future: Future
    began: float


class Lanes(Generic[_J, _R]):
    """Units of jobs, one at a time on each worker of a cluster; as ``jobs.Group``.

    A unit stays on its worker, which keeps what it has made. A job whose worker goes is tried once more,
    on another one.
    """

    def __init__(
        self,
        address: str,
        device: str,
        units: Iterable[Sequence[_J]],
        begin: Callable[[int], Callable[[_J], _R]],
        *,
        limit: Callable[[_J], float],
        on_start: Callable[[_J], None] | None,
        divisible: Callable[[_J], bool],
    ) -> None:
        self._cluster, self._begin = cluster(address, device), begin
        self._name = uuid.uuid4().hex
        self._units = deque(deque(unit) for unit in units if unit)
        self._limit, self._on_start, self._divisible = limit, on_start, divisible
        self._lanes: dict[int, _Lane[_J]] = {}
        self._numbers = itertools.count()
        self._ended: queue.SimpleQueue[int] = queue.SimpleQueue()
        self._deaths: Counter[_J] = Counter()
        self._looked = self._helped = time.monotonic()

    def start(self) -> None:
        """Nothing to do: who has time is asked when one listens."""

    @property
    def busy(self) -> bool:
        """Whether there is something to hear yet."""
        return bool(self._lanes or self._units)

    def heard(self, timeout: float) -> Iterator[tuple[_J, _R | Lost]]:
        """What has been found when something is heard, or after *timeout* seconds."""
        if self._cluster.gone:
            yield from self._all_lost(f"the scheduler at {self._cluster.address} is gone")
            return
        if self._cluster.answers:
            yield from self._left_alone()
            for worker in self._idle():
                if unit := self._more():
                    self._ask(worker, unit)
            if self._lanes or self._cluster.workers:
                self._helped = time.monotonic()
            elif time.monotonic() - self._helped > _ALONE:
                address = self._cluster.address
                yield from self._all_lost(
                    f"no worker is left; start one with `dask worker {address} --nthreads 1`"
                )
                return
        with suppress(queue.Empty):
            number = self._ended.get(timeout=timeout)
            if lane := self._lanes.pop(number, None):  # none: it was given up meanwhile
                yield from self._hear(lane)
        if self._cluster.answers and time.monotonic() - self._looked > _PAUSE:
            self._looked = time.monotonic()
            yield from self._overdue()

    def shares(self) -> list[float]:
        """How far the jobs at work have come, of those that tell."""
        return self._cluster.shares(self._name) if self._cluster.answers else []

    def enough(self) -> bool:
        """Have the jobs at work end with what they have, when they next tell how far they are; whether
        there are any."""
        return self._cluster.answers and self._cluster.enough(self._name)

    def kill(self) -> None:
        """Give up all jobs, those at work too."""
        for lane in self._lanes.values():
            with suppress(Exception):
                lane.future.cancel()
        if self._lanes:
            self._cluster.stop(self._name)
        self._lanes.clear()
        self._units.clear()

    def _idle(self) -> list[str]:
        at_work = {lane.worker for lane in self._lanes.values()}
        return [worker for worker in self._cluster.workers if worker not in at_work]

    def _more(self) -> deque[_J]:
        return next_unit(self._units, (lane.unit for lane in self._lanes.values()), self._divisible)

    def _ask(self, worker: str, unit: deque[_J]) -> None:
        """Ask a worker for the first job of *unit*."""
        job, number = unit[0], next(self._numbers)
        future = self._cluster.submit(
            carry_out, self._name, self._begin, number, job, worker=worker
        )
        self._lanes[number] = _Lane(worker, unit, number, future, time.monotonic())
        future.add_done_callback(lambda _: self._ended.put(number))
        if self._on_start is not None and not self._deaths[job]:
            self._on_start(job)

    def _hear(self, lane: _Lane[_J]) -> Iterator[tuple[_J, _R | Lost]]:
        """What came of the first job of a lane; the next one of its unit is asked for."""
        from distributed import KilledWorker

        try:
            said, what = lane.future.result()
        except OtherMachineError as error:
            self._cluster.refuse(error.address)
            self._units.appendleft(lane.unit)
        except CancelledError:
            yield from self._again(lane, f"the scheduler at {self._cluster.address} was lost")
        except KilledWorker:
            yield from self._again(lane, f"the worker {lane.worker} ended")
        else:
            if said == "raised":
                raise what
            job = lane.unit.popleft()
            if lane.unit:
                self._ask(lane.worker, lane.unit)
            yield job, what

    def _left_alone(self) -> Iterator[tuple[_J, Lost]]:
        """Jobs whose worker is not there any more."""
        there = set(self._cluster.workers)
        for lane in [lane for lane in self._lanes.values() if lane.worker not in there]:
            del self._lanes[lane.number]
            lane.future.cancel()
            yield from self._again(lane, f"the worker {lane.worker} ended")

    def _again(self, lane: _Lane[_J], reason: str) -> Iterator[tuple[_J, Lost]]:
        """Try the first job of a lane once more, or give it up; then the rest of its unit."""
        self._deaths[lane.unit[0]] += 1
        if self._deaths[lane.unit[0]] == _TRIES:
            yield self._given_up(lane, f"{reason}, and so it was before", late=False)
        else:
            self._units.appendleft(lane.unit)

    def _given_up(self, lane: _Lane[_J], reason: str, *, late: bool) -> tuple[_J, Lost]:
        job = lane.unit.popleft()
        if lane.unit:
            self._units.appendleft(lane.unit)
        return job, Lost(reason, time.monotonic() - lane.began, late)

    def _overdue(self) -> Iterator[tuple[_J, Lost]]:
        """Give up jobs that are past their limit and do not come back."""
        late = {
            lane.number: self._limit(lane.unit[0]) + _GRACE
            for lane in self._lanes.values()
            if time.monotonic() - lane.began > self._limit(lane.unit[0]) + _GRACE
        }
        if not late:
            return
        for number, limit in late.items():
            worker = self._lanes[number].worker
            jobs = self._cluster.at_work(self._name, worker)
            if jobs is not None and jobs.get(number, 0.0) <= limit:
                continue  # it waits for a call that was drawn before it, or has just ended
            lane = self._lanes.pop(number)
            lane.future.cancel()
            self._cluster.end(worker)
            yield self._given_up(lane, "past its time limit", late=True)

    def _all_lost(self, reason: str) -> Iterator[tuple[_J, Lost]]:
        units = [*(lane.unit for lane in self._lanes.values()), *self._units]
        self._lanes.clear()
        self._units.clear()
        for unit in units:
            for job in unit:
                yield job, Lost(reason, 0.0)
