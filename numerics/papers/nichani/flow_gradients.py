"""The linear attention model and its loss, differentiated and listed sequence by sequence.

Serves Sec. 5, Lemma 4 and App. D.2 of arXiv 2412.06538. No sampling: small worlds, all sequences.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from numerics.flow import FlowWorld, Weights, autograd_gradient, sequences
from numerics.random import Stream
from numerics.tasks import FactTable, FactualRecall

Array = NDArray[np.float64]


def token_sum(d: int, T: int, *, seed: int) -> tuple[Array, Array, Array]:
    """phi(a)^T W_OV X^T X W_KQ x_T for all a, W_OV(a, z_t), and W_KQ(z_t): (d,), (d, T), (T,).

    The embeddings are a random orthonormal basis of R^d, the matrices and the tokens random too.
    """
    draw = Stream(seed, "token sum").replicate(d * 1000 + T).generator()
    basis = np.linalg.qr(draw.standard_normal((d, d)))[0].T
    ov, kq = draw.standard_normal((2, d, d))
    tokens = draw.integers(0, d, T)
    X = basis[tokens]
    output = ov @ (X.T @ X) @ (kq @ X[-1])
    return basis @ output, basis @ ov @ X.T, X @ kq @ X[-1]


def entry_speeds(*, seed: int) -> dict[str, tuple[Array, Array]]:
    """Speeds of entries under the flow of the matrices, beside derivatives of the loss by entries.

    Keys "OV" and "KQ": entries the loss sees, their speeds and derivatives; "rest": speeds of entries it
    does not see, and the derivatives by entries it sees in the same place of the other half.
    """
    # Two answers, s, r, EOS: a basis of R^5; all sequences of T = 3 with one subject and relation.
    draw = Stream(seed, "entry speeds").generator()
    basis = torch.from_numpy(np.linalg.qr(draw.standard_normal((5, 5)))[0].T.copy())
    ov, kq = (torch.from_numpy(draw.standard_normal((5, 5))).requires_grad_() for _ in range(2))
    X = basis[[2, 3, 4]]

    def loss(logits: torch.Tensor) -> torch.Tensor:
        return torch.logsumexp(logits, 0) - logits[0]

    output = ov @ (X.T @ X) @ (kq @ X[-1])
    by_ov, by_kq = torch.autograd.grad(loss(basis[:2] @ output), [ov, kq])
    speed_ov, speed_kq = (-(basis @ g @ basis.T).numpy() for g in (by_ov, by_kq))
    entries_ov = (basis @ ov @ basis.T).detach()[:2, 2:].requires_grad_()
    entries_kq = (basis @ kq @ basis.T).detach()[2:, 4].requires_grad_()
    g_ov, g_kq = (
        g.numpy()
        for g in torch.autograd.grad(loss(entries_ov @ entries_kq), [entries_ov, entries_kq])
    )
    return {
        "OV": (speed_ov[:2, 2:], g_ov),
        "KQ": (speed_kq[2:, 4], g_kq),
        "rest": (
            np.concatenate([speed_ov[2:4, 2:], speed_kq[2:, :2].T]),
            np.concatenate([g_ov, g_ov]),
        ),
    }


@dataclass(frozen=True, eq=False)
class Listed:
    """All n sequences of a world with full weights: chances (n,), pairs (n, 2), counts C (n, Z),
    right 1(a = a*) and predictions p-hat (n, A); the gradient of the loss by torch."""

    chances: Array
    pairs: NDArray[np.int64]
    counts: Array
    right: Array
    predictions: Array
    gradient: Weights


def small_worlds(*, seed: int) -> list[FlowWorld]:
    """Worlds with few sequences: a token twice in some, unequal priors, facts of probability 0."""
    prior = Stream(seed, "small worlds").generator().dirichlet(np.ones(4)).reshape(2, 2)
    return [
        FlowWorld(FactTable([[0, 2], [1, 3]]), T=5, noise=2, prior=prior),
        FlowWorld.random(3, 2, 2, T=4, noise=2, seed=seed),
        FlowWorld(FactTable([[0, 1], [0, 2]]), T=6, noise=1, prior=[[0.5, 0.2], [0.3, 0.0]]),
    ]


def listed(world: FlowWorld, weights: Weights) -> Listed:
    """The sequences of positive chance; InputError as for `sequences`."""
    tokens, chances, answers = sequences(world)
    counts = np.stack([(tokens == z).sum(1) for z in range(world.tokens)], axis=1)
    logits = counts @ (weights.ov * weights.kq).T
    shifted = np.exp(logits - logits.max(1, keepdims=True))
    relations = slice(world.S, world.S + world.R)
    return Listed(
        chances=chances,
        pairs=np.stack([counts[:, : world.S].argmax(1), counts[:, relations].argmax(1)], axis=1),
        counts=counts.astype(np.float64),
        right=np.eye(world.A)[answers],
        predictions=shifted / shifted.sum(1, keepdims=True),
        gradient=autograd_gradient(world, weights),
    )


def given(listed: Listed, here: NDArray[np.bool_]) -> tuple[float, Array, Array]:
    """Of the sequences *here* (n,): their chance, and the means over them of 1(a = a*) and p-hat(a)."""
    weights = listed.chances * here
    mass = float(weights.sum())
    return mass, weights @ listed.right / mass, weights @ listed.predictions / mass


def context_counts() -> Iterator[tuple[int, int, int, float]]:
    """T, |N|, the number of different contexts of a fact, and the ratio of their extreme chances."""
    table = FactTable([[0]])
    for T, N in ((3, 1), (3, 4), (4, 1), (4, 3), (5, 2), (6, 2), (7, 1), (9, 1)):
        contexts = np.unique(FactualRecall(table, noise=N, T=T).contexts(0, 0).numpy(), axis=0)
        _, chances, _ = sequences(FlowWorld(table, T=T, noise=N))
        yield T, N, len(contexts), float(chances.max() / chances.min())


def noise_counts() -> Iterator[tuple[int, int, float]]:
    """T, |N| and the mean number of the first noise token over all contexts of a fact."""
    table = FactTable([[0]])
    for T, N in ((4, 1), (4, 2), (5, 2), (5, 3), (6, 2), (9, 2)):
        task = FactualRecall(table, noise=N, T=T)
        contexts = task.contexts(0, 0)
        yield T, N, float((contexts == task.noise_tokens[0]).sum(1).double().mean())
