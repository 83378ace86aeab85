"""Failures of the construction with an MLP, over independent draws of embeddings and neurons.

Serves App. C.2 of arXiv 2412.06538 (Lemma 3 and Theorem 11), p = k = 1: the chance that some fact is
lost where answers are spread evenly and V is scaled by so large a constant that the MLP decides.
"""

from collections.abc import Sequence
from typing import Any

import torch

from numerics.constructions import AttentionMLP, Construction
from numerics.constructions.weights import Filled
from numerics.draws.lost_tables import constructions_failing
from numerics.observables import Event
from numerics.random import Stream
from numerics.tasks.factual_recall import FactualRecall
from numerics.tasks.tables import FactTable

#: The scale of V, beside which the residual stream is nothing.
_SCALE = 1e9
#: The activation h_2.
_H2 = (0.0, 0.0, 1.0)


def failures(
    d: int,
    S: int,
    R: int,
    D: int,
    m: int,
    replicates: int,
    *,
    M: int = 1,
    noise: int = 0,
    T: int = 3,
    sigma: str | Sequence[float] = _H2,
    seed: int,
    start: int = 0,
    name: str = "attention-mlp",
    device: torch.device | str = "cpu",
) -> Event:
    """Whether each of `replicates` constructions loses one of the facts a*(s, r) = r D + (s mod D).

    Heads of at most M tokens, m neurons with Hermite coefficients `sigma`, hard attention; counted by
    `certify` for all contexts of length T, ties and what rounding leaves open as lost. Draw number
    start + i depends on that number alone; many are drawn at once on `device`, as
    `constructions_failing` says. replicates, start >= 0; InputError otherwise, and as in
    `AttentionMLP.sample`.
    """
    task = FactualRecall(FactTable.structured(S, R, D), noise=noise, T=T)
    made: dict[str, Any] = {
        "d": d,
        "tokens_per_head": M,
        "d_h": max(1, (d - 1) // 2),
        "m": m,
        "activation": sigma,
        "scale": _SCALE,
    }

    def alone(stream: Stream, where: torch.device) -> Construction:
        return AttentionMLP.sample(task, seed=stream, device=where, **made)

    def many(stream: Stream, count: int, where: torch.device) -> Filled:
        answers = task.table.answers
        return AttentionMLP.sample_many(
            task, answers, seed=stream, replicates=count, device=where, **made
        )

    return constructions_failing(
        alone, many, replicates, stream=Stream(seed, name), start=start, device=device
    )
