"""The core loop: integrate one vector after another out of a multigraph of inner products.

A vertex is a random vector, an edge of multiplicity n stands for <v,w>^n, possibly projected or a
Wick power. Integrating v out sums over the ways to pair the half-edges at v (Wick); each pairing
leaves edges between the neighbours, and the law contributes a scale for the degree.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any, NamedTuple

from proofs.algebra import RationalFunction
from proofs.moments.laws import Fixed
from proofs.moments.pairings import pairings
from proofs.moments.subspaces import WHOLE, Part, meet
from proofs.moments.vectors import Law


class Kind(NamedTuple):
    """What an edge stands for: a power of the inner product on a part of the space."""

    part: Part = WHOLE
    #: 1 for <v,w>; k > 1 for the Wick power :<v,w>^k: at its Gaussian end; 0 says that v, a member
    #: of an OrthogonalSphere, was drawn orthogonal to w, and is a factor 1.
    order: int = 1


PLAIN = Kind()
ORTHOGONAL = Kind(WHOLE, 0)

#: Edges between numbered vertices (u <= v; u = v is <v,v>), with multiplicities, sorted.
Edge = tuple[int, int, Kind, int]
Graph = tuple[Edge, ...]

#: Products of linear factors ((dimension, offset), exponent) with what they are multiplied by.
#: Kept apart until the end: sums over thousands of graphs then need one common denominator.
FactorKey = tuple[tuple[tuple[str, int], int], ...]
Coefficient = RationalFunction | Fraction | int


class FactorSum:
    """sum of coefficient * prod (dimension + offset)^exponent, exact, not yet brought together."""

    __slots__ = ("terms",)

    def __init__(self, terms: dict[FactorKey, Coefficient]) -> None:
        self.terms = terms

    def collect(self, dimensions: Mapping[str, RationalFunction]) -> RationalFunction:
        """The sum as one rational function; *dimensions* gives each dimension's field element."""
        lowest = _lowest(self.terms)
        top = RationalFunction.constant(0)
        values = {f: dimensions[f[0]] + f[1] for f in {f for key in self.terms for f, _ in key}}
        for key, coefficient in self.terms.items():
            powers = dict(key)
            term = coefficient
            for factor, value in values.items():
                exponent = powers.get(factor, 0) - lowest[factor]
                if exponent:
                    term = term * value**exponent
            top = top + term
        bottom = RationalFunction.constant(1)
        for factor, low in lowest.items():
            bottom = bottom * values[factor] ** (-low)
        return top / bottom


def _lowest(keys: Iterable[FactorKey]) -> dict[tuple[str, int], int]:
    """The least exponent of each factor, at most 0: with these there is one common denominator."""
    lowest: dict[tuple[str, int], int] = {}
    for key in keys:
        for factor, power in key:
            lowest[factor] = min(lowest.get(factor, 0), power)
    return lowest


@dataclass(frozen=True)
class Star:
    """The edges at the vertex that is being integrated out.

    ``legs`` are groups of half-edges (neighbour, part, closed, degree); no two half-edges of a
    closed group, a Wick power, are paired. ``loops`` are powers of <v, P v>.
    """

    legs: tuple[tuple[int, Part, bool, int], ...]
    loops: tuple[tuple[Part, int], ...]

    def degree(self) -> int:
        return sum(k for *_, k in self.legs) + 2 * sum(n for _, n in self.loops)


#: A summand: coefficient, linear factors, and the edges it leaves between the neighbours.
Summand = tuple[Coefficient, FactorKey, tuple[tuple[int, int, Part], ...]]


class Integrator:
    """Expectations of multigraphs whose vertices are independent vectors of given families."""

    #: Distinct graphs remembered; the store is emptied when full, so memory stays bounded.
    CACHE_LIMIT = 200_000

    def __init__(self) -> None:
        self._known: dict[tuple[tuple[int, ...], Graph], FactorSum] = {}

    def expectation(self, laws: Mapping[int, Law], graph: Graph) -> FactorSum:
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

    def _integrate(self, laws: Mapping[int, Law], graph: Graph) -> FactorSum:
        if _odd(laws, graph):
            return FactorSum({})
        vertex = _next_vertex(laws, graph)
        if vertex is None:
            return FactorSum({(): _fixed(laws, graph)})
        law = laws[vertex]
        star, parent = _star(law, vertex, graph)
        left = {(a, b, kind): n for a, b, kind, n in graph if vertex not in (a, b)}
        offsets, scale = law.scale(star.degree() // 2)
        factors: FactorKey = ()
        for offset, exponent in offsets:  # a law may name an offset twice
            factors = merge_factors(factors, (((str(law.dimension), offset), exponent),))
        total: dict[FactorKey, Coefficient] = {}
        for coefficient, extra, new in _wick(star, str(law.dimension), parent):
            edges = dict(left)
            for a, b, part in new:
                if a == b and part == WHOLE and laws[a].unit_norm:
                    continue
                key = (a, b, Kind(part)) if a <= b else (b, a, Kind(part))
                edges[key] = edges.get(key, 0) + 1
            graph_left = tuple(sorted((*key, n) for key, n in edges.items()))
            for powers, value in self.expectation(laws, graph_left).terms.items():
                whole = merge_factors(merge_factors(factors, extra), powers)
                total[whole] = total.get(whole, 0) + scale * coefficient * value
        return FactorSum(total)


def _odd(laws: Mapping[int, Law], graph: Graph) -> bool:
    """Whether some vector occurs to an odd power, which makes the expectation vanish."""
    degree: dict[int, int] = {}
    for a, b, kind, n in graph:
        degree[a] = degree.get(a, 0) + n * kind.order
        degree[b] = degree.get(b, 0) + n * kind.order
    return any(k % 2 and laws[v].symmetric for v, k in degree.items())


def _next_vertex(laws: Mapping[int, Law], graph: Graph) -> int | None:
    """The vertex that is cheapest to integrate out among those that may be; None if all are fixed.

    A Wick power needs its other end in place when its Gaussian is integrated out, and a vector
    drawn orthogonal to another goes before that one.
    """
    degree: dict[int, int] = {}
    around: dict[int, set[int]] = {}
    waiting: set[int] = set()
    for a, b, kind, n in graph:
        for v, w in ((a, b), (b, a)):
            around.setdefault(v, set()).add(w)
            degree[v] = degree.get(v, 0) + n * kind.order
            if kind.order > 1 and not is_owner(laws[v]):
                waiting.add(v)
            if kind.order == 0 and not _drawn_orthogonal(laws[v], laws[w]):
                waiting.add(v)
    free = [v for v in degree if v not in waiting and not isinstance(laws[v], Fixed)]
    return min(free, key=lambda v: (len(around[v]), degree[v], v), default=None)


def is_owner(law: Law) -> bool:
    """Whether Wick powers are Wick powers in the vectors of this law."""
    return law.symmetric and not law.unit_norm


def _drawn_orthogonal(law: Law, other: Law) -> bool:
    return law.orthogonal_to is not None and law.orthogonal_to.family is other


def _fixed(laws: Mapping[int, Law], graph: Graph) -> Coefficient:
    """The product of the inner products of fixed vectors."""
    product: Coefficient = 1
    for a, b, kind, n in graph:
        left, right = laws[a], laws[b]
        if left is not right or kind.part != WHOLE:
            raise ValueError(
                f"the inner product of {left} and {right}{' on a subspace' * bool(kind.part)} is "
                "not known; take fixed vectors of one family, or random ones"
            )
        assert isinstance(left, Fixed)
        product = product * left.overlap**n
    return product


def _star(law: Law, vertex: int, graph: Graph) -> tuple[Star, int | None]:
    """The edges at a vertex, and the vertex that its law is orthogonal to."""
    plain: dict[tuple[int, Part], int] = {}
    closed: list[tuple[int, Part, bool, int]] = []
    loops: list[tuple[Part, int]] = []
    parent = None
    for a, b, kind, n in graph:
        if vertex not in (a, b):
            continue
        other = b if a == vertex else a
        if other == vertex:
            loops.append((kind.part, n))
        elif kind.order == 0:
            parent = other
        elif kind.order == 1:
            plain[other, kind.part] = n
        else:
            closed += [(other, kind.part, True, kind.order)] * n
    legs = [(other, part, False, n) for (other, part), n in plain.items()]
    return Star((*legs, *closed), tuple(loops)), parent


def _wick(star: Star, dimension: str, parent: int | None) -> Iterator[Summand]:
    """E of a star whose centre is standard Gaussian on the complement of *parent*, if any."""
    if not star.loops:
        for ways, edges in _paired(star.legs, parent):
            yield ways, (), edges
        return
    part, n = star.loops[0]
    degree = None if parent is not None else _degree_beside(star, part)
    if degree is not None:
        # E of |P v|^2n times a homogeneous polynomial of degree k in P v is (p+k)(p+k+2)... times
        # E of the polynomial, p the dimension.
        name = dimension if part == WHOLE else f"block {part[0]}"
        factors = tuple(((name, degree + 2 * i), 1) for i in range(n))
        for coefficient, more, edges in _wick(Star(star.legs, star.loops[1:]), dimension, parent):
            yield coefficient, merge_factors(factors, more), edges
        return
    for ways, trace, edges, smaller in _opened(star, dimension, parent):
        factors = (((trace, 0), 1),) if trace else ()
        for coefficient, more, left in _wick(smaller, dimension, parent):
            yield ways * coefficient, merge_factors(factors, more), edges + left


def _degree_beside(star: Star, part: Part) -> int | None:
    """The degree in P v of what stands beside the first loop <v, P v>, if that is homogeneous in P v.

    Wick powers are not homogeneous. None as well where P is a sum of blocks or others overlap it.
    """
    degree = 0
    beside = [*star.legs, *((0, other, False, 2 * n) for other, n in star.loops[1:])]
    for _, other, closed, k in beside:
        if part == WHOLE or other == part:
            if closed:
                return None
            degree += k
        elif meet(other, part) is not None:
            return None
    return degree if len(part) <= 1 else None


#: A product of edges with its coefficient.
Product = tuple[int, tuple[tuple[int, int, Part], ...]]


def _paired(legs: Sequence[tuple[int, Part, bool, int]], parent: int | None) -> Iterator[Product]:
    """The pairings of the legs; a pair (a, b) leaves <a,b>, less <a,c><c,b> if v is orthogonal to c."""
    if parent is None:
        # Legs on orthogonal parts are never paired.
        first = [leg for leg in legs if meet(leg[1], legs[0][1]) is not None]
        rest = [leg for leg in legs if leg not in first]
        if rest and all(meet(a[1], b[1]) is None for a in first for b in rest):
            right = list(_paired(rest, parent))
            for c, e in _paired(first, parent):
                for x, f in right:
                    yield c * x, e + f
            return
    degrees, closed = tuple(leg[3] for leg in legs), tuple(leg[2] for leg in legs)
    for paired, ways in pairings(degrees, closed):
        summands: list[Product] = [(ways, ())]
        for i, j, n in paired:
            (a, left, *_), (b, right_part, *_) = legs[i], legs[j]
            options = _powers(_covariance(a, left, b, right_part, parent), n)
            summands = [(c * x, e + f) for c, e in summands for x, f in options]
        yield from summands


def _covariance(a: int, left: Part, b: int, right: Part, parent: int | None) -> list[Product]:
    """What a pair of half-edges towards a and b leaves: a sum of signed products of edges."""
    part = meet(left, right)
    options: list[Product] = []
    if part is not None:
        options.append((1, ((a, b, part),)))
    if parent is not None:
        options.append((-1, ((a, parent, left), (parent, b, right))))
    return options


def _powers(options: list[Product], n: int) -> list[Product]:
    """The n-th power of a sum of at most two products."""
    if not options:
        return []
    if len(options) == 1:
        ((sign, edges),) = options
        return [(sign**n, edges * n)]
    (first, e), (second, f) = options
    return [(comb(n, k) * first ** (n - k) * second**k, e * (n - k) + f * k) for k in range(n + 1)]


def _opened(
    star: Star, dimension: str, parent: int | None
) -> Iterator[tuple[int, str, tuple[tuple[int, int, Part], ...], Star]]:
    """Integrate the first loop <v, P v> by parts: its half-edge meets its other end or another edge.

    Yields the coefficient, the name of a dimension that is a further factor or "", new edges
    between the neighbours, and the star that is left.
    """
    (part, n), others = star.loops[0], dict(star.loops[1:])
    loops = {part: n - 1, **others} if n > 1 else others
    rest = Star(star.legs, tuple(loops.items()))
    for trace in [f"block {block}" for block in part] or [dimension]:
        yield 1, trace, (), rest
    if parent is not None:
        yield -1, "", ((parent, parent, part),), rest
    for i, (a, left, closed, k) in enumerate(star.legs):
        fewer_legs = (*star.legs[:i], *(((a, left, closed, k - 1),) * (k > 1)), *star.legs[i + 1 :])
        for sign, edges, ends in _through(a, left, part, parent):
            yield k * sign, "", edges, Star(_collected((*fewer_legs, *ends)), rest.loops)
    for other, k in loops.items():
        fewer = {**loops, other: k - 1}
        both = meet(part, other)
        if both is not None:
            more = {**fewer, both: fewer.get(both, 0) + 1}
            yield 2 * k, "", (), Star(star.legs, _positive(more))
        if parent is not None:
            ends = ((parent, part, False, 1), (parent, other, False, 1))
            yield -2 * k, "", (), Star(_collected((*star.legs, *ends)), _positive(fewer))


def _through(
    a: int, left: Part, part: Part, parent: int | None
) -> Iterator[
    tuple[int, tuple[tuple[int, int, Part], ...], tuple[tuple[int, Part, bool, int], ...]]
]:
    """<a, L K P v>, K the covariance of v: signed edges, and the half-edge that goes on to v."""
    both = meet(left, part)
    if both is not None:
        yield 1, (), ((a, both, False, 1),)
    if parent is not None:
        yield -1, ((a, parent, left),), ((parent, part, False, 1),)


def _collected(
    legs: Sequence[tuple[int, Part, bool, int]],
) -> tuple[tuple[int, Part, bool, int], ...]:
    """The same legs with open groups of one neighbour and part brought together."""
    plain: dict[tuple[int, Part], int] = {}
    for a, part, closed, k in legs:
        if not closed:
            plain[a, part] = plain.get((a, part), 0) + k
    return (
        *((a, part, False, k) for (a, part), k in plain.items()),
        *(leg for leg in legs if leg[2]),
    )


def _positive(loops: Mapping[Part, int]) -> tuple[tuple[Part, int], ...]:
    return tuple((part, n) for part, n in loops.items() if n)


def merge_factors(left: FactorKey, right: FactorKey) -> FactorKey:
    """The product of two products of linear factors."""
    powers = dict(right)
    for factor, exponent in left:
        powers[factor] = powers.get(factor, 0) + exponent
    return tuple(sorted((f, e) for f, e in powers.items() if e))


def _canonical(laws: Mapping[int, Law], graph: Graph) -> tuple[dict[int, Law], Graph]:
    """Renumber the vertices that occur so that isomorphic graphs mostly coincide.

    Three rounds of colour refinement order the vertices. Where they leave a tie the same graph may
    be met under several names, which costs time and never changes a value.
    """
    used = sorted({v for edge in graph for v in edge[:2]})
    ranks = _ranks({v: laws[v].serial for v in used})
    for _ in range(3):
        around: dict[int, list[tuple[Kind, int, int]]] = {v: [] for v in used}
        for a, b, kind, n in graph:
            around[a].append((kind, n, ranks[b]))
            if a != b:
                around[b].append((kind, n, ranks[a]))
        refined = _ranks({v: (ranks[v], sorted(around[v])) for v in used})
        if refined == ranks:
            break
        ranks = refined
    names = {v: i for i, v in enumerate(sorted(used, key=lambda v: (ranks[v], v)))}
    edges = [(min(names[a], names[b]), max(names[a], names[b]), kind, n) for a, b, kind, n in graph]
    return {names[v]: laws[v] for v in used}, tuple(sorted(edges))


def _ranks(colours: Mapping[int, Any]) -> dict[int, int]:
    """The position of each vertex's colour among the colours that occur."""
    ranks: dict[int, int] = {}
    last, rank = None, -1
    for v, colour in sorted(colours.items(), key=lambda item: item[1]):
        rank += colour != last
        ranks[v], last = rank, colour
    return ranks
