"""Quantities of information, exactly: rational combinations of logarithms of primes.

The unit is no part of a quantity: ``log(2)`` is one bit and log 2 nats. It is named where numbers come
out, ``.bits()`` or ``.nats()``, and where they go in, ``bits(3)``. Serves Sec. 6.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import lcm
from typing import TypeAlias

from flint import arb, fmpz

from proofs.algebra.balls import ball, precision

#: What may stand for an exact number.
Rational: TypeAlias = int | Fraction

#: Bits of precision at which a sign is first looked for; doubled until it is decided.
_FIRST = 64


@cache
def _factors(n: int) -> tuple[tuple[int, int], ...]:
    """The primes of n >= 1 with their powers."""
    return tuple((int(prime), int(power)) for prime, power in fmpz(n).factor())


@dataclass(frozen=True)
class Information:
    """sum of coefficient * log(prime); equal if and only if all coefficients are.

    ``terms``: (prime, coefficient), ascending, no coefficient 0. Build with ``log`` or ``entropy``.
    """

    terms: tuple[tuple[int, Fraction], ...] = ()

    @classmethod
    def of(cls, coefficients: Mapping[int, Fraction]) -> Information:
        """From coefficients of the logarithms of integers >= 1, not necessarily primes."""
        total: dict[int, Fraction] = {}
        for n, coefficient in coefficients.items():
            for prime, power in _factors(n):
                total[prime] = total.get(prime, Fraction(0)) + power * coefficient
        return cls(tuple(sorted((p, c) for p, c in total.items() if c)))

    def __add__(self, other: Information) -> Information:
        if not isinstance(other, Information):
            return NotImplemented
        total = dict(self.terms)
        for prime, coefficient in other.terms:
            total[prime] = total.get(prime, Fraction(0)) + coefficient
        return Information(tuple(sorted((p, c) for p, c in total.items() if c)))

    def __mul__(self, factor: Rational) -> Information:
        if not isinstance(factor, int | Fraction):
            return NotImplemented
        factor = Fraction(factor)
        return Information(tuple((p, c * factor) for p, c in self.terms) if factor else ())

    __rmul__ = __mul__

    def __truediv__(self, divisor: Rational) -> Information:
        return self * (1 / Fraction(divisor))

    def __neg__(self) -> Information:
        return self * -1

    def __sub__(self, other: Information) -> Information:
        if not isinstance(other, Information):
            return NotImplemented
        return self + -other

    def sign(self) -> int:
        """-1, 0 or 1, decided: 0 by unique factorisation, else by balls of growing precision."""
        if not self.terms:
            return 0
        bits = _FIRST
        while True:
            with precision(bits):
                value = self._nats()
                if value > 0 or value < 0:
                    return 1 if value > 0 else -1
            bits *= 2  # not 0, since logarithms of primes are independent over the rationals

    def __lt__(self, other: Information) -> bool:
        return (self - other).sign() < 0

    def __le__(self, other: Information) -> bool:
        return (self - other).sign() <= 0

    def __gt__(self, other: Information) -> bool:
        return (self - other).sign() > 0

    def __ge__(self, other: Information) -> bool:
        return (self - other).sign() >= 0

    def _nats(self) -> arb:
        return sum((ball(c) * arb(p).log() for p, c in self.terms), arb(0))

    def nats(self) -> arb:
        """A ball around the value in nats."""
        with precision():
            return self._nats()

    def bits(self) -> arb:
        """A ball around the value in bits; a whole number of bits is exact."""
        with precision():
            rest = Information(tuple((p, c) for p, c in self.terms if p != 2))
            return ball(dict(self.terms).get(2, Fraction(0))) + rest._nats() / arb(2).log()

    def __str__(self) -> str:
        """The exact value in bits, as "2/3 + log2(3) bits"."""
        text = ""
        for prime, coefficient in self.terms:
            name = "" if prime == 2 else f"log2({prime})"
            size = abs(coefficient)
            shown = name if name and size == 1 else f"{size} {name}".strip()
            sign = "-" if coefficient < 0 else "+"
            text += f" {sign} {shown}" if text else f"{'-' if sign == '-' else ''}{shown}"
        return f"{text or '0'} {'bit' if text == '1' else 'bits'}"


ZERO = Information()


def log(value: Rational) -> Information:
    """The logarithm of a rational number. Raises ValueError unless value > 0."""
    value = Fraction(value)
    if value <= 0:
        raise ValueError(f"value = {value}: only a number above 0 has a logarithm")
    return Information.of({value.numerator: Fraction(1)}) - Information.of(
        {value.denominator: Fraction(1)}
    )


def bits(number: Rational) -> Information:
    """So many bits."""
    return number * log(2)


def checked_law(law: Iterable[Rational]) -> tuple[Fraction, ...]:
    """The probabilities as fractions. Raises ValueError unless they are >= 0 and add up to 1."""
    found = tuple(Fraction(p) for p in law)
    for place, p in enumerate(found):
        if p < 0:
            raise ValueError(f"law: probability {place} is {p}; give numbers from 0 to 1")
    if sum(found) != 1:
        raise ValueError(f"law: the probabilities add up to {sum(found)}; divide by their sum")
    return found


def entropy(law: Iterable[Rational]) -> Information:
    """H = -sum p log p of a rational law. Raises ValueError unless it is one."""
    return entropy_of_counts(*scaled(checked_law(law)))


def scaled(law: Collection[Fraction]) -> tuple[int, list[int]]:
    """A common denominator of the probabilities, and their numerators: integers add up fast."""
    scale = lcm(*(p.denominator for p in law))
    return scale, [p.numerator * (scale // p.denominator) for p in law]


def entropy_of_counts(scale: int, counts: Iterable[int]) -> Information:
    """H of the law with the probabilities count/scale. Raises ValueError unless it is one."""
    alike = Counter(counts)
    total = sum(n * often for n, often in alike.items())
    if min(alike, default=0) < 0 or total != scale:
        raise ValueError(f"counts: they are negative, or add up to {total}; give parts of {scale}")
    coefficients = {n: Fraction(-n * often, scale) for n, often in alike.items() if n}
    coefficients[scale] = coefficients.get(scale, Fraction(0)) + 1
    return Information.of(coefficients)


def relative_entropy(law: Iterable[Rational], other: Iterable[Rational]) -> Information:
    """D(law || other) = sum p log(p/q) for laws on one alphabet.

    Raises ValueError where it is infinite: q = 0 < p.
    """
    total = ZERO
    for place, (p, q) in enumerate(zip(checked_law(law), checked_law(other), strict=True)):
        if p and not q:
            raise ValueError(f"other: probability {place} is 0, that of law {p}; D is infinite")
        if p:
            total += p * log(p / q)
    return total
