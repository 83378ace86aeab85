"""The closed list of verdicts, how the verdicts of several roads merge, and when a run is as recorded.

One rule in one place: strength, polarity and conflict are decided here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum


class Verdict(StrEnum):
    """What the evidence says of a claim; the values are the words of the reports."""

    PROVED = "proved"
    ARGUED = "argued"
    CERTIFIED = "certified"
    SUPPORTED = "supported"
    REFUTED = "refuted"
    CONFLICT = "conflict"
    INCONCLUSIVE = "inconclusive"
    ERROR = "error"
    NOT_RUN = "not-run"

    @property
    def positive(self) -> bool:
        """Whether the claim is said to hold."""
        return self in STRENGTH

    @property
    def decided(self) -> bool:
        """Whether something is said of the claim at all."""
        return self.positive or self is Verdict.REFUTED

    @property
    def meaning(self) -> str:
        """One line for the reader."""
        return _MEANING[self]


#: The verdicts of what holds, from weak to strong.
STRENGTH = (Verdict.SUPPORTED, Verdict.CERTIFIED, Verdict.ARGUED, Verdict.PROVED)
#: What an exact road finds: neither a profile nor a seed changes it.
EXACT = frozenset({Verdict.PROVED, Verdict.ARGUED, Verdict.CERTIFIED, Verdict.REFUTED})

_MEANING = {
    Verdict.PROVED: "exact, for every parameter value in the stated scope; every line decided by "
    "computation, by a rule, or by an instance of a cited theorem",
    Verdict.ARGUED: "the whole scope, but at least one step is in words; each is listed",
    Verdict.CERTIFIED: "exact or interval arithmetic over a finite or bounded scope",
    Verdict.SUPPORTED: "the confidence interval lies where the claim says, every mutant outside",
    Verdict.REFUTED: "an exact counterexample, or a contradiction at the error share of the check",
    Verdict.CONFLICT: "two roads contradict each other; one of them has a bug",
    Verdict.INCONCLUSIVE: "the evidence does not decide",
    Verdict.ERROR: "the check broke",
    Verdict.NOT_RUN: "no check ran",
}


def merge(verdicts: Iterable[Verdict]) -> Verdict:
    """The verdict of a claim from the verdicts of its roads.

    A contradiction (one road for, one against, or a conflict already) is CONFLICT. An error is
    ERROR, whatever else was found: a broken check must not hide behind a working one. Otherwise
    REFUTED, or the strongest positive verdict.
    """
    found = set(verdicts)
    if Verdict.CONFLICT in found or (Verdict.REFUTED in found and any(v.positive for v in found)):
        return Verdict.CONFLICT
    if Verdict.ERROR in found:
        return Verdict.ERROR
    if Verdict.REFUTED in found:
        return Verdict.REFUTED
    if positive := [verdict for verdict in found if verdict.positive]:
        return max(positive, key=STRENGTH.index)
    return Verdict.INCONCLUSIVE if Verdict.INCONCLUSIVE in found else Verdict.NOT_RUN


def together(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """What the checks on the road of proofs are worth, which make one proof: each may have a part of the
    scope, so that with a step in words in one of them none of them is more than ARGUED."""
    found = list(verdicts)
    if Verdict.ARGUED not in found:
        return found
    return [Verdict.ARGUED if verdict is Verdict.PROVED else verdict for verdict in found]


def capped(verdict: Verdict, used: Iterable[Verdict]) -> Verdict:
    """What an argument gives that rests on claims with the verdicts *used*: a positive verdict is no
    stronger than the weakest of these, and INCONCLUSIVE unless all of them are positive."""
    if not verdict.positive:
        return verdict
    chain = [verdict, *used]
    if not all(v.positive for v in chain):
        return Verdict.INCONCLUSIVE
    return min(chain, key=STRENGTH.index)


def as_recorded(
    verdict: Verdict, recorded: Verdict | None, *, full: bool, exact: bool = False
) -> bool:
    """Whether a run bears out the recorded verdict.

    A *full* run must reproduce it exactly, and so must a run whose *exact* road came to its end
    where the record may be exact: neither a proof nor a counterexample depends on the profile.
    Otherwise the run may be weaker in the same polarity or leave the claim undecided; the opposite
    polarity, a conflict or an error is never in order. A claim without a record is expected to
    hold, or to be undecided.
    """
    if verdict in (Verdict.CONFLICT, Verdict.ERROR):
        return False
    if recorded is None:
        return verdict is not Verdict.REFUTED
    if verdict is recorded:
        return True
    if full or (exact and recorded in EXACT):
        return False
    if not verdict.decided or not recorded.decided:
        return not verdict.decided
    if verdict.positive and recorded.positive:
        return STRENGTH.index(verdict) <= STRENGTH.index(recorded)
    return False
