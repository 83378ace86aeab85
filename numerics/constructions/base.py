"""Transformers filled for a task: what both constructions are made of, and what is certified.

Serves Sec. 4.3 of arXiv 2412.06538: i.i.d. uniform unit embeddings, and heads for groups of tokens.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, Self

import torch
from torch import Tensor

from numerics.checks import (
    check_finite_rows,
    check_integer,
    check_kind,
    check_matrix,
    check_tensor,
)
from numerics.constructions.weights import Filled, Weights
from numerics.errors import InputError
from numerics.memories.activations import Activation
from numerics.random import Stream, sample_sphere
from numerics.rounding import lengths
from numerics.tasks.factual_recall import FactualRecall
from numerics.transformer import OneLayerTransformer


class Design(Protocol):
    """The choices of a construction, whatever is drawn; made of the choices of its `build`."""

    #: The least d.
    least: ClassVar[int]

    @property
    def d_h(self) -> int:
        """Dimensions of a head."""

    @property
    def m(self) -> int:
        """Neurons."""

    @property
    def sigma(self) -> Activation | None:
        """Their activation."""

    def heads(self, task: FactualRecall, d: int) -> tuple[tuple[tuple[int, ...], ...], int]:
        """The tokens that the first heads look for, and how many heads there are with those left zero.

        InputError for choices out of range.
        """

    def fill(self, drawn: Filled, stream: Stream) -> None:
        """Write the weights, which are zero, of one construction or of many.

        One is drawn from the stream, many from replicates of it, from the stream's own on.
        """

    def check_filled(self, weights: Weights) -> None:
        """InputError for weights of one construction that are of no use."""


@dataclass(frozen=True, eq=False, repr=False)
class Construction:
    """A transformer, the embeddings (|V|, d) it reads, the task, and what each head looks for.

    heads: for each head the subject or relation tokens it attends to; () for a head left zero.

    InputError where the embeddings are not one finite row a token, of the transformer's d, dtype and
    device, where heads names more or fewer than H groups, or a token that is neither a subject nor a
    relation.
    """

    transformer: OneLayerTransformer
    embeddings: Tensor
    task: FactualRecall
    heads: tuple[tuple[int, ...], ...]

    #: The class of its choices.
    design: ClassVar[type[Any]]

    def __post_init__(self) -> None:
        check_kind("transformer", self.transformer, OneLayerTransformer, "a OneLayerTransformer")
        check_task(self.task)
        self.transformer.check_embeddings(self.embeddings)
        _check_rows(self.task, self.embeddings)
        if len(self.heads) != self.transformer.H:
            raise InputError(
                f"heads names {len(self.heads)} groups for H = {self.transformer.H} heads: name one "
                "a head, () for a head that looks for nothing"
            )
        tokens = range(self.task.relations.stop)
        for h, group in enumerate(self.heads):
            for token in group:
                if token not in tokens:
                    raise InputError(
                        f"heads[{h}] names the token {token}: name subjects and relations, "
                        f"tokens in 0..{tokens[-1]}"
                    )

    @classmethod
    def build(cls, *arguments: Any, **choices: Any) -> Self:
        """The construction for a task and embeddings; each kind says which choices it takes."""
        raise NotImplementedError

    @classmethod
    def _built(
        cls,
        task: FactualRecall,
        embeddings: Tensor,
        design: Design,
        *,
        inverse_temperature: float,
        seed: int | Stream,
    ) -> Self:
        check_embeddings(task, embeddings, least=design.least)
        d = embeddings.shape[1]
        heads, count = design.heads(task, d)
        transformer = OneLayerTransformer(
            d,
            count,
            design.d_h,
            design.m,
            activation=design.sigma,
            inverse_temperature=inverse_temperature,
            dtype=embeddings.dtype,
            device=embeddings.device,
        )
        construction = cls(transformer, embeddings, task, _with_spare(heads, count))
        filled = construction.filled
        design.fill(filled, Stream.of(seed))
        design.check_filled(filled.weights)
        return construction

    @property
    def filled(self) -> Filled:
        """The weights in the transformer's memory, with what they are for."""
        answers = self.task.table.answers.to(self.embeddings.device)
        weights = Weights.of(self.transformer)
        return Filled(weights, self.embeddings, self.task, answers, self.heads)

    @classmethod
    def sample(
        cls,
        task: FactualRecall,
        *,
        d: int,
        seed: int | Stream,
        dtype: torch.dtype = torch.float64,
        device: torch.device | str = "cpu",
        **choices: Any,
    ) -> Self:
        """`build` with these choices for uniform unit embeddings in R^d.

        They come from the child "embeddings" of the seed's stream, the rest as in `build`.
        """
        check_task(task)
        stream = Stream.of(seed)
        phi = stream.child("embeddings")
        embeddings = sample_sphere(task.vocabulary, d, stream=phi, dtype=dtype, device=device)
        return cls.build(task, embeddings, seed=stream, **choices)

    @classmethod
    @torch.no_grad()
    def sample_many(
        cls,
        task: FactualRecall,
        answers: Tensor,
        *,
        d: int,
        seed: int | Stream,
        replicates: int,
        dtype: torch.dtype = torch.float64,
        device: torch.device | str = "cpu",
        inverse_temperature: float = math.inf,
        **choices: Any,
    ) -> Filled:
        """The weights that `sample` makes with these choices of so many replicates of the seed's stream.

        From the stream's own on; each up to the rounding of sums, whose order depends on how many are
        made at once. Their tables are `answers`, (replicates, S, R) or one (S, R) for all, with the
        facts of the task. inverse_temperature plays no part. Choices are not looked through, as `sample`
        does; nothing waits for the device but where factorizations are made on the CPU, once.
        """
        stream, design = Stream.of(seed), cls.design(**choices)
        heads, count = design.heads(task, d)
        embeddings = sample_sphere(
            task.vocabulary,
            d,
            stream=stream.child("embeddings"),
            replicates=replicates,
            dtype=dtype,
            device=device,
        )
        weights = Weights.zeros(
            replicates,
            d,
            count,
            design.d_h,
            design.m,
            activation=design.sigma,
            dtype=dtype,
            device=device,
        )
        spared = _with_spare(heads, count)
        filled = Filled(weights, embeddings, task, answers.to(device), spared)
        design.fill(filled, stream)
        return filled

    def __repr__(self) -> str:
        model, task = self.transformer, self.task
        mlp = f", m={model.m}" if model.m else ""
        return (
            f"{type(self).__name__}(facts={len(task.facts)}, d={model.d}, H={model.H}, "
            f"d_h={model.d_h}{mlp}, parameters={model.parameters_count})"
        )

    def answer(self, tokens: Tensor) -> Tensor:
        """The token that the transformer names for each context of tokens (n, T): int64 (n,).

        `OneLayerTransformer.decode` with the embeddings of the construction. InputError as there, and
        for contexts of another length than the task's.
        """
        check_tensor("tokens", tokens)
        if tokens.dim() == 2 and tokens.shape[1] != self.task.T:
            raise InputError(
                f"tokens are {tuple(tokens.shape)}: pass contexts (n, {self.task.T}), of what "
                "`task.sample` draws [:, :-1], as the last column is the answer"
            )
        return self.transformer.decode(tokens, self.embeddings)


def _with_spare(heads: tuple[tuple[int, ...], ...], count: int) -> tuple[tuple[int, ...], ...]:
    return heads + ((),) * (count - len(heads))


def check_task(task: FactualRecall) -> None:
    """Raise InputError unless it is a task."""
    check_kind("task", task, FactualRecall, "a FactualRecall")


def _check_rows(task: FactualRecall, embeddings: Tensor) -> None:
    if len(embeddings) != task.vocabulary:
        raise InputError(
            f"embeddings has {len(embeddings)} rows for a vocabulary of {task.vocabulary} tokens: "
            "pass one row a token"
        )


def check_embeddings(task: FactualRecall, embeddings: Tensor, *, least: int) -> None:
    """Raise InputError unless `embeddings` are unit vectors (|V|, d), d >= least, up to rounding.

    They must be float32 or float64; a length may differ from 1 by d + 8 units of their rounding.
    """
    check_task(task)
    check_matrix("embeddings", embeddings)
    _check_rows(task, embeddings)
    d = embeddings.shape[1]
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
    """The rows (..., n, d) less their parts along the vector eos (..., d)."""
    along = rows @ eos.unsqueeze(-1) / eos.square().sum(dim=-1)[..., None, None]
    return rows - along * eos.unsqueeze(-2)
