"""The best learner with B bits, by enumeration: every encoder of a small world, losses exactly.

A world has M^N equally likely tables. A deterministic encoder sends each to one of 2^B messages, so it
is a partition of the tables into at most 2^B blocks; its best predictor is the posterior of each
value, with loss sum_x p(x) H(f*(x) | F). Random bits do not help: the loss of a learner that uses
them is the mean of the losses of deterministic learners, and one of these is not above the mean.
Serves Theorem 7.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from math import lcm
from typing import TypeAlias

from flint import arb

from proofs.algebra.balls import lower, precision
from proofs.information import budgets
from proofs.information.entropy import Information, Rational
from proofs.information.power_laws import power_law

#: f*(1), ..., f*(N), each from 0 to M - 1.
Table: TypeAlias = tuple[int, ...]
#: The message of each table, in the order of ``tables``.
Encoder: TypeAlias = tuple[int, ...]
#: For each block its size and, for each x, the sorted counts of the values there.
_Shape: TypeAlias = tuple[tuple[int, tuple[tuple[int, ...], ...]], ...]

#: The most encoders, (2^B)^(M^N), that are enumerated.
MOST_ENCODERS = 10**6
#: Binary places of n log2 n while encoders are compared; what is within the error is compared exactly.
_PLACES = 96


def tables(N: int, M: int) -> list[Table]:
    """All M^N tables, in lexicographic order."""
    return list(itertools.product(range(M), repeat=N))


def encoders(N: int, M: int, B: int) -> int:
    """How many maps there are from tables to messages, (2^B)^(M^N)."""
    budgets.checked_sizes(N, M, B)
    return int((2**B) ** (M**N))


def loss(prior: Sequence[Rational], M: int, encoder: Encoder) -> Information:
    """sum_x p(x) H(f*(x) | F) of one encoder of tables with len(prior) values."""
    p = budgets.checked_prior(prior)
    worlds = tables(len(p), M)
    blocks: dict[int, list[Table]] = {}
    for table, message in zip(worlds, encoder, strict=True):
        blocks.setdefault(message, []).append(table)
    shape = tuple(
        (len(block), tuple(_counts(column, M) for column in zip(*block, strict=True)))
        for block in blocks.values()
    )
    return _loss(p, shape, len(worlds))


def _counts(column: Sequence[int], M: int) -> tuple[int, ...]:
    return tuple(column.count(value) for value in range(M))


def _loss(p: Sequence[Fraction], shape: _Shape, worlds: int) -> Information:
    """sum over blocks and x of p(x) (n log n - sum of c log c), over the number of tables."""
    coefficients: dict[int, Fraction] = {}
    for size, columns in shape:
        for probability, counts in zip(p, columns, strict=True):
            for count, sign in ((size, 1), *((c, -1) for c in counts if c)):
                part = sign * count * probability / worlds
                coefficients[count] = coefficients.get(count, Fraction(0)) + part
    return Information.of(coefficients)


@dataclass(frozen=True)
class Optimum:
    """The least loss and an encoder that has it."""

    loss: Information
    encoder: Encoder


def optimal(prior: Sequence[Rational], M: int, B: int) -> Optimum:
    """The best of all encoders of N = len(prior) values of M into B bits.

    Raises ValueError for sizes or a prior that make no world, and beyond ``MOST_ENCODERS`` encoders.
    """
    p = budgets.checked_prior(prior)
    count = encoders(len(p), M, B)
    if count > MOST_ENCODERS:
        raise ValueError(
            f"N = {len(p)}, M = {M}, B = {B}: more than {MOST_ENCODERS} encoders; take a smaller world"
        )
    return _Search(p, M, B).best_encoder()


class _Search:
    """Partitions as restricted growth strings, table by table, with fixed-point costs.

    The cost of a block, n times its weighted entropy, does not fall when a table is added: entropy is
    concave. So a beginning that costs more than a whole encoder need not be continued.
    """

    def __init__(self, p: Sequence[Fraction], M: int, B: int) -> None:
        self.p, self.M, self.blocks = p, M, 2**B
        self.tables = tables(len(p), M)
        scale = lcm(*(q.denominator for q in p))
        self.weights = [int(q * scale) for q in p]
        size = len(self.tables)
        self.logs = _fixed_point(size)
        # A cost has at most so many terms, each off by less than 2 times its weight.
        terms = min(self.blocks, size) * (M + 1)
        self.slack = 4 * scale * terms
        # Encoders that share their first values are a good start.
        chunk = -(-size // self.blocks)
        self.best = self._whole_cost([i // chunk for i in range(size)])
        self.candidates: dict[_Shape, Encoder] = {}
        self.sizes: list[int] = []
        self.counts: list[list[list[int]]] = []
        self.messages: list[int] = []

    def best_encoder(self) -> Optimum:
        self._extend(0, 0)
        losses = {shape: _loss(self.p, shape, len(self.tables)) for shape in self.candidates}
        shape = min(losses, key=lambda found: losses[found])
        return Optimum(losses[shape], self.candidates[shape])

    def _added(self, block: int, table: Table) -> int:
        """What the cost grows by when the table joins the block."""
        logs, size = self.logs, self.sizes[block]
        growth = logs[size + 1] - logs[size]
        total = 0
        for weight, counts, value in zip(self.weights, self.counts[block], table, strict=True):
            total += weight * (growth - logs[counts[value] + 1] + logs[counts[value]])
        return total

    def _extend(self, index: int, cost: int) -> None:
        if cost > self.best + self.slack:
            return
        if index == len(self.tables):
            if cost < self.best - self.slack:
                self.candidates.clear()
            self.best = min(self.best, cost)
            self.candidates.setdefault(self._shape(), tuple(self.messages))
            return
        table = self.tables[index]
        if len(self.sizes) < self.blocks:
            self.sizes.append(0)
            self.counts.append([[0] * self.M for _ in table])
            self._join(len(self.sizes) - 1, table, index, cost)
            self.sizes.pop()
            self.counts.pop()
        for block in range(len(self.sizes)):
            self._join(block, table, index, cost)

    def _join(self, block: int, table: Table, index: int, cost: int) -> None:
        added = self._added(block, table)
        self._move(block, table, 1)
        self.messages.append(block)
        self._extend(index + 1, cost + added)
        self.messages.pop()
        self._move(block, table, -1)

    def _move(self, block: int, table: Table, step: int) -> None:
        self.sizes[block] += step
        for counts, value in zip(self.counts[block], table, strict=True):
            counts[value] += step

    def _shape(self) -> _Shape:
        return tuple(
            sorted(
                (size, tuple(tuple(sorted(counts)) for counts in columns))
                for size, columns in zip(self.sizes, self.counts, strict=True)
            )
        )

    def _whole_cost(self, encoder: Sequence[int]) -> int:
        total = 0
        for message in set(encoder):
            block = [t for t, m in zip(self.tables, encoder, strict=True) if m == message]
            for weight, column in zip(self.weights, zip(*block, strict=True), strict=True):
                parts = sum(self.logs[c] for c in _counts(column, self.M))
                total += weight * (self.logs[len(block)] - parts)
        return total


def _fixed_point(most: int) -> list[int]:
    """n log2 n in units of 2^-_PLACES for n = 0, ..., most, each off by less than 2."""
    with precision(2 * _PLACES):
        values = [n * arb(n).log() / arb(2).log() for n in range(1, most + 1)]
        return [0, *(int(lower(value) * 2**_PLACES) for value in values)]


# -- the table ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """One small world: its prior, and the best of all its encoders."""

    N: int
    M: int
    B: int
    prior: tuple[Fraction, ...]
    best: Optimum

    @property
    def encoders(self) -> int:
        return encoders(self.N, self.M, self.B)

    def bound(self, bound: budgets.TailBound) -> Information:
        """What a bound states of this world."""
        return bound.value(self.prior, self.M, self.B)

    @property
    def gap(self) -> Information:
        """How far the best learner stays above the sharp bound."""
        return self.best.loss - self.bound(budgets.SHARP)

    def __str__(self) -> str:
        shown = ", ".join(map(str, self.prior))
        return f"N = {self.N}, M = {self.M}, B = {self.B}, p = ({shown})"


def worlds(most: int = MOST_ENCODERS) -> Iterator[tuple[int, int, int]]:
    """All (N, M, B) with at most *most* encoders, B from 0 to the first that stores every table."""
    size = most.bit_length()  # at least one bit: a table for each binary place
    for N in range(1, size):
        for M in itertools.takewhile(partial(_few_tables, N, size), itertools.count(2)):
            stored = next(B for B in itertools.count() if 2**B >= M**N)
            yield from ((N, M, B) for B in range(stored + 1) if encoders(N, M, B) <= most)


def _few_tables(N: int, size: int, M: int) -> bool:
    return size > int(M**N)


@cache
def table(most: int = MOST_ENCODERS, alphas: tuple[int, ...] = (0, 1, 2)) -> tuple[Row, ...]:
    """Every world with at most *most* encoders and the priors x^-alpha; alpha = 0 is uniform.

    Some seconds for all of them.
    """
    return tuple(
        Row(N, M, B, prior, optimal(prior, M, B))
        for N, M, B in worlds(most)
        for prior in dict.fromkeys(power_law(N, alpha) for alpha in alphas)
    )
