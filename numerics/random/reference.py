"""Values by address with numpy: the program that the others are compared with.

Serves draws on a CPU without a compiler.
"""

from dataclasses import replace
from functools import cache

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from numerics.random.law import (
    BELOW,
    DEGREE,
    FACTORS,
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
_AT_ONCE = 2**15
#: Rows drawn at once, at least, and values: numpy takes a while to go to another place of a stream.
_ROWS, _VALUES = 2**10, 2**16
#: Runs of fewer rows are not worth going there: their words are made by operations on arrays.
_FEW = 2**6

#: Four words, copied as one.
_BLOCK = np.dtype((np.void, 32))
_HALF, _HALF_BITS = np.uint64(2**32 - 1), np.uint64(32)


def words(box: Box, device: torch.device) -> Tensor:
    """The words of a box, as int64 with the same bits: (replicates, rows, d) on the device."""
    return torch.from_numpy(_words(box).view(np.int64)).to(device)


def fill(box: Box, out: Tensor, *, unit: bool) -> None:
    """Writes the normal values of a box, or the unit vectors, to out (replicates, rows, d), float64."""
    values: NDArray[np.float64] = out.numpy()
    rows = max(_ROWS, _VALUES // box.d)
    together = max(1, _VALUES // (box.rows * box.d or 1))
    for r in range(0, box.replicates, together):
        for i in range(0, box.rows, rows):
            part = values[r : r + together, i : i + rows]
            place = replace(
                box,
                start=box.start + r,
                replicates=len(part),
                first=box.first + i,
                rows=part.shape[1],
            )
            flat = part.reshape(-1, box.d)
            _map(_words(place).reshape(-1), flat.reshape(-1))
            if unit:
                _to_sphere(flat)


def _words(box: Box) -> NDArray[np.uint64]:
    """The words of a box: (replicates, rows, d)."""
    drawn = np.empty((box.replicates, box.rows, box.panels, 4), np.uint64)
    if box.rows < _FEW:
        for word, found in enumerate(_philox(box)):
            drawn[..., word] = found
    else:
        _generated(box, drawn)
    together = drawn.reshape(box.replicates, box.rows, 4 * box.panels)
    return np.ascontiguousarray(together[:, :, : box.d])


def _generated(box: Box, drawn: NDArray[np.uint64]) -> None:
    """The words of a box by numpy's generator, to drawn (replicates, rows, panels, 4)."""
    blocks = drawn.view(_BLOCK)[..., 0]
    # numpy counts up before each block: its first block is of the next counter.
    at = box.first + (box.start << 128) + (PURPOSE << 192) - 1
    generator = np.random.Philox(key=box.key, counter=at % 2**256)
    for r in range(box.replicates):
        for panel in range(box.panels):
            blocks[r, :, panel] = generator.random_raw(4 * box.rows).view(_BLOCK)
            generator.advance((1 << 64) - box.rows)
        generator.advance((1 << 128) - (box.panels << 64))


def _philox(box: Box) -> tuple[NDArray[np.uint64], ...]:
    """The four words of each block of a box, (replicates, rows, panels) each, by its definition."""
    axes = (box.start, box.replicates), (box.first, box.rows), (0, box.panels)
    numbers = (np.uint64(first) + np.arange(count, dtype=np.uint64) for first, count in axes)
    c2, c0, c1 = np.ix_(*numbers)
    c3 = np.full_like(c1, PURPOSE)
    for k0, k1 in box.round_keys():
        high0, low0 = _product(FACTORS[0], c0)
        high1, low1 = _product(FACTORS[1], c2)
        c0, c1, c2, c3 = high1 ^ c1 ^ np.uint64(k0), low1, high0 ^ c3 ^ np.uint64(k1), low0
    return c0, c1, c2, c3


def _product(factor: int, x: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """The high and the low word of a product, from products of their halves."""
    low, high = np.uint64(factor % 2**32), np.uint64(factor >> 32)
    x_low, x_high = x & _HALF, x >> _HALF_BITS
    across, other = x_low * high, x_high * low
    middle = (x_low * low >> _HALF_BITS) + (across & _HALF) + (other & _HALF)
    carried = (across >> _HALF_BITS) + (other >> _HALF_BITS) + (middle >> _HALF_BITS)
    return x_high * high + carried, x * np.uint64(factor)


@cache
def _columns() -> list[NDArray[np.float64]]:
    """The table, column by column, so that a piece is found by the leading bits of f as they are."""
    table = np.empty((DEGREE + 1, FIRST + len(pieces())))
    table[:, FIRST:] = pieces().T
    return list(table)


def _map(drawn: NDArray[np.uint64], values: NDArray[np.float64]) -> None:
    """The normal value of each word (n,), written to `values` (n,)."""
    columns = _columns()
    size = min(len(drawn), _AT_ONCE)
    fractions, coefficients = np.empty(size, np.uint64), np.empty(size)
    places = np.empty(size, np.int64)
    for at in range(0, len(drawn), _AT_ONCE):
        word, z = drawn[at : at + _AT_ONCE], values[at : at + _AT_ONCE]
        n = len(word)
        raw, place, c = fractions[:n], places[:n], coefficients[:n]
        np.right_shift(word, np.uint64(64 - FRACTION), out=raw)
        np.bitwise_or(raw, np.uint64(ONE), out=raw)
        f, bits = raw.view(np.float64), raw.view(np.int64)
        np.subtract(f, OFFSET, out=f)
        np.right_shift(bits, BELOW, out=place)
        np.bitwise_and(bits, -(1 << BELOW), out=c.view(np.int64))
        t = np.subtract(f, c, out=f)
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
    # One coordinate after another: every sum then goes along long runs.
    squares = np.empty((width, min(step, len(rows))))
    for at in range(0, len(rows), step):
        part = rows[at : at + step]
        q = squares[:, : len(part)]
        np.multiply(part.T, part.T, out=q[:d])
        q[d:] = 0
        half = width // 2
        while half:
            np.add(q[:half], q[half : 2 * half], out=q[:half])
            half //= 2
        part /= np.sqrt(q[0])[:, None]
