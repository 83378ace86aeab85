"""Finished evidence on disk while a run is under way, so that an interrupt loses nothing.

One JSON object a line: a header with what the run was asked for, then a line per finished check.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path

from verify.claim import Check, Evidence, Road
from verify.errors import UsageError
from verify.running.settings import Settings
from verify.typeset.encoding import plain
from verify.verdict import Verdict


class Unfinished:
    """The evidence of a run that has not ended: added to as checks finish, dropped at the end."""

    def __init__(self, path: Path | None = None) -> None:
        #: None once it turns out that nothing can be written.
        self.path: Path | None = path or user_cache_path("recallproof") / "unfinished.jsonl"

    @property
    def samples(self) -> Path | None:
        """The folder for measurements under way."""
        return None if self.path is None else self.path.with_name("unfinished-samples")

    def begin(self, settings: Settings, *, keep: bool) -> bool:
        """Start afresh, or go on after what is there if *keep*; whether there is a place to write."""
        if self.path is None:
            return False
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if not keep:
                self._forget_samples()
                self.path.write_text(json.dumps(settings.identity()) + "\n", encoding="utf-8")
        except OSError:
            self.path = None
        return self.path is not None

    def _forget_samples(self) -> None:
        if self.samples is not None:
            shutil.rmtree(self.samples, ignore_errors=True)

    def add(self, check: Check, evidence: Evidence) -> None:
        """Append one finished check. What broke or was stopped is left to be run again."""
        if self.path is None or evidence.verdict is Verdict.ERROR or evidence.timed_out:
            return
        line = json.dumps({"check": check.key, "evidence": plain(asdict(evidence))})
        try:
            with self.path.open("a", encoding="utf-8") as stream:
                stream.write(line + "\n")
        except OSError:
            self.path = None

    def end(self, reported: Iterable[str]) -> None:
        """Forget the run once all evidence that is kept was *reported* (by check key)."""
        if self.path is None:
            return
        with suppress(OSError, ValueError):
            lines = self.path.read_text(encoding="utf-8").splitlines()[1:]
            if {json.loads(line)["check"] for line in lines} <= set(reported):
                self.path.unlink()
                self._forget_samples()

    def load(self, settings: Settings) -> dict[str, Evidence]:
        """The finished evidence by check key.

        Raises UsageError if there is nothing to resume, or if it was another version, seed,
        profile or device. A last line cut short by a crash is dropped.
        """
        try:
            assert self.path is not None
            lines = self.path.read_text(encoding="utf-8").splitlines()
            header = dict(json.loads(lines[0]))
        except (OSError, IndexError, ValueError, TypeError):
            raise UsageError(
                "--resume: there is no interrupted run; start one without it"
            ) from None
        expected = settings.identity()
        for name, value in expected.items():
            if header.get(name) != value:
                raise UsageError(
                    f"--resume: the interrupted run had {name} {header.get(name)}, this one {value}; "
                    "ask for the same, or start afresh without --resume"
                )
        found = {}
        for line in lines[1:]:
            with suppress(ValueError, KeyError, TypeError):
                entry = json.loads(line)
                found[entry["check"]] = _evidence(entry["evidence"])
        return found


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
