"""Embedding laws by address: what experiments draw, and which program draws it where.

Serves Sec. 3 of arXiv 2412.06538: i.i.d. uniform unit vectors for inputs and outputs.
"""

from collections.abc import Iterator

import torch
from torch import Tensor

from numerics.certified.marks import drawn, unfollowed
from numerics.checks import check_float_dtype, check_integer, check_kind
from numerics.errors import InputError
from numerics.random.law import LARGEST, Box
from numerics.random.programs import program, program_name
from numerics.random.streams import WORD_MAX, Stream
from numerics.random.tensors import high_word

#: Values drawn at once: what a program needs besides its result is a small multiple.
_AT_ONCE = 2**22
#: A bound on a unit vector's length and its coordinates, which are rounded.
_UNIT = 1 + 2.0**-40
#: With it no value overflows.
_LARGEST_STD = 1e300


def sample_sphere(
    count: int,
    d: int,
    *,
    stream: Stream,
    replicates: int | None = None,
    dtype: torch.dtype = torch.float64,
    device: torch.device | str | None = None,
) -> Tensor:
    """Draw `count` i.i.d. uniform points of the unit sphere in R^d: a tensor (count, d).

    count >= 0, d >= 1 (d = 1: signs); dtype float32 or float64; InputError otherwise. Entry [i, j] comes
    from coordinate j of row i of the stream's replicate, drawn and normalised in float64, then cast:
    the same bits on every device, and a shorter sample is a prefix of a longer one. With replicates, at
    least 1, the samples of so many, from the stream's own on: (replicates, count, d). They lie on
    `device`, torch's default one if None. Two calls on one
    stream give the same points: use `stream.child(...)` for independent samples.
    """
    check_integer("count", count, minimum=0)
    sample = _draw(_several(replicates, count, d, dtype, device), stream, 0, unit=True)
    return sample[0] if replicates is None else sample


def sample_gaussian(
    count: int,
    d: int,
    *,
    stream: Stream,
    std: float = 1.0,
    replicates: int | None = None,
    dtype: torch.dtype = torch.float64,
    device: torch.device | str | None = None,
) -> Tensor:
    """Draw `count` vectors of d i.i.d. N(0, std^2) coordinates: a tensor (count, d).

    count >= 0, d >= 1, 0 <= std <= 1e300; InputError otherwise. Addresses, prefixes, replicates and
    devices as for `sample_sphere`; coordinates do not depend on d.
    """
    if isinstance(std, bool) or not isinstance(std, int | float) or not 0.0 <= std <= _LARGEST_STD:
        raise InputError(f"std = {std!r} is not a scale: pass a number in 0..{_LARGEST_STD:g}")
    check_integer("count", count, minimum=0)
    empty = _several(replicates, count, d, dtype, device)
    sample = _draw(empty, stream, 0, unit=False, scale=std)
    return sample[0] if replicates is None else sample


def replicate_spheres(
    replicates: int,
    rows: int,
    d: int,
    *,
    stream: Stream,
    start: int = 0,
    dtype: torch.dtype = torch.float64,
    device: torch.device | str | None = None,
) -> Tensor:
    """Draw `replicates` independent sets of uniform unit vectors: a tensor (replicates, rows, d).

    Entry i is what `sample_sphere` draws from replicate start + i, counted from the stream's own.
    replicates >= 0, rows >= 1, d >= 1, start >= 0, dtype float32 or float64, no number above 2**64 - 2;
    InputError otherwise.
    """
    check_integer("rows", rows, minimum=1)
    return _draw(_empty(replicates, rows, d, dtype, device), stream, start, unit=True)


def replicate_gaussians(
    replicates: int,
    rows: int,
    d: int,
    *,
    stream: Stream,
    start: int = 0,
    dtype: torch.dtype = torch.float64,
    device: torch.device | str | None = None,
) -> Tensor:
    """Draw `replicates` independent sets of standard Gaussian vectors: a tensor (replicates, rows, d).

    Numbering, ranges and errors as for `replicate_spheres`, whose vectors are these, projected.
    """
    check_integer("rows", rows, minimum=1)
    return _draw(_empty(replicates, rows, d, dtype, device), stream, start, unit=False)


def random_orders(
    replicates: int,
    size: int,
    *,
    stream: Stream,
    start: int = 0,
    device: torch.device | str | None = None,
) -> Tensor:
    """Draw `replicates` independent uniform orders of 0, ..., size - 1: int64 (replicates, size).

    Replicate start + i, counted from the stream's own, sorts the first words of its rows, read as signed
    integers. replicates, start >= 0, size >= 1; InputError otherwise.
    """
    check_integer("size", size, minimum=1)
    words = _empty(replicates, size, 1, torch.int64, device)
    _draw_words(words, stream, start)
    return torch.argsort(words.squeeze(2), dim=1, stable=True)


def replicate_integers(
    replicates: int,
    rows: int,
    d: int,
    *,
    below: int,
    stream: Stream,
    start: int = 0,
    device: torch.device | str | None = None,
) -> Tensor:
    """Draw independent uniform numbers among 0, ..., below - 1: int64 (replicates, rows, d).

    A number is the high half of its word times `below`, so each comes with chance 1 / below up to
    2^-64. Numbering as for `replicate_spheres`. replicates, start >= 0, rows, d >= 1,
    1 <= below <= 2^32; InputError otherwise.
    """
    check_integer("rows", rows, minimum=1)
    check_integer("below", below, minimum=1, maximum=2**32)
    words = _empty(replicates, rows, d, torch.int64, device)
    _draw_words(words, stream, start)
    return high_word(below, words)


def _draw_words(words: Tensor, stream: Stream, start: int) -> None:
    """Fills `words` (replicates, rows, d)."""
    drawn = program(words.device, words.numel())
    for box, part in _boxes(words, stream, start):
        part.copy_(drawn.words(box, words.device))


def _draw(sample: Tensor, stream: Stream, start: int, *, unit: bool, scale: float = 1.0) -> Tensor:
    """Fills `sample` (replicates, rows, d)."""
    check_float_dtype("dtype", sample.dtype)
    by = program(sample.device, sample.numel())
    with unfollowed():
        for box, part in _boxes(sample, stream, start):
            values = part if part.dtype == torch.float64 else part.double()
            by.fill(box, values, unit=unit)
            if scale != 1.0:
                values *= scale
            if values is not part:
                part.copy_(values)
    return drawn(sample, _UNIT, _UNIT) if unit else drawn(sample, LARGEST * scale)


def _empty(
    replicates: int, rows: int, d: int, dtype: torch.dtype, device: torch.device | str | None
) -> Tensor:
    check_integer("replicates", replicates, minimum=0)
    check_integer("d", d, minimum=1)
    if device is None:
        with unfollowed():
            device = torch.get_default_device()
    program_name(device)
    check_kind("dtype", dtype, torch.dtype, "one of torch's, torch.float64 say")
    try:
        with unfollowed():
            return torch.empty((replicates, rows, d), dtype=dtype, device=device)
    except torch.OutOfMemoryError:  # of a card: who draws many at once draws fewer then
        raise
    except RuntimeError as error:
        raise InputError(
            f"{replicates} x {rows} x {d} values in {dtype} do not fit into the memory of {device}: "
            "draw them in parts"
        ) from error


def _several(
    replicates: int | None,
    rows: int,
    d: int,
    dtype: torch.dtype,
    device: torch.device | str | None,
) -> Tensor:
    if replicates is None:
        return _empty(1, rows, d, dtype, device)
    check_integer("replicates", replicates, minimum=1)
    return _empty(replicates, rows, d, dtype, device)


def _boxes(sample: Tensor, stream: Stream, start: int) -> Iterator[tuple[Box, Tensor]]:
    """Boxes of addresses, and the contiguous part of `sample` (replicates, rows, d) that each fills."""
    if not isinstance(stream, Stream):
        raise InputError(f"stream = {stream!r} is no stream: pass Stream(seed)")
    replicates, rows, d = sample.shape
    check_integer("start", start, minimum=0, maximum=WORD_MAX - stream.number - replicates)
    together = max(1, _AT_ONCE // max(1, rows * d))
    step = max(1, _AT_ONCE // d)
    for r in range(0, replicates, together):
        for i in range(0, rows, step):
            whole = together >= replicates and step >= rows
            part = sample if whole else sample[r : r + together, i : i + step]
            number = stream.number + start + r
            yield Box(stream.key, number, len(part), i, part.shape[1], d), part
