"""The bits that memories store and use: the largest number of facts that drawn linear memories recall.

Serves Sec. 6 of arXiv 2412.06538 (Theorem 7), for the page of a run. No verdict rests on it, and its
draws are those of no claim. Stored are N log2 M bits, by which all maps [N] -> [M] are told apart;
``verify.capacity.stored`` counts the injective ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import log2
from typing import Any

from verify.running.pool import Plan

#: Multiply-adds that take as long as what a draw needs besides, and steps of a training, roughly.
_OVERHEAD, _STEPS = 1e7, 60
#: Tried are N = 2^(k/4) for integers k.
_PARTS = 4


@dataclass(frozen=True)
class Search:
    """Kinds of memories, dimensions and bits of a weight; each N is drawn so many times, with M = N.

    Both kinds see the same facts, and all bits the same memory.
    """

    kinds: Sequence[str]
    dimensions: Sequence[int]
    bits: Sequence[int]
    draws: int

    def numbers(self, kind: str, d: int) -> list[int]:
        """The numbers N of facts that are tried, from few that are recalled to many that are not."""
        low, high = (d**2 // 64, d**2 // 3) if kind == "trained" else (d**2 // 256, d**2 // 12)
        tried = {round(2 ** (k / _PARTS)) for k in range(_PARTS, _PARTS * 40)}
        return sorted(N for N in tried if max(low, 2) <= N <= max(high, 4 * d))


SEARCH = Search(
    kinds=("constructed", "trained"), dimensions=(16, 32, 64), bits=(1, 2, 3, 4, 8, 16), draws=10
)


@dataclass(frozen=True)
class Stored:
    """With b bits a weight in dimension d: the largest N such that it and all smaller numbers that were
    tried are recalled in full by at least half of the draws, and the next that was tried.

    *recalled*: by how many draws N is. N is 1 where the first number tried is not recalled by half;
    *beyond* is None where the last one is.
    """

    kind: str
    d: int
    b: int
    N: int
    recalled: int
    beyond: int | None

    @property
    def used(self) -> int:
        """b bits for each weight."""
        return self.b * self.d**2

    @property
    def stored(self) -> float:
        """N log2 M with M = N."""
        return stored(self.N)

    @property
    def share(self) -> float:
        """The part of the bound that is reached."""
        return self.stored / self.used


@dataclass(frozen=True)
class StoredBits:
    """What was found for each kind, dimension and number of bits, in the order of the search."""

    search: Search
    points: tuple[Stored, ...]


def stored(N: int) -> float:
    """The bits that N facts with N outputs take."""
    return N * log2(N)


def percent(share: float) -> str:
    """In percent, to two digits if it is below 99.5, and without an exponent."""
    value = 100 * share
    return f"{Decimal(f'{value:.2g}' if value < 99.5 else f'{value:.0f}'):f}%"


def plan(search: Search, seed: int) -> Plan[StoredBits]:
    """How the points of *search* are measured."""
    places = [(kind, d) for kind in search.kinds for d in search.dimensions]
    tasks = [
        _Draws(search, kind, d, N, seed) for kind, d in places for N in search.numbers(kind, d)
    ]

    def joined(found: list[Any]) -> StoredBits:
        counts = {
            (task.kind, task.d, task.N): each for task, each in zip(tasks, found, strict=True)
        }
        points = [point for place in places for point in _points(search, *place, counts)]
        return StoredBits(search, tuple(points))

    return Plan(tasks, joined)


def _points(
    search: Search, kind: str, d: int, counts: dict[tuple[str, int, int], tuple[int, ...]]
) -> Iterator[Stored]:
    for place, b in enumerate(search.bits):
        last, recalled = 1, search.draws  # one fact with one output is always recalled
        beyond = None
        for N in search.numbers(kind, d):
            count = counts[kind, d, N][place]
            if 2 * count < search.draws:
                beyond = N
                break
            last, recalled = N, count
        yield Stored(kind, d, b, last, recalled, beyond)


@dataclass(frozen=True)
class _Draws:
    """How many memories of one kind recall all N facts, for each number of bits."""

    search: Search
    kind: str
    d: int
    N: int
    seed: int

    @property
    def length(self) -> float:
        products = 6 * self.N * self.d * (self.N + self.d)
        steps = len(self.search.bits) + (_STEPS if self.kind == "trained" else 0)
        return self.search.draws * (_OVERHEAD + steps * products)

    def run(self) -> tuple[int, ...]:
        from numerics.draws.stored_bits import full_recall

        found = full_recall(
            self.kind,
            self.d,
            self.N,
            self.N,
            self.search.draws,
            bits=self.search.bits,
            seed=self.seed,
            name=f"stored bits of the page: d = {self.d}, N = {self.N}",
        )
        return tuple(found.sum(dim=0).tolist())
