"""Threads that are told to end."""

from __future__ import annotations

import ctypes


def interrupt(thread: int, error: type[BaseException] | None) -> None:
    """Raise *error* in a thread when it next runs Python; None takes back what has not been raised."""
    what = ctypes.py_object(error) if error is not None else None
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), what)
