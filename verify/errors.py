"""The errors a user can cause, whose one line the command line prints, and what ends work."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, TypeVar

_Kind = TypeVar("_Kind", bound=StrEnum)


class UsageError(ValueError):
    """Bad input: the message names the argument, its value and the remedy."""


class CatalogueError(ValueError):
    """A claim, a check or a data file contradicts itself; the message says which and how."""


class Ended(BaseException):
    """Work is to end, from outside; no ``except Exception`` of that work may catch it."""


def among(kind: type[_Kind], argument: str, names: Any) -> tuple[_Kind, ...]:
    """What is named, of the kind; UsageError that begins with *argument* for what is not among it."""
    try:
        return tuple(map(kind, names))
    except (ValueError, TypeError):
        raise UsageError(
            f"{argument}: {names!r} names what is not known; take some of {', '.join(kind)}"
        ) from None


def one_of(kind: type[_Kind], argument: str, name: Any) -> _Kind:
    """The one of the kind that is named; UsageError that begins with *argument* for any other."""
    try:
        return kind(name)
    except (ValueError, TypeError):
        raise UsageError(
            f"{argument}: {name!r} is not known; take one of {', '.join(kind)}"
        ) from None
