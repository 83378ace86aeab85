"""The loss (15) and its gradient from all sequences, by the definition and by torch.

Serves Sec. 5 of arXiv 2412.06538: what `population` sums up is checked here, sequence by
sequence, for any weights of the noise tokens.
"""

from collections.abc import Iterator
from itertools import permutations

import numpy as np
import torch
from numpy.typing import NDArray

from numerics.errors import InputError
from numerics.flow.weights import Weights, check_weights
from numerics.flow.world import FlowWorld

Array = NDArray[np.float64]
Tokens = NDArray[np.int64]

LIMIT = 2 * 10**6
#: Sequences worked on at once.
BLOCK = 2**14


def sequences(world: FlowWorld) -> tuple[Tokens, Array, Tokens]:
    """All sequences of positive chance: tokens (n, T), chances (n,), answers (n,).

    Tokens are columns of full weights. InputError where n is above 2e6.
    """
    facts = np.argwhere(world.prior > 0)
    free = world.T - 3
    count = len(facts) * (world.T - 1) * (world.T - 2) * world.noise**free
    if count > LIMIT:
        raise InputError(
            f"world has {count} sequences, more than {LIMIT}: lower T or noise, or use "
            "numerics.flow.population"
        )
    noise = np.indices((world.noise,) * free).reshape(free, world.noise**free).T + world.S + world.R
    blocks = []
    for s, r in facts:
        for i, j in permutations(range(world.T - 1), 2):
            block = np.empty((len(noise), world.T), dtype=np.int64)
            others = [t for t in range(world.T - 1) if t not in (i, j)]
            block[:, i], block[:, j], block[:, -1] = s, world.S + r, world.tokens - 1
            block[:, others] = noise
            blocks.append(block)
    each = count // len(facts)
    chances = world.prior[tuple(facts.T)] / each
    answers = world.answers[tuple(facts.T)]
    return np.concatenate(blocks), np.repeat(chances, each), np.repeat(answers, each)


def _blocks(world: FlowWorld) -> Iterator[tuple[Tokens, Array, Tokens]]:
    tokens, chances, answers = sequences(world)
    for start in range(0, len(tokens), BLOCK):
        part = slice(start, start + BLOCK)
        yield tokens[part], chances[part], answers[part]


def _logits(tokens: Tokens, weights: Weights) -> Array:
    """F_a = sum_t W_OV(a, z_t) W_KQ(z_t): (n, A)."""
    F = np.zeros((len(tokens), len(weights.ov)))
    for column in tokens.T:
        F += (weights.ov[:, column] * weights.kq[column]).T
    return F


def enumerated_loss(world: FlowWorld, weights: Weights) -> float:
    """E[-log p-hat(a*)] over all sequences, from full weights."""
    check_weights(world, weights, full=True)
    total = 0.0
    for tokens, chances, answers in _blocks(world):
        F = _logits(tokens, weights)
        right = F[np.arange(len(F)), answers]
        total += float(chances @ (np.logaddexp.reduce(F, axis=1) - right))
    return total


def enumerated_gradient(world: FlowWorld, weights: Weights) -> Weights:
    """The gradient of `enumerated_loss`, by the chain rule at each place of each sequence."""
    check_weights(world, weights, full=True)
    ov, kq = np.zeros_like(weights.ov), np.zeros_like(weights.kq)
    for tokens, chances, answers in _blocks(world):
        F = _logits(tokens, weights)
        slope = np.exp(F - np.logaddexp.reduce(F, axis=1)[:, None])
        slope[np.arange(len(F)), answers] -= 1
        slope *= chances[:, None]
        for column in tokens.T:
            np.add.at(ov.T, column, slope * weights.kq[column, None])
            np.add.at(kq, column, (slope * weights.ov[:, column].T).sum(1))
    return Weights(ov, kq)


def _autograd(world: FlowWorld, weights: Weights) -> tuple[torch.Tensor, list[torch.Tensor]]:
    """The loss by the matrices of (13), embeddings one-hot, and the entries it depends on."""
    check_weights(world, weights, full=True)
    ov = torch.tensor(weights.ov, requires_grad=True)
    kq = torch.tensor(weights.kq, requires_grad=True)
    # Embeddings of z_1..z_T first, of the answers after them: d = |V|.
    Z, A = world.tokens, world.A
    pad = torch.nn.functional.pad
    W_OV = pad(ov, (0, A, Z, 0))
    W_KQ = pad(kq[:, None], (Z - 1, A, 0, A))
    loss = torch.zeros((), dtype=torch.float64)
    for tokens, chances, answers in _blocks(world):
        X = torch.nn.functional.one_hot(torch.from_numpy(tokens), Z + A).double()
        F = torch.einsum("ij,ntj,ntk,kl,nl->ni", W_OV, X, X, W_KQ, X[:, -1])[:, Z:]
        each = torch.nn.functional.cross_entropy(F, torch.from_numpy(answers), reduction="none")
        loss = loss + torch.from_numpy(chances) @ each
    return loss, [ov, kq]


def autograd_loss(world: FlowWorld, weights: Weights) -> float:
    """The loss of F = W_OV X^T X W_KQ x_T with one-hot embeddings, over all sequences."""
    return float(_autograd(world, weights)[0].detach())


def autograd_gradient(world: FlowWorld, weights: Weights) -> Weights:
    """Its gradient by automatic differentiation."""
    found = torch.autograd.grad(*_autograd(world, weights))
    return Weights(found[0].numpy(), found[1].numpy())
