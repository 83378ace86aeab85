"""How quotients of polynomials are shown: as text, expanded or factored, and as SymPy expressions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from math import prod

import flint
import sympy

from proofs.algebra.rings import prime_of

#: A root, or a product of roots, that stands alone and not within a longer name.
_ROOTS = re.compile(r"(?<!\w)sqrt[0-9]+(?:\*sqrt[0-9]+)*(?!\w)")

Factors = list[tuple[flint.fmpq_mpoly, int]]


def fraction(value: flint.fmpq) -> Fraction:
    """A flint rational as a Fraction."""
    return Fraction(int(value.p), int(value.q))


def _with_roots(text: str) -> str:
    """Text with sqrt(6) for the product sqrt2*sqrt3 of generators."""

    def merged(match: re.Match[str]) -> str:
        return f"sqrt({prod(int(name[4:]) for name in match[0].split('*'))})"

    return _ROOTS.sub(merged, text)


def expanded(numerator: flint.fmpq_mpoly, denominator: flint.fmpq_mpoly) -> str:
    """The quotient with both parts expanded."""
    top, bottom = str(numerator), str(denominator)
    if not denominator.is_one():
        top = f"({top})" if len(numerator) > 1 else top
        simple = bottom.replace("^", "").isalnum()
        top = f"{top}/{bottom}" if simple else f"{top}/({bottom})"
    return _with_roots(top)


def _factors(
    numerator: flint.fmpq_mpoly, denominator: flint.fmpq_mpoly
) -> tuple[Fraction, Factors, Factors]:
    """The quotient as a number times powers of polynomials over powers of polynomials.

    A root counts as one more symbol, so the factors are irreducible over QQ and may split further
    over QQ(sqrt 2, ...).
    """

    def order(item: tuple[flint.fmpq_mpoly, int]) -> tuple[int, bool, str]:
        text = str(item[0])
        return len(item[0]), prime_of(text) is None, text

    (above, tops), (below, bottoms) = numerator.factor(), denominator.factor()
    return fraction(above) / fraction(below), sorted(tops, key=order), sorted(bottoms, key=order)


def _product(number: int, factors: Factors) -> tuple[str, bool]:
    """The text of a product, and whether it may stand in a larger product without parentheses."""
    texts = []
    for factor, power in factors:
        whole = f"({factor})" if len(factor) > 1 else str(factor)
        texts.append(whole if power == 1 else f"{whole}^{power}")
    if abs(number) != 1 or not texts:
        texts.insert(0, str(abs(number)))
    return ("-" if number < 0 else "") + "*".join(texts), len(texts) == 1


def factored(numerator: flint.fmpq_mpoly, denominator: flint.fmpq_mpoly) -> str:
    """The quotient with both parts factored, such as 2*(N - 2)/d^2."""
    number, tops, bottoms = _factors(numerator, denominator)
    if number.denominator == 1 and not bottoms:
        if number == 1 and len(tops) == 1 and tops[0][1] == 1:
            return _with_roots(str(tops[0][0]))  # one factor needs no parentheses
        return _with_roots(_product(number.numerator, tops)[0])
    top, _ = _product(number.numerator, tops)
    bottom, simple = _product(number.denominator, bottoms)
    return _with_roots(f"{top}/{bottom}" if simple else f"{top}/({bottom})")


def expression(
    numerator: flint.fmpq_mpoly,
    denominator: flint.fmpq_mpoly,
    symbols: Mapping[str, sympy.Expr],
    *,
    both_factored: bool,
) -> sympy.Expr:
    """The quotient in SymPy and in the caller's *symbols*; the denominator is always factored."""

    def generator(name: str) -> sympy.Expr:
        prime = prime_of(name)
        return symbols.get(name, sympy.Symbol(name)) if prime is None else sympy.sqrt(prime)

    def image(poly: flint.fmpq_mpoly) -> sympy.Expr:
        generators = [generator(name) for name in poly.context().names()]
        total: sympy.Expr = sympy.Integer(0)
        for exponents, value in sorted(poly.to_dict().items(), reverse=True):
            factors = [g ** int(p) for g, p in zip(generators, exponents, strict=True) if p]
            total += sympy.Rational(int(value.p), int(value.q)) * sympy.Mul(*factors)
        return total

    if not both_factored:
        content, bottoms = denominator.factor()
        bottom = [image(factor) ** int(power) for factor, power in bottoms]
        return image(numerator) / sympy.Mul(sympy.Rational(int(content.p), int(content.q)), *bottom)
    number, tops, bottoms = _factors(numerator, denominator)
    powers = [image(factor) ** int(power) for factor, power in tops]
    powers += [image(factor) ** -int(power) for factor, power in bottoms]
    content = sympy.Rational(number.numerator, number.denominator)
    # SymPy would multiply a number into a single sum, and 2*(N - 2) would be expanded again.
    keep = len(powers) == 1 and powers[0].is_Add and content != 1
    return sympy.Mul(content, *powers, evaluate=not keep)
