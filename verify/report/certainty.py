"""How sure a verdict is: for each piece of evidence of what kind it is, and what it leaves open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context
from numbers import Real
from typing import Any

from verify.claim import Evidence, Registry, Road
from verify.report.text import counted, worded
from verify.report.trusted import STEP_IN_WORDS
from verify.runner import ClaimResult
from verify.verdict import Verdict

_EXACT = {
    Verdict.PROVED: "exact, for every value in the scope",
    Verdict.CERTIFIED: "exact or in interval arithmetic, over the scope",
    Verdict.REFUTED: "an exact counterexample",
}
#: Bounds of probabilities have two digits, rounded up.
_UP = Context(prec=2, rounding=ROUND_CEILING)


@dataclass(frozen=True)
class Line:
    """What one piece of evidence is worth; *trust* are the cited results that it takes."""

    road: str
    words: str
    trust: tuple[str, ...] = ()


@dataclass(frozen=True)
class Certainty:
    """A sentence on how the roads stand to each other, and a line for each piece of evidence."""

    agreement: str
    lines: tuple[Line, ...]
    absent: str


def certainty(result: ClaimResult, registry: Registry, asked: Iterable[Road]) -> Certainty:
    """How sure the verdict of *result* is, in a run that was *asked* for these roads."""
    order: list[Road | None] = [*Road, None]
    evidence = sorted(result.evidence, key=lambda e: order.index(e.road))
    return Certainty(
        _agreement(result), tuple(map(_line, evidence)), _absent(result, registry, asked)
    )


def _agreement(result: ClaimResult) -> str:
    """How many roads say the same, where several do."""
    roads = {e.road for e in result.evidence if e.verdict.decided}
    if len(roads) < 2 or not result.verdict.decided:
        return ""
    number = {2: "Two", 3: "Three"}.get(len(roads), str(len(roads)))
    said = "that it is false" if result.verdict is Verdict.REFUTED else "that it holds"
    return f"{number} independent roads find {said}."


def _absent(result: ClaimResult, registry: Registry, asked: Iterable[Road]) -> str:
    """The roads that have nothing to say."""
    wanted, seen = set(asked), {e.road for e in result.evidence}
    missing = [road for road in Road if road not in seen]
    has = {c.road for c in registry.checks(result.claim.id)} if result.claim.id in registry else ()
    left = [road for road in missing if road in has and road not in wanted]
    none = [road for road in missing if road not in has]
    words = []
    if left:
        words.append(f"Not in this run: {', '.join(left)}.")
    if none:
        words.append(f"No check: {', '.join(none)}.")
    return " ".join(words)


def _line(evidence: Evidence) -> Line:
    road = evidence.road or "evidence"
    if not evidence.verdict.decided:
        return Line(road, evidence.verdict.meaning)
    if evidence.road is Road.PROOFS:
        trust = [a for a in evidence.assumptions if not a.startswith(STEP_IN_WORDS)]
        return Line(road, _exact(evidence), tuple(trust))
    if evidence.road is Road.PROPERTIES:
        return Line(road, f"a search for a counterexample: {evidence.summary}")
    cases = list(_cases(evidence.detail))
    if not cases:
        return Line(road, f"a calculation in floating point: {evidence.summary}")
    return Line(road, "; ".join(_measured(cases)))


def _exact(evidence: Evidence) -> str:
    words = _EXACT.get(evidence.verdict, evidence.verdict.meaning)
    if found := worded(evidence.steps):
        lines = counted(len(evidence.steps), "line")
        return f"{words}; {found} of {lines} {'is' if found == 1 else 'are'} reasoning in words"
    return f"{words}; no line of it is reasoning in words"


@dataclass(frozen=True)
class _Case:
    """The numbers of a measured case that are known."""

    error: float | None
    draws: int | None
    apart: float | None


def _cases(detail: Mapping[str, Any]) -> Iterator[_Case]:
    found = detail.get("cases")
    for item in found if isinstance(found, (list, tuple)) else ():
        if isinstance(item, Mapping):
            draws = _number(item.get("replicates"))
            yield _Case(
                _number(item.get("error share")),
                None if draws is None else int(draws),
                _number(item.get("detectable difference")),
            )


def _measured(cases: list[_Case]) -> Iterator[str]:
    """The error of all intervals together, the draws, and what the narrowest tells apart."""
    many = len(cases) > 1
    yield counted(len(cases), "confidence interval")
    errors = [case.error for case in cases if case.error is not None]
    if len(errors) == len(cases) and 0 < sum(errors) < 1:
        error = float(_UP.create_decimal(repr(sum(errors))))
        which = "any of them" if many else "it"
        yield f"the probability that {which} misses is at most {error:.2g}"
    draws = [case.draws for case in cases if case.draws is not None]
    if draws:
        yield f"{'up to ' if many else ''}{max(draws):,} draws{' each' if many else ''}"
    apart = [case.apart for case in cases if case.apart is not None]
    if apart:
        which = "the narrowest" if many else "it"
        yield f"{which} tells apart values that differ by {min(apart):.2g}"


def _number(value: object) -> float | None:
    """A finite positive number, or None."""
    if not isinstance(value, Real):
        return None
    number = float(value)
    return number if 0 < number < float("inf") else None
