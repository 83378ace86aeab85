"""The facts a memory is built to hold: embeddings and an association that fit together.

Serves Sec. 3 of arXiv 2412.06538: every memory takes the same facts, and draws them the same way.
"""

from functools import partial

import torch
from torch import Tensor

from numerics.associations import check_injection, check_map, injective_map
from numerics.checks import (
    check_finite_rows,
    check_float_dtype,
    check_integer,
    check_kind,
    check_room,
    check_rows,
    check_tensor,
    checked_device,
)
from numerics.errors import InputError
from numerics.random import Stream, replicate_spheres, sample_sphere


def check_facts(inputs: Tensor, outputs: Tensor, association: Tensor) -> None:
    """Raise InputError unless inputs (..., N, d), outputs (..., M, d) and association fit together.

    They must share d, leading dimensions, dtype (float32 or float64) and device, hold no NaN or infinity
    (the row is named), and the association must be int64 with values in 0..M-1, (N,) or (..., N).
    """
    check_rows("inputs", inputs)
    check_rows("outputs", outputs)
    check_tensor("association", association)
    if inputs.shape[-1] != outputs.shape[-1]:
        raise InputError(
            f"inputs have d = {inputs.shape[-1]} but outputs d = {outputs.shape[-1]}: "
            "use one dimension for both"
        )
    leading = inputs.shape[:-2]
    if outputs.shape[:-2] != leading or association.shape[:-1] not in ((), leading):
        raise InputError(
            f"inputs are of {tuple(leading)} memories, outputs of {tuple(outputs.shape[:-2])} and "
            f"association of {tuple(association.shape[:-1])}: use as many of each"
        )
    if inputs.dtype != outputs.dtype:
        raise InputError(f"inputs are {inputs.dtype} but outputs {outputs.dtype}: cast one of them")
    if not inputs.device == outputs.device == association.device:
        raise InputError(
            f"inputs, outputs and association lie on {inputs.device}, {outputs.device} and "
            f"{association.device}: move them to one device"
        )
    check_finite_rows("inputs", inputs)
    check_finite_rows("outputs", outputs)
    check_map(association, inputs.shape[-2], outputs.shape[-2])


def check_injective(N: int, M: int) -> None:
    """Raise InputError unless 1 <= N <= M, so that f(x) = x is a map of N inputs to M outputs."""
    check_integer("N", N, minimum=1)
    check_integer("M", M, minimum=1)
    if N > M:
        raise InputError(f"N = {N} exceeds M = {M}: the map is injective, raise M to {N}")


def replicate_facts(
    d: int, N: int, M: int, replicates: int, *, stream: Stream, start: int
) -> tuple[Tensor, Tensor]:
    """Uniform unit inputs (replicates, N, d) and outputs (replicates, M, d), of facts f(x) = x.

    They are drawn as `replicate_spheres` does from the children "inputs" and "outputs" of `stream`.
    1 <= N <= M; InputError otherwise, and as there.
    """
    check_injective(N, M)
    return (
        replicate_spheres(replicates, N, d, stream=stream.child("inputs"), start=start),
        replicate_spheres(replicates, M, d, stream=stream.child("outputs"), start=start),
    )


def sample_facts(
    d: int,
    N: int,
    M: int | None,
    *,
    beside: int,
    stream: Stream,
    replicates: int | None = None,
    dtype: torch.dtype,
    device: torch.device | str,
) -> tuple[Tensor, Tensor, Tensor]:
    """Uniform unit inputs (N, d) and outputs (M, d) and an injective association (N,).

    With a number of replicates, the facts of so many memories: (replicates, N, d), (replicates, M, d)
    and (replicates, N). M = N where M is None; d >= 1, 1 <= N <= M, InputError otherwise, and before
    anything is drawn where they cannot be in the memory of the device, with as many rows of R^d for each
    memory as it holds `beside` them. They are drawn from the children "inputs", "outputs" and
    "association" of `stream`.
    """
    M = N if M is None else M
    _check_sizes(d, N, M, beside, replicates, dtype, device)
    maps = stream.child("association")
    association = injective_map(N, M, stream=maps, replicates=replicates, device=device)
    draw = partial(sample_sphere, replicates=replicates, dtype=dtype, device=device)
    inputs, outputs = (stream.child(name) for name in ("inputs", "outputs"))
    return draw(N, d, stream=inputs), draw(M, d, stream=outputs), association


def _check_sizes(
    d: int,
    N: int,
    M: int,
    beside: int,
    replicates: int | None,
    dtype: torch.dtype,
    device: torch.device | str,
) -> None:
    """Raise InputError for arguments of `sample_facts` that are wrong, or too large for the device."""
    check_integer("M", M, minimum=1)
    check_injection(N, M)
    check_integer("d", d, minimum=1)
    memories = 1 if replicates is None else replicates
    check_integer("replicates", memories, minimum=1)
    check_kind("dtype", dtype, torch.dtype, "one of torch's, torch.float64 say")
    check_float_dtype("dtype", dtype)
    # The association is a part of an order of all outputs.
    one = dtype.itemsize * d * (N + M + beside) + torch.int64.itemsize * M
    many = "" if replicates is None else f", replicates = {replicates}"
    what = f"d = {d}, N = {N}, M = {M}{many}: such embeddings and weights"
    check_room(what, memories * one, checked_device(device))


def fact_signs(inputs: Tensor, stream: Stream) -> Tensor:
    """A random sign for each row of inputs (..., N, d), (..., N), from the child "signs" of `stream`."""
    *leading, N, _ = inputs.shape
    return sample_sphere(
        N,
        1,
        stream=stream.child("signs"),
        replicates=leading[0] if leading else None,
        dtype=inputs.dtype,
        device=inputs.device,
    ).squeeze(-1)
