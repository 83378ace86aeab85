"""The flow while relations leave the origin: predictions, gradients and losses along trajectories.

Serves App. D.3 of arXiv 2412.06538 (Lemma 6): what its proof says holds along the flow.
"""

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from numerics.flow import (
    FlowWorld,
    LogWeights,
    Weights,
    balanced,
    balanced_log,
    gradient,
    integrate,
    integrate_log,
    log_losses,
    log_predictions,
    log_residuals,
    losses,
)
from numerics.random import Stream
from numerics.tasks import FactTable

Array = NDArray[np.float64]


# -- trajectories ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Scene:
    """A world, the log of its initial scale, and how long it is followed."""

    words: str
    build: Callable[[], FlowWorld]
    log_scale: float
    until: float


def _two_relations(chance: float, S: int, T: int = 3, noise: int = 0) -> FlowWorld:
    """a*(s, r) = r for two relations, p(1) = chance, uniform subjects."""
    prior = np.tile([chance / S, (1 - chance) / S], (S, 1))
    return FlowWorld(FactTable.structured(S, 2, 1), T=T, noise=noise, prior=prior)


def _random_prior(S: int, R: int, D: int, T: int, noise: int, seed: int) -> FlowWorld:
    drawn = Stream(seed, "flow priors").generator().gamma(1.0, size=(S, R)) + 0.1
    return FlowWorld(
        FactTable.random(S, R, D, seed=seed), T=T, noise=noise, prior=drawn / drawn.sum()
    )


#: Trajectories where a relation, EOS, or a noise token is ahead of all others, and plain ones.
SCENES = (
    Scene("two equal relations", lambda: _two_relations(0.5, 4), -20.0, 75.0),
    Scene("EOS first, p(1) = 9/10", lambda: _two_relations(0.9, 20), -23.0, 60.0),
    Scene("one noise token, T = 9", lambda: _two_relations(0.9, 20, 9, 1), -23.0, 9.0),
    Scene("one noise token, T = 5", lambda: _two_relations(0.9, 20, 5, 1), -23.0, 25.0),
    Scene("S = 12, R = 3, D = 2", lambda: FlowWorld.random(12, 3, 2, T=4, noise=9, seed=1), -9, 90),
    Scene("random prior", lambda: _random_prior(8, 3, 2, 4, 5, 2), -9.0, 90.0),
)

#: Ranges of S, R, T and |N| in random scenes; the upper end is left out.
_RANDOM = ((2, 11), (2, 5), (3, 8), (1, 12))


@lru_cache
def random_scene(seed: int) -> Scene:
    """A random table with a random prior, sizes and scale, the latter from e^-25 to e^-6."""
    stream = Stream(seed, "flow scenes").generator()
    S, R, T, noise = (int(stream.integers(low, high)) for low, high in _RANDOM)
    D = int(stream.integers(1, min(S, 3) + 1))
    log_scale = float(stream.uniform(-25, -6))
    words = (
        f"S = {S}, R = {R}, D = {D}, T = {T}, |N| = {noise}, random prior, scale e^{log_scale:.3g}"
    )
    return Scene(words, lambda: _random_prior(S, R, D, T, noise, seed), log_scale, -6 * log_scale)


@dataclass(frozen=True, eq=False)
class Snapshots:
    """A trajectory at n `times`, for R relations; all float64.

    (n, Z): kq = W_KQ(z), ov = |W_OV(., z)|. (n, R): deviation = |E[p-hat | r] - p0|;
    planar = |u' - p(r) d_r J u|/(p(r) W_KQ(r)); logit_gap = max |F_lin - F_rel| over answers and
    sequences with r; gradient_gap = the larger of the differences of the gradients of L_r and Lbar_r by
    W_OV(., r) and by W_KQ(r), over p(r) W_KQ(r). (n,): small = the largest W_KQ^2 of subjects and noise
    so far; allowed = whether Lemma 6 allows this as alpha_sm^2 at the largest eps. scale: alpha.
    """

    words: str
    world: FlowWorld
    scale: float
    times: Array
    kq: Array
    ov: Array
    deviation: Array
    planar: Array
    logit_gap: Array
    gradient_gap: Array
    small: Array
    allowed: NDArray[np.bool_]

    def token_sum(self, kq_power: float, ov_power: float, *, eos: bool = True) -> Array:
        """E[sum_t W_KQ(z_t)^kq_power |W_OV(., z_t)|^ov_power | r]: (n, R); without EOS if not eos."""
        world = self.world
        S, R = world.S, world.R
        each = self.kq**kq_power * self.ov**ov_power
        of_subject = world.prior / world.prior.sum(0)
        shared = (world.T - 3) * each[:, S + R] + (each[:, -1] if eos else 0.0)
        found: Array = each[:, :S] @ of_subject + each[:, S : S + R] + shared[:, None]
        return found


def _look(world: FlowWorld, weights: LogWeights) -> tuple[Array, Array, Array, Array]:
    """deviation, planar, logit_gap and gradient_gap at one time: (R,) each."""
    S, R, A = world.S, world.R, world.A
    chances = world.prior.sum(0)
    law = world.relation_law().T
    away = law - 1 / A
    spread = np.linalg.norm(away, axis=0)
    theta = weights.theta
    predicted = np.einsum("sra,sr->ar", log_predictions(world, weights), world.prior / chances)
    relations = slice(S, S + R)
    # u and u' over W_KQ(r), from the weights and the residuals.
    ratio, residual = weights.ratio[:, relations], log_residuals(world, weights)[:, relations]
    u2 = (ratio * away).sum(0) / spread
    change = np.array([(ratio * residual).sum(0), (residual * away).sum(0) / spread])
    planar = np.linalg.norm(change - chances * spread * np.array([u2, np.ones(R)]), axis=0)
    rest = theta[:, :S] + ((world.T - 3) * theta[:, S + R] + theta[:, -1])[:, None]
    present = np.where(world.prior > 0, np.abs(rest).max(axis=0)[:, None], 0.0)
    apart = predicted - softmax(theta[:, relations], axis=0)
    gaps = np.maximum(np.linalg.norm(apart, axis=0), np.abs((ratio * apart).sum(0)))
    return (np.linalg.norm(predicted - 1 / A, axis=0), planar / chances, present.max(axis=0), gaps)


@lru_cache
def snapshots(scene: Scene, samples: int = 300) -> Snapshots:
    """The trajectory of a scene from Assumption 2 at `samples` evenly spaced times."""
    world = scene.build()
    times = np.linspace(0.0, scene.until, samples)
    start = balanced_log(world, scene.log_scale)
    path = integrate_log(world, start, until=scene.until, samples=times).whole()
    seen = np.array([_look(world, w) for w in path.weights])
    kq = np.exp(path.log_kq)
    watched = [*range(world.S), *([world.S + world.R] if world.T > 3 else [])]
    small = np.maximum.accumulate((kq[:, watched] ** 2).max(axis=1))
    spread = float(np.linalg.norm(world.relation_law() - 1 / world.A, axis=1).min())
    accuracy = spread / (50 * (world.A + 1))
    room = math.log(accuracy) - 2 * scene.log_scale - math.log(world.A + 1)
    return Snapshots(
        words=scene.words,
        world=world,
        scale=math.exp(scene.log_scale),
        times=path.times,
        kq=kq,
        ov=kq * np.linalg.norm(path.ratio, axis=1),
        deviation=seen[:, 0],
        planar=seen[:, 1],
        logit_gap=seen[:, 2],
        gradient_gap=seen[:, 3],
        small=small,
        allowed=small * world.T <= spread / (150 * room),
    )


# -- losses and gradients by differences ----------------------------------------------------------


def _relation_losses(world: FlowWorld, weights: Weights, r: int) -> tuple[float, float]:
    """L_r, and Lbar_r with the logits of r alone."""
    S = world.S
    theta = weights.theta
    chance = world.prior[:, r]
    total = alone = 0.0
    for s in np.flatnonzero(chance):
        own = theta[:, S + r]
        full = own + theta[:, s] + (world.T - 3) * theta[:, -2] + theta[:, -1]
        answer = world.answers[s, r]
        total += chance[s] * (np.logaddexp.reduce(full) - full[answer])
        alone += chance[s] * (np.logaddexp.reduce(own) - own[answer])
    return float(total), float(alone)


def relation_gradients(seed: int) -> list[list[dict[str, Array]]]:
    """For two worlds, each relation at random weights, by central differences of the losses.

    "full" and "alone": the gradients of L_r and Lbar_r by W_OV(., r), (A,); "residual" and "own":
    p*(.|r) less E[p-hat | r] and less p-hat(.|r), (A,). Of shape (1,): "kq" = W_KQ(r), "chance" = p(r),
    "product" = <grad Lbar_r, grad L_r>, "change" = the derivative of Lbar_r along theta' = -grad L.
    """
    found = []
    for world in (_two_relations(0.7, 3), _random_prior(4, 2, 2, 4, 3, seed)):
        stream = Stream(seed, "relation gradients").generator()
        draw = stream.normal(size=(world.A + 1, world.collapsed_tokens))
        at = Weights(draw[:-1], np.abs(draw[-1]) + 0.5)
        full = gradient(world, at)
        found.append([_differences(world, at, full, r) for r in range(world.R)])
    return found


def _differences(world: FlowWorld, at: Weights, full: Weights, r: int) -> dict[str, Array]:
    column, step = world.S + r, 1e-5

    def moved(row: int, by: float) -> tuple[float, float]:
        ov, kq = at.ov.copy(), at.kq.copy()
        if row < world.A:
            ov[row, column] += by
        else:
            kq[column] += by
        return _relation_losses(world, Weights(ov, kq), r)

    slopes = np.array(
        [
            (np.array(moved(row, step)) - np.array(moved(row, -step))) / (2 * step)
            for row in range(world.A + 1)
        ]
    )

    def along(by: float) -> float:
        return _relation_losses(world, Weights(at.ov - by * full.ov, at.kq - by * full.kq), r)[1]

    chance = world.prior[:, r].sum()
    law = world.relation_law()[r]
    theta = at.theta
    rest = theta[:, : world.S] + ((world.T - 3) * theta[:, -2] + theta[:, -1])[:, None]
    predicted = softmax(rest + theta[:, [column]], axis=0) @ (world.prior[:, r] / chance)
    return {
        "full": slopes[:-1, 0],
        "alone": slopes[:-1, 1],
        "residual": law - predicted,
        "own": law - softmax(theta[:, column]),
        "kq": at.kq[[column]],
        "chance": np.array([chance]),
        "product": np.array([slopes[:, 0] @ slopes[:, 1]]),
        "change": np.array([(along(step) - along(-step)) / (2 * step)]),
    }


@dataclass(frozen=True, eq=False)
class LossRates:
    """Along a trajectory, at n `times`: loss (n,), change = L' (n,), least = min_r |Theta(., r)| (n,),
    chances p(r) (R,), residuals |p*(.|r) - E[p-hat | r]| (n, R)."""

    words: str
    answers: int
    times: Array
    loss: Array
    change: Array
    least: Array
    chances: Array
    residuals: Array


@lru_cache
def loss_rates() -> tuple[LossRates, ...]:
    """Two trajectories from Assumption 2 with scale 1/1000 down to small losses."""
    found = []
    for words, world in (
        ("4 relations", FlowWorld.balanced(4, 1, 4)),
        ("random table", FlowWorld.random(6, 3, 2, T=4, noise=3, seed=3)),
    ):
        path = integrate(world, balanced(world, 1e-3), until=400.0, samples=200).whole()
        chances = world.prior.sum(0)
        steps = [gradient(world, w) for w in path.weights]
        relations = slice(world.S, world.S + world.R)
        residuals = [
            np.linalg.norm(g.ov[:, relations], axis=0) / (w.kq[relations] * chances)
            for g, w in zip(steps, path.weights, strict=True)
        ]
        thetas = [np.linalg.norm(w.theta[:, relations], axis=0).min() for w in path.weights]
        found.append(
            LossRates(
                words,
                world.A,
                path.times,
                np.array([losses(world, w).total for w in path.weights]),
                np.array([-((g.ov**2).sum() + (g.kq**2).sum()) for g in steps]),
                np.array(thetas),
                chances,
                np.array(residuals),
            )
        )
    return tuple(found)


def starts() -> list[tuple[FlowWorld, float, float, float]]:
    """(world, scale, largest |u|^2 over relations, loss) at Assumption 2."""
    found = []
    for world, scale in itertools.product(
        (_two_relations(0.9, 3), FlowWorld.random(6, 3, 2, T=5, noise=4, seed=5)), (0.5, 0.01, 2.0)
    ):
        at = balanced(world, scale)
        away = world.relation_law().T - 1 / world.A
        columns = slice(world.S, world.S + world.R)
        u2 = (at.ov[:, columns] * away).sum(0) / np.linalg.norm(away, axis=0)
        size = float((at.kq[columns] ** 2 + u2**2).max())
        loss = log_losses(world, balanced_log(world, math.log(scale))).total
        found.append((world, scale, size, float(loss)))
    return found
