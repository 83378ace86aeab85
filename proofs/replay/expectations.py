"""Expectations of products of inner products, by integration by parts one half-edge at a time.

Uniform vectors become Gaussian ones of the same degree first: E over the sphere of R^D of a polynomial
of degree 2k is E over the standard Gaussian by D (D+2) ... (D+2k-2). A vector orthogonal to c has the
covariance |c|^2 I - c c^T, which keeps the degree in every vector what it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from proofs.replay.field import Field, Ratio

#: The blocks that an inner product is projected on; () is the whole space.
Part = tuple[int, ...]
#: <a, P b>, a <= b; order k > 1 is a Wick power, order 0 says that a was drawn orthogonal to b.
Edge = tuple[int, int, Part, int]
Graph = tuple[tuple[Edge, int], ...]

CACHE_LIMIT = 200_000


@dataclass(frozen=True, eq=False)
class Law:
    """A law of random vectors; what it does not have is None."""

    kind: str
    dimension: Ratio
    variance: Ratio | None = None
    overlap: Ratio | None = None
    to: str | None = None


class Expectations:
    """Expectations of multigraphs over vectors with given *laws*; *blocks* are dimensions."""

    def __init__(self, field: Field, laws: Mapping[str, Law], blocks: Mapping[int, Ratio]) -> None:
        self.field, self.laws, self.blocks = field, laws, blocks
        self._known = lru_cache(maxsize=CACHE_LIMIT)(self._by_parts)

    def of(self, vertices: Sequence[str], edges: Sequence[Any]) -> Ratio:
        """E of the product of *edges* [a, b, blocks, order, multiplicity] over *vertices*.

        Raises ValueError for an inner product that the laws do not determine.
        """
        graph: Counter[Edge] = Counter()
        degree = Counter(dict.fromkeys(range(len(vertices)), 0))
        for a, b, part, order, n in edges:
            first, second = (a, b) if order or self._drawn(vertices, a, b) else (b, a)
            if not order and not self._drawn(vertices, first, second):
                raise ValueError("an edge of order 0 between vectors that are not drawn orthogonal")
            graph[_edge(first, second, tuple(sorted(part)), order)] += n
            degree[a] += order * n
            degree[b] += order * n
        parents = {edge[0]: edge[1] for edge in graph if edge[3] == 0}
        factor = self.field.number(1)
        # Children pass their degree on to the vector they are orthogonal to, so they come first.
        for v in sorted(degree, key=lambda v: -self._depth(vertices[v])):
            law = self.laws[vertices[v]]
            if law.kind == "fixed":
                continue
            if degree[v] % 2:
                return self.field.number(0)
            if law.variance is not None:
                factor = factor * law.variance ** (degree[v] // 2)
                continue
            if law.to is not None:
                if v not in parents or self.laws[law.to].kind == "gaussian":
                    raise ValueError("a vector that is orthogonal to no unit vector")
                degree[parents[v]] += degree[v]
            for i in range(0, degree[v], 2):
                factor = factor / (law.dimension + self.field.number(i - (law.to is not None)))
        return factor * self._value(tuple(vertices), graph)

    def _drawn(self, vertices: Sequence[str], a: int, b: int) -> bool:
        return self.laws[vertices[a]].to == vertices[b]

    def _depth(self, name: str) -> int:
        to = self.laws[name].to
        return 0 if to is None else 1 + self._depth(to)

    # -- standard Gaussian vectors ----------------------------------------------------------------

    def _value(self, vertices: Sequence[str], graph: Mapping[Edge, int]) -> Ratio:
        """E of a graph: what is known at once is dropped, the vertices are renumbered."""
        used = {v for (a, b, _, order), n in graph.items() if order and n for v in (a, b)}
        kept = {}
        drawn = sorted((e for e in graph if not e[3]), key=lambda e: -self._depth(vertices[e[0]]))
        for a, b, *_ in drawn:  # a child of a child comes before it
            used |= {b} if a in used else set()
        for edge, n in graph.items():
            a, b, part, order = edge
            norm = a == b and not part and self.laws[vertices[a]].kind == "fixed"
            if n and not norm and (order or a in used):
                kept[edge] = n
            if n and order == 0 and graph.get(_edge(a, b, (), 1)):
                return self.field.number(0)
        around: dict[int, list[tuple[object, ...]]] = {}
        for (a, b, part, order), n in kept.items():
            around.setdefault(a, []).append((part, order, n, a == b, vertices[b]))
            around.setdefault(b, []).append((part, order, n, a == b, vertices[a]))
        ranked = sorted(around, key=lambda v: (vertices[v], sorted(around[v]), v))
        new = {v: i for i, v in enumerate(ranked)}
        edges = [(_edge(new[a], new[b], part, k), n) for (a, b, part, k), n in kept.items()]
        return self._known(tuple(vertices[v] for v in ranked), tuple(sorted(edges)))

    def _by_parts(self, vertices: tuple[str, ...], graph: Graph) -> Ratio:
        """Contract one half-edge at a vertex with its other end, if that is there, and all others."""
        v, parent = self._next(vertices, graph)
        if v is None:
            return self._fixed(vertices, graph)
        at_v = [edge for edge, _ in graph if edge[3] and v in edge[:2]]
        chosen = min(at_v, key=lambda edge: (edge[0] != edge[1], edge))
        a, part, _ = _far(chosen, v)
        pool = Counter(dict(graph))
        pool[chosen] -= 1
        total = self.field.number(0)
        if a == v:
            dimension = self._dimension(vertices[v], part)
            if parent is None:
                total = total + self._value(vertices, pool) * dimension
            else:
                norm, less = _edge(parent, parent, (), 1), _edge(parent, parent, part, 1)
                total = total + self._value(vertices, pool + Counter([norm])) * dimension
                total = total - self._value(vertices, pool + Counter([less]))
        for other in at_v:
            b, second, order = _far(other, v)
            ways = pool[other] * order * (2 if b == v else 1)
            if not ways:
                continue
            left = Counter(pool)
            left[other] -= 1
            left.update(_lower(edge) for edge in (chosen, other) if edge[3] > 1)
            for sign, new in _bridge(a, part, b, second, parent):
                total = total + self._value(vertices, left + Counter(new)) * (sign * ways)
        return total

    def _next(self, vertices: Sequence[str], graph: Graph) -> tuple[int | None, int | None]:
        """A random vector of least degree that none is orthogonal to and whose Wick powers are its
        own, and the one it is orthogonal to."""
        degree: Counter[int] = Counter()
        waiting, parents = set(), {}
        for (a, b, _, order), n in graph:
            if order == 0:
                parents[a] = b
                waiting.add(b)
                continue
            degree[a] += order * n
            degree[b] += order * n
            if order > 1:
                waiting |= {v for v in (a, b) if self.laws[vertices[v]].kind != "gaussian"}
        random = [v for v in degree if self.laws[vertices[v]].kind != "fixed" and v not in waiting]
        v = min(random, key=lambda v: (degree[v], v), default=None)
        return v, None if v is None else parents.get(v)

    def _fixed(self, vertices: Sequence[str], graph: Graph) -> Ratio:
        value = self.field.number(1)
        for (a, b, part, order), n in graph:
            overlap = self.laws[vertices[a]].overlap
            if vertices[a] != vertices[b] or part or order != 1 or overlap is None:
                raise ValueError("an inner product that the laws do not determine")
            value = value * overlap**n
        return value

    def _dimension(self, name: str, part: Part) -> Ratio:
        if not part:
            return self.laws[name].dimension
        return sum((self.blocks[block] for block in part), self.field.number(0))


def _edge(a: int, b: int, part: Part, order: int) -> Edge:
    return (a, b, part, order) if a <= b or not order else (b, a, part, order)


def _far(edge: Edge, v: int) -> tuple[int, Part, int]:
    """The other end of an edge at v, its part and its order."""
    a, b, part, order = edge
    return (b if a == v else a), part, order


def _lower(edge: Edge) -> Edge:
    """The Wick power of one order less."""
    return (*edge[:3], edge[3] - 1)


def _bridge(
    a: int, left: Part, b: int, right: Part, parent: int | None
) -> list[tuple[int, list[Edge]]]:
    """<a, L K R b> as signed products of edges, K the covariance of the vector in between."""
    both = tuple(block for block in left if block in right) if left and right else left or right
    met = [_edge(a, b, both, 1)] if both or not (left and right) else None
    if parent is None:
        return [] if met is None else [(1, met)]
    through = [_edge(a, parent, left, 1), _edge(b, parent, right, 1)]
    norm = _edge(parent, parent, (), 1)
    return [(-1, through)] if met is None else [(1, [*met, norm]), (-1, through)]
