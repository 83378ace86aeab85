"""Checks that rest on theorems of the kernel: what is proved is matched with what a claim says.

A claim is proved only if each of its formal statements, made of the printed formulas, follows at once
from a theorem; the scope, the steps and what is taken on trust are printed from these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

from flint import arb

from proofs import attacks
from proofs.algebra.balls import ball, precision
from proofs.argument import Argument, Witness, searching
from proofs.capacity import SufficientCondition
from proofs.kernel import Compare, Goal, Refused, Term, Theorem
from proofs.kernel.attacks import require_refusals
from proofs.kernel.goals import require_kept
from proofs.kernel.latex import latex
from proofs.kernel.terms import free
from proofs.kernel.values import holds, value
from verify.checks.argument import conclude
from verify.checks.parameters import given
from verify.claim import Evidence, Printed, Registry, Road
from verify.measuring.context import Context
from verify.measuring.quantities import in_words
from verify.records import PROGRAM, STATED, THEOREMS
from verify.verdict import Verdict

#: Formal statements of a claim, each with the theorem from which it follows.
Goals: TypeAlias = Iterable[tuple[Goal, Theorem]]
#: The failure probability at which a public condition is compared with a printed one.
_DELTA = Fraction(1, 1000)
#: To this part of it a failure bound in closed form is found.
_FINENESS = Fraction(1, 1000)
#: At most this much larger is a bound over cells than the average that it bounds.
_CELLS_COST = Fraction(8, 7)
#: By at most this part of it does a bound in closed form differ from the printed one, by rounding.
_ROUNDING = Fraction(1, 2**64)


@dataclass(frozen=True)
class Proof:
    """An exact check of a claim that *goals* state and prove; see ``proved``.

    *kept* is asked of each theorem, and raises if signs are decided wrongly.
    """

    goals: Callable[..., Goals]
    summary: str
    beside: Callable[..., Argument] | None = None
    fails: Callable[..., Witness | None] | None = None
    kept: Callable[[Theorem], None] = require_kept

    def theorems(self, printed: Printed, context: Context) -> list[Theorem]:
        """What the claim says, as theorems. Refused if one does not follow."""
        return [goal.reached(by) for goal, by in self.goals(**given(self.goals, printed, context))]

    def __call__(self, printed: Printed, context: Context) -> Evidence:
        fails, beside = self.fails, self.beside
        if fails is not None and searching():
            witness = fails(**given(fails, printed, context))
            if witness is not None:
                return conclude(Argument(witness=witness))
        try:
            found = self.theorems(printed, context)
        except Refused as refused:
            return Evidence(Verdict.INCONCLUSIVE, "", f"not proved: {refused}")
        require_refusals()
        attacks.require_refusals()
        for one in found:
            self.kept(one)
        also = None if beside is None else beside(**given(beside, printed, context))
        if also is not None and not also.holds:
            return conclude(also)
        program = [] if also is None else [str(line) for line in also.lines]
        trust = {f"{it.name}: {it.statement}" for one in found for it in one.trust}
        return Evidence(
            Verdict.PROVED,
            "",
            self.summary,
            scope="; ".join(dict.fromkeys(map(_where, found))),
            steps=(*steps(found),),
            assumptions=(*sorted(trust),),
            detail={
                THEOREMS: [latex(one) for one in found],
                STATED: [str(one) for one in found],
                **({PROGRAM: program} if program else {}),
            },
        )


def proved(
    registry: Registry,
    claim_id: str,
    goals: Callable[..., Goals],
    *,
    method: str,
    summary: str,
    beside: Callable[..., Argument] | None = None,
    fails: Callable[..., Witness | None] | None = None,
) -> None:
    """Register the exact check of a claim that *goals* state and prove.

    *beside*: what is argued of the program besides, such as that a public condition is the printed one.
    *fails* looks for a counterexample. All are given what their parameters name (``parameters.given``).
    """
    check = registry.check(claim_id, Road.PROOFS, method=method)
    check(Proof(goals, summary, beside, fails))


def _where(theorem: Theorem) -> str:
    given_ = " and ".join(map(str, theorem.hypotheses))
    supposed = f", where {given_}" if given_ else ""
    return f"all {theorem.region}{supposed}" + (f"; {theorem.legend}" if theorem.legend else "")


def steps(theorems: Sequence[Theorem]) -> list[str]:
    """All theorems that some rest on and these, a line each: what it says, and by which rule it follows
    from which ones, by their numbers in this list, and with which multipliers."""
    numbers: dict[int, int] = {}
    lines = []
    for theorem in theorems:
        for one in theorem.tree():
            if id(one) in numbers:
                continue
            numbers[id(one)] = len(numbers) + 1
            used = ", ".join(str(numbers[id(other)]) for other in one.uses)
            by = ", ".join(map(str, one.choices))
            made = f" of {used}" + (f", times {by}" if by else "") if used else ""
            lines.append(f"{one}   [{one.rule}{made}]")
    return lines


@dataclass(frozen=True)
class Frontier:
    """A public condition, sizes at which it is asked for the largest N that it allows, and *more* that
    only the printed hypotheses speak of; M = N where there is no M."""

    public: SufficientCondition
    sizes: Mapping[str, int]
    delta: Fraction = _DELTA
    more: Mapping[str, Fraction] = field(default_factory=dict)

    @property
    def edge(self) -> int:
        """The largest N that it allows, 0 for none."""
        return self.public.largest(delta=self.delta, **self.sizes)

    def at(self, N: int, delta: Fraction) -> dict[str, Any]:
        """Where the printed hypotheses are evaluated."""
        return {"M": N, **self.sizes, **self.more, "N": N, "delta": delta}

    def __str__(self) -> str:
        return in_words({**self.sizes, **self.more, "delta": self.delta})


def same_frontier(frontiers: Iterable[Frontier], stated: Sequence[Compare]) -> Argument:
    """The public condition ends where the printed hypotheses do: at the largest N that it allows they
    hold, for one more they do not; at the failure bound that it states there they hold, below it they do
    not; and each of them is the one that ends it somewhere.

    Where not even N = 1 is allowed, it is by a hypothesis that does not speak of N, and the bound is 1.
    The hypotheses are evaluated as printed, by balls, and by nothing of the class of the condition.
    """
    argument, ends = Argument(), set[int]()
    for one in frontiers:
        edge = one.edge
        with precision():
            inside = _holding(stated, one.at(edge, one.delta)) if edge else [True]
            beyond = _holding(stated, one.at(edge + 1, one.delta))
        broken = [number for number, holding in enumerate(beyond) if holding is False]
        ends |= set(broken) if beyond.count(True) == len(beyond) - 1 else set()
        whatever = edge > 0 or any("N" not in _names(stated[number]) for number in broken)
        argument.true(
            f"at {one} the public condition ends where the printed one does",
            whatever and all(inside) and bool(broken),
            f"N = {edge}, the last for which the hypotheses hold, {len(stated)} in number"
            if edge
            else f"not even N = 1, for which {len(broken)} of the {len(stated)} hypotheses fail",
        )
        argument.include(_same_failure_bound(one, edge, stated) if edge else _no_failure_bound(one))
    for number, hypothesis in enumerate(stated):
        argument.true(
            f"it ends by {hypothesis} alone somewhere", number in ends, "all others hold there"
        )
    return argument


def _same_failure_bound(one: Frontier, N: int, stated: Sequence[Compare]) -> Argument:
    argument = Argument()
    bound = one.public.failure_bound(N=N, **one.sizes)
    with precision():
        at, below = (
            _holding(stated, one.at(N, delta)) for delta in (bound, bound * (1 - _FINENESS))
        )
    argument.true(
        f"at {one}, N = {N}, the public failure bound is the least of which the hypotheses hold",
        all(at) and False in below,
        f"{float(bound):.6g}, to a part of {_FINENESS} of it",
    )
    return argument


def _no_failure_bound(one: Frontier) -> Argument:
    argument = Argument()
    nothing = one.public.failure_bound(N=1, **one.sizes) == 1
    argument.true(f"at {one} the public failure bound is 1", nothing, "nothing is allowed")
    return argument


def _holding(stated: Sequence[Compare], at: Mapping[str, Any]) -> list[bool | None]:
    return [holds(it, at) for it in stated]


def _names(statement: Compare) -> frozenset[str]:
    return free(statement.left) | free(statement.right)


def bound_above(
    public: Callable[..., Fraction],
    stated: Term | Callable[..., arb],
    places: Iterable[Mapping[str, Any]],
    factor: Fraction = _CELLS_COST,
    *,
    what: str = "the public bound",
) -> Argument:
    """The public bound, made of cells, is at least the printed one at the places, and at most *factor*
    times it.

    The printed one, a term or what gives a ball at a place, is evaluated by nothing of the class of the
    public one.
    """
    argument = Argument()
    for place in places:
        bound = public(**place)
        with precision():
            printed = value(stated, place) if isinstance(stated, Term) else stated(**place)
            fits = printed <= ball(bound) and ball(bound) <= ball(factor) * printed
            cost = ball(bound) / printed
        argument.true(
            f"at {in_words(place)} {what} is at least the printed one and at most {factor} times it",
            bool(fits),
            f"between {float(cost.lower()):.4g} and {float(cost.upper()):.4g} times it",
        )
    return argument


def same_bound(
    public: Callable[..., Fraction],
    stated: Callable[..., arb],
    places: Iterable[Mapping[str, Any]],
    what: str = "the public bound",
) -> Argument:
    """The public bound is the printed one at the places, but for rounding; evaluated as above."""
    argument = Argument()
    for place in places:
        bound = public(**place)
        with precision():
            printed = stated(**place)
            same = abs(ball(bound) - printed) <= ball(_ROUNDING) * printed
        argument.true(
            f"at {in_words(place)} {what} is the printed one", same, f"{float(bound):.6g}"
        )
    return argument
