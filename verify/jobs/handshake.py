"""What two machines must have in common for one to compute what the other would, to the last bit."""

from __future__ import annotations

import platform
import sys
from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path

from verify.catalogue import ENTRY_POINT_GROUP
from verify.jobs.machine import machine
from verify.jobs.sources import sources

#: Lines of Linux's description of a processor that tell one kind from another.
_KIND = ("vendor_id", "cpu family", "model", "model name", "CPU implementer", "CPU part")


@cache
def described(device: str) -> Mapping[str, str]:
    """A digest of the sources, the libraries, the papers, the kind of processor, and of a
    *device* that is no CPU the card and its driver."""
    papers = sorted(
        f"{entry.name} {entry.value}" for entry in entry_points(group=ENTRY_POINT_GROUP)
    )
    return {
        "recallproof": f"sources {sources()}",
        "system": f"{platform.system()} {platform.machine()}",
        **machine(device),
        "papers": ", ".join(papers) or "none of other packages",
        "processor": _processor(),
    }


def difference(here: Mapping[str, str], there: Mapping[str, str]) -> str:
    """In which points two differ, in words; empty where they agree."""
    names = [name for name in {**here, **there} if here.get(name) != there.get(name)]
    return "; ".join(
        f"{name}: {there.get(name, 'none')} there, {here.get(name, 'none')} here" for name in names
    )


def _processor() -> str:
    """Its kind: libraries choose by it how they add, and with it the last bits of what they find."""
    if sys.platform != "linux":
        return platform.processor() or platform.machine()
    found: dict[str, str] = {}
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        name, _, value = line.partition(":")
        if name.strip() in _KIND:
            found.setdefault(name.strip(), value.strip())
    return ", ".join(found.get(name, "") for name in _KIND if name in found) or platform.machine()
