"""Wrong statements near a measured value, as the key of its plot: letter, value, what was changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from verify.typeset.plain_math import plain_formula, plain_math


@dataclass(frozen=True)
class Nearby:
    """A wrong statement in words. *letter*: its name in the plot; empty if it lies beyond.

    *value* is what it states in place of the printed value, *standing* how the interval judges it.
    """

    letter: str
    name: str
    value: str
    standing: str

    @property
    def label(self) -> str:
        """What stands beside its line in the plot, or the value alone where it has none."""
        return f"{self.letter}: {self.value}" if self.letter else self.value

    @property
    def words(self) -> str:
        """What the key says behind the label."""
        return f"{'' if self.letter else ' (not drawn)'}, {self.name}; {self.standing}"


def names(mutants: Sequence[str]) -> list[str]:
    """The names of mutants for a reader who does not know what their formulas are called.

    Of "formula: what was done: the result" the name of the formula goes, unless two differ in it alone.
    """
    short = [_changed(name) for name in mutants]
    often = Counter(short)
    return [
        f"{name.split(': ')[0]}: {words}" if often[words] > 1 and name.count(": ") > 1 else words
        for name, words in zip(mutants, short, strict=True)
    ]


def standing(value: float, low: float, high: float, *, excluded: bool) -> str:
    """How far from the interval from *low* to *high* a *value* lies that it excludes."""
    if not excluded:
        return "not excluded here"
    side, gap = ("below", low - value) if value < low else ("above", value - high)
    return f"excluded: {float(f'{gap:.2g}'):g} {side} the interval"


def _changed(name: str) -> str:
    """What a mutant changes, and the formula that results."""
    parts = name.split(": ", 2)
    if len(parts) < 3:
        return plain_math(name)
    _, done, formula = parts
    return f"{done}: {plain_formula(formula)}"
