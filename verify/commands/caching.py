"""``verify cache``: what is kept, where, how large it is, and how to be rid of it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import click
from filelock import Timeout

from verify.commands import OK
from verify.commands.common import say
from verify.errors import UsageError
from verify.running.cache import cache_folder, lock_of, size_of
from verify.running.runs import KeptRun, kept_runs, nameless
from verify.typeset.words import counted, flowed


@dataclass(frozen=True)
class _Item:
    """Something kept: its name, what it is, and the file or folder; *forget* removes it."""

    name: str
    what: str
    path: Path
    forget: Callable[[], bool]


@click.command("cache")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--clear", is_flag=True, help="Remove what is named, or all but runs at work.")
def cache_command(names: tuple[str, ...], clear: bool) -> int:
    """List what is kept of runs, and remove it.

    \b
    Examples:
      verify cache
      verify cache --clear
      verify cache --clear 20260102-030405-0a1b2c3d
    """
    if names and not clear:
        raise UsageError("NAME: all is listed; add --clear to remove what is named")
    items = list(_items())
    unknown = set(names) - {item.name for item in items}
    if unknown:
        raise UsageError(f"NAME: nothing called {min(unknown)!r} is kept; `verify cache` lists all")
    if clear:
        return _clear([item for item in items if not names or item.name in names])
    for item in items:
        click.echo(f"{flowed(item.name)}  {flowed(item.what)}, {_size(item.path)}")
    whole = sum(size_of(item.path) for item in items)
    say(
        f"{counted(len(items), 'thing')} kept in {cache_folder('runs').parent}, {_bytes(whole)}"
        + ("; `verify cache --clear` removes all that no run is at work on" if items else "")
    )
    return OK


def _clear(items: list[_Item]) -> int:
    for item in items:
        gone = item.forget()
        click.echo(f"{flowed(item.name)}  {'removed' if gone else 'is at work, and stays'}")
    return OK


def _items() -> Iterator[_Item]:
    for run in kept_runs():
        yield _of_run(run)
    for path in nameless(cache_folder("runs")):
        yield _Item(path.name, "a run that nothing whole is known of", path, _removing(path))
    for purpose, what in (("results", "results of a run"), ("recall", "parts of a recall")):
        folder = cache_folder(purpose)
        for path in sorted(folder.iterdir() if folder.is_dir() else ()):
            said = f"cut short while it was written: {what}" if path.name[0] == "." else what
            remove = _removing(path)
            forget = _unless_at_work(path, remove) if purpose == "recall" else remove
            yield _Item(path.name, f"{said}{_day(path)}", path, forget)


def _of_run(run: KeptRun) -> _Item:
    it = run.identity
    state = "at work" if run.at_work() else "to be gone on with by the same command and --resume"
    what = (
        f"{it.get('claims')}, {it.get('profile')} profile, seed {it.get('seed')}, {it.get('device')}: "
        f"{len(run.evidence())} of {counted(run.total, 'check')}, {state}"
    )
    return _Item(run.name, what, run.folder, run.forget)


def _removing(path: Path) -> Callable[[], bool]:
    def remove() -> bool:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            with suppress(OSError):
                path.unlink()
        return not os.path.lexists(path)

    return remove


def _unless_at_work(parts: Path, remove: Callable[[], bool]) -> Callable[[], bool]:
    def forget() -> bool:
        lock = lock_of(parts)
        try:
            Path(lock.lock_file).parent.mkdir(parents=True, exist_ok=True)
            with lock:
                return remove()
        except Timeout:
            return False
        except OSError:  # where no lock can be made no recall keeps parts
            return remove()

    return forget


def _day(path: Path) -> str:
    try:
        return f", {datetime.fromtimestamp(path.lstat().st_mtime, UTC):%Y-%m-%d %H:%M} UTC"
    except OSError:  # another run has removed it a moment ago
        return ""


def _size(path: Path) -> str:
    return _bytes(size_of(path))


def _bytes(number: int) -> str:
    return f"{number / 2**20:.1f} MiB" if number >= 2**20 else f"{number / 2**10:.1f} KiB"
