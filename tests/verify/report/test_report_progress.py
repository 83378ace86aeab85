"""Progress: sparse lines where nobody watches, a live picture on a terminal, no early promises."""

import re
import time
from io import StringIO

import pytest
from rich.console import Console

from verify.claim import Check, Evidence, Road
from verify.measuring.context import PROPERTY_SHARES, SHARES
from verify.report.terminal.progress import Progress
from verify.verdict import Verdict

FOUND = Evidence(Verdict.PROVED, "m", "s")


class Clock:
    """A clock that the test moves."""

    now = 0.0

    def monotonic(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(time, "monotonic", clock.monotonic)
    return clock


def check(name, road=Road.PROOFS):
    return Check(name, road, lambda printed, context: FOUND, "m")


def run_checks(clock, console, pauses):
    with Progress(console, len(pauses)) as shown:
        for i, pause in enumerate(pauses):
            shown.started(check(f"claim.{i}"))
            clock.now += pause
            shown.finished(check(f"claim.{i}"), FOUND)


def test_a_quick_run_without_a_terminal_prints_nothing(clock):
    file = StringIO()
    run_checks(clock, Console(file=file), [0.1] * 50)
    assert file.getvalue() == ""


def test_a_long_run_without_a_terminal_prints_a_line_every_ten_seconds(clock):
    file = StringIO()
    run_checks(clock, Console(file=file, width=100), [1.0] * 35)
    lines = file.getvalue().splitlines()
    assert len(lines) == 3
    assert lines[0].startswith("10 of 35 checks, 10 s, about 25 s left at this pace")


def test_no_time_left_is_claimed_before_a_pace_is_known(clock):
    file = StringIO()
    with Progress(Console(file=file, width=100), 5) as shown:
        shown.started(check("claim.slow"))
        clock.now = 60.0
        shown.started(check("claim.next"))
    assert (
        "0 of 5 checks, 1 min 0 s; now claim.slow (proofs); claim.next (proofs)" in file.getvalue()
    )
    assert "left" not in file.getvalue()


def test_a_terminal_shows_what_runs_and_how_far_it_is(clock):
    console = Console(file=StringIO(), force_terminal=True, width=100)
    with Progress(console, 4) as shown:
        shown.started(check("claim.slow"))
        shown.started(check("claim.done"))
        shown.finished(check("claim.done"), FOUND)
        clock.now = 3.0
        with console.capture() as captured:
            console.print(shown)
    assert "1 of 4 checks, 3.0 s" in captured.get()
    assert "claim.slow" in captured.get()
    assert "claim.done" not in captured.get()


def test_a_terminal_shows_the_share_of_the_budget_that_finished_checks_may_have_spent(clock):
    console = Console(file=StringIO(), force_terminal=True, width=80)
    with Progress(console, 100, budget=1e-3, shares=5) as shown:
        for i, road in enumerate((Road.NUMERICS, Road.PROPERTIES, Road.PROOFS)):
            shown.started(check(f"claim.{i}", road))
            clock.now += 1
            shown.finished(check(f"claim.{i}", road), FOUND)
        shown.started(check("claim.next", Road.NUMERICS))
        with console.capture() as captured:
            console.print(shown)
    lines = [re.sub(r"\x1b\[[0-9;?]*\w", "", line) for line in captured.get().splitlines()]
    spent = 100 * (5 + 1 + PROPERTY_SHARES) / SHARES
    assert lines[0].rstrip().endswith("3 of 100 checks, 3.0 s")
    budget = f"error budget: {spent:.3g} % of 0.001 spent"
    assert lines[1] == f"about 1 min 37 s left at this pace; {budget}"
    assert lines[2].split() == ["claim.next", "numerics", "<", "1", "ms"]


def test_a_plain_line_tells_the_share_of_the_budget(clock):
    file = StringIO()
    with Progress(Console(file=file, width=100), 2, budget=1e-6) as shown:
        shown.started(check("claim.a", Road.NUMERICS))
        shown.finished(check("claim.a", Road.NUMERICS), FOUND)
        clock.now = 11.0
        shown.started(check("claim.b", Road.NUMERICS))
    assert file.getvalue() == (
        f"1 of 2 checks, 11 s, error budget: {100 / SHARES:.3g} % of 1e-06 spent; "
        "now claim.b (numerics)\n"
    )


def test_proofs_spend_nothing(clock):
    file = StringIO()
    run_checks(clock, Console(file=file, width=100), [1.0] * 35)
    assert "budget" not in file.getvalue()


def test_a_run_without_checks_shows_nothing(clock):
    file = StringIO()
    with Progress(Console(file=file, force_terminal=True), 0):
        clock.now = 60.0
    assert file.getvalue() == ""


def test_the_display_ends_when_the_run_breaks(clock):
    console = Console(file=StringIO(), force_terminal=True, width=100)

    def interrupted():
        with Progress(console, 4) as shown:
            shown.started(check("claim.slow"))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    console.print("after")
    assert isinstance(console.file, StringIO)
    assert console.file.getvalue().endswith("after\n")
