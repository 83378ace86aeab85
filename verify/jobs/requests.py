"""What the workers of a cluster carry out: calls of a drawing, and jobs.

Each request names what the machine it comes from computes with; a worker that computes with something
else refuses it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from verify.errors import Ended
from verify.jobs.handshake import described, difference
from verify.jobs.memory import keep_memory
from verify.jobs.processes import sendable
from verify.jobs.threads import interrupt
from verify.measuring.draws import Call, Drawing, Drawn

#: What carries out jobs of a name, in this process; those of one name at a time.
_WORK: dict[str, Callable[[Any], Any]] = {}
_LOCK = threading.Lock()


@dataclass
class _AtWork:
    """A job at work in this process: its thread, the time of its start, and how far it has come."""

    thread: int = field(default_factory=threading.get_ident)
    began: float = field(default_factory=time.monotonic)
    share: float = 0.0
    #: Whether it is to end with what it has.
    enough: bool = False


#: By name and number.
_AT_WORK: dict[tuple[str, int], _AtWork] = {}


class OtherMachineError(RuntimeError):
    """The worker at *address* does not compute with what the machine that asks computes with."""

    def __init__(self, address: str, differs: str) -> None:
        super().__init__(address, differs)
        self.address = address


class _Stopped(Ended):
    """Raised inside a job that nobody waits for any more."""


@dataclass(frozen=True)
class Asking:
    """Who asks: what its machine computes with, and on what device."""

    described: Mapping[str, str]
    device: str = "cpu"

    def require_same(self) -> None:
        """Raise OtherMachineError where this machine computes with something else."""
        if differs := difference(self.described, described(self.device)):
            from distributed import get_worker

            raise OtherMachineError(get_worker().address, differs)


@cache
def _at_full_speed() -> None:
    """What is freed is kept, and dask does not look at what this process is at, which costs a sixth."""
    from distributed import get_worker

    keep_memory()
    worker = get_worker()
    for name in ("profile", "profile-cycle"):
        if looking := worker.periodic_callbacks.get(name):
            worker.loop.add_callback(looking.stop)


def draw(asking: Asking, drawing: Drawing, calls: Sequence[Call]) -> list[Drawn]:
    """What each of *calls* gives."""
    asking.require_same()
    _at_full_speed()
    return [_compact(drawing(call)) for call in calls]


def _compact(drawn: Drawn) -> Drawn:
    """The same without what its tensors were cut from, which would be sent along."""
    from numerics.observables import Bounded, Event, HeavyTailed

    if not isinstance(drawn.observables, Mapping):
        return drawn  # who asked says what is wrong with it
    found = {
        name: replace(it, values=it.values.clone())
        if isinstance(it, Bounded | Event | HeavyTailed)
        else it
        for name, it in drawn.observables.items()
    }
    return drawn._replace(observables=found)


def carry_out(
    asking: Asking, name: str, begin: Callable[[int], Callable[[Any], Any]], number: int, job: Any
) -> tuple[str, Any]:
    """A job by its name and number: "done" and what came of it, or "raised" and its error.

    *begin* makes what carries out the jobs of that name, once a process.
    """
    asking.require_same()
    _at_full_speed()
    if name not in _WORK:
        _WORK.clear()
        _WORK[name] = begin(0)
    _AT_WORK[name, number] = _AtWork()
    try:
        return "done", _WORK[name](job)
    except Exception as error:
        return "raised", sendable(error)
    except (_Stopped, KeyboardInterrupt):
        return "raised", RuntimeError("stopped")
    finally:
        with _LOCK:
            _AT_WORK.pop((name, number), None)
            interrupt(threading.get_ident(), None)  # what comes now would end the worker's thread


def tell(share: float) -> None:
    """Called by a job: so much of it is done, from 0 to 1. KeyboardInterrupt where that is enough."""
    here = threading.get_ident()
    for job in list(_AT_WORK.values()):
        if job.thread == here:
            job.share = share
            if job.enough:
                raise KeyboardInterrupt


def shares(name: str) -> list[float]:
    """How far the jobs of a *name* at work in this process have come."""
    return [job.share for (of, _), job in list(_AT_WORK.items()) if of == name]


def at_work(name: str) -> dict[int, float]:
    """The seconds that each job of a *name* at work in this process has taken, by its number."""
    now = time.monotonic()
    jobs = list(_AT_WORK.items())
    return {number: now - job.began for (of, number), job in jobs if of == name}


def enough(name: str) -> int:
    """Have the jobs of a *name* at work in this process end with what they have, when they next tell;
    how many there are."""
    found = [job for (of, _), job in list(_AT_WORK.items()) if of == name]
    for job in found:
        job.enough = True
    return len(found)


def stop(name: str) -> None:
    """End the jobs of a *name* at work in this process as soon as they come back to Python."""
    with _LOCK:
        for (of, _), job in list(_AT_WORK.items()):
            if of == name:
                interrupt(job.thread, _Stopped)
