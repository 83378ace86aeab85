"""Exact comparisons with rational powers of rational numbers."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from proofs.algebra import RationalFunction


def at_most_product(value: Fraction, *factors: tuple[Fraction, Fraction]) -> bool:
    """value <= prod base^exponent for *factors* (base, exponent), *value* >= 0, every base > 0.

    Both sides are raised to the common denominator of the exponents. Raises ValueError for a base
    that is not positive.
    """
    common = lcm(*(exponent.denominator for _, exponent in factors))
    product = Fraction(1)
    for base, exponent in factors:
        if base <= 0:
            raise ValueError(f"factors: the base {base} is not positive; its powers are not real")
        product *= base ** int(exponent * common)
    return value**common <= product


def number(function: RationalFunction, **values: int | Fraction) -> Fraction:
    """The value of *function* once all its symbols have one."""
    return function(**{name: values[name] for name in function.names}).as_fraction()
