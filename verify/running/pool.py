"""Independent tasks in other processes: what the pictures of the page are measured with."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from verify.jobs.groups import carried_out
from verify.jobs.machine import take_card
from verify.jobs.processes import Lost

_T = TypeVar("_T")


class Task(Protocol):
    """One part of a picture; it is sent to a process, and so is what it finds."""

    @property
    def length(self) -> float:
        """How long it takes, in multiply-adds, roughly."""

    def run(self) -> Any:
        """What is found."""


@dataclass(frozen=True)
class Plan(Generic[_T]):
    """The tasks of a picture, and what their results are put together to, given in the same order."""

    tasks: Sequence[Task]
    joined: Callable[[list[Any]], _T]


def results(
    plans: Sequence[Plan[Any]],
    *,
    workers: int,
    progress: Callable[[float], None],
    device: str = "cpu",
    cluster: str = "",
) -> list[Any]:
    """What each plan comes to, by so many processes (0: this one) or a *cluster*'s workers, that share
    all tasks.

    The workers compute with what this machine computes with for *device*. *progress* is called with the
    share that is done. An interrupt ends the processes at once.
    """
    tasks = [task for plan in plans for task in plan.tasks]
    left = everything = sum(task.length for task in tasks)
    found: list[Any] = [None] * len(tasks)
    progress(0.0)
    with closing(_carried_out(tasks, workers, device, cluster)) as parts:
        for place, result in parts:
            found[place] = result
            left -= tasks[place].length
            progress(1 - left / everything)
    ordered = iter(found)
    return [plan.joined([next(ordered) for _ in plan.tasks]) for plan in plans]


def _carried_out(
    tasks: Sequence[Task], workers: int, device: str, cluster: str
) -> Generator[tuple[int, Any], None, None]:
    """The results with their places, as they are found; what takes longest is begun first."""
    order = sorted(range(len(tasks)), key=lambda place: -tasks[place].length)
    if workers == 0:
        yield from ((place, tasks[place].run()) for place in order)
        return
    jobs = [[place] for place in order]
    begin = partial(_begin, tasks, device)
    carrying = carried_out(jobs, begin, workers=workers, device=device, cluster=cluster)
    with closing(carrying) as results:
        for place, found in results:
            if isinstance(found, Lost):
                raise ChildProcessError(f"a part of a picture was lost: {found.reason}")
            yield place, found


def _begin(tasks: Sequence[Task], device: str, number: int) -> Callable[[int], Any]:
    os.environ["OMP_NUM_THREADS"] = "1"  # before torch is first imported
    take_card(device, number)
    return lambda place: tasks[place].run()
