"""Values by address compiled for a CPU by numba: one pass from addresses to unit vectors.

Serves large draws on a CPU. Importing this module needs numba and compiles nothing.
"""

from typing import Any

import numpy as np
import torch
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic
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
    ROUNDS,
    WEYL,
    Box,
    pieces,
    power_of_two,
)

_U = np.uint64
_A, _B = _U(FACTORS[0]), _U(FACTORS[1])
_WEYL_0, _WEYL_1 = _U(WEYL[0]), _U(WEYL[1])
_EDGE = -(1 << BELOW)
#: Values worked on at once: the buffers stay in the nearest cache.
_AT_ONCE = 1024


@intrinsic
def _high(_context: Any, a: Any, b: Any) -> Any:
    """The high word of a product of two words."""

    def generate(_target: Any, builder: Any, _signature: Any, words: Any) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(*(builder.zext(word, wide) for word in words))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), generate


@njit(inline="always")
def _philox(c0, c1, c2, k0, k1):
    c3 = _U(PURPOSE)
    for _ in range(ROUNDS):
        high0, low0 = _high(_A, c0), _A * c0
        high1, low1 = _high(_B, c2), _B * c2
        c0, c1, c2, c3 = high1 ^ c1 ^ k0, low1, high0 ^ c3 ^ k1, low0
        k0 += _WEYL_0
        k1 += _WEYL_1
    return c0, c1, c2, c3


@njit(cache=True)
def _draw_words(k0, k1, replicate, first, rows, d, out):
    """The words of rows of one replicate, to out (rows * d,)."""
    panels = (d + 3) // 4
    for i in range(rows):
        for panel in range(panels):
            a, b, c, e = _philox(first + _U(i), _U(panel), replicate, k0, k1)
            at, left = i * d + 4 * panel, d - 4 * panel
            out[at] = a
            if left > 1:
                out[at + 1] = b
            if left > 2:
                out[at + 2] = c
            if left > 3:
                out[at + 3] = e


@njit(cache=True)
def _fill(k0, k1, start, first, width, unit, table, out):
    """The values of a box, to out (replicates, rows, d)."""
    replicates, rows, d = out.shape
    step = max(1, _AT_ONCE // d)
    drawn = np.empty(step * d, np.uint64)
    f, edge, z = np.empty(step * d), np.empty(step * d), np.empty(step * d)
    f_bits, edge_bits, z_bits = f.view(np.int64), edge.view(np.int64), z.view(np.int64)
    squares = np.zeros(width)
    for r in range(replicates):
        for at in range(0, rows, step):
            some = min(step, rows - at)
            n = some * d
            _draw_words(k0, k1, start + _U(r), first + _U(at), some, d, drawn)
            for i in range(n):
                f_bits[i] = np.int64(drawn[i] >> _U(64 - FRACTION)) | ONE
            for i in range(n):
                f[i] -= OFFSET
            for i in range(n):
                edge_bits[i] = f_bits[i] & _EDGE
            for i in range(n):
                piece, t = (f_bits[i] >> BELOW) - FIRST, f[i] - edge[i]
                value = table[piece, DEGREE]
                for k in range(DEGREE - 1, -1, -1):
                    value = value * t + table[piece, k]
                z[i] = value
            for i in range(n):
                z_bits[i] ^= np.int64(drawn[i] << _U(63))
            if not unit:
                for i in range(some):
                    out[r, at + i] = z[i * d : (i + 1) * d]
                continue
            for i in range(some):
                row = z[i * d : (i + 1) * d]
                for j in range(d):
                    squares[j] = row[j] * row[j]
                squares[d:] = 0.0
                half = width // 2
                while half:
                    for j in range(half):
                        squares[j] += squares[j + half]
                    half //= 2
                length = np.sqrt(squares[0])
                for j in range(d):
                    out[r, at + i, j] = row[j] / length


def fill(box: Box, out: Tensor, *, unit: bool) -> None:
    """Writes the normal values of a box, or the unit vectors, to out (replicates, rows, d), float64."""
    k0, k1 = box.round_keys()[0]
    array: NDArray[np.float64] = out.numpy()
    width = power_of_two(box.d)
    _fill(_U(k0), _U(k1), _U(box.start), _U(box.first), width, unit, pieces(), array)


def words(box: Box, device: torch.device) -> Tensor:
    """The words of a box, as int64 with the same bits: (replicates, rows, d) on the device."""
    k0, k1 = box.round_keys()[0]
    out = np.empty((box.replicates, box.rows, box.d), np.uint64)
    for r in range(box.replicates):
        number = _U(box.start + r)
        _draw_words(_U(k0), _U(k1), number, _U(box.first), box.rows, box.d, out[r].reshape(-1))
    return torch.from_numpy(out.view(np.int64)).to(device)
