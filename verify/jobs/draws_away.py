"""Calls of a drawing, carried out by the workers of a cluster.

What they give is put together here and in order, so it is the same as in one process, with any number
of workers and whichever of them is lost.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Generator, Iterable
from concurrent.futures import CancelledError
from functools import cached_property
from typing import TYPE_CHECKING

from verify.errors import UsageError
from verify.jobs.cluster import Cluster, cluster
from verify.jobs.requests import OtherMachineError, draw
from verify.measuring.draws import Call, Drawing, Drawn

if TYPE_CHECKING:
    from distributed import Future

#: A task takes so many seconds or more, as far as the calls before it tell.
_TASK = 0.5
#: Calls are at work ahead for at most this part of what has been drawn: a check may need no more.
_AHEAD = 0.25
#: So many times what they should take calls are waited for; then nobody is asked for so many seconds,
#: and each time for twice as long.
_PATIENCE, _PAUSE = 3.0, 1.0
#: Calls go before jobs: somebody waits for them.
_FIRST = 10


class Away:
    """The workers of a scheduler's address; it is joined when there is something to ask."""

    def __init__(self, address: str, device: str = "cpu") -> None:
        self._address, self._device = address, device

    @cached_property
    def _cluster(self) -> Cluster | None:
        """None where it is not there any more: all is drawn here then."""
        try:
            return cluster(self._address, self._device, strict=False)
        except UsageError:
            return None

    def drawn(self, drawing: Drawing, calls: Iterable[Call]) -> Generator[Drawn, None, None]:
        """What each call gives, in their order; drawn here where it takes but a moment, and where nobody
        has time. Closing it gives up what is at work ahead.

        Raises ChildProcessError for calls that ended the processes of several workers.
        """
        left = deque(calls)
        waiting: deque[tuple[Future, list[Call]]] = deque()
        pace, done = 0.0, left[0].start if left else 0
        pause, until = _PAUSE, 0.0
        try:
            while left or waiting:
                while time.monotonic() >= until and (
                    task := _task(left, pace, done, idle=not waiting)
                ):
                    if (future := self._asked(drawing, task, len(waiting))) is None:
                        break
                    for _ in task:
                        left.popleft()
                    waiting.append((future, task))
                if not waiting:
                    found = [drawing(left.popleft())]
                elif (some := self._result(*waiting[0], drawing, pace)) is not None:
                    found, pause = some, _PAUSE
                    waiting.popleft()
                else:
                    while waiting:
                        future, task = waiting.pop()
                        future.cancel()
                        left.extendleft(reversed(task))
                    until, pause = time.monotonic() + pause, 2 * pause
                    continue
                for one in found:
                    pace = one.seconds / one.call.replicates
                    done = one.call.start + one.call.replicates
                    yield one
        finally:
            for future, _ in waiting:
                future.cancel()

    def _result(
        self, future: Future, calls: list[Call], drawing: Drawing, pace: float
    ) -> list[Drawn] | None:
        """What calls gave that were asked for; None where nobody has time for them."""
        from distributed import KilledWorker

        try:
            found: list[Drawn] = future.result(
                _PATIENCE * pace * sum(it.replicates for it in calls)
            )
        except OtherMachineError as error:
            if self._cluster is not None:
                self._cluster.refuse(error.address)
            return None
        except KilledWorker as error:
            raise ChildProcessError(
                f"replicates from {calls[0].start} on: several workers ended at them, the last at "
                f"{error.last_worker.address}"
            ) from None
        except (CancelledError, TimeoutError):
            return None
        return found

    def _asked(self, drawing: Drawing, calls: list[Call], waiting: int) -> Future | None:
        """Ask for calls; None where nobody is there, or as many tasks wait as there are workers."""
        there = self._cluster
        if there is None or not there.answers or not there.workers:
            return None
        if waiting > len(there.workers):
            return None
        return there.submit(draw, drawing, calls, priority=_FIRST)


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
