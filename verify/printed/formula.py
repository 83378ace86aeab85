"""Printed formulas as data: a small expression tree, parsed once, never evaluated as code.

A formula is typed in the catalogue as "(1 + 1/d)**2 + 2*(N - 2)/d**2". The tree gives its element of
the field of rational functions, its value at sizes (exact with `at`, rounded once with `real`, in
floating point with `on`, between exact numbers with `between`), its LaTeX, and its mutants.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from proofs.algebra import RationalFunction
    from proofs.kernel import Term

#: Lower and upper end.
Range: TypeAlias = tuple[Fraction, Fraction]

_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: "**",
}
_APPLIED: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "**": operator.pow,
}

#: Symbols that are printed as Greek letters.
_GREEK = frozenset(
    {"alpha", "beta", "delta", "eta", "gamma", "kappa", "lambda", "rho", "sigma", "tau"}
)


#: A formula nests no deeper, and is no longer.
_DEEPEST, _LONGEST = 200, 20_000
#: The largest exponent of a symbol or an integer, and that of anything else.
_LARGEST_POWER, _LARGEST_POWER_OF_SUM = 10**6, 1000
#: An integer has no more binary digits.
_MOST_DIGITS = 10_000
#: A number that is raised to a power has no more binary digits.
_MOST_BITS = 10**7


class FormulaError(ValueError):
    """A printed formula that is not rational arithmetic over named sizes."""


_TOO_DEEP = f"take one that nests at most {_DEEPEST} deep"
#: So much of a formula is repeated in an error.
_SHOWN = 60


def _shown(text: str) -> str:
    """A formula in an error, its beginning where it is long."""
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}...")


@dataclass(frozen=True)
class Formula:
    """A node: an operator with two arguments, a symbol, or an integer."""

    head: str
    arguments: tuple[Formula, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Formula:
        """Read + - * / ** over integers and names. Raises FormulaError with the offending part.

        At most 20,000 characters, nested at most 200 deep: a sum of n terms nests n - 1 deep.
        """
        if len(text) > _LONGEST:
            raise FormulaError(
                f"{_shown(text)} has {len(text)} characters, at most {_LONGEST} are read"
            )
        try:
            tree = ast.parse(text.strip(), mode="eval").body
        except SyntaxError as error:
            raise FormulaError(f"{_shown(text)} is not a formula: {error.msg}") from None
        except (RecursionError, MemoryError, ValueError):  # too deep, or a null character
            raise FormulaError(
                f"{_shown(text)} is no formula that can be read: {_TOO_DEEP}"
            ) from None
        return cls._read(tree, text, _DEEPEST)

    @classmethod
    def _read(cls, node: ast.expr, text: str, left: int) -> Formula:
        """*left*: how much deeper it may nest."""
        if left == 0:
            raise FormulaError(f"{_shown(text)} nests too deep: {_TOO_DEEP}")
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            parts = cls._read(node.left, text, left - 1), cls._read(node.right, text, left - 1)
            return cls(_OPERATORS[type(node.op)], parts)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return cls("-", (cls("0"), cls._read(node.operand, text, left - 1)))
        if isinstance(node, ast.Name):
            return cls(node.id)
        if isinstance(node, ast.Constant) and type(node.value) is int:
            if node.value.bit_length() > _MOST_DIGITS:
                raise FormulaError(
                    f"{_shown(text)} has an integer of more than {_MOST_DIGITS} bits"
                )
            return cls(str(node.value))
        raise FormulaError(
            f"{_shown(text)}: {_shown(ast.unparse(node))} is not allowed; "
            "use + - * / **, integers, names"
        )

    @property
    def is_number(self) -> bool:
        return not self.arguments and self.head.isdigit()

    def field(self, values: Mapping[str, RationalFunction] | None = None) -> RationalFunction:
        """The formula as a rational function; *values* replaces names by field elements."""
        from proofs.algebra import RationalFunction  # SymPy only where formulas are compared

        if not self.arguments:
            if self.is_number:
                return RationalFunction.constant(int(self.head))
            table = values or {}
            return table.get(self.head, RationalFunction.symbol(self.head))
        left, right = (a.field(values) for a in self.arguments)
        if self.head == "+":
            return left + right
        if self.head == "-":
            return left - right
        if self.head == "*":
            return left * right
        if self.head == "/":
            return left / right
        numbers = () if left.names or left.radicals else (left.as_fraction(),)
        return left ** self._exponent(right.as_fraction(), *numbers)

    def _exponent(self, value: Fraction, *bases: Fraction) -> int:
        """The exponent of this power, an integer that can be raised to in a moment; *bases*: numbers
        that are."""
        base = self.arguments[0]
        if value.denominator != 1:
            raise FormulaError(f"the exponent in {_shown(str(self))} is not an integer")
        most = _LARGEST_POWER_OF_SUM if base.arguments else _LARGEST_POWER
        if abs(value) > most:
            raise FormulaError(
                f"the exponent in {_shown(str(self))} is beyond {most}, the largest of "
                f"{'a sum, a product or a power' if base.arguments else 'a symbol or an integer'}"
            )
        bits = max((n.bit_length() for it in bases for n in it.as_integer_ratio()), default=0)
        if bits * abs(value) > _MOST_BITS:
            raise FormulaError(f"{_shown(str(self))} has more than {_MOST_BITS} binary digits")
        return int(value)

    def term(self, **values: Term | int) -> Term:
        """The formula as a term of the kernel, as it was printed; *values* replaces names by terms."""
        from proofs.kernel.terms import symbol, term

        if not self.arguments:
            if self.is_number:
                return term(int(self.head))
            return term(values[self.head]) if self.head in values else symbol(self.head)
        left, right = self.arguments
        if self.head == "**":
            return left.term(**values) ** self._exponent(right.number())
        found: Term = _APPLIED[self.head](left.term(**values), right.term(**values))
        return found

    def interval(self, values: Mapping[str, Range]) -> Range:
        """Exact bounds on the formula while each symbol moves in its range; for measured factors.

        Raises ZeroDivisionError where a denominator may vanish.
        """
        if not self.arguments:
            if self.is_number:
                return Fraction(self.head), Fraction(self.head)
            return values[self.head]
        (a, b), (c, d) = (argument.interval(values) for argument in self.arguments)
        if self.head == "+":
            return a + c, b + d
        if self.head == "-":
            return a - d, b - c
        if self.head == "/":
            if c <= 0 <= d:
                raise ZeroDivisionError(f"the denominator of {self} may vanish")
            c, d = 1 / d, 1 / c
        if self.head == "**":
            if c != d:
                raise FormulaError(f"the exponent of {self} is not an integer")
            exponent = self._exponent(c, a, b)
            if c < 0 and a <= 0 <= b:
                raise ZeroDivisionError(f"the base of {self} may vanish")
            powers = (a**exponent, b**exponent)
            low = Fraction(0) if a < 0 < b and c % 2 == 0 else min(powers)
            return low, max(powers)
        corners = (a * c, a * d, b * c, b * d)
        return min(corners), max(corners)

    def at(self, every: int | Fraction | None = None, /, **sizes: float | Fraction) -> Fraction:
        """The exact value at sizes, a float being the fraction that it is; *every*: that of each symbol.

        Raises FormulaError for a symbol without a size, ZeroDivisionError at a pole.
        """
        from proofs.algebra import RationalFunction

        if every is not None:
            sizes = dict.fromkeys(self.symbols(), every)
        self._know(sizes)
        exact = {n: Fraction(s) if isinstance(s, float) else s for n, s in sizes.items()}
        powers = {n: RationalFunction.constant(exact[n]) for n in self._powers()}
        return self.field(powers)(**exact).as_fraction()

    def number(self) -> Fraction:
        """The value of a formula without symbols."""
        return self.at()

    def real(self, **sizes: float | Fraction) -> float:
        """The value `at` sizes, rounded."""
        return float(self.at(**sizes))

    def on(self, pole: float | None = None, /, **values: Any) -> Any:
        """The value in floating point at numbers, or at arrays that broadcast.

        *pole*: what it is where a number is divided by 0; else ZeroDivisionError. Raises FormulaError
        for a symbol without a value.
        """
        self._know(values)
        try:
            return self._on(values)
        except ZeroDivisionError:
            if pole is None:
                raise
            return pole

    def _on(self, values: Mapping[str, Any]) -> Any:
        if not self.arguments:
            return float(self.head) if self.is_number else values[self.head]
        left, right = (argument._on(values) for argument in self.arguments)
        return _APPLIED[self.head](left, right)

    def between(self, names: Mapping[str, RationalFunction], /, **sizes: int | Fraction) -> Range:
        """Exact bounds on the value at sizes, where *names* stand for elements of the field, which may
        have square roots."""
        from proofs.algebra.balls import enclosure

        return enclosure(self.field(names)(**sizes))

    def _know(self, values: Mapping[str, object]) -> None:
        if missing := self.symbols() - values.keys():
            known = ", ".join(sorted(values)) or "none"
            raise FormulaError(
                f"{self}: no value for {', '.join(sorted(missing))}; those given: {known}"
            )

    def symbols(self) -> frozenset[str]:
        """The names that occur."""
        if self.arguments:
            return frozenset().union(*(a.symbols() for a in self.arguments))
        return frozenset() if self.is_number else frozenset({self.head})

    def _powers(self) -> frozenset[str]:
        """The names that occur in an exponent."""
        own = self.arguments[1].symbols() if self.head == "**" else frozenset()
        return own.union(*(a._powers() for a in self.arguments))

    def nodes(self) -> Iterator[tuple[int, ...]]:
        """The paths to all nodes, the root being ()."""
        yield ()
        for i, argument in enumerate(self.arguments):
            for path in argument.nodes():
                yield (i, *path)

    def node(self, path: tuple[int, ...]) -> Formula:
        """The node at *path*."""
        return self if not path else self.arguments[path[0]].node(path[1:])

    def replace(self, path: tuple[int, ...], new: Formula) -> Formula:
        """The formula with the node at *path* replaced."""
        if not path:
            return new
        arguments = list(self.arguments)
        arguments[path[0]] = arguments[path[0]].replace(path[1:], new)
        return Formula(self.head, tuple(arguments))

    def latex(self) -> str:
        """The formula as it would be printed."""
        return self._latex(0)

    def _latex(self, binding: int) -> str:
        if not self.arguments:
            if self.head in _GREEK:
                return f"\\{self.head}"
            plain = len(self.head) == 1 or self.is_number
            return self.head if plain else rf"\mathrm{{{self.head}}}"
        left, right = self.arguments
        if self.head == "/":
            text = rf"\frac{{{left._latex(0)}}}{{{right._latex(0)}}}"
            return rf"\left({text}\right)" if binding > 2 else text
        if self.head == "**":
            return f"{left._latex(3)}^{{{right._latex(0)}}}"
        if self.head == "*":
            text, level = rf"{left._latex(2)} \, {right._latex(2)}", 2
        elif self.head == "-" and left.head == "0":
            text, level = f"-{right._latex(2)}", 1
        else:
            text, level = f"{left._latex(1)} {self.head} {right._latex(2)}", 1
        return rf"\left({text}\right)" if level < binding else text

    def __str__(self) -> str:
        return self._text(0)

    def _text(self, binding: int) -> str:
        if not self.arguments:
            return self.head
        left, right = self.arguments
        level = {"+": 1, "-": 1, "*": 2, "/": 2, "**": 3}[self.head]
        if self.head == "-" and left.head == "0":
            text = f"-{right._text(2)}"
        else:
            gap = "" if level == 3 else " "
            tight = level + (self.head in "-/")
            left_of = level + (self.head == "**")
            text = f"{left._text(left_of)}{gap}{self.head}{gap}{right._text(tight if level < 3 else 4)}"
        return f"({text})" if level < binding else text


def fields(printed: Mapping[str, Formula], *names: str) -> list[RationalFunction]:
    """The printed formulas of those names, as rational functions."""
    return [printed[name].field() for name in names]


def numbers(printed: Mapping[str, Formula], *names: str) -> list[Fraction]:
    """The printed constants of those names."""
    return [printed[name].number() for name in names]


def floats(printed: Mapping[str, Formula], *names: str) -> list[float]:
    """The printed constants of those names, for computing."""
    return [printed[name].real() for name in names]
