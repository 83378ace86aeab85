"""What a run computes with: Python, the libraries that decide and measure, and the card."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from verify.claim.check import Road
from verify.errors import UsageError
from verify.installed import require

_LIBRARIES = ("numpy", "scipy", "torch", "sympy", "python-flint", "numba", "triton", "hypothesis")


@cache
def machine(device: str) -> Mapping[str, str]:
    """Names and versions: "python", each library that is installed, and of a device that is no CPU what
    ``numerics.devices.described`` says of it. Torch is asked only of a device."""
    found = {"python": platform.python_version()}
    for name in _LIBRARIES:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    if device != "cpu":
        from numerics.devices import described

        found |= described(device)
    return found


def take_card(device: str, number: int) -> None:
    """Let the *device* of this process be its card: that of its *number*, counted round and round."""
    if device != "cpu":
        from numerics.devices import use_card

        use_card(number)


def usable_device(name: Any, argument: str) -> str:
    """The device by its real name; UsageError that begins with *argument* for one that is not there.
    Torch is asked only for another than the CPU."""
    if isinstance(name, str) and name == "cpu":
        return name
    require([Road.NUMERICS], argument)
    from numerics import InputError, resolve_device

    try:
        return str(resolve_device(name))
    except InputError as error:
        raise UsageError(f"{argument}: {error}") from None
