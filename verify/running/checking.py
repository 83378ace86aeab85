"""Run one check in this process: within its time limit, and whatever it raises."""

from __future__ import annotations

import signal
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from verify.claim import Check, Claim, Evidence, Mutant
from verify.claim.in_words import claims_used
from verify.errors import Ended
from verify.jobs.threads import interrupt
from verify.measuring.context import Context
from verify.verdict import Verdict


class _TimeLimit(Ended):
    """Raised inside a check whose time is up."""


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Raise _TimeLimit in the block after *seconds*, as soon as it comes back to Python."""
    main = threading.current_thread() is threading.main_thread()
    if not hasattr(signal, "setitimer") or not main:
        with _watched(seconds):
            yield
        return

    def stop(*_: object) -> None:
        raise _TimeLimit

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _watched(seconds: float) -> Iterator[None]:
    """As _time_limit, where no signal can do so: by another thread."""
    thread, lock, over = threading.get_ident(), threading.Lock(), threading.Event()

    def stop() -> None:
        with lock:
            if not over.is_set():
                interrupt(thread, _TimeLimit)

    timer = threading.Timer(seconds, stop)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        with lock:
            over.set()
            interrupt(thread, None)


def timed_out(check: Check, seconds: float) -> Evidence:
    """The evidence of a check whose time limit has passed."""
    return Evidence(
        Verdict.INCONCLUSIVE,
        check.method,
        f"stopped at its time limit of {check.seconds:g} s",
        road=check.road,
        seconds=seconds,
        timed_out=True,
    )


def undecided(check: Check, reason: str, seconds: float) -> Evidence:
    """The evidence of a check whose flow did not come to its end."""
    return Evidence(Verdict.INCONCLUSIVE, check.method, reason, road=check.road, seconds=seconds)


def _unfinished(error: Exception) -> bool:
    # Only what has been imported can have raised it; a proof alone needs no torch.
    errors = sys.modules.get("numerics.errors")
    return errors is not None and isinstance(error, errors.UnfinishedError)


def broken(check: Check, reason: str, seconds: float, trace: str = "") -> Evidence:
    """The evidence of a check that raised or died."""
    return Evidence(
        Verdict.ERROR,
        check.method,
        reason,
        detail={"traceback": trace} if trace else {},
        road=check.road,
        seconds=seconds,
    )


def run_check(
    check: Check, claim: Claim, context: Context, mutant: Mutant | None = None
) -> Evidence:
    """Run one check in this process, on the printed formulas or on those of a mutant."""
    start = time.perf_counter()
    context = context.judging(claim.id)
    printed = claim.formulas if mutant is None else mutant.formulas
    if mutant is not None and mutant.construction:
        context = replace(context, construction=mutant.construction)
    try:
        with _time_limit(check.seconds):
            evidence = check.run(printed, context)
    except _TimeLimit:
        return timed_out(check, time.perf_counter() - start)
    except Exception as error:
        if _unfinished(error):
            return undecided(check, f"a flow {error}", time.perf_counter() - start)
        reason = f"{type(error).__name__}: {error}"
        found = broken(check, reason, time.perf_counter() - start, traceback.format_exc())
        # What it asked others for ended their processes: it says nothing of the claim.
        return replace(found, died=isinstance(error, ChildProcessError))
    finally:
        context.rest()
    absent = sorted(claims_used(evidence.steps) - {*claim.uses})
    if absent:
        reason = f"a line uses {', '.join(absent)}, which {claim.id} does not list among its uses"
        return broken(check, reason, time.perf_counter() - start)
    return replace(
        evidence, road=check.road, method=check.method, seconds=time.perf_counter() - start
    )
