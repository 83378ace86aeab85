"""The core loop: integrate one vector after another out of a multigraph of inner products.

A vertex is a random vector, an edge of multiplicity k stands for <v,w>^k. Integrating v out of
prod <v,a_i>^(k_i) sums over the ways to pair the half-edges at v (Wick); each pairing leaves edges
between the a_i, and the law contributes its radial moment.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import factorial

from proofs.algebra import RationalFunction
from proofs.moments.laws import Family

#: Edges between numbered vertices (u <= v; u = v is <v,v>), with multiplicities, sorted.
Graph = tuple[tuple[int, int, int], ...]

#: Products of linear factors ((dimension, offset), exponent) with what they are multiplied by.
#: Kept apart until the end: sums over thousands of graphs then need one common denominator.
FactorKey = tuple[tuple[tuple[str, int], int], ...]


class FactorSum:
    """sum of coefficient * prod (dimension + offset)^exponent, exact, not yet brought together."""

    __slots__ = ("terms",)

    def __init__(self, terms: dict[FactorKey, RationalFunction | Fraction | int]) -> None:
        self.terms = terms

    def collect(self, dimensions: Mapping[str, RationalFunction]) -> RationalFunction:
        """The sum as one rational function; *dimensions* gives each dimension's field element."""
        lowest: dict[tuple[str, int], int] = {}
        for key in self.terms:
            for factor, power in key:
                lowest[factor] = min(lowest.get(factor, 0), power)
        top = RationalFunction.constant(0)
        values = {f: dimensions[f[0]] + f[1] for f in {f for key in self.terms for f, _ in key}}
        for key, coefficient in self.terms.items():
            powers = dict(key)
            term = RationalFunction.of(coefficient)
            for factor, value in values.items():
                exponent = powers.get(factor, 0) - lowest.get(factor, 0)
                if exponent:
                    term = term * value**exponent
            top = top + term
        bottom = RationalFunction.constant(1)
        for factor, low in lowest.items():
            bottom = bottom * values[factor] ** (-low)
        return top / bottom


@lru_cache(maxsize=4096)
def pairings(degrees: tuple[int, ...]) -> tuple[tuple[Graph, int], ...]:
    """All ways to pair the half-edges of vertices 0, 1, ... of the given *degrees*.

    Returns the resulting multigraphs, each with the number of pairings that give it.
    """
    found: dict[Graph, int] = {}
    for matrix in _symmetric_matrices(degrees):
        count = 1
        for k in degrees:
            count *= factorial(k)
        for i, j, n in matrix:
            count //= factorial(n) * (2**n if i == j else 1)
        found[matrix] = found.get(matrix, 0) + count
    return tuple(found.items())


def _symmetric_matrices(degrees: Sequence[int]) -> Iterator[Graph]:
    """Nonnegative symmetric integer matrices n with 2 n_ii + sum_j n_ij = degrees_i."""
    live = [i for i, k in enumerate(degrees) if k]
    if not live:
        yield ()
        return
    first, rest = live[0], live[1:]
    remaining = list(degrees)

    def spread(position: int, left: int) -> Iterator[tuple[tuple[int, int], ...]]:
        if position == len(rest):
            if left % 2 == 0:
                yield ((first, left // 2),) if left else ()
            return
        other = rest[position]
        for n in range(min(left, remaining[other]) + 1):
            for tail in spread(position + 1, left - n):
                yield ((other, n), *tail) if n else tail

    for row in spread(0, degrees[first]):
        reduced = list(degrees)
        reduced[first] = 0
        for j, n in row:
            if j != first:
                reduced[j] -= n
        for tail in _symmetric_matrices(reduced):
            yield tuple(sorted([(min(first, j), max(first, j), n) for j, n in row] + list(tail)))


class Integrator:
    """Expectations of multigraphs whose vertices are independent vectors of given families."""

    #: Distinct graphs remembered; the store is emptied when full, so memory stays bounded.
    CACHE_LIMIT = 200_000

    def __init__(self) -> None:
        self._known: dict[tuple[tuple[int, ...], Graph], FactorSum] = {}

    def expectation(self, laws: Mapping[int, Family], graph: Graph) -> FactorSum:
        """E of the product of inner products; *laws* maps each vertex to its family."""
        laws, graph = _canonical(laws, graph)
        key = (tuple(laws[v].serial for v in sorted(laws)), graph)
        if key in self._known:
            return self._known[key]
        result = self._integrate(laws, graph)
        if len(self._known) >= self.CACHE_LIMIT:
            self._known.clear()
        self._known[key] = result
        return result

    def _integrate(self, laws: Mapping[int, Family], graph: Graph) -> FactorSum:
        if not graph:
            return FactorSum({(): 1})
        neighbours: dict[int, dict[int, int]] = {v: {} for v in laws}
        loops = dict.fromkeys(laws, 0)
        for a, b, n in graph:
            if a == b:
                loops[a] += n
            else:
                neighbours[a][b] = neighbours[b][a] = n
        if any(sum(edges.values()) % 2 for edges in neighbours.values()):
            return FactorSum({})  # the laws are symmetric under v -> -v
        vertex = min(
            (v for v in laws if neighbours[v] or loops[v]),
            key=lambda v: (len(neighbours[v]), sum(neighbours[v].values()), v),
        )
        others = list(neighbours[vertex])
        degrees = tuple(neighbours[vertex][v] for v in others)
        family = laws[vertex]
        offsets, scale = family.radial(sum(degrees) // 2, loops[vertex])
        factors = tuple(((str(family.dimension), o), e) for o, e in offsets)
        left = {(a, b): n for a, b, n in graph if vertex not in (a, b)}
        remaining = {v: family for v, family in laws.items() if v != vertex}
        total: dict[FactorKey, RationalFunction | Fraction | int] = {}
        for paired, count in pairings(degrees):
            edges = dict(left)
            for i, j, n in paired:
                a, b = sorted((others[i], others[j]))
                if a == b and laws[a].unit_norm:
                    continue
                edges[a, b] = edges.get((a, b), 0) + n
            inner = self.expectation(
                remaining, tuple(sorted((a, b, n) for (a, b), n in edges.items()))
            )
            for key, value in inner.terms.items():
                whole = merge_factors(factors, key)
                total[whole] = total.get(whole, 0) + scale * count * value
        return FactorSum({key: value for key, value in total.items() if value != 0})


def merge_factors(left: Sequence[tuple[tuple[str, int], int]], right: FactorKey) -> FactorKey:
    """The product of two products of linear factors."""
    powers = dict(right)
    for factor, exponent in left:
        powers[factor] = powers.get(factor, 0) + exponent
    return tuple(sorted((f, e) for f, e in powers.items() if e))


def _canonical(laws: Mapping[int, Family], graph: Graph) -> tuple[dict[int, Family], Graph]:
    """Renumber the vertices that occur so that isomorphic graphs mostly coincide.

    Two rounds of colour refinement order the vertices. Where they leave a tie the same graph may
    be met under several names, which costs time and never changes a value.
    """
    used = sorted({v for a, b, _ in graph for v in (a, b)})
    colour: dict[int, object] = {v: laws[v].serial for v in used}
    ranks: dict[int, int] = {}
    for _ in range(3):
        order = sorted(set(colour.values()), key=repr)
        ranks = {v: order.index(colour[v]) for v in used}
        around: dict[int, list[tuple[int, int]]] = {v: [] for v in used}
        for a, b, n in graph:
            around[a].append((n, ranks[b]))
            if a != b:
                around[b].append((n, ranks[a]))
        colour = {v: (ranks[v], tuple(sorted(around[v]))) for v in used}
    names = {v: i for i, v in enumerate(sorted(used, key=lambda v: (repr(colour[v]), v)))}
    edges = sorted((*sorted((names[a], names[b])), n) for a, b, n in graph)
    return {names[v]: laws[v] for v in used}, tuple((a, b, n) for a, b, n in edges)
