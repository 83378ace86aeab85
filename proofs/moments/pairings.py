"""Ways to pair the half-edges at a Gaussian vector (Wick), counted as symmetric integer matrices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import factorial

#: Numbers of pairs (i, j, n) with i <= j, sorted.
Pairing = tuple[tuple[int, int, int], ...]


@lru_cache(maxsize=4096)
def pairings(
    degrees: tuple[int, ...], closed: tuple[bool, ...] = ()
) -> tuple[tuple[Pairing, int], ...]:
    """All ways to pair the half-edges of groups 0, 1, ... of the given *degrees*.

    No pair lies within a group that is *closed* (by default none is). Returns the numbers of pairs
    between the groups, each with the number of pairings that give it.
    """
    found: list[tuple[Pairing, int]] = []
    for matrix in _symmetric_matrices(degrees, closed or (False,) * len(degrees)):
        ways = 1
        for k in degrees:
            ways *= factorial(k)
        for i, j, n in matrix:
            ways //= factorial(n) * (2**n if i == j else 1)
        found.append((matrix, ways))
    return tuple(found)


def _symmetric_matrices(degrees: Sequence[int], closed: Sequence[bool]) -> Iterator[Pairing]:
    """Nonnegative symmetric integer matrices n with 2 n_ii + sum_j n_ij = degrees_i."""
    live = [i for i, k in enumerate(degrees) if k]
    if not live:
        yield ()
        return
    first, rest = live[0], live[1:]

    def spread(position: int, left: int) -> Iterator[tuple[tuple[int, int], ...]]:
        if position == len(rest):
            if left == 0:
                yield ()
            elif left % 2 == 0 and not closed[first]:
                yield ((first, left // 2),)
            return
        other = rest[position]
        for n in range(min(left, degrees[other]) + 1):
            for tail in spread(position + 1, left - n):
                yield ((other, n), *tail) if n else tail

    for row in spread(0, degrees[first]):
        reduced = list(degrees)
        reduced[first] = 0
        for j, n in row:
            if j != first:
                reduced[j] -= n
        for tail in _symmetric_matrices(reduced, closed):
            yield tuple(sorted([(min(first, j), max(first, j), n) for j, n in row] + list(tail)))
