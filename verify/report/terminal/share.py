"""How far one long task has come, as the share of it that is done."""

from __future__ import annotations

import time

from rich.console import Console, RenderableType

from verify.report.terminal.display import Display, with_bar
from verify.typeset.words import duration

#: The share of the work that must be done before a pace means anything, and the seconds.
_ENOUGH, _AWHILE = 0.02, 2.0


class ShareDone(Display):
    """Display of the share of *task* that is done, the time, and the time left."""

    def __init__(self, console: Console, task: str) -> None:
        super().__init__(console)
        self._task = task
        self._begun_with: float | None = None
        self._share = 0.0

    def update(self, share: float) -> None:
        """So much is done, from 0 to 1; the first call says what was done before."""
        if self._begun_with is None:
            self._begun_with = share
        self._share = share
        self._speak()

    def __rich__(self) -> RenderableType:
        return with_bar(self._console, self._share, self._line(time.monotonic()))

    def _line(self, now: float) -> str:
        elapsed, here = now - self._start, self._share - (self._begun_with or 0.0)
        parts = [f"{self._task}: {100 * self._share:.0f} %", duration(elapsed)]
        if here >= _ENOUGH and elapsed >= _AWHILE and self._share < 1:
            left = elapsed * (1 - self._share) / here
            parts.append(f"about {duration(left)} left at this pace")
        return ", ".join(parts)
