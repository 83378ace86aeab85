"""Certified real arithmetic: python-flint balls at a local precision, and their exact end points.

A ball is a set that surely contains the value. Comparisons here answer True only if all of the
ball agrees, and end points come out as exact fractions, so that what follows is exact again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction

from flint import arb, ctx, fmpq

from proofs.algebra.field import RationalFunction


@contextmanager
def precision(bits: int = 128) -> Iterator[None]:
    """Work with *bits* of precision inside the block; the global setting is put back afterwards."""
    before = ctx.prec
    ctx.prec = bits
    try:
        yield
    finally:
        ctx.prec = before


def ball(value: int | Fraction | arb) -> arb:
    """The smallest ball around a rational number at the current precision; a ball stays as it is."""
    if isinstance(value, arb):
        return value
    return arb(fmpq(value.numerator, value.denominator))


def _exact(value: arb) -> Fraction:
    mantissa, exponent = value.man_exp()
    return int(mantissa) * Fraction(2) ** int(exponent)


def upper(value: arb) -> Fraction:
    """An exact number not below any point of the ball. ArithmeticError if the ball is unbounded."""
    if not value.is_finite():
        raise ArithmeticError(f"the ball {value} is unbounded; raise the precision")
    return _exact(value.upper())


def lower(value: arb) -> Fraction:
    """An exact number not above any point of the ball. ArithmeticError if the ball is unbounded."""
    if not value.is_finite():
        raise ArithmeticError(f"the ball {value} is unbounded; raise the precision")
    return _exact(value.lower())


def root(square: arb) -> arb:
    """The root of what is not negative, though the ball around it may reach below 0."""
    return arb(0).union(square.upper().sqrt()) if square.contains(0) else square.sqrt()


def evaluate(function: RationalFunction, **values: arb) -> arb:
    """A ball around the value of *function* at balls. KeyError if a symbol has no value.

    Square roots are evaluated as balls too.
    """

    def image(poly: RationalFunction) -> arb:
        total = arb(0)
        for exponents, coefficient in poly.coefficients().items():
            term = ball(coefficient)
            for name, power in zip(poly.names, exponents, strict=True):
                term *= values[name] ** power
            total += term
        return total

    top = sum((ball(r).sqrt() * image(g) for r, g in function.numerator.parts().items()), arb(0))
    return top / image(function.denominator)


def enclosure(value: RationalFunction) -> tuple[Fraction, Fraction]:
    """Exact numbers between which a field element without symbols lies: itself twice, if it is
    rational. KeyError if a symbol is left."""
    if not value.radicals and not value.names:
        exact = value.as_fraction()
        return exact, exact
    with precision():
        found = evaluate(value)
        return lower(found), upper(found)
