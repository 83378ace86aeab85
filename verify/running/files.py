"""Writing files so that an old one stays whole until the new one is complete."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from verify.errors import UsageError


def write_atomic(path: Path, content: str | bytes) -> None:
    """Replace *path* by a complete new file, or leave it as it is.

    Raises UsageError with the path and the reason if it cannot be written.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
            os.chmod(name, 0o666 & ~_umask())
            os.replace(name, path)
        except BaseException:
            with suppress(OSError):
                os.unlink(name)
            raise
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}; choose another path") from None


def require_writable(option: str, path: Path) -> None:
    """UsageError if a file at *path* could not be written, before any work is done for it."""
    if path.is_dir() or str(path) in ("", ".", "-"):
        raise UsageError(f"{option}: {str(path)!r} is no file name; name a file")
    if not path.parent.is_dir():
        raise UsageError(
            f"{option}: the folder {path.parent} does not exist; create it or choose another path"
        )
    if path.exists() and not os.access(path, os.W_OK):
        raise UsageError(f"{option}: {path} is not writable; choose another path")
    try:
        handle, probe = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise UsageError(
            f"{option}: {path} is not writable ({error.strerror}); choose another path"
        ) from None
    os.close(handle)
    os.unlink(probe)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
