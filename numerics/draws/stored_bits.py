"""Which memories of few bits a weight recall all their facts, constructed or trained.

Serves Sec. 6 of arXiv 2412.06538 (Theorem 7): the bits that a memory stores, and those it uses.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from numerics.checks import check_integer
from numerics.decoding import recall
from numerics.errors import InputError
from numerics.memories.linear import LinearMemory
from numerics.memories.quantized import QuantizedMemory
from numerics.memories.trained import trained
from numerics.random import Stream, replicate_integers, sample_sphere

#: The weight before it is rounded: the sum of outer products, or trained on the cross entropy.
KINDS = ("constructed", "trained")


def full_recall(
    kind: str,
    d: int,
    N: int,
    M: int,
    replicates: int,
    *,
    bits: Sequence[int],
    seed: int,
    start: int = 0,
    name: str = "stored-bits",
) -> Tensor:
    """Whether each memory recalls all its facts at each number of bits: bool (replicates, len(bits)).

    Facts are those of `sample_facts`; the weight is made once a draw and rounded as `QuantizedMemory`
    says for each of `bits`. Both kinds see the same facts under the same seed and name. Draw number
    start + i depends on that number alone. d, N, M >= 1, replicates, start >= 0, bits in 1..16;
    InputError otherwise, and for an unknown kind.
    """
    if kind not in KINDS:
        raise InputError(f"kind = {kind!r} is not known: pass one of {', '.join(KINDS)}")
    check_integer("replicates", replicates, minimum=0)
    check_integer("start", start, minimum=0)
    stream = Stream(seed, name)
    found = torch.zeros(replicates, len(bits), dtype=torch.bool)
    for i in range(replicates):
        facts = sample_facts(d, N, M, stream=stream.replicate(start + i))
        memory = trained(facts) if kind == "trained" else facts
        for j, b in enumerate(bits):
            asked = recall(QuantizedMemory(memory, bits=b))
            found[i, j] = asked.correct == asked.total
    return found


def sample_facts(d: int, N: int, M: int, *, stream: Stream) -> LinearMemory:
    """A linear memory of N facts with uniform unit embeddings, f* uniform among the M^N maps.

    Its weight is the sum of outer products. d, N, M >= 1; InputError otherwise.
    """
    check_integer("N", N, minimum=1)
    check_integer("M", M, minimum=1)
    drawn = replicate_integers(1, N, 1, below=M, stream=stream.child("association"))
    return LinearMemory(
        sample_sphere(N, d, stream=stream.child("inputs")),
        sample_sphere(M, d, stream=stream.child("outputs")),
        drawn.flatten(),
    )
