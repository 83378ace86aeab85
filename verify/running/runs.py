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
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from filelock import FileLock, Timeout

from verify.claim import Check, Evidence, Road
from verify.errors import UsageError
from verify.running.cache import cache_folder
from verify.running.files import write_atomic
from verify.running.settings import Settings
from verify.typeset.encoding import plain
from verify.verdict import Verdict

_AFRESH = "ask for the same, or start afresh without --resume"
#: So many other runs are named where none can be gone on with.
_NAMED = 5


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
            found = json.loads((folder / "run.json").read_bytes())
            began = datetime.fromisoformat(found["began"])
            if found["name"] != folder.name:
                return None
            return cls(folder, dict(found["identity"]), int(found["checks"]), began)
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None

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
            for line in self.lines.read_bytes().split(b"\n"):
                with suppress(ValueError, KeyError, TypeError, RecursionError):
                    entry = json.loads(line)
                    if entry["run"] == self.name:
                        found[str(entry["check"])] = _evidence(entry["evidence"])
        return found

    def otherwise(self, wanted: Mapping[str, Any]) -> list[str]:
        """In what it was asked for other things than *wanted*, in words."""
        return [
            f"{name} {self.identity.get(name)}, this one {value}"
            for name, value in wanted.items()
            if self.identity.get(name) != value
        ]

    def forget(self) -> None:
        """Remove the folder and all that it holds."""
        shutil.rmtree(self.folder, ignore_errors=True)


def kept_runs() -> list[KeptRun]:
    """All that are kept, the latest first."""
    folder = cache_folder("runs")
    found = [KeptRun.read(path) for path in folder.iterdir()] if folder.is_dir() else []
    return sorted((run for run in found if run is not None), key=lambda it: it.began, reverse=True)


class RunAtWork:
    """The run that this process is at: a context that holds its lock.

    Evidence is added as checks finish. The folder goes when the run has been reported whole.
    """

    def __init__(self, run: KeptRun | None, known: Mapping[str, Evidence]) -> None:
        #: None where there is no place to write.
        self._run = run
        #: What was finished before.
        self.known = known
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
            run.lock.acquire()
            write_atomic(run.folder / "run.json", json.dumps({**header, "identity": identity}))
        except (OSError, UsageError):
            run.forget()
            return cls(None, {})
        return cls(run, {})

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
                _drop_torn_end(run.lines)
                return cls(run, run.evidence())
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
            self._run.forget()


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


def _evidence(data: dict[str, Any]) -> Evidence:
    return Evidence(
        verdict=Verdict(data["verdict"]),
        method=data["method"],
        summary=data["summary"],
        scope=data["scope"],
        steps=tuple(data["steps"]),
        detail=data["detail"],
        counterexample=data["counterexample"],
        assumptions=tuple(data["assumptions"]),
        road=Road(data["road"]),
        seconds=data["seconds"],
    )


def nameless(runs: Path) -> Iterator[Path]:
    """Folders of runs that say of no run what it is, and that no process is at work on."""
    for path in runs.iterdir() if runs.is_dir() else ():
        if KeptRun.read(path) is None and not _locked(path):
            yield path


def _locked(folder: Path) -> bool:
    try:
        with FileLock(folder / "lock", timeout=0):
            return False
    except Timeout:
        return True
    except OSError:
        return False
