"""The field QQ(d, N, ...): rational functions in named sizes, in lowest terms, with decided equality.

Square roots of positive rationals are numbers of the field too, so it is QQ(sqrt 2, sqrt 3, ...)(d, N,
...). A thin layer over python-flint's multivariate polynomials. SymPy is the language of the caller and
of the display; no conclusion rests on its simplifier.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache, lru_cache
from math import isfinite, prod
from numbers import Rational
from typing import Any, TypeAlias

import flint
import sympy

from proofs.algebra import display
from proofs.algebra.errors import ExactnessError
from proofs.algebra.rings import (
    NUMBERS,
    ONE,
    joint,
    moved,
    occurring,
    prime_of,
    rationalised,
    reduced,
    ring,
    roots,
)

Scalar: TypeAlias = "int | Fraction | RationalFunction"


class RationalFunction:
    """An element of QQ(sqrt 2, sqrt 3, ...)(names) in its one normal form.

    The denominator has no root in it and leading coefficient one, the numerator has no root squared,
    and they have no common factor.
    """

    __slots__ = ("_den", "_num")

    def __init__(self, numerator: flint.fmpq_mpoly, denominator: flint.fmpq_mpoly) -> None:
        if denominator.is_zero():
            raise ZeroDivisionError("a rational function with the denominator 0")
        if roots(numerator.context()):
            numerator, denominator = rationalised(numerator, denominator)
        self._num, self._den = _lowest_terms(numerator, denominator)

    # -- constructors ---------------------------------------------------------------------------

    @classmethod
    def constant(cls, value: int | Fraction) -> RationalFunction:
        """The rational number *value* as a field element."""
        if type(value) is int:
            return _integer(value)
        exact = flint.fmpq(value.numerator, value.denominator)
        return _in_normal_form(NUMBERS.constant(exact), ONE)

    @classmethod
    def symbol(cls, name: str) -> RationalFunction:
        """The generator called *name*.

        ExactnessError if the name is not plain ASCII, or is one of sqrt2, sqrt3, ...: these are
        reserved for square roots.
        """
        return _symbol(name)

    @classmethod
    def root(cls, value: int | Fraction) -> RationalFunction:
        """The square root of *value*, which is not negative: root(8) = 2*sqrt(2).

        Raises ValueError for a negative value, ExactnessError for what is not an exact number.
        """
        return _root(cls.of(value).as_fraction())

    @classmethod
    def of(cls, value: Any, name: str | None = None) -> RationalFunction:
        """Read a number or a SymPy expression exactly; *name* is what errors call it.

        Raises ExactnessError for floats (with the rational that was probably meant), for anything
        that is not a rational function, and for two different symbols that share a name.
        """
        if isinstance(value, RationalFunction):
            return value
        if type(value) is int or type(value) is Fraction:
            return cls.constant(value)
        try:
            return cls._read(value)
        except ExactnessError as error:
            raise ExactnessError(f"{name}: {error}" if name else str(error)) from None

    @classmethod
    def _read(cls, value: Any) -> RationalFunction:
        if isinstance(value, bool):
            raise ExactnessError(f"{value!r} is a truth value, not a size")
        if isinstance(value, Rational):
            return cls.constant(Fraction(int(value.numerator), int(value.denominator)))
        if isinstance(value, float):
            plain = float(value)  # numpy's float64 is a float that displays as something else
            near = Fraction(repr(plain)) if isfinite(plain) else "a/b"
            raise ExactnessError(f"the float {plain!r} has no place in exact algebra; write {near}")
        if isinstance(value, sympy.Expr):
            return cls._of_sympy(value)
        raise ExactnessError(f"{value!r} ({type(value).__name__}) is not a rational function")

    @classmethod
    def _of_sympy(cls, expr: sympy.Expr) -> RationalFunction:
        seen: dict[str, sympy.Symbol] = {}
        for symbol in expr.free_symbols:
            if seen.setdefault(symbol.name, symbol) != symbol:
                raise ExactnessError(
                    f"two symbols are called {symbol.name!r} but differ in their assumptions; "
                    "they would never cancel: use one of them throughout"
                )
        return cls._walk(expr)

    @classmethod
    def _walk(cls, expr: sympy.Expr) -> RationalFunction:
        if isinstance(expr, sympy.Symbol):
            return cls.symbol(expr.name)
        if isinstance(expr, sympy.Rational):
            return cls.constant(Fraction(int(expr.p), int(expr.q)))
        if isinstance(expr, sympy.Float):
            raise ExactnessError(
                f"the float {expr} has no place in exact algebra; write {Fraction(str(expr))}"
            )
        if isinstance(expr, sympy.Add):
            return sum((cls._walk(arg) for arg in expr.args), cls.constant(0))
        if isinstance(expr, sympy.Mul):
            product = cls.constant(1)
            for arg in expr.args:
                product = product * cls._walk(arg)
            return product
        if isinstance(expr, sympy.Pow) and isinstance(expr.exp, sympy.Integer):
            return cls._walk(expr.base) ** int(expr.exp)
        if isinstance(expr, sympy.Pow) and expr.base.is_Rational and expr.base.is_positive:
            twice = 2 * expr.exp
            if isinstance(twice, sympy.Integer):
                base = Fraction(int(expr.base.p), int(expr.base.q))
                return cls.root(base) ** int(twice)
        raise ExactnessError(f"{expr} is not a rational function of its symbols")

    # -- arithmetic -----------------------------------------------------------------------------
    # Operands are in normal form, and most have the denominator 1: so a common factor is looked for
    # only where there can be one. Adding a multiple of a denominator to its numerator makes none.

    def __add__(self, other: Scalar) -> RationalFunction:
        a, b, c, d = _together(self, RationalFunction.of(other))
        if d.is_one():
            return _in_normal_form(a + (c if b.is_one() else c * b), b)
        if b.is_one():
            return _in_normal_form(a * d + c, d)
        if b == d:
            return _in_normal_form(*_lowest_terms(a + c, b))
        # Only a factor of both denominators can divide the sum over their least common multiple, so
        # the common factors are looked for among polynomials of low degree.
        shared = b.gcd(d)
        if shared.is_one():
            return _in_normal_form(a * d + c * b, b * d)
        rest = d / shared
        top, bottom = a * rest + c * (b / shared), b * rest
        common = top.gcd(shared)
        if common.is_one():
            return _in_normal_form(top, bottom)
        return _in_normal_form(top / common, bottom / common)

    def __neg__(self) -> RationalFunction:
        return _in_normal_form(-self._num, self._den)

    def __sub__(self, other: Scalar) -> RationalFunction:
        return self + (-RationalFunction.of(other))

    def __rsub__(self, other: Scalar) -> RationalFunction:
        return RationalFunction.of(other) - self

    def __mul__(self, other: Scalar) -> RationalFunction:
        other = RationalFunction.of(other)
        if other._num.context() is NUMBERS:
            return self._scaled(other)
        if self._num.context() is NUMBERS:
            return other._scaled(self)
        a, b, c, d = _together(self, other)
        if roots(a.context()):
            return _in_normal_form(*_lowest_terms(reduced(a * c), b * d))
        # Without roots a factor common to a c and b d is common to a and d, or to c and b.
        if not d.is_one():
            common = a.gcd(d)
            if not common.is_one():
                a, d = a / common, d / common
        if not b.is_one():
            common = c.gcd(b)
            if not common.is_one():
                c, b = c / common, b / common
        return _in_normal_form(a * c, b if d.is_one() else b * d)

    def _scaled(self, number: RationalFunction) -> RationalFunction:
        """The product with a number of QQ, without a change of rings."""
        if number._num.is_zero():
            return number
        return _in_normal_form(self._num * number._num.leading_coefficient(), self._den)

    def __truediv__(self, other: Scalar) -> RationalFunction:
        return self * RationalFunction.of(other)._inverse()

    def __rtruediv__(self, other: Scalar) -> RationalFunction:
        return RationalFunction.of(other) * self._inverse()

    def _inverse(self) -> RationalFunction:
        if self._num.is_zero() or roots(self._num.context()):
            return RationalFunction(self._den, self._num)
        lead = self._num.leading_coefficient()
        if lead == 1:
            return _in_normal_form(self._den, self._num)
        return _in_normal_form(self._den / lead, self._num / lead)

    def __pow__(self, exponent: int) -> RationalFunction:
        if exponent < 0:
            return self._inverse() ** (-exponent)
        if not roots(self._num.context()):
            return _in_normal_form(self._num**exponent, self._den**exponent)
        # Squared again and again, so that roots are reduced on the way.
        half = self ** (exponent // 2) if exponent else RationalFunction.constant(1)
        return half * half * self if exponent % 2 else half * half

    __radd__ = __add__
    __rmul__ = __mul__

    # -- decisions ------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (int, Fraction, RationalFunction)):
            return NotImplemented
        a, b, c, d = _together(self, RationalFunction.of(other))
        return bool(a == c and b == d)

    def __hash__(self) -> int:
        # Equal numbers have equal hashes, so that 1 and the constant 1 are one key.
        rational = not occurring(self._num, self._den)
        return hash(self.as_fraction()) if rational else hash(str(self))

    def _shown(self) -> tuple[flint.fmpq_mpoly, flint.fmpq_mpoly]:
        """Numerator and denominator in the ring of what occurs in them.

        The ring a value was computed in must not show.
        """
        context = ring(occurring(self._num, self._den))
        return moved(self._num, context), moved(self._den, context)

    @property
    def names(self) -> tuple[str, ...]:
        """The symbols that really occur, sorted. Square roots are numbers and have no name."""
        found = occurring(self._num, self._den)
        if not roots(self._num.context()):
            return found
        return tuple(name for name in found if prime_of(name) is None)

    @property
    def radicals(self) -> tuple[int, ...]:
        """The primes whose square roots occur, sorted."""
        if not roots(self._num.context()):
            return ()
        primes = (prime_of(name) for name in occurring(self._num, self._den))
        return tuple(prime for prime in primes if prime is not None)

    @property
    def numerator(self) -> RationalFunction:
        """The numerator, a polynomial, in lowest terms."""
        return _in_normal_form(self._num, self._num.context().constant(1))

    @property
    def denominator(self) -> RationalFunction:
        """The denominator, a polynomial without roots, in lowest terms."""
        return _in_normal_form(self._den, self._den.context().constant(1))

    @property
    def terms(self) -> tuple[int, int]:
        """How many monomials numerator and denominator have."""
        return len(self._num), len(self._den)

    @property
    def degrees(self) -> tuple[int, int]:
        """The total degrees of numerator and denominator."""
        return int(self._num.total_degree()), int(self._den.total_degree())

    @property
    def is_square(self) -> bool:
        """Whether it is a positive number times the square of a function; of what has no roots only."""
        factored = [poly.factor() for poly in (self._num, self._den)]
        even = all(power % 2 == 0 for _, found in factored for _, power in found)
        return even and all(number > 0 for number, _ in factored)

    def coefficients(self) -> dict[tuple[int, ...], Fraction]:
        """Exponents (in the order of ``names``) to coefficients; polynomials without roots only."""
        if not self._den.is_constant():
            raise ExactnessError(f"{self} is not a polynomial")
        if self.radicals:
            raise ExactnessError(f"{self} has irrational coefficients; take its parts() one by one")
        ring_names = self._num.context().names()
        keep = [ring_names.index(name) for name in self.names]
        return {
            tuple(int(powers[i]) for i in keep): display.fraction(value)
            for powers, value in self._num.to_dict().items()
        }

    def linear(self) -> tuple[dict[str, Fraction], Fraction] | None:
        """The numbers before the symbols, by name, and the constant of a polynomial of degree at most 1
        without roots; None for anything else."""
        own = self._num.context()
        if not self._den.is_constant() or self._num.total_degree() > 1 or roots(own):
            return None
        ring_names, slopes, constant = own.names(), dict[str, Fraction](), Fraction(0)
        for powers, value in self._num.to_dict().items():
            name = next((n for n, power in zip(ring_names, powers, strict=True) if power), None)
            if name is None:
                constant = display.fraction(value)
            else:
                slopes[name] = display.fraction(value)
        return slopes, constant

    def parts(self) -> dict[int, RationalFunction]:
        """Square-free r to g_r without roots, where the function is the sum of sqrt(r) g_r.

        The g_r are unique and not zero; the function 0 has no part.
        """
        own = self._num.context()
        primes = [prime_of(name) for name in own.names()]
        collected: dict[int, dict[tuple[int, ...], flint.fmpq]] = {}
        for powers, value in self._num.to_dict().items():
            radicand = prod(p for p, e in zip(primes, powers, strict=True) if p is not None and e)
            rest = tuple(int(e) if p is None else 0 for p, e in zip(primes, powers, strict=True))
            collected.setdefault(radicand, {})[rest] = value
        target = ring(self.names)
        bottom = moved(self._den, target)
        return {
            radicand: RationalFunction(moved(own.from_dict(terms), target), bottom)
            for radicand, terms in sorted(collected.items())
        }

    # -- evaluation and display -----------------------------------------------------------------

    def __call__(self, /, **sizes: Scalar) -> RationalFunction:
        """Substitute field elements for symbols; symbols not named stay.

        Raises ZeroDivisionError where the denominator vanishes, ExactnessError for reserved names.
        """
        for name in sizes:
            _refuse_reserved(name)
        if not sizes:
            return self
        found = [_rational(sizes.get(name)) for name in self._num.context().names()]
        numbers = [number for number in found if number is not None]
        if len(numbers) == len(found):  # by far the most frequent case
            top, bottom = self._num(*numbers), self._den(*numbers)
            return RationalFunction(NUMBERS.constant(top), NUMBERS.constant(bottom))

        @cache
        def powered(name: str, power: int) -> RationalFunction:
            prime = prime_of(name)
            if prime is not None:
                return RationalFunction.root(prime) ** power
            own = sizes[name] if name in sizes else RationalFunction.symbol(name)
            return RationalFunction.of(own) ** power

        def image(poly: flint.fmpq_mpoly) -> RationalFunction:
            ring_names = poly.context().names()
            terms = []
            for exponents, value in poly.to_dict().items():
                term = RationalFunction.constant(display.fraction(value))
                for name, power in zip(ring_names, exponents, strict=True):
                    if power:
                        term = term * powered(name, int(power))
                terms.append(term)
            return sum(terms, RationalFunction.constant(0))

        return image(self._num) / image(self._den)

    def as_fraction(self) -> Fraction:
        """The value of a constant; ExactnessError where symbols or square roots are left."""
        if self.names:
            raise ExactnessError(f"{self} still depends on {', '.join(self.names)}")
        if self.radicals:
            raise ExactnessError(f"{self} is not a rational number")
        return display.fraction(self._num.leading_coefficient())

    def to_sympy(
        self, symbols: Mapping[str, sympy.Expr] | None = None, *, factored: bool = False
    ) -> sympy.Expr:
        """The element as a SymPy expression in the caller's *symbols*.

        The denominator is factored, and with *factored* the numerator is too.
        """
        return display.expression(self._num, self._den, symbols or {}, both_factored=factored)

    def expanded(self) -> str:
        """Numerator and denominator expanded; also what ``str`` gives."""
        return display.expanded(*self._shown())

    def factored(self) -> str:
        """Numerator and denominator factored over QQ, such as 2*(N - 2)/d^2."""
        return display.factored(*self._shown())

    def latex(self, *, factored: bool = False) -> str:
        """The element for a paper; the numerator is expanded unless *factored*."""
        return str(sympy.latex(self.to_sympy(factored=factored)))

    def __str__(self) -> str:
        return self.expanded()

    def __repr__(self) -> str:
        return f"RationalFunction({self})"


def _lowest_terms(
    numerator: flint.fmpq_mpoly, denominator: flint.fmpq_mpoly
) -> tuple[flint.fmpq_mpoly, flint.fmpq_mpoly]:
    """The quotient without common factor; the denominator, free of roots, gets a leading one."""
    if denominator.is_one():
        return numerator, denominator
    common = numerator.gcd(denominator)
    if not common.is_one():
        numerator, denominator = numerator / common, denominator / common
    lead = denominator.leading_coefficient()
    return (numerator, denominator) if lead == 1 else (numerator / lead, denominator / lead)


def _in_normal_form(numerator: flint.fmpq_mpoly, denominator: flint.fmpq_mpoly) -> RationalFunction:
    """A quotient already known to be in normal form: no common factor is looked for."""
    function = RationalFunction.__new__(RationalFunction)
    function._num = numerator
    function._den = denominator
    return function


def _together(
    left: RationalFunction, right: RationalFunction
) -> tuple[flint.fmpq_mpoly, flint.fmpq_mpoly, flint.fmpq_mpoly, flint.fmpq_mpoly]:
    """Numerators and denominators of both, in one ring."""
    a, b, c, d = left._num, left._den, right._num, right._den
    one, other = a.context(), c.context()
    if one is other:
        return a, b, c, d
    both = joint(one, other)
    if one is not both:
        a, b = moved(a, both), moved(b, both)
    if other is not both:
        c, d = moved(c, both), moved(d, both)
    return a, b, c, d


def _rational(value: Scalar | None) -> flint.fmpq | None:
    """A rational number as FLINT has it; None for anything else."""
    if type(value) is int or type(value) is Fraction:
        return flint.fmpq(value.numerator, value.denominator)
    if isinstance(value, RationalFunction) and value._num.context() is NUMBERS:
        return value._num.leading_coefficient()
    return None


# Field elements never change, so the numbers and symbols met most often are made once.


@lru_cache(maxsize=4096)
def _integer(value: int) -> RationalFunction:
    return _in_normal_form(NUMBERS.constant(value), ONE)


@lru_cache(maxsize=1024)
def _symbol(name: str) -> RationalFunction:
    if not name.isascii():
        raise ExactnessError(f"the symbol {name!r} has no ASCII name; call it for instance 'a'")
    _refuse_reserved(name)
    context = ring((name,))
    return _in_normal_form(context.gen(0), context.constant(1))


def _refuse_reserved(name: str) -> None:
    if prime_of(name) is not None:
        raise ExactnessError(
            f"the name {name!r} is reserved for a square root; call the symbol for instance 's', "
            f"or write RationalFunction.root({name[4:]}) for the number"
        )


@lru_cache(maxsize=1024)
def _root(value: Fraction) -> RationalFunction:
    if value < 0:
        raise ValueError(f"value: {value} is negative and has no real square root")
    if value == 0:
        return RationalFunction.constant(0)
    # sqrt(p/q) = sqrt(p q)/q
    outside, inside = Fraction(1, value.denominator), []
    for prime, power in flint.fmpz(value.numerator * value.denominator).factor():
        outside *= int(prime) ** (int(power) // 2)
        if power % 2:
            inside.append(f"sqrt{prime}")
    context = ring(tuple(inside))
    scale = flint.fmpq(outside.numerator, outside.denominator)
    return _in_normal_form(
        scale * prod(context.gens(), start=context.constant(1)), context.constant(1)
    )
