"""Printed formulas as data: a small expression tree, parsed once, never evaluated as code.

A formula is typed in the catalogue as "(1 + 1/d)**2 + 2*(N - 2)/d**2". The tree gives its element of
the field of rational functions, its value at sizes, its LaTeX, and its mutants.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from proofs.algebra import RationalFunction

#: Lower and upper end.
Range: TypeAlias = tuple[Fraction, Fraction]

_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: "**",
}


#: Symbols that are printed as Greek letters.
_GREEK = frozenset(
    {"alpha", "beta", "delta", "eta", "gamma", "kappa", "lambda", "rho", "sigma", "tau"}
)


class FormulaError(ValueError):
    """A printed formula that is not rational arithmetic over named sizes."""


@dataclass(frozen=True)
class Formula:
    """A node: an operator with two arguments, a symbol, or an integer."""

    head: str
    arguments: tuple[Formula, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Formula:
        """Read + - * / ** over integers and names. Raises FormulaError with the offending part."""
        try:
            tree = ast.parse(text.strip(), mode="eval").body
        except SyntaxError as error:
            raise FormulaError(f"{text!r} is not a formula: {error.msg}") from None
        return cls._read(tree, text)

    @classmethod
    def _read(cls, node: ast.expr, text: str) -> Formula:
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            return cls(
                _OPERATORS[type(node.op)], (cls._read(node.left, text), cls._read(node.right, text))
            )
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return cls("-", (cls("0"), cls._read(node.operand, text)))
        if isinstance(node, ast.Name):
            return cls(node.id)
        if isinstance(node, ast.Constant) and type(node.value) is int:
            return cls(str(node.value))
        raise FormulaError(
            f"{text!r}: {ast.unparse(node)!r} is not allowed; use + - * / **, integers, names"
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
        exponent = right.as_fraction()
        if exponent.denominator != 1:
            raise FormulaError(f"the exponent {exponent} in {self} is not an integer")
        return left ** int(exponent)

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
            if c != d or c.denominator != 1:
                raise FormulaError(f"the exponent of {self} is not an integer")
            if c < 0 and a <= 0 <= b:
                raise ZeroDivisionError(f"the base of {self} may vanish")
            powers = (a ** int(c), b ** int(c))
            low = Fraction(0) if a < 0 < b and c % 2 == 0 else min(powers)
            return low, max(powers)
        corners = (a * c, a * d, b * c, b * d)
        return min(corners), max(corners)

    def number(self) -> Fraction:
        """The value of a formula without symbols."""
        return self.field().as_fraction()

    def symbols(self) -> frozenset[str]:
        """The names that occur."""
        if self.arguments:
            return frozenset().union(*(a.symbols() for a in self.arguments))
        return frozenset() if self.is_number else frozenset({self.head})

    def nodes(self) -> Iterator[tuple[int, ...]]:
        """The paths to all nodes, the root being ()."""
        yield ()
        for i, argument in enumerate(self.arguments):
            for path in argument.nodes():
                yield (i, *path)

    def at(self, path: tuple[int, ...]) -> Formula:
        """The node at *path*."""
        return self if not path else self.arguments[path[0]].at(path[1:])

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
            text = (
                f"{left._text(level)}{gap}{self.head}{gap}{right._text(tight if level < 3 else 4)}"
            )
        return f"({text})" if level < binding else text
