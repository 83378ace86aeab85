"""What is known of the entries of a tensor, and how each operation on float64 passes it on.

An operation may make its additions in any order, and fuse products with them (Higham, Accuracy and
Stability of Numerical Algorithms, 2nd ed., Sec. 3.1); functions such as exp may be off by four units in
the last place, which is what the manuals of libraries promise, or more than it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from torch import float64

from numerics.rounding import dot_error_factor

#: Half a unit in the last place of 1, and what a function of a library may be off by, relatively.
_UNIT, _FUNCTION = 2.0**-53, 2.0**-50
#: Bounds are floats themselves: this makes up for their own rounding.
_SLACK = 1 + 2.0**-40


@dataclass(frozen=True)
class Known:
    """Each exact entry is at most *bound* in absolute value, each computed one off by at most *error*.

    *norms*: for each dimension, a bound on the 2-norms of the exact entries along it, inf where none is
    known. Exact is what the same operations give without rounding, from the values that were drawn.
    """

    bound: float
    error: float = 0.0
    norms: tuple[float, ...] = ()

    @property
    def seen(self) -> float:
        """A bound on the computed entries."""
        return (self.bound + self.error) * _SLACK

    def norm(self, dim: int, size: int) -> float:
        """A bound on the 2-norms of the exact entries along a dimension of so many."""
        own = self.norms[dim] if self.norms else math.inf
        return min(own, math.sqrt(size) * self.bound) * _SLACK

    def absolute_sum(self, dim: int, size: int) -> float:
        """A bound on the sums of absolute values of the exact entries along a dimension of so many."""
        return min(size * self.bound, math.sqrt(size) * self.norm(dim, size)) * _SLACK


def plus(x: Known, y: Known) -> Known:
    """Of sums and differences."""
    bound = (x.bound + y.bound) * _SLACK
    error = x.error + y.error
    if error or (x.bound and y.bound):
        error += _UNIT * (bound + error)
    return Known(bound, error * _SLACK)


def times(x: Known, y: Known) -> Known:
    """Of products."""
    bound = x.bound * y.bound * _SLACK
    carried = x.bound * y.error + y.bound * x.error + x.error * y.error
    return Known(bound, (carried + _UNIT * (bound + carried)) * _SLACK)


def scaled(x: Known, factor: float) -> Known:
    """Of products with a number."""
    found = times(x, Known(abs(factor)))
    norms = tuple(norm * abs(factor) * _SLACK for norm in x.norms)
    return replace(found, norms=norms)


def over(x: Known, y: Known, least: float, most: float = math.inf) -> Known:
    """Of quotients by what is at least *least* > 0 in absolute value, exact and computed; they are at
    most *most*."""
    bound = min(x.bound / least, most) * _SLACK
    carried = (x.error + bound * y.error) / least
    return Known(bound, (carried + _UNIT * (bound + carried)) * _SLACK)


def power(x: Known, exponent: int) -> Known:
    """Of x^n, n >= 1, however it is multiplied out."""
    bound, seen = x.bound**exponent * _SLACK, x.seen**exponent * _SLACK
    carried = exponent * x.seen ** (exponent - 1) * x.error
    error = carried + (dot_error_factor(exponent, float64) + _FUNCTION) * seen
    return Known(bound, error * _SLACK)


def real_power(x: Known, exponent: float) -> Known:
    """Of x^p for x >= 0, exact and computed, and p > 0 that is no whole number."""
    bound, seen = x.bound**exponent * _SLACK, x.seen**exponent * _SLACK
    carried = x.error**exponent
    if exponent > 1:
        carried = exponent * x.seen ** (exponent - 1) * x.error
    return Known(bound, (carried + _FUNCTION * (1 + exponent) * seen) * _SLACK)


def summed(x: Known, dim: int, size: int) -> Known:
    """Of sums along a dimension of so many entries."""
    bound = x.absolute_sum(dim, size)
    carried = size * x.error
    return Known(bound, (carried + _growth(size) * (bound + carried)) * _SLACK)


def contracted(x: Known, y: Known, dims: tuple[int, int], size: int) -> Known:
    """Of sums of so many products along one dimension of each, as in a product of matrices."""
    first, second = dims
    bound = min(
        x.norm(first, size) * y.norm(second, size),
        x.absolute_sum(first, size) * y.bound,
        y.absolute_sum(second, size) * x.bound,
    )
    carried = (
        x.absolute_sum(first, size) * y.error
        + y.absolute_sum(second, size) * x.error
        + size * x.error * y.error
    )
    return Known(bound * _SLACK, (carried + _growth(size) * (bound + carried)) * _SLACK)


def multiplied(factors: Sequence[Known], size: int) -> Known:
    """Of sums of so many products of several factors, in any order."""
    exact, seen = float(size), float(size)
    for x in factors:
        exact, seen = exact * x.bound * _SLACK, seen * x.seen
    # The relative error of a product of n factors grows by one unit for each.
    carried = 0.0
    for i, x in enumerate(factors):
        others = math.prod(y.seen for j, y in enumerate(factors) if j != i)
        carried += size * x.error * others * _SLACK
    growth = _growth(size + len(factors) ** 2)
    return Known(exact, (carried + growth * seen) * _SLACK)


def length(x: Known, dim: int, size: int) -> Known:
    """Of 2-norms along a dimension of so many entries; a norm moves by no more than its vector does."""
    bound, carried = x.norm(dim, size), math.sqrt(size) * x.error
    growth = _growth(size) + _FUNCTION
    return Known(bound, (carried + growth * (bound + carried)) * _SLACK)


def root(x: Known) -> Known:
    """Of roots of what is not negative, exact and computed."""
    bound, carried = math.sqrt(x.bound) * _SLACK, math.sqrt(x.error)
    return Known(bound, (carried + _FUNCTION * (bound + carried)) * _SLACK)


def exponential(x: Known) -> Known:
    """Of e^x."""
    bound = math.exp(x.bound) * _SLACK
    carried = bound * math.expm1(x.error)
    return Known(bound, (carried + _FUNCTION * (bound + carried)) * _SLACK)


def entropy(x: Known) -> Known:
    """Of -x log x for x in [0, 1 + 2^-20], exact and computed, and x.error <= e^-2.

    In [0, 1] it moves by no more than what it is of the move, beyond 1 by 1 + 2^-20 times the move.
    """
    carried = -2 * x.error * math.log(x.error) if x.error else 0.0
    return Known(math.exp(-1) * _SLACK, (carried + 2 * _FUNCTION) * _SLACK)


def lipschitz(x: Known, bound: float) -> Known:
    """Of a function of slope at most 1 and bounded so, such as sin, cos, tanh."""
    return Known(bound, (x.error + _FUNCTION * bound) * _SLACK)


def clamped(x: Known, low: float | None, high: float | None) -> Known:
    """Of what is cut off at given numbers."""
    ends = [abs(end) for end in (low, high) if end is not None]
    bound = min(x.bound, max(ends)) if len(ends) == 2 else max([x.bound, *ends])
    return Known(bound, x.error)


def joined(parts: Sequence[Known]) -> Known:
    """Of tensors put together, entry beside entry."""
    return Known(max(x.bound for x in parts), max(x.error for x in parts))


def _growth(size: int) -> float:
    return dot_error_factor(max(size, 1), float64)
