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
    Term,
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


def above(
    stated: Term | Callable[..., arb], factor: str = "8/7", places: Sequence[int] = (3, 5)
) -> bool:
    """Whether a public bound of 2 d, and of 20 at d = 7, lies above what is printed, and below *factor*
    times that."""

    def public(d: int) -> Fraction:
        return Fraction(20 if d == 7 else 2 * d)

    return bound_above(public, stated, [{"d": d} for d in places], Fraction(factor)).holds


def same(public: int, stated: int, places: Sequence[int] = (1,)) -> bool:
    """Whether a public bound is the printed one at the places, and is 1 more elsewhere than at 1."""

    def found(n: int) -> Fraction:
        return Fraction(public if n == 1 else public + 1)

    return same_bound(found, lambda n: ball(stated), [{"n": n} for n in places]).holds


_d, _MANY = symbol("d"), 2**64
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
    (lambda: above(2 * _d, "1"), "True"),
    (lambda: above(Fraction(7, 4) * _d, "6/5"), "True"),
    (lambda: above(Fraction(7, 4) * _d, "9/8"), "False"),
    (lambda: above(Fraction(9, 4) * _d), "False"),
    (lambda: above(Fraction(9, 4) * _d, "1/2"), "False"),
    (lambda: above(2 * _d, places=(7, 3)), "False"),
    (lambda: above(2 * _d, places=(3, 7)), "False"),
    (lambda: above(lambda d: ball(2 * d)), "True"),
    (lambda: above(lambda d: ball(2 * d + 1)), "False"),
    (lambda: same(_MANY - 1, _MANY), "True"),
    (lambda: same(_MANY - 2, _MANY), "False"),
    (lambda: same(_MANY + 2, _MANY), "False"),
    (lambda: same(3, 3), "True"),
    (lambda: same(3, 3, (1, 2)), "False"),
    (lambda: same(3, 3, (2, 1)), "False"),
]


#: Printed formulas, and how they are read where x is y + 1.
READ: Sequence[tuple[str, str]] = (
    ("x**2 - x", "(y + 1)^2 - (y + 1)"),
    ("3*x/2", "3 * (y + 1)/2"),
    ("z*(x + 1)**3", "z * (y + 1 + 1)^3"),
)


def _require_read() -> None:
    for text, expected in READ:
        found = str(Formula.parse(text).term(x=_y + 1))
        if found != expected:
            raise ArithmeticError(f"{text} is {expected} for x = y + 1, not {found}")


def require_verdicts() -> None:
    """ArithmeticError if something has another verdict, or a formula is read otherwise."""
    _require_read()
    for tried, expected in VERDICTS:
        found = tried()
        verdict = str(found.verdict if isinstance(found, Evidence) else found)
        if verdict != expected:
            raise ArithmeticError(f"{expected} is due, and {verdict} was found: {found}")
