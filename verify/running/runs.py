"""Runs that have not been reported: a folder each, so that an interrupt loses nothing.

A folder holds what the run was asked for, a line for each finished check, bound to the run by its
name, and the measurements that are under way. The process at work holds its lock, which the system
takes back when it ends in whatever way. No run touches the folder of another.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec
from filelock import FileLock, Timeout

from verify.claim import Check, Evidence, Road
from verify.errors import UsageError
from verify.running.cache import cache_folder
from verify.running.files import read_whole, write_atomic
from verify.running.settings import Settings
from verify.typeset.encoding import plain
from verify.verdict import Verdict

_AFRESH = "ask for the same, or start afresh without --resume"
#: For so many seconds a run that begins waits for its lock, which only a look at it may hold.
_PATIENCE = 5.0
#: A folder that is younger, in seconds, may be that of a run that is about to begin.
_NEW = 60.0
#: So many other runs are named where none can be gone on with.
_NAMED = 5


class _Header(msgspec.Struct):
    name: str
    began: datetime
    checks: int
    identity: dict[str, Any]


class _Evidence(msgspec.Struct):
    verdict: Verdict
    method: str
    summary: str
    scope: str
    steps: tuple[str, ...]
    detail: dict[str, Any]
    counterexample: dict[str, Any] | None
    assumptions: tuple[str, ...]
    road: Road
    seconds: float


class _Line(msgspec.Struct):
    run: str
    check: str
    evidence: _Evidence


@dataclass(frozen=True)
class KeptRun:
    """A run that is kept in a folder: its name, what it was asked for, and when it began (UTC)."""

    folder: Path
    identity: Mapping[str, Any]
    #: How many checks it has in all.
    total: int
    began: datetime

    @classmethod
    def read(cls, folder: Path) -> KeptRun | None:
        """The run of a folder; None where nothing whole says what it is."""
        try:
            found = msgspec.json.decode(read_whole(folder / "run.json"), type=_Header)
        except (OSError, ValueError, msgspec.MsgspecError, RecursionError):
            return None
        if found.name != folder.name or found.checks < 0 or found.began.tzinfo is None:
            return None
        return cls(folder, found.identity, found.checks, found.began)

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def lines(self) -> Path:
        return self.folder / "checks.jsonl"

    @property
    def samples(self) -> Path:
        return self.folder / "samples"

    @cached_property
    def lock(self) -> FileLock:
        return FileLock(self.folder / "lock", timeout=0, thread_local=False)

    def at_work(self) -> bool:
        """Whether a process is at it now."""
        return _locked(self.folder)

    def evidence(self) -> dict[str, Evidence]:
        """What is finished, by the key of the check. A line that is torn or another run's is none."""
        found = {}
        with suppress(OSError):
            for line in read_whole(self.lines).split(b"\n"):
                with suppress(ValueError, msgspec.MsgspecError, RecursionError):
                    entry = msgspec.json.decode(line, type=_Line)
                    if entry.run == self.name and _is_whole(entry.evidence):
                        found[entry.check] = Evidence(**msgspec.structs.asdict(entry.evidence))
        return found

    def otherwise(self, wanted: Mapping[str, Any]) -> list[str]:
        """In what it was asked for other things than *wanted*, in words."""
        return [
            f"{name} {self.identity.get(name)}, this one {value}"
            for name, value in wanted.items()
            if self.identity.get(name) != value
        ]

    def forget(self) -> bool:
        """Remove the folder and all that it holds; whether no process was at it, and it is gone."""
        try:
            with self.lock:
                shutil.rmtree(self.folder, ignore_errors=True)
        except (Timeout, OSError):
            return False
        return not self.folder.exists()


def kept_runs() -> list[KeptRun]:
    """All that are kept, the latest first."""
    folder = cache_folder("runs")
    found = [KeptRun.read(path) for path in folder.iterdir()] if folder.is_dir() else []
    return sorted((run for run in found if run is not None), key=lambda it: it.began, reverse=True)


class RunAtWork:
    """The run that this process is at: a context that holds its lock.

    Evidence is added as checks finish. The folder goes when the run has been reported whole.
    """

    def __init__(
        self, run: KeptRun | None, checks: Sequence[Check], known: Mapping[str, Evidence]
    ) -> None:
        #: All that are to be run.
        self.checks = checks
        #: None where there is no place to write.
        self._run = run
        #: What was finished of them before.
        self.known = {c.key: it for c in checks if (it := known.get(c.key)) and it.comes_from(c)}
        #: Whether all that is finished could be written.
        self.keeps = run is not None

    @classmethod
    def begun(cls, settings: Settings, checks: Sequence[Check]) -> RunAtWork:
        """A new run, in a folder of its own."""
        began = datetime.now(UTC)
        name = f"{began:%Y%m%d-%H%M%S}-{secrets.token_hex(4)}"
        identity = _identity(settings, checks)
        run = KeptRun(cache_folder("runs") / name, identity, len(checks), began)
        header = {"name": name, "began": began.isoformat(), "checks": len(checks)}
        try:
            run.folder.mkdir(parents=True)
            run.lock.acquire(timeout=_PATIENCE)
            write_atomic(run.folder / "run.json", json.dumps({**header, "identity": identity}))
        except (OSError, UsageError):
            shutil.rmtree(run.folder, ignore_errors=True)
            return cls(None, checks, {})
        return cls(run, checks, {})

    @classmethod
    def resumed(cls, settings: Settings, checks: Sequence[Check]) -> RunAtWork:
        """The latest interrupted run that was asked for the same.

        UsageError that lists those that were asked for other things, where there is none; and where
        the only one is at work in another process.
        """
        wanted = _identity(settings, checks)
        others = kept_runs()
        alike = [run for run in others if not run.otherwise(wanted)]
        for run in alike:
            with suppress(Timeout, OSError):
                run.lock.acquire()
                if KeptRun.read(run.folder) is None:  # it came to its end a moment ago
                    shutil.rmtree(run.folder, ignore_errors=True)
                    run.lock.release()
                    continue
                _drop_torn_end(run.lines)
                return cls(run, checks, run.evidence())
        if alike:
            raise UsageError(
                f"--resume: the run {alike[0].name} is at work in another process; wait for its end, "
                "or start another without --resume"
            )
        raise UsageError(f"--resume: {_none_of(others, wanted)}")

    @property
    def samples(self) -> Path | None:
        """The folder for measurements under way."""
        return None if self._run is None else self._run.samples

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        if self._run is not None:
            self._run.lock.release()

    def add(self, check: Check, evidence: Evidence) -> None:
        """Append one finished check. What broke or was stopped is left to be run again."""
        if self._run is None or evidence.verdict is Verdict.ERROR or evidence.timed_out:
            return
        entry = {"run": self._run.name, "check": check.key, "evidence": plain(asdict(evidence))}
        try:
            with self._run.lines.open("ab") as stream:
                stream.write(json.dumps(entry).encode() + b"\n")
                stream.flush()
                os.fsync(stream.fileno())
        except OSError:
            self.keeps = False

    def reported(self, *, whole: bool) -> None:
        """All that was found has been reported; if the run is *whole*, nothing of it is kept."""
        if self._run is not None and whole:
            shutil.rmtree(self._run.folder, ignore_errors=True)  # its lock is held here


def _identity(settings: Settings, checks: Sequence[Check]) -> dict[str, Any]:
    """What must agree for a run to be gone on with: settings, and which checks."""
    keys = sorted(check.key for check in checks)
    claims = {check.claim: None for check in checks}
    words = ", ".join(claims) if len(claims) <= _NAMED else f"{len(claims)} claims"
    digest = hashlib.blake2b("\n".join(keys).encode(), digest_size=8).hexdigest()
    roads = " ".join(settings.roads)
    return {**settings.identity(), "roads": roads, "claims": words, "checks": digest}


def _none_of(others: Sequence[KeptRun], wanted: Mapping[str, Any]) -> str:
    """Why none of the runs that are kept is the one that is wanted."""
    if not others:
        return "there is no interrupted run; start one without it"
    if len(others) == 1:
        return f"the interrupted run had {'; '.join(others[0].otherwise(wanted))}; {_AFRESH}"
    named = "; ".join(
        f"{run.name} had {', '.join(run.otherwise(wanted))}" for run in others[:_NAMED]
    )
    more = f"; and {len(others) - _NAMED} more (`verify cache`)" if len(others) > _NAMED else ""
    return f"no interrupted run was asked for the same: {named}{more}; {_AFRESH}"


def _drop_torn_end(path: Path) -> None:
    """Cut off a last line without its end, so that it spoils none that is added."""
    with suppress(OSError), path.open("r+b") as stream:
        content = stream.read()
        if content and not content.endswith(b"\n"):
            stream.truncate(content.rfind(b"\n") + 1)


def _is_whole(found: _Evidence) -> bool:
    """Whether it is what is written of a finished check."""
    cases = found.detail.get("cases", [])
    if not isinstance(cases, list) or not all(isinstance(case, dict) for case in cases):
        return False
    finished = found.verdict not in (Verdict.ERROR, Verdict.NOT_RUN, Verdict.CONFLICT)
    shares = (case.get("error share", 0.0) for case in cases)
    return finished and found.seconds >= 0 and all(type(it) in (int, float) for it in shares)


def nameless(runs: Path) -> Iterator[Path]:
    """Folders of runs that say of no run what it is, and have not for a while."""
    for path in runs.iterdir() if runs.is_dir() else ():
        with suppress(OSError):
            old = time.time() - path.lstat().st_mtime > _NEW
            if old and KeptRun.read(path) is None and not _locked(path):
                yield path


def _locked(folder: Path) -> bool:
    if folder.is_symlink() or not (folder / "lock").is_file():
        return False
    try:
        with FileLock(folder / "lock", timeout=0):
            return False
    except Timeout:
        return True
    except OSError:
        return False
