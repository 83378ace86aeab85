"""What a run is doing while it runs.

The time left is said only once a few checks are done, as what it is: the pace so far, carried on.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from verify.claim import Check, Evidence
from verify.report.terminal.display import Display, with_bar
from verify.typeset.words import duration, printable

#: Checks that must be done before a pace means anything.
_ENOUGH = 3


class Progress(Display):
    """Display of the checks that run, how many are done, what they may have spent of the error budget,
    and the time.

    *budget* is that of the run, *error* what a check may spend of it, *spent* what was before, *helped*
    says who helps at the moment.
    """

    def __init__(
        self,
        console: Console,
        total: int,
        *,
        budget: float,
        error: Callable[[Check], float],
        spent: float = 0.0,
        helped: Callable[[], str] = lambda: "",
    ) -> None:
        super().__init__(console, empty=not total)
        self._total = total
        self._budget, self._error, self._spent = budget, error, spent
        self._helped = helped
        self._running: dict[str, tuple[Check, float]] = {}
        self._done = 0

    def started(self, check: Check) -> None:
        """A check has begun."""
        self._running[check.key] = (check, time.monotonic())
        self._speak()

    def finished(self, check: Check, evidence: Evidence) -> None:
        """A check has ended, whatever it found."""
        self._running.pop(check.key, None)
        self._done += 1
        self._spent += self._error(check)
        self._speak()

    def __rich__(self) -> RenderableType:
        now = time.monotonic()
        head = with_bar(self._console, self._done / max(self._total, 1), self._counted(now))
        more = [Text(printable("; ".join(rest)))] if (rest := self._rest(now)) else []
        running = Table.grid(padding=(0, 2, 0, 0))
        running.add_column(overflow="fold")
        # A copy: the display is drawn by another thread than the one that reports.
        for check, start in list(self._running.values()):
            running.add_row(printable(check.claim), str(check.road), duration(now - start))
        return Group(head, *more, Padding(running, (0, 0, 0, 2), style="dim"))

    def _counted(self, now: float) -> str:
        return f"{self._done} of {self._total} checks, {duration(now - self._start)}"

    def _rest(self, now: float) -> list[str]:
        """Who helps, the time left and the budget spent, each where there is something to say of it."""
        rest = [said] if (said := self._helped()) else []
        if _ENOUGH <= self._done < self._total:
            left = (now - self._start) * (self._total - self._done) / self._done
            rest.append(f"about {duration(left)} left at this pace")
        if self._spent:
            rest.append(
                f"error budget: {100 * self._spent / self._budget:.3g} % of {self._budget:g} spent"
            )
        return rest

    def _line(self, now: float) -> str:
        text = ", ".join([self._counted(now), *self._rest(now)])
        if self._running:
            checks = [check for check, _ in self._running.values()]
            text += f"; now {'; '.join(f'{c.claim} ({c.road})' for c in checks)}"
        return text
