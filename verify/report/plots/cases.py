"""Geometry of the plots of measured cases, in the units of an SVG viewBox.

A case whose looks are recorded is a picture: the band over the number of draws, against what is
printed and the nearest wrong statements. Any other is a bar on an axis. The templates draw what is
computed here, and the caption says the same in words.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from verify.drawing.axes import WIDTH, Span, Tick, padded, spread, ticks
from verify.records import tables
from verify.report.plots import words as plot_words
from verify.report.plots.measured import Measured, measured
from verify.report.plots.nearby import Nearby, names, standing
from verify.report.plots.words import Digits, count
from verify.typeset.plain_math import plain_math
from verify.typeset.words import in_words

#: A bar: its height, and the edges of its plane.
_FLAT, _LEFT, _RIGHT = 78, 14.0, 346.0

#: A picture: its height, and the edges of its plane; the right one leaves room for labels beside it.
_TALL, _TOP, _BOTTOM, _WIDEST = 212, 21.0, 171.0, 296.0
_LETTER, _BOLD, _LETTERS = 7.2, 8.0, 14
#: Mutants are drawn up to this many tolerances from the printed value, and at most so many.
_REACH, _DRAWN = 4.5, 6
#: Mutants of a bound are drawn up to this many times the distance of the interval's far end.
_BEYOND = 1.5
#: Where a bound is far, its mutants are drawn up to so many widths of the interval from it.
_AROUND = 3.0
#: A bound behind a break of the axis stands so far inside the plane, and the break so far from it.
_INSET, _BREAK = 10.0, 22.0
#: The height of a picture is at least so many times the last interval with what is claimed; it is
#: the smaller number for a contradiction, to tell two lines apart.
_ROOM = (2.2, 1.3)


@dataclass(frozen=True)
class Bar:
    """Where things are drawn; *band* is the tolerance around the printed value, if there is one."""

    low: float
    high: float
    printed: float | None
    band: Span | None
    ticks: tuple[Tick, ...]
    width: int = WIDTH
    height: int = _FLAT


@dataclass(frozen=True)
class Level:
    """A value across a picture: its height, and its label with a height of its own."""

    y: float
    label: str
    label_y: float


@dataclass(frozen=True)
class Picture:
    """The band over the number of draws, between *upper* and *lower*, which have a point a look.

    They may reach beyond the plane and are clipped there. *stop* is where the last interval
    stands, and its upper and lower end. *tolerance* and *forbidden* (what a bound rules out) are
    an upper and a lower edge. *draws* is the name of the axis to the right. A *gap* breaks the axis,
    before a bound that is too far away: its upper and lower edge; *inner* is the plane without what
    lies behind it.
    """

    left: float
    right: float
    upper: tuple[Span, ...]
    lower: tuple[Span, ...]
    stop: tuple[float, float, float]
    draws: str
    printed: Level | None
    mutants: tuple[Level, ...]
    tolerance: Span | None
    forbidden: Span | None
    inner: Span
    gap: Span | None
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    top: float = _TOP
    bottom: float = _BOTTOM
    width: int = WIDTH
    height: int = _TALL


@dataclass(frozen=True)
class Case:
    """A measured case in words, where the printed value lies, and a picture, a bar or neither.

    *name* is the quantity as an axis has it. *stated* is what the claim does with its value, "printed"
    or "stated". *error*: the probability that the interval misses, in
    words; empty if it is not known. *notes* say what the picture shows, *wrong* which statements
    nearby are told from the printed one. *contradicts*: no value in the interval is claimed.
    """

    quantity: str
    name: str
    at: str
    caption: str
    error: str
    stated: str = "printed"
    notes: tuple[str, ...] = ()
    wrong: tuple[Nearby, ...] = ()
    position: str = ""
    contradicts: bool = False
    picture: Picture | None = None
    bar: Bar | None = None


def cases(detail: Mapping[str, Any], id_: str = "") -> list[Case]:
    """The measured cases of an evidence for the claim *id_*; empty if it has none."""
    word = plot_words.stated(id_)
    return [_case(item, word) for item in tables(detail.get("cases"))]


def _case(item: Mapping[str, Any], word: str) -> Case:
    it = measured(item)
    quantity = plot_words.name(item.get("quantity", "measured"))
    told = Case(
        quantity=quantity,
        name=plot_words.axis_name(quantity),
        at=plain_math(in_words(item.get("at", ""))),
        caption=plot_words.caption(item, it, word),
        error=plot_words.error(item.get("error share")),
        stated=word,
    )
    if it is None:
        return told
    told = replace(told, position=plot_words.position(it, word), contradicts=it.contradicts)
    # A path that ends elsewhere is not the one that led to the interval.
    if not it.path or it.path[-1][1:] != (it.low, it.high):
        return replace(told, notes=(plot_words.bar_key(it, word),), bar=_bar(it))
    near = _near(it)
    wrong = tuple(_wrong(it, near))
    return replace(
        told,
        notes=tuple(plot_words.notes(item, it, word)),
        wrong=wrong,
        picture=_picture(
            it, word, [value for _, value in near], [w.label for w in wrong if w.letter]
        ),
    )


# -- wrong statements ----------------------------------------------------------------------------


def _near(it: Measured) -> list[tuple[str, float]]:
    """The mutants that are drawn, from the highest value to the lowest."""
    if it.printed is None:
        return []
    if it.far:
        # The bound is behind a break of the axis; so are statements far from the interval.
        start = it.high if it.side > 0 else it.low
        return _nearest(it, start, _AROUND * (it.high - it.low))
    centre = it.printed
    reach = max(abs(it.low - centre), abs(it.high - centre), _REACH * (it.tolerance or 0.0))
    if it.side:
        reach *= _BEYOND  # the bounds that are too small lie just outside the last interval
    return _nearest(it, centre, reach)


def _nearest(it: Measured, centre: float, reach: float) -> list[tuple[str, float]]:
    found = [mutant for mutant in it.mutants if abs(mutant[1] - centre) <= reach]
    nearest = sorted(found, key=lambda mutant: abs(mutant[1] - centre))[:_DRAWN]
    return sorted(nearest, key=lambda mutant: -mutant[1])


def _wrong(it: Measured, near: Sequence[tuple[str, float]]) -> Iterator[Nearby]:
    """All mutants in words: those *near* with their letters, then the others."""
    digits = Digits(it)
    beyond = [mutant for mutant in it.mutants if mutant not in near]
    told = [*near, *beyond]
    for i, (name, (_, value)) in enumerate(zip(names([m[0] for m in told]), told, strict=True)):
        yield Nearby(
            letter="abcdef"[i] if i < len(near) else "",
            name=name,
            value=digits.value(value, away=_away(it, value)),
            standing=standing(value, it.low, it.high, excluded=it.excludes(value)),
        )


def _away(it: Measured, value: float) -> float:
    """How far a value is from what it may seem to be: printed, or an end of the interval."""
    return min(abs(value - spot) for spot in (it.printed or 0.0, it.low, it.high))


# -- the picture ---------------------------------------------------------------------------------


def _picture(it: Measured, word: str, mutants: Sequence[float], labels: Sequence[str]) -> Picture:
    """The picture with *mutants*, whose values go down, and what stands beside each."""
    start, stop = _window(it, mutants)
    scale = list(ticks(start, stop))
    left = min(90.0, 12 + _LETTER * max((len(label) for _, label in scale), default=0))

    top, bottom, gap = _TOP, _BOTTOM, None
    if it.far and it.side > 0:
        top, gap = _TOP + _BREAK, (_TOP + _BREAK - 6, _TOP + _BREAK)
    elif it.far:
        bottom, gap = _BOTTOM - _BREAK, (_BOTTOM - _BREAK, _BOTTOM - _BREAK + 6)

    def y(value: float) -> float:
        share = min(max((value - start) / (stop - start), -20.0), 20.0)
        return round(bottom - share * (bottom - top), 1)

    labels, heights = list(labels), [y(value) for value in mutants]
    tolerance = forbidden = None
    if it.printed is not None:
        labels.append(_printed(it, word))
        behind = _TOP + _INSET if it.side > 0 else _BOTTOM - _INSET
        heights.append(behind if it.far else y(it.printed))
        if it.side:
            forbidden = (_TOP, heights[-1]) if it.side > 0 else (heights[-1], _BOTTOM)
        elif it.tolerance is not None:
            tolerance = (y(it.claimed[-1]), y(it.claimed[0]))
    levels = list(map(Level, heights, labels, spread(heights, _TOP, _BOTTOM)))
    right = min(_WIDEST, round(WIDTH - 10 - _BOLD * max(map(len, labels), default=0), 1))
    x, x_ticks = _axis([draws for draws, _, _ in it.path], left, right)
    upper = tuple((x(draws), y(high)) for draws, _, high in it.path)
    lower = tuple((x(draws), y(low)) for draws, low, _ in it.path)
    return Picture(
        left=left,
        right=right,
        upper=upper,
        lower=lower,
        stop=(*upper[-1], lower[-1][1]),
        draws=(
            f"draws (log), stopped at {count(it.path[-1][0])}"
            if len(it.path) > 1
            else "draws, a single look"
        ),
        printed=None if it.printed is None else levels.pop(),
        mutants=tuple(levels),
        tolerance=tolerance,
        forbidden=forbidden,
        inner=(top, bottom),
        gap=gap,
        x_ticks=x_ticks,
        y_ticks=tuple(Tick(y(value), label) for value, label in scale),
    )


def _printed(it: Measured, word: str) -> str:
    """The label of the printed value, or of the bound; with a sign for words where it is long."""
    word, sign = ((word, "="), ("at most", "≤"), ("at least", "≥"))[it.side]
    value = Digits(it).value(it.printed or 0.0)
    for label in (f"{word} {value}", f"{sign} {value}"):
        if len(label) <= _LETTERS:
            return label
    return f"{sign} {plot_words.short(it.printed, 4)}"


def _window(it: Measured, shown: Sequence[float]) -> Span:
    """The values from the bottom to the top of the plane.

    What decides fills it: the last interval, what is claimed and the mutants that are shown, but no
    bound that is far. There is room around them to see the band come in, as far as it was ever there.
    """
    core = [it.low, it.high, *([] if it.far else it.claimed)]
    middle, half = (min(core) + max(core)) / 2, (max(core) - min(core)) / 2
    half *= _ROOM[it.contradicts]
    core += shown
    ever = [*core, *(end for _, *ends in it.path for end in ends)]
    start = max(min(*core, middle - half), min(ever))
    stop = min(max(*core, middle + half), max(ever))
    return padded(start, stop, 0.06)


def _axis(
    draws: Sequence[float], left: float, right: float
) -> tuple[Callable[[float], float], tuple[Tick, ...]]:
    """Positions on the logarithmic axis of draws, and its ticks; a single look is in the middle."""
    start, stop = math.log(draws[0]) - 0.03, math.log(draws[-1])

    def x(drawn: float) -> float:
        share = (math.log(drawn) - start) / (stop - start) if len(draws) > 1 else 0.5
        return round(left + share * (right - left), 1)

    within = [n for n in _round_counts(draws[-1]) if math.log(n) >= start]
    if len(draws) == 1 or len(within) < 2:
        return x, tuple(Tick(x(n), count(n)) for n in sorted({draws[0], draws[-1]}))
    if len(within) > 5:
        within = [n for n in within if f"{n:e}".startswith("1")]
        within = within[:: -(-len(within) // 5)]
    return x, tuple(Tick(x(n), count(n, brief=True)) for n in within)


def _round_counts(stop: float) -> Iterator[float]:
    """1, 2, 5, 10, ... up to *stop*."""
    power = 1.0
    while power <= stop:
        yield from (power * factor for factor in (1, 2, 5) if power * factor <= stop)
        power *= 10


# -- the bar -------------------------------------------------------------------------------------


def _bar(it: Measured) -> Bar:
    start, stop = padded(
        min([it.low, it.high, *it.claimed]), max([it.low, it.high, *it.claimed]), 0.08
    )

    def x(value: float) -> float:
        return round(_LEFT + (value - start) / (stop - start) * (_RIGHT - _LEFT), 1)

    band = None
    if it.printed is not None and it.tolerance is not None:
        band = (x(it.claimed[0]), x(it.claimed[-1]))
    scale = tuple(Tick(x(value), label) for value, label in ticks(start, stop))
    return Bar(x(it.low), x(it.high), None if it.printed is None else x(it.printed), band, scale)
