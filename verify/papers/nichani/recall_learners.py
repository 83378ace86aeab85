"""What the checks of Theorem 8 and Lemmas 8 to 11 of Nichani et al. share: learners, their numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator

from proofs.papers.nichani.bits.answer_sets import Stated
from verify.checks.computed import Sides
from verify.claim import Printed


def reals(printed: Printed, **sizes: float) -> dict[str, float]:
    """The printed formulas at sizes, as floats."""
    return {name: formula.real(**sizes) for name, formula in printed.items()}


def functions(printed: Printed) -> Stated:
    """The printed formulas as rational functions."""
    return {name: formula.field() for name, formula in printed.items()}


def log2_or_nan(x: float) -> float:
    """log2, not a number where there is none."""
    return math.log2(x) if x > 0 else math.nan


def log2_choose(n: float, k: float) -> float:
    """log2 of a binomial coefficient, not a number where there is none or it is 0."""
    from numerics.information.recall_worlds import log2_binomial

    return log2_binomial(n, k) if 0 <= k <= n else math.nan


def eta(square: float, D: int, V: int, S: float) -> float:
    """sqrt(square D log(2 D^2 log V)/S) in bits."""
    return math.sqrt(square * D * math.log2(2 * D**2 * math.log2(V)) / S)


def learners(D: int, V: int, S: int) -> Iterator[Sides]:
    """Learners of one relation: words, I(A_r; f) at most, and the loss of each fact, in bits."""
    from numerics.information.recall_worlds import log2_binomial, told_of_a_set

    yield "nothing is known", 0.0, math.log2(V)
    yield "a set with all that was seen is known", log2_binomial(V, D), math.log2(D)
    told = told_of_a_set(D, V, S)
    for t in (0.0, 0.01, 0.5):
        yield f"all is known, smoothed by {t:g}", told, -math.log2(1 - t + t / V)
