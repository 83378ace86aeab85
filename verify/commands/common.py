"""What commands share: options, and what is refused before any work is done."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

import click
from click.core import ParameterSource
from rich.console import Console

from verify.claim import Registry, Road
from verify.errors import UsageError
from verify.installed import missing, require, usable
from verify.jobs.address import is_address, no_address
from verify.jobs.machine import usable_device
from verify.running.files import require_writable
from verify.running.runner import RunResult
from verify.running.settings import LARGEST_WORKERS, Settings
from verify.typeset.words import counted, printable

#: Processes of this machine, at most, that look at what a cluster draws.
_FOLDING = 4


class Digits(click.types.IntParamType):
    """Whole numbers as they are typed: digits, without what int() takes beside them."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, str) and not re.fullmatch("-?[0-9]+", value):
            self.fail(f"{value!r} is no whole number; write digits 0 to 9 alone", param, ctx)
        found: int = super().convert(value, param, ctx)
        return found


class Whole(Digits, click.IntRange):
    """Whole numbers of a range."""


class Real(click.types.FloatParamType):
    """Decimal numbers as they are typed, without what float() takes beside digits 0 to 9."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        try:
            if isinstance(value, str) and not re.fullmatch("[a-z0-9.+-]+", value, re.I | re.A):
                raise ValueError
            return float(value)
        except ValueError:
            self.fail(f"{value!r} is no decimal number; write for instance 1e-6", param, ctx)


class Workers(NamedTuple):
    """Who is to work: so many processes, 0 for none, and the workers of a scheduler's address, "" for
    none."""

    processes: int = 2
    cluster: str = ""


#: The processes of this machine that work where nothing else is said.
HERE = Workers()


class WorkersType(click.ParamType[Workers]):
    """A number of processes, or the address of a scheduler."""

    name = "N|ADDRESS"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Workers:
        if isinstance(value, Workers):
            return value
        if isinstance(value, str) and "://" in value:
            if not is_address(value):
                self.fail(no_address(value), param, ctx)
            return Workers(min(os.cpu_count() or 1, _FOLDING), value)
        try:
            return Workers(Whole(0, LARGEST_WORKERS).convert(value, param, ctx))
        except click.BadParameter as error:
            self.fail(
                f"{error.message.rstrip('.')}; or take tcp://HOST:PORT for a cluster", param, ctx
            )


seed_option = click.option("--seed", type=Whole(0, 2**64 - 1), default=0, show_default=True)
device_option = click.option(
    "--device",
    type=click.Choice(["auto", "cpu", "cuda"]),
    default="auto",
    help="Where is measured; auto takes a GPU where there is one.",
)
workers_option = click.option(
    "--workers",
    type=WorkersType(),
    default=str(HERE.processes),
    show_default=True,
    help="Processes, 0 for none; or a cluster, by the address of its scheduler.",
)
results_option = click.option(
    "--results",
    type=click.Path(path_type=Path),
    help="What `verify run --json` wrote; nothing is run.",
)


def join(workers: Workers, device: str, console: Console) -> None:
    """Join the cluster that is asked for, and say who works there; UsageError where it cannot be."""
    if not workers.cluster:
        return
    from verify.jobs.cluster import cluster

    with console.status(f"joining {workers.cluster}"):
        found = cluster(workers.cluster, device)
    console.print(
        f"{counted(len(found.workers), 'worker')} at {workers.cluster}, on "
        f"{counted(len(found.machines), 'machine')}: {', '.join(found.machines)}",
        highlight=False,
    )


def whole(result: RunResult, console: Console) -> bool:
    """Whether each check has a result; those that have none are named, with the reason."""
    for key, reason in result.lost.items():
        console.print(f"Without a result: {key}, {reason}")
    return not result.lost


def require_unused(because: str, *parameters: str) -> None:
    """UsageError for an option among *parameters* of this command that was typed and does nothing, with
    *because* of what."""
    ctx = click.get_current_context()
    for one in ctx.command.params:
        typed = ctx.get_parameter_source(one.name or "") is ParameterSource.COMMANDLINE
        if one.name in parameters and typed:
            raise UsageError(f"{one.opts[-1]}: {because}; leave it out")


def who_helps(settings: Settings) -> str:
    """The workers of a run's cluster at the moment, in words; empty without one."""
    if not settings.cluster:
        return ""
    from verify.jobs.cluster import cluster

    found = cluster(settings.cluster, settings.device)
    if not found.answers:
        return f"the scheduler at {settings.cluster} does not answer"
    return f"{counted(len(found.workers), 'worker')} at {settings.cluster}"


def say(line: str) -> None:
    """A line on stdout, whatever names it holds."""
    click.echo(printable(line))


def command_line() -> str:
    """What was typed, for a page that says how it was made."""
    return " ".join(["verify", *sys.argv[1:]])


def require_folder(folder: Path, option: str, name: str) -> None:
    """UsageError if no file *name* could be written in *folder*, which is made."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"{option}: cannot make the folder {folder}: {error.strerror}; choose another"
        ) from None
    require_writable(option, folder / name)


def stored(path: Path, registry: Registry, argument: str = "--results") -> RunResult:
    """The run in a file of results, with what its proofs are beside those on record."""
    from verify.auditing.kept_proofs import other_proofs, proof_records
    from verify.running.stored_run import read_run

    found = read_run(path, registry, argument=argument)
    found.other_proofs = other_proofs(registry, proof_records(found))
    return found


def available_roads(roads: tuple[Road, ...], *, asked: bool, console: Console) -> tuple[Road, ...]:
    """The roads that can be taken with what is installed; a line says what is left out."""
    for road in roads if asked else ():
        require([road], f"--road: {road}")
    there, line = usable(roads)
    if line:
        console.print(line, highlight=False, soft_wrap=True)
    return there


def resolved_device(name: str, roads: tuple[Road, ...]) -> str:
    """The device by its real name; torch is asked only where something is measured, and where it is
    not installed "auto" is the CPU."""
    exact = set(roads) == {Road.PROOFS} or (name == "auto" and missing([Road.NUMERICS]))
    return "cpu" if exact else usable_device(name, "--device")


def require_measuring(command: str) -> None:
    """UsageError that begins with the *command* unless what measures is installed."""
    require([Road.NUMERICS], command)
