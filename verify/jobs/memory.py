"""What a process keeps of the memory that it has let go of."""

from __future__ import annotations

import ctypes
from contextlib import suppress
from functools import cache

#: M_TRIM_THRESHOLD and M_MMAP_THRESHOLD of mallopt(3), in bytes: blocks below the second are kept.
_MALLOC = {-1: 2**30, -3: 2**30}


@cache
def keep_memory() -> None:
    """Keep what is let go of for the next block of its size, up to a GiB.

    A tensor of a few megabytes is otherwise given back to the system and asked for again each time,
    which takes longer than to fill it; the nanny of a worker asks for that at every size. Where the C
    library is not that of GNU nothing is changed.
    """
    with suppress(OSError, AttributeError, TypeError):
        for setting, value in _MALLOC.items():
            ctypes.CDLL(None).mallopt(setting, value)
