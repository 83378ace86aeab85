"""What `fields` does, compiled for a CPU by numba: one pass over the facts, no array between.

Serves the flows of Sec. 5 of arXiv 2412.06538. Importing this module needs numba and compiles nothing.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from numerics.flow.fields import LARGEST_LOG, Map
from numerics.flow.world import FlowWorld

Array = NDArray[np.float64]
_NUMBA = {"cache": True, "error_model": "numpy"}


@njit(**_NUMBA)
def _residual_rows(answers, prior, noise_seen, noise_rate, rows, G):
    """G transposed, (S + R + 2, A), from Theta transposed; answers and prior (S, R)."""
    S, R = answers.shape
    A = rows.shape[1]
    common = np.empty((R, A))
    for r in range(R):
        for a in range(A):
            common[r, a] = rows[S + r, a] + (noise_seen * rows[S + R, a] + rows[S + R + 1, a])
    for z in range(S + R + 2):
        for a in range(A):
            G[z, a] = 0.0
    p = np.empty(A)
    for s in range(S):
        for r in range(R):
            most = -np.inf
            for a in range(A):
                p[a] = rows[s, a] + common[r, a]
                most = max(most, p[a])
            # The entry of the right answer is the mass of the others.
            star, right, wrong = answers[s, r], 0.0, 0.0
            for a in range(A):
                p[a] = np.exp(p[a] - most)
                if a == star:
                    right = p[a]
                else:
                    wrong += p[a]
            chance = prior[s, r] / (wrong + right)
            for a in range(A):
                entry = chance * wrong if a == star else -chance * p[a]
                G[s, a] += entry
                G[S + r, a] += entry
    for a in range(A):
        for r in range(R):
            G[S + R + 1, a] += G[S + r, a]
        G[S + R, a] = noise_rate * G[S + R + 1, a]


@njit(**_NUMBA)
def _field(answers, prior, noise_seen, noise_rate, state):
    Z, A = state.shape[0], state.shape[1] - 1
    theta, G, change = np.empty((Z, A)), np.empty((Z, A)), np.empty((Z, A + 1))
    for z in range(Z):
        for a in range(A):
            theta[z, a] = state[z, A] * state[z, a]
    _residual_rows(answers, prior, noise_seen, noise_rate, theta, G)
    for z in range(Z):
        growth = 0.0
        for a in range(A):
            change[z, a] = state[z, A] * G[z, a]
            growth += state[z, a] * G[z, a]
        change[z, A] = growth
    return change


@njit(**_NUMBA)
def _log_field(answers, prior, noise_seen, noise_rate, state):
    Z, A = state.shape[0], state.shape[1] - 1
    theta, G, change = np.empty((Z, A)), np.empty((Z, A)), np.empty((Z, A + 1))
    for z in range(Z):
        scale = np.exp(min(2 * state[z, A], LARGEST_LOG))
        for a in range(A):
            theta[z, a] = scale * state[z, a]
    _residual_rows(answers, prior, noise_seen, noise_rate, theta, G)
    for z in range(Z):
        growth = 0.0
        for a in range(A):
            growth += state[z, a] * G[z, a]
        for a in range(A):
            change[z, a] = G[z, a] - growth * state[z, a]
        change[z, A] = growth
    return change


@njit(**_NUMBA)
def _project(sign, size, state):
    Z, A = state.shape[0], state.shape[1] - 1
    found = np.empty((Z, A + 1))
    for z in range(Z):
        total = squared = 0.0
        for a in range(A):
            total += state[z, a]
        for a in range(A):
            found[z, a] = state[z, a] - total / A
            squared += found[z, a] ** 2
        log_kq = found[z, A] = state[z, A]
        off = abs(1 - squared)
        if off < 0.5 or sign[z] == 0:
            wanted = 1 - sign[z] * np.exp(min(size[z] - 2 * log_kq, LARGEST_LOG))
            if wanted > 0 and squared > 0:
                factor = np.sqrt(wanted / squared)
                for a in range(A):
                    found[z, a] *= factor
        else:
            found[z, A] = 0.5 * (size[z] - np.log(off))
    return found


def _facts(world: FlowWorld) -> tuple[NDArray[np.int64], Array, float, float]:
    """The table, answer 0 where it holds no fact; its prior; noise tokens seen, and each one's rate."""
    answers = np.ascontiguousarray(np.maximum(world.answers, 0))
    prior = np.ascontiguousarray(world.prior)
    return answers, prior, world.T - 3.0, float(world.rates[-2])


def field(world: FlowWorld) -> Map:
    """(W_OV, W_KQ)' = (W_KQ G, <W_OV, G>)."""
    facts, shape = _facts(world), (world.collapsed_tokens, world.A + 1)
    return lambda state: _field(*facts, state.reshape(shape)).ravel()


def log_field(world: FlowWorld) -> Map:
    """(u, log W_KQ)' = (G - u <u, G>, <u, G>)."""
    facts, shape = _facts(world), (world.collapsed_tokens, world.A + 1)
    return lambda state: _log_field(*facts, state.reshape(shape)).ravel()


def projection(world: FlowWorld, sign: Array, size: Array) -> Map:
    """Puts back 1 - |u|^2 = sign e^size / W_KQ^2: into u where it is near 1, else into W_KQ."""
    shape = world.collapsed_tokens, world.A + 1
    return lambda state: _project(sign, size, state.reshape(shape)).ravel()
