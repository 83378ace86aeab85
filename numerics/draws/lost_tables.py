"""Counting drawn constructions that lose a fact of their tables, many drawn and certified at once.

Serves Sec. 4.3 of arXiv 2412.06538 (Theorems 3 and 4): the chance of imperfect recall.
"""

from collections.abc import Callable

import torch
from torch import Tensor, float64

from numerics.checks import check_integer, checked_device
from numerics.constructions import Construction, certify
from numerics.constructions.certificate import certify_many
from numerics.constructions.weights import Filled
from numerics.draws.counting import in_groups, together
from numerics.errors import InputError
from numerics.observables import Event
from numerics.random import Stream

#: How often weights and embeddings, facts beside tokens or neurons, and images are held at once.
_COPIES, _SCORES, _IMAGES = 3, 4, 6
#: Constructions are drawn together until they take so many bytes of a CPU: of small ones the calls take
#: longer than what they do.
_CPU_BYTES = 2**25


def constructions_failing(
    alone: Callable[[Stream, torch.device], Construction],
    many: Callable[[Stream, int, torch.device], Filled],
    replicates: int,
    *,
    stream: Stream,
    start: int,
    device: torch.device | str,
) -> Event:
    """Whether `certify` proves less than all facts of each of `replicates` constructions, of one size.

    alone: the construction of a replicate of `stream`; many: those of so many replicates, from a
    stream's own on. The first is drawn alone, on the CPU: what is wrong with its choices is said there.
    All are drawn at once on `device`, as many as fit, and those that are not decided for sure once
    more, as the first: counts depend neither on the device nor on how many are drawn at once. Where one
    takes too much memory for that, each is certified alone, by blocks. Draw number start + i is that
    replicate. replicates, start >= 0; InputError otherwise.
    """
    check_integer("replicates", replicates, minimum=0)
    check_integer("start", start, minimum=0)
    device, cpu = checked_device(device), torch.device("cpu")
    if not replicates:
        return Event(torch.zeros(0, dtype=float64))
    first = alone(stream.replicate(start), cpu)
    kept, lost = torch.zeros((2, replicates), dtype=torch.bool)
    size = together(_bytes(first), device, cached=_CPU_BYTES)
    if size and replicates > 1:
        begun, opening = list[Tensor](), first.embeddings.to(device)

        def asked(number: int, count: int) -> tuple[Tensor, Tensor]:
            drawn = many(stream.replicate(start + number), count, device)
            found = certify_many(drawn)
            begun.append((drawn.embeddings[0] == opening).all())
            return found

        remedy = "draw it on the CPU"
        found = in_groups(asked, replicates, size, device, named="construction", remedy=remedy)
        masks = torch.cat([found.flatten(), torch.stack(begun)]).cpu()  # waited for once
        kept, lost = masks[: 2 * replicates].view(2, replicates)
        _require_numbered(masks[2 * replicates :])
    for i in torch.nonzero(~(kept | lost)).flatten().tolist():
        where = cpu if size else device
        drawn = first if i == 0 else alone(stream.replicate(start + i), where)
        lost[i] = not certify(drawn, temperatures=False).complete
    return Event(lost.to(float64))


def _require_numbered(begun: Tensor) -> None:
    """InputError unless the first group of several, and no other, begins with the first draw."""
    if not begun[0] or begun[1:].any():
        raise InputError(
            "many: a group of draws begins with another number than it was asked for, so that draws are "
            "missing or there twice; let the stream decide what is drawn"
        )


def _bytes(drawn: Construction) -> int:
    """What one takes among many while it is filled and certified, roughly."""
    parts = [drawn.embeddings, *drawn.transformer.parameters()]
    vocabulary, d = drawn.embeddings.shape
    scores = len(drawn.task.facts) * (vocabulary + drawn.transformer.m + drawn.transformer.H)
    return (
        _COPIES * sum(part.nbytes for part in parts)
        + 8 * _SCORES * scores
        + 8 * _IMAGES * len(drawn.task.facts) * d
    )
