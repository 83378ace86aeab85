"""Nearby wrong statements: operators on the tree of a printed formula.

Each operator makes one typical slip: an index off by one, a factor lost or doubled, another power,
another symbol, a dropped term, a flipped sign, a neighbouring constant.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from verify.printed.formula import Formula


@dataclass(frozen=True)
class Slip:
    """A changed formula and what was done to it."""

    name: str
    formula: Formula


def slips(formula: Formula) -> Iterator[Slip]:
    """All single slips of *formula*, without repetition. Some may be equal to it as functions."""
    symbols = sorted({formula.node(p).head for p in formula.nodes() if _is_symbol(formula.node(p))})
    seen = {str(formula)}
    for path in formula.nodes():
        for name, node in _changes(formula.node(path), symbols):
            changed = formula.replace(path, node)
            if str(changed) not in seen:
                seen.add(str(changed))
                yield Slip(f"{name}: {changed}", changed)


def _is_symbol(node: Formula) -> bool:
    return not node.arguments and not node.is_number


def _changes(node: Formula, symbols: list[str]) -> Iterator[tuple[str, Formula]]:
    one, two = Formula("1"), Formula("2")
    if _is_symbol(node):
        yield f"{node} off by one", Formula("+", (node, one))
        yield f"{node} off by one", Formula("-", (node, one))
        for other in symbols:
            if other != node.head:
                yield f"{node} taken for {other}", Formula(other)
    elif node.is_number:
        value = int(node.head)
        for near in {value - 1, value + 1, 2 * value} - {value}:
            if near >= 0:
                yield f"{value} taken for {near}", Formula(str(near))
    elif node.head in "+-":
        left, right = node.arguments
        yield "sign flipped", Formula("-" if node.head == "+" else "+", (left, right))
        yield f"term {right} dropped", left
        if left.head != "0":
            yield f"term {left} dropped", right
    elif node.head == "**":
        yield "power lost", node.arguments[0]
    else:
        left, right = node.arguments
        yield "factor doubled", Formula("*", (two, node))
        yield f"{'divisor' if node.head == '/' else 'factor'} {right} lost", left
        if node.head == "*":
            yield f"factor {left} lost", right
