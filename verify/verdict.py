"""The closed list of verdicts, how the verdicts of several roads merge, and when a run is as recorded.

One rule in one place: strength, polarity and conflict are decided here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum


class Verdict(StrEnum):
    """What the evidence says of a claim; the values are the words of the reports."""

    PROVED = "proved"
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
        return self in _STRENGTH

    @property
    def decided(self) -> bool:
        """Whether something is said of the claim at all."""
        return self.positive or self is Verdict.REFUTED

    @property
    def meaning(self) -> str:
        """One line for the reader."""
        return _MEANING[self]


_STRENGTH = (Verdict.SUPPORTED, Verdict.CERTIFIED, Verdict.PROVED)

_MEANING = {
    Verdict.PROVED: "exact, for every parameter value in the scope, up to the cited theorems and the "
    "steps in words that it lists",
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
    for verdict in reversed(_STRENGTH):
        if verdict in found:
            return verdict
    return Verdict.INCONCLUSIVE if Verdict.INCONCLUSIVE in found else Verdict.NOT_RUN


def capped(verdict: Verdict, used: Iterable[Verdict]) -> Verdict:
    """What an argument gives while something it rests on may not be established: a positive verdict
    becomes INCONCLUSIVE, unless all of *used* are positive."""
    if verdict.positive and not all(v.positive for v in used):
        return Verdict.INCONCLUSIVE
    return verdict


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
    if full or (exact and recorded in (Verdict.PROVED, Verdict.CERTIFIED, Verdict.REFUTED)):
        return False
    if not verdict.decided or not recorded.decided:
        return not verdict.decided
    if verdict.positive and recorded.positive:
        return _STRENGTH.index(verdict) <= _STRENGTH.index(recorded)
    return False
