"""How far one long task has come: a bar on a terminal, a sparse line now and then elsewhere."""

from __future__ import annotations

import time
from types import TracebackType

from rich.console import Console, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from verify.report.text import duration

#: Seconds between lines where the output is not a terminal.
_PAUSE = 10.0
#: The share of the work that must be done before a pace means anything, and the seconds.
_ENOUGH, _AWHILE = 0.02, 2.0
#: The width of a bar; where the terminal is narrow it leaves more to the words.
_BAR, _SHORT_BAR, _NARROW = 24, 12, 100


def with_bar(console: Console, share: float, status: str) -> RenderableType:
    """The *status* behind a bar; alone where there is no colour, since the bar would be blank."""
    if console.no_color or console.color_system is None:
        return Text(status)
    grid = Table.grid(padding=(0, 2, 0, 0))
    width = _BAR if console.width >= _NARROW else _SHORT_BAR
    grid.add_row(ProgressBar(1.0, share, width=width), Text(status))
    return grid


class ShareDone:
    """Context manager that shows the share of *task* that is done, the time, and the time left.

    On a terminal the display is gone when the block is left.
    """

    def __init__(self, console: Console, task: str) -> None:
        self._console, self._task = console, task
        self._begun_with: float | None = None
        self._share = 0.0
        self._start = self._spoken = time.monotonic()
        self._live: Live | None = None

    def __enter__(self) -> ShareDone:
        self._start = self._spoken = time.monotonic()
        if self._console.is_terminal:
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

    def update(self, share: float) -> None:
        """So much is done, from 0 to 1; the first call says what was done before."""
        if self._begun_with is None:
            self._begun_with = share
        self._share = share
        now = time.monotonic()
        if self._live is None and now - self._spoken >= _PAUSE:
            self._spoken = now
            self._console.print(Text(self._status(now)))

    def __rich__(self) -> RenderableType:
        return with_bar(self._console, self._share, self._status(time.monotonic()))

    def _status(self, now: float) -> str:
        elapsed, here = now - self._start, self._share - (self._begun_with or 0.0)
        parts = [f"{self._task}: {100 * self._share:.0f} %", duration(elapsed)]
        if here >= _ENOUGH and elapsed >= _AWHILE and self._share < 1:
            left = elapsed * (1 - self._share) / here
            parts.append(f"about {duration(left)} left at this pace")
        return ", ".join(parts)
