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
#: With this part of all bounds in their place some step must be refuted, in ``verify power``.
_NEARLY = Fraction(49, 50)
#: Draws in which a step between random variables is looked at.
_DRAWS = 1024
#: Rules that say another theorem for other numbers, or in another form.
_ANEW = ("instantiate", "restate", "weaken")
#: What is supposed, and one event in two ways: neither way can be seen to be less likely.
_UNTESTED = ("assume", "powers_exceed")


def measured_steps(
    registry: Registry,
    claim_id: str,
    goals: Callable[..., Goals],
    *,
    places: Callable[[], Sequence[Place]],
    group: str,
    within: int = _WITHIN,
    nearly: Fraction = _NEARLY,
) -> None:
    """Register the numerics check of the steps of a proof; *goals* as for ``proved``.

    *within*: a bound so many times too small must be refuted at the places, or nothing is decided.
    *nearly*: if all bounds are this part of what they are, some step must be refuted.
    """

    def cases(printed: Printed, context: Context, share: Fraction = Fraction(1)) -> Cases:
        return step_cases(goals(**given(goals, printed, context)), places(), within, share)

    # Not all that a statement says can be measured where its proof can: others judge its mutants.
    method, wrong = "steps of the proof", partial(cases, share=nearly)
    measured(registry, claim_id, cases, method=method, group=group, builds=False, wrong=wrong)


def step_cases(
    goals: Goals,
    places: Sequence[Place],
    within: int = _WITHIN,
    share: Fraction = Fraction(1),
) -> Cases:
    """The steps under the theorems, and what the goals state, as cases: each once a place.

    *share*: so much of each bound is claimed in its place.

    Refuted where both sides of a step are numbers, and these are the wrong way round. UsageError
    where nothing is measured, or only what the theorems end with though they have other steps.
    """
    said = list(_said(goals))
    found: list[tuple[Place, _Step]] = []
    for place in places:
        steps: dict[tuple[str, ...], _Step] = {}
        sides = _Sides(place)
        for one in said:
            step = sides.step(one) if _stands(one, place) else None
            if step is not None and step.contradicted:
                return _against(step, place)
            if step is not None and step.says_something:
                steps.setdefault(step.key, step)
        found += [(place, step) for step in steps.values()]
    inner = [one for one in said if one.inner and any(map(means, one.statement.sides))]
    if not found or (inner and not any(step.said.inner for _, step in found)):
        raise UsageError(
            "places: no step of the proof can be measured there; take smaller sizes, where its "
            "bounds are below 1, and numbers for all of its symbols"
        )
    return [step.case(place, within, float(share)) for place, step in found]


def pathwise(
    goals: Goals, places: Sequence[Place], seed: int
) -> Iterator[tuple[str, float, float]]:
    """The steps that compare random variables themselves: what each says, the largest value that is
    seen of its left side less its right side, and 0, which that may not exceed."""
    from numerics.expressions import largest  # torch only where something is measured

    said = list(_said(goals))
    for place in places:
        draw = None if place.draw is None else partial(place.draw, **place.at)
        for one in said:
            statement = one.statement
            if not any(map(randoms, statement.sides)) or not _stands(one, place):
                continue
            left, right = place.of(statement).sides
            try:
                gap = plain(left - right, place)
            except UndrawnError:
                continue
            where = in_words({name: place.at[name] for name in sorted(_spoken(statement))})
            words = f"left side less right side at {where}, {one.rule}: {statement}"
            yield words, largest(gap, _DRAWS, seed=seed, draw=draw), 0.0


# -- which steps there are ------------------------------------------------------------------------


@dataclass(frozen=True)
class _Said:
    """A comparison, the rule that makes it, and where it holds; *inner*: no theorem ends with it."""

    rule: str
    statement: Compare
    region: Region
    hypotheses: tuple[Compare, ...]
    inner: bool


def _said(goals: Goals) -> Iterator[_Said]:
    """All comparisons of the theorems, each once, and of the goals."""
    seen: set[int] = set()
    for goal, theorem in goals:
        for one in theorem.tree():
            rule, statement = _origin(one), one.statement
            if id(one) in seen or rule.endswith(_UNTESTED) or not isinstance(statement, Compare):
                continue
            seen.add(id(one))
            inner = statement != theorem.statement
            yield _Said(rule, statement, one.region, one.hypotheses, inner)
        if isinstance(goal.statement, Compare):
            yield _Said("as stated", goal.statement, goal.region, goal.hypotheses, inner=False)


def _origin(theorem: Theorem) -> str:
    """The rule that makes a theorem; where it only says another one anew, that of this one too."""
    rule = theorem.rule
    while theorem.rule in _ANEW and theorem.uses:
        theorem = theorem.uses[0]
        rule = f"{rule} of {theorem.rule}"
    return rule


def _stands(said: _Said, place: Place) -> bool:
    """Whether the place is in the region, and the hypotheses are seen to hold there."""
    at = place.at
    if not said.region.names <= set(at):
        return False
    demanded = list(map(place.of, said.hypotheses))
    for one in said.region.ranges:
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
    """A comparison at a place, and both of its sides, numbers or drawn."""

    said: _Said
    statement: Compare
    left: arb | Side
    right: arb | Side

    @property
    def key(self) -> tuple[str, ...]:
        """What tells it from others at the place."""
        sides = (self.left, self.right)
        return tuple(str(it if isinstance(it, arb) else it.term) for it in sides)

    @property
    def contradicted(self) -> bool:
        """Whether both sides are numbers, and these are the wrong way round."""
        left, right = self.left, self.right
        if not isinstance(left, arb) or not isinstance(right, arb):
            return False
        return bool(left > right or (self.statement.relation == "=" and left < right))

    @property
    def says_something(self) -> bool:
        """Whether something is drawn, and said to be more than that a probability is in [0, 1]."""
        left, right = self.left, self.right
        if self.statement.relation == "=" or (isinstance(left, arb) and isinstance(right, arb)):
            return False
        if isinstance(left, arb):
            return self.statement.right.head != "P" or bool(left > 0)
        return self.statement.left.head != "P" or not isinstance(right, arb) or bool(right < 1)

    def case(self, place: Place, within: int, share: float) -> Case:
        """What is measured of it, and what is claimed of that, a *share* of its bound."""
        name, left, right = f"{self.said.rule}: {self.statement}", self.left, self.right
        sides = [it for it in (left, right) if isinstance(it, Side)]
        claim: AtMost | AtLeast = AtMost(share, share / within)
        if isinstance(left, arb):
            claim = AtLeast(float(left.lower()) / share)
        elif isinstance(right, arb):
            bound = share * float(right.upper())
            claim = AtMost(bound, bound / within)
        else:
            name = f"{name}: left side over right side"
        spoken = _spoken(self.statement)
        sizes = {size: it for size, it in place.sizes.items() if size in spoken}
        return Case(name, sizes or place.sizes, statistic(place, *sides), claim)


@dataclass
class _Sides:
    """The sides of comparisons at a place, each number found once, as an average takes its time."""

    place: Place
    numbers: dict[Term, arb | None] = field(default_factory=dict)

    def step(self, said: _Said) -> _Step | None:
        """The comparison there; None if a side neither is a number nor can be drawn."""
        statement = self.place.of(said.statement)
        if any(map(randoms, statement.sides)) or not _spoken(statement) <= set(self.place.at):
            return None
        left = self._drawn(statement.left) or self._number(statement.left)
        if left is None:
            return None
        ways = [self._number, self._drawn]
        if isinstance(left, arb):  # then it is the other side that is to be measured
            ways.reverse()
        right = next((it for way in ways if (it := way(statement.right)) is not None), None)
        return None if right is None else _Step(said, statement, left, right)

    def _drawn(self, one: Term) -> arb | Side | None:
        """What is drawn of a side, if all of its expectations can be."""
        try:
            return drawn(one, self.place) if means(one) else None
        except UndrawnError:
            return None

    def _number(self, one: Term) -> arb | Side | None:
        if one not in self.numbers:
            self.numbers[one] = _valued(one, self.place.at)
        return self.numbers[one]


def _valued(one: Term, at: Numbers) -> arb | None:
    try:
        with precision():
            found = value(one, at)
    except ValueError:  # of several random variables, or of one that is not known
        return None
    return found if found.is_finite() else None


def _against(step: _Step, place: Place) -> Evidence:
    where, rule = in_words(dict(place.at)), step.said.rule
    left, right = (
        str(it.mid().str(6, radius=False)) for it in (step.left, step.right) if type(it) is arb
    )
    return Evidence(
        Verdict.REFUTED,
        "",
        f"{rule}: {step.statement} is false at {where}: {left} against {right}",
        scope=f"at {where}",
        counterexample={
            "statement": str(step.statement),
            "at": where,
            "left side": left,
            "right side": right,
        },
    )
