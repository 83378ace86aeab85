"""Even moments of the inner product of two independent uniform unit vectors.

Nichani et al., App. F, Lemma 12.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod

from proofs.algebra import RationalFunction
from proofs.algebra.symbols import ONE, symbols
from proofs.concentration.powers import at_most_product, number
from proofs.concentration.sphere import coordinate_moment

#: Orders and dimensions among which the smallest counterexample is looked for.
_SEARCHED_ORDERS, _SEARCHED_DIMENSIONS = 4, 64

_d, _j = symbols("d j")

#: E <u,v>^(2j+2) over E <u,v>^(2j).
RATIO = (2 * _j + 1) / (_d + 2 * _j)


@dataclass(frozen=True)
class OverlapBound:
    """E <u,v>^(2p) <= base^exponent d^(-dimension), all three in the integer symbol p >= 1."""

    base: RationalFunction
    exponent: RationalFunction
    dimension: RationalFunction


def overlap_moment(p: int) -> RationalFunction:
    """E <u,v>^(2p) = 1 3 ... (2p-1)/(d (d+2) ... (d+2p-2)), in the symbol d, for p >= 0."""
    return prod((RATIO(j=j) for j in range(p)), start=ONE)


def ratio_is_right(orders: int) -> bool:
    """Whether the ratio gives the engine's moments for p up to *orders*."""
    return all(overlap_moment(p) == coordinate_moment(p) for p in range(orders + 1))


def overlap_counterexample(bound: OverlapBound) -> dict[str, str] | None:
    """The smallest p and d near 1 at which the moment exceeds the bound; None if there is none."""
    sizes = product(range(1, _SEARCHED_ORDERS + 1), range(1, _SEARCHED_DIMENSIONS + 1))
    for p, d in sorted(sizes, key=lambda size: (sum(size), size)):
        moment = number(overlap_moment(p), d=d)
        base, exponent, dimension = (
            number(f, p=p) for f in (bound.base, bound.exponent, bound.dimension)
        )
        if not at_most_product(moment, (base, exponent), (Fraction(1, d), dimension)):
            return {
                "p": str(p),
                "d": str(d),
                "E <u,v>^(2p)": str(moment),
                "stated": f"({base})^({exponent}) {d}^(-({dimension}))",
            }
    return None
