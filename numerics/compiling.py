"""Modules that numba compiles, where it is there.

Serves the draws and the flows: what is compiled is a faster form of a module of numpy that is always
there.
"""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType


@cache
def numba_is_there() -> bool:
    """Whether a program for the CPU can be compiled."""
    return find_spec("numba") is not None


def compiled(name: str) -> ModuleType | None:
    """The module of this name, which numba compiles, or None where it cannot."""
    if not numba_is_there():
        return None
    try:
        return import_module(name)
    except RuntimeError:  # numba finds no folder that it may write to
        return None
