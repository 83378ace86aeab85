"""Cases of goals: what reaches them, and what does not."""

from __future__ import annotations

from functools import partial
from typing import Any
from unittest.mock import patch

from proofs.kernel import goals
from proofs.kernel.algebra import assume, identity, sign
from proofs.kernel.cases import Conclusions, Refusals
from proofs.kernel.goals import Goal, beyond, require_kept
from proofs.kernel.regions import Refused, Region, at_least, between, real, whole
from proofs.kernel.terms import exp, symbols, term
from proofs.kernel.theorem import Compare, Theorem

n, x, y = symbols("n x y")
POSITIVE = Region((at_least("x", 0),))
LINE = Region((real("x"), real("y")))
GIVEN = assume(Compare(x, "<=", y), LINE)
SMALLER = Region((at_least("x", 1), whole("n", 1)))
THEOREM = sign(Compare(term(0), "<=", x), POSITIVE)
REACHED = Goal(Compare(term(0), "<=", x + n), SMALLER, (Compare(x, "<=", n),))
#: Neither a statement nor a region.
TYPED: Any = "x <= 2"
#: What GIVEN does not reach.
UNREACHED: list[tuple[Goal, str]] = [
    (Goal(Compare(x, "<=", y), LINE), "the hypothesis x <= y does not follow from none"),
    (Goal(Compare(x, "<", y), LINE, GIVEN.hypotheses), "<= does not say <"),
    (Goal(Compare(x, "=", y), LINE, GIVEN.hypotheses), "<= does not say ="),
    (Goal(Compare(x, "<=", y - 1), LINE, GIVEN.hypotheses), "y - 1 >= y: .* it is false at"),
    (Goal(Compare(x - 1, "<=", y), LINE, GIVEN.hypotheses), "is not about what"),
    (Goal(Compare(x, "<=", y), POSITIVE, GIVEN.hypotheses), "y in y has no range"),
    (Goal(Compare(x, "<=", y), LINE, (Compare(x, "<=", y + 1),)), "does not follow from"),
    (Goal(Compare(exp(x), "<=", exp(y)), LINE, GIVEN.hypotheses), "is not about what"),
]
#: Regions, and those that lie beyond.
EDGES: list[tuple[Region, str]] = [
    (Region((at_least("x", 1),)), "['x >= 1 - 1']"),
    (Region((at_least("x", 1, above=True),)), "['x >= 1 - 0']"),
    (Region((between("x", 0, 1, "[)"),)), "['-1 <= x < 1', '0 <= x <= 1 + 0']"),
    (Region((between("x", 0, 1, "(]"),)), "['-0 <= x <= 1', '0 < x <= 1 + 1']"),
    (Region((real("x"),)), "[]"),
]


def _beyond(region: Region) -> list[str]:
    return [str(it) for it in beyond(identity(x, x, region))]


CUBE = sign(Compare(term(0), "<=", x), Region(tuple(at_least(name, 0) for name in "xyz")))


def _taken_at(place: int) -> bool:
    """Whether it is told that a theorem is taken to hold on one of three regions beyond its own."""
    seen: list[Region] = []

    def require_inside(region: Region, theorem: Theorem) -> None:
        seen.append(region)
        if len(seen) != place:
            raise Refused("it lies beyond")

    with patch.object(goals, "require_inside", require_inside):
        try:
            require_kept(CUBE)
        except ArithmeticError:
            return True
    return False


REFUSED: Refusals = [
    *((f"weaken: .*{said}", partial(goal.reached, GIVEN)) for goal, said in UNREACHED),
    (
        r"weaken: the range x >= 0 of what is used: x - 0 >= 0 for x >= -1",
        lambda: Goal(THEOREM.statement, Region((at_least("x", -1),))).reached(THEOREM),
    ),
    (r"'x <= 2', .*: no statement on a region", lambda: Goal(TYPED, POSITIVE)),
    (r".*'x <= 2': no statement on a region", lambda: Goal(THEOREM.statement, TYPED)),
]

HOLDS: Conclusions = [
    *((partial(_beyond, region), text) for region, text in EDGES),
    *((partial(require_kept, identity(x, x, region)), "None") for region, _ in EDGES),
    (lambda: [_taken_at(place) for place in range(1, 5)], "[True, True, True, False]"),
    (lambda: REACHED.reached(THEOREM), "for x >= 1, whole n >= 1: if x <= n, 0 <= x + n"),
    (lambda: REACHED, "for x >= 1, whole n >= 1: if x <= n, 0 <= x + n"),
    (lambda: Goal(THEOREM.statement, POSITIVE), "for x >= 0: 0 <= x"),
    (
        lambda: Goal(Compare(x, "<=", y), LINE, (Compare(x, "<", y), Compare(term(0), "<=", y))),
        "for x real, y real: if x < y and 0 <= y, x <= y",
    ),
]
