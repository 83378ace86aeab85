"""What ``verify power --json`` found, read back for the page.

The file counts what was killed and names the exceptions; a claim that it does not list was not judged.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from verify.errors import UsageError
from verify.running.files import read_whole

_REMEDY = "make a new one with `verify power --json FILE`"

#: A claim and the name of a mutant.
Key = tuple[str, str]


class _Item(msgspec.Struct):
    """An exception; *why* and *proof* stand where there is one."""

    id: str
    mutant: str
    why: str = ""
    proof: str = ""

    @property
    def key(self) -> Key:
        return self.id, self.mutant


class _File(msgspec.Struct):
    mutants: int
    killed: int
    judged: dict[str, int]
    survived: list[_Item]
    unproved: list[_Item]
    set_aside: list[_Item] = msgspec.field(name="set aside")
    rejected: list[_Item] = msgspec.field(name="not accepted")


@dataclass(frozen=True)
class PowerRecord:
    """How many *mutants* were run, how many of them were *killed*, and the exceptions.

    *judged*: the number of mutants of each claim that was judged. *unproved* and *set_aside* have the
    reason, *rejected* the claims of which the statement or the correction is not accepted.
    """

    mutants: int
    killed: int
    judged: Mapping[str, int]
    survived: frozenset[Key]
    unproved: Mapping[Key, str]
    set_aside: Mapping[Key, str]
    rejected: frozenset[str]

    @classmethod
    def read(cls, path: Path) -> PowerRecord:
        """The record in the file *path*. UsageError that names the file, the fault and the remedy."""
        try:
            found = msgspec.json.decode(read_whole(path), type=_File)
        except OSError as error:
            raise UsageError(f"--power: cannot read {path}: {error.strerror}; {_REMEDY}") from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise UsageError(
                f"--power: {path} is no whole record of mutants ({error}); {_REMEDY}"
            ) from None
        return cls(
            found.mutants,
            found.killed,
            found.judged,
            frozenset(item.key for item in found.survived),
            {item.key: item.why for item in found.unproved},
            {item.key: item.proof for item in found.set_aside},
            frozenset(item.id for item in found.rejected),
        )
