"""The field of rational functions that a record's formulas live in, and a reader for their text.

Square roots of primes are generators of the polynomial ring, reduced by their squares.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import flint

_TOKEN = re.compile(r"[0-9]+|[A-Za-z_][A-Za-z_0-9]*|[-+*/^()]")
_ROOT = re.compile(r"\bsqrt\(([0-9]{1,18})\)")
_LARGEST_EXPONENT = 10_000


class RecordError(ValueError):
    """What was read is no record of a derivation."""


class Ratio:
    """A quotient of polynomials without common factor; equality is decided across the fraction."""

    __slots__ = ("den", "field", "num")

    def __init__(self, field: Field, num: Any, den: Any) -> None:
        for generator, prime in field.roots:
            num, den = num % (generator**2 - prime), den % (generator**2 - prime)
        if den.is_zero():
            raise ZeroDivisionError("a quotient with the denominator 0")
        if not den.is_one():
            common = num.gcd(den) * den.leading_coefficient()
            num, den = num / common, den / common
        self.field, self.num, self.den = field, num, den

    def __add__(self, other: Ratio) -> Ratio:
        if self.den == other.den:
            return Ratio(self.field, self.num + other.num, self.den)
        return Ratio(self.field, self.num * other.den + other.num * self.den, self.den * other.den)

    def __sub__(self, other: Ratio) -> Ratio:
        return self + other * -1

    def __mul__(self, other: Ratio | int) -> Ratio:
        if isinstance(other, int):
            return Ratio(self.field, self.num * other, self.den)
        return Ratio(self.field, self.num * other.num, self.den * other.den)

    def __truediv__(self, other: Ratio) -> Ratio:
        return Ratio(self.field, self.num * other.den, self.den * other.num)

    def __pow__(self, exponent: int) -> Ratio:
        return Ratio(self.field, self.num**exponent, self.den**exponent)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ratio):
            return NotImplemented
        return bool(
            Ratio(self.field, self.num * other.den - other.num * self.den, self.den).num == 0
        )

    __hash__ = None  # type: ignore[assignment]

    def names(self) -> list[str]:
        """The generators that occur."""
        tops = zip(self.field.names, self.num.degrees(), self.den.degrees(), strict=True)
        return [name for name, *top in tops if max(top) > 0]

    def at(self, values: Mapping[str, Fraction]) -> Fraction | None:
        """The value where the symbols have *values*; None if one has none or there is a pole."""
        if not set(self.names()) <= values.keys():
            return None
        point = [values.get(name, Fraction(0)) for name in self.field.names]
        exact = [flint.fmpq(x.numerator, x.denominator) for x in point]
        top, bottom = self.num(*exact), self.den(*exact)
        return (
            Fraction(int(top.p), int(top.q)) / Fraction(int(bottom.p), int(bottom.q))
            if bottom
            else None
        )

    def __str__(self) -> str:
        return str(self.num) if self.den.is_one() else f"({self.num})/({self.den})"


class Field:
    """The rational functions in all symbols and square roots that occur in *texts*."""

    def __init__(self, texts: Iterable[str]) -> None:
        texts = list(texts)
        names = {t for text in texts for t in _TOKEN.findall(text) if t[0].isalpha() or t[0] == "_"}
        radicands = {int(n) for text in texts for n in _ROOT.findall(text)}
        primes = sorted({int(p) for n in radicands if n for p, _ in flint.fmpz(n).factor()})
        self.names = [*(f"sqrt({p})" for p in primes), *sorted(names - {"sqrt"})]
        self.ring = flint.fmpq_mpoly_ctx.get(self.names, "degrevlex")
        generators = self.ring.gens()
        self.roots = list(zip(generators, primes, strict=False))
        one = self.ring.constant(1)
        self._known = {n: Ratio(self, g, one) for n, g in zip(self.names, generators, strict=True)}

    def number(self, value: Any) -> Ratio:
        """An integer as an element of the field."""
        return Ratio(self, self.ring.constant(value), self.ring.constant(1))

    def read(self, text: str) -> Ratio:
        """The formula *text*; RecordError if it is anything but a rational function."""
        if text not in self._known:
            try:
                self._known[text] = _Reader(self, text).formula()
            except (ArithmeticError, ValueError, IndexError, RecursionError) as error:
                raise RecordError(
                    f"formula: {short(text)!r} cannot be read ({error}); take + - * / ^, integers, "
                    "symbols and sqrt(integer)"
                ) from None
        return self._known[text]

    def symbol(self, name: str) -> Ratio:
        return self._known[name]


class _Reader:
    """Recursive descent over the tokens of one formula; sums and products are loops."""

    def __init__(self, field: Field, text: str) -> None:
        self.field, self.tokens = field, _TOKEN.findall(text)
        if "".join(self.tokens) != re.sub(r"\s", "", text):
            raise ValueError("a character that is in no formula")
        self.tokens = [*self.tokens, ""][::-1]

    def formula(self) -> Ratio:
        value = self._sum()
        if self.tokens != [""]:
            raise ValueError(f"unexpected {self.tokens[-1]!r}")
        return value

    def _take(self, *tokens: str) -> str:
        return self.tokens.pop() if self.tokens[-1] in tokens else ""

    def _sum(self) -> Ratio:
        total = self.field.number(0)
        sign = self._take("-", "+")
        while True:
            total = total + self._product() * (-1 if sign == "-" else 1)
            sign = self._take("-", "+")
            if not sign:
                return total

    def _product(self) -> Ratio:
        value = self._power()
        while operator := self._take("*", "/"):
            factor = self._power()
            value = value * factor if operator == "*" else value / factor
        return value

    def _power(self) -> Ratio:
        base = self._operand()
        if not self._take("^"):
            return base
        exponent = int(self.tokens.pop())
        if exponent > _LARGEST_EXPONENT:
            raise ValueError(f"the exponent {exponent} is too large")
        return base**exponent

    def _operand(self) -> Ratio:
        token = self.tokens.pop()
        if token == "-":
            return self._operand() * -1
        if token.isdigit():
            return self.field.number(flint.fmpz(token))
        if token in ("(", "sqrt"):
            if token == "sqrt":
                return self._root()
            value = self._sum()
            if not self._take(")"):
                raise ValueError("a parenthesis is not closed")
            return value
        if token not in self.field.names:
            raise ValueError(f"unexpected {token!r}" if token else "it breaks off")
        return self.field.symbol(token)

    def _root(self) -> Ratio:
        opened, number, closed = (self.tokens.pop() for _ in range(3))
        if (opened, closed) != ("(", ")"):
            raise ValueError("sqrt takes one integer")
        value = self.field.number(1)
        for prime, power in flint.fmpz(number).factor() if int(number) else ():
            value = value * self.field.symbol(f"sqrt({prime})") ** int(power)
        return value if int(number) else self.field.number(0)


def short(text: str, limit: int = 200) -> str:
    """The text, cut where it is long."""
    return text if len(text) <= limit else f"{text[:limit]}..."
