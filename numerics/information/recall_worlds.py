"""Factual recall with a learner of few bits, in float64: worlds enumerated, or laws in closed form.

The set-up of Sec. 6 of arXiv 2412.06538: R disjoint answer sets of D of V tokens, S answers from each, a
message made from the answers. All informations are in bits.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

#: One value an outcome; equal values are equal numbers.
Column = NDArray[np.int64]


@dataclass(frozen=True)
class RecallWorld:
    """All outcomes, equally probable, as columns: A0, ... (sets), a00, a01, ... (s, r), F (message)."""

    R: int
    D: int
    V: int
    S: int
    columns: Mapping[str, Column]

    @property
    def sets(self) -> list[str]:
        return [f"A{r}" for r in range(self.R)]

    @property
    def answers(self) -> list[str]:
        return [f"a{s}{r}" for s in range(self.S) for r in range(self.R)]

    def entropy(self, names: Sequence[str]) -> float:
        """H of some columns in bits."""
        return joint_entropy([self.columns[name] for name in names])

    def information(
        self, left: Sequence[str], right: Sequence[str], given: Sequence[str] = ()
    ) -> float:
        """I(left; right | given) in bits."""
        with_left, with_right = [*left, *given], [*right, *given]
        value = self.entropy(with_left) + self.entropy(with_right)
        return value - self.entropy([*left, *right, *given]) - self.entropy(given)

    @property
    def messages(self) -> int:
        """How many messages occur."""
        return len(np.unique(self.columns["F"]))

    def predicted(self, seed: int) -> RecallWorld:
        """The column f added: one of three predictions, drawn from the message with two coins."""
        generator = np.random.default_rng(seed)
        table = generator.integers(0, 3, (int(self.columns["F"].max()) + 1, 2))
        columns = {name: np.tile(column, 2) for name, column in self.columns.items()}
        columns["f"] = np.concatenate([table[self.columns["F"], coin] for coin in range(2)])
        return RecallWorld(self.R, self.D, self.V, self.S, columns)

    def loss(self, s: int, r: int, smoothing: float) -> float:
        """-log2 of the probability that is predicted for a*(s, r), on average.

        The prediction is the posterior given the message, of weight 1 - smoothing, and the uniform law.
        """
        answers, messages = self.columns[f"a{s}{r}"], self.columns["F"]
        counts = np.zeros((int(messages.max()) + 1, self.V))
        np.add.at(counts, (messages, answers), 1.0)
        posterior = counts / np.maximum(counts.sum(1, keepdims=True), 1.0)
        predicted = (1 - smoothing) * posterior[messages, answers] + smoothing / self.V
        return float(-np.log2(predicted).mean())

    def ordered(self, tie: float) -> RecallWorld:
        """The columns z0, ..., z(D-1) added: A0 in random order, in one with a00 in front with
        probability *tie* (a multiple of 1/2)."""
        repeats = math.factorial(self.D) * 2
        orders = list(itertools.permutations(range(self.D)))
        sorted_sets = np.stack([self.columns[f"member{i}"] for i in range(self.D)], axis=1)
        blocks = []
        for k in range(repeats):
            order = np.array(orders[k % len(orders)])
            block = sorted_sets[:, order]
            if k < round(tie * repeats):
                first = block == self.columns["a00"][:, None]
                block = np.take_along_axis(block, np.argsort(~first, axis=1, kind="stable"), axis=1)
            blocks.append(block)
        columns = {name: np.tile(column, repeats) for name, column in self.columns.items()}
        z = np.concatenate(blocks)
        columns |= {f"z{i}": z[:, i].astype(np.int64) for i in range(self.D)}
        return RecallWorld(self.R, self.D, self.V, self.S, columns)


def joint_entropy(columns: Sequence[Column]) -> float:
    """The entropy in bits of columns together, every row equally probable; 0 for none."""
    if not columns:
        return 0.0
    _, counts = np.unique(np.stack(columns, axis=1), axis=0, return_counts=True)
    p = counts / counts.sum()
    return float(-(p * np.log2(p)).sum())


def recall_world(
    R: int, D: int, V: int, S: int, *, messages: int | str, coins: int = 1, seed: int = 0
) -> RecallWorld:
    """The world in which every table gets one of *messages* messages at random, another one a coin.

    Or "everything" for a message a table, "order" for whether a*(1, 1) < a*(1, R). Raises ValueError for
    V < R D.
    """
    if V < R * D:
        raise ValueError(f"V = {V}: R D = {R * D} tokens are needed for disjoint answer sets")
    sets, answers = _enumerate(R, D, V, S)
    tables, table = np.unique(answers.reshape(len(answers), -1), axis=0, return_inverse=True)
    table = table.reshape(-1).astype(np.int64)
    generator = np.random.default_rng(seed)
    written = []
    for _ in range(coins):
        if messages == "everything":
            written.append(table)
        elif messages == "order":
            written.append((answers[:, 0, 0] < answers[:, 0, -1]).astype(np.int64))
        else:
            written.append(generator.integers(0, int(messages), len(tables))[table])
    columns = {f"A{r}": _codes(sets[:, r]) for r in range(R)}
    columns |= {f"member{i}": sets[:, 0, i] for i in range(D)}
    columns |= {f"a{s}{r}": answers[:, s, r] for s in range(S) for r in range(R)}
    columns = {name: np.tile(column, coins) for name, column in columns.items()}
    return RecallWorld(R, D, V, S, {**columns, "F": np.concatenate(written)})


def _enumerate(R: int, D: int, V: int, S: int) -> tuple[Column, Column]:
    """Answer sets (outcomes, R, D), members ascending, and answers (outcomes, S, R)."""
    choices = [
        chosen
        for chosen in itertools.product(itertools.combinations(range(V), D), repeat=R)
        if len({token for one in chosen for token in one}) == R * D
    ]
    picks = np.array(list(itertools.product(range(D), repeat=S * R)), dtype=np.int64)
    sets = np.repeat(np.array(choices, dtype=np.int64), len(picks), axis=0)
    picked = np.tile(picks, (len(choices), 1)).reshape(-1, S, R)
    answers = np.take_along_axis(sets[:, None], picked[..., None], axis=3)[..., 0]
    return sets, answers


def _codes(rows: Column) -> Column:
    _, codes = np.unique(rows, axis=0, return_inverse=True)
    return codes.reshape(-1).astype(np.int64)


# -- laws in closed form --------------------------------------------------------------------------


def log2_binomial(n: float, k: float) -> float:
    """log2 of a binomial coefficient."""
    return (math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)) / math.log(2)


def log2_falling(n: float, k: float) -> float:
    """log2 of n (n-1) ... (n-k+1)."""
    return (math.lgamma(n + 1) - math.lgamma(n - k + 1)) / math.log(2)


def unseen_law(D: int, S: int) -> NDArray[np.float64]:
    """The law of how many of D tokens no one of S uniform draws hits, for 0, ..., D."""
    law = np.zeros(D + 1)
    law[D] = 1.0
    left = np.arange(D + 1)
    for _ in range(min(S, 10_000)):  # beyond, what is still unseen is below rounding
        hit = law * left / D
        law = law - hit
        law[:-1] += hit[1:]
    return law


def told_of_a_set(D: int, V: int, S: int) -> float:
    """I(A_r; a*(., r)): what all answers of one relation tell of its answer set."""
    unseen = unseen_law(D, S)
    left = sum(float(p) * log2_binomial(V - D + u, u) for u, p in enumerate(unseen))
    return log2_binomial(V, D) - left


def naming_bits(R: int, D: int, V: int, S: int) -> float:
    """log2 of how many tables there are at most, so that so many bits and one name them all."""
    by_sets = sum(log2_binomial(V - r * D, D) for r in range(R)) + S * R * math.log2(D)
    return min(by_sets, S * R * math.log2(V))


def emptiest_cell(S: int, D: int, least: float) -> float:
    """At least so probable is it that one of D cells gets fewer than *least* of S uniform draws.

    Two terms of inclusion and exclusion; two cells are low together at most as often as if independent.
    """
    k = np.arange(0, max(0, math.ceil(least)))
    if not len(k):
        return 0.0
    logs = np.array([math.lgamma(S + 1) - math.lgamma(j + 1) - math.lgamma(S - j + 1) for j in k])
    logs += k * -math.log(D) + (S - k) * math.log1p(-1 / D)
    p = float(np.exp(logs).sum())
    return D * p - D * (D - 1) / 2 * p**2


# -- laws and predictions at random ---------------------------------------------------------------


def random_law(generator: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """A joint law of a variable for each size in *shape*; some put most mass on few outcomes."""
    weights = generator.random(shape) ** generator.choice([1.0, 4.0, 16.0])
    return np.asarray(weights / weights.sum())


def law_information(
    law: NDArray[np.float64], left: Sequence[int], right: Sequence[int], given: Sequence[int] = ()
) -> float:
    """I(left; right | given) in bits, variables named by their axis."""

    def entropy(axes: Sequence[int]) -> float:
        p = law.sum(tuple(i for i in range(law.ndim) if i not in axes)).ravel()
        p = p[p > 0]
        return float(-(p * np.log2(p)).sum())

    value = entropy([*left, *given]) + entropy([*right, *given])
    return value - entropy([*left, *right, *given]) - (entropy(given) if given else 0.0)


def random_predictions(
    generator: np.random.Generator, S: int, D: int, V: int, sharpness: float
) -> tuple[NDArray[np.float64], Column]:
    """Predictions (S, V), and answers (S,) from the first D tokens, each of which occurs if S >= D.

    With *sharpness* 1 all mass is on the answer, with 0 the prediction is random.
    """
    answers = np.concatenate([np.arange(D), generator.integers(0, D, max(0, S - D))])[:S]
    wild = generator.dirichlet(np.full(V, 0.3), S)
    predictions = (1 - sharpness) * wild + sharpness * np.eye(V)[answers]
    return predictions, answers.astype(np.int64)
