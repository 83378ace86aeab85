"""Drawn learners of a uniform table: encoder and predictor as random stochastic matrices, in float64.

Informations in bits from the joint array. Serves the proof of Theorem 7.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import entr, rel_entr

from numerics.information.power_laws import Floats, power_law

#: Worlds (N, M, B) that are drawn.
_SIZES = ((1, 2, 1), (1, 4, 2), (2, 2, 1), (2, 2, 2), (2, 3, 1), (3, 2, 2), (2, 4, 3))
#: Concentrations of the Dirichlet laws of the rows: nearly deterministic, flat, nearly constant.
_CONCENTRATIONS = (0.05, 1.0, 50.0)
_PREDICTIONS = 4


@dataclass(frozen=True)
class Sample:
    """One learner: P = I(f*; h), I = I(f*; F), H = H(F), B, T = sum_x I(f*(x); h), in bits.

    ``losses`` and ``informations``: for each x the mean of -log2 h(x)_{f*(x)}, and I(f*(x); h).
    """

    name: str
    L: float
    prior: Floats
    quantities: dict[str, float]
    losses: Floats
    informations: Floats


def samples(seed: int) -> Iterator[Sample]:
    """Drawn learners, then those that store what they can or nothing, in several small worlds."""
    rng = np.random.default_rng(seed)
    for N, M, B in _SIZES:
        worlds = np.array(list(itertools.product(range(M), repeat=N)))
        for a, b in itertools.product(_CONCENTRATIONS, repeat=2):
            encoder = rng.dirichlet(np.full(2**B, a), size=len(worlds))
            predictor = rng.dirichlet(np.full(_PREDICTIONS, b), size=2**B)
            laws = rng.dirichlet(np.full(M, 1.0), size=(_PREDICTIONS, N))
            yield _sample(f"rows {a:g}, {b:g}", worlds, B, encoder, predictor, laws)
        codes = {
            "whole table": worlds @ (M ** np.arange(N)),
            "first value": worlds[:, 0],
            "one table": np.arange(len(worlds)) == 0,
        }
        for name, code in codes.items():
            encoder = np.eye(2**B)[np.asarray(code, dtype=np.int64) % 2**B]
            best, flat = _posterior(worlds, encoder, M), np.full((1, N, M), 1 / M)
            yield _sample(f"{name}, posterior", worlds, B, encoder, np.eye(2**B), best)
            yield _sample(f"{name}, uniform", worlds, B, encoder, np.ones((2**B, 1)), flat)


def _posterior(worlds: NDArray[np.int64], encoder: Floats, M: int) -> Floats:
    """[message, x, value]; a message that never comes predicts the uniform law."""
    found = np.stack([encoder.T @ (worlds == value) for value in range(M)], axis=2)
    total = encoder.sum(axis=0)[:, None, None]
    posterior: Floats = np.where(total > 0, found / np.maximum(total, 1e-300), 1 / M)
    return posterior


def _sample(
    name: str, worlds: NDArray[np.int64], B: int, encoder: Floats, predictor: Floats, laws: Floats
) -> Sample:
    """*worlds* [table, x], *encoder* [table, message], *predictor* [message, prediction], *laws*
    [prediction, x, value]."""
    N, M = worlds.shape[1], laws.shape[2]
    sent = encoder / len(worlds)
    predicted = sent @ predictor
    values = [
        np.stack([predicted[worlds[:, x] == value].sum(axis=0) for value in range(M)])
        for x in range(N)
    ]
    informations = np.array([_information(joint) for joint in values])
    losses = np.array([_cross_entropy(values[x], laws[:, x].T) for x in range(N)])
    quantities = {
        "P": _information(predicted),
        "I": _information(sent),
        "H": float(entr(sent.sum(axis=0)).sum() / np.log(2)),
        "B": float(B),
        "T": float(informations.sum()),
    }
    words = f"N = {N}, M = {M}, B = {B}, {name}"
    return Sample(words, float(np.log2(M)), power_law(N, 1.0), quantities, losses, informations)


def _information(joint: Floats) -> float:
    """The mutual information in bits of rows and columns."""
    product = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    return float(rel_entr(joint, product).sum() / np.log(2))


def _cross_entropy(joint: Floats, law: Floats) -> float:
    """The mean of -log2 law; what has probability 0 counts nothing."""
    seen = joint > 0
    return float(-(joint[seen] * np.log2(law[seen])).sum())


def copied_bit() -> float:
    """I(f*; h) - sum_x I(f*(x); h) in bits for f*(1) = f*(2), a fair bit that h tells."""
    pair = np.zeros((4, 2))
    pair[0, 0] = pair[3, 1] = 0.5
    one = np.diag([0.5, 0.5])
    return _information(pair) - 2 * _information(one)
