"""Counting drawn memories that lose a fact: what the failure experiments of all memories share.

Serves Sec. 3 of arXiv 2412.06538: the chance of imperfect recall.
"""

from collections.abc import Callable

from torch import float64, tensor

from numerics.checks import check_integer
from numerics.decoding import recall
from numerics.memories.base import Memory
from numerics.observables import Event
from numerics.random import Stream


def lost_facts(
    sample: Callable[[Stream], Memory], replicates: int, *, stream: Stream, start: int
) -> Event:
    """Whether each of `replicates` independent memories fails to recall one of its facts.

    Draw number start + i is `sample` of that replicate of `stream`, so long runs can be
    split and joined. replicates, start >= 0; InputError otherwise.
    """
    check_integer("replicates", replicates, minimum=0)
    check_integer("start", start, minimum=0)
    results = (recall(sample(stream.replicate(start + i))) for i in range(replicates))
    return Event(tensor([found.correct < found.total for found in results], dtype=float64))
