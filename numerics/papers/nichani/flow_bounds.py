"""What is claimed along the flow, looked at along it: bounds, conserved quantities, losses.

Serves Sec. 5 and App. D of arXiv 2412.06538: Theorem 5, Corollary 3, Lemmas 4, 5 and 7.
"""

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.optimize import minimize

from numerics.flow import (
    FlowWorld,
    Trajectory,
    Weights,
    balanced,
    balanced_log,
    integrate,
    integrate_log,
)
from numerics.flow.population import gradient, loss, predictions
from numerics.flow.weights import constant, random
from numerics.random import Stream
from numerics.tasks import FactTable

Array = NDArray[np.float64]

#: Initial scales at which claims about the flow are tried.
SCALES = (1e-3, 0.1, 1.0)
#: The chance of a rare subject.
RARE = 1e-4


def worlds(*, seed: int) -> list[FlowWorld]:
    """Worlds of several kinds: random and balanced tables, unequal priors, with and without noise."""
    draw = Stream(seed, "flow worlds").generator()
    table = FactTable.random(4, 2, 2, seed=seed)
    prior = draw.dirichlet(np.full(8, 0.3)).reshape(4, 2)
    return [
        FlowWorld(table, T=5, noise=2, prior=prior),
        FlowWorld.random(5, 3, 2, T=4, noise=3, seed=seed),
        FlowWorld.balanced(2, 2, T=3),
        FlowWorld(FactTable([[0], [1]]), T=3, noise=0, prior=[[0.97], [0.03]]),
        FlowWorld(FactTable([[0, 1]]), T=8, noise=2, prior=[[0.8, 0.2]]),
    ]


def lone_answer(A: int, S: int = 1, *, T: int = 3, noise: int = 0) -> FlowWorld:
    """S subjects of equal chance, one relation that comes up, A answers of which one is ever right.

    The others belong to relations of probability 0.
    """
    table = FactTable([list(range(A)) for _ in range(S)])
    prior = np.zeros((S, A))
    prior[:, 0] = 1 / S
    return FlowWorld(table, T=T, noise=noise, prior=prior)


def lone_weights(world: FlowWorld, alpha: float, phi: float) -> Weights:
    """The point of the flow from Assumption 2 at which W_KQ(EOS) = cosh(phi) times its start.

    Of a world of `lone_answer`: each W_OV(., z) has moved along e_{a*} - 1/A, by sinh of an angle that
    is phi times the expected count of z.
    """
    angles = world.rates * phi
    start = alpha * math.sqrt(world.A + 1)
    unit = (np.eye(world.A)[0] - 1 / world.A) / math.sqrt(1 - 1 / world.A)
    return Weights(alpha + start * np.outer(unit, np.sinh(angles)), start * np.cosh(angles))


def two_facts(p: float) -> FlowWorld:
    """Facts (0, 0) of chance p and (1, 1), with different answers; T = 3."""
    return FlowWorld(FactTable([[0, -1], [-1, 1]]), T=3, noise=0, prior=[[p, 0.0], [0.0, 1 - p]])


@cache
def trajectories(
    *, seed: int, scales: tuple[float, ...] = SCALES, until: float = 40.0
) -> tuple[tuple[float, Trajectory], ...]:
    """The flow of all `worlds` from Assumption 2 at these scales, with each scale."""
    return tuple(
        (scale, integrate(world, balanced(world, scale), until=until, samples=60).whole())
        for world, scale in itertools.product(worlds(seed=seed), scales)
    )


def two_answer_trajectories(*, seed: int) -> Iterator[tuple[float, Trajectory]]:
    """The flow of worlds with two answers from Assumption 2, with each scale; seed: for the priors."""
    draw = Stream(seed, "two answers").generator()
    three = FactTable([[0], [1], [0]])
    for world in (
        FlowWorld(FactTable([[0, 1]]), T=3, noise=0, prior=[[0.8, 0.2]]),
        FlowWorld(three, T=6, noise=2, prior=draw.dirichlet(np.ones(3))[:, None]),
        FlowWorld(FactTable([[0, 1], [0, 1]]), T=5, noise=3, prior=[[0.4, 0.1], [0.2, 0.3]]),
    ):
        for scale in (0.01, 0.5):
            yield scale, integrate(world, balanced(world, scale), until=15.0, samples=25).whole()


def free_trajectories(*, seed: int) -> Iterator[Trajectory]:
    """The flow of all `worlds` from Gaussian weights."""
    for world in worlds(seed=seed):
        weights = random(world, 0.7, seed=seed, full=False)
        yield integrate(world, weights, until=10.0, samples=30).whole()


@dataclass(frozen=True)
class Seen:
    """At one point: the loss, |grad L|, |W_KQ| over the tokens that occur, and E[1 - p-hat(a*)]."""

    loss: float
    gradient: float
    weights: float
    wrong: float


def seen(world: FlowWorld, weights: Weights) -> Seen:
    """Loss and gradient of collapsed weights; one noise column stands for all noise tokens."""
    by = gradient(world, weights)
    # The gradient's noise column is that of one noise token.
    times = np.ones(world.collapsed_tokens)
    times[-2] = world.noise
    squares = (by.ov**2).sum(0) + by.kq**2
    right = np.take_along_axis(
        predictions(world, weights), np.maximum(world.answers, 0)[..., None], axis=2
    )[..., 0]
    return Seen(
        loss=loss(world, weights),
        gradient=math.sqrt(float(times @ squares)),
        weights=math.sqrt(float(times @ weights.kq**2)),
        wrong=float((world.prior * (1 - right)).sum()),
    )


@dataclass(frozen=True)
class Sure:
    """The loss, and E[1 - p-hat(a*)] given one relation."""

    loss: float
    wrong: float


def sure_of_one_relation(p: float, margin: float) -> Sure:
    """One subject, T = 3: relation 0 of chance p has the margin `margin`, relation 1 has 25."""
    world = FlowWorld(FactTable([[0, 1]]), T=3, noise=0, prior=[[p, 1 - p]])
    ov = np.zeros((2, world.collapsed_tokens))
    ov[0, 1], ov[1, 2] = margin, 25.0
    weights = Weights(ov, np.ones(world.collapsed_tokens))
    return Sure(loss(world, weights), 1 - float(predictions(world, weights)[0, 0, 0]))


def second_differences(
    *, seed: int, in_weights: bool, directions: int, steps: tuple[float, ...]
) -> Iterator[tuple[str, float, float]]:
    """Of the loss on random lines: words, L(x + v) + L(x - v) - 2 L(x), |v|^2.

    x and v are Theta of all tokens, or with *in_weights* the weights; of the latter one line goes
    through 0 along W_KQ(s) and W_OV(a*, s).
    """
    for number, world in enumerate(worlds(seed=seed)):
        draw = Stream(seed, "second differences").replicate(number).generator()
        shape = (world.A + 1, world.collapsed_tokens)

        def value(x: Array, world: FlowWorld = world) -> float:
            kq = x[-1] if in_weights else np.ones(world.collapsed_tokens)
            return loss(world, Weights(x[:-1], kq))

        lines = [
            (draw.standard_normal(shape), draw.standard_normal(shape)) for _ in range(directions)
        ]
        alike = np.zeros(shape)
        alike[:-1, 0] = 1
        lines.append((draw.standard_normal(shape), alike))
        saddle = np.zeros(shape)
        saddle[[world.answers[0, 0], -1], 0] = 1
        lines.append((np.zeros(shape), saddle))
        for (x, v), step in itertools.product(lines, steps):
            # Without weights the last row has no effect.
            v = v.copy()
            v[-1] *= in_weights
            v *= step
            change = value(x + v) + value(x - v) - 2 * value(x)
            yield f"world {number}, |v| = {np.linalg.norm(v):.3g}", change, float((v**2).sum())


def least_loss(answers: Array) -> float:
    """The least loss of logits u(a, s) + v(a, r) on facts of equal chance, entries of size 30 at most.

    answers: (S, R) of any table, that need not keep to Assumption 1.
    """
    S, R = answers.shape
    A = int(answers.max()) + 1
    right = np.eye(A)[answers.astype(int)]

    def value(flat: Array) -> tuple[float, Array]:
        rows = flat.reshape(S + R, A)
        logits = rows[:S, None] + rows[None, S:]
        shift = logits.max(2, keepdims=True)
        weights = np.exp(logits - shift)
        total = weights.sum(2, keepdims=True)
        off = (weights / total - right) / (S * R)
        mean = float((np.log(total) + shift - (logits * right).sum(2, keepdims=True)).mean())
        return mean, np.concatenate([off.sum(1), off.sum(0)]).ravel()

    size = (S + R) * A
    found = minimize(value, np.zeros(size), jac=True, bounds=[(-30, 30)] * size, method="L-BFGS-B")
    return float(found.fun)


@dataclass(frozen=True)
class Place:
    """A table, (s, r) and a, in words; whether a = a*(s, r), a is not in A_s, a is not in A_r."""

    words: str
    right: bool
    outside_subject: bool
    outside_relation: bool


def outside_counts(*, disjoint: bool, seed: int, tables: int = 40) -> Iterator[Place]:
    """All places of random tables a*: [4] x [3]; disjoint: relations have answers of their own."""
    draw = Stream(seed, "outside counts").replicate(int(disjoint)).generator()
    for _ in range(tables):
        table = draw.integers(0, 3, (4, 3)) + (3 * np.arange(3) if disjoint else 0)
        for s, r in itertools.product(range(4), range(3)):
            for a in np.unique(table):
                yield Place(
                    f"a* = {table.tolist()}, (s, r) = ({s}, {r}), a = {a}",
                    bool(a == table[s, r]),
                    a not in table[s],
                    a not in table[:, r],
                )


def losses_from(
    ov: float, kq: float, *, seed: int, balanced: bool, sign: float, time: float
) -> Iterator[tuple[str, float, float, float]]:
    """Words, and the loss at the start, after 200 steps of 0.02 along -sign grad L, and at *time*.

    The start is W_OV = ov alpha and W_KQ = kq alpha, with *balanced* times sqrt(A + 1).
    """
    for (number, world), alpha in itertools.product(enumerate(worlds(seed=seed)), (0.3, 1.0)):
        start = moved = _even(world, ov * alpha, kq * alpha, balanced=balanced)
        for _ in range(200):
            by = gradient(world, moved)
            moved = Weights(moved.ov - 0.02 * sign * by.ov, moved.kq - 0.02 * sign * by.kq)
        late = integrate(world, start, until=time, samples=2).whole().last if time else start
        values = (loss(world, weights) for weights in (start, moved, late))
        first, after, last = values
        yield f"world {number}, alpha = {alpha}", first, after, last


def losses_along(ov: float, kq: float, times: Array, *, balanced: bool) -> tuple[Array, Array]:
    """Times and losses of the balanced table with S = R = D = 2 and T = 3, at 0 and increasing *times*.

    The start is W_OV = ov and W_KQ = kq, with *balanced* times sqrt(A + 1).
    """
    world = FlowWorld.balanced(2, 2, T=3)
    start = _even(world, ov, kq, balanced=balanced)
    flow = integrate(world, start, until=float(times[-1]), samples=times).whole()
    return flow.times, np.array([loss(world, weights) for weights in flow.weights])


def _even(world: FlowWorld, ov: float, kq: float, *, balanced: bool) -> Weights:
    """All W_OV and all W_KQ alike, the latter with *balanced* times sqrt(A + 1)."""
    factor = math.sqrt(world.A + 1) if balanced else 1.0
    return constant(world, ov, kq * factor)


def least_losses(*, disjoint: bool, seed: int) -> Iterator[tuple[str, float]]:
    """The least loss of random tables [3] x [3] with two answers a relation, and of one 2 x 2.

    disjoint: whether the relations have answers of their own, or share their two.
    """
    draw = Stream(seed, "least losses").generator()
    for table in (np.array([[0, 1], [1, 0]]), *(draw.integers(0, 2, (3, 3)) for _ in range(3))):
        apart = table + (2 * np.arange(table.shape[1]) if disjoint else 0)
        yield f"a* = {apart.tolist()}", least_loss(apart)


def wrong_answers(*, seed: int) -> Iterator[tuple[str, float, dict[str, float]]]:
    """Words, p-hat of a wrong answer, and eps, alpha, p = p(s, r) and A at the same weights.

    eps: the largest derivative by W_OV of a subject or relation; alpha: their least W_KQ.
    """
    for p, x, alpha in itertools.product((0.5, 0.1), (0.3, 0.01), (0.5, 0.05)):
        world = two_facts(p)
        ov = np.zeros((2, world.collapsed_tokens))
        # The margin of the first fact leaves x to the wrong answer, that of the second next to nothing.
        ov[0, 0], ov[1, 1] = math.log((1 - x) / x) / alpha, 25 / alpha
        yield from _wrong_answers(world, Weights(ov, np.full(world.collapsed_tokens, alpha)))
    for number, world in enumerate(worlds(seed=seed)):
        weights = random(world, 1.0, seed=seed + number, full=False)
        yield from _wrong_answers(world, Weights(weights.ov, abs(weights.kq) + 0.1))


def _wrong_answers(
    world: FlowWorld, weights: Weights
) -> Iterator[tuple[str, float, dict[str, float]]]:
    tokens = slice(0, world.S + world.R)
    eps = float(abs(gradient(world, weights).ov[:, tokens]).max())
    alpha = float(weights.kq[tokens].min())
    p_hat = predictions(world, weights)
    for s, r in np.argwhere(world.prior > 0):
        p = float(world.prior[s, r])
        wrong = np.delete(p_hat[s, r], world.answers[s, r])
        at = {"eps": eps, "alpha": alpha, "p": p, "A": float(world.A)}
        yield f"{world}, p(s, r) = {p:.3g}: p-hat", float(wrong.max(initial=0.0)), at


def limited_predictions(*, seed: int) -> Iterator[tuple[int, float, float]]:
    """A, the most that a wrong answer has, and p-hat of the right one: with all at the most, or not."""
    draw = Stream(seed, "limited predictions").generator()
    for A, e in itertools.product(range(1, 9), (0.1, 0.02)):
        yield A, e, 1 - (A - 1) * e
        yield A, e, 1 - float((e * draw.random(A - 1)).sum())


@cache
def growing() -> tuple[Trajectory, ...]:
    """Flows with one answer from a tiny start, as long as logits are small: subjects and noise grow."""
    return tuple(
        integrate(world, balanced(world, 1e-8), until=until, samples=61).whole()
        for world, until in (
            (lone_answer(10), 17.0),
            (lone_answer(10, 10), 17.0),
            (lone_answer(10, T=12, noise=3), 5.0),
            (lone_answer(10, T=33, noise=30), 15.0),
            (lone_answer(10, T=40, noise=300), 15.0),
        )
    )


@cache
def rare_subject_growth() -> tuple[tuple[str, float, float], ...]:
    """Words, p t, and the log of how much W_KQ of a subject of chance p = RARE has grown.

    One relation; 59 subjects have one answer, the rare one another.
    """
    p = RARE
    found: list[tuple[str, float, float]] = []
    prior = np.full((60, 1), (1 - p) / 59)
    prior[-1] = p
    table = FactTable([[0]] * 59 + [[1]])
    world = FlowWorld(table, T=3, noise=0, prior=prior)
    for log_scale, latest in ((-14.0, 8.0), (-150.0, 64.0), (-700.0, 400.0)):
        times = np.linspace(0.0, latest, 9)
        flow = integrate_log(
            world, balanced_log(world, log_scale), until=latest / p, samples=times / p
        ).whole()
        grown = flow.log_kq[:, 59] - flow.log_kq[0, 59]
        for time, value in zip(times[1:], grown[1:], strict=True):
            words = f"rare subject, p = {p}, alpha = e^{log_scale:g}"
            found.append((words, float(time), float(value)))
    return tuple(found)


def riccati(
    A: float, B: float, start: float, times: Array, *, sign: int, part: float = 1.0
) -> Array:
    """z at *times* for z' = Az + sign B z^2, z(0) = start; *part*: the whole right side times it for
    sign 1, the square times it for sign -1, so that the inequalities of Lemma 7 hold for part <= 1."""

    def speed(_: float, z: Array) -> Array:
        if sign > 0:
            return part * (A * z + B * z**2)
        return A * z - part * B * z**2

    found = solve_ivp(
        speed,
        (0.0, float(times[-1])),
        [start],
        t_eval=times,
        rtol=1e-11,
        atol=1e-13,
        method="DOP853",
    )
    return np.asarray(found.y[0])
