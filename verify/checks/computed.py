"""Checks of values computed without sampling: each is compared with what is stated, and every comparison
says how much it allows, and why.

A comparison is made by the form that fits, `within`, `at_least`, `at_most`, `in_order` or
`no_difference`, or written out as a `Comparison` and put to `compared`. What was allowed stands in the
evidence's detail.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from verify.claim import Evidence
from verify.verdict import Verdict

#: The name under which a detail holds comparisons.
NAME = "comparisons"
#: How many comparisons a long record names.
_SHOWN = 20
#: Words, what was computed, and between which values it is stated to lie.
Computed: TypeAlias = tuple[str, float, float, float]
#: Words, what must not exceed, and what: numbers, or arrays that broadcast.
Sides: TypeAlias = tuple[str, Any, Any]


@dataclass(frozen=True)
class Slack:
    """What a comparison allows and *why*: *relative* to a size that it names, and *absolute*.

    Below 0 it is what a comparison demands beyond what is stated, such as to be seen above 0.
    """

    why: str
    relative: float = 0.0
    absolute: float = 0.0

    def of(self, size: Any) -> Any:
        """What is allowed beside a size."""
        return self.relative * size + self.absolute if self.relative else self.absolute

    def rule(self, size: str) -> str:
        """What is allowed, in words."""
        parts = [f"{_short(self.relative)} of {size}"] if self.relative else []
        parts += [f"{_short(self.absolute)} absolute"] if self.absolute else []
        return " and ".join(parts) or "nothing"


def _short(amount: float) -> str:
    return f"{amount:g}".replace("e-0", "e-")


#: Where values are compared as they are.
NOTHING = Slack("the values as they are")


def rounding(relative: float = 0.0, absolute: float = 0.0) -> Slack:
    """What float64 may add."""
    return Slack("rounding of float64", relative, absolute)


def integration(relative: float) -> Slack:
    """What solving the flow with relative error 1e-10 a step may add."""
    return Slack("tolerance of the integrator", relative)


@dataclass(frozen=True)
class Comparison:
    """A value that is stated to lie from *low* to *high*, and what is allowed beyond.

    *size*: what the slack is relative to, in words and its amount. *step*: how the record says it, by
    default the *words*; *wrong*: how, if it does not hold; *where*: for what it is refuted then. *also*:
    what the same step says besides.
    """

    words: str
    value: float
    low: float
    high: float
    slack: Slack
    size: tuple[str, float] = ("1", 1.0)
    step: str = ""
    wrong: str = ""
    where: str = ""
    also: tuple[Comparison, ...] = ()

    @property
    def allowed(self) -> float:
        return float(self.slack.of(self.size[1]))

    @property
    def holds(self) -> bool:
        """Whether the value lies where it is stated to; NaN lies nowhere."""
        above, below = self.value - self.high, self.low - self.value
        inside = above - self.allowed <= 0 and below - self.allowed <= 0
        return inside and all(other.holds for other in self.also)

    @property
    def room(self) -> float:
        """How far the value is below its upper end, beside its size."""
        size = self.size[1] + self.allowed
        return (self.high - self.value) / size if size else 0.0

    def record(self) -> Iterator[dict[str, Any]]:
        stated = self.low if self.low == self.high else [self.low, self.high]
        yield {
            "what": self.words,
            "value": float(self.value),
            "stated": stated,
            "slack": self.allowed,
            "rule": self.slack.rule(self.size[0]),
            "why": self.slack.why,
        }
        for other in self.also:
            yield from other.record()


def computed(steps: Sequence[str], wrong: str | None, scope: str) -> Evidence:
    """Supported by the values that *steps* name, or refuted by the one that is *wrong*.

    Inconclusive where no step names a value.
    """
    if not steps and wrong is None:
        return Evidence(Verdict.INCONCLUSIVE, "", "nothing was looked at", scope=scope)
    count = steps[0] if len(steps) == 1 else f"{len(steps)} values agree"
    return Evidence(
        Verdict.SUPPORTED if wrong is None else Verdict.REFUTED,
        "",
        count if wrong is None else wrong,
        scope=scope,
        steps=tuple(steps),
        counterexample=None if wrong is None else {"computed": wrong},
    )


def compared(found: Iterable[Comparison], scope: str) -> Evidence:
    """Supported if all comparisons hold, or refuted by the first that does not, all being recorded.

    Inconclusive if there are none.
    """
    seen = list(found)
    return _judged(seen, next((it for it in seen if not it.holds), None), scope)


def until_wrong(found: Iterable[Comparison], scope: str) -> Evidence:
    """As `compared`; the record ends where a comparison does not hold."""
    seen = []
    for comparison in found:
        seen.append(comparison)
        if not comparison.holds:
            return _judged(seen, comparison, scope)
    return _judged(seen, None, scope)


def _nearest(found: Iterable[Comparison], scope: str) -> Evidence:
    """As `compared`; the record names the nearest to being wrong, or the one that is."""
    seen = []
    for comparison in found:
        if not comparison.holds:
            return _judged([comparison], comparison, scope)
        seen.append(comparison)
    nearest = sorted(seen, key=lambda it: (it.room, it.step))[:_SHOWN]
    evidence = _judged(nearest, None, scope)
    if not seen:
        return evidence
    detail = {**evidence.detail, "values": len(seen)}
    return replace(evidence, summary=f"{len(seen)} values agree", detail=detail)


def _judged(seen: Sequence[Comparison], wrong: Comparison | None, scope: str) -> Evidence:
    steps = [it.step or it.words for it in seen]
    if wrong is None:
        evidence = computed(steps, None, scope)
    else:
        evidence = computed(steps, wrong.wrong or wrong.step or wrong.words, wrong.where or scope)
    record = [line for it in seen for line in it.record()]
    return replace(evidence, detail={NAME: record}) if record else evidence


def deviation(step: str, found: float, scope: str, *, slack: Slack) -> Evidence:
    """Both sides were computed once; what *step* tells, a relative deviation, is nothing."""
    evidence = compared([Comparison(step, found, 0.0, 0.0, slack)], scope)
    wrong = {"deviation": step} if evidence.counterexample else None
    return replace(evidence, summary=f"relative deviation {found:.2g}", counterexample=wrong)


# -- forms ----------------------------------------------------------------------------------------


def within(found: Iterable[Computed], scope: str, *, slack: Slack) -> Evidence:
    """Each value lies where it is stated to, the slack being relative to 1 + |value|."""

    def comparison(words: str, value: float, low: float, high: float) -> Comparison:
        stated = f"stated {low:.12g}" if low == high else f"stated from {low:.12g} to {high:.12g}"
        step = f"{words}: {value:.12g}, {stated}"
        size = ("1 + |value|", 1 + abs(value))
        return Comparison(words, value, low, high, slack, size, step, where=words)

    return until_wrong((comparison(*it) for it in found), scope)


def at_least(found: Iterable[Sides | Comparison], scope: str, *, slack: Slack) -> Evidence:
    """In each of (words, value, stated bound) the value is at least the bound.

    The slack is relative to 1 + |stated|.
    """

    def comparison(words: str, value: float, stated: float) -> Comparison:
        step = f"{words}: {value:.9g}, stated at least {stated:.9g}"
        size = ("1 + |stated|", 1 + abs(stated))
        return Comparison(words, value, stated, math.inf, slack, size, step)

    written = (it if isinstance(it, Comparison) else comparison(*it) for it in found)
    return until_wrong(written, scope)


def at_most(found: Iterable[Sides], scope: str, *, slack: Slack) -> Evidence:
    """In each of (words, value, stated bound) the value is at most the bound; the nearest are named.

    The slack is relative to |value| + |stated|.
    """
    return _nearest((_ordered(*it, slack) for it in found), scope)


def no_difference(found: Iterable[Sides], scope: str, *, slack: Slack) -> Evidence:
    """In each of (words, difference, scale) the difference is nothing; the nearest are named.

    The slack is relative to the scale.
    """

    def comparison(words: str, gap: float, scale: float) -> Comparison:
        step = f"{words}: off by {gap:.3g} of {scale:.3g}"
        return Comparison(words, gap, -math.inf, 0.0, slack, ("the scale", scale), step)

    return _nearest((comparison(*it) for it in found), scope)


def in_order(sides: Iterable[Sides], scope: str, *, slack: Slack) -> Evidence:
    """In each of (words, left, right) no left side exceeds its right side, of arrays at no place.

    The slack is relative to |left| + |right|.
    """
    import numpy as np

    def found() -> Iterator[Comparison]:
        for words, left, right in sides:
            pair = np.broadcast_arrays(np.asarray(left, float), np.asarray(right, float))
            if not pair[0].size:
                continue
            low, high = (side.ravel() for side in pair)
            with np.errstate(invalid="ignore"):
                excess = low - high - slack.of(np.abs(low) + np.abs(high))
            worst = int(np.argmax(excess))  # a NaN comes first
            where = f", the narrowest of {low.size} places" if low.size > 1 else ""
            yield _ordered(words, float(low[worst]), float(high[worst]), slack, where)

    return compared(found(), scope)


def equal(words: str, left: Any, right: Any) -> list[Sides]:
    """Two sides that must be the same."""
    return [(words, left, right), (f"{words}, from below", right, left)]


def _ordered(words: str, left: float, right: float, slack: Slack, where: str = "") -> Comparison:
    step = f"{words}: {left:.9g}, stated to be at most {right:.9g}{where}"
    size = ("|value| + |stated|", abs(left) + abs(right))
    return Comparison(words, left, -math.inf, right, slack, size, step)
