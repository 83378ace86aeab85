"""A transformer filled for a task: what both constructions are made of, and what is certified.

Serves Sec. 4.3 of arXiv 2412.06538: i.i.d. uniform unit embeddings, and heads for groups of tokens.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from numerics.checks import check_finite_rows, check_integer, check_matrix
from numerics.errors import InputError
from numerics.random import Stream, sample_sphere
from numerics.rounding import lengths
from numerics.tasks.factual_recall import FactualRecall
from numerics.transformer import OneLayerTransformer

__all__ = ["Construction", "check_embeddings", "head_count", "off_eos", "sample_embeddings"]


@dataclass(frozen=True)
class Construction:
    """A transformer, the embeddings (|V|, d) it reads, the task, and what each head looks for.

    heads: for each head the subject or relation tokens it attends to; none for a head left zero.
    """

    transformer: OneLayerTransformer
    embeddings: Tensor
    task: FactualRecall
    heads: tuple[tuple[int, ...], ...]


def check_embeddings(task: FactualRecall, embeddings: Tensor, *, least: int) -> None:
    """Raise InputError unless `embeddings` are unit vectors (|V|, d), d >= least, up to rounding.

    They must be float32 or float64; a length may differ from 1 by d + 8 units of their rounding.
    """
    check_matrix("embeddings", embeddings)
    rows, d = embeddings.shape
    if rows != task.vocabulary:
        raise InputError(
            f"embeddings has {rows} rows for a vocabulary of {task.vocabulary} tokens: "
            "pass one row a token"
        )
    if d < least:
        raise InputError(f"d = {d} is too small for this construction: take d of at least {least}")
    check_finite_rows("embeddings", embeddings)
    off = (lengths(embeddings) - 1).abs()
    token = int(off.argmax())
    if float(off[token]) > (d + 8) * torch.finfo(embeddings.dtype).eps:
        raise InputError(
            f"embeddings: row {token} has length {float(lengths(embeddings[token : token + 1]))}: "
            "scale every row to length 1"
        )


def sample_embeddings(
    task: FactualRecall,
    d: int,
    *,
    stream: Stream,
    dtype: torch.dtype,
    device: torch.device | str,
) -> Tensor:
    """I.i.d. uniform unit embeddings (|V|, d), from the child "embeddings" of `stream`."""
    return sample_sphere(
        task.vocabulary, d, stream=stream.child("embeddings"), dtype=dtype, device=device
    )


def head_count(needed: int, H: int | None) -> int:
    """H, or `needed` where it is not given; InputError for fewer than needed."""
    if H is None:
        return needed
    check_integer("H", H, minimum=1)
    if needed > H:
        raise InputError(
            f"H = {H} heads are too few: the partition needs {needed}; raise H or tokens_per_head"
        )
    return H


def off_eos(rows: Tensor, eos: Tensor) -> Tensor:
    """The rows (n, d) less their parts along the vector eos (d,)."""
    return rows - torch.outer(rows @ eos, eos) / (eos @ eos)
