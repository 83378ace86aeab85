"""Checks and what they find: a function from the printed formulas to evidence, on one road.

Since the printed formulas are an argument, the very same check runs on every mutant.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeAlias

from verify.claim.in_words import has_step_in_words
from verify.claim.statement import Printed
from verify.measuring.context import PROPERTY_SHARES
from verify.verdict import Verdict

if TYPE_CHECKING:
    from verify.measuring.case import Case
    from verify.measuring.context import Context

#: (printed formulas, other formulas) to a proof that the first imply the second, or None.
Same: TypeAlias = Callable[[Printed, Printed], str | None]
CheckFunction: TypeAlias = "Callable[[Printed, Context], Evidence]"
#: The cases of a check, or the evidence where there is nothing to measure.
Cases: TypeAlias = "Sequence[Case] | Evidence"


class Road(StrEnum):
    """The independent lines of evidence."""

    PROOFS = "proofs"
    NUMERICS = "numerics"
    PROPERTIES = "properties"


@dataclass(frozen=True)
class Evidence:
    """What one check found on one road.

    ``summary`` is a few words for the table, ``scope`` says for what the verdict holds, ``steps``
    is a derivation or a record a reader can follow, ``detail`` holds numbers for machines. A proof with
    a step in words is ARGUED, whatever the check calls it.
    """

    verdict: Verdict
    method: str
    summary: str
    scope: str = ""
    steps: tuple[str, ...] = ()
    detail: Mapping[str, Any] = field(default_factory=dict)
    counterexample: Mapping[str, Any] | None = None
    assumptions: tuple[str, ...] = ()
    road: Road | None = None
    seconds: float = 0.0
    timed_out: bool = False
    #: The process of the check died.
    died: bool = False

    @property
    def lost(self) -> bool:
        """Whether it says nothing of the claim: the check was stopped, or its process died."""
        return self.timed_out or self.died

    def comes_from(self, check: Check) -> bool:
        """Whether *check* can have found it."""
        return self.road is check.road and self.method == check.method

    def __post_init__(self) -> None:
        if self.verdict is Verdict.PROVED and has_step_in_words(self.assumptions, self.steps):
            object.__setattr__(self, "verdict", Verdict.ARGUED)


@dataclass(frozen=True)
class Check:
    """A check of one claim on one road.

    ``seconds`` is its time limit; checks of one ``group`` share measurements, so one process runs
    them all. ``same`` decides exactly whether the printed formulas imply other ones. ``cases`` are
    what is measured, if that is all the check does. ``builds`` says that the check builds what the
    statement speaks of, so that it must notice a fault in the construction. ``wrong`` is of a check that
    measures a proof alone and judges no mutant of the statement: the same with what it measures said
    wrong, which must be refuted.
    """

    claim: str
    road: Road
    run: CheckFunction
    method: str
    seconds: float = 60.0
    group: str = ""
    same: Same | None = None
    cases: Callable[[Printed, Context], Cases] | None = None
    builds: bool = False
    wrong: CheckFunction | None = None

    @property
    def shares(self) -> int:
        """How many shares of its paper's error budget the check may spend."""
        return {Road.PROOFS: 0, Road.NUMERICS: 1, Road.PROPERTIES: PROPERTY_SHARES}[self.road]

    @property
    def in_company(self) -> bool:
        """Whether it shares measurements with the others of its group, which is no mere road."""
        return self.group not in ("", str(self.road))

    @property
    def key(self) -> str:
        return f"{self.claim}/{self.road}/{self.method}"
