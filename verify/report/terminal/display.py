"""How a long task shows itself: live on a terminal, by a sparse line now and then elsewhere."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self

from rich.console import Console, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from verify.typeset.words import printable

#: Seconds between lines where the output is not a terminal.
_PAUSE = 10.0
#: The width of a bar; where the terminal is narrow it leaves more to the words.
_BAR, _SHORT_BAR, _NARROW = 24, 12, 100


class Display(ABC):
    """Context manager for the time that a task takes. *empty*: there is nothing to wait for.

    On a terminal the display is gone when the block is left.
    """

    def __init__(self, console: Console, *, empty: bool = False) -> None:
        self._console, self._empty = console, empty
        self._start = self._spoken = time.monotonic()
        self._live: Live | None = None

    def __enter__(self) -> Self:
        self._start = self._spoken = time.monotonic()
        if self._console.is_terminal and not self._empty:
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

    @abstractmethod
    def __rich__(self) -> RenderableType:
        """What is shown live."""

    @abstractmethod
    def _line(self, now: float) -> str:
        """What is said elsewhere."""

    def _speak(self) -> None:
        """Say a line, at most every ten seconds, if nothing is live."""
        now = time.monotonic()
        if self._live is None and now - self._spoken >= _PAUSE:
            self._spoken = now
            self._console.print(Text(printable(self._line(now)), overflow="fold"))


def with_bar(console: Console, share: float, status: str) -> RenderableType:
    """The *status* behind a bar; alone where there is no colour, since the bar would be blank."""
    if console.no_color or console.color_system is None:
        return Text(status)
    grid = Table.grid(padding=(0, 2, 0, 0))
    width = _BAR if console.width >= _NARROW else _SHORT_BAR
    grid.add_row(ProgressBar(1.0, share, width=width), Text(status))
    return grid
