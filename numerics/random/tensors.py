"""Values by address with torch, operation by operation: on any device that torch computes on.

Serves draws on a device for which no fused program is there.
"""

from functools import cache

import torch
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

_HALF = 2**32 - 1
#: 2^27 + 1, which cuts a float64 into two halves whose products are exact.
_CUT = 134217729.0


def words(box: Box, device: torch.device) -> Tensor:
    """The words of a box, as int64 with the same bits: (replicates, rows, d)."""

    def numbers(first: int, count: int) -> Tensor:
        return torch.arange(count, dtype=torch.int64, device=device) + signed(first)

    # Axes: replicate, row, panel. The first rounds do not mix all of them: they cost next to nothing.
    c0 = numbers(box.first, box.rows)[None, :, None]
    c1 = numbers(0, box.panels)[None, None, :]
    c2 = numbers(box.start, box.replicates)[:, None, None]
    c3 = torch.full_like(c1, PURPOSE)
    for k0, k1 in box.round_keys():
        high0, low0 = _product(FACTORS[0], c0)
        high1, low1 = _product(FACTORS[1], c2)
        c0, c1, c2, c3 = high1 ^ c1 ^ signed(k0), low1, high0 ^ c3 ^ signed(k1), low0
    shape = (box.replicates, box.rows, box.panels)
    together = torch.stack([c.expand(shape) for c in (c0, c1, c2, c3)], dim=-1)
    return together.flatten(start_dim=2)[:, :, : box.d]


def fill(box: Box, out: Tensor, *, unit: bool) -> None:
    """Writes the normal values of a box, or the unit vectors, to out (replicates, rows, d), float64."""
    values = _normals(words(box, out.device))
    if unit:
        values = values / _root(_sum_of_squares(values))
    out.copy_(values)


def high_word(factor: int, words: Tensor) -> Tensor:
    """The high words of the products of a factor, 0 <= factor < 2**64, with unsigned words."""
    return _product(factor, words)[0]


def signed(word: int) -> int:
    """The int64 with the bits of a word, 0 <= word < 2**64."""
    return word - 2**64 if word >= 2**63 else word


def _product(factor: int, x: Tensor) -> tuple[Tensor, Tensor]:
    """The high and the low word of a product of unsigned words, from products of their halves."""
    low, high = factor & _HALF, factor >> 32
    x_low, x_high = x & _HALF, (x >> 32) & _HALF
    across, other = x_low * high, x_high * low
    middle = ((x_low * low >> 32) & _HALF) + (across & _HALF) + (other & _HALF)
    carried = ((across >> 32) & _HALF) + ((other >> 32) & _HALF) + ((middle >> 32) & _HALF)
    return x_high * high + carried, x * signed(factor)


@cache
def columns_on(device: torch.device) -> tuple[Tensor, ...]:
    """The table on a device, column by column, kept there."""
    return tuple(torch.from_numpy(pieces().copy()).to(device).mT.contiguous())


def _normals(drawn: Tensor) -> Tensor:
    columns = columns_on(drawn.device)
    bits = ((drawn >> (64 - FRACTION)) & (2**FRACTION - 1)) | ONE
    f = bits.view(torch.float64) - OFFSET
    bits = f.view(torch.int64)
    place = (bits >> BELOW) - FIRST
    t = f - (bits & -(1 << BELOW)).view(torch.float64)
    z = columns[DEGREE][place]
    for k in range(DEGREE - 1, -1, -1):
        z = z * t
        z = z + columns[k][place]
    return (z.view(torch.int64) ^ (drawn << 63)).view(torch.float64)


def _sum_of_squares(rows: Tensor) -> Tensor:
    """(..., d) to (..., 1), added up as a tree."""
    squares = rows * rows
    missing = power_of_two(rows.shape[-1]) - rows.shape[-1]
    squares = torch.nn.functional.pad(squares, (0, missing))
    while (half := squares.shape[-1] // 2) > 0:
        squares = squares[..., :half] + squares[..., half:]
    return squares


def _root(square: Tensor) -> Tensor:
    """The correctly rounded root of positive numbers.

    torch's root on a CPU is off by an ulp now and then. A number r is the rounded root of s where
    r before(r) < s <= r after(r), the products exact (Tuckerman's test).
    """
    root = torch.sqrt(square)
    bits = root.view(torch.int64)
    after, before = (bits + 1).view(torch.float64), (bits - 1).view(torch.float64)
    root = torch.where(_exceeds(square, root, after), after, root)
    return torch.where(_exceeds(square, bits.view(torch.float64), before), root, before)


def _exceeds(s: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """Whether s > x y, exactly, for s near x y: x y = p + e in float64 (Dekker)."""
    p = x * y
    x_high, y_high = (z * _CUT - (z * _CUT - z) for z in (x, y))
    x_low, y_low = x - x_high, y - y_high
    e = x_low * y_low - (((p - x_high * y_high) - x_low * y_high) - x_high * y_low)
    return s - p > e
