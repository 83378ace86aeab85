"""Checks in this process or in others, each within its limit, whatever becomes of its process."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial

from verify.claim import Check, Evidence, Registry
from verify.errors import UsageError
from verify.running.checking import broken, run_check, timed_out
from verify.running.processes import Lost, carried_out
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

    results = carried_out(
        [[check.key for check in unit] for unit in _units(checks)],
        partial(check_runner, again_of(registry), settings),
        workers=settings.workers,
        limit=lambda key: by_key[key].seconds,
        on_start=started,
    )
    with closing(results):
        for key, found in results:
            yield by_key[key], _lost(by_key[key], found) if isinstance(found, Lost) else found


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
    """Checks that share measurements, together; the longest units first."""
    units: dict[str, list[Check]] = {}
    for check in checks:
        units.setdefault(check.group, []).append(check)
    return sorted(units.values(), key=lambda unit: -sum(c.seconds for c in unit))


def check_runner(
    again: Callable[[], Registry], settings: Settings, number: int
) -> Callable[[str], Evidence]:
    """In a process of its own: what runs the check of a key. *number*: of its card, among several."""
    threads = max(1, (os.cpu_count() or 1) // max(settings.workers, 1))
    os.environ["OMP_NUM_THREADS"] = str(threads)  # before torch is first imported
    warnings.simplefilter("ignore", FutureWarning)  # the parent has said it
    if settings.device != "cpu":
        from numerics.devices import use_card

        use_card(number)
    registry = again()
    context = settings.context(registry)

    def run(key: str) -> Evidence:
        check = registry.find_check(key)
        return run_check(check, registry[check.claim], context)

    return run
