"""The command line: ``verify`` and its subcommands, with the exit statuses of the contract.

0 as recorded; 1 a verdict of the wrong polarity, a conflict, an error, a surviving mutant or a
regression; 2 bad usage or bad input, or all is as recorded but a paper of another package was left
out; 3 interrupted, or the program itself broke.
"""

from __future__ import annotations

import atexit
import io
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path

import click

from verify import __version__
from verify.commands import BROKEN, COMMANDS, FAILED, OK, USAGE
from verify.errors import CatalogueError, UsageError
from verify.jobs.memory import keep_memory
from verify.left_out import FaultyPaper, GoingOn
from verify.typeset.words import flowed

#: Where a plain ``verify`` puts its page.
DEFAULT_PAGE = Path("verify-report")


def main() -> None:
    """Entry point of the console script: every outcome ends in an exit status of the contract."""
    keep_memory()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a narrow encoding loses no line
    going_on = GoingOn(_left_out)
    try:
        with _interruptible():
            status = going_on.do(lambda: cli.main(standalone_mode=False))
    except click.exceptions.Exit as stop:
        status = stop.exit_code
    except click.ClickException as error:
        click.echo(flowed(f"verify: {error.format_message()}"), err=True)
        if isinstance(error, click.UsageError) and error.ctx is not None:
            usage = " ".join(error.ctx.get_usage().split())
            click.echo(f"{usage}; more with `{error.ctx.command_path} --help`", err=True)
        status = USAGE
    except UsageError as error:
        click.echo(flowed(f"verify: {error}"), err=True)
        status = USAGE
    except FaultyPaper as fault:
        _left_out(fault)
        status = USAGE
    except CatalogueError as error:
        click.echo(flowed(f"verify: the catalogue is not sound: {error}"), err=True)
        status = FAILED
    except (KeyboardInterrupt, click.Abort):
        click.echo("verify: interrupted", err=True)
        status = BROKEN
    except BrokenPipeError:  # the reader of a pipe has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = BROKEN
    except ChildProcessError as error:  # who was asked to do it ended
        click.echo(flowed(f"verify: {error}; nothing is written, ask for it again"), err=True)
        status = BROKEN
    except OSError as error:
        said = f"verify: {error.strerror or error}: {error.filename or 'output'}"
        click.echo(flowed(said), err=True)
        status = BROKEN
    except Exception:
        traceback.print_exc()
        click.echo("verify: the program broke; this is a bug, please report it", err=True)
        status = BROKEN
    atexit.register(_deaf)  # goes before what was registered while it worked
    status = status if isinstance(status, int) else OK
    sys.exit(USAGE if status == OK and going_on.said else status)


def _deaf() -> None:
    """What asks the program to end is not heard any more: it is over."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)


def _left_out(fault: FaultyPaper) -> None:
    click.echo(flowed(f"verify: left out: {fault}"), err=True)


@contextmanager
def _interruptible() -> Iterator[None]:
    """What asks the program to end keeps and says what Ctrl-C does, unless it was told to be ignored."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = sys.unraisablehook
    sys.unraisablehook = partial(_unraisable, before)
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    ours = [it for it in numbers if signal.getsignal(it) is signal.SIG_DFL]
    for number in ours:
        signal.signal(number, interrupt)
    try:
        yield
    finally:
        sys.unraisablehook = before
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


def _unraisable(
    otherwise: Callable[[sys.UnraisableHookArgs], object], what: sys.UnraisableHookArgs
) -> None:
    """An interrupt that came while an object was cleared away, where none can be raised, comes again."""
    if isinstance(what.exc_value, KeyboardInterrupt):
        main_thread = threading.main_thread().ident
        threading.Timer(0.05, signal.pthread_kill, (main_thread, signal.SIGINT)).start()
    else:
        otherwise(what)


class _Commands(click.Group):
    """Commands whose module is imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All of them, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name; None if there is none."""
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(f"verify.commands.{module}"), name)
        return command


@click.group(
    cls=_Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="verify")
@click.pass_context
def cli(ctx: click.Context) -> int:
    """Verify the papers' claims on factual recall, each on up to three independent roads.

    Without a command: run every claim, quick profile, and write a page to verify-report/.
    """
    if ctx.invoked_subcommand is None:
        from verify.commands.running import run_command

        return int(ctx.invoke(run_command, html=DEFAULT_PAGE))
    return OK
