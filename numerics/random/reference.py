"""Values by address with numpy: the program that the others are compared with.

Serves draws on a CPU without a compiler.
"""

from functools import cache

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from numerics.random.law import (
    BELOW,
    DEGREE,
    FIRST,
    FRACTION,
    OFFSET,
    ONE,
    PURPOSE,
    Box,
    pieces,
    power_of_two,
)

#: Values worked on at once, so that what is made of them stays near the processor.
_AT_ONCE = 16384
#: Sums of fewer columns are made column by column: numpy is slow along short rows.
_SHORT = 16


def words(box: Box, device: torch.device) -> Tensor:
    """The words of a box, as int64 with the same bits: (replicates, rows, d) on the device."""
    return torch.from_numpy(_words(box).view(np.int64)).to(device)


def fill(box: Box, out: Tensor, *, unit: bool) -> None:
    """Writes the normal values of a box, or the unit vectors, to out (replicates, rows, d), float64."""
    values: NDArray[np.float64] = out.numpy().reshape(-1, box.d)
    _map(_words(box).reshape(-1), values.reshape(-1))
    if unit:
        _to_sphere(values)


def _words(box: Box) -> NDArray[np.uint64]:
    drawn = np.empty((box.replicates, box.panels, box.rows, 4), np.uint64)
    generator = np.random.Philox(key=box.key)
    state = generator.state
    counter = state["state"]["counter"]
    for r in range(box.replicates):
        for panel in range(box.panels):
            # numpy counts up before each block: its first block is of the next counter.
            before = box.first + (panel << 64) + ((box.start + r) << 128) + (PURPOSE << 192) - 1
            counter[:] = [(before >> shift) & (2**64 - 1) for shift in (0, 64, 128, 192)]
            generator.state = state
            drawn[r, panel] = generator.random_raw(4 * box.rows).reshape(-1, 4)
    by_rows = drawn.transpose(0, 2, 1, 3).reshape(box.replicates, box.rows, 4 * box.panels)
    return np.ascontiguousarray(by_rows[:, :, : box.d])


@cache
def _columns() -> list[NDArray[np.float64]]:
    return [np.ascontiguousarray(column) for column in pieces().T]


def _map(drawn: NDArray[np.uint64], values: NDArray[np.float64]) -> None:
    """The normal value of each word (n,), written to `values` (n,)."""
    columns = _columns()
    size = min(len(drawn), _AT_ONCE)
    fractions, coefficients = np.empty(size, np.uint64), np.empty(size)
    distances, places = np.empty(size), np.empty(size, np.int64)
    for at in range(0, len(drawn), _AT_ONCE):
        word, z = drawn[at : at + _AT_ONCE], values[at : at + _AT_ONCE]
        n = len(word)
        raw, t, place, c = fractions[:n], distances[:n], places[:n], coefficients[:n]
        np.right_shift(word, np.uint64(64 - FRACTION), out=raw)
        np.bitwise_or(raw, np.uint64(ONE), out=raw)
        f, bits = raw.view(np.float64), raw.view(np.int64)
        np.subtract(f, OFFSET, out=f)
        np.right_shift(bits, BELOW, out=place)
        np.subtract(place, FIRST, out=place)
        np.bitwise_and(bits, -(1 << BELOW), out=t.view(np.int64))
        np.subtract(f, t, out=t)
        # "clip" writes to `out` without a copy; no place is outside.
        np.take(columns[DEGREE], place, out=z, mode="clip")
        for k in range(DEGREE - 1, -1, -1):
            np.multiply(z, t, out=z)
            np.take(columns[k], place, out=c, mode="clip")
            np.add(z, c, out=z)
        np.left_shift(word, np.uint64(63), out=raw)
        np.bitwise_xor(z.view(np.uint64), raw, out=z.view(np.uint64))


def _to_sphere(rows: NDArray[np.float64]) -> None:
    """Divides each row of (n, d) by its length, in place."""
    d = rows.shape[1]
    width = power_of_two(d)
    step = max(1, _AT_ONCE // width)
    squares = np.zeros((min(step, len(rows)), width))
    for at in range(0, len(rows), step):
        part = rows[at : at + step]
        q = squares[: len(part)]
        np.multiply(part, part, out=q[:, :d])
        q[:, d:] = 0
        half = width // 2
        while half >= _SHORT:
            np.add(q[:, :half], q[:, half : 2 * half], out=q[:, :half])
            half //= 2
        while half:
            for column in range(half):
                np.add(q[:, column], q[:, column + half], out=q[:, column])
            half //= 2
        part /= np.sqrt(q[:, :1])
