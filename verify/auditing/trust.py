"""On what claims rest that nothing here decides: citations, other assumptions, steps in words, and what
is granted throughout; and how many lines compare what somebody typed.

A source stands once with all that is taken from it, a step in words by itself. With each stand the
claims that fall if it does: those that name it, and those that use these, directly or through others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from hashlib import sha256
from typing import Any

from proofs.citations import CITATIONS, Citation, Tried
from verify.auditing.granted import GRANTED
from verify.claim import Evidence, Road
from verify.claim.in_words import STEP_IN_WORDS, is_step_in_words, taken, worded
from verify.records import THEOREMS
from verify.running.runner import ClaimResult
from verify.typeset.words import flowed
from verify.verdict import Verdict

#: How many random instances of each trial of a citation are looked at.
INSTANCES = 40


class Kind(StrEnum):
    """What is taken on trust: a published theorem, a fact of our own, reasoning, and what every proof
    takes for granted."""

    CITATION = "citation"
    ASSUMPTION = "assumption"
    WORDS = "step in words"
    GRANTED = "granted throughout"

    @property
    def plural(self) -> str:
        """What counts of it are called."""
        named = {"citation": "citations", "assumption": "assumptions", "step in words": "words"}
        return named.get(self, "granted")


@dataclass(frozen=True)
class Relied:
    """Something on which claims rest: its *source*, and what is *taken* from it; of a step in words the
    step, and why it holds. *direct* name it, *through* are the others that use one of these."""

    kind: Kind
    source: str
    taken: tuple[str, ...]
    direct: tuple[str, ...]
    through: tuple[str, ...]

    @property
    def citation(self) -> Citation | None:
        """The published theorem, where it is one."""
        return CITATIONS.get(self.source) if self.kind is Kind.CITATION else None

    def as_json(self) -> dict[str, Any]:
        """All of it, and of a citation what it says, where it is proved, and what came of its trials."""
        found: dict[str, Any] = {
            "kind": self.kind,
            "source": self.source,
            "taken": self.taken,
            "direct": self.direct,
            "through": self.through,
        }
        if (citation := self.citation) is not None:
            result = tried(citation)
            found |= {
                "statement": citation.statement,
                "hypotheses": citation.hypotheses,
                "proved_in": citation.source,
                "tried": result.instances,
                "undecided": result.undecided,
                "broken": result.broken,
                "untried": citation.untried or None,
            }
        return found

    @property
    def falls(self) -> int:
        """How many claims fall with it."""
        return len(self.direct) + len(self.through)


@dataclass(frozen=True)
class Trust:
    """All that claims rest on, what most rest on first, and last what is granted throughout.

    *chosen* are the claims that were asked for; *claims* these and what they use, each with its verdict;
    *absent* is used, and nothing was found of it, so that what it takes is not known. *typed*: how many
    lines of the proof of each decide about expressions that somebody typed, not about theorems.
    """

    relied: tuple[Relied, ...]
    chosen: tuple[str, ...]
    claims: Mapping[str, Verdict]
    absent: tuple[str, ...]
    typed: Mapping[str, int]

    def of(self, kind: Kind) -> list[Relied]:
        """What is of a kind."""
        return [item for item in self.relied if item.kind is kind]

    def broken(self) -> list[str]:
        """The citations of which a random instance is false."""
        cited = [item.citation for item in self.relied]
        return [one.name for one in cited if one is not None and tried(one).broken is not None]

    def counts(self) -> dict[str, int]:
        """How much there is of each kind, how many lines are typed, and how many of the claims are
        proved and argued."""
        verdicts = list(self.claims.values())
        return {
            **{kind.plural: len(self.of(kind)) for kind in Kind},
            "typed lines": sum(self.typed.values()),
            "proved": verdicts.count(Verdict.PROVED),
            "argued": verdicts.count(Verdict.ARGUED),
        }

    def names(self) -> dict[str, list[str]]:
        """What there is of each kind: a source by its name, a step in words by its digest."""
        return {
            kind.plural: sorted(_name(it.kind, it.source, it.taken[:1]) for it in self.of(kind))
            for kind in Kind
        }

    def as_json(self) -> dict[str, Any]:
        """The counts, and each thing with the claims that fall with it."""
        return {
            "counts": self.counts(),
            "chosen": self.chosen,
            "absent": self.absent,
            "relied": [item.as_json() for item in self.relied],
        }


@cache
def tried(citation: Citation) -> Tried:
    """What came of the trials of a citation, which are run once."""
    return citation.tried(INSTANCES)


def trust(results: Sequence[ClaimResult], chosen: Iterable[str]) -> Trust:
    """On what the *chosen* claims rest by these *results*, which are of them and of what they use."""
    known = {r.claim.id: r for r in results if r.verdict.decided}
    asked = tuple(id_ for id_ in chosen if id_ in known)
    reached = _reached(asked, known)
    claims = {id_: known[id_].verdict for id_ in known if id_ in reached}
    absent = tuple(sorted(reached - claims.keys()))
    named: dict[tuple[Kind, str, str], dict[str, list[str]]] = {}
    for id_ in claims:
        for text in known[id_].assumptions:
            kind, source, taken = _read(text)
            # The same step for another reason is another step.
            key = (kind, source, taken if kind is Kind.WORDS else "")
            named.setdefault(key, {}).setdefault(taken, []).append(id_)
    users = _users(claims, known)
    relied = [
        _relied(kind, source, texts, list(claims), users)
        for (kind, source, _), texts in named.items()
    ]
    granted = [
        Relied(Kind.GRANTED, source, (said,), tuple(claims), ()) for source, said in GRANTED.items()
    ]
    relied.sort(key=lambda it: -it.falls)
    typed = {id_: lines for id_ in claims if (lines := typed_lines(known[id_].evidence))}
    return Trust((*relied, *granted), asked, claims, absent, typed)


def typed_lines(evidence: Iterable[Evidence]) -> int:
    """How many lines of a proof decide about expressions that somebody typed."""
    return sum(
        len(item.steps) - worded(item.steps) - taken(item.steps)
        for item in evidence
        if item.road is Road.PROOFS and item.verdict.positive and not item.detail.get(THEOREMS)
    )


def _reached(ids: Iterable[str], known: Mapping[str, ClaimResult]) -> set[str]:
    """*ids* and what they use, directly or through others."""
    reached: set[str] = set()
    ahead = list(ids)
    while ahead:
        id_ = ahead.pop()
        if id_ not in reached:
            reached.add(id_)
            ahead += known[id_].claim.uses if id_ in known else ()
    return reached


def _users(ids: Iterable[str], known: Mapping[str, ClaimResult]) -> dict[str, list[str]]:
    """Which of *ids* use a claim."""
    users: dict[str, list[str]] = {}
    for id_ in ids:
        for used in known[id_].claim.uses:
            users.setdefault(used, []).append(id_)
    return users


def names(assumptions: Iterable[str]) -> set[tuple[str, str]]:
    """Kind, in the plural, and name of assumptions, as ``Trust.names`` has them."""
    read = {_read(text) for text in assumptions}
    return {(kind.plural, _name(kind, source, [taken])) for kind, source, taken in read}


def _name(kind: Kind, source: str, taken: Sequence[str]) -> str:
    if kind is not Kind.WORDS:
        return source
    return sha256("\n".join([source, *taken]).encode()).hexdigest()[:12]


def _read(text: str) -> tuple[Kind, str, str]:
    """What an assumption is, its source, and what is taken from it."""
    if is_step_in_words(text):
        step, _, why = flowed(text.removeprefix(STEP_IN_WORDS)).partition(", since ")
        return Kind.WORDS, step, why
    source, _, taken = flowed(text).partition(": ")
    return Kind.CITATION if source in CITATIONS else Kind.ASSUMPTION, source, taken


def _relied(
    kind: Kind,
    source: str,
    texts: Mapping[str, Sequence[str]],
    order: Sequence[str],
    users: Mapping[str, Sequence[str]],
) -> Relied:
    direct = {id_ for ids in texts.values() for id_ in ids}
    fallen, ahead = set(direct), list(direct)
    while ahead:
        more = set(users.get(ahead.pop(), ())) - fallen
        fallen |= more
        ahead += more
    return Relied(
        kind,
        source,
        tuple(filter(None, texts)),
        tuple(id_ for id_ in order if id_ in direct),
        tuple(id_ for id_ in order if id_ in fallen - direct),
    )
