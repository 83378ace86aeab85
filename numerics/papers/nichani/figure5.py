"""The stages of training that Figure 5 shows, and where in a run the loss rests.

Serves Sec. 5 of arXiv 2412.06538, "Empirical Validation": the three losses of the linear attention
model along its flow, and of one softmax attention head that is trained.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from numerics.flow import (
    FlowWorld,
    Trajectory,
    Weights,
    equal,
    gradient,
    integrate,
    losses,
    predictions,
)
from numerics.flow.weights import constant
from numerics.observables import Bounded
from numerics.random import Stream, replicate_integers, sample_sphere
from numerics.tasks import FactTable, FactualRecall
from numerics.training import Training
from numerics.transformer import OneLayerTransformer

Array = NDArray[np.float64]

#: A gradient below this part of the weights is rounding.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Sizes:
    """S subjects, R relations with D answers each, sequences of length T, S + R noise tokens.

    As in the experiments of Sec. 4.4, whose tables draw each answer uniformly.
    """

    S: int = 16
    R: int = 4
    D: int = 8
    T: int = 32

    @property
    def noise(self) -> int:
        return self.S + self.R

    def world(self, seed: int) -> FlowWorld:
        """The world of a random table."""
        return FlowWorld.random(self.S, self.R, self.D, T=self.T, noise=self.noise, seed=seed)

    def balanced(self) -> FlowWorld:
        """The world of the table in which every answer has as many subjects, S a multiple of D."""
        copies = self.S // self.D
        return FlowWorld.balanced(self.R, self.D, copies, T=self.T, noise=self.noise)

    def uneven(self) -> FlowWorld:
        """The world where S - D + 1 subjects of a relation share one answer, the others have their own.

        The subjects that share are moved on by one from each relation to the next.
        """
        column = np.maximum(np.arange(self.S) - (self.S - self.D), 0)
        answers = np.stack([r * self.D + np.roll(column, r) for r in range(self.R)], axis=1)
        table = FactTable(torch.from_numpy(answers), A=self.R * self.D)
        return FlowWorld(table, T=self.T, noise=self.noise)

    def task(self, seed: int) -> FactualRecall:
        """The same sequences, to draw from."""
        table = FactTable.random(self.S, self.R, self.D, seed=seed)
        return FactualRecall(table, noise=self.noise, T=self.T)


@dataclass(frozen=True, eq=False)
class Curves:
    """Losses (n,) in nats at the steps or times `at` (n,), in increasing order."""

    at: Array
    total: Array
    relation_only: Array
    subject_only: Array

    def __len__(self) -> int:
        return len(self.at)


@dataclass(frozen=True)
class Stretch:
    """From the index `first` to the index `last` of curves."""

    first: int
    last: int


@dataclass(frozen=True, eq=False)
class Run:
    """A flow from equal weights: its losses, how near it comes to p*(. | r), and where it rests.

    level is H(a* | r) at the table; plateau the longest stretch at rest; nearest the index of the sample
    that is nearest to p*(. | r).
    """

    name: str
    world: FlowWorld
    curves: Curves
    distances: Array
    level: float
    plateau: Stretch | None

    @property
    def nearest(self) -> int:
        return int(self.distances.argmin())

    @property
    def subjects_of_answers(self) -> list[int]:
        """How many subjects each answer has, of those that are used; all facts equally likely."""
        counts = self.world.table.collisions
        return [int(n) for n in counts if n > 0]

    @property
    def has_all_answers(self) -> bool:
        """Whether each relation has all of its D answers."""
        return len(self.subjects_of_answers) == self.world.A


def run(name: str, world: FlowWorld, *, scale: float, until: float, dense: float) -> Run:
    """The flow from weights all equal to `scale`, looked at closely up to the time `dense`."""
    found = flow(world, equal(world, scale), until=until, samples=200, dense=dense)
    curves = curves_of(world, found.times, found.weights)
    return Run(
        name,
        world,
        curves,
        distances(world, found.weights),
        entropy_given_relation(world),
        longest_stretch(curves.at, curves.total),
    )


def end_of(world: FlowWorld, ov: float, kq: float, *, until: float) -> float:
    """The loss at the time `until` of the flow from W_OV = `ov` and W_KQ = `kq`, any numbers.

    Where the gradient vanishes but for rounding the flow stays for ever, and rounding must not move it.
    """
    start = constant(world, ov, kq)
    slope = gradient(world, start)
    largest = max(np.abs(slope.ov).max(), np.abs(slope.kq).max())
    if largest <= _ROUNDING * max(abs(ov), abs(kq)):
        return losses(world, start).total
    return losses(world, integrate(world, start, until=until, samples=2).whole().last).total


def random_levels(
    replicates: int, seed: int, start: int = 0, *, S: int, D: int
) -> dict[str, Bounded]:
    """Per draw, "level" is the entropy of p*(. | r) for S answers drawn uniformly from D.

    An entropy of at most D values is at most log D.
    """
    stream, top = Stream(seed, "figure 5", "tables"), math.log(D)
    answers = replicate_integers(replicates, S, 1, below=D, stream=stream, start=start)
    shares = (answers == torch.arange(D)).double().mean(dim=1)
    levels = torch.special.entr(shares).sum(dim=1)
    return {"level": Bounded(levels.clamp(0.0, top), 0.0, top)}


def entropy_given_relation(world: FlowWorld) -> float:
    """H(a* | r) = sum_r p(r) H(p*(. | r)), the loss of the model that outputs p*(. | r)."""
    return float(world.prior.sum(axis=0) @ _entropies(world.relation_law()))


def entropy_of_answers(world: FlowWorld) -> float:
    """H(a*), the loss of the model that outputs the law of all answers, whatever the sequence."""
    return float(_entropies(world.answer_law()))


def _entropies(law: Array) -> Array:
    """Of each row, in nats."""
    entropies: Array = -(law * np.log(np.where(law > 0, law, 1.0))).sum(axis=-1)
    return entropies


def flow(
    world: FlowWorld, start: Weights, *, until: float, samples: int = 400, dense: float = 0.0
) -> Trajectory:
    """The flow from `start`: so many samples even in the logarithm of time from 1 to `until`, and
    as many even in time up to `dense`."""
    times = np.geomspace(1.0, until, samples)
    if dense:
        times = np.union1d(times, np.linspace(0.0, min(dense, until), samples + 1)[1:])
    return integrate(world, start, until=until, samples=times).whole()


def curves_of(world: FlowWorld, at: Sequence[float] | Array, weights: Sequence[Weights]) -> Curves:
    """The losses of weights that were reached at the steps or times `at`."""
    found = [losses(world, point) for point in weights]
    return Curves(
        np.asarray(at, dtype=np.float64),
        np.array([point.total for point in found]),
        np.array([point.relation_only for point in found]),
        np.array([point.subject_only for point in found]),
    )


def distances(world: FlowWorld, weights: Sequence[Weights]) -> Array:
    """At each point the largest |p-hat(. | z_1..z_T) - p*(. | r)| over the sequences (16): (n,)."""
    law, seen = world.relation_law(), world.prior > 0
    return np.array(
        [
            np.sqrt(((predictions(world, point) - law) ** 2).sum(axis=2)[seen].max())
            for point in weights
        ]
    )


def longest_stretch(at: Array, loss: Array, *, within: float = 0.1) -> Stretch | None:
    """The longest stretch on which the loss falls by no more than `within`; None if there is none.

    Between start and end: it begins once the loss has fallen by more than `within`, and ends while
    the loss is above 2 `within`. Of a loss that goes up and down the least so far is taken.
    """
    least = np.minimum.accumulate(loss)
    inside = np.flatnonzero((least < least[0] - within) & (least > 2 * within))
    best, best_length = None, 0.0
    for first in inside:
        last = int(inside[np.searchsorted(-least[inside], within - least[first], "right") - 1])
        length = at[last] - at[first]
        if length > best_length:
            best, best_length = Stretch(int(first), last), float(length)
    return best


def hallucination(curves: Curves, *, most: float, least: float) -> Stretch | None:
    """From the first to the last point with a relation-only loss of at most `most` and a subject-only
    loss of at least `least`; None if there is none."""
    inside = np.flatnonzero((curves.relation_only <= most) & (curves.subject_only >= least))
    return Stretch(int(inside[0]), int(inside[-1])) if len(inside) else None


# -- a softmax attention head ---------------------------------------------------------------------


def softmax_head(
    sizes: Sizes,
    *,
    d: int,
    d_h: int,
    rate: float,
    seed: int,
    batch: int = 1024,
    every: int = 10,
    device: torch.device | str = "cpu",
) -> Training:
    """One softmax attention head on fixed uniform unit embeddings in R^d, before its first step.

    The four matrices start Gaussian of variance 1/d; gradient descent on fresh batches. Table,
    embeddings, start and batches are those of the seed.
    """
    task = sizes.task(seed)
    stream = Stream(seed, "figure 5", "embeddings")
    embeddings = sample_sphere(task.vocabulary, d, stream=stream, device=device)
    head = OneLayerTransformer(d, 1, d_h, seed=Stream(seed, "figure 5", "head"), device=device)
    return Training(task, head, embeddings, rate=rate, seed=seed, batch=batch, every=every)


def curves_of_training(training: Training) -> Curves:
    """The losses of a training so far."""
    history = training.history
    return Curves(
        np.array([point.step for point in history], dtype=np.float64),
        np.array([point.total for point in history]),
        np.array([point.relation_only for point in history]),
        np.array([point.subject_only for point in history]),
    )
