"""Arithmetic that a reader is asked to follow by hand, decided exactly before it is shown.

In the text of a counterexample a chain between double brackets, such as ``[[1 + 1/2 = 3/2 < 7/4]]``, is
typeset as a formula, and the catalogue refuses it unless every step holds: equality of rational and
algebraic numbers exactly, inequalities of others by certified intervals, and ``~`` where the decimal on
the right is the value on the left, rounded. Numbers that nobody would write out are refused.
"""

from __future__ import annotations

import ast
import math
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
_NUMBER = re.compile(r"\d+(\.\d+)?(e-?\d{1,4})?")
#: Bits of the intervals; a calculation by hand needs a few dozen.
_BITS = 256
#: A number above two to that power, or below its inverse, is not for a calculation by hand.
_LARGEST = 10_000
#: Letters of a side at most.
_LETTERS = 400
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
    """The text with its chains as LaTeX between dollars. Raises Unsound if one cannot be read."""
    return _CHAIN.sub(lambda match: f"${Chain.parse(match[1]).latex()}$", text)


def validate(text: str) -> None:
    """Raise Unsound, with the step, if a chain of the text cannot be read or does not hold."""
    for match in _CHAIN.finditer(text):
        Chain.parse(match[1]).validate()
    # A chain with a bracket lost would be shown unchecked.
    if "[[" in (rest := _CHAIN.sub("", text)) or "]]" in rest:
        raise Unsound("by hand: brackets [[ and ]] that do not enclose a chain; write [[a = b]]")


@dataclass(frozen=True)
class Chain:
    """*sides* as trees, *texts* as they are written, and the *relations* between each and the next.

    A side has decimal numbers, ``+ - * / **``, brackets, ``pi``, and ``sqrt``, ``log`` (to the base e),
    ``log2``, ``exp``, ``ceil``, ``floor`` of one argument; a relation is one of ``= != < > <= >= ~``.
    """

    sides: tuple[ast.expr, ...]
    texts: tuple[str, ...]
    relations: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> Chain:
        """Read ``a = b < c``, at least two sides. Raises Unsound with the offending part."""
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
    if len(text) > _LETTERS:
        raise Unsound(f"by hand: {text[:40]!r}... is too long; write it in several steps")
    try:
        tree = ast.parse(text, mode="eval").body
    except SyntaxError as error:
        raise Unsound(f"by hand: {text!r} is no number: {error.msg}") from None
    except ValueError as error:  # a null byte or half a surrogate
        raise Unsound(f"by hand: {text!r} is no number: {error}") from None
    for part in ast.walk(tree):
        if isinstance(part, ast.Constant):
            _keep(part, ast.get_source_segment(text, part) or "")
    _latex(tree, 0)  # refuses what is not arithmetic
    return tree


def _keep(number: ast.Constant, written: str) -> None:
    """Keep a number as it is *written*, since Python rounds a decimal."""
    if not _NUMBER.fullmatch(written):
        raise Unsound(f"by hand: {written!r} is not allowed; write a number as 12, 0.5 or 4.2e-18")
    number.kind = written  # a place that Python itself leaves alone


def _too_large(text: str) -> Unsound:
    return Unsound(f"by hand: {text} is too large or too small to be written out; say it otherwise")


def _latex(node: ast.expr, binding: int, *, inline: bool = False) -> str:
    """A side as LaTeX, in brackets where what stands around binds closer than it does.

    *inline*: it stands in a fraction, an exponent or a root, where another fraction would be too small
    to read; its quotients are a/b.
    """
    match node:
        case ast.Constant(kind=str() as written):
            text, _, power = written.partition("e")
            level = 2 if power else 4
            text += rf" \cdot 10^{{{int(power)}}}" if power else ""
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            text, level = f"-{_latex(inner, 2, inline=inline)}", 1
        case ast.BinOp(
            left=ast.UnaryOp(op=ast.USub() as minus, operand=above),
            op=ast.Div() as over,
            right=below,
        ) if inline:
            quotient = ast.UnaryOp(minus, ast.BinOp(above, over, below))
            return _latex(quotient, binding, inline=True)
        case ast.BinOp(left=above, op=ast.Div(), right=below) if inline:
            # a/b/c and a/(b c) would read alike.
            outer = 3 if _is_quotient(above) else 2
            text = f"{_latex(above, outer, inline=True)}/{_latex(below, 3, inline=True)}"
            level = 2
        case ast.BinOp(left=above, op=ast.Div(), right=below):
            parts = (_latex(part, 0, inline=True) for part in (above, below))
            text = r"\frac{{{}}}{{{}}}".format(*parts)
            return rf"\left({text}\right)" if binding > 2 else text
        case ast.BinOp(left=base, op=ast.Pow(), right=power):
            raised = _latex(base, 4, inline=inline)
            text, level = f"{raised}^{{{_latex(power, 0, inline=True)}}}", 3
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            outer = 3 if inline and _is_quotient(left) else 2
            first = _latex(left, outer, inline=inline)
            text, level = rf"{first} \cdot {_latex(right, 3, inline=inline)}", 2
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as sign, right=right):
            mark = "+" if isinstance(sign, ast.Add) else "-"
            first, second = _latex(left, 1, inline=inline), _latex(right, 2, inline=inline)
            text, level = f"{first} {mark} {second}", 1
        case ast.Call(func=ast.Name(id="exp"), args=[ast.Constant(value=1)], keywords=[]):
            return "e"
        case ast.Call(func=ast.Name(id=name), args=[inner], keywords=[]) if name in _FUNCTIONS:
            within = inline or name in ("sqrt", "exp")
            text, level = _FUNCTIONS[name][1].format(_latex(inner, 0, inline=within)), 3
        case ast.Name(id="pi"):
            return r"\pi"
        case _:
            known = ", ".join(_FUNCTIONS)
            raise Unsound(
                f"by hand: {ast.unparse(node)!r} is not allowed; use numbers, + - * / **, pi, {known}"
            )
    return rf"\left({text}\right)" if level < binding else text


def _is_quotient(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)


def _holds(left: ast.expr, relation: str, right: ast.expr, after: str) -> bool:
    """Whether a step holds for sure."""
    if relation == "~":
        if not _NUMBER.fullmatch(after.removeprefix("-")):
            raise Unsound(f"by hand: the right side of ~ must be a decimal, not {after!r}")
        digits = len(after.partition("e")[0].partition(".")[2])
        half = Fraction(10) ** (int(after.partition("e")[2] or 0) - digits) / 2
        off = _difference(left, right)
        if isinstance(off, Fraction):
            return abs(off) <= half
        return bool(abs(off) <= _rational(half))
    if relation in ("=", "!="):
        return _equal(left, right) is (relation == "=")
    difference = _difference(left, right)
    if relation in (">", ">="):
        difference = -difference
    if relation in ("<=", ">=") and _equal(left, right):
        return True
    return bool(difference > 0)


def _difference(left: ast.expr, right: ast.expr) -> Fraction | arb:
    """By how much the right side is larger: exactly if both are rational, else in an interval."""
    before, flint.ctx.prec = flint.ctx.prec, _BITS
    try:
        off = _inside(right) - _inside(left)  # refuses what is too large, before it is written out
    finally:
        flint.ctx.prec = before
    a, b = _exact(left), _exact(right)
    return off if a is None or b is None else b - a


def _equal(left: ast.expr, right: ast.expr) -> bool:
    """Whether two sides are the same number, decided exactly; their functions may be roots alone."""
    difference = _difference(left, right)
    if isinstance(difference, Fraction):
        return difference == 0
    if not difference.contains(0):
        return False
    import sympy

    x = sympy.Symbol("x")
    symbolic = _symbolic(left) - _symbolic(right)
    try:
        return bool(sympy.minimal_polynomial(symbolic, x) == x)
    except sympy.polys.polyerrors.NotAlgebraic:
        raise Unsound(f"by hand: {symbolic} = 0 cannot be decided; use < or ~") from None


def _exact(node: ast.expr) -> Fraction | None:
    """The value of a rational expression, None of another."""
    match node:
        case ast.Constant(kind=str() as written):
            return Fraction(written)
        case ast.UnaryOp(operand=inner):
            value = _exact(inner)
            return None if value is None else -value
        case ast.BinOp(left=left, op=sign, right=right):
            a, b = _exact(left), _exact(right)
            if a is None or b is None or (isinstance(sign, ast.Pow) and b.denominator != 1):
                return None
            if isinstance(sign, ast.Pow):
                bits = max(a.numerator.bit_length(), a.denominator.bit_length())
                if abs(b) * bits > _LARGEST:
                    raise _too_large(ast.unparse(node))
            found: Fraction = _applied(sign, a, b)
            return found
        case ast.Call(func=ast.Name(id="ceil" | "floor" as name), args=[inner]):
            value = _exact(inner)
            jump = math.ceil if name == "ceil" else math.floor
            return None if value is None else Fraction(jump(value))
    return None


def _inside(node: ast.expr) -> arb:
    """The value in an interval."""
    match node:
        case ast.Constant(kind=str() as written):
            value = _rational(Fraction(written))
        case ast.UnaryOp(operand=inner):
            value = -_inside(inner)
        case ast.BinOp(left=left, op=sign, right=right):
            value = _applied(sign, _inside(left), _inside(right))
        case ast.Call(func=ast.Name(id=name), args=[inner]):
            value = _FUNCTIONS[name][0](_inside(inner))
            if (exact := _exact(node)) is not None:
                value = _rational(exact)  # of an interval around a jump nothing is known
        case _:
            value = arb.pi()
    size = abs(value)
    if size > arb(2) ** _LARGEST or 0 < size < arb(2) ** -_LARGEST:
        raise _too_large(ast.unparse(node))
    return value


def _symbolic(node: ast.expr) -> Any:
    """The value in sympy."""
    import sympy

    match node:
        case ast.Constant(kind=str() as written):
            return sympy.Rational(written)
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
