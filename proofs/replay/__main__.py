"""``python -m proofs.replay FILE``: confirm a derivation record; ``-`` reads standard input.

Exits 0 if all is confirmed, 1 if something is wrong or was not checked, 2 for what is no record.
"""

from __future__ import annotations

import sys
from pathlib import Path

from proofs.replay import RecordError, replay

_USAGE = "usage: python -m proofs.replay FILE (- for standard input)\n"


def main(arguments: list[str]) -> int:
    """The exit status for the command line *arguments*."""
    if arguments in (["-h"], ["--help"]):
        sys.stdout.write(f"{__doc__}\n")
        return 0
    if len(arguments) != 1:
        sys.stderr.write(_USAGE)
        return 2
    (name,) = arguments
    try:
        text = sys.stdin.read() if name == "-" else _read(Path(name))
        found = replay(text)
    except (OSError, RecordError, UnicodeDecodeError) as error:
        sys.stderr.write(f"{_shown(f'{name}: {error}')}\n")
        return 2
    sys.stdout.write(f"{_shown(str(found))}\n")
    return 0 if found.confirmed else 1


def _shown(text: str) -> str:
    """The lines of a text, what cannot be seen of them by its number."""
    return "".join(it if it.isprintable() or it == "\n" else f"\\u{ord(it):04x}" for it in text)


def _read(path: Path) -> str:
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise RecordError("this is a pipe or a device, which could be waited for; name a file")
    return path.read_text(encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
