"""Jobs by the processes of this machine, by the workers of a cluster, or by both at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack
from typing import Protocol, TypeVar

from verify.jobs.processes import Lost, Pool

_J = TypeVar("_J")
_R = TypeVar("_R")
_J_co = TypeVar("_J_co", covariant=True)
_R_co = TypeVar("_R_co", covariant=True)

#: Seconds to listen to one group, where another may speak meanwhile and where none may.
_TURN, _ALONE = 0.05, 0.5


class Group(Protocol[_J_co, _R_co]):
    """Some that carry out units of jobs."""

    @property
    def busy(self) -> bool:
        """Whether there is something to hear yet."""

    def start(self) -> None:
        """Begin."""

    def heard(self, timeout: float) -> Iterator[tuple[_J_co, _R_co | Lost]]:
        """What has been found when something is heard, or after *timeout* seconds."""
        ...

    def kill(self) -> None:
        """Give up all that is left."""


def carried_out(
    units: Iterable[Sequence[_J]],
    begin: Callable[[int], Callable[[_J], _R]],
    *,
    workers: int,
    cluster: str = "",
    device: str = "cpu",
    limit: Callable[[_J], float] = lambda job: math.inf,
    on_start: Callable[[_J], None] | None = None,
    divisible: Callable[[_J], bool] = lambda job: False,
) -> Generator[tuple[_J, _R | Lost], None, None]:
    """Each job with its result, as it is finished, by so many processes, or by a *cluster*'s workers.

    *begin* is called in each process with its number, from 0, and gives what carries out its jobs;
    both are pickled, and so is what comes back. A job that takes longer than its *limit* in seconds
    is lost, and one whose process died twice. What a job raises is raised here. *divisible* says of a
    job whether those after it in its unit may go elsewhere. When the iterator is closed, by an interrupt
    too, the processes are killed.
    """
    group: Group[_J, _R]
    if cluster:
        from verify.jobs.lanes import Lanes

        group = Lanes(
            cluster, device, units, begin, limit=limit, on_start=on_start, divisible=divisible
        )
    else:
        group = Pool(
            units, begin, workers=workers, limit=limit, on_start=on_start, divisible=divisible
        )
    return heard_from(group)


def heard_from(*groups: Group[_J, _R]) -> Generator[tuple[_J, _R | Lost], None, None]:
    """What the groups find, as they find it; they are killed when the iterator is closed."""
    try:
        for group in groups:
            group.start()
        while busy := [group for group in groups if group.busy]:
            for group in busy:
                yield from group.heard(_TURN if len(busy) > 1 else _ALONE)
    finally:
        with ExitStack() as ending:  # the last one first, and each whatever becomes of the others
            for group in groups:
                ending.callback(group.kill)
