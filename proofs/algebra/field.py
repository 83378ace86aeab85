"""The field QQ(d, N, ...): rational functions in named sizes, in lowest terms, with decided equality.

A thin layer over python-flint's multivariate polynomials. SymPy is the language of the caller and of
the display; no conclusion rests on its simplifier.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import isfinite
from numbers import Rational
from typing import Any, TypeAlias

import flint
import sympy

from proofs.algebra.errors import ExactnessError

Scalar: TypeAlias = "int | Fraction | RationalFunction"


def _context(names: tuple[str, ...]) -> flint.fmpq_mpoly_ctx:
    return flint.fmpq_mpoly_ctx.get(list(names), "degrevlex")


def _fraction(value: Any) -> Fraction:
    """A flint rational as a Fraction."""
    return Fraction(int(value.p), int(value.q))


class RationalFunction:
    """An element of QQ(names), kept in lowest terms with a denominator of leading coefficient one."""

    __slots__ = ("_den", "_num")

    def __init__(self, numerator: flint.fmpq_mpoly, denominator: flint.fmpq_mpoly) -> None:
        if denominator.is_zero():
            raise ZeroDivisionError("a rational function with the denominator 0")
        common = numerator.gcd(denominator)
        numerator, denominator = numerator / common, denominator / common
        lead = denominator.leading_coefficient()
        self._num = numerator / lead
        self._den = denominator / lead

    # -- constructors ---------------------------------------------------------------------------

    @classmethod
    def constant(cls, value: int | Fraction) -> RationalFunction:
        """The rational number *value* as a field element."""
        ring = _context(())
        exact = flint.fmpq(value.numerator, value.denominator)
        return cls(ring.constant(exact), ring.constant(1))

    @classmethod
    def symbol(cls, name: str) -> RationalFunction:
        """The generator called *name*; ExactnessError if the name is not plain ASCII."""
        if not name.isascii():
            raise ExactnessError(f"the symbol {name!r} has no ASCII name; call it for instance 'a'")
        ring = _context((name,))
        return cls(ring.gen(0), ring.constant(1))

    @classmethod
    def of(cls, value: Any) -> RationalFunction:
        """Read a number or a SymPy expression exactly.

        Raises ExactnessError for floats (with the rational that was probably meant), for anything
        that is not a rational function, and for two different symbols that share a name.
        """
        if isinstance(value, RationalFunction):
            return value
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
        raise ExactnessError(f"{expr} is not a rational function of its symbols")

    # -- arithmetic -----------------------------------------------------------------------------

    @staticmethod
    def _unify(*functions: RationalFunction) -> list[tuple[flint.fmpq_mpoly, flint.fmpq_mpoly]]:
        names = tuple(sorted({name for f in functions for name in f._num.context().names()}))
        ring = _context(names)
        return [
            (f._num.project_to_context(ring), f._den.project_to_context(ring)) for f in functions
        ]

    def __add__(self, other: Scalar) -> RationalFunction:
        (a, b), (c, d) = self._unify(self, RationalFunction.of(other))
        return RationalFunction(a * d + c * b, b * d)

    def __neg__(self) -> RationalFunction:
        return RationalFunction(-self._num, self._den)

    def __sub__(self, other: Scalar) -> RationalFunction:
        return self + (-RationalFunction.of(other))

    def __rsub__(self, other: Scalar) -> RationalFunction:
        return RationalFunction.of(other) - self

    def __mul__(self, other: Scalar) -> RationalFunction:
        (a, b), (c, d) = self._unify(self, RationalFunction.of(other))
        return RationalFunction(a * c, b * d)

    def __truediv__(self, other: Scalar) -> RationalFunction:
        (a, b), (c, d) = self._unify(self, RationalFunction.of(other))
        return RationalFunction(a * d, b * c)

    def __rtruediv__(self, other: Scalar) -> RationalFunction:
        return RationalFunction.of(other) / self

    def __pow__(self, exponent: int) -> RationalFunction:
        if exponent < 0:
            return RationalFunction(self._den, self._num) ** (-exponent)
        return RationalFunction(self._num**exponent, self._den**exponent)

    __radd__ = __add__
    __rmul__ = __mul__

    # -- decisions ------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (int, Fraction, RationalFunction)):
            return NotImplemented
        return bool((self - other)._num.is_zero())

    def __hash__(self) -> int:
        # Equal numbers have equal hashes, so that 1 and the constant 1 are one key.
        return hash(str(self)) if self.names else hash(self.as_fraction())

    @property
    def names(self) -> tuple[str, ...]:
        """The symbols that really occur, sorted."""
        used: set[str] = set()
        for poly in (self._num, self._den):
            ring_names = poly.context().names()
            used |= {n for n, top in zip(ring_names, poly.degrees(), strict=True) if top > 0}
        return tuple(sorted(used))

    @property
    def numerator(self) -> RationalFunction:
        """The numerator, a polynomial, in lowest terms."""
        return RationalFunction(self._num, self._num.context().constant(1))

    @property
    def denominator(self) -> RationalFunction:
        """The denominator, a polynomial, in lowest terms."""
        return RationalFunction(self._den, self._den.context().constant(1))

    def coefficients(self) -> dict[tuple[int, ...], Fraction]:
        """Exponents (in the order of ``names``) to coefficients; polynomials only."""
        if not self._den.is_constant():
            raise ExactnessError(f"{self} is not a polynomial")
        ring_names = self._num.context().names()
        keep = [ring_names.index(name) for name in self.names]
        return {
            tuple(int(powers[i]) for i in keep): _fraction(value)
            for powers, value in self._num.to_dict().items()
        }

    # -- evaluation and display -----------------------------------------------------------------

    def __call__(self, **sizes: Scalar) -> RationalFunction:
        """Substitute field elements for symbols; symbols not named stay.

        Raises ZeroDivisionError where the denominator vanishes.
        """
        powers: dict[tuple[str, int], RationalFunction] = {}

        def image(poly: flint.fmpq_mpoly) -> RationalFunction:
            ring_names = poly.context().names()
            total = RationalFunction.constant(0)
            for exponents, value in poly.to_dict().items():
                term = RationalFunction.constant(_fraction(value))
                for name, power in zip(ring_names, exponents, strict=True):
                    if not power:
                        continue
                    if (name, power) not in powers:
                        base = sizes.get(name)
                        root = RationalFunction.symbol(name) if base is None else base
                        powers[name, power] = RationalFunction.of(root) ** int(power)
                    term = term * powers[name, power]
                total = total + term
            return total

        return image(self._num) / image(self._den)

    def as_fraction(self) -> Fraction:
        """The value of a constant; ExactnessError where symbols are left."""
        if self.names:
            raise ExactnessError(f"{self} still depends on {', '.join(self.names)}")
        return _fraction(self._num.leading_coefficient() if self._num else flint.fmpq(0))

    def to_sympy(self, symbols: Mapping[str, sympy.Expr] | None = None) -> sympy.Expr:
        """The element as a SymPy expression, factored, in the caller's *symbols*."""
        table = dict(symbols or {})

        def image(poly: flint.fmpq_mpoly) -> sympy.Expr:
            generators = [table.get(n, sympy.Symbol(n)) for n in poly.context().names()]
            total: sympy.Expr = sympy.Integer(0)
            for exponents, value in sorted(poly.to_dict().items(), reverse=True):
                factors = [g ** int(p) for g, p in zip(generators, exponents, strict=True) if p]
                total += sympy.Rational(int(value.p), int(value.q)) * sympy.Mul(*factors)
            return total

        content, factors = self._den.factor()
        bottom = sympy.Mul(
            sympy.Rational(int(content.p), int(content.q)),
            *(image(factor) ** int(power) for factor, power in factors),
        )
        return image(self._num) / bottom

    def __str__(self) -> str:
        # The ring a value was computed in must not show: only the symbols that occur do.
        ring = _context(self.names)
        num, den = (poly.project_to_context(ring) for poly in (self._num, self._den))
        if den.is_one():
            return str(num)
        top = f"({num})" if len(num.to_dict()) > 1 else str(num)
        bottom = str(den)
        return f"{top}/{bottom}" if bottom.replace("^", "").isalnum() else f"{top}/({bottom})"

    def __repr__(self) -> str:
        return f"RationalFunction({self})"
