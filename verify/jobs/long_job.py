"""One long job, such as a training, by a worker of a cluster: it tells how far it has come."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import TypeVar

from verify.jobs.lanes import Lanes
from verify.jobs.processes import Lost
from verify.jobs.requests import tell

_R = TypeVar("_R")

#: Seconds between looks at how far it has come, and until it must have ended once it is told to.
_LOOK, _PATIENCE = 0.5, 5.0


def carried_out_away(
    address: str,
    device: str,
    job: Callable[[Callable[[float], None]], _R],
    progress: Callable[[float], None],
) -> _R:
    """What *job* gives, by a worker of the scheduler at *address*; both are sent there and back.

    The job is called with what it tells the share to that is done, which *progress* is called with here.
    At an interrupt it ends as at one there, when it next tells: what it gives then is given here.

    Raises KeyboardInterrupt where it gives nothing then, ChildProcessError where two workers die of it
    or none is left, and what the job raises.
    """
    lanes: Lanes[int, _R] = Lanes(
        address,
        device,
        [[0]],
        lambda number: lambda it: job(tell),
        limit=lambda it: math.inf,
        on_start=None,
        divisible=lambda it: False,
    )
    found: list[_R] = []
    done = 0.0
    with ExitStack() as ending:
        ending.callback(lanes.kill)
        try:
            while not found:
                found = _heard(lanes)
                # A job that is over is at work no more before what it gave is here.
                done = max(lanes.shares(), default=done)
                progress(1.0 if found else done)
        except KeyboardInterrupt:
            if not lanes.enough():
                raise
            until = time.monotonic() + _PATIENCE
            with suppress(RuntimeError):  # it had nothing yet
                while not found and time.monotonic() < until:
                    found = _heard(lanes)
            if not found:
                raise
    return found[0]


def _heard(lanes: Lanes[int, _R]) -> list[_R]:
    """What the job has given; empty where nothing is heard for a moment."""
    found = []
    for _, result in lanes.heard(_LOOK):
        if isinstance(result, Lost):
            raise ChildProcessError(result.reason)
        found.append(result)
    return found
