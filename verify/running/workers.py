"""Checks in this process, in others or on other machines, each within its limit, whatever dies."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import Any

from verify.claim import Check, Evidence, Registry
from verify.errors import UsageError
from verify.jobs.groups import Group, heard_from
from verify.jobs.machine import take_card
from verify.jobs.processes import Lost, Pool
from verify.running.checking import broken, run_check, timed_out
from verify.running.settings import Settings


def execute(
    checks: Sequence[Check],
    registry: Registry,
    settings: Settings,
    on_start: Callable[[Check], None] | None = None,
) -> Generator[tuple[Check, Evidence], None, None]:
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
    by_key = {check.key: check for check in checks}

    def started(key: str) -> None:
        if on_start is not None:
            on_start(by_key[key])

    results = heard_from(*_groups(_units(checks), again_of(registry), settings, by_key, started))
    with closing(results):
        for key, found in results:
            yield by_key[key], _lost(by_key[key], found) if isinstance(found, Lost) else found


def _groups(
    units: Sequence[Sequence[Check]],
    again: Callable[[], Registry],
    settings: Settings,
    by_key: Mapping[str, Check],
    started: Callable[[str], None],
) -> list[Group[str, Evidence]]:
    """Who carries out the checks: processes; with a cluster these measure what it draws, and all else is
    carried out there."""
    hooks: dict[str, Any] = {
        "limit": lambda key: by_key[key].seconds,
        "on_start": started,
        "divisible": lambda key: not by_key[key].in_company,
    }
    here = [[c.key for c in unit] for unit in units if not settings.cluster or _measured(unit)]
    begin = partial(_in_process, again, settings)
    groups: list[Group[str, Evidence]] = [Pool(here, begin, workers=settings.workers, **hooks)]
    if settings.cluster:
        from verify.jobs.lanes import Lanes

        away = [[check.key for check in unit] for unit in units if not _measured(unit)]
        begin = partial(check_runner, again, replace(settings, cluster="", keep=None))
        groups.insert(0, Lanes(settings.cluster, settings.device, away, begin, **hooks))
    return groups


def _measured(unit: Sequence[Check]) -> bool:
    """Whether all that is done is to draw replicates and to look at them."""
    return all(check.cases is not None for check in unit)


def _lost(check: Check, lost: Lost) -> Evidence:
    if lost.late:
        return timed_out(check, lost.seconds)
    return replace(broken(check, f"lost: {lost.reason}", lost.seconds), died=True)


def again_of(registry: Registry) -> Callable[[], Registry]:
    """What makes *registry* in another process; UsageError if nothing does."""
    if registry.again is None:
        raise UsageError(
            "--workers: this registry was filled by hand, so no other process can make it; take 0"
        )
    return registry.again


def _units(checks: Sequence[Check]) -> list[list[Check]]:
    """Checks that share measurements or a road, together; the longest units first."""
    units: dict[str, list[Check]] = {}
    for check in checks:
        units.setdefault(check.group, []).append(check)
    return sorted(units.values(), key=lambda unit: -sum(c.seconds for c in unit))


def check_runner(
    again: Callable[[], Registry], settings: Settings, number: int
) -> Callable[[str], Evidence]:
    """In a process of its own: what runs the check of a key. *number*: of its card, among several."""
    warnings.simplefilter("ignore", FutureWarning)  # the parent has said it
    take_card(settings.device, number)
    registry = again()
    context = settings.context(registry)

    def run(key: str) -> Evidence:
        check = registry.find_check(key)
        return run_check(check, registry[check.claim], context)

    return run


def _in_process(
    again: Callable[[], Registry], settings: Settings, number: int
) -> Callable[[str], Evidence]:
    threads = max(1, (os.cpu_count() or 1) // max(settings.workers, 1))
    os.environ["OMP_NUM_THREADS"] = str(threads)  # before torch is first imported
    return check_runner(again, settings, number)
