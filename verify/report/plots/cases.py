"""The measured cases of claims: in words, and each as a panel.

The band over the number of draws stands against what is printed and the nearest wrong statements; a case
whose looks are not recorded has its last interval alone. The caption says the same in words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from verify.drawing.palette import Role
from verify.drawing.picture import Axis, Band, Dots, Level, Panel, Shape, Strip
from verify.drawing.scale import Span, Tick, padded
from verify.records import tables
from verify.report.plots import words as plot_words
from verify.report.plots.measured import Measured, measured
from verify.report.plots.nearby import Nearby, names, standing
from verify.report.plots.words import Digits, count
from verify.typeset.plain_math import plain_math
from verify.typeset.words import in_words

#: Letters of the label of what is printed.
_LETTERS = 14
#: The height of a plane.
_TALL = 150.0
#: Mutants are drawn up to this many tolerances from the printed value, and at most so many.
_REACH, _DRAWN = 4.5, 6
#: Mutants of a bound are drawn up to this many times the distance of the interval's far end.
_BEYOND = 1.5
#: Where a bound is far, its mutants are drawn up to so many widths of the interval from it.
_AROUND = 3.0
#: The height of a picture is at least so many times the last interval with what is claimed; it is
#: the smaller number for a contradiction, to tell two lines apart.
_ROOM = (2.2, 1.3)


@dataclass(frozen=True)
class Case:
    """A measured case in words, where the printed value lies, and a panel if it can be drawn.

    *looks*: how many led to the interval. *stated* is what the claim does with its value, "printed"
    or "stated". *error*: the probability that the interval misses, in words; empty if it is not known.
    *notes* say what the panel shows, *wrong* which statements nearby are told from the printed one.
    *contradicts*: no value in the interval is claimed.
    """

    quantity: str
    at: str
    caption: str
    error: str
    stated: str = "printed"
    notes: tuple[str, ...] = ()
    wrong: tuple[Nearby, ...] = ()
    position: str = ""
    contradicts: bool = False
    looks: int = 0
    panel: Panel | None = None

    @property
    def roles(self) -> set[Role]:
        """What is to be seen in the panel beside the interval."""
        if self.panel is None:
            return set()
        return {s.role for s in self.panel.strips} | {m.role for m in self.panel.levels}

    @property
    def broken(self) -> bool:
        """Whether the axis is broken before a bound that is far."""
        return self.panel is not None and self.panel.y.behind is not None


def cases(detail: Mapping[str, Any], id_: str = "") -> list[Case]:
    """The measured cases of an evidence for the claim *id_*; empty if it has none."""
    word = plot_words.stated(id_)
    return [_case(item, word) for item in tables(detail.get("cases"))]


def _case(item: Mapping[str, Any], word: str) -> Case:
    it = measured(item)
    told = Case(
        quantity=plot_words.name(item.get("quantity", "measured")),
        at=plain_math(in_words(item.get("at", ""))),
        caption=plot_words.caption(item, it, word),
        error=plot_words.error(item.get("error share")),
        stated=word,
    )
    if it is None:
        return told
    # A path that ends elsewhere is not the one that led to the interval.
    if it.path and it.path[-1][1:] != (it.low, it.high):
        it = replace(it, path=())
    near = _near(it)
    wrong = tuple(_wrong(it, near))
    drawn = [(w.label, value) for w, (_, value) in zip(wrong, near, strict=False)]
    return replace(
        told,
        position=plot_words.position(it, word),
        contradicts=it.contradicts,
        notes=tuple(plot_words.notes(item, it, word)),
        wrong=wrong,
        looks=len(it.path),
        panel=_panel(it, plot_words.axis_name(told.quantity), word, drawn),
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


# -- the panel -----------------------------------------------------------------------------------


def _panel(it: Measured, name: str, word: str, near: Sequence[tuple[str, float]]) -> Panel:
    """The panel with the labels and values of the mutants *near* what is claimed, from above."""
    levels = [Level(label, value, Role.WRONG, label) for label, value in near]
    strips: tuple[Strip, ...] = ()
    if it.printed is not None:
        role = Role.REFUTED if it.contradicts else Role.PRINTED
        levels.append(Level(word, it.printed, role, _printed(it, word)))
        if it.side:
            ends = (it.printed, None) if it.side > 0 else (None, it.printed)
            strips = (Strip(Role.EXCLUDED, *ends),)
        elif it.tolerance is not None:
            strips = (Strip(Role.ALLOWED, it.claimed[0], it.claimed[-1]),)
    draws = [n for n, _, _ in it.path] or [1.0]
    low, high = [a for _, a, _ in it.path], [b for _, _, b in it.path]
    stop = Dots("", Role.MEASURED, draws[-1:], [it.low], [it.low], [it.high], Shape.STOP)
    dots = [stop]
    if it.contradicts and it.printed is not None:
        dots.append(Dots("", Role.REFUTED, draws[-1:], [it.printed], shape=Shape.CROSS))
    return Panel(
        title=name,
        x=_draws(it),
        y=Axis(name, span=_window(it, near), behind=it.printed if it.far else None),
        bands=(Band("", Role.MEASURED, draws, (), low, high),) if len(it.path) > 1 else (),
        strips=strips,
        levels=levels,
        dots=dots,
        tall=_TALL,
    )


def _printed(it: Measured, word: str) -> str:
    """The label of the printed value, or of the bound; with a sign for words where it is long."""
    word, sign = ((word, "="), ("at most", "≤"), ("at least", "≥"))[it.side]
    value = Digits(it).value(it.printed or 0.0)
    for label in (f"{word} {value}", f"{sign} {value}"):
        if len(label) <= _LETTERS:
            return label
    return f"{sign} {plot_words.short(it.printed, 4)}"


def _window(it: Measured, near: Sequence[tuple[str, float]]) -> Span:
    """The values from the bottom to the top of the plane.

    What decides fills it: the last interval, what is claimed and the mutants that are shown, but no
    bound that is far. There is room around them to see the band come in, as far as it was ever there.
    """
    core = [it.low, it.high, *([] if it.far else it.claimed)]
    middle, half = (min(core) + max(core)) / 2, (max(core) - min(core)) / 2
    half *= _ROOM[it.contradicts]
    core += [value for _, value in near]
    ever = [*core, *(end for _, *ends in it.path for end in ends)]
    start = max(min(*core, middle - half), min(ever))
    stop = min(max(*core, middle + half), max(ever))
    return padded(start, stop, 0.06)


def _draws(it: Measured) -> Axis:
    """The axis of draws, which ends where they stopped; a single look is in the middle."""
    if not it.path:
        return Axis(ticks=())
    start, stop = it.path[0][0], it.path[-1][0]
    if len(it.path) == 1:
        return Axis("draws, a single look", ticks=[Tick(stop, count(stop))])
    return Axis(
        f"draws (log), stopped at {count(stop)}",
        log=True,
        span=(0.97 * start, stop),
        write=partial(count, brief=True),
    )
