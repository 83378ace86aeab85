"""The trusted base of a run: cited theorems, steps in words, libraries, each with what rests on it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from verify.claim import Registry, Road
from verify.claim.in_words import STEP_IN_WORDS, is_step_in_words
from verify.report.parts import Part, parts
from verify.running.runner import ClaimResult
from verify.typeset.words import flowed
from verify.verdict import Verdict

#: What each road computes with, and what for.
_LIBRARIES = {
    Road.PROOFS: (
        ("sympy", "polynomials, Hermite expansions"),
        ("python-flint", "exact rationals, rational functions, balls that hold the true value"),
    ),
    Road.NUMERICS: (
        ("torch", "drawn memories, transformers, gradients"),
        ("numpy", "tables, flows, confidence sequences"),
        ("scipy", "differential equations, linear programs"),
    ),
    Road.PROPERTIES: (
        ("hypothesis", "the search for a case that breaks a statement"),
        ("torch", "the drawn memories"),
    ),
}
#: What stands beside them where a card has computed: its title, its name in ``machine``, its use.
_CARD = (("card", "card", "what is measured"), ("driver", "driver", ""), ("toolkit", "toolkit", ""))


@dataclass(frozen=True)
class Cited:
    """A source with what is taken from it, each with the claims that name it; *through* are the claims
    that rest on those."""

    source: str
    taken: tuple[tuple[str, tuple[str, ...]], ...]
    direct: tuple[str, ...]
    through: tuple[str, ...]


@dataclass(frozen=True)
class Worded:
    """The steps in words of one part of a paper: the step, its reason, the claims that contain it."""

    part: Part
    steps: tuple[tuple[str, str, tuple[str, ...]], ...]


@dataclass(frozen=True)
class Computed:
    """What the evidence of one road was computed with: name, version and use of each library. *claims*
    is how many claims have such evidence."""

    road: Road
    libraries: tuple[tuple[str, str, str], ...]
    claims: int


@dataclass(frozen=True)
class Trusted:
    """All that a run takes on trust. *unaided*: how many of the claims *proved* take nothing on trust,
    neither themselves nor through a claim that they rest on; *argued*: how many have a step in words,
    their own or of a claim that they rest on."""

    cited: tuple[Cited, ...]
    worded: tuple[Worded, ...]
    computed: tuple[Computed, ...]
    proved: int
    unaided: int
    argued: int

    @property
    def steps(self) -> int:
        """How many different steps in words there are."""
        return sum(len(group.steps) for group in self.worded)


@dataclass(frozen=True)
class Inherited:
    """What a claim takes on trust through the claims it rests on, beyond what it names itself.

    *claims*: how many those are; *absent* are those that this run does not have. *cited*: each text
    with the claims that name it. *steps*: how many steps in words there are, in the claims *worded*.
    """

    claims: int
    absent: tuple[str, ...]
    cited: tuple[tuple[str, tuple[str, ...]], ...]
    steps: int
    worded: tuple[str, ...]

    @property
    def sources(self) -> str:
        """What is cited, in short."""
        return ", ".join(dict.fromkeys(flowed(text).partition(": ")[0] for text, _ in self.cited))


def inherited(result: ClaimResult, results: Mapping[str, ClaimResult]) -> Inherited:
    """What *result* takes on trust through others, of which *results* are those of this run."""
    reached = _rests_on(result, results)
    named: dict[str, list[str]] = {}
    for id_ in reached:
        for text in results[id_].assumptions if id_ in results else ():
            named.setdefault(text, []).append(id_)
    for text in result.assumptions:
        named.pop(text, None)
    words = {text: ids for text, ids in named.items() if is_step_in_words(text)}
    return Inherited(
        len(reached),
        tuple(id_ for id_ in reached if id_ not in results),
        tuple((text, tuple(ids)) for text, ids in named.items() if text not in words),
        len(words),
        tuple(dict.fromkeys(id_ for ids in words.values() for id_ in ids)),
    )


def _rests_on(result: ClaimResult, results: Mapping[str, ClaimResult]) -> tuple[str, ...]:
    """The claims that *result* uses, directly or through others."""
    reached: dict[str, None] = {}
    ahead = list(result.claim.uses)
    while ahead:
        id_ = ahead.pop(0)
        if id_ not in reached and id_ != result.claim.id:
            reached[id_] = None
            ahead += results[id_].claim.uses if id_ in results else ()
    return tuple(reached)


def trusted(
    results: Sequence[ClaimResult], registry: Registry, machine: Mapping[str, str]
) -> Trusted:
    """The trusted base of these results, found with *machine* (``RunResult.machine``).

    A source stands once, the one that most claims rest on first; a step in words stands where it first
    occurs."""
    named: dict[str, list[str]] = {}
    for result in results:
        for text in result.assumptions:
            named.setdefault(text, []).append(result.claim.id)
    cited = {text: ids for text, ids in named.items() if not is_step_in_words(text)}
    words = {
        text.removeprefix(STEP_IN_WORDS): ids for text, ids in named.items() if text not in cited
    }
    shown = [result.claim.id for result in results]
    proved = [result for result in results if result.verdict is Verdict.PROVED]
    known = {result.claim.id: result for result in results}
    return Trusted(
        tuple(_cited(cited, shown, registry)),
        tuple(
            _worded(words, parts([result.claim for result in results], registry.papers.values()))
        ),
        tuple(_computed(results, machine)),
        len(proved),
        sum(_unaided(result, known) for result in proved),
        sum(result.verdict is Verdict.ARGUED for result in results),
    )


def _unaided(result: ClaimResult, results: Mapping[str, ClaimResult]) -> bool:
    """Whether a proved claim and all that it rests on are proved, with no assumption named."""
    ids = _rests_on(result, results)
    return not result.assumptions and all(
        id_ in results and results[id_].verdict is Verdict.PROVED and not results[id_].assumptions
        for id_ in ids
    )


def _cited(
    named: dict[str, list[str]], shown: Sequence[str], registry: Registry
) -> Iterable[Cited]:
    sources: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for text, ids in named.items():
        source, _, taken = flowed(text).partition(": ")
        sources.setdefault(source, []).append((taken, tuple(ids)))
    found = []
    for source, uses in sources.items():
        direct = {id_ for _, ids in uses for id_ in ids}
        further = _resting_on(direct, registry) - direct
        found.append(
            Cited(
                source,
                tuple(uses),
                tuple(id_ for id_ in shown if id_ in direct),
                tuple(id_ for id_ in shown if id_ in further),
            )
        )
    return sorted(found, key=lambda c: -len(c.direct) - len(c.through))


def _resting_on(ids: Collection[str], registry: Registry) -> set[str]:
    """*ids* and the claims that use one of them, directly or through others."""
    reached, pending = set(ids), list(ids)
    while pending:
        more = set(registry.resting_on(pending.pop())) - reached
        reached |= more
        pending += more
    return reached


def _worded(words: dict[str, list[str]], found: Sequence[Part]) -> Iterable[Worded]:
    home = {claim.id: part for part in found for claim in part.claims}
    groups: dict[Part, list[tuple[str, str, tuple[str, ...]]]] = {}
    for text, ids in words.items():
        step, _, reason = text.partition(", since ")
        groups.setdefault(home[ids[0]], []).append((step, reason, tuple(ids)))
    return (Worded(part, tuple(groups[part])) for part in found if part in groups)


def _computed(results: Sequence[ClaimResult], machine: Mapping[str, str]) -> Iterable[Computed]:
    for road, libraries in _LIBRARIES.items():
        claims = sum(any(e.road is road for e in r.evidence) for r in results)
        if claims:
            named = [("Python", "python", "all of it"), *((it, it, use) for it, use in libraries)]
            if road is not Road.PROOFS and "card" in machine:
                named += _CARD
            found = tuple((name, machine.get(key, "not known"), use) for name, key, use in named)
            yield Computed(road, found, claims)
