"""What the checks of Theorem 8 and Lemmas 8 to 11 of Nichani et al. share: learners, kinds of checks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import TypeAlias

from proofs.argument import Argument
from proofs.papers.nichani.bits.answer_sets import Stated
from verify.checks.argument import argued
from verify.checks.computed import Computed, at, within
from verify.checks.section import Section
from verify.claim import Evidence, Printed
from verify.measuring.context import Context
from verify.printed.formula import Formula

#: What a function of (printed formulas, context) computes in float64.
Values: TypeAlias = Callable[[Printed, Context], Iterable[Computed]]
#: What decides a claim from its formulas and those of other claims.
Judge: TypeAlias = Callable[[Stated, Context], Argument]


def fields(printed: Printed) -> Stated:
    """The printed formulas as rational functions."""
    return {name: formula.field() for name, formula in printed.items()}


def value(formula: Formula, **sizes: int | Fraction) -> float:
    """The value of a formula at those of the sizes that occur in it."""
    return at(formula, **{name: sizes[name] for name in formula.symbols()})


def real(formula: Formula, **sizes: float) -> float:
    """The same at sizes in float64."""
    return value(formula, **{name: Fraction(size) for name, size in sizes.items()})


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


def learners(D: int, V: int, S: int) -> Iterator[tuple[str, float, float]]:
    """Learners of one relation: words, I(A_r; f) at most, and the loss of each fact, in bits."""
    from numerics.information.recall_worlds import log2_binomial, told_of_a_set

    yield "nothing is known", 0.0, math.log2(V)
    yield "a set with all that was seen is known", log2_binomial(V, D), math.log2(D)
    told = told_of_a_set(D, V, S)
    for t in (0.0, 0.01, 0.5):
        yield f"all is known, smoothed by {t:g}", told, -math.log2(1 - t + t / V)


def judged(
    section: Section, name: str, method: str, decide: Judge, *, scope: str, summary: str
) -> None:
    """The proofs check of a claim that *decide* argues for or refutes."""
    section.pattern(
        argued,
        f"nichani.{name}",
        lambda printed, context: decide(fields(printed), context),
        method=method,
        scope=scope,
        summary=summary,
    )


def valued(section: Section, *names: str, method: str, scope: str) -> Callable[[Values], Values]:
    """Decorator: the numerics check of claims that must hold for all values computed."""

    def register(values: Values) -> Values:
        def run(printed: Printed, context: Context) -> Evidence:
            return within(values(printed, context), scope)

        for name in names:
            section.check(f"nichani.{name}", "numerics", method=method)(run)
        return values

    return register
