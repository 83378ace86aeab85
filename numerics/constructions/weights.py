"""Weights of transformers of one size, with what they are filled for: one, or many drawn at once.

Serves Sec. 4.3 of arXiv 2412.06538: what a construction is, is written once, for the weights of one
transformer and for those of many.
"""

from dataclasses import dataclass
from typing import Self

import torch
from torch import Tensor

from numerics.memories.activations import Activation
from numerics.tasks.factual_recall import FactualRecall
from numerics.transformer import OneLayerTransformer


@dataclass(frozen=True, eq=False)
class Weights:
    """W_K, W_Q, W_V, W_O (..., H, d_h, d) and W, V (..., m, d), as in `OneLayerTransformer`.

    Of W_K and W_Q those rows may be left out that are zero in all heads.
    """

    W_K: Tensor
    W_Q: Tensor
    W_V: Tensor
    W_O: Tensor
    W: Tensor
    V: Tensor
    activation: Activation | None

    @classmethod
    def of(cls, transformer: OneLayerTransformer) -> Self:
        """Those of a transformer, in its own memory: what is written here is written there."""
        model = transformer
        parts = model.W_K, model.W_Q, model.W_V, model.W_O, model.W, model.V
        W_K, W_Q, W_V, W_O, W, V = (part.detach() for part in parts)
        return cls(W_K, W_Q, W_V, W_O, W, V, transformer.activation)

    @classmethod
    def zeros(
        cls,
        replicates: int,
        d: int,
        H: int,
        d_h: int,
        m: int,
        *,
        activation: Activation | None,
        dtype: torch.dtype,
        device: torch.device | str,
    ) -> Self:
        """Zeros for so many transformers, sizes as `OneLayerTransformer` takes them.

        W_K and W_Q have one row a head, as the keys and queries of `fill_keys` are of rank one.
        """
        shapes = [(H, 1)] * 2 + [(H, d_h)] * 2 + [(m,)] * 2
        W_K, W_Q, W_V, W_O, W, V = (
            torch.zeros(replicates, *shape, d, dtype=dtype, device=device) for shape in shapes
        )
        return cls(W_K, W_Q, W_V, W_O, W, V, activation)

    @property
    def m(self) -> int:
        """The number of neurons."""
        return self.V.shape[-2]


@dataclass(frozen=True, eq=False)
class Filled:
    """Weights of constructions of one size, and what they are for: leading dimensions number them.

    embeddings (..., |V|, d); task, whose sizes, contexts and pairs (s, r) are those of all; answers,
    int64 (..., S, R) or (S, R) for all, on the device: the table of each, NOT_A_FACT where the task has
    none; heads: for each head the tokens it looks for, as in `Construction`.
    """

    weights: Weights
    embeddings: Tensor
    task: FactualRecall
    answers: Tensor
    heads: tuple[tuple[int, ...], ...]

    @property
    def answer_tokens(self) -> Tensor:
        """The token of each fact's answer, int64 (..., F) or (F,), in the order of `task.facts`."""
        s, r = self.task.facts.to(self.answers.device).unbind(dim=1)
        found: Tensor = self.answers[..., s, r] + self.task.answers.start
        return found
