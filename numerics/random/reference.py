"""Values by address with numpy: the program that the others are compared with.

Serves draws on a CPU without a compiler.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import TypeVar

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
_AT_ONCE = 2**16
#: Rows drawn at once, at least, and values: numpy takes a while to go to another place of a stream.
_ROWS, _VALUES = 2**11, 2**17
#: Runs of fewer rows are not worth going there: their words are made by operations on arrays.
_FEW = 2**6

#: Four words, copied as one.
_BLOCK = np.dtype((np.void, 32))
_HALF, _HALF_BITS = np.uint64(2**32 - 1), np.uint64(32)

_Array = TypeVar("_Array", NDArray[np.uint64], NDArray[np.float64])


def words(box: Box, device: torch.device) -> Tensor:
    """The words of a box, as int64 with the same bits: (replicates, rows, d) on the device."""
    found = np.empty((box.replicates, box.rows, box.d), np.uint64)
    _to_rows(_drawn(box, lambda part: None), found.reshape(-1, box.d))
    return torch.from_numpy(found.view(np.int64)).to(device)


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
            normals = _drawn(place, _map).view(np.float64)
            if unit:
                _to_sphere(normals, box.d)
            _to_rows(normals, part.reshape(-1, box.d))


def _drawn(box: Box, then: Callable[[NDArray[np.uint64]], object]) -> NDArray[np.uint64]:
    """The words of a box, panel by panel as in `_panels`; *then* may change them where they lie."""
    found = np.empty(box.replicates * box.rows * box.d, np.uint64)
    done = 0
    for end in _few(box, found) if box.rows < _FEW else _generated(box, found):
        # What was written last is still near the processor.
        if end - done >= _AT_ONCE or end == len(found):
            then(found[done:end])
            done = end
    return found


def _panels(values: _Array, d: int) -> tuple[_Array, _Array]:
    """Of values (n * d,), panel by panel: the whole panels (d // 4, n, 4), and the rest (n, d % 4).

    What is made of them goes along runs of n, however few coordinates a row has.
    """
    n = len(values) // d
    cut = d // 4 * 4 * n
    return values[:cut].reshape(d // 4, n, 4), values[cut:].reshape(n, d % 4)


def _to_rows(values: _Array, rows: _Array) -> None:
    """Values that lie panel by panel, to rows (n, d)."""
    d = rows.shape[1]
    whole, rest = _panels(values, d)
    if d % 4 == 0:
        rows.view(_BLOCK)[:] = whole.view(_BLOCK)[..., 0].T
        return
    for panel, four in enumerate(whole):
        rows[:, 4 * panel : 4 * panel + 4] = four
    rows[:, d // 4 * 4 :] = rest


def _generated(box: Box, found: NDArray[np.uint64]) -> Iterator[int]:
    """Writes the words of a box by numpy's generator; says how many there are after each panel."""
    whole, rest = _panels(found, box.d)
    # numpy counts up before each block: its first block is of the next counter.
    at = box.first + (box.start << 128) + (PURPOSE << 192) - 1
    generator = np.random.Philox(key=box.key, counter=at % 2**256)
    for panel in range(box.panels):
        for r in range(box.replicates):
            blocks = generator.random_raw(4 * box.rows).reshape(box.rows, 4)
            some = slice(r * box.rows, (r + 1) * box.rows)
            if panel < len(whole):
                whole[panel, some] = blocks
            else:
                for word in range(box.d % 4):
                    rest[some, word] = blocks[:, word]
            generator.advance((1 << 128) - box.rows)
        generator.advance((1 << 64) + (1 << 256) - (box.replicates << 128))
        yield min(4 * (panel + 1), box.d) * len(rest)


def _few(box: Box, found: NDArray[np.uint64]) -> Iterator[int]:
    """Writes the words of a box by its definition; says how many there are."""
    whole, rest = _panels(found, box.d)
    for word, each in enumerate(_philox(box)):
        panels = each.reshape(box.panels, -1)
        whole[..., word] = panels[: len(whole)]
        if word < box.d % 4:
            rest[:, word] = panels[-1]
    yield len(found)


def _philox(box: Box) -> tuple[NDArray[np.uint64], ...]:
    """The four words of each block of a box, (panels, replicates, rows) each, by its definition."""
    axes = (0, box.panels), (box.start, box.replicates), (box.first, box.rows)
    numbers = (np.uint64(first) + np.arange(count, dtype=np.uint64) for first, count in axes)
    c1, c2, c0 = np.ix_(*numbers)
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
def _pairs() -> list[NDArray[np.complex128]]:
    """The table, two columns at a time as one number, so that a piece is found by the leading bits of f
    as they are."""
    table = np.zeros((FIRST + len(pieces()), DEGREE + 1))
    table[FIRST:] = pieces()
    pairs = table.reshape(len(table), -1, 2).transpose(1, 0, 2)
    return [np.ascontiguousarray(pair).view(np.complex128)[:, 0] for pair in pairs]


def _map(drawn: NDArray[np.uint64]) -> None:
    """The normal value of each word (n,), in its place."""
    size = min(len(drawn), _AT_ONCE)
    signs, fractions = np.empty(size, np.uint64), np.empty(size, np.uint64)
    places, coefficients = np.empty(size, np.int64), np.empty(size, np.complex128)
    for at in range(0, len(drawn), _AT_ONCE):
        word = drawn[at : at + _AT_ONCE]
        n = len(word)
        sign, raw, place, c = signs[:n], fractions[:n], places[:n], coefficients[:n]
        np.left_shift(word, np.uint64(63), out=sign)
        np.right_shift(word, np.uint64(64 - FRACTION), out=raw)
        np.bitwise_or(raw, np.uint64(ONE), out=raw)
        f, bits, z = raw.view(np.float64), raw.view(np.int64), word.view(np.float64)
        np.subtract(f, OFFSET, out=f)
        np.right_shift(bits, BELOW, out=place)
        np.bitwise_and(bits, -(1 << BELOW), out=z.view(np.int64))
        t = np.subtract(f, z, out=f)
        *lower, highest = _pairs()
        # "wrap" writes to `out` without a copy; no place is outside.
        np.take(highest, place, out=c, mode="wrap")
        np.multiply(c.imag, t, out=z)
        np.add(z, c.real, out=z)
        for pair in reversed(lower):
            np.take(pair, place, out=c, mode="wrap")
            for coefficient in (c.imag, c.real):
                np.multiply(z, t, out=z)
                np.add(z, coefficient, out=z)
        np.bitwise_xor(word, sign, out=word)


def _to_sphere(values: NDArray[np.float64], d: int) -> None:
    """Divides each of the rows whose values lie panel by panel by its length, in place."""
    whole, rest = _panels(values, d)
    n, full, width = len(rest), len(whole), power_of_two(max(d, 4))
    lengths, step = np.empty(n), max(1, _AT_ONCE // width)
    squares = np.zeros((width // 4, min(step, n), 4))
    for at in range(0, n, step):
        some = slice(at, at + step)
        q = squares[:, : len(lengths[some])]
        np.square(whole[:, some], out=q[:full])
        for word in range(d % 4):
            np.square(rest[some, word], out=q[full, :, word])
        if d % 4:
            q[full, :, d % 4 :] = 0
        q[-(-d // 4) :] = 0
        half = width // 8
        while half:
            np.add(q[:half], q[half : 2 * half], out=q[:half])
            half //= 2
        a, b, c, e = q[0].T
        np.sqrt((a + c) + (b + e), out=lengths[some])
    fours, left = whole.reshape(full, 4 * n), rest.reshape(-1)
    fours /= np.repeat(lengths, 4)
    left /= np.repeat(lengths, d % 4)
