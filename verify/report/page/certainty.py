"""How sure a verdict is: for each piece of evidence of what kind it is, and what it leaves open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from typing import Any

from verify.claim import Evidence, Registry, Road
from verify.claim.in_words import is_step_in_words, worded
from verify.records import number, tables
from verify.report.plots.measured import Measured, measured
from verify.running.runner import ClaimResult
from verify.typeset.words import counted, flowed
from verify.verdict import EXACT, Verdict

_EXACT = {
    Verdict.PROVED: "exact, for every value in the scope",
    Verdict.ARGUED: "for every value in the scope, exact but for its steps in words",
    Verdict.CERTIFIED: "exact or in interval arithmetic, over the scope",
    Verdict.REFUTED: "an exact counterexample",
}
#: What one road that decides makes of a statement.
_SURE = {
    Verdict.PROVED: "Proved",
    Verdict.ARGUED: "Argued",
    Verdict.CERTIFIED: "Certified",
    Verdict.SUPPORTED: "Intervals tell it from the wrong statements nearby",
}
#: How a measured case says that its draws are events.
_EVENTS = "every value 0 or 1"
#: Bounds of probabilities have two digits, rounded outward.
_UP = Context(prec=2, rounding=ROUND_CEILING)
_DOWN = Context(prec=2, rounding=ROUND_FLOOR)


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
    """What the roads say together, where several have decided."""
    said = {e.road for e in result.evidence if e.verdict.decided and e.road}
    if len(said) < 2 or not result.verdict.decided:
        return ""
    if result.verdict is Verdict.REFUTED:
        found = {e.road for e in result.evidence if e.verdict is Verdict.REFUTED and e.road}
        return f"{_many(found)} find that it is false." if len(found) > 1 else ""
    sharp = {e.road for e in result.evidence if e.road and _sharp(e)}
    others = " and ".join(_activity(result, road) for road in Road if road in said - sharp)
    if len(sharp) > 1:
        first = f"{_many(sharp)} find that it holds"
    elif sharp:
        first = _SURE[result.verdict]
    else:
        return f"Nothing that was done contradicts it: {others}."
    if not others:
        return f"{first}."
    verb = "do" if " and " in others else "does"
    return f"{first}; {others} {verb} not contradict it."


def _many(roads: set[Road]) -> str:
    return f"{'Two' if len(roads) == 2 else 'Three'} independent roads"


def _sharp(evidence: Evidence) -> bool:
    """Whether it is exact, or its intervals exclude every wrong statement they were held against."""
    if evidence.verdict.positive and evidence.verdict in EXACT:
        return True
    held: dict[str, bool] = {}
    for it in filter(None, map(measured, tables(evidence.detail.get("cases")))):
        for name, value in it.mutants:
            held[name] = held.get(name, False) or it.excludes(value)
    return evidence.verdict.positive and bool(held) and all(held.values())


def _activity(result: ClaimResult, road: Road) -> str:
    """What was done on a road."""
    if road is Road.PROPERTIES:
        return "a search"
    measured_it = any(e.detail.get("cases") for e in result.evidence if e.road is road)
    return "measurement" if measured_it else "a calculation"


def _absent(result: ClaimResult, registry: Registry, asked: Iterable[Road]) -> str:
    """The roads that have nothing to say."""
    wanted, seen = set(asked), {e.road for e in result.evidence}
    missing = [road for road in Road if road not in seen]
    has = registry.roads(result.claim.id) if result.claim.id in registry else ()
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
        trust = [a for a in evidence.assumptions if not is_step_in_words(a)]
        return Line(road, _exact(evidence), tuple(trust))
    if evidence.road is Road.PROPERTIES:
        return Line(road, f"a search for a counterexample: {evidence.summary}")
    cases = list(_cases(evidence.detail))
    if not cases:
        return Line(road, f"a calculation in floating point: {evidence.summary}")
    return Line(road, "; ".join([*_measured(cases), *_bounded(cases), *_one_sided(cases)]))


def _exact(evidence: Evidence) -> str:
    words = _EXACT.get(evidence.verdict, evidence.verdict.meaning)
    if found := worded(evidence.steps):
        lines = counted(len(evidence.steps), "line")
        return f"{words}; {found} of {lines} {'is' if found == 1 else 'are'} reasoning in words"
    return f"{words}; no line of it is reasoning in words"


@dataclass(frozen=True)
class _Case:
    """The numbers of a measured case that are known. *seen*: the mean, where it is of events."""

    error: float | None
    draws: int | None
    apart: float | None
    quantity: str
    numbers: Measured | None
    seen: float | None


def _cases(detail: Mapping[str, Any]) -> Iterator[_Case]:
    for item in tables(detail.get("cases")):
        draws = _positive(item.get("replicates"))
        yield _Case(
            _positive(item.get("error share")),
            None if draws is None else int(draws),
            _positive(item.get("detectable difference")),
            flowed(str(item.get("quantity", ""))),
            measured(item),
            _seen(item),
        )


def _seen(item: Mapping[str, Any]) -> float | None:
    """How often an event was seen; None of what is no event."""
    moments = item.get("moments")
    if _EVENTS not in str(item.get("needs")) or not isinstance(moments, Mapping):
        return None
    means = [number(found.get("mean")) for found in tables(list(moments.values()))]
    return means[0] if len(means) == 1 else None


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


def _bounded(cases: list[_Case]) -> Iterator[str]:
    """How the intervals stand to the bounds that are claimed."""
    known = [c.numbers for c in cases if c.numbers is not None and c.numbers.clear is not None]
    beyond = sum(it.contradicts for it in known)
    clear = sum(it.clear is True for it in known)
    for found, said in (
        (clear, "clear of the bound"),
        (len(known) - clear - beyond, "not clear of the bound"),
        (beyond, "beyond the bound"),
    ):
        if found:
            yield said if len(cases) == 1 else f"{_share(found, len(cases))} {said}"


def _share(found: int, total: int) -> str:
    if found == total:
        return "both" if total == 2 else "all"
    return f"{found} of {total}"


def _one_sided(cases: list[_Case]) -> Iterator[str]:
    """What draws that all went the same way leave open."""
    told = []
    for case in cases:
        it = case.numbers
        if it is None or case.draws is None or it.clear is not True:
            continue
        of = f"draws, which says of {case.quantity} no more than that it is at"
        if case.seen == 0 and it.side > 0:
            most = float(_UP.create_decimal(repr(it.high)))
            told.append(f"none in {case.draws:,} {of} most {most:.2g}")
        elif case.seen == 1 and it.side < 0:
            least = float(_DOWN.create_decimal(repr(it.low)))
            told.append(f"all of {case.draws:,} {of} least {least:.2g}")
    yield from dict.fromkeys(told)


def _positive(value: object) -> float | None:
    found = number(value)
    return found if found is not None and found > 0 else None
