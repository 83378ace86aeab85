"""What every condition for a table of facts (s, r) offers: a bound, a yes or no at delta, the largest S.

Serves Nichani et al., Sec. 4: constructions of a transformer for S subjects and R relations.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from proofs.capacity.conditions import largest_where, read_delta, read_size


def read_table(d: Any, S: Any, R: Any, D: Any, noise: Any) -> tuple[int, int, int, int, int]:
    """The dimension, S x R facts with D <= S answers of a relation, *noise* tokens, S + R if None.

    Raises ValueError that begins with the name of the size that is out of range.
    """
    given = {"d": d, "S": S, "R": R, "D": D}
    d, S, R, D = (read_size(name, value) for name, value in given.items())
    if D > S:
        raise ValueError(f"D: {D} answers of one relation need as many subjects; take D <= S = {S}")
    return d, S, R, D, S + R if noise is None else read_size("noise", noise, 0)


def check_head_dimension(d: int, d_h: int) -> None:
    """Raise ValueError unless *d_h* dimensions are orthogonal to phi(EOS)."""
    if d_h > d - 1:
        raise ValueError(
            f"d_h: {d_h} dimensions do not fit into the {d - 1} that are orthogonal to phi(EOS); "
            f"take d_h <= {d - 1}"
        )


class FactCondition(ABC):
    """Base: subclasses supply ``failure_bound(d, S, R, D, ...)``, with the further sizes of their
    construction as keywords.
    """

    @abstractmethod
    def failure_bound(self, *sizes: Any, **more: Any) -> Fraction:
        """An upper bound on P(some fact is not recalled in some context), at most 1, rounded up."""

    def holds(self, *, delta: Any, **sizes: Any) -> bool:
        """Whether all facts are recalled with probability at least 1 - *delta*; *sizes* as above."""
        exact = read_delta(delta)
        return self.failure_bound(**sizes) <= exact

    def largest(
        self,
        *,
        delta: Any,
        d: int,
        D: int,
        R: int | None = None,
        at_most: int | None = None,
        **more: Any,
    ) -> int:
        """The largest S found for which the condition holds (0 if none); R = S where R is None.

        *at_most* ends the search early; *more*: further sizes. Found by doubling and bisection; what
        is returned has been checked. A relation has no more answers than there are subjects, so D is
        capped.
        """
        exact = read_delta(delta)
        read_size("d", d)
        read_size("D", D)
        for name, size, least in (("R", R, 1), ("at_most", at_most, 0)):
            if size is not None:
                read_size(name, size, least)

        def fits(S: int) -> bool:
            if at_most is not None and at_most < S:
                return False
            answers = min(D, S)
            sizes = {"d": d, "S": S, "R": S if R is None else R, "D": answers}
            return self.holds(delta=exact, **sizes, **{**self.spread_evenly(S, answers), **more})

        return largest_where(fits)

    def spread_evenly(self, S: int, D: int) -> Mapping[str, int]:
        """Further sizes of a table whose answers are spread evenly, where the bound depends on them."""
        return {}
