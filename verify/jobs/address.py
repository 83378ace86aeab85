"""How the address of a scheduler is written."""

from __future__ import annotations

import re
from typing import Any

from verify.errors import UsageError

_ADDRESS = re.compile(r"(tcp|tls)://[^\s/]+:([0-9]{1,5})", re.ASCII)


def is_address(given: Any) -> bool:
    """Whether it is the address of a scheduler, as far as one can see."""
    found = _ADDRESS.fullmatch(given) if isinstance(given, str) else None
    return found is not None and 0 < int(found[2]) < 2**16


def no_address(given: Any) -> str:
    """That it is none, and how one is written."""
    return (
        f"{given!r} is no address of a scheduler; write tcp://HOST:PORT or tls://HOST:PORT, the port "
        "from 1 to 65535"
    )


def require_address(argument: str, given: Any) -> None:
    """UsageError that begins with *argument* for what is no address of a scheduler."""
    if not is_address(given):
        raise UsageError(f"{argument}: {no_address(given)}")
