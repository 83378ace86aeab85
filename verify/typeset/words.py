"""Plain words for all that is shown: printable, counted, shortened, in a sentence."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping

_MATH = re.compile(r"(?<!\\)\$(.+?)(?<!\\)\$", re.DOTALL)


#: Values within values beyond that are no record that a check makes.
_DEEPEST = 40


_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


#: Signs that nobody sees: without a width, or turning around what is read beside them.
_UNSEEN = re.compile("[\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
#: One of them as it is spelled, which LaTeX would take for an accent.
_SPELLED = re.compile(r"\\u(061c|200[b-f]|202[a-e]|2060|206[6-9]|feff)")


def printable(text: str) -> str:
    """The text without control characters and lone surrogates, which no report may hold, and with the
    numbers of signs that are not seen."""
    return spelled(_UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text))


def spelled(text: str) -> str:
    """The text with unseen signs as ``\\u202e``, which in JSON and in Python is the sign still."""
    return _UNSEEN.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)


def flowed(text: str) -> str:
    """Text that was wrapped in its source, on one line."""
    return " ".join(printable(text).split())


def segments(text: str, *, spaced: bool = False) -> list[tuple[bool, str]]:
    """The parts of a text that flows, each with whether it is LaTeX (it stood between dollars); the
    spaces of one that is *spaced* are kept."""
    parts: list[tuple[bool, str]] = []
    text, end = printable(text) if spaced else flowed(text), 0
    for match in _MATH.finditer(text):
        latex = _SPELLED.sub(r"\\mathrm{U\1}", match[1])
        parts += [(False, text[end : match.start()]), (True, latex)]
        end = match.end()
    return [part for part in [*parts, (False, text[end:])] if part[1]]


def shortened(text: str, width: int) -> str:
    """The text cut between words to at most *width* characters, with an ellipsis if it was cut."""
    text = flowed(text)
    if len(text) <= width:
        return text
    head = text[:width].rsplit(" ", 1)[0] if " " in text[:width] else text[: width - 1]
    return head[: width - 1].rstrip(" ,;") + "…"


def duration(seconds: float) -> str:
    """Seconds for a reader."""
    if not math.isfinite(seconds):
        return f"{seconds} s"
    if seconds < 0.0005:
        return "< 1 ms"
    if seconds < 0.095:
        return f"{1000 * seconds:.0f} ms"
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def counted(number: int, noun: str) -> str:
    """A number of things; one of them is no plural."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def listed(names: Iterable[str]) -> str:
    """a, b and c."""
    *before, last = names
    return f"{', '.join(before)} and {last}" if before else last


def in_words(value: object, *, within: int = 0) -> str:
    """A value of a counterexample on one line; *within* so many others, which has an end."""
    if within > _DEEPEST:
        return "…"
    if isinstance(value, Mapping):
        parts = (f"{name} = {in_words(item, within=within + 1)}" for name, item in value.items())
        return ", ".join(parts)
    if isinstance(value, (list, tuple)):
        return ", ".join(in_words(item, within=within + 1) for item in value)
    return flowed(str(value))
