"""Reading regular files alone, and writing so that an old one stays whole until the new one is
complete, on the disk too."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from verify.errors import UsageError


def read_whole(path: Path, most: int = -1) -> bytes:
    """The bytes of a file, or its first *most*; OSError also for what is no regular file, since a pipe
    or a device could be waited for without end."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as stream:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "it is a pipe or a device, not a file", str(path))
        return stream.read(most)


def write_atomic(path: Path, content: str | bytes, *, option: str = "") -> None:
    """Replace *path* by a complete new file, or leave it as it is.

    A link stays and what it points to is replaced; a device or a pipe is written to. Raises
    UsageError that begins with *option*, with the path and the reason, if it cannot be written.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    try:
        if _is_stream(path):
            _pour(path, data)
        else:
            _replace(Path(os.path.realpath(path)), data)
    except OSError as error:
        said = f"{option}: " if option else ""
        why = "nothing reads the pipe" if error.errno == errno.ENXIO else error.strerror
        raise UsageError(f"{said}cannot write {path}: {why}; choose another path") from None


def require_writable(option: str, path: Path) -> None:
    """UsageError if nothing could be written to *path*, before any work is done for it."""
    try:
        folder = path.is_dir()
    except OSError as error:  # a name that is too long
        raise UsageError(f"{option}: {path}: {error.strerror}; choose another path") from None
    if folder or str(path) in ("", ".", "-"):
        raise UsageError(f"{option}: {str(path)!r} is no file name; name a file")
    there = Path(os.path.realpath(path))
    if not there.parent.is_dir():
        raise UsageError(
            f"{option}: the folder {there.parent} does not exist; create it or choose another path"
        )
    try:
        if path.exists() and not os.access(path, os.W_OK):
            raise UsageError(f"{option}: {path} is not writable; choose another path")
        if _is_stream(path):
            return
        handle, probe = tempfile.mkstemp(dir=there.parent, prefix=f".{there.name}.")
    except OSError as error:
        raise UsageError(
            f"{option}: {path} is not writable ({error.strerror}); choose another path"
        ) from None
    os.close(handle)
    os.unlink(probe)


def require_apart(paths: Mapping[str, Path | None]) -> None:
    """UsageError if two options, by their names, are given the same file."""
    taken: dict[str, str] = {}
    for option, path in paths.items():
        if path is None or str(path) == "-":
            continue
        with suppress(OSError):  # said where it is written
            if _is_stream(path):
                continue
        other = taken.setdefault(os.path.normcase(os.path.realpath(path)), option)
        if other != option:
            raise UsageError(f"{option}: {path} is what {other} names too; take another file")


def _is_stream(path: Path) -> bool:
    """Whether *path* is a device or a pipe, to be written to; OSError for what takes nothing."""
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return False
    if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
        return False
    if stat.S_ISCHR(mode) or stat.S_ISFIFO(mode):
        return True
    raise OSError(errno.EINVAL, "it is neither a file nor a pipe")


def _pour(path: Path, data: bytes) -> None:
    # Without O_NONBLOCK a pipe that nothing reads would be waited for, without end.
    handle = os.open(path, os.O_WRONLY | getattr(os, "O_NONBLOCK", 0))
    os.set_blocking(handle, True)
    with os.fdopen(handle, "wb") as stream:
        stream.write(data)


def _replace(path: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(name, _mode(path))
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise
    with suppress(OSError):  # not every system opens folders
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _mode(path: Path) -> int:
    """The rights of the file that is replaced; of a new one, what the user lets new files have."""
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
