"""Gradient descent, on the whole population and on sampled sequences.

Serves Sec. 5 of arXiv 2412.06538: Figure 5 counts steps of descent where the theorems speak of the flow.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from numerics.checks import check_integer
from numerics.errors import InputError
from numerics.flow.arguments import check_number
from numerics.flow.population import residual_rows
from numerics.flow.stepping import StoppedByUser
from numerics.flow.weights import LARGEST, Weights, check_weights
from numerics.flow.world import FlowWorld
from numerics.tasks import FactualRecall
from numerics.tasks.factual_recall import SAMPLE_BLOCK

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Descent:
    """Weights after `steps` (n,) steps of size `rate`: ov (n, A, Z), kq (n, Z).

    `finished`: whether all steps were made; `reason`: "reached", "interrupted", or "diverged ...".
    """

    steps: NDArray[np.int64]
    ov: Array
    kq: Array
    rate: float
    finished: bool
    reason: str

    def __len__(self) -> int:
        return len(self.steps)

    def __getitem__(self, index: int) -> Weights:
        return Weights(self.ov[index], self.kq[index])

    @property
    def times(self) -> Array:
        """The time of the flow that the steps follow, rate times their number."""
        return self.rate * self.steps.astype(np.float64)

    @property
    def weights(self) -> list[Weights]:
        """The weights kept."""
        return [self[i] for i in range(len(self))]

    @property
    def last(self) -> Weights:
        """The weights at the end."""
        return self[-1]


def gradient_descent(
    world: FlowWorld, weights: Weights, *, rate: float, steps: int, every: int = 1
) -> Descent:
    """Descent on the loss (15) from collapsed weights, kept each `every` steps and at the end.

    rate > 0 finite; steps, every >= 1; InputError otherwise. A weight above 1e50, the limit of the
    losses, ends the run with those before. Ctrl-C raises StoppedByUser, whose `trajectory` is what is
    done.
    """
    check_weights(world, weights)

    def gradients() -> Iterator[Array]:
        while True:
            yield residual_rows(world, kq * ov)

    ov, kq = weights.ov.T.copy(order="C"), weights.kq[:, None].copy()
    return _descend(ov, kq, gradients(), rate, steps, every)


def sgd(
    world: FlowWorld,
    weights: Weights,
    *,
    rate: float,
    steps: int,
    batch: int,
    seed: int,
    every: int = 1,
) -> Descent:
    """Stochastic descent from full weights, `batch` >= 1 sampled sequences a step; else as above.

    The sequences depend on the seed and the world alone, each used once, in order.
    """
    check_weights(world, weights, full=True)
    check_integer("batch", batch, minimum=1)

    def gradients() -> Iterator[Array]:
        for counts, answers in _batches(world, batch, seed):
            F = counts @ (kq * ov)
            F = np.exp(F - F.max(axis=1, keepdims=True))
            F /= -F.sum(axis=1, keepdims=True)
            F[np.arange(batch), answers] += 1
            yield counts.T @ F / batch

    ov, kq = weights.ov.T.copy(order="C"), weights.kq[:, None].copy()
    return _descend(ov, kq, gradients(), rate, steps, every)


def _batches(world: FlowWorld, batch: int, seed: int) -> Iterator[tuple[Array, NDArray[np.int64]]]:
    """How often each token is in each sequence, (batch, Z), and the answers, (batch,)."""
    table = world.table
    chances = world.prior[tuple(table.facts.numpy().T)]
    task = FactualRecall(table, noise=world.noise, T=world.T, weights=chances.tolist())
    rows = SAMPLE_BLOCK * math.ceil(batch / SAMPLE_BLOCK)
    kept, start = np.empty((0, world.T + 1), dtype=np.int64), 0
    before_answers = world.S + world.R
    while True:
        if len(kept) < batch:
            kept = np.concatenate([kept, task.sample(rows, seed=seed, start=start).numpy()])
            start += rows
        now, kept = kept[:batch], kept[batch:]
        # The task numbers its answers between relations and noise.
        tokens = np.where(now[:, :-1] < before_answers, now[:, :-1], now[:, :-1] - world.A)
        counts = np.zeros((batch, world.tokens))
        np.add.at(counts, (np.arange(batch)[:, None], tokens), 1.0)
        yield counts, now[:, -1] - before_answers


def _descend(
    ov: Array, kq: Array, residuals: Iterator[Array], rate: float, steps: int, every: int
) -> Descent:
    """Steps in place on ov (Z, A) and kq (Z, 1), from the residuals G at each."""
    rate = check_number("rate", rate, "pass a finite one above 0")
    if rate <= 0:
        raise InputError(f"rate = {rate} is no step size: pass a finite number above 0")
    check_integer("steps", steps, minimum=1)
    check_integer("every", every, minimum=1)
    done, kept = [0], [(ov.copy(), kq.copy())]
    reason = "reached"
    try:
        for step in range(1, steps + 1):
            # A step too far is noticed below.
            with np.errstate(over="ignore", invalid="ignore"):
                G = next(residuals)
                change = (ov * G).sum(1, keepdims=True)
                ov += rate * kq * G
                kq += rate * change
                # False for a NaN too.
                safe = bool(np.abs(ov).max() <= LARGEST and np.abs(kq).max() <= LARGEST)
            if not safe:
                reason = f"diverged at step {step}: lower rate = {rate}"
                break
            if step % every == 0 or step == steps:
                done.append(step)
                kept.append((ov.copy(), kq.copy()))
    except KeyboardInterrupt:
        reason = "interrupted"
    found = Descent(
        np.array(done),
        np.stack([a.T for a, _ in kept]),
        np.stack([b[:, 0] for _, b in kept]),
        rate,
        reason == "reached",
        reason,
    )
    if reason == "interrupted":
        raise StoppedByUser(found, found.times[-1])
    return found
