"""``verify cache``: what is kept, where, how large it is, and how to be rid of it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import click

from verify.commands import OK
from verify.errors import UsageError
from verify.running.cache import cache_folder, size_of
from verify.running.runs import KeptRun, kept_runs, nameless
from verify.typeset.words import counted


@dataclass(frozen=True)
class _Item:
    """Something kept: its name, what it is, and the file or folder; *forget* removes it."""

    name: str
    what: str
    path: Path
    forget: Callable[[], None]
    at_work: bool = False


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
        click.echo(f"{item.name}  {item.what}, {_size(item.path)}")
    whole = sum(size_of(item.path) for item in items)
    click.echo(
        f"{counted(len(items), 'thing')} kept in {cache_folder('runs').parent}, {_bytes(whole)}"
        + ("; `verify cache --clear` removes all that no run is at work on" if items else "")
    )
    return OK


def _clear(items: list[_Item]) -> int:
    for item in items:
        if item.at_work:
            click.echo(f"{item.name}  is at work, and stays")
        else:
            item.forget()
            click.echo(f"{item.name}  removed")
    return OK


def _items() -> Iterator[_Item]:
    for run in kept_runs():
        yield _of_run(run)
    for path in nameless(cache_folder("runs")):
        yield _Item(path.name, "a run that nothing whole is known of", path, _removing(path))
    for purpose, what in (("results", "results of a run"), ("recall", "parts of a recall")):
        for path in sorted(cache_folder(purpose).glob("*.json")):
            yield _Item(path.name, f"{what}, {_day(path)}", path, _removing(path))


def _of_run(run: KeptRun) -> _Item:
    it, at_work = run.identity, run.at_work()
    state = "at work" if at_work else "to be gone on with by the same command and --resume"
    what = (
        f"{it.get('claims')}, {it.get('profile')} profile, seed {it.get('seed')}, {it.get('device')}: "
        f"{len(run.evidence())} of {counted(run.total, 'check')}, {state}"
    )
    return _Item(run.name, what, run.folder, run.forget, at_work)


def _removing(path: Path) -> Callable[[], None]:
    def remove() -> None:
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)

    return remove


def _day(path: Path) -> str:
    return f"{datetime.fromtimestamp(path.stat().st_mtime, UTC):%Y-%m-%d %H:%M} UTC"


def _size(path: Path) -> str:
    return _bytes(size_of(path))


def _bytes(number: int) -> str:
    return f"{number / 2**20:.1f} MiB" if number >= 2**20 else f"{number / 2**10:.1f} KiB"
