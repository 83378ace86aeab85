"""Linear memories whose weights are rounded to few levels, with the bits a weight then takes.

Serves Corollary 2 of arXiv 2412.06538 (App. B.1): recall with weights of bounded precision.
"""

import sys

import torch
from torch import Tensor

from numerics.checks import check_integer
from numerics.errors import InputError
from numerics.memories.linear import LinearMemory
from numerics.random import Stream

#: A weight of half precision takes 16 bits: with more, one would not speak of quantising.
MOST_BITS = 16


class QuantizedMemory(LinearMemory):
    """The facts of a linear memory asked of its weight W, rounded entry by entry.

    Exactly one of these says how, with P = max |W_ij|:
    step = s > 0: to the nearest multiple of s (halfway: to the even one), so that entries move
        by at most s / 2. They are multiples k s, |k| <= K = round(P / s).
    bits = 1: to +c where W_ij >= 0 and -c elsewhere, c the mean of |W_ij|.
    bits = b, 2 <= b <= 16: to the nearest (halfway: the greater) of the 2^b equally spaced levels
        from -P to P, of which zero is none: odd multiples of s / 2 where s = 2 P / (2^b - 1) is
        their spacing. Entries move by at most s / 2.

    Levels are computed in float64 and stored in the memory's dtype; the weight as stored defines
    the memory, and the movements hold up to that rounding. Attributes: those of LinearMemory;
    step, the distance s between neighbouring levels (2 c for bits = 1, 0 where W = 0 and bits
    are given), a tensor (...,) where bits are given to many memories at once; bits, what tells the
    possible levels apart: bits as given, or ceil(log2(2 K + 1)) for a step, K the largest of all.

    Raises InputError unless exactly one of step (finite, > 0, at least P / 2^52) and bits (an
    int in 1..16) is given, and where the spacing that bits ask for is no normal float.
    """

    def __init__(
        self, memory: LinearMemory, *, step: float | None = None, bits: int | None = None
    ) -> None:
        if (step is None) == (bits is None):
            raise InputError(f"step = {step} and bits = {bits}: give exactly one of them")
        if not isinstance(getattr(memory, "weight", None), Tensor):
            raise InputError(f"memory is a {type(memory).__name__}: pass a LinearMemory")
        self.inputs = memory.inputs
        self.outputs = memory.outputs
        self.association = memory.association
        self.step: float | Tensor
        weight = memory.weight.detach().double()
        if step is not None:
            rounded, self.step, self.bits = _to_multiples(weight, step)
        else:
            assert bits is not None
            rounded, spacing, self.bits = _to_levels(weight, bits)
            self.step = spacing[..., 0, 0] if spacing.dim() > 2 else float(spacing)
        self._set_weight(rounded.to(memory.weight.dtype))

    @classmethod
    def sample(
        cls,
        d: int,
        N: int,
        M: int | None = None,
        *,
        seed: int | Stream,
        replicates: int | None = None,
        dtype: torch.dtype = torch.float64,
        device: torch.device | str = "cpu",
        step: float | None = None,
        bits: int | None = None,
        fault: str = "",
    ) -> "QuantizedMemory":
        """`LinearMemory.sample`, rounded: exactly one of step and bits must be given."""
        memory = LinearMemory.sample(
            d, N, M, seed=seed, replicates=replicates, dtype=dtype, device=device, fault=fault
        )
        return cls(memory, step=step, bits=bits)


def _to_multiples(weight: Tensor, step: float) -> tuple[Tensor, float, int]:
    if (
        isinstance(step, bool)
        or not isinstance(step, int | float)
        or not (0 < step <= sys.float_info.max)
    ):
        raise InputError(f"step = {step!r} is no spacing: pass a number > 0, at most 1.7e308")
    multiples = torch.round(weight / step)
    largest = float(multiples.abs().max())
    if largest > 2.0**52:
        raise InputError(
            f"step = {step} is finer than the rounding of the weights, up to "
            f"{float(weight.abs().max())}: use the memory itself, or a step of at least 2**-52 "
            "of the greatest weight"
        )
    # 2 K + 1 levels: ceil(log2(n)) is the bit length of n - 1.
    return multiples * step, float(step), (2 * int(largest)).bit_length()


def _to_levels(weight: Tensor, bits: int) -> tuple[Tensor, Tensor, int]:
    check_integer("bits", bits, minimum=1, maximum=MOST_BITS)
    if bits == 1:
        scale = weight.abs().mean(dim=(-2, -1), keepdim=True)
        _check_spacing(weight, 2 * scale, bits)
        return torch.where(weight >= 0, scale, -scale), 2 * scale, 1
    spacing = 2 * weight.abs().amax(dim=(-2, -1), keepdim=True) / (2**bits - 1)
    _check_spacing(weight, spacing, bits)
    # The greatest weight is 2^(bits-1) - 1/2 spacings: halves keep floors from rounding past it.
    levels = (torch.floor(weight / torch.where(spacing > 0, spacing, 1.0)) + 0.5) * spacing
    return levels, spacing, bits


def _check_spacing(weight: Tensor, spacing: Tensor, bits: int) -> None:
    """InputError where levels so far apart cannot be told from zero, or overflow, unless W = 0."""
    told = (spacing >= sys.float_info.min) & torch.isfinite(spacing)
    wrong = ~told & (weight != 0).any(dim=-1, keepdim=True).any(dim=-2, keepdim=True)
    if bool(wrong.any()):
        raise InputError(
            f"bits = {bits} put levels {float(spacing[wrong][0])} apart for weights up to "
            f"{float(weight.abs().max())}, beyond what float64 can tell apart: rescale the "
            "embeddings to lengths near 1"
        )
