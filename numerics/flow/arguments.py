"""Checks of what the functions of the flow are given: numbers, arrays of floats, times.

Serves the flows of Sec. 5 of arXiv 2412.06538: nothing is converted that would lose a digit or a sign.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numerics.errors import InputError

Array = NDArray[np.float64]


def check_number(name: str, value: Any, remedy: str) -> float:
    """`value` as a float; InputError with `remedy` unless it is a real number, finite as a float."""
    real = isinstance(value, int | float | np.integer | np.floating)
    if isinstance(value, bool) or not real:
        raise InputError(f"{name} = {value!r} is no number: {remedy}")
    try:
        found = float(value)
    except OverflowError:
        raise InputError(f"{name} is beyond all floats: {remedy}") from None
    if not math.isfinite(found):
        raise InputError(f"{name} = {found} is no finite number: {remedy}")
    return found


def check_floats(name: str, values: Any) -> None:
    """Raise InputError unless `values` is a numpy array of dtype float64."""
    if type(values) is not np.ndarray:
        raise InputError(
            f"{name} is of type {type(values).__name__}: pass a numpy array of float64, as "
            "np.asarray(..., dtype=np.float64) makes"
        )
    if values.dtype != np.float64:
        raise InputError(f"{name} has dtype {values.dtype}: pass {name}.astype(np.float64)")


def converted(name: str, values: Any, remedy: str) -> Array:
    """`values`, an array or nested lists of real numbers, as float64; InputError with `remedy`."""
    try:
        found = np.asarray(values)
        real = found.dtype.kind in "iufO"
        numbers = found.astype(np.float64) if real else None
    except (TypeError, ValueError, OverflowError, RuntimeError):
        numbers = None
    if numbers is None:
        raise InputError(
            f"{name} of type {type(values).__name__} is no array of real numbers: {remedy}"
        )
    return numbers
