"""Finished evidence on disk while a run is under way, so that an interrupt loses nothing.

One JSON object a line: a header with what the run was asked for, then a line per finished check.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path

from verify import __version__
from verify.claim import Check, Evidence, Road
from verify.errors import UsageError
from verify.report.machine import plain
from verify.settings import Settings
from verify.verdict import Verdict


class Unfinished:
    """The evidence of a run that has not ended: added to as checks finish, dropped at the end."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or user_cache_path("recallproof") / "unfinished.jsonl"

    @staticmethod
    def _header(settings: Settings) -> dict[str, Any]:
        return {
            "version": __version__,
            "seed": settings.seed,
            "profile": str(settings.profile),
            "device": settings.device,
        }

    def begin(self, settings: Settings, *, keep: bool) -> None:
        """Start afresh, or go on after what is there if *keep*."""
        with suppress(OSError):  # without a place to write, the run goes on without a net
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if not keep:
                self.path.write_text(json.dumps(self._header(settings)) + "\n", encoding="utf-8")

    def add(self, check: Check, evidence: Evidence) -> None:
        """Append one finished check. Errors and time-outs are left to be run again."""
        if evidence.verdict is Verdict.ERROR:
            return
        line = json.dumps({"check": check.key, "evidence": plain(asdict(evidence))})
        with suppress(OSError), self.path.open("a", encoding="utf-8") as stream:
            stream.write(line + "\n")

    def end(self) -> None:
        """Forget the run; it has reported."""
        with suppress(OSError):
            self.path.unlink()

    def load(self, settings: Settings) -> dict[str, Evidence]:
        """The finished evidence by check key.

        Raises UsageError if there is nothing to resume, or if it was another version, seed,
        profile or device. A last line cut short by a crash is dropped.
        """
        try:
            lines = self.path.read_text(encoding="utf-8").splitlines()
            header = json.loads(lines[0])
        except (OSError, IndexError, ValueError):
            raise UsageError(
                "--resume: there is no interrupted run; start one without it"
            ) from None
        expected = self._header(settings)
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
