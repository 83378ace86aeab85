"""Moments of a coordinate of a uniform unit vector."""

from __future__ import annotations

from proofs.algebra import RationalFunction
from proofs.moments import Range, Sphere, dot, mean


def coordinate_moment(p: int) -> RationalFunction:
    """E g^(2p) for the first coordinate g of a uniform unit vector, from the engine."""
    vectors = Range(2)
    v, a, b = Sphere("v", RationalFunction.symbol("d")), vectors.index("a"), vectors.index("b")
    return mean(dot(v[a], v[b]) ** (2 * p), [a != b]).value
