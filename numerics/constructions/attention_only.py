"""The attention-only construction: each head is a low-rank memory of the answers of its tokens.

Serves Theorem 3 of arXiv 2412.06538 (App. C: Lemma 2 and Theorem 10).
"""

from typing import Literal

import torch
from torch import Tensor

from numerics.checks import check_choice, check_integer
from numerics.constructions.base import Construction, check_embeddings, head_count, off_eos
from numerics.constructions.keys import Keys, check_keys, denoising_vector, fill_keys, partition
from numerics.errors import InputError
from numerics.memories.low_rank import orthonormal_columns
from numerics.random import Stream, sample_gaussian
from numerics.rounding import lengths
from numerics.tasks.factual_recall import FactualRecall
from numerics.transformer import OneLayerTransformer

#: "independent": unit vectors w_i, as in the proof; "orthonormal": a random subspace, as in the sketch.
Factors = Literal["independent", "orthonormal"]


class AttentionOnly(Construction):
    """Heads with W_O^T W_V = (d/d_h) sum_z sum_{a in A_z} phi(a) phi(z)^T sum_i w_i w_i^T.

    z runs over the head's tokens, A_z over the answers of the facts with z; the d_h vectors w_i are
    uniform on the unit sphere orthogonal to phi(EOS), independent or an orthonormal frame. W_V has
    the rows w_i. Everything is summed in float64, then cast to the dtype of the embeddings.
    """

    @classmethod
    def build(
        cls,
        task: FactualRecall,
        embeddings: Tensor,
        *,
        tokens_per_head: int,
        d_h: int,
        factors: Factors = "independent",
        keys: Keys = "sum",
        inverse_temperature: float = float("inf"),
        H: int | None = None,
        seed: int | Stream,
    ) -> "AttentionOnly":
        """The construction for unit embeddings (|V|, d), d >= 2, with groups of `tokens_per_head`.

        1 <= d_h <= d, and d_h <= d - 1 where the factors are orthonormal. H: how many heads, at
        least one a group (as many unless given); those left over stay zero. The factors of head h
        come from the child ("factors", h) of the seed's stream. InputError for anything else.
        """
        check_embeddings(task, embeddings, least=2)
        check_keys(keys)
        groups = partition(task, tokens_per_head)
        count = head_count(len(groups), H)
        stream = Stream.of(seed)
        d = embeddings.shape[1]
        transformer = OneLayerTransformer(
            d,
            count,
            d_h,
            inverse_temperature=inverse_temperature,
            dtype=embeddings.dtype,
            device=embeddings.device,
        )
        eos = embeddings[task.eos].double()
        for h, tokens in enumerate(groups):
            group = embeddings[list(tokens)].double()
            fill_keys(transformer, h, denoising_vector(group, eos, keys), eos)
            W_V = value_factors(d_h, eos, factors, stream=stream.child("factors", h))
            with torch.no_grad():
                transformer.W_V[h] = W_V
                sums = answer_sums(task, tokens, embeddings)
                transformer.W_O[h] = (d / d_h) * (W_V @ group.mT) @ sums
        heads = groups + ((),) * (count - len(groups))
        return cls(transformer, embeddings, task, heads)


def value_factors(d_h: int, eos: Tensor, factors: Factors, *, stream: Stream) -> Tensor:
    """d_h unit vectors orthogonal to `eos` (d,), float64 (d_h, d), each uniform among such vectors.

    d >= 2, d_h >= 1, and d_h <= d - 1 where they are an orthonormal frame; InputError otherwise. Made
    on the CPU, so that they are the same bits wherever `eos` lies.
    """
    d = len(eos)
    check_integer("d_h", d_h, minimum=1)
    check_choice("factors", factors, ("independent", "orthonormal"))
    if factors == "orthonormal" and d_h > d - 1:
        raise InputError(
            f"d_h = {d_h} orthonormal factors do not fit beside EOS in d = {d}: "
            f"lower d_h to {d - 1}"
        )
    rows = off_eos(sample_gaussian(d_h, d, stream=stream), eos.cpu())
    if factors == "orthonormal":
        rows = orthonormal_columns(rows.mT).mT
    else:
        rows = rows / lengths(rows).unsqueeze(1)
    return rows.to(eos.device)


def answer_sums(task: FactualRecall, tokens: tuple[int, ...], embeddings: Tensor) -> Tensor:
    """sum_{a in A_z} phi(a) for each subject or relation token z: float64 (n, d)."""
    table, start = task.table, task.answers.start
    sums = []
    for z in tokens:
        if z in task.subjects:
            answers = table.answers_of_subject(z - task.subjects.start)
        else:
            answers = table.answers_of_relation(z - task.relations.start)
        sums.append(embeddings[[start + a for a in answers]].double().sum(dim=0))
    return torch.stack(sums)
