"""Independent tasks in spawned processes: what the pictures of the page are measured with."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

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
    plans: Sequence[Plan[Any]], *, workers: int, progress: Callable[[float], None]
) -> list[Any]:
    """What each plan comes to, by so many processes (0: this one) that share all tasks.

    *progress* is called with the share that is done. An interrupt ends the processes at once.
    """
    tasks = [task for plan in plans for task in plan.tasks]
    left = everything = sum(task.length for task in tasks)
    found: list[Any] = [None] * len(tasks)
    with _started(tasks, workers) as finished:
        progress(0.0)
        for place, result in finished:
            found[place] = result
            left -= tasks[place].length
            progress(1 - left / everything)
    ordered = iter(found)
    return [plan.joined([next(ordered) for _ in plan.tasks]) for plan in plans]


@contextmanager
def _started(tasks: Sequence[Task], workers: int) -> Iterator[Iterator[tuple[int, Any]]]:
    """The results with their places, as they are found; what takes longest is begun first."""
    order = sorted(enumerate(tasks), key=lambda item: -item[1].length)
    if workers == 0:
        yield map(_run, order)
        return
    # Spawned, never forked; terminated when the block is left.
    with multiprocessing.get_context("spawn").Pool(workers, initializer=_begin) as pool:
        yield pool.imap_unordered(_run, order)


def _begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interrupt means
    os.environ["OMP_NUM_THREADS"] = "1"  # before torch is first imported


def _run(item: tuple[int, Task]) -> tuple[int, Any]:
    place, task = item
    return place, task.run()
