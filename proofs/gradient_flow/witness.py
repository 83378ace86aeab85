"""Places at which an inequality fails, exactly or by balls: what refutes a line by hand.

Serves the claims on the gradient flow (arXiv 2412.06538, App. D).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TypeAlias

from flint import arb

from proofs.algebra import RationalFunction

#: What is said of a place, in words, and the two values there.
Witness: TypeAlias = dict[str, str]


def violation(
    left: RationalFunction,
    right: RationalFunction,
    points: Iterable[Mapping[str, int | Fraction]],
    names: tuple[str, str],
) -> Witness | None:
    """The first of *points* at which left > right, or None; *names* says what the two sides are.

    A point has a value for every symbol of both sides.
    """
    for point in points:
        larger, smaller = (side(**point).as_fraction() for side in (left, right))
        if larger > smaller:
            return {
                **{name: str(value) for name, value in point.items()},
                names[0]: str(larger),
                names[1]: str(smaller),
            }
    return None


def exceeds(
    left: arb, right: arb, at: Mapping[str, object], names: tuple[str, str]
) -> Witness | None:
    """The place *at* if left > right for certain, else None."""
    if not left > right:
        return None
    words = {name: str(value) for name, value in at.items()}
    return {**words, names[0]: shown(left), names[1]: shown(right)}


def shown(value: arb) -> str:
    """A ball as a reader wants it: its first digits."""
    return str(value.str(8, radius=False))
