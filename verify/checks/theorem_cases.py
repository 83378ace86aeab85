"""What the matching of claims with theorems must not take for proved, and what it must.

The claims are small, so that it is the matching that is tried and nothing else.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
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
    Theorem,
    assume,
    at_least,
    chain,
    coordinate,
    first_moment,
    real,
    sign,
    symbol,
    symbols,
    term,
    whole,
)
from verify.checks.parameters import given
from verify.checks.theorem import (
    Frontier,
    Goals,
    Proof,
    bound_above,
    same_bound,
    same_frontier,
)
from verify.claim import Evidence
from verify.measuring.context import Context
from verify.printed.formula import Formula
from verify.records import THEOREMS

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


def both(factor: Fraction) -> Goals:
    """Two that follow."""
    yield from goals(factor)
    yield from listed(factor)


def cited(factor: Fraction) -> Goals:
    """One that rests on Markov's inequality."""
    region = Region((whole("d", 1),))
    theorem = first_moment(term(2), coordinate("g", symbol("d")) ** 2, region)
    yield Goal(theorem.statement, region), theorem


def cited_first(factor: Fraction) -> Goals:
    """It, and then one that rests on nothing."""
    yield from cited(factor)
    yield from goals(factor)


def cited_last(factor: Fraction) -> Goals:
    """The other way round."""
    yield from goals(factor)
    yield from cited(factor)


def trusted(prove: Callable[..., Goals]) -> int:
    """On how many citations the evidence rests."""
    return len(evidence(prove).assumptions)


def asked() -> int:
    """How many theorems of two are asked whether they are kept to their regions."""
    seen: list[Theorem] = []
    evidence(both, kept=seen.append)
    return len(seen)


def shown() -> int:
    """How many theorems of two are shown to a reader, in LaTeX."""
    return sum(isinstance(one, str) for one in evidence(both).detail[THEOREMS])


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


_N, _d = symbols("N d")


@dataclass(frozen=True)
class _Public(SufficientCondition):
    """A public condition: 4 N <= d + 4 and N <= delta d, for d >= 4; its failure bound is *times* what
    it ought to be, and *unknown* where there is none."""

    times: Fraction = Fraction(1)
    unknown: Fraction = Fraction(1)

    def failure_bound(self, d: int, N: int, M: int | None = None) -> Fraction:
        known = max(4, 4 * N - 4) <= d
        return self.times * Fraction(N, d) if known else self.unknown

    def _holds(self, delta: Fraction, d: int, N: int, M: int | None = None) -> bool:
        return d >= max(4, 4 * N - 4) and delta * d >= N


#: Where it ends by each of what is printed: by 4 N <= d + 4, by N <= delta d, by d >= 4.
_PLACES: tuple[tuple[int, str], ...] = ((256, "1/3"), (300, "1/10"), (3, "9/10"))


def frontier(
    lead: str = "4",
    least: str = "4",
    places: Sequence[tuple[int, str]] = _PLACES,
    times: str = "1",
    unknown: str = "1",
    more: Sequence[Compare] = (),
) -> bool:
    """Whether a public condition ends where lead N <= d + 4, N <= delta d, d >= least, if that is given,
    and *more* do."""
    stated = (
        Compare(Fraction(lead) * _N, "<=", _d + 4),
        Compare(_N, "<=", symbol("delta") * _d),
        *([Compare(term(Fraction(least)), "<=", _d)] if least else ()),
        *more,
    )
    public = _Public(Fraction(times), Fraction(unknown))
    return same_frontier([Frontier(public, {"d": d}, Fraction(x)) for d, x in places], stated).holds


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


_MANY = 2**64
#: What is tried, and the verdict.
VERDICTS: list[tuple[Callable[[], object], str]] = [
    (evidence, "proved"),
    (lambda: evidence(factor="3"), "proved"),
    (lambda: evidence(listed), "proved"),
    (lambda: evidence(both), "proved"),
    (asked, "2"),
    (shown, "2"),
    (lambda: trusted(goals), "0"),
    (lambda: trusted(cited_first), "1"),
    (lambda: trusted(cited_last), "1"),
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
    (lambda: frontier(least="3"), "False"),
    (lambda: frontier(least="5", places=(*_PLACES, (4, "9/10"))), "False"),
    (lambda: frontier(places=_PLACES[1:]), "False"),
    (lambda: frontier(places=(_PLACES[0], _PLACES[2])), "False"),
    (lambda: frontier(places=_PLACES[:2]), "False"),
    (lambda: frontier(places=(*_PLACES, (8, "1/16"))), "False"),
    # At d = 3 nothing is allowed, but by what speaks of N, on the one side or the other.
    (lambda: frontier(least="", more=[Compare(_N, "<=", _d - 3)]), "False"),
    (lambda: frontier(least="", more=[Compare(3 - _d, "<=", -_N)]), "False"),
    (lambda: frontier(times="11/10"), "False"),
    (lambda: frontier(times="9/10"), "False"),
    (lambda: frontier(unknown="1/2"), "False"),
    (lambda: frontier(more=[Compare(symbol("d"), "<", 10 * symbol("d"))]), "False"),
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


def _by_annotations(
    printed: object, context: object, plain: Formula, number: Fraction, none: Fraction | None
) -> None:
    """Parameters of all kinds, one of them for a formula that is not printed."""


def _with_default(number: int, other: int = 7) -> None:
    """One that keeps its default."""


def _missing(number: int, other: int) -> None:
    """One for which there is nothing."""


def _unread(number: object) -> None:
    """One that does not say how it is read."""


def _bare(first, second) -> None:  # type: ignore[no-untyped-def]
    """Two of other names."""


def _bare_four(first, second, third, fourth) -> None:  # type: ignore[no-untyped-def]
    """Four of other names, which is none of the ways to ask."""


#: Functions, and what they are given where a number is printed; or which error it is.
GIVEN: Sequence[tuple[Callable[..., object], object]] = (
    (_by_annotations, {"printed", "context", "plain", "number", "none"}),
    (_with_default, {"number"}),
    (_missing, KeyError),
    (_unread, TypeError),
    (_bare, {"first", "second"}),
    (_bare_four, KeyError),
)


def _require_given() -> None:
    """What the parameters of functions are given."""
    printed = {"number": Formula.parse("2"), "plain": Formula.parse("x")}
    values: dict[str, object] = {
        "printed": printed,
        "context": None,
        "first": printed,
        "second": None,
    }
    values |= {"number": 2, "plain": printed["plain"], "none": None}
    for function, expected in GIVEN:
        found: object
        try:
            with warnings.catch_warnings(category=FutureWarning, action="ignore"):
                given_to = given(function, printed)
            found = set(given_to)
        except (KeyError, TypeError) as error:
            found, given_to = type(error), {}
        if found != expected or any(given_to[name] != values[name] for name in given_to):
            raise ArithmeticError(f"{function.__name__} is given {found}: {given_to}")


def require_verdicts() -> None:
    """ArithmeticError if something has another verdict, or a formula is read or given otherwise."""
    _require_read()
    _require_given()
    for tried, expected in VERDICTS:
        found = tried()
        verdict = str(found.verdict if isinstance(found, Evidence) else found)
        if verdict != expected:
            raise ArithmeticError(f"{expected} is due, and {verdict} was found: {found}")
