"""Association maps f*: [N] -> [M], the facts a memory is asked to hold.

Serves Sec. 3 of arXiv 2412.06538: injective maps, and maps with many inputs per output.
"""

import math
from collections.abc import Iterable, Sequence

import torch
from torch import Tensor

from numerics.checks import LARGEST_SIZE, check_integer, check_tensor, fitting
from numerics.errors import InputError
from numerics.random import Stream, random_orders


def check_map(association: Tensor, N: int, M: int) -> None:
    """Raise InputError unless `association` is an int64 tensor (..., N) with values in 0..M-1."""
    check_tensor("association", association)
    if association.dtype != torch.int64 or association.shape[-1:] != (N,):
        raise InputError(
            f"association has dtype {association.dtype} and shape {tuple(association.shape)}: "
            f"pass an int64 tensor of shape ({N},), one output index for each input"
        )
    outside = torch.nonzero((association < 0) | (association >= M))
    if len(outside):
        x = outside[0].tolist()
        raise InputError(
            f"association[{', '.join(map(str, x))}] = {int(association[tuple(x)])} is no output: "
            f"pass indices in 0..{M - 1}"
        )


def assigned(outputs: Tensor, association: Tensor) -> Tensor:
    """u_{f*(x)} for each x: (..., N, d) of outputs (..., M, d).

    association int64 (N,), shared by the leading dimensions, or (..., N).
    """
    if association.dim() == 1:
        return outputs[..., association, :]
    *leading, M, d = outputs.shape
    # Whole rows of one matrix: entry by entry it takes several times as long.
    starts = torch.arange(0, math.prod(leading) * M, M, device=outputs.device).view(*leading, 1)
    return outputs.reshape(-1, d)[association + starts]


def check_injection(N: int, M: int) -> None:
    """Raise InputError unless 1 <= N <= M, so that [N] has an injection into [M]."""
    check_integer("N", N, minimum=1)
    check_integer("M", M, minimum=1)
    if N > M:
        raise InputError(
            f"N = {N} inputs cannot go to M = {M} different outputs: "
            f"raise M to at least {N}, or use general_map for shared outputs"
        )


def injective_map(
    N: int,
    M: int,
    *,
    stream: Stream,
    replicates: int | None = None,
    device: torch.device | str = "cpu",
) -> Tensor:
    """A uniformly random injection of [N] into [M]: int64 (N,), or so many of them, (replicates, N).

    N >= 1 and M >= N; InputError otherwise.
    """
    check_injection(N, M)
    orders = random_orders(1 if replicates is None else replicates, M, stream=stream, device=device)
    return orders[0, :N] if replicates is None else orders[:, :N]


def general_map(fibre_sizes: Sequence[int]) -> Tensor:
    """The map sending the first fibre_sizes[0] inputs to output 0, the next ones to 1, and so on.

    Each size is an int >= 0 (0: an output nobody is sent to) and N = sum(fibre_sizes) >= 1;
    InputError otherwise. Returns int64 (N,). With i.i.d. embeddings the order of the inputs
    is immaterial, so only the sizes of the fibres matter.
    """
    if not isinstance(fibre_sizes, Iterable):
        raise InputError(f"fibre_sizes = {fibre_sizes!r} is no list: pass a list of ints")
    sizes = list(fibre_sizes)
    for y, size in enumerate(sizes):
        check_integer(f"fibre_sizes[{y}]", size, minimum=0)
    check_integer("sum(fibre_sizes)", sum(sizes), minimum=0, maximum=LARGEST_SIZE)
    if not sum(sizes):
        raise InputError(f"fibre_sizes = {sizes} holds no input: give some size >= 1")
    with fitting(f"{sum(sizes)} inputs of fibre_sizes"):
        return torch.repeat_interleave(torch.arange(len(sizes)), torch.tensor(sizes))
