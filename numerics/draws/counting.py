"""Counting drawn memories that lose a fact: what the failure experiments of all memories share.

Serves Sec. 3 of arXiv 2412.06538: the chance of imperfect recall.
"""

from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor, float32, float64

from numerics.checks import check_integer, checked_device
from numerics.decoding import recall
from numerics.errors import InputError
from numerics.many import decided
from numerics.memories.base import Memory
from numerics.observables import Event
from numerics.random import Stream
from numerics.random.streams import WORD_MAX

#: Memories are drawn together until they take so many bytes of a CPU: what is made of them then stays
#: in its caches. One that takes more than the second is asked by blocks.
_CPU_BYTES, _CPU_MOST = 2**22, 2**28
#: The share of a card's free memory that memories drawn together take.
_CARD_SHARE = 0.4
#: How often the tensors of a memory, and its scores, are held at once while it is asked.
_COPIES, _SCORES = 4, 3
#: So many memories at the start of a call tell it from the first call.
_OPENING = 8


def lost_facts(
    sample: Callable[[Stream], Memory], replicates: int, *, stream: Stream, start: int
) -> Event:
    """Whether each of `replicates` independent memories fails to recall one of its facts.

    Draw number start + i is `sample` of that replicate of `stream`, so long runs can be split and
    joined. replicates, start >= 0, start + replicates < 2**64; InputError otherwise.
    """
    _check(replicates, start)
    results = (recall(sample(stream.replicate(start + i))) for i in range(replicates))
    return Event(torch.tensor([found.correct < found.total for found in results], dtype=float64))


def failing(
    draw: Callable[..., Memory],
    replicates: int,
    *,
    stream: Stream,
    start: int,
    device: torch.device | str,
) -> Event:
    """`lost_facts` of memories of one size, many at once on `device`.

    draw: takes seed=, device= and, for so many memories at once, replicates=, as `sample` of a memory
    does. Those whose decision rounding could change are drawn again on the CPU, one by one: but for the
    rounding of weights counts depend neither on the device nor on how many are drawn at once. A memory
    whose scores are too many is asked by blocks. Errors as for `lost_facts`, and InputError where not
    even one memory fits into a card.
    """
    _check(replicates, start)
    device = checked_device(device)
    if not replicates:
        return Event(torch.zeros(0, dtype=float64))
    size = _together(draw(seed=stream.replicate(start), device=device), device)
    if not size:
        alone = partial(_alone, draw, device)
        return lost_facts(alone, replicates, stream=stream, start=start)

    def many(number: int, count: int) -> Memory:
        return draw(seed=stream.replicate(start + number), replicates=count, device=device)

    kept, lost = _decided(many, replicates, size, device)
    for i in torch.nonzero(~(kept | lost)).flatten().tolist():
        found = recall(draw(seed=stream.replicate(start + i), device="cpu"))
        lost[i] = found.correct < found.total
    return Event(lost.to(float64))


def _check(replicates: int, start: int) -> None:
    check_integer("replicates", replicates, minimum=0)
    check_integer("start", start, minimum=0, maximum=WORD_MAX - replicates)


def _alone(draw: Callable[..., Memory], device: torch.device, stream: Stream) -> Memory:
    return draw(seed=stream, device=device)


def _decided(
    many: Callable[[int, int], Memory], replicates: int, size: int, device: torch.device
) -> tuple[Tensor, Tensor]:
    """The masks of `decided` for all replicates, on the CPU; so many are drawn at once to begin with.

    many: the memories from a number on, so many of them.
    """
    dtype = float32 if device.type == "cuda" else float64
    openings: list[Tensor] = []

    def asked(first: int, count: int) -> tuple[Tensor, Tensor]:
        memory = many(first, count)
        masks = decided(memory, dtype)
        if _OPENING <= count < replicates:
            openings.append(_sums(memory))
        return masks

    remedy = "ask it by `recall`, which goes by blocks"
    found = in_groups(asked, replicates, size, device, named="memory", remedy=remedy)
    if len(openings) > 1:
        _require_others(torch.stack(openings).cpu())
    if dtype == float32:
        for i in torch.nonzero(~found.any(dim=0)).flatten().tolist():
            found[:, i] = torch.cat(decided(many(i, 1), float64))
    kept, lost = found.cpu()
    return kept, lost


def in_groups(
    asked: Callable[[int, int], tuple[Tensor, Tensor]],
    replicates: int,
    size: int,
    device: torch.device,
    *,
    named: str,
    remedy: str,
) -> Tensor:
    """The masks that `asked` gives of all replicates, on the device: boolean (2, replicates).

    asked: of the number to begin with and how many; size: how many to begin with, fewer where they do
    not fit into a card after all. InputError, with what is `named` and the remedy, where not one does.
    """
    found = torch.zeros((2, replicates), dtype=torch.bool, device=device)
    first = 0
    while first < replicates:
        count = min(size, replicates - first)
        try:
            found[:, first : first + count] = torch.stack(asked(first, count))
        except torch.OutOfMemoryError as error:
            if count == 1:
                raise InputError(
                    f"one {named} does not fit into the memory of {device}: lower its sizes, or {remedy}"
                ) from error
            size = count // 2
        else:
            first += count
    return found


def _sums(memory: Memory) -> Tensor:
    """A number (_OPENING,) of each of the first memories, which their embeddings decide."""
    inputs, outputs = (
        vectors[:_OPENING].double().sum(dim=(-2, -1)) for vectors in (memory.inputs, memory.outputs)
    )
    found: Tensor = inputs + 2**0.5 * outputs
    return found


def _require_others(openings: Tensor) -> None:
    """InputError where a call, a row, begins with the memories that the first call begins with.

    Where the first are alike, as those of fixed embeddings are, nothing is known.
    """
    if (
        len(set(openings[0].tolist())) == _OPENING
        and (openings[1:] == openings[0]).all(dim=1).any()
    ):
        raise InputError(
            "draw: two calls for memories of different numbers drew the same ones, so that they are not "
            "independent; let `seed` decide what is drawn"
        )


def _together(memory: Memory, device: torch.device) -> int:
    """How many memories such as this one are drawn at once; 0 where one is asked by blocks."""
    tensors = [part for part in vars(memory).values() if isinstance(part, Tensor)]
    scores = memory.inputs.shape[-2] * memory.outputs.shape[-2]
    return together(_COPIES * sum(part.nbytes for part in tensors) + _SCORES * 8 * scores, device)


def together(one: int, device: torch.device, *, cached: int = _CPU_BYTES) -> int:
    """How many are asked at once that take so many bytes each; 0 where one is asked by blocks.

    cached: the bytes that they may take of a CPU.
    """
    if device.type == "cuda":
        return int(_CARD_SHARE * torch.cuda.mem_get_info(device)[0] // one)
    return max(1, cached // one) if one <= _CPU_MOST else 0
