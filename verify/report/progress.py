"""What a run is doing while it runs: live on a terminal, a sparse line now and then elsewhere.

The time left is said only once a few checks are done, as what it is: the pace so far, carried on.
"""

from __future__ import annotations

import time
from types import TracebackType

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from verify.claim import Check, Evidence
from verify.report.share import with_bar
from verify.report.text import duration, printable

#: Seconds between lines where the output is not a terminal.
_PAUSE = 10.0
#: Checks that must be done before a pace means anything.
_ENOUGH = 3


class Progress:
    """Context manager that shows which checks run, how many are done, and the time.

    On a terminal the display is gone when the block is left.
    """

    def __init__(self, console: Console, total: int) -> None:
        self._console, self._total = console, total
        self._running: dict[str, tuple[Check, float]] = {}
        self._done = 0
        self._start = self._spoken = time.monotonic()
        self._live: Live | None = None

    def __enter__(self) -> Progress:
        self._start = self._spoken = time.monotonic()
        if self._console.is_terminal and self._total:
            self._live = Live(self, console=self._console, transient=True, refresh_per_second=4)
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None

    def started(self, check: Check) -> None:
        """A check has begun."""
        self._running[check.key] = (check, time.monotonic())
        self._speak()

    def finished(self, check: Check, evidence: Evidence) -> None:
        """A check has ended, whatever it found."""
        self._running.pop(check.key, None)
        self._done += 1
        self._speak()

    def __rich__(self) -> RenderableType:
        now = time.monotonic()
        head = with_bar(self._console, self._done / max(self._total, 1), self._status(now))
        # A copy: the display is drawn by another thread than the one that reports.
        running = [
            Text(f"  {printable(check.claim)}  {check.road}  {duration(now - start)}", style="dim")
            for check, start in list(self._running.values())
        ]
        return Group(head, *running)

    def _status(self, now: float) -> str:
        elapsed = now - self._start
        parts = [f"{self._done} of {self._total} checks", duration(elapsed)]
        if _ENOUGH <= self._done < self._total:
            left = elapsed * (self._total - self._done) / self._done
            parts.append(f"about {duration(left)} left at this pace")
        return ", ".join(parts)

    def _speak(self) -> None:
        """A plain line, at most every ten seconds, if nothing is live."""
        now = time.monotonic()
        if self._live is None and now - self._spoken >= _PAUSE:
            self._spoken = now
            running = "; ".join(f"{c.claim} ({c.road})" for c, _ in self._running.values())
            text = self._status(now) + (f"; now {running}" if running else "")
            self._console.print(Text(printable(text), overflow="fold"))
