"""Steps in words: how an argument marks a line that no computation decides, and evidence lists it."""

from __future__ import annotations

import re
from collections.abc import Iterable

#: How an argument marks a step of reasoning that no computation decides, among its assumptions.
STEP_IN_WORDS = "step in words: "
#: How a line of a derivation ends that is such a step.
_LINE = re.compile(r"   \[in words: .*\]$", re.DOTALL)


def is_step_in_words(assumption: str) -> bool:
    """Whether an assumption is a step in words; others are cited, or hypotheses of our own."""
    return assumption.startswith(STEP_IN_WORDS)


def worded(steps: Iterable[str]) -> int:
    """How many lines of a derivation are steps in words."""
    return sum(_LINE.search(step) is not None for step in steps)


def has_step_in_words(assumptions: Iterable[str], steps: Iterable[str]) -> bool:
    """Whether evidence rests on a step in words, by what it lists or by its lines."""
    return any(map(is_step_in_words, assumptions)) or worded(steps) > 0
