"""Whether relations are learned before subjects: flows from tiny weights, world by world.

Serves Theorem 6, Lemma 6 and Sec. 5 of arXiv 2412.06538.
"""

import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch
from numpy.typing import NDArray

from numerics.flow import FlowWorld, balanced_log, integrate_log, log_predictions, log_residuals
from numerics.flow.symmetric import SymmetricFlow, SymmetricWorld
from numerics.tasks import FactTable

Array = NDArray[np.float64]

#: Noise tokens in V; with T = 3 no sequence holds any.
_NOISE = 320

#: Errors allowed to a step.
_RTOL = 1e-8


@dataclass(frozen=True)
class Table:
    """A table of facts with its sizes: answers (S, R), T tokens a sequence, |N| noise tokens; and the
    log of the scale to start from, larger where a weight that has grown falls back."""

    name: str
    answers: tuple[tuple[int, ...], ...]
    T: int = 3
    noise: int = _NOISE
    log_scale: float = -400.0

    @property
    def world(self) -> FlowWorld:
        """Uniform over the facts."""
        return FlowWorld(FactTable(torch.tensor(self.answers)), T=self.T, noise=self.noise)


def _balanced(S: int, R: int, D: int) -> Table:
    rows = tuple(tuple(r * D + s % D for r in range(R)) for s in range(S))
    return Table(f"balanced, S = {S}, R = {R}, D = {D}", rows)


def _rare(S: int) -> Table:
    rows = tuple((0, 2) if s else (1, 3) for s in range(S))
    return Table(f"one rare answer of two, S = {S}, R = 2", rows)


def tables() -> Iterator[Table]:
    """Tables of all kinds: balanced, skewed, drawn, with one relation, with few subjects."""
    for S, R, D in ((32, 2, 2), (2, 4, 2), (2, 3, 2), (48, 3, 2)):
        yield _balanced(S, R, D)
    yield (rare := _rare(32))
    uneven = tuple((s % 2, 2, 3) for s in range(48))
    yield Table("answer sets of 2, 1 and 1, S = 48", uneven, log_scale=-30.0)
    yield Table(f"{rare.name}, a single noise token", rare.answers, T=4, noise=1)
    for m in (8, 16):
        alone = tuple((0,) if s <= m else (1,) for s in range(2 * m + 1))
        yield Table(f"one relation, S = {2 * m + 1}, D = 2", alone)
    facts = FactTable.random(40, 2, 3, seed=7).answers
    drawn = tuple(tuple(int(a) for a in row) for row in facts)
    yield Table("drawn, S = 40, R = 2, D = 3", drawn, T=4, noise=4 * 2 * 3 * 4)


@dataclass(frozen=True)
class Course:
    """A flow at its times (n,): what Theorem 6 speaks of.

    error: the largest |p*(.|r) - p-hat| over all sequences; light: log W_KQ of the largest subject
    or noise token; relation and eos: log W_KQ of the smallest relation and of EOS; averaged: sum_r
    p(r)^2 |p*(.|r) - E[p-hat|r]|^2; spread: the largest |p-hat - E[p-hat|r]| over all sequences.
    """

    times: Array
    error: Array
    light: Array
    relation: Array
    eos: Array
    averaged: Array
    spread: Array


def course(table: Table, *, until: float, samples: int = 500) -> Course:
    """The flow from Assumption 2 with the scale of the table to time *until* > 0."""
    world = table.world
    flow = integrate_log(
        world, balanced_log(world, table.log_scale), until=until, samples=samples, rtol=_RTOL
    ).whole()
    law, S, R = world.relation_law(), world.S, world.R
    error, averaged, spread = (np.empty(len(flow)) for _ in range(3))
    for i in range(len(flow)):
        predicted = log_predictions(world, flow[i])
        error[i] = np.sqrt(((predicted - law[None]) ** 2).sum(-1)).max()
        spread[i] = np.sqrt(((predicted - predicted.mean(0)) ** 2).sum(-1)).max()
        # The residual of a relation is p(r) times the difference of the laws.
        averaged[i] = float((log_residuals(world, flow[i])[:, S : S + R] ** 2).sum())
    light = np.maximum(flow.log_kq[:, :S].max(1), flow.log_kq[:, S + R])
    relation = flow.log_kq[:, S : S + R].min(1)
    return Course(flow.times, error, light, relation, flow.log_kq[:, -1], averaged, spread)


def relation_growth(
    S: int, log_scale: float, times: Sequence[float], *, balanced: bool = False
) -> tuple[Array, Array]:
    """log W_KQ(r) and sum_r p(r)^2 |p*(.|r) - E[p-hat|r]|^2 at increasing times > 0.

    For R = D = 2 and S subjects with one rare answer, or with balanced answers (S even).
    """
    world = (_balanced(S, 2, 2) if balanced else _rare(S)).world
    flow = integrate_log(
        world, balanced_log(world, log_scale), until=times[-1], samples=times
    ).whole()
    rows = slice(world.S, world.S + world.R)
    missed = [float((log_residuals(world, step)[:, rows] ** 2).sum()) for step in flow.weights]
    wanted = np.searchsorted(flow.times, times)
    return flow.log_kq[wanted][:, rows].min(1), np.array(missed)[wanted]


def escape_products(S: int, *, log_ratio: float, eos: bool) -> list[tuple[str, float, float]]:
    """u_1 u_2 over epsilon^2/(|A| + 1) where stage 1 of Lemma 6 ends, table by table, for the least r.

    R = 2, T = 3. epsilon^2 is the largest that Lemma 6 allows, and as well e^log_ratio 2 alpha^2
    (|A| + 1); alpha_sm^2 = alpha. eos: leave out the table in which EOS grows. Gives name, time, value.
    """
    found = []
    for table in (_balanced(S, 2, 1), _balanced(S, 2, 2), *(() if eos else (_rare(S),))):
        world = table.world
        A, law = world.A, world.relation_law()
        distance = float(np.sqrt(((law[0] - 1 / A) ** 2).sum()))
        for log_scale in (-4000.0, -20.0):
            start = 2 * log_scale + math.log(2 * (A + 1))  # log of 2 alpha^2 (A + 1)
            widest = math.log(distance / (50 * (A + 1)))
            for squared in (widest, start + log_ratio):
                rate = distance + 2 * table.T * math.exp(log_scale)
                time = (squared - start) / rate
                product = -math.inf
                if time > 0:
                    flow = (
                        integrate_log(world, balanced_log(world, log_scale), until=time, samples=2)
                        .whole()
                        .last
                    )
                    # u_2 over u_1, in logarithms since the weights are below all floats.
                    lean = float((flow.ratio[:, S] * (law[0] - 1 / A)).sum()) / distance
                    if lean > 0:
                        product = 2 * float(flow.log_kq[S]) + math.log(lean)
                found.append((table.name, time, math.exp(product - squared) * (A + 1)))
    return found


def predicts_relation_alone(S: int, R: int, D: int, log_scale: float, close: float) -> bool:
    """Whether in the balanced table relation-only loss is at most *close* at a time at which the
    subject-only loss still is at least log D - *close*. S a multiple of D, R, D >= 2.
    """
    losses = balanced_losses(S, R, D, log_scale)
    found = (losses.relation_only <= close) & (losses.subject_only >= math.log(D) - close)
    return bool(found.any())


@lru_cache(maxsize=32)
def balanced_losses(S: int, R: int, D: int, log_scale: float) -> SymmetricFlow:
    """The flow of the balanced table from before anything is learned until everything is.

    S a multiple of D, R, D >= 2.
    """
    world = SymmetricWorld(R, D, S // D, log_scale)
    ends = world.escape_times()
    return world.at(np.linspace(0.5 * min(ends), 1.5 * max(ends), 4000))


def answer_counts(*, equal: bool) -> list[tuple[int, int, int]]:
    """(R, D, |A|) of small tables with R >= 2, of those with answer sets of one size if *equal*."""
    sizes = [(1, 1), (2, 2), (2, 1), (3, 1), (5, 1, 1), (4, 4, 4), (3, 2, 1)]
    found = []
    for counts in sizes:
        if equal and len(set(counts)) > 1:
            continue
        starts = np.cumsum([0, *counts])
        rows = [
            [int(start) + s % count for start, count in zip(starts, counts, strict=False)]
            for s in range(max(counts))
        ]
        table = FactTable(torch.tensor(rows))
        found.append((table.R, table.D, table.A))
    return found


def inverse_distance(D: int, A: int, *, seed: int, draws: int = 200) -> float:
    """The largest 1/|p - p0| over laws p on the first D of A answers, drawn ones and the uniform one.

    1 <= D <= A; the largest float where p = p0.
    """
    random = np.random.default_rng(seed)
    laws = np.vstack([np.full((1, D), 1 / D), random.dirichlet(np.full(D, 20.0), size=draws)])
    gaps = np.hstack([laws, np.zeros((len(laws), A - D))]) - 1 / A
    least = float((gaps**2).sum(1).min())
    return 1 / math.sqrt(least) if least > 0 else sys.float_info.max
