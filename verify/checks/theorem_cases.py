"""What the matching of claims with theorems must not take for proved, and what it must.

The claims are small, so that it is the matching that is tried and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from flint import arb

from proofs.algebra.balls import ball
from proofs.argument import Argument, Witness
from proofs.capacity import SufficientCondition
from proofs.kernel import (
    Compare,
    Goal,
    Region,
    assume,
    at_least,
    chain,
    real,
    sign,
    symbol,
    symbols,
)
from verify.checks.theorem import Goals, Proof, bound_above, same_bound, same_frontier
from verify.claim import Evidence
from verify.measuring.context import Context
from verify.printed.formula import Formula

_x, _y = symbols("x y")
_ABOVE_ONE = Region((at_least("x", 1),))


def goals(factor: Fraction) -> Goals:
    """x <= factor x for x >= 1; what is proved is x <= 2 x."""
    theorem = sign(Compare(_x, "<=", 2 * _x), _ABOVE_ONE)
    yield Goal(Compare(_x, "<=", factor * _x), _ABOVE_ONE), theorem


def elsewhere(factor: Fraction) -> Goals:
    """The same on a larger region."""
    ((goal, theorem),) = goals(factor)
    yield Goal(goal.statement, Region((at_least("x", 0),))), theorem


def twice(factor: Fraction) -> Goals:
    """What follows, and what does not."""
    yield from goals(factor)
    yield from elsewhere(factor)


def under(factor: Fraction) -> Goals:
    """With a hypothesis that is not listed."""
    region = Region((at_least("x", 1), at_least("y", 0)))
    theorem = chain(
        assume(Compare(_x, "<=", _y), region), sign(Compare(_y, "<=", factor * _y), region)
    )
    yield Goal(theorem.statement, region), theorem


def listed(factor: Fraction) -> Goals:
    """With one that is."""
    ((goal, theorem),) = under(factor)
    yield (
        Goal(goal.statement, Region((*goal.region.ranges, real("z"))), theorem.hypotheses),
        theorem,
    )


def _argument(holds: bool) -> Callable[[], Argument]:
    def beside() -> Argument:
        argument = Argument()
        argument.true("the program says the same", holds, "looked at")
        return argument

    return beside


def _witness(factor: Fraction) -> Witness:
    return {"x": str(factor)}


def evidence(prove: Callable[..., Goals] = goals, factor: str = "2", **options: Any) -> Evidence:
    """What a check finds of a small claim."""
    printed = {"factor": Formula.parse(factor)}
    return Proof(prove, "so it is", **options)(printed, Context())


class _Public(SufficientCondition):
    """A public condition that allows N up to d/4."""

    def largest(self, *, delta: Fraction, d: int, **_: int) -> int:  # type: ignore[override]
        return d // 4


def frontier(lead: str = "4", places: Sequence[int] = (256, 300)) -> bool:
    """Whether a public condition ends where lead N <= d does, beside what holds anyway."""
    stated = (
        Compare(Fraction(lead) * symbol("N"), "<=", symbol("d")),
        Compare(symbol("d"), "<", 10 * symbol("d")),
    )
    return same_frontier(_Public(), stated, [{"d": d} for d in places]).holds


def _twice(d: int) -> Fraction:
    """A public bound of 2 d."""
    return Fraction(2 * d)


def above(stated: str = "2", factor: str = "8/7", places: Sequence[int] = (3, 5)) -> bool:
    """Whether a public bound of 2 d lies above so many d, and below *factor* times that."""
    printed = Fraction(stated) * symbol("d")
    return bound_above(_twice, printed, [{"d": d} for d in places], Fraction(factor)).holds


def same(stated: str = "2", least: int = 1) -> bool:
    """Whether a public bound of 2 d is so many d from *least* on, and 0 below."""

    def printed(d: int) -> arb:
        return ball(Fraction(stated) * d if d >= least else Fraction(0))

    return same_bound(_twice, printed, [{"d": d} for d in (3, 5)]).holds


#: What is tried, and the verdict.
VERDICTS: list[tuple[Callable[[], object], str]] = [
    (evidence, "proved"),
    (lambda: evidence(factor="3"), "proved"),
    (lambda: evidence(listed), "proved"),
    (lambda: evidence(beside=_argument(True)), "proved"),
    (lambda: evidence(factor="3/2"), "inconclusive"),
    (lambda: evidence(elsewhere), "inconclusive"),
    (lambda: evidence(twice), "inconclusive"),
    (lambda: evidence(under), "inconclusive"),
    (lambda: evidence(beside=_argument(False)), "inconclusive"),
    (lambda: evidence(fails=_witness), "refuted"),
    (frontier, "True"),
    (lambda: frontier(lead="41/10"), "False"),
    (lambda: frontier(lead="39/10"), "False"),
    (lambda: frontier(places=(3,)), "False"),
    (lambda: frontier(places=(256, 3)), "False"),
    (above, "True"),
    (lambda: above(stated="7/4", factor="6/5"), "True"),
    (lambda: above(stated="7/4", factor="9/8"), "False"),
    (lambda: above(stated="9/4"), "False"),
    (lambda: above(stated="9/4", factor="1/2"), "False"),
    (same, "True"),
    (lambda: same(stated="2000001/1000000"), "False"),
    (lambda: same(stated="1999999/1000000"), "False"),
    (lambda: same(least=4), "False"),
    (lambda: same(least=6), "False"),
]


def require_verdicts() -> None:
    """ArithmeticError if something has another verdict."""
    for tried, expected in VERDICTS:
        found = tried()
        verdict = str(found.verdict if isinstance(found, Evidence) else found)
        if verdict != expected:
            raise ArithmeticError(f"{expected} is due, and {verdict} was found: {found}")
