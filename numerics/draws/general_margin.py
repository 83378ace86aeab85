"""Failures of the linear memory of a general map over independent draws of all embeddings.

Serves Sec. 3.1 of arXiv 2412.06538 (Theorem 1) where outputs share inputs or have none.
"""

from collections.abc import Sequence
from functools import partial

import torch

from numerics.associations import general_map
from numerics.checks import check_integer
from numerics.draws.counting import failing
from numerics.errors import InputError
from numerics.memories.facts import fact_signs
from numerics.memories.linear import LinearMemory, faulty_weight
from numerics.observables import Event
from numerics.random import Stream, sample_sphere


def failures(
    d: int,
    N: int,
    M: int,
    shared: int,
    replicates: int,
    *,
    seed: int,
    start: int = 0,
    name: str = "general-failures",
    device: torch.device | str = "cpu",
    fault: str = "",
) -> Event:
    """Whether each of `replicates` independent memories fails to recall one of its N facts.

    Every output has `shared` inputs until all are given away (the last may have fewer), the further
    outputs have none. Draw number start + i depends on that number alone, so long runs can be split
    and joined; `device` is where products are made. `fault` names a slip to make in the weight.
    d, N, shared >= 1, M shared >= N, replicates, start >= 0; InputError otherwise.
    """
    for size, value in (("N", N), ("M", M), ("shared", shared)):
        check_integer(size, value, minimum=1)
    if M * shared < N:
        raise InputError(f"N = {N} inputs exceed {shared} for each of M = {M} outputs: raise M")
    fibres = [min(shared, max(N - y * shared, 0)) for y in range(M)]

    draw = partial(sample_memory, d, fibres, fault=fault)
    return failing(draw, replicates, stream=Stream(seed, name), start=start, device=device)


def sample_memory(
    d: int,
    fibres: Sequence[int],
    *,
    seed: int | Stream,
    replicates: int | None = None,
    device: torch.device | str = "cpu",
    fault: str = "",
) -> LinearMemory:
    """Uniform unit embeddings in R^d and fibres[y] inputs for each output y, in float64.

    The map is `general_map`; `fault` names a slip to make in the weight. d >= 1, sizes >= 0, not
    all of them 0; InputError otherwise. `seed` is a 64-bit seed, or the stream whose children "inputs",
    "outputs" and "signs" are drawn from; `replicates` as for `LinearMemory.sample`.
    """
    stream = Stream.of(seed)
    association = general_map(fibres).to(device)
    draw = partial(sample_sphere, replicates=replicates, device=device)
    inputs = draw(len(association), d, stream=stream.child("inputs"))
    outputs = draw(len(fibres), d, stream=stream.child("outputs"))
    memory = LinearMemory(inputs, outputs, association)
    if not fault:
        return memory
    signs = fact_signs(inputs, stream)
    return memory.with_weight(faulty_weight(fault, inputs, outputs, association, signs))
