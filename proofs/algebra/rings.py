"""Polynomial rings over QQ by the names of their generators, some of which are square roots.

A generator sqrt2, sqrt3, sqrt5, ... stands for the square root of that prime. Polynomials are kept
reduced: none of these generators occurs squared. The square roots of square-free numbers are linearly
independent over QQ, so a reduced polynomial is zero only if all its coefficients are.
"""

from __future__ import annotations

import re
from functools import cache

import flint

_ROOT = re.compile(r"sqrt([0-9]+)")


def prime_of(name: str) -> int | None:
    """The prime whose square root the generator *name* is, None for a symbol."""
    found = _ROOT.fullmatch(name)
    return int(found[1]) if found else None


def _rank(name: str) -> tuple[bool, int, str]:
    """Roots first, by their primes, then the symbols in order."""
    prime = prime_of(name)
    return prime is None, prime or 0, name


@cache
def ring(names: tuple[str, ...]) -> flint.fmpq_mpoly_ctx:
    """The polynomial ring with these generators, in an order that depends only on their set."""
    ordered: list[str] = sorted(set(names), key=_rank)
    return flint.fmpq_mpoly_ctx.get(ordered, "degrevlex")


#: The ring without generators: the rational numbers.
NUMBERS = ring(())
ONE = NUMBERS.constant(1)


@cache
def joint(left: flint.fmpq_mpoly_ctx, right: flint.fmpq_mpoly_ctx) -> flint.fmpq_mpoly_ctx:
    """The smallest ring that contains both."""
    return ring(left.names() + right.names())


def moved(poly: flint.fmpq_mpoly, target: flint.fmpq_mpoly_ctx) -> flint.fmpq_mpoly:
    """The same polynomial in another ring, which has all generators that occur in it."""
    if poly.is_one():
        return target.constant(1)  # much cheaper than a projection, and most denominators are 1
    if poly.context() is NUMBERS:
        return target.constant(poly.leading_coefficient())
    return poly.project_to_context(target)


def occurring(left: flint.fmpq_mpoly, right: flint.fmpq_mpoly) -> tuple[str, ...]:
    """The generators that really occur in two polynomials of one ring, in the order of the ring."""
    names, tops = left.context().names(), zip(left.degrees(), right.degrees(), strict=True)
    return tuple(name for name, top in zip(names, tops, strict=True) if max(top) > 0)


# Asked for by every product, hence remembered for each ring: without roots there is nothing to do.
@cache
def roots(
    context: flint.fmpq_mpoly_ctx,
) -> tuple[tuple[int, flint.fmpq_mpoly, flint.fmpq_mpoly], ...]:
    """Each root s of a prime p among the generators: its position, s itself, and s^2 - p."""
    found = []
    for position, name in enumerate(context.names()):
        prime = prime_of(name)
        if prime is not None:
            generator = context.gen(position)
            found.append((position, generator, generator**2 - prime))
    return tuple(found)


def reduced(poly: flint.fmpq_mpoly) -> flint.fmpq_mpoly:
    """The polynomial with sqrtp^2 replaced by p for every root among the generators."""
    tops = poly.degrees()
    for position, _, relation in roots(poly.context()):
        if tops[position] > 1:  # a division is slow even where it changes nothing
            poly = poly % relation
    return poly


def rationalised(
    numerator: flint.fmpq_mpoly, denominator: flint.fmpq_mpoly
) -> tuple[flint.fmpq_mpoly, flint.fmpq_mpoly]:
    """The same quotient, reduced, with no root in the denominator.

    A denominator A + B s, where s^2 = p, is multiplied by its conjugate A - B s. The product is not
    zero, as s does not lie in the field that A and B are from.
    """
    numerator, denominator = reduced(numerator), reduced(denominator)
    for position, root, _ in roots(denominator.context()):
        slope = denominator.derivative(position)  # B, as s occurs at most linearly
        if not slope.is_zero():
            conjugate = denominator - 2 * root * slope
            numerator = reduced(numerator * conjugate)
            denominator = reduced(denominator * conjugate)
    return numerator, denominator
