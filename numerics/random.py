"""Seeded, counter-based random streams and the embedding laws drawn from them.

Serves Sec. 3 of arXiv 2412.06538: i.i.d. uniform unit vectors for inputs and outputs.
"""

import hashlib

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from numerics.checks import check_float_dtype, check_integer
from numerics.errors import InputError

# Part of the definition of every sample: changing either number changes all sampled values.
ROW_BLOCK = 1024
REPLICATE_BLOCK = 256

_WORD_MAX = 2**64 - 1


def _encode(part: str | int) -> bytes:
    # The tag and the length make the concatenation of parts uniquely decodable, so no two
    # different names share a key: ("a", "b") and ("ab",), or 1 and "1", stay apart.
    tag = b"s" if isinstance(part, str) else b"i"
    payload = str(part).encode("utf-8")
    return tag + len(payload).to_bytes(8, "little") + payload


class Stream:
    """A named random stream, cut into numbered blocks that can be drawn in any order.

    The key is the 128-bit BLAKE2b hash of (seed, *name); block i starts the Philox counter at
    i * 2**128, so blocks of one stream never overlap. Values depend on the key, the block
    number and numpy's variate algorithms alone: not on batch sizes, workers or devices.

    Raises InputError unless 0 <= seed <= 2**64 - 1 and every name part is a str or an int.
    Source: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011 (Philox).
    """

    def __init__(self, seed: int, *name: str | int) -> None:
        check_integer("seed", seed, minimum=0, maximum=_WORD_MAX)
        for part in name:
            if isinstance(part, bool) or not isinstance(part, str | int):
                raise InputError(f"stream name part {part!r} is neither str nor int: pass one")
        self.seed = seed
        self.name = name
        encoding = b"".join(_encode(part) for part in (seed, *name))
        digest = hashlib.blake2b(encoding, digest_size=16, person=b"recallproof").digest()
        self._key = int.from_bytes(digest, "little")

    @classmethod
    def of(cls, seed: "int | Stream") -> "Stream":
        """The stream of a seed, or the stream itself."""
        return seed if isinstance(seed, Stream) else cls(seed)

    def __repr__(self) -> str:
        return f"Stream{(self.seed, *self.name)!r}"

    def child(self, *name: str | int) -> "Stream":
        """The stream whose name is this one's followed by `name`."""
        return Stream(self.seed, *self.name, *name)

    def block(self, index: int) -> np.random.Generator:
        """A fresh generator at the start of block `index`, 0 <= index <= 2**64 - 1."""
        check_integer("block index", index, minimum=0, maximum=_WORD_MAX)
        # Philox counts upwards from the low words, so the high words never change.
        return np.random.Generator(np.random.Philox(key=self._key, counter=index << 128))


def _unit(gaussian: NDArray[np.float64]) -> NDArray[np.float64]:
    """Project Gaussian vectors (..., d) to the sphere, in place."""
    if gaussian.shape[-1] == 1:
        # Division would turn a draw of exactly zero (chance about 2**-52) into a NaN.
        return np.copysign(1.0, gaussian, out=gaussian)
    # One numpy reduction over the last axis: its order does not depend on the number of rows.
    gaussian /= np.sqrt(np.add.reduce(gaussian * gaussian, axis=-1, keepdims=True))
    return gaussian


def _sample_rows(
    count: int,
    d: int,
    stream: Stream,
    dtype: torch.dtype,
    device: torch.device | str,
    *,
    project: bool,
    scale: float,
) -> Tensor:
    check_integer("count", count, minimum=0)
    check_integer("d", d, minimum=1)
    check_float_dtype("dtype", dtype)
    sample = torch.empty((count, d), dtype=dtype, device=device)
    for index, start in enumerate(range(0, count, ROW_BLOCK)):
        stop = min(start + ROW_BLOCK, count)
        gaussian = stream.block(index).standard_normal((stop - start, d))
        rows = _unit(gaussian) if project else gaussian * scale
        sample[start:stop] = torch.from_numpy(rows)
    return sample


def sample_sphere(
    count: int,
    d: int,
    *,
    stream: Stream,
    dtype: torch.dtype = torch.float64,
    device: torch.device | str = "cpu",
) -> Tensor:
    """Draw `count` i.i.d. uniform points of the unit sphere in R^d: a tensor (count, d).

    count >= 0, d >= 1 (d = 1: signs); dtype float32 or float64; InputError otherwise. Rows
    are drawn and normalised in float64, then cast, so every dtype and device holds the same
    points up to rounding, and a shorter sample is a prefix of a longer one. Two calls on one
    stream give the same points: use `stream.child(...)` for independent samples.
    """
    return _sample_rows(count, d, stream, dtype, device, project=True, scale=1.0)


def sample_gaussian(
    count: int,
    d: int,
    *,
    stream: Stream,
    std: float = 1.0,
    dtype: torch.dtype = torch.float64,
    device: torch.device | str = "cpu",
) -> Tensor:
    """Draw `count` vectors of d i.i.d. N(0, std^2) coordinates: a tensor (count, d).

    count >= 0, d >= 1, std finite and >= 0; InputError otherwise. Prefix and device behaviour
    as for `sample_sphere`.
    """
    if not 0.0 <= std < float("inf"):
        raise InputError(f"std = {std} is not a scale: pass a finite number >= 0")
    return _sample_rows(count, d, stream, dtype, device, project=False, scale=std)


def replicate_blocks(replicates: int, start: int) -> list[tuple[int, int, slice]]:
    """The blocks of replicates start, start + 1, ...: number, how many are drawn, and where they go.

    replicates >= 0 and start >= 0 a multiple of REPLICATE_BLOCK; InputError otherwise.
    """
    check_integer("replicates", replicates, minimum=0)
    check_integer("start", start, minimum=0)
    if start % REPLICATE_BLOCK:
        raise InputError(
            f"start = {start} lies inside a block: pass a multiple of {REPLICATE_BLOCK}"
        )
    sizes = [
        (at, min(REPLICATE_BLOCK, replicates - at)) for at in range(0, replicates, REPLICATE_BLOCK)
    ]
    return [((start + at) // REPLICATE_BLOCK, n, slice(at, at + n)) for at, n in sizes]


def _sample_replicates(
    replicates: int, rows: int, d: int, stream: Stream, start: int, *, project: bool
) -> Tensor:
    check_integer("rows", rows, minimum=1)
    check_integer("d", d, minimum=1)
    blocks = replicate_blocks(replicates, start)
    sample = torch.empty((replicates, rows, d), dtype=torch.float64)
    for block, count, where in blocks:
        gaussian = stream.block(block).standard_normal((count, rows, d))
        sample[where] = torch.from_numpy(_unit(gaussian) if project else gaussian)
    return sample


def replicate_spheres(
    replicates: int, rows: int, d: int, *, stream: Stream, start: int = 0
) -> Tensor:
    """Draw `replicates` independent sets of uniform unit vectors: float64 (replicates, rows, d).

    Entry i is replicate number start + i, whose values depend on that number alone (for given
    rows and d). replicates >= 0, rows >= 1, d >= 1, and start >= 0 a multiple of
    REPLICATE_BLOCK; InputError otherwise.
    """
    return _sample_replicates(replicates, rows, d, stream, start, project=True)


def replicate_gaussians(
    replicates: int, rows: int, d: int, *, stream: Stream, start: int = 0
) -> Tensor:
    """Draw `replicates` independent sets of standard Gaussian vectors: float64 (replicates, rows, d).

    Numbering, ranges and errors as for `replicate_spheres`, whose vectors are these, projected.
    """
    return _sample_replicates(replicates, rows, d, stream, start, project=False)
