"""Losses of B-bit learners by brute force: every map from tables to messages at once, in float64.

Serves Theorem 7.
"""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.special import entr

from numerics.checks import check_integer
from numerics.errors import InputError
from numerics.information.power_laws import Floats

#: The most maps that are held at once.
MOST_MAPS = 10**6


def best_loss(prior: Floats, M: int, B: int) -> float:
    """The least loss in bits over all (2^B)^(M^N) maps, N = len(prior).

    Raises InputError for what makes no world, and beyond ``MOST_MAPS`` maps.
    """
    _check(prior, M, B)
    tables, messages = M ** len(prior), 2**B
    if messages**tables > MOST_MAPS:
        raise InputError(
            f"N = {len(prior)}, M = {M}, B = {B}: more than {MOST_MAPS} maps; take a smaller world"
        )
    # Renaming messages changes nothing: the first table has message 0.
    maps = np.indices((messages,) * (tables - 1)).reshape(tables - 1, -1).T
    maps = np.hstack([np.zeros((len(maps), 1), dtype=maps.dtype), maps])
    return float(losses(maps, prior, M, B).min())


def drawn_losses(prior: Floats, M: int, B: int, *, count: int, seed: int) -> Floats:
    """Losses in bits of *count* uniformly random maps, from *seed* alone."""
    _check(prior, M, B)
    drawn = np.random.default_rng(seed).integers(0, 2**B, size=(count, M ** len(prior)))
    return losses(drawn, prior, M, B)


def losses(maps: NDArray[np.integer], prior: Floats, M: int, B: int) -> Floats:
    """sum_x p(x) H(f*(x) | F) in bits for each row of *maps*, the message of each table [count, M^N].

    Tables are in lexicographic order.
    """
    N = len(prior)
    tables = np.array(list(itertools.product(range(M), repeat=N)))
    values = (tables[:, :, None] == np.arange(M)).reshape(len(tables), N * M).astype(np.float64)
    total = np.zeros(len(maps))
    for message in range(2**B):
        block = (maps == message).astype(np.float64)
        size = block.sum(axis=1)
        shares = (block @ values).reshape(-1, N, M) / np.maximum(size, 1)[:, None, None]
        entropies = entr(shares).sum(axis=2) @ prior
        total += size * entropies
    total /= len(tables) * np.log(2)
    return total


def least_fractional_loss(prior: Floats, L: float, B: float) -> float:
    """min sum_x p(x) (L - I_x) over 0 <= I_x <= L, sum_x I_x <= B, as a linear program."""
    whole = np.ones((1, len(prior)))
    found = linprog(-prior, A_ub=whole, b_ub=[B], bounds=(0, L), method="highs")
    return float(L * prior.sum() + found.fun)


def _check(prior: Floats, M: int, B: int) -> None:
    """Raise InputError unless the prior is a law, M >= 2 and B >= 0."""
    check_integer("M", M, minimum=2)
    check_integer("B", B, minimum=0)
    if prior.ndim != 1 or not len(prior) or (prior < 0).any() or abs(prior.sum() - 1) > 1e-9:
        raise InputError(f"prior = {prior}: pass probabilities, one a value, that add up to 1")
