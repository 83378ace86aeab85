"""Predictions, losses and gradients over the whole population, from collapsed weights.

Serves Sec. 5 of arXiv 2412.06538: the loss (15), its gradients (Lemma 4), the curves of Figure 5.
The logits depend on the subject and the relation alone: Theta_s + Theta_r + (T-3) Theta_n + Theta_EOS.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from numerics.flow.weights import Weights, check_weights
from numerics.flow.world import FlowWorld

Array = NDArray[np.float64]


def logits(world: FlowWorld, theta: Array) -> Array:
    """F_a for each subject and relation, (S, R, A), from Theta, (A, S + R + 2)."""
    rows = theta.T
    S, R = world.S, world.R
    common = (world.T - 3) * rows[S + R] + rows[S + R + 1]
    found: Array = np.add(rows[:S, None], rows[S : S + R] + common, order="C")
    return found


def residual_rows(world: FlowWorld, rows: Array) -> Array:
    """G transposed, (S + R + 2, A), from Theta transposed.

    The entry of the right answer is the mass of the others, so it keeps its digits as it vanishes.
    """
    S, R, A = world.S, world.R, world.A
    F = logits(world, rows.T)
    F -= np.maximum.reduce(F, axis=2, keepdims=True)
    np.exp(F, out=F)
    flat = F.reshape(-1)
    right = flat[world.flat_answers]
    flat[world.flat_answers] = 0.0
    wrong = F.reshape(S * R, A) @ np.ones(A)
    chances = world.prior.ravel() / (wrong + right)
    F *= -chances.reshape(S, R, 1)
    flat[world.flat_answers] = chances * wrong
    G = np.empty((S + R + 2, A))
    np.add.reduce(F, axis=1, out=G[:S])
    np.add.reduce(F, axis=0, out=G[S : S + R])
    np.add.reduce(G[S : S + R], axis=0, out=G[-1])
    np.multiply(world.rates[-2], G[-1], out=G[-2])
    return G


def residual_slopes(world: FlowWorld, rows: Array) -> Array:
    """dG(a, z) / dTheta(b, w), as (Z, A, Z, A) in the order z, a, w, b, from Theta transposed.

    It is -sum_(s, r) p(s, r) c(z) c(w) (p-hat_a 1(a = b) - p-hat_a p-hat_b), c the count of a token.
    """
    S, R, A = world.S, world.R, world.A
    p = softmax(logits(world, rows.T)).reshape(S * R, A)
    curvature = p[:, :, None] * (np.eye(A) - p[:, None, :])
    curvature *= world.prior.reshape(S * R, 1, 1)
    count = np.zeros((S + R + 2, S, R))
    count[np.arange(S), np.arange(S)] = 1
    count[S + np.arange(R), :, np.arange(R)] = 1
    count[-1] = 1
    expected, seen = count, count.copy()
    expected[-2], seen[-2] = world.rates[-2], world.T - 3
    Z = S + R + 2
    pairs = expected.reshape(Z, 1, S * R) * seen.reshape(1, Z, S * R)
    found = -(pairs.reshape(Z * Z, S * R) @ curvature.reshape(S * R, A * A))
    slopes: Array = found.reshape(Z, Z, A, A).transpose(0, 2, 1, 3)
    return slopes


def residuals(world: FlowWorld, weights: Weights) -> Array:
    """G(a, z) = E[C(z) (1(a = a*) - p-hat(a))], C(z) the number of tokens z: (A, S + R + 2)."""
    check_weights(world, weights)
    return residual_rows(world, weights.theta.T).T


def gradient(world: FlowWorld, weights: Weights) -> Weights:
    """dL/dW_OV = -W_KQ G and dL/dW_KQ = -sum_a W_OV G; the noise column: of one noise token."""
    G = residuals(world, weights)
    return Weights(-weights.kq * G, -(weights.ov * G).sum(0))


def predictions(world: FlowWorld, weights: Weights) -> Array:
    """p-hat(a | s, r): (S, R, A)."""
    check_weights(world, weights)
    return softmax(logits(world, weights.theta))


def softmax(F: Array) -> Array:
    """p-hat of logits F, (S, R, A)."""
    p: Array = np.exp(F - F.max(axis=2, keepdims=True))
    p /= p.sum(axis=2, keepdims=True)
    return p


def loss(world: FlowWorld, weights: Weights) -> float:
    """L = E[-log p-hat(a*)]."""
    return losses(world, weights).total


@dataclass(frozen=True)
class Losses:
    """E[-log p-hat(a*)], and with A_r or A_s in place of a*: all of it in nats."""

    total: float
    relation_only: float
    subject_only: float


def losses(world: FlowWorld, weights: Weights) -> Losses:
    """The three losses of Figure 5, to full relative precision also where they are tiny."""
    check_weights(world, weights)
    return losses_of(world, logits(world, weights.theta))


def losses_of(world: FlowWorld, F: Array) -> Losses:
    """The three losses of logits F, (S, R, A)."""
    right = np.arange(world.A) == world.answers[..., None]
    return Losses(
        _missed(world, F, right),
        _missed(world, F, np.broadcast_to(world.of_relation, F.shape)),
        _missed(world, F, np.broadcast_to(world.of_subject[:, None], F.shape)),
    )


def _missed(world: FlowWorld, F: Array, counted: NDArray[np.bool_]) -> float:
    """E[-log p-hat(counted)] = E log(1 + e^(lse of the others - lse of the counted))."""
    # Where there is no fact nothing is counted, at no weight.
    seen = world.prior > 0
    F, counted = F[seen], counted[seen]
    inside = np.logaddexp.reduce(np.where(counted, F, -np.inf), axis=1)
    outside = np.logaddexp.reduce(np.where(counted, -np.inf, F), axis=1)
    return float(world.prior[seen] @ np.logaddexp(0.0, outside - inside))
