"""The attention-only construction: each head is a low-rank memory of the answers of its tokens.

Serves Theorem 3 of arXiv 2412.06538 (App. C: Lemma 2 and Theorem 10).
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

import torch
from torch import Tensor

from numerics.associations import assigned
from numerics.checks import check_choice, check_integer
from numerics.constructions.base import Construction, head_count, off_eos
from numerics.constructions.keys import (
    Keys,
    check_keys,
    denoising_vector,
    embeddings_of,
    fill_keys,
    partition,
)
from numerics.constructions.weights import Filled, Weights
from numerics.errors import InputError
from numerics.memories.activations import Activation
from numerics.memories.low_rank import orthonormal_columns
from numerics.random import Stream, sample_gaussian
from numerics.rounding import lengths
from numerics.tasks.factual_recall import FactualRecall
from numerics.tasks.tables import NOT_A_FACT

#: "independent": unit vectors w_i, as in the proof; "orthonormal": a random subspace, as in the sketch.
Factors = Literal["independent", "orthonormal"]


@dataclass(frozen=True)
class _Design:
    tokens_per_head: int
    d_h: int
    factors: Factors = "independent"
    keys: Keys = "sum"
    H: int | None = None

    least: ClassVar = 2
    m: ClassVar = 0
    sigma: ClassVar[Activation | None] = None

    def __post_init__(self) -> None:
        check_keys(self.keys)
        _check_factors(self.factors)

    def heads(self, task: FactualRecall, d: int) -> tuple[tuple[tuple[int, ...], ...], int]:
        groups = partition(task, self.tokens_per_head)
        return groups, head_count(len(groups), self.H)

    @torch.no_grad()
    def fill(self, drawn: Filled, stream: Stream) -> None:
        weights, phi = drawn.weights, drawn.embeddings
        scale = phi.shape[-1] / self.d_h
        end = drawn.task.eos
        eos = phi[..., end, :].double()
        # What is factorized is made on the CPU: for all heads together the device is waited for once.
        asked = phi.cpu() if self.keys == "interpolating" else phi
        frames = self.factors == "orthonormal"
        here = eos.cpu() if frames else eos
        for h, tokens in enumerate(partition(drawn.task, self.tokens_per_head)):
            group = embeddings_of(tokens, phi)
            v = denoising_vector(
                embeddings_of(tokens, asked), asked[..., end, :].double(), self.keys
            )
            fill_keys(weights, h, v, eos)
            W_V = value_factors(self.d_h, here, self.factors, stream=stream.child("factors", h))
            W_V = W_V.to(eos.device) if frames else W_V
            weights.W_V[..., h, :, :] = W_V
            sums = answer_sums(drawn.task, tokens, phi, answers=drawn.answers)
            weights.W_O[..., h, :, :] = scale * (W_V @ group.mT) @ sums

    def check_filled(self, weights: Weights) -> None:
        pass


class AttentionOnly(Construction):
    """Heads with W_O^T W_V = (d/d_h) sum_z sum_{a in A_z} phi(a) phi(z)^T sum_i w_i w_i^T.

    z runs over the head's tokens, A_z over the answers of the facts with z; the d_h vectors w_i are
    uniform on the unit sphere orthogonal to phi(EOS), independent or an orthonormal frame. W_V has
    the rows w_i. Everything is summed in float64, then cast to the dtype of the embeddings.
    """

    design = _Design

    @classmethod
    def build(
        cls,
        task: FactualRecall,
        embeddings: Tensor,
        *,
        tokens_per_head: int,
        d_h: int,
        factors: Factors = _Design.factors,
        keys: Keys = _Design.keys,
        inverse_temperature: float = float("inf"),
        H: int | None = _Design.H,
        seed: int | Stream,
    ) -> "AttentionOnly":
        """The construction for unit embeddings (|V|, d), d >= 2, with groups of `tokens_per_head`.

        1 <= d_h <= d, and d_h <= d - 1 where the factors are orthonormal. H: how many heads, at
        least one a group (as many unless given); those left over stay zero. The factors of head h
        come from the child ("factors", h) of the seed's stream. InputError for anything else.
        """
        design = _Design(tokens_per_head, d_h, factors, keys, H)
        return cls._built(
            task, embeddings, design, inverse_temperature=inverse_temperature, seed=seed
        )


def value_factors(d_h: int, eos: Tensor, factors: Factors, *, stream: Stream) -> Tensor:
    """d_h unit vectors orthogonal to `eos` (..., d), each uniform among such: float64 (..., d_h, d).

    For `eos` (r, d) those of r replicates, from the stream's own on. d >= 2, d_h >= 1, and d_h <= d - 1
    where they are an orthonormal frame; InputError otherwise. Made on the CPU, so that they are the same
    bits wherever `eos` lies; only those of many that are no frames are made where it lies.
    """
    d = eos.shape[-1]
    check_integer("d_h", d_h, minimum=1)
    _check_factors(factors)
    if factors == "orthonormal" and d_h > d - 1:
        raise InputError(
            f"d_h = {d_h} orthonormal factors do not fit beside EOS in d = {d}: "
            f"lower d_h to {d - 1}"
        )
    device = eos.device if eos.dim() > 1 and factors == "independent" else torch.device("cpu")
    replicates = None if eos.dim() == 1 else len(eos)
    rows = sample_gaussian(d_h, d, stream=stream, replicates=replicates, device=device)
    rows = off_eos(rows, eos.to(device))
    if factors == "orthonormal":
        rows = orthonormal_columns(rows.mT).mT
    else:
        rows = rows / lengths(rows).unsqueeze(-1)
    return rows.to(eos.device)


def _check_factors(factors: Factors) -> None:
    check_choice("factors", factors, ("independent", "orthonormal"))


def answer_sums(
    task: FactualRecall,
    tokens: tuple[int, ...],
    embeddings: Tensor,
    *,
    answers: Tensor | None = None,
) -> Tensor:
    """sum_{a in A_z} phi(a) for each subject or relation token z: float64 (..., n, d).

    embeddings (..., |V|, d). answers: int64 (..., S, R) or (S, R), the table of each, the task's own
    unless given.
    """
    table = task.table.answers.to(embeddings.device) if answers is None else answers
    sums = []
    for z in tokens:
        if z in task.subjects:
            held = table[..., z - task.subjects.start, :]
        else:
            held = table[..., z - task.relations.start]
        held = held.sort(dim=-1).values
        first = held != NOT_A_FACT
        first[..., 1:] &= held[..., 1:] != held[..., :-1]
        # What is no fact names some token, and is left out.
        vectors = assigned(embeddings, held.clamp(min=0) + task.answers.start).double()
        sums.append(torch.where(first.unsqueeze(-1), vectors, 0.0).sum(dim=-2))
    return torch.stack(sums, dim=-2)
