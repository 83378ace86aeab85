"""Counting drawn memories that lose a fact: what the failure experiments of all memories share.

Serves Sec. 3 of arXiv 2412.06538: the chance of imperfect recall.
"""

from collections.abc import Callable

import torch
from torch import Tensor, float32, float64

from numerics.checks import check_integer
from numerics.decoding import recall
from numerics.errors import InputError
from numerics.many import decided
from numerics.memories.base import Memory
from numerics.observables import Event
from numerics.random import Stream

#: Memories are drawn together until they take so many bytes of a CPU: what is made of them then stays
#: in its caches.
_CPU_BYTES = 2**22
#: The share of a card's free memory that memories drawn together take.
_CARD_SHARE = 0.4
#: How often the tensors of a memory, and its scores, are held at once while it is asked.
_COPIES, _SCORES = 4, 3


def lost_facts(
    sample: Callable[[Stream], Memory],
    replicates: int,
    *,
    stream: Stream,
    start: int,
    many: Callable[[Stream, int], Memory] | None = None,
    device: torch.device | str = "cpu",
) -> Event:
    """Whether each of `replicates` independent memories fails to recall one of its facts.

    Draw number start + i is `sample` of that replicate of `stream`, so long runs can be split and
    joined. many: the memories of a replicate and of the next ones at once, on `device`; those whose
    decision rounding could change are drawn again by `sample`, one by one, so that counts depend neither
    on the device nor on how many are drawn at once. replicates, start >= 0; InputError otherwise, and
    where one memory alone does not fit into the memory of the device.
    """
    check_integer("replicates", replicates, minimum=0)
    check_integer("start", start, minimum=0)
    if many is None:
        undecided, lost = list(range(replicates)), torch.zeros(replicates, dtype=torch.bool)
    else:
        kept, lost = _decided(many, replicates, stream, start, torch.device(device))
        undecided = torch.nonzero(~(kept | lost)).flatten().tolist()
    for i in undecided:
        found = recall(sample(stream.replicate(start + i)))
        lost[i] = found.correct < found.total
    return Event(lost.to(float64))


def failing(
    draw: Callable[..., Memory],
    replicates: int,
    *,
    stream: Stream,
    start: int,
    device: torch.device | str,
) -> Event:
    """`lost_facts` for memories whose `draw` takes seed=, replicates= and device=, as `sample` does."""
    return lost_facts(
        lambda one: draw(seed=one, device="cpu"),
        replicates,
        stream=stream,
        start=start,
        many=lambda first, count: draw(seed=first, replicates=count, device=device),
        device=device,
    )


def _decided(
    many: Callable[[Stream, int], Memory],
    replicates: int,
    stream: Stream,
    start: int,
    device: torch.device,
) -> tuple[Tensor, Tensor]:
    """The masks of `decided` for all replicates, on the CPU."""
    found = torch.zeros((2, replicates), dtype=torch.bool, device=device)
    # The first is drawn alone: it refuses what cannot be drawn, and says how much one takes.
    first, size, dtype = 0, 1, float32 if device.type == "cuda" else float64
    while first < replicates:
        count = min(size, replicates - first)
        try:
            memory = many(stream.replicate(start + first), count)
            found[:, first : first + count] = torch.stack(decided(memory, dtype))
        except torch.OutOfMemoryError as error:
            if count == 1:
                raise InputError(
                    f"one memory does not fit into the memory of {device}: lower its sizes, or ask it "
                    "by `recall`, which goes by blocks"
                ) from error
            size = count // 2
            continue
        if not first:
            size = _together(memory, device)
        first += count
    if dtype == float32:
        for i in torch.nonzero(~found.any(dim=0)).flatten().tolist():
            alone = many(stream.replicate(start + i), 1)
            found[:, i] = torch.cat(decided(alone, float64))
    kept, lost = found.cpu()
    return kept, lost


def _together(memory: Memory, device: torch.device) -> int:
    """How many memories such as this one are drawn at once, at least one."""
    tensors = [part for part in vars(memory).values() if isinstance(part, Tensor)]
    held = _COPIES * sum(part.nbytes for part in tensors)
    scores = memory.inputs.shape[-2] * memory.outputs.shape[-2]
    one = held + _SCORES * scores * torch.finfo(float64).bits // 8
    if device.type == "cuda":
        return max(1, int(_CARD_SHARE * torch.cuda.mem_get_info(device)[0] // one))
    return max(1, _CPU_BYTES // one)
