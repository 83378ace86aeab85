"""The formulas that the engine derived, as LaTeX and as a Python module with a function each.

What a formula says comes out of the evidence of a run, never out of the printed statement.
"""

from __future__ import annotations

import ast
import keyword
import re
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from proofs.algebra import RationalFunction
from verify.claim import Claim
from verify.errors import UsageError
from verify.report.exports.equations import equation
from verify.running.runner import ClaimResult
from verify.running.version import __version__
from verify.typeset.unicode_math import unicode_text
from verify.typeset.words import flowed, shortened
from verify.verdict import Verdict

#: No derived formula comes near; a file from elsewhere could name any power.
_LARGEST_POWER = 64
#: Letters of a text that is no formula in the error that says so.
_TOLD = 120
_NAME = re.compile(r"[A-Za-z_]\w*")
_WIDTH = 96

_HEAD = '''"""Formulas that verify {version} derived exactly, a function each.

Sizes are read as exact fractions: give an int, a Fraction, or a text such as "1/3". The value is a
Fraction; a formula with a square root gives a float.
"""

from __future__ import annotations

{imports}

Exact = int | str | Fraction
'''


@dataclass(frozen=True)
class DerivedFormula:
    """A formula with the claim whose check derived it, its name there, and where it holds.

    *quantity*: what it is of in plain letters, such as "E[gamma^2], y in the image"; may be empty.
    *refuted*: whether the printed claim is false, so that the formula is not what it says.
    """

    claim: Claim
    name: str
    value: RationalFunction
    scope: str
    quantity: str = ""
    refuted: bool = False

    @property
    def latex(self) -> str:
        """The equation."""
        return equation(self.value, self.quantity, flowed(self.name))

    @property
    def source(self) -> str:
        """Paper and place."""
        return ", ".join(flowed(part) for part in (self.claim.paper, self.claim.where) if part)

    @property
    def warning(self) -> str:
        """That the formula is not the printed one; empty where it is."""
        if not self.refuted:
            return ""
        warning = "The printed claim is refuted; this is what was derived in its place."
        return (
            f"{warning} Correction: {flowed(self.claim.correction)}."
            if self.claim.correction
            else warning
        )


def derived_formulas(results: Iterable[ClaimResult]) -> tuple[list[DerivedFormula], int]:
    """All formulas derived in a run, and how many claims have none.

    Raises UsageError for one that is not rational arithmetic over sizes and square roots.
    """
    formulas: list[DerivedFormula] = []
    without = 0
    for result in results:
        found = {
            name: DerivedFormula(
                result.claim,
                name,
                read_derived(text),
                flowed(item.detail.get("derived for", {}).get(name, "")),
                flowed(item.detail.get("symbols", {}).get(name, "")),
                result.verdict is Verdict.REFUTED,
            )
            for item in result.evidence
            for name, text in item.detail.get("derived", {}).items()
        }
        formulas.extend(found.values())
        without += not found
    return formulas, without


def read_derived(text: str) -> RationalFunction:
    """A formula as reports show it, such as "sqrt(6)*(d^2 - 1)/(2*N)". Raises UsageError."""
    try:
        return _value(_parsed(text))
    except (SyntaxError, ValueError, ZeroDivisionError, RecursionError) as error:
        told = f"{shortened(text, _TOLD)!r} is no formula of sizes ({shortened(str(error), _TOLD)})"
        raise UsageError(f"derived: {told}") from None


def formulas_latex(formulas: Iterable[DerivedFormula]) -> str:
    """A displayed equation each, below comments that say what it is and where it holds."""
    blocks = []
    for formula in formulas:
        lines = [f"% {flowed(f'{formula.claim.id}: {formula.name}')}"]
        lines += [f"% {formula.source}"] if formula.source else []
        lines += [f"% {formula.warning}"] if formula.warning else []
        lines += [f"% holds for {formula.scope}"] if formula.scope else []
        blocks.append("\n".join([*lines, rf"\[ {formula.latex} \]"]))
    return "\n\n".join(blocks) + "\n"


def formulas_python(formulas: Sequence[DerivedFormula]) -> str:
    """A module that needs the standard library alone."""
    rooted = any(formula.value.radicals for formula in formulas)
    imports = ("import math\n" if rooted else "") + "from fractions import Fraction"
    names = function_names(formulas)
    functions = [_function(f, name) for f, name in zip(formulas, names, strict=True)]
    return "\n\n".join([_HEAD.format(version=__version__, imports=imports), *functions])


def function_names(formulas: Iterable[DerivedFormula]) -> list[str]:
    """A name each, of the claim's id and the formula's name; a number where two are the same."""
    names: list[str] = []
    for formula in formulas:
        parts = (
            re.sub(r"\W", "_", part, flags=re.ASCII) for part in (formula.claim.id, formula.name)
        )
        base = "__".join(parts)
        base = base if base.isidentifier() else f"f_{base}"
        taken, name = 1, base
        while name in names:
            taken += 1
            name = f"{base}_{taken}"
        names.append(name)
    return names


def _function(formula: DerivedFormula, name: str) -> str:
    sizes = [_safe(size) for size in formula.value.names]
    kind = "float" if formula.value.radicals else "Fraction"
    lines = [f"def {name}({', '.join(f'{size}: Exact' for size in sizes)}) -> {kind}:"]
    about = [f"{formula.name} of {formula.claim.id}: {unicode_text(formula.claim.title)}."]
    about += [formula.warning] if formula.warning else []
    about += [f"Quantity: {formula.quantity}."] if formula.quantity else []
    about += [f"Source: {formula.source}."] if formula.source else []
    about += [f"Holds for {formula.scope}."] if formula.scope else []
    wrapped = [textwrap.wrap(_quoted(flowed(text)), _WIDTH) for text in about]
    inside = [*wrapped[0], "", *(line for block in wrapped[1:] for line in block)]
    inside[0] = f'"""{inside[0]}'
    lines += [f"    {line}".rstrip() for line in [*inside, '"""']]
    if sizes:
        lines.append(f"    {', '.join(sizes)} = {', '.join(f'Fraction({s})' for s in sizes)}")
    lines.append(f"    return {_expression(formula.value)}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """A text within the quotes of a docstring."""
    return text.replace("\\", "\\\\").replace('"', "'")


def _safe(name: str) -> str:
    """A size as an argument; some, such as lambda, are words of the language."""
    return f"{name}_" if keyword.iskeyword(name) or name in ("Fraction", "math") else name


def _parsed(text: str) -> ast.expr:
    """The tree of a shown formula, with names that are safe."""
    renamed = _NAME.sub(lambda match: _safe(match[0]), text.replace("^", "**"))
    return ast.parse(renamed.strip(), mode="eval").body


def _value(node: ast.expr) -> RationalFunction:
    match node:
        case ast.Constant(value=int() as number) if type(number) is int:
            return RationalFunction.constant(number)
        case ast.Name(id=name):
            plain = name[:-1] if _safe(name[:-1]) == name else name
            return RationalFunction.symbol(plain)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand)
        case ast.Call(func=ast.Name(id="sqrt"), args=[ast.Constant(value=int() as radicand)]):
            return RationalFunction.root(radicand)
        case ast.BinOp(left=base, op=ast.Pow(), right=ast.Constant(value=int() as power)):
            if power > _LARGEST_POWER:
                raise ValueError(f"the power {power} is too large")
            return _value(base) ** power
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _value(left) + _value(right)
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return _value(left) - _value(right)
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return _value(left) * _value(right)
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return _value(left) / _value(right)
    raise ValueError(f"{ast.unparse(node)!r} is not allowed")


def _expression(value: RationalFunction) -> str:
    """The value in Python, exact where its sizes are fractions."""
    if not value.names and not value.radicals:
        number = value.as_fraction()
        return f"Fraction({number.numerator}, {number.denominator})"
    return ast.unparse(_Exactly().visit(_parsed(value.factored())))


class _Exactly(ast.NodeTransformer):
    """Quotients of integers as fractions, roots as floats."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.BinOp(
                left=ast.Constant(value=int() as above),
                op=ast.Div(),
                right=ast.Constant(value=int() as below),
            ):
                return ast.Call(
                    ast.Name("Fraction"), [ast.Constant(above), ast.Constant(below)], []
                )
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        return ast.Attribute(ast.Name("math"), ast.unparse(node))
