"""An explicit condition for the linear memory of any map: outputs may share inputs or have none.

With A = 1 - <u_f(x), u_y>, independent coordinates g' and keys t_z = <e_z, e_x>, one margin has the
law of A (1 + sum_a t - sum_b t) + sqrt(2A) sum_y' g'_y' (sum of the keys of y'), a and b the other
inputs of f(x) and those of y. A Chernoff bound conditional on A, as for ``Linear``, which this is
where every output has at most one input. Serves Theorem 1 of Nichani et al. without "injective".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from math import ceil, isqrt, sqrt
from typing import Any

from flint import arb

from proofs.algebra.balls import ball
from proofs.capacity.conditions import largest_where, read_delta, read_size
from proofs.capacity.linear import cell_ends, over_cells

_ONE = Fraction(1)

#: s is looked for on a grid of this many steps below the largest that all fibres allow.
_GRID = 1024


def _read_fibres(fibres: Sequence[int]) -> Counter[int]:
    """How many outputs have how many inputs. ValueError for a size < 0, and for no input at all."""
    if not isinstance(fibres, Iterable):
        raise ValueError(f"fibres: {fibres!r} is no list; give a number of inputs for each output")
    counts = Counter(read_size(f"fibres[{y}]", size, 0) for y, size in enumerate(fibres))
    if not any(counts):
        raise ValueError(f"fibres: {list(fibres)} holds no input; give some output at least one")
    return counts


class LinearGeneralMap:
    """P(gamma <= 0) is at most
    E_A inf_s exp(-s d sqrt(A/2) + (a + b) s^2 d A/4 - (1/2) sum_y' log(1 - n_y' s^2)),
    0 < s, n_y' s^2 < 1, where f(x) has a further inputs, y has b and each other output y' has n_y'.

    *cells*: as for ``Linear``. *signal*, *noise* and *coincident* are the constants 1, 1/2 and 1/4
    of the exponent, *fibre* gives what stands for n_y'; the bound is proved for these, other values
    serve to show that a wrong one is found out. Raises ValueError unless there is a cell.
    """

    def __init__(
        self,
        cells: int = 512,
        *,
        signal: Fraction = _ONE,
        noise: Fraction = Fraction(1, 2),
        coincident: Fraction = Fraction(1, 4),
        fibre: Callable[[int], Fraction] = Fraction,
    ) -> None:
        self.cells = read_size("cells", cells)
        self.signal, self.noise, self.coincident = signal, noise, coincident
        self.fibre = fibre

    def failure_bound(self, d: int, fibres: Sequence[int]) -> Fraction:
        """A rigorous upper bound on P(some fact is not recalled), at most 1, rounded up.

        *fibres*: how many inputs each output has, zeros allowed. The union of the bounds on single
        margins, pairs with the same fibres counted together; 1 for d = 1, where nothing is bounded
        this way. Raises ValueError for sizes out of range.
        """
        d, counts = read_size("d", d), _read_fibres(fibres)
        if d == 1:
            return _ONE
        total = Fraction(0)
        for own, outputs in counts.items():
            if own:
                total += outputs * own * self._fact_lost(d, counts, own)
        return min(total, _ONE)

    def holds(self, *, delta: Any, d: int, fibres: Sequence[int]) -> bool:
        """Whether all facts are recalled with probability at least 1 - *delta*."""
        exact = read_delta(delta)
        return self.failure_bound(d, fibres) <= exact

    def largest(self, *, delta: Any, d: int, shared: int = 1, at_most: int | None = None) -> int:
        """The largest number of outputs found such that *shared* inputs for each of them fit.

        0 if not even one fits. *at_most* ends the search early. What is returned has been checked.
        """
        exact, shared = read_delta(delta), read_size("shared", shared)
        read_size("d", d)

        def fits(outputs: int) -> bool:
            if at_most is not None and outputs > at_most:
                return False
            return self.holds(delta=exact, d=d, fibres=[shared] * outputs)

        return largest_where(fits)

    def _fact_lost(self, d: int, counts: Counter[int], own: int) -> Fraction:
        """min(1, sum over the competitors of one fact), whose output has *own* inputs."""
        total = Fraction(0)
        for theirs, outputs in counts.items():
            competitors = outputs - (theirs == own)
            if competitors:
                others = counts - Counter([own]) - Counter([theirs])
                total += competitors * self.bound(d, own - 1 + theirs, others)
        return min(total, _ONE)

    def bound(self, d: int, coincident: int, others: Counter[int]) -> Fraction:
        """The bound on P(gamma <= 0) for one margin, d >= 2.

        *coincident*: a + b. *others*: how many of the further outputs have how many inputs.
        """
        noise = [(self.fibre(n), many) for n, many in sorted(others.items()) if n and many]
        return over_cells(d, self.cells, partial(self._on_cell, d, coincident, noise))

    def _on_cell(
        self,
        d: int,
        coincident: int,
        noise: Sequence[tuple[Fraction, int]],
        low: Fraction,
        high: Fraction,
    ) -> arb:
        a, root, most = cell_ends(low, high)
        s = _best_slope(
            d * float(self.signal) * sqrt(a / 2),
            4 * float(self.coincident) * d * coincident * a,
            [(float(n), 2 * float(self.noise) * many) for n, many in noise],
            _finest(max((n for n, _ in noise), default=_ONE)),
        )
        slope = ball(s)
        exponent = -d * slope * ball(self.signal) * root
        exponent += d * coincident * ball(self.coincident) * slope**2 * most
        for n, many in noise:
            exponent -= many * ball(self.noise) * (1 - ball(n) * slope**2).log()
        return arb(1) if exponent > 0 else exponent.exp()


@lru_cache(maxsize=64)
def _finest(largest: Fraction) -> int:
    """Steps to the unit such that n s^2 < 1 at the first _GRID - 1 of them."""
    return _GRID * (isqrt(max(ceil(largest), 1) - 1) + 1)


def _best_slope(
    gain: float, curvature: float, noise: Sequence[tuple[float, float]], steps: int
) -> Fraction:
    """A rational s near the minimiser of -gain s + curvature s^2/4 - (1/2) sum many log(1 - n s^2).

    Any s with n s^2 < 1 is valid; s = k/*steps*, k < _GRID.
    """
    low, high = 1, _GRID - 1
    while high - low > 1:
        middle = (low + high) // 2
        s = middle / steps
        slope = -gain + curvature * s / 2 + sum(m * n * s / (1 - n * s * s) for n, m in noise)
        low, high = (middle, high) if slope < 0 else (low, middle)
    return Fraction(low, steps)
