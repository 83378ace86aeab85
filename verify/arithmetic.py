"""Arithmetic that a reader is asked to follow by hand, decided exactly before it is shown.

In the text of a counterexample a chain between double brackets, such as ``[[1 + 1/2 = 3/2 < 7/4]]``, is
typeset as a formula, and the catalogue refuses it unless every step holds: equality of rational and
algebraic numbers exactly, inequalities by certified intervals, and ``~`` where the decimal on the right
is the value on the left, rounded.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import flint
from flint import arb

_CHAIN = re.compile(r"\[\[(.+?)\]\]", re.DOTALL)
_RELATION = re.compile(r"(<=|>=|!=|=|<|>|~)")
_SIGNS = {"<=": r"\le", ">=": r"\ge", "!=": r"\ne", "~": r"\approx", "=": "=", "<": "<", ">": ">"}
_DECIMAL = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?")
#: Bits of the intervals; a calculation by hand needs a few dozen.
_BITS = 256
_LEVELS: dict[type[ast.operator], int] = {
    ast.Add: 1,
    ast.Sub: 1,
    ast.Mult: 2,
    ast.Div: 2,
    ast.Pow: 3,
}


def _log2(value: arb) -> arb:
    return value.log() / arb(2).log()


#: Functions of one argument: in intervals, and in LaTeX.
_FUNCTIONS: dict[str, tuple[Callable[[arb], arb], str]] = {
    "sqrt": (arb.sqrt, r"\sqrt{{{}}}"),
    "log": (arb.log, r"\log\left({}\right)"),
    "log2": (_log2, r"\log_2\left({}\right)"),
    "exp": (arb.exp, r"e^{{{}}}"),
    "ceil": (arb.ceil, r"\lceil {} \rceil"),
    "floor": (arb.floor, r"\lfloor {} \rfloor"),
}


class Unsound(ValueError):  # noqa: N818  (it says what the arithmetic is)
    """A chain that cannot be read, or of which a step does not hold."""


def typeset(text: str) -> str:
    """The text with its chains as LaTeX between dollars."""
    return _CHAIN.sub(lambda match: f"${Chain.parse(match[1]).latex()}$", text)


def validate(text: str) -> None:
    """Raise Unsound, with the step, if a chain of the text cannot be read or does not hold."""
    for match in _CHAIN.finditer(text):
        Chain.parse(match[1]).validate()


@dataclass(frozen=True)
class Chain:
    """Sides, and the relations between each and the next."""

    sides: tuple[ast.expr, ...]
    texts: tuple[str, ...]
    relations: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> Chain:
        """Read ``a = b < c``. Raises Unsound with the offending part."""
        parts = [" ".join(part.split()) for part in _RELATION.split(text)]
        if len(parts) < 3:
            raise Unsound(f"[[{text}]] has no relation; write [[a = b]]")
        sides = tuple(_read(part) for part in parts[::2])
        return cls(sides, tuple(parts[::2]), tuple(parts[1::2]))

    def latex(self) -> str:
        """The chain as it would be printed."""
        first, *others = (_latex(side, 0) for side in self.sides)
        signs = (_SIGNS[relation] for relation in self.relations)
        return " ".join([first, *(f"{s} {o}" for s, o in zip(signs, others, strict=True))])

    def validate(self) -> None:
        """Raise Unsound with the first step that does not hold."""
        for (left, right), (before, after), relation in zip(
            pairwise(self.sides), pairwise(self.texts), self.relations, strict=True
        ):
            step = f"by hand: {before} {relation} {after}"
            try:
                sure = _holds(left, relation, right, after)
            except ZeroDivisionError:
                raise Unsound(f"{step} divides by 0") from None
            if not sure:
                raise Unsound(f"{step} does not hold")


def _read(text: str) -> ast.expr:
    try:
        tree = ast.parse(text, mode="eval").body
    except SyntaxError as error:
        raise Unsound(f"by hand: {text!r} is no number: {error.msg}") from None
    _latex(tree, 0)  # refuses what is not arithmetic
    return tree


def _latex(node: ast.expr, binding: int) -> str:
    match node:
        case ast.Constant(value=int() | float()):
            mantissa, _, power = ast.unparse(node).partition("e")
            return rf"{mantissa} \cdot 10^{{{int(power)}}}" if power else mantissa
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            text, level = f"-{_latex(inner, 2)}", 1
        case ast.BinOp(left=above, op=ast.Div(), right=below):
            text = rf"\frac{{{_latex(above, 0)}}}{{{_latex(below, 0)}}}"
            return rf"\left({text}\right)" if binding > 2 else text
        case ast.BinOp(left=base, op=ast.Pow(), right=power):
            text, level = f"{_latex(base, 4)}^{{{_latex(power, 0)}}}", 3
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            text, level = rf"{_latex(left, 2)} \cdot {_latex(right, 3)}", 2
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as sign, right=right):
            mark = "+" if isinstance(sign, ast.Add) else "-"
            text, level = f"{_latex(left, 1)} {mark} {_latex(right, 2)}", 1
        case ast.Call(func=ast.Name(id=name), args=[inner], keywords=[]) if name in _FUNCTIONS:
            text, level = _FUNCTIONS[name][1].format(_latex(inner, 0)), 3
        case ast.Name(id="pi"):
            return r"\pi"
        case _:
            known = ", ".join(_FUNCTIONS)
            raise Unsound(
                f"by hand: {ast.unparse(node)!r} is not allowed; use numbers, + - * / **, pi, {known}"
            )
    return rf"\left({text}\right)" if level < binding else text


def _holds(left: ast.expr, relation: str, right: ast.expr, after: str) -> bool:
    """Whether a step holds for sure."""
    if relation == "~":
        if not _DECIMAL.fullmatch(after):
            raise Unsound(f"by hand: the right side of ~ must be a decimal, not {after!r}")
        digits = len(after.partition("e")[0].partition(".")[2])
        half = Fraction(10) ** (int(after.partition("e")[2] or 0) - digits) / 2
        return bool(abs(_ball(left) - _rational(Fraction(after))) <= _rational(half))
    if relation in ("=", "!="):
        return _equal(left, right) is (relation == "=")
    difference = _ball(right) - _ball(left)
    if relation in (">", ">="):
        difference = -difference
    if relation in ("<=", ">=") and _equal(left, right):
        return True
    return bool(difference > 0)


def _equal(left: ast.expr, right: ast.expr) -> bool:
    """Whether two sides are the same number, decided exactly; their functions may be roots alone."""
    exact = _exact(left), _exact(right)
    if None not in exact:
        return exact[0] == exact[1]
    if not (_ball(left) - _ball(right)).contains(0):
        return False
    import sympy

    x = sympy.Symbol("x")
    difference = _symbolic(left) - _symbolic(right)
    try:
        return bool(sympy.minimal_polynomial(difference, x) == x)
    except sympy.polys.polyerrors.NotAlgebraic:
        raise Unsound(f"by hand: {difference} = 0 cannot be decided; use < or ~") from None


def _exact(node: ast.expr) -> Fraction | None:
    """The value of a rational expression, None of another."""
    match node:
        case ast.Constant():
            return Fraction(ast.unparse(node))
        case ast.UnaryOp(operand=inner):
            value = _exact(inner)
            return None if value is None else -value
        case ast.BinOp(left=left, op=sign, right=right):
            a, b = _exact(left), _exact(right)
            if a is None or b is None:
                return None
            return (
                _applied(sign, a, b)
                if not isinstance(sign, ast.Pow) or b.denominator == 1
                else None
            )
    return None


def _ball(node: ast.expr) -> arb:
    """The value in an interval."""
    before, flint.ctx.prec = flint.ctx.prec, _BITS
    try:
        return _inside(node)
    finally:
        flint.ctx.prec = before


def _inside(node: ast.expr) -> arb:
    match node:
        case ast.Constant():
            return _rational(Fraction(ast.unparse(node)))
        case ast.UnaryOp(operand=inner):
            return -_inside(inner)
        case ast.BinOp(left=left, op=sign, right=right):
            value: arb = _applied(sign, _inside(left), _inside(right))
        case ast.Call(func=ast.Name(id=name), args=[inner]):
            value = _FUNCTIONS[name][0](_inside(inner))
        case _:
            value = arb.pi()
    return value


def _symbolic(node: ast.expr) -> Any:
    """The value in sympy."""
    import sympy

    match node:
        case ast.Constant():
            return sympy.Rational(ast.unparse(node))
        case ast.UnaryOp(operand=inner):
            return -_symbolic(inner)
        case ast.BinOp(left=left, op=sign, right=right):
            return _applied(sign, _symbolic(left), _symbolic(right))
        case ast.Call(func=ast.Name(id=name), args=[inner]):
            value = _symbolic(inner)
            if name == "log2":
                return sympy.log(value, 2)
            return getattr(sympy, {"ceil": "ceiling"}.get(name, name))(value)
    return sympy.pi


def _applied(sign: ast.operator, left: Any, right: Any) -> Any:
    match sign:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
        case ast.Div():
            return left / right
    return left**right


def _rational(value: Fraction) -> arb:
    quotient: arb = arb(value.numerator) / arb(value.denominator)
    return quotient
