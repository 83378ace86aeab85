"""How an argument marks what no computation decides: steps in words, and what other claims give."""

from __future__ import annotations

import re
from collections.abc import Iterable

#: How an argument marks a step of reasoning that no computation decides, among its assumptions.
STEP_IN_WORDS = "step in words: "
#: How a line of a derivation ends that is such a step.
_LINE = re.compile(r"   \[in words: .*\]$", re.DOTALL)
#: How a line of a derivation ends that decides nothing: a citation, another claim, a notation.
_TAKEN = re.compile(r"   \[(cited: .*|by the claim [^\]]+|notation)\]$", re.DOTALL)
#: How a line of a derivation ends that another claim gives.
_USED = re.compile(r"   \[by the claim ([^\]\s]+)\]$")


def is_step_in_words(assumption: str) -> bool:
    """Whether an assumption is a step in words; others are cited, or hypotheses of our own."""
    return assumption.startswith(STEP_IN_WORDS)


def worded(steps: Iterable[str]) -> int:
    """How many lines of a derivation are steps in words."""
    return sum(_LINE.search(step) is not None for step in steps)


def taken(steps: Iterable[str]) -> int:
    """How many lines of a derivation are taken from elsewhere, or name something."""
    return sum(_TAKEN.search(step) is not None for step in steps)


def has_step_in_words(assumptions: Iterable[str], steps: Iterable[str]) -> bool:
    """Whether evidence rests on a step in words, by what it lists or by its lines."""
    return any(map(is_step_in_words, assumptions)) or worded(steps) > 0


def claims_used(steps: Iterable[str]) -> set[str]:
    """The ids of the claims that give lines of a derivation."""
    return {found[1] for step in steps if (found := _USED.search(step))}
