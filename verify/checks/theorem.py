"""Checks that rest on theorems of the kernel: what is proved is matched with what a claim says.

A claim is proved only if each of its formal statements, made of the printed formulas, follows at once
from a theorem; the scope, the steps and what is taken on trust are printed from these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
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
from proofs.kernel.values import holds, value
from verify.checks.argument import conclude
from verify.checks.parameters import given
from verify.claim import Evidence, Printed, Registry, Road
from verify.measuring.context import Context
from verify.measuring.quantities import in_words
from verify.verdict import Verdict

#: The name under which a detail holds what was proved, in LaTeX.
THEOREMS = "theorems"
#: Formal statements of a claim, each with the theorem from which it follows.
Goals: TypeAlias = Iterable[tuple[Goal, Theorem]]
#: The failure probability at which a public condition is compared with a printed one.
_DELTA = Fraction(1, 1000)
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
        lines = () if also is None else also.lines
        trust = {f"{it.name}: {it.statement}" for one in found for it in one.trust}
        return Evidence(
            Verdict.PROVED,
            "",
            self.summary,
            scope="; ".join(dict.fromkeys(map(_where, found))),
            steps=(*steps(found), *map(str, lines)),
            assumptions=(*sorted(trust),),
            detail={THEOREMS: [latex(one) for one in found]},
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


def same_frontier(
    public: SufficientCondition,
    stated: Sequence[Compare],
    places: Iterable[Mapping[str, Any]],
) -> Argument:
    """The public condition ends where the printed hypotheses do: at the largest N that it allows they
    hold, for one more they do not.

    *places* are its sizes but N, M = N where there is no M. The hypotheses are evaluated as printed, by
    balls, and by nothing of the class of the condition.
    """
    argument = Argument()
    for place in places:
        edge = public.largest(delta=_DELTA, **place)
        with precision():
            inside, beyond = (
                [holds(it, {"M": n, **place, "N": n, "delta": _DELTA}) for it in stated]
                for n in (edge, edge + 1)
            )
        where = in_words({**place, "delta": _DELTA})
        argument.true(
            f"at {where} the public condition ends where the printed one does",
            edge > 0 and all(inside) and False in beyond,
            f"N = {edge}, the last for which the hypotheses hold, {len(stated)} in number",
        )
    return argument


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
