"""The leading order of a rational function as its sizes grow together.

Sizes grow as powers of one t. In the numerator and in the denominator the terms of the highest power
of t dominate; their ratio is the leading term. Exponents are compared as fractions, so this is exact.

A dominating part is a polynomial that is not zero, but it may vanish at particular values: for sizes
of the same order, as d - N does at d = N, and through symbols that are constants, as a - 1 does at
a = 1. There the true order is lower (numerator) or higher (denominator) than the one given here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, prod
from operator import mul

from proofs.algebra.field import RationalFunction


@dataclass(frozen=True)
class Leading:
    """The function divided by *term* tends to one, and *term* is of the order t^exponent."""

    exponent: Fraction
    term: RationalFunction

    def __str__(self) -> str:
        return f"{self.term.factored()} ~ {_power('t', self.exponent)}"


@dataclass(frozen=True)
class Regime:
    """Where one leading term holds: against^low << size << against^high.

    ``high`` is None where there is no upper end. ``exponent`` is (slope, intercept): at size ~
    against^a the term is of the order against^(slope a + intercept). Where ``low == high`` the size is
    comparable to against^low, the terms of both sides count, and the slope is 0.
    """

    low: Fraction
    high: Fraction | None
    term: RationalFunction
    exponent: tuple[Fraction, Fraction]
    size: str = "d"
    against: str = "N"

    @property
    def where(self) -> str:
        """The condition on the size, for instance N^(1/2) << d << N."""
        low = _power(self.against, self.low)
        if self.low == self.high:
            return f"{self.size} ~ {low}"
        above = "" if self.high is None else f" << {_power(self.against, self.high)}"
        return f"{low} << {self.size}{above}"

    def __str__(self) -> str:
        return f"{self.where}: {self.term.factored()}"


def leading(function: RationalFunction, exponents: Mapping[str, int | Fraction]) -> Leading:
    """The leading term for sizes ~ t^exponent as t grows; symbols not in *exponents* are constants.

    The ratio of the sizes to the powers of t, and the constants, are taken as generic; see the
    module for what happens where a dominating part vanishes.

    Raises ValueError for the function 0, which has no order, and for exponents that are negative or
    no fractions.
    """
    for name, exponent in exponents.items():
        exact = isinstance(exponent, (int, Fraction)) and not isinstance(exponent, bool)
        if not exact or exponent < 0:
            raise ValueError(
                f"exponents: {name} ~ t^{exponent!r}; give an int or Fraction that is at least 0"
            )
    _refuse_zero(function)
    above, top = _dominating(function.numerator, exponents)
    below, bottom = _dominating(function.denominator, exponents)
    return Leading(above - below, top / bottom)


def regimes(function: RationalFunction, size: str = "d", against: str = "N") -> tuple[Regime, ...]:
    """The leading terms for *size* ~ *against*^a, for all a > 0, in order of a.

    Open intervals of a alternate with the points between them, at which the terms of both sides are
    comparable and both are in the term. Points at which nothing changes are left out. A regime holds
    as its ``<<`` say: for d ~ N log N the one above d ~ N is meant, and for d ~ log N the first.
    Other symbols are constants.

    Raises ValueError for the function 0, and if *size* and *against* are the same.
    """
    if size == against:
        raise ValueError(f"against: {against!r} is the size itself; name another symbol")
    _refuse_zero(function)

    def at(a: Fraction) -> Leading:
        return leading(function, {size: a, against: 1})

    def between(low: Fraction, high: Fraction | None) -> Regime:
        # On an open interval the exponent is linear in a, so two points give slope and intercept.
        width = 1 if high is None else high - low
        first, second = low + Fraction(width) / 3, low + Fraction(width) * 2 / 3
        slope = (at(second).exponent - at(first).exponent) / (second - first)
        intercept = at(first).exponent - slope * first
        return Regime(low, high, at(first).term, (slope, intercept), size, against)

    points = sorted(
        _breakpoints(function.numerator, size, against)
        | _breakpoints(function.denominator, size, against)
    )
    ends = [*points, None]
    found = [between(Fraction(0), ends[0])]
    for point, following in zip(points, ends[1:], strict=True):
        here, above = at(point), between(point, following)
        if found[-1].term == here.term == above.term:
            low = found.pop().low
            found.append(Regime(low, following, above.term, above.exponent, size, against))
        else:
            constant = (Fraction(0), here.exponent)
            found += [Regime(point, point, here.term, constant, size, against), above]
    return tuple(found)


def _refuse_zero(function: RationalFunction) -> None:
    if function == 0:
        raise ValueError("function: 0 has no leading term")


def _power(base: str, exponent: Fraction) -> str:
    if exponent == 0:
        return "1"
    if exponent == 1:
        return base
    plain = exponent.denominator == 1 and exponent > 0
    return f"{base}^{exponent}" if plain else f"{base}^({exponent})"


def _dominating(
    poly: RationalFunction, exponents: Mapping[str, int | Fraction]
) -> tuple[Fraction, RationalFunction]:
    """The highest power of t in a polynomial that is not 0, and the sum of its terms there."""
    # Weights are compared as integers, and only the terms that dominate are made functions.
    unit = lcm(*(Fraction(e).denominator for e in exponents.values()))
    highest, terms = -1, list[RationalFunction]()
    for radicand, part in poly.parts().items():
        root, names = RationalFunction.root(radicand), part.names
        weights = [int(exponents.get(name, 0) * unit) for name in names]
        for powers, coefficient in part.coefficients().items():
            weight = sum(map(mul, weights, powers))
            if weight < highest:
                continue
            if weight > highest:
                highest, terms = weight, []
            factors = (RationalFunction.symbol(n) ** p for n, p in zip(names, powers, strict=True))
            terms.append(prod(factors, start=root) * coefficient)
    return Fraction(highest, unit), sum(terms, RationalFunction.constant(0))


def _breakpoints(poly: RationalFunction, size: str, against: str) -> set[Fraction]:
    """The a > 0 at which monomials of different powers of *size* dominate together.

    A monomial size^i against^j counts as the line i a + j; these are the corners of the upper
    envelope of the lines.
    """
    intercepts: dict[int, int] = {}
    for part in poly.parts().values():
        names = part.names
        for powers in part.coefficients():
            factors = dict(zip(names, powers, strict=True))
            i, j = factors.get(size, 0), factors.get(against, 0)
            intercepts[i] = max(intercepts.get(i, 0), j)
    # Just above a = 0 the highest intercept wins, then the steepest line.
    slope = max(intercepts, key=lambda i: (intercepts[i], i))
    corners: set[Fraction] = set()
    while steeper := [i for i in intercepts if i > slope]:
        meets = {i: Fraction(intercepts[slope] - intercepts[i], i - slope) for i in steeper}
        corner = min(meets.values())
        corners.add(corner)
        slope = max(i for i, a in meets.items() if a == corner)
    return corners
