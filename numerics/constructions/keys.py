"""Keys and queries that pick out a group of tokens, and attend to EOS where none of them is there.

Serves Lemma 1 of arXiv 2412.06538: W_K^T W_Q = v phi(EOS)^T with v = sum_z phi(z) + phi(EOS) / 2.
"""

from typing import Literal

import torch
from torch import Tensor

from numerics.checks import check_choice, check_integer
from numerics.constructions.weights import Weights
from numerics.errors import InputError
from numerics.factorizing import qr
from numerics.tasks.factual_recall import FactualRecall
from numerics.transformer import OneLayerTransformer

#: "sum": the paper's v; "interpolating": the shortest v that scores 1 on the group and 1/2 on EOS.
Keys = Literal["sum", "interpolating"]


def partition(task: FactualRecall, tokens_per_head: int) -> tuple[tuple[int, ...], ...]:
    """The subjects in groups of at most M = `tokens_per_head` in order, then the relations so.

    ceil(S/M) + ceil(R/M) groups; M >= 1, InputError otherwise.
    """
    check_integer("tokens_per_head", tokens_per_head, minimum=1)
    return tuple(
        tuple(tokens[start : start + tokens_per_head])
        for tokens in (task.subjects, task.relations)
        for start in range(0, len(tokens), tokens_per_head)
    )


def embeddings_of(tokens: tuple[int, ...], embeddings: Tensor) -> Tensor:
    """The rows (..., n, d), float64, of `embeddings` (..., |V|, d) for consecutive tokens."""
    return embeddings[..., tokens[0] : tokens[-1] + 1, :].double()


def check_keys(keys: Keys) -> None:
    """Raise InputError for a kind of key that is not known."""
    check_choice("keys", keys, ("sum", "interpolating"))


def denoising_vector(group: Tensor, eos: Tensor, keys: Keys) -> Tensor:
    """v (..., d) for the embeddings `group` (..., n, d) and `eos` (..., d), float64.

    The paper's sum scores 1 on the group and 1/2 on EOS up to the overlaps of their embeddings; an
    interpolating v does so exactly, which leaves the overlaps of other tokens only. That needs
    n + 1 linearly independent embeddings, hence n < d; InputError otherwise.
    """
    if keys == "sum":
        return group.sum(dim=-2) + eos / 2
    n, d = group.shape[-2:]
    if n >= d:
        raise InputError(
            f"{n} tokens a head leave no interpolating key in d = {d}: lower tokens_per_head to "
            f"{d - 1}, or take keys = 'sum'"
        )
    targets = torch.ones(n + 1, 1, dtype=group.dtype)
    targets[-1] = 0.5
    basis, triangle = qr(torch.cat([group, eos.unsqueeze(-2)], dim=-2).cpu().mT)
    diagonals = triangle.diagonal(dim1=-2, dim2=-1)
    if float(diagonals.abs().min()) <= d * torch.finfo(group.dtype).eps:
        raise InputError(
            "the embeddings of a head and of EOS are linearly dependent: take keys = 'sum'"
        )
    found: Tensor = basis @ torch.linalg.solve_triangular(triangle.mT, targets, upper=False)
    return found.squeeze(-1).to(group.device)


def fill_keys(weights: Weights | OneLayerTransformer, h: int, v: Tensor, eos: Tensor) -> None:
    """Write W_K^T W_Q = v eos^T, of rank one, into head h: the first rows of W_K and W_Q.

    v, eos (..., d), one for each of the transformers that leading dimensions of the weights number.
    """
    with torch.no_grad():
        weights.W_K[..., h, 0, :] = v
        weights.W_Q[..., h, 0, :] = eos
