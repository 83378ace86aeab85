"""What is installed here, and which roads go without: the exact one needs the package alone.

What measures comes with the extra ``numerics``. What looks for drawn memories that break a statement
needs Hypothesis as well, of the extra ``test``.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from typing import Final

from verify.claim.check import Road
from verify.errors import UsageError
from verify.typeset.words import listed

#: What each road needs beyond the dependencies of the package, with the extra that brings it.
NEEDS: Final[dict[Road, dict[str, str]]] = {
    Road.PROOFS: {},
    Road.NUMERICS: {"torch": "numerics", "scipy": "numerics"},
    Road.PROPERTIES: {"torch": "numerics", "scipy": "numerics", "hypothesis": "test"},
}


def missing(roads: Iterable[Road]) -> str:
    """What the *roads* need and is not installed, in words with the remedy; empty for nothing."""
    needed = {name: extra for road in roads for name, extra in NEEDS[road].items()}
    absent = {name: extra for name, extra in needed.items() if find_spec(name) is None}
    if not absent:
        return ""
    verb = "is" if len(absent) == 1 else "are"
    extras = ",".join(dict.fromkeys(absent.values()))
    return f"{listed(absent)} {verb} not installed; pip install 'recallproof[{extras}]'"


def usable(roads: Iterable[Road]) -> tuple[tuple[Road, ...], str]:
    """Those of the *roads* that can be taken here, and a line on the others; empty if there are none."""
    asked = tuple(roads)
    there = tuple(road for road in asked if not missing([road]))
    without = [road for road in asked if road not in there]
    if not without:
        return there, ""
    named = f"road {without[0]} is" if len(without) == 1 else f"roads {listed(without)} are"
    return there, f"The {named} left out: {missing(without)}"


def require(roads: Iterable[Road], argument: str) -> None:
    """UsageError that begins with *argument* unless all *roads* can be taken here."""
    if absent := missing(roads):
        raise UsageError(f"{argument}: {absent}")
