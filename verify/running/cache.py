"""Where the program keeps what it may need again: unfinished runs, results, parts of recalls."""

from __future__ import annotations

from pathlib import Path

from filelock import FileLock
from platformdirs import user_cache_path


def cache_folder(purpose: str) -> Path:
    """The folder for one purpose, which may not be there yet: "runs", "results", "recall" or "locks"."""
    return user_cache_path("recallproof") / purpose


def lock_of(parts: Path) -> FileLock:
    """What the process holds that is at work on the parts of a recall; not waited for."""
    return FileLock(cache_folder("locks") / f"{parts.stem}.lock", timeout=0)


def size_of(path: Path) -> int:
    """The bytes of a file, or of all files in a folder; what goes away meanwhile counts nothing."""
    total = 0
    for item in path.rglob("*") if path.is_dir() else [path]:
        try:
            total += item.stat().st_size if item.is_file() else 0
        except OSError:
            continue
    return total
