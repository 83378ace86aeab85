"""Values by address in one kernel of Triton: from addresses to unit vectors without a stop in memory.

Serves draws on a CUDA device where Triton is installed. Importing this module needs Triton and compiles
nothing. Rows wider than `WIDEST` are left to `tensors`.
"""

from functools import cache

import torch
import triton
import triton.language as tl
from torch import Tensor

from numerics.random import tensors
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

#: The widest row that one program of the kernel holds, a power of two.
WIDEST = 2**13
#: Values that one program of the kernel draws, unless a row has more.
_TILE = 2048
#: How the kernel is compiled: a fused multiply-add would change bits.
OPTIONS = {"enable_fp_fusion": False, "num_warps": 8}

_FACTOR_0, _FACTOR_1 = tl.constexpr(FACTORS[0]), tl.constexpr(FACTORS[1])
_WEYL_0, _WEYL_1 = tl.constexpr(WEYL[0]), tl.constexpr(WEYL[1])
_ROUNDS, _PURPOSE = tl.constexpr(ROUNDS), tl.constexpr(PURPOSE)
_SHIFT, _ONE, _OFFSET = tl.constexpr(64 - FRACTION), tl.constexpr(ONE), tl.constexpr(OFFSET)
_BELOW, _FIRST, _DEGREE = tl.constexpr(BELOW), tl.constexpr(FIRST), tl.constexpr(DEGREE)


@triton.jit
def _normal(word, table):
    """The normal value of each word."""
    bits = ((word >> _SHIFT) | _ONE).to(tl.int64)
    f = bits.to(tl.float64, bitcast=True) - _OFFSET
    bits = f.to(tl.int64, bitcast=True)
    row = table + ((bits >> _BELOW) - _FIRST) * (_DEGREE + 1)
    t = f - ((bits >> _BELOW) << _BELOW).to(tl.float64, bitcast=True)
    z = tl.load(row + _DEGREE)
    for k in tl.static_range(_DEGREE - 1, -1, -1):
        z = z * t
        z = z + tl.load(row + k)
    return (z.to(tl.int64, bitcast=True) ^ (word << 63).to(tl.int64)).to(tl.float64, bitcast=True)


@triton.jit(do_not_specialize=["k0", "k1", "start", "first", "rows", "total", "d"])
def kernel(
    out,
    table,
    k0,
    k1,
    start,
    first,
    rows,
    total,
    d,
    kind: tl.constexpr,
    some: tl.constexpr,
    levels: tl.constexpr,
):
    """Some rows of `out` (total, d), total = replicates x rows; width = 2^levels >= max(d, 4).

    kind: "words", "normals" or "units".
    """
    width: tl.constexpr = 1 << levels
    number = tl.program_id(0).to(tl.int64) * some + tl.arange(0, some)
    zero = tl.zeros([some, width // 4], tl.uint64)
    c0 = zero + (number % rows + first).to(tl.uint64)[:, None]
    c1 = zero + tl.arange(0, width // 4).to(tl.uint64)[None, :]
    c2 = zero + (number // rows + start).to(tl.uint64)[:, None]
    c3 = zero + _PURPOSE
    x0, x1 = zero + k0.to(tl.uint64), zero + k1.to(tl.uint64)
    a, b = tl.full(zero.shape, _FACTOR_0, tl.uint64), tl.full(zero.shape, _FACTOR_1, tl.uint64)
    for _ in tl.static_range(_ROUNDS):
        high0, low0 = tl.umulhi(c0, a), c0 * a
        high1, low1 = tl.umulhi(c2, b), c2 * b
        c0, c1, c2, c3 = high1 ^ c1 ^ x0, low1, high0 ^ c3 ^ x1, low0
        x0 += _WEYL_0
        x1 += _WEYL_1
    if kind == "words":
        c0, c1, c2, c3 = c0.to(tl.int64), c1.to(tl.int64), c2.to(tl.int64), c3.to(tl.int64)
    else:
        c0, c1 = _normal(c0, table), _normal(c1, table)
        c2, c3 = _normal(c2, table), _normal(c3, table)
    z = tl.reshape(tl.join(tl.join(c0, c2), tl.join(c1, c3)), (some, width))
    column = tl.arange(0, width)[None, :]
    if kind == "units":
        q = tl.where(column < d, z * z, 0.0)
        for level in tl.static_range(1, levels + 1):
            halves = tl.reshape(q, (some, 2, width >> level))
            lower, upper = tl.split(tl.permute(halves, (0, 2, 1)))
            q = lower + upper
        z = z / tl.sqrt(q)
    inside = (number[:, None] < total) & (column < d)
    tl.store(out + number[:, None] * d + column, z, mask=inside)


@cache
def _table(device: torch.device) -> Tensor:
    return torch.from_numpy(pieces().copy()).to(device)


def words(box: Box, device: torch.device) -> Tensor:
    """The words of a box, as int64 with the same bits: (replicates, rows, d) on the device."""
    if power_of_two(box.d) > WIDEST:
        return tensors.words(box, device)
    out = torch.empty((box.replicates, box.rows, box.d), dtype=torch.int64, device=device)
    _launch(box, out, "words")
    return out


def fill(box: Box, out: Tensor, *, unit: bool) -> None:
    """Writes the normal values of a box, or the unit vectors, to out (replicates, rows, d), float64."""
    if power_of_two(box.d) > WIDEST:
        tensors.fill(box, out, unit=unit)
    else:
        _launch(box, out, "units" if unit else "normals")


def _launch(box: Box, out: Tensor, kind: str) -> None:
    width = max(4, power_of_two(box.d))
    total, some = box.replicates * box.rows, max(1, _TILE // width)
    k0, k1 = (tensors.signed(word) for word in box.round_keys()[0])
    kernel[(triton.cdiv(total, some),)](
        out,
        _table(out.device),
        k0,
        k1,
        tensors.signed(box.start),
        tensors.signed(box.first),
        box.rows,
        total,
        box.d,
        kind=kind,
        some=some,
        levels=width.bit_length() - 1,
        **OPTIONS,
    )
