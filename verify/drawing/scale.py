"""Places of values on linear and logarithmic axes, the round numbers there, and how they are written."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, count
from typing import TypeAlias

from verify.typeset.unicode_math import unicode_math

Span: TypeAlias = tuple[float, float]
#: How a value is written; None for plain numbers.
Write: TypeAlias = Callable[[float], str] | None

#: Between these, a logarithmic axis has round numbers as a linear one.
_SHORT = 2.0
#: What stands on a logarithmic axis, from fine to coarse; coarser are powers of ten alone.
_MANTISSAS = ((1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8), (1, 1.5, 2, 3, 5, 7), (1, 2, 5))
#: A value outside its axis is placed so many lengths of the axis away at most.
_AWAY = 20.0
#: What is so near to the end of an axis is on it.
_NEAR = 1e-9


@dataclass(frozen=True)
class Tick:
    """A value on an axis, its number, and what stands below that."""

    at: float
    label: str
    more: str = ""


def placing(span: Span, ends: Span, *, log: bool) -> Callable[[float], float]:
    """Where a value stands on an axis whose *ends* are the values of *span*."""
    start, stop = map(math.log, span) if log else span

    def place(value: float) -> float:
        if log and value <= 0:
            share = -_AWAY
        else:
            share = ((math.log(value) if log else value) - start) / (stop - start)
        share = min(max(share, -_AWAY), _AWAY)
        return round(ends[0] + share * (ends[1] - ends[0]), 1)

    return place


def padded(start: float, stop: float, part: float, *, log: bool = False) -> Span:
    """A range with a margin; one of no width to speak of is made wide enough to be drawn."""
    if log:
        low, high = padded(math.log(start), math.log(stop), part)
        return math.exp(low), math.exp(high)
    margin = part * (stop - start)
    size = max(abs(start), abs(stop))
    if stop - start <= max(1e-9 * size, 1e-250):
        margin = 0.1 * size if size > 1e-200 else 1.0
    return start - margin, stop + margin


def round_ticks(span: Span, *, log: bool, write: Write = None) -> Iterator[list[Tick]]:
    """Round numbers within *span*, from fine to coarse, at last no two of them."""
    long = log and span[1] / span[0] >= _SHORT
    for found in _logarithmic(*span) if long else _linear(*span):
        yield [Tick(at, write(at) if write else typeset(label)) for at, label in found]


def _linear(start: float, stop: float) -> Iterator[list[tuple[float, str]]]:
    for most in range(5, 0, -1):
        rough = (stop - start) / most
        power = 10.0 ** math.floor(math.log10(rough))
        step = next((power * f for f in (1, 2, 2.5, 5) if power * f >= rough), power * 10)
        decimals = max(0, -math.floor(math.log10(step)) + (step / power == 2.5))
        large = max(abs(start), abs(stop)) >= 1e7 or decimals > 7
        digits = ".4g" if large else f",.{decimals}f"
        places = range(math.ceil(start / step - _NEAR), math.floor(stop / step + _NEAR) + 1)
        yield [(i * step, f"{i * step:{digits}}") for i in places]
    yield []


def _logarithmic(start: float, stop: float) -> Iterator[list[tuple[float, str]]]:
    powers = range(math.floor(math.log10(start)), math.ceil(math.log10(stop)) + 1)
    fine = [[m * 10.0**n for n in powers for m in several] for several in _MANTISSAS]
    coarse = ([10.0**n for n in powers if n % step == 0] for step in count(1))
    low, high = start / (1 + _NEAR), stop * (1 + _NEAR)
    for values in chain(fine, coarse):
        yield [(value, f"{value:,g}") for value in values if low <= value <= high]


def typeset(label: str) -> str:
    """A number with its power of ten raised: 2e+09 as 2·10⁹."""
    head, power, exponent = label.partition("e")
    if not power:
        return label.replace("-", "\N{MINUS SIGN}")
    raised = unicode_math(f"10^{{{int(exponent)}}}")
    return raised if head == "1" else f"{typeset(head)}\N{MIDDLE DOT}{raised}"


def figure(value: float) -> str:
    """Three digits, in full up to a million."""
    return typeset(f"{float(f'{value:.3g}'):.6g}")
