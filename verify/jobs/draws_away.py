"""Calls of a drawing, carried out by the workers of a cluster.

What they give is put together here and in order, so it is the same as in one process, with any number
of workers and whichever of them is lost.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable
from concurrent.futures import CancelledError
from functools import cached_property
from typing import TYPE_CHECKING

from verify.jobs import requests as worker
from verify.jobs.cluster import Cluster, cluster
from verify.measuring.draws import Call, Drawing, Drawn

if TYPE_CHECKING:
    from distributed import Future

#: A task takes so many seconds or more, as far as the calls before it tell.
_TASK = 0.5
#: Calls are at work ahead for at most this part of what has been drawn: a check may need no more.
_AHEAD = 0.25
#: So many times what they should take calls are waited for.
_PATIENCE = 3.0
#: Calls go before jobs: somebody waits for them.
_FIRST = 10


class Away:
    """The workers of a scheduler's address; it is joined when there is something to ask."""

    def __init__(self, address: str, device: str = "cpu") -> None:
        self._address, self._device = address, device

    @cached_property
    def _cluster(self) -> Cluster:
        return cluster(self._address, self._device)

    def drawn(self, drawing: Drawing, calls: Iterable[Call]) -> Generator[Drawn, None, None]:
        """What each call gives, in their order; drawn here where it takes but a moment, or where the
        scheduler is lost. Closing it gives up what is at work ahead.

        Raises ChildProcessError for calls that ended the processes of several workers.
        """
        left = deque(calls)
        waiting: deque[tuple[Future, list[Call]]] = deque()
        pace, done = 0.0, left[0].start if left else 0
        try:
            while left or waiting:
                while task := _task(left, pace, done, idle=not waiting):
                    if len(waiting) > len(self._cluster.workers) or not self._cluster.answers:
                        break
                    for _ in task:
                        left.popleft()
                    waiting.append((self._asked(drawing, task), task))
                if waiting:
                    future, asked = waiting.popleft()
                    patience = _PATIENCE * pace * sum(it.replicates for it in asked)
                    found = self._result(future, asked, drawing, patience)
                else:
                    found = [drawing(left.popleft())]
                for one in found:
                    pace = one.seconds / one.call.replicates
                    done = one.call.start + one.call.replicates
                    yield one
        finally:
            for future, _ in waiting:
                future.cancel()

    def _result(
        self, future: Future, calls: list[Call], drawing: Drawing, patience: float
    ) -> list[Drawn]:
        """What calls gave that were asked for; drawn here where the workers have no time for them."""
        from distributed import KilledWorker

        while True:
            try:
                found: list[Drawn] = future.result(patience)
            except worker.OtherMachineError as error:
                self._cluster.refuse(error.address)
                future = self._asked(drawing, calls)
            except KilledWorker as error:
                raise ChildProcessError(
                    f"replicates from {calls[0].start} on: several workers ended at them, the last at "
                    f"{error.last_worker.address}"
                ) from None
            except (CancelledError, TimeoutError):
                future.cancel()
                return [drawing(call) for call in calls]
            else:
                return found

    def _asked(self, drawing: Drawing, calls: list[Call]) -> Future:
        return self._cluster.submit(worker.draw, drawing, calls, priority=_FIRST)


def _task(left: Iterable[Call], pace: float, done: int, *, idle: bool) -> list[Call]:
    """The next calls if they fill a task and are not too far ahead; else none.

    *pace*: seconds a replicate, 0 where nothing is known; *done*: replicates. Where all is *idle* the
    next call is never too far.
    """
    found: list[Call] = []
    seconds, most = 0.0, (1 + _AHEAD) * done
    for call in left:
        if call.start + call.replicates > most and not (idle and not found):
            break
        found.append(call)
        seconds += pace * call.replicates
        if seconds >= _TASK:
            return found
    return []
