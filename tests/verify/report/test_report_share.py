"""How far a long task has come: on a terminal, elsewhere, and from the middle on."""

import io

import pytest
from rich.console import Console

from verify.report.terminal import share
from verify.report.terminal.display import with_bar
from verify.report.terminal.share import ShareDone


@pytest.fixture
def clock(monkeypatch):
    """A clock that a test sets."""
    time = [100.0]
    monkeypatch.setattr(share.time, "monotonic", lambda: time[0])
    return time


def console(*, terminal):
    return Console(file=io.StringIO(), force_terminal=terminal, width=80)


def test_elsewhere_a_line_is_printed_now_and_then(clock):
    out = console(terminal=False)
    with ShareDone(out, "facts") as shown:
        for second in range(31):
            clock[0] = 100.0 + second
            shown.update(second / 60)
    lines = out.file.getvalue().splitlines()
    assert lines == [
        "facts: 17 %, 10 s, about 50 s left at this pace",
        "facts: 33 %, 20 s, about 40 s left at this pace",
        "facts: 50 %, 30 s, about 30 s left at this pace",
    ]


def test_what_was_done_before_says_nothing_of_the_pace(clock):
    out = console(terminal=False)
    with ShareDone(out, "facts") as shown:
        shown.update(0.5)
        clock[0] += 10
        shown.update(0.6)
    assert out.file.getvalue() == "facts: 60 %, 10 s, about 40 s left at this pace\n"


def test_on_a_terminal_there_is_a_bar_that_is_gone_at_the_end(clock):
    out = console(terminal=True)
    with ShareDone(out, "facts") as shown:
        shown.update(0.25)
        out.print(shown)
        assert "facts: 25 %" in out.file.getvalue()
    assert out.file.getvalue().rstrip().endswith(("\x1b[2K", "\x1b[?25h"))


def test_without_colour_there_is_no_gap_where_the_bar_would_be(clock):
    def shown(**options):
        out = Console(file=io.StringIO(), force_terminal=True, width=80, **options)
        out.print(with_bar(out, 0.25, "facts: 25 %"))
        return out.file.getvalue()

    assert shown(no_color=True).rstrip() == "facts: 25 %"
    assert shown(color_system=None).rstrip() == "facts: 25 %"
    assert "\N{BOX DRAWINGS HEAVY HORIZONTAL}" in shown(color_system="standard", no_color=False)


@pytest.mark.parametrize(("width", "bar"), [(80, 12), (100, 24)])
def test_the_bar_leaves_a_narrow_terminal_to_the_words(width, bar):
    out = Console(file=io.StringIO(), force_terminal=True, width=width, color_system="standard")
    out.print(with_bar(out, 1.0, "done"))
    assert out.file.getvalue().count("\N{BOX DRAWINGS HEAVY HORIZONTAL}") == bar
