"""What all pictures share: their width, axes with round numbers on them, numbers and labels for them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from verify.typeset.unicode_math import unicode_math

Span: TypeAlias = tuple[float, float]

#: The width of a picture, in the units of its viewBox, and the height of a line of labels.
WIDTH, LINE = 360, 13.0


@dataclass(frozen=True)
class Tick:
    """A position on an axis and its number."""

    at: float
    label: str


def logarithmic(values: Span, ends: Span) -> Callable[[float], float]:
    """Positions on a logarithmic axis, by the *values* at its *ends*."""
    start, stop = map(math.log, values)

    def at(value: float) -> float:
        share = (math.log(value) - start) / (stop - start)
        return round(ends[0] + share * (ends[1] - ends[0]), 1)

    return at


def padded(start: float, stop: float, part: float) -> Span:
    """A range with a margin; one of no width to speak of is made wide enough to be drawn."""
    margin = part * (stop - start)
    size = max(abs(start), abs(stop))
    if stop - start <= max(1e-9 * size, 1e-250):
        margin = 0.1 * size if size > 1e-200 else 1.0
    return start - margin, stop + margin


def ticks(start: float, stop: float) -> Iterator[tuple[float, str]]:
    """Two to five round numbers in [start, stop], each with its label."""
    rough = (stop - start) / 5
    power = 10.0 ** math.floor(math.log10(rough))
    step = next((power * f for f in (1, 2, 2.5, 5) if power * f >= rough), power * 10)
    decimals = max(0, -math.floor(math.log10(step)) + (step / power == 2.5))
    large = max(abs(start), abs(stop)) >= 1e7 or decimals > 7
    for i in range(math.ceil(start / step), math.floor(stop / step) + 1):
        yield i * step, f"{i * step:.4g}" if large else f"{i * step:.{decimals}f}"


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


def spread(heights: Sequence[float], top: float, bottom: float) -> list[float]:
    """Heights for labels: in the order of *heights*, a line apart, and as near to them as can be."""
    order = sorted(range(len(heights)), key=lambda i: heights[i])
    # Runs of labels that touch, each as [sum of what their first label wants, number].
    runs: list[list[float]] = []
    for place, i in enumerate(order):
        runs.append([heights[i] - place * LINE, 1])
        while len(runs) > 1 and runs[-2][0] / runs[-2][1] > runs[-1][0] / runs[-1][1]:
            wish, count = runs.pop()
            runs[-1][0] += wish
            runs[-1][1] += count
    first = [run[0] / run[1] for run in runs for _ in range(int(run[1]))]
    most = bottom - (len(order) - 1) * LINE
    found = {
        i: round(min(max(first[place], top), most) + place * LINE, 1)
        for place, i in enumerate(order)
    }
    return [found[i] for i in range(len(heights))]
