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

from verify.report.text import flowed, in_words

WIDTH, HEIGHT = 360, 62
_LEFT, _RIGHT = 14.0, 346.0

#: A picture: its height, the edges of its plane, and the room of a label beside it.
_TALL, _TOP, _BOTTOM, _SIDE = 200, 20.0, 170.0, 246.0
_LINE, _LETTER, _LETTERS = 13.0, 7.2, 14
#: Mutants are drawn up to this many tolerances from the printed value, and at most so many.
_REACH, _DRAWN = 4.5, 6
#: Mutants of a bound are drawn up to this many times the distance of the interval's far end.
_BEYOND = 1.5
#: The height of a picture is at least so many times the last interval with what is claimed; it is
#: the smaller number for a contradiction, to tell two lines apart.
_ROOM = (2.2, 1.3)
#: Numbers beyond are told, not drawn.
_LARGEST = 1e200

Span = tuple[float, float]


@dataclass(frozen=True)
class Tick:
    """A position on an axis and its number."""

    at: float
    label: str


@dataclass(frozen=True)
class Bar:
    """Where things are drawn; *band* is the tolerance around the printed value, if there is one."""

    low: float
    high: float
    printed: float | None
    band: Span | None
    ticks: tuple[Tick, ...]


@dataclass(frozen=True)
class Level:
    """A value across a picture: its height, its label with a height of its own, and its name."""

    y: float
    label: str
    label_y: float
    name: str


@dataclass(frozen=True)
class Picture:
    """The band over the number of draws, between *upper* and *lower*, which have a point a look.

    They may reach beyond the plane and are clipped there. *stop* is where the last interval
    stands, and its upper and lower end. *tolerance* and *forbidden* (what a bound rules out) are
    an upper and a lower edge.
    """

    left: float
    upper: tuple[Span, ...]
    lower: tuple[Span, ...]
    stop: tuple[float, float, float]
    stopped: str
    printed: Level | None
    mutants: tuple[Level, ...]
    tolerance: Span | None
    forbidden: Span | None
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    top: float = _TOP
    bottom: float = _BOTTOM
    right: float = _SIDE
    width: int = WIDTH
    height: int = _TALL


@dataclass(frozen=True)
class Case:
    """A measured case in words, where the printed value lies, and a picture, a bar or neither.

    *error*: the probability that the interval misses, in words; empty if it is not known. *notes*
    say what the picture shows. *contradicts*: no value in the interval is claimed.
    """

    quantity: str
    at: str
    caption: str
    error: str
    notes: tuple[str, ...] = ()
    position: str = ""
    contradicts: bool = False
    picture: Picture | None = None
    bar: Bar | None = None


def cases(detail: Mapping[str, Any]) -> list[Case]:
    """The measured cases of an evidence; empty if it has none."""
    found = detail.get("cases", ())
    return [_case(item) for item in _rows(found) if isinstance(item, Mapping)]


# -- what a record says --------------------------------------------------------------------------


@dataclass(frozen=True)
class _Measured:
    """The numbers of a record that can be drawn. *side*: 1 for an upper bound, -1 for a lower.

    *stated*: the range of a printed value that speaks of measured factors, around its middle.
    """

    low: float
    high: float
    printed: float | None
    stated: tuple[float, float] | None
    tolerance: float | None
    side: int
    path: tuple[tuple[float, float, float], ...]
    mutants: tuple[tuple[str, float], ...]

    def excludes(self, value: float) -> bool:
        """Whether the last interval contradicts the statement that has *value*."""
        return (self.side >= 0 and self.low > value) or (self.side <= 0 and self.high < value)

    @property
    def contradicts(self) -> bool:
        known = self.side != 0 or self.tolerance is not None
        return known and self.nearest is not None and self.excludes(self.nearest)

    @property
    def nearest(self) -> float | None:
        """The printed value; of a range the point nearest to the interval."""
        if self.stated is None or self.printed is None:
            return self.printed
        return min(max(self.stated[0], self.low), self.stated[1])

    @property
    def position(self) -> str:
        """Where the printed value lies with respect to the interval."""
        if self.nearest is None:
            return ""
        if self.low <= self.nearest <= self.high:
            return "inside"
        return "below the interval" if self.nearest < self.low else "above the interval"

    @property
    def claimed(self) -> list[float]:
        """The printed value with its tolerance, as far as they are known."""
        if self.printed is None:
            return []
        reach = self.tolerance or 0.0
        return [self.printed - reach, self.printed, self.printed + reach]


def _case(item: Mapping[str, Any]) -> Case:
    ends = [_number(end) for end in _rows(item.get("interval"))]
    low, high = ends if len(ends) == 2 else (None, None)
    printed, tolerance = _number(item.get("printed")), _number(item.get("tolerance"))
    words = [f"measured {_shown(low)} to {_shown(high)}"]
    if "replicates" in item:
        words.append(f"{in_words(item['replicates'])} draws")
    stated = in_words(item.get("printed", "nothing")) if printed is None else _shown(printed)
    words.append(f"{_relation(item)} {stated}")
    if tolerance is not None:
        words.append(f"tolerance {_shown(tolerance, 3)}")
    told = Case(
        quantity=in_words(item.get("quantity", "measured")),
        at=in_words(item.get("at", "")),
        caption=", ".join(words),
        error=_error(item.get("error share")),
    )
    if low is None or high is None or low > high:
        return told
    if max(abs(number) for number in (low, high, printed or 0.0, tolerance or 0.0)) > _LARGEST:
        return told
    side = {"printed at most": 1, "at least": -1}.get(_relation(item), 0)
    known = tolerance if tolerance is not None and tolerance >= 0 and not side else None
    path, mutants = tuple(_path(item.get("path"))), tuple(_mutants(item.get("mutants")))
    it = _Measured(low, high, printed, _range(item.get("stated")), known, side, path, mutants)
    # A path that ends elsewhere is not the one that led to the interval.
    picture = _picture(it) if path and path[-1][1:] == (low, high) else None
    return replace(
        told,
        notes=(*_told(it, picture), *_needs(item)) if picture else (),
        position=it.position,
        contradicts=it.contradicts,
        picture=picture,
        bar=None if picture else _bar(it),
    )


def _range(found: object) -> tuple[float, float] | None:
    """Two ends in order."""
    ends = [_number(end) for end in _rows(found)]
    if len(ends) != 2 or ends[0] is None or ends[1] is None or ends[0] > ends[1]:
        return None
    return ends[0], ends[1]


def _path(found: object) -> Iterator[tuple[float, float, float]]:
    """The looks that are in order: the draws, and the ends of the interval."""
    before = 0.5
    for row in _rows(found):
        numbers = [_number(part) for part in _rows(row)]
        if len(numbers) != 3 or None in numbers:
            continue
        draws, low, high = (number or 0.0 for number in numbers)
        if draws > before and low <= high:
            before = draws
            yield draws, low, high


def _mutants(found: object) -> Iterator[tuple[str, float]]:
    """The mutants that have a value."""
    for row in _rows(found):
        parts = list(_rows(row))
        value = _number(parts[1]) if len(parts) == 2 else None
        if value is not None:
            yield in_words(parts[0]), value


# -- in words ------------------------------------------------------------------------------------


def _relation(item: Mapping[str, Any]) -> str:
    relation = item.get("relation")
    return flowed(relation) if isinstance(relation, str) and relation else "printed"


def _error(value: object) -> str:
    """A probability, rounded up to two digits."""
    error = _number(value)
    if error is None or not 1e-300 < error < 1:
        return ""
    unit = 10.0 ** (math.floor(math.log10(error)) - 1)
    return f"{math.ceil(error / unit - 1e-6) * unit:.2g}"


def _told(it: _Measured, picture: Picture) -> Iterator[str]:
    """What the picture shows."""
    draws, low, high = it.path[0]
    if len(it.path) > 1:
        yield (
            f"After {_count(draws)} draws the band was {_shown(low, 3)} to {_shown(high, 3)};"
            f" after {_count(it.path[-1][0])} it {_standing(it)}."
        )
    else:
        yield f"At its only look, after {_count(draws)} draws, the band {_standing(it)}."
    drawn = {level.name for level in picture.mutants}
    for head, wanted in (("Wrong statements excluded", True), ("Not excluded here", False)):
        names = [
            name if name in drawn else f"{name} (not drawn)"
            for name, value in ((_full(*mutant), mutant[1]) for mutant in it.mutants)
            if it.excludes(value) == wanted
        ]
        if names:
            yield f"{head}: {'; '.join(names)}."


def _standing(it: _Measured) -> str:
    """How the last interval stands to what is claimed."""
    if it.printed is None:
        return "has nothing to be compared with"
    if it.side:
        beyond, within = ("above", "below")[:: it.side]
        if it.contradicts:
            return f"lies wholly {beyond} the bound, where the claim says it cannot"
        clear = it.high <= it.printed if it.side > 0 else it.low >= it.printed
        return f"lies {within} the bound" if clear else "still holds the bound"
    if not it.low <= it.printed <= it.high:
        return "leaves the printed value outside"
    if it.tolerance is None:
        return "holds the printed value"
    inside = it.claimed[0] <= it.low and it.high <= it.claimed[-1]
    return f"{'lies inside' if inside else 'still reaches beyond'} the tolerance"


def _needs(item: Mapping[str, Any]) -> Iterator[str]:
    needs = item.get("needs")
    if isinstance(needs, str) and needs:
        yield f"Rests on {flowed(needs)}."


def _full(name: str, value: float) -> str:
    return f"{name} at {_shown(value, 4)}"


def _labels(names: Sequence[str]) -> list[str]:
    """Names cut to what fits beside a picture; at its end, where the beginnings are the same.

    Of "formula: what was done: the result" only what was done is kept.
    """
    cores = [parts[1] if len(parts := name.split(": ")) > 2 else parts[0] for name in names]
    cores = [core.removeprefix("the ") for core in cores]
    fits = _LETTERS - 1
    heads = [core if len(core) <= _LETTERS else f"{core[:fits].rstrip()}…" for core in cores]
    return [
        f"…{core[-fits:].lstrip()}" if head != core and heads.count(head) > 1 else head
        for head, core in zip(heads, cores, strict=True)
    ]


# -- the picture ---------------------------------------------------------------------------------


def _picture(it: _Measured) -> Picture:
    near = _near(it)
    start, stop = _window(it, [value for _, value in near])
    scale = list(_ticks(start, stop))
    left = min(90.0, 12 + _LETTER * max((len(label) for _, label in scale), default=0))
    x, x_ticks = _axis([draws for draws, _, _ in it.path], left)

    def y(value: float) -> float:
        share = min(max((value - start) / (stop - start), -20.0), 20.0)
        return round(_BOTTOM - share * (_BOTTOM - _TOP), 1)

    names = [_full(name, value) for name, value in near]
    labels = _labels([name for name, _ in near])
    heights = [y(value) for _, value in near]
    tolerance = forbidden = None
    if it.printed is not None:
        word, sign = (("printed", "="), ("at most", "≤"), ("at least", "≥"))[it.side]
        label = f"{word} {_shown(it.printed, 4)}"
        names.append(f"{word} {_shown(it.printed)}")
        labels.append(label if len(label) <= _LETTERS else label.replace(word, sign))
        heights.append(y(it.printed))
        if it.side:
            forbidden = (_TOP, heights[-1]) if it.side > 0 else (heights[-1], _BOTTOM)
        elif it.tolerance is not None:
            tolerance = (y(it.claimed[-1]), y(it.claimed[0]))
    levels = list(map(Level, heights, labels, _spread(heights, _TOP, _BOTTOM), names))
    upper = tuple((x(draws), y(high)) for draws, _, high in it.path)
    lower = tuple((x(draws), y(low)) for draws, low, _ in it.path)
    return Picture(
        left=left,
        upper=upper,
        lower=lower,
        stop=(*upper[-1], lower[-1][1]),
        stopped=f"stopped at {_count(it.path[-1][0])} draws",
        printed=None if it.printed is None else levels.pop(),
        mutants=tuple(levels),
        tolerance=tolerance,
        forbidden=forbidden,
        x_ticks=x_ticks,
        y_ticks=tuple(Tick(y(value), label) for value, label in scale),
    )


def _near(it: _Measured) -> list[tuple[str, float]]:
    """The mutants that are drawn, nearest first."""
    if it.printed is None:
        return []
    centre = it.printed
    reach = max(abs(it.low - centre), abs(it.high - centre), _REACH * (it.tolerance or 0.0))
    if it.side:
        reach *= _BEYOND  # the bounds that are too small lie just outside the last interval
    found = [mutant for mutant in it.mutants if abs(mutant[1] - centre) <= reach]
    return sorted(found, key=lambda mutant: abs(mutant[1] - centre))[:_DRAWN]


def _window(it: _Measured, shown: Sequence[float]) -> Span:
    """The values from the bottom to the top of the plane.

    What decides fills it: the last interval, what is claimed and the mutants that are shown. There
    is room around them to see the band come in, as far as it was ever there.
    """
    core = [it.low, it.high, *it.claimed]
    middle, half = (min(core) + max(core)) / 2, (max(core) - min(core)) / 2
    half *= _ROOM[it.contradicts]
    core += shown
    ever = [*core, *(end for _, *ends in it.path for end in ends)]
    start = max(min(*core, middle - half), min(ever))
    stop = min(max(*core, middle + half), max(ever))
    return _padded(start, stop, 0.06)


def _axis(draws: Sequence[float], left: float) -> tuple[Callable[[float], float], tuple[Tick, ...]]:
    """Positions on the logarithmic axis of draws, and its ticks; a single look is in the middle."""
    start, stop = math.log(draws[0]) - 0.03, math.log(draws[-1])

    def x(count: float) -> float:
        share = (math.log(count) - start) / (stop - start) if len(draws) > 1 else 0.5
        return round(left + share * (_SIDE - left), 1)

    within = [n for n in _round_counts(draws[-1]) if math.log(n) >= start]
    if len(draws) == 1 or len(within) < 2:
        return x, tuple(Tick(x(n), _count(n)) for n in sorted({draws[0], draws[-1]}))
    if len(within) > 5:
        within = [n for n in within if f"{n:e}".startswith("1")]
        within = within[:: -(-len(within) // 5)]
    return x, tuple(Tick(x(n), _count(n, short=True)) for n in within)


def _round_counts(stop: float) -> Iterator[float]:
    """1, 2, 5, 10, ... up to *stop*."""
    power = 1.0
    while power <= stop:
        yield from (power * factor for factor in (1, 2, 5) if power * factor <= stop)
        power *= 10


def _spread(heights: Sequence[float], top: float, bottom: float) -> list[float]:
    """Heights for labels: in the order of *heights*, a line apart, and as near to them as can be."""
    order = sorted(range(len(heights)), key=lambda i: heights[i])
    # Runs of labels that touch, each as [sum of what their first label wants, number].
    runs: list[list[float]] = []
    for place, i in enumerate(order):
        runs.append([heights[i] - place * _LINE, 1])
        while len(runs) > 1 and runs[-2][0] / runs[-2][1] > runs[-1][0] / runs[-1][1]:
            wish, number = runs.pop()
            runs[-1][0] += wish
            runs[-1][1] += number
    first = [run[0] / run[1] for run in runs for _ in range(int(run[1]))]
    most = bottom - (len(order) - 1) * _LINE
    found = {
        i: round(min(max(first[place], top), most) + place * _LINE, 1)
        for place, i in enumerate(order)
    }
    return [found[i] for i in range(len(heights))]


# -- the bar -------------------------------------------------------------------------------------


def _bar(it: _Measured) -> Bar:
    start, stop = _padded(
        min([it.low, it.high, *it.claimed]), max([it.low, it.high, *it.claimed]), 0.08
    )

    def x(value: float) -> float:
        return round(_LEFT + (value - start) / (stop - start) * (_RIGHT - _LEFT), 1)

    band = None
    if it.printed is not None and it.tolerance is not None:
        band = (x(it.claimed[0]), x(it.claimed[-1]))
    ticks = tuple(Tick(x(value), label) for value, label in _ticks(start, stop))
    return Bar(x(it.low), x(it.high), None if it.printed is None else x(it.printed), band, ticks)


# -- numbers -------------------------------------------------------------------------------------


def _padded(start: float, stop: float, part: float) -> Span:
    """A range with a margin; one of no width to speak of is made wide enough to be drawn."""
    margin = part * (stop - start)
    size = max(abs(start), abs(stop))
    if stop - start <= max(1e-9 * size, 1e-250):
        margin = 0.1 * size if size > 1e-200 else 1.0
    return start - margin, stop + margin


def _ticks(start: float, stop: float) -> Iterator[tuple[float, str]]:
    """Two to five round numbers in [start, stop]."""
    rough = (stop - start) / 5
    power = 10.0 ** math.floor(math.log10(rough))
    step = next((power * f for f in (1, 2, 2.5, 5) if power * f >= rough), power * 10)
    decimals = max(0, -math.floor(math.log10(step)) + (step / power == 2.5))
    large = max(abs(start), abs(stop)) >= 1e7 or decimals > 7
    for i in range(math.ceil(start / step), math.floor(stop / step) + 1):
        yield i * step, f"{i * step:.4g}" if large else f"{i * step:.{decimals}f}"


def _rows(found: object) -> Sequence[Any]:
    """The items of a list; nothing of what is none."""
    return found if isinstance(found, (list, tuple)) else ()


def _number(value: object) -> float | None:
    """A finite number, or None."""
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _shown(value: float | None, digits: int = 6) -> str:
    return "unknown" if value is None else f"{value:.{digits}g}"


def _count(number: float, *, short: bool = False) -> str:
    """A number of draws: 33,792, or 33.8k if *short* or large."""
    if number < (1e3 if short else 1e7):
        return f"{number:,.0f}"
    size = min(int(math.log10(number) / 3 + 1e-9), 4)
    return f"{number / 1000.0**size:.3g}{'kMGT'[size - 1]}"
