"""What a plot of a measured case says in words, with as many digits of each number as matter."""

# ruff: noqa: RUF001  (a sign that looks like a letter is how an expectation is written)

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Any

from verify.records import number, rows
from verify.report.plots.measured import Measured, side_of
from verify.typeset.plain_math import plain_math
from verify.typeset.words import flowed, in_words, shortened

#: More decimals than that, or larger numbers, are shown in powers of ten.
_DECIMALS, _LARGE = 8, 1e6
#: Letters of a name that fit above a plot.
_ABOVE = 48
#: Parts of the ids of statements that no paper prints.
_OWN = {"corrected", "explicit"}
#: An expectation without brackets, which plain_math cannot tell from a name.
_EXPECTED = re.compile(r"(?<![\w.])E(?=[ <⟨]|$)")


class Digits:
    """How the numbers of a case are shown: to a tenth of the interval's half-width, roughly.

    There are more decimals where the printed value would else seem to lie on another side.
    """

    def __init__(self, it: Measured) -> None:
        half = (it.high - it.low) / 2
        fits = half > 10.0**-_DECIMALS and max(abs(it.low), abs(it.high)) < _LARGE
        self._decimals = max(0, 1 - math.floor(math.log10(half))) if fits else None
        while self._decimals is not None and not self._faithful(it):
            self._decimals = self._decimals + 1 if self._decimals < _DECIMALS else None

    def value(self, value: float, *, away: float = 0.0) -> str:
        """A value that is claimed: a decimal more; fewer if it is *away* from the printed one."""
        if self._decimals is None or abs(value) >= _LARGE:
            return short(value)
        decimals = self._decimals + 1
        if away > 0:
            decimals = min(decimals, max(0, 2 - math.floor(math.log10(away))))
        return _plain(Decimal(f"{value:.{decimals}f}"))

    def interval(self, low: float, high: float) -> str:
        """An interval, never smaller than it is."""
        decimals = self._decimals
        if decimals is None or max(abs(low), abs(high)) >= _LARGE:
            return f"{short(low)} to {short(high)}"
        return (
            f"{_rounded(low, decimals, ROUND_FLOOR)} to {_rounded(high, decimals, ROUND_CEILING)}"
        )

    def _faithful(self, it: Measured) -> bool:
        """Whether what is shown of the printed value stands to the interval as the value does."""
        if it.nearest is None or self._decimals is None or abs(it.nearest) >= _LARGE:
            return True
        low, high = map(float, self.interval(it.low, it.high).split(" to "))
        shown = float(self.value(it.nearest))
        return (low <= shown, shown <= high) == (it.low <= it.nearest, it.nearest <= it.high)


def short(value: float | None, digits: int = 6) -> str:
    """A number with so many digits."""
    return "unknown" if value is None else f"{value:.{digits}g}"


def count(draws: float, *, brief: bool = False) -> str:
    """A number of things: 33,792, or 33.8k if *brief* or large."""
    if draws < (1e3 if brief else 1e7):
        return f"{draws:,.0f}"
    size = min(int(math.log10(draws) / 3 + 1e-9), 4)
    return f"{draws / 1000.0**size:.3g}{'kMGT'[size - 1]}"


def stated(id_: str) -> str:
    """What a claim does with its value: a paper prints it, or it is stated here."""
    return "printed" if _OWN.isdisjoint(id_.split(".")) else "stated"


def name(quantity: object) -> str:
    """A measured quantity, in Unicode."""
    return _typeset(in_words(quantity))


def axis_name(quantity: str) -> str:
    """A quantity without the cases that follow it behind a comma, cut to what fits above a plot."""
    head, *others = quantity.split(", ")
    for part in others:
        # A comma inside of brackets parts nothing.
        if _opened(head) <= 0:
            break
        head = f"{head}, {part}"
    return shortened(head, _ABOVE)


def error(value: object) -> str:
    """A probability, rounded up to two digits; empty if it is not known."""
    found = number(value)
    if found is None or not 1e-300 < found < 1:
        return ""
    unit = 10.0 ** (math.floor(math.log10(found)) - 1)
    return f"{math.ceil(found / unit - 1e-6) * unit:.2g}"


def caption(item: Mapping[str, Any], it: Measured | None, word: str) -> str:
    """What was measured and what is claimed of it, in that *word*; without *it*, as the record says."""
    printed, tolerance = number(item.get("printed")), number(item.get("tolerance"))
    draws = number(item.get("replicates"))
    if it is None:
        ends = [number(end) for end in rows(item.get("interval"))]
        low, high = ends if len(ends) == 2 else (None, None)
        words = f"Measured {short(low)} to {short(high)}"
    else:
        words = f"Measured {Digits(it).interval(it.low, it.high)}"
    if draws is not None and draws >= 1:
        words += f" from {count(draws)} draws"
    elif "replicates" in item:
        words += f" from {in_words(item['replicates'])} draws"
    if printed is None:
        value = in_words(item.get("printed", "nothing"))
    else:
        value = short(printed) if it is None else Digits(it).value(printed)
    words += f"; {(word, 'at most', 'at least')[side_of(item)]} {value}"
    if tolerance is not None:
        words += f", tolerance {short(tolerance, 3)}"
    return f"{words}."


def position(it: Measured, word: str) -> str:
    """Where what is claimed lies with respect to the interval."""
    if it.side and it.printed is not None:
        return f"interval {_beside_bound(it)}"
    return f"{word} value {it.position}" if it.position else ""


def notes(item: Mapping[str, Any], it: Measured, word: str) -> Iterator[str]:
    """How the band stands to what is claimed, and what it rests on; or what stands for it."""
    if not it.path:
        yield _bar_key(it, word)
        return
    draws, low, high = it.path[0]
    if len(it.path) > 1:
        yield (
            f"The band {_standing(it, word)}; after {count(draws)} draws it was "
            f"{short(low, 3)} to {short(high, 3)}."
        )
    else:
        yield f"At its only look, after {count(draws)} draws, the band {_standing(it, word)}."
    needs = item.get("needs")
    if isinstance(needs, str) and needs:
        yield f"Rests on {_typeset(flowed(needs))}."


def _bar_key(it: Measured, word: str) -> str:
    """What the parts of a bar are."""
    parts = ["Bar: measured"]
    if it.printed is not None:
        parts.append(f"line: {'the bound' if it.side else word}")
        if it.tolerance is not None:
            parts.append("within dashes: the tolerance")
    return f"{'; '.join(parts)}."


def _standing(it: Measured, word: str) -> str:
    """How the last interval stands to what is claimed."""
    if it.printed is None:
        return "has nothing to be compared with"
    if it.side:
        return f"is {_beside_bound(it)}"
    if not it.low <= it.printed <= it.high:
        return f"leaves the {word} value outside"
    if it.tolerance is None:
        return f"holds the {word} value"
    inside = it.claimed[0] <= it.low and it.high <= it.claimed[-1]
    return f"{'lies inside' if inside else 'still reaches beyond'} the tolerance"


def _beside_bound(it: Measured) -> str:
    if it.printed is None:
        return ""
    if it.contradicts:
        return f"wholly {'above' if it.side > 0 else 'below'} the bound, which it refutes"
    clear = it.high <= it.printed if it.side > 0 else it.low >= it.printed
    return "clear of the bound" if clear else "not clear of the bound"


def _typeset(text: str) -> str:
    return _EXPECTED.sub("𝔼", plain_math(text))


def _opened(text: str) -> int:
    """How many brackets of a text are still open."""
    return sum(map(text.count, "([{<⟨")) - sum(map(text.count, ")]}>⟩"))


def _rounded(value: float, decimals: int, rounding: str) -> str:
    # The digits of the number as it is written, not of the binary one that it is.
    return _plain(Decimal(repr(value)).quantize(Decimal(1).scaleb(-decimals), rounding))


def _plain(value: Decimal) -> str:
    """A decimal number without zeros at its end, and no negative zero."""
    text = f"{value:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text
