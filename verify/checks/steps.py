"""The measured road through a proof: each step that bounds what can be drawn, not the end alone.

At a place the comparisons under the theorems of a claim speak of numbers, and of expectations and
probabilities. Numbers are compared by balls. The others are drawn: the left side of a step must be
seen to be at most its right side, and above a part of it, so that a bound which is that many times
too small would be refuted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import TypeAlias

from flint import arb

from proofs.algebra.balls import precision
from proofs.kernel import Compare, Region, Term, Theorem, symbol
from proofs.kernel.terms import free, randoms
from proofs.kernel.values import holds, value
from verify.checks.parameters import given
from verify.checks.theorem import Goals
from verify.checks.trial import measured
from verify.claim import Cases, Evidence, Printed, Registry
from verify.errors import UsageError
from verify.measuring.case import Case
from verify.measuring.context import Context
from verify.measuring.quantities import in_words
from verify.measuring.terms import (
    Numbers,
    Place,
    Side,
    UndrawnError,
    drawn,
    means,
    plain,
    statistic,
)
from verify.statistics import AtLeast, AtMost
from verify.verdict import Verdict

#: A bound that is this many times too small must be refuted, unless a check says otherwise.
_WITHIN = 10
#: Draws in which a step between random variables is looked at.
_DRAWS = 1024
#: What stands in place of a rule for what a claim states.
_STATED = "as stated"
#: Rules that say another theorem for other numbers, or in another form.
_ANEW = ("instantiate", "restate", "weaken")
#: What is supposed, and one event in two ways: neither way can be seen to be less likely.
_UNTESTED = ("assume", "powers_exceed")
#: The rule that makes a comparison, where it holds, and what it says.
_Said: TypeAlias = tuple[str, Region, tuple[Compare, ...], Compare]


def measured_steps(
    registry: Registry,
    claim_id: str,
    goals: Callable[..., Goals],
    *,
    places: Callable[[], Sequence[Place]],
    group: str,
    within: int = _WITHIN,
) -> None:
    """Register the numerics check of the steps of a proof; *goals* as for ``proved``.

    *within*: a bound so many times too small must be refuted at the places, or nothing is decided.
    """

    def cases(printed: Printed, context: Context) -> Cases:
        return step_cases(goals(**given(goals, printed, context)), places(), within)

    measured(registry, claim_id, cases, method="steps of the proof", group=group, builds=False)


def step_cases(goals: Goals, places: Sequence[Place], within: int = _WITHIN) -> Cases:
    """The steps under the theorems, and what the goals state, as cases: each once a place.

    Refuted where both sides of a step are numbers, and these are the wrong way round. UsageError
    where nothing is measured but what the goals state.
    """
    said, cases = list(_said(goals)), []
    for place in places:
        steps = _Steps(place, within)
        for rule, region, hypotheses, statement in said:
            if _stands(region, hypotheses, place):
                wrong = steps.take(rule, place.of(statement))
                if wrong is not None:
                    return wrong
        cases += list(steps.cases())
    if all(case.symbol.startswith(_STATED) for case in cases):
        raise UsageError(
            "places: no step of the proof can be measured there; take smaller sizes, where its "
            "bounds are below 1, and numbers for all of its symbols"
        )
    return cases


def pathwise(
    goals: Goals, places: Sequence[Place], seed: int
) -> Iterator[tuple[str, float, float]]:
    """The steps that compare random variables themselves: what each says, the largest value that is
    seen of its left side less its right side, and 0, which that may not exceed."""
    from numerics.expressions import largest  # torch only where something is measured

    said = list(_said(goals))
    for place in places:
        draw = None if place.draw is None else partial(place.draw, **place.at)
        for rule, region, hypotheses, statement in said:
            if not any(map(randoms, statement.sides)) or not _stands(region, hypotheses, place):
                continue
            left, right = place.of(statement).sides
            try:
                gap = plain(left - right, place)
            except UndrawnError:
                continue
            where = in_words({name: place.at[name] for name in sorted(_spoken(statement))})
            words = f"left side less right side at {where}, {rule}: {statement}"
            yield words, largest(gap, _DRAWS, seed=seed, draw=draw), 0.0


# -- which steps there are ------------------------------------------------------------------------


def _said(goals: Goals) -> Iterator[_Said]:
    """All comparisons of the theorems, each once, and of the goals."""
    seen: set[int] = set()
    for goal, theorem in goals:
        for one in theorem.tree():
            rule = _origin(one)
            known = id(one) in seen or rule.endswith(_UNTESTED)
            if not known and isinstance(one.statement, Compare):
                seen.add(id(one))
                yield rule, one.region, one.hypotheses, one.statement
        if isinstance(goal.statement, Compare):
            yield _STATED, goal.region, goal.hypotheses, goal.statement


def _origin(theorem: Theorem) -> str:
    """The rule that makes a theorem; where it only says another one anew, that of this one too."""
    rule = theorem.rule
    while theorem.rule in _ANEW and theorem.uses:
        theorem = theorem.uses[0]
        rule = f"{rule} of {theorem.rule}"
    return rule


def _stands(region: Region, hypotheses: Sequence[Compare], place: Place) -> bool:
    """Whether the place is in the region, and the hypotheses are seen to hold there."""
    at = place.at
    if not region.names <= set(at):
        return False
    demanded = list(map(place.of, hypotheses))
    for one in region.ranges:
        if one.whole and Fraction(at[one.name]).denominator != 1:
            return False
        if one.lower is not None:
            demanded.append(Compare(one.lower, "<" if one.open_below else "<=", symbol(one.name)))
        if one.upper is not None:
            demanded.append(Compare(symbol(one.name), "<" if one.open_above else "<=", one.upper))
    return all(_holds(it, at) for it in demanded)


def _holds(statement: Compare, at: Numbers) -> bool:
    """Whether both sides have values, and the comparison is seen to hold."""
    if any(map(randoms, statement.sides)) or not _spoken(statement) <= set(at):
        return False
    try:
        with precision():
            return bool(holds(statement, at))
    except ValueError:
        return False


def _spoken(statement: Compare) -> frozenset[str]:
    return free(statement.left) | free(statement.right)


# -- which of them are measured -------------------------------------------------------------------


@dataclass(frozen=True)
class _Step:
    """A comparison that a rule makes, and both sides at a place, numbers or drawn."""

    rule: str
    statement: Compare
    left: arb | Side
    right: arb | Side

    @property
    def contradicted(self) -> bool:
        """Whether both sides are numbers, and these are the wrong way round."""
        if not isinstance(self.left, arb) or not isinstance(self.right, arb):
            return False
        return bool(
            self.left > self.right or (self.statement.relation == "=" and self.left < self.right)
        )

    @property
    def says_something(self) -> bool:
        """Whether something is drawn, and said to be more than that a probability is in [0, 1]."""
        left, right = self.left, self.right
        if self.statement.relation == "=" or (isinstance(left, arb) and isinstance(right, arb)):
            return False
        if isinstance(left, arb):
            return self.statement.right.head != "P" or bool(left > 0)
        return self.statement.left.head != "P" or not isinstance(right, arb) or bool(right < 1)

    def case(self, place: Place, within: int) -> Case:
        """What is measured of it, and what is claimed of that."""
        said, left, right = f"{self.rule}: {self.statement}", self.left, self.right
        sides = [it for it in (left, right) if isinstance(it, Side)]
        claim: AtMost | AtLeast = AtMost(1.0, 1 / within)
        if isinstance(left, arb):
            claim = AtLeast(float(left.lower()))
        elif isinstance(right, arb):
            claim = AtMost(float(right.upper()), float(right.upper()) / within)
        else:
            said = f"{said}: left side over right side"
        spoken = _spoken(self.statement)
        sizes = {name: it for name, it in place.sizes.items() if name in spoken}
        return Case(said, sizes, statistic(place, *sides), claim)


@dataclass
class _Steps:
    """The steps at a place that are to be measured, each once."""

    place: Place
    within: int
    found: dict[tuple[str, ...], _Step] = field(default_factory=dict)

    def take(self, rule: str, statement: Compare) -> Evidence | None:
        """Remember a step; evidence against one that its values contradict."""
        if any(map(randoms, statement.sides)) or not _spoken(statement) <= set(self.place.at):
            return None
        number, drawn_ = self._number, self._drawn
        left = drawn_(statement.left) or number(statement.left)
        ways = (drawn_, number) if isinstance(left, arb) else (number, drawn_)
        right = next((it for way in ways if (it := way(statement.right)) is not None), None)
        if left is None or right is None:
            return None
        step = _Step(rule, statement, left, right)
        if step.contradicted:
            return self._against(step)
        if step.says_something:
            key = tuple(str(it if isinstance(it, arb) else it.term) for it in (left, right))
            self.found.setdefault(key, step)
        return None

    def cases(self) -> Iterator[Case]:
        return (step.case(self.place, self.within) for step in self.found.values())

    def _drawn(self, one: Term) -> Side | None:
        """What is drawn of a side, if all of its expectations can be."""
        try:
            return drawn(one, self.place) if means(one) else None
        except UndrawnError:
            return None

    def _number(self, one: Term) -> arb | None:
        """The value of a side, if it has one."""
        try:
            with precision():
                found = value(one, self.place.at)
        except ValueError:  # of several random variables, or of one that is not known
            return None
        return found if found.is_finite() else None

    def _against(self, step: _Step) -> Evidence:
        where = in_words(dict(self.place.at))
        left, right = (
            str(it.mid().str(6, radius=False)) for it in (step.left, step.right) if type(it) is arb
        )
        return Evidence(
            Verdict.REFUTED,
            "",
            f"{step.rule}: {step.statement} is false at {where}: {left} against {right}",
            scope=f"at {where}",
            counterexample={
                "statement": str(step.statement),
                "at": where,
                "left side": left,
                "right side": right,
            },
        )
