"""Products of factorials and powers with symbolic exponents, and decided identities between them.

What the inductions over the degree of Nichani et al., App. F.1, come down to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import factorial as number_factorial
from typing import Any

import flint

from proofs.algebra import RationalFunction, UndecidedError
from proofs.algebra.symbols import ONE, ZERO, total
from proofs.argument import Argument

#: How far above its lower end each integer symbol goes in the search for a witness.
_REACH = 4

Powers = tuple[tuple[RationalFunction, int], ...]


@dataclass(frozen=True)
class Term:
    """coefficient * prod form!^m * prod base^exponent, with 1/n! = 0 for n < 0.

    Forms and exponents are polynomials in the integer symbols, bases are numbers or symbols. Equal
    factorials above and below the line cancel when the term is made: i!/(i! i!) is 1/i!.
    """

    coefficient: RationalFunction = ONE
    factorials: Powers = ()
    powers: tuple[tuple[RationalFunction, RationalFunction], ...] = ()

    @classmethod
    def of(cls, value: Any) -> Term:
        """A number, a SymPy expression or a field element as a term; ExactnessError for floats."""
        return value if isinstance(value, Term) else cls(RationalFunction.of(value))

    def __mul__(self, other: Any) -> Term:
        right = Term.of(other)
        merged: dict[RationalFunction, int] = {}
        for form, m in self.factorials + right.factorials:
            merged[form] = merged.get(form, 0) + m
        return Term(
            self.coefficient * right.coefficient,
            tuple((form, m) for form, m in merged.items() if m),
            self.powers + right.powers,
        )

    def __truediv__(self, other: Any) -> Term:
        right = Term.of(other)
        inverse = Term(
            1 / right.coefficient,
            tuple((form, -m) for form, m in right.factorials),
            tuple((base, -exponent) for base, exponent in right.powers),
        )
        return self * inverse

    def __call__(self, **values: int | RationalFunction) -> Term:
        """Substitute integers or shifted symbols, k=k + 1, for the integer symbols."""
        return Term(
            self.coefficient(**values),
            tuple((form(**values), m) for form, m in self.factorials),
            tuple((base(**values), exponent(**values)) for base, exponent in self.powers),
        )

    def value(self) -> RationalFunction:
        """The value once no integer symbol is left in a factorial or an exponent.

        Raises ValueError for the factorial of a negative number above the line, ExactnessError for
        a symbol that is left.
        """
        total = self.coefficient
        vanishes = False
        for form, m in self.factorials:
            n = _integer(form)
            if n < 0 and m > 0:
                raise ValueError(f"({n})! is not defined; choose larger values for the symbols")
            vanishes = vanishes or (n < 0 and m < 0)
            total *= (ONE * number_factorial(max(n, 0))) ** m
        if vanishes:
            return ZERO
        for base, exponent in self.powers:
            total *= base ** _integer(exponent)
        return total

    def above(self) -> Iterator[RationalFunction]:
        """The forms whose factorial stands above the line: they must not be negative."""
        return (form for form, m in self.factorials if m > 0)

    def __str__(self) -> str:
        factors = [f"({form})!" + ("" if m == 1 else f"^{m}") for form, m in self.factorials]
        factors += [f"({base})^({exponent})" for base, exponent in self.powers]
        if self.coefficient != 1 or not factors:
            factors.insert(0, f"({self.coefficient})")
        return " ".join(factors)


def factorial(form: Any) -> Term:
    """form! for a polynomial *form* in integer symbols.

    Raises ValueError if its coefficients are not integers.
    """
    return Term(factorials=((_form("form", form), 1),))


def power(base: Any, exponent: Any) -> Term:
    """base^exponent for a polynomial *exponent* in integer symbols.

    A rational base is split into -1 and primes, so that (1/2)^i and 2^(-i) are one term.
    Raises ValueError for the base 0, and for an exponent whose coefficients are not integers.
    """
    base, exponent = RationalFunction.of(base), _form("exponent", exponent)
    if base == 0:
        raise ValueError("base: 0 has no negative powers; leave the term out")
    if base.names or base.radicals:
        return Term(powers=((base, exponent),))
    value = base.as_fraction()
    factors = [(-1, 1)] if value < 0 else []
    factors += [(int(p), m) for p, m in flint.fmpz(abs(value.numerator)).factor()]
    factors += [(int(p), -m) for p, m in flint.fmpz(value.denominator).factor()]
    return Term(powers=tuple((RationalFunction.constant(p), exponent * m) for p, m in factors))


def _form(name: str, value: Any) -> RationalFunction:
    form = RationalFunction.of(value)
    if any(c.denominator != 1 for c in form.coefficients().values()):
        raise ValueError(f"{name}: {form} is not an integer throughout; use whole coefficients")
    return form


def cofactors(terms: Iterable[Term]) -> list[RationalFunction]:
    """The terms divided by a common factor that holds all factorials and powers they share.

    The common factor takes the smallest factorial above the line and the largest below it, so a
    cofactor is a rational function whose denominator has no zero where all factorials above the
    line are defined; there a linear relation of the cofactors is one of the terms. With
    1/(n - 1)! = n/n! it covers the places at which a term vanishes.

    Raises UndecidedError for terms whose ratio is not a rational function, ValueError for the
    factorial of a negative number above the line.
    """
    rows = [_normal(term) for term in terms]
    shapes = {
        (
            tuple(sorted((str(kind), sign, len(found)) for (kind, sign), found in row[1].items())),
            tuple(sorted((str(base), str(kind)) for base, kind in row[2])),
        )
        for row in rows
        if row[0] != 0
    }
    if len(shapes) > 1:
        raise UndecidedError("the ratio of two terms is not a rational function")
    live = [row for row in rows if row[0] != 0]
    results = []
    for coefficient, factorials, powers in rows:
        total = coefficient
        if total != 0:
            for (kind, sign), constants in factorials.items():
                for position, constant in enumerate(constants):
                    column = [row[1][kind, sign][position] for row in live]
                    low, high = (min(column), constant) if sign > 0 else (constant, max(column))
                    for n in range(low + 1, high + 1):
                        total *= kind + n
            for (base, kind), exponent in powers.items():
                lowest = min(row[2][base, kind] for row in live)
                total *= base ** (exponent - lowest)
        results.append(total)
    return results


def decide(
    argument: Argument,
    text: str,
    left: Iterable[Any],
    right: Iterable[Any],
    lower: Mapping[str, int] | None = None,
) -> bool:
    """Add the line sum(left) = sum(right), for all integer symbols from *lower* on.

    Decided as an identity of rational functions after division by the common factor. The line
    fails if it is not one, or if a factorial above the line or a coefficient is not defined on the
    whole range; a witness is looked for near the lower end.

    Raises ValueError for a symbol in a factorial or an exponent that *lower* leaves out.
    """
    lower = lower or {}
    left, right = [Term.of(t) for t in left], [Term.of(t) for t in right]
    text = _scoped(text, lower)
    for term in left + right:
        if undefined := _undefined(term, lower):
            return argument.true(text, False, _scoped(f"{undefined} is not defined", lower))
    try:
        parts = cofactors(left + right)
    except UndecidedError as error:
        reason = _witness(left, right, lower) or f"undecided: {error}"
        return argument.true(text, False, reason)
    one, other = (total(part) for part in (parts[: len(left)], parts[len(left) :]))
    if one != other:
        reason = _witness(left, right, lower) or f"the difference is {one - other}, up to a factor"
        return argument.true(text, False, reason)
    return argument.equal(text, one, other)


def vanishes(
    argument: Argument, text: str, term: Term, lower: Mapping[str, int] | None = None
) -> bool:
    """Add the line term = 0, for all integer symbols from *lower* on.

    Decided by a factorial below the line whose argument is negative on the whole range.
    """
    lower = lower or {}
    text = _scoped(text, lower)
    if undefined := _undefined(term, lower):
        return argument.true(text, False, _scoped(f"{undefined} is not defined", lower))
    shift = {name: RationalFunction.symbol(name) + least for name, least in lower.items()}
    for form, m in term.factorials:
        least = -1 - form(**shift)
        if m < 0 and all(value >= 0 for value in least.coefficients().values()):
            return argument.true(text, True, f"1/({form})! = 0 throughout")
    return argument.true(text, False, _witness([term], [], lower) or "no factorial makes it 0")


def _scoped(text: str, lower: Mapping[str, int]) -> str:
    scope = ", ".join(f"{name} >= {least}" for name, least in lower.items())
    return f"{text}, all {scope}" if scope else text


def _undefined(term: Term, lower: Mapping[str, int]) -> str | None:
    """The part of a term that is not seen to be defined for all integer symbols from *lower* on."""
    forms = [form for form, _ in term.factorials] + [exponent for _, exponent in term.powers]
    missing = sorted({name for form in forms for name in form.names} - set(lower))
    if missing:
        raise ValueError(f"lower: no lower end for {', '.join(missing)}; give the smallest value")
    shift = {name: RationalFunction.symbol(name) + least for name, least in lower.items()}
    for form in term.above():
        if any(value < 0 for value in form(**shift).coefficients().values()):
            return f"({form})!"
    bottom = term.coefficient.denominator
    if set(bottom.names) & set(lower):
        shifted = bottom(**shift)
        values = shifted.coefficients()
        constant = values.get((0,) * len(shifted.names), Fraction(0))
        if constant == 0 or any(value * constant < 0 for value in values.values()):
            return f"1/({bottom})"
    return None


def _witness(left: list[Term], right: list[Term], lower: Mapping[str, int]) -> str | None:
    """The smallest values of the integer symbols, near *lower*, at which the sides differ."""
    grid = product(*(range(least, least + _REACH + 1) for least in lower.values()))
    for point in sorted(grid, key=sum):
        at = dict(zip(lower, point, strict=True))
        one, other = (total(t(**at).value() for t in side) for side in (left, right))
        if one != other:
            place = ", ".join(f"{name} = {value}" for name, value in at.items())
            return f"{one} against {other}" + (f" at {place}" if place else "")
    return None


def _integer(form: RationalFunction) -> int:
    """The value of a form without symbols."""
    value = form.as_fraction()
    if value.denominator != 1:
        raise ValueError(f"{value} is not an integer; factorials and exponents must be")
    return int(value)


def _split(form: RationalFunction) -> tuple[RationalFunction, int]:
    """A form as its part without a constant, and the constant."""
    constant = _integer(form(**dict.fromkeys(form.names, 0)))
    return form - constant, constant


def _parity(exponent: RationalFunction) -> RationalFunction:
    """An exponent of -1 without what is even for all integers; its coefficients become 0 or 1."""
    total = ZERO
    for degrees, value in exponent.coefficients().items():
        monomial = RationalFunction.constant(value % 2)
        for name, degree in zip(exponent.names, degrees, strict=True):
            monomial *= RationalFunction.symbol(name) ** degree
        total += monomial
    return total


_Normal = tuple[
    RationalFunction,
    dict[tuple[RationalFunction, int], list[int]],
    dict[tuple[RationalFunction, RationalFunction], int],
]


def _normal(term: Term) -> _Normal:
    """The coefficient, the constants of factorials by kind and side, the constants of exponents.

    Factorials of one kind on both sides of the line cancel: (n+2)!/n! = (n+1)(n+2), right wherever
    the one above is defined.
    """
    coefficient = term.coefficient
    factorials: dict[tuple[RationalFunction, int], list[int]] = {}
    for form, m in term.factorials:
        kind, constant = _split(form)
        factorials.setdefault((kind, 1 if m > 0 else -1), []).extend([constant] * abs(m))
    for kind, sign in list(factorials):
        if sign > 0:
            up, down = sorted(factorials[kind, 1]), sorted(factorials.get((kind, -1), []))
            while up and down:
                top, bottom = up.pop(), down.pop()
                for n in range(min(top, bottom) + 1, max(top, bottom) + 1):
                    coefficient *= (kind + n) ** (1 if top > bottom else -1)
            factorials[kind, 1], factorials[kind, -1] = up, down
    powers: dict[tuple[RationalFunction, RationalFunction], int] = {}
    exponents: dict[RationalFunction, RationalFunction] = {}
    for base, exponent in term.powers:
        exponents[base] = exponents.get(base, ZERO) + exponent
    for base, exponent in exponents.items():
        kind, constant = _split(_parity(exponent) if base == -1 else exponent)
        if kind == 0:
            coefficient *= base**constant
        else:
            powers[base, kind] = constant
    kept: dict[tuple[RationalFunction, int], list[int]] = {}
    for (kind, sign), found in factorials.items():
        if kind == 0:
            for constant in found:
                if constant < 0 and sign > 0:
                    raise ValueError(f"({constant})! is not defined; it stands above the line")
                share = ONE * number_factorial(constant) if constant >= 0 else ZERO
                coefficient *= share**sign if constant >= 0 else share
        elif found:
            kept[kind, sign] = sorted(found)
    return coefficient, kept, powers
