"""The results of whole runs, kept so that a claim need not be judged again to be shown.

A file is named after the sources that found them and what was asked; no other sources read it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from verify.claim import Registry
from verify.errors import UsageError
from verify.jobs.sources import sources
from verify.running.cache import cache_folder
from verify.running.files import write_atomic
from verify.running.runner import RunResult
from verify.running.settings import Settings
from verify.running.stored_run import read_run

#: So many files are kept, the latest.
_MOST = 20


def keep_results(data: bytes, result: RunResult) -> None:
    """Keep *data*, the JSON of a whole run, in place of what was found for the same before."""
    asked = {
        **result.settings.identity(),
        "roads": list(result.settings.roads),
        "claims": [one.claim.id for one in result.results],
    }
    name = hashlib.blake2b(json.dumps(asked).encode(), digest_size=8).hexdigest()
    folder = cache_folder("results")
    with suppress(OSError, UsageError):  # nothing is lost that was not shown
        folder.mkdir(parents=True, exist_ok=True)
        write_atomic(folder / f"{sources()}-{name}.json", data)
        for path in _latest_first(folder.glob("*.json"))[_MOST:]:
            path.unlink(missing_ok=True)


def kept_results(
    registry: Registry, ids: Iterable[str], settings: Settings
) -> tuple[RunResult, datetime] | None:
    """The latest results that have the claims *ids*, all roads and the seed of *settings*, and the time
    (UTC) when they were kept; None if there are none."""
    wanted, roads = set(ids), set(settings.roads)
    for path in kept_files():
        try:
            found = read_run(path, registry)
            kept = datetime.fromtimestamp(path.stat().st_mtime, UTC)
        except (OSError, UsageError):
            continue
        like = found.settings.seed == settings.seed and roads <= set(found.settings.roads)
        if like and wanted <= {one.claim.id for one in found.results}:
            return found, kept
    return None


def kept_files() -> Iterator[Path]:
    """Results that these sources can read, the latest first."""
    yield from _latest_first(cache_folder("results").glob(f"{sources()}-*.json"))


def _latest_first(paths: Iterable[Path]) -> list[Path]:
    dated = []
    for path in paths:
        with suppress(OSError):
            if path.is_file():  # a pipe would be waited for
                dated.append((path.stat().st_mtime_ns, path))
    return [path for _, path in sorted(dated, reverse=True)]
